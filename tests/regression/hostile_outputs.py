#!/usr/bin/env python3
"""Whatever lies where the program is told to write, it replaces nothing but its own results, and these only with
--force.
Usage: hostile_outputs.py PATH/OF/tessera"""

import os
import pathlib
import shutil
import sys

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hostile_runs import DOCK, ORBITAL, QUICK, SIMULATE, run_in_copies  # noqa: E402
from tessera_runs import check  # noqa: E402


def test_exports(scratch):
    """An export replaces older exports with --force, and nothing else ever."""
    for words, target in ((("dock.h5", "--poses", "2", "models"), "models/lock_0002.pdb"),
                          (("dock.h5", "--zdock", "poses.out"), "poses.out"),
                          (("orbital.h5", "--cube", "cubes"), "cubes/HOMO-1.cube"),
                          (("orbital.h5", "--dx", "dx"), "dx/LUMO+1.dx"),
                          (("orbital.h5", "--vti", "vti"), "vti/LUMO+1.vti"),
                          (("orbital.h5", "--vtkhdf", "vtkhdf"), "vtkhdf/3.vtkhdf"),
                          (("orbital.h5", "--glb", "glb"), "glb/3.glb"),
                          (("orbital.h5", "--render", "a.png", "--render-surface", "3"), "a.png"),
                          (("orbital.h5", "--mesh", "ply"), "ply/3.ply"),
                          (("orbital.h5", "--mesh", "obj", "--mesh-format", "obj"), "obj/3.obj")):
        words = ("export", *words)
        scratch.done(*words)
        first = (scratch / target).read_bytes()
        scratch.refused("exists already.*--force", *words)
        scratch.done(*words, "--force")
        check((scratch / target).read_bytes() == first, f"{target} differs")
        (scratch / target).write_text("a file of the user\n")
        scratch.refused("did not write the existing file", *words, "--force")
        (scratch / target).unlink()
        if words[2] in ("--mesh", "--dx", "--vti", "--vtkhdf", "--glb"):  # as --cube
            continue
        os.link(scratch / words[1], scratch / target)
        scratch.refused("an input", *words, "--force")
        (scratch / target).unlink()
        (scratch / target).symlink_to("nowhere")
        scratch.refused("not a file", *words, "--force")
        (scratch / target).unlink()
    print("exports replace exports alone")


def test_results(scratch):
    """So does a run: its output replaces a result, whole or not, with --force."""
    with h5py.File(scratch / "foreign.h5", "w") as file:
        file.attrs["program"] = "another"
    (scratch / "thesis.tex").write_text("years of work\n")
    (scratch / "survey.txt").write_text("2\n216.3 1.5 22.1\n217 1.25 23.5\n")
    (scratch / "dangling").symlink_to("nowhere")
    for words, target in ((DOCK, "foreign.h5"), (ORBITAL, "thesis.tex"), (SIMULATE, "survey.txt"),
                          (("rescore", "dock.h5", "--clusters", "3", "-o"), "survey.txt")):
        scratch.refused("did not write the existing file", *words, target, "--force")
        scratch.refused("exists already", *words, "dock.h5" if words[0] == "orbital" else "orbital.h5")
    scratch.refused("not a file", *DOCK, "dangling", "--force")
    for name, damage in (("half.h5", lambda file: file.attrs.modify("complete", 0)),
                         ("begun.h5", lambda file: file.attrs.__delitem__("complete"))):
        shutil.copy(scratch / "orbital.h5", scratch / name)
        with h5py.File(scratch / name, "a") as file:
            damage(file)
        scratch.done(*ORBITAL, name, "--force")
    (scratch / "empty.h5").touch()
    scratch.done(*ORBITAL, "empty.h5", "--force")
    scratch.done(*SIMULATE, "stars.txt")
    scratch.refused("exists already", *SIMULATE, "stars.txt")
    scratch.done(*SIMULATE, "stars.txt", "--force", "--seed", "3")
    print("results replace results alone")


def test_tables(scratch):
    """The summary of a table of pairs replaces summaries alone."""
    table = "name,receptor,ligand\none,receptor.pdb,ligand.pdb\n"
    (scratch / "pairs.csv").write_text(table)
    for force in ((), ("--force",)):
        scratch.refused("an input", "dock", "--pairs", "pairs.csv", "-o", ".", *QUICK, *force)
    (scratch / "out").mkdir()
    for name in ("pairs.csv", "pairs.ranks.csv", "pairs.manifest"):
        (scratch / "out" / name).write_text("expenses\n")
        scratch.refused("did not write the existing", "dock", "--pairs", "pairs.csv", "-o", "out", *QUICK, "--force")
        (scratch / "out" / name).unlink()
    (scratch / "out/one.h5").write_text("a file of the user\n")
    result = scratch.run("dock", "--pairs", "pairs.csv", "-o", "out", *QUICK, "--force")
    check(result.returncode == 2 and "did not write the existing file" in result.stderr, result.stderr)
    check((scratch / "out/one.h5").read_text() == "a file of the user\n", "a user's file was replaced")
    (scratch / "out/one.h5").unlink()
    for force in ((), (), ("--force",)):
        scratch.done("dock", "--pairs", "pairs.csv", "-o", "out", *QUICK, *force)
    (scratch / "pairs.csv").write_text(table + "ONE,receptor.pdb,ligand.pdb\n")
    scratch.refused("capitals", "dock", "--pairs", "pairs.csv", "-o", "other", *QUICK)
    for name in ("=1+1", "../x", "a\x1bb"):
        (scratch / "pairs.csv").write_text(table.replace("one", name))
        scratch.refused("line 2.*name for a file", "dock", "--pairs", "pairs.csv", "-o", "other", *QUICK)
    print("summaries replace summaries alone, names stay in their folder")


run_in_copies(sys.argv[1], test_exports, test_results, test_tables)
