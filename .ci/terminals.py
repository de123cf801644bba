#!/usr/bin/env python3
"""What is read on a terminal: the talk of a run, its summary, `show`, `context` and `search`, from 60 to 200 columns, of hostile words.

The pay of a group that chooses a principle of justice has tables wider than the narrower of them: they fit, too.

usage: terminals.py EKKLESIA [FOLDER]

Words hold markup, escapes, marks of direction, wide characters, emoji, combining marks, and 900 000 letters without a blank. On a
pseudo-terminal no line may be wider than it, and nothing may act on it but what sets words off; with NO_COLOR, and where the output
is no terminal, not even that. What was on the screens is left in FOLDER, where one is named. It needs no module but Python's own.
"""
import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unicodedata

HOSTILE = (
    r"</script><img src=x onerror=alert(1)> \u001b[2J \u001b]0;title\u0007 \u202e dlog \u2066 &amp; \u200f **not ours** "
    + "漢字" * 30
    + r" e\u0301galite\u0301 👩‍👩‍👧 👍🏽 \t tab\nsecond line\r\nthird"
)
CONFIG = f"""experiment: hostile
scenario: SCENARIO
seed: 3
language: LANGUAGE
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim }}
seats:
  - {{ name: Alice, mind: {{ voter: {{ copy: 0.9 }} }} }}
  - {{ name: 田中太郎, mind: {{ voter: {{ copy: 0.5 }} }} }}
  - name: "Zoë_1"
    mind: {{ scripted: {{ table: [
      {{ phase: straw_before, round: 0, step: straw_poll, choice: for }},
      {{ phase: discussion, round: 1, step: statement, statement: "{HOSTILE}", stance: for }},
      {{ phase: discussion, round: 2, step: statement, statement: "{'长' * 3000}{'x' * 900000}", stance: for }},
      {{ phase: discussion, round: 3, step: statement, pass: true }},
      {{ phase: straw_after, round: 0, step: straw_poll, choice: for }},
      {{ phase: vote, round: 0, step: ballot, choice: for }} ] }} }}
straw_polls: [before, after]
discussion: {{ rounds: 3, order: random, vote: at_end }}
decision: {{ rule: majority }}
"""
COLUMNS = (60, 80, 120, 200)
# Lines that are read one after another are no longer than this, however wide the terminal.
READ = 120
SET_OFF = re.compile("\x1b\\[[0-9;]*m")
RUBBED_OUT = "\x1b[2K"
# Where the line of progress takes two lines, the cursor goes back to the first; no word of a seat holds this.
BACK = "\x1b[1A"


def on_terminal(columns, command, **environment):
    """What a terminal of so many columns is sent."""
    child, side = pty.fork()
    if child == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        own = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        os.execvpe(command[0], command, {**own, "TERM": "xterm-256color", **environment})
    sent = b""
    while True:
        try:
            came = os.read(side, 65536)
        except OSError:
            break
        if not came:
            break
        sent += came
    os.close(side)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code == 0, f"{command}: {code}: {sent[-500:]!r}"
    # The line of progress is rubbed out and written again.
    lines = (line.split(RUBBED_OUT)[-1].removeprefix(BACK) for line in sent.decode("utf-8").replace("\r", "").split("\n"))
    return "\n".join(lines)


def width(line):
    """Columns at the most: parts of a sign that are joined count one by one."""
    wide = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
    return wide - sum(unicodedata.combining(c) > 0 or unicodedata.category(c) in ("Cf", "Mn", "Me") for c in line)


def is_whole(line):
    """What is never broken: a command to type, a path, the prompt as it was sent."""
    return " ekklesia " in line or "/" in line.split(" ")[-1]


def look(screen, columns, is_coloured):
    assert bool(SET_OFF.search(screen)) == is_coloured, f"set off: {not is_coloured}"
    plain = SET_OFF.sub("", screen)
    for line in plain.split("\n"):
        acts = [c for c in line if unicodedata.category(c) == "Cc" or c in "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"]
        assert not acts, f"{acts!r} in {line[:200]!r}"
        assert width(line) <= columns or is_whole(line), f"{width(line)} of {columns} columns: {line[:200]!r}"


def check(program, folder, left):
    motion = pathlib.Path(__file__).resolve().parent.parent / "scenarios/motion"
    for language in ("en", "zh"):
        config = folder / f"{language}.yaml"
        config.write_text(CONFIG.replace("SCENARIO", str(motion)).replace("LANGUAGE", language), encoding="utf-8")
        for columns in COLUMNS:
            out = folder / f"{language}{columns}"
            session = str(out / "sessions/baseline-r000001")
            commands = {
                "run": [program, "run", str(config), "--out", str(out), "--replicates", "1", "--follow"],
                "show": [program, "show", session],
                "context": [program, "context", session, "--seat", "田中太郎"],
                "search": [program, "search", str(out), "漢字 tab"],
            }
            for name, command in commands.items():
                screen = on_terminal(columns, command)
                if left:
                    (left / f"{name}-{language}-{columns}.txt").write_text(screen, encoding="utf-8")
                # The prompt is told word by word.
                told = screen.split("\n--- ")[0]
                look(told, columns, name != "context")
                if name in ("context", "search"):
                    widest = max(width(line) for line in SET_OFF.sub("", told).split("\n") if not is_whole(line))
                    assert min(columns, READ) - 20 < widest <= min(columns, READ), f"{name}: {widest} of {columns} columns"
                if name != "run":
                    look(on_terminal(columns, command, NO_COLOR="1").split("\n--- ")[0], columns, False)
                piped = subprocess.run(command, capture_output=True, text=True, check=True)
                assert "\x1b" not in piped.stdout + piped.stderr, f"{name} is not plain where it is piped"
    justice = motion.parent.parent / "configs/justice.yaml"
    out = folder / "justice"
    subprocess.run([program, "run", str(justice), "--out", str(out), "--replicates", "1"], capture_output=True, check=True)
    command = [program, "show", str(out / "sessions/baseline-r000001")]
    for columns in COLUMNS:
        screen = on_terminal(columns, command)
        if left:
            (left / f"show-justice-{columns}.txt").write_text(screen, encoding="utf-8")
        look(screen, columns, True)
        look(on_terminal(columns, command, NO_COLOR="1"), columns, False)
    print("the talk, its summary, show, context and search fit 60 to 200 columns, and nothing acts on the terminal")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    left = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    if left:
        left.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        check(str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(place), left)
