#!/usr/bin/env python3
"""Every workload has the same bits on 1, 2, 3, 5 and 8 ranks, on one node and on several, in a shuffled
order and with a rank slowed down; each rank is recorded. On 5 and 8 ranks also what has no tiles of that kind:
the refinement of poses, grids in a file, the compressed likelihood, a fit, many pairs.
Usage: schedules.py PATH/OF/tessera"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import h5py  # noqa: E402
import pair_runs  # noqa: E402
import small_runs  # noqa: E402
from tessera_runs import fail, run  # noqa: E402

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


def check_on_many_ranks(program, folder, workload):
    reference = small_runs.reference(program, folder, workload)
    shuffled = [] if workload == "fit" else ["--shuffle-tiles", "3"]  # a fit's tiles are not drawn
    for ranks, faults in ((5, ""), (8, "7/slow/4,0/pause/0.02")):
        path = small_runs.finish(program, folder, workload, "more.h5", *shuffled, ranks=ranks, faults=faults)
        small_runs.check_same(f"{workload} on {ranks} ranks {faults}", reference, small_runs.contents(path))
        with h5py.File(path) as file:
            if len(file["run/ranks"]) != ranks:
                fail(f"{workload}: {file['run/ranks'][...]} of {ranks} ranks")
    print(f"{workload}: the same {len(reference)} values on 5 and 8 ranks")


def check_pairs(program, folder):
    """More pairs than ranks, and fewer, so that ranks have own pairs and help with others'."""
    names = [f"p{number}" for number in range(6)]
    rows = [f"{name},small-receptor.pdb,small-ligand.pdb\n" for name in names]
    words = small_runs.arguments("small")[3:-2]
    reference = small_runs.reference(program, folder, "small")
    for ranks, count in ((5, 6), (8, 6), (8, 2)):
        (folder / "table.csv").write_text("name,receptor,ligand\n" + "".join(rows[:count]))
        output = f"pairs-{ranks}-{count}"
        pair_runs.done(run(program, "dock", "--pairs", "table.csv", *words, "-o", output, "--device",
                           small_runs.device(), ranks=ranks, cwd=folder))
        for name in names[:count]:
            small_runs.check_same(f"{output}/{name}", reference, small_runs.contents(folder / output / f"{name}.h5"))
        if len(pair_runs.ranks_of(folder, output)) != ranks:
            fail(f"{output}: {pair_runs.ranks_of(folder, output)}")
    print(f"pairs: the same {len(reference)} values on 5 and 8 ranks")


def check_all(program, folder):
    for workload in small_runs.WORKLOADS:
        check_workload(program, folder, workload)
    for workload in ("poses", "grids", "compressed", "fit"):
        check_on_many_ranks(program, folder, workload)
    check_pairs(program, folder)


if __name__ == "__main__":
    sys.exit(small_runs.on_ranks_with_faults(check_all))
