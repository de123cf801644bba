"""Run group deliberation experiments from Python, and read their tables as data frames.

>>> ekklesia.run("configs/first.yaml").sessions.groupby("arm", observed=True)["carried"].mean()

The program `ekklesia` does the work in a process of its own.
"""

from ekklesia._program import EkklesiaError, Problem
from ekklesia._results import Comparison, Replay, Results, run

__all__ = ["Comparison", "EkklesiaError", "Problem", "Replay", "Results", "run"]
