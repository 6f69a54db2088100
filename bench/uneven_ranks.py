#!/usr/bin/env python3
"""Measures how much of the speed of uneven ranks a search of `tessera fit` uses.

    bench/uneven_ranks.py build/host/tests/tessera_faulty --stars 10000 --generations 10

Two ranks with one thread fit simulated stars of examples/wedge.toml, and the last one takes --slow times as long for
its points. (tessera_faulty is the program of the tests, which can slow a rank down.) A row for each way to search:

- evaluations of the search and its seconds,
- the sum over ranks of the points each of them evaluated, divided by the seconds that it was busy with them,
- evaluations a second as a share of this sum. Both are of the same run.

The program does not count the points of each rank in a search in generations. Its share is therefore of the sum of the
run before it, and its seconds are those from the end of the first generation to the first step of the climbs.

Needs h5py."""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import h5py

ROOT = pathlib.Path(__file__).resolve().parent.parent
STAGE = re.compile(r"fit: (search|climb), step 1 .* (\d+) evaluations")


def fit(program, options, arguments, output):
    """Runs a fit. Returns the times of the first lines of its search and of its climbs."""
    command = [ROOT / "scripts/mpiexec", "-n", options.ranks, program, "fit", ROOT / "examples/wedge.toml", "--stars",
               "stars.txt", "--device", "openmp", "--variations", "0", "--search-tolerance", "0", "--generations",
               options.generations, "--population", options.population, "--starts", "1", "--method", options.method, "--force", "-o", output, *arguments]
    environment = dict(os.environ, OMP_NUM_THREADS="1", OMP_WAIT_POLICY="passive",
                       TESSERA_TEST_FAULTS=f"{options.ranks - 1}/slow/{options.slow}")
    stages = {}
    with subprocess.Popen([str(word) for word in command], cwd=options.folder, env=environment, text=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        told = []
        for line in process.stderr:
            told.append(line)
            if found := STAGE.match(line):
                stages[found[1]] = time.perf_counter(), int(found[2])
    if process.returncode != 0:
        sys.exit(f"error: the fit failed ({''.join(told).strip()}): see above")
    return stages


def print_row(name, evaluations, seconds, summed):
    print(f"{name:>16} {evaluations:12d} {seconds:9.2f} {summed:14.1f} {evaluations / seconds / summed:8.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--stars", type=int, default=10000)
    parser.add_argument("--generations", type=int, default=10)
    parser.add_argument("--population", type=int, default=112)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--slow", type=float, default=4)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--method", default="differential-evolution")
    options = parser.parse_args()
    program = options.program.resolve()
    with tempfile.TemporaryDirectory() as folder:
        options.folder = folder
        subprocess.run([program, "simulate", ROOT / "examples/wedge.toml", "--number", str(options.stars), "-o",
                        "stars.txt"], cwd=folder, check=True, capture_output=True)
        print(f"{'search':>16} {'evaluations':>12} {'seconds':>9} {'summed rates':>14} {'share':>8}")
        for _ in range(options.repeats):
            fit(program, options, ["--asynchronous"], "fit.h5")
            with h5py.File(pathlib.Path(folder) / "fit.h5") as file:
                group = file["fit/asynchronous_search"]
                points, busy = group["points"][:], group["busy_seconds"][:]
                seconds = group.attrs["seconds"]
            summed = (points / busy).sum()
            print_row("asynchronous", int(points.sum()), seconds, summed)
            stages = fit(program, options, [], "fit.h5")
            population = stages["search"][1]
            print_row("in generations", population * (options.generations - 1),
                      stages["climb"][0] - stages["search"][0], summed)


if __name__ == "__main__":
    main()
