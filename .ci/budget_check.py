"""Compares the winners of participatory budgets with those that pabutools finds for the same ballots.

    python .ci/budget_check.py PROGRAM FOLDER

Sessions of `participatory_budget` on simulated seats are run with approvals, scores and allocations, under greedy spending and equal shares, for several
budgets, with ties broken by the order of the options. The winners must be those that pabutools finds: the greedy rule by satisfaction for each
unit of cost, and the method of equal shares with costs as satisfaction, completed by the greedy rule.
"""

import csv
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

from pabutools.election import (ApprovalBallot, ApprovalProfile, CardinalBallot, CardinalProfile, Cost_Sat, Instance, Project,
                                SatisfactionMeasure)
from pabutools.rules import greedy_utilitarian_welfare, method_of_equal_shares
from pabutools.tiebreaking import TieBreakingRule

COSTS = {"playground": 40, "trees": 25, "crossing": 35, "benches": 10, "workshop": 55, "lights": 30, "garden": 20, "festival": 15}
REPLICATES = 40


class ScoredCost(SatisfactionMeasure):
    """A project is worth its cost times the score that the ballot gives it."""

    def get_project_sat(self, project, sat=None):
        return project.cost * self.ballot.get(project, 0)

    def get_project_sat_list(self, projects, sat=None):
        return [self.get_project_sat(project) for project in projects]

    def sat(self, projects):
        return sum(self.get_project_sat(project) for project in projects)

    def sat_project(self, project):
        return self.get_project_sat(project)


def read_sessions(folder):
    """The winners and the ballots of each session: the scores that each seat gives projects."""
    with open(folder / "sessions.csv", newline="") as file:
        winners = {row["session"]: frozenset(row["result"].split("+")) for row in csv.DictReader(file)}
    ballots = defaultdict(lambda: defaultdict(dict))
    with open(folder / "ballots.csv", newline="") as file:
        for row in csv.DictReader(file):
            score = row["chosen"] or row["score"]
            ballots[row["session"]][row["seat"]][row["alternative"]] = int(score)
    return winners, ballots


def find_winners(ballots, budget, method):
    """The winners that pabutools finds, without projects that nobody wants."""
    projects = {name: Project(name, cost) for name, cost in COSTS.items()}
    order = list(COSTS)
    ties = TieBreakingRule(lambda instance, profile, project: order.index(project.name))
    instance = Instance(projects.values(), budget_limit=budget)
    is_approval = all(score in (0, 1) for seat in ballots.values() for score in seat.values())
    if is_approval:
        profile = ApprovalProfile([ApprovalBallot(projects[name] for name, score in seat.items() if score) for seat in ballots.values()])
        measure = Cost_Sat
    else:
        profile = CardinalProfile([CardinalBallot({projects[name]: score for name, score in seat.items()}) for seat in ballots.values()])
        measure = ScoredCost
    begun = []
    if method == "equal_shares":
        begun = list(method_of_equal_shares(instance, profile, sat_class=measure, tie_breaking=ties))
    won = greedy_utilitarian_welfare(instance, profile, sat_class=measure, tie_breaking=ties, initial_budget_allocation=begun)
    points = Counter()
    for seat in ballots.values():
        points.update(seat)
    return frozenset(project.name for project in won if points[project.name] > 0)


def main(program, place):
    place.mkdir(parents=True, exist_ok=True)
    checked = 0
    for ballot, rule in [("approval", "approval"), ("score", "score"), ("allocation", "score")]:
        for budget in (60, 100, 150):
            out = place / f"{ballot}-{budget}"
            settings = [f"replicates={REPLICATES}", f"agenda.decide.ballot={ballot}", f"agenda.decide.rule={rule}", f"parameters.budget={budget}", "agenda.decide.tie_break=agenda_order"]
            sets = [part for setting in settings for part in ("--set", setting)]
            subprocess.run([program, "run", "configs/participatory_budget.yaml", *sets, "--out", out], check=True, capture_output=True)
            winners, ballots = read_sessions(out)
            for session, won in winners.items():
                method = "greedy" if session.startswith("points") else "equal_shares"
                found = find_winners(ballots[session], budget, method)
                if won != found:
                    told = [", ".join(sorted(names)) for names in (won, found)]
                    sys.exit(f"{out}: {session}: {told[0]} won, and pabutools finds {told[1]}")
                checked += 1
    print(f"{checked} budgets, the same winners in pabutools")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
