"""Compares Parquet files with the tables they were made from: parquet_check.py TABLES PARQUET, folders of results folders."""

import csv
import sys
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

TYPES = {"text": "string", "count": "int64", "flag": "bool", "real": "double"}
WRITTEN = {"text": str, "count": str, "flag": lambda v: str(int(v)), "real": lambda v: f"{v:.6f}"}


def lines_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file, strict=True))


def check(tables, parquet):
    _, *codebook = lines_of(tables / "codebook.csv")
    for name in dict.fromkeys(row[0] for row in codebook):
        kinds = {row[1]: row[2] for row in codebook if row[0] == name}
        head, *rows = lines_of(tables / f"{name}.csv")
        file = pq.ParquetFile(parquet / f"{name}.parquet")
        table = file.read()
        assert table.column_names == head and table.num_rows == len(rows), name
        for place, (column, kind) in enumerate(kinds.items()):
            assert str(table.schema.field(column).type) == TYPES[kind], (name, column)
            again = ["" if value is None else WRITTEN[kind](value) for value in table[column].to_pylist()]
            assert again == [row[place] for row in rows], (name, column)
            assert file.metadata.metadata[f"column:{column}".encode()], (name, column)
        assert len(pd.read_parquet(parquet / f"{name}.parquet")) == len(rows), name
    print(f"{tables.name}: as Parquet what it is as CSV")


if __name__ == "__main__":
    tables, parquet = map(Path, sys.argv[1:])
    for folder in sorted(parquet.iterdir()):
        check(tables / folder.name, folder)
