#!/usr/bin/env python3
"""Tiles that fail on one rank are done by another, a rank whose device is lost leaves its tiles to the
others, and the result has the same bits; what nobody can do ends the run with a line that names it.
Usage: faults.py PATH/OF/tessera"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import h5py  # noqa: E402
import small_runs  # noqa: E402
from tessera_runs import fail, own_lines  # noqa: E402

PAUSE = "*/pause/0.03"  # so that every rank gets tiles
PAUSE_BUT_2 = "0/pause/0.2,1/pause/0.2,3/pause/0.2"  # and that rank 2 gets two, on a busy machine too


def told_by(result):
    return [line for line in own_lines(result.stderr) if line.startswith("tessera: ")]


def retries_of(path):
    with h5py.File(path) as file:
        fates = [fate.decode() for fate in file["run/ranks"]["fate"]]
        return [tuple(item.decode() if isinstance(item, bytes) else int(item) for item in row)
                for row in file["run/retries"][...]], fates


def check_handed_on(program, folder, workload, reference):
    """Rank 0 cannot do tile 2, nor rank 1 tile 3, nor rank 3 its first, for three reasons; rank 2 loses its device."""
    faults = f"0/not-finite/2,1/memory/3,2/lost-after/1,3/error-after/0,{PAUSE_BUT_2}"
    path = small_runs.finish(program, folder, workload, "handed.h5", "--ranks-per-node", "2", ranks=4,
                             faults=faults)
    small_runs.check_same(f"{workload} with {faults}", reference, small_runs.contents(path))
    retries, fates = retries_of(path)
    if fates != ["finished", "finished", "device lost", "finished"]:
        fail(f"{workload}: fates {fates}")
    lost = [row for row in retries if row[2] == "device lost"]
    errors = [row for row in retries if row[2] == "device error"]
    if len(lost) != 1 or lost[0][1] != 2 or len(errors) != 1 or errors[0][1] != 3:
        fail(f"{workload}: retries {retries}")
    for tile, rank, reason, detail, outcome in retries:
        expected = {0: (2, "not finite"), 1: (3, "out of memory"), 2: (tile, "device lost"),
                    3: (tile, "device error")}[rank]
        if (tile, reason) != expected or not outcome.startswith("handed on, done by rank ") or not detail:
            fail(f"{workload}: retry {tile, rank, reason, detail, outcome}")
        if outcome.endswith(f" {rank}"):
            fail(f"{workload}: done by the rank it failed on: {retries}")
    return len(retries)


def check_smaller(program, folder, reference):
    path = small_runs.finish(program, folder, "orbital", "smaller.h5", faults="*/memory-once/1")
    small_runs.check_same("orbital in smaller launches", reference, small_runs.contents(path))
    if retries_of(path)[0] != [(1, 0, "out of memory", "on order", "done in smaller launches")]:
        fail(f"retries {retries_of(path)}")


def check_ends(program, folder, workload):
    """What nobody can do."""
    for ranks, faults, code, words in (
            (3, "*/not-finite/1", 3, "tile 1 (work items 1 to 1) failed on 3 ranks: not finite"),
            (2, "*/memory/0", 4, "on 2 ranks: out of memory"),
            (2, f"*/lost-after/1,{PAUSE}", 4, "device lost"), (0, "*/lost-after/0", 4, "device lost")):
        (folder / "never.h5").unlink(missing_ok=True)
        result = small_runs.start(program, folder, workload, "never.h5", ranks=ranks, faults=faults)
        told = told_by(result)
        if result.returncode != code or len(told) != 1 or words not in told[0]:
            fail(f"{workload} with {faults} on {ranks}: exit code {result.returncode}\n{result.stderr}")
        if (folder / "never.h5").exists():
            fail(f"{workload} with {faults} left an output")


def check_rank_0_lost(program, folder, references):
    """Rank 0 writes the file, for which it needs no device."""
    references = {**references, "compressed": small_runs.reference(program, folder, "compressed")}
    for workload, reference in references.items():
        path = small_runs.finish(program, folder, workload, "zero.h5", ranks=2, faults=f"0/lost-after/0,{PAUSE}")
        small_runs.check_same(f"{workload} without rank 0", reference, small_runs.contents(path))
        fates = retries_of(path)[1]
        if fates != ["device lost", "finished"]:
            fail(f"{workload} without rank 0: {fates}")


def check_final_terms(program, folder):
    """Docking needs a device once more when its tiles are done: any rank's that is left, in turn."""
    reference = small_runs.reference(program, folder, "refine")
    after = "device lost in the refinement"
    for faults, fates in (("0/lost-after/0", ["device lost", "finished", "finished"]),
                          ("0/rank-lost-after/0", [after, "finished", "finished"]),
                          ("0/lost-after/1,1/rank-lost-after/0", ["device lost", after, "finished"]),
                          ("0/rank-lost-after/0,1/load-lost-after/0", [after, after, "finished"]),
                          ("0/rank-lost-after/0,1/refine-lost-after/0", [after, after, "finished"])):
        path = small_runs.finish(program, folder, "refine", "left.h5", ranks=3,
                                 faults=f"{faults},0/pause/0.1,1/pause/0.1,2/pause/0.4")
        small_runs.check_same(f"docking with {faults}", reference, small_runs.contents(path))
        if retries_of(path)[1] != fates:
            fail(f"docking with {faults}: {retries_of(path)[1]}")
    for faults in ("*/rank-lost-after/0", "*/load-lost-after/0"):
        result = small_runs.start(program, folder, "refine", "gone.h5", ranks=2, faults=faults)
        told = told_by(result)
        if result.returncode != 4 or len(told) != 1 or "no rank has a device any more" not in told[0]:
            fail(f"docking with {faults}: exit code {result.returncode}\n{result.stderr}")
    path = small_runs.finish(program, folder, "refine", "gone.h5", ranks=2, again=True)
    small_runs.check_same("docking that goes on after all devices were lost", reference, small_runs.contents(path))
    print("final terms: of any device that is left, the same bits")


def check_no_start(program, folder, workload, reference):
    """Ranks whose device cannot start are left out, with a line; an error of the others still comes to light."""
    fails = (("no-start", 1, 3), ("no-start", 0, 2))
    if workload in ("dock", "fit"):
        fails += (("start-memory", 0, 2), ("start-lost-after", 1, 3))
    for kind, out, ranks in fails:
        faults = f"{out}/{kind}/0"
        result = small_runs.start(program, folder, workload, "able.h5", ranks=ranks, faults=faults)
        told = [line for line in own_lines(result.stderr) if line.startswith(f"warning: rank {out} ")]
        why = "" if kind == "start-lost-after" else "(on order)"  # the former with a device's own words
        if result.returncode != 0 or len(told) != 1 or f"its device cannot start {why}" not in told[0]:
            fail(f"{workload} with {faults}: exit code {result.returncode}\n{result.stderr}")
        small_runs.check_same(f"{workload} with {faults}", reference, small_runs.contents(folder / "able.h5"))
        if retries_of(folder / "able.h5")[1] != ["finished"] * (ranks - 1) + ["device did not start"]:
            fail(f"{workload} with {faults}: {retries_of(folder / 'able.h5')}")
    (folder / "able.h5").unlink()
    if workload in ("dock", "fit"):
        result = small_runs.start(program, folder, workload, "able.h5", ranks=2, faults="*/start-memory/0")
        if result.returncode != 4 or "its device cannot start (on order)" not in " ".join(told_by(result)):
            fail(f"{workload} that starts on no rank: exit code {result.returncode}\n{result.stderr}")
    if workload == "fit":
        return
    result = small_runs.start(program, folder, workload, "able.h5", ranks=3, faults="0/no-start/0,*/not-finite/1")
    if result.returncode != 3 or len(told_by(result)) != 1 or "on 2 ranks: not finite" not in told_by(result)[0]:
        fail(f"{workload} without rank 0, and a bad tile: exit code {result.returncode}\n{result.stderr}")


def check_refinement(program, folder):
    """600 poses are 2 tiles of the refinement. A rank that loses its device there, be it rank 0, leaves them
    to the others; nobody else's tiles are touched. Alone it ends with a line."""
    reference = small_runs.reference(program, folder, "refine")
    for lost in (0, 1):
        path = small_runs.finish(program, folder, "refine", "lost.h5", ranks=2,
                                 faults=f"{lost}/refine-lost-after/0,{1 - lost}/pause/0.3")
        small_runs.check_same(f"refinement without rank {lost}", reference, small_runs.contents(path))
        fates = retries_of(path)[1]
        if fates != ["device lost in the refinement" if rank == lost else "finished" for rank in (0, 1)]:
            fail(f"refinement without rank {lost}: {fates}")
    result = small_runs.start(program, folder, "refine", "never.h5", faults="*/refine-lost-after/1")
    told = told_by(result)
    if result.returncode != 4 or len(told) != 1 or "device lost" not in told[0] or (folder / "never.h5").exists():
        fail(f"refinement on a lost device: exit code {result.returncode}\n{result.stderr}")
    print("refinement: a lost device's tiles handed on, the same bits")


def check_fit(program, folder):
    """A fit hands tiles on within a batch, is conducted by a rank without a device, and ends by any that is left."""
    reference = small_runs.reference(program, folder, "fit")
    check_no_start(program, folder, "fit", reference)
    whole, lost = "finished", "device lost"
    for faults, fates, reasons in (
            ("1/lost-after/2", [whole, lost, whole], [(1, lost)]),
            ("0/lost-after/0,2/lost-after/3", [lost, whole, lost], [(0, lost), (2, lost)]),
            ("1/error-after/3,2/error-after/5", [whole, whole, whole], [(1, "device error"), (2, "device error")]),
            ("0/rank-lost-after/0", ["device lost at the end", whole, whole], [])):
        path = small_runs.finish(program, folder, "fit", "left.h5", ranks=3, faults=faults)
        small_runs.check_same(f"fit with {faults}", reference, small_runs.contents(path))
        retries, found = retries_of(path)
        if found != fates or sorted((rank, reason) for _, rank, reason, _, _ in retries) != reasons:
            fail(f"fit with {faults}: fates {found}, retries {retries}")
        for row in retries:
            if not row[4].startswith("handed on, done by rank ") or row[4].endswith(f" {row[1]}"):
                fail(f"fit with {faults}: {row}")
    for faults, words in (("*/lost-after/2", "failed"), ("*/rank-lost-after/0", "no rank has a device any more"),
                          ("*/memory/4", "on 2 ranks: out of memory")):
        (folder / "gone.h5").unlink(missing_ok=True)
        result = small_runs.start(program, folder, "fit", "gone.h5", ranks=2, faults=faults)
        told = told_by(result)
        if result.returncode != 4 or len(told) != 1 or words not in told[0] or (folder / "gone.h5").exists():
            fail(f"fit with {faults}: exit code {result.returncode}\n{result.stderr}")
        path = small_runs.finish(program, folder, "fit", "gone.h5", ranks=3, again=True)
        small_runs.check_same(f"fit that goes on after {faults}", reference, small_runs.contents(path))
    print("fit: tiles handed on within their batch, the same bits")


def check_all(program, folder):
    references = {workload: small_runs.reference(program, folder, workload)
                  for workload in small_runs.WORKLOADS}
    for workload in small_runs.WORKLOADS:
        count = check_handed_on(program, folder, workload, references[workload])
        print(f"{workload}: {count} tiles handed on, the same bits")
        check_no_start(program, folder, workload, references[workload])
    check_smaller(program, folder, references["orbital"])
    check_ends(program, folder, "likelihood")
    check_rank_0_lost(program, folder, references)
    check_final_terms(program, folder)
    check_refinement(program, folder)
    check_fit(program, folder)


if __name__ == "__main__":
    sys.exit(small_runs.on_ranks_with_faults(check_all))
