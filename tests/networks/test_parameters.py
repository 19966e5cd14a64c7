"""Every parameter count of the papers, to the parameter."""

import pytest

from tesuji import networks

PAPERS = {
    "mobile.conv.avg.bin.33.200.64": 970_477,
    "mobile.25.200.64": 997_506,
    "a0.10.63": 986_748,
    "a0.conv.avg.bin.13.64": 968_485,
    "residual.20.256": 23_642_469,
    "residual.40.256": 47_266_149,
    # the 2020 paper's own labels
    "mobile.small.conv.bin": 970_477,
    "mobile.small": 997_506,
    "a0.small": 986_748,
    "a0.small.conv.bin.val4": 968_485,
}
# Kernels of two sizes (Cosine Annealing, Mixnet and Swish, 2021), by the same conventions.
MIXNET = {
    "mobile.conv.avg.bin.16.384.64": 900_005,
    "mobile.conv.avg.bin.48.384.64": 2_689_957,
    "mobile.conv.avg.bin.48.768.128": 10_098_405,
    "mix.16.384.64": 949_157,
    "mix.16.384.64+se": 957_349,
    "mix.16.384.64+swish": 949_157,
    "mix.48.384.64": 2_837_413,
    "mix.se.48.384.64": 2_861_989,
    "mix.48.768.128": 10_393_317,
    "mix.se.48.768.128": 10_491_621,
    "mobile5.16.384.64": 998_309,
    "mobile5.se.16.384.64": 1_006_501,
    "mobile5.48.384.64": 2_984_869,
    "mobile5.se.48.384.64": 3_009_445,
    "mobile5.48.768.128": 10_688_229,
    "mobile5.se.48.768.128": 10_786_533,
}
# For a class whose limit is 100,000, on its 31 planes.
CLASS = {"se.8.128.32": 87_877, "mix.se.8.128.32": 96_069}
TABLE_4 = {
    64: (908_197, 1_811_365, 2_714_533, 3_617_701, 4_520_869),
    96: (1_958_213, 3_908_933, 5_859_653, 7_810_373, 9_761_093),
    128: (3_405_541, 6_801_125, 10_196_709, 13_592_293),
    160: (5_250_181, 10_487_941, 15_725_701),
    192: (7_492_133, 14_969_381),
    224: (10_131_397, 20_245_445),
}
GRID = {
    f"se.{depth}.{6 * width}.{width}": count
    for width, counts in TABLE_4.items()
    for depth, count in zip((16, 32, 48, 64, 80), counts, strict=False)
}


@pytest.mark.parametrize(("name", "count"), [*PAPERS.items(), *MIXNET.items(), *GRID.items()])
def test_counts_of_the_papers(name: str, count: int) -> None:
    assert networks.parameters(name) == count


def test_the_grid_is_whole() -> None:
    assert len(GRID) == 21


@pytest.mark.parametrize(
    "name", ["alphazero.10.44", "polygames.13.64", "mobile.conv.avg.bin.17.384.64", "se.17.384.64"]
)
def test_the_2021_comparison_stays_below_a_million(name: str) -> None:
    assert networks.parameters(name) < 1_000_000


def test_the_2021_comparison_has_heads_of_a_little_less_than_300_000_for_alphazero() -> None:
    heads = networks.parameters("AlphaZero") - networks.parameters("a0.10.44+conv+novalue") + 44
    assert 270_000 < heads < 300_000
    # With the heads of AlphaGo Zero itself they would be more.
    assert networks.parameters("a0.10.44+az") - networks.parameters("AlphaZero") == 206 * 361 + 206 + 206


@pytest.mark.parametrize(("name", "file_size"), [("sap.6.3.3.128", 28_530_177), ("alpha.9.256", 85_954_310)])
def test_value_networks_of_2018_fill_their_files(name: str, file_size: int) -> None:
    # Torch 7 wrote every weight with its gradient: eight bytes a parameter, and the layers' own records.
    assert 8 * networks.parameters(name) == pytest.approx(file_size, rel=0.005)


def test_operations_of_a_network_by_hand() -> None:
    # On 81 points the stem, the block and the policy; once the squeeze, the excitation and the value.
    weights = 81 * (21 * 16 + 16 * 32 + 32 * 9 + 32 * 16 + 16) + 32 + 16 * 50 + 50
    assert networks.operations("se.1.32.16", size=9) == 2 * weights


def test_blocks_of_efficientformer_have_its_parameters() -> None:
    """By the description of timm's: MB4D two dense layers with bias and norm, MB3D eight heads of 32 and 128."""
    width = 64
    mixer = 2 * width + (width + 1) * 4 * width + 4 * 4 * width + (4 * width + 1) * width + 4 * width
    heads, distances = 8, 361
    attention = (width + 1) * heads * (2 * 32 + 128) + (heads * 128 + 1) * width + heads * distances
    dense = (width + 1) * 4 * width + (4 * width + 1) * width
    transformer = 2 * width + 4 * width + attention + dense  # scales, norms
    small = networks.parameters("eformer.1.1.64")
    assert networks.parameters("eformer.2.1.64") - small == mixer == 34_496
    assert networks.parameters("eformer.1.2.64") - small == transformer == 201_800


def test_the_order_of_a_hybrid_counts_residual_blocks_and_transformers() -> None:
    width, heads = 64, 2
    residual = 2 * (9 * width * width + width + 4 * width)
    attention = (width + 1) * 3 * width + (width + 1) * width + heads * 361
    transformer = 4 * width + attention + (width + 1) * 4 * width + (4 * width + 1) * width
    small = networks.parameters("rt.rt.64")
    assert networks.parameters("rt.rrt.64") - small == residual
    assert networks.parameters("rt.rtt.64") - small == transformer
    assert networks.parameters("rt.RRTRRT.64") == small + 3 * residual + transformer
    # Attention costs by pairs of points: more on a larger board than its layers alone.
    assert networks.operations("rt.t.64", size=19) > (19 / 9) ** 2 * networks.operations("rt.t.64", size=9)


@pytest.mark.parametrize(("name", "count"), CLASS.items())
def test_networks_for_a_class(name: str, count: int) -> None:
    assert networks.parameters(name, planes="golois-31", size=19) == count
    assert any(name in family.examples for family in networks.families())
