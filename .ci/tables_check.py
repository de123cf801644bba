"""Reads results folders with their own load.py, from another working directory, and checks types, values and joins:
tables_check.py results/<experiment>…"""

import csv
import importlib.util
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pandas as pd

DTYPES = {"text": "string", "count": "Int64", "flag": "boolean", "real": "float64"}


def loaded(folder):
    """The folder's own module, as a program finds it by its path."""
    spec = importlib.util.spec_from_file_location("load", folder / "load.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lines_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file, strict=True))


def written(value, kind):
    """A value as the program writes it into a cell."""
    if pd.isna(value):
        return ""
    return {"text": str, "count": lambda v: str(int(v)), "flag": lambda v: str(int(v)), "real": lambda v: f"{v:.6f}"}[kind](value)


def check(folder):
    module = loaded(folder)
    tables = module.load()
    head, *codebook = lines_of(folder / "codebook.csv")
    codebook = [dict(zip(head, row)) for row in codebook]
    for name, table in tables.items():
        head, *rows = lines_of(folder / f"{name}.csv")
        assert list(table.columns) == head and len(table) == len(rows), name
        kinds = {row["column"]: row["type"] for row in codebook if row["table"] == name}
        assert list(kinds) == head, name
        for place, (column, kind) in enumerate(kinds.items()):
            values = table[column]
            if column in module.LEVELS_IN_ORDER:
                assert list(values.cat.categories) == module.LEVELS_IN_ORDER[column], (name, column)
            else:
                assert str(values.dtype) == DTYPES[kind], (name, column, values.dtype)
            again = [written(value, kind) for value in values]
            assert again == [row[place] for row in rows], (name, column)
    package = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
    for resource in package["resources"]:
        lines = lines_of(folder / resource["path"])
        assert lines[0] == [field["name"] for field in resource["schema"]["fields"]], resource["name"]
        assert all(len(line) == len(lines[0]) for line in lines), resource["name"]
    check_joins(module.join, tables)
    check_that_an_unknown_arm_stops(module, folder)
    print(f"{folder.name}:", ", ".join(f"{name} {len(table)}" for name, table in tables.items()))


def check_joins(join, tables):
    sessions, seats = tables["sessions"], tables["seats"]
    assert sessions["session"].is_unique
    joined = join(seats, sessions)
    assert len(joined) == len(seats) and joined[seats.columns].equals(seats)
    by_session = sessions.set_index("session")
    for column in sessions.columns.difference(["session"]):
        name = column if column not in seats else f"{column}_session"
        if name in joined:
            expected = by_session[column].reindex(seats["session"]).reset_index(drop=True)
            assert joined[name].reset_index(drop=True).equals(expected.rename(name)), column
    assert set(sessions.columns) <= {name.removesuffix("_session") for name in joined.columns} | {"session"}
    assert len(join(tables["ballots"], seats)) == len(tables["ballots"])


def check_that_an_unknown_arm_stops(module, folder):
    with tempfile.TemporaryDirectory() as place:
        for table in folder.glob("*.csv"):
            shutil.copy(table, place)
        head, first, *rows = lines_of(folder / "sessions.csv")
        first[head.index("arm")] = "nosuch"
        with open(Path(place) / "sessions.csv", "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([head, first, *rows])
        try:
            module.load(place)
        except ValueError as error:
            assert "sessions.csv: arm holds nosuch" in str(error), error
        else:
            raise AssertionError("an arm that the design does not have was read")


if __name__ == "__main__":
    folders = [Path(folder).resolve() for folder in sys.argv[1:]]
    os.chdir(tempfile.gettempdir())
    for results in folders:
        check(results)
