#!/usr/bin/env python3
"""docs/reference/options.md has every option that the commands print with --help, and no others.

    tests/docs/options_page.py build/host/tessera"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(os.environ.get("TESSERA_SOURCE_DIR", pathlib.Path(__file__).resolve().parent.parent.parent))
COMMANDS = ("dock", "screen", "rescore", "orbital", "likelihood", "fit", "sample", "simulate", "info", "table", "report",
            "export", "rerun", "devices", "run", "queue")
QUEUE = ("submit", "run", "list", "cancel", "wait", "projects", "share")
OPTION = r"(?<![\w-])--[a-z][a-z-]+"
# Sections whose options a command has besides its own.
SHARED = {"fit": ("tessera likelihood",), "sample": ("tessera likelihood",), "simulate": ("tessera likelihood",)}


def printed(program, *command):
    if command == ("queue",):
        return set().union(*(printed(program, "queue", name) for name in QUEUE))
    text = subprocess.run([program, *command, "--help"], check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"^ +(?:-\w,)?(--[a-z-]+)", text, re.MULTILINE))


def sections():
    """The options that each section of the page names in its tables, by heading; "" is what stands before."""
    found, heading = {"": set()}, ""
    for line in (ROOT / "docs/reference/options.md").read_text(encoding="utf-8").split("\n"):
        if line.startswith("## "):
            heading = line[3:].strip()
            found[heading] = set()
        found[heading].update(re.findall(OPTION, line))
    return found


def main():
    program, page, problems = sys.argv[1], sections(), []
    common, schedule = page[""] | {"--device"}, page["Schedule"]
    every = {option for command in COMMANDS for option in printed(program, command)}
    every |= printed(program, "plan", "dock") | {"--version"}
    for command in COMMANDS:
        named = page[f"tessera {command}"] | common | schedule
        for heading in SHARED.get(command, ()):
            named |= page[heading]
        problems += [f"{option} of tessera {command} is missing" for option in sorted(printed(program, command) - named)]
    for heading, options in page.items():
        problems += [f"{option} under '{heading}' is no option of any command" for option in sorted(options - every)]
    for problem in problems:
        print(f"docs/reference/options.md: {problem}")
    print(f"options: {len(every)}, problems: {len(problems)}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
