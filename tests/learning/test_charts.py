"""Pictures of the learning report: round scales, and words that do not lie on each other."""

import re

from tesuji.learning.loop.charts import curves


def test_names_in_the_corner_leave_the_title_its_room() -> None:
    title = "Elo ± one error, first network 0"
    picture = curves(title, {"candidate": [(0, 0), (1, 12.5)], "best": [(1, 0)]}, errors={1.0: 80.0})
    spots = dict(re.findall(r'x="([\d.]+)" y="15" style="fill:#\w+" text-anchor="end">(\w+)<', picture))
    ends = {name: float(spot) for spot, name in spots.items()}
    assert ends["candidate"] < ends["best"] - 6 * len("best")
    assert ends["candidate"] - 6 * len("candidate") > 52 + 7 * len(title)


def test_the_scale_is_of_round_numbers() -> None:
    picture = curves("Value", {"value": [(1, 0.2479), (2, 0.2312)]})
    assert re.findall(r'text-anchor="end">([^<]+)<', picture) == ["0.23", "0.235", "0.24", "0.245", "0.25"]
