"""Evaluators: what they accept, threads, wrappers, and names of models."""

import threading
import time
from pathlib import Path

import numpy as np
import pytest
import torch

import tesuji
from tests.networks.small import SMALL, random_input, trained
from tesuji import networks
from tesuji.features import symmetry
from tesuji.features.evaluation import ConstantEvaluator, Evaluation, Evaluator
from tesuji.networks import library
from tesuji.networks.evaluators.onnx_evaluator import KEPT_SESSIONS
from tesuji.networks.evaluators.wrappers import fields_of

NAME = "se.2.32.16+pass+norelu+komi+ownership"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "net.onnx"
    networks.export(trained(NAME, 9), path)
    return path


@pytest.fixture(scope="module")
def evaluate(file: Path) -> Evaluator:
    return tesuji.load(file)


@pytest.fixture(scope="module")
def planes() -> np.ndarray:
    return random_input(networks.create(NAME, size=9), 6).numpy()


def assert_same(a: Evaluation, b: Evaluation) -> None:
    assert fields_of(a).keys() == fields_of(b).keys()
    for name, field in fields_of(a).items():
        np.testing.assert_allclose(field, fields_of(b)[name], atol=2e-5, err_msg=name)


def test_evaluators_keep_the_protocol(evaluate: Evaluator) -> None:
    for evaluator in (evaluate, networks.Cached(evaluate), networks.Joined(evaluate, evaluate), ConstantEvaluator()):
        assert isinstance(evaluator, Evaluator)


@pytest.mark.parametrize(("name", "size"), SMALL)
def test_torch_and_file_agree(name: str, size: int, tmp_path: Path) -> None:
    network = trained(name, size)
    networks.export(network, tmp_path / "a.onnx")
    inputs, komi = random_input(network, 4).numpy(), [0.5, 7.0, 7.5, -2.0]
    assert_same(networks.TorchEvaluator(network)(inputs, komi), networks.load(tmp_path / "a.onnx")(inputs, komi))


def test_a_network_in_training_does_not_judge() -> None:
    network = networks.create("se.1.32.16", size=9)
    with pytest.raises(ValueError, match="training mode"):
        networks.TorchEvaluator(network)(np.zeros((1, 21, 9, 9), np.float32), [7])


def test_the_curve_holds_the_value(evaluate: Evaluator, planes: np.ndarray) -> None:
    komi = np.array([-4, 0.5, 6, 6.5, 7, 7.5], np.float32)
    judged = evaluate(planes, komi)
    assert judged.komi_curve is not None
    assert evaluate.komi_grid is not None
    black = np.array(
        [np.interp(k, evaluate.komi_grid, curve) for k, curve in zip(komi, judged.komi_curve, strict=True)]
    )
    black_to_play = planes[:, 0, 0, 0] == 1
    np.testing.assert_allclose(judged.value, np.where(black_to_play, black, 1 - black), atol=1e-5)
    assert (np.diff(judged.komi_curve, axis=1) <= 1e-6).all()


def test_the_curve_of_nine_outputs_holds_the_value_at_every_half_komi() -> None:
    network = trained("se.1.32.16+sap+nine", 19)
    evaluate, one = networks.TorchEvaluator(network), random_input(network, 2).numpy()[1:]  # Black to play
    komi = np.arange(-0.5, 17, 1, dtype=np.float32)
    judged = evaluate(np.repeat(one, len(komi), axis=0), komi)
    assert judged.komi_curve is not None
    assert evaluate.komi_grid is not None
    np.testing.assert_allclose(judged.value, np.interp(komi, evaluate.komi_grid, judged.komi_curve[0]), atol=1e-6)
    assert len(set(judged.value.round(5))) == 9


@pytest.mark.parametrize(
    ("shape", "komi", "complaint"),
    [
        ((2, 20, 9, 9), [7, 7], r"reads planes \[B, 21, 9, 9\], not \[2, 20, 9, 9\]"),
        ((2, 21, 9, 9), [7], "2 positions need as many komi"),
        ((21, 9, 9), [7], "reads planes"),
    ],
)
def test_planes_that_do_not_fit(evaluate: Evaluator, shape: tuple[int, ...], komi: list[float], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        evaluate(np.zeros(shape, np.float32), komi)


def test_a_network_for_one_size_says_so(tmp_path: Path) -> None:
    networks.export(trained("a0.1.16", 9), tmp_path / "a.onnx")
    evaluate = networks.load(tmp_path / "a.onnx")
    assert evaluate.plays(9)
    assert not evaluate.plays(19)
    assert repr(evaluate) == "<a0.1.16 on golois-21, 9x9, fp32>"
    with pytest.raises(ValueError, match="plays on 9x9 only, not on 13x13"):
        evaluate(np.zeros((1, 21, 13, 13), np.float32), [7])


def test_any_layout_of_planes_will_do(evaluate: Evaluator, planes: np.ndarray) -> None:
    komi = [7.5] * 6
    turned = np.ascontiguousarray(planes.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
    assert_same(evaluate(turned, komi), evaluate(planes, komi))
    assert_same(evaluate(planes.astype(np.uint8), komi), evaluate(planes, komi))


def test_several_threads_share_an_evaluator(evaluate: Evaluator, planes: np.ndarray) -> None:
    expected = [evaluate(planes[i : i + 1], [7]).policy for i in range(6)]
    wrong: list[int] = []

    def work(i: int) -> None:
        for _ in range(50):
            if not np.allclose(evaluate(planes[i : i + 1], [7]).policy, expected[i], atol=1e-6):
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


class TestWrappers:
    def test_the_average_of_symmetries_is_symmetric(self, evaluate: Evaluator, planes: np.ndarray) -> None:
        average = networks.AverageOfSymmetries(evaluate)
        judged = average(planes, [7] * 6)
        for s in range(symmetry.COUNT):
            turned = average(symmetry.transform(planes, s), [7] * 6)
            np.testing.assert_allclose(turned.value, judged.value, atol=1e-5)
            np.testing.assert_allclose(turned.policy, symmetry.transform_policy(judged.policy, s), atol=1e-5)
            assert judged.black_ownership is not None
            assert turned.black_ownership is not None
            expected = symmetry.transform(judged.black_ownership, s)
            np.testing.assert_allclose(turned.black_ownership, expected, atol=1e-5)

    def test_a_random_symmetry_is_one_of_the_eight(self, evaluate: Evaluator, planes: np.ndarray) -> None:
        one, komi = np.repeat(planes[:1], 40, axis=0), [7] * 40
        drawn = networks.RandomSymmetry(evaluate, seed=1)(one, komi)
        every = [evaluate(symmetry.transform(planes[:1], s), [7]).value[0] for s in range(8)]
        distance = np.abs(drawn.value[:, None] - np.array(every)[None])
        assert (distance.min(1) < 1e-5).all()
        assert len(set(distance.argmin(1))) > 5
        corner = symmetry.transform_policy(evaluate(symmetry.transform(planes[:1], 5), [7]).policy, symmetry.inverse(5))
        assert np.abs(drawn.policy - corner).max(1).min() < 1e-5

    def test_the_cache_remembers_and_forgets(self, evaluate: Evaluator, planes: np.ndarray) -> None:
        cached = networks.Cached(evaluate, capacity=4)
        assert_same(cached(planes[:3], [7] * 3), evaluate(planes[:3], [7] * 3))
        assert_same(cached(planes[1:4], [7] * 3), evaluate(planes[1:4], [7] * 3))
        assert (cached.hits, cached.misses) == (2, 4)
        cached(planes[:1], [6.5])  # another komi is another position, and drops the oldest
        cached(planes[:1], [7])
        assert (cached.hits, cached.misses) == (2, 6)

    def test_policy_and_value_joined(self, evaluate: Evaluator, planes: np.ndarray) -> None:
        joined = networks.Joined(ConstantEvaluator(), evaluate)
        judged = joined(planes, [7] * 6)
        np.testing.assert_allclose(judged.policy, 1 / 82)
        np.testing.assert_allclose(judged.value, evaluate(planes, [7] * 6).value)
        with pytest.raises(ValueError, match="must read the same planes"):
            networks.Joined(ConstantEvaluator(planes="agz-17"), evaluate)


class TestNames:
    def test_the_users_own_models(self, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TESUJI_HOME", str(tmp_path))
        (tmp_path / "mine-9x9.onnx").write_bytes(file.read_bytes())
        assert tesuji.load("mine-9x9").name == NAME
        assert "mine-9x9" in library.names()
        with pytest.raises(FileNotFoundError, match="did you mean 'mine-9x9'"):
            tesuji.load("mine-9x")
        with pytest.raises(FileNotFoundError, match=r"no model file 'nowhere/a\.onnx'"):
            tesuji.load("nowhere/a.onnx")

    def test_a_checkpoint_is_told_from_a_model_file(self, tmp_path: Path) -> None:
        networks.save_weights(networks.create("se.1.32.16", size=9), tmp_path / "a.safetensors")
        with pytest.raises(ValueError, match=r"`tesuji export .*` makes a model file"):
            tesuji.load(tmp_path / "a.safetensors")

    def test_devices(self, file: Path) -> None:
        with pytest.raises(ValueError, match=r"no device 'cuda' here.*available: cpu"):
            tesuji.load(file, device="cuda")
        with pytest.raises(ValueError, match="no device 'gpu' here; available: cpu"):
            tesuji.load(file, device="gpu")
        with pytest.raises(ValueError, match="at least one thread, not 0"):
            tesuji.load(file, threads=0)


def test_the_weights_file_and_torch_stay_equal_after_training(tmp_path: Path) -> None:
    """A few real steps move the batch norms' statistics; the file must follow them."""
    torch.manual_seed(1)
    network = networks.create("se.2.32.16+pass+norelu+komi", size=9)
    optimizer = torch.optim.SGD(network.parameters(), 0.05)
    inputs, komi = random_input(network, 16), torch.full((16,), 7.0)
    losses = []
    for _ in range(8):
        outputs = network(inputs, komi)
        loss = torch.nn.functional.cross_entropy(outputs.policy, torch.arange(16))
        loss = loss + torch.nn.functional.binary_cross_entropy_with_logits(outputs.value, torch.full((16,), 0.9))
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0]
    networks.export(network, tmp_path / "a.onnx")  # compares
    assert network.training


def test_the_evaluator_adds_little_to_the_runtime(evaluate: Evaluator, planes: np.ndarray) -> None:
    """In the thread's own time, so that other work on the machine does not count."""
    feed, komi = {"planes": planes[:1], "komi": np.array([7.5], np.float32)}, np.array([7.5], np.float32)
    assert isinstance(evaluate, networks.OnnxEvaluator)
    session = evaluate._sessions[9].session
    best = {"bare": 1.0, "ours": 1.0}
    for _ in range(300):
        for name, call in (("bare", lambda: session.run(None, feed)), ("ours", lambda: evaluate(planes[:1], komi))):
            start = time.thread_time()
            call()
            best[name] = min(best[name], time.thread_time() - start)
    assert best["ours"] - best["bare"] < 40e-6


def test_an_evaluator_keeps_few_board_sizes_ready(tmp_path: Path) -> None:
    networks.export(trained("se.2.32.16+pass", 9), tmp_path / "any.onnx")
    evaluate = networks.load(tmp_path / "any.onnx")
    for size in (*range(5, 17), 9):
        said = evaluate(np.zeros((1, 21, size, size), np.float32), [7.5])
        assert said.policy.shape == (1, size * size + 1)
        assert len(evaluate._sessions) <= KEPT_SESSIONS  # type: ignore[attr-defined]
