"""Models of opinions against NumPy, by what a config says and the tables tell: whole trajectories of groups drawn at random.

Usage: minds_check.py EKKLESIA FOLDER [SEED]. Tables have six decimals, so that a trajectory is right within one unit of the last.
"""

import csv
import pathlib
import subprocess
import sys

import numpy as np

EKKLESIA, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
RNG = np.random.default_rng(int(sys.argv[3]) if len(sys.argv) > 3 else 2026)
SCENARIO = pathlib.Path("scenarios/motion").resolve()
WITHIN = 1.5e-6


def run(name, minds, rounds, order="simultaneous", network="complete"):
    """The opinions of a group at the beginning of each round."""
    names = [f"P{place}" for place in range(len(minds))]
    seats = "".join(f"  - {{ name: {seat}, mind: {mind} }}\n" for seat, mind in zip(names, minds))
    config, out = FOLDER / f"{name}.yaml", FOLDER / name
    config.write_text(
        f"experiment: {name}\nscenario: {SCENARIO}\nseed: {RNG.integers(1_000_000)}\nmodels: {{ sim: {{ simulated: {{}} }} }}\n"
        f"seat_defaults: {{ model: sim }}\nseats:\n{seats}"
        f"discussion: {{ rounds: {rounds}, order: {order}, vote: at_end, network: {network} }}\n"
        "memory: { policy: full, public_history_max_length: 10000000 }\nstraw_polls: [before, after]\n"
    )
    subprocess.run([EKKLESIA, "run", config, "--out", out], check=True, capture_output=True)
    said = {}
    for row in csv.DictReader(open(out / "seat_rounds.csv", encoding="utf-8")):
        if row["phase"] == "discussion" and row["opinion"]:
            said[int(row["round"]), row["seat"]] = float(row["opinion"])
    return [np.array([said[number, seat] for seat in names]) for number in range(1, rounds + 1)]


def check(what, found, step, first):
    """Compares a trajectory with the one that a step makes of the first opinions."""
    expected = first
    for number, opinions in enumerate(found, 1):
        error = np.abs(opinions - expected).max()
        assert error <= WITHIN, f"{what}: round {number} is off by {error}"
        expected = step(expected)
    print(f"{what}: {len(found)} rounds")


def row_of_weights(size):
    """Weights that sum to exactly 1 with six decimals."""
    parts = np.floor(RNG.dirichlet(np.ones(size)) * 1e6).astype(int)
    parts[RNG.integers(size)] += 1_000_000 - parts.sum()
    return parts / 1e6


def written(number):
    return f"{number:.6f}"


def means():
    size = 6
    first = np.round(RNG.random(size), 6)
    matrix = np.array([row_of_weights(size) for _ in range(size)])
    others = [
        "{ " + ", ".join(f"P{other}: {written(matrix[own, other])}" for other in range(size) if other != own) + " }"
        for own in range(size)
    ]
    own_weight = [f"self_weight: {written(matrix[own, own])}, weights: {others[own]}" for own in range(size)]
    degroot = [f"{{ degroot: {{ opinion: {written(first[own])}, {own_weight[own]} }} }}" for own in range(size)]
    for order in ["simultaneous", "random", "rotating"]:
        check(f"degroot, {order}", run(f"degroot_{order}", degroot, 15, order), lambda x: matrix @ x, first)
    stubbornness, attractor, pull = (np.round(RNG.random(size), 6) for _ in range(3))
    held = [
        f"{{ friedkin_johnsen: {{ opinion: {written(first[own])}, {own_weight[own]}, stubbornness: {written(stubbornness[own])}, "
        f"attractor: {written(attractor[own])}, pull: {written(pull[own])} }} }}"
        for own in range(size)
    ]
    anchor = (1 - pull) * first + pull * attractor
    check(
        "friedkin_johnsen with attractors",
        run("friedkin_johnsen", held, 20),
        lambda x: (1 - stubbornness) * (matrix @ x) + stubbornness * anchor,
        first,
    )
    alike = [f"{{ degroot: {{ opinion: {written(opinion)}, self_weight: 0.3 }} }}" for opinion in first]
    ring = lambda x: 0.3 * x + 0.7 * (np.roll(x, 1) + np.roll(x, -1)) / 2
    check("degroot in a ring", run("ring", alike, 15, network="ring"), ring, first)
    star = lambda x: 0.3 * x + 0.7 * np.append(x[1:].mean(), np.repeat(x[0], size - 1))
    check("degroot around a hub", run("star", alike, 15, network="star"), star, first)


def bounded_confidence():
    for bound in [0.12, 0.2, 0.3]:
        first = np.round(RNG.random(12), 6)
        minds = [f"{{ hegselmann_krause: {{ opinion: {written(opinion)}, confidence: {bound} }} }}" for opinion in first]

        def step(x):
            near = np.abs(x[:, None] - x[None, :]) <= bound + 1e-12
            return near @ x / near.sum(1)

        check(f"hegselmann_krause, {bound}", run(f"hk_{bound}", minds, 12), step, first)
    for convergence, bound in [(0.5, 0.3), (0.3, 0.4)]:
        first = np.round(RNG.random(9), 6)
        minds = [
            f"{{ deffuant: {{ opinion: {written(opinion)}, confidence: {bound}, convergence: {convergence} }} }}"
            for opinion in first
        ]
        found = run(f"deffuant_{convergence}", minds, 25)
        for before, after in zip(found, found[1:]):
            assert abs(before.mean() - after.mean()) <= WITHIN, "a meeting keeps the mean"
            for own in np.flatnonzero(np.abs(after - before) > WITHIN):
                gap = before - before[own]
                met = np.abs(after[own] - before[own] - convergence * gap) <= 2 * WITHIN
                met &= np.abs(after - before + convergence * gap) <= 2 * WITHIN
                assert (met & (np.abs(gap) < bound) & (np.arange(9) != own)).any(), "two who are near enough move by the same"
        print(f"deffuant, {convergence} and {bound}: {len(found)} rounds")


FOLDER.mkdir(parents=True, exist_ok=True)
means()
bounded_confidence()
