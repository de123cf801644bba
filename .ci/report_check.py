"""Checks the pages that `report` writes in a real browser: python report_check.py PAGE... [--shots FOLDER]

Each page is opened at 360, 768 and 1440 px in light, and at 1440 px in dark. Nothing may appear on the console, nothing may be requested
but the file itself, nothing may be wider than the window, and axe may find no violation. The finding and the first figure must fit the
first screen. Then the keyboard must reach a session and a record of it, every link of the overview must lead somewhere, the table of
sessions must sort and filter, figures must be saved as SVG, PNG and CSV, paper must hold few pages, and no word of a transcript may
have run. Ends with 1 and lists what is wrong.

With --short each page is opened in one size and scheme only. With --shots pictures of every state are left in a folder.
"""

import argparse
import pathlib
import re
import shutil
import sys
import time

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import sync_playwright

# Of so many sessions of a page every record that is linked to is looked for.
SESSIONS_OPENED = 12
# Of so many figures of a page every format is saved.
FIGURES_SAVED = 4
# Colours do not depend on the width.
LOOKS = ((360, "light"), (768, "light"), (1440, "light"), (1440, "dark"))
SHORT = ((1440, "light"),)
# Sheets of paper without sessions: six with up to four arms.
SHEETS_MAX = 7


class Checked:
    """One page, and what is wrong with it."""

    def __init__(self, browser, path, shots):
        self.browser, self.path, self.shots, self.wrong = browser, path, shots, []
        # The seconds until the page could be used, at the longest: told, and no fault, for the machine has its share in them.
        self.usable_after_s = 0.0

    def tell(self, words):
        self.wrong.append(f"{self.path}: {words}")

    def open(self, width, scheme, javascript=True):
        context = self.browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=javascript
        )
        page = context.new_page()
        own = self.path.resolve().as_uri()
        page.on("console", lambda said: self.tell(f"console: {said.type}: {said.text}"))
        page.on("pageerror", lambda error: self.tell(f"error: {error}"))
        page.on("dialog", lambda dialog: (self.tell(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: request.url.split("#")[0] == own or request.url.startswith(("data:", "blob:")) or self.tell(f"request: {request.url}"))
        begun = time.monotonic()
        page.goto(own, wait_until="load")
        return page, time.monotonic() - begun

    def shot(self, page, name):
        if self.shots:
            page.screenshot(path=self.shots / f"{self.path.stem}-{name}.png", full_page=True)

    def fits(self, page, where):
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wide > 0:
            culprits = page.evaluate(
                """() => Array.from(document.querySelectorAll('body *'))
                .filter((e) => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !e.closest('.scroll'))
                .slice(0, 5).map((e) => e.outerHTML.slice(0, 120))"""
            )
            self.tell(f"{where}: {wide} px wider than the window: {culprits}")

    def accessible(self, page, where):
        # A background that is a picture hides from axe how text stands out against it.
        page.evaluate("document.querySelectorAll('.scroll').forEach((one) => { one.style.backgroundImage = 'none'; })")
        for found in Axe().run(page).response["violations"]:
            nodes = [node["html"][:160] for node in found["nodes"][:3]]
            self.tell(f"{where}: axe: {found['id']} ({found['impact']}): {found['help']}: {nodes}")

    def looks(self, width, scheme):
        page, took = self.open(width, scheme)
        where = f"{width} px, {scheme}"
        self.usable_after_s = max(self.usable_after_s, took)
        page.evaluate("document.querySelectorAll('#overview-view figure details').forEach((one) => { one.open = true; })")
        self.fits(page, where)
        self.shot(page, f"{width}-{scheme}")
        if width == 1440:
            self.first_screen(page)
        # Colours are judged in both schemes at one width, what depends on the width in one.
        is_judged = width == 1440 or (width, scheme) == (360, "light")
        if is_judged:
            self.accessible(page, where)
        link = page.locator("#sessions a").first
        if link.count():
            link.evaluate("(one) => one.click()")
            page.wait_for_selector("#session-view article.session:not([hidden])")
            self.fits(page, f"{where}, a session")
            self.shot(page, f"{width}-{scheme}-session")
            if is_judged:
                self.accessible(page, f"{where}, a session")
        page.context.close()

    def first_screen(self, page):
        """The finding and the first figure are seen without scrolling."""
        bottom = page.evaluate(
            "Math.max(0, ...Array.from(document.querySelectorAll('.finding, .first figure .wide')).map((one) => one.getBoundingClientRect().bottom))"
        )
        if bottom > 900:
            self.tell(f"the first figure ends at {bottom:.0f} px, below the first screen")

    def saved(self, page):
        """Every figure is saved as SVG without the page's colours, as PNG and as CSV."""
        figures = page.locator("#overview-view figure")
        for place in range(min(figures.count(), FIGURES_SAVED)):
            figure = figures.nth(place)
            name = figure.get_attribute("data-name")
            for end, begins in (("svg", b"<svg"), ("png", b"\x89PNG"), ("csv", b"")):
                with page.expect_download() as download:
                    figure.locator(f"button[data-save={end}]").click()
                content = pathlib.Path(download.value.path()).read_bytes()
                if download.value.suggested_filename != f"{name}.{end}" or not content.startswith(begins) or len(content) < 40:
                    self.tell(f"figure {name}: {end} is saved as {download.value.suggested_filename}, {len(content)} bytes")
                if end == "svg" and (b"var(" in content or b"xmlns" not in content):
                    self.tell(f"figure {name}: its SVG needs the page")

    def sorted(self, page):
        """A click on a head sorts the sessions, and a second one reverses them."""
        head = page.locator("table.sessions thead button").first
        read = "Array.from(document.querySelectorAll('table.sessions tbody tr')).map((one) => one.cells[0].textContent)"
        head.click()
        up = page.evaluate(read)
        head.click()
        if page.evaluate(read) != up[::-1]:
            self.tell("a second click on a head does not reverse the sessions")

    def printed(self):
        """Without sessions the page is printed on few sheets."""
        page, _ = self.open(1440, "light")
        sheets = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
        if sheets > SHEETS_MAX:
            self.tell(f"it is printed on {sheets} sheets")
        page.context.close()

    def behaves(self):
        page, _ = self.open(768, "light")
        title = page.title()
        names = page.eval_on_selector_all("#sessions .sessions tbody a", "(all) => all.map((one) => one.getAttribute('href').slice(1))")
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className") != "skip":
            self.tell("the first stop of the keyboard is not the way to the content")
        reached = False
        for _ in range(400):
            page.keyboard.press("Tab")
            href = page.evaluate("document.activeElement.getAttribute('href') || ''")
            if href[1:] in names:
                page.keyboard.press("Enter")
                page.wait_for_selector("#session-view article.session:not([hidden])")
                reached = page.locator("#session-view article.session:not([hidden])").get_attribute("id") == href[1:]
                break
        if names and not reached:
            self.tell("the keyboard does not lead to a session")
        if names:
            self.records(page, names)
            self.leads(page, set(names))
            self.clicks(page)
            self.sorted(page)
            self.saved(page)
            page.evaluate("location.hash = '#sessions'")
            page.wait_for_selector("#filter", state="visible")
            page.fill("#filter", names[-1])
            shown = page.eval_on_selector_all("#sessions .sessions tbody tr", "(all) => all.filter((one) => !one.hidden).length")
            if shown < 1 or (len(names) > 1 and shown == len(names)):
                self.tell(f"the filter shows {shown} of {len(names)} sessions")
            self.numbered(page, names)
            self.counted(page, names)
        if page.title() != title:
            self.tell(f"a transcript has changed the title to {page.title()!r}")
        page.context.close()

    def numbered(self, page, names):
        """The number of a session, as readers say it, leaves the sessions of that replicate and no others."""
        number = re.compile(r"-r0*(\d+)(?:-w\d+)?$")
        found = number.search(names[-1])
        if not found:
            return
        own = found[1]
        expected = [name for name in names if (one := number.search(name)) and one[1] == own]
        for said in (own, f"group {own}", f"Session {own}", f"r{own}", f"replicate {own}", f"#{own}"):
            page.fill("#filter", said)
            shown = page.eval_on_selector_all(
                "#sessions .sessions tbody tr", "(all) => all.filter((one) => !one.hidden).map((one) => one.querySelector('a').textContent)"
            )
            if sorted(shown) != sorted(expected):
                self.tell(f"the filter {said!r} shows {shown[:5]} and not {expected[:5]}")

    def counted(self, page, names):
        """The count of what the filter leaves stands by the filter, and not above a single session."""
        page.fill("#filter", names[-1])
        above = page.evaluate(
            "document.getElementById('found').getBoundingClientRect().top - document.getElementById('filter').getBoundingClientRect().bottom"
        )
        if not re.fullmatch(r"\d+ sessions?", page.inner_text("#found")) or not 0 <= above < 120:
            self.tell(f"the filter counts {page.inner_text('#found')!r} {above} px below it")
        page.evaluate("(name) => { location.hash = name; }", names[-1])
        page.wait_for_selector("#session-view article.session:not([hidden])")
        if page.locator("#found").is_visible():
            self.tell("the filter's count stands above a single session")
        page.evaluate("location.hash = '#sessions'")
        page.wait_for_selector("#filter", state="visible")

    def records(self, page, names):
        """A link with a record's number opens its session and stands at the record."""
        address = page.eval_on_selector_all(
            "#session-view article.session:not([hidden]) a[href*='/']", "(all) => all.map((one) => one.getAttribute('href'))"
        )
        if not address:
            return
        page.evaluate("location.hash = '#overview'")
        page.evaluate("(address) => { location.hash = address; }", address[0])
        there = "document.getElementById(decodeURIComponent(location.hash.slice(1))) !== null"
        try:
            page.wait_for_function(there)
        except PlaywrightTimeout:
            self.tell(f"{address[0]} leads to no record")
        if page.locator("#session-view article.session:not([hidden])").count() != 1:
            self.tell(f"{address[0]} does not open its session")

    def leads(self, page, names):
        """Every link of the overview leads to a session, to a record that stands in it, or to a place of the overview."""
        addresses = page.eval_on_selector_all(
            "#overview-view a[href^='#']",
            "(all) => Array.from(new Set(all.map((one) => decodeURIComponent(one.getAttribute('href').slice(1)))))",
        )
        missing = "(ids) => ids.filter((id) => document.getElementById(id) === null)"
        for address in page.evaluate(missing, [one for one in addresses if one.split("/")[0] not in names]):
            self.tell(f"a link leads to {address}, which is nowhere")
        records = {}
        for address in addresses:
            if "/" in address and address.split("/")[0] in names:
                records.setdefault(address.split("/")[0], []).append(address)
        for session in list(records)[:SESSIONS_OPENED]:
            self.stands_at(page, records[session][0], "(address) => { location.hash = '#' + encodeURIComponent(address); }")
            for address in page.evaluate(missing, records[session]):
                self.tell(f"a link leads to {address}, and there is no such record")
        page.evaluate("location.hash = '#overview'")

    def clicks(self, page):
        """A number that counts sessions leads to them."""
        cells = page.locator("#overview-view details.of")
        for place in range(min(cells.count(), 3)):
            self.clicked(page, cells.nth(place).locator("a").first)

    def address(self, link):
        return link.evaluate("(one) => decodeURIComponent(one.getAttribute('href').slice(1))")

    def unfold(self, element):
        element.evaluate("(one) => { for (let up = one; up; up = up.parentElement) { if (up.tagName === 'DETAILS') { up.open = true; } } }")

    def clicked(self, page, link):
        """A link is clicked; then its session is shown, and the overview again."""
        address = self.address(link)
        self.unfold(link)
        link.click()
        self.stands_at(page, address)
        page.evaluate("location.hash = '#overview'")
        page.wait_for_selector("#overview-view:not([hidden])")

    def stands_at(self, page, address, way=None):
        """After a way was taken the page shows the session of an address, and the record where it names one."""
        if way is not None:
            page.evaluate(way, address)
        session = address.split("/")[0]
        there = """([session, address]) => {
            const shown = Array.from(document.querySelectorAll('#session-view article.session:not([hidden])'));
            return shown.length === 1 && shown[0].id === session && document.getElementById(address) !== null;
        }"""
        try:
            page.wait_for_function(there, arg=[session, address], timeout=10_000)
        except PlaywrightTimeout:
            self.tell(f"{address} is not shown where a link leads to it")

    def told_apart(self):
        """On paper nothing beside the text is larger than the text."""
        page, _ = self.open(768, "light")
        page.emulate_media(media="print")
        size = "(selector) => Array.from(document.querySelectorAll(selector)).map((one) => parseFloat(getComputedStyle(one).fontSize))"
        body = page.evaluate(size, "body")[0]
        larger = [found for found in page.evaluate(size, "figcaption, caption, .legend, td") if found > body]
        if larger:
            self.tell(f"on paper {len(larger)} captions, legends and cells are larger than the text: {max(larger)} px, {body} px")
        page.context.close()

    def still(self):
        """Without script the overview can be read."""
        page, _ = self.open(768, "light", javascript=False)
        if not page.locator("#overview").is_visible():
            self.tell("without script the overview is not shown")
        page.context.close()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("pages", nargs="+", type=pathlib.Path)
    arguments.add_argument("--shots", type=pathlib.Path)
    arguments.add_argument("--short", action="store_true", help="look at one size only, in light")
    given = arguments.parse_args()
    if given.shots:
        given.shots.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    looks = SHORT if given.short else LOOKS
    wrong = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for path in given.pages:
            checked = Checked(browser, path, given.shots)
            for width, scheme in looks:
                checked.looks(width, scheme)
            checked.behaves()
            checked.told_apart()
            checked.printed()
            checked.still()
            print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, usable after {checked.usable_after_s:.2f} s at the most")
            wrong += checked.wrong
        browser.close()
    for words in dict.fromkeys(wrong):
        print(words)
    print(f"{len(given.pages)} pages, {len(wrong)} complaints, {len(looks)} looks each")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
