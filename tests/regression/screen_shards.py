#!/usr/bin/env python3
"""The files of a screening (tessera screen): shards hold the best poses that tessera dock finds, and the summary is
Parquet. Both have the same content on any number of ranks, and after a kill.
Usage: screen_shards.py PATH/OF/tessera"""

import csv
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from docked_poses import atom_lines, matrices_of, places  # noqa: E402
from screen import write_lists  # noqa: E402
from tessera_runs import check, patience, run  # noqa: E402

SEARCH = ("--spacing", "3", "--rotations", "96", "--clustered-poses", "60")
OPTIONS = (*SEARCH, "--pairs-per-shard", "2")
SHARDS = 3
KEPT = 10
MOST_BYTES = 20_000  # of a pair


def words(output, *more):
    return ("screen", "receptors.csv", "ligands.csv", "-o", output, *OPTIONS, *more)


def screen(program, folder, output, *more, ranks=0):
    result = run(program, *words(output, *more), ranks=ranks, cwd=folder)
    check(result.returncode == 0, f"{output}: exit code {result.returncode}\n{result.stdout}\n{result.stderr}")
    return result


def rows_of(folder, output):
    with open(folder / output / "screen.csv", newline="") as file:
        return list(csv.DictReader(file))


def content(folder):
    """Everything that does not depend on the time, the command and the ranks, by file."""
    found = {"screen.csv": (folder / "screen.csv").read_bytes()}
    for path in sorted((folder / "summary").iterdir()):
        found[path.name] = path.read_bytes()
    for path in sorted((folder / "poses").iterdir()):
        found[path.name] = tessera_runs.answer(path, ("screen",))
    return found


def expect_same(folder, output, whole):
    found = content(folder / output)
    check(found.keys() == whole.keys(), f"{output} has {sorted(found)}, not {sorted(whole)}")
    for name, value in whole.items():
        check(found[name] == value, f"{output}: {name} has other content")


def pairs_of(path):
    """(receptor, ligand) -> (the datasets of its poses, the centre of the ligand)."""
    pairs = {}
    with h5py.File(path) as file:
        check(file.attrs["complete"] == 1, f"{path} is not complete")
        names = {kind: file[f"screen/{kind}s/name"].asstr()[:] for kind in ("receptor", "ligand")}
        group, poses, first = file["screen/pairs"], file["screen/poses"], 0
        for i, count in enumerate(group["poses"][:]):
            name = tuple(names[kind][group[kind][i]] for kind in names)
            values = {key: poses[key][first:first + count] for key in poses}
            values["rotation"] = file["screen/rotations"][:][values["rotation"]]
            pairs[name] = (values, group["ligand_center"][i])
            first += count
    return pairs


def check_poses(program, folder):
    """The poses are the first of the list of tessera dock, to the last bit."""
    screen(program, folder, "one")
    shards = sorted((folder / "one/poses").iterdir())
    check([path.name for path in shards] == [f"shard-{s:06}.h5" for s in range(SHARDS)], f"{shards}")
    pairs = {}
    for path in shards:
        found = pairs_of(path)
        check(path.stat().st_size <= MOST_BYTES * len(found), f"{path} takes {path.stat().st_size} bytes")
        pairs.update(found)
    check(list(pairs) == [(row["receptor"], row["ligand"]) for row in rows_of(folder, "one")], f"{list(pairs)}")
    for name, receptor, ligand in ((("whole", "half"), ("receptor.pdb",), "half.pdb"),
                                   (("picked", "other"), ("complex.pdb", "--receptor-chains", "B"), "receptor.pdb")):
        single = run(program, "dock", receptor[0], ligand, *receptor[1:], *SEARCH, "--coefficients", "balanced",
                     "--poses-per-rotation", "1", "--poses", "1000000", "-o", "single.h5", "--force", cwd=folder)
        check(single.returncode == 0, single.stderr)
        kept, center = pairs[name]
        with h5py.File(folder / "single.h5") as file:
            poses = file["docking/poses/balanced"]
            for key in ("score", "translation", "terms"):
                check(numpy.array_equal(kept[key], poses[key][:KEPT]), f"{key} of {name}")
            rotations = file["docking/rotations"][:][poses["rotation"][:KEPT]]
            check(numpy.array_equal(kept["rotation"], rotations), f"rotations of {name}")
            check(numpy.array_equal(center, file["docking/ligand_center"][:]), f"centre of {name}")
            clusters = file["docking/clusters/balanced"]
            cluster = numpy.zeros(len(poses["score"]), int)
            cluster[clusters["members"][:]] = numpy.repeat(numpy.arange(len(clusters["size"])) + 1, clusters["size"][:])
            check(numpy.array_equal(kept["cluster"], cluster[:KEPT]), f"clusters of {name}")
    print("shards hold the best poses of tessera dock")
    return pairs


def check_commands(program, folder, pairs):
    """info, table and export of a shard."""
    shard = "one/poses/shard-000000.h5"
    told = run(program, "info", shard, cwd=folder)
    check("pairs      2 with 20 poses, from whole__ligand to whole__half" in told.stdout, told.stdout + told.stderr)
    told = json.loads(run(program, "info", shard, "--json", cwd=folder).stdout)
    check(told["screen"]["pairs"] == 2 and told["workload"] == "screen", f"{told}")
    table = run(program, "table", shard, "--pair", "whole__half", "--json", cwd=folder)
    rows = json.loads(table.stdout)
    kept, center = pairs["whole", "half"]
    check([row["score"] for row in rows] == list(kept["score"]), f"{rows}")
    exported = run(program, "export", shard, "--pair", "whole__half", "--poses", "2", "models", cwd=folder)
    check(exported.returncode == 0, exported.stderr)
    moved = places(atom_lines(folder / "models/whole__half_0002.pdb"))
    turn = matrices_of(kept["rotation"][1])
    ligand = (places(atom_lines(folder / "half.pdb")) - center) @ turn.T + kept["translation"][1]
    check(numpy.abs(moved[-len(ligand):] - ligand).max() < 2e-3, "the exported ligand is elsewhere")
    for command, words_of_it, pattern in (
            ("table", (shard, "--pair", "half__whole"), "no pair 'half__whole'"),
            ("export", (shard, "--poses", "1", "more"), "give --pair"),
            ("export", ("single.h5", "--pair", "a__b", "--poses", "1", "more"), "leave --pair out"),
            ("rerun", (shard,), "give the folder of the screening")):
        refused = run(program, command, *words_of_it, cwd=folder)
        check(refused.returncode == 2 and pattern in refused.stderr and len(refused.stderr.splitlines()) == 1,
              f"{command}: {refused.returncode} {refused.stderr}")
    print("poses of a shard are described, listed and exported")


def check_ranks(program, folder, whole):
    for ranks in (2, 3):  # a part runs on one rank
        screen(program, folder, f"ranks{ranks}", ranks=ranks)
        expect_same(folder, f"ranks{ranks}", whole)
    (folder / "one/poses/shard-000001.h5").unlink()  # what the manifest knows, too
    (folder / "one/summary/shard-000007.parquet").write_bytes((folder / "one/summary/shard-000000.parquet").read_bytes())
    screen(program, folder, "one")
    expect_same(folder, "one", whole)
    again = run(program, "rerun", "ranks2", "-o", "again", cwd=folder)
    check(again.returncode == 0, again.stderr)
    expect_same(folder, "again", whole)
    ligand = (folder / "half.pdb").read_text()
    (folder / "half.pdb").write_text(ligand + "REMARK\n")
    refused(run(program, "rerun", "ranks2", "-o", "new", cwd=folder), "'half.pdb' has changed since")
    check(not (folder / "new").exists(), "a refused rerun leaves files")
    (folder / "half.pdb").write_text(ligand)
    print("the same shards and summary on 1, 2 and 3 ranks")


def whole_summaries(folder):
    """The number of files of the summary, none of which may be cut off."""
    texts = [path.read_bytes() for path in folder.glob("summary/*.parquet")]
    for text in texts:
        check(text.startswith(b"PAR1") and text.endswith(b"PAR1"), "a file of the summary is not whole")
    return len(texts)


def check_kill(folder, whole):
    """A reader never sees a file that is not whole. The killed run goes on with another number of ranks."""
    faulty = os.environ["TESSERA_FAULTY"]
    process = subprocess.Popen([faulty, *words("killed")], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True,
                               env=dict(os.environ, OMP_NUM_THREADS="1", TESSERA_TEST_FAULTS="*/pause/0.7"))
    first = folder / "killed/poses/shard-000000.h5"
    until = time.monotonic() + patience(60)
    while not first.exists() and process.poll() is None and time.monotonic() < until:
        whole_summaries(folder / "killed")
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=patience(60))
    check(whole_summaries(folder / "killed") > 0, "there was no summary while the run went on")
    left = list((folder / "killed/poses").glob("*.h5"))
    check(0 < len(left) < SHARDS, f"the kill left {left}")
    for path in left:
        check(tessera_runs.answer(path, ("screen",)) == whole[path.name], f"{path} has other content after the kill")
    screen(faulty, folder, "killed", ranks=3)
    expect_same(folder, "killed", whole)
    print("a killed screening leaves whole files, and goes on to the same ones")


def refused(result, pattern):
    check(result.returncode == 2 and pattern in result.stderr and len(result.stderr.splitlines()) == 1,
          f"not '{pattern}' but exit code {result.returncode}: {result.stderr}")


def check_all(program, folder):
    write_lists(folder)
    pairs = check_poses(program, folder)
    whole = content(folder / "one")
    check_commands(program, folder, pairs)
    check_ranks(program, folder, whole)
    check_kill(folder, whole)


if __name__ == "__main__":
    sys.exit(tessera_runs.in_folder_on_ranks(sys.argv[1], check_all))
