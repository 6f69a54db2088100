"""Atoms of PDB files and rotations of poses, by numpy."""

import numpy as np


def atom_lines(path):
    return [line for line in path.read_text().splitlines() if line.startswith("ATOM")]


def places(lines):
    return np.array([[float(line[start:start + 8]) for start in (30, 38, 46)] for line in lines])


def matrices_of(quaternions):
    """Of unit quaternions w, x, y, z: one matrix, or an array of them."""
    w, x, y, z = np.moveaxis(np.asarray(quaternions), -1, 0)
    rows = ((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))
