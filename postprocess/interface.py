"""How often each residue of a docking is in contact, as `tessera report` counts it."""

from drawing import text_of

import numpy

CONTACT = 5.0  # Angstrom between heavy atoms
COUNTED = 100  # poses
AT_ONCE = 256  # atoms of the ligand, so that the table of distances stays small


class Shares:
    """Names of the residues of a partner, and the percentage of the poses in which each is in contact."""

    def __init__(self, atoms, counts, poses):
        texts, residues = atoms["texts"].asstr()[:], atoms["residue_index"][:]
        first = numpy.unique(residues, return_index=True)[1]
        names, numbers = texts[atoms["residue_variant"][:][first]], atoms["residue_number"][:][first]
        self.names = [f"{name} {number}" for name, number in zip(names, numbers)]
        self.percent = 100.0 * counts / max(1, poses)


def matrix_of(quaternion):
    w, x, y, z = quaternion
    return numpy.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def touching(receptor, ligand):
    """Which atoms of both have one of the other in contact."""
    of_receptor, of_ligand = numpy.zeros(len(receptor), dtype=bool), numpy.zeros(len(ligand), dtype=bool)
    low, high = ligand.min(axis=0) - CONTACT, ligand.max(axis=0) + CONTACT
    within = numpy.flatnonzero(((receptor > low) & (receptor < high)).all(axis=1))
    if not len(within):
        return of_receptor, of_ligand
    low, high = receptor[within].min(axis=0) - CONTACT, receptor[within].max(axis=0) + CONTACT
    candidates = numpy.flatnonzero(((ligand > low) & (ligand < high)).all(axis=1))
    for begin in range(0, len(candidates), AT_ONCE):
        some = candidates[begin:begin + AT_ONCE]
        near = numpy.square(receptor[within, None] - ligand[None, some]).sum(axis=2) < CONTACT**2
        of_receptor[within] |= near.any(axis=1)
        of_ligand[some] |= near.any(axis=0)
    return of_receptor, of_ligand


def places_of(docking, atoms, motion, opposite):
    """The places of the ligand's atoms in a pose, and of all further copies if it stands for a ring. `opposite`: the
    motion that begins the other ring of an assembly, if it stands for one."""
    center, copies = docking["ligand_center"][:], int(text_of(docking.attrs.get("symmetry", "C2"))[1:])

    def moved(atoms, motion):
        rotation, translation = motion
        return (atoms - center) @ matrix_of(rotation).T + translation

    places = [moved(atoms, motion)]
    for _ in range(2, copies):
        places.append(moved(places[-1], motion))
    if opposite is not None:
        places.append(moved(atoms, opposite))
        for _ in range(1, copies):
            places.append(moved(places[-1], motion))
    return places


def interface_of(docking, name):
    """Shares by partner over the first poses of a set or of the consensus; None where the result lacks the atoms. In a
    ring all copies are equal: there is one partner, "copy", in contact with any other one."""
    if "receptor/atoms" not in docking or "ligand/atoms" not in docking:
        return None
    poses = docking["consensus"] if name == "consensus" else docking[f"poses/{name}"]
    rotations = poses["rotation"][:COUNTED]
    if name != "consensus":
        rotations = docking["rotations"][:][rotations]
    atoms = {partner: docking[f"{partner}/atoms"] for partner in ("receptor", "ligand")}
    places = {partner: group["position"][:] for partner, group in atoms.items()}
    residues = {partner: group["residue_index"][:] for partner, group in atoms.items()}
    counts = {partner: numpy.zeros(numbers.max() + 1, dtype=int) for partner, numbers in residues.items()}
    motions = list(zip(rotations, poses["translation"][:COUNTED]))
    opposites = [None] * len(motions)
    if "opposite_rotation" in poses:
        opposites = list(zip(poses["opposite_rotation"][:COUNTED], poses["opposite_translation"][:COUNTED]))
    for motion, opposite in zip(motions, opposites):
        found = [touching(places["receptor"], copy)
                 for copy in places_of(docking, places["ligand"], motion, opposite)]
        for partner, hits in zip(("receptor", "ligand"), zip(*found)):
            counts[partner][numpy.unique(residues[partner][numpy.any(hits, axis=0)])] += 1
    shares = {partner: Shares(atoms[partner], counts[partner], len(rotations)) for partner in atoms}
    return {"copy": shares["receptor"]} if "symmetry" in docking.attrs else shares
