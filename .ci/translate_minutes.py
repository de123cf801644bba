#!/usr/bin/env python3
"""Shows that only the grammar of the minutes changed: translates old minutes and compares them with those of a newer program.

The old program is commit 4f271dc3, which writes minutes of format 6: check it out in a folder of its own, which is OLD_TREE, and
build it there with `cargo build --release`. Its minutes of every shipped config without a model server are translated record by
record into format 9, and must be those that the new program writes of this tree's config with the same seed.

translate_minutes.py OLD_PROGRAM OLD_TREE NEW_PROGRAM [CONFIG…]   all configs that both trees have, or those of these names
translate_minutes.py --self-test                                  translate every kind of record; find planted differences

Exit codes: 0 equal but for what ACCEPTED lists, 1 different, 2 wrong usage or a config that could not be run.
"""
import argparse
import collections
import csv
import difflib
import fractions
import functools
import itertools
import json
import math
import pathlib
import re
import sys
import tempfile
import traceback

sys.dont_write_bytecode = True
import golden  # noqa: E402
import minutes_grammar  # noqa: E402

ROOT = golden.ROOT

# Designs that were written anew


ASKED_IN = {"straw_before": ("first", "alone"), "straw_after": ("last", "after")}
QUESTION = "A private estimate that nobody hears from you: what do you think now?"


def rebuild_estimation(session, records, numbers):
    """Estimates are answers to forms, which seats remember, and feedback is a block of three phases instead of rounds in which nobody
    speaks, with no countdown. What a mind heard last it keeps as the number of a record."""
    item = re.search(r"-i(\w+)-r\d+$", session)[1]
    [unit] = [row["unit"] for row in csv.DictReader((ROOT / "configs/estimation-quantities.csv").open()) if row["id"] == item]
    rebuilt, places, remembered, countdowns = [], {}, collections.defaultdict(list), 0
    has_feedback = any("group" in record["event"].get("Briefed", {}).get("what", {}).get("instruction", {}) for record in records)

    def add(record, phase, **changes):
        rebuilt.append(record | changes | {"seq": len(rebuilt), "at": record["at"] | phase})

    for place, record in enumerate(records):
        [(name, event)], number = record["event"].items(), record["at"]["round"]
        phase, field = ASKED_IN.get(record["at"]["phase"], (f"estimates@{number}", "guess"))
        is_round = has_feedback and record["at"]["phase"] == "discussion"
        opening = {"round": 0, "step": "opening"}
        if is_round and name == "RoundOpened" and event == {"order": []}:
            add(record, opening | {"phase": phase}, event={"PhaseOpened": {"kind": "ask"}})
        elif is_round and name == "Briefed" and (told := re.fullmatch(r"The private poll.* \(median (\d+)\)\.", event["text"])):
            count, brief = {"phase": f"count@{number}"}, {"phase": f"told@{number}"}
            add(record, count | opening, event={"PhaseOpened": {"kind": "compute"}})
            computed = {"name": "middle", "values": {"session": int(told[1])}}
            add(record, count | {"round": 0, "step": "compute"}, event={"Computed": computed})
            add(record, brief | opening, event={"PhaseOpened": {"kind": "brief"}})
            add(record, brief | {"round": 0}, event={"Briefed": event | {"text": f"The median of the estimates is {told[1]}."}})
        elif is_round and name == "Briefed" and re.fullmatch(r"\d+ rounds remain\.", event["text"]):
            countdowns += 1
        elif is_round and name in ("PhaseOpened", "RoundClosed"):
            pass
        elif record["at"]["phase"] in ASKED_IN and name == "PhaseOpened":
            add(record, {"phase": phase})
        elif record["at"]["step"] == "straw_poll":
            values, given = event["values"], event["given"]
            # The opinion stands in the mind's state, too; one that did not is kept, and found as a difference.
            new = {field: values["amount"]} | ({} if values["opinion"] == given["state"][2] else {"opinion": values["opinion"]})
            event = {"values": new, "raw": f"{field.upper()}: {values['amount']}", "given": given}
            add(record, {"phase": phase, "round": 0, "step": "ask"}, event={name: event})
        else:
            add(record, {})
        places[place] = len(rebuilt) - 1
        if name == "Answered":
            shown, state = event["given"]["shown"], event["given"]["state"]
            shown["floor"]["end"] -= countdowns
            shown["own"]["end"] += len(remembered[record["seat"]])
            if state[1] >= 0:
                state[1] = places[numbers[state[1]]]
        if record["at"]["step"] == "straw_poll":
            remembered[record["seat"]].append(f"You answered: «{QUESTION} ({unit})» {values['amount']}")
        if name == "RoundClosed":
            for seat, memory in zip(list_seats(records), event["memory"]):
                memory["entries"] += len(remembered[seat])
                memory["chars"] += sum(map(len, remembered[seat]))
    return rebuilt, {number: places[place] for number, place in numbers.items() if place in places}


def list_months(records):
    """What was asked for and computed in each month of a session of `commons`."""
    months, month = [], {"asked": {}}
    for record in records:
        [(name, event)] = record["event"].items()
        if name == "Answered" and record["at"]["step"] == "ask":
            month["asked"][record["seat"]] = event["values"]["asked"]
        elif name == "Computed" and event["name"] in ("before", "got", "left") or name == "Computed" and "left" in month:
            [month[event["name"]]] = event["values"].values()
            if event["name"] == "stock":
                months, month = [*months, month], {"asked": {}}
    return months


def find_broken_rule(months, bias):
    """The first month that is not what the rules of the lake and of the mind make of the month before; None if there is none."""
    for number, month in enumerate(months):
        before, asked, got, left = month["before"], month["asked"], month["got"], month["left"]
        wanted = max(1, sum(asked.values()))
        rationed = all(got[seat] in (asked[seat] * before // wanted, asked[seat] * before // wanted + 1) for seat in asked)
        shared = got == asked if wanted <= before else rationed and sum(got.values()) == before
        grown = min(100, 2 * left) if left >= 5 else 0
        earlier = months[number - 1] if number else None
        expected = asked
        if earlier and bias is not None:
            others = {seat: fractions.Fraction(sum(earlier["got"].values()) - own, len(asked) - 1) / earlier["before"]
                      for seat, own in earlier["got"].items()}
            half = fractions.Fraction(1, 2)
            expected = {seat: math.floor(before * min(1, share + bias) + half) for seat, share in others.items()}
        is_next = before == (earlier["stock"] if earlier else 100) and month["stock"] == grown
        if not (shared and is_next and left == before - sum(got.values()) and asked == expected):
            return {"month": number + 1, **month, "expected": expected}
    return None


def compare_commons(config, session, old, new):
    """The differences of a session, month by month in arms whose seats draw nothing. In the other arms, both sessions must follow the
    rules of the lake and of their minds."""
    arm, both = session.rsplit("-r", 1)[0], [list_months(records) for records in (old, new)]
    report = functools.partial(Difference, config, session, places=(0, 0), records=(old, new))
    if arm in ("tenth", "fifth"):
        yield from [report("month", "months", f"{number}.months", *map(golden.quote, pair))
                    for number, pair in enumerate(itertools.zip_longest(*both), 1) if pair[0] != pair[1]]
    # A session whose stock is gone ended as `collapsed`, and is at the end of its agenda now.
    ends = [[record | {"seq": number} for number, record in enumerate((side[0], side[-1]))] if side else [] for side in (old, new)]
    if old and both[0] and both[0][-1]["stock"] == 0 and ends[0][1]["event"]["Adjourned"]["stop"] == "collapsed":
        ends[0][1] |= {"event": {"Adjourned": ends[0][1]["event"]["Adjourned"] | {"stop": "agenda_done"}}}
    yield from compare_session(config, session, *ends)
    bias = {"conditional": 0, "selfish": fractions.Fraction(1, 100)}.get(arm)
    for name, months in zip(("old", "new"), both):
        if not months or (broken := find_broken_rule(months, bias)):
            yield report("rules", f"{name} months", "month", "as the rules say", golden.quote(broken if months else None))


# Differences

# `path` is the field's; `places` are those of the two records among `records`, the old translated and the new.
Difference = collections.namedtuple("Difference", "config session step event path old new places records")
# Digests of plans and minutes differ, because their texts do.
DIGEST = re.compile(r"event\.Convened\.plan|.*\.minutes")
COUNTED = "The ballots were counted: "


def list_seats(records):
    """The seats in the plan's order, in which they answer what all are asked at once."""
    return list(dict.fromkeys(record["seat"] for record in records if "seat" in record and record["at"]["turn"] == 0))


def has_counts_with_colons(difference):
    counts = re.compile(rf"(?<={COUNTED})[^;]+")
    return difference.new == counts.sub(lambda told: re.sub(r"(\w+) (\d+)(?=,|$)", r"\1: \2", told[0]), difference.old)


def get_answer(record, step):
    return record["event"]["Answered"]["values"] if record["at"]["step"] == step and "Answered" in record["event"] else {}


def keeps_own_entries(difference):
    """The same lines without announced counts, and with all that the seat thought and voted."""
    (old, new), entries = map(json.loads, difference[5:7]), []
    records, place = difference.records[1], difference.places[1]
    for record in records[:place]:
        if record.get("seat") == records[place]["seat"]:
            thought, voted, amount = (get_answer(record, step) for step in ("reasoning", "ballot", "amount"))
            if thought:
                entries.append(f"You thought: {thought['text']}")
            if voted:
                entries.append(f"You voted: {voted['choice']}")
            if amount:
                entries[-1] += f" {amount['amount']}"
    is_own = re.compile("You (thought|voted): ").match
    lines = [line for line in new.split("\n") if not is_own(line)], [line for line in new.split("\n") if is_own(line)]
    return lines == ([line for line in old.split("\n") if not line.startswith(COUNTED)], entries)


def follows_from_words(difference):
    """As many characters more as what the seat rewrote and noted, and the counts that it heard."""
    more, seat = 0, int(re.search(r"\[(\d+)\]", difference.path)[1])
    name, rewritten = list_seats(difference.records[0])[seat], 0
    for old, new in zip(*(records[:place] for records, place in zip(difference.records, difference.places))):
        [(event, fields)] = old["event"].items()
        if event == "Tallied":
            more += sum("amount" not in count for count in fields["counts"])
        elif event == "Briefed" and "notes" in fields.get("what", {}) and fields["to"] == [name]:
            more += len(new["event"][event]["text"]) - len(fields["text"])
        elif old.get("seat") == name and get_answer(old, "integration"):
            rewritten = len(get_answer(new, "integration")["text"]) - len(fields["values"]["text"])
    return count_more_characters(difference) == more + rewritten != 0


def count_more_characters(difference):
    """By how many characters the new memory is longer."""
    path = difference.path.replace(".tokens", ".chars")
    sides = zip(difference.records, difference.places)
    old, new = (int(dict(golden.flatten_json(records[place], "", ()))[path]) for records, place in sides)
    return new - old


def tells_law(difference):
    """The same instruction, with the law of the arm in place of its last sentence."""
    old, new = map(json.loads, difference[5:7])
    law = {"majority": "more than half of the votes for one verdict, 7 of 12", "unanimity": "the votes of all 12 jurors for one verdict"}
    law = law.get(difference.session.split("-")[0], "at least 10 of 12 votes for one verdict")
    return new == old.replace(" If you cannot agree as far as the law asks, the", f"\nThe law asks for {law}; otherwise the")


COLONS = "counts are told as `for: 1`, not `for 1` (commit 6baab231)"
OWN = "simulated seats that rewrite their memory keep their own entries (bdc092db) and no announcements (6baab231)"
SIZES = "these texts are longer by exactly as many characters; tokens are accepted only there (6baab231, bdc092db)"
# Configs, step and event, path, condition on the values, reason.
ACCEPTED = [
    ("panel", "notes Answered", r"event\.Answered\.(raw|values\.append)", has_counts_with_colons, COLONS),
    ("panel", "convening Briefed", r"event\.Briefed\.text", has_counts_with_colons, COLONS + ", in notes, too"),
    ("panel|justice.*", "integration Answered", r"event\.Answered\.values\.text", keeps_own_entries, OWN),
    ("panel|justice.*", "closing RoundClosed", r"event\.RoundClosed\.memory\[\d+\]\.(chars|tokens)", follows_from_words, SIZES),
    ("jury", "brief Briefed", r"event\.Briefed\.text", tells_law, "a jury is told how many votes a verdict needs (9e1df860)"),
    ("estimation", "closing RoundClosed", r"event\.RoundClosed\.memory\[\d+\]\.tokens",
     lambda difference: count_more_characters(difference) == 0,
     "seats remember their estimates (fc2e9fa0); the number of characters is compared, the number of tokens is not computed here"),
]
# Configs whose scenario was written anew: how old records become those of the new design, or how months are compared; reason.
REBUILT = {"estimation": (
    rebuild_estimation, "feedback is phases, and estimates are answers to forms (fc2e9fa0); what follows is rewritten, and compared")}
COMPARED_OTHERWISE = {"commons": (
    compare_commons, "a program of phases without Rust of its own (83f8cc09), where single seats draw otherwise; compared are, in the "
    "arms that draw nothing, what each asked for and got and the stock of every month; in the other arms, that months on both sides "
    "follow the same rules; in all, the first and last record; not phases, words, and talk, which rules have none of now")}


def find_reason(difference):
    """Why a difference is accepted; None if it is not."""
    for configs, record, path, condition, reason in ACCEPTED:
        named = re.fullmatch(configs, difference.config) and record == f"{difference.step} {difference.event}"
        if named and re.fullmatch(path, difference.path) and None not in difference[5:7] and condition(difference):
            return reason
    return None


def compare_session(config, session, old, new):
    """The differences of translated records and new ones, which belong together by their coordinates."""
    keys = [[(*record["at"].values(), record.get("seat"), record.get("attempt"), *record["event"]) for record in side]
            for side in (old, new)]
    for tag, start, end, new_start, new_end in difflib.SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        pairs = list(zip(range(start, end), range(new_start, new_end))) if tag == "equal" else [
            *((place, None) for place in range(start, end)), *((None, place) for place in range(new_start, new_end))]
        for places in pairs:
            both = [None if place is None else side[place] for side, place in zip((old, new), places)]
            record = both[0] or both[1]
            report = functools.partial(Difference, config, session, record["at"]["step"], *record["event"],
                                       places=places, records=(old, new))
            if None in both:
                yield report("record", *(value and golden.quote(value["event"]) for value in both))
                continue
            # Numbers are those of places, so that a record that is missing is one difference.
            if both[0]["seq"] != places[0] or both[1]["seq"] != places[1]:
                yield report("seq", str(both[0]["seq"]), str(both[1]["seq"]))
            cells = [dict(golden.flatten_json(value | {"seq": 0}, "", ())) for value in both]
            for path in dict.fromkeys([*cells[0], *cells[1]]):
                values = [side.get(path) for side in cells]
                are_digests = DIGEST.fullmatch(path) and all(str(value).startswith('"b3:') for value in values)
                if values[0] != values[1] and not are_digests:
                    yield report(path, *values)


def compare_config(config, old, new):
    """Prints what differs between old minutes of each session and new ones; returns how many differences are not accepted."""
    sessions = {session: minutes_grammar.translate_session(records) for session, records in old.items()}
    minutes_grammar.renumber(sessions)
    found, total, touched, exact = {}, 0, set(), 0
    for session in sorted(sessions.keys() | new.keys()):
        records, numbers = sessions.get(session, ([], {}))
        if config in REBUILT and records:
            records, numbers = REBUILT[config][0](session, records, numbers)
        compare = COMPARED_OTHERWISE.get(config, (compare_session,))[0]
        for difference in compare(config, session, records, new.get(session, [])):
            reason = find_reason(difference)
            touched.add((session, difference.places[0]))
            path = re.sub(r"\[\d+\]", "[]", difference.path)
            found.setdefault((reason or "", difference.step, difference.event, path), []).append(difference)
        total += len(records)
        exact += 2 + sum(record["at"]["step"] in ("ask", "compute") for record in records if re.match("tenth|fifth", session))
    exact = exact if config in COMPARED_OTHERWISE else total
    exact -= len({at for at in touched if at[1] is not None})
    print(f"{config}: {len(sessions)} sessions, {total} records, {exact} equal in every field ({exact / max(1, total):.1%})")
    for table in (REBUILT, COMPARED_OTHERWISE):
        if config in table:
            print(f"    redesigned: {table[config][1]}")
    for (reason, step, event, path), differences in sorted(found.items()):
        first = differences[0]
        at = (first.records[0] if first.places[0] is not None else first.records[1])[first.places[0] or first.places[1] or 0]
        where = " ".join(f"{name} {value}" for name, value in {**at["at"], "seat": at.get("seat")}.items() if value is not None)
        print(f"    {'accepted' if reason else 'DIFFERENT'}: {step} {event}, {path}: {len(differences)}{reason and f' ({reason})'}")
        print(f"        such as {first.session}, {where}: {golden.show_change(first.old, first.new)}")
    return sum(len(differences) for key, differences in found.items() if not key[0])


def run_config(program, tree, config, folder, replicates):
    """The minutes of each session."""
    folder.mkdir(parents=True)
    for name in ("configs", "scenarios"):
        (folder / name).symlink_to(tree / name)
    text = (tree / f"configs/{config}.yaml").read_text()
    own = re.search(r"^replicates: *(\d+)", text, re.M)
    fewer = ["--replicates", replicates] if own and int(own[1]) > replicates else []
    typed = golden.TYPED if golden.has_model(text, "human") else ""
    done = golden.call_program(program, ["run", f"configs/{config}.yaml", "--out", "out", "--jobs", 1, *fewer], folder, typed)
    if done.returncode:
        raise RuntimeError(f"{program} cannot run {config} (exit {done.returncode}): {done.stderr.decode()[-500:]}")
    return {path.parent.name: [json.loads(line) for line in path.read_text().splitlines()]
            for path in sorted(folder.glob("out/sessions/*/minutes.jsonl"))}


# Self-test


def test_itself():
    """Translates every kind of record, and plants differences, which must all be found."""
    def translate(records):
        sessions = {"own": minutes_grammar.translate_session(records)}
        minutes_grammar.renumber(sessions)
        return sessions["own"][0]

    def find(old, new):
        return [(found.event, found.path) for found in compare_session("test", "own", old, new) if not find_reason(found)]

    def refuse(**changes):
        try:
            return translate([json.loads(json.dumps(old[0] | changes))]) and None
        except minutes_grammar.Untranslatable as error:
            return str(error)

    old, expected = minutes_grammar.list_cases()
    vote = next(place for place, record in enumerate(expected) if get_answer(record, "statement") == {"choice": "a"})
    changed = json.loads(json.dumps(expected))
    changed[vote]["event"]["Answered"]["values"]["choice"] = "b"
    missing = [record | {"seq": number} for number, record in enumerate(expected[:vote] + expected[vote + 1 :])]
    got = translate(json.loads(json.dumps(old)))
    results = {
        "every kind of old record has a case": {case[0] for case in minutes_grammar.CASES} == {*minutes_grammar.EVENTS, "Harvested"},
        "old records become the expected ones": got == expected and find(got, expected) == [],
        "a changed vote is found": find(got, changed) == [("Answered", "event.Answered.values.choice")],
        "a missing record is found": ("Answered", "record") in find(got, missing),
        "a record too many is found": ("Answered", "record") in find(missing, got),
        "an unknown event is refused": "Sung" in str(refuse(event={"Sung": {}})),
        "an unknown field is refused": "SessionConvened.mood" in str(refuse(event={"SessionConvened": {"mood": 1}})),
        "an unknown part of a record is refused": "mood" in str(refuse(mood=1)),
        "a session that is missing is found": len(find(got, [])) == len(expected),
    }
    print("\n".join(f"{name}: {'ok' if passed else 'FAILED'}" for name, passed in results.items()))
    return 0 if all(results.values()) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arguments", nargs="*", metavar="OLD_PROGRAM OLD_TREE NEW_PROGRAM [CONFIG…]")
    parser.add_argument("--replicates", type=int, default=2, metavar="N", help="sessions an arm at most (default: %(default)s)")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return test_itself()
    if len(options.arguments) < 3:
        parser.error("OLD_PROGRAM, OLD_TREE and NEW_PROGRAM are missing")
    old_program, old_tree, new_program = (pathlib.Path(path).resolve() for path in options.arguments[:3])
    both = {path.stem for path in old_tree.glob("configs/*.yaml")} & {path.stem for path in ROOT.glob("configs/*.yaml")}
    simulated = {config for config in both if not golden.has_model((ROOT / f"configs/{config}.yaml").read_text(), "openai")}
    print(f"left out, because they need a model server: {', '.join(sorted(both - simulated))}")
    configs, different = options.arguments[3:] or sorted(simulated), 0
    if unknown := set(configs) - simulated:
        parser.error(f"not a config of both trees without a model server: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory(prefix="ekklesia-translated-") as place:
        for config in configs:
            old, new = (run_config(program, tree, config, pathlib.Path(place) / name / config, options.replicates)
                        for name, program, tree in (("old", old_program, old_tree), ("new", new_program, ROOT)))
            different += compare_config(config, old, new)
    print(f"{len(configs)} configs, {different} differences that are not accepted")
    return 1 if different else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception:
        traceback.print_exc()
        sys.exit(2)
