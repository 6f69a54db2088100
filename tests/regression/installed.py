#!/usr/bin/env python3
"""What cmake --install copies: the program finds its data beside itself and docks, every file that the guide promises
is there, and manual pages and completions have the options that --help prints, no more and no less.
Usage: installed.py PATH/OF/tessera (in its build folder)"""

import os
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from tessera_runs import check, run  # noqa: E402

PLANNED = ("dock", "screen", "orbital", "likelihood", "fit", "sample")
QUEUE = ("submit", "run", "list", "cancel", "wait", "projects", "share")
COMMANDS = (*PLANNED, "simulate", "plan", *(f"plan {name}" for name in PLANNED), "devices", "run", "info", "table",
            "report", "export", "rescore", "rerun", "merge", "queue", *(f"queue {name}" for name in QUEUE))
TABLES = ("atoms/charmm19_ace.csv", "potentials/tessera.csv", "potentials/rescoring.csv")
SHARED = (*TABLES, "rotations/2917.csv", "report/page.html", "examples/water.molden", "examples/dock.sh", "jobscripts/cpu.sbatch",
          "postprocess/plot_docking.py")
DOCUMENTS = ("LICENSE", "CITATION.cff", "README.md", "guide/install.md", "reference/options.md")
BASH = """source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tessera
((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}" """


def install(program, prefix):
    done = run("cmake", "--install", program.parent, "--prefix", prefix)
    check(done.returncode == 0, f"cmake --install: {done.stdout}{done.stderr}")
    return prefix / "bin/tessera"


def check_program(program, folder):
    """A damaged table beside the program stops it: it takes no other, such as that of the source tree."""
    os.environ.pop("TESSERA_DATA", None)
    os.environ.pop("LD_LIBRARY_PATH", None)
    command = (program, "dock", "receptor.pdb", "ligand.pdb", "--spacing", "4", "--rotations", "240", "--refine", "20",
               "--device", "openmp", "-o", "run.h5")
    for name in TABLES:
        table = program.parent.parent / "share/tessera" / name
        whole = table.read_text()
        table.write_text("damaged\n")
        refused = run(*command, cwd=folder)
        check(refused.returncode == 2 and str(table) in refused.stderr, f"does not read {table}: {refused.stderr}")
        table.write_text(whole)
    docked = run(*command, cwd=folder)
    check(docked.returncode == 0, f"the installed program cannot dock: {docked.stderr}")
    print("the installed program finds its data beside itself")


def library_folders(program):
    """Where the program looks for libraries besides the folders of the system."""
    found = re.search(r"\(R(?:UN)?PATH\).*\[(.*)\]", run("readelf", "-d", program).stdout)
    return {folder for folder in (found[1] if found else "").split(":") if folder}


def check_library_folders(built, program):
    """As in the build, but for folders of the build itself: libraries from modules need no LD_LIBRARY_PATH."""
    if not shutil.which("readelf"):
        return print("no readelf: the search path of libraries is not tested")
    needed = {folder for folder in library_folders(built) if not folder.startswith(str(built.parent))}
    check(library_folders(program) == needed, f"looks for libraries in {library_folders(program)}, not in {needed}")
    print(f"the installed program looks for libraries in {len(needed)} folders of its own")


def check_files(prefix):
    for folder, names in (("share/tessera", SHARED), ("share/doc/tessera", DOCUMENTS)):
        for name in names:
            check((prefix / folder / name).exists(), f"{folder}/{name} is not installed")
    check(os.access(prefix / "share/tessera/examples/dock.sh", os.X_OK), "examples/dock.sh cannot be run")


def options_of(program, command):
    told = run(program, *command.split(), "--help").stdout
    found = set(re.findall(r"^ +(?:-\w,)?(--[a-z-]+)", told, re.MULTILINE))
    check("--help" in found, f"{command} --help: {told}")
    return found


def check_page(prefix, command, options):
    page = prefix / "share/man/man1" / ("-".join(["tessera", *command.split()]) + ".1")
    check(page.is_file(), f"{page.name} is not installed")
    listed = re.findall(r"^\.TP\n(\\fB\\-.*)$", page.read_text(), re.MULTILINE)
    listed = set(re.findall(r"--[a-z-]+", " ".join(line.split(" \\fI")[0] for line in listed).replace("\\-", "-")))
    check(listed == options, f"{page.name}: {listed ^ options}")
    if not shutil.which("groff"):
        return
    shown = run("groff", "-man", "-ww", "-Tutf8", "-P-cbu", page)
    check(shown.returncode == 0 and not shown.stderr, f"{page.name}: {shown.stderr}")
    check(all(option in re.sub("\u2010\\s+", "", shown.stdout) for option in options), f"{page.name} hides options")


def completed(prefix, *words):
    script = prefix / "share/bash-completion/completions/tessera"
    answer = run("bash", "-c", BASH, "bash", script, "tessera", *words)
    check(answer.returncode == 0 and not answer.stderr, f"completion of {words}: {answer.stderr}")
    return set(answer.stdout.split())


def check_completions(prefix, command, options):
    words = command.split()
    check(completed(prefix, *words, "--") == options, f"bash, {command}: {completed(prefix, *words, '--') ^ options}")
    zsh = (prefix / "share/zsh/site-functions/_tessera").read_text()
    body = re.search(r"^" + "_".join(["_tessera", *words]) + r"\(\) \{\n(.*?)^\}", zsh, re.MULTILINE | re.DOTALL)
    check(body, f"zsh does not know {command}")
    listed = set(re.findall(r"\)(--[a-z-]+)\[", body[1]))
    check(listed == options, f"zsh, {command}: {listed ^ options}")
    fish = (prefix / "share/fish/vendor_completions.d/tessera.fish").read_text().splitlines()
    lines = [line for line in fish if f"__tessera_command \"{command}\"'" in line]
    listed = {"--" + name for line in lines for name in re.findall(r"' -l ([a-z-]+)|-s \w -l ([a-z-]+)", line)
              for name in name if name}
    check(listed == options, f"fish, {command}: {listed ^ options}")


def check_words(prefix):
    commands = {command for command in COMMANDS if " " not in command}
    for words, expected in ((("dock", "--rot"), {"--rotations", "--rotation-file"}), (("",), commands),
                            (("pl",), {"plan"}), (("plan", ""), set(PLANNED)), (("dock", "rec"), set()),
                            (("plan", "dock", "--for-"), {"--for-device"}), (("plan", "--"), {"--help"}),
                            (("orbital", "--precision", ""), {"single", "double"}),
                            (("orbital", "--precision", "=", "d"), {"double"}),
                            (("orbital", "--precision", "="), {"single", "double"}), (("info", "dock", "--rot"), set())):
        check(completed(prefix, *words) == expected, f"bash, {words}: {completed(prefix, *words)}")
    for shell, path in (("zsh", "share/zsh/site-functions/_tessera"),
                        ("fish", "share/fish/vendor_completions.d/tessera.fish")):
        if shutil.which(shell):
            read = run(shell, "-n", prefix / path)
            check(read.returncode == 0 and not read.stderr, f"{shell}: {read.stderr}")
        else:
            print(f"{shell} is not here: it has not read its completion")


def main():
    if not shutil.which("cmake"):
        print("skipped: no cmake to install with")
        return tessera_runs.SKIPPED
    built = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder, prefix = pathlib.Path(name), pathlib.Path(name) / "prefix"
        tessera_runs.write_pair(folder)
        program = install(built, prefix)
        check_program(program, folder)
        check_library_folders(built, program)
        check_files(prefix)
        for command in ("", *COMMANDS):
            options = options_of(built, command)
            check_page(prefix, command, options)
            check_completions(prefix, command, options)
        check_words(prefix)
        print(f"{len(COMMANDS)} commands have their pages and completions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
