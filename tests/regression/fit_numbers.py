#!/usr/bin/env python3
"""tessera fit --streams finds how many streams the stars of a wedge were drawn with: of one wedge, of two wedges
together, and of a wedge without streams. The same bits on 1 and 2 ranks; a row of the table is the fit of a file with so many streams; refusals.
Usage: fit_numbers.py PATH/OF/tessera"""

import math
import os
import pathlib
import re
import sys
import tempfile

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from tessera_runs import answer, check, run  # noqa: E402

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+\n$")
WEDGE = """wedge = %d
convolve = 30
model = "2018"
background = { epsilon = 0.99, q = 0.6 }
%s[[area]]
r = { min = 16.0, max = 22.5, steps = 40 }
mu = { min = 0, max = 50, steps = 30 }
nu = { min = -1.25, max = 1.25, steps = 2 }
[fit]
population = 24
generations = 6
variations = 1
free = [%s]
"""
STREAM = "[[stream]]\nepsilon = %g\nmu = %g\nr = %g\ntheta = 1.1\nphi = 2.15\nsigma = 3.0\n"
TRUE = [(-0.8, 12, 26), (-0.8, 40, 18), (-2, 25, 35)]
GROUPS = ("fit", "likelihood")


class Wedges:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        for wedge, streams in ((82, 2), (79, 1)):
            self.write(f"true{wedge}.toml", wedge, streams)
            self.ran("simulate", f"true{wedge}.toml", "--number", "1000", "--seed", "3", "-o", f"{wedge}.txt")
            self.write(f"{wedge}.toml", wedge, 3)

    def write(self, name, wedge, streams):
        free = ["background.q"] + [f"stream{s}.{field}" for s in range(1, streams + 1) for field in ("epsilon", "mu", "r")]
        names = ", ".join(f'"{one}"' for one in free)
        (self.folder / name).write_text(WEDGE % (wedge, "".join(STREAM % one for one in TRUE[:streams]), names))

    def ran(self, *words, ranks=0):
        result = run(self.program, *words, ranks=ranks, cwd=self.folder)
        check(result.returncode == 0, f"{words}: {result.stdout}{result.stderr}")
        return result.stdout

    def refused(self, pattern, *words):
        result = run(self.program, *words, "-o", "refused.h5", cwd=self.folder)
        check(result.returncode == 2 and LINE.match(result.stderr) and re.search(pattern, result.stderr),
              f"{words}: exit code {result.returncode}, {result.stderr}")


def check_one(wedges):
    """Two streams of three: the table of the file, and one of its rows against a fit of such a file."""
    several = tessera_runs.has_ranks(wedges.program)
    for ranks in (1, 2) if several else (1,):
        wedges.ran("fit", "82.toml", "--stars", "82.txt", "--streams", "1:3", "--quiet", "-o", f"one{ranks}.h5",
                   ranks=ranks if several else 0)
    if several:
        one, two = (answer(wedges.folder / f"one{ranks}.h5", GROUPS) for ranks in (1, 2))
        differ = sorted(key for key in one.keys() | two.keys() if one.get(key) != two.get(key))
        check(not differ, f"1 and 2 ranks: {differ} differ")
    with h5py.File(wedges.folder / "one1.h5") as file:
        fit = file["fit"]
        rows = {name: fit["stream_numbers"][name][:] for name in fit["stream_numbers"]}
        check(list(rows["streams"]) == [1, 2, 3] and list(rows["parameters"]) == [4, 7, 10], f"rows {rows}")
        check(list(rows["chosen"]) == [0, 1, 0], f"not two streams: {rows}")
        expected = rows["parameters"] * math.log(1000) - 2 * 1000 * math.log(10) * rows["likelihood"]
        check(numpy.allclose(rows["bic"], expected, rtol=1e-13), f"{rows['bic']} and {expected}")
        check((numpy.diff(rows["likelihood"]) > -1e-9).all(), "a further stream explains less")
        check(len(fit["names"]) == 7 and fit.attrs["converged"] == 1, list(fit["names"].asstr()))
        check(abs(fit.attrs["likelihood"] - rows["likelihood"][1]) < 1e-8, "the result is another fit")
        check(len(file["likelihood/stream_integrals"]) == 2, "the model has other streams")
        off = (fit["best"][:] - [0.6, *TRUE[0], *TRUE[1]]) / fit["standard_errors"][:]
        swapped = (fit["best"][:] - [0.6, *TRUE[1], *TRUE[0]]) / fit["standard_errors"][:]
        check((abs(off) < 4).all() or (abs(swapped) < 4).all(), f"{off} standard errors from the truth")
    wedges.ran("fit", "true82.toml", "--stars", "82.txt", "--quiet", "-o", "plain.h5")
    with h5py.File(wedges.folder / "plain.h5") as file:
        check(abs(file["fit"].attrs["likelihood"] - rows["likelihood"][1]) < 1e-7, "a fit of two streams is another one")
    told = wedges.ran("info", "one1.h5")
    check(re.search(r"1 +2 +7 +-2\.\d+ +\d+\.\d\d chosen\n", told), told)
    wedges.ran("export", "one1.h5", "--toml", "best.toml")
    check((wedges.folder / "best.toml").read_text().count("[[stream]]") == 2, "exported streams")


def check_two(wedges):
    """Wedges with two streams and with one."""
    wedges.ran("fit", "82.toml", "79.toml", "--stars", "82.txt", "79.txt", "--streams", "1:2", "--quiet", "-o", "two.h5")
    with h5py.File(wedges.folder / "two.h5") as file:
        fit = file["fit"]
        rows = fit["stream_numbers"]
        chosen = rows["chosen"][:] == 1
        check(list(zip(rows["wedge"][chosen], rows["streams"][chosen])) == [(1, 2), (2, 1)], list(rows["bic"]))
        check(len(fit["names"]) == 1 + 6 + 3 and fit.attrs["converged"] == 1, list(fit["names"].asstr()))
        apart = rows["likelihood"][chosen].mean()  # both have as many stars
        check(apart - 0.002 < fit.attrs["likelihood"] < apart + 1e-9, "one background explains more than two")


def check_none(wedges):
    """Stars of the background alone have no stream; one of its rows is the fit of a file without streams."""
    wedges.write("true0.toml", 82, 0)
    wedges.ran("simulate", "true0.toml", "--number", "1000", "--seed", "4", "-o", "0.txt")
    wedges.ran("fit", "82.toml", "--stars", "0.txt", "--streams", "0:1", "--quiet", "-o", "none.h5")
    wedges.ran("fit", "true0.toml", "--stars", "0.txt", "--quiet", "-o", "background.h5")
    with h5py.File(wedges.folder / "none.h5") as file, h5py.File(wedges.folder / "background.h5") as other:
        fit = file["fit"]
        rows = {name: fit["stream_numbers"][name][:] for name in ("streams", "parameters", "chosen", "likelihood")}
        check(list(rows["streams"]) == [0, 1] and list(rows["parameters"]) == [1, 4], f"rows {rows}")
        check(list(rows["chosen"]) == [1, 0] and len(fit["names"]) == 1, f"there are streams: {rows}")
        check(abs(other["fit"].attrs["likelihood"] - rows["likelihood"][0]) < 1e-9, "a fit without streams is another one")
        check(len(file["likelihood/stream_integrals"]) == 0, "the model has streams")


def check_held_out(wedges):
    """The choice of stars that a fit has not seen; what --folds changes, and that ranks change nothing."""
    words = ("fit", "82.toml", "--stars", "82.txt", "--streams", "1:2", "--criterion", "held-out", "--folds", "2", "--quiet")
    several = tessera_runs.has_ranks(wedges.program)
    for ranks in (1, 2) if several else (1,):
        wedges.ran(*words, "-o", f"held{ranks}.h5", ranks=ranks if several else 0)
    if several:
        check(answer(wedges.folder / "held1.h5", GROUPS) == answer(wedges.folder / "held2.h5", GROUPS), "bits on 2 ranks")
    with h5py.File(wedges.folder / "held1.h5") as file, h5py.File(wedges.folder / "one1.h5") as other:
        rows, by_bic = ({name: fit["stream_numbers"][name][:] for name in fit["stream_numbers"]}
                        for fit in (file["fit"], other["fit"]))
        check(list(rows["chosen"]) == [0, 1] and len(file["fit/names"]) == 7, f"not two streams: {rows}")
        # Fits of all stars are as without folds, and stars that a fit has not seen are less likely.
        check((rows["likelihood"] == by_bic["likelihood"][:2]).all() and "held_out" not in by_bic, f"{rows}, {by_bic}")
        check((rows["held_out"] < rows["likelihood"]).all() and rows["held_out"][1] > rows["held_out"][0], f"{rows}")
        check((rows["likelihood"] - rows["held_out"] < 0.02).all(), f"held-out stars are far off: {rows}")
    check(re.search(r"held_out_likelihood\n(?:.*\n)?.* chosen\n", wedges.ran("info", "held1.h5")), "info")


def check_refusals(wedges):
    wedges.refused("--criterion needs --streams", "fit", "82.toml", "--stars", "82.txt", "--criterion", "held-out")
    wedges.refused("--folds needs --criterion held-out", "fit", "82.toml", "--stars", "82.txt", "--streams", "1:2", "--folds",
                   "3")
    fit = ("fit", "82.toml", "--stars", "82.txt")
    for bad in ("3", "2:1", "0:0", "1:99", "1:x"):
        wedges.refused("two different numbers from 0 to 20", *fit, "--streams", bad)
    wedges.refused("the file has 3", *fit, "--streams", "1:4")
    wedges.refused("--streams with --bootstrap", *fit, "--streams", "1:3", "--bootstrap", "5")
    wedges.refused("choose the number of streams that wedges share", "fit", "82.toml", "79.toml", "--stars", "82.txt",
                   "79.txt", "--streams", "1:2", "--share", "stream1.r")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        wedges = Wedges(program, pathlib.Path(name))
        check_one(wedges)
        check_two(wedges)
        check_none(wedges)
        check_held_out(wedges)
        check_refusals(wedges)
    print("the numbers of streams are those of the simulated stars")


if __name__ == "__main__":
    main()
