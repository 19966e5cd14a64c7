"""How quickly the page in the browser loads and answers, in a real chromium on this machine.

    PYTHONPATH=. python benchmarks/page_speed.py [--runs 3] [--net default-9x9]

Each run starts a server of its own and opens the page as a new visitor. Loading ends when the board is drawn and the
connection stands; a click is answered when its stone is drawn, once on a resting board and once while the position is
being analysed. Medians of each run; a quiet machine, please.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path
from statistics import median

from tests.interfaces.browser import Browser, browsing, start
from tests.interfaces.web_parts import serving

POINTS = (20, 24, 40, 56, 60)


def load_seconds(browser: Browser, address: str) -> float:
    """From the address to a board that can be played on, nothing known of the page before."""
    browser.driver.delete_all_cookies()
    browser.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
    begin = time.perf_counter()
    browser.open(address)
    return time.perf_counter() - begin


def click_seconds(browser: Browser) -> float:
    """The median of a few clicks, each taken back."""
    times = []
    for point in POINTS:
        times.append(browser.click_seconds(point))
        browser.press("undo")
        browser.until(lambda: not browser.stones())
    return median(times)


def one_run(net: str) -> tuple[float, float, float]:
    """Seconds to load, to answer a click, and to answer it while a search runs."""
    with (
        tempfile.TemporaryDirectory() as home,
        serving(Path(home), "--net", net, "--no-browser") as server,
        browsing() as browser,
    ):
        loads = [load_seconds(browser, server.address) for _ in range(5)]
        start(browser, "Two people")
        resting = click_seconds(browser)
        browser.press("analysis")
        browser.until(lambda: browser.all('[data-testid="moves"] tbody tr'))
        return median(loads), resting, click_seconds(browser)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--net", default="default-9x9")
    given = parser.parse_args()
    print("load, click, click while analysing; load of the machine")
    for _ in range(given.runs):
        load, click, busy = (1000 * seconds for seconds in one_run(given.net))
        print(f"{load:.0f} ms, {click:.0f} ms, {busy:.0f} ms; {os.getloadavg()[0]:.1f}", flush=True)


if __name__ == "__main__":
    main()
