#!/usr/bin/env python3
"""scripts/check_docs and the reading of pages in tests/docs/run_guides.py, on small pages with known faults."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import run_guides  # noqa: E402
from script_tests import load  # noqa: E402

check_docs = load("scripts/check_docs")


class CheckDocs(unittest.TestCase):
    def setUp(self):
        self.top = tempfile.TemporaryDirectory()
        self.addCleanup(self.top.cleanup)
        self.root, check_docs.ROOT = check_docs.ROOT, pathlib.Path(self.top.name).resolve()
        self.addCleanup(setattr, check_docs, "ROOT", self.root)

    def page(self, name, text):
        path = check_docs.ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def broken(self, text):
        return [found for _, found in check_docs.broken_links(self.page("a.md", text), text)]

    def test_anchors_are_those_of_github(self):
        for heading, anchor in (("What fails, and what then", "what-fails-and-what-then"),
                                ("/run: how it came about", "run-how-it-came-about"),
                                ("`tessera dock`", "tessera-dock"), ("fchk [x](y.md)", "fchk-x"),
                                ("Kräfte: 10,000 × 2", "kräfte-10000--2")):
            self.assertEqual(check_docs.slug(heading), anchor)

    def test_links_stay_on_their_line(self):
        self.page("other-page.md", "# Title\n")
        self.assertEqual(self.broken("See [that\npage](other-page.md).\n"), [])
        self.assertEqual(self.broken("See [that page](other-\npage.md).\n"),
                         ["a link breaks off at the end of its line"])

    def test_links_lead_to_files_and_headings(self):
        self.page("sub/b.md", "# One\n\n## Two words\n\n## Two words\n\n```sh\n# no heading\n```\n")
        self.assertEqual(self.broken("[b](sub/b.md), [two](sub/b.md#two-words), [again](sub/b.md#two-words-1)\n"), [])
        self.assertEqual(len(self.broken("[c](sub/c.md)\n")), 1)
        self.assertEqual(len(self.broken("[b](sub/b.md#three)\n")), 1)
        self.assertEqual(len(self.broken("[b](sub/b.md#no-heading)\n")), 1)
        self.assertEqual(len(self.broken("![picture](no.png)\n")), 1)
        self.assertEqual(len(self.broken("a [link over\ntwo lines](no.md)\n")), 1)
        self.assertEqual(len(self.broken("[outside](../../etc)\n")), 1)

    def test_code_and_addresses_are_no_links(self):
        self.assertEqual(self.broken("`[a](no.md)` and\n\n    [a](no.md)\n\n```\n[a](no.md)\n```\n"), [])
        self.assertEqual(self.broken("[web](https://example.org/no.md#no)\n"), [])

    def test_prose_has_120_columns(self):
        long = "word " * 30
        self.assertEqual(len(list(check_docs.long_lines(long))), 1)
        self.assertEqual(list(check_docs.long_lines(f"| {long} |\n\n    {long}\n\n```\n{long}\n```\n")), [])
        self.assertEqual(len(list(check_docs.long_lines(f"- item\n\n  {long}\n"))), 1)

    def test_lists_and_tables_stand_apart(self):
        self.assertEqual(len(list(check_docs.joined_blocks("text\n- item\n"))), 1)
        self.assertEqual(len(list(check_docs.joined_blocks("text\n| a |\n|---|\n"))), 1)
        self.assertEqual(list(check_docs.joined_blocks("text\n\n- item\n  more\n- item\n\n| a |\n|---|\n| b |\n")), [])

    def test_sentences(self):
        self.assertEqual(check_docs.mean_sentence("# Head\n\nOne two three. Four five\nsix seven.\n\n| no |\n"), 3.5)
        self.assertEqual(check_docs.mean_sentence("- one two\n- three four five six\n"), 3)


class Blocks(unittest.TestCase):
    def blocks(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".md") as file:
            file.write(text)
            file.flush()
            return run_guides.blocks_of(pathlib.Path(file.name))

    def test_languages_and_comments(self):
        sh, skipped, python, text = self.blocks(
            "```sh\necho 1\n```\n\n<!-- not run: needs a GPU -->\n```sh\nfalse\n```\n\n```python\nx = 1\n```\n\n"
            "<!-- fetches data -->\n\nProse.\n\n```text\noutput\n```\n")
        self.assertEqual((sh.language, sh.text, sh.why_not, sh.line), ("sh", "echo 1\n", None, 1))
        self.assertEqual(skipped.why_not, "needs a GPU")
        self.assertEqual((python.language, python.why_not), ("python", None))
        self.assertFalse(text.fetches)

    def test_indented_blocks_are_refused(self):
        with self.assertRaises(SystemExit):
            self.blocks("Type:\n\n    tessera info a.h5\n")


if __name__ == "__main__":
    unittest.main()
