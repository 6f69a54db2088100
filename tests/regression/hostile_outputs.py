#!/usr/bin/env python3
"""Whatever names, links and texts a stranger leaves, the program writes where it was told to and nowhere else, over
nothing but its own results, and prints nothing that steers a terminal; output that cannot be printed is told.
Usage: hostile_outputs.py PATH/OF/tessera"""

import concurrent.futures
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import likelihood_files  # noqa: E402
import tessera_runs  # noqa: E402
from tessera_runs import check, own_lines, run  # noqa: E402

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+$")
WATER = pathlib.Path(__file__).resolve().parent.parent.parent / "examples/water.molden"
QUICK = ("--rotation-file", "few.rot", "--spacing", "2", "--coefficients", "mine.sets")
DOCK = ("dock", "receptor.pdb", "ligand.pdb", *QUICK, "-o")
ORBITAL = ("orbital", "water.molden", "--orbitals", "HOMO-1,LUMO+1,3", "--spacing", "0.8", "--isosurface", "0.05",
           "--vertex-field", "LUMO", "--grids", "-o")
SIMULATE = ("simulate", "wedge.toml", "--number", "50", "-o")
EVIL = "\x1b]0;evil\x07\x9b31m"  # sets a terminal's title; U+009B alone begins a colour


class Scratch:
    """A folder with inputs and a result of docking and one of orbitals."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def fill(self):
        folder = self.folder
        tessera_runs.write_pair(folder)
        tessera_runs.write_rotations(folder / "few.rot", 6, 2)
        (folder / "mine.sets").write_text("lock 4 -1 300 0.5\n")
        shutil.copy(WATER, folder / "water.molden")
        (folder / "wedge.toml").write_text(likelihood_files.toml(likelihood_files.model(82, 1, cut=False)))
        self.done(*DOCK, "dock.h5")
        self.done(*ORBITAL, "orbital.h5")

    def __truediv__(self, name):
        return self.folder / name

    def run(self, *words, **options):
        return run(self.program, *words, cwd=self.folder, **options)

    def done(self, *words, **options):
        result = self.run(*words, **options)
        check(result.returncode == 0, f"{words}: exit code {result.returncode}\n{result.stderr}")
        return result

    def contents(self):
        """The lock of a folder names whoever asked last."""
        return {path: path.read_bytes() if path.stat().st_size < 1 << 30 else path.stat().st_mtime_ns
                for path in self.folder.rglob("*")
                if path.is_file() and (path.name != "lock" or path.is_symlink())}

    def refused(self, said, *words, codes=(2,), **options):
        """One line on stderr, and no file is changed, made or gone."""
        before = self.contents()
        result = self.run(*words, **options)
        told = [line for line in own_lines(result.stderr) if line.startswith("tessera: ")]
        what = f"{words}: exit code {result.returncode}\n{result.stdout}{result.stderr}"
        check(result.returncode in codes, what)
        check(len(told) == 1 and LINE.match(told[0]) and re.search(said, told[0]), what)
        after = self.contents()
        differing = [str(path) for path in before.keys() | after.keys() if before.get(path) != after.get(path)]
        check(not differing, f"{words}: {differing} changed")


def set_names(path, group, name, value):
    with h5py.File(path, "a") as file:
        node = file[group]
        if name in node.attrs:
            node.attrs[name] = value
        else:
            del node[name]
            node.create_dataset(name, data=value, dtype=h5py.string_dtype())


def test_exports(scratch):
    """An export replaces older exports with --force, and nothing else ever."""
    for words, target in ((("dock.h5", "--poses", "2", "models"), "models/lock_0002.pdb"),
                          (("dock.h5", "--zdock", "poses.out"), "poses.out"),
                          (("orbital.h5", "--cube", "cubes"), "cubes/HOMO-1.cube"),
                          (("orbital.h5", "--dx", "dx"), "dx/LUMO+1.dx"),
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
        if words[2] in ("--mesh", "--dx"):  # as --cube
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


def main():
    program = os.path.abspath(sys.argv[1])
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-hostile-"))
    try:
        first = Scratch(program, folder / "first")
        first.folder.mkdir()
        first.fill()

        def in_copy(test):
            test(Scratch(program, shutil.copytree(first.folder, folder / test.__name__)))

        tests = (test_exports, test_results, test_tables, test_names, test_links, test_printing)
        with concurrent.futures.ThreadPoolExecutor(max_workers=3) as pool:  # most of a short run is MPI's start
            for done in [pool.submit(in_copy, test) for test in tests]:
                done.result()
    finally:
        shutil.rmtree(folder)


main()
