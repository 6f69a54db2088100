#!/usr/bin/env python3
"""Configuration files: `--config` is the command line with the same options, what the command line says wins, and
mistakes are told with the nearest name. A result holds all its options: `tessera rerun` makes it again with the same
bits, `tessera export --config` takes them out, and changed input files are refused.
Usage: configurations.py PATH/OF/tessera"""

import pathlib
import re
import sys
import tempfile

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import small_results  # noqa: E402
import small_runs  # noqa: E402
from tessera_runs import check, run  # noqa: E402

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+\n$")
WORKLOADS = ("dock", "orbital", "likelihood", "fit", "sample")


class Configurations:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *words):
        return run(self.program, *words, cwd=self.folder)

    def ran(self, *words):
        result = self.run(*words)
        check(result.returncode == 0, f"{words}: {result.stderr}")
        return result

    def refused(self, pattern, *words):
        result = self.run(*words)
        check(result.returncode == 2 and LINE.match(result.stderr) and re.search(pattern, result.stderr),
              f"{words}: exit code {result.returncode}, {result.stderr}")

    def same(self, one, other, what):
        small_runs.check_same(what, small_runs.contents(self.folder / one), small_runs.contents(self.folder / other))


def check_reruns(runs):
    """Without a word about the options, and from the file that the result gives out."""
    for name in WORKLOADS:
        runs.ran("rerun", f"{name}.h5", "-o", f"{name}-again.h5")
        runs.same(f"{name}.h5", f"{name}-again.h5", f"{name}, run again,")
        runs.ran("export", f"{name}.h5", "--config", f"{name}.toml")
        runs.ran(name, "--config", f"{name}.toml", "-o", f"{name}-file.h5")
        runs.same(f"{name}.h5", f"{name}-file.h5", f"{name}, from its file,")
        with h5py.File(runs.folder / f"{name}-file.h5") as file:
            text = file["run"].attrs["config"]
        check(f'output = "{name}-file.h5"' in text and "tile-deadline = 20" in text, f"{name}: {text}")
    runs.ran("rerun", "likelihood.h5")
    check((runs.folder / "likelihood.rerun.h5").exists(), "the default name")
    runs.refused("exists already", "rerun", "likelihood.h5")
    runs.refused("exists already", "export", "fit.h5", "--config", "fit.toml")


def check_precedence(runs):
    (runs.folder / "run.toml").write_text(
        '# a comment: ä\nfiles = ["%s"]\norbitals = "HOMO,LUMO"\nspacing = 0.8\nnorms-only = true\nquiet = false\n'
        'output = "config.h5"\ntolerance = 1e-7\n' % small_runs.WATER)
    runs.ran("orbital", "--config", "run.toml")
    runs.ran("orbital", small_runs.WATER, "--orbitals", "HOMO,LUMO", "--spacing", "0.8", "--norms-only",
             "--tolerance", "1e-7", "-o", "words.h5")
    runs.same("config.h5", "words.h5", "the file and the words")
    runs.ran("orbital", "--config=run.toml", "--orbitals", "1", "-o", "one.h5")
    with h5py.File(runs.folder / "one.h5") as file:
        check(list(file["orbitals/labels"].asstr()) == ["1"], "the command line does not win")
    runs.ran("plan", "orbital", "--config", "run.toml")


def check_mistakes(runs):
    def config(text):
        (runs.folder / "bad.toml").write_text(text)
        return "orbital", small_runs.WATER, "-o", "bad.h5", "--config", "bad.toml"

    runs.refused(r"bad.toml:2.*no option 'spacin'.*did you mean 'spacing'", *config("frames = 1\nspacin = 0.8\n"))
    runs.refused("bad.toml:1.*'density' is not true or false", *config('density = "yes"\n'))
    runs.refused("bad.toml:1.*'spacing' is not a text", *config("spacing = true\n"))
    runs.refused("'spacing' is not a text, a number", *config("spacing = 2020-01-01\n"))
    runs.refused("as TOML", *config("spacing = \n"))
    runs.refused("no option 'config'", *config('config = "other.toml"\n'))
    runs.refused("'abc'|abc", *config('compress = "abc"\n'))
    runs.refused("none.toml", "orbital", "--config", "none.toml")
    check(not (runs.folder / "bad.h5").exists(), "a file is left")


def check_changed_input(runs):
    stars = runs.folder / "1.stars"
    text = stars.read_text()
    stars.write_text(text.replace("1", "2", 1) if text.startswith("1") else text.replace(" ", "  ", 1))
    runs.refused("has changed since", "rerun", "fit.h5", "-o", "changed.h5")
    check(not list(runs.folder.glob("changed.h5*")), "a file is left")
    with h5py.File(runs.folder / "orbital.h5", "r+") as file:
        del file["run"].attrs["config"]
    runs.refused("does not hold the options", "rerun", "orbital.h5", "-o", "changed.h5")
    runs.refused("does not hold the options", "export", "orbital.h5", "--config", "changed.toml")


def main():
    with tempfile.TemporaryDirectory() as name:
        runs = Configurations(sys.argv[1], pathlib.Path(name))
        small_results.make(sys.argv[1], runs.folder)
        check_reruns(runs)
        check_precedence(runs)
        check_mistakes(runs)
        check_changed_input(runs)
    print("files of options, and runs made again")


if __name__ == "__main__":
    main()
