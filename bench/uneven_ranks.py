#!/usr/bin/env python3
"""Measures how much of the speed of uneven ranks `tessera fit --asynchronous` uses in its search.

    bench/uneven_ranks.py build/host/tests/tessera_faulty --stars 2000 --generations 6

Two ranks with one thread fit simulated stars of examples/wedge.toml, and the last one takes --slow times as long for
its points. (tessera_faulty is the program of the tests, which can slow a rank down.) A row for each repeat, of the
search with --asynchronous:

- points that each rank evaluated, and the seconds of the search,
- the sum over ranks of these points divided by the seconds that the rank was busy with them,
- points a second as a share of this sum. Everything in a row is of the same run.

Needs h5py."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py

ROOT = pathlib.Path(__file__).resolve().parent.parent


def fit(program, options):
    command = [ROOT / "scripts/mpiexec", "-n", options.ranks, program, "fit", ROOT / "examples/wedge.toml", "--stars",
               "stars.txt", "--device", "openmp", "--asynchronous", "--method", options.method, "--starts", "1",
               "--population", options.population, "--generations", options.generations, "--search-tolerance", "0",
               "--variations", "0", "--force", "--quiet", "-o", "fit.h5"]
    environment = dict(os.environ, OMP_NUM_THREADS="1", OMP_WAIT_POLICY="passive",
                       TESSERA_TEST_FAULTS=f"{options.ranks - 1}/slow/{options.slow}")
    done = subprocess.run([str(word) for word in command], cwd=options.folder, env=environment, capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"error: the fit failed ({done.stderr.strip()}): see above")
    with h5py.File(options.folder / "fit.h5") as file:
        group = file["fit/asynchronous_search"]
        return group["points"][:], group["busy_seconds"][:], group.attrs["seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--stars", type=int, default=2000)
    parser.add_argument("--generations", type=int, default=6)
    parser.add_argument("--population", type=int, default=112)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--slow", type=float, default=4)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--method", default="differential-evolution")
    options = parser.parse_args()
    program = options.program.resolve()
    with tempfile.TemporaryDirectory() as folder:
        options.folder = pathlib.Path(folder)
        subprocess.run([program, "simulate", ROOT / "examples/wedge.toml", "--number", str(options.stars), "-o",
                        "stars.txt"], cwd=folder, check=True, capture_output=True)
        print(f"{'points':>16} {'seconds':>9} {'summed rates':>14} {'share':>8}")
        for _ in range(options.repeats):
            points, busy, seconds = fit(program, options)
            summed = (points / busy).sum()
            print(f"{' + '.join(map(str, points)):>16} {seconds:9.2f} {summed:14.1f} "
                  f"{points.sum() / seconds / summed:8.3f}", flush=True)


if __name__ == "__main__":
    main()
