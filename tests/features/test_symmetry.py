"""The eight symmetries: one convention for planes, policies and points."""

import numpy as np
import pytest

from tesuji.features import symmetry


@pytest.mark.parametrize("s", range(symmetry.COUNT))
def test_inverse_undoes(s: int) -> None:
    board = np.arange(25, dtype=np.float32).reshape(1, 5, 5)
    back = symmetry.transform(symmetry.transform(board, s), symmetry.inverse(s))
    np.testing.assert_array_equal(back, board)


def test_the_convention() -> None:
    board = np.array([[0, 1], [2, 3]], dtype=np.float32)
    expected = {
        0: [0, 1, 2, 3],
        1: [1, 0, 3, 2],
        2: [2, 3, 0, 1],
        3: [3, 2, 1, 0],
        4: [0, 2, 1, 3],
        5: [1, 3, 0, 2],  # columns flipped, then transposed
        6: [2, 0, 3, 1],
        7: [3, 1, 2, 0],
    }
    seen = {s: symmetry.transform(board, s).reshape(-1).tolist() for s in range(8)}
    assert seen == expected


@pytest.mark.parametrize("s", range(symmetry.COUNT))
def test_policies_and_points_follow_the_planes(s: int) -> None:
    size, point = 5, 7
    board = np.zeros((size, size), dtype=np.float32)
    board.reshape(-1)[point] = 1
    moved = symmetry.transform_point(point, s, size)
    assert np.argmax(symmetry.transform(board, s)) == moved
    with_pass = np.append(board.reshape(-1), np.float32(0.5))
    seen = symmetry.transform_policy(with_pass, s)
    assert np.argmax(seen) == moved
    assert seen[-1] == np.float32(0.5)
    assert np.argmax(symmetry.transform_policy(board.reshape(-1), s)) == moved
    assert symmetry.transform_point(symmetry.PASS, s, size) == symmetry.PASS


def test_each_sample_under_its_own_symmetry() -> None:
    rng = np.random.default_rng(1)
    planes = rng.random((8, 3, 9, 9), dtype=np.float32)
    policies = rng.random((8, 82), dtype=np.float32)
    chosen = np.arange(8)[::-1]
    moved = symmetry.transform_each(planes, chosen)
    moved_policies = symmetry.transform_policy_each(policies, chosen)
    for i, s in enumerate(chosen):
        np.testing.assert_array_equal(moved[i], symmetry.transform(planes[i], s))
        np.testing.assert_array_equal(moved_policies[i], symmetry.transform_policy(policies[i], s))


@pytest.mark.parametrize("call", [lambda: symmetry.inverse(8), lambda: symmetry.transform_point(81, 0, 9)])
def test_refuses_what_does_not_exist(call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=r"no (symmetry|point)"):
        call()


def test_refuses_a_policy_of_no_board() -> None:
    with pytest.raises(ValueError, match="fits no square board"):
        symmetry.transform_policy(np.zeros(80, dtype=np.float32), 1)
