"""The live view in a real browser, while a run with a slow model goes on.

usage: serve_check.py EKKLESIA FOLDER [CHROMIUM]

A model server of this process says what a page must never take for markup. The view is watched through the run; `serve` is ended in the
middle and begun again. What is checked: every record of the session that is followed stands on the page once and in order; no request
leaves for elsewhere; no error on the console; an accessibility checker finds nothing; nothing runs that the model wrote. Screenshots
at three widths, light and dark, are left in FOLDER.
"""

import json
import re
import shutil
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect, sync_playwright

EVIL = (
    "<script>window.broken=1</script><img src=x onerror='window.broken=1'> \x1b[31mred\x1b[0m \u202egnirts\u202c "
    "</li></ol><h1>big</h1> &amp; “quoted” שלום "
)


class Model(BaseHTTPRequestHandler):
    """Answers as the schema of the question asks, after a while."""

    delay_s = 0.2
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.say({"data": [{"id": "played", "max_model_len": 100000}]})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        time.sleep(self.delay_s)
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
        properties = schema.get("properties", {})
        if "choice" in properties:
            content = {"choice": "for"}
        elif "text" in properties:
            content = {"text": EVIL}
        else:
            content = {"statement": EVIL + "x" * 300, "stance": "against"}
        self.say(
            {
                "model": "played-1",
                "choices": [
                    {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": json.dumps(content)}}
                ],
                "usage": {"prompt_tokens": 90, "completion_tokens": 8},
            }
        )

    def say(self, body):
        body = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


CONFIG = """
experiment: watched
scenario: {scenario}
seed: 7
replicates: 4
models:
  sim: {{ simulated: {{}} }}
  played: {{ openai: {{ base_url: "http://127.0.0.1:{port}/v1", model: played, max_tokens: 400, context_window: 100000, concurrency: 2 }} }}
seats:
  - {{ name: Ann, model: played }}
  - {{ name: Bob, model: played }}
  - {{ name: Sim, model: sim, mind: {{ voter: {{ copy: 0.4 }} }} }}
straw_polls: [before, each_round, after]
discussion: {{ rounds: 6, order: random, private_reasoning: true, vote: at_end }}
"""


# What was begun and has not ended: a check that fails leaves nothing behind.
SERVING = []


def serving(program, results, port):
    child = subprocess.Popen(
        [program, "serve", str(results), "--port", str(port)], stderr=subprocess.PIPE, text=True
    )
    said = child.stderr.readline()
    found = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
    SERVING.append(child)
    assert found, said
    return child, int(found[1])


def ended(child):
    SERVING.remove(child)
    child.terminate()
    assert child.wait(20) == 0, child.returncode


class Eyes:
    """A page, and what went wrong on it."""

    def __init__(self, page, port):
        self.page, self.wrong, self.is_away = page, [], False
        own = f"http://127.0.0.1:{port}/"
        page.on("pageerror", lambda error: self.wrong.append(f"error on the page: {error}"))
        page.on("console", lambda said: said.type in ("error", "warning") and self.heard(said.text))
        page.on("request", lambda asked: asked.url.startswith((own, "data:")) or self.wrong.append(f"asked {asked.url}"))

    def heard(self, text):
        # While the server is away the browser says so, and that is all that it may say.
        if not (self.is_away and "net::ERR_" in text):
            self.wrong.append(f"console: {text}")

    def is_well(self):
        assert not self.wrong, "\n".join(self.wrong)
        assert self.page.evaluate("window.broken") is None, "what a model wrote was run"
        # Of what the page itself holds as data nothing runs.
        markup = "main h1, main img, main script:not([type='application/json'], [type='text/plain'])"
        assert self.page.locator(markup).count() == 0, "words became markup"
        width = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert width <= 0, f"{width} px wider than the screen at {self.page.viewport_size}"

    def is_accessible(self):
        self.page.evaluate(AXE_SCRIPT)
        found = self.page.evaluate("axe.run()")["violations"]
        told = [f"{one['id']}: {one['help']}: {node['html'][:200]}" for one in found for node in one["nodes"][:2]]
        assert not told, "\n".join(told)

    def look(self, folder, name):
        for width, height in ((360, 740), (900, 900), (1600, 1000)):
            for scheme in ("light", "dark"):
                self.page.set_viewport_size({"width": width, "height": height})
                self.page.emulate_media(color_scheme=scheme)
                self.page.screenshot(path=str(folder / f"{name}-{width}-{scheme}.png"), full_page=True)
                self.is_well()
                self.is_accessible()


def shown(page):
    return [int(seq) for seq in page.eval_on_selector_all("#talk > li[data-seq]", "all => all.map(one => one.dataset.seq)")]


def leads_to_the_report(page):
    """The number of a record leads to the very record in the report, and back; the other link to the whole session."""
    watched = page.url
    numbers = page.locator("#talk > li[data-seq] a")
    for place in (0, numbers.count() // 2, numbers.count() - 1):
        link = numbers.nth(place)
        address = link.evaluate("one => decodeURIComponent(new URL(one.href).hash.slice(1))")
        words = link.evaluate("one => one.closest('li').querySelector('.head').innerText")
        link.click()
        record = page.locator(f'[id="{address}"]')
        record.wait_for(state="visible")
        assert record.evaluate("one => one.classList.contains('at')"), f"{address} is not marked"
        assert page.locator("article.session:visible").get_attribute("id") == address.split("/")[0]
        who = words.split()[0]
        assert who in record.inner_text(), f"{address}: {who!r} is not in {record.inner_text()!r}"
        page.get_by_role("link", name="Live view").first.click()
        page.wait_for_selector("#talk > li.outcome")
    assert page.url == watched, page.url
    session = page.inner_text("#which bdi")
    page.locator("#which a").click()
    page.wait_for_selector("article.session:visible")
    assert page.locator("article.session:visible").get_attribute("id") == session
    page.go_back()
    page.wait_for_selector("#talk > li.outcome")


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    chromium = sys.argv[3] if len(sys.argv) > 3 else shutil.which("chromium") or shutil.which("chromium-browser")
    shutil.rmtree(folder, ignore_errors=True)
    results = folder / "results"
    results.mkdir(parents=True)
    model = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=model.serve_forever, daemon=True).start()
    root = Path(__file__).resolve().parent.parent
    config = folder / "watched.yaml"
    config.write_text(CONFIG.format(scenario=root / "scenarios/motion", port=model.server_port))
    first = ["run", str(root / "configs/first.yaml"), "--out", str(results / "first")]
    subprocess.run([program, *first], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server, port = serving(program, results, 0)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        eyes = Eyes(browser.new_context().new_page(), port)
        page = eyes.page
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector("#rows >> text=finished")
        run = subprocess.Popen(
            [program, "run", str(config), "--out", str(results / "watched"), "--jobs", "2"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        SERVING.append(run)
        page.wait_for_selector("#rows >> text=watched")
        page.wait_for_selector("#rows >> text=under way")
        eyes.look(folder, "index")
        page.goto(f"http://127.0.0.1:{port}/e/watched/watch")
        page.uncheck("#auto")
        page.wait_for_selector("#talk > li.speech")
        followed = page.inner_text("#which bdi")
        expect(page.locator("#cards >> text=waits for").first).to_be_visible(timeout=20000)
        waited = page.locator("#cards small", has_text="waits for").first.inner_text()
        assert re.search(r"waits for (Ann|Bob) \((statement|reasoning|straw poll|ballot), \d+ s\)", waited), waited
        # The server goes away and comes back; the page goes on behind what it has.
        eyes.is_away = True
        before = len(shown(page))
        ended(server)
        page.wait_for_selector("#link.lost")
        server, _ = serving(program, results, port)
        page.wait_for_selector("#link:not(.lost)", timeout=60000)
        eyes.is_away = False
        eyes.look(folder, "watch")
        assert run.wait(300) == 0, run.returncode
        SERVING.remove(run)
        minutes = (results / "watched/sessions" / followed / "minutes.jsonl").read_text().splitlines()
        # Not by a function of the page's: its policy forbids to make one of a text.
        expect(page.locator("#talk > li[data-seq]")).to_have_count(len(minutes), timeout=60000)
        assert shown(page) == list(range(len(minutes))), shown(page)
        assert before < len(minutes), "everything had been told before the server went away"
        expect(page.locator("#done")).to_have_text("4 of 4", timeout=60000)
        # Each call of the model uses 98 tokens, and it has no price.
        calls = sum(
            '"usage"' in line
            for record in (results / "watched/sessions").glob("*/calls.jsonl")
            for line in record.read_text().splitlines()
        )
        tokens = f"{98 * calls:,}".replace(",", " ")
        expect(page.locator("#spent")).to_have_text(f"$0.00 without played, which has no price; {tokens} tokens", timeout=60000)
        assert "<script>" in page.inner_text("#talk"), "the words are shown as they are"
        assert "\\u{202e}" in page.inner_text("#talk"), "what turns the direction is shown"
        assert "By rules, in some arm at least: Sim." in page.inner_text("#announced")
        page.uncheck("#private")
        assert page.locator("#talk > li.unheard:visible").count() == 0
        page.check("#private")
        # By the keyboard alone.
        page.locator("#sessions button").last.focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("#talk > li.outcome")
        eyes.look(folder, "ended")
        leads_to_the_report(page)
        eyes.is_well()
        # The report of the same folder: its sessions are fetched when they are opened.
        page.goto(f"http://127.0.0.1:{port}/e/watched/")
        page.wait_for_selector("#overview-view")
        assert page.locator("article.session").count() == 0, "a session stands in the page"
        page.goto(f"http://127.0.0.1:{port}/e/watched/#{followed}")
        page.wait_for_selector("article.session:visible")
        eyes.is_well()
        page.screenshot(path=str(folder / "report-session.png"))
        browser.close()
    ended(server)
    model.shutdown()
    print(f"{len(minutes)} records of {followed} in order; screenshots in {folder}")


if __name__ == "__main__":
    try:
        main()
    finally:
        for left in SERVING:
            left.kill()
