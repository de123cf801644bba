"""Tables, comparison, report and replay of a results folder."""

from __future__ import annotations

import copy
import doctest
import pickle
import shutil
import sys
from pathlib import Path

import pandas as pd
import pytest

import ekklesia


def test_tables_have_their_types(results: ekklesia.Results) -> None:
    sessions = results.sessions
    assert sessions is results.sessions, "a table is read once"
    assert list(sessions["arm"].cat.categories) == ["silent", "talk"]
    types = {name: str(sessions[name].dtype) for name in ("replicate", "carried", "outcome", "straw_after_modal_share")}
    assert types.pop("outcome").startswith("string")
    assert types == {"replicate": "Int64", "carried": "boolean", "straw_after_modal_share": "float64"}
    assert sessions["time_to_decision"].isna().all()
    assert len(results.seats) == 30
    assert results.statements["words"].gt(0).all()


def test_every_table_is_annotated_and_listed(results: ekklesia.Results) -> None:
    annotated = {name for name, kind in ekklesia.Results.__annotations__.items() if kind == "pd.DataFrame"}
    files = {path.stem for path in results.folder.glob("*.csv")} - {"codebook"}
    assert annotated == files == set(results.tables)
    assert files <= set(dir(results))
    assert all(isinstance(table, pd.DataFrame) for table in results.tables.values())


def test_a_missing_table_says_which_there_are(results: ekklesia.Results) -> None:
    with pytest.raises(AttributeError, match="no table `seat`; the tables are sessions, rounds, "):
        _ = results.seat  # type: ignore[attr-defined, unused-ignore]
    assert not hasattr(results, "_ipython_display_")


def test_reading_leaves_nothing_behind(results: ekklesia.Results) -> None:
    before, modules = sorted(results.folder.rglob("*")), set(sys.modules)
    assert results.tables
    assert sorted(results.folder.rglob("*")) == before
    assert set(sys.modules) == modules


def test_join_keeps_rows(results: ekklesia.Results) -> None:
    joined = results.join(results.seats, results.sessions)
    assert len(joined) == len(results.seats)
    assert list(joined["seat"]) == list(results.seats["seat"])
    assert joined["outcome"].notna().all()


def test_a_comparison_prints_and_has_a_frame(results: ekklesia.Results) -> None:
    comparison = results.compare(metric=["rounds_used", "straw_after_modal_share"], by="talk")
    frame = comparison.contrasts
    assert list(frame.columns) == [
        "metric",
        "factor",
        "first",
        "second",
        "difference",
        "low",
        "high",
        "p",
        "p_adjusted",
        "n",
    ]
    assert list(frame["metric"]) == ["rounds_used", "straw_after_modal_share"]
    assert frame["factor"].eq("talk").all()
    assert frame["difference"][0] == 2.0
    assert frame["n"].tolist() == [3, 3]
    assert str(frame["n"].dtype) == "Int64"
    assert frame["low"].isna().all(), "three blocks are too few for an interval"
    assert "talk − silent" in str(comparison)
    assert comparison._repr_html_().startswith("<pre>")
    assert comparison.json["experiment"] == "talk"
    with pytest.raises(ekklesia.EkklesiaError, match="nix"):
        results.compare(metric="nix")


def test_a_report_is_written(results: ekklesia.Results) -> None:
    path = results.report()
    assert path == Path("results", "talk", "report.html")
    assert "李四" in path.read_text(encoding="utf-8")
    assert results.report("here.html") == Path("here.html")
    assert Path("here.html").stat().st_size > 10_000


def test_a_session_is_shown(results: ekklesia.Results) -> None:
    text = results.show("talk-r000001", seat="李四")
    assert "李四" in text
    assert "Member 1:" not in text


def test_a_replay_counts_and_a_divergence_is_raised(results: ekklesia.Results) -> None:
    replay = results.replay()
    assert (replay.sessions, replay.incomplete) == (6, 0)
    assert replay.records == replay.json["records"] > 0
    minutes = results.folder / "sessions" / "talk-r000001" / "minutes.jsonl"
    content = minutes.read_bytes()
    place = content.rindex(b'"stance":"') + len(b'"stance":"')
    minutes.write_bytes(content[:place] + b"x" + content[place + 1 :])
    with pytest.raises(ekklesia.EkklesiaError, match="talk-r000001") as caught:
        results.replay()
    assert caught.value.exit_code == 3
    assert caught.value.json["differences"] or caught.value.json["unusable"]


def test_a_folder_can_be_moved_and_opened(results: ekklesia.Results, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = results.sessions
    shutil.move(results.folder, "moved")
    Path("elsewhere").mkdir()
    moved = ekklesia.Results("moved")
    monkeypatch.chdir("elsewhere")
    assert moved.sessions.equals(sessions)
    assert moved.summary is None
    assert moved.replay().sessions == 6
    assert repr(moved) == f"Results({str(moved.folder)!r}): 6 sessions: 6 completed"
    with pytest.raises(FileNotFoundError, match="nowhere is not a results folder"):
        ekklesia.Results("nowhere")


def test_a_killed_run_has_no_tables(results: ekklesia.Results) -> None:
    (results.folder / "load.py").unlink()
    opened = ekklesia.Results("results/talk")
    assert "replay" in dir(opened)
    with pytest.raises(FileNotFoundError, match="run it again"):
        _ = opened.sessions


def test_results_and_errors_can_be_copied(results: ekklesia.Results) -> None:
    assert copy.copy(results).sessions.equals(pickle.loads(pickle.dumps(results)).sessions)
    with pytest.raises(ekklesia.EkklesiaError) as caught:
        ekklesia.run("none.yaml")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.problems) == (str(caught.value), caught.value.problems)


def test_the_examples_of_the_docstrings_run() -> None:
    names = {"ekklesia": ekklesia, "results": ekklesia.run("configs/first.yaml")}
    examples = [
        example
        for module in ("ekklesia", "ekklesia._program", "ekklesia._results")
        for test in doctest.DocTestFinder().find(sys.modules[module])
        for example in test.examples
    ]
    for example in examples:
        exec(example.source, dict(names))
    assert len(examples) > 12
