#!/usr/bin/env python3
"""A screening in parts (tessera screen --part), and merged by tessera merge: the same content as that of the whole one.
Usage: screen_parts.py PATH/OF/tessera"""

import json
import os
import pathlib
import resource
import shutil
import signal
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from screen import write_lists  # noqa: E402
from screen_shards import content, expect_same, refused, rows_of, screen, words  # noqa: E402
from tessera_runs import check, run  # noqa: E402


def merge(program, folder, output, *parts):
    return run(program, "merge", *parts, "-o", output, cwd=folder)


def check_merge(program, folder, whole):
    for part in (1, 2):
        screen(program, folder, f"parts/{part}", "--part", f"{part}/2", ranks=part)
        check(all(row["rank"] == "" for row in rows_of(folder, f"parts/{part}")), "a part compares its pairs")
    merged = merge(program, folder, "merged", "parts/2", "parts/1")
    check(merged.returncode == 0 and "6 pairs of 2 parts, 0 failed" in merged.stdout, merged.stdout + merged.stderr)
    expect_same(folder, "merged", whole)
    again = screen(program, folder, "merged", ranks=2)
    check("6 done before, 0 to do" in again.stderr, again.stderr)
    expect_same(folder, "merged", whole)
    check_copies(program, folder, whole)
    check_killed_merge(program, folder, whole)
    print("merged parts are the whole screening")


def check_copies(program, folder, whole):
    """On another disk the shards are copied. A limit on files stands for a disk that is full."""
    disk = pathlib.Path("/dev/shm")
    if not os.access(disk, os.W_OK) or disk.stat().st_dev == folder.stat().st_dev:
        return

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

    with tempfile.TemporaryDirectory(dir=disk) as name:
        other = pathlib.Path(name) / "merged"
        full = run(program, "merge", "parts/1", "parts/2", "-o", other, cwd=folder, preexec_fn=limit)
        check(full.returncode == 4 and "shard-000000.h5' (writing failed: File too large)" in full.stderr, full.stderr)
        check(not list(pathlib.Path(name).iterdir()), "half a folder is left")
        merged = merge(program, folder, other, "parts/1", "parts/2")
        check(merged.returncode == 0, merged.stderr)
        shutil.copytree(other, folder / "copied")
        expect_same(folder, "copied", whole)


def check_killed_merge(program, folder, whole):
    """What a killed merge leaves goes when its folder is merged again."""
    def first_write_kills():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, 1))

    killed = run(program, "merge", "parts/1", "parts/2", "-o", "after-a-kill", cwd=folder, preexec_fn=first_write_kills)
    check(killed.returncode == -signal.SIGXFSZ, f"exit code {killed.returncode}: {killed.stderr}")
    check(len(list(folder.glob("after-a-kill.merging.*"))) == 1, "the kill has left no folder")
    check(not (folder / "after-a-kill").exists(), "half a merge has its name")
    merged = merge(program, folder, "after-a-kill", "parts/1", "parts/2")
    check(merged.returncode == 0, merged.stderr)
    check(not list(folder.glob("after-a-kill.merging*")), "what a killed merge left is still there")
    expect_same(folder, "after-a-kill", whole)


def check_refusals(program, folder):
    def part_refused(pattern, *more, output="new"):
        refused(run(program, *words(output), *more, cwd=folder), pattern)

    def merge_refused(pattern, *parts, output="new"):
        refused(merge(program, folder, output, *parts), pattern)
        check(not (folder / "new").exists() and not list(folder.glob("new.merging*")), "a refused merge leaves files")

    part_refused("cannot use --part '3/2'", "--part", "3/2")
    part_refused("cannot screen in 4 parts", "--part", "1/4")
    part_refused("--redock and --part", "--part", "1/2", "--redock", "1")
    part_refused("it holds part 1/2", "--part", "2/2", output="parts/1")
    part_refused("it holds part 1/2", output="parts/1")
    part_refused("it holds a whole screening", "--part", "1/2", output="merged")
    merge_refused("part 2/2 is missing", "parts/1")
    merge_refused("both are part 1/2", "parts/1", "parts/1", "parts/2")
    merge_refused("it has no screen.json", "parts/1", "models")
    merge_refused("there is no such folder", "parts/1", "parts/3")
    merge_refused("number of parts", "parts/1", "one")
    merge_refused("it is there already", "parts/1", "parts/2", output="merged")
    shutil.copytree(folder / "parts", folder / "wrong")
    screen(program, folder, "wrong/2", "--part", "2/2", "--seed", "7", "--force")
    merge_refused("it was docked with other options", "wrong/1", "wrong/2")
    table = folder / "wrong/1/screen.csv"
    table.write_text(table.read_text().rsplit("\n", 2)[0] + "\n")
    merge_refused("screen.csv lacks pair", "wrong/1", "parts/2")
    shutil.copy(folder / "parts/1/screen.csv", table)
    shutil.copy(folder / "one/poses/shard-000001.h5", folder / "wrong/1/poses/shard-000000.h5")
    merge_refused("does not hold the pairs that are done", "wrong/1", "parts/2")
    (folder / "wrong/1/poses/shard-000000.h5").unlink()
    merge_refused("shard-000000.h5", "wrong/1", "parts/2")
    (folder / "wrong/1/screen.csv.partial").mkdir()
    merge_refused("it is not finished", "wrong/1", "parts/2")
    (folder / "half.pdb").write_text((folder / "half.pdb").read_text() + "REMARK another file\n")
    screen(program, folder, "wrong/2", "--part", "2/2", "--force")
    merge_refused("its file of ligand half is not that", "parts/1", "wrong/2")
    print("parts that do not belong together are refused")


def check_plan(program, folder):
    planned = run(program, "plan", *words("x", "--part", "1/3"), "--json", cwd=folder)
    check(planned.returncode == 0, planned.stderr)
    plan = json.loads(planned.stdout)
    check(plan["jobs"] == 3 and plan["work"]["items"] == 2 * 96, planned.stdout)
    check(abs(plan["node_hours"] - plan["total_seconds"] * 3 / 3600) < 1e-9, planned.stdout)
    print("a plan tells the node-hours of an array")


def check_all(program, folder):
    write_lists(folder)
    screen(program, folder, "one")
    (folder / "models").mkdir()
    check_merge(program, folder, content(folder / "one"))
    check_plan(program, folder)
    check_refusals(program, folder)


if __name__ == "__main__":
    sys.exit(tessera_runs.in_folder_on_ranks(sys.argv[1], check_all))
