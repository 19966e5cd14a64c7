"""What schemathesis must be told of our API: how an SGF file is sent. Loaded by `tests/fuzzing/api.py`."""

import random
from typing import Any

import schemathesis

GAMES = [b"(;SZ[5]KM[7];B[cc];W[bb];B[dd];W[bd];B[db])", b"(;SZ[9]HA[2]AB[cc][gg];W[ee](;B[dd])(;B[ff]))", b"(;SZ[19])"]


@schemathesis.serializer("application/x-go-sgf")
def record(context: Any, value: Any) -> bytes:
    """Often a sound record, else what was made up."""
    made = value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
    chance = random.Random(made)
    return chance.choice([*GAMES, made, chance.choice(GAMES) + made])
