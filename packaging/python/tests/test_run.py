"""Configs, options, errors, progress and interruption of `run`."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ekklesia
from ekklesia._program import find_program


def read_counts(folder: str) -> dict[str, Any]:
    counts: dict[str, Any] = json.loads(Path(folder, "experiment.json").read_text(encoding="utf-8"))
    return counts


def test_a_config_is_a_path_a_dict_or_text(design: dict[str, Any]) -> None:
    by_dict = ekklesia.run(design, out="results/dict")
    text = json.dumps(design, indent=1, ensure_ascii=False)
    by_text = ekklesia.run(text, out="results/text")
    Path("talk.yaml").write_text(text, encoding="utf-8")
    by_path = [ekklesia.run("talk.yaml", out="results/str"), ekklesia.run(Path("talk.yaml"), out="results/path")]
    for other in [by_text, *by_path]:
        assert other.sessions.equals(by_dict.sessions)
        assert other.statements.equals(by_dict.statements)
    assert len(by_dict.sessions) == 6
    assert set(by_dict.seats["seat"]) == {"Jürgen", "李四", "Member 1", "Member 2", "Member 3"}
    assert not list(Path().glob(".ekklesia-*")), "the temporary config is removed"


def test_a_dict_may_hold_paths_and_numbers_of_numpy(design: dict[str, Any]) -> None:
    design["scenario"] = Path("scenarios") / "motion"
    design["seed"], design["replicates"] = np.int64(7), np.int32(2)
    design["seat_defaults"]["mind"]["voter"]["copy"] = np.float32(0.5)
    design["straw_polls"] = np.array(["before"])
    results = ekklesia.run(design)
    assert (results.summary or {})["seed"] == 7
    assert len(results.sessions) == 4
    with pytest.raises(TypeError, match="object, which a config cannot hold"):
        ekklesia.run({**design, "seed": object()})


def test_options_are_those_of_the_program(design: dict[str, Any]) -> None:
    settings = {"decision.rule": "plurality", "straw_polls": ["after"], "controls.anonymous": True}
    results = ekklesia.run(
        design, replicates=np.int64(2), out=Path("m"), set=settings, seed=None, offline=True, log=["warn", "log.jsonl"]
    )
    assert results.folder == Path("m").absolute()
    assert len(results.sessions) == 4
    assert results.sessions["straw_before_modal_share"].isna().all()
    assert results.sessions["straw_after_modal_share"].notna().all()
    assert Path("log.jsonl").is_file()


def test_a_pilot_names_its_own_folder(design: dict[str, Any]) -> None:
    pilot = ekklesia.run(design, pilot=1)
    assert pilot.folder.name == "talk-pilot"
    assert len(pilot.sessions) == 2
    assert set(pilot.summary or {}) == {"pilot", "whole"}


def test_a_results_folder_can_be_run(results: ekklesia.Results) -> None:
    again = ekklesia.run(results.folder)
    assert again.folder == results.folder
    assert again.sessions.equals(results.sessions)


def test_more_replicates_extend_a_folder(design: dict[str, Any], results: ekklesia.Results) -> None:
    longer = ekklesia.run(design, replicates=4)
    assert longer.folder == results.folder
    assert len(longer.sessions) == 8


def test_one_exception_carries_all_problems(design: dict[str, Any]) -> None:
    design["sede"] = 1
    design["seats"][1]["modle"] = "sim"
    design["discussion"]["order"] = "randm"
    with pytest.raises(ekklesia.EkklesiaError) as caught:
        ekklesia.run(design)
    error = caught.value
    assert error.exit_code == 2
    assert error.results is None
    assert {problem.path for problem in error.problems} == {"sede", "seats.李四.modle", "discussion.order"}
    lines = json.dumps(design, indent=2, ensure_ascii=False).splitlines()
    for problem in error.problems:
        assert problem.file == "config"
        assert problem.path.rpartition(".")[2] in lines[(problem.line or 0) - 1]
        assert f"config:{problem.line}:{problem.column}: {problem.path}: {problem.message}" in str(error)
        assert problem.hint is None or f"= {problem.hint}" in str(error)
    assert 'did you mean "random"?' in str(error)
    assert not Path("results").exists()


def test_problems_of_files_and_options_name_them() -> None:
    text = Path("configs/first.yaml").read_text(encoding="utf-8")
    Path("configs/bad.yaml").write_text(text.replace("seed: 42", "seed: many"), encoding="utf-8")
    with pytest.raises(
        ekklesia.EkklesiaError, match=r"configs/bad.yaml:\d+:7: seed: expected a whole number"
    ) as caught:
        ekklesia.run("configs/bad.yaml")
    assert caught.value.problems[0].file == "configs/bad.yaml"
    with pytest.raises(ekklesia.EkklesiaError, match="--set: decision.rul: unknown key") as caught:
        ekklesia.run("configs/first.yaml", set={"decision.rul": "majority"})
    assert caught.value.problems[0].argument == 'decision.rul="majority"'
    with pytest.raises(ekklesia.EkklesiaError, match="none.yaml: no such file"):
        ekklesia.run("none.yaml")
    with pytest.raises(ekklesia.EkklesiaError, match="unexpected argument '--replicate'") as caught:
        ekklesia.run("configs/first.yaml", replicate=3)
    assert (caught.value.problems, caught.value.exit_code) == ((), 2)


def test_an_incomplete_run_keeps_its_results(design: dict[str, Any]) -> None:
    # Nobody listens on this port, so no question of this model is answered.
    design["models"]["none"] = {"openai": {"base_url": "http://127.0.0.1:9/v1", "model": "none"}}
    design["seats"][0]["model"] = "none"
    with pytest.raises(ekklesia.EkklesiaError) as caught:
        ekklesia.run(design)
    assert caught.value.exit_code == 1
    assert caught.value.results is not None
    assert caught.value.results.folder.name == "talk"
    assert repr(caught.value.results).endswith("6 sessions: 6 incomplete")


def test_progress_is_shown_as_a_bar(design: dict[str, Any], capfd: pytest.CaptureFixture[str]) -> None:
    ekklesia.run(design)
    shown = capfd.readouterr().err
    assert "6 of 6 sessions" in shown
    assert "100%" in shown
    assert "run 6 of 6" not in shown, "the program's line is not shown besides"
    assert "results in results/talk" in shown, "other lines are passed on"
    ekklesia.run(design, replicates=4, progress=False)
    assert "of 8 sessions" not in capfd.readouterr().err


# A shell may have started the tests with interrupts ignored.
SCRIPT = """
import signal
import ekklesia
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    ekklesia.run("configs/first.yaml", replicates=5000, jobs=1)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of groups are those of POSIX")
def test_an_interrupted_run_stops_and_continues(design: dict[str, Any]) -> None:
    # A notebook and a terminal interrupt the whole group of processes, so this does, too.
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stderr is not None and process.stdout is not None
        before = ""
        while "sessions," not in before:
            character = process.stderr.read(1)
            assert character, before
            before += character
        os.killpg(process.pid, signal.SIGINT)
        assert process.stdout.read() == "interrupted\n"
        after = process.stderr.read()
    assert process.returncode == 0, after
    assert "incomplete; what is there is kept in results/first" in after
    counts = read_counts("results/first")
    assert 0 < counts["completed"] < counts["sessions"] == 10_000
    kept = ekklesia.Results("results/first").sessions
    assert (kept["status"] == "completed").sum() == counts["completed"]
    again = ekklesia.run("configs/first.yaml", replicates=5000)
    assert repr(again) == f"Results({os.path.join('results', 'first')!r}): 10000 sessions: 10000 completed"


def test_a_run_stops_when_python_is_killed(design: dict[str, Any]) -> None:
    with subprocess.Popen([sys.executable, "-c", SCRIPT], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        before = ""
        while "sessions," not in before:
            character = process.stderr.read(1)
            assert character, before
            before += character
        process.kill()
    # The program writes its totals at its end, whether it stopped or ran all.
    while "completed" not in (counts := read_counts("results/first")):
        time.sleep(0.05)
    assert 0 < counts["completed"] < counts["sessions"] == 10_000


def test_a_missing_program_is_reported(design: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EKKLESIA_PROGRAM", str(tmp_path / "none"))
    with pytest.raises(ekklesia.EkklesiaError, match="EKKLESIA_PROGRAM: .*none is not a program") as caught:
        ekklesia.run(design)
    assert caught.value.exit_code is None
    assert not list(Path().glob(".ekklesia-*"))


def test_the_program_is_found_on_the_path(
    design: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = find_program()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / Path(program).name).symlink_to(program)
    monkeypatch.delenv("EKKLESIA_PROGRAM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert len(ekklesia.run(design).sessions) == 6
    monkeypatch.setenv("PATH", str(tmp_path))
    if shutil.which("ekklesia", path=sysconfig.get_path("scripts")) is None:
        with pytest.raises(ekklesia.EkklesiaError, match="neither installed nor on PATH"):
            ekklesia.run(design)


def test_the_module_runs_the_program() -> None:
    command = [sys.executable, "-m", "ekklesia", "run", "none.yaml"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "none.yaml: no such file" in done.stderr
