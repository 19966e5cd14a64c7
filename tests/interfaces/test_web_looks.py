"""Looks: colours that can be read, dresses of the board, screens of every shape, keys and focus, the page as an app."""

import contextlib
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import tesuji
from tests.interfaces.browser import Browser, browsing, drop
from tests.interfaces.web_parts import Server, serving

pytestmark = pytest.mark.xdist_group("browser")

STATIC = Path(tesuji.__file__).parent / "interfaces" / "web" / "page" / "static"
STYLE = "\n".join((STATIC / name).read_text(encoding="utf-8") for name in ("style.css", "looks.css"))
TEXT = [
    ("ink", "paper"),
    ("ink", "card"),
    ("ink", "wash"),
    ("soft", "paper"),
    ("soft", "card"),
    ("soft", "wash"),
    ("bad", "card"),
    ("blue", "card"),
    ("accent", "paper"),
    ("on-accent", "accent"),
    ("on-accent", "bad"),
]


def variables(selector: str) -> dict[str, str]:
    """The colours that a rule names."""
    found: dict[str, str] = {}
    for body in re.findall(rf"(?m)^\s*(?:.*\}}\s*)?{re.escape(selector)} \{{([^}}]*)\}}", STYLE):
        found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", body))
    return found


def luminance(color: str) -> float:
    parts = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [":root", ".body--dark"])
def test_text_can_be_read(theme: str) -> None:
    colors = variables(":root") | variables(theme)
    weak = {pair: contrast(colors[pair[0]], colors[pair[1]]) for pair in TEXT}
    assert {pair: round(value, 2) for pair, value in weak.items() if value < 4.5} == {}
    assert contrast(colors["focus"], colors["paper"]) >= 3
    assert contrast(colors["focus"], colors["card"]) >= 3


@pytest.mark.parametrize("board", [".goban", ".goban.plain", ".goban.night"])
def test_marks_and_coordinates_can_be_read_on_every_board(board: str) -> None:
    colors = variables(board)
    assert contrast(colors["board-ink"], colors["board"]) >= 4.5
    assert contrast(colors["board-line"], colors["board"]) >= 3


def test_the_mark_on_the_last_move_stands_out_and_can_be_read() -> None:
    script = (STATIC / "board.js").read_text(encoding="utf-8")
    black, white = re.findall(r'X: "(#[0-9a-f]{6})", O: "(#[0-9a-f]{6})" \}\[this.stones\[point\]\]\)', script)[0]
    assert contrast(black, "#3f3d3c") >= 4.5  # the stone at its middle
    assert contrast(white, "#dedad0") >= 4.5


def test_candidates_can_be_read() -> None:
    for rank in range(4):
        ground = re.search(rf"\.rank-{rank} circle \{{ fill: (#[0-9a-f]{{6}})", STYLE)
        text = re.search(rf"\.rank-{rank} text \{{ fill: (#[0-9a-f]{{3,6}})", STYLE)
        assert ground
        assert text
        ink = "#ffffff" if text[1] == "#fff" else text[1]
        assert contrast(ground[1], ink) >= 4.5, rank


@pytest.fixture(scope="module")
def page(server: Server) -> Iterator[Browser]:
    with browsing() as browser:
        browser.open(server.address)
        yield browser
        assert browser.complaints() == []


def resize(page: Browser, width: int, height: int) -> None:
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def box(page: Browser, selector: str) -> dict[str, float]:
    found: dict[str, float] = page.run("return document.querySelector(arguments[0]).getBoundingClientRect()", selector)
    return found


def test_the_board_fits_every_screen(page: Browser) -> None:
    for width, height, least in ((400, 800, 390), (800, 400, 340), (1280, 800, 640), (1920, 1080, 900)):
        resize(page, width, height)
        page.until(lambda height=height: box(page, ".table .goban")["height"] <= height)  # type: ignore[misc]
        board = box(page, ".table .goban")
        assert board["width"] >= least, (width, height)
        assert page.run("return document.documentElement.scrollWidth <= window.innerWidth")
        assert board["right"] <= width
    resize(page, 800, 400)
    page.until(lambda: box(page, ".side .card")["left"] > box(page, ".table .goban")["right"])  # two columns
    resize(page, 1280, 800)


def test_boards_and_stones_change_their_dress(page: Browser) -> None:
    page.press("settings")
    page.choose("Plain")
    page.until(lambda: page.all(".goban.plain"))
    page.choose("Flat")
    page.until(lambda: page.all(".goban.flat"))
    assert page.run("return getComputedStyle(document.querySelector('.goban-wood')).display") == "none"
    page.choose("Wood")
    page.choose("Round")
    page.until(lambda: not page.all(".goban.plain, .goban.flat"))
    ActionChains(page.driver).send_keys(Keys.ESCAPE).perform()
    page.until(lambda: not page.all(".look-body"))


def emulated(page: Browser, media: str = "", scheme: str = "light") -> None:
    """The page on paper, or by night."""
    wish = {"media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]}
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", wish)


def test_paper_has_the_board_and_the_review_and_nothing_to_press(page: Browser) -> None:
    drop(page, "(;SZ[9]C[a plan];B[ee];W[aa];B[ba];W[ii];B[ab];W[hi])")
    page.until(lambda: page.part("graph").is_displayed())
    emulated(page, "print", "dark")
    page.until(lambda: not page.part("new-game").is_displayed())
    pressed = [one for one in page.all("button") if one.is_displayed()]
    assert [one for one in pressed if "mistake" not in (one.get_attribute("class") or "")] == []
    titles = [one.text for one in page.all(".card-title") if one.is_displayed()]
    assert "COURSE OF THE GAME" in titles
    assert not {"ANALYSIS", "PRACTICE"} & set(titles)
    assert box(page, ".table .goban")["width"] > 400
    for name in ("graph", "comment"):
        assert page.part(name).is_displayed()
    page.run("document.querySelector('[data-testid=\"comment\"]').value = ''")
    assert not page.part("comment").is_displayed()  # an empty field is nothing to print
    assert page.run("return getComputedStyle(document.querySelector('.card')).backgroundColor") == "rgb(255, 255, 255)"
    assert page.run("return getComputedStyle(document.querySelector('.facts')).color") == "rgb(68, 68, 68)"
    emulated(page)


def test_the_comments_of_a_record_stand_near_the_board(page: Browser) -> None:
    drop(page, "(;SZ[9]C[a plan];B[ee];W[aa]C[%s])" % ("why " * 200))
    page.until(lambda: page.part("comment").get_attribute("value") == "a plan")
    page.until(lambda: page.part("graph").is_displayed())
    graph = box(page, ".graph")
    assert box(page, ".comment-text")["bottom"] < graph["top"]
    page.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.END)
    page.until(lambda: str(page.part("comment").get_attribute("value")).startswith("why"))
    assert box(page, ".graph")["top"] == graph["top"]  # nothing moves under the hand
    drop(page, "(;SZ[9];B[cc];W[aa]C[Tesuji: Black 51 %])")
    page.until(lambda: page.text("place") == "Move 0 of 2")
    page.until(lambda: box(page, ".comment-text")["top"] > box(page, ".graph")["bottom"])


def test_a_dark_board_is_white_on_paper(page: Browser) -> None:
    page.press("settings")
    page.part("look-numbers")
    page.until(lambda: [one for one in page.all(".look-body button") if one.text == "Dark"])
    page.click(lambda: [one for one in page.all(".look-body button") if one.text == "Dark"][-1])
    page.until(lambda: page.all(".table .goban.night"))
    emulated(page, "print")
    ground = "return getComputedStyle(document.querySelector('.table .goban')).backgroundColor"
    page.until(lambda: page.run(ground) == "rgb(255, 255, 255)")
    emulated(page)
    page.until(lambda: page.run(ground) != "rgb(255, 255, 255)")
    page.choose("Wood")
    page.until(lambda: not page.all(".goban.night"))
    ActionChains(page.driver).send_keys(Keys.ESCAPE).perform()
    page.until(lambda: not page.all(".look-body"))


def test_the_search_tree_is_readable_by_night_and_on_a_large_board(page: Browser) -> None:
    drop(page, "(;SZ[19];B[pd];W[dd])")
    page.until(lambda: page.text("place") == "Move 0 of 2")
    page.press("analysis")
    page.until(lambda: page.all('[data-testid="moves"] tbody tr'))
    emulated(page, scheme="dark")
    page.press("tree")
    page.until(lambda: page.all(".tree-drawing svg > text"))
    script = """const style = getComputedStyle(document.querySelector(arguments[0]));
        const parts = style.fill.match(/\\d+/g).slice(0, 3);
        return "#" + parts.map((one) => Number(one).toString(16).padStart(2, "0")).join("")"""
    ground, ink = (page.run(script, f".tree-drawing svg > {part}") for part in ("rect", "text"))
    assert luminance(ground) < 0.05
    assert contrast(ground, ink) >= 4.5
    page.until(lambda: box(page, ".tree-drawing svg > text")["height"] >= 9)  # the dialog grows as it opens
    emulated(page)

    def closed() -> bool:
        return not page.all(".tree-drawing svg") or not page.part("tree-drawing").is_displayed()

    for _ in range(3):  # a large drawing may still be moving under the first click
        if closed():
            break
        page.click(lambda: next(one for one in page.all('[data-testid="close"]') if one.is_displayed()))
        with contextlib.suppress(AssertionError):
            page.until(closed, 5)
    assert closed()
    page.press("analysis")


def test_numbers_of_moves_can_be_read_on_a_large_board(page: Browser) -> None:
    drop(
        page,
        "(;SZ[19]" + "".join(f";{'BW'[n % 2]}[{chr(97 + n % 19)}{chr(97 + n // 19 * 2)}]" for n in range(120)) + ")",
    )
    page.until(lambda: page.text("place") == "Move 0 of 120")
    page.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.END)
    page.until(lambda: page.text("place") == "Move 120 of 120")
    page.driver.find_element(By.TAG_NAME, "body").send_keys("m")
    last = "return [...document.querySelectorAll('.table .goban text')].find((one) => one.textContent === '120')"
    page.until(lambda: page.run(last))
    assert page.run(last).rect["height"] >= 12  # of three digits, at 1280 x 800
    red = [one.text for one in page.all(".table .goban text[fill='#b3261e']")]
    assert red == ["120"]  # the last move is found among them
    page.driver.find_element(By.TAG_NAME, "body").send_keys("m")
    for width in (400, 1280):  # the tree follows when the screen is turned
        resize(page, width, 800)
        page.until(partial(in_sight, page))


def test_a_phone_held_sideways_has_all_within_reach(page: Browser) -> None:
    drop(page, "(;SZ[19];B[pd];W[dd])")
    page.until(lambda: page.text("place") == "Move 0 of 2")
    resize(page, 800, 400)
    page.until(lambda: box(page, ".tools")["height"] > 250)  # a column beside the board
    for part in (".tools", ".walk", ".table .goban"):
        assert box(page, part)["bottom"] <= 400, part
    assert box(page, ".table .goban")["width"] >= 340
    assert box(page, ".tools")["right"] <= box(page, ".side .card")["left"]
    page.press("settings")
    page.until_at_rest("keys")
    assert box(page, '[data-testid="keys"]')["bottom"] <= 400
    ActionChains(page.driver).send_keys(Keys.ESCAPE).perform()
    page.until(lambda: not page.all(".look-body"))
    page.press("new-game")
    page.until_at_rest("time")
    assert box(page, '[data-testid="time"]')["bottom"] <= box(page, ".dialog-actions")["top"] + 1
    page.choose("Cancel")
    page.until_no_dialog()
    resize(page, 1280, 800)


def in_sight(page: Browser) -> bool:
    """Whether the frame of the tree shows the present node."""
    frame, node = box(page, ".variations"), box(page, ".variations .current")
    return frame["left"] <= node["left"] and node["right"] <= frame["right"]


def dialogs_named(page: Browser) -> list[list[str]]:
    """The dialogs on the screen as a screen reader announces them."""
    script = """const shown = document.querySelectorAll(".q-dialog");
        return [...shown].map((one) => [one.getAttribute("role"), one.ariaLabel])"""
    found: list[list[str]] = page.run(script)
    return found


def test_headings_focus_and_what_is_spoken(page: Browser) -> None:
    page.open(page.driver.current_url)  # the keys begin at the head of the page
    assert [one.text for one in page.all("h1")] == ["Tesuji"]
    drop(page, "(;SZ[9];B[ee];W[cc])")
    page.until(lambda: page.text("place") == "Move 0 of 2")
    body = page.driver.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.ARROW_RIGHT)
    page.until(lambda: page.part("heard").get_attribute("textContent") == "Black E5. White to play")
    assert page.part("heard").get_attribute("aria-live") == "polite"
    body.send_keys("?")
    page.until(lambda: page.part("key-list").is_displayed())
    page.until_at_rest("key-list")
    ActionChains(page.driver).send_keys(Keys.ESCAPE).perform()
    page.until_no_dialog()
    body.send_keys("g")
    page.until_at_rest("start")
    unnamed = """
        const groups = '[role="group"], [role="toolbar"]', parts = `${groups}, button, input, textarea, svg[role]`;
        const worded = (one) => !one.matches(groups) && (one.textContent.trim() || one.labels?.length);
        return [...document.querySelectorAll(parts)].filter((one) => one.checkVisibility())
          .filter((one) => !one.ariaLabel && !worded(one)).map((one) => one.outerHTML.slice(0, 120))"""
    assert page.run(unnamed) == []
    assert dialogs_named(page) == [["dialog", "New game"]]
    ActionChains(page.driver).send_keys(Keys.ESCAPE).perform()
    page.until_no_dialog()
    body.send_keys("o")
    page.until_at_rest("open-text")
    assert dialogs_named(page) == [["dialog", "Open a game"]]
    ActionChains(page.driver).send_keys(Keys.ESCAPE).perform()
    page.until_no_dialog()
    page.run("document.activeElement.blur()")
    ring = """const one = document.activeElement, style = getComputedStyle(one);
        const outlined = style.outlineStyle === "solid" && parseFloat(style.outlineWidth) >= 2;
        return one.tagName + (outlined || style.boxShadow.includes("rgb(28, 111, 176)"))"""
    seen = set()
    for _ in range(10):  # the buttons of the head, then the board
        ActionChains(page.driver).send_keys(Keys.TAB).perform()
        page.until(lambda: page.run(ring).endswith("true"), 5)  # the ring of a button fades in
        seen.add(page.run(ring))
    assert seen == {"BUTTONtrue", "svgtrue"}


def test_an_app_that_says_so_where_no_server_answers(page: Browser, network_file: Path, tmp_path: Path) -> None:
    with serving(tmp_path, "--net", str(network_file), "--no-browser") as running:
        page.open(running.address)
        told = page.run("return fetch('/manifest.webmanifest').then((answer) => answer.json())")
        assert (told["display"], told["icons"][0]["src"]) == ("standalone", "/icon.svg")
        assert page.run("return navigator.serviceWorker.ready.then((one) => one.active !== null)")
    page.driver.get(running.address)
    page.until(lambda: "tesuji play" in page.driver.find_element(By.TAG_NAME, "body").text)
    page.log()
