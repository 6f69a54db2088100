#!/usr/bin/env python3
"""A process that no launcher has started is the only rank: it loads no library of a network and starts no daemon, and
many such processes may start at the same time.
Usage: lone_rank.py PATH/OF/tessera"""

import concurrent.futures
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import small_runs  # noqa: E402
from tessera_runs import check, run  # noqa: E402

LAUNCHERS = ("OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE", "SLURM_PROCID")
NETWORKS = ("libfabric.so", "libpsm", "libinfinipath", "mca_btl_tcp.so")
AT_ONCE = 8


def check_libraries(program, folder):
    result = run(program, "plan", "orbital", small_runs.WATER, cwd=folder, environment={"LD_DEBUG": "files"})
    check(result.returncode == 0, f"plan ends with {result.returncode}")
    check("libmpi" in result.stderr, "the loader does not say what it loads")
    loaded = [name for name in NETWORKS if name in result.stderr]
    check(not loaded, f"a lone process loads {loaded}")
    processes = {words[0] for line in result.stderr.splitlines() if (words := line.split()) and words[0].endswith(":")}
    check(len(processes) == 1, f"a lone process starts others: {processes}")


def check_together(program, folder):
    def one(_):
        return run(program, "plan", "orbital", small_runs.WATER, cwd=folder)
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for result in pool.map(one, range(3 * AT_ONCE)):
            check(result.returncode == 0, f"one of {AT_ONCE} at the same time: {result.stderr}")


def main():
    program = os.path.abspath(sys.argv[1])
    for name in LAUNCHERS:
        os.environ.pop(name, None)
    with tempfile.TemporaryDirectory() as name:
        check_libraries(program, pathlib.Path(name))
        check_together(program, pathlib.Path(name))
    print("a lone process loads no network, and many start at the same time")


if __name__ == "__main__":
    main()
