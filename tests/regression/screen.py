#!/usr/bin/env python3
"""Screenings (tessera screen): the scores are those of the poses that tessera dock finds, computed here again with
NumPy; the table has the same bytes on any number of ranks and after kills; the best pairs are docked again.
Usage: screen.py PATH/OF/tessera"""

import csv
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from tessera_runs import check, patience, run  # noqa: E402

OPTIONS = ("--spacing", "3", "--rotations", "192", "--clustered-poses", "60")
RECEPTORS = "file,name,chains\nreceptor.pdb,whole,\ncomplex.pdb,picked,B\n"
LIGANDS = "name,file\nligand,ligand.pdb\nhalf,half.pdb\nother,receptor.pdb\n"
PAIRS = 6
SLOW = "0/pause/1.5,1/doze/4"  # rank 1 still has its first pair when rank 0 has written one or two


def write_lists(folder):
    tessera_runs.write_pair(folder)
    atoms = [line for line in (folder / "ligand.pdb").read_text().splitlines() if line.startswith("ATOM")]
    (folder / "half.pdb").write_text("\n".join(atoms[:len(atoms) * 2 // 3] + ["END", ""]))
    (folder / "receptors.csv").write_text(RECEPTORS)
    (folder / "ligands.csv").write_text(LIGANDS)


def words(output, *more):
    return ("screen", "receptors.csv", "ligands.csv", "-o", output, *OPTIONS, *more)


def screen(program, folder, output, *more, ranks=0):
    result = run(program, *words(output, *more), ranks=ranks, cwd=folder)
    check(result.returncode == 0, f"{output}: exit code {result.returncode}\n{result.stdout}\n{result.stderr}")
    return result


def table(folder, output):
    with open(folder / output / "screen.csv", newline="") as file:
        return list(csv.DictReader(file))


def near(found, expected, tolerance, what):
    check(abs(float(found) - expected) <= tolerance, f"{what}: {found} instead of {expected}")


def expect_scores_of_dock(program, folder, rows):
    """Every pair as tessera dock finds it, with all of its poses."""
    files = {"whole": ("receptor.pdb",), "picked": ("complex.pdb", "--receptor-chains", "B"), "ligand": "ligand.pdb",
             "half": "half.pdb", "other": "receptor.pdb"}
    for row in rows:
        receptor, *chains = files[row["receptor"]]
        result = run(program, "dock", receptor, files[row["ligand"]], *chains, *OPTIONS, "--coefficients", "balanced",
                     "--poses-per-rotation", "1", "--poses", "1000000", "-o", "single.h5", "--force", cwd=folder)
        check(result.returncode == 0, result.stderr)
        what = f"{row['receptor']} with {row['ligand']}"
        with h5py.File(folder / "single.h5") as file:
            poses = file["docking/poses/balanced"]
            score = poses["score"][:]
            clusters = file["docking/clusters/balanced"]
            first = numpy.cumsum([0, *clusters["size"][:]])
            members = clusters["members"][:]
            best = [score[numpy.sort(members[a:b])[:4]].mean() for a, b in zip(first, first[1:])]
            rotation = file["docking/rotations"][poses["rotation"][0]]
            place = poses["translation"][0]
        mean, deviation = score.mean(), score.std()
        check(int(row["poses"]) == len(score) == 192, f"{what}: {row['poses']} poses")
        near(row["best_score"], score[0], 6e-4, what)
        near(row["mean_score"], mean, 6e-4, what)
        near(row["score_deviation"], deviation, 6e-4, what)
        near(row["best_z"], (mean - score[0]) / deviation, 6e-5, what)
        near(row["cluster_z"], (mean - min(best, default=score[0])) / deviation, 6e-5, what)
        for axis, value in zip("wxyz", rotation):
            near(row[f"rotation_{axis}"], value, 1e-6, what)
        for axis, value in zip("xyz", place):
            near(row[f"translation_{axis}"], value, 1e-4, what)


def expect_comparison(rows):
    """The columns that compare pairs, from the columns of the pairs as the table prints them."""
    z = numpy.array([float(row["cluster_z"]) for row in rows]).reshape(2, 3)
    of_receptor = (z - z.mean(1, keepdims=True)) / z.std(1, keepdims=True)
    of_ligand = (z - z.mean(0)) / z.std(0)
    both = (of_receptor + of_ligand) / 2
    for i, row in enumerate(rows):
        at = divmod(i, 3)
        near(row["receptor_z"], of_receptor[at], 6e-5, "receptor_z")
        near(row["ligand_z"], of_ligand[at], 6e-5, "ligand_z")
        near(row["interaction"], both[at], 6e-5, "interaction")
        check(int(row["rank"]) == 1 + (both[at[0]] > both[at] + 1e-9).sum(), f"rank of {row}")


def check_scores(program, folder):
    screen(program, folder, "one")
    rows = table(folder, "one")
    check([(row["receptor"], row["ligand"]) for row in rows] ==
          [(r, l) for r in ("whole", "picked") for l in ("ligand", "half", "other")], "order of the pairs")
    check(all(row["status"] == "done" for row in rows), f"{rows}")
    expect_scores_of_dock(program, folder, rows)
    expect_comparison(rows)
    names = sorted(path.name for path in (folder / "one").iterdir())
    check(names == ["poses", "screen.csv", "screen.json", "screen.manifest", "screen.ranks.csv", "screen.toml", "summary"],
          f"{names}")
    print("scores are those of the poses of tessera dock")


def check_ranks(program, folder):
    whole = (folder / "one/screen.csv").read_bytes()
    for ranks in (1, 2, 3):
        screen(program, folder, f"ranks{ranks}", ranks=ranks)
        check((folder / f"ranks{ranks}/screen.csv").read_bytes() == whole, f"other bytes on {ranks} ranks")
    before = (folder / "one/screen.manifest").read_bytes()
    again = screen(program, folder, "one", ranks=2)
    check("6 done before, 0 to do" in again.stderr, again.stderr)
    check((folder / "one/screen.csv").read_bytes() == whole, "a run with nothing to do changes the table")
    # A file that had just been written when it was hashed is hashed and entered again, but no pair is.
    manifest = (folder / "one/screen.manifest").read_bytes()
    check(manifest.count(b"__") == before.count(b"__") >= PAIRS,
          "a run with nothing to do has entered pairs")
    screen(program, folder, "from_file", "--config", "one/screen.toml")
    check((folder / "from_file/screen.csv").read_bytes() == whole, "screen.toml is not what ran")
    print("the same table on 1, 2 and 3 ranks")


def start(program, folder, output, ranks):
    launch = [os.environ["TESSERA_MPIEXEC"], "-n", str(ranks)] if ranks else []
    return subprocess.Popen([*launch, program, *words(output)], cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, start_new_session=True,
                            env=dict(os.environ, OMP_NUM_THREADS="1", TESSERA_TEST_FAULTS=SLOW))


def lines_so_far(folder, output):
    try:
        return (folder / output / "screen.csv").read_text()
    except OSError:
        return ""


def check_kills(folder):
    """Killed or asked to stop with some pairs done, a run goes on with another number of ranks. Only the last line of
    a killed run can be torn."""
    faulty = os.environ["TESSERA_FAULTY"]
    whole = (folder / "one/screen.csv").read_text()
    own = {line.rsplit(",", 4)[0] for line in whole.splitlines()[1:]}
    for number, (ranks, then, lines) in {signal.SIGKILL: (0, 3, 3), signal.SIGTERM: (2, 1, 2)}.items():
        output = f"signal{int(number)}"
        process = start(faulty, folder, output, ranks)
        until = time.monotonic() + patience(60)
        while lines_so_far(folder, output).count("\n") < lines and process.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        if number == signal.SIGKILL:
            told = run(faulty, "info", f"{output}/screen.csv.partial", cwd=folder).stdout
            check("unfinished tessera screen run" in told and "of 6 done, 0 failed" in told, told)
        os.killpg(process.pid, number)
        _, told = process.communicate(timeout=patience(60))
        text = lines_so_far(folder, output)
        check(number == signal.SIGKILL or text.endswith("\n"), "the table ends within a line")
        whole_lines = text[:text.rfind("\n")].splitlines()[1:]
        ended = {line.rsplit(",", 4)[0] for line in whole_lines if ",done," in line}
        check(ended <= own and 1 <= len(ended), f"{len(ended)} lines, of which {len(ended - own)} are wrong")
        check(len(ended) < PAIRS, f"signal {int(number)} came too late to stop anything: {told}")
        result = screen(faulty, folder, output, ranks=then)
        before = int(re.search(r"(\d+) done before", result.stderr)[1])
        check(len(ended) <= before < PAIRS, f"{len(ended)} lines, but {result.stderr}")
        check(lines_so_far(folder, output) == whole, f"other bytes after signal {number}")
        left = [path.name for path in (folder / output).iterdir() if ".partial" in path.name]
        check(not left, f"left behind: {left}")
    print("killed and stopped screenings go on to the same bytes")


def check_refusals(program, folder):
    def refused(pattern, *more, lists=("receptors.csv", "ligands.csv"), output="one"):
        result = run(program, "screen", *lists, "-o", output, *OPTIONS, *more, cwd=folder)
        check(result.returncode == 2 and pattern in result.stderr and len(result.stderr.splitlines()) == 1,
              f"exit code {result.returncode}: {result.stderr}")

    whole = (folder / "one/screen.csv").read_bytes()
    refused("was docked with other options", "--seed", "7")
    refused("name one set", "--coefficients", "balanced,vdw")
    refused("--redock-config is given without --redock", "--redock-config", "x.toml")
    (folder / "bad.toml").write_text("rotatons = 24\n")
    refused("no option 'rotatons'", "--redock", "1", "--redock-config", "bad.toml")
    (folder / "ligand.pdb").write_text((folder / "ligand.pdb").read_text() + "REMARK another file\n")
    refused("its files have changed")
    check((folder / "one/screen.csv").read_bytes() == whole, "a refused run changes the table")
    for command in ("info", "table"):
        result = run(program, command, "one/screen.csv", cwd=folder)
        check(result.returncode == 2 and "table of a screening" in result.stderr, result.stderr)
    screen(program, folder, "one", "--seed", "7", "--force")
    check((folder / "one/screen.csv").read_bytes() != whole, "--force does not start over")
    (folder / "broken.csv").write_text(LIGANDS + "missing,nowhere.pdb\n")
    result = run(program, "screen", "receptors.csv", "broken.csv", "-o", "broken", *OPTIONS, cwd=folder)
    check(result.returncode == 2 and "2 of 8 pairs failed" in result.stderr, result.stderr)
    rows = table(folder, "broken")
    check([row["status"] for row in rows].count("done") == 6 and rows[3]["status"] == "failed" and
          "nowhere.pdb" in rows[3]["reason"] and not rows[3]["rank"], f"{rows[3]}")
    print("wrong input and changed options are refused")


def check_redocking(program, folder):
    """The best pair of each receptor, with the bits of tessera dock; a list against itself."""
    (folder / "stage.toml").write_text('rotations = 48\nspacing = 3\ncoefficients = "vdw"\n')
    more = ("--redock", "1", "--redock-config", "stage.toml")
    screen(program, folder, "redock", *more, ranks=2)
    best = {f"{row['receptor']}__{row['ligand']}": row for row in table(folder, "redock") if row["rank"] == "1"}
    redocked = folder / "redock/redocked"
    check({path.stem for path in redocked.glob("*.h5")} == set(best), f"{list(redocked.iterdir())}, not {set(best)}")
    files = {"ligand": "ligand.pdb", "half": "half.pdb", "other": "receptor.pdb"}
    name = next(name for name in best if name.startswith("whole"))
    single = run(program, "dock", "receptor.pdb", files[best[name]["ligand"]], "--rotations", "48", "--spacing", "3",
                 "--coefficients", "vdw", "-o", "alone.h5", cwd=folder)
    check(single.returncode == 0, single.stderr)
    check(tessera_runs.answer(folder / "alone.h5") == tessera_runs.answer(redocked / f"{name}.h5"), "other bits")
    again = screen(program, folder, "redock", *more)
    check("2 done before, 0 to do" in again.stderr, again.stderr)
    alone = run(program, "screen", "ligands.csv", "-o", "self", *OPTIONS, cwd=folder)
    check(alone.returncode == 0 and len(table(folder, "self")) == 9, alone.stderr)
    print("the best pairs are docked again")


def check_all(program, folder):
    write_lists(folder)
    check_scores(program, folder)
    check_ranks(program, folder)
    check_redocking(program, folder)
    check_kills(folder)
    check_refusals(program, folder)


if __name__ == "__main__":
    sys.exit(tessera_runs.in_folder_on_ranks(sys.argv[1], check_all))
