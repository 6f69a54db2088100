#!/usr/bin/env python3
"""Whatever is wrong with the input, the user reads one line "tessera: problem (why): what to do" that
names the culprit, the exit code is not 0, and no file is left behind.
Usage: bad_input.py PATH/OF/tessera"""

import bz2
import concurrent.futures
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from tessera_runs import fail, own_lines, run  # noqa: E402

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+$")
ATOM = "ATOM  {:5d}  CA  ALA {}{:4d}    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00           C\n"


def write_files(folder):
    """The good pair and everything that is wrong in its own way."""
    tessera_runs.write_pair(folder)
    good = (folder / "receptor.pdb").read_text()

    def write(name, content):
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    write("empty.pdb", "")
    write("blank.pdb", " \n\n\t\n")
    write("binary.pdb", bytes(range(256)) * 20)
    write("words.pdb", "This is not a structure.\n" * 5)
    write("page.pdb", "<!DOCTYPE html><html><body>404</body></html>\n")
    write("cut.pdb", good[:2000 + len("ATOM  ") + 20])
    write("cut.pdb.gz", gzip.compress(good.encode())[:900])
    write("damaged.pdb.gz", gzip.compress(good.encode())[:400] + b"\x00" * 400)
    write("nan.pdb", good.replace(good[30:38], "     nan", 1))
    write("far.pdb", ATOM.format(1, "A", 1, 0, 0, 0) + ATOM.format(2, "A", 2, 0, 0, 0)[:30] +
          " 9.9e+05   0.000   0.000\n")
    write("long.pdb", ATOM.format(1, "A", 1, 0, 0, 0) + ATOM.format(2, "A", 2, 9000, 0, 0))
    write("water.pdb", "".join(f"HETATM{i:5d}  O   HOH A{i:4d}    {i:8.3f}{0:8.3f}{0:8.3f}\n"
                               for i in range(1, 9)))
    write("headless.cif", "data_x\nloop_\n_atom_site.id\n1\n2\n")
    write("cut.cif", "data_x\nloop_\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n1 2\n")
    write("other.pdb", "".join(ATOM.format(i, "X", i, 4.0 * i, 0, 0).replace("ALA", "TRP")
                               for i in range(1, 20)))

    write("nine.sets", "".join(f"set{i} 1 -1 600 1\n" for i in range(9)))
    write("text.sets", "balanced 0.4 -0.4 six 1\n")
    write("short.sets", "balanced 0.4 -0.4 600\n")
    write("long.sets", "balanced 0.4 -0.4 600 1 1\n")
    write("nan.sets", "balanced 0.4 nan 600 1\n")
    write("huge.sets", "balanced 0.4 -0.4 1e999 1\n")
    write("large.sets", "balanced 0.4 -0.4 1e300 1\n")
    write("twice.sets", "a 1 1 1 1\na 1 1 1 1\n")
    write("slash.sets", "a/b 1 -1 600 1\n")
    write("dot.sets", ". 1 -1 600 1\n")
    write("binary.sets", bytes(range(256)))
    write("empty.sets", "# nothing\n")
    write("zero.sets", "a 1 1 1 1\nnothing 0 0 0 -0\n")

    write("length.rot", "1 0 0 0\n0.5 0 0 0\n")
    write("reflection.rot", "1 0 0 0 1 0 0 0 -1\n")
    write("skewed.rot", "1 0 0 0 1 0.2 0 0 1\n")
    write("columns.rot", "1 0 0\n")
    write("empty.rot", "")
    write("text.rot", "one zero zero zero\n")
    write("binary.rot", bytes(range(256)))

    write("empty.res", "# nobody\n")
    write("word.res", "receptor A ten\n")
    write("partner.res", "both A 1\n")
    write("backwards.res", "receptor A 9-3\n")
    write("absent.res", "receptor A 900\n")
    write("chain.res", "ligand Q 1-3\n")
    write("huge.res", "receptor A 1-99999999999999\n")
    write("binary.res", bytes(range(256)))

    write("rows.table", "type,N,CA\nN,1,2\n")
    write("lopsided.table", "type,N,CA\nN,1,2\nCA,3,1\n")
    write("nan.table", "type,N,CA\nN,1,nan\nCA,nan,1\n")
    write("few.table", "type,N,CA\nN,1,2\nCA,2,1\n")
    write("types.csv", "residue,atom\nALA,CA\n")
    write("bomb.pdb.gz", gzip.compress(b" \n" * (1 << 23)) * 60)  # 1 MB that unpack to 1 GB
    write("zeros.pdb.gz", gzip.compress(bytes(1 << 24)) * 60)
    write("bzip.pdb", bz2.compress(good.encode()))
    write("sparse.pdb", "")
    os.truncate(folder / "sparse.pdb", 100 << 30)
    os.mkfifo(folder / "pipe")
    write("taken.h5", "a file of the user")
    write("half.h5", b"\x89HDF\r\n\x1a\n" + bytes(60))
    (folder / "a folder").mkdir()


# name: (arguments, words the line must hold). @ is the scratch folder, OUT the output asked for.
PAIR = "receptor.pdb ligand.pdb"
QUICK = (("--rotations", "24"), ("--spacing", "2"))  # what is wrongly accepted is soon over
DOCK = f"dock {PAIR} -o OUT"


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


def option_cases():
    for option, value, words in (
            ("--rotations", "0", "24"), ("--rotations", "-5", "--rotations"),
            ("--rotations", "1e9", "--rotations"), ("--rotations", "99999999999", "--rotations"),
            ("--rotations", "many", "many"), ("--spacing", "0", "--spacing"),
            ("--spacing", "-1", "--spacing"), ("--spacing", "nan", "--spacing"),
            ("--spacing", "inf", "--spacing"), ("--spacing", "1e-3", "--spacing"),
            ("--grid", "32", r"use \d+ or more"), ("--grid", "-64", "--grid"),
            ("--grid", "81", "odd"), ("--grid", "100000", "--grid"), ("--grid", "1e3x", "--grid"),
            ("--terms", "0", "--terms"), ("--terms", "19", "--terms"), ("--terms", "-1", "--terms"),
            ("--poses-per-rotation", "0", "--poses-per-rotation"),
            ("--poses-per-rotation", "65", "--poses-per-rotation"),
            ("--exclusion", "-1", "--exclusion"), ("--exclusion", "nan", "--exclusion"),
            ("--poses", "0", "--poses"), ("--poses", "-3", "--poses"),
            ("--clusters", "0", "--clusters"), ("--clusters", "-1", "--clusters"),
            ("--cluster-radius", "nan", "--cluster-radius"),
            ("--clustered-poses", "-1", "--clustered-poses"),
            ("--pair-scale", "nan", "--pair-scale"), ("--pair-scale", "inf", "--pair-scale"),
            ("--repulsion", "-1", "--repulsion"), ("--born-radius", "0", "--born-radius"),
            ("--pair-cutoff", "nan", "--pair-cutoff"),
            ("--electrostatics-cutoff", "1e9", "--electrostatics-cutoff"),
            ("--seed", "-1", "--seed"), ("--memory", "-1", "--memory"),
            ("--memory", "nan", "--memory"), ("--report", "-1", "--report"),
            ("--memory", "1e-6", "GiB|memory"),
            ("--device", "abacus", "abacus"), ("--precision", "half", "half"),
            ("--coefficients", "balanced,sour", "sour"), ("--coefficients", "balanced,balanced", "twice"),
            ("--coefficients", ",", "coefficient set"), ("--coefficients", "a folder", "a folder"),
            ("--coefficients", "nine.sets", "9 coefficient sets"),
            ("--coefficients", "text.sets", "text.sets:1"),
            ("--coefficients", "short.sets", "short.sets:1"),
            ("--coefficients", "long.sets", "long.sets:1"),
            ("--coefficients", "nan.sets", "nan.sets:1"), ("--coefficients", "huge.sets", "huge.sets:1"),
            ("--coefficients", "large.sets", "large.sets:1"),
            ("--coefficients", "twice.sets", "twice"), ("--coefficients", "slash.sets", "slash.sets:1"),
            ("--coefficients", "dot.sets", "dot.sets:1"), ("--coefficients", "binary.sets", "binary.sets"),
            ("--coefficients", "empty.sets", "empty.sets"),
            ("--coefficients", "zero.sets", "zero.sets:2.*all weights of 'nothing' are 0"),
            ("--rotation-file", "length.rot", "length.rot:2"),
            ("--rotation-file", "reflection.rot", "reflection"),
            ("--rotation-file", "skewed.rot", "orthonormal"),
            ("--rotation-file", "columns.rot", "3 columns"), ("--rotation-file", "empty.rot", "is empty"),
            ("--rotation-file", "text.rot", "text.rot:1"), ("--rotation-file", "binary.rot", "binary.rot"),
            ("--rotation-file", "a folder", "a folder"), ("--rotation-file", "none.rot", "none.rot"),
            ("--block", "empty.res", "empty.res"), ("--block", "word.res", "word.res:1"),
            ("--block", "partner.res", "partner.res:1"), ("--attract", "backwards.res", "backwards.res:1"),
            ("--attract", "absent.res", "no such residue"), ("--block", "chain.res", "no such residue"),
            ("--block", "huge.res", "huge.res:1"), ("--block", "binary.res", "binary.res"),
            ("--block", "a folder", "a folder"), ("--block", "none.res", "none.res"),
            ("--pair-potential", "rows.table", "rows.table"),
            ("--pair-potential", "lopsided.table", "symmetric"),
            ("--pair-potential", "nan.table", "nan.table"), ("--pair-potential", "few.table", "type"),
            ("--pair-potential", "a folder", "directory"), ("--pair-potential", "binary.pdb", "binary"),
            ("--atom-types", "types.csv", "types.csv"), ("--atom-types", "none.csv", "none.csv"),
            ("--receptor-chains", "Q", "chain 'Q'"), ("--ligand-chains", "A,B", "chain 'A'"),
            ("--reference", "other.pdb", "reference"), ("--reference", "receptor.pdb", "ligand"),
            ("--reference-ligand-chains", "B", "--reference"),
            ("--colour", "red", "--colour"), ("--spacing", None, "--spacing")):
        yield (f"{option} {value}", DOCK.split() + [option] + ([value] if value is not None else []), words)


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


def check(program, folder, case, ranks=0):
    name, arguments, words = case
    scratch = folder / ("run-" + re.sub(r"\W+", "_", name) + f"-{ranks}")
    arguments = [str(scratch) if word == "OUT" else word for word in arguments]
    if arguments[:1] == ["dock"]:
        arguments += [word for pair in QUICK if pair[0] not in arguments for word in pair]
    result = run(program, *arguments, ranks=ranks, cwd=folder, input="")
    problems = []
    if result.returncode <= 0:
        problems.append(f"exit code {result.returncode}")
    elif result.returncode == 70:
        problems.append("called a bug of the program")
    lines = own_lines(result.stderr)
    told = [line for line in lines if line.startswith("tessera: ")]
    # Before the search begins the program may have told what it read.
    if len(told) != 1 or lines[-1] != told[0] or not LINE.match(told[0]):
        problems.append("not one line 'problem (why): what to do'")
    elif not re.search(words, told[0]):
        problems.append(f"the line does not say '{words}'")
    if result.stdout:
        problems.append("something on stdout")
    if scratch.exists() or list(folder.glob(scratch.name + "*")):
        problems.append("a file was left behind")
    return [f"{name}: {problem}" for problem in problems] + \
        (["    " + " ".join(arguments), "    " + "\n    ".join(lines)] if problems else [])


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


def contents(folder):
    return {str(path): path.read_bytes() for path in folder.rglob("*")
            if path.is_file() and path.stat().st_size < 1 << 30}


def main():
    program = os.path.abspath(sys.argv[1])
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-bad-input-"))
    try:
        write_files(folder)
        check_warned(program, folder)
        inputs = contents(folder)
        cases = [*structure_cases(), *option_cases(), *endless_cases(), *output_cases()]
        assert len({case[0] for case in cases}) == len(cases)
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            reports = list(pool.map(lambda case: check(program, folder, case), cases))
        if tessera_runs.has_ranks(program):
            picked = [case for case in cases
                      if case[0] in ("receptor missing file", "--grid 32", "--memory 1e-6", "no command",
                                     "info none.h5", "output 'taken.h5'", "receptor pipe")]
            reports += [check(program, folder, case, ranks=2) for case in picked]
        else:
            print("no mpiexec: one rank only")
        lines = [line for report in reports for line in report] + list(check_memory(program, folder))
        now = contents(folder)
        lines += [f"{name} was changed or left behind" for name in sorted(inputs.keys() | now.keys())
                  if inputs.get(name) != now.get(name)]
        if lines:
            fail("\n" + "\n".join(lines))
        print(f"{len(reports)} bad inputs, each told in one line")
    finally:
        shutil.rmtree(folder)


main()
