#!/usr/bin/env python3
"""`tessera table` and `tessera info --json` say of results of every workload what h5py reads in them; what they cannot
do ends in one line, and files are written whole or not at all.
Usage: tables.py PATH/OF/tessera"""

import csv
import io
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import small_results  # noqa: E402
import tessera_runs  # noqa: E402
from tessera_runs import check, run  # noqa: E402

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+\n$")
CLASSES = ("incorrect", "acceptable", "medium", "high")
EV = 27.211386245988
QUALITY = {"ligand_rmsd_angstrom": "ligand_rmsd", "interface_rmsd_angstrom": "interface_rmsd", "fnat": "fnat",
           "ligand_interface_ca_rmsd_angstrom": "ligand_interface_ca_rmsd", "dockq": "dockq"}


class Results:
    """The folder of the results, and the tables that the program makes of them."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *words, **options):
        return run(self.program, *words, cwd=self.folder, **options)

    def printed(self, *words):
        result = self.run(*words)
        check(result.returncode == 0 and not result.stderr, f"{words}: {result.stderr}")
        return result.stdout

    def table(self, *words):
        """The columns of the table: numpy arrays, texts as they are. CSV and JSON must say the same."""
        rows = json.loads(self.printed("table", *words, "--json"))
        text = self.printed("table", *words)
        lines = list(csv.DictReader(io.StringIO(text)))
        check(len(rows) == len(lines) > 0, f"{words}: {len(lines)} rows of CSV, {len(rows)} of JSON")
        for row, line in zip(rows, lines):
            check(list(row) == list(line), f"{words}: other columns: {list(row)}, {list(line)}")
            for name, value in row.items():
                same = line[name] == "" if value is None else \
                    float(line[name]) == value if isinstance(value, (int, float)) else line[name] == value
                check(same, f"{words}, {name}: {value!r} in JSON, {line[name]!r} in CSV")
        columns = {name: numpy.array([math.nan if row[name] is None else row[name] for row in rows])
                   for name in rows[0]}
        check_pandas(text, columns)
        return columns

    def refused(self, wanted, *words, code=2):
        result = self.run(*words)
        check(result.returncode == code and LINE.match(result.stderr) and re.search(wanted, result.stderr),
              f"{words}: exit code {result.returncode}, {result.stderr!r} without '{wanted}'")


def check_pandas(text, columns):
    """One call reads the table."""
    try:
        import pandas
    except ImportError:
        return
    frame = pandas.read_csv(io.StringIO(text), float_precision="round_trip", keep_default_na=True)
    check(list(frame.columns) == list(columns), "pandas sees other columns")
    for name, values in columns.items():
        if values.dtype.kind in "if":
            same(frame[name], values, f"{name} as pandas reads it")


def same(found, wanted, what):
    found, wanted = numpy.asarray(found), numpy.asarray(wanted)
    equal = found.shape == wanted.shape and (numpy.array_equal(found, wanted, equal_nan=True)
                                             if found.dtype.kind in "if" else list(found) == list(wanted))
    check(equal, f"{what}: {found} instead of {wanted}")


def check_clusters(table, group, count, what):
    cluster, sizes = numpy.full(count, math.nan), numpy.full(count, math.nan)
    members = iter(group["members"][:])
    for number, size in enumerate(group["size"][:]):
        for _ in range(size):
            pose = next(members)
            cluster[pose], sizes[pose] = number + 1, size
    same(table["cluster"], cluster, f"{what}: cluster")
    same(table["cluster_size"], sizes, f"{what}: size of the cluster")


def check_quality(table, group, what):
    for column, name in QUALITY.items():
        same(table[column], group[name][:], f"{what}: {column}")
    same(table["capri_class"], [CLASSES[i] for i in group["capri_class"][:]], f"{what}: class")


def check_places(table, rotations, translations, what):
    for axis, letter in enumerate("wxyz"):
        same(table[f"rotation_{letter}"], rotations[:, axis], f"{what}: rotation {letter}")
    for axis, letter in enumerate("xyz"):
        same(table[f"translation_{letter}_angstrom"], translations[:, axis], f"{what}: translation {letter}")


def check_set(table, docking, name):
    group = docking[f"poses/{name}"]
    rows = {column: values[table["set"] == name] for column, values in table.items()}
    same(rows["pose"], numpy.arange(len(group["score"])) + 1, f"{name}: numbers")
    for column in ("score", "rotation"):
        same(rows[column], group[column][:], f"{name}: {column}")
    for k, term in enumerate(group["terms"].attrs["names"]):
        same(rows[term], group["terms"][:, k], f"{name}: {term}")
    check_places(rows, docking["rotations"][:][group["rotation"][:]], group["translation"][:], name)
    check_clusters(rows, docking[f"clusters/{name}"], len(group["score"]), name)
    if "evaluation" in docking:
        check_quality(rows, docking[f"evaluation/{name}"], name)


def check_consensus(table, docking):
    group, sets = docking["consensus"], docking.attrs["sets"]
    for column in ("score", "pose_score", "contact_energy", "neighbors"):
        same(table[column], group[column][:], f"consensus: {column}")
    for prefix, name in (("", "terms"), ("search_", "search_terms")):
        for k, term in enumerate(group[name].attrs["names"]):
            same(table[prefix + term], group[name][:, k], f"consensus: {prefix}{term}")
    same(table["search_set"], [sets[i] for i in group["set"][:]], "consensus: set")
    same(table["search_pose"], group["rank"][:] + 1, "consensus: pose of the search")
    check_places(table, group["rotation"][:], group["translation"][:], "consensus")
    check_clusters(table, group["clusters"], len(group["score"]), "consensus")
    if "evaluation" in group:
        check_quality(table, group["evaluation"], "consensus")


def check_docking(results):
    with h5py.File(results.folder / "judged.h5") as file:
        docking = file["docking"]
        check_consensus(results.table("judged.h5"), docking)
        sets = list(docking.attrs["sets"])
        table = results.table("judged.h5", "--set", ",".join(sets))
        for name in sets:
            check_set(table, docking, name)
        few = results.table("judged.h5", "--set", ",".join(sets), "--rows", 2)
        check([*few["pose"]] == [1, 2] * len(sets), f"--rows 2 shows poses {few['pose']}")
    with h5py.File(results.folder / "plain.h5") as file:
        table = results.table("plain.h5")
        check(not numpy.isnan(table["cluster"]).all(), "no pose is in a cluster")
        check(set(table["set"]) == set(file["docking"].attrs["sets"]) and "dockq" not in table, "not all sets")
        for name in file["docking"].attrs["sets"]:
            check_set(table, file["docking"], name)


def check_orbitals(results):
    with h5py.File(results.folder / "orbital.h5") as file:
        group, table = file["orbitals"], results.table("orbital.h5")
        same(table["frame"], [1] * len(group["labels"]), "frames")
        for column, name in (("label", "labels"), ("spin", "spins")):
            same(table[column], [text.decode() for text in group[name][:]], column)
        for column, name in (("number", "numbers"), ("energy_hartree", "energies"), ("occupation", "occupations"),
                             ("norm", "norm")):
            same(table[column], group[name][0], column)
        check(numpy.allclose(table["energy_ev"], group["energies"][0] * EV, rtol=1e-15), "energies in eV")


def check_stars(results):
    with h5py.File(results.folder / "likelihood.h5") as file:
        table, group = results.table("likelihood.h5"), file["likelihood"]
        for number in (1, 2):
            stars, rows = group[f"{number}/stars"][:], table["file"] == number
            same(table["wedge"][rows], [group[str(number)].attrs["wedge"]] * len(stars), "wedge")
            same(table["star"][rows], numpy.arange(len(stars)) + 1, "star")
            for column, name in (("l_degree", "l"), ("b_degree", "b"), ("r_kpc", "r"),
                                 ("log10_density", "log10_density")):
                same(table[column][rows], stars[name], column)
            members = group[f"{number}/memberships"]
            for k, name in enumerate(members.attrs["names"]):
                same(table[f"p_{name}"][rows], members[:, k], name)
            check(list(table["most_likely"][rows]) == list(members.attrs["names"][members[:].argmax(axis=1)]),
                  "most likely components")
        check(numpy.isnan(table["p_stream2"][rows]).all(), "the wedge with one stream has members of a second")


def check_fit(results):
    """A parameter that the data do not determine has no standard error."""
    shutil.copy(results.folder / "fit.h5", results.folder / "unsure.h5")
    with h5py.File(results.folder / "unsure.h5", "a") as file:
        file["fit/standard_errors"][0] = math.nan
    with h5py.File(results.folder / "unsure.h5") as file:
        table, fit = results.table("unsure.h5"), file["fit"]
        for column, name in (("name", "names"), ("units", "units"), ("verdict", "verdicts")):
            same(table[column], [text.decode() for text in fit[name][:]], column)
        for column, name in (("start", "start"), ("best", "best"), ("standard_error", "standard_errors"),
                             ("lower_bound", "lower_bounds"), ("upper_bound", "upper_bounds")):
            same(table[column], fit[name][:], column)
        found = json.loads(results.printed("info", "unsure.h5", "--json"))["fit"]["parameters"][0]
        check(found["standard_error"] is None and found["best"] == fit["best"][0], f"info: {found}")


def check_run(results, name):
    """The group /run, number by number."""
    text = results.printed("info", f"{name}.h5", "--json")
    check(text.isascii(), f"{name}: characters beyond ASCII")
    found = json.loads(text)
    with h5py.File(results.folder / f"{name}.h5") as file:
        run_group, record = file["run"], found["run"]
        for key in ("program", "version", "workload", "created"):
            check(found[key] == file.attrs[key], f"{name}: {key}")
        for key in ("input", "build"):
            check(record[key] == json.loads(run_group.attrs[key]), f"{name}: {key}")
        for key in ("command_line", "input_sha256", "tiles_total", "tiles_resumed", "resumed_devices", "device_kinds"):
            check(record[key] == run_group.attrs[key], f"{name}: {key}")
        check(record["warnings"] == list(run_group.attrs["warnings"]), f"{name}: warnings")
        for table in ("ranks", "phases", "retries"):
            rows = run_group[table][:]
            check(len(record[table]) == len(rows), f"{name}: {table}")
            for row, shown in zip(rows, record[table]):
                for column in rows.dtype.names:
                    value = row[column].decode() if rows.dtype[column].kind == "S" else row[column]
                    check(shown[column] == value, f"{name}: {table}, {column}: {shown[column]}, not {value}")
    return found


def check_info(results):
    found = {name: check_run(results, name) for name in ("judged", "plain", "orbital", "likelihood", "fit")}
    with h5py.File(results.folder / "judged.h5") as file:
        shown, sets = found["judged"]["docking"], file["docking/poses"]
        for one in shown["sets"]:
            score = sets[one["name"]]["score"][:]
            check(one["poses"] == len(score) and one["best_score"] == score[0], f"info: {one}")
            check(list(one["weights"].values()) == list(sets[one["name"]].attrs["weights"]), f"info: {one}")
        check(shown["consensus"]["best_score"] == file["docking/consensus/score"][0], "info: consensus")
    check(found["plain"]["docking"]["consensus"] is None, "info: a consensus that is not there")
    with h5py.File(results.folder / "orbital.h5") as file:
        shown = found["orbital"]["orbitals"]
        check(shown["has_values"] and shown["grid"]["shape"] == list(file["orbitals/shape"][:]), "info: grid")
        frame = shown["frames"][0]
        check([one["energy_hartree"] for one in frame["orbitals"]] == list(file["orbitals/energies"][0]), "energies")
        check(frame["density_integral_electrons"] == file["density/integral"][0], "info: density")
    with h5py.File(results.folder / "likelihood.h5") as file:
        shown = found["likelihood"]["likelihood"]
        check(shown["search_likelihood"] == file["likelihood"].attrs["search_likelihood"], "info: likelihood")
        for number, wedge in enumerate(shown["wedges"], start=1):
            check(wedge["stream_integrals"] == list(file[f"likelihood/{number}/stream_integrals"][:]), "integrals")
    with h5py.File(results.folder / "fit.h5") as file:
        shown = [[math.nan if one is None else one for one in row] for row in found["fit"]["fit"]["covariance"]]
        same(shown, file["fit/covariance"][:], "info: covariance")


def check_unfinished(results):
    """A run that a signal stops before its first tile, and one with tiles, are told as JSON."""
    slow = ("orbital", small_results.ORBITAL[1], "--orbitals", "all", "--spacing", "0.006", "--norms-only", "-o", "slow.h5")
    stopped = run("timeout", "--preserve-status", "-s", "USR1", "3", results.program, *slow, cwd=results.folder,
                  environment={"OMP_NUM_THREADS": "1"})
    if stopped.returncode == 0:
        print("unfinished runs were not tested: this machine is too fast")
        return
    check(stopped.returncode == 75, f"stopped: exit code {stopped.returncode}, {stopped.stderr}")
    folder, told = results.folder / "slow.h5.partial", re.search(r"after the (\d+) of (\d+) tiles", stopped.stderr)
    if not folder.exists():
        print("unfinished runs were not tested: the run was stopped before its first tile")
        return
    found = json.loads(results.printed("info", "slow.h5.partial", "--json"))
    check(not found["complete"] and not found["running"] and found["holder"] is None, f"unfinished: {found}")
    check(found["workload"] == "orbital" and 0 < found["tiles_done"] < found["tiles_total"], f"unfinished: {found}")
    check(told and [found["tiles_done"], found["tiles_total"]] == [int(number) for number in told.groups()],
          f"{stopped.stderr} although {found}")
    check(sum(one["tiles_done"] for one in found["devices"]) == found["tiles_done"], f"devices: {found}")
    results.refused("tessera info", "table", "slow.h5.partial")


def check_files(results):
    """-o writes a whole file that is not there yet; --force replaces tables only."""
    for name in ("judged", "plain", "orbital", "likelihood", "fit"):
        for form in ("--csv", "--json"):
            words = ("table", f"{name}.h5", form, "-o", "out.txt")
            results.printed(*words, "--force")
            check((results.folder / "out.txt").read_text() == results.printed(*words[:3]), f"{words}: other bytes")
            results.refused("exists already", *words)
    (results.folder / "mine.csv").write_text("set,pose\n")
    results.refused("did not write", "table", "fit.h5", "-o", "mine.csv", "--force")
    results.refused("input", "table", "fit.h5", "-o", "fit.h5", "--force")
    results.refused("no folder", "table", "fit.h5", "-o", "nowhere/out.csv")
    check(not [p.name for p in results.folder.iterdir() if ".tmp" in p.name], "a temporary file is left")
    if os.path.exists("/dev/full"):
        for words in (("table", "fit.h5"), ("table", "likelihood.h5", "--json"), ("info", "fit.h5", "--json")):
            with open("/dev/full", "w") as full:
                ended = run_to(full, results, *words)
            check(ended != 0, f"{words} > /dev/full: exit code {ended}")


def run_to(stream, results, *words):
    return subprocess.run([results.program, *words], cwd=results.folder, stdout=stream,
                          stderr=subprocess.DEVNULL).returncode


def check_summary_of_pairs(results, pairs):
    """Nothing is made of the table of all pairs; the first result that is there is named."""
    (pairs / "pairs.csv").write_text("name,status,reason,grid,search_seconds,vdw_best_score,warnings\n"
                                     "lost,failed,no such file,,,,\ngone,done,,48,0.1,-3.5,\nthere,done,,48,0.1,-3.5,\n")
    readers = (("table",), ("info",), ("info", "--json"), ("report", "-o", "out.html"), ("export", "--poses", "3", "models"),
               ("rescore", "--clusters", "3", "-o", "again.h5"))
    for named, there in ((r"NAME\.h5", False), (r"pairs/there\.h5", True)):
        if there:
            shutil.copy(results.folder / "plain.h5", pairs / "there.h5")
        for command, *words in readers:
            results.refused(rf"'pairs/pairs.csv' is the summary of many pairs \(.+ one result file\): .*{named}",
                            command, "pairs/pairs.csv", *words)
    check(not (results.folder / "models").exists() and not (results.folder / "out.html").exists(), "files are left")


def check_refusals(results):
    results.refused("it holds", "table", "plain.h5", "--set", "nothing")
    results.refused("it holds", "table", "plain.h5", "--set", "balanced,consensus")
    results.refused("at a time", "table", "judged.h5", "--set", "consensus,balanced")
    results.refused("no coefficient sets", "table", "fit.h5", "--set", "balanced")
    results.refused("exclude", "table", "fit.h5", "--csv", "--json")
    results.refused("rows", "table", "fit.h5", "--rows", "0")
    pairs = results.folder / "pairs"
    pairs.mkdir()
    results.refused("a folder", "table", "pairs")
    (pairs / "pairs.csv").write_text("name,status\n")
    results.refused("pairs.csv", "table", "pairs/")
    check_summary_of_pairs(results, pairs)
    shutil.copy(results.folder / "plain.h5", results.folder / "bad.h5")
    with h5py.File(results.folder / "bad.h5", "a") as file:
        file["docking/clusters/balanced/size"][0] -= 1
    results.refused("members", "table", "bad.h5")
    with h5py.File(results.folder / "bad.h5", "a") as file:
        file["run"].attrs["input"] = "[" * 20000
    results.refused("JSON", "info", "bad.h5", "--json")


def check_hostile_names(results):
    """Names that a spreadsheet would take for formulas, and control characters."""
    shutil.copy(results.folder / "fit.h5", results.folder / "evil.h5")
    with h5py.File(results.folder / "evil.h5", "a") as file:
        file["fit/names"][0] = '=HYPERLINK("a","b")'
        file["fit/verdicts"][0] = "\x1b]0;evil\x07, really"
    text = results.printed("table", "evil.h5")
    check(all(c.isprintable() or c == "\n" for c in text), f"control characters: {text!r}")
    first = next(csv.DictReader(io.StringIO(text)))
    check(first["name"] == "'=HYPERLINK(\"a\",\"b\")", f"a formula: {first}")
    rows = json.loads(results.printed("table", "evil.h5", "--json"))
    check(rows[0]["verdict"] == "\x1b]0;evil\x07, really", f"JSON: {rows[0]}")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tessera-tables-") as name:
        results = Results(program, pathlib.Path(name))
        small_results.make(program, results.folder)
        dock = small_results.DOCK
        results.printed(*dock, "--reference", "complex.pdb", "--clustered-poses", "60", "-o", "judged.h5", "--quiet")
        results.printed(*dock[:dock.index("--refine")], "--cluster-radius", "40", "-o", "plain.h5", "--quiet")
        check_docking(results)
        check_orbitals(results)
        check_stars(results)
        check_fit(results)
        check_info(results)
        check_files(results)
        check_refusals(results)
        check_hostile_names(results)
        check_unfinished(results)
    print("passed")


main()
