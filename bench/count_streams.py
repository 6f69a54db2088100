#!/usr/bin/env python3
"""Counts how often `tessera fit --streams` finds the number of streams that simulated stars were drawn with.

    bench/count_streams.py build/host/tessera --simulations 50 --workers 32 --folder counts
    bench/count_streams.py build/cuda/tessera --device auto --workers 4 --criterion held-out --folder counts

Each simulation is one stripe of the SDSS. The seed draws its number of streams (one of --true in turn) and their
parameters: each stream crosses a section of its own, with -1.8 < epsilon < -0.6, 14 < r < 35 kpc, 1 < sigma < 3 kpc and
any direction. A stream is drawn anew until it is detectable: if it is left out of the true model, and all else is
fitted again, this must cost --detectable times as much log likelihood as BIC asks for its six parameters, 3 ln N. It is
not enough to leave it out, because other streams may take its stars. The stars of this rule are not those that are
counted, so that it does not choose lucky ones. The fit begins at random points; its file does not know the truth.

A line for each simulation, as it ends: the true number and those that BIC and held-out stars (--criterion held-out)
choose, and the differences from the best in BIC. "lost" is how much log likelihood the fit with the true number of
streams lies below a climb from the truth: more than 1 says that the search is at fault, and not the criterion. "gain"
is the log likelihood that the weakest true stream is worth, in units of 3 ln N. At the end, or after an interrupt, or
when --seconds are over, the share of right numbers with its 95 % interval (Wilson 1927).

Results that are in the folder already are kept, so that the same command goes on. Needs no packages."""

import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time

STRIPES = range(9, 24)
MU, FAINTEST = (150.0, 215.0), 22.5
BACKGROUND = {"epsilon": 0.995, "q": 0.6}
MODEL = """wedge = {wedge}
convolve = {convolve}
model = "2018"
turnoff = "newby2011"
background = {{ profile = "hernquist", epsilon = {epsilon}, q = {q} }}
"""
AREA = """
[[area]]
r = {{ min = 16.0, max = {faintest}, steps = 350 }}
mu = {{ min = {low}, max = {high}, steps = 400 }}
nu = {{ min = -1.25, max = 1.25, steps = 160 }}
"""
ANYWHERE = {"epsilon": -2.0, "mu": 180.0, "r": 24.0, "theta": 1.5, "phi": 0.0, "sigma": 3.0}


class Failed(RuntimeError):
    pass


class Stripe:
    """One simulation: its files, and the commands about them."""

    def __init__(self, options, number):
        self.options, self.number = options, number
        self.folder = options.folder / f"{number:03}"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.generator = random.Random(f"{options.seed}/{number}")
        self.wedge = STRIPES[number % len(STRIPES)]
        self.true = options.true[number % len(options.true)]

    def call(self, *words):
        environment = os.environ | {"OMP_NUM_THREADS": str(self.options.threads), "OMP_PROC_BIND": "false"}
        done = subprocess.run([str(word) for word in (self.options.program, *words)], cwd=self.folder, env=environment,
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failed(f"tessera {words[0]}: {done.stderr.strip().splitlines()[-1:]}")
        return done.stdout

    def write(self, name, streams, background=None):
        text = MODEL.format(wedge=self.wedge, convolve=self.options.convolve, **(background or BACKGROUND))
        for stream in streams:
            text += "\n[[stream]]\n" + "".join(f"{key} = {value:.6f}\n" for key, value in stream.items())
        (self.folder / name).write_text(text + AREA.format(low=MU[0], high=MU[1], faintest=FAINTEST))

    def simulate(self, model, name, seed):
        self.call("simulate", model, "--number", self.options.stars, "--seed", seed, "--force", "-o", name)

    def answer(self, name):
        return json.loads(self.call("info", "--json", name))

    def log_likelihood(self, model, stars):
        self.call("likelihood", model, "--stars", stars, "--device", "serial", "--force", "-o", "one.h5")
        return self.answer("one.h5")["likelihood"]["search_likelihood"] * self.options.stars * math.log(10)

    def climbed(self, model, stars):
        """The log likelihood where a climb from the model ends."""
        self.call("fit", model, "--stars", stars, "--device", self.options.device, "--start", "file", "--method",
                  "quasi-newton", "--starts", 1, "--population", 4, "--variations", 0, "--force", "-o", "climbed.h5")
        return self.answer("climbed.h5")["fit"]["likelihood"] * self.options.stars * math.log(10)

    def worth(self, streams, log_likelihood):
        """What each stream is worth on other stars, in units of 3 ln N."""
        found = []
        whole = log_likelihood("true.toml", "other.txt")
        for left_out in range(self.true):
            self.write("less.toml", streams[:left_out] + streams[left_out + 1:])
            found.append((whole - log_likelihood("less.toml", "other.txt")) / (3 * math.log(self.options.stars)))
        return found

    def draw_stream(self, section):
        low, width = MU[0] + section * (MU[1] - MU[0]) / self.true, (MU[1] - MU[0]) / self.true
        uniform = self.generator.uniform
        direction = [self.generator.gauss(0, 1) for _ in range(3)]
        length = math.sqrt(sum(one * one for one in direction))
        return {"epsilon": uniform(-1.8, -0.6), "mu": low + uniform(0.25, 0.75) * width, "r": uniform(14, 35),
                "theta": math.acos(direction[2] / length), "phi": math.atan2(direction[1], direction[0]),
                "sigma": uniform(1, 3)}

    def draw_truth(self):
        """Streams that are detectable, and what the weakest is worth in units of 3 ln N."""
        streams = [self.draw_stream(section) for section in range(self.true)]
        for attempt in range(100):
            if not streams:
                return streams, math.inf
            self.write("true.toml", streams)
            self.simulate("true.toml", "other.txt", 1_000_000 + attempt)
            worth = self.worth(streams, self.log_likelihood)  # at least what a fit finds; costs little
            if min(worth) >= self.options.detectable:
                worth = self.worth(streams, self.climbed)
            if min(worth) >= self.options.detectable:
                return streams, min(worth)
            weakest = worth.index(min(worth))
            streams[weakest] = self.draw_stream(weakest)
        raise Failed("no detectable streams in 100 attempts")

    def fit(self):
        options = self.options
        search = ["--method", options.method, "--starts", options.starts, "--variations", options.variations]
        if options.population:
            search += ["--population", options.population]
        if options.criterion == "held-out":
            search += ["--criterion", "held-out", "--folds", options.folds]
        self.call("fit", "any.toml", "--stars", "stars.txt", "--device", options.device, "--streams",
                  f"{options.range[0]}:{options.range[1]}", *search, "--force", "-o", "fit.h5")
        rows = self.answer("fit.h5")["fit"]["stream_numbers"]
        climbed = self.climbed("true.toml", "stars.txt")
        same = [row["likelihood"] for row in rows if row["streams"] == self.true]
        lost = climbed - same[0] * options.stars * math.log(10) if same else math.nan
        return rows, lost

    def run(self):
        kept = self.folder / "count.json"
        if kept.exists():
            return json.loads(kept.read_text())
        began = time.monotonic()
        streams, worth = self.draw_truth()
        self.write("true.toml", streams)
        self.write("any.toml", [ANYWHERE] * self.options.range[1], {"epsilon": 0.98, "q": 0.8})
        self.simulate("true.toml", "stars.txt", self.number + 1)
        rows, lost = self.fit()
        lowest = min(row["bic"] for row in rows)
        found = {"number": self.number, "wedge": self.wedge, "true": self.true, "worth": worth, "lost": lost,
                 "bic": min(rows, key=lambda row: row["bic"])["streams"],
                 "above": {row["streams"]: row["bic"] - lowest for row in rows}, "seconds": time.monotonic() - began}
        if self.options.criterion == "held-out":
            found["held-out"] = max(rows, key=lambda row: row["held_out"])["streams"]
        kept.write_text(json.dumps(found))
        return found


def line_of(found):
    above = " ".join(f"{streams}:{value:.1f}" for streams, value in found["above"].items())
    held = f"  held-out {found['held-out']}" if "held-out" in found else ""
    return (f"{found['number']:4} stripe {found['wedge']:2}  true {found['true']}  BIC {found['bic']}{held}  "
            f"{'right' if found['bic'] == found['true'] else 'WRONG'}  lost {found['lost']:7.2f}  gain "
            f"{found['worth']:6.1f}  {found['seconds']:5.0f} s  BIC above the lowest {above}")


def interval(right, all_of_them, z=1.96):
    """The interval of Wilson (1927) for a share."""
    share, spread = right / all_of_them, z * z / all_of_them
    half = z * math.sqrt(share * (1 - share) / all_of_them + spread / all_of_them / 4)
    return (share + spread / 2 - half) / (1 + spread), (share + spread / 2 + half) / (1 + spread)


def summarise(done, failures):
    for criterion in ("bic", "held-out"):
        chosen = [one for one in done if criterion in one]
        if not chosen:
            continue
        right = sum(one[criterion] == one["true"] for one in chosen)
        low, high = interval(right, len(chosen))
        few = sum(one[criterion] < one["true"] for one in chosen)
        print(f"{criterion}: {right} of {len(chosen)} right, {100 * right / len(chosen):.0f} % (95 % interval "
              f"{100 * low:.0f} to {100 * high:.0f} %), {few} too few, {len(chosen) - right - few} too many")
    stuck = sum(one["lost"] > 1 for one in done)
    print(f"{stuck} of {len(done)} searches lost more than 1 in log likelihood with the true number; {failures} failed",
          flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--simulations", type=int, default=50)
    parser.add_argument("--first", type=int, default=0, help="number of the first simulation")
    parser.add_argument("--stars", type=int, default=10000)
    parser.add_argument("--convolve", type=int, default=60, help="points of the line of sight")
    parser.add_argument("--true", default="0:3", help="number of streams, or a range of which all are taken in turn")
    parser.add_argument("--range", default="0:5", help="of --streams")
    parser.add_argument("--detectable", type=float, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--criterion", choices=("bic", "held-out"), default="bic")
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--method", default="quasi-newton")
    parser.add_argument("--starts", type=int, default=6)
    parser.add_argument("--population", type=int, default=0)
    parser.add_argument("--variations", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="of each program")
    parser.add_argument("--device", default="serial")
    parser.add_argument("--seconds", type=float, default=0, help="stops after them; 0: never")
    options = parser.parse_args()
    options.program, options.folder = options.program.resolve(), options.folder.resolve()
    ends = [int(one) for one in options.true.split(":")]
    options.true = list(range(ends[0], ends[-1] + 1))
    options.range = [int(one) for one in options.range.split(":")]
    return options


def main():
    options = parse()
    done, failures, telling = [], [], threading.Lock()

    def one(number):
        try:
            found = Stripe(options, number).run()
        except (Failed, OSError, KeyError) as error:
            with telling:
                failures.append(number)
                print(f"{number:4} failed: {error}", flush=True)
            return
        with telling:
            done.append(found)
            print(line_of(found), flush=True)

    def stop(*_):
        """The programs are in the process group of this script."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        with telling:
            summarise(done, len(failures))
        sys.stdout.flush()
        os.killpg(0, signal.SIGTERM)
        os._exit(1)

    os.setpgrp()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM):
        signal.signal(number, stop)
    if options.seconds > 0:
        signal.setitimer(signal.ITIMER_REAL, options.seconds)
    pool = concurrent.futures.ThreadPoolExecutor(options.workers)
    for future in [pool.submit(one, options.first + k) for k in range(options.simulations)]:
        future.result()
    summarise(done, len(failures))


if __name__ == "__main__":
    main()
