#!/usr/bin/env bash
# The Python package with a program: tests, types, lints and format, and the notebook, cell by cell. python.sh PROGRAM
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/steps.sh

export EKKLESIA_PROGRAM PYTHONPATH PYTHONDONTWRITEBYTECODE=1
EKKLESIA_PROGRAM=$(realpath "$1")
PYTHONPATH=$PWD/packaging/python
venv=$PWD/target/ci-python
install_python "$venv" "pandas, matplotlib, tqdm, pytest, mypy, ruff, nbclient, ipykernel" \
    pandas pandas-stubs matplotlib tqdm types-tqdm pytest mypy ruff nbclient ipykernel

"$venv/bin/ruff" check --no-cache packaging/python
"$venv/bin/ruff" format --no-cache --check packaging/python
"$venv/bin/mypy" --strict --cache-dir target/ci-mypy packaging/python/ekklesia packaging/python/tests
"$venv/bin/mypy" --strict --cache-dir target/ci-mypy --platform win32 packaging/python/ekklesia
# A warning is an error: a reader of tables should see none.
"$venv/bin/python" -m pytest -q -W error -p no:cacheprovider packaging/python/tests

# A copy is executed, in a folder of its own, so that the notebook of the book holds no outputs.
rm -rf target/ci-notebook
mkdir -p target/ci-notebook
cp docs/src/howto/notebook.ipynb target/ci-notebook/
(cd target/ci-notebook && PATH="$venv/bin:$PATH" "$venv/bin/jupyter-execute" --inplace notebook.ipynb)
if grep -q '"output_type"' docs/src/howto/notebook.ipynb; then
    echo "docs/src/howto/notebook.ipynb holds outputs; clear them" >&2
    exit 1
fi
grep -q '40 sessions: 40 completed' target/ci-notebook/notebook.ipynb
