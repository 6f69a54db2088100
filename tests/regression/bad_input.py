#!/usr/bin/env python3
"""Whatever is wrong with the files and the output of tessera dock, the user reads one line "tessera: problem (why):
what to do" that names the culprit, the exit code is not 0, and no file is left behind. Options: bad_options.py.
Usage: bad_input.py PATH/OF/tessera"""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from bad_dockings import DOCK, PAIR, QUICK, bad_files, refuse_all  # noqa: E402
from tessera_runs import fail, run  # noqa: E402

ON_RANKS = ("receptor missing file", "no command", "info none.h5", "output 'taken.h5'", "receptor pipe")


def structure_cases():
    cases = {
        "missing file": ("no-such.pdb", "no-such.pdb"),
        "folder": ("a folder", "directory"),
        "empty": ("empty.pdb", "empty"),
        "blank": ("blank.pdb", "blank"),
        "binary": ("binary.pdb", "binary"),
        "words": ("words.pdb", "no ATOM"),
        "web page": ("page.pdb", "web page"),
        "cut short": ("cut.pdb", "cut short|ends within"),
        "gzip cut short": ("cut.pdb.gz", "truncated"),
        "gzip damaged": ("damaged.pdb.gz", "damaged|truncated"),
        "not a number": ("nan.pdb", "finite|number"),
        "far away": ("far.pdb", "100000"),
        "too long for a grid": ("long.pdb", "grid of"),
        "water only": ("water.pdb", "no protein"),
        "mmCIF without coordinates": ("headless.cif", "_atom_site"),
        "mmCIF cut short": ("cut.cif", "incomplete or damaged|_atom_site"),
        "packed a thousand times": ("bomb.pdb.gz", "a hundred times its size"),
        "packed zeros": ("zeros.pdb.gz", "binary"),
        "packed otherwise": ("bzip.pdb", "other than gzip"),
        "of 100 GiB": ("sparse.pdb", "100 GiB, more than 2 GiB"),
    }
    for name, (path, words) in cases.items():
        yield f"receptor {name}", ["dock", path, "ligand.pdb", "-o", "OUT"], words
        if name in ("missing file", "binary", "cut short"):
            yield f"ligand {name}", ["dock", "receptor.pdb", path, "-o", "OUT"], words
            yield f"reference {name}", DOCK.split() + ["--reference", path], words


def endless_cases():
    """Nobody writes to the pipe, and the device never ends: every input is refused before it is read."""
    for what, path, words in (("pipe", "pipe", "a pipe"), ("device", "/dev/zero", "a device"),
                              ("standard input", "/dev/stdin", "a pipe")):
        yield f"receptor {what}", ["dock", path, "ligand.pdb", "-o", "OUT"], words
        if what == "standard input":
            return
        yield f"ligand {what}", ["dock", "receptor.pdb", path, "-o", "OUT"], words
        yield f"--pairs {what}", ["dock", "--pairs", path, "-o", "OUT"], words
        for option in ("--reference", "--coefficients", "--rotation-file", "--block", "--attract", "--atom-types",
                       "--pair-potential"):
            yield f"{option} {what}", DOCK.split() + [option, path], words
        yield f"--rescoring {what}", DOCK.split() + ["--refine", "5", "--rescoring", path], words


def output_cases():
    pair = PAIR.split()
    for output, words in (("a folder", "folder"), ("no/such/place.h5", "no folder"),
                          ("taken.h5/run.h5", "not a folder"), ("taken.h5", "--force"),
                          ("", "output|name"), ("/dev/null", "not a file"),
                          ("/proc/run.h5", "/proc")):
        yield f"output '{output}'", ["dock"] + pair + ["-o", output], words
    yield "input as output", ["dock"] + pair + ["-o", "ligand.pdb", "--force"], "ligand.pdb"
    yield "no output", ["dock"] + pair, "--output"
    yield "no ligand", ["dock", "receptor.pdb", "-o", "OUT"], "ligand"
    yield "three partners", DOCK.split() + ["complex.pdb"], "complex.pdb"
    yield "no command", [], "subcommand"
    yield "unknown command", ["dok"], "unknown command 'dok' .did you mean dock.."
    yield "unknown command of plan", ["plan", "dok"], "unknown command 'dok' .did you mean dock..: see tessera plan --help"
    yield "no such command", ["levitate"], "unknown command 'levitate' .command line."
    yield "near miss", DOCK.split() + ["--receptor-chain", "A"], "did you mean --receptor-chains"
    yield "near miss with =", DOCK.split() + ["--rotation=5"], "'--rotation' .did you mean --rotations"
    yield "near miss of an output", ["dock"] + pair + ["--outptu", "OUT"], "did you mean --output"
    yield "beginning of an option", DOCK.split() + ["--coef", "vdw"], "did you mean --coefficients"
    yield "no such option", DOCK.split() + ["--levitate"], "unknown option '--levitate' .command line.: see tessera dock"
    yield "near miss in a plan", ["plan", "dock"] + pair + ["--gird", "32"], "--grid.*: see tessera plan dock --help"
    yield "near miss without a command", ["--verison"], "did you mean --version"
    for command in (["info"], ["export", "--zdock", "OUT"]):
        for path, words in (("none.h5", "no such file"), ("a folder", "folder"), ("half.h5", "half.h5"),
                            ("empty.pdb", "empty.pdb"), ("receptor.pdb", "receptor.pdb")):
            yield f"{command[0]} {path}", command[:1] + [path] + command[1:], words
    yield "export of nothing", ["export", "none.h5"], "--poses"
    yield "export without folder", ["export", "none.h5", "--poses", "3"], "folder"


def check_memory(program, folder):
    """1 MB of gzip takes no gigabytes."""
    for name in ("bomb.pdb.gz", "zeros.pdb.gz"):
        process = subprocess.Popen([program, "dock", name, "ligand.pdb", "-o", "OUT"], cwd=folder,
                                   stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 2 or usage.ru_maxrss > 600_000:
            yield f"{name}: exit code {process.returncode}, {usage.ru_maxrss} KiB resident"


def check_warned(program, folder):
    """What is read, but is not what it should be, is said on stderr and kept in the result."""
    atoms = [line for line in (folder / "receptor.pdb").read_text().splitlines() if line.startswith("ATOM")]
    trace = [line[:22] + "   1" + line[26:] for line in atoms if line[12:16] == " CA "]
    (folder / "trace.pdb").write_text("\n".join([*trace, "END", ""]))
    made = run(program, "dock", "trace.pdb", "ligand.pdb", "-o", "trace.h5", *sum(QUICK, ()), cwd=folder)
    info = run(program, "info", "trace.h5", cwd=folder)
    count = len(trace)
    for words in (f"{count} heavy atoms", f"{count - 1} of {count} residues of 'trace.pdb' have the number",
                  f"'trace.pdb' lacks N in {count}, C in {count}, O in {count}"):
        warned = "'trace.pdb'" not in words or f"warning: {words}" in made.stderr
        if made.returncode != 0 or words not in made.stderr or not warned:
            fail(f"not said: {words}: exit code {made.returncode}: {made.stderr}")
        if "'trace.pdb'" in words and words not in info.stdout:
            fail(f"not kept: {words}: {info.stdout}")
    for name in ("trace.pdb", "trace.h5"):
        (folder / name).unlink()


def main():
    program = os.path.abspath(sys.argv[1])
    with bad_files() as folder:
        check_warned(program, folder)
        cases = [*structure_cases(), *endless_cases(), *output_cases()]
        refuse_all(program, folder, cases, ON_RANKS, more=check_memory)


main()
