#!/usr/bin/env python3
"""A rank whose device is lost in the middle of `dock --pairs` leaves its tiles and poses to the others, for this
pair and all later ones: the same bits. Where no device is left the run ends with one line, and goes on later.
Usage: dock_pairs_lost.py PATH/OF/tessera"""

import os
import pathlib
import sys

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import pair_runs  # noqa: E402
import tessera_runs  # noqa: E402
from pair_runs import SINGLES, done, expect_singles, leftovers, summary  # noqa: E402
from tessera_runs import answer, check, own_lines, run  # noqa: E402

REFINED = ("--refine", "60")
PAUSE = "*/pause/0.1"  # so that every rank gets tiles
FATES = {"lost-after": "device lost", "load-lost-after": "device lost",
         "rank-lost-after": "device lost in the refinement",
         "refine-lost-after": "device lost in the refinement"}


def dock(program, folder, output, *more, table="pairs.csv", **how):
    return pair_runs.dock(program, folder, table, output, *(more or REFINED), **how)


def told(result, beginning):
    return [line for line in own_lines(result.stderr) if line.startswith(beginning)]


def text(value):
    return value.decode() if isinstance(value, bytes) else value


def rows_of(folder, output, names):
    """All rows of /run/ranks and of /run/retries. The tiles of each file add up."""
    ranks, retries = [], []
    for name in names:
        with h5py.File(folder / output / f"{name}.h5") as file:
            ranks += [(int(row["tiles_done"]), text(row["fate"])) for row in file["run/ranks"][:]]
            retries += [tuple(map(text, row)) for row in file["run/retries"][:]]
            tiles = sum(file["run/ranks"]["tiles_done"]) + file["run"].attrs["tiles_resumed"]
            check(tiles == file["run"].attrs["tiles_total"], f"{name}: tiles do not add up")
    return ranks, retries


def check_others_go_on(program, folder):
    """Before, in and after the search, on rank 0 and on others, one device and two."""
    for output, ranks, lost in (("second", 2, {1: "lost-after/1"}), ("root", 3, {0: "lost-after/0"}),
                                ("load", 3, {1: "load-lost-after/0"}), ("rank", 3, {1: "rank-lost-after/0"}),
                                ("poses", 2, {0: "refine-lost-after/0"}),
                                ("both", 3, {0: "lost-after/1", 2: "refine-lost-after/0"})):
        faults = ",".join(f"{rank}/{fault}" for rank, fault in lost.items())
        result = done(dock(program, folder, output, ranks=ranks, faults=f"{faults},{PAUSE}"))
        expect_singles(folder, output)
        check(not leftovers(folder, output), f"{faults}: left behind {leftovers(folder, output)}")
        check(all(row["status"] == "done" for row in summary(folder, output).values()), f"{faults}: summary")
        seen, retries = rows_of(folder, output, SINGLES)
        for rank, fault in lost.items():
            kind = fault.split("/")[0]
            check(len(told(result, f"warning: rank {rank} on ")) == 1, f"{faults}: {result.stderr}")
            check(FATES[kind] in [fate for _, fate in seen], f"{faults}: {seen}")
            fate = pair_runs.ranks_of(folder, output)[rank]["fate"]
            check(fate == "device lost", f"{faults}: rank {rank} {fate}")
            mine = [row for row in retries if row[1] == rank]
            check(len(mine) == (FATES[kind] == "device lost"), f"{faults}: {retries}")
            for _, _, reason, detail, outcome in mine:
                check(reason == "device lost" and detail and outcome.startswith("handed on, done by rank ")
                      and not outcome.endswith(f" {rank}"), f"{faults}: {mine}")
    print("lost devices: the others dock and refine, the same bits")


def check_many(program, folder):
    """Ranks claim three pairs at a time: the others' work too, where their rank has no device any more."""
    names = [f"p{row}" for row in range(24)]
    (folder / "many.csv").write_text("name,receptor,ligand\n" +
                                     "".join(f"{name},receptor.pdb,half.pdb\n" for name in names))
    done(run(program, "dock", *SINGLES["same"], *pair_runs.OPTIONS, "--refine", "0", "-o", "plain.h5", cwd=folder))
    done(dock(program, folder, "many", "--refine", "0", table="many.csv", ranks=2,
              faults="1/lost-after/1,*/pause/0.03"))
    for name in names:
        check(answer(folder / "many" / f"{name}.h5") == answer(folder / "plain.h5"), f"{name} differs")
    check(not leftovers(folder, "many", {f"{name}.h5" for name in names} | pair_runs.SUMMARIES), "left behind")
    seen, retries = rows_of(folder, "many", names)
    check(sum(tiles for tiles, fate in seen if fate == "device lost") <= 1 and len(retries) == 1,
          f"{seen}, {retries}")
    print("24 pairs, one device lost at the second tile: the same bits")


def check_none_left(program, folder):
    for output, ranks, faults in (("alone", 0, "*/lost-after/3"), ("all", 2, f"*/lost-after/2,{PAUSE}")):
        result = dock(program, folder, output, ranks=ranks, faults=faults)
        lines = told(result, "tessera: ")
        check(result.returncode == 4 and len(lines) == 1 and "no device is left" in lines[0],
              f"{faults}: exit code {result.returncode}\n{result.stderr}")
        states = {name: row["status"] for name, row in summary(folder, output).items()}
        kept = {path: path.read_bytes() for path in (folder / output).glob("*.h5")}
        check(0 < len(kept) < 4 and sorted(states.values()) == ["done"] * len(kept) +
              ["unfinished"] * (4 - len(kept)), f"{faults}: {states}")
        again = done(dock(program, folder, output, ranks=ranks))
        check(f"{len(kept)} done before, {4 - len(kept)} to do" in again.stderr, again.stderr)
        check(all(path.read_bytes() == content for path, content in kept.items()), "a finished pair was made again")
        expect_singles(folder, output)
        check(not leftovers(folder, output), f"left behind: {leftovers(folder, output)}")
    with h5py.File(folder / "alone/same.h5") as file:
        check(file["run"].attrs["tiles_resumed"] == 1, "the tile before the loss was done again")
    print("no device left: one line, finished pairs kept, the same command goes on")


def check_bad_tile(program, folder):
    """A tile, or a refinement, that takes two devices with it fails its pair, and leaves the third alone."""
    (folder / "one.csv").write_text("name,receptor,ligand\nsame,receptor.pdb,half.pdb\n")
    for output, faults in (("bad", "*/lost/1"), ("end", "*/refine-lost-after/0")):
        result = dock(program, folder, output, table="one.csv", ranks=3, faults=faults)
        words = "failed on 2 ranks: device lost"
        check(result.returncode == 4 and words in summary(folder, output)["same"]["reason"], result.stderr)
        check(len(told(result, "warning: rank ")) == 2 and "1 of 1 pair failed" in told(result, "tessera: ")[0],
              result.stderr)
        allowed = pair_runs.FILES | {"same.h5.partial"}  # of a slow run: the same command goes on
        check(not leftovers(folder, output, allowed), f"left behind: {leftovers(folder, output)}")
    print("a tile or a refinement that takes devices with it fails its pair")


def check_all(program, folder):
    pair_runs.write_inputs(sys.argv[1], folder, *REFINED)
    check_others_go_on(program, folder)
    check_many(program, folder)
    check_none_left(program, folder)
    check_bad_tile(program, folder)


if __name__ == "__main__":
    sys.exit(tessera_runs.in_folder_on_ranks(os.environ.get("TESSERA_FAULTY", ""), check_all))
