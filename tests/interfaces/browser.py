"""A real browser for the tests: Debian's chromium, driven by its own driver, nothing fetched from elsewhere."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

CELL, MARGIN = 40, 44  # of the board component, in its own units
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


def chromium() -> tuple[str, str]:
    """Browser and driver; installed where we may, else the test is skipped, and says so."""
    if not _found() and hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        command = "apt-get update -qq; apt-get install -y -qq --no-install-recommends chromium chromium-driver"
        lock = Path(tempfile.gettempdir()) / "tesuji-chromium.lock"
        subprocess.run(["flock", str(lock), "sh", "-c", command], capture_output=True, timeout=280, check=False)
    found = _found()
    if not found:
        pytest.skip(
            "NO BROWSER TESTS: chromium and chromedriver are not installed (apt install chromium chromium-driver)"
        )
    return found


def _found() -> tuple[str, str] | None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


@contextmanager
def browsing(
    width: int = 1280, height: int = 800, *, dark: bool = False, touch: bool = False, scale: float = 1
) -> Iterator["Browser"]:
    """A browser window with a profile of its own; with `touch`, one that is held in the hand."""
    binary, driver_path = chromium()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = Options()
        options.binary_location = binary
        for flag in (*FLAGS, f"--user-data-dir={profile}", f"--window-size={width},{height}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = webdriver.Chrome(options=options, service=Service(driver_path))
        try:
            metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 600}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            if touch:
                fingers = {"enabled": True, "maxTouchPoints": 5}
                driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", fingers)
            if dark:
                wish = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
                driver.execute_cdp_cmd("Emulation.setEmulatedMedia", wish)
            yield Browser(driver)
        finally:
            driver.quit()


class Browser:
    """A page with a board, spoken of in the words of a player."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver
        self.patience = 60.0  # seconds
        self.pause = 0.02  # between two looks

    def open(self, address: str) -> None:
        """Loads the page and waits for its board."""
        self.driver.get(address)
        self.until(lambda: self.all('[data-testid="board"]'))
        # Clicks before the connection stands would go nowhere.
        self.until(lambda: self.run("return window.socket?.connected === true"))

    def speak(self, language: str) -> None:
        """From now on the browser asks for pages in this language."""
        self.driver.execute_cdp_cmd("Network.enable", {})
        headers = {"headers": {"Accept-Language": language}}
        self.driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", headers)

    def run(self, script: str, *arguments: Any) -> Any:
        """Runs JavaScript in the page."""
        return self.driver.execute_script(script, *arguments)

    def all(self, selector: str) -> list[WebElement]:
        """All elements that fit."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def part(self, name: str) -> WebElement:
        """A named part of the page, once it is there."""
        self.until(lambda: self.all(f'[data-testid="{name}"]'))
        return self.all(f'[data-testid="{name}"]')[0]

    def text(self, name: str) -> str:
        """What a named part says."""
        return self.part(name).text

    def press(self, name: str) -> None:
        """Clicks a named part, once it stays where it is."""
        self.until_at_rest(name)
        self.click(lambda: self.part(name))

    def click(self, find: Callable[[], WebElement]) -> None:
        """Clicks an element; again where a dialog that comes or goes is still before it."""

        def clicked() -> bool:
            find().click()
            return True

        self.until(clicked)

    def choose(self, text: str) -> None:
        """Clicks the visible button with this text."""

        def visible() -> list[WebElement]:
            return [one for one in self.all("button") if one.text.strip() == text and one.is_displayed()]

        self.until(visible)
        self.click(lambda: visible()[0])

    def until_no_dialog(self) -> None:
        """Waits until dialogs that fade are gone: they catch what is clicked behind them."""
        self.until(lambda: not [one for one in self.all(".q-dialog .dialog") if one.is_displayed()])

    def until_at_rest(self, name: str) -> None:
        """Waits until a named part stays where it is: in a dialog that opens, a click may miss what still grows."""
        seen: list[dict[str, float]] = []

        def rests() -> bool:
            seen.append(self.part(name).rect)
            return len(seen) > 2 and seen[-1] == seen[-2] == seen[-3] and self.part(name).is_displayed()

        self.until(rests)

    def click_point(self, point: int) -> None:
        """Clicks a point of the board with the mouse."""
        x, y = self.place_of(point)
        ActionChains(self.driver, duration=20).move_by_offset(0, 0).perform()
        chain = ActionChains(self.driver, duration=20)
        chain.w3c_actions.pointer_action.move_to_location(round(x), round(y))  # type: ignore[no-untyped-call]
        chain.w3c_actions.pointer_action.click()
        chain.perform()

    def click_seconds(self, point: int) -> float:
        """Clicks a free point and returns the time until the stone is drawn, taken inside the page."""
        script = """
            const [[clientX, clientY], point, done] = arguments, svg = document.querySelector('[data-testid="board"]');
            const begin = performance.now();
            new MutationObserver((changes, watcher) => {
              if (!document.querySelector(`.table .stones use[data-point="${point}"]`)) return;
              watcher.disconnect();
              done(performance.now() - begin);
            }).observe(svg, { subtree: true, childList: true });
            for (const kind of ["pointerdown", "pointerup"])
              svg.dispatchEvent(new PointerEvent(kind, { clientX, clientY, bubbles: true }));"""
        return float(self.driver.execute_async_script(script, list(self.place_of(point)), point)) / 1000

    def tap_point(self, point: int) -> None:
        """Touches a point of the board with a finger."""
        x, y = self.place_of(point)
        for kind, fingers in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    def place_of(self, point: int) -> tuple[float, float]:
        """The pixel of a point, by the component's own geometry."""
        script = """
            const [point, cell, margin] = arguments, svg = document.querySelector('[data-testid="board"]');
            const size = Math.round((svg.viewBox.baseVal.width - 2 * margin) / cell) + 1;
            const at = new DOMPoint((point % size) * cell, Math.floor(point / size) * cell);
            const seen = at.matrixTransform(svg.getScreenCTM());
            return [seen.x, seen.y];"""
        x, y = self.run(script, point, CELL, MARGIN)
        return x, y

    def stones(self) -> dict[int, str]:
        """The stones on the board as drawn: point -> colour."""
        script = """return Object.fromEntries([...document.querySelectorAll('.table .stones use')]
            .map((stone) => [stone.dataset.point, stone.dataset.color]))"""
        return {int(point): color for point, color in self.run(script).items()}

    def until_stone(self, point: int, color: str = "") -> None:
        """Waits for a stone on this point, of this colour if one is given."""
        self.until(lambda: self.stones().get(point) == color if color else point in self.stones())

    def until(self, truth: Callable[[], Any], seconds: float = 0.0) -> Any:
        """Waits for something to become true, so many seconds or as long as patience lasts."""
        deadline = time.monotonic() + (seconds or self.patience)
        while True:
            try:
                found = truth()
            except Exception:  # the page changes under our hands: an element just found may be gone
                found = None
            if found:
                return found
            if time.monotonic() > deadline:
                raise AssertionError(
                    f"it never became true; the page says: {self.driver.find_element(By.TAG_NAME, 'body').text}"
                )
            time.sleep(self.pause)

    def log(self, kind: str = "browser") -> list[dict[str, Any]]:
        """What the browser noted since the last look: of its console, or of its `performance`."""
        return list(self.driver.get_log(kind))  # type: ignore[no-untyped-call]

    def complaints(self) -> list[str]:
        """Errors in the browser's console."""
        return [entry["message"] for entry in self.log() if entry["level"] == "SEVERE"]

    def picture(self, path: Path) -> None:
        """A screenshot."""
        self.driver.save_screenshot(str(path))


def start(page: Browser, side: str, size: str = "9 × 9", level: str = "Club") -> None:
    """A new game by the dialog."""
    page.press("new-game")
    page.until_at_rest("start")
    page.choose(size)
    page.choose(side)
    if side != "Two people":
        pick(page, "level", level)
    page.press("start")
    page.until_no_dialog()


def pick(page: Browser, name: str, text: str) -> None:
    """Chooses from a list in a dialog: the entry with this text, or that begins with it."""

    def fitting() -> list[WebElement]:
        entries = page.all(".q-menu .q-item")
        return [one for one in entries if one.text == text] or [one for one in entries if one.text.startswith(text)]

    page.press(name)
    page.until(fitting)
    page.click(lambda: fitting()[0])
    page.until(lambda: not page.all(".q-menu"))


def drop(page: Browser, text: str, name: str = "game.sgf") -> None:
    """Drops a file on the page."""
    page.run(
        """const data = new DataTransfer(); data.items.add(new File([arguments[0]], arguments[1]));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));""",
        text,
        name,
    )
