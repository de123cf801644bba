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

# A shard that is complete needs no model server.
if [ -f {{ shard_folder }}/plan.yaml ]; then
    code=0
    "${EKKLESIA:-ekklesia}" {{ run_offline }} >/dev/null 2>&1 || code=$?
    # 1: it is complete, and sessions of it failed.
    if [ "$code" -le 1 ]; then
        echo "shard $shard is complete"
        exit {% if snakemake %}0{% else %}"$code"{% endif %}

    fi
fi

# A model server for this shard alone, on a port that nobody has. The lock keeps other shards on this node away from it.
fetch() {
    curl --silent --noproxy '*' --max-time 5 "$@"
}
port=$((20000 + ${SLURM_JOB_ID:-$$} % 10000))
until { exec 9>>"/tmp/ekklesia-port-$port"; } 2>/dev/null && flock --nonblock 9 \
    && ! fetch --output /dev/null "http://127.0.0.1:$port/"; do
    port=$((port + 1))
done
{% if server == "llama" %}
llama-server --model "$MODEL_FILE" \
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
    kill -0 "$server" 2>/dev/null || { echo "the model server ended before it was ready" >&2; exit 1; }
    fetch --fail --output /dev/null "http://127.0.0.1:$port/health" && break
    [ "$second" -lt 1800 ] || { echo "the model server was not ready within 30 minutes" >&2; exit 1; }
    sleep 1
done
models=$(fetch "http://127.0.0.1:$port/v1/models")
if ! grep --quiet --fixed-strings {{ model }} <<<"$models"; then
    echo "another server answers at port $port" >&2
    exit 1
fi
{% endif %}

"${EKKLESIA:-ekklesia}" {{ run }} &
program=$!
code=0
wait "$program" || code=$?
program=
{% if snakemake %}
if [ "$code" -eq 1 ]; then
    # Sessions that failed have ended, and the collection names them; anything else is not complete.
    code=0
    "${EKKLESIA:-ekklesia}" {{ run_offline }} >/dev/null 2>&1 || code=$?
    [ "$code" -ne 1 ] || code=0
fi
{% endif %}
exit "$code"
