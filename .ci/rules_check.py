"""Counts thousands of random elections under our rules and under those of independent packages, and compares the winners.

    python .ci/rules_check.py PROGRAM FOLDER

Elections are drawn from a fixed seed: strict orders, truncated ones, orders with ties and gaps, all with weights, approvals and scores.
Beside them stand those at the edges: one alternative, one voter, everything tied, ballots that name one alternative, approvals of nothing
and scores of nothing but 0, and orders of up to 30 alternatives, of which the packages are asked what they find in time.
`retally` counts all of them in a few calls; pref_voting, abcvoting and votekit count each. Every rule's winners must be the same sets,
but for the conventions below, each with the condition under which it holds. A disagreement that none of them explains is a failure, and
so is a convention that explains nothing any more.
"""

import contextlib
import io
import json
import math
import random
import subprocess
import sys
import warnings
from collections import Counter
from fractions import Fraction
from pathlib import Path

warnings.filterwarnings("ignore")

ELECTIONS = 1500
APPROVALS = 400
SCORES = 300
SEATS = 2

# Where a package means something else by a rule's name: (rule, name) -> what it does otherwise.
CONVENTIONS = {
    ("ranked_pairs by winning votes", "pairs that are tied"): "pref_voting locks in a tied pair both ways, as strong as its "
    "ballots, so that it can come before real victories; here nobody has beaten anybody there",
    ("stv", "exhausted ballots"): "votekit fails where no ballot counts for anybody any more while a seat is open; here whoever is left "
    "is dropped or elected every way",
}
# pref_voting goes through every order of equally strong pairs; of more it is not asked.
TIE_BREAKS_MAX = 5000


def orders(ballots):
    """The lines of a PrefLib file; a ballot is a list of levels of alternatives from 1."""
    def level(one):
        return str(one[0]) if len(one) == 1 else "{" + ",".join(map(str, one)) + "}"
    return "".join(f"{count}: {','.join(level(one) for one in levels)}\n" for levels, count in ballots)


def drawn(lot, kind):
    """A random election of a kind: its number of alternatives, and its ballots with their counts, no two alike."""
    alternatives = lot.randint(2, 5)
    ballots = {}
    for _ in range(lot.randint(1, 8)):
        order = lot.sample(range(1, alternatives + 1), alternatives)
        if kind != "soc":
            order = order[: lot.randint(1, alternatives)]
        levels = [[one] for one in order]
        if kind == "toi":
            levels = []
            for one in order:
                if levels and lot.random() < 0.35:
                    levels[-1].append(one)
                else:
                    levels.append([one])
        key = tuple(tuple(sorted(level)) for level in levels)
        ballots[key] = ballots.get(key, 0) + lot.randint(1, 6)
    return alternatives, sorted(ballots.items())


def edges(lot):
    """Elections that lots seldom draw: name -> its kind, its number of alternatives, its ballots."""
    every = lambda many: tuple(range(1, many + 1))
    found = {
        "one-alternative": ("soc", 1, [(((1,),), 3)]),
        "one-voter": ("soc", 4, [(((3,), (1,), (4,), (2,)), 1)]),
        "two-halves": ("soc", 2, [(((1,), (2,)), 2), (((2,), (1,)), 2)]),
        "all-tied": ("toi", 3, [((every(3),), 4)]),
        "some-tied": ("toi", 4, [(((1, 2),), 4)]),
        "one-named": ("soi", 5, [(((2,),), 3), (((5,),), 3)]),
        "all-alike": ("soc", 4, [(((2,), (4,), (1,), (3,)), 7)]),
        "heavy-circle": ("soc", 3, [(((1,), (2,), (3,)), 10**11 + 1), (((2,), (3,), (1,)), 10**11), (((3,), (1,), (2,)), 10**11)]),
        "one-of-very-many": ("soc", 4, [(((1,), (2,), (3,), (4,)), 10**11), (((4,), (3,), (2,), (1,)), 10**11), (((2,), (1,), (4,), (3,)), 1)]),
        "circle-of-five": ("soc", 5, [(tuple(((first + step) % 5 + 1,) for step in range(5)), 2) for first in range(5)]),
        "few-against-the-rest": ("toi", 4, [(((1, 2), (3, 4)), 3), (((3,), (1, 2, 4)), 3)]),
        "nobody-left": ("soi", 4, [(((1,),), 4), (((2,), (3,)), 3), (((3,), (2,)), 2), (((4,),), 1)]),
    }
    for alternatives in [6, 7, 12, 20, 30]:
        for kind in ["soc", "toi"]:
            ballots = {}
            for _ in range(9):
                order = lot.sample(every(alternatives), alternatives if kind == "soc" else lot.randint(1, alternatives))
                levels = []
                for one in order:
                    if levels and kind == "toi" and lot.random() < 0.4:
                        levels[-1].append(one)
                    else:
                        levels.append([one])
                ballots[tuple(tuple(sorted(level)) for level in levels)] = lot.randint(1, 3)
            found[f"{alternatives}-{kind}"] = (kind, alternatives, sorted(ballots.items()))
    return found


def compare_edges(compared, program, folder, lot):
    from pref_voting import voting_methods as vm
    folder.mkdir(parents=True)
    elections = edges(lot)
    for name, (kind, alternatives, ballots) in elections.items():
        (folder / f"{name}.{kind}").write_text(f"# DATA TYPE: {kind}\n# NUMBER ALTERNATIVES: {alternatives}\n" + orders(ballots))
    ours = recounted(program, folder)
    for name, (kind, alternatives, ballots) in elections.items():
        profile = by_pref_voting(alternatives, ballots)
        methods = {"copeland": vm.copeland, "minimax": vm.minimax, "schulze": vm.beat_path, "instant_runoff": vm.split_irv,
                   "borda": lambda profile: leaders(vm.symmetric_borda_scores(profile))}
        if alternatives <= 7:
            methods["kemeny_young"] = vm.kemeny_young
            methods["ranked_pairs"] = lambda profile: vm.ranked_pairs(profile, algorithm="from_stacks")
        if kind != "toi":
            methods["plurality"] = vm.plurality
        if kind == "soc":
            whole = strict(alternatives, ballots)
            methods["majority"] = lambda profile: vm.absolute_majority(whole)
            methods["two_round"] = lambda profile: vm.plurality_with_runoff_put(whole)
        election = ours[f"{name}.{kind}"]
        for rule, method in methods.items():
            found = [int(one) + 1 for one in method(profile)]
            compared.take(rule, name, winners(election, rule), found, ballots)


def compare_scores(compared, program, folder, lot):
    from pref_voting.grade_methods import score_voting
    from pref_voting.grade_profiles import GradeProfile
    folder.mkdir(parents=True)
    elections = {}
    for number in range(SCORES):
        alternatives, most = lot.randint(1, 6), lot.choice([1, 5, 9])
        cast = [([lot.randint(0, most) for _ in range(alternatives)], lot.randint(1, 4)) for _ in range(lot.randint(1, 8))]
        if number % 30 == 0:
            cast = [([0] * alternatives, 2)]
        name = f"{number:05}.cat"
        head = f"# DATA TYPE: cat\n# NUMBER ALTERNATIVES: {alternatives}\n# NUMBER CATEGORIES: {most + 1}\n"
        head += "".join(f"# CATEGORY NAME {place}: {score}\n" for place, score in enumerate(range(most, -1, -1), 1))
        def line(scores, count):
            level = lambda score: "{" + ",".join(str(one) for one, own in enumerate(scores, 1) if own == score) + "}"
            return f"{count}: {','.join(level(score) for score in range(most, -1, -1))}\n"
        (folder / name).write_text(head + "".join(line(*ballot) for ballot in cast))
        elections[name] = (alternatives, most, cast)
    ours = recounted(program, folder)
    for name, (alternatives, most, cast) in elections.items():
        grades = [dict(enumerate(scores)) for scores, _ in cast]
        profile = GradeProfile(grades, list(range(most + 1)), gcounts=[count for _, count in cast], candidates=list(range(alternatives)))
        shown = [(tuple((one + 1,) for one in range(alternatives)), count) for _, count in cast]
        compared.take("score", name, winners(ours[name], "score"), [int(one) + 1 for one in score_voting(profile)], shown)


def recounted(program, folder, *more):
    """What `retally` makes of every file of a folder, by file: rule -> its count."""
    command = [program, "retally", str(folder), "--json", "--winners-only", *more]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return {Path(one["path"]).name: one for one in told["elections"]}


def winners(election, rule):
    count = next(count for count in election["rules"] if count["rule"] == rule)
    return sorted(map(int, count["winners"]))


class Compared:
    """How often each rule was compared, and what was found."""

    def __init__(self):
        self.same, self.explained, self.wrong = {}, {}, []

    def take(self, rule, name, ours, theirs, ballots, convention=None):
        theirs = sorted(theirs)
        if ours == theirs:
            self.same[rule] = self.same.get(rule, 0) + 1
        elif convention is not None:
            assert convention in CONVENTIONS, convention
            self.explained[convention] = self.explained.get(convention, 0) + 1
        else:
            self.wrong.append(f"{rule} in {name}: ours {ours}, theirs {theirs}\n{orders(ballots)}")


def by_pref_voting(alternatives, ballots):
    """The election as pref_voting has it: what is not ranked is below all that is, and tied."""
    from pref_voting.profiles_with_ties import ProfileWithTies
    rankings = [{one - 1: place for place, level in enumerate(levels, 1) for one in level} for levels, _ in ballots]
    profile = ProfileWithTies(rankings, [count for _, count in ballots], candidates=list(range(alternatives)))
    profile.use_extended_strict_preference()
    return profile


def strict(alternatives, ballots):
    from pref_voting.profiles import Profile
    return Profile([[level[0] - 1 for level in levels] for levels, _ in ballots], [count for _, count in ballots])


def compare_orders(compared, name, kind, alternatives, ballots, plain, other):
    from pref_voting import voting_methods as vm
    profile = by_pref_voting(alternatives, ballots)
    up = lambda found: [int(one) + 1 for one in found]
    take = lambda rule, ours, theirs: compared.take(rule, name, ours, up(theirs), ballots)
    for rule, method in [
        ("copeland", vm.copeland),
        ("minimax", vm.minimax),
        ("schulze", vm.beat_path),
        ("ranked_pairs", lambda profile: vm.ranked_pairs(profile, algorithm="from_stacks")),
        ("kemeny_young", vm.kemeny_young),
        ("instant_runoff", vm.split_irv),
    ]:
        take(rule, winners(plain, rule), method(profile))
    take("borda", winners(plain, "borda"), leaders(vm.symmetric_borda_scores(profile)))
    for rule, method in [("minimax", vm.minimax), ("schulze", vm.beat_path)]:
        take(f"{rule} by winning votes", winners(other, rule), method(profile, strength_function=profile.support))
    above = plain["above"]
    pairs = [(a, b) for a in range(alternatives) for b in range(alternatives) if a != b and above[a][b] >= above[b][a]]
    if math.prod(math.factorial(many) for many in Counter(above[a][b] for a, b in pairs).values()) <= TIE_BREAKS_MAX:
        rule = "ranked_pairs by winning votes"
        theirs = vm.ranked_pairs(profile, strength_function=profile.support)
        is_tied = any(above[a][b] == above[b][a] for a, b in pairs)
        compared.take(rule, name, winners(other, "ranked_pairs"), up(theirs), ballots,
                      (rule, "pairs that are tied") if is_tied else None)
    take("instant_runoff in branches", winners(other, "instant_runoff"), vm.split_irv_put(profile))
    take("Smith set", sorted(map(int, plain["smith_set"])), vm.smith_set(profile))
    beats_all = profile.condorcet_winner()
    take("Condorcet winner", [int(plain["condorcet_winner"])] if "condorcet_winner" in plain else [],
         [] if beats_all is None else [beats_all])
    if kind != "toi":
        take("plurality", winners(plain, "plurality"), vm.plurality(profile))
    if kind == "soc":
        whole = strict(alternatives, ballots)
        take("majority", winners(plain, "majority"), vm.absolute_majority(whole))
        take("two_round", winners(plain, "two_round"), vm.plurality_with_runoff_put(whole))
        chances(compared, name, whole, ballots, plain)


def leaders(scores):
    most = max(scores.values())
    return [one for one, score in scores.items() if score == most]


def chances(compared, name, whole, ballots, plain):
    from pref_voting.probabilistic_methods import random_dictator
    count = next(count for count in plain["rules"] if count["rule"] == "random_ballot")
    ours = [round(float(Fraction(points, sum(count["points"]))), 9) for points in count["points"]]
    theirs = [round(float(random_dictator(whole).get(one, 0)), 9) for one in range(len(ours))]
    if ours == theirs:
        compared.same["random_ballot"] = compared.same.get("random_ballot", 0) + 1
    else:
        compared.wrong.append(f"random_ballot in {name}: ours {ours}, theirs {theirs}\n{orders(ballots)}")


def compare_stv(compared, name, alternatives, ballots, election):
    """votekit draws lots at ties within the count, here from a seed; we keep every way, of which its own must be one."""
    from votekit.ballot import RankBallot
    from votekit.elections import STV
    from votekit.pref_profile import RankProfile
    count = next(count for count in election["rules"] if count["rule"] == "stv")
    ours = [sorted(map(int, committee)) for committee in count["committees"]]
    if alternatives <= SEATS:
        return
    cast = tuple(RankBallot(ranking=tuple(frozenset({str(level[0])}) for level in levels), weight=count) for levels, count in ballots)
    profile = RankProfile(ballots=cast, candidates=tuple(str(one) for one in range(1, alternatives + 1)))
    if len(profile.candidates_cast) <= SEATS:
        return
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            found = STV(profile, n_seats=SEATS, simultaneous=False, tiebreak="first_place", exact=True, rng_seed=20).get_elected()
        except IndexError:
            # All who are left are last together, with nothing: a tie.
            if len(ours) == 1:
                raise
            convention = ("stv", "exhausted ballots")
            compared.explained[convention] = compared.explained.get(convention, 0) + 1
            return
    theirs = sorted(int(one) for group in found for one in group)
    if theirs in ours:
        rule = "stv" if len(ours) == 1 else "stv with ties within the count"
        compared.same[rule] = compared.same.get(rule, 0) + 1
    else:
        compared.wrong.append(f"stv in {name}: ours {ours}, theirs {theirs}\n{orders(ballots)}")


def compare_approvals(compared, program, folder, lot):
    from abcvoting import abcrules
    from abcvoting.preferences import Profile
    folder.mkdir(parents=True)
    elections = {}
    for number in range(APPROVALS):
        alternatives = lot.randint(2, 6)
        cast = [sorted(lot.sample(range(alternatives), lot.randint(0, alternatives))) for _ in range(lot.randint(1, 12))]
        if not any(cast):
            cast.append([0])
        name = f"{number:05}.cat"
        head = f"# DATA TYPE: cat\n# NUMBER ALTERNATIVES: {alternatives}\n# NUMBER CATEGORIES: 2\n"
        head += "# CATEGORY NAME 1: Yes\n# CATEGORY NAME 2: No\n"
        def line(approved):
            rest = [one for one in range(alternatives) if one not in approved]
            level = lambda those: "{" + ",".join(str(one + 1) for one in those) + "}"
            return f"1: {level(approved)},{level(rest)}\n"
        (folder / name).write_text(head + "".join(map(line, cast)))
        elections[name] = (alternatives, cast)
    ours = recounted(program, folder)
    for name, (alternatives, cast) in elections.items():
        profile = Profile(alternatives)
        profile.add_voters(cast)
        committees = abcrules.compute("av", profile, committeesize=1, resolute=False)
        theirs = [one + 1 for committee in committees for one in committee]
        shown = [(tuple((one + 1,) for one in approved), 1) for approved in cast]
        compared.take("approval", name, winners(ours[name], "approval"), theirs, shown)


def main():
    program, folder = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2])
    lot = random.Random(20)
    kinds = ["soc", "soi", "toi"]
    files = folder / "orders"
    files.mkdir(parents=True)
    elections = {}
    for number in range(ELECTIONS):
        kind = kinds[number % len(kinds)]
        alternatives, ballots = drawn(lot, kind)
        name = f"{number:05}.{kind}"
        (files / name).write_text(f"# DATA TYPE: {kind}\n# NUMBER ALTERNATIVES: {alternatives}\n" + orders(ballots))
        elections[name] = (kind, alternatives, ballots)
    plain = recounted(program, files)
    other = recounted(program, files, "--strength", "winning-votes", "--irv-ties", "branches")
    seats = recounted(program, files, "--rule", "stv", "--seats", str(SEATS))
    compared = Compared()
    for name, (kind, alternatives, ballots) in elections.items():
        compare_orders(compared, name, kind, alternatives, ballots, plain[name], other[name])
        if kind != "toi":
            compare_stv(compared, name, alternatives, ballots, seats[name])
    compare_approvals(compared, program, folder / "approvals", lot)
    compare_scores(compared, program, folder / "scores", lot)
    compare_edges(compared, program, folder / "edges", lot)
    for rule, same in sorted(compared.same.items()):
        print(f"{rule}: {same} elections alike")
    for (rule, convention), many in sorted(compared.explained.items()):
        print(f"{rule}: {many} otherwise, {convention}: {CONVENTIONS[rule, convention]}")
    stale = [key for key in CONVENTIONS if key not in compared.explained]
    for key in stale:
        print(f"nothing is explained any more by {key}")
    for wrong in compared.wrong[:20]:
        print(wrong)
    print(f"{sum(compared.same.values())} comparisons alike, {len(compared.wrong)} not explained")
    sys.exit(1 if compared.wrong or stale else 0)


if __name__ == "__main__":
    main()
