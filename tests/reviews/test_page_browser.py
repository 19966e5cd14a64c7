"""The report in a real browser: keys, buttons and a click on the board do what they say."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.interfaces.browser import Browser, browsing
from tests.reviews.test_review import some_game
from tests.search.evaluators import Counting
from tesuji.reviews.options import ReviewOptions
from tesuji.reviews.page import report_page
from tesuji.reviews.reviewer import review_game

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture
def report(tmp_path: Path) -> Iterator[Browser]:
    review = review_game(some_game(), [Counting()], ReviewOptions(visits=8, critical=50, threads=1))
    path = tmp_path / "report.html"
    path.write_text(report_page(review), encoding="utf-8")
    with browsing() as browser:
        browser.driver.get(path.as_uri())
        yield browser
        log = browser.driver.get_log("browser")  # type: ignore[no-untyped-call]
        assert [line for line in log if line["level"] == "SEVERE"] == []


def text(browser: Browser, name: str) -> str:
    return browser.driver.find_element(By.ID, name).text


def press(browser: Browser, *keys: str) -> None:
    browser.driver.find_element(By.TAG_NAME, "body").send_keys(*keys)


def test_keys_and_buttons(report: Browser) -> None:
    press(report, Keys.HOME)
    assert text(report, "where") == "move 0 of 30"
    press(report, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    assert text(report, "where") == "move 1 of 30"
    assert text(report, "said").startswith("Black ")
    press(report, Keys.HOME, Keys.ARROW_DOWN, "b")
    assert "Better:" in text(report, "said")
    press(report, "r")
    assert "Then:" in text(report, "said")
    press(report, Keys.END)
    assert text(report, "where") == "move 30 of 30"
    report.driver.find_element(By.ID, "solve").click()
    assert "to play. Click for the answer." in text(report, "mistakes")
    press(report, Keys.HOME, "g")
    assert text(report, "said").startswith("Which move")
    report.driver.find_element(By.CSS_SELECTOR, "#board svg").click()
    assert text(report, "where") == "move 1 of 30"
    assert text(report, "said").startswith(("Yes", "No"))
