"""A queue of its own for a regression test, and jobs that show whether they did their work once."""

import json
import os
import subprocess
import sys
import time

from tessera_runs import check, patience, run

# A job as the queue expects it: it does tile after tile, notes each in a file, stops after SIGTERM with 75, and goes on
# there. Two at once would be seen.
WORKER = """
import fcntl, signal, sys, time
asked = []
signal.signal(signal.SIGTERM, lambda *_: asked.append(1))
with open(sys.argv[1], "a+") as journal:
    try:
        fcntl.flock(journal, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        sys.exit("two at once")
    journal.seek(0)
    for tile in range(len(journal.readlines()), int(sys.argv[2])):
        if asked:
            sys.exit(75)
        time.sleep(0.05)
        journal.write(f"{tile}\\n")
        journal.flush()
"""


class Queue:
    def __init__(self, program, folder):
        self.program, self.folder, self.path = program, folder, folder / "queue.db"
        (folder / "worker.py").write_text(WORKER)

    def command(self, *words, **options):
        return run(self.program, "queue", *words, cwd=self.folder,
                   environment={"TESSERA_QUEUE": str(self.path), **options})

    def submit(self, *words, **options):
        told = self.command("submit", *words, **options)
        check(told.returncode == 0, f"submit {words}: {told.stderr}")
        return int(told.stdout)

    def submit_worker(self, name, tiles, *words):
        return self.submit("--cores", "1", *words, "--", sys.executable, "worker.py", name, str(tiles))

    def start(self, *words):
        return subprocess.Popen([self.program, "queue", "run", *words], cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True,
                                env=dict(os.environ, TESSERA_QUEUE=str(self.path)))

    def run_all(self, *words):
        told = self.command("run", "--until-empty", *words)
        check(told.returncode == 0, f"run {words}: {told.returncode} {told.stdout}{told.stderr}")
        return told.stdout

    def job(self, number):
        listed = json.loads(self.command("list", "--all", "--json").stdout)
        return next(job for job in listed if job["id"] == number)

    def tiles(self, name):
        path = self.folder / name
        return path.read_text().split() if path.exists() else []

    def wait_until(self, condition, what):
        deadline = time.monotonic() + patience(60)
        while not condition():
            check(time.monotonic() < deadline, f"in vain: {what}")
            time.sleep(0.02)

    def check_worker(self, number, name, tiles):
        job = self.job(number)
        check(job["state"] == "done", f"{name} is {job['state']}: {job['reason']}")
        check(self.tiles(name) == [str(i) for i in range(tiles)], f"{name} has the tiles {self.tiles(name)}")
        return job
