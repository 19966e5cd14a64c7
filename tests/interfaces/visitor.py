"""A scripted visitor: many games in a row with edits, reviews and reloads; no error in the console, memory flat.

`make visitor GAMES=50` plays against the network of the package and prints a line for each game; with `--at ADDRESS`
a first visit to a board that runs already, by the clock: some moves, a resignation, the review.
"""

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.interfaces.browser import Browser, browsing
from tests.interfaces.web_parts import Server, serving

MOVES = 5  # of the visitor in each game
FIRST_MOVES = 8  # of a first visit
FIRST_POINTS = (40, 30, 50, 22, 58, 32, 48, 12, *range(20, 81))
PATIENCE = 900.0  # seconds: a slow machine is no error of the page
PAUSE = 0.2  # seconds between two looks: the browser is to be busy with the page, not with us
WARM = 3  # games before memory is expected to be flat: networks are loaded, caches filled
GROWTH = 1.25  # of the last games beside the first after those


@dataclass(frozen=True)
class Trace:
    """What a game left behind."""

    seconds: float
    server_mb: float
    heap_mb: float
    """Of the page, after its garbage was collected."""
    nodes: int
    """Of the document."""
    complaints: list[str]


def one_game(page: Browser, server: Server, number: int) -> Trace:
    """Plays, resigns, looks at the review, edits, reloads."""
    began = time.monotonic()
    page.press("new-game")
    page.until(lambda: page.part("start").is_displayed())
    page.press("start")
    if number > 1:
        page.press("yes")  # the record was changed: leave it
    page.until(lambda: not [one for one in page.all(".q-dialog .dialog") if one.is_displayed()])
    page.until(lambda: page.stones() == {} and page.text("status").startswith("Your turn"))
    for move in range(MOVES):
        page.click_point(next(point for point in range(20 + number % 7, 81) if point not in page.stones()))
        page.until(partial(stands_at, page, 2 * move + 2))
    page.press("resign")
    page.press("yes")
    page.until(lambda: page.all('[data-testid="lost"]'))
    page.until(lambda: not page.part("review-bar").is_displayed())
    edit(page, number)
    page.open(server.address)  # as somebody does who wonders whether it is still there
    page.until(lambda: page.part("comment").get_attribute("value") == f"game {number}")
    return traced(page, server, time.monotonic() - began)


def stands_at(page: Browser, number: int) -> bool:
    """Whether the board shows the last of so many moves."""
    return page.text("place") == f"Move {number} of {number}"


def edit(page: Browser, number: int) -> None:
    """Marks, a variation made and deleted, a comment, a look at a mistake."""
    body = page.driver.find_element(By.TAG_NAME, "body")
    page.press("tool-letter")
    page.click_point(0)
    page.press("tool-play")
    nodes = len(page.all(".variations .node"))
    page.click_point(80)
    page.until(lambda: len(page.all(".variations .node")) == nodes + 1)
    body.send_keys(Keys.DELETE)
    page.until(lambda: len(page.all(".variations .node")) == nodes)
    body.send_keys(Keys.HOME)
    page.until(lambda: page.text("place").startswith("Move 0 of"))
    page.part("comment").send_keys(f"game {number}")
    page.press("tool-play")  # elsewhere, so that the comment is sent


def traced(page: Browser, server: Server, seconds: float) -> Trace:
    """What is in use now."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    page.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    heap = page.driver.execute_cdp_cmd("Runtime.getHeapUsage", {})["usedSize"]
    nodes = int(page.run("return document.getElementsByTagName('*').length"))
    return Trace(seconds, resident / 1024, heap / 1e6, nodes, page.complaints())


def faults(traces: list[Trace]) -> list[str]:
    """What is not as it should be: errors, and memory that grows."""
    found = [f"game {number}: {text}" for number, one in enumerate(traces, 1) for text in one.complaints]
    warm = traces[WARM:]
    third = len(warm) // 3
    if third:
        for name in ("server_mb", "heap_mb", "nodes"):
            early = sum(getattr(one, name) for one in warm[:third]) / third
            late = sum(getattr(one, name) for one in warm[-third:]) / third
            if late > GROWTH * early:
                found.append(f"{name} grew from {early:.1f} to {late:.1f}")
    return found


def visit(games: int, *options: str) -> list[Trace]:
    """So many games in a row."""
    traces = []
    with (
        tempfile.TemporaryDirectory() as home,
        serving(Path(home), "--no-browser", *options) as server,
        browsing() as page,
    ):
        page.patience, page.pause = PATIENCE, PAUSE
        page.open(server.address)
        page.log()
        print("game  seconds  server MB  page MB  nodes  errors")
        for number in range(1, games + 1):
            one = one_game(page, server, number)
            traces.append(one)
            print(
                f"{number:4}  {one.seconds:7.1f}  {one.server_mb:9.0f}  {one.heap_mb:7.1f}  {one.nodes:5}  "
                f"{len(one.complaints)}",
                flush=True,
            )
    return traces


def first_visit(address: str) -> None:
    """Opens the board, plays, resigns and waits for the review; the time of each step."""
    began = time.monotonic()

    def tell(what: str) -> None:
        print(f"{time.monotonic() - began:6.1f} s  {what}", flush=True)

    with browsing() as page:
        page.patience, page.pause = PATIENCE, PAUSE
        page.open(address)
        page.until(lambda: page.text("status").startswith("Your turn"))
        tell("the board")
        for move in range(FIRST_MOVES):
            page.click_point(next(point for point in FIRST_POINTS if point not in page.stones()))
            page.until(partial(stands_at, page, 2 * move + 2))
        tell(f"{2 * FIRST_MOVES} moves")
        page.press("resign")
        page.press("yes")
        page.until(lambda: page.all('[data-testid="lost"]'))
        tell("resigned: " + page.text("status"))
        page.until(lambda: not page.part("review-bar").is_displayed())
        tell("reviewed")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--net", default="")
    parser.add_argument("--at", default="", metavar="ADDRESS")
    given = parser.parse_args()
    if given.at:
        first_visit(given.at)
        sys.exit()
    wrong = faults(visit(given.games, *(["--net", given.net] if given.net else [])))
    print("\n".join(wrong) or "no error, memory flat")
    sys.exit(1 if wrong else 0)
