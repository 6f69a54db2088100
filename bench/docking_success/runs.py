"""Docking runs of many complexes. They are started here, or read from existing files."""

import csv
import dataclasses
import json
import pathlib
import subprocess

import h5py
import numpy as np

from failure import fail

PARTS = ("receptor", "ligand", "reference")
QUALITY = ("ligand_rmsd", "interface_rmsd", "fnat", "dockq", "ligand_interface_ca_rmsd", "capri_class")


@dataclasses.dataclass
class Ranking:
    """One list of a run, best first. `poses` and `clusters` map each name of QUALITY to an array. Clusters are judged
    by their centres."""

    poses: dict
    clusters: dict


@dataclasses.dataclass
class Run:
    """One complex: {list name: Ranking}, seconds by phase, and the input (JSON) of the run."""

    name: str
    rankings: dict
    seconds: dict
    input: dict


def complexes_in(folder):
    """Folders that hold all three files, by name."""
    found = [path for path in sorted(pathlib.Path(folder).iterdir())
             if all((path / f"{part}.pdb").exists() for part in PARTS)]
    if not found:
        fail(f"no complexes in '{folder}'", "no folder holds receptor.pdb, ligand.pdb and "
             "reference.pdb", "give the unpacked benchmark")
    return found


def write_pairs(complexes, path):
    """The table that `tessera dock --pairs` takes."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("name", *PARTS))
        for folder in complexes:
            rows.writerow((folder.name, *((folder / f"{part}.pdb").resolve() for part in PARTS)))


def dock(complexes, output, launcher, tessera, options):
    """Docks all complexes (folders) in one job. Results that exist are kept."""
    output.mkdir(parents=True, exist_ok=True)
    table = output / "complexes.csv"
    write_pairs(complexes, table)
    status = subprocess.run([*launcher, tessera, "dock", "--pairs", str(table), "-o", str(output),
                             *options]).returncode
    if status == 75:
        fail("the job was told to stop", "exit code 75", "start the same command again")


def read_quality(evaluation):
    return {key: evaluation[key][:] for key in QUALITY}


def read_ranking(evaluation, clusters):
    quality = read_quality(evaluation)
    centers = clusters["center"][:]
    return Ranking(quality, {key: values[centers] for key, values in quality.items()})


def interleaved(rankings):
    """Merges several lists into one: their first poses, their second poses, and so on. Clusters are merged equally."""
    def merge(parts):
        ranks = np.concatenate([np.arange(len(part["fnat"])) for part in parts])
        order = np.argsort(ranks, kind="stable")
        return {key: np.concatenate([part[key] for part in parts])[order] for key in QUALITY}
    return Ranking(merge([r.poses for r in rankings]), merge([r.clusters for r in rankings]))


def read_run(path):
    """The Run in an output of tessera dock with --reference."""
    with h5py.File(path) as file:
        docking = file["docking"]
        if "evaluation" not in docking:
            fail(f"cannot judge '{path}'", "it has no evaluation", "dock with --reference")
        rankings = {name: read_ranking(docking[f"evaluation/{name}"], docking[f"clusters/{name}"])
                    for name in docking.attrs["sets"]}
        if len(rankings) > 1:
            rankings["interleaved"] = interleaved(list(rankings.values()))
        if "consensus/evaluation" in docking:
            rankings["consensus"] = read_ranking(docking["consensus/evaluation"],
                                                 docking["consensus/clusters"])
        phases = file["run/phases"][:]
        seconds = {row["name"].decode(): float(row["seconds"]) for row in phases}
        return Run(path.stem, rankings, seconds, json.loads(file["run"].attrs["input"]))


def read_runs(folder):
    """All runs of a folder, by name. All runs must have the same lists."""
    paths = sorted(pathlib.Path(folder).glob("*.h5"))
    if not paths:
        fail(f"no results in '{folder}'", "no file ends in .h5", "run the docking first")
    runs = [read_run(path) for path in paths]
    for run in runs:
        if run.rankings.keys() != runs[0].rankings.keys():
            fail(f"'{folder}' mixes runs", f"{run.name} has {', '.join(run.rankings)}, {runs[0].name} "
                 f"{', '.join(runs[0].rankings)}", "keep runs of different options apart")
    return runs
