"""The files that both commands write (success.csv, ranks.csv), and the tables that they print."""

import csv

import numpy as np

import rates
from failure import fail


def read_folds(path, names):
    """The fold of each complex, or None without a file."""
    if path is None:
        return None
    with open(path, encoding="utf-8") as file:
        fold = {row["complex"]: int(row["fold"])
                for row in csv.DictReader(line for line in file if not line.startswith("#"))}
    unknown = [name for name in names if name not in fold]
    if unknown:
        fail(f"'{path}' does not fit", f"it has no fold for {unknown[0]}", "make it again for these complexes")
    return np.array([fold[name] for name in names])


def write_rates(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(("list", "unit", "criterion", "top", "percent", "low", "high", "folds"))
        for *labels, rate, low, high, by_fold in rows:
            out.writerow((*labels, f"{rate:.1f}", f"{low:.1f}", f"{high:.1f}",
                          " ".join(f"{value:.1f}" for value in by_fold)))


def write_steps(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(("list", "unit", "criterion", "top", "change", "low", "high"))
        for *labels, change, low, high in rows:
            out.writerow((*labels, f"{change:.1f}", f"{low:.1f}", f"{high:.1f}"))


def write_ranks(path, docked):
    """First acceptable pose and cluster of each complex and list, and its best DockQ."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(("complex", "list", "first_acceptable_pose", "first_acceptable_cluster",
                      "best_dockq", "seconds"))
        for run in docked:
            for name, ranking in run.rankings.items():
                ranks = [rates.first_hit(q, "acceptable") for q in (ranking.poses, ranking.clusters)]
                out.writerow((run.name, name, *("" if r == rates.NEVER else r for r in ranks),
                              f"{ranking.poses['dockq'].max(initial=0):.3f}",
                              f"{sum(run.seconds.values()):.2f}"))


def print_cells(heading, lists, cells):
    """Prints one line per list. cells[list, unit, top] is the text of a column."""
    columns = [(unit, top) for unit, tops in rates.TOP.items() for top in tops]
    wide = max(map(len, lists)) + 2
    print(f"\n{heading}")
    print("".ljust(wide) + "".join(f"{unit} {top}".rjust(18) for unit, top in columns))
    for name in lists:
        print(name.ljust(wide) + "".join(cells[name, *column].rjust(18) for column in columns))


def print_table(rows, criterion):
    chosen = [row for row in rows if row[2] == criterion]
    print_cells(f"{criterion}, % of complexes [95 % interval]", list(dict.fromkeys(r[0] for r in chosen)),
                {(name, unit, top): f"{rate:.1f} [{low:.0f}, {high:.0f}]"
                 for name, unit, _, top, rate, low, high, _ in chosen})


def print_folds(rows, name, criterion):
    """Prints the rates of one list by fold."""
    chosen = [row for row in rows if row[0] == name and row[2] == criterion]
    folds = [f"fold {number}" for number in range(len(chosen[0][-1]))]
    print_cells(f"{criterion}, {name}, % of each fold", folds,
                {(fold, row[1], row[3]): f"{row[-1][number]:.1f}"
                 for row in chosen for number, fold in enumerate(folds)})
