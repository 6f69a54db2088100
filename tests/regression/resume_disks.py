#!/usr/bin/env python3
"""Full disks, from the start or in mid-run: one line with exit code 4, what was done is kept, and the same command goes
on once there is room.
Usage: resume_disks.py PATH/OF/tessera"""

import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import small_runs  # noqa: E402
from killed_runs import tiles_in  # noqa: E402
from stopped_runs import DOCK, end, start, start_paused, the_line, wait_for_anything, wait_for_tiles  # noqa: E402
from tessera_runs import check, run  # noqa: E402


def test_full_disk(program, folder):
    # A limit on the size of files stands for a disk that is full; SIGXFSZ is ignored as Python does.
    process = start(program, folder, *DOCK, "3600", "-o", "full.h5", restore_signals=False)
    partial = folder / "full.h5.partial"
    wait_for_tiles(process, partial, 1)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (50000, 50000))
    end(process, 4, "cannot write the journal", "start the same command again")
    kept = len(tiles_in(partial))
    check(kept >= 1 and not (folder / "full.h5").exists(), f"{kept} tiles kept")
    again = run(program, *DOCK, "3600", "-o", "full.h5", cwd=folder)
    check(again.returncode == 0 and f"goes on after {kept} of 19 tiles" in again.stderr, again.stderr)
    print(f"a limit on files: one line, exit code 4, {kept} tiles kept and gone on with")


def check_small_result(program, folder, place):
    """No room for the result itself: one line that says so, and the tiles stay."""
    subprocess.run(["mount", "-o", "remount,size=36k", place], check=True)
    result = run(program, *DOCK, "48", "-o", "small/result.h5", cwd=folder)
    line = the_line(result.stderr)
    check(result.returncode == 4 and line.endswith("result.h5' (No space left on device): check that the disk has space"),
          f"exit code {result.returncode}: {line}")
    check(not (place / "result.h5").exists() and tiles_in(place / "result.h5.partial"), "no tiles, or half a result")
    subprocess.run(["mount", "-o", "remount,size=1m", place], check=True)
    again = run(program, *DOCK, "48", "-o", "small/result.h5", cwd=folder)
    check(again.returncode == 0 and (place / "result.h5").exists(), again.stderr)
    (place / "result.h5").unlink()


def test_small_disk(program, folder):
    place = folder / "small"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160k", "tmpfs", place],
                      stderr=subprocess.DEVNULL).returncode != 0:
        print("SKIPPED on a full disk of its own: no permission to mount one")
        return
    try:
        process = start(program, folder, *DOCK, "3600", "-o", "small/full.h5")
        line = end(process, 4, "No space left on device")
        kept = len(tiles_in(place / "full.h5.partial"))
        check(kept >= 1, f"{kept} tiles kept")
        subprocess.run(["mount", "-o", "remount,size=20m", place], check=True)
        again = run(program, *DOCK, "3600", "-o", "small/full.h5", cwd=folder)
        check(again.returncode == 0 and f"goes on after {kept} of 19" in again.stderr, again.stderr)
        subprocess.run(["mount", "-o", "remount,size=1m", place], check=True)
        (place / "full.h5").unlink()
        check_small_result(program, folder, place)
        refused = run(program, "orbital", pathlib.Path(os.environ["TESSERA_SOURCE_DIR"]) / "examples/water.molden",
                      "-o", "small/grid.h5", cwd=folder)
        check(refused.returncode == 4 and "do not fit on the disk" in the_line(refused.stderr), refused.stderr)
        check(not list(place.iterdir()), f"left behind: {list(place.iterdir())}")
        print(f"a full disk: '{line[9:60]}...', {kept} tiles kept and gone on with; grids are refused before")
    finally:
        subprocess.run(["umount", place], check=True)


def fill(place):
    """Until nothing more fits."""
    with open(place / "filler", "wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                pass


def test_filled_disk(program, folder, place, workload):
    """Another program fills the disk in mid-run: one line, and what was done is kept and gone on with."""
    reference = small_runs.contents(small_runs.finish(program, folder, workload, f"{workload}.h5"))
    words = small_runs.arguments(workload)
    process = start_paused(words, folder, "small/filled.h5")
    partial = place / "filled.h5.partial"
    wait_for_anything(process, partial, workload)
    fill(place)
    line = end(process, 4, "No space left on device")
    check(partial.exists() and not (place / "filled.h5").exists(), f"{workload}: nothing kept, or half a result")
    (place / "filler").unlink()
    again = run(program, *words, "-o", "small/filled.h5", cwd=folder)
    check(again.returncode == 0 and "goes on after" in again.stderr, again.stderr)
    small_runs.check_same(f"{workload} after a full disk", reference, small_runs.contents(place / "filled.h5"))
    (place / "filled.h5").unlink()
    print(f"{workload} on a disk that fills: '{line[9:]}', gone on with, the same bits")


def test_filled_disks(program, folder):
    place = folder / "small"
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=96m", "tmpfs", place],
                      stderr=subprocess.DEVNULL).returncode != 0:
        print("SKIPPED on disks that fill: no permission to mount one")
        return
    try:
        for workload in ("grids", "likelihood", "fit"):
            test_filled_disk(program, folder, place, workload)
    finally:
        subprocess.run(["umount", place], check=True)


def main():
    program = os.path.abspath(sys.argv[1])
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-disks-"))
    try:
        small_runs.write_inputs(folder)
        test_full_disk(program, folder)
        test_small_disk(program, folder)
        test_filled_disks(program, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
