"""Contacts of atom types between a receptor and many poses of a ligand, counted as the program does."""

import numpy as np

from structures import TYPES

CUTOFF = 6.0  # A, the program's --pair-cutoff
K = len(TYPES)


def bound_contacts(receptor, ligand, cutoff=CUTOFF):
    """[K,K] pairs nearer than `cutoff`, receptor type by ligand type, both where they stand."""
    counts = np.zeros((K, K))
    for start in range(0, len(receptor.positions), 500):
        part = slice(start, start + 500)
        squared = ((receptor.positions[part, None] - ligand.positions[None]) ** 2).sum(-1)
        i, j = np.nonzero(squared < cutoff * cutoff)
        np.add.at(counts, (receptor.types[part][i], ligand.types[j]), 1)
    return counts


class ContactGrid:
    """For every grid point near the receptor: its atoms of each type within the cut-off.

    Ligand atoms are counted at their nearest grid point, so that sums are those of the program's
    correlation with all eigen-terms (docs/method/docking.md, "Grid and voxels").
    """

    def __init__(self, receptor, center, spacing=1.0, cutoff=CUTOFF):
        points = (receptor.positions - center) / spacing
        reach = int(np.ceil(cutoff / spacing)) + 1
        self.low = np.floor(points.min(0)).astype(int) - reach
        self.shape = np.ceil(points.max(0)).astype(int) + reach + 1 - self.low
        self.center, self.spacing = center, spacing
        self.counts = np.zeros((int(np.prod(self.shape)), K), np.uint8)
        steps = np.arange(-reach, reach + 1)
        cube = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), -1).reshape(-1, 3)
        for point, kind in zip(points, receptor.types):
            voxels = np.round(point).astype(int) + cube
            inside = ((voxels - point) ** 2).sum(1) * spacing**2 < cutoff**2
            self.counts[self._flat(voxels[inside]), kind] += 1

    def _flat(self, voxels):
        return np.ravel_multi_index(tuple((voxels - self.low).T), self.shape)

    def count(self, ligand, ligand_center, rotation, translation):
        """[K,K] contacts of one pose: R(x - ligand_center) + translation."""
        turned = (ligand.positions - ligand_center) @ rotation.T / self.spacing
        shift = np.round((translation - self.center) / self.spacing).astype(int)
        voxels = np.trunc(turned + np.copysign(0.5, turned)).astype(int) + shift
        inside = ((voxels >= self.low) & (voxels < self.low + self.shape)).all(1)
        near = self.counts[self._flat(voxels[inside])]
        counts = np.zeros((K, K))
        np.add.at(counts.T, ligand.types[inside], near)
        return counts
