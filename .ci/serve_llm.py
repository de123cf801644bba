#!/usr/bin/env python3
"""Serves a GGUF model at http://127.0.0.1:PORT/v1 with llama.cpp's own server, until SIGTERM or SIGINT.

usage: serve_llm.py MODEL.gguf PORT ALIAS
"""
import os
import signal
import sys
import threading

# Without this the worker threads spin while they wait, and starve whatever else runs.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("GOMP_SPINCOUNT", "0")

import xllamacpp

SLOTS = 4
CONTEXT_PER_SLOT = 2048


def main(model, port, alias):
    params = xllamacpp.CommonParams()
    params.model.path = model
    # Both names have been lists and single values in different versions of the bindings.
    params.hostnames = ["127.0.0.1"] if isinstance(params.hostnames, list) else "127.0.0.1"
    try:
        params.model_alias = {alias}
    except TypeError:
        params.model_alias = alias
    params.port = int(port)
    params.n_parallel = SLOTS
    params.n_ctx = CONTEXT_PER_SLOT * SLOTS
    params.cpuparams.n_threads = 2
    params.cpuparams_batch.n_threads = 2
    # A prompt that does not fit is to be an error, not to lose its beginning.
    params.ctx_shift = False
    params.endpoint_metrics = True
    params.offline = True
    server = xllamacpp.Server(params)
    print("ready", server.listening_address, flush=True)
    stop = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stop.set())
    stop.wait()
    # The bindings' own teardown waits for the server's threads; nothing is left to lose.
    os._exit(0)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
