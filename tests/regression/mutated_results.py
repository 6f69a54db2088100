#!/usr/bin/env python3
"""Results of every workload with random damage (tests/support/result_mutations.py): info, export and rescore end with
a result or with exit code 2 and one line, within bounded memory and time.
Usage: mutated_results.py PATH/OF/tessera [--tries N] [--seed S]
A failure names its seed, which alone repeats it: --tries 1 --seed S."""

import argparse
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import result_mutations  # noqa: E402
import small_results  # noqa: E402
import tessera_runs  # noqa: E402
from tessera_runs import check, run  # noqa: E402

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+$")
MEMORY = 3 << 30  # of addresses, most of it the libraries' own


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def try_one(program, folder, name, seed):
    """Damages a copy and runs what reads it; whether anything was refused."""
    choice = random.Random(seed)
    shutil.copy(folder / f"{name}.h5", folder / "bad.h5")
    damage = result_mutations.flip_bytes if choice.random() < 0.1 else result_mutations.mutate
    done = damage(choice, folder / "bad.h5")
    refused = False
    for command in small_results.READERS[name].values():
        said = f"seed {seed}, {name}: {done}: {command}: "
        # Address sanitizers need all addresses there are.
        limit = {} if "TESSERA_TEST_SLOWDOWN" in os.environ else {"preexec_fn": limit_memory}
        try:
            ended = run(program, *command, cwd=folder, environment={"OMP_NUM_THREADS": "1"}, **limit)
        except subprocess.TimeoutExpired:
            tessera_runs.fail(said + "does not end")
        lines = [line for line in ended.stderr.splitlines() if line.strip()]
        own = [line for line in lines if line.startswith("tessera: ")]
        said += f"exit code {ended.returncode}, {ended.stderr}"
        check(ended.returncode in (0, 2), said)
        if ended.returncode == 2:
            check(len(lines) == len(own) == 1 and LINE.match(own[0]), said)
            refused = True
        for written in ("again.h5", "poses.out", "top.cif"):
            (folder / written).unlink(missing_ok=True)
    return refused


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--tries", type=int, default=40)
    arguments.add_argument("--seed", type=int, default=0)
    options = arguments.parse_args()
    program = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory(prefix="tessera-mutated-") as name:
        folder = pathlib.Path(name)
        small_results.make(program, folder)
        names = list(small_results.RUNS)
        refused = sum(try_one(program, folder, names[seed % len(names)], seed)
                      for seed in range(options.seed, options.seed + options.tries))
    print(f"{options.tries} damaged results, {refused} of them refused")


main()
