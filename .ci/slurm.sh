#!/usr/bin/env bash
# Job arrays on a real Slurm of one node: tasks killed, requeued, cancelled and run again, a real model behind a server in each task,
# and what is collected compared with a run in one place. Then the page on clusters, and a Snakefile.
#
# usage: .ci/slurm.sh EKKLESIA [simulated_array|model_array|page]    one part, instead of all
# It needs root: it installs Slurm, starts its daemons in target/ci-slurm for 127.0.0.1, and stops them at the end.
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/steps.sh

program=$(realpath "$1")
work=target/real-model
mkdir -p "$work"
out=$(mktemp -d "$PWD/target/slurm-XXXXXX")
. .ci/model_server.sh
export EKKLESIA=$program PATH="$out/bin:$(dirname "$program"):$PATH"

# Starts the daemons, without systemd and cgroups.
start_slurm() {
    local host memory
    host=$(hostname -s)
    memory=$(slurmd -C | sed -n 's/.*RealMemory=\([0-9]*\).*/\1/p')
    mkdir -p "$out/slurm/state" "$out/slurm/spool"
    getent hosts "$host" >/dev/null || echo "127.0.0.1 $host" >>/etc/hosts
    export SLURM_CONF=$out/slurm/slurm.conf
    cat >"$SLURM_CONF" <<CONF
ClusterName=ci
SlurmctldHost=$host(127.0.0.1)
SlurmctldAddr=127.0.0.1
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$out/slurm/state
SlurmdSpoolDir=$out/slurm/spool
SlurmctldPidFile=$out/slurm/slurmctld.pid
SlurmdPidFile=$out/slurm/slurmd.pid
SlurmctldLogFile=$out/slurm/slurmctld.log
SlurmdLogFile=$out/slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=200000,batch_sched_delay=0,bf_interval=5
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
MinJobAge=3600
KillWait=5
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$memory State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
    mkdir -p /run/munge && chown munge: /run/munge && chmod 755 /run/munge
    if ! munge -n >/dev/null 2>&1; then
        runuser -u munge -- /usr/sbin/munged
        echo /run/munge/munged.pid >"$out/slurm/munge_is_ours"
    fi
    slurmctld -f "$SLURM_CONF"
    slurmd -f "$SLURM_CONF"
    for _ in $(seq 200); do
        sinfo --noheader --format=%T 2>/dev/null | grep -qx idle && return
        sleep 0.1
    done
    fail "Slurm is not ready: $(tail -n 5 "$out"/slurm/*.log)"
}

# Stops what this script started, by process id.
stop_slurm() {
    local file process
    scancel --user="$(id -un)" 2>/dev/null || true
    for file in "$out/slurm/slurmd.pid" "$out/slurm/slurmctld.pid" $(cat "$out/slurm/munge_is_ours" 2>/dev/null); do
        [ -s "$file" ] || continue
        process=$(cat "$file")
        kill "$process" 2>/dev/null || continue
        for _ in $(seq 100); do
            kill -0 "$process" 2>/dev/null || break
            sleep 0.1
        done
    done
}
trap stop_slurm EXIT
trap 'exit 130' INT TERM

# Waits until no job is left.
wait_for_jobs() {
    for _ in $(seq 1200); do
        [ -n "$(squeue --noheader)" ] || return 0
        sleep 0.5
    done
    fail "jobs are still there: $(squeue)"
}
export -f wait_for_jobs fail

# code_of JOB: the exit code of a job that has ended.
code_of() {
    scontrol show job "$1" | sed -n 's/.*ExitCode=\([0-9]*\):.*/\1/p' | head -n 1
}

# kill_task ARRAY TASK: kills the program of a task as if memory had run out, and has Slurm run the task again.
kill_task() {
    local process
    process=$(pgrep --full "^$program run study.yaml --shard $2/")
    kill -KILL "$process"
    for _ in $(seq 600); do
        squeue --noheader --array --jobs="$1" --states=all --format=%K:%T | grep -q "^$2:FAILED" && break
        sleep 0.1
    done
    scontrol requeue "$1_$2"
}

# called SHARD N: waits until an answer of the model is recorded in a shard.
called() {
    for _ in $(seq 1200); do
        cat "results/study.shards/$1-of-$2"/sessions/*/calls.jsonl 2>/dev/null | grep -q '"raw"' && return
        sleep 0.1
    done
    fail "shard $1 asks no model: $(cat slurm-*.out)"
}

# hold SHARD…: has the program of each shard stand still after its first session, once, however fast it is.
hold() {
    cat >"$out/bin/held" <<SH
#!/usr/bin/env bash
"$program" "\$@" &
child=\$!
trap 'kill -CONT \$child; kill \$child; wait \$child; exit 143' INT TERM
if [ "\$1" = run ] && rm "hold-\$SLURM_ARRAY_TASK_ID" 2>/dev/null; then
    until compgen -G "results/study.shards/\$SLURM_ARRAY_TASK_ID-of-*/sessions/*/run.json" >/dev/null; do sleep 0.002; done
    kill -STOP \$child
    touch "held-\$SLURM_ARRAY_TASK_ID"
fi
wait \$child
SH
    chmod +x "$out/bin/held"
    export EKKLESIA=$out/bin/held
    local shard
    for shard in "$@"; do touch "hold-$shard"; done
}

# held SHARD: waits until a shard has completed a session, and stands still.
held() {
    for _ in $(seq 1200); do
        [ -e "held-$1" ] && return
        sleep 0.05
    done
    fail "shard $1 completes no session: $(cat slurm-*.out)"
}

# jobs_of PRINTED: the two numbers in what `bash study.sh` printed.
jobs_of() {
    grep -o 'job [0-9]*' <<<"$1" | cut -d' ' -f2 | tr '\n' ' '
}

# What a run in one place and shards must share: all but clock times and calls.
same() {
    diff -r -x run.json -x calls.jsonl -x experiment.json -x .lock "$1" "$2" || fail "$2 is not what $1 is"
}

# An array of eight simulated shards: one is killed and requeued, one is killed by Slurm and requeued, one is cancelled.
simulated_array() {
    mkdir -p "$out/simulated" "$out/bin" && cd "$out/simulated"
    hold 1 2 4
    cat >study.yaml <<'YAML'
experiment: study
scenario: builtin:motion
seed: 3
replicates: 480
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { voter: { copy: 0.5 } } }
seats: [ { count: 20, name: "Member {n}" } ]
straw_polls: [before, after]
discussion: { rounds: 20, vote: at_end }
design: { factors: { rule: { key: decision.rule, levels: [majority, unanimity] } } }
YAML
    "$program" run study.yaml --out one 2>/dev/null >one.txt
    "$program" slurm study.yaml --shards 8 --time 10 --mem 500M >study.sh
    bash -n study.sh
    local printed array collect
    printed=$(bash study.sh)
    read -r array collect <<<"$(jobs_of "$printed")"
    held 1
    kill_task "$array" 1
    held 2
    scontrol requeue "${array}_2"
    held 4
    scancel "${array}_4"
    wait_for_jobs
    [ "$(code_of "$collect")" = 4 ] || fail "the first collection ended with $(code_of "$collect"): $(cat "slurm-$collect.out")"
    grep -q 'shard 4/8: .* not complete' "slurm-$collect.out" || fail "the cancelled shard is not named: $(cat "slurm-$collect.out")"
    [ "$(grep -c 'not complete' "slurm-$collect.out")" = 1 ] || fail "not one shard alone is missing: $(cat "slurm-$collect.out")"
    printed=$(bash study.sh)
    read -r array collect <<<"$(jobs_of "$printed")"
    wait_for_jobs
    [ "$(code_of "$collect")" = 0 ] || fail "the second collection ended with $(code_of "$collect"): $(cat "slurm-$collect.out")"
    same one results/study
    "$program" replay results/study
    export EKKLESIA=$program
    cd "$OLDPWD"
    echo "slurm: 8 shards, one killed, one requeued, one cancelled: equal to one run"
}

# An array of two shards, each with a real model behind a server of its own: one is killed and requeued, one cancelled and run again.
model_array() {
    mkdir -p "$out/model" "$out/bin" && cd "$out/model"
    # llama.cpp's own server, from its Python package, under the name of its program.
    cat >"$out/bin/llama-server" <<SH
#!/usr/bin/env bash
while [ \$# -gt 0 ]; do
    case \$1 in
        --model) file=\$2 ;;
        --alias) alias=\$2 ;;
        --port) port=\$2 ;;
        --host) [ "\$2" = 127.0.0.1 ] || exit 1 ;;
    esac
    shift
done
echo "\$\$" >>"$out/servers"
exec "$venv/bin/python" "$tree/.ci/serve_llm.py" "\$file" "\$port" "\$alias"
SH
    chmod +x "$out/bin/llama-server"
    sed "s|\.\./scenarios/motion|builtin:motion|; s/^replicates: 1/replicates: 2/; s/context_window: 8192/context_window: 2048/; s/first-local-model/study/
        s|http://127.0.0.1:8091|http://models.example.org|" \
        "$tree/configs/first-local-model.yaml" >study.yaml
    export MODEL_FILE=$model
    "$program" slurm study.yaml --shards 2 --time 10 --cpus 1 --model-server llama >study.sh
    local array collect server set asked
    read -r array collect <<<"$(jobs_of "$(bash study.sh)")"
    called 1 2
    kill_task "$array" 1
    called 2 2
    scancel "${array}_2"
    wait_for_jobs
    [ "$(code_of "$collect")" = 4 ] || fail "the first collection ended with $(code_of "$collect"): $(cat slurm-*.out)"
    grep -q 'shard 2/2: .* not complete' "slurm-$collect.out" || fail "the cancelled shard is not named: $(cat "slurm-$collect.out")"
    asked=$(cat results/study.shards/1-of-2/sessions/*/calls.jsonl | sha256sum)
    read -r array collect <<<"$(jobs_of "$(bash study.sh)")"
    wait_for_jobs
    [ "$(code_of "$collect")" = 0 ] || fail "the second collection ended with $(code_of "$collect"): $(cat slurm-*.out)"
    [ "$asked" = "$(cat results/study.shards/1-of-2/sessions/*/calls.jsonl | sha256sum)" ] || fail "a complete shard was asked again"
    [ "$(wc -l <"$out/servers")" = 4 ] || fail "not four servers were started, but $(wc -l <"$out/servers")"
    while read -r server; do
        kill -0 "$server" 2>/dev/null && fail "the model server $server still runs"
    done <"$out/servers"
    [ "$(cat results/study/sessions/*/calls.jsonl | grep -c '"question"')" -ge 24 ] || fail "the model was not called"
    # In one place, from what was recorded, at the address that the first shard had.
    set=$(sed -n 's/^set: \["\(.*\)"\]/\1/p' results/study/inputs/overrides.yaml)
    only_the_record results/study one
    "$program" run study.yaml --set "$set" --offline --out one >/dev/null
    same one results/study
    "$program" replay results/study
    # On another port the shards continue, and no change of the plan is told.
    sbatch --wait study.sh >/dev/null
    ! grep -q base_url results/study.shards/*/experiment.json || fail "the port of a server is told as a change"
    cd "$OLDPWD"
    echo "slurm: 2 shards with a real model each: equal to one run from the record"
}

# The page for users of clusters, as it stands.
page() {
    PATH="$tree/target/ci-snakemake/bin:$PATH" python3 .ci/docs_code.py "$program" \
        --also "it needs Slurm or Snakemake" wait_for_jobs docs/src/howto/cluster.md
}

install_slurm
install_snakemake
install_model
tree=$PWD venv=$(realpath "$work/venv") model=$(realpath "$model")
start_slurm
for part in ${2:-simulated_array model_array page}; do
    "$part"
done
stop_slurm
trap - EXIT
rm -rf "$out"
