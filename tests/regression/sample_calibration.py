#!/usr/bin/env python3
"""Simulation-based calibration of tessera sample (Talts et al. 2018): parameters are drawn from their priors and stars
from their model. The rank of the true value among draws of the posterior is then uniform, for every parameter. The
limit is p > 0.01 for each by a chi-squared test. Ten simulations take half a minute: runs with TESSERA_TEST_RECOVERY=1
only. Stars come from the density itself, so the wedge has enough steps and nodes to integrate it well.
Usage: sample_calibration.py PATH/OF/tessera [SIMULATIONS [METHOD]]"""

import math
import os
import pathlib
import random
import sys
import tempfile

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import SKIPPED, check, run  # noqa: E402

SIMULATIONS, STARS = 200, 600
BINS = 5
RANKS = 99  # draws that are ranked, far apart: 100 possible ranks
WEDGE = """wedge = 82
convolve = 60
model = "2018"
background = {{ profile = "hernquist", epsilon = 0.99, q = {q} }}
[[stream]]
epsilon = {epsilon}
mu = {mu}
r = {r}
theta = 1.9
phi = 0.55
sigma = {sigma}
[[area]]
r = {{ min = 16.0, max = 22.5, steps = 100 }}
mu = {{ min = 0, max = 50, steps = 100 }}
nu = {{ min = -1.25, max = 1.25, steps = 4 }}
[fit]
free = ["background.q", "stream1.epsilon", "stream1.mu", "stream1.r", "stream1.sigma"]
[prior]
"background.q" = {{ distribution = "truncated-normal", mean = 0.6, sd = 0.2, lower = 0.3, upper = 1.2 }}
"stream1.epsilon" = {{ distribution = "normal", mean = -1, sd = 0.3 }}
"stream1.mu" = {{ distribution = "uniform", lower = 25, upper = 40 }}
"stream1.r" = {{ distribution = "normal", mean = 26, sd = 1.5 }}
"stream1.sigma" = {{ distribution = "log-uniform", lower = 1, upper = 6 }}
"""
SAMPLERS = {"nuts": ("--chains", "2", "--warmup", "300", "--draws", "500"),
            "ensemble": ("--method", "ensemble", "--chains", "20", "--warmup", "500", "--draws", "1000")}


def from_priors(numbers):
    """Values of the parameters, by the names of the file's fields."""
    while True:
        q = numbers.gauss(0.6, 0.2)
        if 0.3 < q < 1.2:
            break
    return {"q": q, "epsilon": numbers.gauss(-1, 0.3), "mu": numbers.uniform(25, 40), "r": numbers.gauss(26, 1.5),
            "sigma": math.exp(numbers.uniform(0, math.log(6)))}


def tessera(folder, *words):
    result = run(*words, cwd=folder)
    check(result.returncode == 0, f"{words[1]}: exit code {result.returncode}\n{result.stderr}")


def ranks_of(path, truth):
    """Of the true values among draws that are evenly spread over all chains."""
    with h5py.File(path) as file:
        found = {}
        for name in file["sample/names"].asstr()[:]:
            draws = file["posterior"][name][:].ravel()
            chosen = draws[numpy.linspace(0, len(draws) - 1, RANKS).astype(int)]
            found[name] = int((chosen < truth[name.split(".")[1]]).sum())
        return found, file["sample/ess_bulk"][:].min()


def chance_of(ranks):
    """That the ranks are at least so uneven by chance: chi-squared with BINS - 1 = 4 degrees of freedom."""
    counts = numpy.bincount(numpy.array(ranks) * BINS // (RANKS + 1), minlength=BINS)
    chi2 = ((counts - len(ranks) / BINS) ** 2).sum() / (len(ranks) / BINS)
    return math.exp(-chi2 / 2) * (1 + chi2 / 2), counts


def calibrate(program, folder, simulations, method):
    numbers, ranks, smallest = random.Random(11), {}, math.inf
    for number in range(simulations):
        truth = from_priors(numbers)
        (folder / "wedge.toml").write_text(WEDGE.format(**truth))
        tessera(folder, program, "simulate", "wedge.toml", "--number", STARS, "--seed", number + 1, "-o", "stars.txt",
                "--force")
        tessera(folder, program, "sample", "wedge.toml", "--stars", "stars.txt", "-o", "sample.h5", "--force",
                "--tolerance", "1e-6", "--seed", number + 1, *SAMPLERS[method])
        found, size = ranks_of(folder / "sample.h5", truth)
        smallest = min(smallest, size)
        for name, rank in found.items():
            ranks.setdefault(name, []).append(rank)
    print(f"{simulations} simulations by {method}; smallest effective sample size {smallest:.0f}")
    chances = {name: chance_of(of_one) for name, of_one in ranks.items()}
    for name, (chance, counts) in chances.items():
        print(f"  {name:20} ranks {counts}, p = {chance:.3f}")
    check(min(chance for chance, _ in chances.values()) > 0.01, "the ranks of a parameter are not uniform")


def main():
    if os.environ.get("TESSERA_TEST_RECOVERY") != "1":
        print("skipped: takes minutes; set TESSERA_TEST_RECOVERY=1")
        return SKIPPED
    words = sys.argv[2:]
    simulations = int(words[0]) if words else SIMULATIONS
    with tempfile.TemporaryDirectory() as name:
        calibrate(str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(name), simulations,
                  words[1] if len(words) > 1 else "nuts")
    return 0


if __name__ == "__main__":
    sys.exit(main())
