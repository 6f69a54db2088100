#!/usr/bin/env python3
"""Makes the wavefunctions of the benchmarks with PySCF. The molecules are those of Stone et al. (2010).

    bench/make_wavefunctions.py c60_b thr_b kr_b -o wavefunctions
    bench/make_wavefunctions.py --frames 20 wavefunctions/c60_b.molden -o wavefunctions

Each molecule becomes NAME.molden: restricted Hartree-Fock with as many Cartesian functions as in the paper. C60-B,
with density fitting, takes much longer than the others.

With --frames, a Molden file becomes NAME_frames.molden, a trajectory of so many frames. Every nucleus is displaced by
normally distributed lengths of --amplitude Angstrom along each axis. All frames keep the orbital coefficients of the
file, but only the HOMO and LUMO are written, or with --occupied the occupied orbitals. This is not dynamics, but it
costs an evaluator as much, because the positions and thus all lists change from frame to frame.

Needs pip install pyscf, which brings numpy. --frames needs neither."""

import argparse
import pathlib
import random
import sys

# L-threonine from standard bond lengths and angles (Angstrom, degrees). Its energy does not matter here.
THREONINE = """
N
C 1 1.46
C 2 1.53 1 110
O 3 1.21 2 123 1 20
O 3 1.35 2 113 1 200
H 5 0.97 3 107 2 180
C 2 1.54 1 110 3 120
O 7 1.42 2 109 1 60
H 8 0.96 7 107 2 180
C 7 1.53 2 111 1 180
H 7 1.09 2 108 1 300
H 2 1.09 1 108 3 240
H 1 1.01 2 110 3 60
H 1 1.01 2 110 3 180
H 10 1.09 7 110 2 60
H 10 1.09 7 110 2 180
H 10 1.09 7 110 2 300
"""


def c60():
    """The truncated icosahedron with edges of 1.40 A between hexagons and 1.46 A around pentagons."""
    golden = (1 + 5**0.5) / 2
    # A vertex lies about a third of the way from one corner of an icosahedron to the next.
    corners = [tuple(sign * value for sign, value in zip(signs, row)) for row in
               ((0, 1, golden), (1, golden, 0), (golden, 0, 1))
               for signs in ((a, b, c) for a in (1, -1) for b in (1, -1) for c in (1, -1))]
    corners = sorted(set(corner for corner in corners))
    edge = 2 * 1.46 + 1.40
    lines = []
    for a in corners:
        for b in corners:
            if abs(sum((p - q)**2 for p, q in zip(a, b)) - 4) < 1e-9:
                point = [(p + (q - p) * 1.46 / edge) * edge / 2 for p, q in zip(a, b)]
                lines.append("C {:.10f} {:.10f} {:.10f}".format(*point))
    return "\n".join(lines)


# Name: geometry, basis set, functions, density fitting.
MOLECULES = {
    "c60_a": (c60, "sto-3g", 300, True),
    "c60_b": (c60, "6-31g*", 900, True),
    "thr_a": (lambda: THREONINE, "sto-3g", 49, False),
    "thr_b": (lambda: THREONINE, "6-31+g*", 170, False),
    "kr_a": (lambda: "Kr 0 0 0", "sto-3g", 19, False),
    "kr_b": (lambda: "Kr 0 0 0", "cc-pvqz", 84, False),
}


def fail(problem, why, what_to_do):
    sys.exit(f"error: {problem} ({why}): {what_to_do}")


def make_molecule(name, folder):
    try:
        import pyscf
        from pyscf.tools import molden
    except ImportError as missing:
        fail(f"the Python module {missing.name} is missing", f"looked for it with {sys.executable}",
             "pip install pyscf")
    geometry, basis, functions, fitted = MOLECULES[name]
    molecule = pyscf.M(atom=geometry(), basis=basis, cart=True, verbose=3)
    if molecule.nao != functions:
        fail(f"{name} has {molecule.nao} functions", f"the paper has {functions}", "use another PySCF")
    field = pyscf.scf.RHF(molecule)
    if fitted:
        field = field.density_fit()
    field.kernel()
    if not field.converged:
        fail(f"{name} did not converge", "the SCF stopped", "raise max_cycle")
    path = folder / f"{name}.molden"
    molden.from_scf(field, str(path))
    print(f"written: {path}")


def split_molden(text):
    """The lines up to the head of [Atoms], the atoms, the lines up to the head of [MO], and the orbitals' blocks."""
    lines = text.splitlines(keepends=True)
    heads = [i for i, line in enumerate(lines) if line.lstrip().startswith("[")]
    atoms = next(i for i in heads if lines[i].lower().lstrip().startswith("[atoms]"))
    orbitals = next(i for i in heads if lines[i].lower().lstrip().startswith("[mo]"))
    after = next(i for i in heads if i > atoms)
    blocks, label = [], ("sym=", "ene=", "spin=", "occup=")
    for line in lines[orbitals + 1:]:
        is_label = line.lower().lstrip().startswith(label)
        if is_label and (not blocks or not blocks[-1][-1].lower().lstrip().startswith(label)):
            blocks.append([])
        if blocks:
            blocks[-1].append(line)
    return lines[:atoms + 1], lines[atoms + 1:after], lines[after:orbitals + 1], blocks


def occupation(block):
    return float(next(line for line in block if "occup" in line.lower()).split("=")[1])


def make_frames(path, count, amplitude, folder, all_occupied=False):
    head, atoms, middle, blocks = split_molden(path.read_text())
    occupied = [i for i, block in enumerate(blocks) if occupation(block) > 0.5]
    if not occupied:
        fail(f"{path} has no occupied orbital", "all Occup= are 0", "give a file with occupations")
    if "angs" not in head[-1].lower():
        amplitude /= 0.529177210903
    written = occupied if all_occupied else [i for i in (occupied[-1], occupied[-1] + 1) if i < len(blocks)]
    numbers = random.Random(20)
    output = folder / f"{path.stem}_frames.molden"
    with output.open("w") as file:
        for _ in range(count):
            file.writelines(head)
            for line in atoms:
                symbol, number, charge, *place = line.split()
                moved = [float(x) + numbers.gauss(0, amplitude) for x in place]
                file.write("{} {} {} {:.12f} {:.12f} {:.12f}\n".format(symbol, number, charge, *moved))
            file.writelines(middle)
            for i in written:
                file.writelines(blocks[i])
    print(f"written: {output}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", metavar="NAME", help=f"one of {', '.join(MOLECULES)}, or a Molden file")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("."), help="folder")
    parser.add_argument("--frames", type=int, help="make a trajectory of each Molden file")
    parser.add_argument("--amplitude", type=float, default=0.03,
                        help="standard deviation of the displacements, Angstrom")
    parser.add_argument("--occupied", action="store_true", help="with --frames: write all occupied orbitals")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    for name in options.names:
        if options.frames:
            make_frames(pathlib.Path(name), options.frames, options.amplitude, options.output, options.occupied)
        elif name in MOLECULES:
            make_molecule(name, options.output)
        else:
            fail(f"no molecule '{name}'", "unknown", f"choose from {', '.join(MOLECULES)}")


if __name__ == "__main__":
    main()
