"""Names of networks: one grammar, one canonical form, helpful errors."""

import re

import pytest

from tesuji import networks
from tesuji.networks.naming import ALIASES, parse


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
        ("alphazero.10.44", "a0.10.44+az"),
        ("SAP(6,3,3)", "sap.6.3.3.128"),
        ("agz", "agz.19.256"),
        ("se.8.192.48+ownership+komi+pass", "se.8.192.48+pass+komi+ownership"),
        ("se.val4.16.384.64", "se.val4.16.384.64"),
        ("se.16.384.64+sap=3.3+nine", "se.16.384.64+sap=3.3+nine"),
    ],
)
def test_canonical_names(written: str, usual: str) -> None:
    assert parse(written).name == usual
    assert parse(usual) == parse(written)


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
        ("mobile.small.con.bin", "did you mean"),
        ("", "no network ''"),
        ("se.16.384.64+owner", "did you mean 'ownership'?"),
        ("se.16.384.64+komi=many", "whole numbers"),
        ("se.16.384.64+komi=60.5", "one whole number"),
        ("se.16.384.64+pass=2", "takes no number"),
        ("se.16.384.64+nopolicy+novalue", "neither a policy nor a value"),
        ("se.16.384.64+nopolicy+pass", "no policy"),
        ("se.16.384.64+komi+score", "gives the score already"),
        ("se.16.384.64+novalue+nine", "nine komi outputs need"),
    ],
)
def test_names_that_mean_nothing(name: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)) as caught:
        networks.create(name)
    assert "\n" not in str(caught.value)


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
