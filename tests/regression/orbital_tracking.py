#!/usr/bin/env python3
"""--track along the reaction HCN -> HNC of ../shared/data/orbitals, judged by the grids themselves: the sum
over points of the products of an orbital in consecutive frames is the analytic overlap that the file tells,
positive, and no other orbital's is larger. Without --track it is neither.
Usage: orbital_tracking.py PATH/OF/tessera"""

import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import SKIPPED, check, fail, run  # noqa: E402

try:
    import h5py
    import numpy
except ImportError:
    print("skipped: no h5py or numpy")
    sys.exit(SKIPPED)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
QUADRATURE = 0.05  # of overlaps on this grid: those with 2s functions are the worst


def overlaps_on_grid(file):
    """[frame - 1, orbital before, orbital now]"""
    values = file["orbitals/values"][()].astype(float)
    cell = numpy.prod(file["orbitals/spacing"][()])
    flat = values.reshape(*values.shape[:2], -1)
    return numpy.einsum("fip,fjp->fij", flat[:-1], flat[1:]) * cell


def evaluate(program, molden, output, *more):
    result = run(program, "orbital", molden, "--orbitals", "4:9", "--spacing", "0.2", "--padding", "5", "--device", "openmp",
                 "-o", output, "--quiet", *more)
    if result.returncode != 0:
        fail(result.stderr)
    with h5py.File(output) as file:
        told = file["orbitals/overlaps"][()] if "overlaps" in file["orbitals"] else None
        return overlaps_on_grid(file), told, file["orbitals/signs"][()] if told is not None else None


def main():
    shared = pathlib.Path(os.environ.get("TESSERA_SHARED_DIR", ROOT.parent / "shared"))
    molden = shared / "data/orbitals/hcn_hnc_20frames.multi.molden.gz"
    if not molden.exists():
        print(f"skipped: no {molden.name}")
        return SKIPPED
    with tempfile.TemporaryDirectory() as place:
        plain, _, _ = evaluate(sys.argv[1], molden, pathlib.Path(place) / "plain.h5")
        tracked, told, signs = evaluate(sys.argv[1], molden, pathlib.Path(place) / "tracked.h5", "--track")
    same = numpy.diagonal(tracked, axis1=1, axis2=2)
    worst = numpy.abs(same - told[1:]).max()
    check(worst < QUADRATURE, f"overlaps on the grid and analytic ones differ by {worst:.3f}")
    check(same.min() > 0.5, f"an orbital keeps only {same.min():.2f} of itself")
    others = numpy.abs(tracked - same[:, :, None] * numpy.eye(same.shape[1]))
    check((others.max(axis=2) < same).all(), "another orbital is nearer to one before than its own")
    plain_same = numpy.diagonal(plain, axis1=1, axis2=2)
    check(plain_same.min() < -0.5, "no sign turns in the file: this test shows nothing")
    check((signs < 0).any(), "no sign was turned")
    print(f"{len(told)} frames: overlaps {same.min():.3f} at least, {worst:.1e} from those told; "
          f"{(plain_same < 0).sum()} turned signs and {(abs(plain_same) < 0.5).sum()} changed places without --track")
    return 0


sys.exit(main())
