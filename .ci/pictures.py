"""Makes the pictures of the README and the book: python pictures.py PROGRAM FOLDER

The first screen of a report and the grid of one session; docs/picture.py makes the one of the terminal. Run it again when the page changes.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

CONFIG = "configs/justice-memory-by-rule.yaml"


def main():
    program, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        results, page = f"{place}/results", f"{place}/report.html"
        subprocess.run([program, "run", CONFIG, "--out", results], check=True, capture_output=True)
        subprocess.run([program, "report", results, "--out", page], check=True, capture_output=True)
        with sync_playwright() as playwright:
            chromium = shutil.which("chromium") or shutil.which("chromium-browser")
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            shown = browser.new_page(viewport={"width": 1440, "height": 900})
            shown.goto(pathlib.Path(page).as_uri())
            shown.screenshot(path=out / "report.png")
            shown.locator("table.sessions tbody a").first.click()
            shown.locator("table.grid").first.screenshot(path=out / "grid.png")
            browser.close()


if __name__ == "__main__":
    main()
