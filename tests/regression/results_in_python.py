#!/usr/bin/env python3
"""What the Python beside the program reads is what the program wrote: examples/read_poses.py moves the
ligand to where `tessera export` puts it, and postprocess/plot_docking.py draws a run with and without a
reference, or says which module is missing.
Usage: results_in_python.py PATH/OF/tessera"""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from tessera_runs import fail, patience, run  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
READ_POSES, PLOT = ROOT / "examples/read_poses.py", ROOT / "postprocess/plot_docking.py"
RANK = 2


def python(*arguments):
    return subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True,
                          env=dict(os.environ, MPLCONFIGDIR=tempfile.gettempdir()), timeout=patience(200))


def succeed(result, what):
    if result.returncode != 0:
        fail(f"{what}: {result.stderr}")
    return result.stdout


def atoms(text, chain):
    return [(line[12:16], [float(line[i:i + 8]) for i in (30, 38, 46)])
            for line in text.splitlines() if line.startswith("ATOM") and line[21] == chain]


def check_moved_ligand(program, folder):
    succeed(run(program, "export", folder / "run.h5", "--poses", RANK, folder / "models"), "export")
    exported = atoms((folder / f"models/vdw_{RANK:04}.pdb").read_text(), "B")
    moved = atoms(succeed(python(READ_POSES, folder / "run.h5", folder / "ligand.pdb", "--set", "vdw", "--rank",
                                 RANK), "read_poses"), "B")
    if len(moved) < 50 or [name for name, _ in moved] != [name for name, _ in exported]:
        fail(f"read_poses gives {len(moved)} ligand atoms, export {len(exported)}, or others")
    worst = max(abs(a - b) for (_, p), (_, q) in zip(moved, exported) for a, b in zip(p, q))
    if worst > 0.0011:  # both round to 0.001
        fail(f"read_poses and export put the ligand {worst} A apart")


def check_table(folder):
    rows = succeed(python(READ_POSES, folder / "run.h5", "--rows", 3), "read_poses").splitlines()
    if len(rows) != 4 or "electrostatics" not in rows[0]:
        fail(f"read_poses prints another table: {rows}")
    if python(READ_POSES, folder / "run.h5", "--set", "none").returncode == 0:
        fail("read_poses accepts a set that is not there")


def check_picture(folder, name):
    result = python(PLOT, folder / f"{name}.h5", "-o", folder / f"{name}.png")
    if importlib.util.find_spec("matplotlib") is None:
        if result.returncode == 0 or "matplotlib is missing" not in result.stderr or "Traceback" in result.stderr:
            fail(f"no clear line about matplotlib: {result.stderr}")
        print("no matplotlib here: only the message about it was tested")
        return
    succeed(result, f"picture of {name}")
    if not (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG"):
        fail(f"{name}.png is no picture")


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tessera_runs.write_pair(folder)
        dock = (program, "dock", folder / "receptor.pdb", folder / "ligand.pdb", "--rotations", 48, "--spacing", 2,
                "--poses", 60, "--coefficients", "balanced,vdw", "--quiet", "-o")
        succeed(run(*dock, folder / "run.h5", "--reference", folder / "complex.pdb"), "docking")
        succeed(run(*dock, folder / "plain.h5"), "docking without a reference")
        check_moved_ligand(program, folder)
        check_table(folder)
        for picture in ("run", "plain"):
            check_picture(folder, picture)
    print("passed")


if __name__ == "__main__":
    main()
