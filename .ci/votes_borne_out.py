#!/usr/bin/env python3
"""Counts votes that the words of a model do not bear out. It uses the tables and the recorded replies alone, and no code of
the program that wrote them.

usage: votes_borne_out.py RESULTS_FOLDER…
       votes_borne_out.py --plant RESULTS_FOLDER

With --plant it proves itself on copies of the folder, a false vote planted in each: it exits 1 if one of them is not caught.

A row of `ballots.csv` that counts must have, in its session's `calls.jsonl`, a reply to just that question, by that seat and at
that try, whole and not refused, which says that very choice (and rank, and amount) in one of the two forms in which replies are
asked for; and the row must repeat that reply to the letter. A row that does not count must name no choice. Exits 1 if
any row is otherwise, or if there was none to look at.
"""
import collections
import csv
import json
import pathlib
import sys
import tempfile

STEPS = {
    "straw_before": "straw_poll",
    "straw_round": "straw_poll",
    "straw_after": "straw_poll",
    "ranking": "ranking",
    "application": "application",
    "vote": "ballot",
}
NEVER_VALID = {"length", "content_filter"}
csv.field_size_limit(1 << 30)


class NoVote(Exception):
    """The words are no vote."""


def once(pairs):
    names = [name for name, _ in pairs]
    if len(names) != len(set(names)):
        raise NoVote("a key stands twice")
    return dict(pairs)


def said_json(raw):
    try:
        said = json.loads(raw, object_pairs_hook=once)
    except ValueError as error:
        raise NoVote("no JSON") from error
    if not isinstance(said, dict):
        raise NoVote("no object")
    return said


def said_lines(raw):
    """The lines of the anchored form. What is said twice in the same words is said once."""
    said = {}
    for line in raw.splitlines():
        word, colon, rest = line.strip().partition(":")
        if colon and word in ("CHOICE", "RANKING", "AMOUNT", "CERTAINTY"):
            if said.setdefault(word.lower(), rest.strip()) != rest.strip():
                raise NoVote(f"{word} stands twice")
    if "ranking" in said:
        said["ranking"] = [name.strip() for name in said["ranking"].split(">")]
    return said


def figures(amount):
    """An amount as a whole number: 15000, "15,000", "$15,000" or "12.5k"; none where there is none."""
    if amount is None or amount in ("", "none", "null"):
        return None
    if isinstance(amount, bool) or isinstance(amount, (float, list, dict)):
        raise NoVote("no amount")
    if isinstance(amount, int):
        return amount
    text = amount.strip().removeprefix("$").strip()
    thousands = text[-1:] in ("k", "K")
    whole, point, decimals = text.rstrip("kK").partition(".")
    groups = whole.split(",")
    if not all(group.isascii() and group.isdigit() for group in groups) or any(len(group) != 3 for group in groups[1:]):
        raise NoVote("no amount")
    value = int("".join(groups))
    if not thousands and point:
        raise NoVote("no amount")
    return value * 1000 + int((decimals + "000")[:3]) if thousands else value


def read(raw):
    """The form of a reply, and what it says."""
    if raw.lstrip().startswith("{"):
        return "json", said_json(raw)
    return "anchored", said_lines(raw)


def replies(session):
    """The replies of a session by phase, round, step, seat and try."""
    found = {}
    path = session / "calls.jsonl"
    if not path.exists():
        return found
    for line in path.read_text(encoding="utf-8").splitlines():
        call = json.loads(line)
        if "question" not in call:
            continue
        at = call["question"]["at"]
        if at["step"] not in {"amount", *STEPS.values()}:
            continue
        place = (at["phase"], at["round"], at["step"], call["question"]["seat"], call["question"]["attempt"])
        if place in found and found[place]["raw"] != call["raw"]:
            raise SystemExit(f"{path}: two different replies to {place}")
        found[place] = call
    return found


def tried(row, found, step, tries):
    """The reply that settled a row, if one did."""
    return found.get((row["phase"], int(row["round"]), step, row["seat"], tries - 1))


def settled(row, found):
    """The reply that chose, and the reply that named the amount, which is a question of its own after a vote."""
    step, tries = STEPS[row["purpose"]], int(row["tries"])
    if not row.get("amount_raw"):
        return tried(row, found, step, tries), None
    for of_choice in range(tries, 0, -1):
        chosen = tried(row, found, step, of_choice)
        named = tried(row, found, "amount", tries - of_choice + 1)
        if chosen and named and chosen["raw"] == row["raw"] and named["raw"] == row["amount_raw"]:
            return chosen, named
    return None, None


def why_not(row, found):
    """What is wrong with a row that counts; nothing if it is borne out. And the form of its reply."""
    chosen, named = settled(row, found)
    if chosen is None:
        return "no reply to this question is recorded", None
    for call in filter(None, (chosen, named)):
        if call.get("fault") or call.get("finish_reason") in NEVER_VALID:
            return "its reply was cut, refused or faulty", None
    if chosen["raw"] != row["raw"]:
        return "its words are not those that were recorded", None
    try:
        form, said = read(chosen["raw"])
        if row["purpose"] == "ranking":
            place = int(row["rank"]) - 1
            if said.get("ranking", [])[place : place + 1] != [row["alternative"]]:
                return f"rank {row['rank']} is not said to be {row['alternative']}", form
            return None, form
        choice = said.get("choice")
        if not isinstance(choice, str) or choice.strip() != row["alternative"]:
            return f"{row['alternative']} is not what was said: {choice!r}", form
        spoken = read(named["raw"])[1].get("amount") if named else said.get("amount")
        amount = figures(spoken)
        if amount != (int(row["amount"]) if row["amount"] else None):
            return f"the amount {row['amount'] or 'of nothing'} is not what was said: {spoken!r}", form
        return None, form
    except NoVote as reason:
        return str(reason), None


def look(folder, counts):
    """Looks at every row of a folder; what is wrong, in words."""
    wrong = []
    recorded = {}
    with open(folder / "ballots.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            session = row["session"]
            if session not in recorded:
                recorded[session] = replies(folder / "sessions" / session)
            if not recorded[session]:
                counts["of simulated seats"] += 1
                continue
            place = f"{folder}: {session}, {row['seat']}, {row['phase']} {row['round']}, {row['purpose']}"
            if row["status"] != "valid":
                counts["not counted"] += 1
                if row["alternative"] or row["amount"]:
                    wrong.append(f"{place}: does not count and names a choice")
                continue
            reason, form = why_not(row, recorded[session])
            counts[f"borne out, {form} form" if reason is None else "not borne out"] += 1
            if reason:
                wrong.append(f"{place}: {reason}")
    return wrong


def main(folders):
    counts = collections.Counter()
    wrong = [line for folder in folders for line in look(pathlib.Path(folder), counts)]
    for line in wrong:
        print(line, file=sys.stderr)
    told = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    print(f"votes and polls: {told or 'none'}; {len(wrong)} not borne out")
    looked = sum(count for what, count in counts.items() if what.startswith("borne out"))
    return 1 if wrong or not looked else 0


def planted(folder):
    """False votes, each in a copy of a folder's tables and calls: what was done, and the copy."""
    with open(folder / "ballots.csv", newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        header, rows = reader.fieldnames, list(reader)
    calls = {path.parent.name: path.read_text(encoding="utf-8") for path in folder.glob("sessions/*/calls.jsonl")}
    of_model = [place for place, row in enumerate(rows) if calls.get(row["session"])]
    valid = [place for place in of_model if rows[place]["status"] == "valid" and rows[place]["purpose"] != "ranking"]
    if not valid:
        raise SystemExit(f"{folder}: no vote of a model to plant a false one beside")
    names = sorted({row["alternative"] for row in rows if row["alternative"]} | {"another"})
    first = valid[0]
    other = next(name for name in names if name != rows[first]["alternative"])

    def with_row(**cells):
        return [dict(row, **cells) if place == first else row for place, row in enumerate(rows)], calls

    def with_calls(change):
        session = rows[first]["session"]
        lines = [json.loads(line) for line in calls[session].splitlines()]
        changed = "".join(json.dumps(change(line)) + "\n" for line in lines)
        return rows, dict(calls, **{session: changed})

    def of_seat(call):
        return "question" in call and call["question"]["seat"] == rows[first]["seat"]

    plants = {
        "another choice in the table": with_row(alternative=other),
        "another choice in table and words": with_row(alternative=other, raw=f"CHOICE: {other}"),
        "an amount that nobody named": with_row(amount="123456"),
        "a try that never was": with_row(tries=str(int(rows[first]["tries"]) + 1)),
        "a seat that was not asked": with_row(seat="Nobody"),
        "words that were cut": with_calls(lambda call: dict(call, finish_reason="length") if of_seat(call) else call),
        "no reply at all": with_calls(lambda call: {} if of_seat(call) else call),
        "a faulty vote with a choice": with_row(status="invalid"),
    }
    for what, (table, recorded) in plants.items():
        with tempfile.TemporaryDirectory() as place:
            copy = pathlib.Path(place)
            with open(copy / "ballots.csv", "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, header)
                writer.writeheader()
                writer.writerows(table)
            for session, lines in recorded.items():
                (copy / "sessions" / session).mkdir(parents=True)
                (copy / "sessions" / session / "calls.jsonl").write_text(lines, encoding="utf-8")
            yield what, copy


def prove(folder):
    honest = look(folder, collections.Counter())
    if honest:
        raise SystemExit(f"{folder}: votes are not borne out before one is planted")
    missed = []
    count = 0
    for what, copy in planted(folder):
        count += 1
        if not look(copy, collections.Counter()):
            missed.append(what)
    print(f"false votes planted: {count}, missed: {len(missed)}" + "".join(f"; {what}" for what in missed))
    return 1 if missed else 0


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--plant":
        sys.exit(prove(pathlib.Path(sys.argv[2])))
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
