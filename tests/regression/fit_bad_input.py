#!/usr/bin/env python3
"""Whatever is wrong with the input of tessera fit and tessera simulate, the user reads one line "tessera:
problem (why): what to do" that names the culprit, the exit code says whose fault it is, and no file is left.
Usage: fit_bad_input.py PATH/OF/tessera"""

import copy
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import likelihood_files  # noqa: E402
from tessera_runs import fail, own_lines, run  # noqa: E402

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+$")
MODEL = likelihood_files.model(82, 2, later=True)
TOML, TEXT = likelihood_files.toml(MODEL), likelihood_files.text(MODEL)
TEXT = TEXT.replace("stream_min[5]: 0, 0, 0, 0, 0", "stream_min[5]: 150, 5, 0, -3, 0.1").replace(
    "stream_max[5]: 9, 9, 9, 9, 9", "stream_max[5]: 200, 40, 3, 3, 20").replace(
    "background_min[4]: 0, 0, 0, 0", "background_min[4]: 0.5, 0.3, 1, 0.5")
QUICK = ["--population", "5", "--generations", "2", "--variations", "0", "--quiet"]

FIT_TABLES = (  # what stands behind [fit], and what is said of it
    ('methid = "quasi-newton"', "'methid' in fit.*'method'"), ("sede = 3", "'sede' in fit.*'seed'"),
    ('method = "annealing"', "annealing"), ("method = 3", "'method' in fit is not a word"),
    ('start = "here"', "no start 'here'"), ("start = 1", "'start' in fit"),
    ("population = 3", "population is 3"), ("population = -5", "'population' in fit"),
    ("population = 2000000", "population is 2000000"), ("population = 99999999999", "'population'"),
    ("population = 5.5", "'population'"), ("generations = -1", "'generations'"),
    ("generations = 9999999", "9999999 generations"), ("starts = 0", "0 starts"), ("starts = 10001", "10001 starts"),
    ("variations = -1", "'variations'"), ("variations = 99999", "99999 variations"), ("seed = -1", "'seed'"),
    ("seed = 1.5", "'seed'"), ('seed = "a"', "'seed'"), ("seed = 9223372036854775808", "as TOML"),
    ("tolerance = -1", "tolerance is -1"), ("tolerance = nan", "'tolerance'"), ("tolerance = inf", "'tolerance'"),
    ("free = []", "nothing to fit"), ('free = "background.q"', "'free' in fit is not a list"),
    ("free = [1]", "'free' in fit"), ('free = ["background.q", "background.q"]', "twice"),
    ('free = ["background.p"]', "background.p.*background.q"), ('free = ["stream1.sgima"]', "stream1.sigma"),
    ('free = ["stream3.mu"]', "stream3.mu.*no such parameter"), ('free = ["background.r0"]', "no effect"),
    ('free = ["background.a"]', "no default bounds.*fit.bounds"),
    ('free = ["stream1.mu"]\nbounds = 3', "'bounds' in fit is not a table"),
    ('[fit.bounds]\n"stream1.mo" = [1, 2]', "stream1.mo.*stream1.mu"),
    ('[fit.bounds]\nstream1.mu = [1, 2]', "quotes"), ('[fit.bounds]\n"stream1.mu" = 3', "two numbers"),
    ('[fit.bounds]\n"stream1.mu" = [1]', "two numbers"), ('[fit.bounds]\n"stream1.mu" = [1, 2, 3]', "two numbers"),
    ('[fit.bounds]\n"stream1.mu" = ["a", 2]', "stream1.mu"), ('[fit.bounds]\n"stream1.mu" = [nan, 2]', "stream1.mu"),
    ('[fit.bounds]\n"stream1.mu" = [1, inf]', "stream1.mu"),
    ('[fit.bounds]\n"stream1.mu" = [170, 160]', "stream1.mu.*170 and 160.*lower"),
    ('[fit.bounds]\n"stream1.mu" = [170, 170]', "stream1.mu.*170 and 170"),
    ('[fit.bounds]\n"stream1.sigma" = [0, 20]', "stream1.sigma.*0 kpc"),
    ('[fit.bounds]\n"stream1.r" = [-5, 20]', "stream1.r .its lower bound is -5"),
    ('[fit.bounds]\n"background.epsilon" = [0, 2]', "background.epsilon.*upper bound is 2"),
    ('[fit.bounds]\n"background.q" = [0, 2]', "background.q.*lower bound is 0"),
    ('[fit.bounds]\n"stream1.epsilon" = [0, 900]', "stream1.epsilon.*upper bound is 900"),
    ('start = "file"\n[fit.bounds]\n"stream1.r" = [5, 20]', "stream1.r of the file .it is 22"),
)
TEXT_EDITS = (
    (r"(optimize\w*(?:\[\d\])?): .*", r"\1: 0, 0, 0, 0, 0", "flags? of"),
    (r"stream_min\[5\]: 150", "stream_min[5]: 250", "stream1.mu.*250 and 200"),
    (r"stream_max\[5\]: 200,", "stream_max[5]: ", "bounds of stream1 are not 5 numbers"),
    (r"stream_max\[5\]: 200", "stream_max[5]: nan", "bounds of stream1"),
    (r"optimize_parameter\[5\]: 1,", "optimize_parameter[5]: ", "flags of stream1"),
    (r"3, 0.1\n", "3, 0\n", "stream1.sigma.*0 kpc"),
)
FIT_OPTIONS = (
    ("--method", "annealing", "annealing"), ("--start", "here", "here"), ("--population", "3", "population is 3"),
    ("--population", "-1", "population is -1"), ("--population", "many", "--population"),
    ("--population", "99999999999", "--population"), ("--generations", "-2", "-2 generations"),
    ("--starts", "0", "0 starts"), ("--starts", "1.5", "--starts"), ("--variations", "-1", "-1 variations"),
    ("--seed", "-1", "--seed"), ("--seed", "1.5", "--seed"), ("--seed", "99999999999999999999", "--seed"),
    ("--search-tolerance", "-1", "tolerance is -1"), ("--search-tolerance", "nan", "tolerance is nan"),
    ("--search-tolerance", "x", "--search-tolerance"), ("--tolerance", "0", "--tolerance"),
    ("--tolerance", "nan", "--tolerance"), ("--precision", "single", "too coarse"),
    ("--precision", "single-compensated", "--integration exact"), ("--integration", "none", "none"),
    ("--profile", "--fix", "--profile has no value .the next word is '--fix'.*VALUE"),
    ("--stars", "--free=background.q", "--stars has no value"), ("--device", "abacus", "abacus"), ("--methid", "x", "--methid"), ("--turnoff", "gaussian", "turnoff = .newby2011"))
SIMULATE_OPTIONS = (
    ("--number", "0", "--number"), ("--number", "-5", "--number"), ("--number", "1.5", "--number"),
    ("--number", "many", "--number"), ("--number", "1000000000000", "--number"), ("--number", "1e3", "--number"),
    ("--number", "99999999999999999999", "--number"), ("--number", "", "--number"),
    ("--seed", "-1", "--seed"), ("--seed", "x", "--seed"), ("--seed", "99999999999999999999", "--seed"),
    ("--model", "classic", "model = .2018"), ("--sede", "4", "--sede"))
MODELS = (  # for both commands
    ("sigma = 2.5", "sigma = -2.5", "stream1.sigma is -2.5"), ("r = 22.0", "r = -22.0", "stream1.r is -22"),
    ("sigma = 2.5", "sigma = 0", "stream1.sigma is 0"), ("sigma = 2.5", "sigma = nan", "'sigma' in stream 1"),
    ("sigma = 2.5", "sgima = 2.5", "'sgima' in stream 1.*'sigma'"), ("q = 0.55", "q = 0", "background.q is 0"),
    ("wedge = 82", "wedge = 200", "wedge is 200"), ("wedge = 82", "weedge = 82", "'weedge'.*'wedge'"),
    ("mu = 160.0", "mu = inf", "'mu' in stream 1"), ("steps = 14", "steps = 0", "steps is 0"),
    ("epsilon = 0.95", "epsilon = 1.95", "background.epsilon is 1.95"))


def edited(text, old, new):
    if old not in text:
        fail(f"no '{old}' in the good file")
    return text.replace(old, new, 1)


def with_streams(change):
    model = copy.deepcopy(MODEL)
    change(model)
    return likelihood_files.toml(model)


def swallow(model):
    """The cut is the wedge: nothing is left."""
    model["areas"].append(model["areas"][0])


def send_away(model):
    """A narrow stream far from the wedge."""
    model["streams"][0].update(mu=20.0, r=400.0, theta=1.57, phi=0.0, sigma=0.01)


def make_negative(model):
    model["background"].update(a=0.0, b=0.0, c=-1.0)


class Cases:
    def __init__(self, folder):
        self.folder = folder
        self.good, self.stars = self.write("good.toml", TOML), self.write("good.stars", likelihood_files.stars(40))

    def write(self, name, content):
        (self.folder / name).write_text(content)
        return name

    def fit(self, parameters, *options, output="OUT", stars=None):
        return ["fit", parameters, "--stars", stars or self.stars, "-o", output, *options]

    def settings(self):
        for table, words in FIT_TABLES:
            yield table, self.fit(self.write("bad.toml", TOML + "[fit]\n" + table + "\n")), words, 2
        yield "fit is a number", self.fit(self.write("bad.toml", "fit = 3\n" + TOML)), "write \\[fit\\]", 2
        for pattern, new, words in TEXT_EDITS:
            text, count = re.subn(pattern, new, TEXT)
            if not count:
                fail(f"no '{pattern}' in the good file")
            yield f"{pattern} -> {new}", self.fit(self.write("bad.txt", text), "--turnoff", "newby2011"), words, 2
        no_flags = re.sub(r"(optimize\w*(?:\[\d\])?): .*", lambda m: m[0].replace("1", "0"), TEXT)
        yield "no flag is set", self.fit(self.write("bad.txt", no_flags)), "nothing to fit", 2

    def options(self):
        for option, value, words in FIT_OPTIONS:
            yield f"{option} {value}", self.fit(self.good, option, value), words, 2
        yield "fit: two star files", self.fit(self.good, "--stars", self.stars), "--stars", 2
        yield "fit: no parameters", ["fit", "--stars", self.stars, "-o", "OUT"], "before --stars", 2
        yield ("fit: parameters after the stars", ["fit", "--stars", self.stars, "away.toml", "-o", "OUT"],
               "away.toml", 2)
        yield "fit: no stars", ["fit", self.good, "-o", "OUT"], "--stars", 2
        yield "fit: no output", ["fit", self.good, "--stars", self.stars], "--output", 2
        yield "fit: no start", self.fit(self.good, "--start"), "--start", 2
        for option, value, words in SIMULATE_OPTIONS:
            yield f"{option} {value}", ["simulate", self.good, "-o", "OUT", option, value], words, 2
        yield "simulate: no output", ["simulate", self.good], "--output", 2
        yield "simulate: no model", ["simulate", "-o", "OUT"], "parameters", 2

    def files(self):
        for old, new, words in MODELS:
            path = self.write("bad.toml", edited(TOML, old, new))
            yield f"fit: {old} -> {new}", self.fit(path), words, 2
            yield f"simulate: {old} -> {new}", ["simulate", path, "-o", "OUT"], words, 2
        for words, text in (("says 41 stars", "41\n1 2 3\n"), ("not positive", "1\n1 2 -3\n"), ("is 0", "0\n"),
                            ("'nan'", "1\n1 2 nan\n"), ("empty", "")):
            yield f"stars: {words}", self.fit(self.good, stars=self.write("bad.stars", text)), words, 2
        elsewhere = self.write("bad.stars", likelihood_files.stars(60, wedge=20))
        yield "fit: stars of another wedge", self.fit(self.good, stars=elsewhere), "60 of the 60 stars", 2
        for command in (["fit", "{}", "--stars", self.stars], ["simulate", "{}"]):
            name = command[0]
            words = [word.format(self.good) for word in command]
            missing = [word.format("none.toml") for word in command]
            yield f"{name}: missing parameters", missing + ["-o", "OUT"], "none.toml", 2
            yield f"{name}: output over input", words + ["-o", self.good, "--force"], "input", 2
            yield f"{name}: output is there", words + ["-o", "there"], "--force", 2
            yield f"{name}: output is a folder", words + ["-o", "folder"], "folder", 2
            yield f"{name}: no such place", words + ["-o", "no/such/OUT"], "no folder", 2
            yield f"{name}: below a file", words + ["-o", "there/OUT"], "there", 2
        yield "missing stars", self.fit(self.good, stars="none.stars"), "none.stars", 2

    def numerics(self):
        swallowed = self.write("swallowed.toml", with_streams(swallow))
        yield "fit: the cut is the wedge", self.fit(swallowed, *QUICK), "no point of the search", 3
        yield "simulate: the cut is the wedge", ["simulate", swallowed, "-o", "OUT"], "none of .* tries", 3
        away = self.write("away.toml", with_streams(send_away))
        yield "simulate: the stream is elsewhere", ["simulate", away, "-o", "OUT"], "stream 1", 3
        negative = self.write("negative.toml", with_streams(make_negative))
        yield "simulate: a negative density", ["simulate", negative, "-o", "OUT"], "density is -.*keep the density positive", 3

    def all(self):
        self.write("there", "something\n")
        (self.folder / "folder").mkdir()
        for kind in (self.settings, self.options, self.files, self.numerics):
            yield from kind()


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    broken, count = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for title, arguments, words, code in Cases(folder).all():
            count += 1
            before = sorted((path.name, path.stat().st_size) for path in folder.iterdir())
            result = run(program, *arguments, cwd=folder)
            lines = own_lines(result.stderr)
            if result.returncode != code:
                broken.append(f"{title}: exit code {result.returncode}")
            if len(lines) != 1 or not LINE.match(lines[0]) or not re.search(words, lines[0]):
                broken.append(f"{title}: {lines}")
            if sorted((path.name, path.stat().st_size) for path in folder.iterdir()) != before:
                broken.append(f"{title}: leaves a file behind, or changes one")
                for path in folder.glob("OUT*"):
                    path.unlink() if path.is_file() else [*map(pathlib.Path.unlink, path.iterdir()), path.rmdir()]
    if broken:
        fail("\n".join(broken))
    print(f"all {count} bad inputs are one line")


if __name__ == "__main__":
    main()
