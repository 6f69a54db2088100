#!/usr/bin/env python3
"""Keeps the valid result of a work unit, for BOINC's script_assimilator:

    script_assimilator --app tessera --script "assimilate.py wu_id files"

Copies the result to FOLDER/WU.h5, and writes FOLDER/WU.json with the likelihood, and for a fit with the parameters and
their errors. A work unit that failed leaves FOLDER/WU.json with its error. FOLDER is TESSERA_RESULTS in the
environment, or ../results. A second call for a work unit writes the same files again."""

import json
import math
import os
import pathlib
import shutil
import sys

import h5py


def finite(number):
    number = float(number)
    return number if math.isfinite(number) else None


def summary_of(path):
    with h5py.File(path, "r") as file:
        summary = {"workload": file.attrs["workload"], "input_sha256": file["run"].attrs["input_sha256"]}
        if "fit" in file:
            fit = file["fit"]
            summary["likelihood"] = finite(fit.attrs["likelihood"])
            summary["converged"] = bool(fit.attrs["converged"])
            names = [str(name) for name in fit["names"].asstr()]
            summary["parameters"] = dict(zip(names, map(finite, fit["best"])))
            summary["standard_errors"] = dict(zip(names, map(finite, fit["standard_errors"])))
        elif "likelihood" in file:
            summary["likelihood"] = finite(file["likelihood"].attrs["search_likelihood"])
    return summary


def put(path, write):
    """Calls write(name); the file appears under its own name when it is whole."""
    beside = path.with_name(path.name + ".part")
    write(beside)
    beside.replace(path)


def main():
    words = sys.argv[1:]
    folder = pathlib.Path(os.environ.get("TESSERA_RESULTS", "../results"))
    if len(words) == 3 and words[0] == "--error":
        unit, summary = words[2], {"error": int(words[1])}
    elif len(words) == 2:
        unit, summary = words[0], summary_of(words[1])
    else:
        sys.exit("usage: assimilate.py WU FILE, or assimilate.py --error N WU")
    folder.mkdir(parents=True, exist_ok=True)
    if "error" not in summary:
        put(folder / f"{unit}.h5", lambda name: shutil.copyfile(words[1], name))
    put(folder / f"{unit}.json", lambda name: name.write_text(json.dumps({"work_unit": unit, **summary}) + "\n"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
