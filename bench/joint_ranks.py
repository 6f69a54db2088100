#!/usr/bin/env python3
"""Measures how well `tessera fit` spreads a fit of several wedges over ranks.

    bench/joint_ranks.py build/host/tessera --ranks 1,2,4 --stars 10000

Simulated stars of stripes like examples/wedge.toml are fitted together, with one background and one thread a rank. The
ranks take turns: each repeat fits with all numbers of ranks, one after the other, so that a change of the load of the
machine meets all of them. A row for each number of ranks, with the medians over the repeats:

- seconds of the fit (its phase in the file) and the sum of those that the ranks were busy,
- the speed relative to one rank, and this divided by the number of ranks.

All fits must have the same bits. Needs h5py. Use as many idle cores as ranks."""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import h5py

ROOT = pathlib.Path(__file__).resolve().parent.parent
STRIPES = ((82, 32), (79, 27), (85, 22), (10, 17))  # and mu of the first stream


def fail(what):
    sys.exit(f"error: {what}: see above")


def call(command, folder, **settings):
    done = subprocess.run([str(word) for word in command], cwd=folder, env=os.environ | settings, capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        fail(f"{command[0]} failed ({done.stderr.strip()})")


def simulate(options):
    """The names of the parameter files and of the star files."""
    text = (ROOT / "examples/wedge.toml").read_text()
    files, stars = [], []
    for k in range(options.wedges):
        stripe, mu = STRIPES[k % len(STRIPES)]
        files.append(f"{k}.toml")
        stars.append(f"{k}.txt")
        changed = re.sub(r"(?m)^mu = 32\.0", f"mu = {mu}", re.sub(r"(?m)^wedge = 82", f"wedge = {stripe}", text))
        (options.folder / files[-1]).write_text(changed)
        call([options.program, "simulate", files[-1], "--number", options.stars, "--seed", k + 1, "-o", stars[-1]],
             options.folder)
    return files, stars


def fit(options, files, stars, ranks):
    """Seconds of the fit, busy seconds of all ranks, and the best parameters."""
    launcher = [ROOT / "scripts/mpiexec", "-n", ranks] if ranks > 1 else []
    call([*launcher, options.program, "fit", *files, "--stars", *stars, "--device", "openmp", "--method", options.method,
          "--start", "file", "--starts", 1, "--population", options.population, "--generations", options.generations,
          "--variations", 0, "--tolerance", options.tolerance, "--force", "--quiet", "-o", "fit.h5"], options.folder,
         OMP_NUM_THREADS="1", OMP_WAIT_POLICY="passive")
    with h5py.File(options.folder / "fit.h5") as file:
        phases = {row["name"].decode() if isinstance(row["name"], bytes) else row["name"]: row["seconds"]
                  for row in file["run/phases"][:]}
        return phases["fit"], file["run/ranks"]["busy_seconds"].sum(), file["fit/best"][:].tobytes()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--ranks", default="1,2")
    parser.add_argument("--wedges", type=int, default=4)
    parser.add_argument("--stars", type=int, default=10000)
    parser.add_argument("--method", default="quasi-newton")
    parser.add_argument("--population", type=int, default=4)
    parser.add_argument("--generations", type=int, default=4)
    parser.add_argument("--tolerance", default="1e-9")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    options.program = options.program.resolve()
    counts = [int(count) for count in options.ranks.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        options.folder = pathlib.Path(folder)
        files, stars = simulate(options)
        runs = {count: [] for count in counts}
        bits = set()
        for _ in range(options.repeats):
            for count in counts:
                seconds, busy, best = fit(options, files, stars, count)
                runs[count].append((seconds, busy))
                bits.add(best)
    if len(bits) != 1:
        fail("the fits differ in their bits")
    print(f"{'ranks':>6} {'seconds':>9} {'busy':>9} {'speed':>7} {'efficiency':>11}")
    for count in counts:
        speed = statistics.median(one[0] / own[0] for one, own in zip(runs[counts[0]], runs[count])) * counts[0]
        seconds, busy = (statistics.median(row[column] for row in runs[count]) for column in (0, 1))
        print(f"{count:6} {seconds:9.2f} {busy:9.2f} {speed:7.2f} {speed / count:11.2f}")


if __name__ == "__main__":
    main()
