#!/usr/bin/env python3
"""Rings of equal proteins are found again: their exported copies are turned copies of each other about one axis, the
evaluation knows that all copies are equal, the result has the same bits on any number of ranks, and what a ring does
not take is refused in one line.
Usage: symmetry.py PATH/OF/tessera"""

import math
import pathlib
import sys
import tempfile

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from tessera_runs import answer, check, run  # noqa: E402

OPTIONS = ("--coefficients", "balanced", "--poses", "200", "--quiet")
FINE = (*OPTIONS, "--axes", "400", "--spacing", "1.5", "--refine", "200")
COARSE = (*OPTIONS, "--axes", "400", "--spacing", "3", "--refine", "600")  # several tiles of both stages


def turn(angle):
    return np.array([[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1]])


def atoms_of(point):
    ends = [offset for _, offset in tessera_runs.BACKBONE] + [tessera_runs.END_OFFSET]
    return point + np.array(ends)


def packed(copies, radius=18.0, tries=30000):
    """C-alphas of one copy of a ball about the z axis. Residues are packed at random, as tightly between copies as
    within one, and those of a copy lie in a sector with wavy walls."""
    generator, sector = np.random.default_rng(copies), 2 * math.pi / copies
    points, taken = [], np.empty((0, 3))
    for point in generator.uniform(-radius, radius, (tries, 3)):
        away = math.hypot(point[0], point[1])
        wave = 3.0 * math.sin(0.3 * point[2] + 0.4) * math.cos(0.25 * away)
        angle = (math.atan2(point[1], point[0]) - wave / max(away, 6)) % (2 * math.pi)
        if np.linalg.norm(point) > radius or away < 3 or angle > sector:
            continue
        own = atoms_of(point)
        others = np.concatenate([taken @ turn(k * sector).T for k in range(copies)] +
                                [own @ turn(k * sector).T for k in range(1, copies)])
        if np.linalg.norm(own[:, None] - others[None], axis=2).min() > 3.1:
            points.append(point)
            taken = np.concatenate([taken, own])
    return points, taken


def write_ring(folder, copies):
    """protein.pdb and ring.pdb: leucines where copies meet, and lysines everywhere else."""
    sector, residues = 2 * math.pi / copies, []
    points, taken = packed(copies)
    others = np.concatenate([taken @ turn(k * sector).T for k in range(1, copies)])
    for point in points:
        near = np.linalg.norm(atoms_of(point)[:, None] - others[None], axis=2).min() < 6.5
        residues.append(("LEU" if near else "LYS", point))
    (folder / "protein.pdb").write_text(
        "\n".join([*tessera_runs.pdb_lines(residues, "A", tessera_runs.turned_away), "END", ""]))
    lines = []
    for k in range(copies):
        lines += tessera_runs.pdb_lines(residues, "ABCDEF"[k], lambda p, k=k: turn(k * sector) @ np.array(p))
    (folder / "ring.pdb").write_text("\n".join([*lines, "END", ""]))


def chains_of(path):
    chains = {}
    for line in path.read_text().splitlines():
        if line.startswith("ATOM"):
            chains.setdefault(line[21], []).append([float(line[start:start + 8]) for start in (30, 38, 46)])
    return [np.array(atoms) for atoms in chains.values()]


def motion(moving, fixed):
    """Rotation and shift of least squares (Kabsch 1976), and the largest distance that is left."""
    a, b = moving.mean(0), fixed.mean(0)
    u, _, vt = np.linalg.svd((moving - a).T @ (fixed - b))
    rotation = (u @ np.diag([1, 1, np.sign(np.linalg.det(u @ vt))]) @ vt).T
    shift = b - rotation @ a
    return rotation, shift, np.abs(moving @ rotation.T + shift - fixed).max()


def check_closed(path, copies):
    """One motion takes each copy to the next and the last one to the first, within 0.01 A."""
    chains = chains_of(path)
    check(len(chains) == copies, f"{path} has {len(chains)} chains")
    rotation, shift, _ = motion(chains[0], chains[1])
    angle = math.degrees(math.acos((np.trace(rotation) - 1) / 2))
    check(abs(angle - 360 / copies) < 0.1, f"{path}: copies are turned by {angle}")
    for k, chain in enumerate(chains):
        off = np.abs(chain @ rotation.T + shift - chains[(k + 1) % copies]).max()
        check(off < 0.01, f"{path}: copy {k} misses the next one by {off} A")


def dock(program, folder, copies, output, options, ranks=0):
    done = run(program, "dock", "protein.pdb", "--symmetry", f"C{copies}", "--reference", "ring.pdb", *options, "-o",
               output, cwd=folder, ranks=ranks)
    check(done.returncode == 0, done.stderr)


def check_found(program, folder, copies):
    write_ring(folder, copies)
    dock(program, folder, copies, "run.h5", FINE)
    with h5py.File(folder / "run.h5") as file:
        docking = file["docking"]
        check(docking.attrs["symmetry"] in (f"C{copies}", f"C{copies}".encode()), "the result does not name the ring")
        classes = docking["consensus/evaluation/capri_class"][:5]
        check(classes.max() >= 2, f"C{copies}: classes of the first poses are {classes}")
        rotations, center = docking["rotations"][:], docking["ligand_center"][:].ravel()
        poses = docking["poses/balanced"]
        shift, axis = poses["translation"][:] - center, rotations[poses["rotation"][:]][:, 1:]
        along = np.abs((shift * axis).sum(1)) / np.linalg.norm(axis, axis=1)
        check(along.max() < 1e-6, f"C{copies}: poses are shifted along their axes by {along.max()}")
    done = run(program, "export", "run.h5", "--poses", "2", "models", cwd=folder)
    check(done.returncode == 0, done.stderr)
    for name in ("balanced_0001", "balanced_0002", "consensus_0001", "consensus_0002"):
        check_closed(folder / "models" / f"{name}.pdb", copies)


def check_readers(program, folder):
    """The result of the last ring goes through the other commands."""
    for words in (("info", "run.h5"), ("table", "run.h5", "--rows", "2"), ("report", "run.h5", "-o", "report.html"),
                  ("export", "run.h5", "--clusters", "1", "clusters"),
                  ("rescore", "run.h5", "--cluster-radius", "6", "-o", "again.h5")):
        done = run(program, *words, cwd=folder)
        check(done.returncode == 0, f"{words}: {done.stderr}")
    with h5py.File(folder / "run.h5") as file, h5py.File(folder / "again.h5") as again:
        for name in ("score", "evaluation/dockq"):
            check((file["docking/consensus"][name][:] == again["docking/consensus"][name][:]).all(), name)


def check_refusals(program, folder):
    def refused(text, *words):
        done = run(program, "dock", *words, cwd=folder)
        lines = tessera_runs.own_lines(done.stderr)
        check(done.returncode not in (0, -11, -6) and len(lines) == 1 and text in lines[0], f"{words}: {done.stderr}")
        check(not (folder / "no.h5").exists(), f"{words} left a file")

    refused("no ring", "protein.pdb", "--symmetry", "T", "-o", "no.h5")
    refused("copies of", "protein.pdb", "ring.pdb", "--symmetry", "C3", "-o", "no.h5")
    (folder / "pairs.csv").write_text("receptor,ligand,symmetry\nprotein.pdb,ring.pdb,C3\n")
    refused("line 2: a ligand is given", "--pairs", "pairs.csv", "-o", "no.h5")
    refused("--axes", "protein.pdb", "--symmetry", "C3", "--rotations", "600", "-o", "no.h5")
    refused("--symmetry", "protein.pdb", "ring.pdb", "--axes", "600", "-o", "no.h5")
    refused("no two copies of a C5 ring", "protein.pdb", "--symmetry", "C5", "--reference", "ring.pdb", *OPTIONS, "-o",
            "no.h5")
    done = run(program, "export", "run.h5", "--zdock", "run.zdock", cwd=folder)
    check(done.returncode != 0 and "ZDOCK" in done.stderr, done.stderr)


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        for copies in (2, 3):
            folder = pathlib.Path(name) / str(copies)
            folder.mkdir()
            check_found(program, folder, copies)
        check_readers(program, folder)
        check_refusals(program, folder)
        if tessera_runs.has_ranks(program):
            for ranks in (1, 2, 3):
                dock(program, folder, 3, f"ranks{ranks}.h5", COARSE, ranks=ranks)
                check(answer(folder / f"ranks{ranks}.h5") == answer(folder / "ranks1.h5"), f"{ranks} ranks: other bits")


main()
