#!/usr/bin/env python3
"""bin/tessera of a portable installation: it becomes the best program for this processor, hands over arguments, exit
codes and its process id, falls back where a program cannot be started, and does what TESSERA_CPU says. Stand-ins take
the place of programs for other processors. A true program in libexec docks with the data of the installation.
Usage: chosen_program.py PATH/OF/tessera, with the chooser in TESSERA_CHOOSER"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from tessera_runs import check, run  # noqa: E402

# The features that the x86-64 psABI lists for the levels, as Linux writes them.
THIRD = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}
FOURTH = THIRD | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
LEVELS = {"x86-64-v4": FOURTH, "x86-64-v3": THIRD, "x86-64": set()}
STAND_IN = '#!/bin/sh\necho "{level} $$"\nfor word; do echo "<$word>"; done\nexit 7\n'
WORDS = ("dock", "two words", "", "*", "--option=x")


def processor():
    flags = next(line for line in open("/proc/cpuinfo") if line.startswith("flags"))
    return set(flags.split(":")[1].split())


def program_of(prefix, level):
    return prefix / "libexec/tessera" / level / "tessera"


def stand_in(prefix, level):
    path = program_of(prefix, level)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(STAND_IN.format(level=level))
    path.chmod(0o755)


def expect_level(chooser, level, **environment):
    """Arguments, exit code and process id are those of the program."""
    process = subprocess.Popen([chooser, *WORDS], stdout=subprocess.PIPE, text=True,
                               env=dict(os.environ, **environment))
    told = process.communicate()[0].splitlines()
    check(told == [f"{level} {process.pid}", *(f"<{word}>" for word in WORDS)], f"expected {level}: {told}")
    check(process.returncode == 7, f"exit code 7 became {process.returncode}")


def expect_refused(chooser, words, **environment):
    told = run(chooser, environment=environment)
    check(told.returncode == 2 and not told.stdout, f"{environment}: {told.returncode} {told.stdout}")
    check(len(told.stderr.splitlines()) == 1 and words in told.stderr, f"{environment}: {told.stderr}")


def check_choice(prefix, chooser, able):
    """`able`: the levels of this processor, best first. Each is spoilt in another way, and the next one steps in."""
    for level in LEVELS:
        stand_in(prefix, level)
    link = prefix / "link"
    link.symlink_to(chooser)
    expect_level(link, able[0])
    for level in LEVELS:
        if level in able:
            expect_level(chooser, level, TESSERA_CPU=level)
        else:
            expect_refused(chooser, f"TESSERA_CPU={level} does not run here", TESSERA_CPU=level)
    expect_level(chooser, able[0], TESSERA_CPU="")
    expect_refused(chooser, "x86-64-v9", TESSERA_CPU="x86-64-v9")
    spoil = [lambda path: path.chmod(0o644), lambda path: path.write_bytes(b"\x7fELF"), lambda path: path.unlink()]
    for level, after, harm in zip(able, able[1:], spoil):
        harm(program_of(prefix, level))
        expect_level(chooser, after)
    program_of(prefix, able[-1]).unlink()
    if "x86-64-v3" in able:  # the build with CUDA is for these; it steps in last
        stand_in(prefix, "cuda")
        expect_level(chooser, "cuda")
        expect_level(chooser, "cuda", TESSERA_CPU="cuda")
        program_of(prefix, "cuda").unlink()
    expect_refused(chooser, "no program of tessera starts")
    expect_refused(chooser, "TESSERA_CPU=x86-64 is not installed", TESSERA_CPU="x86-64")
    print("chosen:", able[0], "and then", *able[1:])


def check_true_program(built, prefix, folder):
    """The program in libexec reads the tables of the installation, and the result names the command as typed."""
    os.environ.pop("TESSERA_DATA", None)
    os.environ["PATH"] = f"{prefix / 'bin'}:{os.environ['PATH']}"
    shutil.copy(built, program_of(prefix, "x86-64"))
    shutil.copytree(pathlib.Path(os.environ["TESSERA_SOURCE_DIR"]) / "data", prefix / "share/tessera")
    tessera_runs.write_pair(folder)
    command = ("tessera", "dock", "receptor.pdb", "ligand.pdb", "--spacing", "4", "--rotations", "240", "--device",
               "openmp", "-o", "run.h5")
    table = prefix / "share/tessera/potentials/tessera.csv"
    whole = table.read_text()
    table.write_text("damaged\n")
    refused = run(*command, cwd=folder)
    check(refused.returncode == 2 and str(table) in refused.stderr, f"does not read {table}: {refused.stderr}")
    table.write_text(whole)
    docked = run(*command, cwd=folder)
    check(docked.returncode == 0, f"cannot dock: {docked.stderr}")
    told = run("tessera", "info", "run.h5", cwd=folder).stdout
    check("tessera dock receptor.pdb" in told and "libexec" not in told, f"another command line: {told}")
    print("a program in libexec docks with the data of the installation")


def main():
    chooser = os.environ.get("TESSERA_CHOOSER")
    if not chooser:
        print("skipped: programs are chosen on x86-64 only")
        return tessera_runs.SKIPPED
    os.environ.pop("TESSERA_CPU", None)
    able = [level for level, needed in LEVELS.items() if needed <= processor()]
    with tempfile.TemporaryDirectory() as name:
        prefix = pathlib.Path(name).resolve() / "prefix"
        (prefix / "bin").mkdir(parents=True)
        copied = shutil.copy(chooser, prefix / "bin/tessera")
        check_choice(prefix, copied, able)
        check_true_program(pathlib.Path(sys.argv[1]).resolve(), prefix, pathlib.Path(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
