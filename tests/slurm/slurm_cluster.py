"""A Slurm of two virtual nodes on this machine, for tests: own folder, own key, own ports, loopback only.
Nothing of an installed Slurm is read or touched. Needs root and the programs of slurm-wlm and munge.

    with SlurmCluster(folder) as cluster:
        job = cluster.sbatch("--nodes=2", "job.sbatch")
        cluster.wait(job, {"COMPLETED"})
"""

import ctypes
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time

NODES = ("n1", "n2")
CPUS, GPUS = 2, 8  # a node says it has, whatever this machine has
DAEMONS = ("munged", "slurmctld", "slurmd")
COMMANDS = ("sbatch", "srun", "scontrol", "squeue", "sinfo", "scancel")

CONFIGURATION = """\
ClusterName=tessera-test
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={controller_port}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CryptoType=crypto/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n/spool
TmpFS={folder}/%n/tmp
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=0,sched_min_interval=100000
MpiDefault=pmix
GresTypes=gpu
ReturnToService=2
KillWait=5
MinJobAge=3600
JobRequeue=1
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
{nodes}
PartitionName=cpu Nodes={names} Default=YES OverSubscribe=FORCE:8 MaxTime=UNLIMITED State=UP
PartitionName=gpu Nodes={names} OverSubscribe=FORCE:8 MaxTime=UNLIMITED State=UP
"""


def missing():
    """Why no Slurm can be started here, or None."""
    if os.geteuid() != 0:
        return "a test Slurm is started as root only"
    for program in DAEMONS + COMMANDS + ("unshare",):
        if not shutil.which(program, path=search_path()):
            return f"no '{program}' here (install slurm-wlm and munge)"
    isolated = subprocess.run(["unshare", "--uts", "hostname", "n1"], capture_output=True)
    if isolated.returncode != 0:
        return "no name of its own can be given to a virtual node here (unshare --uts failed)"
    return None


def search_path():
    return os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin:/sbin"


def end_with_parent():
    """Called in a new daemon: it is killed where the test is (prctl PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def free_ports(count):
    """Ports nobody listens on now."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class SlurmCluster:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"),
                                PATH=search_path())
        for name in list(self.environment):
            if name.startswith(("SLURM_", "SBATCH_", "SRUN_")) and name != "SLURM_CONF":
                del self.environment[name]
        self.daemons = []

    def __enter__(self):
        try:
            self._start()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *_):
        self._stop()

    # --- jobs ------------------------------------------------------------------------------------

    def command(self, *words, **options):
        """Runs a command of Slurm, e.g. ("sinfo", "-N"); its output as text. On a busy machine the
        controller now and then does not answer: then once more, up to five times."""
        for _ in range(5):
            result = subprocess.run([str(word) for word in words], env=self.environment, timeout=30,
                                    capture_output=True, text=True, **options)
            if result.returncode == 0:
                return result.stdout.strip()
            if "socket" not in result.stderr and "contact" not in result.stderr:
                break
            time.sleep(2)
        raise RuntimeError(f"{' '.join(map(str, words))}: {result.stderr.strip()}")

    def sbatch(self, *words, cwd, environment=None):
        """Submits; the number of the job."""
        extra = dict(self.environment, **(environment or {}))
        result = subprocess.run(["sbatch", "--parsable", *map(str, words)], env=extra, cwd=cwd,
                                capture_output=True, text=True, timeout=30)
        if result.returncode != 0:
            raise RuntimeError(f"sbatch {words}: {result.stderr.strip()}")
        return result.stdout.strip().split(";")[0]

    def states(self, job):
        """Of every task of an array, every component of a heterogeneous job: {id: (state, restarts)}."""
        text = self.command("scontrol", "--oneliner", "show", "job", job)
        found = {}
        for line in text.splitlines():
            fields = dict(re.findall(r"(\w+)=(\S+)", line))
            found[fields["JobId"]] = (fields["JobState"], int(fields.get("Restarts", 0)))
        return found

    def wait(self, job, seconds):
        """Until the job has ended (all of an array); its states."""
        end = time.monotonic() + seconds
        while True:
            states = self.states(job)
            if all(state not in ("PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "REQUEUED",
                                 "SUSPENDED") for state, _ in states.values()):
                return states
            if time.monotonic() > end:
                raise TimeoutError(f"job {job} has not ended after {seconds} s: {states}")
            if any(state == "PENDING" for state, _ in states.values()):
                # Heterogeneous jobs are looked at only after something has changed, be it nothing.
                self.command("scontrol", "update", "PartitionName=cpu", "State=UP")
            time.sleep(0.1)

    # --- daemons ---------------------------------------------------------------------------------

    def _start(self):
        for node in NODES:
            for part in ("spool", "tmp"):
                (self.folder / node / part).mkdir(parents=True)
        (self.folder / "state").mkdir()
        self._start_munge()
        ports = free_ports(1 + len(NODES))
        names = ",".join(NODES)
        nodes = [f"NodeName={name} NodeHostname={name} NodeAddr=127.0.0.1 Port={port} CPUs={CPUS} Gres=gpu:{GPUS}"
                 for name, port in zip(NODES, ports[1:])]
        for number in range(GPUS):  # a file each, which only has to be there
            (self.folder / f"gpu{number}").touch()
        (self.folder / "gres.conf").write_text(f"NodeName={names} Name=gpu File={self.folder}/gpu[0-{GPUS - 1}]\n")
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            folder=self.folder, controller_port=ports[0], nodes="\n".join(nodes), names=names))
        self._daemon("slurmctld", "slurmctld", "-D", "-c")
        for name in NODES:
            # A name of its own, so that the two nodes look like two machines to everyone.
            self._daemon(f"slurmd {name}", "unshare", "--uts", "sh", "-c",
                         f"hostname {name} && exec slurmd -D -N {name}")
        self._wait_until_ready()

    def _start_munge(self):
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        self._daemon("munged", "munged", "--foreground", "--force",
                     *(f"--{name}={self.folder}/munge.{suffix}" for name, suffix in
                       (("key-file", "key"), ("socket", "socket"), ("pid-file", "pid"),
                        ("log-file", "log"), ("seed-file", "seed"))))

    def _daemon(self, name, *words):
        log = open(self.folder / (name.replace(" ", "_") + ".out"), "w")
        process = subprocess.Popen(words, env=self.environment, stdout=log, stderr=log,
                                   stdin=subprocess.DEVNULL, start_new_session=True,
                                   preexec_fn=end_with_parent)
        log.close()
        self.daemons.append((name, process))

    def _wait_until_ready(self):
        end = time.monotonic() + 20
        while True:
            for name, process in self.daemons:
                if process.poll() is not None:
                    raise RuntimeError(f"{name} ended at once:\n" + self.logs())
            result = subprocess.run(["sinfo", "-h", "-N", "-p", "cpu", "-o", "%T"], env=self.environment,
                                    capture_output=True, text=True, timeout=30)
            if result.stdout.split() == ["idle"] * len(NODES):
                return
            if time.monotonic() > end:
                raise RuntimeError(f"not ready after 20 s: {result.stdout} {result.stderr}\n" + self.logs())
            time.sleep(0.1)

    def _stop(self):
        self._end_jobs()
        for how in (signal.SIGTERM, signal.SIGKILL):
            for _, process in reversed(self.daemons):
                if process.poll() is None:
                    process.send_signal(how)
            end = time.monotonic() + 5
            while time.monotonic() < end and any(p.poll() is None for _, p in self.daemons):
                time.sleep(0.05)
        for process in self._left_behind():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def _end_jobs(self):
        end = time.monotonic() + 10
        for command in (["scancel", "--full", "--user=root"], ["squeue", "--noheader"]):
            while self.daemons and time.monotonic() < end:
                result = subprocess.run(command, env=self.environment, timeout=30, capture_output=True)
                if not result.stdout:
                    break
                time.sleep(0.1)

    def _left_behind(self):
        """Processes of this cluster's jobs: they have inherited the path of its configuration."""
        mark = ("SLURM_CONF=" + self.environment["SLURM_CONF"]).encode()
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and int(entry.name) != os.getpid() and \
                        mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
            except OSError:
                continue
        return found

    def processes(self):
        """What this cluster's jobs run now: number, state, what the process waits for, and its command."""
        lines = []
        for process in sorted(self._left_behind()):
            entry = pathlib.Path("/proc") / str(process)
            try:
                state = re.search(r"State:\s+(\S)", (entry / "status").read_text()).group(1)
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                lines.append(f"{process} {state} {(entry / 'wchan').read_text()} {words}")
            except OSError:
                continue
        return "\n".join(lines)

    def logs(self):
        """The ends of all logs, for a failure's message."""
        texts = []
        for path in sorted(self.folder.rglob("*.log")) + sorted(self.folder.glob("*.out")):
            lines = path.read_text(errors="replace").splitlines()[-15:]
            texts += [f"--- {path.relative_to(self.folder)}"] + lines
        return "\n".join(texts)
