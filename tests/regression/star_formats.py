#!/usr/bin/env python3
"""Stars in CSV, TSV, ECSV and FITS tables and without a header give the bits of the same stars in MilkyWay@Home's layout;
files that are damaged give stars or one line. With astropy, its own files are read too.
Usage: star_formats.py PATH/OF/tessera"""

import gzip
import pathlib
import random
import re
import sys
import tempfile

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import fits_files  # noqa: E402
import likelihood_files  # noqa: E402
from tessera_runs import check, run  # noqa: E402

LINE = re.compile(r"^tessera: [^\n]+ \(.+\): [^\n]+\n$")
ECSV = """# %ECSV 1.0
# ---
# datatype:
# - {name: id, datatype: int64}
# - {name: l, unit: deg, datatype: float64}
# - {name: b, unit: deg, datatype: float64}
# - {name: r, unit: kpc, datatype: float64}
# schema: astropy-2.0
id l b r
"""


class Stars:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        (folder / "wedge.toml").write_text(likelihood_files.toml(likelihood_files.model()))
        text = likelihood_files.stars(200)
        (folder / "stars.txt").write_text(text)
        self.rows = [line.split() for line in text.splitlines()[1:]]
        self.wanted = self.likelihood("stars.txt")

    def run(self, name):
        return run(self.program, "likelihood", "wedge.toml", "--stars", name, "-o", "run.h5", "--force", "--quiet",
                   cwd=self.folder)

    def likelihood(self, name):
        result = self.run(name)
        check(result.returncode == 0, f"{name}: {result.stderr}")
        with h5py.File(self.folder / "run.h5") as file:
            return file["likelihood"].attrs["search_likelihood"].tobytes(), file["likelihood/stars"][()].tobytes()

    def same(self, name, content):
        (self.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        check(self.likelihood(name) == self.wanted, f"{name}: other stars")

    def refused(self, pattern, name, content):
        (self.folder / name).write_bytes(content)
        result = self.run(name)
        check(result.returncode == 2 and LINE.match(result.stderr) and re.search(pattern, result.stderr),
              f"{name}: exit code {result.returncode}, {result.stderr}")

    def columns(self):
        return [[float(row[k]) for row in self.rows] for k in range(3)]


def check_texts(stars):
    rows = stars.rows
    stars.same("no_header.txt", "".join(" ".join(row) + "\n" for row in rows))
    stars.same("stars.csv", "R,id,B,L\n" + "".join(f"{r},\"a, b\",{b},{l}\n" for l, b, r in rows))
    stars.same("stars.tsv", "glon\tglat\tdistance\tnote\r\n" + "".join(f"{l}\t{b}\t{r}\t\r\n" for l, b, r in rows))
    stars.same("stars.ecsv", ECSV + "".join(f"{i} {l} {b} {r}\n" for i, (l, b, r) in enumerate(rows)))
    stars.same("stars.csv.gz", gzip.compress((stars.folder / "stars.csv").read_bytes()))
    table = run(stars.program, "table", "run.h5", cwd=stars.folder)
    stars.same("table.csv", table.stdout)


def reads_fits(stars):
    (stars.folder / "any.fits").write_bytes(fits_files.table([("l", "deg", "D", [1.0])]))
    told = stars.run("any.fits").stderr
    check(LINE.match(told), told)
    return "built without cfitsio" not in told


def check_fits(stars):
    l, b, r = stars.columns()
    good = fits_files.table([("mag", "", "E", [20.0] * len(r)), ("l", "deg", "D", l), ("b", "", "D", b),
                             ("r", "kpc", "D", r)])
    stars.same("stars.fits", good)
    stars.same("stars.fits.gz", gzip.compress(good))
    refused = (("none of its columns .ra, dec. is l", fits_files.table([("ra", "", "D", l), ("dec", "", "D", b)])),
               ("unit of r is 'mag'", fits_files.table([("l", "", "D", l), ("b", "", "D", b), ("r", "mag", "D", r)])),
               ("r in row 2 is not a finite", fits_files.table([("l", "", "D", l[:2]), ("b", "", "D", b[:2]),
                                                                ("r", "", "D", [9.0, float("nan")])])),
               ("row 1: the distance r is not positive",
                fits_files.table([("l", "", "D", l[:1]), ("b", "", "D", b[:1]), ("r", "", "D", [0.0])])),
               ("no table", good[:2880]), ("ends before its table", good[:2 * 2880 + 100]),
               ("cfitsio says|no table|ends before", good[:3000]))
    for pattern, content in refused:
        stars.refused(pattern, "bad.fits", content)
    generator = random.Random(3)
    for _ in range(12):
        bytes_ = bytearray(good)
        for _ in range(generator.randint(1, 4)):
            bytes_[generator.randrange(len(cards_of(good)))] = generator.choice(b" '0199=TDEAX\0\xff")
        (stars.folder / "damaged.fits").write_bytes(bytes_[:generator.choice((len(good), len(good), 7000))])
        result = stars.run("damaged.fits")
        check(result.returncode == 0 or (result.returncode == 2 and LINE.match(result.stderr)),
              f"damaged: exit code {result.returncode}, {result.stderr}")


def cards_of(content):
    return content[:2 * 2880]


def check_astropy(stars, with_fits):
    try:
        from astropy import units
        from astropy.coordinates import SkyCoord
        from astropy.table import QTable, Table
    except ImportError:
        print("no astropy: its files are not tried")
        return
    l, b, r = stars.columns()
    tables = {"plain": Table({"l": l * units.deg, "b": b * units.deg, "r": r * units.kpc}),
              "sky": QTable({"at": SkyCoord(l * units.deg, b * units.deg, distance=r * units.kpc, frame="galactic")})}
    for name, one in tables.items():
        for ending in ("ecsv", "fits") if with_fits else ("ecsv",):
            one.write(stars.folder / f"astropy-{name}.{ending}")
            check(stars.likelihood(f"astropy-{name}.{ending}") == stars.wanted, f"astropy's {name}.{ending}")


def main():
    with tempfile.TemporaryDirectory() as name:
        stars = Stars(sys.argv[1], pathlib.Path(name))
        check_texts(stars)
        with_fits = reads_fits(stars)
        if with_fits:
            check_fits(stars)
        else:
            print("built without cfitsio: FITS files are not tried")
        check_astropy(stars, with_fits)
    print("stars in every format")


if __name__ == "__main__":
    main()
