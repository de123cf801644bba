"""Translates minutes of format 6 into format 9, record by record. What the tables do not name is refused by name."""
import functools
import json


class Untranslatable(Exception):
    """An event or a field that the tables do not name."""


def keep(*names):
    return {name: name for name in names}


def translate_each(table):
    return lambda items: [move_fields("list", item, table, {}) for item in items]


ANSWER = keep("options", "raw", "given")
CHOICE = ANSWER | {"alternative": "values.choice", "amount": "values.amount"}
TEXT = {"text": "values.text", "cut_chars": "values.cut_chars", "given": "given"}
PHASE_KINDS = {"ballot": "vote", "settle": "pay"}
INCOME = {name: f"income.{name}" for name in ("alternative", "amount", "table", "class", "income", "balance_cents")}
# Old event: new event; where each field goes (a place, a place with a function of the value, or a table of the fields within);
# values of the new event that the old one had no field for. What several records share stands in JOINED.
EVENTS = {
    "SessionConvened": ("Convened", keep("plan", "arm", "replicate", "lender", "windows", "forms", "before", "target", "first")
                        | {"format": ("format", lambda number: 9 if number == 6 else number)}),
    "PhaseOpened": ("PhaseOpened", {"kind": ("kind", lambda kind: PHASE_KINDS.get(kind, kind))}),
    "Seated": ("Seated", keep("seats")),
    "Networked": ("Seated", {"hears": ("seats", lambda seats: [{"hears": []} | seat for seat in seats])}),
    "NamesGiven": ("Seated", {"names": "seats"}),
    "Exhibited": ("Briefed", {"exhibit": "what.exhibit.name", "text": "what.exhibit.digest", "pages": "what.exhibit.pages", "to": "to"},
                  {"what.exhibit.pages": 0}),
    "Dealt": ("Briefed", {"seat": ("to", lambda seat: [seat]), "signal": "what.case.signal", "facts": "what.case.facts", "text": "text"},
              {"what.case": {}}),
    "NotesBrought": ("Briefed", {"seat": ("to", lambda seat: [seat]), "lines": ("text", "\n".join), "from": "what.notes.from"},
                     {"what.notes": {}}),
    "Instructed": ("Briefed", keep("text", "to", "by") | {"pushes": "what.instruction.pushes", "group": "what.instruction.group"}),
    # The new record also has the words in which all are told.
    "Imposed": ("Briefed", {"alternative": "what.decision.alternative", "amount": "what.decision.amount"}),
    "Reminded": ("Reminded", keep("to", "act", "spared")),
    "Marked": ("Marked", keep("to", "by", "phase", "statement", "of")),
    "RoundOpened": ("RoundOpened", keep("order")),
    "SituationOpened": ("RoundOpened", keep("situation", "multiplier"), {"order": []}),
    "Paid": ("Paid", {"stage": "tables.stage", "situation": "tables.situation", "multiplier": "tables.multiplier",
                      "payoffs": ("payoffs", translate_each(keep("seat", "payoff_cents") | INCOME))}),
    "Named": ("Answered", ANSWER | {"name": "values.name"}),
    "Noted": ("Answered", ANSWER | {"note": {"append": "values.append", "replace": {"old": "values.replace", "new": "values.with"}}},
              {"values": {}}),
    "Recognised": ("Answered", ANSWER | {"recognised": "values.recognised", "recognised_as": "values.which"}),
    "Ranked": ("Answered", ANSWER | {"order": ("values.ranking", lambda order: [[name] for name in order]),
                                     "certainty": "values.certainty"}),
    "Tested": ("Answered", ANSWER | {name: f"values.{name}" for name in ("answers", "correct", "passed")}),
    "Applied": ("Answered", CHOICE | {"certainty": "values.certainty", "reasoning": "values.reasoning"}),
    "HarvestAsked": ("Answered", ANSWER | {"amount": "values.asked"}),
    "Volunteered": ("Answered", ANSWER | {"urgency": "values.urgency"}, {"values.urgency": None}),
    "Spoke": ("Answered", {"text": "values.statement", "stance": "values.stance", "stance_amount": "values.amount",
                           "opinion": "values.opinion", "marks": "marks", "given": "given"}),
    "Passed": ("Answered", keep("given"), {"values.statement": None}),
    "Polled": ("Answered", CHOICE | {"opinion": "values.opinion"}),
    "Balloted": ("Answered", CHOICE),
    "Voted": ("Answered", ANSWER | {"ballot": {
        "approval": "values.approves", "ranking": "values.ranking",
        "score": ("values.scores", lambda scores: {score["alternative"]: score["score"] for score in scores})}}),
    "Abstained": ("Answered", ANSWER, {"values.choice": None}),
    "AmountNamed": ("Answered", ANSWER | {"amount": "values.amount"}),
    "Reasoned": ("Answered", TEXT),
    "CallAnswered": ("Answered", ANSWER | {"calls": "values.answer"}),
    "Confirmed": ("Answered", ANSWER | {"agrees": "values.answer"}),
    "Integrated": ("Answered", TEXT),
    "Compressed": ("Answered", TEXT),
    "Inquired": ("Inquired", keep("inquiry", "found", "raw", "given")),
    "Faulted": ("Faulted", ANSWER | keep("fault", "then")),
    "Sampled": ("Tallied", {"samples": "sampled.samples", "taken": "sampled.taken"}),
    "Tallied": ("Tallied", keep("rule", "base", "eligible", "valid", "invalid", "abstained", "by_choice", "threshold", "quorum_met",
                                "condorcet_winner", "uncounted", "counts", "winners", "tie_break", "tie_ballots", "decided")),
    "RoundClosed": ("RoundClosed", keep("dropped_remarks", "dropped_chars", "memory", "convergence")),
    "Adjourned": ("Adjourned", keep("verdict", "stop", "decided")),
}
# An old record of which each element of a list becomes a record of its own. The other fields belong to each, but for the truth,
# which stands in `Convened`.
SPLIT = {"Dealt": "hands", "NotesBrought": "notes"}
# What the scenario `commons` computes in place of a harvest: the variable, and its values.
HARVESTED = {"stock": ("before", "session"), "harvests": ("got", "seats"), "left": ("left", "session"), "grown": ("stock", "session")}
# Left out of new records where they are empty.
LEFT_OUT = {"Answered": ("options", "raw", "marks"), "Faulted": ("options",)}
STEPS = {"harvest": "ask"}
# Fields that name other records by their numbers.
REFERENCES = [("Marked", "of"), ("Answered", "marks[].of"), ("Inquired", "found[]"), ("Convened", "first.seats[].seq")]


def put(event, place, value):
    *outer, last = place.split(".")
    functools.reduce(lambda inner, name: inner.setdefault(name, {}), outer, event).setdefault(last, value)


def move_fields(name, fields, table, event):
    for field, value in fields.items():
        if field not in table:
            raise Untranslatable(f"{name}.{field} has no place in the new grammar")
        place = table[field]
        if isinstance(place, dict):
            move_fields(f"{name}.{field}", value, place, event)
        else:
            place, change = place if isinstance(place, tuple) else (place, lambda value: value)
            put(event, place, change(value))
    return event


def translate_event(name, fields):
    """The new events of an old one."""
    if name == "Harvested":
        move_fields(name, fields, keep(*HARVESTED), {})
        got = {harvest["seat"]: harvest["got"] for harvest in fields["harvests"]}
        values = fields | {"harvests": got}
        return [{"Computed": {"name": new, "values": {holder: values[old]}}} for old, (new, holder) in HARVESTED.items()]
    if name not in EVENTS:
        raise Untranslatable(f"the event {name} has no place in the new grammar")
    new, table, *more = EVENTS[name]
    each = [fields]
    if name in SPLIT:
        common = {field: value for field, value in fields.items() if field not in (SPLIT[name], "truth")}
        each = [common | element for element in fields.get(SPLIT[name], [])]
    events = [move_fields(name, one, table, {}) for one in each]
    for event in events:
        for place, value in dict(*more).items():
            put(event, place, json.loads(json.dumps(value)))
        for field in LEFT_OUT.get(new, ()):
            if field in event and not event[field]:
                del event[field]
    return [{new: event} for event in events]


def translate_session(records):
    """The new records, and the new number of each old record."""
    new, numbers, seated = [], {}, None
    sampled = {}
    for record in records:
        if unknown := record.keys() - {"seq", "at", "seat", "attempt", "event"}:
            raise Untranslatable(f"a record's {min(unknown)} has no place in the new grammar")
        [(name, fields)] = record["event"].items()
        numbers[record["seq"]] = len(new)
        at = record["at"] | {"step": STEPS.get(record["at"]["step"], record["at"]["step"])}
        at |= {"step": "compute"} if name == "Harvested" else {}
        events = translate_event(name, fields)
        if name == "Sampled":
            sampled = events.pop()["Tallied"]
        elif name == "Tallied":
            events[0]["Tallied"] |= sampled
            sampled = {}
        elif name == "Dealt" and "truth" in fields:
            new[0]["event"]["Convened"]["truth"] = fields["truth"]
        elif name == "Networked" and seated:
            numbers[record["seq"]] -= 1
            known = {seat["seat"]: seat for seat in seated["seats"]}
            seated["seats"] = [known.get(seat["seat"], {}) | seat for seat in events.pop()["Seated"]["seats"]]
        seated = events[0]["Seated"] if name == "Seated" else None
        new += [{**record, "seq": len(new) + place, "at": at, "event": event} for place, event in enumerate(events)]
    return new, numbers


def renumber(sessions):
    """Gives references the new numbers of the records that they name, in their own session or in that of first opinions."""
    for records, numbers in sessions.values():
        for record in records:
            [(name, event)] = record["event"].items()
            for path in (path for of, path in REFERENCES if of == name):
                own = sessions[event["first"]["of"]["session"]][1] if path.startswith("first") and "first" in event else numbers
                change_at(event, path.split("."), own.__getitem__)


def change_at(value, path, change):
    name, *rest = path
    if (key := name.removesuffix("[]")) not in value:
        return
    if not rest:
        value[key] = [change(one) for one in value[key]] if name.endswith("[]") else change(value[key])
    else:
        for inner in value[key] if name.endswith("[]") else [value[key]]:
            change_at(inner, rest, change)


# Self-test

GIVEN = {"shown": {"floor": {"start": 0, "end": 1}}, "state": [7]}
ASKED = {"options": ["a", "b"], "raw": "words", "given": GIVEN}
WORDS = {"raw": "words", "given": GIVEN}
FIRST = {"of": {"session": "own", "minutes": "b3:0"}, "seats": [{"seat": "S1", "seq": 3, "alternative": "a"}]}
# A session: each old event and the new ones in its place; none where it became part of another.
CASES = [
    ("SessionConvened", {"format": 6, "plan": "b3:0", "arm": "x", "replicate": 1, "first": FIRST},
     [("Convened", {"format": 9, "plan": "b3:0", "arm": "x", "replicate": 1, "truth": {"alternative": "a"},
                    "first": FIRST | {"seats": [{"seat": "S1", "seq": 2, "alternative": "a"}]}})]),
    ("Seated", {"seats": [{"seat": "S1", "persona": "p"}]},
     [("Seated", {"seats": [{"seat": "S1", "persona": "p", "hears": ["S2"]}, {"seat": "S2", "hears": []}]})]),
    ("Networked", {"hears": [{"seat": "S1", "hears": ["S2"]}, {"seat": "S2"}]}, []),
    ("Exhibited", {"exhibit": "map", "text": "b3:1", "to": ["S1"]},
     [("Briefed", {"what": {"exhibit": {"name": "map", "digest": "b3:1", "pages": 0}}, "to": ["S1"]})]),
    ("Dealt", {"truth": {"alternative": "a"}, "hands": [{"seat": "S1", "signal": "a", "text": "t"},
                                                       {"seat": "S2", "facts": ["f"], "text": "u"}]},
     [("Briefed", {"what": {"case": {"signal": "a"}}, "text": "t", "to": ["S1"]}),
      ("Briefed", {"what": {"case": {"facts": ["f"]}}, "text": "u", "to": ["S2"]})]),
    ("Named", WORDS | {"name": "Zoe"}, [("Answered", WORDS | {"values": {"name": "Zoe"}})]),
    ("NamesGiven", {"names": [{"seat": "S1", "name": "Zoe"}]}, [("Seated", {"seats": [{"seat": "S1", "name": "Zoe"}]})]),
    ("NotesBrought", {"notes": [{"seat": "S1", "lines": ["x", "y"]}], "from": {"session": "s", "minutes": "b3:2"}},
     [("Briefed", {"what": {"notes": {"from": {"session": "s", "minutes": "b3:2"}}}, "text": "x\ny", "to": ["S1"]})]),
    ("PhaseOpened", {"kind": "ballot"}, [("PhaseOpened", {"kind": "vote"})]),
    ("Instructed", {"text": "t", "to": ["S1"], "pushes": "a"},
     [("Briefed", {"what": {"instruction": {"pushes": "a"}}, "text": "t", "to": ["S1"]})]),
    ("Imposed", {"alternative": "a", "amount": 3}, [("Briefed", {"what": {"decision": {"alternative": "a", "amount": 3}}})]),
    ("Reminded", {"act": {"forget": {}}, "to": ["S1"]}, [("Reminded", {"act": {"forget": {}}, "to": ["S1"]})]),
    ("RoundOpened", {"order": ["S1"]}, [("RoundOpened", {"order": ["S1"]})]),
    ("SituationOpened", {"situation": "A", "multiplier": 900},
     [("RoundOpened", {"order": [], "situation": "A", "multiplier": 900})]),
    ("Spoke", {"text": "t", "stance": "a", "stance_amount": 3, "opinion": 5, "marks": [{"sign": "support", "of": 7}], "given": GIVEN},
     [("Answered", {"values": {"statement": "t", "stance": "a", "amount": 3, "opinion": 5},
                    "marks": [{"sign": "support", "of": 7}], "given": GIVEN})]),
    ("Passed", {"given": GIVEN}, [("Answered", {"values": {"statement": None}, "given": GIVEN})]),
    ("Marked", {"phase": "p", "statement": {"round": 1, "turn": 1}, "of": 14},
     [("Marked", {"phase": "p", "statement": {"round": 1, "turn": 1}, "of": 14})]),
    ("Inquired", WORDS | {"inquiry": {"page": "1"}, "found": [3]},
     [("Inquired", WORDS | {"inquiry": {"page": "1"}, "found": [2]})]),
    ("Faulted", WORDS | {"fault": "refused", "then": "asked_again", "options": []},
     [("Faulted", WORDS | {"fault": "refused", "then": "asked_again"})]),
    ("Noted", WORDS | {"note": {"append": "x", "replace": {"old": "y", "new": "z"}}},
     [("Answered", WORDS | {"values": {"append": "x", "replace": "y", "with": "z"}})]),
    ("Recognised", WORDS | {"recognised": True, "recognised_as": "it"},
     [("Answered", WORDS | {"values": {"recognised": True, "which": "it"}})]),
    ("Ranked", ASKED | {"order": ["a", "b"], "certainty": "sure"},
     [("Answered", ASKED | {"values": {"ranking": [["a"], ["b"]], "certainty": "sure"}})]),
    ("Tested", WORDS | {"answers": [1, 2], "correct": 1, "passed": False},
     [("Answered", WORDS | {"values": {"answers": [1, 2], "correct": 1, "passed": False}})]),
    ("Applied", ASKED | {"alternative": "a", "amount": 3, "certainty": "sure", "reasoning": ""},
     [("Answered", ASKED | {"values": {"choice": "a", "amount": 3, "certainty": "sure", "reasoning": ""}})]),
    ("Paid", {"stage": "application", "situation": "A", "payoffs": [
        {"seat": "S1", "table": 1, "class": 2, "income": 3, "payoff_cents": 4, "balance_cents": 5}]},
     [("Paid", {"tables": {"stage": "application", "situation": "A"},
                "payoffs": [{"seat": "S1", "payoff_cents": 4, "income": {"table": 1, "class": 2, "income": 3, "balance_cents": 5}}]})]),
    ("HarvestAsked", WORDS | {"amount": 3}, [("Answered", WORDS | {"values": {"asked": 3}})]),
    ("Harvested", {"stock": 9, "harvests": [{"seat": "S1", "asked": 3, "got": 2}], "left": 7, "grown": 14},
     [("Computed", {"name": "before", "values": {"session": 9}}), ("Computed", {"name": "got", "values": {"seats": {"S1": 2}}}),
      ("Computed", {"name": "left", "values": {"session": 7}}), ("Computed", {"name": "stock", "values": {"session": 14}})]),
    ("Volunteered", WORDS, [("Answered", WORDS | {"values": {"urgency": None}})]),
    ("Polled", ASKED | {"alternative": "a", "amount": 3, "opinion": 5},
     [("Answered", ASKED | {"values": {"choice": "a", "amount": 3, "opinion": 5}})]),
    ("Balloted", ASKED | {"alternative": "a"}, [("Answered", ASKED | {"values": {"choice": "a"}})]),
    ("Voted", ASKED | {"ballot": {"score": [{"alternative": "a", "score": 2}]}},
     [("Answered", ASKED | {"values": {"scores": {"a": 2}}})]),
    ("Voted", ASKED | {"ballot": {"approval": ["a"]}}, [("Answered", ASKED | {"values": {"approves": ["a"]}})]),
    ("Voted", ASKED | {"ballot": {"ranking": [["a", "b"]]}}, [("Answered", ASKED | {"values": {"ranking": [["a", "b"]]}})]),
    ("Abstained", ASKED, [("Answered", ASKED | {"values": {"choice": None}})]),
    ("AmountNamed", WORDS | {"amount": 3}, [("Answered", WORDS | {"values": {"amount": 3}})]),
    ("Reasoned", {"text": "t", "given": GIVEN}, [("Answered", {"values": {"text": "t"}, "given": GIVEN})]),
    ("CallAnswered", WORDS | {"calls": True}, [("Answered", WORDS | {"values": {"answer": True}})]),
    ("Confirmed", WORDS | {"agrees": False}, [("Answered", WORDS | {"values": {"answer": False}})]),
    ("Integrated", {"text": "t", "cut_chars": 2, "given": GIVEN},
     [("Answered", {"values": {"text": "t", "cut_chars": 2}, "given": GIVEN})]),
    ("Compressed", {"text": "t", "given": GIVEN}, [("Answered", {"values": {"text": "t"}, "given": GIVEN})]),
    ("Sampled", {"samples": 3, "taken": 9}, []),
    ("Tallied", {"rule": "majority", "counts": []},
     [("Tallied", {"rule": "majority", "counts": [], "sampled": {"samples": 3, "taken": 9}})]),
    ("RoundClosed", {"dropped_remarks": 0, "dropped_chars": 0, "memory": []},
     [("RoundClosed", {"dropped_remarks": 0, "dropped_chars": 0, "memory": []})]),
    ("Adjourned", {"verdict": "carried", "stop": "decided", "decided": {"alternative": "a"}},
     [("Adjourned", {"verdict": "carried", "stop": "decided", "decided": {"alternative": "a"}})]),
]
AT = {"phase": "p", "round": 1, "turn": 0, "step": "statement"}


def list_cases():
    """The old records of the session, and the new ones that they must become."""
    old = [{"seq": number, "at": AT, "event": {name: fields}} for number, (name, fields, _) in enumerate(CASES)]
    new = [event for *_, events in CASES for event in events]
    return old, [{"seq": number, "at": AT | ({"step": "compute"} if name == "Computed" else {}), "event": {name: event}}
                 for number, (name, event) in enumerate(new)]
