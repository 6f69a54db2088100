"""Runs of all workloads that end before their time, and the line that they leave."""

import os
import subprocess
import time

from killed_runs import tiles_in
from tessera_runs import check, own_lines, patience

DOCK = ("dock", "receptor.pdb", "ligand.pdb", "--spacing", "4", "--terms", "1", "--poses", "300", "--coefficients",
        "balanced", "--rotations")


def start(program, folder, *words, **options):
    return subprocess.Popen([program, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, env=dict(os.environ, OMP_NUM_THREADS="1"), **options)


def start_paused(words, folder, output, pause=0.2):
    """With so many seconds between tiles."""
    return subprocess.Popen([os.environ["TESSERA_FAULTY"], *words, "-o", output], cwd=folder,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=dict(os.environ, OMP_NUM_THREADS="1", TESSERA_TEST_FAULTS=f"*/pause/{pause}"))


def wait_for_tiles(process, partial, count):
    deadline = time.monotonic() + patience(60)
    while len(tiles_in(partial)) < count:
        check(process.poll() is None and time.monotonic() < deadline,
              f"no {count} tiles: {process.communicate()[1] if process.poll() is not None else 'too slow'}")
        time.sleep(0.005)


def wait_for_anything(process, partial, workload):
    """Until a tile or an evaluation is written down."""
    deadline = time.monotonic() + patience(60)
    while not tiles_in(partial) and not any(path.stat().st_size for path in partial.glob("evaluations")):
        check(process.poll() is None and time.monotonic() < deadline, f"{workload}: nothing is written down")
        time.sleep(0.005)


def the_line(told):
    lines = [line for line in own_lines(told) if line.startswith("tessera: ")]
    check(len(lines) == 1, f"not one line: {told}")
    return lines[0]


def end(process, code, *words):
    _, told = process.communicate(timeout=patience(60))
    line = the_line(told)
    check(process.returncode == code and all(word in line for word in words),
          f"exit code {process.returncode}, not {code}, or no {words}: {told}")
    return line
