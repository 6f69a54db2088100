#!/usr/bin/env python3
"""A signal before the first tile: while a run starts and prepares its work, and while it waits for another run to
let go of its output. It ends with 75 and one line, leaves nothing half-written, and the same command does the work.
Usage: early_signals.py PATH/OF/tessera"""

import fcntl
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from fit_ranks import WEDGE  # noqa: E402
from tessera_runs import check, own_lines, patience, run  # noqa: E402

DOCK = ("dock", "receptor.pdb", "ligand.pdb", "--spacing", "1", "--terms", "6", "--refine", "0", "--coefficients",
        "balanced", "--rotations", "20000", "--device", "openmp")
SHORT = (*DOCK[:3], "--spacing", "4", "--terms", "1", *DOCK[7:11], "--rotations", "10000")
PAIRS = ("dock", "--pairs", "pairs.csv", *DOCK[3:])
FIT = ("fit", "wedge.toml", "--stars", "stars.txt")
EXACT = ("likelihood", "wide.toml", "--stars", "stars.txt", "--integration", "exact")
SIGNALS = (signal.SIGUSR1, signal.SIGTERM, signal.SIGINT)


def start(program, folder, *words, **environment):
    return subprocess.Popen([program, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=dict(os.environ, OMP_NUM_THREADS="1", **environment))


def catches(process, number):
    """Whether the process has a handler for the signal."""
    for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("SigCgt:"):
            return bool(int(line.split()[1], 16) >> (number - 1) & 1)
    return False


def wait_for_start(process, number):
    """Until it catches the signal. One that would die of it is not waited for longer than it takes to get going
    anywhere."""
    deadline = time.monotonic() + 3
    while process.poll() is None and not catches(process, number) and time.monotonic() < deadline:
        time.sleep(0.001)


def expect_stopped(process, what):
    _, told = process.communicate(timeout=patience(100))
    lines = [line for line in own_lines(told) if line.startswith("tessera: ")]
    check(process.returncode == 75, f"{what} ends with {process.returncode}: {told}")
    check(len(lines) == 1 and "start the same command again" in lines[0], f"{what}: {told}")
    return told


def test_while_it_starts(program, folder):
    for number in SIGNALS:
        process = start(program, folder, *DOCK, "-o", "early.h5")
        wait_for_start(process, number)
        process.send_signal(number)
        expect_stopped(process, f"dock with {number.name}")
        left = sorted(path.name for path in folder.glob("early.h5*"))
        check(left in ([], ["early.h5.partial"]), f"left behind: {left}")
    for words in ((*PAIRS, "-o", "many"), (*FIT, "-o", "fit.h5"), (*EXACT, "-o", "exact.h5"),
                  ("orbital", pathlib.Path(os.environ["TESSERA_SOURCE_DIR"]) / "examples/water.molden", "--spacing",
                   "0.05", "-o", "orbital.h5")):
        process = start(program, folder, *words)
        wait_for_start(process, signal.SIGUSR1)
        process.send_signal(signal.SIGUSR1)
        expect_stopped(process, " ".join(map(str, words[:2])))
    check(not list(folder.glob("*.h5")) and not list(folder.glob("many/*.h5")), "a stopped run has a result")
    print("a signal while a run starts ends it with 75")


def has_open(process, path):
    folder = pathlib.Path(f"/proc/{process.pid}/fd")
    try:
        return any(os.readlink(link) == str(path) for link in folder.iterdir())
    except FileNotFoundError:  # closed meanwhile
        return False


def test_while_it_reads(program, folder):
    """A signal does not wait for the end of an input, be it large or its disk slow."""
    large = folder.resolve() / "large.molden"
    large.write_text("[Molden Format]\n" * 5000)
    os.truncate(large, 4 << 30)
    process = start(program, folder, "orbital", large.name, "-o", "large.h5")
    while process.poll() is None and not has_open(process, large):
        time.sleep(0.005)
    process.send_signal(signal.SIGTERM)
    told = expect_stopped(process, "orbital that reads")
    check("while reading 'large.molden'" in told, told)
    large.unlink()
    print("a signal ends the reading of an input")


def test_signal_taken(folder):
    """The faulty program is one whose MPI has taken SIGUSR1 for itself."""
    process = start(os.environ["TESSERA_FAULTY"], folder, *DOCK, "-o", "taken.h5")
    for line in process.stderr:  # the last one before the journal: MPI has started
        if line.startswith("memory: "):
            break
    process.send_signal(signal.SIGUSR1)
    expect_stopped(process, "dock whose MPI took the signal")
    print("a signal that a library has taken ends a run with 75")


def test_goes_on(program, folder):
    """What an earlier run has done is not lost by one that is stopped before its first tile."""
    short = (*SHORT, "-o", "kept.h5")
    process = start(program, folder, *short)
    partial = folder / "kept.h5.partial"
    while process.poll() is None and not any(path.stat().st_size > 200 for path in partial.glob("tiles-*")):
        time.sleep(0.005)
    process.send_signal(signal.SIGUSR1)
    expect_stopped(process, "dock")
    kept = {path.name: path.read_bytes() for path in partial.glob("tiles-*")}
    process = start(program, folder, *short)
    wait_for_start(process, signal.SIGUSR1)
    process.send_signal(signal.SIGUSR1)
    expect_stopped(process, "dock that goes on")
    for name, content in kept.items():
        check((partial / name).read_bytes() == content, f"{name} has changed")
    again = run(program, *short, cwd=folder)
    check(again.returncode == 0 and "goes on after" in again.stderr, again.stderr)
    print("tiles of before are kept")


def test_while_it_waits(program, folder):
    """A run that waits for the lock does not wait on."""
    (folder / "held.h5.partial").mkdir()
    with open(folder / "held.h5.partial/lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write("process 1 of this test\n")
        lock.flush()
        process = start(program, folder, *SHORT, "-o", "held.h5", TESSERA_LOCK_PATIENCE="1000")
        for line in process.stderr:  # the last one before the journal
            if line.startswith("memory: "):
                break
        time.sleep(0.3)
        check(process.poll() is None, "does not wait for the lock")
        process.send_signal(signal.SIGTERM)
        expect_stopped(process, "dock that waits")
    print("a signal ends the wait for another run")


def test_nothing_to_stop(program, folder):
    """Commands that keep nothing die of a signal as any program does."""
    process = start(program, folder, "simulate", "wedge.toml", "--number", "20000000", "-o", "many.txt")
    time.sleep(1)
    check(process.poll() is None, "simulate is done already")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=patience(30))
    check(process.returncode == -signal.SIGTERM, f"simulate ends with {process.returncode}")
    print("a signal ends commands that keep nothing at once")


def main():
    program = os.path.abspath(sys.argv[1])
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-early-"))
    try:
        tessera_runs.write_pair(folder)
        (folder / "pairs.csv").write_text("name,receptor,ligand\none,receptor.pdb,ligand.pdb\n"
                                          "two,ligand.pdb,receptor.pdb\n")
        (folder / "wedge.toml").write_text(WEDGE)
        (folder / "wide.toml").write_text(WEDGE.replace("steps = 20", "steps = 400"))  # seconds of work
        made = run(program, "simulate", "wedge.toml", "--number", "20000", "--seed", "4", "-o", "stars.txt", cwd=folder)
        check(made.returncode == 0, made.stderr)
        test_while_it_starts(program, folder)
        test_while_it_reads(program, folder)
        test_signal_taken(folder)
        test_goes_on(program, folder)
        test_while_it_waits(program, folder)
        test_nothing_to_stop(program, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
