#!/usr/bin/env python3
"""Draws of tessera sample, by both samplers, have the means, standard deviations and quantiles of the posterior that
NumPy computes on a grid by the published formulas, with a normal and a log-uniform prior.
Usage: sample_formulas.py PATH/OF/tessera"""

import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import likelihood_files  # noqa: E402
from stream_formulas import Formulas  # noqa: E402
from tessera_runs import check, run  # noqa: E402

import h5py  # noqa: E402
import numpy  # noqa: E402

MODEL = {"wedge": 82, "convolve": 16, "model": "2018", "turnoff": "gaussian",
         "background": {"profile": "hernquist", "epsilon": 0.99, "q": 0.6},
         "streams": [{"epsilon": -0.8, "mu": 32.0, "r": 27.0, "theta": 1.9, "phi": 0.55, "sigma": 1.2}],
         "areas": [{"r": (16.0, 22.5, 16), "mu": (0.0, 50.0, 12), "nu": (-1.25, 1.25, 2)}]}
PRIORS = """[fit]
free = ["stream1.r", "stream1.sigma"]
[prior]
"stream1.r" = { distribution = "normal", mean = 26, sd = 1 }
"stream1.sigma" = { distribution = "log-uniform", lower = 0.5, upper = 1.5 }
"""
STEPS = 40
SAMPLERS = {"nuts": ("--draws", "3000"), "ensemble": ("--method", "ensemble", "--draws", "3000")}
QUANTILES = {"q5": 0.05, "median": 0.5, "q95": 0.95}


def middles(low, high):
    return low + (high - low) * (numpy.arange(STEPS) + 0.5) / STEPS


def posterior_of(stars, r, log_sigma):
    """Probabilities of the cells of a grid [r, sigma]. A log-uniform prior is uniform over the logarithm."""
    stream, logs = MODEL["streams"][0], numpy.empty((STEPS, STEPS))
    for i, stream["r"] in enumerate(r):
        for j, stream["sigma"] in enumerate(numpy.exp(log_sigma)):
            logs[i, j] = Formulas(MODEL).log_likelihood(stars) - (stream["r"] - 26)**2 / 2
    probabilities = numpy.exp(logs - logs.max())
    check(probabilities[[0, -1]].max() < 1e-4, "the grid cuts the posterior off")  # sigma: all that the prior allows
    return probabilities / probabilities.sum()


def moments(values, probabilities):
    mean = (values * probabilities).sum()
    return mean, numpy.sqrt((values**2 * probabilities).sum() - mean**2)


def compare(path, name, method, values, probabilities):
    """To within five standard errors."""
    with h5py.File(path) as file:
        k = list(file["sample/names"].asstr()).index(name)
        found = {key: file[f"sample/{key}"][k] for key in ("mean", "sd", "r_hat", "ess_bulk", "ess_tail", *QUANTILES)}
        draws = file[f"posterior/{name}"][:].ravel()
    mean, sd = moments(values, probabilities)
    check(found["r_hat"] < 1.05 and found["ess_bulk"] > 400, f"{method}, {name}: not converged: {found}")
    error = 5 / numpy.sqrt(min(found["ess_bulk"], found["ess_tail"]))
    check(abs(found["mean"] - mean) < error * sd, f"{method}, {name}: mean {found['mean']} instead of {mean}")
    check(abs(found["sd"] / sd - 1) < error, f"{method}, {name}: sd {found['sd']} instead of {sd}")
    edges = (values[1:] + values[:-1]) / 2
    for key, share in QUANTILES.items():
        below = numpy.interp(found[key], edges, probabilities.cumsum()[:-1])
        check(abs(below - share) < error * numpy.sqrt(share * (1 - share)), f"{method}, {name}: {key} at {below}")
        check(abs((draws <= found[key]).mean() - share) < 1e-3, f"{method}, {name}: {key} is not that of the draws")
    print(f"{method}, {name}: {found['mean']:.4f} +- {found['sd']:.4f}, by the formulas {mean:.4f} +- {sd:.4f}")


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "wedge.toml").write_text(likelihood_files.toml(MODEL) + PRIORS)

        def tessera(*words):
            result = run(program, *words, cwd=folder)
            check(result.returncode == 0, f"exit code {result.returncode}\n{result.stdout}{result.stderr}")

        tessera("simulate", "wedge.toml", "--number", "400", "--seed", "4", "-o", "stars.txt")
        for method, options in SAMPLERS.items():
            tessera("sample", "wedge.toml", "--stars", "stars.txt", "--quadrature", "gauss", "--tolerance", "1e-7",
                    "-o", f"{method}.h5", *options)
        stars = numpy.loadtxt(folder / "stars.txt", skiprows=1)
        r, log_sigma = middles(26.5, 29.5), middles(numpy.log(0.5), numpy.log(1.5))
        grid = posterior_of(stars, r, log_sigma)
        for method in SAMPLERS:
            compare(folder / f"{method}.h5", "stream1.r", method, r, grid.sum(axis=1))
            compare(folder / f"{method}.h5", "stream1.sigma", method, numpy.exp(log_sigma), grid.sum(axis=0))


if __name__ == "__main__":
    sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve())))
