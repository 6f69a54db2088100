#!/usr/bin/env python3
"""Poses on a ring of three equal chains are judged at the nearest equivalent place. NumPy judges every pose by all
six orders of the three chains and finds the same values.
Usage: equivalent_copies.py PATH/OF/tessera"""

import itertools
import pathlib
import sys
import tempfile

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from docked_poses import matrices_of  # noqa: E402
from tessera_runs import answer, check, run  # noqa: E402

BACKBONE = ("N", "CA", "C", "O")
THIRD = np.array([[-0.5, -np.sqrt(0.75), 0], [np.sqrt(0.75), -0.5, 0], [0, 0, 1]])
AXIS = np.array([-17.0, 0.0, 0.0])  # the ring's axis, beside the first chain
OPTIONS = ("--spacing", "2", "--poses", "400", "--poses-per-rotation", "8", "--coefficients", "balanced",
           "--refine", "60", "--rotation-file", "rotations.txt", "--quiet")


def atoms_of(path):
    """{chain: {residue number: {atom name: position}}}"""
    chains = {}
    for line in path.read_text().splitlines():
        if line.startswith("ATOM"):
            place = np.array([float(line[start:start + 8]) for start in (30, 38, 46)])
            chains.setdefault(line[21], {}).setdefault(int(line[22:26]), {})[line[12:16].strip()] = place
    return chains


def turned(k):
    return lambda point: np.linalg.matrix_power(THIRD, k) @ (np.asarray(point) - AXIS) + AXIS


def quaternion_product(a, b):
    (aw, *av), (bw, *bv) = a, b
    av, bv = np.array(av), np.array(bv)
    return np.array([aw * bw - av @ bv, *(aw * bv + bw * av + np.cross(av, bv))])


def write_ring(folder):
    """receptor.pdb: chain A of the shared pair, and its copies about the axis. The reference has the ligand on A.
    The rotations lie around those of the three equivalent places."""
    tessera_runs.write_pair(folder)
    lines = (folder / "receptor.pdb").read_text().splitlines()
    ring = []
    for k, chain in enumerate("ABC"):
        for line in lines:
            if line.startswith("ATOM"):
                x, y, z = turned(k)([float(line[start:start + 8]) for start in (30, 38, 46)])
                ring.append(f"{line[:21]}{chain}{line[22:30]}{x:8.3f}{y:8.3f}{z:8.3f}{line[54:]}")
        ring.append("TER")
    ligand = [line.replace(" B", " L", 1) if line[20:22] == " B" else line
              for line in (folder / "complex.pdb").read_text().splitlines() if line[20:22] == " B"]
    (folder / "receptor.pdb").write_text("\n".join([*ring, "END", ""]))
    (folder / "complex.pdb").write_text("\n".join([*ring, *ligand, "END", ""]))
    w, x, y, z = tessera_runs.START
    home, generator = np.array([w, -x, -y, -z]), np.random.default_rng(3)
    rows = []
    for k in range(3):
        third = np.array([np.cos(k * np.pi / 3), 0, 0, np.sin(k * np.pi / 3)])
        for wobble in (0, 0.03, 0.1, 0.2, 0.4, 3):
            q = quaternion_product(third, home) + wobble * generator.normal(size=4)
            rows.append(" ".join(f"{part:.12f}" for part in q / np.linalg.norm(q)))
    (folder / "rotations.txt").write_text("\n".join([*rows, ""]))


def superposition(moving, fixed):
    """Rotation and shift of least squares (Kabsch 1976)."""
    a, b = moving.mean(0), fixed.mean(0)
    u, _, vt = np.linalg.svd((moving - a).T @ (fixed - b))
    flip = np.diag([1, 1, np.sign(np.linalg.det(u @ vt))])
    rotation = (u @ flip @ vt).T
    return rotation, b - rotation @ a


def rms(a, b):
    return np.sqrt(((a - b) ** 2).sum(1).mean())


def backbone(residues):
    return np.array([residue[name] for residue in residues for name in BACKBONE])


def near(a, b, distance):
    """For each residue of a and of b, whether any atoms are within the distance."""
    return np.array([[(np.linalg.norm(np.array(list(p.values()))[:, None] - np.array(list(q.values()))[None],
                                      axis=2) <= distance).any() for q in b] for p in a])


class Order:
    """The reference by one order of the receptor's chains, as lists of residues in the order of the model."""

    def __init__(self, model, reference, ligand, order):
        self.native = [residue for chain in order for residue in reference[chain].values()]
        self.model = [residue for chain in "ABC" for residue in model[chain].values()]
        self.ligand = list(ligand.values())
        native_ligand = list(reference["L"].values())
        self.contacts = near(self.native, native_ligand, 5)
        close = near(self.native, native_ligand, 10)
        self.face, self.ligand_face = np.flatnonzero(close.any(1)), np.flatnonzero(close.any(0))
        rotation, shift = superposition(backbone(self.native), backbone(self.model))
        self.misfit = rms(backbone(self.native) @ rotation.T + shift, backbone(self.model))
        self.home = [{name: rotation @ atom + shift for name, atom in residue.items()} for residue in native_ligand]

    def judge(self, rotation, shift):
        """Class, L-RMSD, i-RMSD, fnat of a pose."""
        posed = [{name: rotation @ atom + shift for name, atom in residue.items()} for residue in self.ligand]
        l_rmsd = rms(backbone(posed), backbone(self.home))
        face = np.concatenate([backbone([self.model[i] for i in self.face]),
                               backbone([posed[i] for i in self.ligand_face])])
        home = np.concatenate([backbone([self.native[i] for i in self.face]),
                               backbone([self.home_in_reference[i] for i in self.ligand_face])])
        turn, move = superposition(face, home)
        i_rmsd = rms(face @ turn.T + move, home)
        pairs = np.argwhere(self.contacts)
        fnat = np.mean([near([self.model[i]], [posed[j]], 5)[0, 0] for i, j in pairs])
        quality = 3 if fnat >= 0.5 and (l_rmsd <= 1 or i_rmsd <= 1) else \
            2 if fnat >= 0.3 and (l_rmsd <= 5 or i_rmsd <= 2) else \
            1 if fnat >= 0.1 and (l_rmsd <= 10 or i_rmsd <= 4) else 0
        return quality, l_rmsd, i_rmsd, fnat


def orders_of(folder):
    model, reference = atoms_of(folder / "receptor.pdb"), atoms_of(folder / "complex.pdb")
    ligand = atoms_of(folder / "ligand.pdb")["B"]
    orders = []
    for names in itertools.permutations("ABC"):
        order = Order(model, reference, ligand, names)
        order.home_in_reference = list(reference["L"].values())
        if order.misfit <= 3:
            orders.append((names, order))
    check(len(orders) == 3, f"{len(orders)} orders fit, not the three of a ring")
    return orders


def poses_of(docking, name):
    if name == "consensus":
        rotations, translations = docking["consensus/rotation"][:], docking["consensus/translation"][:]
    else:
        poses = docking["poses"][name]
        rotations, translations = docking["rotations"][:][poses["rotation"][:]], poses["translation"][:]
    center = docking["ligand_center"][:].ravel()
    for q, t in zip(rotations, translations):
        rotation = matrices_of(q)
        yield rotation, t - rotation @ center


def check_values(folder, file, name, group):
    """Every `step`-th pose, and all that are right."""
    docking, orders = file["docking"], orders_of(folder)
    classes, copies = group["capri_class"][:], group["copy"][:]
    check(set(copies) == {0, 1, 2}, f"{name}: copies {set(copies)}")
    chains = group["copy"].attrs["chains"]
    for place in (0, 1, 2):
        check((classes[copies == place] > 0).any(), f"{name}: nothing acceptable at place {place}")
    for i, (rotation, shift) in enumerate(poses_of(docking, name)):
        if classes[i] == 0 and i % 10:
            continue
        judged = [(order.judge(rotation, shift), names) for names, order in orders]
        (quality, l_rmsd, i_rmsd, fnat), names = min(judged, key=lambda each: (-each[0][0], each[0][1]))
        ours = [group[key][i] for key in ("capri_class", "ligand_rmsd", "interface_rmsd", "fnat")]
        check(np.allclose(ours, [quality, l_rmsd, i_rmsd, fnat], atol=2e-3),
              f"{name}, pose {i}: {ours}, and by NumPy {(quality, l_rmsd, i_rmsd, fnat)}")
        told = chains[copies[i]]
        wanted = "receptor " + ", ".join(f"{a} -> {b}" for a, b in zip("ABC", names)) + "; ligand B -> L"
        check(told == wanted, f"{name}, pose {i}: {told}, not {wanted}")


def done(program, folder, *arguments):
    result = run(program, *arguments, cwd=folder)
    check(result.returncode == 0, f"{arguments}: exit code {result.returncode}\n{result.stderr}")


def check_all(program, folder):
    write_ring(folder)
    judged = ("--reference", "complex.pdb")
    done(program, folder, "dock", "receptor.pdb", "ligand.pdb", *OPTIONS, *judged, "-o", "run.h5")
    with h5py.File(folder / "run.h5") as file:
        check_values(folder, file, "balanced", file["docking/evaluation/balanced"])
        check_values(folder, file, "consensus", file["docking/consensus/evaluation"])
    done(program, folder, "dock", "receptor.pdb", "ligand.pdb", *OPTIONS, "-o", "unjudged.h5")
    done(program, folder, "rescore", "unjudged.h5", *judged, "-o", "rescored.h5")
    (folder / "pairs.csv").write_text("name,receptor,ligand,reference\nring,receptor.pdb,ligand.pdb,complex.pdb\n")
    done(program, folder, "dock", "--pairs", "pairs.csv", *OPTIONS, "-o", "all")
    for other in ("rescored.h5", "all/ring.h5"):
        check(answer(folder / other) == answer(folder / "run.h5"), f"{other} differs from run.h5")


def main():
    with tempfile.TemporaryDirectory() as name:
        check_all(sys.argv[1], pathlib.Path(name))


if __name__ == "__main__":
    main()
