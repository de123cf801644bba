#!/usr/bin/env bash
# Runs configurations against a real model, then again without one, and compares every byte: the smallest shipped one, a shortened
# session of the justice experiment, and short sessions of four designs of groups, whose tables are checked as well.
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

# live CONFIG FOLDER CALLS_MAX PROMPT_TOKENS_MAX REPLY_TOKENS_MAX [OPTION…]: a run against the server, and what it took.
live() {
    local config=$1 folder=$2 calls_max=$3 prompt_max=$4 reply_max=$5 before tokens calls prompt reply
    shift 5
    before=$(generated)
    "${ekklesia[@]}" run "$config" --out "$folder" "$@"
    tokens=$(($(generated) - before))
    calls=$(cat "$folder"/sessions/*/calls.jsonl | grep --count '"question"')
    [ "$calls" -gt 0 ] || fail "$config: the model was not called"
    [ "$calls" -le "$calls_max" ] || fail "$config: $calls calls, at most $calls_max are allowed"
    prompt=$(greatest "$folder" prompt_tokens)
    [ "${prompt:-0}" -gt 0 ] && [ "$prompt" -le "$prompt_max" ] \
        || fail "$config: the longest prompt has ${prompt:-0} tokens, at most $prompt_max are allowed"
    reply=$(greatest "$folder" completion_tokens)
    [ "${reply:-0}" -gt 0 ] && [ "$reply" -le "$reply_max" ] \
        || fail "$config: the longest reply has ${reply:-0} tokens, at most $reply_max are allowed"
    [ "$tokens" -ge "$calls" ] || fail "$config: $calls calls recorded, but the server generated $tokens tokens"
    echo "real model, $config: $calls calls served, the longest prompt $prompt tokens, the longest reply $reply, $tokens tokens generated"
}

# again CONFIG FOLDER [OPTION…]: without a server, from a copy that has what was asked and answered, and nothing that was made of it.
again() {
    local config=$1 folder=$2 copy=$2-copy
    shift 2
    only_the_record "$folder" "$copy"
    "${ekklesia[@]}" run "$config" --offline --out "$copy" "$@"
    diff -r -x run.json -x calls.jsonl -x experiment.json "$folder" "$copy" \
        || fail "$config: the offline run differs from the live one"
    "${ekklesia[@]}" replay "$folder"
}

# Options of the designs of groups. The window is the one that the server was started with. public_goods has two teams of two, in
# both arms; the poll sits in two circles of five, as its roles have it. Replies of 160 tokens are short, yet with twice the room
# one holds any question to the experts, which has 300 characters at most.
window=(--set models.small.openai.context_window=2048)
statement=("${window[@]}")
goods=("${window[@]}" --set agenda.match.team.groups.size=2)
ideas=("${window[@]}" --set models.small.openai.max_tokens=160 --set 'agenda.silence.idea.text.count=[1, 2]')
poll=("${window[@]}" --set models.small.openai.max_tokens=160)

# group DESIGN CALLS_MAX PROMPT_TOKENS_MAX REPLY_TOKENS_MAX [OPTION…]: live, and carried through.
group() {
    local design=$1
    shift
    live "configs/$design-local-model.yaml" "$out/$design" "$@"
    .ci/carried_through.py "$out/$design" "$design"
}

# A reply that is cut at its `max_tokens`, here 40 and 80, is asked for once more, with twice the room. The prompt of the vote holds
# six statements, each at most one reply long: 6 × 80 tokens, and 160 for the rest.
live configs/first-local-model.yaml "$out/first" 60 640 80
if [ -z "$short" ]; then
    live .ci/justice-short.yaml "$out/justice" 300 1900 160
    # The calls are those that `check` tells for when every question is put as often as it may be. Replies have twice their
    # `max_tokens`, as above: 200, 60, 160 and 160. A prompt of public_goods holds at most the four statements of two periods in a
    # pair, 4 × 120 tokens, and 320 for the rest. In the other designs more is said than the window of 2048 tokens holds, so that
    # seats rewrite their memories and are shown less; a prompt that leaves no room for a reply is refused by the server.
    group group_statement 123 2047 400 "${statement[@]}"
    group public_goods 120 800 120 "${goods[@]}"
    group nominal_group 210 2047 320 "${ideas[@]}"
    group deliberative_poll 660 2047 320 "${poll[@]}"
fi
stop_model
again configs/first-local-model.yaml "$out/first"
if [ -z "$short" ]; then
    again .ci/justice-short.yaml "$out/justice"
    again configs/group_statement-local-model.yaml "$out/group_statement" "${statement[@]}"
    again configs/public_goods-local-model.yaml "$out/public_goods" "${goods[@]}"
    again configs/nominal_group-local-model.yaml "$out/nominal_group" "${ideas[@]}"
    again configs/deliberative_poll-local-model.yaml "$out/deliberative_poll" "${poll[@]}"
fi
echo "real model: offline runs and replays agree"
rm -rf "$out"
