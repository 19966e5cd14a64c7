"""What `import tesuji` offers is what it shows, and all of it is there."""

import tesuji


def test_dir_shows_the_public_names_and_only_them() -> None:
    assert sorted(dir(tesuji)) == sorted([*tesuji.__all__, "__version__"])
    assert {"Evaluator", "Evaluation", "Restriction", "load", "networks"} <= set(dir(tesuji))


def test_every_public_name_is_there() -> None:
    for name in tesuji.__all__:
        assert getattr(tesuji, name) is not None, name
