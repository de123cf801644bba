"""Reads every table of this folder with its types, with pandas:

    import sys
    sys.path.insert(0, "results/first")
    from load import join, load
    tables = load()

`tables["sessions"]`, `tables["rounds"]`, `tables["seats"]` and so on are data frames. Arms and levels of factors are
categoricals with the baseline as their first category (the design's first where no baseline was named). Whole numbers are
Int64, flags are boolean, everything else is string or float64; what is missing is NA. A text is never taken for NA: only an
empty cell is missing. An arm or level that the design does not have is an error.

`session` and `seat` join any two tables. `join` keeps every row of the first table in its order, and adds the columns of the
second; a name that both have gets an ending:

    join(tables["seats"], tables["sessions"])        each seat with the outcome of its session; words_session is the session's
    join(tables["statements"], tables["seats"])      each statement with who said it
"""

from pathlib import Path

import pandas as pd

# TABLES

# Since pandas 3.1 numbers are read exactly without this option, which is deprecated there.
IS_EXACT = tuple(int(part) for part in pd.__version__.split(".")[:2]) >= (3, 1)
EXACT_NUMBERS = {} if IS_EXACT else {"float_precision": "round_trip"}


def load(folder=Path(__file__).parent):
    """Returns a dictionary of data frames, one a table."""
    return {
        table: in_order(
            f"{table}.csv",
            pd.read_csv(
                Path(folder) / f"{table}.csv",
                dtype=types,
                keep_default_na=False,
                na_values=[""],
                encoding="utf-8",
                lineterminator="\n",
                **EXACT_NUMBERS,
            ),
        )
        for table, types in TYPES.items()
    }


def in_order(file, table):
    """Makes arms and levels categoricals; one that the design does not have is an error, not a missing value."""
    for column, levels in LEVELS_IN_ORDER.items():
        unknown = sorted(set(table[column].dropna()) - set(levels))
        if unknown:
            raise ValueError(f"{file}: {column} holds {', '.join(unknown)}, which the design of this folder does not have")
        table[column] = table[column].astype(pd.CategoricalDtype(levels))
    return table


def join(rows, other):
    """Returns the first table with the second's columns; the second has one row for each session, or for each session and seat."""
    by = [column for column in ["session", "seat"] if column in rows and column in other]
    added = other.drop(columns=[column for column in KEY_BLOCK if column in other and column not in by])
    return rows.merge(added, on=by, how="left", validate="many_to_one", suffixes=("", f"_{by[-1]}"))
