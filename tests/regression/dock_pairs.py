#!/usr/bin/env python3
"""Docks tables of synthetic pairs in one run (tessera dock --pairs) on 1, 2 and 3 ranks: every file holds the
bytes of the single command, bad rows and tiles fail alone, and a run that was stopped or killed goes on.
Usage: dock_pairs.py PATH/OF/tessera"""

import csv
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import pair_runs  # noqa: E402
import tessera_runs  # noqa: E402
from pair_runs import OPTIONS, SINGLES, dock, done, expect_singles, leftovers, summary  # noqa: E402
from tessera_runs import check, fail, own_lines, patience, run  # noqa: E402


def check_ranks(table, ranks, tiles, told):
    """A row a rank, whose tiles add up; several ranks are told of, with their balance."""
    check(len(table) == ranks and sum(int(row["tiles"]) for row in table) == tiles, f"{table}, {tiles} tiles")
    check(all(row["fate"] == "finished" and row["retries"] == "0" for row in table), f"{table}")
    check(all(float(row["busy_seconds"]) >= 0 and float(row["waiting_seconds"]) >= 0 for row in table), f"{table}")
    check(sum(float(row["busy_seconds"]) for row in table) > 0, f"{table}")
    check((f"balance: the {ranks} ranks computed" in told) == (ranks > 1), told)


def test_same_bytes(program, folder):
    counts = [1, 2, 3] if tessera_runs.has_ranks(program) else [1]
    for ranks in counts:
        output = f"out{ranks}"
        result = done(dock(program, folder, "pairs.csv", output, ranks=ranks if len(counts) > 1 else 0))
        expect_singles(folder, output)
        check(not leftovers(folder, output), f"left behind: {leftovers(folder, output)}")
        tiles = 0
        rows = summary(folder, output)
        check(list(rows) == list(SINGLES), f"rows {list(rows)}")
        for name, row in rows.items():
            with h5py.File(folder / output / f"{name}.h5") as file:
                attributes, table = file["run"].attrs, file["run/ranks"]
                check(attributes["pairs_table"] == "pairs.csv" and attributes["pairs_row"] > 1, "no mention")
                check(sum(table["tiles_done"]) == attributes["tiles_total"], "tiles do not add up")
                kinds = attributes["device_kinds"]  # whichever rank has written the file
                check(kinds.endswith(f": {ranks} rank{'s' if ranks > 1 else ''}"), f"{name}: devices '{kinds}'")
                tiles += attributes["tiles_total"]
                best = min(file["docking/poses/vdw/score"][:])
                phases = {name.decode() for name in file["run/phases"]["name"]}
            check(ranks > 1 or {"load", "search", "rank", "cluster and evaluate"} <= phases, f"{phases}")
            check(row["status"] == "done" and abs(float(row["vdw_best_score"]) - best) < 1e-3, f"{row}")
            check(bool(row["balanced_best_dockq"]) == (name == "native"), f"{row}")
        check_ranks(pair_runs.ranks_of(folder, output), ranks, tiles, result.stderr)
    print(f"ranks {counts}: each pair has the bytes of its single command")
    return counts


def test_reruns(program, folder):
    """The result of a pair, and the whole folder, are made again from what they hold."""
    for name in ("native", "chains"):
        done(run(program, "rerun", f"out1/{name}.h5", "-o", f"again-{name}.h5", cwd=folder))
        check(tessera_runs.answer(folder / f"again-{name}.h5") == tessera_runs.answer(folder / f"{name}.h5"),
              f"{name}: rerun differs")
    done(run(program, "rerun", "out1/", cwd=folder))
    expect_singles(folder, "out1.rerun")
    check(list(summary(folder, "out1.rerun")) == list(SINGLES), "rows of the rerun")
    done(run(program, "export", "out1/native.h5", "--config", "native.toml", cwd=folder))
    text = (folder / "native.toml").read_text()
    check('reference = "complex.pdb"' in text and "pairs =" not in text, text)
    half, refusals = folder / "half.pdb", []
    kept = half.read_bytes()
    half.write_bytes(kept.replace(b"END", b"TER\nEND"))
    refusals.append((run(program, "rerun", "out1", "-o", "no", cwd=folder), "out1/same.h5.* has changed since"))
    half.write_bytes(kept)
    (folder / "nothing").mkdir()
    refusals.append((run(program, "rerun", "nothing", "-o", "no", cwd=folder), "none of its files holds the options"))
    for result, words in refusals:
        lines = own_lines(result.stderr)
        check(result.returncode == 2 and len(lines) == 1 and re.search(words, lines[0]), result.stderr)
    print("results of pairs, and their folder, run again")


def test_bad_rows(program, folder, ranks):
    (folder / "empty.pdb").write_text("END\n")
    (folder / "bad.csv").write_text("name,receptor,ligand\nlost,nowhere.pdb,ligand.pdb\n"
                                    "swapped,ligand.pdb,receptor.pdb\nempty,receptor.pdb,empty.pdb\n"
                                    "same,receptor.pdb,half.pdb\n")
    atoms = [line for line in (folder / "half.pdb").read_text().splitlines() if line.startswith("ATOM")]
    (folder / "trace.pdb").write_text("\n".join([*(line for line in atoms if line[12:16] == " CA "), "END", ""]))
    (folder / "trace.csv").write_text("name,receptor,ligand\ntrace,receptor.pdb,trace.pdb\n")
    done(dock(program, folder, "trace.csv", "trace", ranks=ranks))
    check(summary(folder, "trace")["trace"]["warnings"].startswith("'trace.pdb' lacks N in "),
          f"no warning of bare CA: {summary(folder, 'trace')}")
    result = dock(program, folder, "bad.csv", "bad", ranks=ranks)
    lines = own_lines(result.stderr)
    check(result.returncode == 2, f"exit code {result.returncode}\n{result.stderr}")
    for name, words in (("lost", "nowhere.pdb"), ("empty", "empty.pdb")):
        told = [line for line in lines if line.startswith(f"pair {name} fails")]
        check(len(told) == 1 and words in told[0], f"{name}: {told}")
        check(words in summary(folder, "bad")[name]["reason"], "the reason is not recorded")
        check(not (folder / "bad" / f"{name}.h5").exists(), f"{name} has an output")
    check("docking: done" in result.stderr and "2 of 4 pairs, 2 failed" in result.stderr, result.stderr)
    check("2 of 4 pairs failed" in lines[-1] and lines[-1].startswith("tessera: "), lines[-1])
    expect_singles(folder, "bad", ("swapped", "same"))
    for text, words in (("receptor,ligand\na\n", "line 2"), ("receptor\nx\n", "no column 'ligand'")):
        (folder / "broken.csv").write_text(text)
        result = dock(program, folder, "broken.csv", "broken")
        check(result.returncode == 2 and words in result.stderr, f"{result.returncode} {result.stderr}")
        check(not (folder / "broken").exists(), "a refused table leaves a folder")
    print("bad rows fail alone, bad tables at once")


def expect_failed(folder, output, result, count, words):
    """The run ends with code 4; `count` pairs have failed, each with a line and a reason, and no output."""
    check(result.returncode == 4, f"exit code {result.returncode}\n{result.stderr}")
    lines, rows = own_lines(result.stderr), summary(folder, output)
    failed = [name for name, row in rows.items() if row["status"] == "failed"]
    check(len(failed) == count and f"{count} of 4 pairs failed" in lines[-1], f"{failed}\n{result.stderr}")
    for name in failed:
        told = [line for line in lines if line.startswith(f"pair {name} fails")]
        check(len(told) == 1 and words in told[0] and words in rows[name]["reason"], f"{name}: {told}")
        check(not (folder / output / f"{name}.h5").exists(), f"{name} has an output")
    expect_singles(folder, output, tuple(set(rows) - set(failed)))
    return failed


def test_failing_tiles(program, folder):
    """A tile that fails for good fails its pair; a device that does nothing but fail ends the run."""
    words = "failed: device error (on order)"
    failed = expect_failed(folder, "tile", dock(program, folder, "pairs.csv", "tile", faults="*/error-after/3"), 1,
                           words)
    check(failed == ["same"], f"{failed}: the fourth tile is the second pair's second")
    expect_failed(folder, "tiles", dock(program, folder, "pairs.csv", "tiles", faults="*/error/1"), 4, words)
    done(dock(program, folder, "pairs.csv", "tile"))
    expect_singles(folder, "tile")
    rows = "".join(f"p{row},receptor.pdb,half.pdb\n" for row in range(9))
    (folder / "nine.csv").write_text("name,receptor,ligand\n" + rows)
    result = dock(program, folder, "nine.csv", "nine", faults="*/error/0")
    check(result.returncode == 4 and "fails on one pair after another" in own_lines(result.stderr)[-1],
          f"exit code {result.returncode}\n{result.stderr}")
    print("a tile that fails for good fails its pair alone")


def test_handed_on(program, folder):
    """A tile that fails on one rank is done by another; one that fails on all of them fails its pair."""
    for output, ranks, faults in (("after", 2, "1/error-after/0"), ("either", 2, "0/memory/1,1/not-finite/0"),
                                  ("first", 3, "0/error/0,0/error/1"), ("two", 3, "0/memory/0,2/memory/0")):
        result = done(dock(program, folder, "pairs.csv", output, ranks=ranks, faults=faults + ",*/pause/0.1"))
        expect_singles(folder, output)
        check(not leftovers(folder, output), f"left behind: {leftovers(folder, output)}")
        rows = []
        for name in SINGLES:
            with h5py.File(folder / output / f"{name}.h5") as file:
                check(sum(file["run/ranks"]["tiles_done"]) == file["run"].attrs["tiles_total"], "tiles do not add up")
                rows += [(int(row["rank"]), row["outcome"].decode()) for row in file["run/retries"][:]]
        check(rows and "fails" not in result.stderr, f"{output}: {rows}, {result.stderr}")
        for rank, outcome in rows:
            check(outcome.startswith("handed on, done by rank ") and not outcome.endswith(f" {rank}"), f"{rows}")
    result = dock(program, folder, "pairs.csv", "nowhere", ranks=2, faults="*/memory/1")
    expect_failed(folder, "nowhere", result, 4, "failed on 2 ranks: out of memory (on order)")
    print("tiles that fail on one rank are done by another")


def test_resume(program, folder, ranks):
    """Finished pairs stay as they are; a missing one is made; another input is not overwritten."""
    before = {path.name: path.read_bytes() for path in (folder / "bad").iterdir() if path.suffix == ".h5"}
    (folder / "bad.csv").write_text("name,receptor,ligand,reference\nnative,receptor.pdb,ligand.pdb,complex.pdb\n"
                                    "swapped,ligand.pdb,receptor.pdb,\nsame,receptor.pdb,half.pdb,\n")
    result = done(dock(program, folder, "bad.csv", "bad", ranks=ranks))
    check("2 done before, 1 to do" in result.stderr, result.stderr)
    for name, content in before.items():
        check((folder / "bad" / name).read_bytes() == content, f"{name} was written again")
    expect_singles(folder, "bad", ("native", "swapped", "same"))
    rows = summary(folder, "bad")
    check(all(row["status"] == "done" and row["vdw_best_score"] for row in rows.values()), f"{rows}")
    with h5py.File(folder / "bad/same.h5", "a") as file:
        file["docking/poses/vdw/score"][0] = float("nan")
    damaged = dock(program, folder, "bad.csv", "bad")
    check(damaged.returncode == 2 and "is nan" in summary(folder, "bad")["same"]["reason"], damaged.stderr)
    (folder / "bad/same.h5").write_bytes(before["same.h5"])
    with h5py.File(folder / "bad/same.h5", "a") as file:
        build = json.loads(file["run"].attrs["build"])
        file["run"].attrs["build"] = json.dumps(build | {"git_revision": "0123456789ab"})
    elder = dock(program, folder, "bad.csv", "bad")  # of the same version
    check(elder.returncode == 2 and "by this build" in summary(folder, "bad")["same"]["reason"], elder.stderr)
    (folder / "bad/same.h5").write_bytes(before["same.h5"])
    other = run(program, "dock", "--pairs", "bad.csv", "-o", "bad", *OPTIONS, "--exclusion", "5", cwd=folder)
    check(other.returncode == 2 and "--force" in summary(folder, "bad")["same"]["reason"], other.stderr)
    for name, content in before.items():
        check((folder / "bad" / name).read_bytes() == content, f"{name} was replaced")
    done(dock(program, folder, "bad.csv", "bad", "--exclusion", "5", "--force"))
    check((folder / "bad/same.h5").read_bytes() != before["same.h5"], "--force did not replace")
    print("finished pairs are kept, missing ones made, others' results left alone")


def start(program, folder, output, ranks):
    words = [program, "dock", "--pairs", "pairs.csv", "-o", output, *OPTIONS]
    if ranks:
        words = [os.environ["TESSERA_MPIEXEC"], "-n", str(ranks)] + words
    return subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                            env=dict(os.environ, OMP_NUM_THREADS="1"), start_new_session=True)


def end(process, number):
    os.killpg(process.pid, number)
    try:
        return process.communicate(timeout=patience(60))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        fail(f"signal {number} does not stop a run")


def wait_for_first(folder, output, process):
    """Until one pair has its file, or the run has ended."""
    while process.poll() is None and not any((folder / output).glob("*.h5")):
        time.sleep(0.02)


def expect_progress(program, folder, output):
    """What `tessera info` says of a run under way with a pair done."""
    told = run(program, "info", f"{output}/pairs.csv.partial", cwd=folder).stdout
    counts = re.search(r"^pairs +(\d) of 4 done$", told, re.MULTILINE)
    check(counts and int(counts[1]) >= 1 and "dock --pairs run\n" in told and "running, process" in told and
          "last pair written" in told and "tiles" not in told, told)


def test_stop_and_kill(program, folder, ranks):
    process = start(program, folder, "stopped", 0)
    wait_for_first(folder, "stopped", process)
    expect_progress(program, folder, "stopped")
    _, told = end(process, signal.SIGTERM)
    finished = [path.name for path in (folder / "stopped").glob("*.h5")]
    check(process.returncode == 75 and "start the same command again" in told,
          f"exit code {process.returncode} with {finished}: {told}")
    check(0 < len(finished) < 4, f"finished {finished}: nothing was cut short")
    states = [row["status"] for row in summary(folder, "stopped").values()]
    check(states.count("done") == len(finished) and states.count("unfinished") == 4 - len(finished),
          f"{states}")
    interrupted = 0
    for round_number in range(3):  # kill -9 at other moments, the last one perhaps after the end
        process = start(program, folder, "stopped", ranks)
        time.sleep(0.4 + 0.5 * round_number)
        if process.poll() is None:
            interrupted += 1
            end(process, signal.SIGKILL)
        expect_whole_lines(folder, "stopped")
    check(interrupted > 0, "no kill met a run")
    done(dock(program, folder, "pairs.csv", "stopped", ranks=ranks))
    expect_singles(folder, "stopped")
    torn = [name for name in leftovers(folder, "stopped") if ".tmp" not in name]
    check(not torn, f"left behind: {torn}")
    print("stopped and killed runs go on to the same bytes")


def expect_whole_lines(folder, output):
    """What the summary of a killed run holds: whole rows of pairs that have ended."""
    path = folder / output / "pairs.csv"
    if not path.exists():
        return
    text = path.read_text()
    columns = len(next(csv.reader([text.splitlines()[0]])))
    check(text.endswith("\n") and all(len(row) == columns for row in csv.reader(text.splitlines())), text)
    rows = summary(folder, output)
    check(len(rows) == len(text.splitlines()) - 1, f"a pair has two rows: {text}")
    for name, row in rows.items():
        check(row["status"] != "done" or (folder / output / f"{name}.h5").exists(), f"{name} has no file: {text}")


def test_growing_summary(program, folder, ranks):
    """The summary names a finished pair while the run goes on, and still does after a kill."""
    process = start(program, folder, "growing", 0)
    wait_for_first(folder, "growing", process)
    deadline = time.monotonic() + patience(20)
    while process.poll() is None and time.monotonic() < deadline:
        path = folder / "growing/pairs.csv"
        if path.exists() and ",done," in path.read_text():
            break
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGSTOP)
    running, states = process.poll() is None, [row["status"] for row in summary(folder, "growing").values()]
    expect_whole_lines(folder, "growing")
    end(process, signal.SIGKILL)
    check(running and states and set(states) == {"done"} and len(states) < 4, f"{running}, {states}")
    kept = len(states)
    check([row["status"] for row in summary(folder, "growing").values()].count("done") >= kept, "a row is lost")
    done(dock(program, folder, "pairs.csv", "growing", ranks=ranks))
    expect_singles(folder, "growing")
    check(list(summary(folder, "growing")) == list(SINGLES), "the rows are not in the order of the table")
    print("the summary grows while the run goes on")


def test_manifest(program, folder):
    """A start that finds everything done gives the same summary with a manifest, without one and with a torn one."""
    summary_path, manifest = folder / "out1/pairs.csv", folder / "out1/pairs.manifest"
    kept = summary_path.read_bytes()

    def again(output, what):
        result = done(dock(program, folder, "pairs.csv", output))
        check("4 done before, 0 to do" in result.stderr, f"{what}: {result.stderr}")
        check((folder / output / "pairs.csv").read_bytes() == kept, f"{what}: another summary")

    time.sleep(2.1)  # an input that has just changed is hashed again, and test_reruns has written one
    again("out1", "with the manifest of the run")
    size = manifest.stat().st_size
    again("out1", "a second time")
    check(manifest.stat().st_size == size, "the manifest grows although nothing is new")
    manifest.write_bytes(manifest.read_bytes()[:-7])
    again("out1", "with a torn manifest")
    manifest.unlink()
    again("out1", "without a manifest, as in a folder of an older version")
    shutil.copytree(folder / "out1", folder / "copied")
    again("copied", "in a copy of the folder")
    stamp = (folder / "copied/same.h5").stat()
    content = bytearray((folder / "copied/same.h5").read_bytes())
    content[:64] = bytes(64)
    (folder / "copied/same.h5").write_bytes(content)
    os.utime(folder / "copied/same.h5", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    damaged = dock(program, folder, "pairs.csv", "copied")
    check(damaged.returncode == 2 and "3 done before" in damaged.stderr and
          summary(folder, "copied")["same"]["status"] == "failed", damaged.stderr)
    print("a manifest, its loss and its tears change nothing but the time")


def test_lock(program, folder):
    process = start(program, folder, "held", 0)
    while process.poll() is None and not (folder / "held/pairs.csv.partial/lock").exists():
        time.sleep(0.02)
    time.sleep(0.3)
    check(process.poll() is None, "the first run was over before the second began")
    os.killpg(process.pid, signal.SIGSTOP)
    second = run(program, "dock", "--pairs", "pairs.csv", "-o", "held", *OPTIONS, cwd=folder,
                 environment={"TESSERA_LOCK_PATIENCE": "0.5"})
    os.killpg(process.pid, signal.SIGCONT)
    process.communicate(timeout=patience(60))
    check(second.returncode != 0 and "held by process" in second.stderr, second.stderr)
    expect_singles(folder, "held")
    print("two runs of one folder do not meet")


def main():
    program = os.path.abspath(sys.argv[1])
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-dock-pairs-"))
    try:
        pair_runs.write_inputs(program, folder)
        counts = test_same_bytes(program, folder)
        test_reruns(program, folder)
        test_manifest(program, folder)
        ranks = 2 if len(counts) > 1 else 0
        test_bad_rows(program, folder, ranks)
        test_failing_tiles(os.environ["TESSERA_FAULTY"], folder)
        if ranks:
            test_handed_on(os.environ["TESSERA_FAULTY"], folder)
        test_resume(program, folder, ranks)
        test_stop_and_kill(program, folder, ranks)
        test_growing_summary(program, folder, ranks)
        test_lock(program, folder)
        if len(counts) == 1:
            print("SKIPPED on several ranks: no mpiexec here, or TESSERA_MPIEXEC is not set")
            sys.exit(tessera_runs.SKIPPED)
    finally:
        shutil.rmtree(folder)


main()
