"""Runs experiments, and reads results folders."""

from __future__ import annotations

import json
import os
import runpy
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from ekklesia._program import EkklesiaError, ProgressBar, call_program, write_config, write_options

CONTRAST_COLUMNS = {
    "metric": ("metric", "string"),
    "factor": ("factor", "string"),
    "first": ("first", "string"),
    "second": ("second", "string"),
    "main.difference": ("difference", "float64"),
    "main.interval.low": ("low", "float64"),
    "main.interval.high": ("high", "float64"),
    "main.test.p": ("p", "float64"),
    "p_adjusted": ("p_adjusted", "float64"),
    "main.blocks": ("n", "Int64"),
}


def run(config: str | os.PathLike[str] | Mapping[str, Any], *, progress: bool = True, **options: object) -> Results:
    """Runs an experiment, and returns its results; the same call again resumes what is missing.

    `config` is the path of a config or of a results folder, or the config itself: a dict, or YAML of several lines.
    Relative paths in a dict or a text begin at the working directory. `options` are those of `ekklesia run`:
    `replicates=40`, `retry_failed=True`, `set={"decision.rule": "majority"}`. A list repeats an option.

    >>> results = ekklesia.run("configs/first.yaml", replicates=40)
    """
    written: str | None = None
    if isinstance(config, Mapping) or (isinstance(config, str) and "\n" in config):
        path = written = write_config(config)
    else:
        path = os.fspath(config)
    always = ["--json", "--stop-with-stdin", *(["--progress=1"] if progress else [])]
    arguments = ["run", *always, *write_options(options), "--", path]
    bar = ProgressBar()
    try:
        summary = json.loads(call_program(arguments, hidden_name=written, show_line=bar.show_line))
    except EkklesiaError as error:
        error.results = _find_results(error.json)
        raise
    finally:
        bar.close()
        if written is not None:
            os.unlink(written)
    results = _find_results(summary)
    assert results is not None, "a summary names its folder"
    return results


def _find_results(summary: Any) -> Results | None:
    of_folder = summary.get("pilot", summary) if isinstance(summary, dict) else {}
    return Results(of_folder["folder"], summary) if "folder" in of_folder else None


class Results:
    """A results folder, also one that was made elsewhere. Each table is an attribute, read when it is first used.

    >>> ekklesia.Results("results/first").sessions["outcome"].value_counts()
    """

    folder: Path
    """The results folder, as an absolute path."""
    summary: dict[str, Any] | None
    """The JSON of `ekklesia run --json`; `None` if the folder was only opened."""

    answers: pd.DataFrame
    ballots: pd.DataFrame
    counterfactuals: pd.DataFrame
    marks: pd.DataFrame
    payoffs: pd.DataFrame
    proposals: pd.DataFrame
    rounds: pd.DataFrame
    seat_rounds: pd.DataFrame
    seats: pd.DataFrame
    sessions: pd.DataFrame
    statements: pd.DataFrame
    tallies: pd.DataFrame
    values: pd.DataFrame
    variables: pd.DataFrame
    texts: pd.DataFrame
    assignments: pd.DataFrame

    def __init__(self, folder: str | os.PathLike[str], summary: dict[str, Any] | None = None) -> None:
        """Opens a folder."""
        self.folder = Path(folder).absolute()
        self.summary = summary
        if not (self.folder / "experiment.json").is_file():
            raise FileNotFoundError(f"{folder} is not a results folder: it has no experiment.json")

    def __getattr__(self, name: str) -> pd.DataFrame:
        """Reads a table, with the types that the folder's `load.py` gives its columns."""
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._table_names:
            raise AttributeError(f"there is no table `{name}`; the tables are {', '.join(self._table_names)}")
        reader = self._read_loader()
        for other in set(self._table_names) - {name}:
            del reader["TYPES"][other]
        table: pd.DataFrame = reader["load"](self.folder)[name]
        self.__dict__[name] = table
        return table

    def __dir__(self) -> Iterable[str]:
        """Lists the tables, too, for completion."""
        has_tables = (self.folder / "load.py").is_file()
        return {*super().__dir__(), *(self._table_names if has_tables else ())}

    def __repr__(self) -> str:
        """Shows the folder, and how many sessions have which status."""
        counts = json.loads((self.folder / "experiment.json").read_text(encoding="utf-8"))
        if "sessions" not in counts:
            return f"Results({self._shown!r}): its run did not end; run it again"
        statuses = (f"{counts[status]} {status}" for status in ("completed", "incomplete", "failed") if counts[status])
        return f"Results({self._shown!r}): {counts['sessions']} sessions: {', '.join(statuses)}"

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables by their names.

        >>> {name: len(table) for name, table in results.tables.items()}
        """
        return {name: getattr(self, name) for name in self._table_names}

    def join(self, rows: pd.DataFrame, other: pd.DataFrame) -> pd.DataFrame:
        """Returns every row of the first table with the columns of the second.

        The second has one row for each session, or for each session and seat.

        >>> results.join(results.seats, results.sessions)
        """
        joined: pd.DataFrame = self._read_loader()["join"](rows, other)
        return joined

    def compare(self, **options: object) -> Comparison:
        """Compares the arms; `options` are those of `ekklesia compare`.

        >>> results.compare(metric="carried", by="talk").contrasts
        """
        arguments = ["compare", *write_options(options), "--", self._shown]
        printed = json.loads(call_program([*arguments[:1], "--json", *arguments[1:]]))
        # The text repeats the warnings, which were printed with the JSON.
        return Comparison(text=call_program(arguments, show_line=lambda line: None), json=printed)

    def report(self, out: str | os.PathLike[str] | None = None) -> Path:
        """Writes the HTML report, into the results folder if `out` is not given, and returns its path.

        >>> results.report("first.html")
        """
        call_program(["report", *write_options({"out": out}), "--", self._shown])
        return Path(self._shown, "report.html") if out is None else Path(out)

    def figure(self, name: str) -> Any:
        """Draws a figure of the report with matplotlib, and returns matplotlib's `Figure`.

        >>> results.figure("contrasts").savefig("contrasts.pdf")
        """
        with tempfile.TemporaryDirectory() as place:
            folder = os.path.join(place, "figures")
            call_program(["export", "--format", "figures", "--out", folder, "--", self._shown])
            return self._read_loader()["draw_figure"](name, folder)

    def replay(self, **options: object) -> Replay:
        """Runs every session again from its record, and raises an error if any byte differs.

        >>> results.replay().answers_recomputed
        """
        printed = json.loads(call_program(["replay", "--json", *write_options(options), "--", self._shown]))
        names = ("sessions", "incomplete", "records", "answers_recomputed", "answers_recorded")
        return Replay(json=printed, **{name: printed[name] for name in names})

    def show(self, session: str, **options: object) -> str:
        """Returns the transcript of a session as Markdown; `options` are those of `ekklesia show`.

        >>> print(results.show("talk-r000001", seat="Zoe"))
        """
        folder = os.path.join(self._shown, "sessions", session)
        return call_program(["show", *write_options(options), "--", folder])

    @property
    def _shown(self) -> str:
        """The folder as a person would name it: relative to the working directory if it is inside."""
        try:
            return str(self.folder.relative_to(Path.cwd()))
        except ValueError:
            return str(self.folder)

    @cached_property
    def _table_names(self) -> list[str]:
        return list(self._read_loader()["TYPES"])

    def _read_loader(self) -> dict[str, Any]:
        script = self.folder / "load.py"
        if not script.is_file():
            raise FileNotFoundError(f"{self._shown} has no load.py: its run did not end; run it again")
        # Unlike an import, this leaves no compiled file in the folder.
        return runpy.run_path(str(script))


@dataclass(frozen=True)
class Comparison:
    """A comparison of arms; it prints as `ekklesia compare` does.

    >>> results.compare().contrasts[["first", "second", "difference", "low", "high", "p"]]
    """

    text: str
    json: dict[str, Any] = field(repr=False)
    """The object of `ekklesia compare --json`."""

    @property
    def contrasts(self) -> pd.DataFrame:
        """One row for each contrast: the difference is `first` − `second`, over `n` blocks."""
        rows = pd.json_normalize(self.json["compared"]["contrasts"]).reindex(columns=list(CONTRAST_COLUMNS))
        rows.columns = pd.Index([name for name, _ in CONTRAST_COLUMNS.values()])
        typed: pd.DataFrame = rows.astype(dict(CONTRAST_COLUMNS.values()))
        return typed

    def __str__(self) -> str:
        """Returns the text of `ekklesia compare`."""
        return self.text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text)}</pre>"


@dataclass(frozen=True)
class Replay:
    """A replay in which every byte was the same.

    >>> results.replay().records
    """

    sessions: int
    incomplete: int
    records: int
    answers_recomputed: int
    answers_recorded: int
    json: dict[str, Any] = field(repr=False)
    """The object of `ekklesia replay --json`."""
