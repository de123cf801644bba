#!/usr/bin/env python3
"""A person at a terminal: runs a session with a `human: {}` seat through a pseudo-terminal, types at it, and looks at what is left.

usage: terminal.py EKKLESIA [SCENARIO_FOLDER]

What is typed: an answer, one in wide characters with a sign that is taken back, Ctrl-C in the middle of the next, then the same
command again with a wrong answer and the right ones. Another seat says what would clear the screen. It needs no module but
Python's own, and a system with pseudo-terminals. Exits 1 with what was on the screen when anything is otherwise.
"""
import json
import os
import pathlib
import pty
import select
import subprocess
import sys
import tempfile
import termios
import time

CONFIG = r'''experiment: terminal
scenario: SCENARIO
seed: 7
models: { person: { human: { id: P01 } }, sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { name: Alice, model: person }
  - { name: Bob, mind: { voter: { copy: 0.5 } } }
  - name: Carol
    mind: { scripted: { table: [
      { phase: straw_before, round: 0, step: straw_poll, choice: for },
      { phase: discussion, round: 1, step: statement, statement: "Look \e[2J\u202Ehere, \a all of you.", stance: for },
      { phase: discussion, round: 2, step: statement, pass: true },
      { phase: vote, round: 0, step: ballot, choice: for } ] } }
straw_polls: [before]
discussion: { rounds: 2, order: fixed, vote: at_end }
'''

# How long a program may take to say what is waited for.
PATIENCE_S = 60
PROMPT = "> "


class Terminal:
    """A program with a terminal of its own."""

    def __init__(self, arguments):
        self.shown, self.seen = "", 0
        program, self.side = pty.openpty()
        # Signs of several bytes are taken back as a whole, as terminals do.
        modes = termios.tcgetattr(self.side)
        modes[0] |= getattr(termios, "IUTF8", 0x4000)
        termios.tcsetattr(self.side, termios.TCSANOW, modes)
        environment = dict(os.environ, TERM="xterm-256color", LANG="C.UTF-8")
        self.child = subprocess.Popen(
            arguments, stdin=self.side, stdout=self.side, stderr=self.side, env=environment, preexec_fn=self.own_terminal
        )
        os.close(self.side)
        self.program = program
        self.bytes = b""

    @staticmethod
    def own_terminal():
        import fcntl

        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def read(self, until_s):
        """What comes next; false when the program closed its terminal."""
        ready, _, _ = select.select([self.program], [], [], max(0.0, until_s - time.monotonic()))
        if not ready:
            raise AssertionError(f"nothing came for {PATIENCE_S} s")
        try:
            came = os.read(self.program, 65536)
        except OSError:
            came = b""
        self.bytes += came
        self.shown = self.bytes.decode("utf-8", errors="replace")
        return bool(came)

    def wait_for(self, words):
        """Waits until these words were shown behind what was waited for before."""
        until_s = time.monotonic() + PATIENCE_S
        while (place := self.shown.find(words, self.seen)) < 0:
            if not self.read(until_s):
                raise AssertionError(f"it ended before it said {words!r}")
        self.seen = place + len(words)

    def types(self, words):
        os.write(self.program, words.encode())

    def ended(self):
        """The exit code, once the program has ended."""
        until_s = time.monotonic() + PATIENCE_S
        while self.read(until_s):
            pass
        os.close(self.program)
        return self.child.wait(PATIENCE_S)


def answer(terminal, words):
    terminal.wait_for(PROMPT)
    terminal.types(words)


def first_part(terminal):
    answer(terminal, "1\r")
    answer(terminal, "STANCE: for\r")
    # The wrong sign is taken back; what is taken back is in no answer.
    answer(terminal, "STATEMENT: Es wird ruhig, 安静\x7f静 y ñandú 🙂.\r")
    answer(terminal, ".\r")
    answer(terminal, "3\r")
    answer(terminal, "I cannot dec")
    time.sleep(0.2)
    terminal.types("\x03")
    code = terminal.ended()
    assert code == 130, f"Ctrl-C ends it with {code}"
    assert "again goes on" in terminal.shown, "how to go on is told"


def second_part(terminal):
    # The first two answers are recorded; the third question is put again, and its first answer is none.
    answer(terminal, "3\r")
    answer(terminal, "I cannot decide.\r")
    answer(terminal, "\r")
    answer(terminal, "none\r")
    answer(terminal, "I cannot decide.\r")
    answer(terminal, "\r")
    answer(terminal, "against\r")
    code = terminal.ended()
    assert code == 0, f"the session completes: {code}"


def check(binary, folder, scenario):
    config, out = folder / "config.yaml", folder / "out"
    config.write_text(CONFIG.replace("SCENARIO", str(scenario)), encoding="utf-8")
    for part in (first_part, second_part):
        terminal = Terminal([binary, "run", str(config), "--out", str(out)])
        try:
            part(terminal)
            for act in ("\x1b[2J", "\u202e", "\x07"):
                assert act not in terminal.shown, f"words of another seat act on the terminal: {act!r}"
        except AssertionError:
            print(terminal.bytes.decode("utf-8", errors="backslashreplace"), file=sys.stderr)
            terminal.child.kill()
            raise
    assert "Look" in terminal.shown, "the other seat's words are shown"
    lines = (out / "sessions" / "baseline-r000001" / "calls.jsonl").read_text(encoding="utf-8").splitlines()
    raws = [line["raw"] for line in map(json.loads, lines) if "raw" in line]
    expected = [
        "1",
        "STANCE: for\nSTATEMENT: Es wird ruhig, 安静 y ñandú 🙂.",
        "3\nI cannot decide.",
        "none\nI cannot decide.",
        "against",
    ]
    assert raws == expected, f"recorded: {raws!r}"
    replayed = subprocess.run([binary, "replay", str(out)], capture_output=True, text=True, check=False)
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr
    print(f"a person at a terminal: {len(raws)} answers typed, interrupted once, and made again")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    motion = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "scenarios/motion").resolve()
    with tempfile.TemporaryDirectory() as place:
        check(str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(place), motion)
