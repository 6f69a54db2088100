#!/usr/bin/env python3
"""Writes made-up proteins to try docking without real ones: balls of residues that are cut in two along a bumpy surface.
The halves of a ball are partners; they fit and attract each other at the cut.

    python3 examples/made_up_complexes.py COUNT FOLDER

writes COUNT balls, lower1.pdb and upper1.pdb, lower2.pdb and upper2.pdb and so on, and the lists lower.csv and upper.csv
for `tessera screen`. The upper halves are moved, so that their files do not say where they bind."""

import math
import pathlib
import sys

ATOMS = (("N", (-1.2, 0.8, 0.0)), ("CA", (0.0, 0.0, 0.0)), ("C", (1.2, 0.8, 0.2)), ("O", (1.3, 1.9, 0.8)),
         ("CB", (0.1, -1.0, -1.1)))
END = {"LEU": "CD1", "LYS": "NZ", "ASP": "OD1"}  # the last atom of a side chain
STEP = 4.3  # Angstrom between residues


def residues(number):
    """C-alphas of a ball with names; those that are above the cut come second."""
    halves = [], []
    radius = 13 + number
    cells = range(-int(radius / STEP) - 1, int(radius / STEP) + 2)
    for i, j, k in ((i, j, k) for i in cells for j in cells for k in cells):
        point = [STEP * cell + 0.6 * math.sin(12.9898 * i + 78.233 * j + 37.719 * k + axis + number)
                 for axis, cell in enumerate((i, j, k))]
        x, y, z = point
        cut = 4 * math.sin((0.2 + 0.1 * number) * x + number) * math.cos((0.4 - 0.1 * number) * y) + 0.15 * x
        if math.dist(point, (0, 0, 0)) > radius or abs(z - cut) < 2.4:
            continue
        greasy = math.sin(0.4 * x + number) * math.cos(0.35 * y) < 0.3
        at_cut = "LEU" if greasy else "ASP" if z < cut else "LYS"
        halves[z > cut].append((at_cut if abs(z - cut) < 6 else "LYS", point))
    return halves


def write(path, chain, half, move):
    serial, lines = 0, []
    for number, (name, center) in enumerate(half, 1):
        for atom, offset in (*ATOMS, (END[name], (0.2, -2.2, -0.6))):
            serial += 1
            x, y, z = move([c + o for c, o in zip(center, offset)])
            lines.append(f"ATOM  {serial:5d}  {atom:<3s} {name} {chain}{number:4d}    {x:8.3f}{y:8.3f}{z:8.3f}"
                         f"  1.00 10.00           {atom[0]}\n")
    path.write_text("".join(lines) + "TER\nEND\n")


def main():
    count, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(exist_ok=True)
    moves = {"lower": lambda point: point, "upper": lambda point: (point[1] + 31, point[2] - 12, point[0] + 55)}
    for place, (side, move) in enumerate(moves.items()):
        for number in range(1, count + 1):
            write(folder / f"{side}{number}.pdb", "AB"[place], residues(number)[place], move)
        names = [f"{side}{number}" for number in range(1, count + 1)]
        (folder / f"{side}.csv").write_text("name,file\n" + "".join(f"{name},{name}.pdb\n" for name in names))


if __name__ == "__main__":
    main()
