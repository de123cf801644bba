"""Runs the Python and R blocks of the book: docs_code.py EKKLESIA [--also REASON COMMAND] [PAGE…].

A page is done as tests/docs/mod.rs does it: in a folder of its own with configs/ and scenarios/, files written and commands run
in order. Blocks of one language on a page are one program, so a later block knows what an earlier one made. A `text` block
directly behind a block of code must be what that block printed. Blocks marked `not run` are left out. With --also, those that are not
run for this reason (`not run: REASON`) run too, and the command after each of them.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(?:^<!-- (?P<notes>[^\n]*) -->\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.M | re.S)
MARK = "-- end of block --"
LANGUAGES = {
    "python": ("script.py", [sys.executable, "script.py"], f"\nprint({MARK!r})\n"),
    "r": ("script.R", ["Rscript", "--vanilla", "script.R"], f'\ncat("{MARK}\\n")\n'),
}


def blocks(page):
    """The page's blocks as (notes, language, text, what a text block right behind it shows or None)."""
    found = list(BLOCK.finditer(page))
    for block, after in zip(found, found[1:] + [None]):
        shown = None
        if after and after["language"] == "text" and not page[block.end() : after.start()].strip():
            shown = after["text"]
        pairs = (part.strip().partition(" ") for part in (block["notes"] or "").split(";"))
        notes = {key.rstrip(":"): value for key, _, value in pairs}
        yield notes, block["language"], block["text"], shown


def run(command, desk, program):
    env = dict(os.environ, PATH=f"{program.parent}:{os.environ['PATH']}", PYTHONDONTWRITEBYTECODE="1")
    env.update(PYTHONPATH=str(ROOT / "packaging/python"), EKKLESIA_PROGRAM=str(program))
    return subprocess.run(command, cwd=desk, env=env, text=True, capture_output=True)


def plain(text):
    return [" ".join(line.split()) for line in text.strip().splitlines()]


def check(path, program, also):
    """Does one page; returns how many blocks of code ran, and of those that run with --also."""
    page = path.read_text(encoding="utf-8")
    reason, after = also or (None, None)
    excused = f"run: {reason}"
    if not any(language in LANGUAGES or notes.get("not") == excused for notes, language, _, _ in blocks(page)):
        return 0
    extra = 0
    code = {language: [] for language in LANGUAGES}
    with tempfile.TemporaryDirectory() as desk:
        desk = Path(desk)
        for folder in ("configs", "scenarios"):
            shutil.copytree(ROOT / folder, desk / folder)
        for notes, language, text, shown in blocks(page):
            is_extra = notes.get("not") == excused
            if "not" in notes and not is_extra:
                continue
            if "file" in notes:
                (desk / notes["file"]).parent.mkdir(parents=True, exist_ok=True)
                (desk / notes["file"]).write_text(text, encoding="utf-8")
            elif language in ("console", "sh"):
                text += f"{after}\n" if is_extra else ""
                extra += is_extra
                done = run(["bash", "-euo", "pipefail", "-c", text], desk, program)
                if done.returncode != int(notes.get("exits", 0)):
                    sys.exit(f"{path}: ended with {done.returncode}:\n{text}{done.stdout}{done.stderr}")
            elif language in LANGUAGES:
                code[language].append((text, shown))
        for language, parts in code.items():
            if parts:
                file, command, mark = LANGUAGES[language]
                (desk / file).write_text(mark.join(text for text, _ in parts), encoding="utf-8")
                done = run(command, desk, program)
                if done.returncode != 0:
                    sys.exit(f"{path}: {language}: {done.stdout}{done.stderr}")
                printed = done.stdout.split(MARK + "\n")
                for (text, shown), out in zip(parts, printed, strict=True):
                    if shown is not None and plain(shown) != plain(out):
                        sys.exit(f"{path}: {language}:\n{text}\nshown:\n{shown}\nprinted:\n{out}")
    return extra + sum(len(parts) for parts in code.values())


def main(program, *pages):
    program = Path(program).resolve()
    also = None
    if pages[:1] == ("--also",):
        also, pages = pages[1:3], pages[3:]
    paths = [Path(page) for page in pages] or sorted((ROOT / "docs/src").rglob("*.md"))
    ran = {path: check(path, program, also) for path in paths}
    for path, count in ran.items():
        if count:
            print(f"{path}: {count} blocks of code")
    if also and not any(f"not run: {also[0]} -->" in path.read_text(encoding="utf-8") for path in paths):
        sys.exit(f"no block is left out because {also[0]}")
    if not sum(ran.values()):
        sys.exit("no page holds code")


if __name__ == "__main__":
    main(*sys.argv[1:])
