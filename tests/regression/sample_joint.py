#!/usr/bin/env python3
"""tessera sample of two wedges with one background and a stream that they share: the posterior of its distance is the
one that `tessera likelihood` gives on a grid, with the same bytes on 1 and 2 ranks and after a fit of the same wedges.
Usage: sample_joint.py PATH/OF/tessera"""

import json
import os
import pathlib
import re
import sys
import tempfile

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from fit_joint import STARS, Fits, total  # noqa: E402
from tessera_runs import answer, check  # noqa: E402

GROUPS = ("sample", "posterior", "sample_stats")
PRIOR = '[prior]\n"stream1.r" = { distribution = "normal", mean = 26, sd = 1.0 }\n'
CHAINS = ("--chains", "2", "--tolerance", "1e-7", "--quiet")
LONG, SHORT = (*CHAINS, "--warmup", "60", "--draws", "150"), (*CHAINS, "--warmup", "20", "--draws", "10")


def sampled(fits, output, size, ranks=0):
    fits.ran("sample", "prior.toml", "two.toml", "--stars", *STARS, "--free", "stream1.r", "--share", "stream1.r", *size,
             "-o", output, ranks=ranks)


def check_ranks(fits):
    if not tessera_runs.has_ranks(fits.program):
        return
    for ranks in (1, 2):
        sampled(fits, f"short{ranks}.h5", SHORT, ranks)
    one, two = (answer(fits.folder / f"short{ranks}.h5", GROUPS) for ranks in (1, 2))
    differ = sorted(key for key in one.keys() | two.keys() if one.get(key) != two.get(key))
    check(not differ, f"1 and 2 ranks: {differ} differ")


def check_posterior(fits):
    """Mean and standard deviation of the draws against the sum of the likelihoods of both wedges, times the prior."""
    sampled(fits, "posterior.h5", LONG)
    with h5py.File(fits.folder / "posterior.h5") as file:
        summary = file["sample"]
        check(list(summary["names"].asstr()) == ["stream1.r"], list(summary["names"].asstr()))
        check(list(summary["shared/names"].asstr()) == ["stream1.r"] * 2 and summary.attrs["wedges"] == 2
              and summary.attrs["number_of_stars"] == 1400, "what the wedges share")
        draws, size = file["posterior/stream1.r"][:], summary["ess_bulk"][0]
        check(size > 40 and summary["r_hat"][0] < 1.1, f"R-hat {summary['r_hat'][0]}, {size} independent draws")
    grid = numpy.linspace(22.75, 29.25, 14)
    texts = [(fits.folder / f"{name}.toml").read_text() for name in ("one", "two")]
    logs = []
    for r in grid:
        for name, text in zip(("grid-1.toml", "grid-2.toml"), texts):
            (fits.folder / name).write_text(text.replace("\nr = 27.0", f"\nr = {r:.17g}"))
        fits.ran("likelihood", "grid-1.toml", "grid-2.toml", "--stars", *STARS, "--tolerance", "1e-7", "--quiet", "--force",
                 "-o", "grid.h5")
        logs.append(total(fits.folder / "grid.h5") - (r - 26) ** 2 / 2)
    density = numpy.exp(numpy.array(logs) - max(logs))
    check(max(density[0], density[-1]) < 1e-4, "the grid does not reach the ends of the posterior")
    mean = (grid * density).sum() / density.sum()
    sd = numpy.sqrt(((grid - mean) ** 2 * density).sum() / density.sum())
    check(abs(draws.mean() - mean) < 5 * sd / numpy.sqrt(size), f"mean {draws.mean()}, on the grid {mean}")
    check(abs(draws.std() / sd - 1) < 5 / numpy.sqrt(size), f"standard deviation {draws.std()}, on the grid {sd}")
    print(f"a shared distance: {draws.mean():.3f} ± {draws.std():.3f} kpc, on the grid {mean:.3f} ± {sd:.3f}")


def check_start(fits):
    """From a fit of both wedges, with a parameter of one wedge and one of the background; what readers say."""
    names = "background.q,wedge2.stream1.r"
    fits.ran("fit", "one.toml", "two.toml", "--stars", *STARS, "--free", names, "--method", "quasi-newton", "--start",
             "file", "--population", "4", "--variations", "0", "--quiet", "-o", "both.h5")
    fits.ran("sample", "one.toml", "two.toml", "--stars", *STARS, "--fit", "both.h5", "--free", names, *SHORT, "-o",
             "started.h5")
    fits.refused(r"its wedges are 82, 79, in this order, and those of the command 79, 82", "sample", "two.toml", "one.toml",
                 "--stars", *reversed(STARS), "--fit", "both.h5", "--free", names)
    with h5py.File(fits.folder / "started.h5") as file, h5py.File(fits.folder / "both.h5") as fit:
        check(abs(file["sample/top"][:] - fit["fit/best"][:]).max() < 0.05, "another start")
        fixed = list(file["sample/fixed/names"].asstr())
        check("wedge1.stream1.r" in fixed and fixed.count("background.epsilon") == 1, fixed)
    told = json.loads(fits.ran("info", "started.h5", "--json"))["sample"]
    check([one["name"] for one in told["parameters"]] == names.split(",") and told["wedges"] == 2, told)
    check(re.search(r"stream1.r .*, of wedges 1 and 2\n", fits.ran("info", "posterior.h5")), "report")
    check("2 wedges" in fits.ran("plan", "sample", "one.toml", "two.toml", "--stars", *STARS, "-o", "planned.h5"), "plan")


def check_refusals(fits):
    pair = ("sample", "prior.toml", "two.toml", "--stars", *STARS)
    fits.ran("fit", "one.toml", "--stars", "one.txt", "--free", "background.q", "--method", "quasi-newton",
             "--start", "file", "--population", "4", "--variations", "0", "--quiet", "-o", "one.h5")
    fits.refused("it is a fit of 1 wedge, not of 2", *pair, "--fit", "one.h5")
    streams = (fits.folder / "one.toml").read_text().count("[[stream]]")
    (fits.folder / "more.toml").write_text((fits.folder / "one.toml").read_text() + "[[stream]]\nepsilon = -2\nmu = 20\n"
                                           "r = 20\ntheta = 1\nphi = 1\nsigma = 2\n")
    fits.refused(f"fewer streams than the parameter file: {streams}, not {streams + 1}", "sample", "more.toml", "--stars",
                 "one.txt", "--fit", "one.h5")
    fits.refused("the prior of wedge1.stream1.r has no effect", *pair, "--free", "background.q")
    (fits.folder / "second.toml").write_text((fits.folder / "two.toml").read_text() + PRIOR.replace("26", "27"))
    fits.refused("its bounds are|its priors differ", *pair[:2], "second.toml", *pair[3:], "--share", "stream1.r")
    fits.refused("tessera sample has no parameter files", "sample", "--stars", "one.txt")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        fits = Fits(program, pathlib.Path(name))
        (fits.folder / "prior.toml").write_text((fits.folder / "one.toml").read_text() + PRIOR)
        check_ranks(fits)
        check_posterior(fits)
        check_start(fits)
        check_refusals(fits)
    print("the posterior of two wedges with one background and a shared stream")


if __name__ == "__main__":
    main()
