#!/usr/bin/env python3
"""Fits two simulated wedges together, with one background: the same bits on 1, 2 and 3 ranks and after a kill, the
likelihood and its curvature as `tessera likelihood` has them, errors smaller than those of the wedges alone, and what
is refused. Then the same with a stream that both wedges share.
Usage: fit_joint.py PATH/OF/tessera"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from tessera_runs import answer, check, patience, run  # noqa: E402

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+\n$")
WEDGE = """wedge = %d
convolve = 16
model = "2018"
background = { epsilon = 0.99, q = %g, alpha = %g }
[[stream]]
epsilon = -0.8
mu = %g
r = 27.0
theta = 1.9
phi = 0.55
sigma = 3.0
[[area]]
r = { min = 16.0, max = 22.5, steps = 16 }
mu = { min = 0, max = 50, steps = 12 }
nu = { min = -1.25, max = 1.25, steps = 2 }
[fit]
method = "%s"
population = 16
generations = 6
variations = 1
free = ["background.q", "stream1.epsilon", "stream1.r"]
[fit.bounds]
"stream1.epsilon" = [-4, 2]
"""
NAMES = ["background.q", "wedge1.stream1.epsilon", "wedge1.stream1.r", "wedge2.stream1.epsilon", "wedge2.stream1.r"]
STARS = ("one.txt", "two.txt")
GROUPS = ("fit", "likelihood")


class Fits:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        for seed, (name, wedge, mu) in enumerate((("one", 82, 32.0), ("two", 79, 20.0))):
            self.write(name, wedge, mu)
            self.ran("simulate", f"{name}.toml", "--number", "700", "--seed", str(seed), "-o", f"{name}.txt")

    def write(self, name, wedge, mu, q=0.6, alpha=1.0, method="differential-evolution"):
        (self.folder / f"{name}.toml").write_text(WEDGE % (wedge, q, alpha, mu, method))

    def run(self, *words, ranks=0):
        return run(self.program, *words, ranks=ranks, cwd=self.folder)

    def ran(self, *words, ranks=0):
        result = self.run(*words, ranks=ranks)
        check(result.returncode == 0, f"{words}: {result.stdout}{result.stderr}")
        return result.stdout

    def words(self, output, first="one.toml", second="two.toml"):
        return ("fit", first, second, "--stars", *STARS, "--quiet", "-o", output)

    def refused(self, pattern, *words):
        result = self.run(*words, "-o", "refused.h5")
        check(result.returncode == 2 and LINE.match(result.stderr) and re.search(pattern, result.stderr),
              f"{words}: exit code {result.returncode}, {result.stderr}")
        check(not list(self.folder.glob("refused.h5*")), f"{words}: a file is left")


def expect_same(wanted, path, what):
    found = answer(path, GROUPS)
    differ = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))
    check(not differ, f"{what}: {differ} differ")


def check_ranks(fits):
    counts = [1, 2, 3] if tessera_runs.has_ranks(fits.program) else [1]
    for ranks in counts:
        fits.ran(*fits.words(f"joint{ranks}.h5"), ranks=ranks if len(counts) > 1 else 0)
    wanted = answer(fits.folder / "joint1.h5", GROUPS)
    for ranks in counts[1:]:
        expect_same(wanted, fits.folder / f"joint{ranks}.h5", f"1 and {ranks} ranks")
    killed = subprocess.Popen([fits.program, *fits.words("killed.h5")], cwd=fits.folder,
                              env=dict(os.environ, OMP_NUM_THREADS="1"))
    journal = fits.folder / "killed.h5.partial" / "evaluations"
    while killed.poll() is None and not (journal.exists() and journal.stat().st_size > 3000):
        time.sleep(0.002)
    killed.kill()
    killed.wait(timeout=patience(60))
    if not (fits.folder / "killed.h5").exists():
        fits.ran(*fits.words("killed.h5"), ranks=2 if len(counts) > 1 else 0)
    expect_same(wanted, fits.folder / "killed.h5", "after a kill")


def check_file(fits):
    """One name for what the wedges share, and the likelihood of all stars."""
    with h5py.File(fits.folder / "joint1.h5") as file:
        fit, likelihood = file["fit"], file["likelihood"]
        check(list(fit["names"].asstr()) == NAMES, f"names {list(fit['names'].asstr())}")
        check(fit.attrs["converged"] == 1 and fit.attrs["wedges"] == 2 and fit.attrs["number_of_stars"] == 1400,
              dict(fit.attrs))
        fixed = list(fit["fixed/names"].asstr())
        check(fixed.count("background.epsilon") == 1 and "wedge2.stream1.mu" in fixed, f"fixed {fixed}")
        check(fit.attrs["likelihood"] == likelihood.attrs["search_likelihood"], "another mean")
        check(fit.attrs["log10_likelihood"] == fit.attrs["likelihood"] * 1400, "another sum")
        densities = [likelihood[f"{w}/stars"]["log10_density"] for w in (1, 2)]
        check(abs(numpy.concatenate(densities).sum() - fit.attrs["log10_likelihood"]) < 1e-8, "the sum over the stars")
        off = (fit["best"][:] - [0.6, -0.8, 27, -0.8, 27]) / fit["standard_errors"][:]
        check((abs(off) < 3).all(), f"{off} standard errors from the truth")
    told = fits.ran("info", "joint1.h5")
    check(re.search(r"wedge2.stream1.epsilon +-0", told) and "all 1400 stars of 2 wedges" in told, told)
    table = fits.ran("table", "joint1.h5")
    check(table.count("background.q") == 1 and "wedge2.stream1.r,kpc" in table, table)


def total(path):
    """The logarithm of the likelihood of all stars."""
    with h5py.File(path) as file:
        return file["likelihood"].attrs["log10_density_sum"] * numpy.log(10)


def check_export(fits):
    """A parameter file for each wedge, with the same likelihood; it has the slope and curvature that the fit says."""
    printed = fits.ran("export", "joint1.h5", "--toml", "best.toml")
    command = shlex.split(re.search("the same likelihood: tessera (.*)\n", printed)[1])
    check(command[:5] == ["likelihood", "best-1.toml", "best-2.toml", "--stars", "one.txt"], command)
    fits.ran(*command)
    differ = [key for key, value in answer(fits.folder / "likelihood.h5", ("likelihood",)).items()
              if value != answer(fits.folder / "joint1.h5", ("likelihood",))[key] and not key.endswith("@parameters")]
    check(not differ, f"likelihood and fit differ in {differ}")
    with h5py.File(fits.folder / "joint1.h5") as file:
        information = numpy.linalg.inv(file["fit/covariance"][:])[0, 0]
    step = 0.3 / numpy.sqrt(information)
    command[command.index("--tolerance") + 1] = "1e-12"
    texts = [(fits.folder / f"best-{w}.toml").read_text() for w in (1, 2)]
    sums = []
    for shift in (-step, 0, step):
        for w, text in enumerate(texts):
            moved = re.sub(r"\bq = ([0-9.e-]+)", lambda q: f"q = {float(q[1]) + shift:.17g}", text, count=1)
            (fits.folder / f"best-{w + 1}.toml").write_text(moved)
        fits.ran(*command, "--force")
        sums.append(total(fits.folder / "likelihood.h5"))
    slope, curvature = (sums[2] - sums[0]) / (2 * step), (2 * sums[1] - sums[0] - sums[2]) / step ** 2
    check(abs(slope) < 0.02 * numpy.sqrt(information), f"slope {slope} at the maximum, curvature {information}")
    check(abs(curvature / information - 1) < 0.03, f"curvature {curvature}, the covariance says {information}")


def check_errors(fits):
    """The information about the background is the sum of that of the wedges."""
    errors = []
    for name in ("one", "two"):
        fits.ran("fit", f"{name}.toml", "--stars", f"{name}.txt", "--quiet", "-o", f"{name}.h5")
        with h5py.File(fits.folder / f"{name}.h5") as file:
            errors.append(file["fit/standard_errors"][0])
    with h5py.File(fits.folder / "joint1.h5") as file:
        joint = file["fit/standard_errors"][0]
    expected = 1 / numpy.sqrt((1 / numpy.square(errors)).sum())
    check(abs(joint / expected - 1) < 0.15, f"error {joint} of both wedges, {errors} of each")
    print(f"the error of q is {joint:.3g}; of the wedges alone it is {errors[0]:.3g} and {errors[1]:.3g}")


def check_choices(fits):
    """Names with and without a wedge, profiles, and simulated sets."""
    fits.ran(*fits.words("chosen.h5"), "--method", "quasi-newton", "--start", "file", "--fix", "stream1.r",
             "--fix", "wedge2.stream1.epsilon", "--profile", "background.q", "--bootstrap", "3")
    with h5py.File(fits.folder / "chosen.h5") as file:
        check(list(file["fit/names"].asstr()) == NAMES[:2], "what is fitted")
        check(file["fit/bootstrap/parameters"].shape == (3, 2), "sets")
        lower, upper = file["fit/profile/lower"][0, 0], file["fit/profile/upper"][0, 0]
        check(abs((upper - lower) / (2 * file["fit/standard_errors"][0]) - 1) < 0.2, f"profile {lower} to {upper}")


SHARED = """
[fit.shared]
sgr = { stream = 1, parameters = ["r", "epsilon"] }
"""


def check_shared(fits):
    """The table [fit.shared] and --share: one parameter in the file, in tables and in exported files, with the same bits
    on two ranks. Its error is that of both wedges, as for the background."""
    for name in ("one", "two"):
        (fits.folder / f"{name}-shared.toml").write_text((fits.folder / f"{name}.toml").read_text() + SHARED)
    pair = ("one-shared.toml", "two-shared.toml")
    several = tessera_runs.has_ranks(fits.program)
    for ranks in (1, 2) if several else (1,):
        fits.ran(*fits.words(f"shared{ranks}.h5", *pair), ranks=ranks if several else 0)
    if several:
        expect_same(answer(fits.folder / "shared1.h5", GROUPS), fits.folder / "shared2.h5", "shared, 1 and 2 ranks")
    with h5py.File(fits.folder / "shared1.h5") as file:
        fit = file["fit"]
        check(list(fit["names"].asstr()) == ["background.q", "sgr.epsilon", "sgr.r"], list(fit["names"].asstr()))
        shared = fit["shared"]
        check(list(shared["parameter"]) == [1, 1, 2, 2] and list(shared["wedge"]) == [1, 2, 1, 2], "places")
        check(list(shared["names"].asstr()) == ["stream1.epsilon"] * 2 + ["stream1.r"] * 2, "names in the wedges")
        off = (fit["best"][:] - [0.6, -0.8, 27]) / fit["standard_errors"][:]
        check((abs(off) < 3).all(), f"{off} standard errors from the truth")
        error = fit["standard_errors"][2]
    errors = []
    for name in ("one", "two"):
        with h5py.File(fits.folder / f"{name}.h5") as file:
            errors.append(file["fit/standard_errors"][2])
    expected = 1 / numpy.sqrt((1 / numpy.square(errors)).sum())
    check(abs(error / expected - 1) < 0.25, f"error {error} of a shared r, {errors} of each")
    print(f"the error of a shared r is {error:.3g}; of the wedges alone it is {errors[0]:.3g} and {errors[1]:.3g}")
    table = fits.ran("table", "shared1.h5").splitlines()
    check(table[0].endswith(",shared_by") and table[3].endswith(",wedge1.stream1.r wedge2.stream1.r"), table)
    told = fits.ran("info", "shared1.h5")
    check(re.search(r"sgr.epsilon .*-4 to 2.*, of wedges 1 and 2\n", told), told)
    fits.ran("export", "shared1.h5", "--toml", "again.toml")
    check(SHARED.replace('"r", "epsilon"', '"epsilon", "r"').strip() in (fits.folder / "again-2.toml").read_text(),
          (fits.folder / "again-2.toml").read_text())
    fits.ran(*fits.words("again.h5", "again-1.toml", "again-2.toml"), "--method", "quasi-newton", "--variations", "0")
    with h5py.File(fits.folder / "shared1.h5") as one, h5py.File(fits.folder / "again.h5") as other:
        check(abs(one["fit"].attrs["likelihood"] - other["fit"].attrs["likelihood"]) < 1e-8, "another maximum")
    fits.ran(*fits.words("optional.h5"), "--share", "stream1.r", "--method", "quasi-newton", "--start", "file",
             "--variations", "0", "--population", "4")
    with h5py.File(fits.folder / "optional.h5") as file:
        check("stream1.r" in list(file["fit/names"].asstr()), list(file["fit/names"].asstr()))
    plan = fits.ran("plan", "fit", *pair, "--stars", *STARS, "-o", "planned.h5")
    check("3 free parameters" in plan, plan)
    with_refused = ("fit", "one-shared.toml", "two.toml", "--stars", *STARS)
    fits.refused("no other wedge of the fit shares it", *with_refused)
    fits.refused("cannot share stream1.s, .*not a parameter of a stream", *with_refused, "--share", "stream1.s")
    fits.refused("fewer than two wedges of the fit have this stream", "fit", "one.toml", "--stars", "one.txt", "--share",
                 "stream1.r")


def check_refusals(fits):
    pair = ("fit", "one.toml", "two.toml", "--stars", *STARS)
    fits.refused("wedge3.stream1.r .*did you mean 'wedge1.stream1.r'", *pair, "--fix", "wedge3.stream1.r")
    fits.refused("2 parameter files and 1 star file", *pair[:3], "--stars", "one.txt")
    fits.write("bad", 79, 20.0, alpha=1.2)
    bad = ("fit", "one.toml", "bad.toml", "--stars", *STARS)
    fits.refused("background.alpha is 1 and 1.2, and it is not fitted", *bad)
    classic = (fits.folder / "two.toml").read_text().replace('"2018"', '"classic"')
    (fits.folder / "bad.toml").write_text(classic.replace("q = 0.6", "q = 0.6, r0 = 12"))
    fits.refused("their models differ: 2018 and classic", *bad)
    bounded = (fits.folder / "two.toml").read_text() + '"background.q" = [0.2, 1]\n'
    (fits.folder / "bad.toml").write_text(bounded)
    fits.refused("the bounds of background.q are 0.1 to 2 and 0.2 to 1", *bad)


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        fits = Fits(program, pathlib.Path(name))
        check_ranks(fits)
        check_file(fits)
        check_export(fits)
        check_errors(fits)
        check_choices(fits)
        check_shared(fits)
        check_refusals(fits)
    print("two wedges with one background: the same bits, and the likelihood of all their stars")


if __name__ == "__main__":
    main()
