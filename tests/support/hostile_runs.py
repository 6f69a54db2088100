"""Runs of the program in a folder where strangers have left names, links and texts, and what they may not change."""

import concurrent.futures
import os
import pathlib
import re
import shutil
import tempfile

import h5py
import likelihood_files
import tessera_runs
from tessera_runs import check, own_lines, run

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+$")
WATER = pathlib.Path(__file__).resolve().parent.parent.parent / "examples/water.molden"
QUICK = ("--rotation-file", "few.rot", "--spacing", "2", "--coefficients", "mine.sets")
DOCK = ("dock", "receptor.pdb", "ligand.pdb", *QUICK, "-o")
ORBITAL = ("orbital", "water.molden", "--orbitals", "HOMO-1,LUMO+1,3", "--spacing", "0.8", "--isosurface", "0.05",
           "--vertex-field", "LUMO", "--grids", "-o")
SIMULATE = ("simulate", "wedge.toml", "--number", "50", "-o")


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


def run_in_copies(program, *tests):
    """Calls test(scratch) for each of the tests, each with a copy of one folder."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-hostile-"))
    try:
        first = Scratch(os.path.abspath(program), folder / "first")
        first.folder.mkdir()
        first.fill()

        def in_copy(test):
            test(Scratch(first.program, shutil.copytree(first.folder, folder / test.__name__)))

        with concurrent.futures.ThreadPoolExecutor(max_workers=3) as pool:  # most of a short run is MPI's start
            for done in [pool.submit(in_copy, test) for test in tests]:
                done.result()
    finally:
        shutil.rmtree(folder)
