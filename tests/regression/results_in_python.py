#!/usr/bin/env python3
"""What the Python beside the program reads is what the program wrote: examples/read_poses.py moves the
ligand to where `tessera export` puts it, and the postprocess/plot_*.py draw dockings with and without a
reference, an orbital, a wedge and a fit, or say which module is missing.
Usage: results_in_python.py PATH/OF/tessera"""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from tessera_runs import fail, patience, run  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples"
READ_POSES = EXAMPLES / "read_poses.py"
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


def plot(kind, *arguments):
    return python(ROOT / f"postprocess/plot_{kind}.py", *arguments)


def check_picture(kind, result, picture):
    drawn = plot(kind, result, "-o", picture)
    if importlib.util.find_spec("matplotlib") is None:
        if drawn.returncode == 0 or "matplotlib is missing" not in drawn.stderr or "Traceback" in drawn.stderr:
            fail(f"no clear line about matplotlib: {drawn.stderr}")
        print("no matplotlib here: only the message about it was tested")
        return
    succeed(drawn, f"picture of {result.name}")
    if not picture.read_bytes().startswith(b"\x89PNG"):
        fail(f"{picture.name} is no picture")


def check_consensus_is_drawn(folder):
    """A list that the plot does not know is refused with the names of those that it knows."""
    if importlib.util.find_spec("matplotlib") is None:
        return
    for name, sets in (("run", "balanced, vdw, consensus"), ("plain", "balanced, vdw")):
        refused = plot("docking", folder / f"{name}.h5", "--sets", "none").stderr
        if not f"it holds {sets})" in refused:
            fail(f"{name}.h5 does not hold {sets}: {refused}")
    succeed(plot("docking", folder / "run.h5", "--sets", "consensus", "-o", folder / "consensus.svg"), "consensus")
    if "consensus" not in (folder / "consensus.svg").read_text():
        fail("the picture has no column for the consensus")


def check_refusal(kind, result):
    refused = plot(kind, result)
    if refused.returncode == 0 or not refused.stderr.startswith("error: ") or "Traceback" in refused.stderr:
        fail(f"plot_{kind}.py has no clear line about {result.name}: {refused.stderr}")


def check_examples(program, folder):
    wedge, stars = EXAMPLES / "wedge.toml", folder / "stars.txt"
    few = ("--generations", 1, "--population", 8, "--variations", 0)
    homo = (EXAMPLES / "water.molden", "--orbitals", "HOMO", "--isosurface", 0.05, "--grids")
    for what, command in (("orbital", homo), ("simulate", (wedge, "--number", 500, "--seed", 1)),
                          ("fit", (wedge, "--stars", stars, *few))):
        output = stars if what == "simulate" else folder / f"{what}.h5"
        succeed(run(program, what, *command, "--quiet", "-o", output), what)
    check_picture("orbital", folder / "orbital.h5", folder / "orbital.png")
    for kind in ("fit", "wedge"):
        check_picture(kind, folder / "fit.h5", folder / f"{kind}.png")
    check_refusal("docking", folder / "fit.h5")
    check_refusal("wedge", folder / "stars.txt")


def check_control_characters(folder):
    """Names and texts of a result are shown, not sent to the terminal."""
    evil, title = folder / "evil\x1b[31m.h5", "\x1b]0;evil\x07"
    shutil.copy(folder / "run.h5", evil)
    with h5py.File(evil, "a") as file:
        file.attrs["workload"] = title
        file["docking/poses"].move("vdw", title)
        file[f"docking/poses/{title}/terms"].attrs["names"] = [title] * 4
    for result in (python(READ_POSES, evil, "--set", "none"), python(READ_POSES, evil, "--set", title),
                   plot("fit", evil), plot("docking", evil, "--sets", "none")):
        if any(not c.isprintable() and c != "\n" for c in result.stdout + result.stderr):
            fail(f"control characters are printed: {result}")


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tessera_runs.write_pair(folder)
        dock = (program, "dock", folder / "receptor.pdb", folder / "ligand.pdb", "--rotations", 48, "--spacing", 2,
                "--poses", 60, "--coefficients", "balanced,vdw", "--quiet", "-o")
        succeed(run(*dock, folder / "run.h5", "--refine", 20, "--reference", folder / "complex.pdb"), "docking")
        succeed(run(*dock, folder / "plain.h5"), "docking without a reference")
        check_moved_ligand(program, folder)
        check_table(folder)
        for picture in ("run", "plain"):
            check_picture("docking", folder / f"{picture}.h5", folder / f"{picture}.png")
        check_consensus_is_drawn(folder)
        check_examples(program, folder)
        check_control_characters(folder)
    print("passed")


if __name__ == "__main__":
    main()
