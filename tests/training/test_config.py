"""Settings: types from text, refusals with the nearest valid name, and the way there and back through TOML."""

import sys

import pytest

from tesuji.training.run.config import ConfigError, TrainConfig

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def test_unknown_setting_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match="no training setting 'learning_rat'; did you mean 'learning_rate'"):
        TrainConfig().changed({"learning_rat": 0.1})


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("learning_rate", "0", "learning_rate is 0.0; it must be above 0"),
        ("learning_rate", "fast", "learning_rate is 'fast'; it must be a number"),
        ("learning_rate", "nan", "must be above 0"),
        ("batch", "12.5", "batch is '12.5'; it must be a whole number"),
        ("batch", True, "batch is True; it must be a whole number"),
        ("compile", "maybe", "compile is 'maybe'; it must be true or false"),
        ("optimizer", "lion", "optimizer is 'lion'; it is one of sgd, adam, adamw, muon"),
        ("ema", "1", "ema is 1.0; it must be at least 0 and below 1"),
        ("minutes", -1, "minutes is -1.0; it must not be negative"),
        ("schedule", "cosin", "no schedule 'cosin'; did you mean 'cosine'"),
        ("weights", "1,2", "2 weights for 0 data files"),
    ],
)
def test_impossible_values_are_refused(key: str, value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TrainConfig().changed({key: value})


def test_text_becomes_the_type_of_the_field() -> None:
    config = TrainConfig().changed(
        {"batch": "1_024", "data": "a.games,b.games", "weights": "1,0.5", "compile": "true", "size": "9"}
    )
    assert (config.batch, config.data, config.weights) == (1024, ("a.games", "b.games"), (1.0, 0.5))
    assert (config.compile, config.size) == (True, 9)
    assert config.changed({"size": "none"}).size is None


def test_toml_brings_back_the_same_settings() -> None:
    config = TrainConfig().changed({"data": ['b\\c "d".games'], "weights": [0.25], "precision": "bf16", "size": 9})
    assert TrainConfig().changed(tomllib.loads(config.toml())) == config


def test_a_schedule_fills_in_only_what_is_open() -> None:
    config = TrainConfig(schedule="toronto-2021", batch=64).filled()
    assert (config.batch, config.learning_rate, config.optimizer) == (64, 0.001, "adam")
    assert config.policy_loss == "point-bce"
