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

`ekklesia export FOLDER --format figures --out FOLDER/figures` writes the figures of the report with their data. Then

    from load import figure_contrasts
    figure_contrasts()                               draws one of them again with matplotlib, to be changed as you like
"""

from pathlib import Path
from textwrap import fill

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


def draw_figure(name, folder=Path(__file__).parent / "figures"):
    """Draws a figure of the report from its data, and returns matplotlib's Figure.

    `folder` is what `ekklesia export --format figures` wrote.
    """
    from matplotlib.figure import Figure

    def read(file):
        return pd.read_csv(Path(folder) / file, keep_default_na=False, na_values=[""], encoding="utf-8")

    all_figures = read("figures.csv").set_index("name")
    if name not in all_figures.index:
        raise KeyError(f"this experiment has no figure {name}; it has {', '.join(all_figures.index)}")
    about = all_figures.loc[name]
    rows = read(f"{name}.csv")
    for column in ["panel", "series"]:
        rows[column] = rows[column].fillna("").astype(str) if column in rows else ""
    panels = list(dict.fromkeys(rows["panel"]))
    draw = {"dots": draw_dots, "lines": draw_lines, "grid": draw_grid, "flow": draw_flow}[about["form"]]
    if about["form"] == "flow":
        panels = [None]
    across = 2 if about["form"] == "lines" and len(panels) > 1 else 1
    down = -(-len(panels) // across)
    tall = max(3.0, 0.28 * len(rows) + 0.6 * len(panels)) if about["form"] in ("dots", "grid") else 3.2 * down
    figure = Figure(figsize=(7, tall + 0.8), layout="constrained")
    # Panels are compared along the axis that they share.
    shares = {"sharex": about["form"] == "dots", "sharey": about["form"] == "lines"}
    axes = figure.subplots(down, across, squeeze=False, **shares).flatten()
    for place, panel in zip(axes, panels):
        own = rows if panel is None else rows[rows["panel"] == panel]
        place.set_title(fill(panel or "", 60 // across), loc="left", fontsize=10)
        draw(place, own, about)
        if about["unit"] in ("share", "difference_of_shares") and about["form"] in ("dots", "lines"):
            axis = place.xaxis if about["form"] == "dots" else place.yaxis
            sign = " %" if about["unit"] == "share" else ""
            axis.set_major_formatter(lambda value, _: f"{100 * value:.0f}{sign}")
    for place in axes[len(panels) :]:
        place.remove()
    if about["form"] == "lines" and rows["series"].nunique() > 1:
        lines = {line.get_label(): line for place in figure.axes for line in place.get_lines() if line.get_label()[0] != "_"}
        figure.legend(lines.values(), [fill(name, 40) for name in lines], loc="outside lower center", fontsize=8, ncols=2, frameon=False)
    figure.suptitle(fill(about["title"], 70))
    return figure


def draw_dots(place, rows, about):
    """Draws points with their intervals, a row each."""
    for at, row in enumerate(rows.to_dict("records")):
        if pd.notna(row.get("low")):
            place.plot([row["low"], row["high"]], [at, at], color=row["colour"])
        place.plot([row["value"]], [at], "o", color=row["colour"])
    if pd.notna(about["reference"]):
        place.axvline(about["reference"], linestyle="--", color="grey", linewidth=1)
    place.set_yticks(range(len(rows)), [fill(name, 26) for name in rows["series"]])
    place.invert_yaxis()
    place.set_xlabel(fill(about["across"], 60))


def draw_lines(place, rows, about):
    """Draws a line with its band for each series; bars if the positions are categories."""
    for series, own in rows.groupby("series", sort=False):
        colour = own["colour"].iloc[0]
        place.plot(own["at"], own["value"], "o-", color=colour, label=series or None)
        if "low" in own and "text" in own:
            place.vlines(own["at"], own["low"], own["high"], color=colour)
        elif "low" in own:
            place.fill_between(own["at"], own["low"], own["high"], color=colour, alpha=0.16, linewidth=0)
    if "text" in rows:
        names = list(dict.fromkeys(rows["text"]))
        place.set_xticks(range(1, len(names) + 1), names)
    place.set_xlabel(about["across"])
    place.set_ylabel(fill(about["upwards"], 30))


def draw_grid(place, rows, about):
    """Draws cells shaded by their value."""
    names = list(dict.fromkeys(rows["series"]))
    columns = [name for name in dict.fromkeys([*names, *rows["at"].astype(str)]) if name in set(rows["at"].astype(str))]
    values = rows.assign(at=rows["at"].astype(str)).pivot(index="series", columns="at", values="value").loc[names].reindex(columns=columns)
    place.imshow(values.astype(float), cmap="Blues", aspect="auto", alpha=0.6, vmin=0)
    for row in rows.to_dict("records"):
        words = row["text"] if pd.notna(row.get("text")) else f"{row['value']:.0f}"
        place.text(columns.index(str(row["at"])), names.index(row["series"]), words, ha="center", va="center", fontsize=8)
    place.set_xticks(range(len(columns)), [fill(column, 14) for column in columns])
    place.set_yticks(range(len(names)), names)
    place.set_xlabel(about["across"])
    place.set_ylabel(about["upwards"])


def draw_flow(place, rows, about):
    """Draws ribbons between the positions of neighbouring stages."""
    stages = list(dict.fromkeys(rows["panel"]))
    positions = list(dict.fromkeys([*rows["series"], *rows["at"]]))
    gap = 0.04 * rows.loc[rows["panel"] == stages[0], "value"].sum()
    steps = [step / 29 for step in range(30)]
    ease = [step * step * (3 - 2 * step) for step in steps]

    def bottoms(column, own):
        sums, bottom, found = own.groupby(column)["value"].sum(), 0.0, {}
        for name in positions:
            found[name] = bottom
            bottom += sums.get(name, 0) + (gap if sums.get(name, 0) > 0 else 0)
        return found, sums

    for at, stage in enumerate(stages):
        own = rows[rows["panel"] == stage]
        (begin, before), (end, after) = bottoms("series", own), bottoms("at", own)
        for row in own.to_dict("records"):
            low, high, size = begin[row["series"]], end[row["at"]], row["value"]
            begin[row["series"]] += size
            end[row["at"]] += size
            middle = [low + (high - low) * share for share in ease]
            place.fill_between([at + step for step in steps], middle, [y + size for y in middle], color=row["colour"], alpha=0.5)
        shown = [(at, before, bottoms("series", own)[0], "right", -0.03)] if at == 0 else []
        if at == len(stages) - 1:
            shown.append((at + 1, after, bottoms("at", own)[0], "left", 0.03))
        for x, sums, tops, side, shift in shown:
            for name in sums.index:
                words = fill(f"{name} {sums[name]:.0f}", 24)
                place.text(x + shift, tops[name] + sums[name] / 2, words, ha=side, va="center", fontsize=7).set_in_layout(False)
    place.set_xticks(range(len(stages) + 1), [*stages, about["across"]])
    place.set_xlim(-0.9, len(stages) + 0.9)
    place.set_yticks([])
    place.invert_yaxis()
    for side in place.spines.values():
        side.set_visible(False)


# FIGURES
