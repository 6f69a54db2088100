#!/usr/bin/env python3
"""What stops a run short of SIGKILL, and what stands in its way: the scheduler's warning, a second run for the
same output, another input, another device, a foreign journal; and what `tessera info` says of an unfinished run.
Usage: resume_faults.py PATH/OF/tessera"""

import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import small_runs  # noqa: E402
from killed_runs import FRAME, HEAD, TILE, tiles_in  # noqa: E402
from stopped_runs import DOCK, end, start, start_paused, the_line, wait_for_anything, wait_for_tiles  # noqa: E402
from tessera_runs import check, patience, run  # noqa: E402


def info(program, folder, partial):
    result = run(program, "info", partial, cwd=folder)
    check(result.returncode == 0, result.stderr)
    return result.stdout


def test_two_runs(program, folder):
    first = start(program, folder, *DOCK, "70000", "-o", "long.h5")
    partial = folder / "long.h5.partial"
    wait_for_tiles(first, partial, 2)
    second = run(program, *DOCK, "70000", "-o", "long.h5", cwd=folder,
                 environment={"TESSERA_LOCK_PATIENCE": "0.3"})
    line = the_line(second.stderr)
    check(second.returncode == 2 and f"held by process {first.pid} on {os.uname().nodename}" in line, line)
    told = info(program, folder, "long.h5.partial")
    check(f"running, process {first.pid}" in told and "of 365 done" in told and "dock run" in told, told)
    first.send_signal(signal.SIGUSR1)
    end(first, 75, "start the same command again")
    kept = len(tiles_in(partial))
    told = info(program, folder, "long.h5.partial")
    check(f"tiles      {kept} of 365 done" in told and "not running" in told and "attempt    1, of 1 rank" in told,
          told)
    another = run(program, *DOCK, "48", "-o", "long.h5", cwd=folder)
    check(another.returncode == 2 and "another input" in the_line(another.stderr), another.stderr)
    check(len(tiles_in(partial)) == kept, "a refused run changed the folder")
    again = start(program, folder, *DOCK, "70000", "-o", "long.h5")
    wait_for_tiles(again, partial, kept + 1)
    again.send_signal(signal.SIGTERM)
    _, told = again.communicate(timeout=patience(60))
    check(again.returncode == 75 and f"goes on after {kept} of 365 tiles" in told, told)
    forced = run(program, *DOCK, "48", "-o", "long.h5", "--force", cwd=folder)
    check(forced.returncode == 0 and not partial.exists() and (folder / "long.h5").exists(), forced.stderr)
    print(f"a second run is refused, a warning keeps {kept} tiles, another input is refused, --force starts over")


def test_another_device(program, folder):
    first = start(program, folder, *DOCK, "3600", "-o", "moved.h5")
    partial = folder / "moved.h5.partial"
    wait_for_tiles(first, partial, 1)
    first.kill()
    first.communicate(timeout=patience(60))
    kept = len(tiles_in(partial))
    # As if it had been computed on a processor of another name: the device is the first record.
    for path in partial.glob("tiles-*"):
        path.write_bytes(renamed_device(path.read_bytes()))
    again = run(program, *DOCK, "3600", "-o", "moved.h5", cwd=folder)
    check(again.returncode == 0 and "another kind of device" in again.stderr, again.stderr)
    with h5py.File(folder / "moved.h5") as file:
        devices = file["run"].attrs["resumed_devices"]
        check(devices.startswith("XX") and devices.endswith(f": {kept} tile{'s' if kept > 1 else ''}"), devices)
    print("another kind of device is told and recorded")


def test_fit_on_another_device(program, folder):
    """The batches of a fit do not say who answered them: a journal beside them does."""
    words = small_runs.arguments("fit")
    process = start_paused(words, folder, "moved-fit.h5", 0.01)
    partial = folder / "moved-fit.h5.partial"
    deadline = time.monotonic() + patience(60)
    while not any(path.stat().st_size > HEAD for path in partial.glob("evaluations")):
        check(process.poll() is None and time.monotonic() < deadline, "the fit writes nothing down")
        time.sleep(0.005)
    process.kill()
    process.communicate(timeout=patience(60))
    (partial / "devices").write_bytes(renamed_device((partial / "devices").read_bytes(), 8))
    again = run(program, *words, "-o", "moved-fit.h5", cwd=folder)
    check(again.returncode == 0 and again.stderr.count("another kind of device (XX") == 1, again.stderr)
    with h5py.File(folder / "moved-fit.h5") as file:
        devices, resumed = (file["run"].attrs[name] for name in ("resumed_devices", "tiles_resumed"))
        check(devices.startswith("XX") and devices.endswith(f": {resumed} tile{'s' if resumed > 1 else ''}"), devices)
    print("another kind of device is told and recorded of a fit, too")


def renamed_device(data, tile=TILE.size):
    """The journal with the first record's device, behind so many bytes, renamed and its checksum made anew."""
    head, frame = HEAD, FRAME.size
    length = int.from_bytes(data[head:head + 8], "little")
    body = data[head + frame:head + frame + tile] + b"XX" + data[head + frame + tile + 2:head + frame + length]
    total = checksum(0, data[32:40] + bytes(8) + length.to_bytes(8, "little") + body)  # the run's key, number 0
    return data[:head + 8] + total.to_bytes(8, "little") + body + data[head + frame + length:]


def checksum(seed, data):
    """io/journal/checksum.cpp, written down a second time."""
    def folded(total, word):
        total = (total ^ word) * 0x9e3779b97f4a7c15 % 2**64
        return total ^ total >> 32

    lanes = [folded(seed, i + 1) >> 16 & 0xffffffff for i in range(16)]
    padded = data + bytes(-len(data) % 64)
    for block in range(0, len(padded), 64):
        for i in range(16):
            at = block + 4 * i
            lane = (lanes[i] ^ int.from_bytes(padded[at:at + 4], "little")) * 0x9e3779b1 % 2**32
            lanes[i] = lane ^ lane >> 15
    total = folded(0, len(data))
    for lane in lanes:
        total = folded(total, lane)
    return total


def test_lost_journal(program, folder):
    """Compressed grids wait in the journal: without it there is no result, and no zeros in their place."""
    words = ["orbital", *[small_runs.WATER] * 5, "--orbitals", "1:7", "--spacing", "0.2", "--compress", "6",
             "--report", "0"]  # a tile a frame
    whole = run(program, *words, "-o", "undisturbed.h5", cwd=folder)
    check(whole.returncode == 0, whole.stderr)
    process = start_paused(words, folder, "lost.h5")
    partial = folder / "lost.h5.partial"
    wait_for_tiles(process, partial, 1)
    (partial / "tiles-1-0").unlink()
    line = end(process, 4, "are in no journal", "start the same command again")
    check(not (folder / "lost.h5").exists(), "half a result")
    again = run(program, *words, "-o", "lost.h5", cwd=folder)
    check(again.returncode == 0, again.stderr)
    small_runs.check_same("grids whose journal was lost", small_runs.contents(folder / "undisturbed.h5"),
                          small_runs.contents(folder / "lost.h5"))
    print(f"a journal that is lost in mid-run: '{line[9:]}', and the same bits after it")


def test_foreign_journal(program, folder):
    """Tiles of a run with another number of rotations, in a folder that is not theirs."""
    for name, rotations in (("some.h5", "3600"), ("other.h5", "4800")):
        process = start(program, folder, *DOCK, rotations, "-o", name)
        wait_for_tiles(process, folder / f"{name}.partial", 2)
        process.kill()
        process.communicate(timeout=patience(60))
    shutil.copy(folder / "some.h5.partial/tiles-1-0", folder / "other.h5.partial/tiles-1-0")
    refused = run(program, *DOCK, "4800", "-o", "other.h5", cwd=folder)
    check(refused.returncode == 2 and "belongs to another run" in the_line(refused.stderr), refused.stderr)
    told = run(program, "info", "other.h5.partial", cwd=folder)
    check(told.returncode == 2 and "belongs to another run" in the_line(told.stderr), told.stderr)
    print("a journal of another run is refused")


def test_taken_name(program, folder, workload):
    """Someone takes the output's name in mid-run: nothing is printed of a result that is not there."""
    pause = 0.01 if workload == "fit" else 0.2  # a fit has hundreds of evaluations
    process = start_paused(small_runs.arguments(workload), folder, "taken.h5", pause)
    partial, taken = folder / "taken.h5.partial", folder / "taken.h5"
    wait_for_anything(process, partial, workload)
    taken.write_text("someone else's")
    told, errors = process.communicate(timeout=patience(60))
    check(process.returncode == 2 and told == "", f"{workload}: exit code {process.returncode}: {told}{errors}")
    check(taken.read_text() == "someone else's" and "cannot write 'taken.h5'" in the_line(errors), errors)
    taken.unlink()
    shutil.rmtree(partial)


def main():
    program = os.path.abspath(sys.argv[1])
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-faults-"))
    try:
        small_runs.write_inputs(folder)
        test_two_runs(program, folder)
        test_another_device(program, folder)
        test_fit_on_another_device(program, folder)
        test_lost_journal(program, folder)
        test_foreign_journal(program, folder)
        for workload in ("dock", "grids", "likelihood", "fit"):
            test_taken_name(program, folder, workload)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
