"""The weekly tournament of a class: everybody who may plays, Keras files too, and the others hear why not."""

import csv
from pathlib import Path

import pytest

from tests.arena.opponents import make_network
from tests.networks.keras_models import as_keras_2, build_models
from tesuji import networks
from tesuji.arena.play.results import ResultsFile
from tesuji.arena.presets import preset
from tesuji.arena.season import Season
from tesuji.arena.submissions import admit
from tesuji.interfaces.cli import run


def test_a_league_refuses_with_reasons(
    small_networks: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "handed-in"
    folder.mkdir()
    for name, source in (("ann", small_networks[0]), ("bob", small_networks[1]), ("copy", small_networks[0])):
        (folder / f"{name}.onnx").write_bytes(Path(source).read_bytes())
    (folder / "broken.onnx").write_bytes(b"not a network")
    (folder / "torn.h5").write_bytes(b"no Keras model")
    make_network(folder / "dense.onnx", 1, name="a0.1.8")
    make_network(folder / "huge.onnx", 1, name="se.4.96.32")
    command = [
        "league",
        str(folder),
        "--out",
        str(tmp_path / "l"),
        "--week",
        "2026-W01",
        "--size",
        "5",
        "--komi",
        "0.5",
    ]
    assert run([*command, "--games", "2", "--limit", "20000", "--quiet"]) == 0
    refused = (tmp_path / "l" / "2026-W01" / "refused.csv").read_text()
    for file, reason in (("copy", "same file as ann"), ("broken", "not an ONNX"), ("huge", "limit is 20,000")):
        assert any(line.startswith(file) and reason in line for line in refused.splitlines())
    assert "plays 9x9 only" in refused
    assert str(folder) not in refused  # a line begins with the file's name, and that is enough
    page = (tmp_path / "l" / "2026-W01" / "report.html").read_text()
    assert "Refused: broken.onnx: not an ONNX" in page
    assert "2026-W01" in (tmp_path / "l" / "index.html").read_text()
    (folder / "broken.onnx").unlink()
    assert run([*command, "--games", "2", "--limit", "20000", "--quiet", "--komi", "1.5"]) == 2
    assert (tmp_path / "l" / "2026-W01" / "refused.csv").read_text() == refused  # of what was played


def test_a_keras_file_plays_beside_a_model_file(
    small_networks: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "handed-in"
    folder.mkdir()
    as_keras_2(build_models(folder, "mobile-9.h5") / "mobile-9.h5").rename(folder / "eve.h5")
    (folder / "ann.onnx").write_bytes(Path(small_networks[0]).read_bytes())
    (folder / "bob.onnx").write_bytes(Path(small_networks[1]).read_bytes())
    command = ["league", str(folder), "--out", str(tmp_path / "l"), "--size", "9", "--games", "2", "--quiet"]
    assert run([*command, "--week", "1"]) == 0
    games = list(ResultsFile(tmp_path / "l" / "1" / "results.jsonl"))
    assert len(games) == 6
    assert sum("eve" in (game.black, game.white) for game in games) == 4
    assert all(game.how == "counted" for game in games)
    assert "eve" in capsys.readouterr().out

    assert run([*command, "--week", "2", "--limit", "4892"]) == 0  # too many parameters, counted as Keras counts
    with (tmp_path / "l" / "2" / "refused.csv").open() as file:
        assert list(csv.reader(file))[1:] == [["eve.h5", "4,893 parameters; the limit is 4,892"]]
    assert set(ResultsFile(tmp_path / "l" / "2" / "results.jsonl").players) == {"ann", "bob"}


def test_a_course_by_name_counts_processor_time(small_networks: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "handed-in"
    folder.mkdir()
    for name, source in zip(("ann", "bob"), small_networks, strict=False):
        (folder / f"{name}.onnx").write_bytes(Path(source).read_bytes())
    command = ["league", str(folder), "--preset", "dauphine-2026", "--size", "5", "--seconds", "0.002", "--quiet"]
    assert run([*command, "--games", "2", "--out", str(tmp_path / "l"), "--week", "1"]) == 0
    results = ResultsFile(tmp_path / "l" / "1" / "results.jsonl")
    assert {player["clock"] for player in results.players.values()} == {"processor"}


def test_a_course_refuses_other_planes(small_networks: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "handed-in"
    folder.mkdir()
    (folder / "ann.onnx").write_bytes(Path(small_networks[0]).read_bytes())
    networks.export(networks.create("se.1.24.16", planes="golois-21", size=9), folder / "bob.onnx")
    found = admit(folder, 9, {}, planes=preset("dauphine-2026").planes)
    assert [player.name for player in found.players] == ["ann"]
    assert [refusal.reason for refusal in found.refused] == [
        "reads the planes golois-21; this league asks for golois-31: train with --planes golois-31"
    ]


def test_one_network_in_two_files_plays_once(tmp_path: Path) -> None:
    folder = tmp_path / "handed-in"
    folder.mkdir()
    build_models(tmp_path, "mobile-9.h5", "mobile-9.keras")
    for suffix in ("h5", "keras"):
        (tmp_path / f"mobile-9.{suffix}").rename(folder / f"eve.{suffix}")
    found = admit(folder, 9, {})
    assert [player.name for player in found.players] == ["eve"]
    [refusal] = found.refused
    assert "the same network as eve.h5" in refusal.reason


def test_the_index_tells_the_season(small_networks: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "handed-in"
    folder.mkdir()
    for name, source in zip(("ann", "bob"), small_networks, strict=False):
        (folder / f"{name}.onnx").write_bytes(Path(source).read_bytes())
    for week in ("1", "2"):
        words = f"league {folder} --out {tmp_path / 'l'} --week {week} --size 5 --komi 0.5 --games 2 --quiet"
        assert run(words.split()) == 0
    season = Season.read(tmp_path / "l")
    assert [line.tally.games for line in season.standings.lines] == [4, 4]
    assert season.played("ann") == ["1", "2"]
    page = (tmp_path / "l" / "index.html").read_text()
    assert "The season: 2 weeks" in page
    assert page.index('href="2/report.html"') < page.index('href="1/report.html"')
    assert all(f"<td>{name}</td><td>2</td><td>4</td>" in page for name in ("ann", "bob"))
