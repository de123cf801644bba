#!/usr/bin/env bash
# Seats agents: the server of the page on agents as it stands, then the same server around an agent of AutoGen that asks a small real model.
#
# usage: .ci/agents.sh EKKLESIA
set -euo pipefail
cd "$(dirname "$0")/.."

model_port=8094
work=target/real-model
out=$work
mkdir -p "$work"
. .ci/steps.sh
. .ci/model_server.sh
trap stop_model EXIT
trap 'exit 130' INT TERM
install_model
install_python target/ci-autogen "autogen_agentchat, autogen_ext.models.openai" autogen-agentchat==0.7.5 "autogen-ext[openai]==0.7.5"

python3 .ci/agents.py "$1"
start_model
target/ci-autogen/bin/python .ci/agents.py "$1" --autogen "http://127.0.0.1:$model_port/v1"
