"""Labelling: which positions are asked about, what is written down, and going on after a stop."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.training.packed import packed
from tesuji import Game
from tesuji.base.errors import InputError
from tesuji.features.evaluation import ConstantEvaluator, Evaluation, Floats, Wrapper
from tesuji.features.planes import encode
from tesuji.networks.evaluators import factory
from tesuji.search.options import SearchOptions
from tesuji.training.data.game_set import GameSet
from tesuji.training.data.packing import pack_games
from tesuji.training.labels import labelling
from tesuji.training.labels.answers import Answers, disagreement
from tesuji.training.labels.labelling import Progress, label
from tesuji.training.labels.options import LabelOptions, komi_values, odd_range
from tesuji.training.labels.questions import FROM_ONE_TREE, Questions

TEACHER = "default-9x9"


def options(folder: Path, **changes: object) -> LabelOptions:
    games = folder / "some.games"
    if not games.exists():
        packed(games, 12)
    return LabelOptions(**({"teacher": TEACHER, "games": (str(games),), "batch": 8} | changes))  # type: ignore[arg-type]


def test_komi_and_odd_moves_are_lists_or_ranges() -> None:
    assert komi_values("5.5,7").tolist() == [5.5, 7]
    assert komi_values("-1:0.5").tolist() == [-1, -0.5, 0, 0.5]
    assert odd_range("3") == (3, 3)
    assert odd_range("1:6") == (1, 6)
    for text in ("", "7..5", "2:1", "nan", "1e9"):
        with pytest.raises(ValueError, match="names no komi"):
            komi_values(text)
    with pytest.raises(ValueError, match="odd moves"):
        odd_range("6:1")


def test_a_number_always_gives_the_same_positions(tmp_path: Path) -> None:
    questions = Questions(options(tmp_path, komi="-10:20", odd="2"))
    first, again, other = (questions.batch(n, 6) for n in (3, 3, 4))
    assert [game.hash for game in first] == [game.hash for game in again] != [game.hash for game in other]
    assert len({game.komi for game in first}) > 1


def test_odd_moves_lead_away_from_the_game(tmp_path: Path) -> None:
    plain = Questions(options(tmp_path)).batch(0, 6)
    odd = Questions(options(tmp_path, odd="3")).batch(0, 6)
    assert [game.moves for game in plain] == [game.moves[:-3] for game in odd]
    by_policy = Questions(options(tmp_path, odd="3", odd_by=TEACHER), odd_by=factory.load(TEACHER)).batch(0, 6)
    assert [game.move_count for game in by_policy] == [game.move_count for game in odd]


def test_leaves_lie_below_the_position(tmp_path: Path) -> None:
    chosen = options(tmp_path, leaves="uniform", leaf_visits=20)
    plain = Questions(chosen).batch(0, 2)
    leaves = Questions(chosen, leaves=ConstantEvaluator()).batch(0, 12)
    assert len(leaves) == 12
    for n, leaf in enumerate(leaves):
        game = plain[n // FROM_ONE_TREE]
        assert leaf.moves[: game.move_count] == game.moves
    assert len({leaf.hash for leaf in leaves}) > 6
    # A question for each node, none twice, as long as there are so many: a teacher's answers are dear.
    many = Questions(options(tmp_path, leaves="uniform", leaf_visits=60), leaves=ConstantEvaluator())
    paths = [tuple(leaf.moves) for leaf in many.batch(0, FROM_ONE_TREE)]
    assert len(set(paths)) == FROM_ONE_TREE


def test_an_answer_is_what_the_teacher_says(tmp_path: Path) -> None:
    game = Game(size=9, komi=3.5)
    for move in ("E5", "E3", "G4"):
        game.play(move)
    teacher = factory.load(TEACHER)
    (record,) = Answers(teacher).of([game], 1)
    pack_games([record], tmp_path / "a.games")
    batch = GameSet(tmp_path / "a.games").at([0], [3], teacher.planes)
    judged = teacher(batch.planes, batch.komi)
    assert batch.komi.tolist() == [3.5]
    np.testing.assert_allclose(batch.value, judged.value, atol=1e-4)
    np.testing.assert_allclose(batch.policy, judged.policy, atol=2e-3)
    assert judged.black_score is not None
    assert judged.black_ownership is not None
    np.testing.assert_allclose(batch.black_score, judged.black_score, atol=0.02)
    np.testing.assert_allclose(batch.black_ownership, judged.black_ownership, atol=0.006)
    assert batch.policy_mask.all()
    assert batch.value_mask.all()
    assert batch.score_mask.all()
    assert batch.ownership_mask.all()


def test_one_visit_is_no_search(tmp_path: Path) -> None:
    """As the command asks where nothing else is said: the teacher is asked once, whatever the search's defaults are."""

    class Counted(Wrapper):
        asked = 0

        def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
            self.asked += len(planes)
            return self.inner(planes, komi)

    teacher, games = Counted(factory.load(TEACHER)), Questions(options(tmp_path)).batch(0, 3)
    Answers(teacher, options(tmp_path).search_options()).of(games, 3)
    assert teacher.asked == 3


def test_a_teacher_may_search(tmp_path: Path) -> None:
    games = Questions(options(tmp_path)).batch(0, 3)
    records = Answers(factory.load(TEACHER), SearchOptions(visits=20)).of(games, 3)
    for game, record in zip(games, records, strict=True):
        (target,) = record.targets
        assert target.position == game.move_count
        assert sum(share for _, share in target.policy) == pytest.approx(1, abs=0.01)


def test_positions_of_games_are_searched_and_no_game_is_invented(tmp_path: Path) -> None:
    """The 9x9 paper's self-play: N and Q of positions of the data set, at the komi of their game."""
    chosen = options(tmp_path, komi="game", visits=20, search=("c=0.5", "tau=0.6"))
    assert chosen.search_options() == SearchOptions(visits=20, c=0.5, tau=0.6)
    label(chosen, tmp_path / "searched.games", 8, processes=1)
    source = {tuple(record.moves): record.komi for record in GameSet(tmp_path / "some.games")}
    for record in GameSet(tmp_path / "searched.games"):
        (target,) = record.targets
        assert target.position == len(record.moves)
        whole = next(moves for moves in source if moves[: len(record.moves)] == tuple(record.moves))
        assert record.komi == source[whole]
        assert target.white_winrate is not None
        assert 0 <= target.white_winrate <= 1
        assert record.result == ""


def test_options_of_a_search_need_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without a search"):
        options(tmp_path, search=("c=0.5",))
    with pytest.raises(InputError, match="stand in --visits"):
        options(tmp_path, visits=9, search=("visits=5",))
    with pytest.raises(ValueError, match="did you mean 'tau'"):
        options(tmp_path, visits=9, search=("taau=0.5",))


def test_hard_positions_are_those_where_the_student_errs(tmp_path: Path) -> None:
    games = Questions(options(tmp_path)).batch(0, 12)
    teacher, student = factory.load(TEACHER), ConstantEvaluator()
    answers = Answers(teacher, hard=0.25, student=student)
    assert answers.candidates(3) == 12
    komi = [game.komi for game in games]
    apart = disagreement(teacher(encode(games, teacher.planes), komi), student(encode(games, student.planes), komi))
    hardest = sorted(np.argsort(-apart)[:3].tolist())
    kept = answers.of(games, 3)
    assert [record.moves for record in kept] == [[(int(c), m) for c, m in games[i].moves] for i in hardest]


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen, out = options(tmp_path), tmp_path / "out.games"
    real = labelling.Labeller.label
    seen: list[int] = []

    def stopping(labeller: labelling.Labeller, number: int) -> labelling.Part:
        if len(seen) == 2:
            raise KeyboardInterrupt
        seen.append(number)
        return real(labeller, number)

    monkeypatch.setattr(labelling.Labeller, "label", stopping)
    with pytest.raises(KeyboardInterrupt):
        label(chosen, out, 32, processes=1)
    assert len(GameSet(out)) == 16
    monkeypatch.setattr(labelling.Labeller, "label", real)
    told: list[Progress] = []
    assert label(chosen, out, 32, processes=1, progress=told.append) == 32
    assert [progress.done for progress in told] == [24, 32]
    assert not (tmp_path / "out.games.parts").exists()
    whole = [record.moves for record in GameSet(out)]
    assert label(chosen, tmp_path / "at_once.games", 32, processes=1) == 32
    assert whole == [record.moves for record in GameSet(tmp_path / "at_once.games")]


def test_parts_of_other_options_are_refused(tmp_path: Path) -> None:
    chosen, out = options(tmp_path), tmp_path / "out.games"
    labelling._claim(tmp_path / "out.games.parts", chosen)
    with pytest.raises(ValueError, match="other options"):
        label(options(tmp_path, komi="7"), out, 8, processes=1)


def test_several_processes_give_the_same_file(tmp_path: Path) -> None:
    chosen = options(tmp_path, teacher="uniform")
    assert label(chosen, tmp_path / "a.games", 32, processes=2) == 32
    assert label(chosen, tmp_path / "b.games", 32, processes=1) == 32
    assert (tmp_path / "a.games").read_bytes() == (tmp_path / "b.games").read_bytes()


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"hard": 0.5}, "name it with --student"),
        ({"hard": 0.0}, "a share above 0"),
        ({"visits": 0}, "at least 1"),
        ({"symmetry": "some"}, "none, random, all"),
        ({"games": ()}, "nothing to judge"),
    ],
)
def test_bad_options_are_told_in_one_line(tmp_path: Path, changes: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        options(tmp_path, **changes)
