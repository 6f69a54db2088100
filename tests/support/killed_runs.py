"""Runs of the program that are killed, and what their journals hold."""

import os
import pathlib
import random
import signal
import struct
import subprocess
import time

HEAD = 48  # bytes before a journal's first record, see io/journal/journal_format.hpp
FRAME = struct.Struct("<QQ")
TILE = struct.Struct("<qQQ")  # src/engine/tile_records.hpp
MAIN, REFINEMENT = 0, 1


def records(path):
    """The bytes of each whole record of a journal; none of one that is gone."""
    try:
        data, at = path.read_bytes(), HEAD
    except FileNotFoundError:
        return
    while at + FRAME.size <= len(data):
        length, _ = FRAME.unpack_from(data, at)
        at += FRAME.size + length
        if at > len(data):
            return
        yield data[at - length:at]


def journals(folder, attempt):
    """Paths; none of a folder that is gone, or goes just now."""
    try:
        return list(pathlib.Path(folder).glob(f"tiles-{attempt}-*"))
    except FileNotFoundError:
        return []


def tiles_in(folder, phase=MAIN, attempt="*"):
    """Ids of the phase's tiles that the journals in OUT.h5.partial/ hold whole."""
    found = set()
    for path in journals(folder, attempt):
        for record in records(path):
            tile, _, kind = TILE.unpack_from(record)
            if tile >= 0 and kind == phase:
                found.add(tile)
    return found


def session_members(session):
    """Processes of a session that have not ended, its leader included."""
    members = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] not in "ZX":
            members.append(int(entry.name))
    return members


def kill(process):
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


class KilledRun:
    """A run in a session of its own, with all that Open MPI leaves behind in `scratch`."""

    def __init__(self, command, ranks, folder, scratch):
        environment = dict(os.environ, OMP_NUM_THREADS="1", TMPDIR=str(scratch))
        for part in ("btl_vader", "btl_sm", "osc_sm"):
            environment[f"OMPI_MCA_{part}_backing_directory"] = str(scratch)
        words = [str(word) for word in command]
        if ranks:
            words = [os.environ["TESSERA_MPIEXEC"], "-n", str(ranks)] + words
        self.program = words[3] if ranks else words[0]
        self.told = open(scratch / "stderr", "w+")
        self.process = subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.DEVNULL,
                                        stderr=self.told, start_new_session=True)

    def ended(self):
        return self.process.poll() is not None

    def stderr(self):
        self.told.seek(0)
        return self.told.read()

    def ranks(self):
        name = os.path.basename(self.program)[:15]
        own = []
        for process in session_members(self.process.pid):
            try:
                if pathlib.Path(f"/proc/{process}/comm").read_text().strip() == name:
                    own.append(process)
            except OSError:
                pass
        return own

    def kill(self, one_rank):
        """Kills one rank, for mpirun to end the others, or all processes at once; waits until all have
        ended."""
        own = self.ranks()
        if one_rank and own:
            kill(random.choice(own))
            deadline = time.monotonic() + 5
            while not self.ended() and time.monotonic() < deadline:
                time.sleep(0.01)
        while session_members(self.process.pid):
            for process in session_members(self.process.pid):
                kill(process)
            self.process.poll()
            time.sleep(0.005)
        self.process.wait()
