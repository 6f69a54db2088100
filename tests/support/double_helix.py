"""A made double helix for tests of nucleic acids: the places of its atoms are only near those of B-DNA."""

import math

# Name, distance from the axis (A), angle (degrees) and height (A) of the first nucleotide. O3' is 1.6 A from the P of the
# next one, 36 degrees and 3.38 A farther.
SITES = (("P", 8.9, 0, 0.0), ("OP1", 10.3, -3, 0.6), ("OP2", 9.0, -1, -1.4), ("O5'", 7.8, 6, 0.8),
         ("C5'", 7.9, 15, 0.3), ("C4'", 7.6, 22, 1.3), ("O4'", 6.3, 20, 1.6), ("C3'", 8.3, 31, 1.2),
         ("O3'", 8.9, 29, 2.2), ("C2'", 7.2, 37, 0.6), ("C1'", 5.9, 30, 1.0), ("N9", 4.6, 34, 0.8),
         ("C8", 4.8, 52, 0.8), ("C4", 3.2, 30, 0.8), ("N7", 4.1, 60, 0.8), ("N3", 3.0, 2, 0.8))
TWIST, RISE = 36.0, 3.38


def pdb_lines(sequence, chain, move=lambda point: point, name="D{}", old_names=False):
    """ATOM records of both strands under one chain name, numbered through. The second strand has the same sequence."""
    lines, serial, pairs = [], 0, len(sequence)
    for strand in (1, -1):
        for i, base in enumerate(sequence):
            number = (0 if strand == 1 else pairs) + i + 1
            for atom, radius, degrees, height in SITES:
                if i == 0 and "P" in atom:
                    continue
                turn = math.radians(degrees + TWIST * i)
                up = height + RISE * (i - pairs / 2)
                x, y, z = move([radius * math.cos(turn), strand * radius * math.sin(turn), strand * up])
                if old_names:
                    atom = {"OP1": "O1P", "OP2": "O2P"}.get(atom, atom).replace("'", "*")
                serial += 1
                lines.append(f"ATOM  {serial:5d}  {atom:<3s} {name.format(base):>3s} {chain}{number:4d}    "
                             f"{x:8.3f}{y:8.3f}{z:8.3f}  1.00 10.00          {atom[0]:>2s}")
    return lines + ["TER"]
