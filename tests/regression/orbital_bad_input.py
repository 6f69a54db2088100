#!/usr/bin/env python3
"""Whatever is wrong with the input of tessera orbital, the user reads one line "tessera: problem (why):
what to do" that names the culprit, the exit code is not 0, and no file is left behind.
Usage: orbital_bad_input.py PATH/OF/tessera"""

import gzip
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tessera_runs import fail, own_lines, run  # noqa: E402

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+$")
WATER = pathlib.Path(__file__).resolve().parent.parent.parent / "examples/water.molden"

OPTIONS = (
    ("--orbitals", "99", "99"), ("--orbitals", "0", "'0'"), ("--orbitals", "HOMO+1", "HOMO"),
    ("--orbitals", "HOMO-50", "HOMO-50"), ("--orbitals", "pi", "pi"), ("--orbitals", "3:1", "backwards"),
    ("--orbitals", "HOMOb", "HOMOb"), ("--orbitals", "1,,2", "empty"),
    ("--orbitals", "", "'' is not a list"), ("--orbitals", "1:100000000000", "up to 2147483647"),
    ("--shuffle-tiles", "-1", "whole number from 0 on"), ("--report", "-1", "whole number from 0 on"), ("--orbitals", "1\n2", "1 2"),
    ("--energy-window", "5:6", "window"), ("--energy-window", "b:a", "--energy-window"),
    ("--frames", "2", "--frames"), ("--frames", "0", "--frames"), ("--frames", "1,1", "twice"),
    ("--spacing", "0", "--spacing"), ("--spacing", "-0.1", "--spacing -0.1 Angstrom"), ("--spacing", "nan", "--spacing"),
    ("--spacing", "0.1,0.1", "--spacing"), ("--spacing", "0.1ft", "--spacing"),
    ("--spacing", "0.0003", "too large"), ("--spacing", "1e-9", "--spacing"),
    ("--padding", "-1", "--padding"), ("--padding", "1e9", "--padding"), ("--padding", "x", "--padding"),
    ("--origin", "0,0,0", "--grid"), ("--grid", "5,5,5", "--origin"), ("--grid", "5,5", "--grid"),
    ("--tolerance", "-1", "--tolerance"), ("--tolerance", "nan", "--tolerance"),
    ("--isosurface", "0", "--isosurface.*a number above 0"), ("--isosurface", "-1", "--isosurface"),
    ("--isosurface", "nan", "--isosurface"), ("--isosurface", "inf", "1000000"),
    ("--density-isosurface", "0", "--density-isosurface.*a number above 0"), ("--density-isosurface", "-1", "-1"),
    ("--density-isosurface", "0.01", "--density or --spin-density"), ("--vertex-field", "density", "--isosurface"),
    ("--vertex-field", "", "'' is not a list"), ("--vertex-field", "pi", "pi"), ("--orbitals", "2b1u", "2b1u"),
    ("--orbitals", "0b1u", "begin at 1"), ("--precision", "half", "half"),
    ("--device", "abacus", "abacus"), ("--compress", "10", "--compress"), ("--colour", "red", "--colour"))


def cases(folder):
    text = WATER.read_text()

    def write(name, content):
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    files = {
        "empty": (write("empty.molden", ""), "empty"),
        "binary": (write("binary.molden", bytes(range(256)) * 9), "binary.molden"),
        "ORCA": (write("water.gbw", bytes(range(256)) * 9), "orca_2mkl water -molden"),
        "words": (write("words.molden", "nothing here\n" * 9), "words.molden"),
        "cut": (write("cut.molden", text[: text.index("[MO]") + 200]), "cut.molden"),
        "no orbitals": (write("none.molden", text[: text.index("[MO]")]), "none.molden"),
        "no basis": (write("bare.molden", text[: text.index("[GTO]")] + text[text.index("[MO]"):]),
                     "bare.molden"),
        "no number": (write("word.molden", text.replace("130.70932", "many", 1)), "word.molden"),
        "shell": (write("shell.molden", text.replace(" p    3 1.00", " q    3 1.00", 1)), "shell.molden"),
        "missing": ("no-such.molden", "no-such.molden"), "folder": (".", "folder|directory|'\\.'"),
    }
    os.mkfifo(folder / "pipe")
    files |= {"pipe": ("pipe", "a pipe"), "device": ("/dev/zero", "a device"),
              "bomb": (write("bomb.gz", gzip.compress(b" \n" * (1 << 23)) * 60), "a hundred times its size"),
              "zeros": (write("zeros.gz", gzip.compress(bytes(1 << 24)) * 60), "binary")}
    for name, (path, words) in files.items():
        yield f"file: {name}", ["orbital", path, "-o", "OUT"], words
    for option, value, words in OPTIONS:
        yield f"{option} {value}", ["orbital", WATER, "-o", "OUT", option, value], words
    surface = ["orbital", WATER, "-o", "OUT", "--isosurface", "0.05"]
    yield "surface of a mean", [*surface, "--mean-density"], "--isosurface.*a mean density has no isosurface"
    yield "surface of fields", [*surface, "--field", "elf", "--grids"], "fields of --field or --esp have none"
    (folder / "points.csv").write_text("0,0,1\n")
    at_points = ["orbital", WATER, "-o", "OUT", "--esp", "--points", "points.csv"]
    yield "surface at points", [*at_points, "--isosurface", "0.05"], "the potential at --points has no isosurface"
    yield "cubes of points", [*at_points, "--cube", "OUT"], "computed at --points.*: leave --points out"
    yield "points to compress", [*at_points, "--compress-error", "1e-3"], "no grids.: leave it out$"
    (folder / "excel.csv").write_text("0,5;0;1\n")
    yield "points of Excel", [*at_points[:-1], "excel.csv"], "line 1: semicolons separate its fields.: separate them by"
    for density in ("--density", "--spin-density"):
        yield f"surface of an orbital, {density}", ["orbital", WATER, "-o", "OUT", "--orbitals", "HOMO", density,
                                                    "--isosurface", "0.05"], "--isosurface with a density.*--grids"
    yield "10^13 points", ["orbital", WATER, "-o", "OUT", "--origin", "0,0,0", "--grid",
                           "100000,100000,1000"], "1e.13"
    yield "padding and origin", ["orbital", WATER, "-o", "OUT", "--padding", "2", "--origin", "0,0,0", "--grid",
                                 "4,4,4"], "--padding and --origin exclude"
    yield "norms and grids", ["orbital", WATER, "-o", "OUT", "--norms-only", "--grids"], "exclude"
    yield "overlaps of nothing", ["orbital", WATER, "-o", "OUT", "--density", "--overlap-matrix"], "only densities"
    yield "too many overlaps", ["orbital", WATER, "-o", "OUT", "--overlap-matrix", "--orbitals",
                                ",".join(["all"] * 600)], "at most 4096"
    yield "output over input", ["orbital", "cut.molden", "-o", "cut.molden", "--force"], "input"
    yield "no such place", ["orbital", WATER, "-o", "no/such/run.h5"], "no folder"
    yield "cubes of norms", ["export", "norms.h5", "--cube", "OUT"], "no grids"
    yield "mesh of norms", ["export", "norms.h5", "--mesh", "OUT"], "no surfaces"
    yield "poses of orbitals", ["export", "norms.h5", "--poses", "3", "OUT"], "no poses"


def check_warned(program, folder):
    """What an isolated molecule with all its electrons is not is said on stderr, and kept in the result."""
    text = WATER.read_text()
    at = text.index("[GTO]")
    (folder / "cell.molden").write_text(text[:at] + "[Cell] AU\n9 0 0\n0 9 0\n0 0 9\n[Nval]\nO 6\n" + text[at:])
    made = run(program, "orbital", "cell.molden", "-o", "cell.h5", "--norms-only", "--spacing", "0.5", cwd=folder)
    told = [line for line in own_lines(made.stderr) if line.startswith("warning: ")]
    info = run(program, "info", "cell.h5", cwd=folder).stdout
    for words in ("'cell.molden' describes a periodic system", "'cell.molden' was made with pseudopotentials"):
        if made.returncode != 0 or sum(words in line for line in told) != 1 or words not in info:
            fail(f"{words}: exit code {made.returncode}, {told}, {info}")
    (folder / "points.csv").write_text("0,0,1\n")
    points = ("orbital", WATER, "--esp", "--points", "points.csv", "-o")
    told = run(program, *points, "coarse.h5", "--spacing", "0.5", cwd=folder).stderr
    silent = run(program, *points, "points.h5", cwd=folder).stderr
    if "warning: --spacing with nothing but the potential at --points: " not in told or "grid" in silent:
        fail(f"a grid that is not there: {told}, {silent}")
    plain = run(program, "orbital", WATER, "-o", "plain.h5", "--norms-only", "--spacing", "0.5", cwd=folder)
    if "warning" in plain.stderr + run(program, "info", "plain.h5", cwd=folder).stdout:
        fail(f"an isolated molecule is warned of: {plain.stderr}")


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    broken = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        made = run(program, "orbital", WATER, "-o", "norms.h5", "--norms-only", "--spacing", "0.5", cwd=folder)
        if made.returncode != 0:
            fail(made.stderr)
        check_warned(program, folder)
        for title, arguments, words in cases(folder):
            before = sorted(path.name for path in folder.iterdir())
            result = run(program, *arguments, cwd=folder)
            lines = own_lines(result.stderr)
            if result.returncode <= 0 or result.returncode == 70:
                broken.append(f"{title}: exit code {result.returncode}")
            if len(lines) != 1 or not LINE.match(lines[0]) or not re.search(words, lines[0]):
                broken.append(f"{title}: {lines}")
            if sorted(path.name for path in folder.iterdir()) != before:
                broken.append(f"{title}: leaves a file behind")
    if broken:
        fail("\n".join(broken))
    print("every bad input is one line")


if __name__ == "__main__":
    main()
