#!/usr/bin/env bash
# Runs two configurations against a real model, then again without one, and compares every byte: the smallest shipped one, and
# a shortened session of the justice experiment.
#
# usage: .ci/real_model.sh [EKKLESIA [--short]]    EKKLESIA is a built binary; left out, `cargo build --release` builds one. With
# --short only the smallest configuration is run.
# Prints the number of calls the model served for each; fails when there were none, or more or longer ones than it may have.
set -euo pipefail
cd "$(dirname "$0")/.."

model_port=8091
work=target/real-model
short=${2:-}
if [ $# -gt 0 ]; then
    ekklesia=("$1")
else
    cargo build --release --locked
    ekklesia=("${CARGO_TARGET_DIR:-target}/release/ekklesia")
fi

mkdir -p "$work"
out=$(mktemp -d "$work/run-XXXXXX")
. .ci/model_server.sh
trap stop_model EXIT
trap 'exit 130' INT TERM
install_model
start_model

# The greatest value of a count in the recorded calls of a results folder.
greatest() {
    grep --no-filename --only-matching "\"$2\":[0-9]*" "$1"/sessions/*/calls.jsonl | cut -d: -f2 | sort -n | tail -n 1
}

# live CONFIG FOLDER CALLS_MAX PROMPT_TOKENS_MAX REPLY_TOKENS_MAX: a run against the server, and what it took.
live() {
    local config=$1 folder=$2 before tokens calls prompt reply
    before=$(generated)
    "${ekklesia[@]}" run "$config" --out "$folder"
    tokens=$(($(generated) - before))
    calls=$(cat "$folder"/sessions/*/calls.jsonl | grep --count '"question"')
    [ "$calls" -gt 0 ] || fail "$config: the model was not called"
    [ "$calls" -le "$3" ] || fail "$config: $calls calls, at most $3 are allowed"
    prompt=$(greatest "$folder" prompt_tokens)
    [ "${prompt:-0}" -gt 0 ] && [ "$prompt" -le "$4" ] \
        || fail "$config: the longest prompt has ${prompt:-0} tokens, at most $4 are allowed"
    reply=$(greatest "$folder" completion_tokens)
    [ "${reply:-0}" -gt 0 ] && [ "$reply" -le "$5" ] \
        || fail "$config: the longest reply has ${reply:-0} tokens, at most $5 are allowed"
    [ "$tokens" -ge "$calls" ] || fail "$config: $calls calls recorded, but the server generated $tokens tokens"
    echo "real model, $config: $calls calls served, the longest prompt $prompt tokens, the longest reply $reply, $tokens tokens generated"
}

# again CONFIG FOLDER: without a server, from a copy that has what was asked and answered, and nothing that was made of it.
again() {
    local config=$1 folder=$2 copy=$2-copy
    only_the_record "$folder" "$copy"
    "${ekklesia[@]}" run "$config" --offline --out "$copy"
    diff -r -x run.json -x calls.jsonl -x experiment.json "$folder" "$copy" \
        || fail "$config: the offline run differs from the live one"
    "${ekklesia[@]}" replay "$folder"
}

# A reply that is cut at its `max_tokens`, here 40 and 80, is asked for once more, with twice the room. The prompt of the vote holds
# six statements, each at most one reply long: 6 × 80 tokens, and 160 for the rest.
live configs/first-local-model.yaml "$out/first" 60 640 80
[ -n "$short" ] || live .ci/justice-short.yaml "$out/justice" 300 1900 160
stop_model
again configs/first-local-model.yaml "$out/first"
[ -n "$short" ] || again .ci/justice-short.yaml "$out/justice"
echo "real model: offline runs and replays agree"
rm -rf "$out"
