#!/usr/bin/env python3
"""tessera dock --repack: the same bits on 1, 2 and 3 ranks and by tessera rescore, the rest of the result as without
it, and refusals in one line.
Usage: repacking.py PATH/OF/tessera"""

import math
import pathlib
import random
import re
import sys
import tempfile

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from tessera_runs import answer, check, own_lines, run  # noqa: E402

# Atom, the three atoms before it, length, angle, chi and what is added to it.
SIDE_CHAINS = {
    "LYS": (("CG", "N CA CB", 1.52, 114, 0, 0), ("CD", "CA CB CG", 1.52, 111, 1, 0),
            ("CE", "CB CG CD", 1.52, 111, 2, 0), ("NZ", "CG CD CE", 1.49, 112, 3, 0)),
    "LEU": (("CG", "N CA CB", 1.53, 116, 0, 0), ("CD1", "CA CB CG", 1.52, 110, 1, 0),
            ("CD2", "CA CB CG", 1.52, 111, 1, 122)),
    "ASP": (("CG", "N CA CB", 1.52, 113, 0, 0), ("OD1", "CA CB CG", 1.25, 118, 1, 0),
            ("OD2", "CA CB CG", 1.25, 118, 1, 180))}
DOCK = ("dock", "receptor.pdb", "ligand.pdb", "--spacing", "1.8", "--rotations", "120", "--poses", "60", "--refine",
        "60", "--coefficients", "balanced", "--quiet")
REPACKED = {"repack_score_change", "repack_energy_change", "repack_binding_energy", "repacked_side_chains"}


def extended(a, b, c, length, angle, dihedral):
    """The atom after a, b, c, by the natural extension of a reference frame."""
    along = (c - b) / numpy.linalg.norm(c - b)
    normal = numpy.cross(b - a, along)
    normal /= numpy.linalg.norm(normal)
    bend, turn = math.radians(angle), math.radians(dihedral)
    return c + length * (-math.cos(bend) * along + math.sin(bend) * math.cos(turn) * numpy.cross(normal, along)
                         + math.sin(bend) * math.sin(turn) * normal)


def residue(name, at, up, generator):
    atoms = {"N": at + (-1.2, 0.7, -0.5 * up), "CA": at, "C": at + (1.2, 0.8, -0.5 * up),
             "O": at + (1.3, 1.9, -1.0 * up), "CB": at + (0, -0.7, 1.36 * up)}
    chis = [generator.choice((-60, 60, 180)) + generator.uniform(-20, 20) for _ in range(4)]
    for atom, before, length, angle, chi, more in SIDE_CHAINS[name]:
        atoms[atom] = extended(*(atoms[b] for b in before.split()), length, angle, chis[chi] + more)
    return atoms


def write_wall(path, chain, up, seed):
    """Four by four residues in a plane, whose side chains point up (1) or down (-1)."""
    generator, lines = random.Random(seed), []
    for i in range(16):
        name = generator.choice(sorted(SIDE_CHAINS))
        at = numpy.array((7.0 * (i % 4), 7.0 * (i // 4), 0))
        for atom, (x, y, z) in residue(name, at, up, generator).items():
            lines.append(f"ATOM  {len(lines) + 1:5d}  {atom:<3s} {name} {chain}{i + 1:4d}    "
                         f"{x:8.3f}{y:8.3f}{z:8.3f}  1.00 10.00           {atom[0]}")
    path.write_text("\n".join([*lines, "TER", "END", ""]))


def done(program, folder, *arguments, ranks=0):
    result = run(program, *arguments, ranks=ranks, cwd=folder)
    check(result.returncode == 0, f"{arguments}: exit code {result.returncode}\n{result.stderr}")


def expect_same(first, second, what):
    different = sorted(key for key in first.keys() | second.keys() if first.get(key) != second.get(key))
    check(not different, f"{what}: {different}")


def check_same_bits(program, folder):
    done(program, folder, *DOCK, "-o", "off.h5")
    done(program, folder, *DOCK, "--repack", "25", "-o", "on.h5")
    on = answer(folder / "on.h5")
    for ranks in (2, 3) if tessera_runs.has_ranks(program) else ():
        done(program, folder, *DOCK, "--repack", "25", "-o", f"on{ranks}.h5", ranks=ranks)
        expect_same(on, answer(folder / f"on{ranks}.h5"), f"1 and {ranks} ranks differ")
    for source, wanted in (("off.h5", "on.h5"), ("on.h5", "off.h5")):
        done(program, folder, "rescore", source, "--repack", "25" if wanted == "on.h5" else "0", "-o", "again.h5",
             "--force", "--quiet")
        # Scores that were changed and changed back may differ in the last bit.
        with h5py.File(folder / "again.h5") as again, h5py.File(folder / wanted) as docked:
            mine, other = again["docking/consensus"], docked["docking/consensus"]
            check(sorted(mine) == sorted(other), f"{wanted}: other datasets")
            check(numpy.allclose(mine["score"][:], other["score"][:], rtol=0, atol=1e-12), f"{wanted}: scores")
            for name in ("rank", "set", "pose_score", "terms"):
                check((mine[name][:] == other[name][:]).all(), f"{wanted}: {name}")
    done(program, folder, "rescore", "off.h5", "--repack", "25", "-o", "again.h5", "--force", "--quiet")
    expect_same(answer(folder / "again.h5"), on, "rescoring is not what docking gives")


def check_scores(folder):
    """Scores change by the difference from the median, and nothing else changes but the order."""
    with h5py.File(folder / "off.h5") as off, h5py.File(folder / "on.h5") as on:
        rigid, repacked = off["docking/consensus"], on["docking/consensus"]
        check(set(repacked) - set(rigid) == REPACKED, f"datasets {set(repacked) ^ set(rigid)}")
        place = {key: i for i, key in enumerate(zip(rigid["set"][:], rigid["rank"][:]))}
        order = [place[key] for key in zip(repacked["set"][:], repacked["rank"][:])]
        for name in ("pose_score", "terms", "contact_energy", "translation"):
            check((repacked[name][:] == rigid[name][:][order]).all(), f"{name} has changed")
        moved, change = repacked["repacked_side_chains"][:], repacked["repack_score_change"][:]
        chosen = moved >= 0
        check(sorted(numpy.array(order)[chosen]) == list(range(25)), "other poses than the best are repacked")
        check((moved[chosen] > 0).sum() > 10 and (change[chosen] != 0).sum() > 10, "hardly a side chain has moved")
        check((repacked["repack_energy_change"][:] <= 0).all(), "a local energy has risen")
        median = repacked.attrs["repack_median"]
        check(median == numpy.sort(change[chosen])[12], "not the median")
        expected = rigid["score"][:][order] + numpy.where(chosen, change - median, 0)
        check(numpy.allclose(repacked["score"][:], expected, rtol=0, atol=1e-12), "scores")
        check((numpy.diff(repacked["score"][:]) >= 0).all(), "scores do not ascend")
        check(order != sorted(order), "the order has not changed")


def check_refusals(program, folder):
    line = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+$")
    for words, more in (("--refine", ("--refine", "0", "--repack", "5")), ("out of range", ("--repack", "-1")),
                        ("--repack cannot be combined with conformers", ("--repack", "5", "--conformers", "2"))):
        result = run(program, *DOCK, *more, "-o", "no.h5", cwd=folder)
        lines = own_lines(result.stderr)
        check(result.returncode == 2 and len(lines) == 1 and line.match(lines[0]) and words in lines[0],
              f"{more}: {result.returncode}, {result.stderr}")
        check(not (folder / "no.h5").exists(), f"{more}: a file is left")


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_wall(folder / "receptor.pdb", "A", 1, 1)
        write_wall(folder / "ligand.pdb", "B", -1, 2)
        check_same_bits(program, folder)
        check_scores(folder)
        check_refusals(program, folder)
    print("repacked side chains: the same bits everywhere")


if __name__ == "__main__":
    main()
