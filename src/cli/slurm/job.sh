#!/bin/bash
# {{ shards }} shards of {{ config }} on Slurm, collected into {{ out }}.
# Printed by: {{ made_by }}
#
#   bash FILE                  submits the shards, and a job that collects them when all have ended; again, it continues
#                              what is missing
#   sbatch --array=3,5 FILE    continues two shards, and collects nothing
#   EKKLESIA=PATH              where the program is, if it is not on the PATH
#
# FILE is this script, in the folder from which {{ config }} is found. Complete sessions stay as they are.
#SBATCH --job-name={{ name }}
#SBATCH --array=1-{{ shards }}
#SBATCH --cpus-per-task={{ cpus }}
{% if time %}
#SBATCH --time={{ time }}
{% endif %}
{% if mem %}
#SBATCH --mem={{ mem }}
{% endif %}
{% if partition %}
#SBATCH --partition={{ partition }}
{% endif %}
{% if gpus %}
#SBATCH --gpus={{ gpus }}
{% endif %}
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail
# Commands that your cluster needs, such as `module load`, go here.

if [ ! -f {{ config_word }} ]; then
    echo "there is no "{{ config_word }}" here: submit from the folder in which this script was made" >&2
    exit 2
fi
{% if server == "llama" %}
: "${MODEL_FILE:?is not set: export MODEL_FILE=/path/to/model.gguf before you submit}"
{% endif %}
if [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then
    [ -f "$0" ] || { echo "write this script to a file, then: bash FILE" >&2; exit 2; }
    array=$(sbatch --parsable "$0")
    array=${array%%;*}
    echo "job $array runs the shards"
    # afterany: what is missing is named; with afterok, one failed shard would keep this job waiting for ever.
    collect=$(sbatch --parsable --dependency="afterany:$array" --job-name={{ name }}-collect {{ collect_flags }}<<'JOB'
#!/bin/bash
exec "${EKKLESIA:-ekklesia}" {{ collect }}
JOB
    )
    echo "job ${collect%%;*} then collects them into "{{ out_word }}
    exit
fi

threads=${SLURM_CPUS_PER_TASK:-1}
shard=$SLURM_ARRAY_TASK_ID
{{ task }}
