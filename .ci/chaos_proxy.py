#!/usr/bin/env python3
"""Stands between a client and a model server, and spoils some of what passes, until SIGTERM.

usage: chaos_proxy.py PORT UPSTREAM_PORT LOG [--seed N] [--rate SHARE] [--stall SECONDS]

Which request meets which fault is drawn from the seed, one draw for each request in the order in which they come. LOG gets a
line of JSON for each: what was done, and whether the client was sent a whole reply of the model. It tells nothing of what was
asked or answered, and no key. Requests other than POST pass.
"""
import argparse
import asyncio
import email.utils
import json
import random
import signal
import socket
import struct
import sys
import time

# How often each fault is drawn among those that are.
FAULTS = {
    "drop": 3,  # the connection closes without a word
    "reset_in_body": 3,  # the model's reply, half of it, then a reset
    "cut_json": 2,  # the model's reply, half of it, as if that were all
    "html": 2,  # a page with status 200
    "no_choices": 1,  # a completion of nothing
    "busy": 2,  # 429 that says nothing of a wait
    "busy_seconds": 2,  # 429 with a wait in seconds
    "busy_date": 1,  # 429 with a wait until a date
    "error_500": 2,  # a flat error that repeats the key
    "error_502": 1,  # a page
    "error_503": 2,  # no body
    "odd_code": 1,  # an error object with a number for a code
    "stall": 1,  # nothing at all until the client gives up
}
PAGE = b"<!doctype html><html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>"


def head(status, length, *fields):
    lines = [f"HTTP/1.1 {status} Chaos", f"content-length: {length}", *fields, "", ""]
    return "\r\n".join(lines).encode()


def answer(status, body=b"", *fields):
    return head(status, len(body), *fields) + body


async def message(reader):
    """The head and the body of a message with a length; nothing at the end of a connection."""
    try:
        top = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    fields = {}
    for line in top.decode("latin-1").split("\r\n")[1:]:
        name, _, value = line.partition(":")
        fields[name.strip().lower()] = value.strip()
    if "chunked" in fields.get("transfer-encoding", ""):
        body = b""
        while size := int((await reader.readline()).split(b";")[0], 16):
            body += await reader.readexactly(size)
            await reader.readexactly(2)
        await reader.readexactly(2)
    else:
        body = await reader.readexactly(int(fields.get("content-length", 0)))
    return top, fields, body


async def upstream(port, top, body):
    """What the model server answers: status, type and body. It is asked on a connection of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        lines = [line for line in top.decode("latin-1").split("\r\n") if line]
        dropped = ("connection:", "host:", "content-length:", "transfer-encoding:")
        kept = [line for line in lines[1:] if not line.lower().startswith(dropped)]
        own = [f"host: 127.0.0.1:{port}", f"content-length: {len(body)}", "connection: close"]
        writer.write("\r\n".join([lines[0], *kept, *own, "", ""]).encode("latin-1") + body)
        await writer.drain()
        replied = await message(reader)
        if replied is None:
            raise ConnectionError("the model server closed the connection")
        top, fields, body = replied
        return int(top.split()[1]), fields.get("content-type", "application/json"), body
    finally:
        writer.close()


class Proxy:
    def __init__(self, options):
        self.options = options
        self.draws = random.Random(options.seed)
        self.log = open(options.log, "a", encoding="utf-8")

    def draw(self):
        if self.draws.random() >= self.options.rate:
            return "pass"
        return self.draws.choices(list(FAULTS), weights=FAULTS.values())[0]

    def tell(self, **what):
        self.log.write(json.dumps(what) + "\n")
        self.log.flush()

    async def serve(self, reader, writer):
        try:
            while asked := await message(reader):
                if not await self.one(asked, reader, writer):
                    break
        except (OSError, asyncio.IncompleteReadError):
            pass  # The client went away.
        finally:
            writer.close()

    async def one(self, asked, reader, writer):
        """Answers one request; whether the connection may be used again."""
        top, fields, body = asked
        fault = self.draw() if top.startswith(b"POST") else "pass"
        if fault in ("pass", "reset_in_body", "cut_json"):
            return await self.reply(fault, top, body, reader, writer)
        self.tell(fault=fault, delivered=False)
        if fault == "drop":
            return False
        if fault == "stall":
            # Ends early when the client closes.
            try:
                await asyncio.wait_for(reader.read(1), self.options.stall)
            except asyncio.TimeoutError:
                pass
            return False
        writer.write(spoilt(fault, fields))
        await writer.drain()
        return True

    async def reply(self, fault, top, body, reader, writer):
        try:
            status, kind, body = await upstream(self.options.upstream, top, body)
        except (OSError, asyncio.IncompleteReadError, ValueError):
            # As a gateway does whose server is away.
            self.tell(fault="away", delivered=False)
            writer.write(answer(502, PAGE, "content-type: text/html"))
            await writer.drain()
            return True
        whole = head(status, len(body), f"content-type: {kind}") + body
        if fault == "reset_in_body" and len(body) > 1:
            self.tell(fault=fault, delivered=False)
            writer.write(whole[: len(whole) - len(body) // 2])
            await writer.drain()
            # Closed with a reset instead of an end.
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return False
        if fault == "cut_json" and len(body) > 1:
            self.tell(fault=fault, delivered=False)
            writer.write(answer(status, body[: len(body) // 2], f"content-type: {kind}"))
            await writer.drain()
            return True
        if reader.at_eof():
            self.tell(fault="client_gone", delivered=False)
            return False
        writer.write(whole)
        await writer.drain()
        self.tell(fault="pass", delivered=top.startswith(b"POST") and status == 200)
        return True


def spoilt(fault, fields):
    """An answer that the model has no part in."""
    as_json = "content-type: application/json"
    if fault == "html":
        return answer(200, PAGE, "content-type: text/html")
    if fault == "no_choices":
        return answer(200, b'{"id":"chaos","object":"chat.completion","choices":[]}', as_json)
    if fault.startswith("busy"):
        soon = email.utils.formatdate(time.time() + 2, usegmt=True)
        wish = {"busy": [], "busy_seconds": ["retry-after: 1"], "busy_date": [f"retry-after: {soon}"]}[fault]
        return answer(429, b'{"error":{"message":"slow down","type":"requests","code":"rate_limit"}}', as_json, *wish)
    if fault == "error_500":
        said = "incorrect state for " + fields.get("authorization", "nobody")
        return answer(500, json.dumps({"error": said}).encode(), as_json)
    if fault == "error_502":
        return answer(502, PAGE, "content-type: text/html")
    if fault == "error_503":
        return answer(503)
    return answer(500, b'{"error":{"message":"out of order","code":500,"type":null}}', as_json)


async def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("port", type=int)
    options.add_argument("upstream", type=int)
    options.add_argument("log")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--rate", type=float, default=0.4)
    options.add_argument("--stall", type=float, default=300.0)
    proxy = Proxy(options.parse_args())
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", proxy.options.port, limit=1 << 24)
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    print("ready", flush=True)
    await stop.wait()
    server.close()


if __name__ == "__main__":
    asyncio.run(main())
    sys.exit(0)
