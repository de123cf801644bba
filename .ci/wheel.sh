#!/usr/bin/env bash
# Builds the wheel, installs it into an empty environment, and uses what is installed: the program, the tutorial and the Python
# package. With a target, such as x86_64-unknown-linux-musl, it builds and uses only the program.
#
# usage: .ci/wheel.sh [TARGET]
# zig links against a C library of 2012 (manylinux_2_17), or statically against musl; the linker of this system would demand its own
# newer C library. Cargo keeps such a build in a folder of its own below `target/`, so that only the first one compiles the
# dependencies. The profile is the shipped one.
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/steps.sh

target=${1:-x86_64-unknown-linux-gnu}
work=$PWD/target/ci-wheel
tools=$PWD/target/ci-maturin
case $target in
    *-musl) compatibility=musllinux_1_2 ;;
    *) compatibility=manylinux_2_17 ;;
esac

# use_program PROGRAM: makes experiments out of built-in scenarios, runs them and replays one, in a folder without the source.
use_program() {
    local program=$1 wanted
    rm -rf "$work/empty"
    mkdir "$work/empty"
    (
        cd "$work/empty"
        "$program" --version
        "$program" init first
        "$program" run first/experiment.yaml
        "$program" init --scenario justice study
        "$program" run study/experiment.yaml
        "$program" replay results/justice
    ) | tee "$work/printed"
    for wanted in '^justice · 20 of 20 sessions completed' ' records in 20 sessions, no divergence'; do
        grep -q "$wanted" "$work/printed" || { echo "wheel.sh: the program did not print: $wanted" >&2; return 1; }
    done
}

install_python "$tools" "maturin, ziglang" "maturin>=1.16,<2" ziglang
rustup target add "$target"
rm -rf "$work"
mkdir -p "$work"
PATH=$tools/bin:$PATH maturin build --release --locked --zig --target "$target" --compatibility "$compatibility" --out "$work"
ls -l "$work"/*.whl
if [ $# -gt 0 ]; then
    use_program "${CARGO_TARGET_DIR:-$PWD/target}/$target/release/ekklesia"
    exit
fi

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet "$work"/*.whl
use_program "$work/venv/bin/ekklesia"
tests/newcomer/run --installed "$work/venv/bin"
# Not from here, where the package's source would be imported.
(
    cd "$work"
    unset EKKLESIA_PROGRAM PYTHONPATH
    venv/bin/pip install --quiet nbclient ipykernel
    venv/bin/python - <<'END'
import sys
from pathlib import Path

import ekklesia
import nbclient
import nbformat

assert Path(ekklesia.__file__).is_relative_to(sys.prefix), ekklesia.__file__
notebook = nbformat.read("../../docs/src/howto/notebook.ipynb", as_version=4)
nbclient.NotebookClient(notebook, timeout=120).execute()
print(f"{len(notebook.cells)} cells of the notebook, run by what is installed")
END
)
