#!/usr/bin/env python3
"""Runs a BOINC project on 127.0.0.1 with Debian's client, and disturbs the client and its tasks in every way that
volunteers do. Every result must come back with the bits that `tessera` finds by itself.

Usage: local_project.py TESSERA TESSERA_BOINC [--units N] [--cores N] [--seconds N]

Exit code 0 if everything is as it should be, 77 if BOINC's client is missing."""

import argparse
import collections
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from boinc_client import Client, cpu_seconds, devices_text, is_installed  # noqa: E402
from project_server import Project, WorkUnit  # noqa: E402

SKIPPED = 77
CHECKPOINT_SECONDS = 2
# One of the kinds that the client knows, and not that of GPUs which it may find here. The numbers are not 0 and 1, as
# with a client that leaves out GPUs.
DEVICE_KIND, DEVICES = "ATI", (1, 3)
DEVICE_CLASS, DEVICE_PART = "tessera_device", 0.75
ENDS_BY_ITSELF = 60  # s; a task looks for its client every 10 s, and the machine may be busy

LIKELIHOOD = "likelihood wedge.toml --stars stars.txt --integration exact -o result.h5"
FIT = ("fit wedge.toml --stars stars.txt --method {method} --population 24 --generations 6 --starts 2 --seed {seed} "
       "--variations 0 --free stream1.epsilon,stream1.mu,stream1.sigma -o result.h5")


def wedge_text(number, refined):
    """The wedge of the example with other streams; `refined` times as many steps along r and mu."""
    text = (ROOT / "examples" / "wedge.toml").read_text()
    changed = text.replace("mu = 32.0", f"mu = {30 + 0.4 * number}")
    changed = changed.replace("epsilon = -1.1", f"epsilon = {-1 - 0.05 * number}")
    changed = changed.replace("steps = 70", f"steps = {70 * refined}").replace("steps = 80", f"steps = {80 * refined}")
    assert changed.count(f"steps = {80 * refined}") == 1 and changed != text
    return changed


def make_units(tessera, folder, count):
    """Exact likelihoods, and fits by both kinds of populations, in turn."""
    stars = folder / "stars.txt"
    subprocess.run([tessera, "simulate", str(ROOT / "examples" / "wedge.toml"), "--number", "4000", "--seed", "2",
                    "-o", str(stars)], check=True, capture_output=True)
    units = []
    for number in range(count):
        if number % 2 == 0:
            command, refined = LIKELIHOOD, 10
        else:
            method = ("differential-evolution", "particle-swarm")[number // 2 % 2]
            command, refined = FIT.format(method=method, seed=number), 1
        units.append(WorkUnit(f"streams_{number:03d}", command, {
            "wedge.toml": wedge_text(number, refined).encode(), "stars.txt": stars.read_bytes()},
            DEVICE_CLASS if number % 4 > 1 else "mt"))
    return units


def app_info_text(cores):
    """boinc/app_info.xml, and its version once more for tasks with a part of a device."""
    text = (ROOT / "boinc" / "app_info.xml").read_text().replace("<avg_ncpus>2<", f"<avg_ncpus>{cores}<")
    begin, end = text.index("<app_version>"), text.index("</app_info>")
    version = text[begin:end].replace("<plan_class>mt<", f"<plan_class>{DEVICE_CLASS}<").replace(
        "<file_ref>", f"<coproc><type>{DEVICE_KIND}</type><count>{DEVICE_PART}</count></coproc>\n<file_ref>")
    assert DEVICE_CLASS in version and DEVICE_KIND in version
    return text[:end] + version + text[end:]


class Disturber:
    """What happens to a client and its tasks, one thing after the other."""

    def __init__(self, client):
        self.client = client
        self.counts = collections.Counter()
        self.problems = []
        self.given = set()  # (result, number of its device)
        self.turn = itertools.cycle([self.suspend_task, self.kill_task, self.quit_client, self.suspend_all,
                                     self.kill_client])

    def look(self):
        """Notes which devices the client gives to its tasks. Returns the fractions done."""
        self.given.update(filter(None, map(self.client.given_device, self.client.running())))
        return {task["fraction"] for task in self.client.tasks().values()}

    def act(self):
        next(self.turn)()

    def suspend_task(self):
        for name, task in itertools.islice(self.client.tasks().items(), 1):
            self.client.ask("--task", self.client.url, name, "suspend")
            self.stay_suspended("a suspended task", [task["pid"]])
            self.client.ask("--task", self.client.url, name, "resume")

    def suspend_all(self):
        if not self.client.running():
            return
        self.client.ask("--set_run_mode", "never")
        self.stay_suspended("suspended tasks", list(self.client.running().values()))
        self.client.ask("--set_run_mode", "always")

    def stay_suspended(self, what, pids):
        """A task finishes its tile, and then uses no processor until it may go on."""
        for pid in pids:
            used = []
            while not used or (used[-1] > 0.06 and len(used) < 10):
                start = cpu_seconds(pid)
                time.sleep(2)
                end = cpu_seconds(pid)
                used.append(0 if start is None or end is None else end - start)  # gone: it was writing its result
            self.counts["suspensions"] += 1
            if used[-1] > 0.06:
                self.problems.append(f"{what} used so much processor time in 2 s each: {used}")

    def kill_task(self):
        for pid in itertools.islice(self.client.running().values(), 1):
            subprocess.run(["kill", "-KILL", str(pid)], check=False)
            self.counts["tasks killed"] += 1

    def quit_client(self):
        had = len(self.client.running())
        if not self.client.quit(ENDS_BY_ITSELF):
            self.problems.append("the client did not end when it was asked to")
        self.start_again("after the client had ended", had)
        self.counts["clients ended"] += 1
        self.counts["tasks ended by the client"] += had

    def kill_client(self):
        had = len(self.client.running())
        self.client.kill()
        self.start_again("without its client", had)
        self.counts["clients killed"] += 1
        self.counts["tasks that lost their client"] += had

    def start_again(self, when, had):
        if not self.client.wait_until_gone(ENDS_BY_ITSELF):
            self.problems.append(f"a task of {had} went on {when} for {ENDS_BY_ITSELF} s")
        self.client.start()


def run_project(client, project, seconds):
    """Until every work unit is reported or the time is over. Returns what was done to the client."""
    disturber = Disturber(client)
    deadline = time.monotonic() + seconds
    fractions = set()
    client.start()
    try:
        while len(project.reported()) < len(project.units) and time.monotonic() < deadline:
            for _ in range(6):
                time.sleep(1)
                fractions.update(disturber.look())
                if client.process.poll() is not None:
                    disturber.problems.append(f"the client ended by itself ({client.process.returncode})")
                    client.start()
            print(f"  {len(project.reported())} of {len(project.units)} work units are back", flush=True)
            if client.running():
                disturber.act()
    finally:
        client.quit(ENDS_BY_ITSELF)
        client.wait_until_gone(ENDS_BY_ITSELF)
    if len([fraction for fraction in fractions if 0 < fraction < 1]) < 3:
        disturber.problems.append(f"the client saw only these fractions done: {sorted(fractions)}")
    return disturber


def check_results(tessera, project, folder):
    """Compares each result with that of the same command in a folder of its own."""
    problems = []
    validate = ROOT / "boinc" / "validate.py"
    for unit in project.units:
        if unit.report is None or "<exit_status>0</exit_status>" not in unit.report:
            problems.append(f"{unit.name} did not come back well: {unit.report}")
            continue
        direct = folder / unit.name
        direct.mkdir()
        for logical, data in unit.files.items():
            (direct / logical).write_bytes(data)
        subprocess.run([tessera, *unit.command_line.split(), "--quiet"], cwd=direct, check=True)
        done = subprocess.run([sys.executable, str(validate), str(direct / "result.h5"),
                               str(project.folder / "upload" / unit.output_name)], capture_output=True, text=True)
        if done.returncode != 0:
            problems.append(f"{unit.name}: {done.stderr.strip()}")
    return problems


def check_environments(project, given, cores):
    """Every task must have told the cores and the device that the client gave it, in its stderr.txt."""
    problems = []
    for unit in project.units:
        told = set(re.findall(r"this task has OMP_NUM_THREADS=(\d+)(?:, CUDA_VISIBLE_DEVICES=(\d+))?", unit.stderr()))
        numbers = {int(device) for _, device in told if device}
        want = {number for result, number in given if result == unit.result_name}
        if {threads for threads, _ in told} != {str(cores)} or not want <= numbers <= set(DEVICES) or \
                bool(numbers) != (unit.plan_class == DEVICE_CLASS):
            problems.append(f"{unit.name} ({unit.plan_class}) got the devices {sorted(want)} and told {sorted(told)}")
    if {number for _, number in given} != set(DEVICES):
        problems.append(f"the client gave only these devices to tasks: {sorted(given)}")
    return problems


def hosts_of(log):
    """The hosts that the client has connected to, from the log of its transfers."""
    return set(re.findall(r"\[http\].* Trying (\S+):\d+", log)) | \
        set(re.findall(r"\[http\] HTTP_OP::init_\w+\(\): https?://([^/:]+)", log))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tessera", type=os.path.abspath)
    parser.add_argument("tessera_boinc", type=os.path.abspath)
    parser.add_argument("--units", type=int, default=24)
    parser.add_argument("--cores", type=int, default=1, help="of each task; the client has twice as many")
    parser.add_argument("--seconds", type=float, default=900, help="the longest time for the project")
    parser.add_argument("--keep", help="a new folder for everything, which stays")
    options = parser.parse_args()
    if not is_installed():
        print("skipped: BOINC's client is missing (Debian: boinc-client)")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(options.keep or name)
        folder.mkdir(exist_ok=True)
        units = make_units(options.tessera, folder, options.units)
        with Project(folder / "project", ROOT / "boinc" / "templates", units) as project:
            client = Client(folder / "client", project.url, 2 * options.cores, CHECKPOINT_SECONDS,
                            options.tessera_boinc, app_info_text(options.cores), devices_text(DEVICE_KIND, DEVICES))
            disturber = run_project(client, project, options.seconds)
        log = client.log()
        problems = disturber.problems + project.problems + check_results(options.tessera, project, folder) + \
            check_environments(project, disturber.given, options.cores)
        starts = 1 + disturber.counts["clients killed"] + disturber.counts["clients ended"]
        problems += [f"{unit.name} was reported {unit.reports} times" for unit in units if unit.reports > starts]
        if hosts_of(log) != {"127.0.0.1"}:
            problems.append(f"the client connected to {sorted(hosts_of(log))}")
        goes_on = sum("goes on after" in (unit.report or "") for unit in units)
        checkpoints = log.count("checkpointed")
        if not (goes_on and checkpoints):
            problems.append(f"{goes_on} tasks went on from their journal, and {checkpoints} checkpoints were made")
        print(f"devices given to tasks: {len(disturber.given)}, seen in their slots")
        print(f"{len(project.reported())} of {len(units)} work units, {project.requests} requests, "
              f"{checkpoints} checkpoints, {goes_on} tasks went on from their journal")
        for what, count in sorted(disturber.counts.items()):
            print(f"  {count} {what}")
        print("\n".join(problems) if problems else "all results have the bits of tessera by itself")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
