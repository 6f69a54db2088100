"""Files that are wrong input of `tessera dock`, each in its own way, and runs that must refuse what they are given."""

import bz2
import concurrent.futures
import contextlib
import gzip
import os
import pathlib
import re
import shutil
import tempfile

import tessera_runs
from tessera_runs import fail, own_lines, run

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+$")
ATOM = "ATOM  {:5d}  CA  ALA {}{:4d}    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00           C\n"

# In the arguments of a case OUT stands for the output asked for.
PAIR = "receptor.pdb ligand.pdb"
QUICK = (("--rotations", "24"), ("--spacing", "2"))  # what is wrongly accepted is soon over
DOCK = f"dock {PAIR} -o OUT"


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


@contextlib.contextmanager
def bad_files():
    """A folder with all files; it goes afterwards."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-bad-input-"))
    try:
        write_files(folder)
        yield folder
    finally:
        shutil.rmtree(folder)


def refused(program, folder, case, ranks=0):
    """The problems of a case, which is (name, arguments, words that the line must hold)."""
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


def contents(folder):
    return {str(path): path.read_bytes() for path in folder.rglob("*")
            if path.is_file() and path.stat().st_size < 1 << 30}


def refuse_all(program, folder, cases, on_ranks, *, more=lambda program, folder: ()):
    """Runs all cases, and those named `on_ranks` on two ranks as well. `more` yields further problems. No file of the
    folder may change, appear or go."""
    inputs = contents(folder)
    assert len({case[0] for case in cases}) == len(cases)
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        reports = list(pool.map(lambda case: refused(program, folder, case), cases))
    if tessera_runs.has_ranks(program):
        picked = [case for case in cases if case[0] in on_ranks]
        assert len(picked) == len(on_ranks)
        reports += [refused(program, folder, case, ranks=2) for case in picked]
    else:
        print("no mpiexec: one rank only")
    lines = [line for report in reports for line in report] + list(more(program, folder))
    now = contents(folder)
    lines += [f"{name} was changed or left behind" for name in sorted(inputs.keys() | now.keys())
              if inputs.get(name) != now.get(name)]
    if lines:
        fail("\n" + "\n".join(lines))
    print(f"{len(reports)} bad inputs, each told in one line")
