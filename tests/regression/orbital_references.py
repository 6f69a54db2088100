#!/usr/bin/env python3
"""PySCF's values through the program, on grids: double precision without screening to 1e-12 of the
grid's largest |psi|, single with the default tolerance to 2e-6. References: tests/orbitals/references,
where orbitals that vanish on their whole grid are measured by their largest value elsewhere, and
../shared/data/orbitals where that is there.
Usage: orbital_references.py PATH/OF/tessera"""

import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import SKIPPED, fail, run  # noqa: E402

try:
    import h5py
    import numpy
except ImportError:
    print("skipped: no h5py or numpy")
    sys.exit(SKIPPED)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PRECISIONS = {"double": (("--tolerance", "0"), 1e-12), "single": ((), 2e-6)}


def wavefunctions(folder):
    """(Molden file, its frame, reference) of all references."""
    for path in sorted(folder.glob("*.npz")):
        frame = re.fullmatch(r"hcn_hnc_(\d+)", path.stem)
        name = "hcn_hnc_20frames.multi" if frame else path.stem
        molden = folder / f"{name.removesuffix('_plane')}.molden.gz"
        yield molden, int(frame[1]) + 1 if frame else 1, path


def words_for(reference):
    numbers = ",".join(str(index + 1) for index in reference["orbital_index_0based"])
    lengths = {option: ",".join(repr(float(x)) for x in reference[key]) + "bohr"
               for option, key in (("origin", "grid_origin_bohr"), ("spacing", "grid_step_bohr"))}
    return ("--orbitals", numbers, f"--origin={lengths['origin']}", "--spacing", lengths["spacing"],
            "--grid", ",".join(str(n) for n in reference["grid_shape"]))


def check_one(program, molden, frame, path, output):
    with numpy.load(path) as reference:
        words, wanted = words_for(reference), reference["psi_grid"].transpose(3, 2, 1, 0)
        largest = (reference["largest"] if path.stem.endswith("_plane")
                   else numpy.abs(wanted).max(axis=(1, 2, 3)))
    for precision, (more, bound) in PRECISIONS.items():
        result = run(program, "orbital", molden, "--frames", str(frame), *words, "--precision", precision, *more,
                     "--device", "openmp", "-o", output, "--force", "--quiet")
        if result.returncode != 0:
            fail(f"{path.name}: {result.stderr}")
        with h5py.File(output) as file:
            values = file["orbitals/values"][0]
        error = (numpy.abs(values - wanted).max(axis=(1, 2, 3)) / largest).max()
        if not error <= bound:
            fail(f"{path.name}, {precision}: {error:.1e} of the largest |psi|, {bound} allowed")


def main():
    shared = pathlib.Path(os.environ.get("TESSERA_SHARED_DIR", ROOT.parent / "shared"))
    own = list(wavefunctions(ROOT / "tests/orbitals/references"))
    if not own:
        fail("no references in tests/orbitals/references")
    references = own + list(wavefunctions(shared / "data/orbitals"))
    with tempfile.TemporaryDirectory() as place:
        for molden, frame, path in references:
            check_one(sys.argv[1], molden, frame, path, pathlib.Path(place) / "psi.h5")
    print(f"{len(references)} wavefunctions: double and single within their bounds")
    return 0


sys.exit(main())
