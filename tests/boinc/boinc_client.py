"""A BOINC client in a folder of its own that speaks to one project on 127.0.0.1 and to nobody else."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

CONFIGURATION = """<cc_config>
<log_flags><task>1</task><checkpoint_debug>1</checkpoint_debug><http_debug>1</http_debug></log_flags>
<options>
<allow_multiple_clients>1</allow_multiple_clients>
<dont_contact_ref_site>1</dont_contact_ref_site>
<ncpus>{cores}</ncpus>
<no_info_fetch>1</no_info_fetch>
<no_priority_change>1</no_priority_change>
<report_results_immediately>1</report_results_immediately>
<skip_cpu_benchmarks>1</skip_cpu_benchmarks>
<start_delay>0</start_delay>
<suppress_net_info>1</suppress_net_info>
{devices}
</options>
</cc_config>
"""
DEVICES = """<coproc>
<type>{kind}</type>
<count>{count}</count>
<device_nums>{numbers}</device_nums>
<peak_flops>1e10</peak_flops>
</coproc>"""
PREFERENCES = """<global_preferences>
<run_on_batteries>1</run_on_batteries>
<run_if_user_active>1</run_if_user_active>
<run_gpu_if_user_active>1</run_gpu_if_user_active>
<suspend_cpu_usage>0</suspend_cpu_usage>
<max_ncpus_pct>100</max_ncpus_pct>
<cpu_usage_limit>100</cpu_usage_limit>
<leave_apps_in_memory>1</leave_apps_in_memory>
<work_buf_min_days>1</work_buf_min_days>
<disk_interval>{checkpoint}</disk_interval>
<disk_min_free_gb>0</disk_min_free_gb>
<disk_max_used_pct>100</disk_max_used_pct>
<ram_max_used_busy_pct>100</ram_max_used_busy_pct>
<ram_max_used_idle_pct>100</ram_max_used_idle_pct>
</global_preferences>
"""


def devices_text(kind, numbers):
    """Describes devices to the client that it cannot find by itself."""
    return DEVICES.format(kind=kind, count=len(numbers), numbers=" ".join(map(str, numbers)))


def is_installed():
    return shutil.which("boinc") is not None and shutil.which("boinccmd") is not None


def cpu_seconds(pid):
    """Processor time of a process, all threads together; None if it is gone."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Client:
    """`program`: path of tessera_boinc, and `app_info` the text that describes it to the client (boinc/app_info.xml). A
    program that a project sends would need a signature. `devices`: of devices_text()."""

    def __init__(self, folder, url, cores, checkpoint, program, app_info, devices=""):
        self.folder, self.url, self.process = pathlib.Path(folder), url, None
        self.devices = devices
        self.folder.mkdir()
        (self.folder / "cc_config.xml").write_text(CONFIGURATION.format(cores=cores, devices=devices))
        (self.folder / "global_prefs_override.xml").write_text(PREFERENCES.format(checkpoint=checkpoint))
        (self.folder / "gui_rpc_auth.cfg").write_text("local")
        project = self.folder / "projects" / url.split("//")[1].strip("/").replace(":", "_")
        project.mkdir(parents=True)
        (project / "app_info.xml").write_text(app_info)
        shutil.copy(program, project / "tessera_boinc")

    def start(self):
        # The socket of a client that was killed would be in the way.
        (self.folder / "boinc_socket").unlink(missing_ok=True)
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "OMP_WAIT_POLICY": "passive"}
        with open(self.folder / "client.log", "a") as log:
            self.process = subprocess.Popen(
                ["boinc", "--dir", str(self.folder), "--gui_rpc_unix_domain", *([] if self.devices else ["--no_gpus"]),
                 "--no_info_fetch", "--skip_cpu_benchmarks", "--suppress_net_info", "--allow_multiple_clients",
                 "--sched_retry_delay_min", "1", "--pers_retry_delay_min", "1"],
                cwd=self.folder, env=environment, stdout=log, stderr=log)
        deadline = time.monotonic() + 30
        while not self.ask("--get_cc_status") and time.monotonic() < deadline:
            time.sleep(0.2)  # it is not listening yet
        if not list(self.folder.glob("account_*.xml")):
            self.ask("--project_attach", self.url, "local")

    def ask(self, *words):
        """What boinccmd prints, at least a line end; empty if the client does not answer."""
        done = subprocess.run(["boinccmd", "--unix_domain", *words], cwd=self.folder,
                              capture_output=True, text=True, timeout=60)
        return done.stdout + "\n" if done.returncode == 0 else ""

    def quit(self, patience):
        """The client ends its tasks and then itself. Returns False if it does not."""
        self.ask("--quit")
        try:
            self.process.wait(timeout=patience)
        except subprocess.TimeoutExpired:
            self.kill()
            return False
        return True

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def running(self):
        """Slot folder -> process of the task in it."""
        found = {}
        for entry in pathlib.Path("/proc").iterdir():
            try:
                slot = (entry / "cwd").resolve(strict=True)
                program = os.readlink(entry / "exe")
            except (OSError, RuntimeError):
                continue
            slot = slot.parent if slot.name == "files" else slot
            if entry.name.isdigit() and slot.parent == self.folder / "slots" and "tessera_boinc" in program:
                found[slot] = int(entry.name)
        return found

    def given_device(self, slot):
        """The result of the task in a slot and the number of its device, as the client has told it; None if it has
        none."""
        try:
            text = (slot / "init_data.xml").read_text()
        except OSError:
            return None
        names = ("result_name", "gpu_type", "gpu_device_num")
        values = [re.search(f"<{name}>([^<]*)</{name}>", text) for name in names]
        if not all(values) or not values[1][1] or int(values[2][1]) < 0:
            return None
        return values[0][1], int(values[2][1])

    def tasks(self):
        """Task -> {"pid": ..., "fraction": ...} of those that the client is executing."""
        found = {}
        for text in re.split(r"^\d+\) -+$", self.ask("--get_tasks"), flags=re.MULTILINE)[1:]:
            values = dict(line.strip().split(": ", 1) for line in text.splitlines() if ": " in line)
            if values.get("active_task_state") == "EXECUTING":
                found[values["name"]] = {"pid": int(values.get("PID", 0)), "fraction": float(values["fraction done"])}
        return found

    def wait_until_gone(self, patience):
        """Whether all tasks have ended by themselves."""
        deadline = time.monotonic() + patience
        while self.running():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.2)
        return True

    def log(self):
        return (self.folder / "client.log").read_text(errors="replace")
