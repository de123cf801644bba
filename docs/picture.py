#!/usr/bin/env python3
"""Draws what the program prints as a picture for the README: picture.py PROGRAM [--check].

PROGRAM runs COMMAND in an empty folder. What it prints becomes PICTURE, which a page can show in light and dark. `--check` writes
nothing and fails if the picture shows anything else. Run times differ and are not compared.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs/src/justice.svg"
COMMAND = "ekklesia run configs/justice.yaml"
RUN_TIME = re.compile(r"\d+(\.\d+)? (ms|s|min)$", re.M)

# Sizes in pixels. A character of a monospaced font is about 0.6 times as wide as high; `textLength` makes it exact in every font.
FONT_SIZE, CHARACTER_WIDTH, LINE_HEIGHT, MARGIN = 13, 7.8, 18, 16
STYLE = """
  rect { fill: #f6f8fa; stroke: #d1d9e0 }
  text { fill: #1f2328; font: %dpx ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre }
  .command { fill: #0550ae; font-weight: bold }
  @media (prefers-color-scheme: dark) {
    rect { fill: #161b22; stroke: #3d444d }
    text { fill: #e6edf3 }
    .command { fill: #79c0ff }
  }
""" % FONT_SIZE


def print_summary(program):
    """What the program prints, run in a folder with the shipped configs and scenarios."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("configs", "scenarios"):
            pathlib.Path(folder, name).symlink_to(ROOT / name)
        command = [program.resolve(), *COMMAND.split()[1:]]
        ran = subprocess.run(command, cwd=folder, text=True, stdin=subprocess.DEVNULL, capture_output=True)
    if ran.returncode != 0:
        sys.exit(f"{ran.stderr}picture.py: {COMMAND} ended with {ran.returncode}")
    return ran.stdout


def draw_line(line, row, style=""):
    """The words of a line, each run between wide gaps at its own place, so that columns stay aligned in every font."""
    y = MARGIN + FONT_SIZE + row * LINE_HEIGHT
    for run in re.finditer(r"\S+(?: \S+)*", line):
        x, width = MARGIN + run.start() * CHARACTER_WIDTH, len(run[0]) * CHARACTER_WIDTH
        yield f'<text x="{x:.1f}" y="{y}" textLength="{width:.1f}"{style}>{escape(run[0])}</text>'


def draw_picture(printed):
    lines = printed.rstrip().splitlines()
    width = 2 * MARGIN + max(map(len, lines)) * CHARACTER_WIDTH
    height = 2 * MARGIN + (len(lines) + 2) * LINE_HEIGHT
    drawn = list(draw_line(f"$ {COMMAND}", 0, ' class="command"'))
    for row, line in enumerate(lines, 2):
        drawn.extend(draw_line(line, row))
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" viewBox="0 0 {width:.0f} {height}" role="img">',
        f"<title>What {COMMAND} prints</title>",
        f"<style>{STYLE}</style>",
        '<rect x="0.5" y="0.5" width="99.9%" height="99.9%" rx="6"/>',
        *drawn,
        "</svg>\n",
    ])


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("program", type=pathlib.Path)
    arguments.add_argument("--check", action="store_true", help="fail if the picture is not what the program prints")
    arguments = arguments.parse_args()
    printed = print_summary(arguments.program)
    if not RUN_TIME.search(printed):
        sys.exit("picture.py: no run time was printed")
    shown = PICTURE.read_text() if PICTURE.exists() else ""
    # The picture keeps its run time, so that it changes only when something else does.
    kept = re.search(r"(\d[\d.]* (?:ms|s|min))</text>", shown)
    drawn = draw_picture(RUN_TIME.sub(kept[1], printed, count=1) if kept else printed)
    if drawn == shown:
        return
    if arguments.check:
        sys.exit(f"picture.py: {PICTURE.relative_to(ROOT)} is not what the program prints; write it anew with docs/picture.py PROGRAM")
    PICTURE.write_text(drawn)


main()
