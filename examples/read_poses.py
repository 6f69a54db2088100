#!/usr/bin/env python3
"""Reads docked poses with h5py and moves the ligand with one of them.

    examples/read_poses.py run.h5                                     table of the best poses
    examples/read_poses.py run.h5 ligand.pdb > moved.pdb              ligand of the best pose
    examples/read_poses.py run.h5 ligand.pdb --set vdw --rank 3 > moved.pdb

The second argument is the PDB file that was docked. `tessera export` does this for every format that the
program reads; here are the few lines it takes."""

import argparse
import os
import sys

try:
    import h5py
    import numpy
except ImportError as missing:
    sys.exit(f"error: the Python module {missing.name} is missing (looked for it with {sys.executable}): "
             f"apt-get install python3-{missing.name}, or pip install {missing.name}")


def printable(text):
    """Names of a file may hold anything: they must not steer the terminal."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def matrix(quaternion):
    """Rotation matrix of a unit quaternion w, x, y, z."""
    w, x, y, z = quaternion
    return numpy.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def move(points, docking, pose_set, rank):
    """Ligand coordinates [n, 3] of the input file, moved into the receptor file's frame."""
    poses = docking["poses"][pose_set]
    rotation = matrix(docking["rotations"][poses["rotation"][rank - 1]])
    return (points - docking["ligand_center"][:]) @ rotation.T + poses["translation"][rank - 1]


def print_table(docking, pose_set, rows):
    poses = docking["poses"][pose_set]
    names = poses["terms"].attrs["names"]
    print("rank", "score".rjust(10), *(printable(name).rjust(14) for name in names))
    for rank, (score, terms) in enumerate(zip(poses["score"][:rows], poses["terms"][:rows]), 1):
        print(f"{rank:4d} {score:10.2f}", *(f"{value:14.4f}" for value in terms))


def print_moved(path, docking, pose_set, rank):
    with open(path) as file:
        lines = [line.rstrip("\n") for line in file]
    atoms = [line for line in lines if line.startswith(("ATOM", "HETATM"))]
    points = numpy.array([[float(line[i:i + 8]) for i in (30, 38, 46)] for line in atoms])
    moved = iter(move(points, docking, pose_set, rank))
    for line in lines:
        if line.startswith(("ATOM", "HETATM")):
            line = line[:30] + "".join(f"{value:8.3f}" for value in next(moved)) + line[54:]
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", help="output of tessera dock")
    parser.add_argument("ligand", nargs="?", help="the PDB file that was docked")
    parser.add_argument("--set", default="", help="coefficient set; default: the first in the file")
    parser.add_argument("--rank", type=int, default=1, help="pose, from 1")
    parser.add_argument("--rows", type=int, default=10, help="rows of the table")
    options = parser.parse_args()
    with h5py.File(options.run, "r") as file:
        docking = file["docking"]
        pose_set = options.set or next(iter(docking["poses"]))
        if pose_set not in docking["poses"]:
            sys.exit(printable(f"error: no set '{pose_set}' (it holds {', '.join(docking['poses'])}): "
                               "choose one of them"))
        if not 1 <= options.rank <= len(docking["poses"][pose_set]["score"]):
            sys.exit(f"error: no pose {options.rank} (the set has {len(docking['poses'][pose_set]['score'])}): "
                     "choose a lower rank")
        if options.ligand:
            print_moved(options.ligand, docking, pose_set, options.rank)
        else:
            print_table(docking, pose_set, options.rows)


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
