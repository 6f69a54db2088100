#!/usr/bin/env python3
"""A tile that does not come back is done by another rank as well. Where it never comes back the run ends with
exit code 75 and all that is done in its journals, whatever hangs: a tile, a whole process, the only rank.
Usage: stuck.py PATH/OF/tessera"""

import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import h5py  # noqa: E402
import pair_runs  # noqa: E402
import small_runs  # noqa: E402
from tessera_runs import check, own_lines, patience, run  # noqa: E402


def late_after(seconds):
    """Of a rank's first three tiles; later ones in effect never are."""
    return ("--tile-deadline", "100000", "--tile-deadline-least", str(patience(seconds) / 12))


DEADLINE = late_after(1.2)
# Where no other rank has to wait for a run to count as stuck, a busy machine shall not look like one.
ALONE = late_after(4)
STUCK = ("--stuck-after", str(patience(1)))
PAUSE = "*/pause/0.02"  # so that every rank gets tiles
# Who never comes back: a rank in a tile, alone on its node too, and rank 0 as a whole process.
NEVER_BACK = {"dock": ("1/hang-after",), "orbital": ("1/hang-after", "--ranks-per-node", "1"),
              "likelihood": ("0/stop-after",)}


def stuck_lines(result):
    return [line for line in own_lines(result.stderr) if line.startswith("tessera: ")]


def check_ends(name, result, where, seconds):
    check(result.returncode == 75, f"{name}: exit code {result.returncode}\n{result.stderr}")
    told = stuck_lines(result)
    check(len(told) == 1 and re.search(f" of {where} on .* is stuck .*run for [0-9]+ s without", told[0]),
          f"{name} told {told}")
    check(seconds < patience(60), f"{name} took {seconds:.1f} s")


def end(program, folder, workload, faults, where, ranks, *extra, deadline=DEADLINE):
    """A run with such faults, which ends with 75 and leaves no output."""
    (folder / "stuck.h5").unlink(missing_ok=True)
    begun = time.monotonic()
    result = small_runs.start(program, folder, workload, "stuck.h5", *deadline, *STUCK, *extra,
                              ranks=ranks, faults=faults)
    check_ends(f"{workload} with {faults}", result, where, time.monotonic() - begun)
    check(not (folder / "stuck.h5").exists(), f"{workload} with {faults} left an output")
    return result


def tiles_done(program, folder):
    """Of stuck.h5's journals: done, and all."""
    result = run(program, "info", "stuck.h5.partial", cwd=folder)
    found = re.search(r"^tiles +(\d+) of (\d+) done", result.stdout, re.MULTILINE)
    check(found, f"info tells {result.stdout}{result.stderr}")
    return int(found[1]), int(found[2])


def check_never_back(program, folder, workload, reference):
    """The others do its tile, and the same command ends what was begun."""
    kind, *extra = NEVER_BACK[workload]
    result = end(program, folder, workload, f"{kind}/1,{PAUSE}", f"rank {kind[0]}", 3, *extra)
    check("another rank computes it too" in result.stderr, f"{workload}: {result.stderr}")
    done, tiles = tiles_done(program, folder)
    check(done == tiles, f"{workload} with {kind}: {done} of {tiles} tiles are kept")
    result = small_runs.start(program, folder, workload, "stuck.h5", ranks=2, again=True)
    check(result.returncode == 0 and f"goes on after {tiles} of {tiles} tiles" in result.stderr,
          f"{workload} that goes on: exit code {result.returncode}\n{result.stderr}")
    small_runs.check_same(f"{workload} after {kind}", reference, small_runs.contents(folder / "stuck.h5"))
    print(f"{workload}, {kind}: 75, all tiles kept, the same bits")


def check_alone(program, folder, reference):
    end(program, folder, "likelihood", "0/hang-after/2", "rank 0", 0)
    check(tiles_done(program, folder)[0] == 2, "a rank alone that is stuck in its third tile has kept others than two")
    path = small_runs.finish(program, folder, "likelihood", "stuck.h5", again=True)
    small_runs.check_same("likelihood that was stuck alone", reference, small_runs.contents(path))
    print("a rank alone: 75")


def check_late(program, folder, workload, reference):
    """A rank that comes back late: its tile was done by another, whose result counts."""
    path = small_runs.finish(program, folder, workload, "late.h5", *DEADLINE, ranks=3,
                             faults=f"1/doze/{patience(3)},{PAUSE}")
    small_runs.check_same(f"{workload} with a late rank", reference, small_runs.contents(path))
    with h5py.File(path) as file:
        late = [row for row in file["run/retries"][...] if row["reason"] == b"late"]
        fates = set(file["run/ranks"]["fate"])
    check(any(row["rank"] == 1 and row["outcome"].startswith(b"handed on, done by rank ") for row in late),
          f"{workload} with a late rank: {late}")
    check(fates == {b"finished"}, f"{workload} with a late rank: {fates}")
    print(f"{workload}: a late rank, the same bits")


def check_off(program, folder):
    result = small_runs.start(program, folder, "likelihood", "slow.h5", "--tile-deadline", "0", "--tile-deadline-least",
                              "0.01", "--stuck-after", "0.01", ranks=2, faults="1/doze/1")
    check(result.returncode == 0 and "without a result" not in result.stderr,
          f"without a deadline: exit code {result.returncode}\n{result.stderr}")


def check_fit(program, folder):
    """Batches are shared out beforehand: no one else does the tile, but the run ends, and goes on."""
    reference = small_runs.reference(program, folder, "fit")
    end(program, folder, "fit", "1/hang-after/2", "rank 1", 2, deadline=ALONE)
    path = small_runs.finish(program, folder, "fit", "stuck.h5", ranks=2, again=True)
    small_runs.check_same("fit that was stuck", reference, small_runs.contents(path))
    print("fit: 75, and on from there")


def check_pairs(program, folder):
    pair_runs.write_table(folder)
    begun = time.monotonic()
    result = pair_runs.dock(program, folder, "pairs.csv", "pairs", *ALONE, *STUCK, ranks=2,
                            faults="1/hang-after/1")
    check_ends("dock --pairs", result, "rank 1", time.monotonic() - begun)
    pair_runs.done(pair_runs.dock(program, folder, "pairs.csv", "pairs", ranks=2))
    print("dock --pairs: 75, and on from there")


def check_all(program, folder):
    references = {workload: small_runs.reference(program, folder, workload)
                  for workload in small_runs.WORKLOADS}
    for workload, reference in references.items():
        check_never_back(program, folder, workload, reference)
    check_late(program, folder, "dock", references["dock"])
    check_alone(program, folder, references["likelihood"])
    check_off(program, folder)
    check_fit(program, folder)
    check_pairs(program, folder)


if __name__ == "__main__":
    sys.exit(small_runs.on_ranks_with_faults(check_all))
