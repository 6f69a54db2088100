#!/usr/bin/env python3
"""Whatever names, links and texts a stranger leaves, the program writes where it was told to and nowhere else, and
prints nothing that steers a terminal; output that cannot be printed is told.
Usage: hostile_names.py PATH/OF/tessera"""

import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from hostile_runs import DOCK, LINE, ORBITAL, QUICK, SIMULATE, set_names, run_in_copies  # noqa: E402
from tessera_runs import check, own_lines  # noqa: E402

EVIL = "\x1b]0;evil\x07\x9b31m"  # sets a terminal's title; U+009B alone begins a colour


def test_names(scratch):
    """Names out of a result do not lead out of the folder of an export."""
    for name in ("../../evil", "..", "", "a\nb"):
        shutil.copy(scratch / "dock.h5", scratch / "bad.h5")
        with h5py.File(scratch / "bad.h5", "a") as file:
            poses = file["docking/poses"]
            if "/" in name:
                poses.create_group(name.rpartition("/")[0])  # ".." is a name like any other there
            if name:
                poses.copy("lock", name)
        set_names(scratch / "bad.h5", "docking", "sets", [name])
        scratch.refused("not a valid file name", "export", "bad.h5", "--poses", "1", "deep/er")
        shutil.copy(scratch / "orbital.h5", scratch / "bad.h5")
        set_names(scratch / "bad.h5", "orbitals", "labels", [name, "HOMO", "LUMO"])
        scratch.refused("not a valid file name", "export", "bad.h5", "--cube", "deep/er")
        if name and "/" not in name:
            shutil.copy(scratch / "orbital.h5", scratch / "bad.h5")
            with h5py.File(scratch / "bad.h5", "a") as file:
                file["isosurfaces/1"].move("3", name)
            scratch.refused("not a valid file name", "export", "bad.h5", "--mesh", "deep/er")
    shutil.copy(scratch / "orbital.h5", scratch / "good.h5")
    set_names(scratch / "good.h5", "orbitals", "labels", ["HOMO-1 (A1g)", "12a", "1a''"])
    scratch.done("export", "good.h5", "--cube", "good")
    check({path.name for path in (scratch / "good").iterdir()} ==
          {"HOMO-1 (A1g).cube", "12a.cube", "1a''.cube"}, "other names")
    print("names out of results stay in their folder")


def few_gigabytes():
    resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))


def test_links(scratch):
    """Nothing is written or removed through a link in the folder of a run's progress."""
    precious, partial = scratch / "precious", scratch / "new.h5.partial"
    precious.write_text("years of work\n")
    (scratch / "elsewhere").mkdir()
    (scratch / "elsewhere/notes").write_text("more work\n")
    run_file = '{"program": "tessera", "workload": "dock", "input_sha256": "0", "build": "0"}'

    def plant(name, make):
        partial.mkdir()
        (partial / "run").write_text(run_file)
        (partial / name).unlink(missing_ok=True)
        make(partial / name)
        scratch.refused("regular file", *DOCK, "new.h5", "--force")
        if name in ("run", "tiles-1-0"):
            scratch.refused("regular file", "info", "new.h5.partial")
        shutil.rmtree(partial)

    for name in ("lock", "run", "attempt-1", "tiles-1-0", "result.h5"):
        plant(name, lambda path: path.symlink_to(precious))
    for name in ("lock", "tiles-1-0", "result.h5"):
        plant(name, lambda path: os.link(precious, path))
    for name in ("lock", "run"):
        plant(name, os.mkfifo)
    plant("tiles-1-0", lambda path: shutil.copytree(scratch / "elsewhere", path))
    for words in (("info", partial), (*DOCK, "new.h5")):
        partial.mkdir()
        with open(partial / "run", "w") as file:
            file.truncate(1 << 40)  # a terabyte that takes no room
        scratch.refused("has no workload", *words, preexec_fn=few_gigabytes)
        shutil.rmtree(partial)
    partial.symlink_to(scratch / "elsewhere")
    scratch.refused("symbolic link", *DOCK, "new.h5", "--force")
    partial.unlink()
    partial.write_text("a file of the user\n")
    scratch.refused("not a folder", *DOCK, "new.h5", "--force")
    partial.unlink()
    if os.geteuid() == 0:
        partial.mkdir()
        os.chown(partial, 65534, 65534)
        scratch.refused("another user", *DOCK, "new.h5", "--force")
        partial.rmdir()
    scratch.done(*DOCK, "new.h5")
    check(not partial.exists(), "the folder was left behind")
    print("links lead nowhere")


def test_printing(scratch):
    """Control characters of names and texts are shown, not sent; what cannot be printed is told."""
    evil = scratch / f"{EVIL}.h5"
    shutil.copy(scratch / "orbital.h5", evil)
    with h5py.File(evil, "a") as file:
        file["run"].attrs["command_line"] = "tessera\nset   false\x1b[2J"
    set_names(evil, "/", "created", EVIL)
    name = "Björk \u03c8.h5"
    shutil.copy(scratch / "dock.h5", scratch / name)
    (scratch / "evil.csv").write_text(f"name,receptor,ligand\none,{EVIL}.pdb,ligand.pdb\n")
    told = scratch.done("info", evil.name).stdout
    check("\\x1b]0;evil\\x07\\xc2\\x9b31m" in told and "tessera\\x0aset   false\\x1b[2J" in told, told)
    texts = [told]
    for words in (("info", EVIL), (EVIL,), ("info", f"--{EVIL}"), ("dock", EVIL, "ligand.pdb", "-o", "x.h5"),
                  ("dock", "--pairs", "evil.csv", "-o", "evil", *QUICK),
                  (*SIMULATE, f"{EVIL}.txt"), ("plan", "dock", EVIL, "ligand.pdb", "--json")):
        result = scratch.run(*words)
        texts += [result.stdout, result.stderr]
    texts.append((scratch / "evil/pairs.csv").read_text())
    for text in texts:
        check(not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", text), repr(text))
    check(name in scratch.done("info", name).stdout, "other letters than ASCII are not printed")
    with open("/dev/full", "w") as full:
        for words in (("info", "dock.h5"), ("--help",), ("dock", "--help"), ("--version",),
                      (*DOCK, "full-dock.h5"), (*ORBITAL, "full-orbital.h5"),
                      (*SIMULATE, "full-stars.txt"), ("plan", "dock", "receptor.pdb", "ligand.pdb")):
            result = print_to(scratch, full, *words)
            lines = [line for line in own_lines(result.stderr) if line.startswith("tessera: ")]
            check(result.returncode == 4 and len(lines) == 1 and LINE.match(lines[0]), f"{words} {result}")
            check("No space left" in lines[0] and "that the command writes are complete" in lines[0], f"{words} {lines}")
            if words[-1].startswith("full-"):
                check((scratch / words[-1]).stat().st_size > 0, f"{words}: no output")
    result = scratch.run("info", "dock.h5", preexec_fn=lambda: os.close(1))
    check(result.returncode == 4, f"a closed stdout is not told: {result}")
    print("what is printed steers no terminal, what is not printed is told")


def print_to(scratch, stdout, *words):
    """As run(), with another stdout."""
    return subprocess.run([scratch.program, *words], cwd=scratch.folder, stdout=stdout, stderr=subprocess.PIPE,
                          text=True, timeout=tessera_runs.patience(120),
                          env=dict(os.environ, OMP_NUM_THREADS="2"))


run_in_copies(sys.argv[1], test_names, test_links, test_printing)
