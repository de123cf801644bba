#!/usr/bin/env bash
# figures.sh PROGRAM FOLDER: draws every figure of several experiments again, in R with ggplot2 and in Python with matplotlib, from the
# files that `export --format figures` writes, and opens each PDF.
set -euo pipefail
program=$(realpath "$1") out=$2
rm -rf "$out"
mkdir -p "$out"
run() { "$program" run "$2" --out "$out/$1" "${@:3}" >/dev/null; }
run first configs/first.yaml
run justice configs/justice-memory-by-rule.yaml --replicates 6
run commons configs/commons.yaml --replicates 3
run conformity configs/conformity.yaml --replicates 2
run hidden configs/hidden_profile.yaml --replicates 4
run estimation configs/estimation.yaml --replicates 2
run panel configs/panel.yaml
for name in first justice commons conformity hidden estimation panel; do
    "$program" export "$out/$name" --format figures --out "$out/$name/figures"
    (
        cd "$out/$name"
        Rscript -e '
            source("load.R")
            for (name in read.csv("figures/figures.csv")$name) {
                suppressMessages(ggplot2::ggsave(paste0("figures/", name, "-r.png"), draw_figure(name), width = 7, height = 6, dpi = 60))
            }'
    )
    target/ci-venv/bin/python - "$out/$name" <<'PYTHON'
import csv
import pathlib
import sys

sys.dont_write_bytecode = True
folder = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(folder))
from load import draw_figure

with open(folder / "figures/figures.csv", encoding="utf-8") as file:
    names = [row["name"] for row in csv.DictReader(file)]
for name in names:
    draw_figure(name).savefig(folder / f"figures/{name}-python.png", dpi=60)
    for drawn in ("r", "python"):
        assert (folder / f"figures/{name}-{drawn}.png").stat().st_size > 2_000, name
print(f"{folder.name}: {len(names)} figures, drawn again in R and in Python")
PYTHON
    for pdf in "$out/$name"/figures/*.pdf; do
        words=$(pdftotext "$pdf" -)
        [ -n "$words" ] || { echo "$pdf has no text" >&2 && exit 1; }
        pdffonts "$pdf" | grep DejaVu >/dev/null || { echo "$pdf does not embed its font" >&2 && exit 1; }
    done
done
