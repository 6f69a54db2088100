"""What `tessera table` and `tessera info --json` print of results, as Python's values."""

import csv
import io
import json
import math
import os
import pathlib
import re

import numpy
import small_results
from tessera_runs import check, run

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+\n$")


class Results:
    """The folder of the results, and the tables that the program makes of them."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *words, **options):
        return run(self.program, *words, cwd=self.folder, **options)

    def printed(self, *words):
        result = self.run(*words)
        check(result.returncode == 0 and not result.stderr, f"{words}: {result.stderr}")
        return result.stdout

    def table(self, *words):
        """The columns of the table: numpy arrays, texts as they are. CSV and JSON must say the same."""
        rows = json.loads(self.printed("table", *words, "--json"))
        text = self.printed("table", *words)
        lines = list(csv.DictReader(io.StringIO(text)))
        check(len(rows) == len(lines) > 0, f"{words}: {len(lines)} rows of CSV, {len(rows)} of JSON")
        for row, line in zip(rows, lines):
            check(list(row) == list(line), f"{words}: other columns: {list(row)}, {list(line)}")
            for name, value in row.items():
                same = line[name] == "" if value is None else \
                    float(line[name]) == value if isinstance(value, (int, float)) else line[name] == value
                check(same, f"{words}, {name}: {value!r} in JSON, {line[name]!r} in CSV")
        columns = {name: numpy.array([math.nan if row[name] is None else row[name] for row in rows])
                   for name in rows[0]}
        check_pandas(text, columns)
        return columns

    def refused(self, wanted, *words, code=2):
        result = self.run(*words)
        check(result.returncode == code and LINE.match(result.stderr) and re.search(wanted, result.stderr),
              f"{words}: exit code {result.returncode}, {result.stderr!r} without '{wanted}'")


def make_results(program, folder):
    """Small results of all workloads, a docking with a reference (judged.h5) and one without a refinement (plain.h5)."""
    results, dock = Results(os.path.abspath(program), pathlib.Path(folder)), small_results.DOCK
    small_results.make(results.program, results.folder)
    results.printed(*dock, "--reference", "complex.pdb", "--clustered-poses", "60", "-o", "judged.h5", "--quiet")
    results.printed(*dock[:dock.index("--refine")], "--cluster-radius", "40", "-o", "plain.h5", "--quiet")
    return results


def check_pandas(text, columns):
    """One call reads the table."""
    try:
        import pandas
    except ImportError:
        return
    frame = pandas.read_csv(io.StringIO(text), float_precision="round_trip", keep_default_na=True)
    check(list(frame.columns) == list(columns), "pandas sees other columns")
    for name, values in columns.items():
        if values.dtype.kind in "if":
            same(frame[name], values, f"{name} as pandas reads it")


def same(found, wanted, what):
    found, wanted = numpy.asarray(found), numpy.asarray(wanted)
    equal = found.shape == wanted.shape and (numpy.array_equal(found, wanted, equal_nan=True)
                                             if found.dtype.kind in "if" else list(found) == list(wanted))
    check(equal, f"{what}: {found} instead of {wanted}")
