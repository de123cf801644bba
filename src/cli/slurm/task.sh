program= server=
# The program first: the answers under way are recorded. Only processes that were started here are stopped.
stop_all() {
    for process in $program $server; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
}
trap stop_all EXIT
trap 'exit 143' INT TERM
{% if server %}

# A model server for this shard alone, on a port that nobody has.
answers() {
    curl --silent --noproxy '*' --max-time 5 --output /dev/null "$@"
}
port=$((20000 + ${SLURM_JOB_ID:-$$} % 10000))
while answers "http://127.0.0.1:$port/"; do
    port=$((port + 1))
done
{% if server == "llama" %}
llama-server --model "${MODEL_FILE:?is not set: export MODEL_FILE=/path/to/model.gguf before you submit}" \
    --alias {{ model }} --host 127.0.0.1 --port "$port" \
    --threads "$threads" --parallel {{ concurrency }}{% if gpus %} --n-gpu-layers 999{% endif %}{% if window %} --ctx-size {{ window * concurrency }}{% endif %} \
    ${MODEL_SERVER_FLAGS:-} &
{% else %}
vllm serve {{ model }} --served-model-name {{ model }} --host 127.0.0.1 --port "$port"{% if gpus and gpus > 1 %} \
    --tensor-parallel-size {{ gpus }}{% endif %}{% if window %} --max-model-len {{ window }}{% endif %} \
    ${MODEL_SERVER_FLAGS:-} &
{% endif %}
server=$!
# A large model takes minutes to load; the limit is half an hour.
for second in $(seq 1800); do
    answers --fail "http://127.0.0.1:$port/health" && break
    kill -0 "$server" 2>/dev/null || { echo "the model server ended before it was ready" >&2; exit 1; }
    [ "$second" -lt 1800 ] || { echo "the model server was not ready within 30 minutes" >&2; exit 1; }
    sleep 1
done
{% endif %}

"${EKKLESIA:-ekklesia}" {{ run }} &
program=$!
code=0
wait "$program" || code=$?
program=
exit "$code"
