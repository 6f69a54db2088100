#!/usr/bin/env python3
"""Makes the pictures of docs/guide/reports.md. Needs Chromium, and the files that the guide makes.

    tests/support/report_pictures.py FOLDER      with the pages report_*.html"""

import pathlib
import sys

import browser

IMAGES = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/images"
PICTURES = (("report_dock.html", "#viewer", "report_docking.png"),
            ("report_dock.html", "figure.plot", "report_contacts.png"),
            ("report_water.html", "#viewer", "report_orbital.png"), ("report_fit.html", "#corner", "report_fit.png"),
            ("report_potential.html", "#viewer", "report_potential.png"))


def main():
    with browser.Browser(browser.find()) as page:
        for name, selector, picture in PICTURES:
            page.open(pathlib.Path(sys.argv[1]) / name)
            if page.value("!!document.getElementById('viewer')"):
                page.wait("document.getElementById('viewer').dataset.drawn === 'yes'")
            (IMAGES / picture).write_bytes(page.picture(selector))


main()
