#!/usr/bin/env python3
"""Samples the posterior of stream parameters with emcee. All walkers of a step are evaluated in one call.

    tessera simulate examples/wedge.toml --number 4000 --seed 2 -o stars.txt
    examples/python/sample_with_emcee.py examples/wedge.toml stars.txt --steps 500

It prints the median and the standard deviation of each parameter. It needs the packages tessera-hpc and emcee."""

import argparse
import sys

import emcee
import numpy

import tessera

# Flat priors, in the units of parameter files
PRIORS = {"background.q": (0.3, 1.0), "stream1.r": (20.0, 35.0), "stream1.sigma": (0.5, 6.0)}


def main(options):
    likelihood = tessera.Likelihood(options.parameters, options.stars, free=list(PRIORS), tolerance=1e-7)
    low, high = numpy.array(list(PRIORS.values())).T

    def log_posterior(theta):
        """Of each row of theta [walkers, parameters]."""
        inside = ((theta > low) & (theta < high)).all(axis=1)
        values = numpy.full(len(theta), -numpy.inf)
        values[inside] = likelihood.log_likelihood(theta[inside])
        return values

    random = numpy.random.default_rng(options.seed)
    start = likelihood.start + 1e-3 * (high - low) * random.standard_normal((options.walkers, len(low)))
    sampler = emcee.EnsembleSampler(options.walkers, len(low), log_posterior, vectorize=True)
    numpy.random.seed(options.seed)  # emcee draws from numpy's global generator
    sampler.run_mcmc(start, options.steps)
    samples = sampler.get_chain(discard=options.steps // 3, flat=True)
    print(f"{'parameter':15s} {'median':>9s} {'deviation':>9s}")
    for name, values in zip(likelihood.names, samples.T):
        print(f"{name:15s} {numpy.median(values):9.4f} {values.std():9.4f}")
    print(f"accepted {sampler.acceptance_fraction.mean():.2f} of the proposals")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parameters", help="parameter file of the wedge")
    parser.add_argument("stars", help="star file")
    parser.add_argument("--walkers", type=int, default=16)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    try:
        main(parser.parse_args())
    except tessera.Error as error:
        sys.exit(f"error: {error}")
