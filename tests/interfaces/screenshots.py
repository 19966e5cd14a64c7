"""Makes the pictures of docs/images from the real page, and a set of all screens to look at: `make screenshots`.

Plays two short games against the engine by the API, then looks at them in a browser at the widths of a phone, a laptop
and a wide screen. `build/screenshots` gets the main views in every size, light and dark, 9x9 and 19x19, in two
languages; with the argument `east` in Japanese and Chinese. Not a test: what it makes is for people to look at.
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from PIL import Image
from selenium.webdriver.common.keys import Keys

import tesuji
from tests.interfaces.browser import Browser, browsing
from tests.interfaces.web_parts import serving

IMAGES = Path(__file__).parents[2] / "docs" / "images"
SCREENS = Path(__file__).parents[2] / "build" / "screenshots"
SIZES = ((400, 800), (800, 400), (1280, 800), (1920, 1080))
RECORD = (  # some moves on a large board
    "(;GM[1]SZ[19]KM[6.5]PB[Ann]PW[Bob]DT[2016-11-09]RE[B+2.5];B[qd];W[dc];B[pq];W[oc];B[cp];W[cf];B[ep];W[qo]"
    ";B[pe];W[np];B[po];W[pp];B[op];W[qp];B[oq];W[oo];B[pn];W[qq];B[nq];W[on];B[pm];W[om];B[pl];W[mp];B[mq];W[ol];B[pk]"
    ";W[lq];B[lr];W[kr];B[lp];W[kq];B[qr];W[rr];B[rs];W[mr];B[nr];W[pr];B[ps];W[qs];B[no];W[mo];B[qr];W[rm];B[rl];W[qs])"
)
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
        browser.patience = 600.0  # seconds: the machine may have other work
        browser.driver.get(address + "api/levels")
        browser.driver.add_cookie({"name": "tesuji_visitor", "value": key, "path": "/"})
        browser.open(address)
        time.sleep(0.5)
        yield browser


def keep(browser: Browser, name: str) -> None:
    """A screenshot in few colours, so that the repository stays small."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    path = IMAGES / f"{name}.png"
    at_rest(browser)
    browser.picture(path)
    full = Image.open(path).convert("RGB")
    # Colours by coverage, not by frequency: else the wood takes them all.
    full.quantize(256, Image.Quantize.MAXCOVERAGE, 2, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size // 1024} KB; complaints of the browser: {browser.complaints()}")


def at_rest(browser: Browser) -> None:
    """Waits until nothing moves or fades any more."""
    time.sleep(1.0)
    browser.until(lambda: browser.run("return document.getAnimations().every((one) => one.playState !== 'running')"))
    time.sleep(0.5)


def analysed(browser: Browser, visits: float = 800) -> None:
    """Waits until the analysis has seen enough."""

    def enough() -> bool:
        count = browser.text("facts").split(" ")[0]
        return float(count.rstrip("k")) * (1000 if count.endswith("k") else 1) >= visits

    browser.until(enough, 120)


def reviewed(browser: Browser) -> None:
    """Waits until both passes of the review are done."""
    browser.until(lambda: browser.all('[data-testid="lost"]'), 300)
    browser.until(lambda: not browser.part("review-bar").is_displayed(), 300)


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
        browser.run("window.scrollTo(0, 0)")
        keep(browser, "play-400")


def territory(address: str) -> None:
    """Whose each point will be, by night."""
    key = play(address, 22, 0.0)
    with scene(address, key, LAPTOP, dark=True) as browser:
        browser.press("analysis")
        analysed(browser)
        browser.choose("Territory")
        browser.until(lambda: browser.all(".owners rect"))
        browser.run("window.scrollTo(0, 0)")
        keep(browser, "territory-1280-dark")


def finished_game(address: str) -> None:
    """A finished game with its review."""
    key = play(address, 400, 0.3)
    with scene(address, key, WIDE) as browser:
        reviewed(browser)
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
        reviewed(browser)
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


def sized(browser: Browser, size: tuple[int, int], dark: bool) -> None:
    """The same page on another screen."""
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": min(size) < 600}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    wish = {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", wish)
    at_rest(browser)


def every_size(browser: Browser, name: str) -> None:
    """One view on all screens, by day and by night."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    for size in SIZES:
        for dark in (False, True):
            sized(browser, size, dark)
            browser.picture(SCREENS / f"{name}-{size[0]}x{size[1]}{'-dark' if dark else ''}.png")
    sized(browser, LAPTOP, dark=False)


def screens(address: str, languages: Sequence[str] = ("en", "de")) -> None:
    """The main views in every size, for somebody to look at; German has the longest words."""
    key = play(address, 22, 0.0)
    for language in languages:
        with scene(address, key, LAPTOP) as browser:
            browser.speak(language)
            browser.open(address)
            every_size(browser, f"play-9x9-{language}")
            browser.press("new-game")
            browser.until(lambda: browser.part("start").is_displayed())
            every_size(browser, f"new-game-{language}")
            browser.driver.delete_all_cookies()  # a visitor of its own for the large board
            browser.open(address)
            browser.press("settings")
            every_size(browser, f"settings-{language}")
            browser.open(address)
            browser.run("tesujiOpen(arguments[0])", RECORD)
            browser.until(lambda: "46" in browser.text("place"))
            browser.all("body")[0].send_keys(Keys.END)
            browser.press("analysis")
            browser.until(lambda: browser.all('[data-testid="moves"] tbody tr'))
            time.sleep(6)
            every_size(browser, f"review-19x19-{language}")
            print(f"{language}: complaints of the browser: {browser.complaints()}")


def main() -> None:
    """Starts a server of its own and makes all pictures, or those of the scenes named."""
    scenes: dict[str, Callable[[str], None]] = {
        "running": running_game,
        "territory": territory,
        "finished": finished_game,
        "moving": moving_picture,
        "screens": screens,
        "east": partial(screens, languages=("ja", "zh")),
    }
    asked = sys.argv[1:] or [name for name in scenes if name != "east"]  # its letters need fonts of their own
    with tempfile.TemporaryDirectory() as home, serving(Path(home), "--no-browser") as server:
        print("".join(server.lines).strip())
        for name in asked:
            scenes[name](server.address)


if __name__ == "__main__":
    main()
