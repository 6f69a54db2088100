#!/usr/bin/env python3
"""A docking that is killed with SIGKILL, or stopped, while it refines poses goes on there on another number of
ranks: no tile of the journal is done again, neither of the search nor of the refinement, and the bits are the
same. So with --pairs.
Usage: refinement_kills.py PATH/OF/tessera"""

import os
import pathlib
import shutil
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import pair_runs  # noqa: E402
import small_runs  # noqa: E402
import tessera_runs  # noqa: E402
from killed_runs import REFINEMENT, KilledRun, session_members, tiles_in  # noqa: E402
from tessera_runs import answer, check, patience, run  # noqa: E402

DOCK = small_runs.arguments("poses")
TILES = -(-int(small_runs.DOCKINGS["poses"][0]) // 512)
SLOW = "*/pause/0.5"  # so that there is a moment to kill it in
SLOWER = "*/pause/3"  # mpirun may take seconds to end the others of a rank that was killed


def begin(program, folder, words, ranks, faults=SLOW):
    scratch = folder / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    os.environ["TESSERA_TEST_FAULTS"] = faults
    begun = KilledRun([program, *words], ranks, folder, scratch)
    del os.environ["TESSERA_TEST_FAULTS"]
    return begun


def wait_for_refined(begun, partial, count):
    latest = time.monotonic() + patience(90)
    while len(tiles_in(partial, REFINEMENT)) < count:
        check(not begun.ended() and time.monotonic() < latest, f"no {count} tiles refined: {begun.stderr()}")
        time.sleep(0.003)


def attempts_of(partial):
    return sorted({path.name.split("-")[1] for path in partial.glob("tiles-*")})


def check_nothing_twice(partial):
    """No tile is in the journals of two attempts."""
    for phase in (0, REFINEMENT):
        each = [tiles_in(partial, phase, attempt) for attempt in attempts_of(partial)]
        check(sum(map(len, each)) == len(set().union(*each)), f"{partial}: tiles done twice: {each}")


def kill_there(program, folder, words, partial, ranks, refined, one_rank=False):
    begun = begin(program, folder, words, ranks, SLOWER if one_rank else SLOW)
    wait_for_refined(begun, partial, refined)
    begun.kill(one_rank)
    check_nothing_twice(partial)
    kept = len(tiles_in(partial, REFINEMENT))
    check(refined <= kept < TILES, f"{kept} tiles refined at the kill, meant to be {refined} or few more")
    return begun.stderr(), kept


def stop_there(program, folder, words, partial, ranks, refined):
    """SIGUSR1 to every rank; few enough that not all tiles are under way by then."""
    begun = begin(program, folder, words, ranks)
    wait_for_refined(begun, partial, refined)
    for process in begun.ranks():
        os.kill(process, signal.SIGUSR1)
    check(begun.process.wait(timeout=patience(60)) == 75, f"exit code {begun.process.returncode}: {begun.stderr()}")
    check(not session_members(begun.process.pid), "processes are left")
    check_nothing_twice(partial)
    kept = len(tiles_in(partial, REFINEMENT))
    check(refined <= kept < TILES, f"{kept} tiles refined at the stop, meant to be {refined} or few more")
    return kept


def check_single(program, folder):
    reference, ends = small_runs.contents(folder / "whole.h5"), 0
    for turn, counts in enumerate(((2, 1, 3), (0, 2, 3), (3, 2, 0))):
        output = f"killed{turn}.h5"
        words, partial = (*DOCK, "-o", output), folder / f"{output}.partial"
        _, first = kill_there(program, folder, words, partial, counts[0], 1, one_rank=turn == 2)
        told = run(program, "info", partial, cwd=folder).stdout
        check(f"refinement {first} tile" in told and "tiles      8 of 8 done" in told, told)
        if first + 2 > TILES - 2:  # a busy machine: nearly all was done before the kill
            second = first
        elif turn == 1:
            second = stop_there(program, folder, words, partial, counts[1], first + 1)
        else:
            said, second = kill_there(program, folder, words, partial, counts[1], first + 1)
            check(f"refining: {TILES} tiles, {first} of them done before" in said, said)
        ends += 2 if second > first else 1
        result = run(program, *words, ranks=counts[2], cwd=folder)
        check(result.returncode == 0, f"exit code {result.returncode}\n{result.stderr}")
        check(f"refining: {TILES} tiles, {second} of them done before" in result.stderr and
              "goes on after 8 of 8 tiles" in result.stderr, result.stderr)
        check(not partial.exists(), "the folder is still there")
        small_runs.check_same(f"killed on {counts} ranks", reference, small_runs.contents(folder / output))
    print(f"refinement killed and stopped {ends} times: no tile of {TILES} done twice, the same bits")


def check_without_root(program, folder):
    """Rank 0 has lost its device when it goes on: it still brings the tiles of before."""
    output = "rootless.h5"
    words, partial = (*DOCK, "-o", output), folder / f"{output}.partial"
    _, kept = kill_there(program, folder, words, partial, 2, 2)
    result = run(program, *words, ranks=3, cwd=folder,
                 environment={"TESSERA_TEST_FAULTS": "0/rank-lost-after/0,*/pause/0.02"})
    check(result.returncode == 0 and f"{kept} of them done before" in result.stderr, result.stderr)
    small_runs.check_same("without rank 0's device", small_runs.contents(folder / "whole.h5"),
                          small_runs.contents(folder / output))
    print("a run that goes on without rank 0's device: the same bits")


def check_pairs(program, folder):
    (folder / "one.csv").write_text("name,receptor,ligand\none,small-receptor.pdb,small-ligand.pdb\n")
    words = ("dock", "--pairs", "one.csv", *DOCK[3:-2], "-o", "table")
    partial = folder / "table/one.h5.partial"
    slow = "*/pause/1.5"  # the journal is there after ten seconds of search
    begun = begin(program, folder, words, 2, slow)
    wait_for_refined(begun, partial, 1)
    begun.kill(False)
    first = len(tiles_in(partial, REFINEMENT))
    kept = stop_there(program, folder, words, partial, 1, first + 1)
    result = run(program, *words, cwd=folder)
    check(result.returncode == 0, f"exit code {result.returncode}\n{result.stderr}")
    check(answer(folder / "table/one.h5") == answer(folder / "whole.h5"), "the pair differs from the single run")
    check(not partial.exists() and kept > first, "left behind, or nothing done in between")
    print("the same with --pairs")


def check_all(program, folder):
    small_runs.write_inputs(folder)
    whole = run(program, *DOCK, "-o", "whole.h5", cwd=folder)
    pair_runs.done(whole)
    check(f"refining: {TILES} tiles" in whole.stderr, whole.stderr)
    check_single(program, folder)
    check_without_root(program, folder)
    check_pairs(program, folder)


if __name__ == "__main__":
    sys.exit(tessera_runs.in_folder_on_ranks(os.environ.get("TESSERA_FAULTY", ""), check_all))
