#!/usr/bin/env python3
"""Fits simulated stripes together, and compares the parameters with those that the stars were drawn from.

    bench/joint_stripes.py build/cuda/tessera --stripes 14 --stars 20000 --folder joint
    bench/joint_stripes.py build/cuda/tessera --stripes 14 --stars 20000 --folder joint --ranks 4

The stripes are 9, 10, 11, ... of the SDSS. Each has three streams, drawn with --seed, and all have one background. Every
stripe is fitted alone, from random starts. The common fit begins at what these fits found. The script prints the
seconds of both, and for every parameter how many of its errors it lies from the truth: those of the background, and how
many of the others are within 1, 2 and 3. Streams are compared with the nearest true stream of their stripe.

Files that are in the folder already are kept, so --ranks repeats the common fit alone. Needs no packages."""

import argparse
import csv
import io
import os
import pathlib
import random
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TRUTH = {"epsilon": 0.995, "q": 0.6}
FIRST_STRIPE, MU = 9, (150.0, 215.0)
HEAD = """wedge = {wedge}
convolve = 120
model = "2018"
turnoff = "newby2011"
background = {{ profile = "hernquist", epsilon = {epsilon}, q = {q} }}
"""
AREA = """
[[area]]
r = {{ min = 16.0, max = 22.5, steps = 350 }}
mu = {{ min = {low}, max = {high}, steps = 400 }}
nu = {{ min = -1.25, max = 1.25, steps = 160 }}
"""


def call(options, *words, ranks=1):
    launcher = [ROOT / "scripts/mpiexec", "-n", ranks] if ranks > 1 else []
    done = subprocess.run([str(word) for word in (*launcher, options.program, *words)], cwd=options.folder,
                          env=os.environ, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"error: tessera {words[0]} failed ({done.stderr.strip()}): see above")
    return done.stdout


def draw_streams(generator):
    """Three streams that cross the stripe apart from each other."""
    low, high = MU
    third = (high - low) / 3
    return [{"epsilon": generator.uniform(-1.8, -0.6), "mu": low + (k + generator.uniform(0.25, 0.75)) * third,
             "r": generator.uniform(14, 35), "theta": generator.uniform(0.6, 2.5), "phi": generator.uniform(0.2, 2.9),
             "sigma": generator.uniform(1, 3)} for k in range(3)]


def simulate(options):
    """Writes the true files K.toml and the stars K.txt. Returns the true streams of each stripe."""
    generator = random.Random(options.seed)
    truths = []
    for k in range(options.stripes):
        streams = draw_streams(generator)
        text = HEAD.format(wedge=FIRST_STRIPE + k, **TRUTH)
        for stream in streams:
            text += "\n[[stream]]\n" + "".join(f"{key} = {value:.6f}\n" for key, value in stream.items())
        (options.folder / f"{k}.toml").write_text(text + AREA.format(low=MU[0], high=MU[1]))
        truths.append(streams)
        if not (options.folder / f"{k}.txt").exists():
            call(options, "simulate", f"{k}.toml", "--number", options.stars, "--seed", options.seed + k, "-o",
                 f"{k}.txt")
    return truths


def fit_alone(options):
    for k in range(options.stripes):
        if not (options.folder / f"{k}.h5").exists():
            call(options, "fit", f"{k}.toml", "--stars", f"{k}.txt", "--device", options.device, "--method",
                 "quasi-newton", "--starts", options.starts, "--population", 300, "--variations", 0, "-o", f"{k}.h5",
                 ranks=options.ranks)
        call(options, "export", f"{k}.h5", "--toml", f"best{k}.toml", "--force")


def fit_together(options):
    """The rows of the table of the common fit."""
    each = range(options.stripes)
    call(options, "fit", *(f"best{k}.toml" for k in each), "--stars", *(f"{k}.txt" for k in each), "--device",
         options.device, "--start", "file", "--method", "quasi-newton", "--starts", 1, "--population", 4,
         "--variations", 0, "--force", "-o", "all.h5", ranks=options.ranks)
    return list(csv.DictReader(io.StringIO(call(options, "table", "all.h5", "--csv"))))


def pulls_of(rows, truths):
    """({name: errors from the truth} of the background, the same of the streams)."""
    background, streams = {}, {}
    found = {}
    for row in rows:
        name, value, error = row["name"], float(row["best"]), float(row["standard_error"] or "nan")
        match = re.fullmatch(r"(?:wedge(\d+)\.)?stream(\d+)\.(\w+)", name)
        if match:
            found.setdefault((int(match[1] or 1) - 1, int(match[2])), {})[match[3]] = (value, error)
        else:
            key = name.split(".")[-1]
            background[name] = (value - TRUTH[key]) / error
    for (k, s), stream in found.items():
        true = min(truths[k], key=lambda one: abs(one["mu"] - stream["mu"][0]) + abs(one["r"] - stream["r"][0]))
        for key in ("epsilon", "mu", "r", "sigma"):
            streams[f"wedge{k + 1}.stream{s}.{key}"] = (stream[key][0] - true[key]) / stream[key][1]
    return background, streams


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--stripes", type=int, default=14)
    parser.add_argument("--stars", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--device", default="auto")
    options = parser.parse_args()
    options.program, options.folder = options.program.resolve(), options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    truths = simulate(options)
    began = time.monotonic()
    fit_alone(options)
    alone = time.monotonic()
    background, streams = pulls_of(fit_together(options), truths)
    print(f"alone {alone - began:.1f} s, together {time.monotonic() - alone:.1f} s, {options.ranks} ranks")
    for name, pull in background.items():
        print(f"{name:30} {pull:6.2f} errors from the truth")
    for limit in (1, 2, 3):
        inside = sum(abs(pull) <= limit for pull in streams.values())
        print(f"{inside} of {len(streams)} numbers of streams are within {limit}")
    print("others:", {name: round(pull, 1) for name, pull in streams.items() if not abs(pull) <= 3})


if __name__ == "__main__":
    main()
