"""Validates every shipped YAML against the shipped schemas with an independent validator, and sees it refuse broken ones.

Usage: schema_check.py, from the root of the repository. Needs the packages jsonschema and pyyaml.
"""

import json
import sys
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator

# Cases whose mistake is in the structure, so that an editor that knows the schema marks it, too.
BROKEN = """
compression_threshold_above_one context_window_too_small count_of_nothing empty_section factor_without_levels
intervention_in_no_ones_name intervention_to_nobody limit_too_small list_for_mapping mapping_for_list mind_without_settings
missing_key mistyped_number model_without_name negative_number no_replicates no_seats number_as_text order_unknown
policy_unknown probability_above_one rounds_min_of_nothing routing_event_unknown routing_word_unknown seed_too_large
trait_out_of_range trait_unknown two_minds unknown_key unknown_mind unknown_model_kind unknown_nested_key unknown_value
""".split()
CASES = Path("tests/data/configs")


class Loader(yaml.SafeLoader):
    """YAML 1.2: `yes` and `on` are words, `0.5e3` is a number, a date is a text."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag not in ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", __import__("re").compile("^(true|false)$"), list("tf"))


def mistakes(validator, path):
    """What the validator finds in a file, as texts."""
    tree = yaml.load(path.read_text(encoding="utf-8"), Loader)
    return [f"{path}: {error.json_path}: {error.message}" for error in validator.iter_errors(tree)]


def named(path):
    """The schema that the first line of a file names."""
    first = path.read_text(encoding="utf-8").splitlines()[0]
    mark = "# yaml-language-server: $schema="
    if not first.startswith(mark):
        sys.exit(f"{path}: the first line names no schema")
    return (path.parent / first.removeprefix(mark)).resolve()


def main():
    files = {"config": Path("configs/config.schema.json"), "scenario": Path("scenarios/scenario.schema.json")}
    validators = {}
    for name, file in files.items():
        schema = json.loads(file.read_text(encoding="utf-8"))
        Draft202012Validator.check_schema(schema)
        validators[name] = Draft202012Validator(schema)
    found = []
    shipped = {"config": sorted(Path("configs").glob("*.yaml")), "scenario": sorted(Path("scenarios").glob("*/scenario.yaml"))}
    for name, paths in shipped.items():
        for path in paths:
            found += mistakes(validators[name], path)
            if named(path) != files[name].resolve():
                found.append(f"{path}: the first line names another schema than {files[name]}")
    good = sorted(CASES.glob("good_*/config.yaml"))
    for path in good:
        found += mistakes(validators["config"], path)
    for case in BROKEN:
        if not mistakes(validators["config"], CASES / case / "config.yaml"):
            found.append(f"{case}: the schema takes it")
    counts = ", ".join(f"{len(paths)} shipped as {name}" for name, paths in shipped.items())
    if not all([*shipped.values(), good]):
        found.append(f"too few files: {counts}, {len(good)} good cases")
    sys.exit("\n".join(found) or print(f"{counts}, {len(good)} good and {len(BROKEN)} broken cases: as expected"))


main()
