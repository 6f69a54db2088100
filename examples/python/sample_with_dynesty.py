#!/usr/bin/env python3
"""Samples the posterior of stream parameters with dynesty, which also finds the evidence of the model.

    tessera simulate examples/wedge.toml --number 4000 --seed 2 -o stars.txt
    examples/python/sample_with_dynesty.py examples/wedge.toml stars.txt

It prints the median and the standard deviation of each parameter, and the logarithm of the evidence. It needs the
packages tessera-hpc and dynesty."""

import argparse
import sys

import dynesty
import numpy

import tessera

# Flat priors, in the units of parameter files
PRIORS = {"background.q": (0.3, 1.0), "stream1.r": (20.0, 35.0), "stream1.sigma": (0.5, 6.0)}


def main(options):
    likelihood = tessera.Likelihood(options.parameters, options.stars, free=list(PRIORS), tolerance=1e-6)
    low, high = numpy.array(list(PRIORS.values())).T
    sampler = dynesty.NestedSampler(likelihood.log_likelihood, lambda unit: low + unit * (high - low), len(low),
                                    nlive=options.live, rstate=numpy.random.default_rng(options.seed))
    sampler.run_nested(dlogz=options.precision, print_progress=False)
    results = sampler.results
    samples = results.samples_equal(rstate=numpy.random.default_rng(options.seed))
    print(f"{'parameter':15s} {'median':>9s} {'deviation':>9s}")
    for name, values in zip(likelihood.names, samples.T):
        print(f"{name:15s} {numpy.median(values):9.4f} {values.std():9.4f}")
    print(f"log evidence {results.logz[-1]:.2f} +- {results.logzerr[-1]:.2f} after {results.ncall.sum()} likelihoods")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parameters", help="parameter file of the wedge")
    parser.add_argument("stars", help="star file")
    parser.add_argument("--live", type=int, default=100, help="number of live points")
    parser.add_argument("--precision", type=float, default=0.1, help="of the logarithm of the evidence, at the end")
    parser.add_argument("--seed", type=int, default=1)
    try:
        main(parser.parse_args())
    except tessera.Error as error:
        sys.exit(f"error: {error}")
