"""The stages of the program's answer, each as one list. The results must hold all refined poses."""

import gemmi
import h5py
import numpy as np

import near
import runs
from failure import fail

CLUSTERS = 10
STAGES = ("balanced set", "+ duplicates dropped", "+ sets combined", "+ refined", "+ rescored",
          "+ ranked by basins")


def ligand_points(path):
    """[k,3] C-alphas of the first model."""
    structure = gemmi.read_structure(str(path))
    structure.remove_alternative_conformations()
    points = [atom.pos.tolist() for chain in structure[0] for residue in chain for atom in residue
              if atom.name == "CA" and atom.element == gemmi.Element("C")]
    if not points:
        fail(f"'{path}' has no C-alphas", "near-duplicates are recognised by them", "give the docked ligand")
    return np.array(points)


class Poses:
    """Poses of one ligand, best first: their places (near.py) and qualities."""

    def __init__(self, where, quality):
        self.where, self.quality = where, quality

    def taken(self, order):
        return Poses(self.where[order], {key: values[order] for key, values in self.quality.items()})

    def ranking(self, radii):
        """The Ranking without near-duplicates. The best pose leads a cluster."""
        duplicate_radius, cluster_radius = radii
        kept = self.taken(near.without_duplicates(self.where, duplicate_radius))
        leading = kept.taken(near.leaders(kept.where, cluster_radius, CLUSTERS))
        return runs.Ranking(kept.quality, leading.quality)


def poses_of(group, quality, rotations, points):
    """The Poses of a group with `translation`, whose quaternions are `rotations`."""
    where = near.places(points, near.rotation_matrices(rotations), group["translation"][:])
    return Poses(where, runs.read_quality(quality))


def searched(docking, points):
    """Poses of every searched list."""
    rotations, lists = docking["rotations"][:], []
    for name in docking.attrs["sets"]:
        group = docking[f"poses/{name}"]
        lists.append(poses_of(group, docking[f"evaluation/{name}"],
                              rotations[group["rotation"][:]], points))
    return lists


def combined(lists):
    """The first poses of all lists, their second poses, and so on."""
    ranks = np.concatenate([np.arange(len(poses.where)) for poses in lists])
    every = Poses(np.concatenate([poses.where for poses in lists]),
                  {key: np.concatenate([poses.quality[key] for poses in lists]) for key in runs.QUALITY})
    return every.taken(np.argsort(ranks, kind="stable"))


def refined(consensus, points, order):
    return poses_of(consensus, consensus["evaluation"], consensus["rotation"][:], points).taken(order)


def docked_stages(path, points, radii):
    """The stages that need no weights, from a result of --duplicate-radius 0."""
    with h5py.File(path) as file:
        docking = file["docking"]
        balanced = list(docking.attrs["sets"]).index("balanced")
        lists, consensus = searched(docking, points), docking["consensus"]
        as_searched = np.lexsort((consensus["set"][:], consensus["rank"][:]))
        return [lists[balanced].ranking(radii), combined(lists).ranking(radii),
                refined(consensus, points, as_searched).ranking(radii)]


def rescored_stages(path, points, radii):
    """The stages with weights: by the scores of single poses, and as the program lists them."""
    with h5py.File(path) as file:
        consensus = file["docking/consensus"]
        by_pose = refined(consensus, points, np.argsort(consensus["pose_score"][:], kind="stable"))
        return [by_pose.ranking(radii), runs.read_ranking(consensus["evaluation"], consensus["clusters"])]


def read_stages(docked, rescored, ligand, radii):
    """The Run of a docking, with one ranking per stage."""
    run = runs.read_run(rescored)
    if not {"balanced", "consensus"} <= run.rankings.keys():
        fail(f"'{docked}' lacks a stage", "it has " + ", ".join(run.rankings),
             "dock with --reference and the sets of potentials/README.md, balanced among them")
    with h5py.File(docked) as file:
        points = ligand_points(ligand) - file["docking/ligand_center"][:].ravel()
    run.rankings = dict(zip(STAGES, [run.rankings["balanced"], *docked_stages(docked, points, radii),
                                     *rescored_stages(rescored, points, radii)]))
    return run
