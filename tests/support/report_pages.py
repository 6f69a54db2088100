"""The pages of `tessera report`: what they load, and the JSON that they show."""

import html.parser
import json

import h5py
import numpy
from tessera_runs import check, run

LARGEST = 5 << 20
OUTSIDE = ("src", "href")


class Page(html.parser.HTMLParser):
    """The texts of the scripts by id, and everything that the page would load."""

    def __init__(self, text):
        super().__init__()
        self.scripts, self.inside, self.loads = {}, None, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.loads += [value for name, value in attributes.items() if name in OUTSIDE and value != "data:,"]
        if tag == "script":
            self.inside = attributes.get("id", f"script {len(self.scripts)}")
            self.scripts[self.inside] = ""

    def handle_endtag(self, tag):
        if tag == "script":
            self.inside = None

    def handle_data(self, data):
        if self.inside:
            self.scripts[self.inside] += data


def report(program, folder, name, source=None):
    """The data of the page NAME.html of NAME.h5 or another source."""
    made = run(program, "report", source or f"{name}.h5", "-o", f"{name}.html", cwd=folder)
    check(made.returncode == 0 and made.stdout == f"written: {name}.html\n", f"{name}: {made.stderr}")
    text = (folder / f"{name}.html").read_text(encoding="utf-8")
    check(len(text) < LARGEST, f"{name}.html has {len(text)} bytes")
    page = Page(text)
    check(not page.loads and "@import" not in text, f"{name}.html loads {page.loads}")
    return json.loads(page.scripts["data"])


def same(found, wanted, what):
    found = numpy.asarray(found, dtype=float)
    check(found.shape == numpy.shape(wanted) and numpy.array_equal(found, wanted, equal_nan=True),
          f"{what}: {found} instead of {wanted}")


def check_facts(data, file):
    facts, run_ = data["facts"], file["run"].attrs
    check(facts["run"]["command_line"] == run_["command_line"], "another command line")
    check(facts["run"]["input"] == json.loads(run_["input"]), "other options")
    check(facts["version"] == file.attrs["version"], "another version")
    check("host" not in json.dumps(facts["run"]["ranks"]), "the page names hosts")


def check_kinds(program, folder, **checks):
    """Calls check(data, file) with the data of the page of each kind of result, and with the file."""
    for kind, check_kind in checks.items():
        data = report(program, folder, kind)
        with h5py.File(folder / f"{kind}.h5") as file:
            check_facts(data, file)
            check_kind(data, file)
        print(f"{kind}: the page has what the file has")
