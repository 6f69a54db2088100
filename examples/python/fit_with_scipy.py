#!/usr/bin/env python3
"""Fits the parameters of a stream with scipy.optimize and the gradient of the likelihood.

    tessera simulate examples/wedge.toml --number 4000 --seed 2 -o stars.txt
    examples/python/fit_with_scipy.py examples/wedge.toml stars.txt

The fit starts beside the parameters of the file and prints what it finds. It needs the packages tessera-hpc and scipy."""

import sys

import numpy
from scipy import optimize

import tessera

# theta and the box in which it is searched, in the units of parameter files
BOUNDS = {"background.q": (0.3, 1.0), "stream1.epsilon": (-3.0, 1.0), "stream1.r": (20.0, 35.0),
          "stream1.sigma": (0.5, 6.0)}


def main(parameters, stars):
    likelihood = tessera.Likelihood(parameters, stars, free=list(BOUNDS), tolerance=1e-7)
    low, high = numpy.array(list(BOUNDS.values())).T

    def cost(unit):
        """The negative likelihood and its slope, for parameters in units of their ranges."""
        value, gradient = likelihood.value_and_gradient(low + unit * (high - low))
        return -value, -gradient * (high - low)

    start = numpy.clip((likelihood.start - low) / (high - low) + 0.1, 0, 1)
    found = optimize.minimize(cost, start, jac=True, method="L-BFGS-B", bounds=[(0, 1)] * len(low))
    print(f"{'parameter':15s} {'file':>9s} {'start':>9s} {'best':>9s}")
    for name, *values in zip(likelihood.names, likelihood.start, low + start * (high - low),
                             low + found.x * (high - low)):
        print(f"{name:15s}", *(f"{value:9.4f}" for value in values))
    print(f"likelihood {-cost(start)[0]:.6f} at the start, {-found.fun:.6f} at the best ({found.nfev} evaluations)")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except tessera.Error as error:
        sys.exit(f"error: {error}")
