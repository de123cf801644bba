"""Finds the program, calls it, and turns its errors into one exception."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from tqdm import tqdm

    from ekklesia._results import Results

PROGRESS = re.compile(r"(?P<verb>\w+) (?P<done>\d[\d\s]*) of (?P<all>\d[\d\s]*) sessions(?: · (?P<rest>.*))?")
DIFFERENCES_SHOWN = 5


@dataclasses.dataclass(frozen=True)
class Problem:
    """Something wrong in a config, a scenario or an option.

    >>> try:
    ...     ekklesia.run({"experiment": "talk", "sede": 1})
    ... except ekklesia.EkklesiaError as error:
    ...     keys = [problem.path for problem in error.problems]
    """

    file: str
    """The file, `config` for a dict or YAML text, or the option."""
    path: str
    """The key, as in `seats.Ann.mind`; empty if the problem is the file itself."""
    message: str
    hint: str | None = None
    line: int | None = None
    column: int | None = None
    end_column: int | None = None
    arm: str | None = None
    """The arm, if only one arm is wrong."""
    argument: str | None = None
    """The value of the option."""

    def __str__(self) -> str:
        has_position = self.argument is None and self.line is not None and self.column is not None
        place = f"{self.file}:{self.line}:{self.column}" if has_position else self.file
        arm = f" (in the arm {self.arm})" if self.arm else ""
        argument = f"\n      | {self.file} {self.argument}" if self.argument else ""
        hint = f"\n      = {self.hint}" if self.hint else ""
        return ": ".join(part for part in (place, self.path, self.message) if part) + arm + argument + hint


class EkklesiaError(Exception):
    """The program did not do what it was asked to.

    >>> try:
    ...     ekklesia.run("configs/first.yaml", replicates=0)
    ... except ekklesia.EkklesiaError as error:
    ...     print(error, error.exit_code)
    """

    __module__ = "ekklesia"

    problems: Sequence[Problem] = ()
    """Everything wrong in the config and the options."""
    exit_code: int | None = None
    """1: failed, 2: wrong config or command line, 3: not what was recorded, 4: incomplete; `None`: never started."""
    stderr: str = ""
    """Everything the program printed to standard error, besides the progress."""
    json: Any = None
    """What the program printed to standard output, if it is JSON."""
    results: Results | None = None
    """The results folder of a run, if there is one: incomplete, but kept."""


def find_program() -> str:
    """Returns the path of the program: `EKKLESIA_PROGRAM`, else the one installed with this package, else on `PATH`."""
    given = os.environ.get("EKKLESIA_PROGRAM")
    if given:
        program = shutil.which(given)
        if program is None:
            raise EkklesiaError(
                f"EKKLESIA_PROGRAM: {given} is not a program that can be run; set its path, or unset the variable"
            )
        return program
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user"), None]
    for folder in folders:
        program = shutil.which("ekklesia", path=folder)
        if program is not None:
            return program
    raise EkklesiaError("the program ekklesia is neither installed nor on PATH; set EKKLESIA_PROGRAM to its path")


def write_options(options: Mapping[str, object]) -> list[str]:
    """Returns options as the program reads them, so that a new option of the program needs no change here."""
    arguments: list[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if isinstance(value, Mapping):
            pairs = (f"{key}={json.dumps(part, ensure_ascii=False, default=as_plain)}" for key, part in value.items())
            arguments += [f"{option}={pair}" for pair in pairs]
        elif value is True:
            arguments.append(option)
        elif isinstance(value, (list, tuple)):
            arguments += [f"{option}={part}" for part in value]
        elif value is not None and value is not False:
            arguments.append(f"{option}={value}")
    return arguments


def as_plain(value: Any) -> Any:
    """Returns a path, or a number or an array of NumPy or pandas, as something that JSON has."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{value!r} is a {type(value).__name__}, which a config cannot hold")


def write_config(config: Mapping[str, Any] | str) -> str:
    """Writes a config to a file in the working directory, where its relative paths begin."""
    if isinstance(config, str):
        text = config
    else:
        text = json.dumps(dict(config), indent=2, ensure_ascii=False, allow_nan=False, default=as_plain)
    handle, name = tempfile.mkstemp(prefix=".ekklesia-", suffix=".yaml", dir=".")
    with open(handle, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    return os.path.basename(name)


def call_program(
    arguments: Sequence[str], hidden_name: str | None = None, show_line: Callable[[str], None] | None = None
) -> str:
    """Calls the program until it ends, and returns what it printed to standard output.

    `hidden_name` is the name of a temporary config. `show_line` gets each line of standard error as it is printed;
    without it, they are printed at the end, unless the call fails.
    """
    named: Callable[[str], str] = (lambda text: text.replace(hidden_name, "config")) if hidden_name else str
    lines: list[str] = []
    is_interrupted = False
    group: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    with tempfile.TemporaryFile() as printed:
        # The program is in a group of its own: a terminal and a notebook interrupt their whole group, and the program
        # stops at once if it is interrupted twice.
        with subprocess.Popen(
            [find_program(), *arguments],
            # It is closed when this process ends, however it ends; a run then stops as if it were interrupted.
            stdin=subprocess.PIPE,
            stdout=printed,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            **group,
        ) as process:
            assert process.stderr is not None
            while True:
                try:
                    for line in process.stderr:
                        lines.append(named(line))
                        if show_line is not None:
                            show_line(lines[-1])
                    exit_code = process.wait()
                    break
                except KeyboardInterrupt:
                    is_interrupted = True
                    if sys.platform == "win32":
                        process.send_signal(signal.CTRL_BREAK_EVENT)
                    else:
                        process.send_signal(signal.SIGINT)
                except BaseException:
                    process.terminate()
                    raise
        printed.seek(0)
        text = named(printed.read().decode("utf-8", errors="replace"))
    if is_interrupted:
        raise KeyboardInterrupt
    stderr = "".join(line for line in lines if PROGRESS.fullmatch(line.strip()) is None)
    if exit_code != 0:
        raise make_error(exit_code, text, stderr)
    if show_line is None:
        sys.stderr.write(stderr)
    return text


def make_error(exit_code: int, text: str, stderr: str) -> EkklesiaError:
    """Makes the exception for a call that failed, from what the program printed."""
    try:
        printed = json.loads(text)
    except ValueError:
        printed = None
    found = printed if isinstance(printed, dict) else {}
    names = [field.name for field in dataclasses.fields(Problem)]
    problems = [Problem(**{name: problem.get(name) for name in names}) for problem in found.get("problems", [])]
    differences = [*found.get("differences", []), *found.get("unusable", [])]
    parts = differences[:DIFFERENCES_SHOWN]
    if len(differences) > DIFFERENCES_SHOWN:
        parts.append(f"and {len(differences) - DIFFERENCES_SHOWN} more")
    if problems:
        parts = [f"{len(problems)} problem{'s' * (len(problems) > 1)}", *map(str, problems)]
    else:
        parts += stderr.strip().splitlines()
    error = EkklesiaError("\n".join(parts) or f"the program ended with exit code {exit_code}")
    error.problems, error.exit_code, error.stderr, error.json = tuple(problems), exit_code, stderr, printed
    return error


class ProgressBar:
    """Shows the program's lines of progress as a bar of sessions, and prints its other lines."""

    def __init__(self) -> None:
        self._bar: tqdm[Any] | None = None

    def show_line(self, line: str) -> None:
        """Shows a line of the program's standard error."""
        progress = PROGRESS.fullmatch(line.strip())
        if progress is None:
            if self._bar is None:
                sys.stderr.write(line)
            else:
                self._bar.write(line, file=sys.stderr, end="")
            return
        done, total = (int("".join(progress[name].split())) for name in ("done", "all"))
        if self._bar is None:
            self._bar = _begin_bar(progress["verb"], total)
        self._bar.n = done
        self._bar.set_postfix_str(progress["rest"] or "")

    def close(self) -> None:
        """Ends the bar, which stays visible."""
        if self._bar is not None:
            self._bar.close()


def _begin_bar(verb: str, total: int) -> tqdm[Any]:
    with warnings.catch_warnings():
        # Without ipywidgets a notebook shows the bar as text, which needs no warning.
        warnings.simplefilter("ignore")
        from tqdm.auto import tqdm
    # The time left is the program's estimate, which counts calls; tqdm would count sessions.
    return tqdm(
        total=total, desc=verb, bar_format="{desc} {percentage:3.0f}% {bar} {n_fmt} of {total_fmt} sessions{postfix}"
    )
