#!/usr/bin/env python3
"""`tessera table` says of results of every workload what h5py reads in them; what it cannot do ends in one line, and
files are written whole or not at all. `tessera info --json`: info_json.py.
Usage: tables.py PATH/OF/tessera"""

import csv
import io
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import printed_results  # noqa: E402
from printed_results import same  # noqa: E402
from tessera_runs import check  # noqa: E402

CLASSES = ("incorrect", "acceptable", "medium", "high")
EV = 27.211386245988
QUALITY = {"ligand_rmsd_angstrom": "ligand_rmsd", "interface_rmsd_angstrom": "interface_rmsd", "fnat": "fnat",
           "ligand_interface_ca_rmsd_angstrom": "ligand_interface_ca_rmsd", "dockq": "dockq"}


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
    for command, *words in (("table",), ("info",), ("info", "--json"), ("export", "--poses", "1", "models")):
        results.refused("pairs.csv", command, "pairs/", *words)
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
    with tempfile.TemporaryDirectory(prefix="tessera-tables-") as name:
        results = printed_results.make_results(sys.argv[1], name)
        check_docking(results)
        check_orbitals(results)
        check_stars(results)
        check_fit(results)
        check_files(results)
        check_refusals(results)
        check_hostile_names(results)
    print("passed")


main()
