#!/usr/bin/env python3
"""What a results folder and a proxy's log say, counted without any code of the program that wrote the folder.

usage: chaos_facts.py calls FOLDER                   answers that are recorded
       chaos_facts.py attempts FOLDER                attempts that are recorded, and those that failed, by status
       chaos_facts.py delivered LOG                  whole replies of the model that the proxy passed on
       chaos_facts.py faults LOG                     what else the proxy did, and how often
       chaos_facts.py spent FOLDER INPUT OUTPUT      dollars by the records, at these prices for a million tokens
       chaos_facts.py planted KEY… -- PATH…          fails when a key stands in a file, or its half in a name or a file
"""
import collections
import json
import pathlib
import sys
from decimal import Decimal


def lines(folder):
    for path in sorted(pathlib.Path(folder).glob("sessions/*/calls.jsonl")):
        for line in path.read_bytes().splitlines(keepends=True):
            # A line that is torn is no record.
            if line.endswith(b"\n"):
                yield json.loads(line)


def of_log(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines()]


def calls(folder):
    return sum("question" in line for line in lines(folder))


def attempts(folder):
    counts = collections.Counter()
    for line in lines(folder):
        for attempt in line.get("attempts", []):
            failed = "failure" in attempt
            counts[f"failed with {attempt.get('status', 'no response')}" if failed else "answered"] += 1
    return ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))


def delivered(log):
    return sum(line["delivered"] for line in of_log(log))


def faults(log):
    counts = collections.Counter(line["fault"] for line in of_log(log) if line["fault"] != "pass")
    return ", ".join(f"{count} {fault}" for fault, count in sorted(counts.items())) or "none"


def spent(folder, input_per_mtok, output_per_mtok):
    total = Decimal(0)
    for line in lines(folder):
        # What nobody knows counts with the most that it may have been.
        used = [line.get("usage"), *(attempt.get("at_most") for attempt in line.get("attempts", []))]
        for usage in filter(None, used):
            total += usage["prompt_tokens"] * Decimal(input_per_mtok) + usage["completion_tokens"] * Decimal(output_per_mtok)
    return total / 1_000_000


def planted(*arguments):
    at = arguments.index("--")
    keys, roots = arguments[:at], arguments[at + 1 :]
    # Half of a key is enough to give it away.
    needles = [part.encode() for key in keys for part in (key[: len(key) // 2], key[len(key) // 2 :])]
    looked, found = 0, []
    for root in map(pathlib.Path, roots):
        for path in [root, *sorted(root.rglob("*"))]:
            content = path.read_bytes() if path.is_file() else b""
            looked += len(content)
            found += [str(path) for needle in needles if needle in content or needle in str(path).encode()]
    if found or not looked:
        sys.exit(f"keys stand in {sorted(set(found))}" if found else "nothing was there to look at")
    return f"{len(keys)} keys in none of {looked} bytes"


if __name__ == "__main__":
    facts = {fact.__name__: fact for fact in (calls, attempts, delivered, faults, spent, planted)}
    if len(sys.argv) < 3 or sys.argv[1] not in facts:
        sys.exit(__doc__)
    print(facts[sys.argv[1]](*sys.argv[2:]))
