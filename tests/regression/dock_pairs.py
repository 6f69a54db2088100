#!/usr/bin/env python3
"""Docks tables of synthetic pairs in one run (tessera dock --pairs) on 1, 2 and 3 ranks: every file holds the
bytes of the single command, bad rows fail alone, and what is done is not done again.
Usage: dock_pairs.py PATH/OF/tessera"""

import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import time

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import pair_runs  # noqa: E402
import tessera_runs  # noqa: E402
from pair_runs import OPTIONS, SINGLES, dock, done, expect_singles, leftovers, summary  # noqa: E402
from tessera_runs import check, own_lines, run  # noqa: E402


def check_ranks(table, ranks, tiles, told):
    """A row a rank, whose tiles add up; several ranks are told of, with their balance."""
    check(len(table) == ranks and sum(int(row["tiles"]) for row in table) == tiles, f"{table}, {tiles} tiles")
    check(all(row["fate"] == "finished" and row["retries"] == "0" for row in table), f"{table}")
    check(all(float(row["busy_seconds"]) >= 0 and float(row["waiting_seconds"]) >= 0 for row in table), f"{table}")
    check(sum(float(row["busy_seconds"]) for row in table) > 0, f"{table}")
    check((f"balance: the {ranks} ranks computed" in told) == (ranks > 1), told)


def test_same_bytes(program, folder):
    counts = [1, 2, 3] if tessera_runs.has_ranks(program) else [1]
    for ranks in counts:
        output = f"out{ranks}"
        result = done(dock(program, folder, "pairs.csv", output, ranks=ranks if len(counts) > 1 else 0))
        expect_singles(folder, output)
        check(not leftovers(folder, output), f"left behind: {leftovers(folder, output)}")
        tiles = 0
        rows = summary(folder, output)
        check(list(rows) == list(SINGLES), f"rows {list(rows)}")
        for name, row in rows.items():
            with h5py.File(folder / output / f"{name}.h5") as file:
                attributes, table = file["run"].attrs, file["run/ranks"]
                check(attributes["pairs_table"] == "pairs.csv" and attributes["pairs_row"] > 1, "no mention")
                check(sum(table["tiles_done"]) == attributes["tiles_total"], "tiles do not add up")
                kinds = attributes["device_kinds"]  # whichever rank has written the file
                check(kinds.endswith(f": {ranks} rank{'s' if ranks > 1 else ''}"), f"{name}: devices '{kinds}'")
                tiles += attributes["tiles_total"]
                best = min(file["docking/poses/vdw/score"][:])
                phases = {name.decode() for name in file["run/phases"]["name"]}
            check(ranks > 1 or {"load", "search", "rank", "cluster and evaluate"} <= phases, f"{phases}")
            check(row["status"] == "done" and abs(float(row["vdw_best_score"]) - best) < 1e-3, f"{row}")
            check(bool(row["balanced_best_dockq"]) == (name == "native"), f"{row}")
        check_ranks(pair_runs.ranks_of(folder, output), ranks, tiles, result.stderr)
    print(f"ranks {counts}: each pair has the bytes of its single command")


def test_reruns(program, folder):
    """The result of a pair, and the whole folder, are made again from what they hold."""
    for name in ("native", "chains"):
        done(run(program, "rerun", f"out1/{name}.h5", "-o", f"again-{name}.h5", cwd=folder))
        check(tessera_runs.answer(folder / f"again-{name}.h5") == tessera_runs.answer(folder / f"{name}.h5"),
              f"{name}: rerun differs")
    done(run(program, "rerun", "out1/", cwd=folder))
    expect_singles(folder, "out1.rerun")
    check(list(summary(folder, "out1.rerun")) == list(SINGLES), "rows of the rerun")
    done(run(program, "export", "out1/native.h5", "--config", "native.toml", cwd=folder))
    text = (folder / "native.toml").read_text()
    check('reference = "complex.pdb"' in text and "pairs =" not in text, text)
    half, refusals = folder / "half.pdb", []
    kept = half.read_bytes()
    half.write_bytes(kept.replace(b"END", b"TER\nEND"))
    refusals.append((run(program, "rerun", "out1", "-o", "no", cwd=folder), "out1/same.h5.* has changed since"))
    half.write_bytes(kept)
    (folder / "nothing").mkdir()
    refusals.append((run(program, "rerun", "nothing", "-o", "no", cwd=folder), "none of its files holds the options"))
    for result, words in refusals:
        lines = own_lines(result.stderr)
        check(result.returncode == 2 and len(lines) == 1 and re.search(words, lines[0]), result.stderr)
    print("results of pairs, and their folder, run again")


def test_manifest(program, folder):
    """A start that finds everything done gives the same summary with a manifest, without one and with a torn one."""
    summary_path, manifest = folder / "out1/pairs.csv", folder / "out1/pairs.manifest"
    kept = summary_path.read_bytes()

    def again(output, what):
        result = done(dock(program, folder, "pairs.csv", output))
        check("4 done before, 0 to do" in result.stderr, f"{what}: {result.stderr}")
        check((folder / output / "pairs.csv").read_bytes() == kept, f"{what}: another summary")

    time.sleep(2.1)  # an input that has just changed is hashed again, and test_reruns has written one
    again("out1", "with the manifest of the run")
    size = manifest.stat().st_size
    again("out1", "a second time")
    check(manifest.stat().st_size == size, "the manifest grows although nothing is new")
    manifest.write_bytes(manifest.read_bytes()[:-7])
    again("out1", "with a torn manifest")
    manifest.unlink()
    again("out1", "without a manifest, as in a folder of an older version")
    shutil.copytree(folder / "out1", folder / "copied")
    again("copied", "in a copy of the folder")
    stamp = (folder / "copied/same.h5").stat()
    content = bytearray((folder / "copied/same.h5").read_bytes())
    content[:64] = bytes(64)
    (folder / "copied/same.h5").write_bytes(content)
    os.utime(folder / "copied/same.h5", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    damaged = dock(program, folder, "pairs.csv", "copied")
    check(damaged.returncode == 2 and "3 done before" in damaged.stderr and
          summary(folder, "copied")["same"]["status"] == "failed", damaged.stderr)
    print("a manifest, its loss and its tears change nothing but the time")


def test_bad_rows(program, folder, ranks):
    (folder / "empty.pdb").write_text("END\n")
    (folder / "bad.csv").write_text("name,receptor,ligand\nlost,nowhere.pdb,ligand.pdb\n"
                                    "swapped,ligand.pdb,receptor.pdb\nempty,receptor.pdb,empty.pdb\n"
                                    "same,receptor.pdb,half.pdb\n")
    atoms = [line for line in (folder / "half.pdb").read_text().splitlines() if line.startswith("ATOM")]
    (folder / "trace.pdb").write_text("\n".join([*(line for line in atoms if line[12:16] == " CA "), "END", ""]))
    (folder / "trace.csv").write_text("name,receptor,ligand\ntrace,receptor.pdb,trace.pdb\n")
    told = done(dock(program, folder, "trace.csv", "trace", "--restraints-pull", "3", ranks=ranks)).stderr
    check(told.count("warning: --restraints-pull without --restraints") == 1, f"an option without effect: {told}")
    check(summary(folder, "trace")["trace"]["warnings"].startswith("'trace.pdb' lacks N in "),
          f"no warning of bare CA: {summary(folder, 'trace')}")
    result = dock(program, folder, "bad.csv", "bad", ranks=ranks)
    lines = own_lines(result.stderr)
    check(result.returncode == 2, f"exit code {result.returncode}\n{result.stderr}")
    for name, words in (("lost", "nowhere.pdb"), ("empty", "empty.pdb")):
        told = [line for line in lines if line.startswith(f"pair {name} fails")]
        check(len(told) == 1 and words in told[0], f"{name}: {told}")
        check(words in summary(folder, "bad")[name]["reason"], "the reason is not recorded")
        check(not (folder / "bad" / f"{name}.h5").exists(), f"{name} has an output")
    check("docking: done" in result.stderr and "2 of 4 pairs, 2 failed" in result.stderr, result.stderr)
    check("2 of 4 pairs failed" in lines[-1] and lines[-1].startswith("tessera: "), lines[-1])
    expect_singles(folder, "bad", ("swapped", "same"))
    for text, words in (("receptor,ligand\na\n", "line 2"), ("receptor\nx\n", "no column 'ligand'")):
        (folder / "broken.csv").write_text(text)
        result = dock(program, folder, "broken.csv", "broken")
        check(result.returncode == 2 and words in result.stderr, f"{result.returncode} {result.stderr}")
        check(not (folder / "broken").exists(), "a refused table leaves a folder")
    print("bad rows fail alone, bad tables at once")


def test_resume(program, folder, ranks):
    """Finished pairs stay as they are; a missing one is made; another input is not overwritten."""
    before = {path.name: path.read_bytes() for path in (folder / "bad").iterdir() if path.suffix == ".h5"}
    (folder / "bad.csv").write_text("name,receptor,ligand,reference\nnative,receptor.pdb,ligand.pdb,complex.pdb\n"
                                    "swapped,ligand.pdb,receptor.pdb,\nsame,receptor.pdb,half.pdb,\n")
    result = done(dock(program, folder, "bad.csv", "bad", ranks=ranks))
    check("2 done before, 1 to do" in result.stderr, result.stderr)
    for name, content in before.items():
        check((folder / "bad" / name).read_bytes() == content, f"{name} was written again")
    expect_singles(folder, "bad", ("native", "swapped", "same"))
    rows = summary(folder, "bad")
    check(all(row["status"] == "done" and row["vdw_best_score"] for row in rows.values()), f"{rows}")
    with h5py.File(folder / "bad/same.h5", "a") as file:
        file["docking/poses/vdw/score"][0] = float("nan")
    damaged = dock(program, folder, "bad.csv", "bad")
    check(damaged.returncode == 2 and "is nan" in summary(folder, "bad")["same"]["reason"], damaged.stderr)
    (folder / "bad/same.h5").write_bytes(before["same.h5"])
    with h5py.File(folder / "bad/same.h5", "a") as file:
        build = json.loads(file["run"].attrs["build"])
        file["run"].attrs["build"] = json.dumps(build | {"git_revision": "0123456789ab"})
    elder = dock(program, folder, "bad.csv", "bad")  # of the same version
    check(elder.returncode == 2 and "by this build" in summary(folder, "bad")["same"]["reason"], elder.stderr)
    (folder / "bad/same.h5").write_bytes(before["same.h5"])
    other = run(program, "dock", "--pairs", "bad.csv", "-o", "bad", *OPTIONS, "--exclusion", "5", cwd=folder)
    check(other.returncode == 2 and "--force" in summary(folder, "bad")["same"]["reason"], other.stderr)
    for name, content in before.items():
        check((folder / "bad" / name).read_bytes() == content, f"{name} was replaced")
    done(dock(program, folder, "bad.csv", "bad", "--exclusion", "5", "--force"))
    check((folder / "bad/same.h5").read_bytes() != before["same.h5"], "--force did not replace")
    print("finished pairs are kept, missing ones made, others' results left alone")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tessera-dock-pairs-") as name:
        folder = pathlib.Path(name)
        pair_runs.write_inputs(program, folder)
        ranks = 2 if tessera_runs.has_ranks(program) else 0
        test_same_bytes(program, folder)
        test_reruns(program, folder)
        test_manifest(program, folder)
        test_bad_rows(program, folder, ranks)
        test_resume(program, folder, ranks)
    if not ranks:
        print("SKIPPED on several ranks: no mpiexec here, or TESSERA_MPIEXEC is not set")
        sys.exit(tessera_runs.SKIPPED)


main()
