#!/usr/bin/env python3
"""Docks a synthetic pair on 1, 2 and 3 ranks: the same bytes in every dataset of /docking, the planted
complex on the first rank, exports that agree with the file, and nothing left behind by a run that was
stopped or refused.
Usage: dock_ranks.py PATH/OF/tessera"""

import json
import math
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tessera_runs  # noqa: E402
from tessera_runs import answer, check, fail, own_lines, patience, run  # noqa: E402

# Tight fits and many contacts: what a lock and its key need, whatever the built-in sets are tuned to.
SETS = "lock 4 -1 300 0.5\nshape 4 -1 0 0\n"
PAIR = ("receptor.pdb", "ligand.pdb", "--coefficients", "my.sets", "--spacing", "1.5")


def done(result):
    check(result.returncode == 0, f"exit code {result.returncode}\n{result.stdout}\n{result.stderr}")
    return result


def test_ranks(program, folder):
    """Orbit rotations, in several tiles of unequal work."""
    counts = [1, 2, 3] if tessera_runs.has_ranks(program) else [1]
    for ranks in counts:
        done(run(program, "dock", *PAIR, "--rotations", "480", "-o", f"orbit{ranks}.h5", "--poses", "50",
                 "--refine", "60", ranks=ranks if len(counts) > 1 else 0, cwd=folder))
    first = answer(folder / "orbit1.h5")
    for ranks in counts[1:]:
        other = answer(folder / f"orbit{ranks}.h5")
        different = sorted(name for name in first.keys() | other.keys()
                           if first.get(name) != other.get(name))
        check(not different, f"1 and {ranks} ranks differ in {different}")
        with h5py.File(folder / f"orbit{ranks}.h5") as file:
            check(len(file["run/ranks"]) == ranks, "not every rank is recorded")
            check(sum(file["run/ranks"]["tiles_done"]) == file["run"].attrs["tiles_total"],
                  "the ranks' tiles do not add up")
    print(f"ranks {counts}: the same {len(first)} datasets and attributes to the last bit")
    return counts


def test_consensus(program, folder):
    """The list of refined poses of all sets, and models of it."""
    with h5py.File(folder / "orbit1.h5") as file:
        docking, consensus = file["docking"], file["docking/consensus"]
        score = consensus["score"][:]
        sets = [name.decode() if isinstance(name, bytes) else name for name in docking.attrs["sets"]]
        check(len(score) > 10 and (numpy.diff(score) >= 0).all(), "scores do not ascend")
        expected = consensus["terms"][:] @ consensus.attrs["weights"] + \
            consensus["search_terms"][:] @ consensus.attrs["search_weights"] + consensus["contact_energy"][:] + \
            consensus["statistical_energy"][:]
        alone = consensus["pose_score"][:]
        check(numpy.allclose(expected, alone, rtol=1e-12, atol=1e-8), "scores are not the weighted terms")
        check((score <= alone).all() and (score < alone - 1e-6).any(), "no pose stands for its duplicates")
        check((consensus["contact_energy"][:] != 0).all(), "contacts weigh nothing")
        check((consensus["statistical_energy"][:] != 0).any(), "the statistical potential weighs nothing")
        moved, beyond = 0, 0
        for i in range(len(score)):
            poses, rank = docking[f"poses/{sets[consensus['set'][i]]}"], consensus["rank"][i]
            check(len(poses["score"]) == 50, "not as many poses as asked for")
            if rank >= 50:
                beyond += 1
                continue
            check((consensus["search_terms"][i] == poses["terms"][rank]).all(), "terms of another pose")
            moved += numpy.linalg.norm(consensus["translation"][i] - poses["translation"][rank]) > 1e-6
        check(0 < beyond < len(score), f"{beyond} of {len(score)} refined poses are from beyond the kept ones")
        check(moved > (len(score) - beyond) / 2, "poses have not been moved off the grid")
        check((consensus["clusters/size"][:].sum() == len(consensus["clusters/members"])), "clusters")
        first = consensus["rotation"][0], consensus["translation"][0], docking["ligand_center"][:]
    done(run(program, "export", "orbit1.h5", "--poses", "2", "refined", "--set", "consensus", cwd=folder))
    models = sorted(path.name for path in (folder / "refined").iterdir())
    check(models == ["consensus_0001.pdb", "consensus_0002.pdb"], f"models {models}")
    expected = turned(first[0], coordinates(folder / "ligand.pdb", "B") - first[2]) + first[1]
    check(numpy.abs(coordinates(folder / "refined" / models[0], "B") - expected).max() < 6e-4,
          "the first model of the consensus is another pose")
    shutil.rmtree(folder / "refined")
    print("the consensus agrees with the lists it came from")


def test_planted_answer(program, folder, ranks):
    tessera_runs.write_rotations(folder / "my.rot", 150, planted=77)
    result = done(run(program, "dock", *PAIR, "--rotation-file", "my.rot", "--reference", "complex.pdb",
                      "-o", "planted.h5", "--poses", "300", ranks=ranks, cwd=folder))
    check("planted.h5" in result.stdout and "first near-native pose 1" in result.stdout,
          "the closing table does not show the planted pose:\n" + result.stdout)
    with h5py.File(folder / "planted.h5") as file:
        check(file.attrs["complete"] == 1 and file.attrs["workload"] in ("dock", b"dock"), "attributes")
        check(json.loads(file["run"].attrs["input"])["spacing"] == 1.5, "the input is not recorded")
        for name in ("lock", "shape"):
            poses, quality = file[f"docking/poses/{name}"], file[f"docking/evaluation/{name}"]
            score, terms = poses["score"][:], poses["terms"][:]
            check((numpy.diff(score) >= 0).all(), "scores do not ascend")
            check(numpy.allclose(terms @ poses.attrs["weights"], score, rtol=0, atol=1e-9),
                  "scores are not the weighted terms")
            order = [(s, r, v) for s, r, v in zip(score, poses["rotation"][:], poses["voxel"][:])]
            check(order == sorted(set(order)), "poses are not in their total order, or repeat")
            check(poses["rotation"][0] == 77, f"{name}: the best pose has rotation {poses['rotation'][0]}")
            check(quality["ligand_rmsd"][0] < 5 and quality["fnat"][0] > 0.5,
                  f"{name}: the best pose is {quality['ligand_rmsd'][0]:.1f} A away")
    print("the planted complex is first")


def coordinates(path, chain):
    return numpy.array([[float(line[begin:begin + 8]) for begin in (30, 38, 46)]
                        for line in path.read_text().splitlines()
                        if line.startswith("ATOM") and line[21] == chain])


def turned(quaternion, points):
    w, v = quaternion[0], quaternion[1:]
    return points + 2 * numpy.cross(v, numpy.cross(v, points) + w * points)


def euler(psi, theta, phi):
    def about_z(a):
        return numpy.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])

    c, s = math.cos(theta), math.sin(theta)
    return about_z(psi) @ numpy.array([[1, 0, 0], [0, c, -s], [0, s, c]]) @ about_z(phi)


def test_exports(program, folder):
    done(run(program, "export", "planted.h5", "--poses", "3", "models", "--zdock", "planted.zdock", "--set",
             "lock", cwd=folder))
    models = sorted(path.name for path in (folder / "models").iterdir())
    check(models == ["lock_0001.pdb", "lock_0002.pdb", "lock_0003.pdb"], f"models {models}")
    start = coordinates(folder / "ligand.pdb", "B")
    lines = (folder / "planted.zdock").read_text().splitlines()
    with h5py.File(folder / "planted.h5") as file:
        docking = file["docking"]
        center, receptor_center = docking["ligand_center"][:], docking["receptor_center"][:]
        poses, n, spacing = docking["poses/lock"], docking.attrs["grid"], docking.attrs["spacing_angstrom"]
        check(len(lines) == 4 + len(poses["score"]), "the ZDOCK file has another number of poses")
        for rank in range(3):
            expected = turned(docking["rotations"][poses["rotation"][rank]], start - center) + \
                poses["translation"][rank]
            model = folder / "models" / models[rank]
            check(numpy.abs(coordinates(model, "B") - expected).max() < 6e-4, f"{model.name}: ligand")
            check(numpy.abs(coordinates(model, "A") - coordinates(folder / "receptor.pdb", "A")).max() == 0,
                  f"{model.name}: the receptor has moved")
            check(f"score {poses['score'][rank]:.4f}" in model.read_text(), f"{model.name}: score")
            fields = lines[4 + rank].split("\t")
            step = numpy.array([int(t) - (n if int(t) >= n / 2 else 0) for t in fields[3:6]])
            theirs = (start - center) @ euler(*map(float, fields[:3])).T - spacing * step + receptor_center
            check(numpy.abs(theirs - expected).max() < 1e-3, f"ZDOCK line {rank + 1} is another pose")
    told = done(run(program, "info", "planted.h5", cwd=folder)).stdout
    for words in ("tessera", "lock", "shape", "150 rotations", "phase", "rank 0"):
        check(words in told, f"info does not tell '{words}':\n{told}")
    print("models, ZDOCK list and info agree with the file")


def refused(result, words, told=1):
    lines = [line for line in own_lines(result.stderr) if line.startswith("tessera: ")]
    check(result.returncode > 0 and len(lines) == told and words in lines[-1],
          f"expected one line with '{words}', exit code {result.returncode}\n{result.stderr}")
    check(result.returncode != 70, f"told as a bug of the program: {lines}")


def test_refusals(program, folder):
    before = (folder / "planted.h5").read_bytes()
    again = (program, "dock", *PAIR, "--rotations", "24", "-o", "planted.h5")
    refused(run(*again, cwd=folder), "--force")
    check((folder / "planted.h5").read_bytes() == before, "a refused run changed the file")
    (folder / "a file").write_text("of the user")
    refused(run(program, "export", "planted.h5", "--poses", "1", "a file", cwd=folder), "a file")
    refused(run(program, "export", "planted.h5", "--zdock", "no/such/place", cwd=folder), "no/such/place")
    refused(run(program, "export", "planted.h5", "--zdock", "x", "--set", "sour", cwd=folder), "sour")
    with h5py.File(folder / "foreign.h5", "w") as file:
        file["data"] = numpy.arange(5)
    for command in (("info", "foreign.h5"), ("export", "foreign.h5", "--zdock", "x")):
        refused(run(program, *command, cwd=folder), "foreign.h5")
    shutil.copy(folder / "planted.h5", folder / "short.h5")
    with h5py.File(folder / "short.h5", "r+") as file:
        del file["docking/poses/lock/voxel"]
        file["docking/poses/lock/voxel"] = numpy.arange(3)
    refused(run(program, "export", "short.h5", "--zdock", "x", cwd=folder), "short.h5")
    ligand = (folder / "ligand.pdb").read_text()
    (folder / "ligand.pdb").write_text(ligand.replace("LEU", "ILE"))
    shutil.copy(folder / "planted.h5", folder / "older.h5")
    with h5py.File(folder / "older.h5", "r+") as file:
        del file["docking/receptor"], file["docking/ligand"]
    refused(run(program, "export", "older.h5", "--poses", "1", "changed", cwd=folder), "has changed")
    (folder / "ligand.pdb").write_text(ligand)
    done(run(*again, "--force", cwd=folder))
    check((folder / "planted.h5").read_bytes() != before, "--force did not replace the file")
    print("what would destroy or mislead is refused")


def files(folder):
    return sorted(path.name for path in folder.iterdir())


def test_stop(program, folder):
    """SIGTERM while tiles are being worked on: exit code 75 and no output, nor half of one."""
    before = files(folder)
    process = subprocess.Popen([program, "dock", *PAIR, "--rotations", "70000", "-o", "stopped.h5"],
                               cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                               env=dict(os.environ, OMP_NUM_THREADS=os.environ.get("TESSERA_TEST_THREADS", "2")))
    told = []
    for line in process.stderr:  # the memory line stands before the first tile
        told.append(line)
        if line.startswith("docking"):
            break
    time.sleep(0.5)
    process.send_signal(signal.SIGTERM)
    try:
        _, rest = process.communicate(timeout=patience(60))
    except subprocess.TimeoutExpired:
        process.kill()
        fail("SIGTERM does not stop a run")
    told = [line for line in own_lines("".join(told) + rest) if line.startswith("tessera: ")]
    check(process.returncode == 75, f"exit code {process.returncode} after SIGTERM: {told}")
    check(len(told) == 1 and "start the same command again" in told[0], f"told: {told}")
    left = [name for name in files(folder) if name not in before and not name.endswith(".partial")]
    check(not left, f"left behind: {left}")
    print("a stopped run exits with 75 and leaves no output")


def main():
    program = os.path.abspath(sys.argv[1])
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-dock-ranks-"))
    try:
        tessera_runs.write_pair(folder)
        (folder / "my.sets").write_text(SETS)
        counts = test_ranks(program, folder)
        test_consensus(program, folder)
        test_planted_answer(program, folder, 2 if len(counts) > 1 else 0)
        test_exports(program, folder)
        test_refusals(program, folder)
        test_stop(program, folder)
        if len(counts) == 1:
            print("SKIPPED on several ranks: no mpiexec here, or TESSERA_MPIEXEC is not set")
            sys.exit(tessera_runs.SKIPPED)
    finally:
        shutil.rmtree(folder)


main()
