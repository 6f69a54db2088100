#!/usr/bin/env python3
"""Whatever is wrong with the input of tessera likelihood, the user reads one line "tessera: problem
(why): what to do" that names the culprit, the exit code says whose fault it is, and no file is left.
Usage: likelihood_bad_input.py PATH/OF/tessera"""

import copy
import gzip
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import likelihood_files  # noqa: E402
from tessera_runs import fail, own_lines, run  # noqa: E402

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+$")
GOOD = likelihood_files.model(82, 2, cut=True)
STARS = likelihood_files.stars(40)

STAR_FILES = {
    "short": (STARS.replace("40\n", "41\n", 1), "says 41 stars, but it has 40"),
    "long": (STARS.replace("40\n", "39\n", 1), "after the 39 stars"),
    "empty": ("", "empty"), "blank": ("\n \n", "contains nothing"),
    "no count": (STARS.split("\n", 1)[1].replace("\n", " 1\n"), "4 fields and no names"),
    "zero": ("0\n", "number of stars is 0"),
    "huge": ("2000000000\n1 2 3\n", "says 2000000000 stars, but it has 1"),
    "binary": (bytes(range(256)) * 20, "binary"), "words": ("many stars\n" * 9, "name the columns l, b and r"),
    "gzip": (b"\x1f\x8b\x08garbage", "gzip"),
}
WORDS_FOR_R = {"nan": "'nan', not a finite number", "inf": "'inf'", "-3.5": "not positive", "0": "not positive",
               "": "ends before r", "1 2": "more than", "far": "'far'"}

TOML_EDITS = (
    ("wedge = 82", "wedge = 0", "wedge is 0"), ("wedge = 82", "wedge = 200", "wedge is 200"),
    ("wedge = 82", "wedge = 8.2", "'wedge' is not a whole"), ("wedge = 82", "", "'wedge' is missing"),
    ("wedge = 82", "weedge = 82", "'weedge'.*'wedge'"), ("convolve = 30", "convolve = 31", "even"),
    ("convolve = 30", "convolve = 0", "convolve is 0"), ("convolve = 30", "convolve = 300", "convolve is 300"),
    ("\"classic\"", "\"modern\"", "'modern'.*classic or 2018"), ("q = 0.55", "q = 0", "background.q is 0"),
    ("q = 0.55", "q = nan", "'q' in background"), ("q = 0.55", "q = \"0.55\"", "'q' in background"),
    ("q = 0.55, ", "", "'q' is missing in background"), ("r0 = 12.0", "r0 = -1", "background.r0 is -1"),
    ("sigma = 2.5", "sigma = 0", "stream1.sigma is 0"), ("sigma = 2.5", "sgima = 2.5", "'sgima' in stream 1.*'sigma'"),
    ("sigma = 2.5", "sigma = -2.5", "stream1.sigma is -2.5"), ("r = 22.0", "r = -22.0", "stream1.r is -22"),
    ("theta = 1.2", "theta = 69.0", "stream1.theta is 69.*radians"),
    ("steps = 14", "steps = 0", "steps is 0"), ("steps = 14", "steps = 1.5", "'steps'"),
    ("min = 16.0, max = 22.5, steps = 14", "min = 23, max = 22.5, steps = 14", "goes from 23 to 22.5"),
    ("[[area]]", "[[aera]]", "'aera'.*'area'"), ("[[stream]]", "[[stream]", "TOML"),
    ("\"gaussian\"", "\"newby2011\"", "classic model has no turnoff"),
)
TEXT_EDITS = (
    ("number_parameters: 4", "parameters_version: 9.9\nnumber_parameters: 4", "parameters_version is not known"),
    ("sgr_coordinates: 0", "sgr_coordinates: 1", "sgr_coordinates is not 0"),
    ("wedge: 82", "wedge: 0", "wedge is 0"), ("wedge: 82", "wage: 82", "'wedge:' but is 'wage"),
    ("convolve: 30", "convolve: 31", "even"), ("22.5, 14", "22.5, 13", "steps of 'r' are not an even"),
    ("22.5, 14", "22.5, 0", "steps is 0"), ("number_streams: 2", "number_streams: 3", "stream_weight:"),
    ("number_cuts: 1", "number_cuts: 0", "continues"), ("number_cuts: 1", "number_cuts: 2", "ends before 'r_cut:'"),
    ("0.55,", "nan,", "'nan' is not a finite"), ("0.55,", "0,", "background.q is 0"),
    ("-0.7, 2.5", "-0.7, 0", "stream1.sigma is 0"), ("-0.7, 2.5", "-0.7, -2.5", "stream1.sigma is -2.5"),
    ("160.0, 22.0", "160.0, -22.0", "stream1.r is -22"), ("number_parameters: 4", "number_parameters: 3", "not 4"),
)
OPTIONS = (
    ("--tolerance", "0", "--tolerance"), ("--tolerance", "nan", "--tolerance"), ("--tolerance", "x", "--tolerance"),
    ("--integration", "approximate", "approximate"), ("--quadrature", "simpson", "simpson"),
    ("--precision", "half", "half"), ("--precision", "single-compensated", "--integration exact"),
    ("--device", "abacus", "abacus"), ("--model", "2018", "model = .classic"), ("--model", "new", "new"),
    ("--turnoff", "blue", "blue"), ("--background-profile", "flat", "flat"), ("--colour", "red", "--colour"))


def edited(text, old, new):
    if old not in text:
        fail(f"no '{old}' in the good file")
    return text.replace(old, new, 1)


def narrow():
    model = copy.deepcopy(GOOD)
    model["streams"][1]["sigma"] = 5e-5
    return model


def swallowed():
    """The cut is the wedge: nothing is left of any integral."""
    model = copy.deepcopy(GOOD)
    model["areas"][1] = model["areas"][0]
    return model


def cases(folder):
    def write(name, content):
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    good, stars = write("good.toml", likelihood_files.toml(GOOD)), write("good.stars", STARS)
    base = ["likelihood", good, "--stars", stars, "-o", "OUT"]
    files = dict(STAR_FILES)
    for word, message in WORDS_FOR_R.items():
        files[f"r is '{word}'"] = (re.sub(r" \S+\n$", f" {word}\n", STARS), message)
    for name, (content, words) in files.items():
        yield f"stars: {name}", ["likelihood", good, "--stars", write("bad.stars", content), "-o", "OUT"], words, 2
    for edits, suffix, text in ((TOML_EDITS, "toml", likelihood_files.toml(GOOD)),
                                (TEXT_EDITS, "txt", likelihood_files.text(GOOD))):
        for old, new, words in edits:
            path = write(f"bad.{suffix}", edited(text, old, new))
            yield f"{old} -> {new}", ["likelihood", path, "--stars", stars, "-o", "OUT"], words, 2
    for name, content in (("empty", ""), ("binary", bytes(range(256)) * 20), ("cut", likelihood_files.text(GOOD)[:300]),
                          ("prose", "Once upon a time\n" * 9), ("stars", STARS)):
        path = write("bad.parameters", content)
        yield f"parameters: {name}", ["likelihood", path, "--stars", stars, "-o", "OUT"], "bad.parameters", 2
    os.mkfifo(folder / "pipe")
    levels = gzip.compress(b"[a" + b".a" * 1_000_000 + b"]\n")
    for path, words in (("pipe", "a pipe"), ("/dev/zero", "a device"), (write("levels.gz", levels), "too deep"),
                        (write("bomb.gz", gzip.compress(b" \n" * (1 << 22)) * 60), "more than 4 MiB")):
        yield f"parameters are {path}", ["likelihood", path, "--stars", stars, "-o", "OUT"], words, 2
        if path != "levels.gz":
            yield f"stars are {path}", ["likelihood", good, "--stars", path, "-o", "OUT"], \
                "hundred times" if path == "bomb.gz" else words, 2
    for option, value, words in OPTIONS:
        yield f"{option} {value}", base + [option, value], words, 2
    elsewhere = write("20.stars", likelihood_files.stars(60, wedge=20))
    yield "stars of another wedge", ["likelihood", good, "--stars", elsewhere, "-o", "OUT"], "60 of the 60.*20.stars", 2
    mixed = STARS.replace("40\n", "41\n", 1) + "3.5 80.0 20.0\n"
    yield "one star outside", ["likelihood", good, "--stars", write("41.stars", mixed), "-o", "OUT"], "1 of the 41", 2
    yield "missing parameters", ["likelihood", "none.toml", "--stars", stars, "-o", "OUT"], "none.toml", 2
    yield "missing stars", ["likelihood", good, "--stars", "none.stars", "-o", "OUT"], "none.stars", 2
    yield "no stars option", ["likelihood", good, "-o", "OUT"], "--stars", 2
    yield "two and one", ["likelihood", good, good, "--stars", stars, "-o", "OUT"], "2 parameter files and 1 star", 2
    yield "output over input", ["likelihood", good, "--stars", stars, "-o", stars, "--force"], "input", 2
    yield "no such place", ["likelihood", good, "--stars", stars, "-o", "no/such/run.h5"], "no folder", 2
    for integration in ("exact", "compressed"):
        mode = ["-o", "OUT", "--integration", integration, "--device", "openmp", "--quiet"]
        path = write("narrow.toml", likelihood_files.toml(narrow()))
        yield f"narrow stream, {integration}", ["likelihood", path, "--stars", stars] + mode, "stream 2.*5e-05", 3
        path = write("swallowed.toml", likelihood_files.toml(swallowed()))
        yield f"cut is the wedge, {integration}", ["likelihood", path, "--stars", stars] + mode, "inside a cut", 3


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    broken, count = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for title, arguments, words, code in cases(folder):
            count += 1
            before = sorted(path.name for path in folder.iterdir())
            result = run(program, *arguments, cwd=folder)
            lines = own_lines(result.stderr)
            if result.returncode != code:
                broken.append(f"{title}: exit code {result.returncode}")
            if len(lines) != 1 or not LINE.match(lines[0]) or not re.search(words, lines[0]):
                broken.append(f"{title}: {lines}")
            if sorted(path.name for path in folder.iterdir()) != before:
                broken.append(f"{title}: leaves a file behind")
    if broken:
        fail("\n".join(broken))
    print(f"all {count} bad inputs are one line")


if __name__ == "__main__":
    main()
