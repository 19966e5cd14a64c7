"""Names, comments and labels that would be script if the page took them for more than text, in a real browser."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from selenium.webdriver.common.keys import Keys

from tests.interfaces.browser import Browser, browsing, drop
from tests.interfaces.web_parts import Server
from tesuji.go.sgf.text import value_of

pytestmark = pytest.mark.xdist_group("browser")

RUN = "window.ran = (window.ran || 0) + 1"
SCRIPTS = {
    "script": f"<script>{RUN}</script>",
    "handler": f'<img src=x onerror="{RUN}">',
    "closed tag": f'"></div></text><svg onload="{RUN}">',
    "address": f'<a href="javascript:{RUN}">here</a><iframe src="javascript:parent.{RUN}"></iframe>',
    "template": f"{{{{ constructor.constructor('{RUN}')() }}}}",
}


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    with browsing() as browser:
        yield browser


@pytest.fixture
def page(window: Browser, server: Server) -> Browser:
    window.driver.delete_all_cookies()
    window.open(server.address)
    return window


def record_with(text: str) -> str:
    """One game that says this wherever a record can say something that the page shows."""
    said = value_of(text)
    root = "".join(f"{name}[{said}]" for name in ("PB", "PW", "BR", "WR", "GN", "EV", "DT", "RU", "RE", "C", "XCO"))
    return f"(;SZ[9]{root};B[ee]C[{said}]N[{said}]LB[cc:{said}];W[cg]C[{said}])"


def assert_text_alone(page: Browser) -> None:
    """No script ran, and nothing stands in the page that could become one by a click or an image that is not there."""
    assert page.run("return window.ran") is None
    found = "return [...document.scripts].filter((script) => script.textContent === arguments[0]).length"
    assert page.run(found, RUN) == 0
    made = "[onerror], [onload], img[src=x], iframe, a[href^=javascript]"
    assert page.run("return document.querySelectorAll(arguments[0]).length", made) == 0


@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS)
def test_what_a_record_says_is_shown_as_text(page: Browser, server: Server, text: str) -> None:
    drop(page, record_with(text))
    page.until(lambda: page.text("place") == "Move 0 of 2")
    page.open(server.address)  # again: the text now comes with the page itself
    assert page.all(".player .name")[0].text.startswith(text)  # the rank follows
    page.all("body")[0].send_keys(Keys.ARROW_RIGHT)  # to the move with a comment and a label
    page.until(lambda: page.text("place") == "Move 1 of 2")
    page.press("my-games")
    page.until(lambda: text[:20] in page.text("kept"))
    assert_text_alone(page)


def test_a_list_of_hostile_games_is_text(page: Browser) -> None:
    drop(page, "".join(record_with(text) for text in SCRIPTS.values()))
    page.press("which-game")
    page.until(lambda: len(page.all(".q-menu .q-item")) == len(SCRIPTS))
    assert_text_alone(page)


def test_a_hostile_address_is_no_script(page: Browser, server: Server) -> None:
    page.driver.get(f"{server.address.rstrip('/')}/at/{quote(SCRIPTS['handler'], safe='')}")
    page.until(lambda: page.all("body")[0].text)
    assert_text_alone(page)
