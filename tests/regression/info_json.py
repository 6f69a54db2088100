#!/usr/bin/env python3
"""`tessera info --json` says of results of every workload, and of unfinished runs, what h5py reads in them.
Usage: info_json.py PATH/OF/tessera"""

import json
import math
import pathlib
import re
import sys
import tempfile

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import printed_results  # noqa: E402
import small_results  # noqa: E402
from printed_results import same  # noqa: E402
from tessera_runs import check, run  # noqa: E402


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
    check("will continue it" in results.printed("info", "slow.h5.partial"), "a stopped run cannot go on")
    (results.folder / "slow.h5").write_text("as if a kill had met the run between its last two steps")
    for folder in ("slow.h5.partial", "slow.h5.partial/"):
        check("killed after it had written 'slow.h5'" in results.printed("info", folder), "a finished run will go on")


def main():
    with tempfile.TemporaryDirectory(prefix="tessera-info-") as name:
        results = printed_results.make_results(sys.argv[1], name)
        check_info(results)
        check_unfinished(results)
    print("passed")


main()
