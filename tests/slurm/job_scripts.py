#!/usr/bin/env python3
"""The job scripts on a real Slurm of two virtual nodes: ranks by srun and by mpirun, an array, GPU and CPU
nodes in one run, a job that its time limit stops and that goes on, a job that is cancelled.
Runs with TESSERA_TEST_SLURM=1 alone; exit 77 without it and where no Slurm can be started. TESSERA_FAULTY is the program that makes pauses on order.
Usage: job_scripts.py PATH/OF/tessera"""

import math
import os
import pathlib
import sys
import tempfile
import time

import h5py

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "regression")]
import slurm_cluster  # noqa: E402
from fit_ranks import WEDGE, check, done  # noqa: E402
from tessera_runs import SKIPPED, answer, has_ranks, run, write_pair  # noqa: E402

SCRIPTS = TESTS.parent / "jobscripts"
# The scripts ask for the nodes of a cluster; these have two cores.
SMALL = ("--ntasks-per-node=2", "--cpus-per-task=1", "--time=5")


SHORT, LONG = 4, 10  # tiles of the dockings that run through and of those that are stopped
FIT = ("fit", "wedge.toml", "--stars", "stars.txt", "--tolerance", "1e-8", "-o")


def dock(tiles, output):
    return ("dock", "receptor.pdb", "ligand.pdb", "--coefficients", "my.sets", "--spacing", "3", "--terms", "1",
            "--rotation-file", f"rotations{tiles}.txt", "--refine", "0", "--report", "0", "-o", output)


def write_inputs(program, folder):
    write_pair(folder)
    (folder / "my.sets").write_text("lock 4 -1 300 0.5\n")
    for tiles in (SHORT, LONG):  # 192 rotations a tile
        angles = [0.01 * k for k in range(192 * tiles)]
        (folder / f"rotations{tiles}.txt").write_text("".join(
            f"{math.cos(a):.9f} {0.6 * math.sin(a):.9f} {0.8 * math.sin(a):.9f} 0\n" for a in angles))
    (folder / "wedge.toml").write_text(WEDGE)
    done(run(program, "simulate", "wedge.toml", "--number", "600", "--seed", "4", "-o", "stars.txt", cwd=folder))


class Jobs:
    """Jobs of one cluster in one folder, by the job scripts."""

    def __init__(self, cluster, folder, program, pausing_program):
        self.cluster, self.folder = cluster, folder
        self.program, self.pausing_program = program, pausing_program

    def submit(self, script, *words, options=(), launcher="srun", pause=0):
        """`pause`: seconds that each tile takes longer."""
        environment = {"TESSERA": self.pausing_program if pause else self.program, "TESSERA_LAUNCHER": launcher,
                       "TESSERA_TEST_FAULTS": f"*/pause/{pause}", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                       "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        return self.cluster.sbatch(*SMALL, *options, SCRIPTS / script, *words, cwd=self.folder,
                                   environment=environment)

    def log(self, job):
        return "\n".join(path.read_text() for path in sorted(self.folder.glob(f"tessera-{job}[._]*log")))

    def expect(self, job, states, seconds=300):
        """The job ends in one of these states; how often it was queued again."""
        found = self.cluster.wait(job, seconds)
        check({state for state, _ in found.values()} <= set(states), f"job {job}: {found}\n{self.log(job)}")
        return max(restarts for _, restarts in found.values())


def expect_same(first, second):
    one, other = (answer(path, ("docking", "fit", "likelihood")) for path in (first, second))
    different = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
    check(not different, f"{first.name} and {second.name}: different {different}")


def hosts(path):
    with h5py.File(path) as file:
        return [name.decode() for name in file["run/ranks"]["host"]]


def test_shapes(jobs):
    """Every script and both launchers, all at once, against runs without Slurm."""
    folder = jobs.folder
    (folder / "commands.txt").write_text(" ".join((*FIT, "line1.h5")) + "\n" +
                                         " ".join(dock(SHORT, "line2.h5")) + "\n")
    mixed = ("--partition=gpu", "--gpus-per-node=2", ":", "--partition=cpu", "--nodes=1", "--nodelist=n2",
             *SMALL[:2])
    shapes = {"srun.h5": jobs.submit("cpu.sbatch", *dock(SHORT, "srun.h5"), options=("-N2",)),
              "mpirun.h5": jobs.submit("cpu.sbatch", *dock(SHORT, "mpirun.h5"), options=("-N2",), launcher="mpirun"),
              "mixed.h5": jobs.submit("gpu_and_cpu.sbatch", *dock(SHORT, "mixed.h5"), options=mixed),
              "gpu.h5": jobs.submit("gpu.sbatch", *FIT, "gpu.h5",
                                    options=("--partition=gpu", "--gpus-per-node=2"))}
    shapes["line1.h5"] = shapes["line2.h5"] = jobs.submit("array.sbatch", "commands.txt",
                                                          options=("--array=1-2",))
    for command in ((*FIT, "fit.h5"), dock(SHORT, "dock.h5"), dock(LONG, "long_dock.h5")):
        done(run(jobs.program, *command, cwd=folder, environment={"OMP_NUM_THREADS": "1"}))
    for output, job in shapes.items():
        check(jobs.expect(job, {"COMPLETED"}) == 0, f"job {job} was queued again")
        expect_same(folder / ("fit.h5" if output in ("gpu.h5", "line1.h5") else "dock.h5"), folder / output)
    for output in ("srun.h5", "mpirun.h5", "mixed.h5"):
        check(hosts(folder / output) == ["n1", "n1", "n2", "n2"], f"{output} ran on {hosts(folder / output)}")
    print("one node, two nodes, GPU and CPU nodes, an array, srun and mpirun: the same bits")


def wait_for_tiles(jobs, job, output):
    """Until the job has written some down."""
    folder = jobs.folder / (output + ".partial")
    end = time.monotonic() + 300  # ranks of both nodes share two cores, and some get little of them
    while not any(path.stat().st_size > 200 for path in folder.glob("tiles-*")):
        check(time.monotonic() < end, f"job {job} has written nothing down: {jobs.log(job)}")
        time.sleep(0.05)


def test_warning(jobs):
    """What Slurm's warning does, sent by hand, where mpirun starts the ranks; and that a cancelled job
    stays cancelled."""
    warned = jobs.submit("cpu.sbatch", *dock(LONG, "warned.h5"), options=("-N2",), launcher="mpirun", pause=1)
    cancelled = jobs.submit("cpu.sbatch", *dock(LONG, "cancelled.h5"), options=("--ntasks-per-node=1",), pause=2)
    wait_for_tiles(jobs, warned, "warned.h5")
    jobs.cluster.command("scancel", "--batch", "--signal=USR1", warned)
    wait_for_tiles(jobs, cancelled, "cancelled.h5")
    jobs.cluster.command("scancel", cancelled)
    check(jobs.expect(cancelled, {"CANCELLED"}) == 0, "a cancelled job was queued again")
    check(jobs.expect(warned, {"COMPLETED"}) == 1, "not queued again once: " + jobs.log(warned))
    expect_resumed(jobs, warned, "warned.h5")
    print("a warned job went on with the same bits; a cancelled one did not")


def expect_resumed(jobs, job, output):
    check("queued again" in jobs.log(job) and "goes on after" in jobs.log(job), jobs.log(job))
    with h5py.File(jobs.folder / output) as file:
        check(0 < file["run"].attrs["tiles_resumed"] < LONG, "nothing was resumed")
    check(not (jobs.folder / (output + ".partial")).exists(), "the folder of a whole run is still there")
    expect_same(jobs.folder / "long_dock.h5", jobs.folder / output)


def start_long_job(jobs):
    # Slurm looks at time limits every half minute and warns that much earlier than it was told.
    return jobs.submit("cpu.sbatch", *dock(LONG, "long.h5"), pause=8,
                       options=("-N2", "--ntasks-per-node=1", "--time=1", "--signal=B:USR1@29"))


def main():
    reason = slurm_cluster.missing()
    if not os.environ.get("TESSERA_TEST_SLURM"):
        reason = "starts daemons and takes minutes; set TESSERA_TEST_SLURM=1 to run it"
    program = os.path.abspath(sys.argv[1])
    if not reason and not has_ranks(program):
        reason = "no ranks can be started here"
    if reason:
        print("skipped:", reason)
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "work"
        folder.mkdir()
        write_inputs(program, folder)
        start = time.monotonic()
        with slurm_cluster.SlurmCluster(pathlib.Path(name) / "slurm") as cluster:
            jobs = Jobs(cluster, folder, program, os.environ["TESSERA_FAULTY"])
            long_job = start_long_job(jobs)
            test_shapes(jobs)
            test_warning(jobs)
            check(jobs.expect(long_job, {"COMPLETED"}) >= 1, "the time limit did not stop it")
            expect_resumed(jobs, long_job, "long.h5")
            print("the time limit stopped a job, which went on with the same bits")
    print(f"{time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
