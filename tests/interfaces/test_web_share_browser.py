"""One board for several people in real browsers: links, and what each of them sees of it."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.interfaces.browser import Browser, browsing, drop
from tests.interfaces.web_parts import serving, write_network
from tesuji.interfaces.web.words.words import languages

pytestmark = pytest.mark.xdist_group("browser")

FRENCH = languages()["fr"]


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_network(tmp_path_factory.mktemp("share") / "small.onnx")


@pytest.fixture(scope="module")
def page(network: Path) -> Iterator[Browser]:
    with serving(network.parent, "--no-browser", "--net", str(network)) as server, browsing() as browser:
        browser.open(server.address)
        yield browser
        assert browser.complaints() == []


def leave_dialog(page: Browser) -> None:
    page.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.ESCAPE)
    page.until_no_dialog()


def test_a_link_is_copied(page: Browser) -> None:
    page.press("share")
    page.until_at_rest("share-watch")
    assert not page.part("copy-link").is_displayed()  # there is none yet
    page.press("share-watch")
    page.press("copy-link")
    page.until(lambda: any("copied" in one.text for one in page.all(".q-notification")))
    leave_dialog(page)


def test_two_browsers_play_each_other_by_a_link(page: Browser) -> None:
    page.press("share")
    page.press("share-white")
    page.until(lambda: page.part("share-link").get_attribute("value"))
    link = str(page.part("share-link").get_attribute("value"))
    leave_dialog(page)
    with browsing(900, 700) as other:
        other.speak("fr")
        other.open(link)
        assert other.text("role") == FRENCH("share.player")
        assert other.text("status") == FRENCH("game.to_play", color="Noir")
        for name in ("new-game", "tool-black", "undo", "hint", "guess", "variations"):  # the owner's alone
            assert not other.all(f'[data-testid="{name}"]'), name
        assert not other.part("analysis").is_displayed()
        assert not [one for one in other.all(".walk button") if one.is_displayed()]
        other.speak("en")
        other.open(link)
        drop(other, "(;SZ[9];B[ee])")  # a guest's record has no board here to open on
        other.click_point(0)  # Black begins
        other.until(lambda: "not yours" in other.all(".q-notification")[0].text)
        page.click_point(40)
        other.until_stone(40, "black")
        other.click_point(20)
        page.until_stone(20, "white")
        sent = "return performance.getEntriesByType('resource').map((one) => one.name)"
        assert not [name for name in other.run(sent) if "/open" in name]
        page.press("share")
        page.press("share-watch")
        page.until(lambda: page.part("share-link").get_attribute("value") not in {"", link})
        other.open(str(page.part("share-link").get_attribute("value")))
        assert other.text("role") == "You are watching"
        assert not other.all('[data-testid="pass"]')
        leave_dialog(page)
        page.until_no_dialog()
        page.click_point(50)
        other.until_stone(50, "black")
        other.click_point(60)  # changes nothing
        other.until(lambda: other.all(".q-notification"))
        assert set(other.stones()) == {20, 40, 50}
        page.press("resign")
        page.press("yes")
        other.until(lambda: other.text("status") == "White wins by resignation")
        assert not other.all('[data-testid="rematch"]')
        page.press("rematch")
        page.until(lambda: "You" in page.all(".player")[1].text)  # colours changed
        assert page.text("status") == "Black to play"
        assert other.complaints() == []


def test_a_link_leads_others_here_also_where_the_owner_came_by_a_local_name(
    page: Browser, tmp_path: Path, network: Path
) -> None:
    with serving(tmp_path, "--no-browser", "--host", "0.0.0.0", "--net", str(network)) as server:
        told = urlsplit(server.address)
        page.open(told._replace(netloc=f"127.0.0.1:{told.port}").geturl())
        page.press("share")
        page.press("share-watch")
        page.until(lambda: page.part("share-link").get_attribute("value"))
        link = urlsplit(str(page.part("share-link").get_attribute("value")))
        assert (link.netloc, link.query) == (told.netloc, told.query)
        assert "127.0.0.1" not in link.netloc
        page.driver.get("about:blank")  # the server ends before the browser does
