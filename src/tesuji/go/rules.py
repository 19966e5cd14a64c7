"""Rule sets and komi as the core knows them: their names, how people write them, the komi that goes with them.

Nobody else keeps a list of rules or a usual komi. `Rules.from_text` reads what files and clients write, `Rules.sgf`
and `Rules.label` write it, `usual_komi` says what is played where nobody states it: half a point with a handicap, 6.5
by territory, by area 7 up to 9x9 and 7.5 beyond.
"""

from tesuji._core import Rules, komi_from_text, rule_names, usual_komi

__all__ = ["KGS_NAMES", "LABELS", "NAMES", "komi_from_text", "rules_for_kgs", "usual_komi"]

NAMES: tuple[str, ...] = tuple(rule_names())
"""Every rule set by name, the most usual first."""
LABELS: dict[str, str] = {name: Rules.named(name).label for name in NAMES}
"""The same for people."""
KGS_NAMES: dict[str, str] = {
    "chinese": "chinese",
    "aga": "aga",
    "japanese": "japanese",
    "new_zealand": "new-zealand",
}
"""The rules that the KGS server knows, in its words."""


def rules_for_kgs(name: str) -> str:
    """What a KGS client is told for these rules: its own word, or that of the rules which count alike."""
    words = {ours: theirs for theirs, ours in KGS_NAMES.items()}
    return words.get(name) or ("chinese" if Rules.named(name).scoring == "area" else "japanese")
