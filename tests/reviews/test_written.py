"""What is written of a review: the annotated record, the page, problems, the command."""

import json
import lzma
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

import tesuji
from tests.reviews.test_review import some_game
from tests.search.evaluators import Counting, Uniform
from tesuji import BLACK
from tesuji.base.errors import InputError
from tesuji.base.quantities import seconds_in
from tesuji.go.sgf.files import read_record, read_tree, tree_of, write_tree
from tesuji.interfaces.cli import run
from tesuji.interfaces.commands.review import show
from tesuji.interfaces.terminal import records
from tesuji.reviews.analysis import Analysis, Candidate
from tesuji.reviews.annotated import annotated_sgf
from tesuji.reviews.game_review import GameFacts, GameReview
from tesuji.reviews.options import ReviewOptions
from tesuji.reviews.page import index_page, page_data, report_page
from tesuji.reviews.problems import Problem, is_clear, problem_tree, problems_in, write_problems
from tesuji.reviews.reviewer import review_game


@pytest.fixture(scope="module")
def review() -> GameReview:
    tree = tree_of(some_game(), black="</script><b>", white="W & Co", comment="The record's own words.")
    record = read_record(write_tree(tree))
    options = ReviewOptions(visits=8, critical=50, threads=1)
    return review_game(record.game, [Counting()], options, GameFacts.of(record, "mine"), network="test")


def test_the_annotated_record_is_the_same_game(review: GameReview) -> None:
    record = read_record(annotated_sgf(review))
    assert record.game.moves == review.game.moves
    assert record.tree.comment.startswith("The record's own words.\nTesuji: reviewed by network test")
    line = record.tree.main_line()
    assert all(re.match(r"Tesuji: Black \d+ %, ([BW]\+[\d.]+|0)", node.comment) for node in line[1:])
    assert all(0 <= float(node.text("SBKV")) <= 100 for node in line)


def test_mistakes_carry_the_better_move_as_a_variation(review: GameReview) -> None:
    line = read_tree(annotated_sgf(review)).main_line()
    worst = review.mistakes()[0]
    assert [child.move for child in line[worst.number - 1].children] == [
        (worst.color, worst.move),
        (worst.color, worst.better),
    ]
    assert worst.text in line[worst.number].comment


def test_only_the_wanted_player_is_told_off(review: GameReview) -> None:
    wanted = review.mistakes()[0].color
    line = read_tree(annotated_sgf(review, [wanted])).main_line()
    bad = [node for node in line if "BM" in node.properties]
    assert bad
    assert all(("B" if wanted is BLACK else "W") in node.properties for node in bad)
    assert set(page_data(review, [wanted])["mistakes"]) == {move.number for move in review.mistakes([wanted])}


def test_the_page_asks_for_nothing_from_elsewhere(review: GameReview) -> None:
    page = report_page(review)
    assert not re.search(r"(src|href)\s*=|url\(|@import|fetch\(|XMLHttpRequest", page)
    assert set(re.findall(r"https?://[^\"' ]+", page)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in page


def test_a_name_cannot_break_out_of_the_page(review: GameReview) -> None:
    page = report_page(review)
    assert "</script><b>" not in page
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    assert json.loads(data[1])["title"] == "</script><b> (Black) and W & Co (White)"


def test_the_page_shows_every_position(review: GameReview) -> None:
    data = page_data(review)
    assert len(data["positions"]) == len(review.moves) + 1
    assert data["positions"][1]["stones"].count("X") == 1
    json.dumps(data, allow_nan=False)


def test_the_index_links_every_game(review: GameReview) -> None:
    page = index_page([("mine.html", review), ("other.html", review)])
    assert 'href="mine.html"' in page
    assert "&lt;/script&gt;" in page


def test_the_data_are_plain(review: GameReview) -> None:
    data = json.loads(json.dumps(review.to_dict(), allow_nan=False))
    assert data["mistakes"][0] == review.mistakes()[0].number
    assert [player["color"] for player in data["players"]] == ["black", "white"]


def candidates(*worth: tuple[int, float]) -> Analysis:
    moves = tuple(
        Candidate(point, visits, 0.5 + score / 100, score, 0.1, (point,)) for point, (visits, score) in enumerate(worth)
    )
    return Analysis(9, BLACK, 100, 0.5, 0.0, moves, (0,))


@pytest.mark.parametrize(
    ("analysis", "clear"),
    [
        (candidates((80, 5.0), (15, 1.0)), True),
        (candidates((80, 5.0), (15, 4.8)), False),
        (candidates((40, 5.0), (35, 1.0), (25, 0.0)), False),
        (candidates((80, 5.0), (1, 9.0)), True),
    ],
)
def test_a_clear_answer(analysis: Analysis, clear: bool) -> None:
    assert is_clear(analysis) == clear


def test_a_problem_is_a_position_with_a_right_and_a_wrong_answer(review: GameReview, tmp_path: Path) -> None:
    worst = review.mistakes()[0]
    game = some_game(worst.number - 1)
    problem = Problem(game, "mine", worst, worst.better, worst.line)
    root = problem_tree(problem)
    right, wrong = root.children
    assert right.move == (worst.color, worst.better)
    assert right.comment == "RIGHT"
    assert wrong.move == (worst.color, worst.move)
    path = tmp_path / "problems.sgf"
    write_problems([problem, problem], path)
    assert path.read_bytes().count(b"to play: find the move") == 2
    assert tesuji.read_sgf(path).start_board == game.board


def test_problems_lost_enough(review: GameReview) -> None:
    found = problems_in(review, [Counting()], least_points=6.0, visits=64, threads=1)
    assert all((problem.move.points or 0) >= 6 and problem.answer != problem.move.move for problem in found)
    assert problems_in(review, [Counting()], least_points=1000.0) == []


@pytest.mark.parametrize(("text", "seconds"), [("30s", 30), ("2m", 120), ("1.5h", 5400), ("45", 45), ("2 min", 120)])
def test_lengths_of_time(text: str, seconds: float) -> None:
    assert seconds_in(text, "--budget") == seconds


@pytest.mark.parametrize("text", ["", "fast", "-3s", "0s", "3 days", "1e9"])
def test_what_is_no_length_of_time(text: str) -> None:
    with pytest.raises(InputError, match="--budget"):
        seconds_in(text, "--budget")


def write_game(path: Path, moves: int = 8, **names: str) -> None:
    tesuji.write_sgf(some_game(moves, size=9), path, **names)


def test_the_command_writes_three_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_game(tmp_path / "one.sgf", black="Ann", white="Ben")
    out = tmp_path / "out"
    arguments = ["review", str(tmp_path / "one.sgf"), "--out", str(out), "--visits", "2", "--quiet", "--json"]
    assert run(arguments) == 0
    assert sorted(path.name for path in out.iterdir()) == ["one.html", "one.json", "one.sgf"]
    (told,) = json.loads(capsys.readouterr().out)
    assert told["black"] == "Ann"
    assert told["network"] == "default-9x9"


def test_the_command_reviews_collections_and_archives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = [tree_of(some_game(), black=name, comment="brackets ( ) [ in words") for name in ("ann", "ben", "cid")]
    texts = [write_tree(game) for game in games]
    (tmp_path / "several.sgf").write_bytes(b"\n".join(texts[:2]))
    with zipfile.ZipFile(tmp_path / "one.zip", "w") as archive:
        archive.writestr("folder/inside.sgf", texts[2])
        archive.writestr("folder/broken.sgf", b"(;GM[1")
    lines = b"".join(text.replace(b"\n", b"") + b"\n" for text in texts)
    (tmp_path / "all.sgfs.xz").write_bytes(lzma.compress(lines))
    sources = [str(tmp_path / name) for name in ("several.sgf", "one.zip", "all.sgfs.xz")]
    out = tmp_path / "out"
    assert run(["review", *sources, "--out", str(out), "--visits", "1", "--quiet", "--most", "5", "--json"]) == 0
    names = [one["name"] for one in json.loads(capsys.readouterr().out)]
    assert names == ["several-1", "several-2", "inside", "all-1", "all-2"]
    assert {path.name for path in out.glob("*.html")} == {f"{name}.html" for name in names} | {"index.html"}
    assert read_record(out / "inside.sgf").black == "cid"


def test_the_command_reviews_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "games"
    (folder / "deep").mkdir(parents=True)
    write_game(folder / "a.sgf", black="Ann", white="Ben")
    write_game(folder / "deep" / "a.sgf", black="Ben", white="Cid")
    write_game(folder / "without.sgf", black="Dan", white="Eva")
    (folder / "broken.sgf").write_text("(;SZ[9];B[zz])")
    out = tmp_path / "out"
    assert run(["review", str(folder), "--out", str(out), "--visits", "1", "--quiet", "--player", "ben"]) == 0
    assert sorted(path.name for path in out.glob("*.html")) == ["a.html", "a_.html", "index.html"]
    said = capsys.readouterr()
    assert "Ben (white)" in said.out
    assert "Ann" not in said.out


@pytest.mark.parametrize("games", [1, 2])
def test_the_table_of_the_players_fits_80_columns(
    games: int, review: GameReview, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    whole = GameReview.summary
    monkeypatch.setattr(GameReview, "summary", lambda self, color: replace(whole(self, color), strength="about 2k ± 7"))
    show([review] * games, "", tmp_path)
    headings = capsys.readouterr().out.splitlines()[0]
    for heading in ("player", "moves", "lost", "a move", "1st choice", "mistakes", "blunders", "plays like"):
        assert heading in headings
    assert headings.startswith("game") == (games > 1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no.sgf"], "no file or folder 'no.sgf'"),
        (["one.sgf", "--player", "Zoe"], "nobody called 'Zoe'"),
        (["one.sgf", "--budget", "soon"], "--budget soon"),
        (["one.sgf", "--problems", "nowhere/p.sgf"], "no folder nowhere"),
        (["empty.sgf"], "no moves to review"),
        (["broken.sgf"], "broken.sgf"),
        (["one.sgf", "--least", "0"], "more than 0 points"),
    ],
)
def test_bad_input_is_told_in_a_line(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_game(tmp_path / "one.sgf")
    (tmp_path / "empty.sgf").write_text("(;SZ[9])")
    (tmp_path / "broken.sgf").write_text("(;SZ[9];B[zz])")
    assert run(["review", *arguments]) == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert said in told[-1]
    assert "Traceback" not in "\n".join(told)


def test_quiet_says_nothing_of_the_network(tmp_path: Path) -> None:
    write_game(tmp_path / "one.sgf")
    words = ["review", str(tmp_path / "one.sgf"), "-o", str(tmp_path / "out"), "--visits", "2", "--quiet"]
    done = subprocess.run([sys.executable, "-m", "tesuji", *words], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_game_left_out_of_a_collection_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(records.log, "warning", lambda text, *words: told.append(text % words))
    (tmp_path / "club.txt").write_text("hello")
    assert records.read_games([tmp_path / "club.txt"], most=5) == []
    assert told == ["left out: club-1: not a sound SGF file: no SGF data found"]


def test_a_network_without_a_score_is_reported_in_win_rates() -> None:
    review = review_game(some_game(), [Uniform()], ReviewOptions(visits=4, threads=1))
    assert "% a move" in annotated_sgf(review).decode()
    assert page_data(review)["positions"][0]["score"] is None
