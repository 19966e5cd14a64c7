"""Names of networks: one grammar, one canonical form, helpful errors."""

import re
from itertools import permutations

import pytest

from tesuji import networks
from tesuji.networks.zoo.naming import ALIASES, parse


@pytest.mark.parametrize(
    ("written", "usual"),
    [
        ("se.16.64", "se.16.384.64"),
        ("SE.16.64.384", "se.16.384.64"),
        ("mobile.conv.avg.bin.40.128.512", "mobile.conv.avg.bin.40.512.128"),
        ("mobile.conv.bin.20", "mobile.conv.avg.bin.20.512.128"),
        ("a0.20", "a0.20.256"),
        ("a0.13.64+conv+bin", "a0.conv.avg.bin.13.64"),
        ("polygames.13.64", "residual.13.64"),
        ("alphazero.10.44", "a0.10.44+az=50"),
        ("a0.10.44+az=256", "a0.10.44+az"),
        ("SAP(6,3,3)", "sap.6.3.3.128"),
        ("SAP (6,3,3)", "sap.6.3.3.128"),
        ("α (9,256)", "alpha.9.256"),
        ("α(9,256)", "alpha.9.256"),
        ("AlphaZero", "a0.10.44+az=50"),
        ("Polygames", "residual.13.64"),
        ("Mobile", "mobile.conv.avg.bin.17.384.64"),
        ("Mobile+SE", "se.17.384.64"),
        ("Mobile+SE+pass", "se.17.384.64+pass"),
        ("agz", "agz.19.256"),
        ("rt.RRTRRT.64", "rt.rrtrrt.64"),
        ("eformer.4.2.48+pass", "eformer.4.2.48+pass"),
        ("se.8.192.48+ownership+komi+pass", "se.8.192.48+pass+komi+ownership"),
        ("se.val4.16.384.64", "se.val4.16.384.64"),
        ("se.16.384.64+sap=3.3+nine", "se.16.384.64+sap=3.3+nine"),
    ],
)
def test_canonical_names(written: str, usual: str) -> None:
    assert parse(written).name == usual
    assert parse(usual) == parse(written)


def test_an_order_of_blocks_is_told_by_its_letters() -> None:
    assert parse("rt.RRTRRT.64").written_numbers == ["rrtrrt", "64"]
    assert parse("se.16.384.64").written_numbers == ["16", "384", "64"]


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("se.16.384.64", (16, 64)),
        ("rt.rrtrrt.64", (6, 64)),
        ("eformer.12.2.64", (14, 64)),
        ("sap.6.3.3.128", (12, 128)),
    ],
)
def test_depth_counts_blocks_of_every_kind(name: str, shape: tuple[int, int]) -> None:
    assert parse(name).shape == shape


@pytest.mark.parametrize("name", [*ALIASES, *(e for family in networks.families() for e in family.examples)])
def test_names_read_back_as_themselves(name: str) -> None:
    spec = parse(name)
    assert parse(spec.name) == spec


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("sa.16.384.64", "did you mean 'se.16.384.64'?"),
        ("se.16.384.64.2", "se.blocks.filters.trunk"),
        ("se.16.0.64", "no network"),
        ("plain.2.16+pass", "`tesuji networks` lists them (a family of your own needs --plugin FILE)"),
        ("mobile.small.con.bin", "did you mean"),
        ("", "no network ''"),
        ("se.16.384.64+owner", "did you mean 'ownership'?"),
        ("mix.16.384.64+swish+cosine", "train with --schedule cosine"),
        ("se.16.384.64+komi=many", "whole numbers"),
        ("se.16.384.64+komi=60.5", "one whole number"),
        ("se.16.384.64+pass=2", "takes no number"),
        ("se.²⁴.384.64", "no option '²⁴'"),
        ("se.16.384.64+nopolicy+novalue", "neither a policy nor a value"),
    ],
)
def test_names_that_mean_nothing(name: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)) as caught:
        networks.create(name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("nine", "komi"), "nine komi outputs need"),
        (("nine", "novalue"), "nine komi outputs need"),
        (("pass", "nopolicy"), "no policy that could speak"),
        (("next", "nopolicy"), "no policy that could speak"),
        (("dense", "norelu"), "norelu speaks of"),
        (("komi", "score"), "gives the score already"),
        (("conv", "dense"), "contradict each other"),
        (("komi", "avg"), "contradict each other"),
        (("komi=30", "komi=60"), "contradict each other"),
        (("bin", "mse"), "contradict each other"),
        (("val2", "val4"), "contradict each other"),
    ],
)
def test_contradictions_are_refused_in_any_order(options: tuple[str, ...], complaint: str) -> None:
    for order in permutations(options):
        with pytest.raises(ValueError, match=complaint):
            parse("+".join(["se.16.384.64", *order]))


def test_the_order_of_options_does_not_matter() -> None:
    options = ("dense", "sap=2.2", "nine", "pass", "next", "ownership", "score", "mse", "val4")
    forward, backward = (parse("+".join(["se.4.32.16", *order])) for order in (options, options[::-1]))
    assert forward == backward
    assert forward.heads.nine
    assert forward.heads.has_pass


def test_options_replace_what_family_and_words_say() -> None:
    assert parse("a0.conv.avg.bin.13.64+komi").heads.value == "komi"
    assert not parse("sap.6.3.3.128+komi").heads.nine
    assert not parse("agz.19.256+nopolicy").heads.has_pass
    assert parse("alphazero.10.44+avg").heads.value == "avg"


@pytest.mark.parametrize(
    ("name", "planes", "size", "complaint"),
    [
        ("se.2.32.16+komi", "alphago-47", 19, "who is Black"),
        ("sap", None, 9, "19x19"),
        ("se.2.32.16", "golois-22", 19, "golois-21"),
        ("se.2.32.16", None, 40, "no board of 40x40"),
    ],
)
def test_networks_that_do_not_fit(name: str, planes: str | None, size: int, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        networks.describe(name, planes, size)
