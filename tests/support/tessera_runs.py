"""What the regression tests share: runs of the program, and two synthetic proteins whose complex is known."""

import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

SKIPPED = 77


def fail(message):
    sys.exit(f"FAILED: {message}")


def check(condition, message):
    if not condition:
        fail(message)


def answer(path, groups=("docking",)):
    """Every dataset and attribute of those of the groups that the file has, as (type, shape, bytes) or text.
    `groups` None: everything but /run and the time of writing."""
    import h5py  # not every script that shares this module has it

    found = {}

    def visit(name, item):
        for key, value in item.attrs.items():
            found[f"{name}@{key}"] = repr(value)
        if isinstance(item, h5py.Dataset):
            values = item[()]
            found[name] = (str(item.dtype), item.shape,
                           values.tobytes() if item.dtype.kind != "O" else repr(values))

    with h5py.File(path) as file:
        for group in [name for name in file if name != "run"] if groups is None else groups:
            if group in file:
                visit(group, file[group])
                file[group].visititems(lambda name, item, group=group: visit(f"{group}/{name}", item))
        if groups is None:
            visit("", file)
            del found["@created"]
    check(len(found) > 10, f"{path} holds only {sorted(found)}")
    return found


def patience(seconds):
    """A limit that only a hang passes: sanitized programs are as much slower as their preset says."""
    return seconds * float(os.environ.get("TESSERA_TEST_SLOWDOWN", "1"))


def run(*command, ranks=0, **options):
    """Runs a command, on `ranks` ranks where that is not 0; texts are captured."""
    threads = "1" if ranks else os.environ.get("TESSERA_TEST_THREADS", "2")
    environment = dict(os.environ, OMP_NUM_THREADS=threads)
    environment.update(options.pop("environment", {}))
    words = [str(word) for word in command]
    if ranks:
        words = [os.environ["TESSERA_MPIEXEC"], "-n", str(ranks)] + words
    return subprocess.run(words, capture_output=True, text=True, errors="replace", env=environment,
                          timeout=patience(120), **options)


def has_ranks(program):
    """Whether ranks can be started here at all."""
    try:
        return bool(os.environ.get("TESSERA_MPIEXEC")) and \
            run(program, "--version", ranks=2).returncode == 0
    except OSError:
        return False


def in_folder_on_ranks(program, check_all):
    """Calls check_all(program, folder) with a folder that goes afterwards; the script's exit code."""
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    if not program or not has_ranks(program):
        print("skipped: ranks cannot be started here")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        check_all(program, pathlib.Path(name))
    return 0


def own_lines(stderr):
    """What the program itself wrote; mpirun adds a boxed remark on every exit code that is not 0."""
    lines, boxed = [], False
    for line in stderr.splitlines():
        if line.startswith("-----"):
            boxed = not boxed
        elif not boxed and line.strip():
            lines.append(line)
    return lines


# --- proteins -----------------------------------------------------------------------------------

# Atoms of a residue as offsets from its C-alpha, roughly bond lengths apart; the side chain is its end.
BACKBONE = (("N", (-1.2, 0.8, 0.0)), ("CA", (0.0, 0.0, 0.0)), ("C", (1.2, 0.8, 0.2)),
            ("O", (1.3, 1.9, 0.8)), ("CB", (0.1, -1.0, -1.1)))
SIDE_CHAIN_END = {"LEU": "CD1", "LYS": "NZ", "ASP": "OD1"}
END_OFFSET = (0.2, -2.2, -0.6)


def interface_height(x, y):
    """The surface between the partners: bumps that fit only one way."""
    return 4.0 * math.sin(0.31 * x + 0.4) * math.cos(0.27 * y) + 0.15 * x


def globule(radius=15.0, step=4.3):
    """C-alphas of a ball of residues on a lattice that has no symmetry left."""
    count = int(radius / step) + 1
    for i in range(-count, count + 1):
        for j in range(-count, count + 1):
            for k in range(-count, count + 1):
                wobble = [0.6 * math.sin(12.9898 * i + 78.233 * j + 37.719 * k + axis)
                          for axis in range(3)]
                point = [step * cell + shift for cell, shift in zip((i, j, k), wobble)]
                if math.dist(point, (0, 0, 0)) < radius:
                    yield point


def pdb_lines(residues, chain, move=lambda point: point):
    lines, serial = [], 0
    for number, (name, center) in enumerate(residues, 1):
        for atom, offset in BACKBONE + ((SIDE_CHAIN_END[name], END_OFFSET),):
            serial += 1
            x, y, z = move([c + o for c, o in zip(center, offset)])
            lines.append(f"ATOM  {serial:5d}  {atom:<3s} {name} {chain}{number:4d}    "
                         f"{x:8.3f}{y:8.3f}{z:8.3f}  1.00 10.00           {atom[0]}")
    return lines + ["TER"]


def unit(quaternion):
    length = math.sqrt(sum(part * part for part in quaternion))
    return [part / length for part in quaternion]


START = unit((0.5, -0.3, 0.7, 0.4))  # how the ligand's file is turned against the complex, w x y z


def turned_away(point):
    """Another orientation and place: the ligand's file says nothing about where it binds."""
    w, x, y, z = START
    matrix = ((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
              (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
              (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))
    return [sum(m * p for m, p in zip(row, point)) + shift
            for row, shift in zip(matrix, (31.0, -12.0, 55.0))]


def write_rotations(path, count, planted):
    """A rotation file of `count` quaternions spread over all orientations; number `planted` is the
    one that turns the ligand back into the complex."""
    generator = random.Random(5)
    with open(path, "w") as file:
        for index in range(count):
            w, x, y, z = unit([generator.gauss(0, 1) for _ in range(4)])
            if index == planted:
                w, x, y, z = START[0], -START[1], -START[2], -START[3]
            file.write(f"{w:.12f} {x:.12f} {y:.12f} {z:.12f}\n")


def write_pair(folder):
    """receptor.pdb, ligand.pdb and complex.pdb: a globule cut in two along a bumpy surface. Leucines
    and opposite charges meet at the cut, lysines cover both partners everywhere else."""
    receptor, ligand = [], []
    for x, y, z in globule():
        height = z - interface_height(x, y)
        at_cut, charged = abs(height) < 6, math.sin(0.4 * x) * math.cos(0.35 * y + 1) > 0.3
        if height < -2.4:
            receptor.append(("LYS" if not at_cut else "ASP" if charged else "LEU", (x, y, z)))
        elif height > 2.4:
            ligand.append(("LEU" if at_cut and not charged else "LYS", (x, y, z)))
    for name, lines in (("receptor", pdb_lines(receptor, "A")),
                        ("ligand", pdb_lines(ligand, "B", turned_away)),
                        ("complex", pdb_lines(receptor, "A") + pdb_lines(ligand, "B"))):
        with open(os.path.join(folder, name + ".pdb"), "w") as file:
            file.write("\n".join(lines + ["END", ""]))
