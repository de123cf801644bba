# Sourced by `.ci/run` and `.ci/full`: named steps with a time limit, and the programs that the checks need.
# Everything is installed under target/, except packages of the system (R, Chromium, valgrind).

# Full builds are faster without the data that a second build would use, and nobody builds a second time here.
export CARGO_INCREMENTAL=0
program=target/release/ekklesia
started=$SECONDS
# Where steps say that they begin and end, when what they print goes to a file.
exec 3>&1

# step NAME SECONDS_MAX COMMAND…: prints the name and the time; stops the script when the command fails or takes too long.
step() {
    local name=$1 seconds_max=$2 begun=$SECONDS code=0
    shift 2
    tell "
── $name"
    timeout --kill-after=10 "$seconds_max" "$@" || code=$?
    if [ "$code" -ne 0 ]; then
        [ "$code" -eq 124 ] || [ "$code" -eq 137 ] && printf '── %s took longer than %s s\n' "$name" "$seconds_max" >&2
        tell "── FAILED: $name (exit $code, $((SECONDS - begun)) s)"
        exit 1
    fi
    tell "── $name: ok, $((SECONDS - begun)) s"
}

# Prints a line, and once more where the script's own output goes if that is elsewhere.
tell() {
    printf '%s\n' "$1"
    [ /dev/stdout -ef /dev/fd/3 ] || printf '%s\n' "$1" >&3
}

# side_by_side FUNCTION FUNCTION: steps of two functions at the same time. What they print is in target/ci-FUNCTION.log, of which the
# end is shown where a step failed.
side_by_side() {
    local lane failed=()
    declare -gA processes
    mkdir -p target
    for lane in "$@"; do
        "$lane" >"target/ci-$lane.log" 2>&1 &
        processes[$lane]=$!
    done
    trap 'kill "${processes[@]}" 2>/dev/null' EXIT
    trap 'exit 130' INT TERM
    for lane in "$@"; do
        wait "${processes[$lane]}" || failed+=("$lane")
    done
    for lane in "${failed[@]}"; do
        printf '\n── the end of target/ci-%s.log\n' "$lane"
        tail -n 60 "target/ci-$lane.log"
    done
    trap - EXIT INT TERM
    [ "${#failed[@]}" -eq 0 ] || exit 1
}

finish_steps() {
    printf '\n── all steps: ok, %s s\n' "$((SECONDS - started))"
}

# Before an exported function and its arguments: runs it as a command of its own, so that `step` can limit its time.
function_in_bash=(bash -euo pipefail -c '"$@"' _)

# install_python FOLDER IMPORTS PACKAGE…: a virtual environment in which these modules can be imported.
install_python() {
    local folder=$1 imports=$2
    shift 2
    [ -x "$folder/bin/python" ] || python3 -m venv "$folder"
    "$folder/bin/python" -c "import $imports" 2>/dev/null || "$folder/bin/pip" install --quiet "$@"
}

# install_packages PROGRAM PACKAGE…: packages of the system, if the program is missing.
install_packages() {
    command -v "$1" >/dev/null && return
    shift
    local as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo -n)
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# Readers of tables, references of statistics and measures, and a validator of JSON Schema.
install_readers() {
    install_python target/ci-venv "pandas, tqdm, pytest, jsonschema, yaml, scipy, statsmodels, krippendorff, lexicalrichness, uniseg" \
        pandas tqdm pytest pyarrow jsonschema pyyaml scipy statsmodels krippendorff lexicalrichness uniseg
}

# In an environment of its own, because these packages need another NumPy.
install_voting_rules() {
    install_python target/ci-rules "pref_voting, abcvoting, votekit, pabutools" pref-voting==1.18.2 abcvoting==2.19.2 votekit==3.5.0 pabutools==1.2.3
}

# Playwright drives the system's browser and brings none of its own; axe comes with its package.
install_browser() {
    install_python target/ci-browser "playwright, axe_playwright_python" playwright==1.65.2 axe-playwright-python==0.1.8
    command -v chromium-browser >/dev/null || install_packages chromium chromium
}

install_slurm() {
    install_packages slurmctld slurmctld slurmd slurm-client munge
}

install_snakemake() {
    install_python target/ci-snakemake "snakemake" "snakemake>=9,<10"
}

install_r() {
    install_packages Rscript r-base-core
}

# What draws the figures of the report again, and reads its PDF files.
install_drawers() {
    install_r
    Rscript -e 'quit(status = !requireNamespace("ggplot2", quietly = TRUE))' || install_packages no-such-program r-cran-ggplot2
    install_python target/ci-venv "matplotlib" matplotlib
    install_packages pdftotext poppler-utils
}

# install_crate NAME VERSION FLAG…: a program from crates.io, not optimised.
install_crate() {
    local name=$1 version=$2
    shift 2
    "target/ci-tools/bin/$name" --version 2>/dev/null | grep -qw "v\?$version" && return
    CARGO_PROFILE_DEV_DEBUG=0 cargo install --debug --quiet --locked --root target/ci-tools --version "$version" --force "$@" "$name"
}

# mdBook without its own server and search, which take most of its build.
install_mdbook() {
    install_crate mdbook 0.5.4 --no-default-features
}

# A warning of mdBook is a failure.
build_book() {
    local printed
    printed=$(target/ci-tools/bin/mdbook build docs 2>&1) || { printf '%s\n' "$printed"; return 1; }
    printf '%s\n' "$printed"
    ! grep -qE '(WARN|ERROR)' <<<"$printed"
}

# make_tables FOLDER: experiments for the readers of tables: the first, one that pays, and one whose texts and empty tables are hard
# to read.
make_tables() {
    rm -rf "$1"
    "$program" run configs/first.yaml --out "$1/first"
    "$program" run configs/justice.yaml --replicates 3 --out "$1/justice"
    "$program" run .ci/tables-hard.yaml --out "$1/hard"
}

# Names of the tests that only `.ci/full` runs: those whose attribute says so.
slowest_tests() {
    find src tests -name '*.rs' -exec cat {} + | awk '
        /ignore = "slowest: `\.ci\/full` runs it"/ { marked = 1 }
        marked && match($0, /fn [a-z0-9_]+/) { print substr($0, RSTART + 3, RLENGTH - 3); marked = 0 }
    '
}

# The tests of the Python package.
test_python() {
    PYTHONPATH="$PWD/packaging/python" EKKLESIA_PROGRAM="$program" \
        target/ci-venv/bin/python -B -m pytest -q -p no:cacheprovider packaging/python/tests
}

# In a folder beside the shipped program, which stays what it is; the dependencies are the same files.
follow_tutorial() {
    rm -rf target/ci-newcomer
    mkdir -p target/ci-newcomer
    cp -al target/release target/ci-newcomer/release
    tests/newcomer/run target/ci-newcomer
    rm -rf target/ci-newcomer
}

export program
export -f step tell install_python install_packages install_readers install_voting_rules install_browser install_r
export -f install_slurm install_snakemake install_drawers install_crate install_mdbook build_book make_tables slowest_tests
export -f test_python follow_tutorial
