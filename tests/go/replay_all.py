"""Replays every counted game of the given files, or of all there are: `python -m tests.go.replay_all [FILE...]`."""

import sys
from pathlib import Path

from tests.go.real_games import DATA, lines, replay


def main(names: list[str]) -> int:
    """Prints a table; the exit code is 1 if a game was illegal or a CGOS game counted otherwise than stated."""
    files = [Path(name) for name in names] or sorted(DATA.glob("*.sgfs.xz"))
    if not files:
        print(f"no games in {DATA}", file=sys.stderr)
        return 2
    print(f"{'file':<28} {'games':>7} {'moves':>9} {'illegal':>8} {'count as stated':>16}")
    wrong: list[str] = []
    for path in files:
        tally = replay(lines(path), path.name)
        share = f"{tally.games - len(tally.other_score) - len(tally.illegal)}/{tally.games}"
        print(f"{path.name:<28} {tally.games:>7} {tally.moves:>9} {len(tally.illegal):>8} {share:>16}", flush=True)
        # Only CGOS plays until no dead stone is left, so only there the board itself must show the result.
        wrong += tally.illegal + (tally.other_score if "cgos" in path.name else [])
    for fault in wrong[:20]:
        print(fault)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
