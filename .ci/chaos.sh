#!/usr/bin/env bash
# Runs sessions of the motion on a real model behind proxies that spoil what passes, kills the program and the model server on
# the way, and looks at what is left with readers of its own.
#
# usage: .ci/chaos.sh [EKKLESIA] [--sessions N] [--rate SHARE] [--seed N]
#        EKKLESIA is a built binary; left out, one is built. N is even: half the sessions are asked for JSON under a schema,
#        half for anchored lines.
#
# It needs node and npm besides what .ci/real_model.sh needs: the second proxy is aimock's, and the scripted faults are llmock's.
set -euo pipefail
cd "$(dirname "$0")/.."

sessions=2 rate=0.35 seed=1 binary=
while [ $# -gt 0 ]; do
    case $1 in
        --sessions) sessions=$2 && shift 2 ;;
        --rate) rate=$2 && shift 2 ;;
        --seed) seed=$2 && shift 2 ;;
        *) binary=$1 && shift ;;
    esac
done
if [ -z "$binary" ]; then
    cargo build --release --locked
    binary="${CARGO_TARGET_DIR:-target}/release/ekklesia"
fi
work=target/real-model
mkdir -p "$work"
out=$(mktemp -d "$work/chaos-XXXXXX")
# What the program writes, wherever it writes it; everything in it is searched for keys.
written=$out/written
mkdir -p "$written"
. .ci/model_server.sh
facts=(python3 .ci/chaos_facts.py)

# A port that nobody has now.
free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

started=() program=
# Stops what this script started, and nothing else.
stop_all() {
    local process
    for process in "${started[@]}" $program; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    stop_model
}
trap stop_all EXIT
trap 'exit 130' INT TERM

# ready URL PROCESS LOG: waits until somebody answers there.
ready() {
    for _ in $(seq 120); do
        answers "$1" && return
        kill -0 "$2" 2>/dev/null || fail "it ended: $(tail -n 5 "$3")"
        sleep 0.25
    done
    fail "it is not ready: $(tail -n 5 "$3")"
}

install_model
if [ ! -e "$work/faults/installed" ]; then
    rm -rf "$work/faults"
    mkdir -p "$work/faults"
    python3 -m venv "$work/faults/venv"
    "$work/faults/venv/bin/pip" install --quiet llmock==0.2.2
    npm install --silent --no-audit --no-fund --prefix "$work/faults" @copilotkit/aimock@1.43.0
    touch "$work/faults/installed"
fi
model_port=$(free_port)
start_model

# Keys as they are named in the wild. One is sent to the server; none may be written anywhere.
secret() {
    echo "sk-planted-$1-$(python3 -c 'import secrets; print(secrets.token_hex(16))')"
}
OPENAI_API_KEY=$(secret openai) ANTHROPIC_API_KEY=$(secret anthropic) GEMINI_API_KEY=$(secret gemini)
OPENROUTER_API_KEY=$(secret openrouter) HF_TOKEN=$(secret hub) AWS_SECRET_ACCESS_KEY=$(secret cloud)
export OPENAI_API_KEY ANTHROPIC_API_KEY GEMINI_API_KEY OPENROUTER_API_KEY HF_TOKEN AWS_SECRET_ACCESS_KEY
keys=("$OPENAI_API_KEY" "$ANTHROPIC_API_KEY" "$GEMINI_API_KEY" "$OPENROUTER_API_KEY" "$HF_TOKEN" "$AWS_SECRET_ACCESS_KEY")

price_input=20 price_output=60 concurrency=4
# a_config NAME PORT REPLICATES TIMEOUT_S ROUNDS: writes a config whose two arms differ in the form in which replies are asked for.
a_config() {
    local shared="base_url: \"http://127.0.0.1:$2/v1\", model: smollm2-135m, api_key_env: OPENAI_API_KEY, temperature: 0.7, max_tokens: 40"
    shared="$shared, context_window: 2048, concurrency: $concurrency, timeout_s: $4"
    shared="$shared, price: { input_per_mtok: $price_input, output_per_mtok: $price_output }"
    cat >"$out/$1.yaml" <<YAML
experiment: $1
scenario: $PWD/scenarios/motion
seed: $seed
replicates: $3
models:
  by_schema: { openai: { $shared } }
  by_lines: { openai: { $shared, answers: anchored } }
seat_defaults: { model: by_schema }
seats:
  - { name: Alice, persona: "You are a retired teacher." }
  - { name: Bob, persona: "You run a shop." }
  - { name: Carol, persona: "You are a nurse." }
discussion: { rounds: $5, order: random, vote: at_end }
decision: { rule: majority, of: members, invalid: abstain }
straw_polls: [before, after]
design:
  factors: { form: { key: seat_defaults.model, levels: [by_schema, by_lines] } }
YAML
}

# ekklesia NAME ARGUMENT…: runs the program; what it says is kept under that name.
ekklesia() {
    local name=$1
    shift
    "$binary" "$@" >>"$written/$name.stdout" 2>>"$written/$name.stderr"
}

# ends CODE NAME ARGUMENT…: the same, and how it must end.
ends() {
    local expected=$1 code=0
    shift
    ekklesia "$@" || code=$?
    [ "$code" -eq "$expected" ] || fail "$1 ended with $code instead of $expected: $(tail -n 5 "$written/$1.stderr")"
}

# recorded_of FOLDER: the answers that are recorded so far.
recorded_of() {
    [ -d "$1/sessions" ] && "${facts[@]}" calls "$1" || echo 0
}

# until_recorded PROCESS FOLDER COUNT: waits for so many answers, or for the end of the program.
until_recorded() {
    while kill -0 "$1" 2>/dev/null && [ "$(recorded_of "$2")" -lt "$3" ]; do
        sleep 0.2
    done
}

# proven FOLDER: made again from the record alone, byte for byte, and every vote borne out.
proven() {
    only_the_record "$1" "$1-copy"
    ends 0 "$(basename "$1")-offline" run "$out/$(basename "$1").yaml" --offline --out "$1-copy"
    diff -r -x run.json -x calls.jsonl -x experiment.json "$1" "$1-copy" >"$out/diff" \
        || fail "$1: the offline run differs from the live one: $(head -n 5 "$out/diff")"
    ends 0 "$(basename "$1")-replay" replay "$1"
    python3 .ci/votes_borne_out.py "$1" || fail "$1: votes are not borne out"
    python3 .ci/votes_borne_out.py --plant "$1" || fail "$1: a false vote that was planted is not caught"
}

# ── Our own proxy: outages of many kinds, a kill and a restart of the server.
proxy_port=$(free_port)
python3 .ci/chaos_proxy.py "$proxy_port" "$model_port" "$out/proxy.jsonl" --seed "$seed" --rate "$rate" >"$out/proxy.log" 2>&1 &
started+=($!)
ready "http://127.0.0.1:$proxy_port/health" $! "$out/proxy.log"
a_config chaos "$proxy_port" $((sessions / 2)) 20 2
folder=$written/chaos
begun=$SECONDS
# Fifteen questions a session, if none is put twice.
third=$((sessions * 5))

# In the background without a shell of its own around it, which would be killed in its stead.
"$binary" run "$out/chaos.yaml" --out "$folder" >>"$written/chaos.stdout" 2>>"$written/chaos.stderr" &
program=$!
until_recorded "$program" "$folder" "$third"
kill -9 "$program" 2>/dev/null || fail "the program ended before it could be killed: $(tail -n 5 "$written/chaos.stderr")"
wait "$program" 2>/dev/null || true
killed_at=$(recorded_of "$folder")

"$binary" run "$out/chaos.yaml" --out "$folder" >>"$written/chaos.stdout" 2>>"$written/chaos.stderr" &
program=$!
until_recorded "$program" "$folder" $((third * 2))
kill -0 "$program" 2>/dev/null || fail "the program ended before the server was restarted: $(tail -n 5 "$written/chaos.stderr")"
stop_model
sleep 3
start_model
code=0
wait "$program" || code=$?
program=
[ "$code" -eq 0 ] || fail "the run ended with $code: $(tail -n 5 "$written/chaos.stderr")"
took=$((SECONDS - begun))
proven "$folder"

recorded=$("${facts[@]}" calls "$folder")
delivered=$("${facts[@]}" delivered "$out/proxy.jsonl")
# At the kill as many calls of each of the two models may have been under way as its config allows.
again=$((delivered - recorded))
[ "$again" -ge 0 ] && [ "$again" -le $((2 * concurrency)) ] \
    || fail "$delivered replies were sent, $recorded are recorded: more is paid twice than was in flight at the kill"
echo "chaos: $sessions sessions in $took s, killed after $killed_at of $recorded answers, the server restarted once; $again answers paid twice"
echo "chaos: attempts: $("${facts[@]}" attempts "$folder")"
echo "chaos: the proxy's doing: $("${facts[@]}" faults "$out/proxy.jsonl")"

# ── aimock's proxy: a budget of a few cents, which is never exceeded, and more of it.
aimock_port=$(free_port)
mkdir -p "$out/no-fixtures"
"$work/faults/node_modules/.bin/llmock" --port "$aimock_port" --fixtures "$out/no-fixtures" --proxy-only \
    --provider-openai "http://127.0.0.1:$model_port" --log-level warn \
    --chaos-drop 0.1 --chaos-malformed 0.1 --chaos-disconnect 0.1 --chaos-ratelimit 0.1 >"$out/aimock.log" 2>&1 &
started+=($!)
ready "http://127.0.0.1:$aimock_port/health" $! "$out/aimock.log"
a_config budget "$aimock_port" 1 30 1
folder=$written/budget
for dollars in 0.05 0.08; do
    ends 4 budget run "$out/budget.yaml" --out "$folder" --budget-usd "$dollars"
    spent=$("${facts[@]}" spent "$folder" "$price_input" "$price_output")
    python3 -c "import sys; sys.exit(not 0 < $spent <= $dollars)" || fail "$spent dollars are spent of $dollars"
    echo "chaos: $spent dollars spent of a budget of $dollars"
done
ends 0 budget run "$out/budget.yaml" --out "$folder" --budget-usd 5
proven "$folder"
echo "chaos: behind aimock: $("${facts[@]}" attempts "$folder")"
stop_model

# ── llmock: scripted answers of a service, and its verdict on the client.
llmock_port=$(free_port)
"$work/faults/venv/bin/llmock" serve --port "$llmock_port" --log-level warning >"$out/llmock.log" 2>&1 &
started+=($!)
ready "http://127.0.0.1:$llmock_port/health" $! "$out/llmock.log"
curl --silent --fail --noproxy '*' --output /dev/null -H 'content-type: application/json' \
    "http://127.0.0.1:$llmock_port/_llmock/scenario" -d '{"behaviors": [
    {"type": "fail", "status": 429, "retry_after": 2, "times": 3}, {"type": "fail", "status": 500, "times": 2},
    {"type": "delay", "seconds": 4, "times": 2}, {"type": "fail", "status": 429, "times": 2},
    {"type": "fail", "status": 503, "retry_after": 1, "times": 2}, {"type": "fail", "status": 502, "times": 1},
    {"type": "fail", "status": 529, "times": 1}, {"type": "fail", "status": 408, "times": 1}]}'
a_config scripted "$llmock_port" 1 3 2
ends 0 scripted run "$out/scripted.yaml" --out "$written/scripted"
ends 0 scripted-replay replay "$written/scripted"
curl --silent --fail --noproxy '*' "http://127.0.0.1:$llmock_port/_llmock/verdict" >"$out/verdict.json"
python3 - "$out/verdict.json" <<'PYTHON' || fail "llmock finds fault with the client: $(cat "$out/verdict.json")"
import json
import sys

verdict = json.load(open(sys.argv[1], encoding="utf-8"))
warned = sorted({finding["code"] for finding in verdict["findings"]})
print(f"chaos: llmock: {verdict['calls']} calls in {verdict['attempts']} attempts, {verdict['errors']} errors, warned of {warned or 'nothing'}")
sys.exit(not verdict["passed"] or verdict["attempts"] <= verdict["calls"])
PYTHON

echo "chaos: $("${facts[@]}" planted "${keys[@]}" -- "$written")"
rm -rf "$out"
