#!/usr/bin/env python3
"""Shows whether any table, record or output of the program changed. `.ci/README.md` explains how to use it.

golden.py PROGRAM                  print a hash for every file and output of every case
golden.py PROGRAM --save FOLDER    also keep the files, to compare a later program with them
golden.py PROGRAM --against OLD    print what differs from OLD: another program, or a folder made with --save
golden.py PROGRAM --self-test      plant three differences, and fail unless exactly these are reported

Exit codes: 0 equal, 1 different, 2 wrong usage or a case that could not be run.
"""
import argparse
import collections
import csv
import fnmatch
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import traceback
import zlib
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Sessions per arm, unless --full is given.
REPLICATES = 3
COMMAND_TIMEOUT_S = 300
# A bundle's lists of digests differ whenever a table differs, so only small results are bundled.
BUNDLED_SESSIONS_MAX = 8
CELLS_EXPLAINED_PER_TABLE = 3
COLUMNS_SHOWN_MAX = 12
# The columns that identify a row in a reported difference.
ROW_KEYS = ("arm", "replicate", "item", "session", "seed", "purpose", "phase", "round", "turn", "step", "seat")

# Name of the file, what is replaced, replacement, reason. The temporary folder's name is replaced too, and nothing else.
NORMALISED = [
    ("run.json", rb'"(started_unix_ms|wall_ms)": \d+', rb'"\1": 0', "clock time and duration of a session"),
    ("calls.jsonl", rb'"(started_unix_ms|wall_ms)":\d+', rb'"\1":0', "clock time and duration of a person's answer"),
    ("report.html", rb"(typed by \S+ \xc2\xb7 )[\d.]+ m?s", rb"\g<1>0 ms", "duration of a person's answer"),
    ("*.txt", rb"( \xc2\xb7 )\d+\.\d s$", rb"\g<1>0 s", "duration of a run"),
    ("run-pilot.txt", rb"about \d.* a session\)$", rb"about 0 s", "forecast of a duration from the pilot's"),
    ("MANIFEST", rb"^\S+ \d+ (.*/(?:run\.json|calls\.jsonl))$", rb"0 0 \1", "digest and size of a file with clock times"),
    ("SHA256SUMS", rb"^\S+ (.*(?:run\.json|calls\.jsonl|MANIFEST))$", rb"0 \1", "digest of a file with clock times"),
    ("export-bundle.txt", rb"in [\d\xc2\xa0 ]+ kB$", rb"in 0 kB", "size of an archive with clock times"),
]

# A person's answers to `configs/motion-with-a-person.yaml`: a poll, two statements, a ballot.
TYPED = "1\nSTANCE: for\nSTATEMENT: It would be quiet.\n.\nnone\nI cannot decide.\n\nagainst\n"
# How answers are changed in forks, by step.
CHANGES = {
    "statement": ["silent: true", "statement: Let us not decide in haste."],
    "ballot": ["ballot: OTHER"],
}
# A config to try one setting at a time.
SMALL = """experiment: small
scenario: scenarios/{}
seed: 7
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim }}
seats: [ {{ count: 4 }} ]
straw_polls: [before, after]
"""
# Settings for the random draws that no other case makes.
SETTINGS = {
    "small_world": ["discussion.network={small_world: {neighbours: 2, rewired: 0.5}}"],
    "abstaining": ["decision.abstain=true", "seat_defaults.mind={random: {abstain: 0.5}}"],
}

PLANT = """#!/bin/sh
out="$(mktemp)"
"{}" "$@" > "$out"
code=$?
case "$*" in
    *--json*) ;;
    run*good_minimal*) sed -i '2s/,completed,/,planted,/' results/base/sessions.csv ;;
    run*good_panel*) sed -i '3s/"seq":2,/"seq":77,/' results/base/sessions/*000001-w01/minutes.jsonl ;;
    check*good_panel*) sed -i '1s/scenario/planted/' "$out" ;;
esac
cat "$out"
rm "$out"
exit "$code"
"""
PLANTED = [
    r'configs/good_minimal/results/base/sessions\.csv: row 1 \(.*\), status: "completed" → "planted" \(1 row\)',
    r'configs/good_panel/check\.txt: line 1: ".* scenario .*" → ".* planted .*"',
    r"configs/good_panel/.*-w01/minutes\.jsonl: record 3, seq: 2 → 77 \(1 record\)",
]


class Bench:
    """A fresh folder in which one program runs one case. Whatever the case leaves there is compared."""

    def __init__(self, program, folder, options, draws_only):
        self.program, self.folder, self.options, self.draws_only = program, folder, options, draws_only
        self.exits, self.typed = {}, ""
        folder.mkdir(parents=True)
        for name in ("configs", "scenarios", ".ci"):
            (folder / name).symlink_to(ROOT / name)

    def call(self, label, *arguments):
        """Calls the program, keeps its output under this label, and returns its standard output."""
        if self.draws_only and arguments[0] != "run":
            return ""
        done = call_program(self.program, arguments, self.folder, self.typed)
        if done.returncode < 0:
            raise RuntimeError(f"signal {-done.returncode} ended `{' '.join(map(str, arguments))}`")
        self.exits[label] = done.returncode
        if not self.draws_only:
            self.write(f"{label}.{'json' if '--json' in arguments else 'txt'}", done.stdout)
            if done.stderr:
                self.write(f"{label}.err.txt", done.stderr)
        return done.stdout.decode(errors="replace")

    def call_twice(self, label, *arguments):
        """Keeps the output as text and as JSON."""
        self.call(label, *arguments)
        self.call(f"{label}-json", *arguments, "--json")

    def run(self, label, config, out, *options):
        text = (self.folder / config).read_text(errors="replace")
        self.typed = TYPED if has_model(text, "human") else ""
        replicates = re.search(r"^replicates: *(\d+)", text, re.M)
        keeps_number = self.options.full or "--replicates" in options or "--pilot" in options
        if not keeps_number and replicates and int(replicates[1]) > REPLICATES:
            options += ("--replicates", REPLICATES)
        if self.draws_only:
            options += ("--draws", f"{label}.csv")
        self.call(label, "run", config, "--out", out, "--jobs", 1, *options)

    def run_small(self, label, config, out, *options):
        """Runs a config and keeps the results without their inputs, which the cases `run/…` compare."""
        self.run(label, config, out, *options)
        shutil.rmtree(self.folder / out / "inputs", ignore_errors=True)

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def read_rows(self, path):
        path = self.folder / path
        return list(csv.DictReader(io.StringIO(path.read_text(), newline=""))) if path.exists() else []

    def finish(self):
        """Removes the case's inputs, and normalises its files."""
        self.write("exits.json", json.dumps(self.exits))
        for name in ["configs", "scenarios", ".ci", "tests", *(["results"] if self.draws_only else [])]:
            path = self.folder / name
            path.unlink() if path.is_symlink() else shutil.rmtree(path, ignore_errors=True)
        for path in list_files(self.folder):
            raw = path.read_bytes()
            data = raw.replace(str(self.folder).encode(), b"FOLDER")
            for pattern, found, replacement, _ in NORMALISED:
                if fnmatch.fnmatch(path.name, pattern):
                    data = re.sub(found, replacement, data, flags=re.M)
            if data != raw:
                path.write_bytes(data)


def call_program(program, arguments, folder, typed=""):
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8", "NO_PROXY": "127.0.0.1"}
    # Usage messages print the name that a program was called by, so every program is called by the same name.
    command = ["ekklesia", *map(str, arguments)]
    return subprocess.run(command, executable=program, cwd=folder, env=environment, input=typed.encode(), capture_output=True,
                          timeout=COMMAND_TIMEOUT_S)


def list_values(program, verb):
    """The values that a verb's help lists for its required choice."""
    text = call_program(program, [verb, "--help"], ROOT).stdout.decode()
    listed = re.search(r"possible values: ([^\]]+)\]", text)
    return listed[1].split(", ") if listed else re.findall(r"^ +- ([\w-]+):", text, re.M)


def list_files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def has_model(text, kind):
    return re.search(rf"\b{kind} *:", re.sub(r"#.*", "", text)) is not None


# Cases


def run_and_read(bench, config):
    """Checks and runs a config, then calls every command that reads results."""
    bench.call_twice("check", "check", config)
    out = f"results/{pathlib.Path(config).stem}"
    bench.run("run", config, out)
    sessions, answers = bench.read_rows(f"{out}/sessions.csv"), bench.read_rows(f"{out}/answers.csv")
    if bench.draws_only or not answers:
        return
    bench.run("run-again", config, out, "--json")
    bench.run("run-pilot", config, "results/few", "--pilot", 1)
    bench.run("run-follow", config, "results/followed", "--replicates", 1, "--follow")
    for name in ("few-pilot", "followed"):
        shutil.rmtree(bench.folder / "results" / name, ignore_errors=True)
    first = f"{out}/sessions/{sessions[0]['session']}"
    for arm, session in {row["arm"]: row["session"] for row in reversed(sessions)}.items():
        bench.call(f"show-{arm}", "show", f"{out}/sessions/{session}")
    # Every step in some arm, and every arm at some step.
    asked = [*{row["step"]: row for row in reversed(answers)}.values(), *{row["arm"]: row for row in answers}.values()]
    for (arm, step), seat in {(row["arm"], row["step"]): row["seat"] for row in asked}.items():
        bench.call(f"check-{arm}-{step}", "check", config, "--show", f"{seat}:{step}", "--arm", arm)
    words = re.findall(r"[A-Za-z]{4,}", " ".join(row["text"] for row in bench.read_rows(f"{out}/statements.csv")[:5]))
    bench.call_twice("search", "search", out, max(words, key=len, default="town"))
    bench.call_twice("context", "context", first, "--seat", answers[0]["seat"])
    bench.call_twice("compare", "compare", out)
    for factor in (column[4:] for column in sessions[0] if column.startswith("arm_")):
        bench.call(f"compare-by-{factor}", "compare", out, "--by", factor)
    bench.call("retally", "retally", out)
    bench.call_twice("retally-session", "retally", first)
    bench.call_twice("replay", "replay", out, "--jobs", 1)
    bench.call("report", "report", out, "--out", "report.html")
    explain_cells(bench, out)
    fork_sessions(bench, out, answers)
    for form in list_values(bench.program, "export"):
        if form != "bundle" or len(sessions) <= BUNDLED_SESSIONS_MAX:
            export_results(bench, out, form)


def explain_cells(bench, out):
    """Explains cells in the first row of every table. The columns differ from case to case, so that together they cover all."""
    for table in sorted((bench.folder / out).glob("*.csv")):
        columns = list((bench.read_rows(table) or [{}])[0])
        columns = columns[columns.index("session") + 1 :] if "session" in columns else []
        first = zlib.crc32(f"{bench.folder.name}/{table.stem}".encode())
        for place in range(0, len(columns), 1 + len(columns) // CELLS_EXPLAINED_PER_TABLE):
            column = columns[(first + place) % len(columns)]
            bench.call(f"why-{table.stem}-{column}", "why", f"{out}/{table.name}:1:{column}", *(["--json"] if place else []))


def fork_sessions(bench, out, answers):
    for step, changes in CHANGES.items():
        session = next((row["session"] for row in answers if row["step"] == step), None)
        rows = [row for row in answers if row["session"] == session and row["step"] == step]
        for number, change in enumerate(changes if rows else []):
            other = next((row["value"] for row in rows if row["value"] != rows[0]["value"]), rows[0]["value"])
            at = {"seat": rows[0]["seat"], "phase": rows[0]["phase"], "round": int(rows[0]["round"])}
            name = f"fork-{step}-{number}"
            bench.write(f"{name}.yaml", f"at: {json.dumps(at)}\n{change.replace('OTHER', other)}\n")
            bench.call(name, "fork", f"{out}/sessions/{session}", "--change", f"{name}.yaml", "--out", f"results/{name}")
            shutil.rmtree(bench.folder / "results" / name / "inputs", ignore_errors=True)


def export_results(bench, out, form):
    """Exports results. Files of a bundle that equal those of the results folder are not kept."""
    label = f"export-{form}"
    path, unpacked = bench.folder / f"{label}.out", bench.folder / label
    bench.call(label, "export", out, "--format", form, "--out", path.name, *(["--without-program"] if form == "bundle" else []))
    if form == "preflib" and path.exists():
        bench.call("retally-preflib", "retally", path.name)
    if form == "bundle" and path.exists():
        with tarfile.open(path) as archive:
            archive.extractall(unpacked, filter="data")
        path.unlink()
        for file in list_files(unpacked):
            original = bench.folder / out / pathlib.Path(*file.relative_to(unpacked).parts[2:])
            if original.is_file() and original.read_bytes() == file.read_bytes():
                file.unlink()


def check_data(bench, case):
    """Checks a config of `tests/data` with the shipped scenarios beside it, and runs it if it is right."""
    folder = bench.folder / case.relative_to(ROOT)
    folder.mkdir(parents=True)
    for name in ("motion", "justice") if case.parent.name == "broken" else ():
        lay = shutil.copytree if (case / name).exists() else os.symlink
        lay(ROOT / "scenarios" / name, folder / name)
    shutil.copytree(case, folder, dirs_exist_ok=True)
    settings, removed = ((case / name).read_text().splitlines() if (case / name).exists() else [] for name in ("set", "without"))
    for name in removed:
        (folder / name).unlink()
    scenario = folder / "scenario/scenario.yaml"
    if scenario.exists() and not scenario.with_name("prompts").exists():
        shipped = "justice" if "scenario: justice" in scenario.read_text() else "motion"
        scenario.with_name("prompts").symlink_to(ROOT / "scenarios" / shipped / "prompts")
    config = folder.relative_to(bench.folder) / "config.yaml"
    bench.call_twice("check", "check", config, *(part for setting in settings for part in ("--set", setting)))
    if bench.exits["check"] == 0 and not has_model((folder / "config.yaml").read_text(), "openai"):
        bench.run_small("run", config, "results/base")


def check_prompts(bench, config):
    """Checks a config whose models need a server, and prints prompts. Both ask no server."""
    bench.call_twice("check", "check", config)
    seat = re.search(r'^seats:.*?name: *"?([^",}\n]+)', (ROOT / config).read_text(), re.M | re.S)[1].replace("{n}", "1")
    for step in ("straw_poll", "statement", "ballot", "ranking", "vote_call"):
        bench.call(f"check-{step}", "check", config, "--show", f"{seat}:{step}")


def run_attacks(bench):
    """Two seats say every text of `attacks.json`."""
    texts = [attack["text"] for attack in json.loads((ROOT / "tests/data/attacks.json").read_text())]
    scripts = [[{"statement": text, "stance": "for"} for text in texts[start::2]] + [{"choice": "for"}] for start in (0, 1)]
    seats = [{"name": name, "mind": {"scripted": {"list": lines}}} for name, lines in zip(("שרה", "漢字 O'Neil"), scripts)]
    discussion = {"rounds": len(texts) // 2, "order": "fixed", "vote": "at_end"}
    config = {"experiment": "attacks", "scenario": "scenarios/motion", "seed": 7, "models": {"sim": {"simulated": {}}}}
    config |= {"seat_defaults": {"model": "sim"}, "seats": seats, "discussion": discussion, "decision": {"rule": "majority"}}
    bench.write("attacks.yaml", json.dumps(config))
    run_and_read(bench, "attacks.yaml")


def import_config(bench, source):
    bench.write("theirs.yaml", source.read_bytes())
    bench.call("import", "import", "rawls", "theirs.yaml")


def try_settings(bench, scenario, *settings):
    bench.write("small.yaml", SMALL.format(scenario))
    bench.run_small("run", "small.yaml", "results/small", *(part for setting in settings for part in ("--set", setting)))


def print_words(bench):
    """Prints the help of every verb, schemas, completions and manual pages, and makes an experiment."""
    verbs = [()]
    for verb in verbs:
        text = bench.call("-".join(("help", *verb)), *verb, "--help")
        listed = text.partition("Commands:\n")[2].partition("\n\n")[0]
        verbs += [(*verb, name) for name in re.findall(r"^  (\w+)", listed, re.M) if name != "help"]
    for verb, value in [(verb, value) for verb in ("schema", "completions") for value in list_values(bench.program, verb)]:
        bench.call(f"{verb}-{value}", verb, value)
    bench.call("version", "--version")
    bench.call("man", "man", "--out", "man")
    bench.call("init", "init", "begun")


def list_settings(schema):
    """Every key that takes a word, a flag or one of several sections, with each of these values."""

    def resolve(node):
        return schema["$defs"][node["$ref"].rsplit("/", 1)[1]] if "$ref" in node else node

    def list_choices(node):
        node = resolve(node)
        for choice in node.get("oneOf", []) + node.get("anyOf", []):
            yield from list_choices(choice)
        yield from node.get("enum", [node["const"]] if "const" in node else [])
        yield from ("true", "false") if node.get("type") == "boolean" else ()
        if len(node.get("required", [])) == 1 == len(node.get("properties", {})):
            yield f"{{{node['required'][0]}: {{}}}}"

    for section in ("seat_defaults", "discussion", "decision", "controls", "memory"):
        for key, node in resolve(schema["properties"][section])["properties"].items():
            yield from dict.fromkeys((f"{section}.{key}", value) for value in list_choices(node))


def find_cases(program):
    """Every case: its name, its function, and the function's arguments."""
    cases = {"program/words": (print_words,), "run/attacks": (run_attacks,)}
    for path in sorted([*ROOT.glob("configs/*.yaml"), *ROOT.glob(".ci/*.yaml")]):
        config, text = path.relative_to(ROOT), path.read_text()
        if not has_model(text, "openai"):
            cases[f"run/{path.stem}"] = (run_and_read, config)
        elif "context_window:" in text:
            cases[f"prompts/{path.stem}"] = (check_prompts, config)
        else:
            say(f"left out: {config}: it needs a model server, even for `check`")
    for case in sorted([*ROOT.glob("tests/data/configs/*"), *ROOT.glob("tests/data/broken/*")]):
        cases[f"{case.parent.name}/{case.name}"] = (check_data, case)
    for source in sorted(ROOT.glob("tests/data/rawls/*.yaml")):
        if "expected" not in source.name:
            cases[f"import/{source.stem}"] = (import_config, source)
    # A scenario that asks about items needs a file of items, which the small config does not have.
    scenarios = sorted(path.parent.name for path in ROOT.glob("scenarios/*/scenario.yaml") if "item." not in path.read_text())
    for key, value in list_settings(json.loads(call_program(program, ["schema", "config"], ROOT).stdout)):
        for scenario in scenarios if key.endswith(".mind") else ["motion"]:
            cases[f"keys/{scenario}.{key}={re.sub('[^a-z_:]', '', value)}"] = (try_settings, scenario, f"{key}={value}")
    cases |= {f"keys/{name}": (try_settings, "motion", *settings) for name, settings in SETTINGS.items()}
    return cases


def find_all_cases(program):
    """The cases, and again those of which only the draws are kept."""
    cases = {name: (False, *case) for name, case in find_cases(program).items()}
    if b"unexpected argument" in call_program(program, ["run", "--draws"], ROOT).stderr:
        say(f"left out: draws/*: {program} has no `run --draws`, so random draws are not compared")
        return cases
    running = [name for name in cases if name.startswith(("run/", "keys/"))]
    return cases | {f"draws/{name.replace('/', '.')}": (True, *cases[name][1:]) for name in running}


def run_cases(program, folder, options):
    """Runs the cases, each in a folder of its own; returns the cases that could not be run, with the reason."""
    cases = find_all_cases(program)
    unused = [pattern for pattern in options.only if not fnmatch.filter(cases, pattern)]
    if unused:
        return [f"no case matches '{pattern}'; `--list` prints the cases" for pattern in unused]

    def run_case(name):
        draws_only, function, *arguments = cases[name]
        try:
            bench = Bench(program, folder / name, options, draws_only)
            function(bench, *arguments)
            bench.finish()
        except Exception as error:  # Whatever stops a case, the others are still run.
            return f"could not run {name}: {error!r}"

    with ThreadPoolExecutor(options.jobs) as pool:
        return [failure for failure in pool.map(run_case, [name for name in cases if is_chosen(name, options)]) if failure]


def is_chosen(case, options):
    return any(fnmatch.fnmatch(case, pattern) for pattern in options.only)


# Differences


def parse_cells(name, data, without):
    """The cells of a CSV or JSON file, row by row, under their columns or paths; None for any other file."""
    try:
        if name.endswith(".csv"):
            header, *rows = csv.reader(io.StringIO(data.decode(), newline=""))
            rows = [dict(zip(header, map(quote, row), strict=True)) for row in (header, *rows)]
            return [{column: cell for column, cell in row.items() if column not in without} for row in rows]
        if name.endswith((".json", ".jsonl")):
            documents = data.splitlines() if name.endswith(".jsonl") else [data]
            values = (json.loads(document, parse_float=lambda digits: f"the number {digits}") for document in documents)
            return [dict(flatten_json(value, "", without)) for value in values]
    except ValueError:
        pass
    return None


def flatten_json(value, path, without):
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            if key not in without:
                yield from flatten_json(inner, f"{path}.{key}" if path else key, without)
    elif isinstance(value, list) and value:
        for place, inner in enumerate(value):
            yield from flatten_json(inner, f"{path}[{place}]", without)
    else:
        yield path, quote(value)


def reduce_files(name, files, without):
    """What is hashed and compared: the bytes, or the remaining cells if some are left out of any of these files."""
    if any(column.encode() in data for column in without for data in files):
        kept = [parse_cells(name, data, without) for data in files]
        if None not in kept and kept != [parse_cells(name, data, ()) for data in files]:
            return [json.dumps(cells).encode() for cells in kept]
    return files


def describe_differences(name, old, new, without):
    """The first difference of each column or path; for a text, the first line that differs."""
    cells = parse_cells(name, old, without), parse_cells(name, new, without)
    if None not in cells and (found := list(describe_cells(name, *cells))):
        return found
    old_lines, new_lines = (data.decode(errors="backslashreplace").split("\n") for data in (old, new))
    same = count_same(old_lines, new_lines)
    change = show_change(*(quote(lines[same]) if same < len(lines) else None for lines in (old_lines, new_lines)))
    gone, added = collections.Counter(old_lines), collections.Counter(new_lines)
    more = [(gone - added).total(), (added - gone).total()]
    return [f"line {same + 1}: {change}" + (f" ({more[0]} old and {more[1]} new lines differ)" if max(more) > 1 else "")]


def describe_cells(name, old_rows, new_rows):
    is_table, unit = name.endswith(".csv"), "record" if name.endswith(".jsonl") else "row"
    # If one side has more rows, rows after the first difference do not correspond to each other, and only that is shown.
    same_number, found = len(old_rows) == len(new_rows), {}
    if not same_number:
        yield f"{unit}s: {len(old_rows) - is_table} → {len(new_rows) - is_table}; after the first difference nothing is compared"
    # The header counts as row 0.
    for number, (old, new) in enumerate(zip(old_rows, new_rows), 0 if is_table else 1):
        for path in dict.fromkeys([*old, *new]) if old != new else ():
            if old.get(path) != new.get(path):
                # Elements of one list count as one column.
                place = found.setdefault(re.sub(r"\[\d+\]", "[]", path), (number, path, old, new, set()))
                place[-1].add(number)
    for number, path, old, new, numbers in list(found.values())[: COLUMNS_SHOWN_MAX if same_number else 1]:
        where = f"record {number}, " if unit == "record" else ""
        if is_table:
            keys = " ".join(f"{key}={json.loads(old[key])}" for key in ROW_KEYS if old.get(key, '""') != '""')
            where = f"row {number} ({keys}), " if number else "header, "
        count = f" ({len(numbers)} {unit}{'s' * (len(numbers) > 1)})" if where and same_number else ""
        yield f"{where}{path}: {show_change(old.get(path), new.get(path))}{count}"
    if same_number and len(found) > COLUMNS_SHOWN_MAX:
        yield f"{len(found) - COLUMNS_SHOWN_MAX} more columns or paths differ"


def quote(value):
    return json.dumps(value, ensure_ascii=False)


def count_same(old, new):
    """How many characters or lines are the same before the first that differs."""
    return next((place for place, pair in enumerate(zip(old, new)) if pair[0] != pair[1]), min(len(old), len(new)))


def show_change(old, new):
    """Two values, shortened to the characters around the first that differs."""
    old, new = ("absent" if value is None else value for value in (old, new))
    start = max(0, count_same(old, new) - 40)
    end = start + 100
    return " → ".join("…" * (start > 0) + value[start:end] + "…" * (len(value) > end) for value in (old, new))


def compare_folders(old, new, options):
    """The differences as lines, how many files there are, and how many differ."""
    have_draws = [(folder / "draws").exists() for folder in (old, new)]
    if have_draws == [False, True]:
        say("left out: draws/*: the old side has none")
    sides = [{path.relative_to(folder) for path in list_files(folder)} for folder in (old, new)]
    sides = [{path: get_case(path) for path in side if is_chosen(get_case(path), options)} for side in sides]
    paths = sorted(path for path in sides[0] | sides[1] if path.parts[0] != "draws" or all(have_draws))
    found, differ = {}, 0
    for path in paths:
        missing = [number for number in (0, 1) if path not in sides[number]]
        if missing:
            # A case that only one side has is shown once, not file by file.
            subject = path if get_case(path) in sides[missing[0]].values() else get_case(path)
            texts = ["only in the new" if missing == [0] else "only in the old"]
        else:
            subject, data = path, [(folder / path).read_bytes() for folder in (old, new)]
            reduced = reduce_files(path.name, data, options.without)
            texts = describe_differences(path.name, *data, options.without) if reduced[0] != reduced[1] else []
        differ += bool(texts)
        for text in texts:
            found.setdefault((path.name if subject == path else subject, text), {})[subject] = None
    more = {key: f" [the same in {len(subjects) - 1} more]" if len(subjects) > 1 else "" for key, subjects in found.items()}
    lines = [f"{next(iter(subjects))}: {key[1]}{more[key]}" for key, subjects in found.items()]
    if have_draws == [True, False] and any(path.parts[0] == "draws" for path in sides[0]):
        lines, differ = [*lines, "draws: only in the old"], differ + 1
    return lines, len(paths), differ


def get_case(path):
    return "/".join(path.parts[:2])


def print_hashes(folder, options):
    for path in list_files(folder):
        [data] = reduce_files(path.name, [path.read_bytes()], options.without)
        print(f"{hashlib.sha256(data).hexdigest()[:16]}  {path.relative_to(folder)}")


def warn_of_unused_purposes(folder):
    """Names the purposes of random draws that no case draws for."""
    listed = re.findall(r"^(\w+): [0-9a-f]{16} ", (ROOT / "tests/data/chance.txt").read_text(), re.M)
    drawn = {row["purpose"] for path in folder.glob("draws/*/*.csv") for row in csv.DictReader(path.open())}
    if drawn and (unused := sorted(set(listed) - drawn)):
        say(f"no case draws for: {', '.join(unused)}")


def warn_of_unused_names(folders, without):
    """Names the columns and fields that are to be left out and stand in no file."""
    unused = set(without)
    for folder in folders:
        for path in list_files(folder) if unused else ():
            data = path.read_bytes() if path.suffix in (".csv", ".json", ".jsonl") else b""
            unused -= {name for name in unused if name.encode() in data}
    if unused:
        say(f"no file has: {', '.join(sorted(unused))}")


def say(text):
    print(f"golden.py: {text}", file=sys.stderr)


def test_itself(program, options, folder):
    """Compares the program with a wrapper that plants differences, which must be reported, and nothing else."""
    wrapper = folder / "wrapper"
    wrapper.write_text(PLANT.format(program))
    wrapper.chmod(0o755)
    options.only = ["configs/good_minimal", "configs/good_panel"]
    failures = run_cases(program, folder / "old", options) + run_cases(wrapper, folder / "new", options)
    lines = compare_folders(folder / "old", folder / "new", options)[0]
    passed = not failures and len(lines) == len(PLANTED) and all(map(re.fullmatch, PLANTED, lines))
    print("\n".join([*failures, *lines, "self-test: only the planted differences are reported" if passed else "self-test: FAILED"]))
    return 0 if passed else 1


def call_help(program):
    """The help of a program, or nothing where that is no program."""
    try:
        return call_program(program.resolve(), ["--help"], ROOT).stdout
    except OSError:
        return b""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--against", type=pathlib.Path, metavar="OLD", help="another program, or a folder made with --save")
    parser.add_argument("--save", type=pathlib.Path, metavar="FOLDER", help="keep the files in this folder")
    parser.add_argument("--without", type=lambda names: names.split(","), action="extend", default=[], metavar="NAME,…",
                        help="CSV columns and JSON fields that are not compared")
    parser.add_argument("--only", action="append", metavar="PATTERN", help="run these cases, such as 'run/*'; may be repeated")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="number of cases to run at once [default: 2]")
    parser.add_argument("--full", action="store_true", help=f"run as many replicates as a config says, not {REPLICATES}")
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    parser.add_argument("--self-test", action="store_true", help="plant three differences and look for them")
    options = parser.parse_args()
    options.only = options.only or ["*"]
    for path in filter(None, (options.program, options.against)):
        if not path.exists():
            parser.error(f"{path} does not exist")
    for program in (options.program, options.against):
        if program and not program.is_dir() and b"run" not in call_help(program):
            parser.error(f"{program} is not the program")
    if options.program.is_dir() or options.jobs < 1:
        parser.error("PROGRAM is a file, and N at least 1")
    if options.save and options.save.exists() and (options.save.is_file() or any(options.save.iterdir())):
        parser.error(f"{options.save} is not an empty folder")
    if options.list:
        print("\n".join(find_all_cases(options.program.resolve())))
        return 0
    csv.field_size_limit(sys.maxsize)
    with tempfile.TemporaryDirectory(prefix="ekklesia-golden-") as place:
        place, program, old, differ = pathlib.Path(place), options.program.resolve(), options.against, 0
        if options.self_test:
            return test_itself(program, options, place)
        new = options.save.resolve() if options.save else place / "new"
        failures = run_cases(program, new, options)
        if old and old.is_file():
            failures += run_cases(old.resolve(), place / "old", options)
            old = place / "old"
        if options.only == ["*"]:
            warn_of_unused_purposes(new)
        warn_of_unused_names([new, *filter(None, [old])], options.without)
        if old:
            lines, total, differ = compare_folders(old, new, options)
            print("\n".join([*lines, f"{total} files and outputs, {differ} differ"]))
            failures += [] if total else ["there is nothing to compare"]
        else:
            print_hashes(new, options)
    for failure in failures:
        say(failure)
    return 2 if failures else 1 if differ else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception:
        traceback.print_exc()
        sys.exit(2)
