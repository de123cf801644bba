"""Seats agents of other programs: agents.py EKKLESIA [--autogen URL].

Does the page on agents as it stands: writes its files, starts its server, runs its commands. With --autogen its function is an agent of AutoGen
that asks the model server at URL and keeps a memory for each seat of each session. Either way the agent must have been asked exactly what is
recorded, seat by seat, while several sessions were under way.
"""

import argparse
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs/src/howto/your-own-agent.md"
# At the end of the server: what each memory holds, when it is asked for.
MEMORIES = '''
def tell_memories(self):
    body = json.dumps([[session, seat, len(memory)] for (_, session, seat), memory in memories.items()]).encode()
    self.send_response(200)
    self.send_header("Content-Length", str(len(body)))
    self.end_headers()
    self.wfile.write(body)


Table.do_GET = tell_memories
'''
AUTOGEN = '''
import asyncio
import threading

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.messages import TextMessage
from autogen_core import CancellationToken
from autogen_core.model_context import BufferedChatCompletionContext
from autogen_ext.models.openai import OpenAIChatCompletionClient

INFO = {"vision": False, "function_calling": False, "json_output": False, "family": "unknown", "structured_output": False}
loop = asyncio.new_event_loop()
threading.Thread(target=loop.run_forever, daemon=True).start()
agents = {}


def agent(memory, messages, fields):
    """An agent of AutoGen, which remembers what it was asked and what it said; its words are put into each field of text."""
    if id(memory) not in agents:
        client = OpenAIChatCompletionClient(model="small", base_url=sys.argv[2], api_key="none", model_info=INFO, max_tokens=40)
        # The small model behind it reads little.
        context = BufferedChatCompletionContext(buffer_size=4)
        agents[id(memory)] = AssistantAgent("seat", client, system_message=messages[0]["content"][:400], model_context=context)
    own = agents[id(memory)]

    async def reply():
        asked = TextMessage(content=messages[-1]["content"][:400], source="group")
        said = await own.on_messages([asked], CancellationToken())
        remembered = [one.content for one in await own.model_context.get_messages()]
        assert said.chat_message.content in remembered, "it forgot what it said"
        return said.chat_message.content

    words = asyncio.run_coroutine_threadsafe(reply(), loop).result()
    return {name: next((one for one in field["enum"] if one and one in words), words) if "enum" in field else words for name, field in fields.items()}
'''


def file_of(page, name):
    return re.search(rf"<!-- file: {re.escape(name)} -->\n```\w+\n(.*?)^```$", page, re.M | re.S)[1]


def get(port):
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    return json.loads(answer.split(b"\r\n\r\n", 1)[1])


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("program", type=Path)
    arguments.add_argument("--autogen")
    given = arguments.parse_args()
    page = PAGE.read_text(encoding="utf-8")
    server, config = file_of(page, "agent.py"), file_of(page, "agents.yaml")
    head, tail = server.rsplit("\n\n\nThreadingHTTPServer", 1)
    server = head + "\n\n" + (AUTOGEN if given.autogen else "") + MEMORIES + "\n\nThreadingHTTPServer" + tail
    commands = [block for block in re.findall(r"^```console\n(.*?)^```$", page, re.M | re.S) if not block.rstrip().endswith("&")]
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config = config.replace("8123", str(port))
    if given.autogen:
        config = config.replace("replicates: 10", "replicates: 2").replace("concurrency: 8", "concurrency: 4, timeout_s: 300")
    program = given.program.resolve()
    env = dict(os.environ, PATH=f"{program.parent}:{os.environ['PATH']}", NO_PROXY="127.0.0.1")
    with tempfile.TemporaryDirectory() as desk:
        desk = Path(desk)
        (desk / "agent.py").write_text(server, encoding="utf-8")
        (desk / "agents.yaml").write_text(config, encoding="utf-8")
        with (desk / "agent.log").open("wb") as log:
            command = [sys.executable, "agent.py", str(port)] + ([given.autogen] if given.autogen else [])
            agent = subprocess.Popen(command, cwd=desk, stderr=log, env=env)
        try:
            for _ in range(300):
                try:
                    get(port)
                    break
                except OSError:
                    if agent.poll() is not None:
                        sys.exit((desk / "agent.log").read_text())
                    time.sleep(0.2)
            for command in commands:
                done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=desk, env=env, text=True, capture_output=True)
                if done.returncode != 0:
                    sys.exit(f"{command}{done.stdout}{done.stderr}{(desk / 'agent.log').read_text()[-2000:]}")
            kept = {(session, seat): count for session, seat, count in get(port)}
        finally:
            agent.terminate()
            agent.wait()
        recorded = Counter()
        for record in (desk / "results/agents/sessions").glob("*/calls.jsonl"):
            for line in map(json.loads, record.read_text(encoding="utf-8").splitlines()):
                if "question" in line:
                    recorded[record.parent.name, line["question"]["seat"]] += 1
        if kept != dict(recorded) or len(kept) < 6:
            sys.exit(f"the agent remembers {kept}, and recorded are {dict(recorded)}")
        print(f"{len(kept)} seats of {len({session for session, _ in kept})} sessions, {sum(kept.values())} answers, each in its own memory")


if __name__ == "__main__":
    main()
