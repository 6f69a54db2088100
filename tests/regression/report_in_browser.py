#!/usr/bin/env python3
"""The pages of `tessera report` in a headless Chromium: no error, every section, the rows of the tables, plots that
answer the pointer, and a 3-D view that shows something. Skips where there is no Chromium.
Usage: report_in_browser.py PATH/OF/tessera"""

import os
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import browser  # noqa: E402
import small_results  # noqa: E402
from tessera_runs import SKIPPED, check, patience, run  # noqa: E402

VIEWER = pathlib.Path(os.environ["TESSERA_SOURCE_DIR"]) / ".deps/data/report/viewer_library.js"
EVERY = ("What was asked", "Provenance", "How to cite")
SECTIONS = {"dock": ("What was found", "Which residues are in contact", "Scores", "Sizes of clusters"),
            "orbital": ("What was found", "Surfaces and atoms", "Energies"), "likelihood": ("Wedge 82", "Wedge 79"),
            "fit": ("How the fit went", "Pairs of parameters", "Wedge 79"),
            "sample": ("What was found", "Pairs of parameters"), "ring": ("Which residues are in contact", "Scores"),
            "potential": ("What was found", "Surfaces and atoms"), "points": ("What was found",),
            "screening": ("What was found", "Pairs by score", "Receptors and ligands", "Scores")}
ROWS = {"dock": 20, "orbital": 2, "fit": 8}
WITH_VIEWER, WITHOUT_PLOTS = ("dock", "orbital", "ring", "potential"), ("potential", "points")
WATER = small_results.ORBITAL[:2]
MORE = {"ring": ("dock", "receptor.pdb", "--symmetry", "C3", "--axes", "60", "--spacing", "3", "--coefficients", "balanced",
                 "--poses", "30"),
        "potential": (*WATER, "--esp", "--esp-surface", "0.01", "--field", "rdg", "--grids", "--spacing", "0.7"),
        "points": (*WATER, "--esp", "--points", "points.txt"),
        "screening": ("screen", "proteins.csv", "--rotations", "24", "--spacing", "4")}


def output_of(kind):
    """A screening has a folder."""
    return kind if kind == "screening" else f"{kind}.h5"


def check_page(page, folder, name):
    page.complaints.clear()
    page.open(folder / f"{name}.html")
    check(page.value("document.body.dataset.complete") == "yes", f"{name}: not complete, {page.complaints}")
    titles = page.value("[...document.querySelectorAll('h2')].map((one) => one.textContent)")
    for wanted in (*EVERY, *SECTIONS[name]):
        check(wanted in titles, f"{name}: no section '{wanted}' among {titles}")
    if name in ROWS:
        rows = page.value("document.querySelectorAll('#rows tbody tr').length")
        data = page.value("JSON.parse(document.getElementById('data').textContent).table.length")
        check(rows == data and rows <= ROWS[name] * 3 and rows > 1, f"{name}: {rows} rows of {data}")
    bad = page.value("[...document.querySelectorAll('svg *')].filter((one) => [...one.attributes].some((a) => "
                     "a.name !== 'data-tip' && /NaN|Infinity|undefined/.test(a.value))).length")
    check(bad == 0, f"{name}: {bad} shapes without a place")
    if name not in WITHOUT_PLOTS:
        check_pointer(page, name)


def check_pointer(page, name):
    """What the pointer touches says its numbers."""
    said = page.value("""(() => {
      const one = document.querySelector("svg [data-tip]");
      one.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, clientX: 5, clientY: 5 }));
      const tip = document.getElementById("tip");
      return [tip.hidden, tip.textContent, one.getAttribute("data-tip")];
    })()""")
    check(not said[0] and said[1] == said[2] and any(c.isdigit() for c in said[1]),
          f"{name}: the pointer is told {said}")


def check_ring(page):
    """A ring has one plot of contacts, and all its copies are loaded."""
    titles = page.value("[...document.querySelectorAll('figure.plot text[font-weight]')].map((one) => one.textContent)")
    check("each copy" in titles and "ligand" not in titles, f"ring: plots {titles}")
    check("2 other copies" in page.value("document.getElementById('view-note').textContent"), "ring: no word about copies")


def check_potential(page):
    """The density's surface in the colours of the potential comes first, with its scale; grids follow with their units."""
    names = page.value("[...document.querySelectorAll('#field option')].map((one) => one.textContent)")
    check(names[0] == "density, coloured by esp" and {"esp", "rdg"} < set(names), f"potential: {names}")
    said = "document.getElementById('said').textContent"
    check("0.01 bohr^-3" in page.value(said) and "hartree/e" in page.value(said), f"potential: {page.value(said)}")
    page.value(f"""(() => {{ const one = document.getElementById("field"); one.value = {names.index("rdg")};
      one.dispatchEvent(new Event("change")); }})()""")
    check(page.value(said) == "0.5", f"rdg: {page.value(said)}")


def check_screening(page):
    """The table is sorted by a click and searched by a word, and the map is drawn and answers the pointer."""
    column = "[...document.querySelectorAll('#rows tbody tr:not([hidden]) td:nth-child({})')].map((one) => one.textContent)"
    scores = [float(one) for one in page.value(column.format(3))]
    check(len(scores) == 9 and scores == sorted(scores, reverse=True), f"screening: {scores}")
    click = "document.querySelectorAll('#rows th')[{}].click()"
    for place, key in ((0, str), (6, float), (2, float)):
        page.value(click.format(place))
        first = [key(one) for one in page.value(column.format(place + 1))]
        page.value(click.format(place))
        second = [key(one) for one in page.value(column.format(place + 1))]
        check(sorted(first) in (first, first[::-1]) and second == first[::-1], f"screening: {first}, {second}")
    page.value("""(() => { const one = document.getElementById("rows-search"); one.value = "Third";
      one.dispatchEvent(new Event("input")); })()""")
    pairs = list(zip(page.value(column.format(1)), page.value(column.format(2))))
    check(len(pairs) == 5 and all("third" in pair for pair in pairs), f"screening: {pairs}")
    check(page.value("document.getElementById('rows-said').textContent") == "5 of 9 rows", "screening: rows found")
    check(page.colors("#pair-map") > 5, "screening: the map is empty")
    said = page.value("""(() => {
      const one = document.getElementById("pair-map"), box = one.getBoundingClientRect();
      const at = { bubbles: true, clientX: box.right - 3, clientY: box.bottom - 3 };
      one.dispatchEvent(new PointerEvent("pointermove", at));
      return document.getElementById("tip").textContent;
    })()""")
    check("receptor third\nligand third\n" in said, f"screening: the map says {said}")


def check_viewer(page, name):
    if not VIEWER.exists():
        check(page.value("!!document.getElementById('no-viewer')"), f"{name}: no word about the missing viewer")
        return print(f"{name}: without a 3-D view (scripts/viewer has not fetched it)")
    page.wait("document.getElementById('viewer').dataset.drawn === 'yes'")
    page.wait("!!document.querySelector('#viewer canvas')")
    end = time.monotonic() + page.patience
    while (colors := page.colors("#viewer canvas")) <= 3 and time.monotonic() < end:
        time.sleep(0.5)  # the picture comes a moment after the last surface
    check(colors > 3, f"{name}: the 3-D view has only {colors} colours")
    return print(f"{name}: the 3-D view has {colors} colours")


def main():
    program, chromium = os.path.abspath(sys.argv[1]), browser.find()
    if not chromium:
        print("skipped: no Chromium (apt-get install chromium)")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="tessera-report-") as name:
        folder = pathlib.Path(name)
        small_results.make(program, folder, [kind for kind in SECTIONS if kind not in MORE])
        (folder / "points.txt").write_text("0,0,2\n1,1,1\n")
        (folder / "proteins.csv").write_text("file,name\nreceptor.pdb,first\nligand.pdb,second\ncomplex.pdb,third\n")
        for kind, words in MORE.items():
            made = run(program, *words, "--device", "openmp", "-o", output_of(kind), cwd=folder)
            check(made.returncode == 0, f"{kind}: {made.stderr}")
        for kind in SECTIONS:
            made = run(program, "report", output_of(kind), "-o", f"{kind}.html", cwd=folder)
            check(made.returncode == 0, made.stderr)
        with browser.Browser(chromium, patience(60)) as page:
            for kind in SECTIONS:
                check_page(page, folder, kind)
                if kind in WITH_VIEWER:
                    check_viewer(page, kind)
                if kind == "ring":
                    check_ring(page)
                if kind == "screening":
                    check_screening(page)
                if kind == "potential":
                    check_potential(page)
                check(not page.complaints, f"{kind}: {page.complaints}")
    print("passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
