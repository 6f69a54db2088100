"""tessera table --parquet: four programs that share no reader (pyarrow and pandas, duckdb, polars) read what --csv and
--json say, of results of every workload, with the types of the columns. They read the summary of a screening, too.
Usage: test_parquet.py PATH/OF/tessera"""

import csv
import functools
import io
import json
import math
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402

script_tests.need("numpy", "h5py", "pandas", "pyarrow", "duckdb", "polars")

import duckdb  # noqa: E402
import h5py  # noqa: E402
import numpy  # noqa: E402
import pandas  # noqa: E402
import polars  # noqa: E402
import pyarrow  # noqa: E402
import pyarrow.parquet  # noqa: E402
import small_results  # noqa: E402
import tessera_runs  # noqa: E402

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
TEMPORARY = tempfile.TemporaryDirectory()
TABLES = {"consensus": ("judged.h5",), "sets": ("judged.h5", "--set", "vdw,balanced"), "few": ("judged.h5", "--rows", "3"),
          "plain": ("plain.h5",), "orbital": ("orbital.h5",), "likelihood": ("likelihood.h5",), "fit": ("fit.h5",),
          "unsure": ("unsure.h5",)}
# Columns that may lack values, and all texts and whole numbers. All others are real numbers.
OPTIONAL = {"cluster", "cluster_size", "ligand_rmsd_angstrom", "interface_rmsd_angstrom",
            "ligand_interface_ca_rmsd_angstrom", "fnat", "dockq", "standard_error", "error_trusted",
            # The two wedges have different numbers of streams.
            "p_background", "p_stream1", "p_stream2", "most_likely"}
TEXT = {"set", "search_set", "capri_class", "label", "spin", "name", "units", "verdict", "most_likely"}
WHOLE = {"pose", "search_pose", "neighbors", "cluster", "cluster_size", "rotation", "frame", "number", "wedge", "file",
         "star", "error_trusted"}
UNITS = {"angstrom": "angstrom", "degree": "degree", "kpc": "kpc", "hartree": "hartree", "ev": "eV"}


def ran(*words):
    return tessera_runs.run(PROGRAM, *words, cwd=TEMPORARY.name)


@functools.cache
def folder():
    """The folder of the results, which are made once."""
    made = pathlib.Path(TEMPORARY.name)
    small_results.make(PROGRAM, made)
    dock = small_results.DOCK
    for words in ((*dock, "--reference", "complex.pdb", "--clustered-poses", "60", "-o", "judged.h5", "--quiet"),
                  (*dock[:dock.index("--refine")], "--cluster-radius", "40", "-o", "plain.h5", "--quiet")):
        result = ran(*words)
        assert result.returncode == 0, result.stderr
    shutil.copy(made / "fit.h5", made / "unsure.h5")
    with h5py.File(made / "unsure.h5", "a") as file:
        file["fit/standard_errors"][0] = math.nan
        file["fit/names"][0] = "naïve, \"quoted\"\n"
    return made


@functools.cache
def written(name):
    """The path of the Parquet file of a table."""
    path = folder() / f"{name}.parquet"
    result = ran("table", *TABLES[name], "--parquet", "-o", path.name)
    assert result.returncode == 0 and not result.stdout + result.stderr, result
    return path


@functools.cache
def rows_of(name):
    """The rows of the same table as JSON."""
    return json.loads(ran("table", *TABLES[name], "--json").stdout)


def columns_of(name):
    rows = rows_of(name)
    return {column: [row[column] for row in rows] for column in rows[0]}


@functools.cache
def screened():
    """The folder of a screening of four pairs, three of which fail, with three pairs in a file."""
    (folder() / "proteins.csv").write_text("file\nreceptor.pdb\nnowhere.pdb\n")
    result = ran("screen", "proteins.csv", "--spacing", "4", "--rotations", "24", "--pairs-per-shard", "3", "--quiet",
                 "-o", "screening")
    assert result.returncode == 2 and "3 of 4 pairs failed" in result.stderr, result
    return folder() / "screening"


def duckdb_of(path):
    return duckdb.connect().execute("select * from read_parquet(?)", [str(path)])


class Summary(unittest.TestCase):
    """The files of a screening are one table, that of its screen.csv."""

    def check(self, columns):
        with open(screened() / "screen.csv", newline="") as file:
            lines = list(csv.DictReader(file))
        self.assertEqual(list(columns), list(lines[0]))
        for name, values in columns.items():
            self.assertEqual(len(values), 4)
            for value, line in zip(values, lines):
                if value is None:
                    self.assertEqual(line[name], "", name)
                else:
                    self.assertEqual(type(value)(line[name]), value, name)
        self.assertEqual(columns["status"], ["done", "failed", "failed", "failed"])
        self.assertEqual((columns["rank"][0], type(columns["poses"][0])), (1, int))

    def test_pandas_and_pyarrow(self):
        self.check(pyarrow.parquet.read_table(screened() / "summary").to_pydict())
        self.assertEqual(list(pandas.read_parquet(screened() / "summary")["rank"])[0], 1)

    def test_duckdb(self):
        found = duckdb_of(screened() / "summary/*.parquet")
        self.check(dict(zip([one[0] for one in found.description], map(list, zip(*found.fetchall())))))

    def test_polars(self):
        self.check(polars.read_parquet(screened() / "summary/*.parquet").to_dict(as_series=False))


class Readers(unittest.TestCase):
    """Each reads the columns of every table, in their order, bit for bit."""

    def check(self, read):
        for name in TABLES:
            with self.subTest(name):
                found, wanted = read(written(name)), columns_of(name)
                self.assertEqual(list(found), list(wanted))
                for column in wanted:
                    self.assertEqual(list(found[column]), wanted[column], column)
                    self.assertEqual([type(one) for one in found[column]], [type(one) for one in wanted[column]])

    def test_pyarrow(self):
        self.check(lambda path: pyarrow.parquet.read_table(path, page_checksum_verification=True).to_pydict())

    def test_duckdb(self):
        def read(path):
            found = duckdb_of(path)
            return dict(zip([one[0] for one in found.description], zip(*found.fetchall())))
        self.check(read)

    def test_polars(self):
        self.check(lambda path: polars.read_parquet(path).to_dict(as_series=False))

    def test_pandas(self):
        """Its columns hold NaN where a number is missing."""
        for name in TABLES:
            frame, rows = pandas.read_parquet(written(name)), rows_of(name)
            self.assertEqual(list(frame.columns), list(rows[0]))
            for column, values in frame.items():
                wanted = [row[column] for row in rows]
                if column in TEXT:
                    self.assertEqual(list(values), wanted, column)
                else:
                    numbers = [math.nan if one is None else one for one in wanted]
                    self.assertTrue(numpy.array_equal(values.to_numpy(float), numbers, equal_nan=True), column)

    def test_the_csv_says_the_same(self):
        for name in TABLES:
            lines = list(csv.DictReader(io.StringIO(ran("table", *TABLES[name]).stdout)))
            table = pyarrow.parquet.read_table(written(name)).to_pylist()
            self.assertEqual(len(lines), len(table))
            for line, row in zip(lines, table):
                for column, value in row.items():
                    if value is None:
                        self.assertEqual(line[column], "")
                    elif column not in TEXT:
                        self.assertEqual(float(line[column]), value, column)
                    elif "\n" not in value:
                        self.assertEqual(line[column], value)


class Types(unittest.TestCase):
    def test_every_column_has_its_type(self):
        names = set()
        for name in TABLES:
            schema = pyarrow.parquet.read_schema(written(name))
            for field in schema:
                wanted = pyarrow.string() if field.name in TEXT else pyarrow.int64() if field.name in WHOLE else pyarrow.float64()
                self.assertEqual(field.type, wanted, field.name)
                self.assertEqual(field.nullable, field.name in OPTIONAL, field.name)
                names.add(field.name)
        self.assertLessEqual(TEXT | WHOLE | OPTIONAL, names, "a type that was not tested")

    def test_other_readers_see_the_same_types(self):
        as_polars = {"VARCHAR": polars.String, "BIGINT": polars.Int64, "DOUBLE": polars.Float64}
        for name in TABLES:
            described = duckdb.connect().execute("describe select * from read_parquet(?)", [str(written(name))])
            seen = {one[0]: as_polars[one[1]] for one in described.fetchall()}
            self.assertEqual(seen, dict(polars.read_parquet_schema(written(name))))

    def test_values_are_missing_where_they_should_be(self):
        first = pyarrow.parquet.read_table(written("unsure")).to_pylist()[0]
        self.assertIsNone(first["standard_error"])
        self.assertEqual(first["name"], "naïve, \"quoted\"\n")
        clusters = pyarrow.parquet.read_table(written("consensus"))["cluster"]
        self.assertTrue(0 < clusters.null_count < len(clusters), clusters.null_count)

    def test_units_and_program(self):
        for name in TABLES:
            metadata = pyarrow.parquet.read_metadata(written(name))
            self.assertRegex(metadata.created_by, r"^tessera version \d+\.\d+\.\d+")
            units = json.loads((metadata.metadata or {}).get(b"units", b"{}"))
            wanted = {column: UNITS[column.rsplit("_", 1)[1]] for column in rows_of(name)[0]
                      if column.rsplit("_", 1)[-1] in UNITS}
            self.assertEqual(units, wanted)
        self.assertIn("translation_x_angstrom", json.loads(pyarrow.parquet.read_metadata(written("plain")).metadata[b"units"]))


class LongTables(unittest.TestCase):
    def test_row_groups(self):
        """A table of more rows than a row group takes."""
        with h5py.File(folder() / "likelihood.h5") as file:
            stars = file["likelihood/1/stars"][:]
        many = numpy.resize(stars, 150000)
        many["r"] = 1 + numpy.arange(len(many)) / 7
        shutil.copy(folder() / "likelihood.h5", folder() / "long.h5")
        with h5py.File(folder() / "long.h5", "a") as file:
            units = file["likelihood/1/stars"].attrs["units"]
            del file["likelihood/1/stars"], file["likelihood/1/memberships"]
            file["likelihood/1"].create_dataset("stars", data=many).attrs["units"] = units
        self.assertEqual(ran("table", "long.h5", "--parquet", "-o", "long.parquet").returncode, 0)
        path = folder() / "long.parquet"
        metadata = pyarrow.parquet.read_metadata(path)
        self.assertEqual([metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)],
                         [65536, 65536, 150000 + 60 - 2 * 65536])
        self.assertEqual(metadata.row_group(1).column(5).compression, "GZIP")
        for column in (pyarrow.parquet.read_table(path, page_checksum_verification=True)["r_kpc"].to_numpy(),
                       polars.read_parquet(path)["r_kpc"].to_numpy(),
                       duckdb_of(path).fetchnumpy()["r_kpc"]):
            self.assertTrue(numpy.array_equal(column[:150000], many["r"]))
        last = duckdb.connect().execute("select count(*), max(star) from read_parquet(?) where file = 2", [str(path)])
        self.assertEqual(last.fetchone(), (60, 60))


class Files(unittest.TestCase):
    def refused(self, words, *arguments):
        result = ran(*arguments)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertRegex(result.stderr, r"\Atessera: [^\n]+ \(.+\): [^\n]+\n\Z")
        self.assertRegex(result.stderr, words)

    def test_only_own_tables_are_replaced(self):
        path = written("fit")
        before = path.read_bytes()
        self.refused("exists already", "table", "fit.h5", "--parquet", "-o", path.name)
        self.assertEqual(ran("table", "fit.h5", "--parquet", "--force", "-o", path.name).returncode, 0)
        self.assertEqual(path.read_bytes(), before, "another run gives other bytes")
        polars.DataFrame({"set": ["a"]}).write_parquet(folder() / "mine.parquet")
        self.refused("did not write", "table", "fit.h5", "--parquet", "--force", "-o", "mine.parquet")
        self.assertFalse([one.name for one in folder().iterdir() if ".tmp" in one.name])

    def test_it_needs_a_file_and_no_other_form(self):
        self.refused("output", "table", folder() / "fit.h5", "--parquet")
        for form in ("--csv", "--json"):
            self.refused("exclude", "table", "fit.h5", "--parquet", form, "-o", "none.parquet")
        self.assertFalse((folder() / "none.parquet").exists())

    def test_a_damaged_result_leaves_nothing(self):
        shutil.copy(folder() / "likelihood.h5", folder() / "bad.h5")
        with h5py.File(folder() / "bad.h5", "a") as file:
            stars = file["likelihood/2/stars"][:]
            stars["r"][3] = math.nan
            file["likelihood/2/stars"][:] = stars
        self.refused("not finite", "table", "bad.h5", "--parquet", "-o", "bad.parquet")
        self.assertFalse(re.findall("bad.parquet", " ".join(one.name for one in folder().iterdir())))


if __name__ == "__main__":
    unittest.main()
