#!/usr/bin/env python3
"""`tessera fit --fix` and `--free` fit what they name, to the bit as the table [fit] with the same names would; and
`tessera export --toml` writes a parameter file with which `tessera likelihood` finds the same likelihood, to the bit.
Usage: fit_choices.py PATH/OF/tessera"""

import pathlib
import re
import shlex
import sys
import tempfile

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from likelihood_files import SMALL_WEDGE  # noqa: E402
from tessera_runs import answer, check, run  # noqa: E402

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+\n$")
WEDGE = SMALL_WEDGE + """[fit]
population = 12
generations = 8
variations = 0
%s
[fit.bounds]
"stream1.epsilon" = [-4, 2]
"""
STREAM = ("epsilon", "mu", "r", "theta", "phi", "sigma")
OF_STREAM = [f"stream1.{field}" for field in STREAM]


class Fits:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        (folder / "wedge.toml").write_text(WEDGE % "")
        self.ran("simulate", "wedge.toml", "--number", "400", "--seed", "4", "-o", "stars.txt")

    def run(self, *words):
        return run(self.program, *words, cwd=self.folder)

    def ran(self, *words):
        result = self.run(*words)
        check(result.returncode == 0, f"{words}: {result.stderr}")
        return result.stdout

    def fit(self, output, parameters, *options):
        self.ran("fit", parameters, "--stars", "stars.txt", "--quiet", "-o", output, *options)
        return answer(self.folder / output, ("fit", "likelihood"))

    def refused(self, pattern, *words):
        result = self.run("fit", "wedge.toml", "--stars", "stars.txt", "-o", "refused.h5", *words)
        check(result.returncode == 2 and LINE.match(result.stderr) and re.search(pattern, result.stderr),
              f"{words}: exit code {result.returncode}, {result.stderr}")
        check(not list(self.folder.glob("refused.h5*")), f"{words}: a file is left")


def check_choices(fits):
    """The same bits as with a list of free parameters in the file; the others keep the file's values."""
    names = ["stream1.mu", "stream1.r"]
    (fits.folder / "free.toml").write_text(WEDGE % f"free = {names}".replace("'", '"'))
    wanted = fits.fit("file.h5", "free.toml")
    differ = [key for key, value in fits.fit("free.h5", "wedge.toml", "--free", ",".join(names)).items()
              if value != wanted[key] and not key.endswith("@parameters")]
    check(not differ, f"--free differs from the file in {differ}")
    others = ["background.epsilon", "background.q"] + [name for name in OF_STREAM if name not in names]
    fixed = fits.fit("fix.h5", "wedge.toml", "--fix", ",".join(others[:4]), "--fix", ",".join(others[4:]))
    differ = [key for key, value in fixed.items() if value != wanted[key] and not key.endswith("@parameters")]
    check(not differ, f"--fix differs from the file in {differ}")
    with h5py.File(fits.folder / "fix.h5") as file:
        fit = file["fit"]
        check(list(fit["names"].asstr()) == names and fit["covariance"].shape == (2, 2), "what is free")
        kept = dict(zip(fit["fixed/names"].asstr(), fit["fixed/values"]))
    start = dict(zip(OF_STREAM, (-0.8, 32.0, 27.0, 1.9, 0.55, 3.0)), **{"background.epsilon": 0.99,
                                                                       "background.q": 0.6})
    check(all(kept[name] == start[name] for name in others) and not set(names) & set(kept), f"fixed: {kept}")
    check(re.search(r"stream1.sigma +3 +fixed\n", fits.ran("info", "fix.h5")), "info names no fixed parameter")


def check_refusals(fits):
    fits.refused("stream1.m .*did you mean 'stream1.mu'", "--free", "stream1.m")
    fits.refused("background.p .*did you mean 'background.q'", "--fix", "background.p")
    fits.refused("--free and --fix both name stream1.mu", "--free", "stream1.mu,stream1.r", "--fix", "stream1.mu")
    fits.refused("nothing to fit", "--fix", ",".join(["background.epsilon", "background.q", *OF_STREAM]))


def check_one_star(fits):
    told = fits.ran("simulate", "wedge.toml", "--number", "1", "--seed", "4", "-o", "star.txt")
    check(re.match(r"(background: 1 star\nstream 1: 0 stars|background: 0 stars\nstream 1: 1 star)\n", told), told)


def check_unused(fits):
    """The criterion chooses among numbers of streams. Without --streams it changes nothing, and this is said."""
    fit = ("fit", "wedge.toml", "--stars", "stars.txt", "--free", "stream1.mu", "--force", "-o")
    told, plain = fits.run(*fit, "told.h5", "--criterion", "bic"), fits.run(*fit, "plain.h5")
    check(told.returncode == 0 and "warning: --criterion without --streams: " in told.stderr, told.stderr)
    check("--criterion" not in plain.stderr + fits.run("rerun", "plain.h5").stderr, plain.stderr)
    wanted, found = (answer(fits.folder / name, ("fit", "likelihood")) for name in ("plain.h5", "told.h5"))
    check(found == wanted, "--criterion changes a fit")


def likelihood_of(path):
    with h5py.File(path) as file:
        return {name: value.tobytes() for name, value in file["likelihood"].attrs.items()
                if name in ("search_likelihood", "background_likelihood", "background_integral")}, \
            file["likelihood/stars"][()].tobytes(), file["likelihood/stream_integrals"][()].tobytes()


def check_export(fits):
    """The command that export prints gives the likelihood of the fit."""
    fits.fit("all.h5", "wedge.toml")
    printed = fits.ran("export", "all.h5", "--toml", "best.toml")
    command = re.search("the same likelihood: tessera (.*)\n", printed)
    check(command, f"no command in {printed}")
    fits.ran(*shlex.split(command[1]))
    wanted, found = (likelihood_of(fits.folder / name) for name in ("all.h5", "likelihood.h5"))
    check(len(wanted[0]) == 3 and wanted == found, f"another likelihood: {wanted[0]} and {found[0]}")
    fits.ran("export", "all.h5", "--toml", "best.toml", "--force")
    again = fits.run("export", "all.h5", "--toml", "best.toml")
    check(again.returncode == 2 and LINE.match(again.stderr), f"replaced without --force: {again.stderr}")
    wrong = fits.run("export", "likelihood.h5", "--toml", "other.toml")
    check(wrong.returncode == 2 and LINE.match(wrong.stderr), wrong.stderr)
    with h5py.File(fits.folder / "all.h5", "r+") as file:
        file["run"].attrs["input"] = file["run"].attrs["input"].replace('"theta"', '"thota"')
    damaged = fits.run("export", "all.h5", "--toml", "damaged.toml")
    check(damaged.returncode == 2 and LINE.match(damaged.stderr), damaged.stderr)
    check(not (fits.folder / "damaged.toml").exists(), "half a file")


def main():
    with tempfile.TemporaryDirectory() as name:
        fits = Fits(sys.argv[1], pathlib.Path(name))
        check_choices(fits)
        check_refusals(fits)
        check_unused(fits)
        check_one_star(fits)
        check_export(fits)
    print("fits of chosen parameters, and their parameter files")


if __name__ == "__main__":
    main()
