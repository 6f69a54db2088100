#!/usr/bin/env python3
"""Runs every command of README.md and of the pages in docs/guide as a reader would type it.

    tests/docs/run_guides.py PROGRAM [PAGE...] [--list]      for example build/host/tessera docking.md

Each page has a folder of its own, which holds links to the folders of the repository that readers use. Blocks of
`sh` go to one shell in their order, and blocks of `python` to Python. Blocks of `text` show output and are not run.
A comment before a block changes this:

    <!-- not run: WHY -->     the block is skipped with a message: it needs a GPU, Slurm or files of the reader
    <!-- fetches data -->     if the block fails, there is no network: the rest of the page is skipped

A page fails if a command fails, if a block has neither language nor reason, or if it writes a file that another page
wrote. Exit code 77: every page was skipped."""

import argparse
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(os.environ.get("TESSERA_SOURCE_DIR", pathlib.Path(__file__).resolve().parent.parent.parent))
GUIDE = ROOT / "docs" / "guide"
READERS_FOLDERS = ("bench", "data", "examples", "jobscripts", "postprocess", "potentials", "scripts")
SKIPPED = 77
LIMIT = 600 * float(os.environ.get("TESSERA_TEST_SLOWDOWN", "1"))  # s a page


class Block:
    def __init__(self, language, comment, line):
        self.language, self.line, self.lines = language, line, []
        self.comment = comment

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    @property
    def why_not(self):
        found = re.match(r"not run: (.+)", self.comment)
        return found.group(1) if found else None

    @property
    def fetches(self):
        return self.comment == "fetches data"


def blocks_of(path):
    """The fenced blocks of a page, each with the comment on the line before it."""
    found, block, comment = [], None, ""
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if block is not None:
            if line.strip() == "```":
                found.append(block)
                block, comment = None, ""
            else:
                block.lines.append(line)
        elif line.startswith("```"):
            block = Block(line[3:].strip(), comment, number)
        elif re.match(r"(    |\t)\S", line) and not comment:
            sys.exit(f"{path.name}:{number}: an indented block: write ```sh, ```python or ```text")
        else:
            note = re.fullmatch(r"<!--\s*(.*?)\s*-->", line.strip())
            comment = note.group(1) if note else comment if not line.strip() else ""
    return found


def wanted_modules(block):
    """Python modules that a block needs, so far as it says."""
    names = {"h5py": ("h5py", "numpy"), "postprocess/": ("h5py", "numpy", "matplotlib"),
             "import tessera": ("tessera", "pandas", "xarray", "gemmi"), "examples/python/": ("tessera", "scipy", "emcee")}
    return [module for word, modules in names.items() if word in block.text for module in modules]


def starts_open_mpi():
    """The pages give options of Open MPI to mpirun."""
    try:
        answer = subprocess.run(["mpirun", "--version"], capture_output=True, text=True).stdout
    except FileNotFoundError:
        return False
    return re.search(r"Open ?(MPI|RTE)", answer) is not None


def files_in(folder):
    links = {folder / name for name in READERS_FOLDERS}
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")
            if path.is_file() and not any(link in (path, *path.parents) for link in links)}


class Page:
    def __init__(self, path, program, top):
        self.path, self.program = path, program
        self.folder = top / path.stem
        self.folder.mkdir()
        for name in READERS_FOLDERS:
            (self.folder / name).symlink_to(ROOT / name)
        tools = top / "bin"  # python3 is the Python that runs this test, for the scripts with #!/usr/bin/env python3
        if not tools.exists():
            tools.mkdir()
            (tools / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
            (tools / "python3").chmod(0o755)
        self.environment = dict(os.environ, PATH=f"{program.parent}:{tools}:{os.environ['PATH']}", MPLBACKEND="Agg",
                                OMP_WAIT_POLICY="passive")
        self.fetched, self.skipped, self.commands = set(), [], 0

    def run(self):
        """None, or what went wrong."""
        for block in blocks_of(self.path):
            where = f"{self.path.name}:{block.line}"
            if block.why_not:
                self.skipped.append(f"{where}: not run: {block.why_not}")
                continue
            if block.language == "text":
                continue
            if block.language not in ("sh", "python"):
                return f"{where}: a block of '{block.language}': write sh, python or text"
            missing = sorted({name for name in wanted_modules(block) if importlib.util.find_spec(name) is None})
            if missing:
                self.skipped.append(f"{where}: not run: no Python module {', '.join(missing)}")
                continue
            if "mpirun" in block.text and not starts_open_mpi():
                self.skipped.append(f"{where}: not run: mpirun is not Open MPI's")
                continue
            before = files_in(self.folder)
            result = self.run_block(block)
            if block.fetches:
                self.fetched |= files_in(self.folder) - before
            if result.returncode and block.fetches:
                self.skipped.append(f"{where}: the rest of the page is not run: {result.stdout.strip()[-300:]}")
                return None
            if result.returncode:
                return f"{where}: exit code {result.returncode}\n{block.text}{result.stdout[-4000:]}"
            self.commands += 1
        return None

    def run_block(self, block):
        if block.language == "python":
            command = [sys.executable, "-c", block.text]
        else:  # what one block exports, later ones see
            state = self.folder.parent / f"{self.path.stem}.environment"
            before = f'[ ! -f "{state}" ] || . "{state}"\n'
            command = ["bash", "-c", f'{before}set -e\n{block.text}export -p >"{state}"\n']
        return subprocess.run(command, cwd=self.folder, env=self.environment, text=True, timeout=LIMIT,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def written(self):
        return files_in(self.folder) - self.fetched


def pages_named(names):
    pages = [ROOT / "README.md", *sorted(GUIDE.glob("*.md"))]
    if not names:
        return pages
    return [page for page in pages if page.name in names or page.stem in names]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="path of tessera")
    parser.add_argument("pages", nargs="*", help="README or pages of docs/guide; default: all")
    parser.add_argument("--list", action="store_true", help="print the commands instead of running them")
    options = parser.parse_args()
    pages = pages_named(options.pages)
    if not pages:
        sys.exit(f"no page {', '.join(options.pages)} in {GUIDE}")
    if options.list:
        for page in pages:
            for block in blocks_of(page):
                if block.language in ("sh", "python"):
                    print(f"# {page.name}:{block.line} {block.comment}\n{block.text}")
        return 0
    program = pathlib.Path(options.program).resolve()
    if program.name != "tessera":
        sys.exit(f"{program} is not called tessera, and the pages say tessera")

    failures, commands, writers = [], 0, {}
    with tempfile.TemporaryDirectory(prefix="tessera_guides_") as top:
        for path in pages:
            begin = time.monotonic()
            page = Page(path, program, pathlib.Path(top))
            problem = page.run()
            for line in page.skipped:
                print(line)
            for name in sorted(page.written()):
                if name in writers and not problem:
                    problem = f"{path.name}: writes {name}, which {writers[name]} wrote"
                writers.setdefault(name, path.name)
            if problem:
                failures.append(problem)
            commands += page.commands
            print(f"{path.name}: {'FAILED' if problem else 'done'}, {page.commands} blocks, "
                  f"{time.monotonic() - begin:.1f} s", flush=True)
            shutil.rmtree(page.folder)
    for failure in failures:
        print(f"FAILED: {failure}")
    if failures:
        return 1
    return 0 if commands else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
