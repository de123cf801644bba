#!/usr/bin/env python3
"""Whether a design was carried through, by the tables of a results folder alone: who was in which group, who was asked, what was kept,
and what follows from the answers. What an answer says is not judged; how many questions were answered is printed.

usage: carried_through.py FOLDER DESIGN      DESIGN is group_statement, public_goods, nominal_group or deliberative_poll
"""
import collections
import csv
import pathlib
import sys
from decimal import Decimal


class Tables:
    """One session's rows; each table is read once."""

    def __init__(self, folder, session=None):
        self.folder, self.session, self.read = folder, session, {}

    def rows(self, table, **wanted):
        if table not in self.read:
            with open(self.folder / f"{table}.csv", encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
            self.read[table] = [row for row in rows if self.session in (None, row["session"])]
        return [row for row in self.read[table] if all(row[key] == value for key, value in wanted.items())]

    def seats(self, table, **wanted):
        return {row["seat"] for row in self.rows(table, **wanted)}

    def groups(self, name):
        members = collections.defaultdict(set)
        for row in self.rows("assignments", name=name):
            members[row["group"]].add(row["seat"])
        return dict(members)


def check(holds, what):
    if not holds:
        sys.exit(f"carried_through: {what}")


def asked(tables, seats, **where):
    """Each of these seats was asked there, and nobody else, whether or not the answer was valid."""
    found = tables.seats("answers", **where)
    check(found == seats, f"{where}: asked were {sorted(found)}, not {sorted(seats)}")


def kept(tables, name, phase):
    """Whoever answered has a text, and nobody else; at least one is there."""
    texts = tables.rows("texts", name=name)
    authors = {text["author"] for text in texts}
    check(texts and all(text["text"] for text in texts), f"no text is kept as {name}")
    check(authors == tables.seats("values", phase=phase, status="valid"), f"texts kept as {name} are of {sorted(authors)}")
    return texts


def group_statement(tables):
    citizens, mediators = tables.seats("seats", role="citizen"), tables.seats("seats", role="mediator")
    check((len(citizens), len(mediators)) == (5, 4), "there are not five citizens and four mediators")
    letters = {text["letter"] for text in kept(tables, "candidate", "draft")}
    asked(tables, citizens, phase="opinion", step="statement")
    for number in "1", "2":
        asked(tables, mediators, phase="draft", step="ask", **{"pass": number})
    asked(tables, citizens, phase="critique", step="statement", **{"pass": "1"})
    asked(tables, set(), phase="critique", step="statement", **{"pass": "2"})
    asked(tables, citizens, phase="endorse", step="ask")
    # Where one statement alone is there, nobody need rank it.
    if len(letters) > 1:
        asked(tables, citizens, phase="rank", step="ballot", **{"pass": "2"})
        check({row["alternative"] for row in tables.rows("tallies", phase="rank", **{"pass": "2"})} == letters,
              "the last vote is not on the statements that were kept")


def public_goods(tables):
    seats, groups = tables.seats("seats"), tables.groups("team")
    check(sorted(map(len, groups.values())) == [2, 2] and set.union(*groups.values()) == seats, f"the groups are {groups}")
    punishes = tables.rows("sessions")[0]["arm_punishment"] == "with"
    earned = collections.Counter()
    for number in "1", "2":
        for group, members in groups.items():
            where = {"pass": number, "group": group}
            asked(tables, members, phase="chat", step="statement", **where)
            asked(tables, members, phase="contribute", step="ask", **where)
            asked(tables, members if punishes else set(), phase="punish", step="ask", **where)
            given = {row["seat"]: Decimal(row["value_n"]) for row in tables.rows("values", field="c", status="valid", **where)}
            check(all(0 <= tokens <= 20 for tokens in given.values()), f"contributions are {given}")
            points = tables.rows("values", field="p", status="valid", **where)
            check(all(row["target"] in members - {row["seat"]} for row in points), f"points in group {group} are for others")
            for seat in members:
                lost = 3 * sum(Decimal(row["value_n"]) for row in points if row["target"] == seat)
                spent = sum(Decimal(row["value_n"]) for row in points if row["seat"] == seat)
                gross = 20 - given.get(seat, 0) + Decimal("0.4") * sum(given.values())
                earned[seat] += max(0, gross - lost) - spent
    check(tables.rows("values", field="c", status="valid"), "nobody said what to contribute")
    paid = {row["seat"]: Decimal(row["payoff"]) for row in tables.rows("payoffs")}
    check(paid == dict(earned), f"paid was {paid}, earned by the contributions and points {dict(earned)}")


def nominal_group(tables):
    seats = tables.seats("seats")
    asked(tables, seats, phase="silence", step="ask")
    ideas = kept(tables, "idea", "silence")
    letters = {idea["letter"] for idea in ideas}
    check(len(letters) == len(ideas), "two ideas have one letter")
    for number in range(1, len(ideas) + 1):
        asked(tables, seats, phase="talk", step="volunteer", **{"pass": str(number)})
    passes = {row["pass"] for row in tables.rows("answers", phase="talk")}
    check(len(passes) == len(ideas), f"{len(ideas)} ideas were gone through in {len(passes)} passes")
    asked(tables, seats, phase="discuss", step="statement")
    asked(tables, seats, phase="after", step="ask")
    if len(letters) > 1:
        for phase in "first", "final":
            asked(tables, seats, phase=phase, step="ballot")
            check({row["alternative"] for row in tables.rows("tallies", phase=phase)} == letters, f"{phase} is not on the ideas")


def deliberative_poll(tables):
    citizens, experts = tables.seats("seats", role="citizen"), tables.seats("seats", role="expert")
    circles = tables.groups("circle")
    check(sorted(map(len, circles.values())) == [5, 5] and set.union(*circles.values()) == citizens, f"the groups are {circles}")
    for phase in "before", "after":
        asked(tables, citizens, phase=phase, step="ask")
    elected = set()
    for group, members in circles.items():
        for phase in "first_talk", "second_talk":
            asked(tables, members, phase=phase, step="statement", group=group)
        asked(tables, members, phase="spokesperson", step="ballot", group=group)
        check(tables.rows("statements", kind="statement", group=group), f"nobody in group {group} said anything")
        chosen = {row["alternative"] for row in tables.rows("tallies", phase="spokesperson", group=group, decided="1")}
        check(chosen <= members, f"group {group} elected {sorted(chosen)}")
        elected |= chosen
    asked(tables, elected, phase="ask_experts", step="ask")
    queries = kept(tables, "query", "ask_experts")
    for number in range(1, len(queries) + 1):
        asked(tables, experts, phase="reply", step="ask", **{"pass": str(number)})
    # The program counts right answers in two ways: by the key of the field, and in a variable.
    right = {phase: sum(row["correct"] == "1" for row in tables.rows("values", phase=phase)) for phase in ("before", "after")}
    known = {phase: sum(Decimal(row["value_n"]) for row in tables.rows("variables", name=f"known_{phase}")) for phase in right}
    check(known == right, f"right answers are {right}, the variables say {known}")


def answered(tables):
    counts = collections.Counter()
    kinds = collections.defaultdict(set)
    for session in tables.rows("sessions"):
        for column in "answers", "n_first_try", "n_invalid", "n_refused":
            counts[column] += int(session[column])
    for row in tables.rows("answers"):
        kinds[f"{row['phase']} {row['step']}"].add(row["status"])
    valid = counts["answers"] - counts["n_invalid"] - counts["n_refused"]
    never = sorted(kind for kind, statuses in kinds.items() if not statuses & {"valid", "cut"})
    return (f"{valid} of {counts['answers']} questions answered, {counts['n_first_try']} at the first try; "
            f"never answered: {', '.join(never) or 'none'}")


if __name__ == "__main__":
    designs = {design.__name__: design for design in (group_statement, public_goods, nominal_group, deliberative_poll)}
    if len(sys.argv) != 3 or sys.argv[2] not in designs:
        sys.exit(__doc__)
    of_all = Tables(pathlib.Path(sys.argv[1]))
    check(of_all.rows("sessions"), "there is no session")
    for of_one in of_all.rows("sessions"):
        check(of_one["status"] == "completed", f"session {of_one['session']} is {of_one['status']}: {of_one['fault']}")
        designs[sys.argv[2]](Tables(of_all.folder, of_one["session"]))
    print(f"carried through, {sys.argv[2]}: {answered(of_all)}")
