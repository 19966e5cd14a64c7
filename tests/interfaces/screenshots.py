"""Makes the pictures of docs/images from the real page: `make screenshots`.

Plays two short games against the engine by the API, then looks at them in a browser at the widths of a phone, a laptop
and a wide screen. Not a test: what it makes is for people to look at.
"""

import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from PIL import Image
from selenium.webdriver.common.keys import Keys

import tesuji
from tests.interfaces.browser import Browser, browsing
from tests.interfaces.web_parts import serving

IMAGES = Path(__file__).parents[2] / "docs" / "images"
LAPTOP, WIDE, PHONE = (1280, 800), (1920, 1080), (400, 860)


def play(address: str, moves: int, slips: float) -> str:
    """A game against the engine by the API: its key. A share of the moves is not the network's first choice."""
    evaluate = tesuji.load("default-9x9")
    player = tesuji.SearchPlayer(evaluate, visits=40)
    chance = random.Random(5)
    with httpx.Client(base_url=address, timeout=120) as client:
        setup = {"size": 9, "komi": 7.5, "white": {"kind": "engine", "level": "strong"}}
        state: dict[str, Any] = client.post("/api/games", json=setup).json()
        url = f"/api/games/{state['id']}/moves"
        while len(state["moves"]) < moves and not state["over"]:
            game = tesuji.Game(9, 7.5, "chinese")
            for move in state["moves"]:
                game.play(move)
            chosen = player.move(game).move
            if chance.random() < slips and chosen != tesuji.PASS and 8 < len(game.moves) < 36:
                priors = tesuji.Search(evaluate, visits=1).run(game).moves
                chosen = sorted(priors, key=lambda move: -move.prior)[3].move
            state = client.post(url, json={"move": game.vertex(chosen)}).json()
        return str(state["id"])


@contextmanager
def scene(address: str, key: str, size: tuple[int, int], *, dark: bool = False) -> Iterator[Browser]:
    """The page on this game."""
    with browsing(*size, dark=dark) as browser:
        browser.driver.get(address + "api/levels")
        browser.driver.add_cookie({"name": "tesuji_visitor", "value": key, "path": "/"})
        browser.open(address)
        time.sleep(0.5)
        yield browser


def keep(browser: Browser, name: str) -> None:
    """A screenshot in few colours, so that the repository stays small."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    path = IMAGES / f"{name}.png"
    time.sleep(1.5)  # whatever moves comes to rest
    browser.picture(path)
    full = Image.open(path).convert("RGB")
    # Colours by coverage, not by frequency: else the wood takes them all.
    full.quantize(256, Image.Quantize.MAXCOVERAGE, 2, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size // 1024} KB; complaints of the browser: {browser.complaints()}")


def analysed(browser: Browser, visits: float = 800) -> None:
    """Waits until the analysis has seen enough."""

    def enough() -> bool:
        count = browser.text("facts").split(" ")[0]
        return float(count.rstrip("k")) * (1000 if count.endswith("k") else 1) >= visits

    browser.until(enough, 120)


def running_game(address: str) -> None:
    """A game in progress: playing, analysing, the dialogs."""
    key = play(address, 22, 0.0)
    with scene(address, key, LAPTOP) as browser:
        keep(browser, "play-1280")
        browser.press("new-game")
        keep(browser, "new-game-1280")
        browser.choose("Cancel")
        browser.press("analysis")
        analysed(browser)
        browser.press("tree")
        browser.until(lambda: browser.all('[data-testid="tree-drawing"] svg'))
        keep(browser, "tree-1280")
    with scene(address, key, PHONE) as browser:
        keep(browser, "analysis-400")
        browser.press("analysis")
        keep(browser, "play-400")
    with scene(address, key, LAPTOP, dark=True) as browser:
        browser.press("analysis")
        browser.choose("Territory")
        analysed(browser)
        keep(browser, "territory-1280-dark")
        browser.choose("Best moves")
        browser.press("analysis")


def finished_game(address: str) -> None:
    """A finished game with its review."""
    key = play(address, 400, 0.3)
    with scene(address, key, WIDE) as browser:
        browser.until(lambda: browser.part("graph").is_displayed(), 60)
        browser.until(lambda: not [one for one in browser.all(".card .small") if "Looking at" in one.text], 300)
        keep(browser, "review-1920")
        browser.until(lambda: browser.all(".mistake"))
        browser.all(".mistake")[0].click()
        analysed(browser)
        keep(browser, "mistake-1920")
    with scene(address, key, PHONE, dark=True) as browser:
        browser.run("window.scrollTo(0, 640)")
        keep(browser, "review-400-dark")


def moving_picture(address: str) -> None:
    """The first picture of the README: a game, its end, and where it turned."""
    key = play(address, 400, 0.3)
    frames: list[Image.Image] = []

    def frame(browser: Browser, times: int = 1) -> None:
        time.sleep(0.8)
        with tempfile.NamedTemporaryFile(suffix=".png") as file:
            browser.picture(Path(file.name))
            frames.extend([Image.open(file.name).convert("RGB").resize((900, 540))] * times)

    with scene(address, key, (1200, 720)) as browser:
        browser.until(lambda: browser.part("graph").is_displayed(), 60)
        browser.until(lambda: not [one for one in browser.all(".card .small") if "Looking at" in one.text], 300)
        body = browser.all("body")[0]
        body.send_keys(Keys.HOME)
        for _ in range(9):
            body.send_keys(*[Keys.ARROW_RIGHT] * 3)
            frame(browser)
        body.send_keys(Keys.END)
        frame(browser, 4)
        browser.all(".mistake")[0].click()
        analysed(browser)
        frame(browser, 5)
    palette = frames[-1].quantize(96, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    small = [one.quantize(palette=palette, dither=Image.Dither.NONE) for one in frames]
    path = IMAGES / "game.gif"
    small[0].save(path, save_all=True, append_images=small[1:], duration=700, loop=0, optimize=True)
    print(f"{path.name}: {path.stat().st_size // 1024} KB")


def main() -> None:
    """Starts a server of its own and makes all pictures, or those of the scenes named."""
    scenes = {"running": running_game, "finished": finished_game, "moving": moving_picture}
    with tempfile.TemporaryDirectory() as home, serving(Path(home), "--no-browser", "--net", "default-9x9") as server:
        print("".join(server.lines).strip())
        for name in sys.argv[1:] or scenes:
            scenes[name](server.address)


if __name__ == "__main__":
    main()
