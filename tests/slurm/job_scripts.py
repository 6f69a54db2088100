#!/usr/bin/env python3
"""The job scripts on a real Slurm of two virtual nodes, with every workload: ranks by srun and by mpirun, arrays of
commands and of parts of a screening, GPU and CPU nodes in one run, jobs that are warned and go on, of every script, a
job that is cancelled. Runs with TESSERA_TEST_SLURM=1 alone; exit 77 without it and where no Slurm can be started.
TESSERA_FAULTY is the program that makes pauses on order.
Usage: job_scripts.py PATH/OF/tessera"""

import math
import os
import pathlib
import re
import sys
import tempfile
import time

import h5py

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "regression")]
import pair_runs  # noqa: E402
import screen_shards  # noqa: E402
import slurm_cluster  # noqa: E402
import small_runs  # noqa: E402
from fit_ranks import WEDGE, check, done  # noqa: E402
from screen import write_lists  # noqa: E402
from tessera_runs import SKIPPED, answer, has_ranks, run  # noqa: E402

SCRIPTS = TESTS.parent / "jobscripts"
# The scripts ask for the nodes of a cluster; these have two cores.
SMALL = ("--ntasks-per-node=2", "--cpus-per-task=1", "--time=5")
GPU = ("--partition=gpu", "--gpus-per-node=2")
MIXED = (*GPU, "--nodelist=n1", ":", "--partition=cpu", "--nodes=1", "--nodelist=n2", *SMALL[:2])


SHORT, LONG = 4, 10  # tiles of the dockings that run through and of those that are stopped
PAUSE = 3  # seconds that each tile of a warned job takes longer: the warning finds it at work
FIT = ("fit", "wedge.toml", "--stars", "stars.txt", "--tolerance", "1e-8", "-o")
ORBITAL, LIKELIHOOD = ((*small_runs.arguments(workload), "-o") for workload in ("grids", "likelihood"))
PAIRS = ("dock", "--pairs", "pairs.csv", *pair_runs.OPTIONS, "-o")


def dock(tiles, output):
    return ("dock", "receptor.pdb", "ligand.pdb", "--coefficients", "my.sets", "--spacing", "3", "--terms", "1",
            "--rotation-file", f"rotations{tiles}.txt", "--refine", "0", "--report", "0", "-o", output)


def write_inputs(program, folder):
    small_runs.write_inputs(folder)
    pair_runs.write_table(folder)
    write_lists(folder)
    for tiles in (SHORT, LONG):  # 192 rotations a tile
        angles = [0.01 * k for k in range(192 * tiles)]
        (folder / f"rotations{tiles}.txt").write_text("".join(
            f"{math.cos(a):.9f} {0.6 * math.sin(a):.9f} {0.8 * math.sin(a):.9f} 0\n" for a in angles))
    (folder / "wedge.toml").write_text(WEDGE)
    done(run(program, "simulate", "wedge.toml", "--number", "600", "--seed", "4", "-o", "stars.txt", cwd=folder))
    commands = ((*FIT, "line1.h5"), dock(SHORT, "line2.h5"), (*PAIRS, "warned_pairs"))
    (folder / "commands.txt").write_text("".join(" ".join(words) + "\n" for words in commands))


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
        try:
            found = self.cluster.wait(job, seconds)
        except TimeoutError as late:
            sys.exit(f"{late}\n{self.log(job)}\n{self.cluster.processes()}\n{self.cluster.logs()}")
        check({state for state, _ in found.values()} <= set(states), f"job {job}: {found}\n{self.log(job)}")
        return max(restarts for _, restarts in found.values())


def expect_same(first, second):
    """Two results, or folders of the table's pairs: all of their files, and of the summary what is no time."""
    if first.is_dir():
        rows, other_rows = (pair_runs.summary(path.parent, path.name) for path in (first, second))
        for row in (*rows.values(), *other_rows.values()):
            del row["search_seconds"]
        check(rows == other_rows, f"{first.name} and {second.name}: {rows}, {other_rows}")
        left = pair_runs.leftovers(second.parent, second.name)
        check(not left, f"left behind in {second.name}: {left}")
        for name in pair_runs.SINGLES:
            expect_same(first / f"{name}.h5", second / f"{name}.h5")
        return
    one, other = (answer(path, groups=None) for path in (first, second))
    different = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
    check(not different, f"{first.name} and {second.name}: different {different}")


def hosts(path):
    """Where the ranks of a run were."""
    if path.is_dir():
        return [row["host"] for row in pair_runs.ranks_of(path.parent, path.name)]
    with h5py.File(path) as file:
        return [name.decode() for name in file["run/ranks"]["host"]]


def test_shapes(jobs):
    """Every script, workload and launcher, all at once, against runs without Slurm."""
    folder = jobs.folder
    lines = jobs.submit("array.sbatch", "commands.txt", options=("--array=1-2",))
    shapes = {  # the run without Slurm, and the job
        "line1.h5": ("fit.h5", lines),
        "line2.h5": ("dock.h5", lines),
        "gpu.h5": ("fit.h5", jobs.submit("gpu.sbatch", *FIT, "gpu.h5", options=GPU)),
        "srun.h5": ("dock.h5", jobs.submit("cpu.sbatch", *dock(SHORT, "srun.h5"), options=("-N2",))),
        "mpirun.h5": ("dock.h5", jobs.submit("cpu.sbatch", *dock(SHORT, "mpirun.h5"), options=("-N2",),
                                             launcher="mpirun")),
        "mixed.h5": ("dock.h5", jobs.submit("gpu_and_cpu.sbatch", *dock(SHORT, "mixed.h5"), options=MIXED)),
        "grids.h5": ("orbital.h5", jobs.submit("cpu.sbatch", *ORBITAL, "grids.h5", options=("-N2",))),
        "stars.h5": ("likelihood.h5", jobs.submit("gpu.sbatch", *LIKELIHOOD, "stars.h5", options=(*GPU, "-N2"),
                                                  launcher="mpirun")),
        "table": ("pairs", jobs.submit("gpu.sbatch", *PAIRS, "table", options=(*GPU, "-N2")))}
    for command in ((*FIT, "fit.h5"), dock(SHORT, "dock.h5"), dock(LONG, "long_dock.h5"), (*ORBITAL, "orbital.h5"),
                    (*LIKELIHOOD, "likelihood.h5"), (*PAIRS, "pairs")):
        done(run(jobs.program, *command, cwd=folder, environment={"OMP_NUM_THREADS": "1"}))
    for output, (reference, job) in shapes.items():
        check(jobs.expect(job, {"COMPLETED"}) == 0, f"job {job} was queued again")
        expect_same(folder / reference, folder / output)
    for output in ("srun.h5", "mpirun.h5", "mixed.h5", "grids.h5", "stars.h5", "table"):
        check(hosts(folder / output) == ["n1", "n1", "n2", "n2"], f"{output} ran on {hosts(folder / output)}")
    print("one node, two nodes, GPU and CPU nodes, an array, srun and mpirun, all workloads: the same bits")


def test_screening(jobs):
    """An array screens the parts of a table, which are merged, against a screening without Slurm."""
    folder, lists = jobs.folder, ("receptors.csv", "ligands.csv", *screen_shards.OPTIONS)
    job = jobs.submit("screen_array.sbatch", "3", "parts", *lists, options=(*GPU, "--array=1-3"))
    screen_shards.screen(jobs.program, folder, "whole")
    check(jobs.expect(job, {"COMPLETED"}) == 0, f"job {job} was queued again")
    parts = [f"parts/{part}" for part in (1, 2, 3)]
    check(all(len(screen_shards.rows_of(folder, part)) == 2 for part in parts), "not two pairs in each part")
    done(run(jobs.program, "merge", *parts, "-o", "merged", cwd=folder))
    screen_shards.expect_same(folder, "merged", screen_shards.content(folder / "whole"))
    print("an array of parts is the whole screening")


def has_written(folder, output):
    """Whether a run has written tiles down, or a whole pair."""
    return any(path.stat().st_size > 200 for pattern in (f"{output}.partial/tiles-*", f"{output}/*.h5")
               for path in folder.glob(pattern))


def test_warning(jobs):
    """What Slurm's warning does, sent by hand, in every script; and that a cancelled job stays cancelled."""
    cancelled = jobs.submit("cpu.sbatch", *dock(LONG, "cancelled.h5"), options=("--ntasks-per-node=1",), pause=PAUSE)
    warned = {  # the run without Slurm, and the job
        "warned.h5": ("long_dock.h5", jobs.submit("cpu.sbatch", *dock(LONG, "warned.h5"), options=("-N2",),
                                                  launcher="mpirun", pause=PAUSE)),
        "warned_grids.h5": ("orbital.h5", jobs.submit("gpu.sbatch", *ORBITAL, "warned_grids.h5",
                                                      options=(*GPU, "-N2"), pause=PAUSE)),
        "warned_stars.h5": ("likelihood.h5", jobs.submit("gpu_and_cpu.sbatch", *LIKELIHOOD, "warned_stars.h5",
                                                         options=MIXED, pause=PAUSE)),
        "warned_pairs": ("pairs", jobs.submit("array.sbatch", "commands.txt", options=("--array=3",), pause=PAUSE))}
    running = {output: job for output, (_, job) in warned.items()} | {"cancelled.h5": cancelled}
    end = time.monotonic() + 300  # ranks of both nodes share two cores, and some get little of them
    while running:
        check(time.monotonic() < end, f"nothing was written down: {[jobs.log(job) for job in running.values()]}")
        for output in [output for output in running if has_written(jobs.folder, output)]:
            job = running.pop(output)
            jobs.cluster.command("scancel", *(() if job == cancelled else ("--batch", "--signal=USR1")), job)
        time.sleep(0.05)
    check(jobs.expect(cancelled, {"CANCELLED"}) == 0, "a cancelled job was queued again")
    for output, (reference, job) in warned.items():
        check(jobs.expect(job, {"COMPLETED"}) == 1, "not queued again once: " + jobs.log(job))
        expect_resumed(jobs, job, reference, output)
    print("a warned job of each script went on with the same bits; a cancelled one did not")


def expect_resumed(jobs, job, reference, output):
    """What the first turn had done was done once, and the result is that of a run without Slurm."""
    told, folder = jobs.log(job), jobs.folder
    check("queued again" in told, told)
    if (folder / output).is_dir():
        check(re.search("[1-3] done before, [1-3] to do", told), told)
    else:
        with h5py.File(folder / output) as file:
            attributes = file["run"].attrs
            check("goes on after" in told and 0 < attributes["tiles_resumed"] < attributes["tiles_total"], told)
        check(not (folder / (output + ".partial")).exists(), "the folder of a whole run is still there")
    expect_same(folder / reference, folder / output)


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
            test_screening(jobs)
            test_warning(jobs)
            check(jobs.expect(long_job, {"COMPLETED"}) >= 1, "the time limit did not stop it")
            expect_resumed(jobs, long_job, "long_dock.h5", "long.h5")
            print("the time limit stopped a job, which went on with the same bits")
    print(f"{time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
