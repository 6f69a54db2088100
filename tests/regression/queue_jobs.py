#!/usr/bin/env python3
"""tessera queue on real processes: jobs run within their limits and with their surroundings, take turns, fail, are
cancelled and wait for; runner, keepers and jobs are killed with SIGKILL, and every job still does its work once.
Usage: queue_jobs.py PATH/OF/tessera"""

import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from queue_runs import Queue  # noqa: E402
import tessera_runs  # noqa: E402
from tessera_runs import check, fail, own_lines, patience, run  # noqa: E402

ORBITAL = ("orbital", "water.molden", "--orbitals", "all", "--spacing", "0.01", "--norms-only", "--device", "openmp")


def check_surroundings(queue):
    """Folder, variables, output, and the limits of cores and GPUs."""
    script = 'pwd; echo "$OMP_NUM_THREADS/$CUDA_VISIBLE_DEVICES/$TESSERA_MARK"; echo problem 1>&2'
    one = queue.submit("--cores", "3", "--", "sh", "-c", script, TESSERA_MARK="kept")
    two = queue.submit("--gpu", "5", "--", "sh", "-c", script)
    many = [queue.submit("--gpus", "1", "--", "sh", "-c",
                         "mkdir gpu$CUDA_VISIBLE_DEVICES && sleep 0.2 && rmdir gpu$CUDA_VISIBLE_DEVICES")
            for _ in range(4)]
    queue.run_all("--cores", "3", "--gpus", "4,5")
    for number, words in ((one, "3//kept"), (two, "1/5/")):
        job = queue.job(number)
        check(pathlib.Path(job["output"]).read_text().split() == [str(queue.folder), words],
              f"job {number} printed {pathlib.Path(job['output']).read_text()}")
        check(pathlib.Path(job["errors"]).read_text() == "problem\n", "stderr is not kept")
    check(all(queue.job(number)["state"] == "done" for number in many), "two jobs had the same GPU")
    print("folder, variables, cores and GPUs are those of the job")


def check_failures(queue):
    bad = queue.submit("--", queue.program, "info", "none.h5")
    absent = queue.submit("--", "no-such-program")
    good = queue.submit("--", "true")
    queue.run_all("--gpus", "")
    job = queue.job(bad)
    check(job["state"] == "failed" and job["exit_code"] == 2 and "none.h5" in job["reason"], f"{job}")
    check("cannot start 'no-such-program'" in queue.job(absent)["reason"], f"{queue.job(absent)}")
    check(queue.command("wait", str(good)).returncode == 0, "wait for a job that is done")
    waited = queue.command("wait", str(good), str(bad))
    check(waited.returncode == 4 and "none.h5" in waited.stderr, f"wait: {waited.stderr}")
    huge = queue.submit("--cores", "9", "--", "true")
    stuck = queue.command("run", "--until-empty", "--cores", "2")
    check(stuck.returncode == 4 and "cannot run here" in stuck.stderr, f"too large a job: {stuck.stderr}")
    check(queue.command("cancel", str(huge)).returncode == 0, "cancel")
    check(queue.job(huge)["state"] == "cancelled", "a waiting job is not cancelled")
    print("failures are told, with the last line of stderr")


def check_turns(queue):
    """Two projects share one core, and stop each other at their tiles."""
    check(queue.command("share", "b", "2").returncode == 0, "share")
    one = queue.submit_worker("a.txt", 40, "--project", "a")
    two = queue.submit_worker("b.txt", 40, "--project", "b")
    told = queue.run_all("--cores", "1", "--slice", "0.5")
    jobs = [queue.check_worker(one, "a.txt", 40), queue.check_worker(two, "b.txt", 40)]
    check(jobs[0]["preemptions"] > 0, f"nobody made room: {told}")
    check(jobs[1]["ended"] < jobs[0]["ended"], "the greater share was not first")
    first = queue.submit_worker("c.txt", 60, "--project", "a")
    urgent = queue.submit_worker("d.txt", 5, "--project", "a", "--deadline", "+60s", "--seconds", "50")
    queue.run_all("--cores", "1", "--slice", "30")
    check(queue.check_worker(urgent, "d.txt", 5)["ended"] < queue.check_worker(first, "c.txt", 60)["ended"],
          "the deadline was not first")
    listed = queue.command("projects").stdout
    check(any(line.split()[:2] == ["b", "2"] for line in listed.splitlines()), listed)
    print("projects take turns by their shares, and deadlines go first")


def processes_of(job):
    """The job's own process and its keeper; 0 while they are not known."""
    try:
        leader = int(pathlib.Path(job["output"]).with_suffix(".lock").read_text().split()[0])
        status = pathlib.Path(f"/proc/{leader}/stat").read_text()
        return leader, int(status[status.rindex(")") + 1:].split()[1])
    except (OSError, IndexError, ValueError):
        return 0, 0


def check_kills(queue):
    number = queue.submit_worker("killed.txt", 120)
    runner = queue.start("--cores", "1")
    queue.wait_until(lambda: len(queue.tiles("killed.txt")) > 3, "the first tiles")
    second = queue.command("run")
    check(second.returncode == 2 and str(runner.pid) in second.stderr, f"a second runner: {second.stderr}")
    runner.kill()
    runner.wait()
    before = len(queue.tiles("killed.txt"))
    queue.wait_until(lambda: len(queue.tiles("killed.txt")) > before + 3, "the job goes on without its runner")

    runner = queue.start("--cores", "1", "--until-empty")
    time.sleep(0.3)
    leader, _ = processes_of(queue.job(number))
    os.kill(leader, signal.SIGKILL)
    queue.wait_until(lambda: queue.job(number)["attempts"] == 2, "the killed job starts again")
    queue.wait_until(lambda: processes_of(queue.job(number))[0] not in (0, leader), "its process")
    before = len(queue.tiles("killed.txt"))
    queue.wait_until(lambda: len(queue.tiles("killed.txt")) > before + 3, "tiles of the second attempt")
    os.kill(processes_of(queue.job(number))[1], signal.SIGKILL)
    queue.wait_until(lambda: queue.job(number)["attempts"] == 3, "a job without its keeper starts again")
    told = runner.communicate(timeout=patience(100))[0]
    check(runner.returncode == 0, told)
    queue.check_worker(number, "killed.txt", 120)

    fatal = queue.submit("--", "sh", "-c", "kill -9 $$")
    queue.run_all()
    job = queue.job(fatal)
    check(job["state"] == "failed" and job["attempts"] == 5 and "signal 9, 5 times" in job["reason"], f"{job}")
    print("runner, keeper and job survive SIGKILL")


def check_end_while_nobody_looks(queue):
    """The runner dies, the job ends: the next runner knows how."""
    number = queue.submit("--", "sh", "-c", "sleep 0.5; touch ended; echo last words 1>&2; exit 7")
    runner = queue.start()
    queue.wait_until(lambda: queue.job(number)["state"] == "running" and
                     pathlib.Path(queue.job(number)["output"]).with_suffix(".err").exists(), "its start")
    runner.kill()
    runner.wait()
    queue.wait_until(lambda: (queue.folder / "ended").exists(), "the end of the job")
    time.sleep(0.1)
    queue.run_all()
    job = queue.job(number)
    check(job["exit_code"] == 7 and job["attempts"] == 1 and "last words" in job["reason"], f"{job}")
    print("an end that no runner saw is known to the next")


def check_cancel(queue):
    number = queue.submit_worker("cancelled.txt", 100000)
    runner = queue.start("--until-empty")
    queue.wait_until(lambda: queue.tiles("cancelled.txt"), "its first tile")
    check(queue.command("cancel", str(number)).returncode == 0, "cancel")
    waited = queue.command("wait", str(number))
    check(waited.returncode == 4 and "was cancelled" in waited.stderr, waited.stderr)
    check(runner.wait(timeout=patience(60)) == 0, "the runner")
    check(queue.job(number)["exit_code"] == 75, "the cancelled job was not asked to stop")
    print("a running job is cancelled at its tile")


def check_tessera(queue):
    """A real run is stopped with its runner and goes on with the next, to the same bits."""
    source = pathlib.Path(os.environ.get("TESSERA_SOURCE_DIR", pathlib.Path(__file__).parent.parent.parent))
    (queue.folder / "water.molden").write_bytes((source / "examples/water.molden").read_bytes())
    number = queue.submit("--cores", "1", "--", queue.program, *ORBITAL, "-o", "run.h5")
    runner = queue.start()
    queue.wait_until((queue.folder / "run.h5.partial").exists, "the run's first files")
    runner.terminate()
    told = runner.communicate(timeout=patience(100))[0]
    check(runner.returncode == 75 and "jobs go on where they were" in told, f"SIGTERM: {runner.returncode} {told}")
    job = queue.job(number)
    check(job["state"] == "preempted" and job["exit_code"] == 75, f"{job}")
    queue.run_all()
    check(queue.job(number)["state"] == "done", f"{queue.job(number)}")
    alone = run(queue.program, *ORBITAL, "-o", "alone.h5", cwd=queue.folder, environment={"OMP_NUM_THREADS": "1"})
    check(alone.returncode == 0, alone.stderr)
    check(tessera_runs.answer(queue.folder / "run.h5", None) == tessera_runs.answer(queue.folder / "alone.h5", None),
          "the result has other bits")
    print("a run of tessera stops with the runner and goes on to the same bits")


# A source of work: it submits a job of two seconds each time, three times in all.
SOURCE = """
test -e fetched.2 && exit 0
number=0; while test -e fetched.$number; do number=$((number + 1)); done
echo "$TESSERA_QUEUE_PROJECT $TESSERA_QUEUE_CORE_SECONDS $TESSERA_QUEUE_GPU_SECONDS" > fetched.$number
exec "$PROGRAM" queue submit --project "$TESSERA_QUEUE_PROJECT" --cores 1 --seconds 2 -- \\
    sh -c "env | grep TESSERA_QUEUE_ | wc -l"
"""


def check_fetch(queue):
    """Below the low mark, work is fetched for the project that is owed most, and dry sources are left alone."""
    (queue.folder / "source.sh").write_text(SOURCE)
    fetch = ("--fetch", "far=sh source.sh", "--fetch", "dry=true", "--fetch", "broken=exit 3")
    told = queue.command("run", "--until-empty", "--cores", "1", "--gpus", "", "--low-water", "3", "--high-water", "5",
                         *fetch, PROGRAM=queue.program)
    check(told.returncode == 0, f"fetch: {told.returncode} {told.stdout}{told.stderr}")
    asked = [(queue.folder / f"fetched.{i}").read_text().split() for i in range(3)]
    check(asked[0] == ["far", "5", "0"] and all(int(one[1]) in range(1, 6) for one in asked), f"asked for {asked}")
    jobs = [job for job in json.loads(queue.command("list", "--all", "--json").stdout) if job["project"] == "far"]
    check(len(jobs) == 3 and all(job["state"] == "done" for job in jobs), f"{jobs}")
    check(pathlib.Path(jobs[0]["output"]).read_text().strip() == "0", "a job has the variables of its source")
    for text in ("far: brought work", "far: had no work", "dry: had no work", "broken: brought no work"):
        check(text in told.stdout, f"'{text}' is missing: {told.stdout}")
    check(told.stdout.count("dry: asked") == told.stdout.count("broken: asked") == 1, f"asked too often: {told.stdout}")
    huge = ("--fetch", "huge=$PROGRAM queue submit --project huge --cores 9 -- true")
    told = queue.command("run", "--until-empty", "--cores", "1", *huge, PROGRAM=queue.program)
    check(told.returncode == 4 and told.stdout.count("huge: asked") == 1, f"a flood: {told.stdout}{told.stderr}")
    listed = [job["id"] for job in json.loads(queue.command("list", "--json").stdout)]
    check(len(listed) == 1 and queue.command("cancel", str(listed[0])).returncode == 0, f"{listed}")
    print("work is fetched between the water marks")


def check_prediction(queue):
    number = queue.submit("--cores", "1", "--predict", "--", queue.program, *ORBITAL, "-o", "planned.h5")
    seconds = queue.job(number)["predicted_seconds"]
    check(seconds is not None and 0 < seconds < 1000, f"predicted {seconds}")
    check(not (queue.folder / "planned.h5").exists(), "the plan has written a result")
    before = len(queue.command("list", "--all").stdout.splitlines())
    for words, said in (((queue.program, "orbital", "none.molden"), "none.molden"), (("true",), "cannot predict")):
        told = queue.command("submit", "--predict", "--", *words)
        check(told.returncode == 2 and said in told.stderr, f"{words}: {told.stderr}")
        check(len(own_lines(told.stderr)) == 1, f"{words}: {told.stderr}")
    check(len(queue.command("list", "--all").stdout.splitlines()) == before, "a job without prediction was submitted")
    check(queue.command("cancel", str(number)).returncode == 0, "cancel")
    print("a job is predicted when it is submitted")


def check_refusals(queue):
    (queue.folder / "words.db").write_text("This is not a database. " * 50)
    other = sqlite3.connect(queue.folder / "other.db")
    other.execute("CREATE TABLE mine (x)")
    other.commit()
    other.close()
    for words, said in ((("list", "--queue", "none.db"), "there is no queue"),
                        (("list", "--queue", "words.db"), "not a database"),
                        (("submit", "--queue", "other.db", "--", "true"), "another program"),
                        (("run", "--queue", "no/folder/queue.db"), "cannot use the queue"),
                        (("cancel", "9999"), "no job 9999"), (("wait", "9999"), "no job 9999"),
                        (("submit", "--deadline", "tomorrow", "--", "true"), "'tomorrow' is not a time"),
                        (("submit", "--deadline", "2026-02-30 10:00", "--", "true"), "not a time"),
                        (("submit", "--cores", "0", "--", "true"), "--cores"), (("submit",), "command"),
                        (("submit", "--gpus", "1", "--gpu", "0", "--", "true"), "--gpu"),
                        (("share", "a", "-1"), "share"), (("run", "--slice", "0"), "--slice"),
                        (("run", "--fetch", "a"), "no source of work"), (("run", "--low-water", "5"), "--fetch"),
                        (("run", "--fetch", "a=true", "--low-water", "9", "--high-water", "8"), "below the low one"),
                        (("submit", "--predict", "--seconds", "1", "--", "true"), "--seconds"), ((), "ubcommand")):
        told = queue.command(*words)
        lines = own_lines(told.stderr)
        check(told.returncode in (2, 4) and len(lines) == 1 and said in lines[0], f"{words}: {told.stderr}")
    check((queue.folder / "words.db").read_text().startswith("This is not"), "a foreign file was changed")
    print("what is wrong is told in one line")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        queue = Queue(program, pathlib.Path(name).resolve())
        if "without SQLite" in queue.command("submit", "--", "true").stderr:
            print("skipped: the program was built without SQLite")
            return tessera_runs.SKIPPED
        queue.run_all()
        for test in (check_surroundings, check_failures, check_turns, check_kills, check_end_while_nobody_looks,
                     check_cancel, check_tessera, check_fetch, check_prediction, check_refusals):
            test(queue)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.TimeoutExpired as problem:
        fail(f"a command hangs: {problem}")
