"""Every test works in a folder of its own, with the real program: `EKKLESIA_PROGRAM`, or the one that is installed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

import ekklesia

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the configs of the tree, and one scenario."""
    if program := os.environ.get("EKKLESIA_PROGRAM"):
        monkeypatch.setenv("EKKLESIA_PROGRAM", str(Path(program).absolute()))
    for folder in ("configs", "scenarios/motion"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def design() -> dict[str, Any]:
    """A small design: five simulated seats that only vote, or talk first."""
    return {
        "experiment": "talk",
        "scenario": "builtin:motion",
        "seed": 42,
        "replicates": 3,
        "models": {"sim": {"simulated": {}}},
        "seat_defaults": {"model": "sim", "mind": {"voter": {"copy": 0.5}}},
        "seats": [{"name": "Jürgen"}, {"name": "李四"}, {"count": 3, "name": "Member {n}"}],
        "discussion": {"vote": "at_end"},
        "straw_polls": ["before", "after"],
        "design": {"factors": {"talk": {"key": "discussion.rounds", "levels": {"silent": 0, "talk": 2}}}},
    }


@pytest.fixture
def results(design: dict[str, Any]) -> ekklesia.Results:
    """The results of the small design."""
    return ekklesia.run(design, progress=False)
