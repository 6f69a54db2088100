#!/usr/bin/env python3
"""tessera rescore makes what tessera dock makes with the same options, to the last bit, and refuses in one line
what a result cannot give.
Usage: rescore.py PATH/OF/tessera"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from tessera_runs import answer, check, own_lines, run  # noqa: E402

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+$")
DOCK = ("dock", "receptor.pdb", "ligand.pdb", "--spacing", "2.5", "--rotations", "264", "--poses", "300",
        "--coefficients", "balanced,hydrophobic", "--refine", "150", "--quiet")
JUDGED = ("--reference", "complex.pdb")
# What is docked first, what is asked of its result, and the docking that must give the same.
SAME = {
    "duplicates": ("all.h5", ("--duplicate-radius", "6"), JUDGED),
    "weights": ("all.h5", ("--rescoring", "weights.csv", "--duplicate-radius", "3"), JUDGED),
    "weights alone": ("all.h5", ("--rescoring", "weights.csv"), (*JUDGED, "--duplicate-radius", "0")),
    "clusters": ("run.h5", ("--cluster-radius", "4", "--clusters", "3"), JUDGED),
    "reference": ("unjudged.h5", JUDGED, ()),
}


def done(program, folder, *arguments):
    result = run(program, *arguments, cwd=folder)
    check(result.returncode == 0, f"{arguments}: exit code {result.returncode}\n{result.stderr}")
    return result


def write_weights(path):
    """The program's own table with every contact of a charged type twice as dear."""
    table = pathlib.Path(os.environ["TESSERA_SOURCE_DIR"], "data/potentials/rescoring.csv").read_text()
    rows = [line.split(",") for line in table.splitlines()]
    path.write_text("\n".join(",".join([*row[:3], f"{2 * float(row[3]):.6g}"] if "KNZ" in row else row)
                              for row in rows) + "\n")


def input_of(path):
    with h5py.File(path) as file:
        return file["run"].attrs["input"]


def expect_same(program, folder, name):
    source, wanted, more = SAME[name]
    done(program, folder, "rescore", source, *wanted, "-o", "again.h5", "--force")
    done(program, folder, *DOCK, *wanted, *more, "-o", "docked.h5", "--force")
    again, docked = answer(folder / "again.h5"), answer(folder / "docked.h5")
    different = sorted(key for key in again.keys() | docked.keys() if again.get(key) != docked.get(key))
    check(not different, f"{name}: not what docking gives: {different}")
    check(input_of(folder / "again.h5") == input_of(folder / "docked.h5"), f"{name}: other options")
    before = answer(folder / source)
    check(any(before.get(key) != again[key] for key in again), f"{name}: nothing has changed")


def phases_of(file):
    rows = file["run/phases"][:]
    phases = {row["name"].decode(): float(row["seconds"]) for row in rows}
    check(len(phases) == len(rows), f"phases told twice: {rows}")
    return phases


def check_record(program, folder):
    """The docking's record stays, and says what was done since."""
    done(program, folder, "rescore", "all.h5", "--duplicate-radius", "6", "-o", "again.h5", "--force")
    done(program, folder, "rescore", "again.h5", "--clusters", "2", "-o", "twice.h5", "--quiet")
    with h5py.File(folder / "twice.h5") as twice, h5py.File(folder / "again.h5") as again, \
            h5py.File(folder / "all.h5") as docked:
        check(twice["run"].attrs["docking_command_line"] == docked["run"].attrs["command_line"], "origin")
        check(" rescore again.h5" in twice["run"].attrs["command_line"], "command line")
        first, second = phases_of(again), phases_of(twice)
        check(second["rescore"] > first["rescore"] > 0, f"rescore is not of both together: {first}, {second}")
        check({**first, "rescore": 0} == {**second, "rescore": 0}, f"the docking's phases: {first}, {second}")
        check(phases_of(docked) == {name: first[name] for name in first if name != "rescore"}, "phases of the docking")
        check(twice["run"].attrs["input_sha256"] != docked["run"].attrs["input_sha256"], "hash")
        check(len(twice["docking/consensus/clusters/center"]) == 2, "clusters")


def check_moved(program, folder):
    """Files that are elsewhere now can be named; others are not taken for them. Without a file, the atoms in the
    result stand for it, with the same bits. A result of an earlier version has none and says what is missing."""
    done(program, folder, "rescore", "all.h5", "--duplicate-radius", "6", "-o", "there.h5")
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    for name in ("receptor.pdb", "ligand.pdb"):
        (folder / name).rename(elsewhere / name)
    moved = ("--receptor", "elsewhere/receptor.pdb", "--ligand", "elsewhere/ligand.pdb")
    shutil.copy(folder / "all.h5", folder / "bad.h5")
    with h5py.File(folder / "bad.h5", "a") as file:
        del file["docking/receptor"], file["docking/ligand"]
    refused(program, folder, "'receptor.pdb' does not exist.*'bad.h5' does not hold its atoms.*--receptor", "bad.h5",
            "--duplicate-radius", "6")
    done(program, folder, "rescore", "all.h5", "--duplicate-radius", "6", "-o", "stored.h5")
    refused(program, folder, "not the file that was docked.*--ligand", "all.h5", "--duplicate-radius", "6",
            *moved[:3], "elsewhere/receptor.pdb")
    refused(program, folder, "nowhere.pdb", "all.h5", "--duplicate-radius", "6", "--receptor", "nowhere.pdb")
    done(program, folder, "rescore", "all.h5", "--duplicate-radius", "6", "-o", "moved.h5", *moved)
    done(program, folder, "rescore", "bad.h5", "--duplicate-radius", "6", "-o", "old.h5", *moved)
    for name in ("receptor.pdb", "ligand.pdb"):
        (elsewhere / name).rename(folder / name)
    for name in ("stored.h5", "moved.h5", "old.h5"):
        check(answer(folder / name) == answer(folder / "there.h5"), f"{name} is not what the docked files give")
    check(input_of(folder / "stored.h5") == input_of(folder / "there.h5"), "other options")


def check_rerun(program, folder):
    """A rescored result is made again, also from a rescored one, and with a file of its options."""
    done(program, folder, "rescore", "all.h5", "--duplicate-radius", "5", "--clusters", "4", "-o", "first.h5")
    done(program, folder, "rescore", "first.h5", "--cluster-radius", "4", "-o", "second.h5")
    for name in ("first", "second"):
        done(program, folder, "rerun", f"{name}.h5", "--quiet")
        check(answer(folder / f"{name}.rerun.h5") == answer(folder / f"{name}.h5"), f"{name}: rerun differs")
        check(input_of(folder / f"{name}.rerun.h5") == input_of(folder / f"{name}.h5"), f"{name}: other options")
    done(program, folder, "export", "first.h5", "--config", "first.toml")
    done(program, folder, "rescore", "--config", "first.toml", "-o", "from_file.h5")
    check(answer(folder / "from_file.h5") == answer(folder / "first.h5"), "the file of options gives another result")
    refused_rerun = run(program, "rerun", "first.h5", "--device", "serial", "-o", "no.h5", cwd=folder)
    check(refused_rerun.returncode == 2 and "leave --device out" in refused_rerun.stderr, refused_rerun.stderr)
    done(program, folder, *DOCK, "--duplicate-radius", "0", "--seed", "5", "-o", "all.h5", "--force")
    changed = run(program, "rerun", "first.h5", "-o", "no.h5", cwd=folder)
    check(changed.returncode == 2 and "has changed since" in changed.stderr, changed.stderr)
    check(not (folder / "no.h5").exists(), "a file is left")


def check_tables(program, folder):
    """A result names the table of its weights, by the hash of its file. What rescores a result with its own weights
    keeps the name, and a result of an earlier version has none."""
    shipped = pathlib.Path(os.environ["TESSERA_SOURCE_DIR"], "data/potentials/rescoring.csv")
    named = {"all.h5": ("general", shipped), "weighed.h5": ("weights.csv", folder / "weights.csv")}
    (folder / "tables").mkdir()
    shutil.copy(folder / "weights.csv", folder / "tables")
    done(program, folder, "rescore", "all.h5", "--rescoring", "tables/weights.csv", "-o", "weighed.h5")
    shutil.copy(folder / "all.h5", folder / "before.h5")
    with h5py.File(folder / "before.h5", "a") as file:
        for name in ("weights_table", "weights_sha256"):
            del file["docking/consensus"].attrs[name]
    for source, table in (*named.items(), ("before.h5", None)):
        done(program, folder, "rescore", source, "--clusters", "2", "-o", "kept.h5", "--force")
        for result in (source, "kept.h5"):
            text = done(program, folder, "info", result).stdout
            shown = json.loads(done(program, folder, "info", "--json", result).stdout)["docking"]["consensus"]
            with h5py.File(folder / result) as file:
                attributes = file["docking/consensus"].attrs
                found = tuple(attributes.get(name) for name in ("weights_table", "weights_sha256"))
            check(found == (shown.get("weights_table"), shown.get("weights_sha256")), f"{result}: {found}, {shown}")
            if table:
                expected = (table[0], hashlib.sha256(table[1].read_bytes()).hexdigest())
                check(found == expected, f"{result}: {found}, not {expected}")
                check(f"weights    {expected[0]}, SHA-256 {expected[1]}\n" in text, f"{result}: {text}")
            else:
                check(found == (None, None) and "SHA-256" not in text, f"{result}: {found}, {text}")


def refused(program, folder, words, *arguments, output="no.h5"):
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    result = run(program, "rescore", *arguments, "-o", output, cwd=folder)
    lines = own_lines(result.stderr)
    said = f"{arguments}: exit code {result.returncode}, {result.stderr}"
    check(result.returncode in (2, 4), said)
    check(len(lines) == 1 and LINE.match(lines[0]) and re.search(words, lines[0]), said)
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    check(after == before, f"{arguments}: files were changed or left behind")


def without_terms(file):
    del file["docking/consensus/terms"]


def other_weights(file):
    file["docking/consensus"].attrs["weights"] = [1.0, 2.0]


def without_option(file):
    file["run"].attrs["input"] = file["run"].attrs["input"].replace('"exclusion"', '"inclusion"')


def check_refusals(program, folder):
    duplicates = ("--duplicate-radius", "6")
    refused(program, folder, "no option changes the consensus", "all.h5")
    refused(program, folder, "it lacks the refined poses.*--duplicate-radius 0", "run.h5", *duplicates)
    refused(program, folder, "it lacks the refined poses", "run.h5", "--rescoring", "weights.csv")
    refused(program, folder, "--refine", "plain.h5", "--cluster-radius", "4")
    refused(program, folder, "out of range", "all.h5", "--duplicate-radius", "-1")
    refused(program, folder, "out of range", "all.h5", "--clusters", "0")
    refused(program, folder, "cannot read rescoring weights", "all.h5", "--rescoring", "pairs.csv")
    refused(program, folder, "--refine", "plain.h5", "--rescoring", "weights.csv")
    for source in ("all.h5", "ligand.pdb", "weights.csv"):
        refused(program, folder, "an input of this run", "all.h5", *duplicates, "--rescoring", "weights.csv", "--force",
                output=source)
    refused(program, folder, "force", "all.h5", *duplicates, output="run.h5")
    refused(program, folder, "lost.h5", "lost.h5", *duplicates)
    for damage, words in ((without_terms, "terms"), (other_weights, "2 values instead of 10"),
                          (without_option, "exclusion")):
        shutil.copy(folder / "all.h5", folder / "bad.h5")
        with h5py.File(folder / "bad.h5", "a") as file:
            damage(file)
        refused(program, folder, words, "bad.h5", *duplicates)


def main():
    program = os.path.abspath(sys.argv[1])
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-rescore-"))
    try:
        tessera_runs.write_pair(folder)
        write_weights(folder / "weights.csv")
        (folder / "pairs.csv").write_text("first,second\n1,2\n")
        done(program, folder, *DOCK, *JUDGED, "-o", "run.h5")
        done(program, folder, *DOCK, *JUDGED, "--duplicate-radius", "0", "-o", "all.h5")
        done(program, folder, *DOCK, "-o", "unjudged.h5")
        done(program, folder, *DOCK[:-3], "--refine", "0", "-o", "plain.h5")
        for name in SAME:
            expect_same(program, folder, name)
        check_record(program, folder)
        check_tables(program, folder)
        check_moved(program, folder)
        check_refusals(program, folder)
        check_rerun(program, folder)
        print("rescored results are those of docking")
    finally:
        shutil.rmtree(folder)


main()
