"""A first game proposed, played on the clock and played again, in a real browser."""

from collections.abc import Iterator

import pytest

from tests.interfaces.browser import Browser, browsing
from tests.interfaces.web_parts import Server

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def page(server: Server) -> Iterator[Browser]:
    with browsing() as browser:
        browser.open(server.address)
        yield browser


def pick(page: Browser, name: str, text: str) -> None:
    """Chooses from a list in a dialog."""
    page.press(name)
    page.until(lambda: [one for one in page.all(".q-menu .q-item") if one.text.startswith(text)])
    next(one for one in page.all(".q-menu .q-item") if one.text.startswith(text)).click()
    page.until(lambda: not page.all(".q-menu"))


def test_a_start_that_knows_you(page: Browser) -> None:
    page.press("new-game")
    page.until(lambda: page.part("strength").is_displayed())
    pick(page, "strength", "I know the rules")
    page.until(lambda: "many slips" in page.text("about-level"))
    page.press("time")
    page.choose("Per move")
    page.press("start")
    page.until(lambda: page.text("game-facts") == "Komi 0.5, Chinese rules, 2 stones")
    page.until(lambda: page.text("status") == "Your turn (Black)")  # White began: stones were given
    clock = page.until(lambda: [one for one in page.all('[data-testid="clock"]') if one.is_displayed()])
    assert len(clock) == 1  # the engine needs none
    first = clock[0].text
    page.until(lambda: clock[0].text < first)
    assert first.startswith("0:")
    page.press("resign")
    page.press("yes")
    page.press("rematch")
    page.until(lambda: page.text("status") == "Your turn (Black)")
    assert len(page.stones()) == 3
    page.press("new-game")
    page.until(lambda: page.part("start").is_displayed())
    page.until(lambda: "I know the rules" in page.all(".q-dialog .dialog")[-1].text)
    assert page.complaints() == []
