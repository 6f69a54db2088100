#!/usr/bin/env python3
"""Coverage of the intervals of `tessera fit`: how often the intervals of 68.27 and 95.45 % of simulated sets contain the
true parameters, from the profile likelihood and from the Hessian (best +- 1 and 2 standard errors). It prints every share
with its binomial error. The share over all parameters of a set is one number, so the error of the mean over parameters
comes from the scatter between sets. The test asks for 68.27 +- 5 % and 95.45 +- 3 % of the profiles, widened by twice the
binomial error if there are few sets. One hundred sets take minutes: runs with TESSERA_TEST_RECOVERY=1 only.
Usage: fit_coverage.py PATH/OF/tessera [SETS [STARS]]"""

import math
import os
import pathlib
import sys
import tempfile

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import SKIPPED, check, run  # noqa: E402

SETS, STARS = 100, 600
TRUTH = {"stream1.epsilon": -0.8, "stream1.r": 27.0, "stream1.sigma": 4.0}
# Enough steps and nodes to integrate well, because simulated stars come from the density itself.
WEDGE = """wedge = 82
convolve = 30
model = "2018"
background = { profile = "hernquist", epsilon = 0.99, q = 0.6 }
[[stream]]
epsilon = -0.8
mu = 28.0
r = 27.0
theta = 1.9
phi = 0.55
sigma = 4.0
[[area]]
r = { min = 16.0, max = 22.5, steps = 40 }
mu = { min = 0, max = 50, steps = 30 }
nu = { min = -1.25, max = 1.25, steps = 2 }
[fit]
start = "file"
method = "quasi-newton"
population = 20
variations = 0
free = ["stream1.epsilon", "stream1.r", "stream1.sigma"]
"""
LEVELS = (0.6827, 0.9545)


def tessera(folder, *words):
    result = run(*words, cwd=folder)
    check(result.returncode == 0, f"{words[1]}: exit code {result.returncode}\n{result.stderr}")


def covered(path):
    """[kind, level, parameter] whether the interval contains the truth, and the parameters' trust. Without a standard
    error it does not."""
    with h5py.File(path) as file:
        fit = file["fit"]
        names = list(fit["names"].asstr())
        truth = numpy.array([TRUTH[name] for name in names])
        best, errors = fit["best"][:], fit["standard_errors"][:]
        inside = numpy.zeros((2, 2, len(names)), bool)
        for level in range(2):
            inside[0, level] = (fit["profile/lower"][:, level] <= truth) & (truth <= fit["profile/upper"][:, level])
            inside[1, level] = abs(best - truth) <= (level + 1) * errors
        check(fit.attrs["converged"] == 1, f"{path} has not converged")
        return names, inside, fit["errors_trusted"][:]


def one_set(program, folder, number, stars):
    """covered() of a simulated set."""
    tessera(folder, program, "simulate", "wedge.toml", "--number", stars, "--seed", 1000 + number, "-o", "stars.txt",
            "--force", "--quiet")
    tessera(folder, program, "fit", "wedge.toml", "--stars", "stars.txt", "-o", "fit.h5", "--force", "--quiet",
            "--tolerance", "1e-7", "--profile", "all")
    return covered(folder / "fit.h5")


def print_shares(names, inside):
    """`inside` [set, kind, level, parameter]"""
    sets = len(inside)
    print(f"{'':20} " + "   ".join(f"{kind} {100 * level:.2f} %" for kind in ("profile", "Hessian") for level in LEVELS))
    for i, name in enumerate(names):
        shares = inside[:, :, :, i].mean(axis=0).ravel()
        print(f"  {name:18} " + "   ".join(f"{100 * share:7.1f} +- {100 * math.sqrt(level * (1 - level) / sets):3.1f} %"
                                          for share, level in zip(shares, LEVELS * 2)))
    every = inside.mean(axis=3)  # of each set
    mean, error = every.mean(axis=0).ravel(), every.std(axis=0, ddof=1).ravel() / math.sqrt(sets)
    print(f"  {'all parameters':18} " + "   ".join(f"{100 * m:7.1f} +- {100 * e:3.1f} %" for m, e in zip(mean, error)))
    return mean, error


def main():
    if os.environ.get("TESSERA_TEST_RECOVERY") != "1":
        print("skipped: takes minutes; set TESSERA_TEST_RECOVERY=1")
        return SKIPPED
    program, words = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2:]
    sets, stars = int(words[0]) if words else SETS, int(words[1]) if len(words) > 1 else STARS
    found, trusted, names = [], [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "wedge.toml").write_text(WEDGE)
        for number in range(sets):
            names, inside, flags = one_set(program, folder, number, stars)
            found.append(inside)
            trusted.append(flags)
    print(f"{sets} sets of {stars} stars; errors trusted: {100 * numpy.mean(trusted):.0f} %")
    mean, error = print_shares(names, numpy.array(found))
    for level, limit in ((0, 0.05), (1, 0.03)):
        check(abs(mean[level] - LEVELS[level]) < limit + (2 * error[level] if sets < SETS else 0),
              f"the profiles cover {100 * mean[level]:.1f} % instead of {100 * LEVELS[level]:.2f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
