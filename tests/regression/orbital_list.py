#!/usr/bin/env python3
"""`tessera orbital --list` shows the orbitals that stand in Molden files, restricted, unrestricted and of several
frames, marks the frontier orbitals, and computes and writes nothing.
Usage: orbital_list.py PATH/OF/tessera"""

import gzip
import json
import math
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import check, run  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WATER = ROOT / "examples/water.molden"
OXYGEN = ROOT / "tests/orbitals/references/o2_uhf_sph.molden.gz"
EV = 27.211386245988


def stated(text):
    """The orbitals of a Molden text, frame by frame."""
    frames = []
    for part in re.split(r"(?i)\[molden format\]", text)[1:]:
        section = re.split(r"(?i)\[MO\]", part)[1]
        fields = [dict(re.findall(r"(?im)^ *(Sym|Ene|Spin|Occup) *= *(\S+)", block))
                  for block in re.split(r"(?im)^(?= *Sym *=)", section)[1:]]
        frames.append([(one["Sym"], one["Spin"].lower(), float(one["Ene"]), float(one["Occup"])) for one in fields])
    return frames


def order(frame, i, best):
    """Of equal energies alpha comes before beta; then the last is the HOMO, and the first the LUMO."""
    alpha = frame[i][1] == "alpha"
    return (frame[i][2], alpha if best is max else not alpha, i)


def frontier(frame):
    """The words of each orbital, by its position: the highest occupied and lowest empty one of each spin."""
    words, spins = [set() for _ in frame], {one[1] for one in frame}

    def mark(word, chosen, best):
        if chosen:
            words[best(chosen, key=lambda i: order(frame, i, best))].add(word)

    for word, best, occupied in (("HOMO", max, True), ("LUMO", min, False)):
        of_spin = {spin: [i for i, one in enumerate(frame) if one[1] == spin and (one[3] > 0.5) == occupied]
                   for spin in spins}
        mark(word, [i for some in of_spin.values() for i in some], best)
        for spin in spins if len(spins) > 1 else ():
            mark(word + spin[0], of_spin[spin], best)
    return words


def check_list(program, folder, path, text):
    result = run(program, "orbital", path, "--list", "--json", cwd=folder)
    check(result.returncode == 0, f"{path}: {result.stderr}")
    rows, frames = json.loads(result.stdout), stated(text)
    check(len(rows) == sum(map(len, frames)) > 0, f"{path}: {len(rows)} orbitals")
    rows = iter(rows)
    for number, frame in enumerate(frames, start=1):
        words = frontier(frame)
        for i, (symmetry, spin, energy, occupation) in enumerate(frame):
            row = next(rows)
            choose = set(row.pop("choose").split())
            ev = row.pop("energy_ev")
            wanted = {"frame": number, "file": str(path), "number": i + 1, "symmetry": symmetry, "spin": spin,
                      "energy_hartree": energy, "occupation": occupation}
            check(row == wanted, f"{path}: {row} instead of {wanted}")
            check(abs(ev - energy * EV) <= 1e-12 * abs(ev), f"{path}: {ev} eV")
            check(choose == words[i], f"{path}: orbital {i + 1} is {choose} instead of {words[i]}")
    shown = run(program, "orbital", path, "--list", cwd=folder).stdout
    check(shown.count("\n") == sum(len(frame) + 2 for frame in frames), f"{path}: {shown}")
    for word in ("HOMO", "LUMO"):
        check(word in shown, f"{path}: no {word} in {shown}")


def hydrogen(occupations):
    """A checkpoint of H2 with one s function exp(-0.5 r^2) on each atom, 1.4 bohr apart, and the density matrix of these
    occupations of its bonding and antibonding orbital."""
    overlap = math.exp(-0.25 * 1.4 ** 2)
    up, down = 1 / math.sqrt(2 + 2 * overlap), 1 / math.sqrt(2 - 2 * overlap)
    same, other = (occupations[0] * up ** 2 + sign * occupations[1] * down ** 2 for sign in (1, -1))
    text = "H2\nSP        RMP2\n"
    for name, values in (("Number of atoms", 2), ("Number of alpha electrons", 1), ("Number of beta electrons", 1),
                         ("Atomic numbers", [1, 1]), ("Current cartesian coordinates", [0.0, 0.0, 0.0, 0.0, 0.0, 1.4]),
                         ("Shell types", [0, 0]), ("Number of primitives per shell", [1, 1]),
                         ("Shell to atom map", [1, 2]), ("Primitive exponents", [0.5, 0.5]),
                         ("Contraction coefficients", [1.0, 1.0]), ("Alpha Orbital Energies", [-0.6, 0.7]),
                         ("Alpha MO coefficients", [up, up, down, -down]), ("Total MP2 Density", [same, other, same])):
        whole = isinstance(values, int) or isinstance(values[0], int)
        words = [f"{x:12d}" if whole else f"{x:24.16E}" for x in (values if isinstance(values, list) else [values])]
        text += f"{name:<40}   {'I' if whole else 'R'}" + \
            (f"   N={len(words):12d}\n" + "\n".join(words) if isinstance(values, list) else "     " + words[0]) + "\n"
    return text


def check_natural(program, folder):
    """--natural-orbitals: the occupations of the density matrix, and their electrons in the density."""
    path = folder / "h2.fchk"
    path.write_text(hydrogen((1.9, 0.1)))
    words = ("orbital", path, "--natural-orbitals", "mp2")
    rows = json.loads(run(program, *words, "--list", "--json").stdout)
    check(len(rows) == 2 and all(abs(row["occupation"] - n) < 1e-12 for row, n in zip(rows, (1.9, 0.1))), rows)
    made = run(program, *words, "--density", "--orbitals", "2", "--spacing", "0.2", "--padding", "4", "-o", folder / "h2.h5")
    check("natural orbitals of 'Total MP2 Density', 2 electrons" in made.stderr + made.stdout, made.stderr + made.stdout)
    again = run(program, "rerun", folder / "h2.h5", "-o", folder / "again.h5")
    check(made.returncode == again.returncode == 0, again.stderr)
    wrong = run(program, "orbital", path, "--natural-orbitals", "CC", "--list")
    check(wrong.returncode == 2 and "it has MP2" in wrong.stderr, wrong.stderr)
    for file in (path, folder / "h2.h5", folder / "again.h5"):
        file.unlink()


def check_refusals(program, folder):
    for words, wanted in ((("--json", "-o", "x.h5"), "--list"), (("--list", "--frames", "3"), "--frames"), ((), "--output")):
        result = run(program, "orbital", WATER, *words, cwd=folder)
        check(result.returncode == 2 and wanted in result.stderr, f"{words}: {result.returncode}, {result.stderr}")
    if os.path.exists("/dev/full"):
        ended = run("sh", "-c", f"'{program}' orbital '{WATER}' --list > /dev/full", cwd=folder)
        check(ended.returncode == 4, f"/dev/full: exit code {ended.returncode}")


def main():
    program = os.path.abspath(sys.argv[1])
    water, oxygen = WATER.read_text(), gzip.decompress(OXYGEN.read_bytes()).decode()
    with tempfile.TemporaryDirectory(prefix="tessera-list-") as name:
        folder = pathlib.Path(name)
        (folder / "two.molden").write_text(water + water.replace("-20.24186305", "-20.25"))
        check_list(program, folder, WATER, water)
        check_list(program, folder, OXYGEN, oxygen)
        check_list(program, folder, pathlib.Path("two.molden"), (folder / "two.molden").read_text())
        check_natural(program, folder)
        check_refusals(program, folder)
        check([path.name for path in folder.iterdir()] == ["two.molden"], "a file was written")
    print("passed")


main()
