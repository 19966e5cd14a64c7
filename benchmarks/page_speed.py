"""How quickly the page in the browser loads and answers, in a real chromium on this machine.

    PYTHONPATH=. python benchmarks/page_speed.py [--runs 3] [--net default-9x9]

Each run starts a server of its own and opens the page as a new visitor. Loading ends when the board is drawn and the
connection stands; a click is answered when its stone is drawn, once on a resting board and once while the position is
being analysed. Medians of each run; a quiet machine, please. Processor time, which others on the machine change little,
stands in brackets for a load (server and browser together), and last what the resting page takes of a core.
"""

import argparse
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.interfaces.browser import Browser, browsing, start
from tests.interfaces.web_parts import Server, serving

POINTS = (20, 24, 40, 56, 60)
IDLE_SECONDS = 30.0


@dataclass(frozen=True)
class Speed:
    """What one run found, in seconds; shares of a core while nobody does anything."""

    load: float
    load_processor: float
    click: float
    click_analysing: float
    idle_server: float
    idle_browser: float


def processor_seconds(process: int) -> float:
    """Processor time of a process and all that it started."""
    fields = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields[int(file.parent.name)] = file.read_text().rpartition(")")[2].split()
        except OSError:  # it ended just now
            continue
    family = {process}
    while more := {one for one, told in fields.items() if int(told[1]) in family} - family:
        family |= more
    ticks = sum(int(fields[one][11]) + int(fields[one][12]) for one in family if one in fields)
    return ticks / os.sysconf("SC_CLK_TCK")


def load_seconds(browser: Browser, server: Server, pause: float = 0.02) -> tuple[float, float]:
    """From the address to a board that can be played on, nothing known of the page before; also of processor time.

    Looking whether it is there takes processor time too: the less, the longer the pause between two looks.
    """
    browser.pause = pause
    browser.driver.delete_all_cookies()
    browser.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
    processes = (server.process.pid, browser.driver.service.process.pid)
    begin, used = time.perf_counter(), sum(map(processor_seconds, processes))
    browser.open(server.address)
    return time.perf_counter() - begin, sum(map(processor_seconds, processes)) - used


def idle_share(process: int) -> float:
    """How much of a core a process and its children use while nobody does anything."""
    begin, used = time.perf_counter(), processor_seconds(process)
    time.sleep(IDLE_SECONDS)
    return (processor_seconds(process) - used) / (time.perf_counter() - begin)


def click_seconds(browser: Browser) -> float:
    """The median of a few clicks, each taken back."""
    times = []
    for point in POINTS:
        times.append(browser.click_seconds(point))
        browser.press("undo")
        browser.until(lambda: not browser.stones())
    return median(times)


def one_run(net: str) -> Speed:
    """A server of its own, a visitor who never was here."""
    with (
        tempfile.TemporaryDirectory() as home,
        serving(Path(home), "--net", net, "--no-browser") as server,
        browsing() as browser,
    ):
        walls = [load_seconds(browser, server)[0] for _ in range(5)]
        processors = [load_seconds(browser, server, pause=1.0)[1] for _ in range(5)]
        browser.pause = 0.02
        time.sleep(5)  # whatever is loaded later
        server_share = idle_share(server.process.pid)
        browser_share = idle_share(browser.driver.service.process.pid)
        start(browser, "Two people")
        resting = click_seconds(browser)
        browser.press("analysis")
        browser.until(lambda: browser.all('[data-testid="moves"] tbody tr'))
        return Speed(median(walls), median(processors), resting, click_seconds(browser), server_share, browser_share)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--net", default="default-9x9")
    given = parser.parse_args()
    print("load, click, click while analysing; idle server, idle browser; load of the machine")
    for _ in range(given.runs):
        one = one_run(given.net)
        load = f"{1000 * one.load:.0f} ms ({1000 * one.load_processor:.0f} ms)"
        clicks = f"{1000 * one.click:.0f} ms, {1000 * one.click_analysing:.0f} ms"
        idle = f"{one.idle_server:.2%}, {one.idle_browser:.2%}"
        print(f"{load}, {clicks}; {idle}; {os.getloadavg()[0]:.1f}", flush=True)


if __name__ == "__main__":
    main()
