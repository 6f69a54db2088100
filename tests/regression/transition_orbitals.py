#!/usr/bin/env python3
"""--natural-transition-orbitals: the pairs, weights and values of PySCF's get_nto, from tables and from a formatted
checkpoint. Usage: transition_orbitals.py PATH/OF/tessera"""

import json
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import SKIPPED, check, run  # noqa: E402

try:
    import h5py
    import numpy
except ImportError:
    print("skipped: no numpy and h5py")
    sys.exit(SKIPPED)

REFERENCES = pathlib.Path(__file__).resolve().parent.parent / "orbitals/references/transitions"
COUNTED = 1e-8  # pairs with smaller weights are noise


def values_at(program, folder, words, orbitals, points):
    """[orbital, point]: a grid of one point for each."""
    found = []
    for point in points:
        origin = ",".join(repr(float(x)) for x in point)
        made = run(program, "orbital", *words, "--orbitals", ",".join(orbitals), f"--origin={origin}bohr", "--grid", "1,1,1",
                   "--spacing", "1bohr", "--precision", "double", "--tolerance", "0", "-o", folder / "point.h5", "--force",
                   "--quiet", "--device", "openmp")
        check(made.returncode == 0, made.stderr)
        with h5py.File(folder / "point.h5") as file:
            found.append(file["orbitals/values"][0, :, 0, 0, 0])
    return numpy.array(found).T


def check_pairs(program, folder, words, reference, suffix=""):
    """Weights and values of the pairs of one spin. PySCF chooses signs of its own."""
    rows = json.loads(run(program, "orbital", *words, "--list", "--json").stdout)
    spin = "beta" if suffix == "b" else "alpha"
    electrons = [row for row in rows if row["symmetry"] == "electron" and row["spin"] == spin]
    count = int((reference["weights"] > COUNTED).sum())
    check(count >= 2, "the reference has too few pairs")
    weights = [row["occupation"] for row in electrons[:count]]
    check(numpy.allclose(weights, reference["weights"][:count], atol=1e-8), f"weights: {weights}")
    names = [f"{k + 1}{kind}{suffix}" for k in range(count) for kind in ("hole", "electron")]
    points = reference["points"][:2]
    found = values_at(program, folder, words, names, points).reshape(count, 2, -1)
    for k in range(count):
        wanted = numpy.array([reference["holes"][k], reference["electrons"][k]])[:, :len(points)]
        accuracy = 1e-6 / numpy.sqrt(reference["weights"][k])
        check(numpy.allclose(abs(found[k]), abs(wanted), atol=accuracy), f"pair {k + 1}: {found[k]}, not {wanted}")


def check_density(program, folder, words):
    """Where electrons come from and go to: no charge, and no more than one electron moves."""
    result = folder / "change.h5"
    made = run(program, "orbital", *words, "--density", "--spacing", "0.12", "--padding", "5", "-o", result, "--quiet",
               "--device", "openmp")
    check(made.returncode == 0, made.stderr)
    with h5py.File(result) as file:
        density, volume = file["density/values"][0].astype(float), numpy.prod(file["density/spacing"][...])
    check(abs(density.sum() * volume) < 2e-3, f"charge {density.sum() * volume}")
    moved = abs(density).sum() * volume / 2
    check(0.1 < moved <= 1.01, f"{moved} electrons move")
    again = run(program, "rerun", result, "-o", folder / "again.h5", "--quiet")
    check(again.returncode == 0, again.stderr)
    with h5py.File(folder / "again.h5") as file:
        check(numpy.array_equal(file["density/values"][0], density.astype("f4")), "rerun: other values")


def check_transition_density(program, folder, words, points):
    """The pairs add up to the sum over all orbitals i, a of D[i, a] psi_i psi_a, if the squares of D add up to 1."""
    matrix = numpy.loadtxt(REFERENCES / "water.txt")
    occupied, empty = matrix.shape
    everything = [str(1 + k) for k in range(occupied + empty)]
    psi = values_at(program, folder, (REFERENCES / "water.molden",), everything, points)
    wanted = numpy.einsum("ia,ip,ap->p", matrix, psi[:occupied], psi[occupied:]) / numpy.linalg.norm(matrix)
    found = []
    for point in points:
        made = run(program, "orbital", *words, "--combine", "transition_density", "-o", folder / "point.h5", "--force",
                   f"--origin={','.join(repr(float(x)) for x in point)}bohr", "--grid", "1,1,1", "--spacing", "1bohr",
                   "--precision", "double", "--tolerance", "0", "--quiet", "--device", "openmp")
        check(made.returncode == 0, made.stderr)
        with h5py.File(folder / "point.h5") as file:
            found.append(file["combinations/combination/values"][0, 0, 0, 0])
    check(abs(numpy.array(found) - wanted).max() < 1e-10 * abs(wanted).max(), f"transition density: {found}, not {wanted}")


def check_refusals(program, folder):
    option = "--natural-transition-orbitals"
    cases = (((REFERENCES / "water.molden", option, "1"), "give a file with the matrix"),
             ((REFERENCES / "water.fchk.gz", option, "4"), "it has states 1 to 3"),
             ((REFERENCES / "water.molden", option, folder / "none.txt"), "none.txt"),
             ((REFERENCES / "water.molden", option, REFERENCES / "oh.txt"), "line 6 has 7 numbers"),
             ((REFERENCES / "water.molden", REFERENCES / "water.molden", option, REFERENCES / "water.txt"), "2 frames"),
             ((REFERENCES / "water.fchk.gz", option, "1", "--natural-orbitals", "SCF"), "leave one out"),
             ((REFERENCES / "water.fchk.gz", option, "1", "--orbitals", "HOMO"), "there is no HOMO"),
             ((REFERENCES / "water.molden", "--combine", "transition_density"), "has no transition density"))
    for words, part in cases:
        refused = run(program, "orbital", *words, "--density", "-o", folder / "refused.h5")
        check(refused.returncode == 2 and part in refused.stderr, refused.stderr)
        check(refused.stderr.count("\n") == 1 and not (folder / "refused.h5").exists(), refused.stderr)


def main():
    program = os.path.abspath(sys.argv[1])
    water, oh = (dict(numpy.load(REFERENCES / f"{name}.npz")) for name in ("water", "oh"))
    option = "--natural-transition-orbitals"
    with tempfile.TemporaryDirectory(prefix="tessera-transitions-") as name:
        folder = pathlib.Path(name)
        table = (REFERENCES / "water.molden", option, REFERENCES / "water.txt")
        check_pairs(program, folder, table, water)
        check_pairs(program, folder, (REFERENCES / "water.fchk.gz", option, "3"), water)
        for s, suffix in enumerate("ab"):
            of_spin = {key: values if key == "points" else values[s] for key, values in oh.items()}
            check_pairs(program, folder, (REFERENCES / "oh.molden", option, REFERENCES / "oh.txt"), of_spin, suffix)
        check_density(program, folder, table)
        check_transition_density(program, folder, table, water["points"][:3])
        check_refusals(program, folder)
    print("passed")


main()
