"""Runs scripted groups that pass, fall silent, are invalid, switch and tie, in words of many scripts, and computes the measures of
their tables again from the minutes alone, with SciPy, NumPy and uniseg: tables_measures.py PROGRAM FOLDER

What each column means is docs/src/reference/columns.md; nothing here is taken from the program's code.
"""
import collections
import csv
import itertools
import json
import math
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy
import scipy.stats
import yaml
from uniseg.sentencebreak import sentences
from uniseg.wordbreak import words as segments

SCENARIOS = {
    "motion": dict(options=["for", "against"], phase="vote", key=None, truth=None, most=None),
    "hidden_profile": dict(options=["adler", "brandt", "clausen"], phase="vote", key="adler", truth=None, most=None),
    "estimation": dict(options=["estimate"], phase="estimate", key=None, truth=1198, most=2400, forms={"first": "alone", "last": "after"}),
}
WORDS = "we should The the costs fair égalité e\u0301galite\u0301 don't don’t well-known 3.50 1,000 公平 我们应该 費用を分担 カタカナ 합의 שלום مرحبا क्षि 👩‍🚀 🇨🇭 NAÏVE naïve İstanbul STRASSE straße a_b _ rock'n'roll Σίσυφος ΣΊΣΥΦΟΣ ½ Ⅻ".split()
WEIGHTS = {"balanced": (40, 15, 20, 15, 10), "structural": (25, 35, 20, 10, 10), "semantic": (60, 10, 15, 10, 5), "strict": (50, 25, 15, 5, 5)}


def text(draw):
    if draw.random() < 0.2:
        return draw.choice(["one two three four five six. one two three four!", "So be it.", "Why? Why not?", "我们应该公平吗？不。"])
    said = "".join(draw.choice(WORDS) + draw.choice([" ", " ", ", ", "; ", " — "]) for _ in range(draw.choice([4, 9, 60])))
    return draw.choice([said + "end.", f"Points:\n- {said}\n* two\n1. three\n-no item", f"{said}\n\nIs it so?\n  \nIt is."])


def config(scenario, number, draw):
    """A config in which every seat's every answer is written."""
    of = SCENARIOS[scenario]
    seats, rounds = draw.randint(1, 6), draw.randint(0, 4)

    def position(place):
        if of["most"]:
            return {"amount": draw.choice([0, 600, 600, 1198, 1500, 2400])}
        return {place: of["options"][0] if draw.random() < 0.5 else draw.choice(of["options"])}

    def lines():
        for phase in ["straw_before", "straw_after", of["phase"]]:
            said = {"raw": "hm"} if draw.random() < 0.12 else position("choice")
            if scenario == "motion" and "choice" in said and phase != "vote" and draw.random() < 0.5:
                said["opinion"] = draw.choice([0, 0.25, 0.333333333, 0.333333334, 0.5, 1])
            yield dict(phase=phase, round=0, step="ballot" if phase == of["phase"] else "straw_poll", **said)
        for phase, question in of.get("forms", {}).items():
            yield dict(phase=phase, round=0, step="ask", answer={question: draw.choice([0, 600, 1198, 2400])})
        for number in range(1, rounds + 1):
            kind = draw.random()
            said = {"pass": True} if kind < 0.15 else {"raw": "zz"} if kind < 0.2 else {"statement": text(draw)}
            if "statement" in said and draw.random() < 0.8:
                said.update(position("stance"))
                said.update({"stance": "estimate"} if of["most"] else {})
            yield dict(phase="discussion", round=number, step="statement", **said)

    profile = draw.choice(list(WEIGHTS))
    talk = dict(rounds=rounds, order="random", vote="at_end", statement_min_length=1)
    if rounds:
        talk["convergence"] = dict(profile=profile, threshold=1, action="continue")
    return profile, dict(
        experiment=f"measures-{number}", scenario=str(Path("scenarios").resolve() / scenario), seed=number, replicates=1,
        models={"sim": {"simulated": {}}}, seat_defaults={"model": "sim"}, discussion=talk, straw_polls=["before", "after"],
        decision={"invalid": "abstain"} | ({} if of["most"] else {"rule": "plurality", "tie_break": "lot"}),
        seats=[{"name": f"Seat {n}", "mind": {"scripted": {"table": list(lines())}}} for n in range(1, seats + 1)])


def words(said):
    return [word.lower() for word in segments(said) if any(c.isalnum() for c in word)]


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers) if numbers else None


def entropy(counts, places):
    counts = [c for c in counts if c]
    return scipy.stats.entropy(counts, base=places) if counts and places > 1 else None


# The ends of the names of columns about alternatives.
OF_ALTERNATIVES = ("_modal", "_modal_share", "_effective_options", "_pair_agreement", "_switch", "switch_n", "switch_rate", "_switches")


def spread(name, held, of):
    counts = collections.Counter(alternative for alternative, _ in held)
    most, n = max(counts.values(), default=0), len(held)
    modal = [option for option in of["options"] if most and counts[option] == most]
    pairs = list(itertools.combinations(held, 2))
    found = dict(n=n, modal="|".join(modal), modal_share=most / n if n else None, entropy_norm=entropy(counts.values(), len(of["options"])),
                 effective_options=1 / sum((c / n) ** 2 for c in counts.values()) if n else None,
                 pair_agreement=mean(a[0] == b[0] for a, b in pairs), pair_agreement_exact=mean(a == b for a, b in pairs),
                 correct_share=counts[of["key"]] / n if n and of["key"] else None,
                 group_correct=int(modal == [of["key"]]) if n and of["key"] else None)
    amounts = numpy.array([amount for _, amount in held if of["most"]], float)
    if len(amounts):
        off = amounts - of["truth"]
        found |= dict(diversity=amounts.var(), crowd_error=off.mean() ** 2, individual_mse=(off**2).mean(), median_error=numpy.median(off) ** 2)
    return {f"{name}_{column}": value for column, value in found.items()}


def van_der_eijk(opinions):
    counts, total, k = numpy.bincount([min(6, int(7 * x)) for x in opinions], minlength=7), 0, 7
    while counts.any():
        least, layer = counts[counts > 0].min(), counts > 0
        triples = list(itertools.combinations(layer, 3))
        one, two = sum(t in [(1, 1, 0), (0, 1, 1)] for t in triples), sum(t == (1, 0, 1) for t in triples)
        u = ((k - 2) * one - (k - 1) * two) / ((k - 2) * (one + two)) if one + two else 1
        total += u * (1 - (layer.sum() - 1) / (k - 1)) * least * layer.sum()
        counts = counts - least * layer
    return total / len(opinions)


def opinions_of(answers, of, last):
    """Moments of the opinions, and how far they moved since each seat told its last."""
    told = []
    for seat, alternative, amount, opinion in answers:
        x = opinion / 1e9 if opinion is not None else None
        if x is None and alternative is not None and len(of["options"]) < 3:
            x = amount / of["most"] if of["most"] else float(alternative == of["options"][0])
        if x is not None and len(of["options"]) < 3:
            told.append((x, x - last[seat] if seat in last else None))
            last[seat] = x
    if not told:
        return dict.fromkeys(["opinion_n", "opinion_mean", "vdeijk_a", "esteban_ray", "opinion_shift_abs"])
    x, moved = numpy.array([x for x, _ in told]), [by for _, by in told if by is not None]
    shown = numpy.floor(x * 1e6 + 0.5) / 1e6
    places, counts = numpy.unique(shown, return_counts=True)
    share, apart = counts / len(x), abs(places[:, None] - places[None, :])
    ray = [float((share[:, None] ** (1 + alpha) * share[None, :] * apart).sum()) for alpha in [1.3, 1]]
    return dict(opinion_n=len(x), opinion_mean=x.mean(), opinion_sd=x.std(), opinion_var=x.var(), opinion_shift_n=len(moved),
                opinion_shift_abs=mean(map(abs, moved)), opinion_shift_net=mean(moved), vdeijk_a=van_der_eijk(shown), esteban_ray=ray[0], esteban_ray_1=ray[1])


def forms(said):
    """Paragraphs, items, questions, words a sentence, words, and marks."""
    lines = [line.strip() for line in said.split("\n")]
    sentences_said = [s.strip() for s in sentences(said) if any(c.isalnum() for c in s)]
    marks = collections.Counter(c for word in segments(said) if not any(d.isalnum() for d in word) for c in word if not c.isspace())
    return [sum(bool(line) and not before for before, line in zip([""] + lines, lines)), sum(bool(re.match(r"([-*•]|[0-9]+[.)])\s", line)) for line in lines),
            sum(s.endswith(("?", "？")) for s in sentences_said), len(words(said)) / max(1, len(sentences_said)), len(words(said)), marks]


def ratio(a, b):
    return min(a, b) / max(a, b) if a or b else 1


def language(spoke, seats, phrases, profile):
    bags = {seat: collections.Counter(words(said)) for seat, said in spoke if words(said)}
    pairs, form = list(itertools.combinations(bags, 2)), {seat: forms(said) for seat, said in spoke}

    def cosine(a, b):
        return sum(a[w] * b[w] for w in a) / math.sqrt(sum(c * c for c in a.values()) * sum(c * c for c in b.values()))

    def converge(one, other):
        *a, p = form[one]
        *b, q = form[other]
        ratios, common = [ratio(x, y) for x, y in zip(a, b)], sum(min(p[m] / p.total(), q[m] / q.total()) for m in p if m in q)
        parts = cosine(bags[one], bags[other]), sum(ratios[:3]) / 3, ratios[3], ratios[4], common if p or q else 1
        return sum(weight * part for weight, part in zip(WEIGHTS[profile], parts)) / 100

    all_words, repeated, n = [w for _, said in spoke for w in words(said)], 0, 0
    for _, said in spoke:
        for phrase in zip(*(words(said)[start:] for start in range(4))):
            n, repeated = n + 1, repeated + (phrase in phrases)
            phrases.add(phrase)
    counts = [sum(bags.get(seat, {}).values()) for seat in seats]
    table = numpy.array([[bag[w] / bag.total() for w in sorted(set(all_words))] for bag in bags.values()])
    jsd = (scipy.stats.entropy(table.mean(0)) - scipy.stats.entropy(table, axis=1).mean()) / math.log(len(bags)) if pairs else None
    gini = sum(abs(a - b) for a in counts for b in counts) / (2 * len(seats) * sum(counts)) if sum(counts) else None
    return dict(words=len(all_words), statements=len(spoke), speakers=len(bags), participation_rate=len(spoke) / len(seats), speaking_gini=gini,
                turn_entropy_norm=entropy([1] * len(spoke), len(seats)), phrases=n, repetition_rate=repeated / n if n else None, jsd_speakers=jsd,
                mattr_50=mean(len(set(all_words[at : at + 50])) / 50 for at in range(len(all_words) - 49)),
                similarity_pair=mean(cosine(bags[a], bags[b]) for a, b in pairs), convergence=mean(converge(a, b) for a, b in pairs),
                jaccard_pair=mean(len(bags[a].keys() & bags[b].keys()) / len(bags[a].keys() | bags[b].keys()) for a, b in pairs))


def switches(told, last, of):
    """Who left which stance, before the round's stances are taken as the last."""
    counts = collections.Counter(last.values())
    top = [a for a, c in counts.items() if c == max(counts.values())]
    moved = [(last[seat], stance) for seat, stance in told if seat in last]
    away, key = [(a, b) for a, b in moved if a != b], of["key"]
    last.update(told)
    found = dict(n_switch=len(away), switch_n=len(moved), switch_rate=len(away) / len(moved) if moved else None,
                 to_majority_switches=sum(b == top[0] for _, b in away) if len(top) == 1 else None,
                 from_majority_switches=sum(a == top[0] for a, _ in away) if len(top) == 1 else None)
    flips = dict(flip_cw=sum(a == key for a, _ in away), flip_cw_n=sum(a == key for a, _ in moved), flip_wc=sum(b == key for _, b in away), flip_wc_n=sum(a != key for a, _ in moved))
    return found | (flips if key else dict.fromkeys(flips))


def rounds_of(minutes, seats, of, profile):
    """The cells of each round, by phase and number."""
    parts, phrases, stances, said, asked = collections.OrderedDict(), set(), {}, {}, {}
    for record in map(json.loads, minutes):
        at, answered = record["at"], record["event"].get("Answered")
        part = parts.setdefault((at["phase"], at["round"]), [])
        if answered:
            part.append((record["seat"], at["step"], answered["values"]))
    for place, events in parts.items():
        def take(wanted):
            return [(seat, values) for seat, step, values in events if step == wanted]

        spoke = [(seat, values) for seat, values in take("statement") if values["statement"] is not None]
        polled = [(s, b["choice"], b.get("amount"), b.get("opinion")) for s, b in take("straw_poll")]
        voted = [(b["choice"], b.get("amount")) for _, b in take("ballot") if b.get("choice") is not None]
        told = [(s, b.get("stance"), b.get("amount"), b.get("opinion")) for s, b in spoke]
        cells = {}
        if place[0] == "discussion" and place[1]:
            cells |= language([(s, b["statement"]) for s, b in spoke], seats, phrases, profile) | opinions_of(told, of, said)
            cells |= spread("stance", [t[1:3] for t in told if t[1]], of) | switches([t[:2] for t in told if t[1]], stances, of)
        elif place[0].startswith("straw"):
            cells |= spread("straw", [p[1:3] for p in polled], of) | opinions_of(polled, of, asked)
        elif place[0] in of.get("forms", {}):
            cells |= opinions_of([(s, "estimate", b[of["forms"][place[0]]], None) for s, b in take("ask")], of, asked)
        elif place[0] == of["phase"]:
            cells |= spread("ballot", voted, of)
        if len(of["options"]) == 1:
            # Where an amount alone is decided, nothing is told of alternatives.
            cells |= {name: None for name in cells if name.endswith(OF_ALTERNATIVES)}
        yield place, cells


def agrees(cell, value):
    if value is None or isinstance(value, str):
        return cell == (value or "")
    return cell != "" and math.isclose(float(cell), float(value), abs_tol=1.01e-6)


def main(program, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    checked, wrong = 0, []
    for number in range(60):
        draw = random.Random(number)
        scenario = list(SCENARIOS)[number % 3]
        profile, written = config(scenario, number, draw)
        path, out = folder / f"{number}.yaml", folder / f"{number}"
        path.write_text(yaml.safe_dump(written, allow_unicode=True), encoding="utf-8")
        subprocess.run([program, "run", path, "--out", out], check=True, capture_output=True, timeout=60)
        with open(out / "rounds.csv", encoding="utf-8", newline="") as file:
            rows = {(row["phase"], int(row["round"])): row for row in csv.DictReader(file)}
        with open(next((out / "sessions").iterdir()) / "minutes.jsonl", encoding="utf-8") as minutes:
            for place, cells in rounds_of(minutes, [seat["name"] for seat in written["seats"]], SCENARIOS[scenario], profile):
                for column, value in cells.items():
                    checked += 1
                    if not agrees(rows[place][column], value):
                        wrong.append(f"{path} {place} {column}: the table has {rows[place][column]!r}, computed {value!r}")
    print(*wrong[:20], f"{checked} cells computed again from minutes, {len(wrong)} of them wrong", sep="\n")
    return bool(wrong) or checked < 4000


sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2])))
