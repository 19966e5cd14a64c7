"""Batches against games replayed move by move: inputs, labels, masks, seeds and symmetries."""

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tesuji
from tesuji import PASS, GameSet, PlaneSet
from tesuji.features.symmetry import transform, transform_point, transform_policy
from tesuji.training.data.batch import NO_MOVE, Batch
from tesuji.training.data.packing import PackedRecord, pack, pack_games


def random_game(seed: int, size: int = 9, komi: float = 7.0, moves: int | None = None) -> tesuji.Game:
    rng = random.Random(seed)
    game = tesuji.Game(size=size, komi=komi, rules="chinese")
    if seed % 5 == 0:
        game.place_handicap(3)
    for _ in range(rng.randrange(12, 90) if moves is None else moves):
        legal = game.legal_moves()
        game.play(PASS if rng.random() < 0.03 else rng.choice(legal))
    return game


def replayed(record: PackedRecord, position: int) -> tesuji.Game:
    """The game of a record after so many moves, by the rules."""
    whole = record.game()
    for _ in range(len(whole.moves) - position):
        whole.undo()
    return whole


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> GameSet:
    path = tmp_path_factory.mktemp("games") / "random.games"
    results = ["B+R", "W+3.5", "0", "", "B+T"]
    pack_games((PackedRecord.of(random_game(seed), results[seed % 5]) for seed in range(60)), path)
    return GameSet(path)


@pytest.mark.parametrize("planes", PlaneSet.names())
def test_inputs_equal_the_encoding_of_the_replayed_game(games: GameSet, planes: str) -> None:
    batch = games.batch(100, planes, seed=3)
    for row in range(len(batch)):
        game = replayed(games.record(int(batch.game[row])), int(batch.move_number[row]))
        expected = tesuji.encode([game], planes, symmetry=int(batch.symmetry[row]))[0]
        np.testing.assert_array_equal(batch.planes[row], expected)
        assert batch.to_play[row] == game.to_play
        assert batch.komi[row] == game.komi


def test_labels_are_the_moves_played_turned_like_the_board(games: GameSet) -> None:
    batch = games.batch(200, "agz-17", seed=4)
    for row in range(len(batch)):
        moves = [move for _, move in games.record(int(batch.game[row])).moves]
        number, symmetry = int(batch.move_number[row]), int(batch.symmetry[row])
        turned = [transform_point(move, symmetry, 9) for move in moves[number : number + 3]]
        assert batch.policy[row].argmax() == (81 if turned[0] == PASS else turned[0])
        assert batch.policy[row].sum() == 1
        assert batch.next_moves[row].tolist() == [*turned[1:], NO_MOVE, NO_MOVE][:2]


def test_value_is_the_result_for_the_player_to_move(games: GameSet) -> None:
    batch = games.batch(200, "agz-17", seed=5)
    for row in range(len(batch)):
        result = games.record(int(batch.game[row])).result
        mover = "BW"[batch.to_play[row] - 1]
        expected = 0.5 if result in ("", "0") else float(result[0] == mover)
        assert batch.value[row] == expected
        assert batch.value_mask[row] == (result not in ("", "B+T", "W+T"))  # a clock tells nothing of the board


def same(one: Batch, other: Batch) -> bool:
    return all(getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in one.__dataclass_fields__)


def test_a_seed_names_the_same_bytes_on_any_number_of_threads(games: GameSet) -> None:
    alone = games.batch(300, seed=7, threads=1)
    assert same(alone, games.batch(300, seed=7, threads=2))
    assert same(alone, games.batch(300, seed=7, threads=5))
    assert not same(alone, games.batch(300, seed=8, threads=1))


def test_a_stream_continues_where_it_stopped(games: GameSet) -> None:
    whole = games.batch(64, seed=1)
    np.testing.assert_array_equal(whole.planes[40:], games.batch(24, seed=1, first=40).planes)


def test_uniform_over_games_or_over_positions(tmp_path: Path) -> None:
    lengths = [10, 90]
    path = tmp_path / "two.games"
    pack_games((PackedRecord.of(random_game(seed, moves=n)) for seed, n in enumerate(lengths, 1)), path)
    games = GameSet(path)
    by_game = games.batch(4000, "agz-17", positions="games").game
    by_position = games.batch(4000, "agz-17", positions="positions").game
    assert abs(np.mean(by_game == 1) - 0.5) < 0.03
    assert abs(np.mean(by_position == 1) - 0.9) < 0.03


def test_weights_give_each_file_its_share(tmp_path: Path) -> None:
    for name, count in (("a", 5), ("b", 20)):
        pack_games((PackedRecord.of(random_game(seed)) for seed in range(count)), tmp_path / name)
    paths = [tmp_path / "a", tmp_path / "b"]
    plain = GameSet(*paths).batch(4000, "agz-17").game
    weighted = GameSet(*paths, weights=[3, 1]).batch(4000, "agz-17").game
    assert abs(np.mean(plain < 5) - 0.2) < 0.03
    assert abs(np.mean(weighted < 5) - 0.75) < 0.03


def test_positions_before_a_pass_can_be_left_out(games: GameSet) -> None:
    assert games.batch(2000, "agz-17", passes=True).policy[:, 81].sum() > 0
    for positions in ("games", "positions"):
        batch = games.batch(2000, "agz-17", passes=False, positions=positions)
        assert batch.policy[:, 81].sum() == 0
        assert batch.policy.sum() == 2000


def test_targets_take_the_place_of_move_and_result(tmp_path: Path) -> None:
    game = random_game(3, komi=5.5)
    record = PackedRecord.of(game, "B+R")
    ownership = [(point % 201) - 100 for point in range(81)]
    record.add_target(
        4, policy=[(10, 3.0), (PASS, 1.0)], white_winrate=0.25, white_score=-2.0, white_ownership=ownership
    )
    record.add_target(len(game.moves), policy=[(2, 1.0)])
    pack_games([record], tmp_path / "target.games")
    games = GameSet(tmp_path / "target.games")
    batch = games.batch(50, "agz-17", targets_only=True)
    assert set(batch.move_number) == {4, len(game.moves)}
    assert batch.policy_mask.all()
    for symmetry in range(8):
        one = games.at([0], [4], "agz-17", symmetry=symmetry)
        expected = np.zeros(82)
        expected[[10, 81]] = 0.75, 0.25
        np.testing.assert_allclose(one.policy[0], transform_policy(expected, symmetry), atol=1e-4)
        black_to_play = one.to_play[0] == tesuji.BLACK
        assert one.value[0] == pytest.approx(0.75 if black_to_play else 0.25, abs=1e-4)
        assert one.black_score[0] == pytest.approx(5.5 + 2.0)
        np.testing.assert_allclose(
            one.black_ownership[0], transform(-np.array(ownership).reshape(9, 9) / 100, symmetry), atol=1e-6
        )
        assert one.score_mask[0] == one.ownership_mask[0] == 1
    plain = games.at([0], [4], "agz-17", use_targets=False)
    assert plain.policy.max() == 1
    assert plain.score_mask[0] == plain.ownership_mask[0] == 0
    assert games.at([0], [len(game.moves)], "agz-17", use_targets=False).policy_mask[0] == 0


def wall_game(white_column: int, result: str) -> PackedRecord:
    """Black builds a wall in the fourth column, White in another; komi is -2."""
    record = PackedRecord()
    record.size, record.komi, record.rules = 9, -2.0, tesuji.Rules(ko="simple")
    record.moves = [(1 + i % 2, i // 2 * 9 + (3, white_column)[i % 2]) for i in range(18)]
    record.result = result
    return record


def test_score_and_ownership_only_where_the_final_board_tells_them(tmp_path: Path) -> None:
    # Walls side by side count 36 to 45; a column apart 36 to 36, with nine points that are nobody's.
    records = [wall_game(4, "W+7"), wall_game(4, "W+3"), wall_game(4, "W+R"), wall_game(5, "B+2")]
    pack_games(records, tmp_path / "final.games")
    batch = GameSet(tmp_path / "final.games").at([0, 1, 2, 3], [5, 5, 5, 5], "agz-17")
    assert batch.score_mask.tolist() == [1, 1, 0, 1]
    assert batch.black_score.tolist() == [-9, -5, 0, 0]
    assert batch.ownership_mask.tolist() == [1, 0, 0, 0]
    expected = np.ones((9, 9))
    expected[:, 4:] = -1
    np.testing.assert_array_equal(batch.black_ownership[0], expected)
    assert batch.black_ownership[1:].sum() == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: g.batch(0), "a batch of 0"),
        (lambda g: g.batch(4, "golois-20"), "no plane set"),
        (lambda g: g.batch(4, symmetry=9), "0 to 7 or 'random'"),
        (lambda g: g.batch(4, positions="moves"), "'games' or 'positions'"),
        (lambda g: g.batch(4, targets_only=True), "no position carries a target"),
        (lambda g: g.batch(4, dtype=np.float64), "float32 or uint8"),
        (lambda g: g.at([60], [0]), "no game 60"),
        (lambda g: g.at([0], [1000]), "has no position 1000"),
        (lambda g: g.subset(np.array([99])), "no game 99"),
    ],
)
def test_bad_requests_are_refused_in_one_line(games: GameSet, call: Callable[[GameSet], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(games)


def test_the_score_tells_which_stones_of_a_record_were_dead(tmp_path: Path) -> None:
    # A white stone alone in Black's part: 36 to 45 points if it is dead; alive it would leave most of the board open.
    wall = "".join(f";B[d{row}];W[e{row}]" for row in "abcdefghi")
    sgf = f"(;GM[1]SZ[9]KM[7]RU[RULES]RE[RESULT]{wall};B[];W[be];B[];W[])"
    forms = [("Chinese", "W+16"), ("Chinese", "W+44"), ("Chinese", "W+9"), ("Japanese", "W+15"), ("", "W+15")]
    text = "\n".join(sgf.replace("RULES", rules).replace("RESULT", result) for rules, result in forms)
    (tmp_path / "dead.sgfs").write_text(text)
    pack([tmp_path / "dead.sgfs"], tmp_path / "dead.games", drop_duplicates=False)
    games = GameSet(tmp_path / "dead.games")
    batch = games.at(range(len(forms)), [4] * len(forms), "agz-17")
    assert batch.ownership_mask.tolist() == [1, 0, 0, 1, 1]
    assert batch.black_ownership[0].sum() == 36 - 45
