#!/usr/bin/env python3
"""Every workload has the same bits on 1, 2, 3, 5 and 8 ranks, on one node and on several, in a shuffled
order and with a rank slowed down; each rank is recorded.
Usage: schedules.py PATH/OF/tessera"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import h5py  # noqa: E402
import small_runs  # noqa: E402
from tessera_runs import fail  # noqa: E402

# ranks, options, faults
SCHEDULES = ((2, ["--ranks-per-node", "1"], ""),
             (3, ["--shuffle-tiles", "5"], "2/slow/4"),
             (5, ["--ranks-per-node", "2", "--shuffle-tiles", "9"], "0/pause/0.02"),
             (8, ["--ranks-per-node", "3"], "7/slow/4"))


def check_workload(program, folder, workload):
    reference = small_runs.reference(program, folder, workload)
    for ranks, options, faults in SCHEDULES:
        path = small_runs.finish(program, folder, workload, "more.h5", *options, ranks=ranks, faults=faults)
        small_runs.check_same(f"{workload} on {ranks} ranks {options} {faults}", reference,
                              small_runs.contents(path))
        with h5py.File(path) as file:
            table, total = file["run/ranks"][...], file["run"].attrs["tiles_total"]
            if len(table) != ranks or table["tiles_done"].sum() != total or len(file["run/retries"]):
                fail(f"{workload}: {table}, {total} tiles")
            if total < 8 or not (table["busy_seconds"] >= 0).all() or table["waiting_seconds"].max() <= 0:
                fail(f"{workload}: {total} tiles, {table}")
    print(f"{workload}: {total} tiles, the same {len(reference)} values on every schedule")


def check_all(program, folder):
    for workload in small_runs.WORKLOADS:
        check_workload(program, folder, workload)


if __name__ == "__main__":
    sys.exit(small_runs.on_ranks_with_faults(check_all))
