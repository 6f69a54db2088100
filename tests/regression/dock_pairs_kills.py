#!/usr/bin/env python3
"""Runs of many pairs (tessera dock --pairs) that are stopped, killed or started twice: the summary tells the truth at
any time, and the same command goes on to the same bytes.
Usage: dock_pairs_kills.py PATH/OF/tessera"""

import csv
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import pair_runs  # noqa: E402
import tessera_runs  # noqa: E402
from pair_runs import OPTIONS, SINGLES, dock, done, expect_singles, leftovers, summary  # noqa: E402
from tessera_runs import check, fail, patience, run  # noqa: E402


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
    expect_journal_to_go(program, folder)
    print("stopped and killed runs go on to the same bytes")


def expect_journal_to_go(program, folder):
    """What a kill between the last name of a pair's file and the end of its journal leaves is gone after a rerun."""
    output = folder / "stopped"
    journal = output / "same.h5.partial"
    journal.mkdir()
    (journal / "run").write_text("{}")
    os.utime(journal / "run", (0, 0))
    (output / "pairs.manifest").unlink()  # the pair was not noted as finished
    done(dock(program, folder, "pairs.csv", "stopped"))
    check(not journal.exists(), "the journal of a finished pair was left")


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
    with tempfile.TemporaryDirectory(prefix="tessera-pairs-kills-") as name:
        folder = pathlib.Path(name)
        pair_runs.write_inputs(program, folder)
        ranks = 2 if tessera_runs.has_ranks(program) else 0
        test_stop_and_kill(program, folder, ranks)
        test_growing_summary(program, folder, ranks)
        test_lock(program, folder)
    if not ranks:
        print("SKIPPED on several ranks: no mpiexec here, or TESSERA_MPIEXEC is not set")
        sys.exit(tessera_runs.SKIPPED)


main()
