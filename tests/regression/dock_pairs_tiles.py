#!/usr/bin/env python3
"""Tiles that fail in a run of many pairs (tessera dock --pairs): another rank does them, or their pair fails alone.
Usage: dock_pairs_tiles.py PATH/OF/tessera"""

import os
import pathlib
import sys
import tempfile

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import pair_runs  # noqa: E402
import tessera_runs  # noqa: E402
from pair_runs import SINGLES, dock, done, expect_singles, leftovers, summary  # noqa: E402
from tessera_runs import check, own_lines  # noqa: E402


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


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tessera-pairs-tiles-") as name:
        folder = pathlib.Path(name)
        pair_runs.write_inputs(program, folder)
        ranks = 2 if tessera_runs.has_ranks(program) else 0
        test_failing_tiles(os.environ["TESSERA_FAULTY"], folder)
        if ranks:
            test_handed_on(os.environ["TESSERA_FAULTY"], folder)
    if not ranks:
        print("SKIPPED on several ranks: no mpiexec here, or TESSERA_MPIEXEC is not set")
        sys.exit(tessera_runs.SKIPPED)


main()
