"""Reads a results folder with its own load.py and checks types: tables_check.py results/<experiment>."""

import csv
import importlib.util
import json
import sys
from pathlib import Path


def main(folder):
    folder = Path(folder)
    spec = importlib.util.spec_from_file_location("load", folder / "load.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tables = module.load(folder)
    with open(folder / "codebook.csv", encoding="utf-8", newline="") as file:
        codebook = list(csv.DictReader(file))
    dtypes = {"text": "string", "count": "Int64", "flag": "Int64", "real": "float64"}
    for row in codebook:
        column = tables[row["table"]][row["column"]]
        assert str(column.dtype) == dtypes[row["type"]], (row["table"], row["column"], column.dtype)
        if row["type"] == "flag":
            assert column.dropna().isin([0, 1]).all(), (row["table"], row["column"])
    package = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
    for resource in package["resources"]:
        with open(folder / resource["path"], encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file, strict=True))
        assert lines[0] == [field["name"] for field in resource["schema"]["fields"]], resource["name"]
        assert all(len(line) == len(lines[0]) for line in lines), resource["name"]
        if resource["name"] in tables:
            assert len(tables[resource["name"]]) == len(lines) - 1, resource["name"]
    sessions = tables["sessions"]
    assert sessions["session"].is_unique
    print("tables:", ", ".join(f"{name} {len(table)}" for name, table in tables.items()))


if __name__ == "__main__":
    main(sys.argv[1])
