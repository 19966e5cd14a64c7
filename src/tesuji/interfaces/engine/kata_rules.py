"""Rules as KataGo writes them: by name, or as an object of switches; what we do not play is told, not hidden."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tesuji import Rules
from tesuji.base.errors import InputError

_KO = {"SIMPLE": "simple", "POSITIONAL": "positional", "SITUATIONAL": "situational"}
_SCORING = {"AREA": "area", "TERRITORY": "territory"}
BONUSES = ("0", "N", "N-1")


@dataclass(frozen=True)
class KataRules:
    """A rule set in KataGo's words."""

    ko: str = "POSITIONAL"
    scoring: str = "AREA"
    tax: str = "NONE"
    suicide: bool = True
    has_button: bool = False
    white_handicap_bonus: str = "0"
    friendly_pass_ok: bool = False
    komi: float = 7.5
    own: str = field(default="", compare=False)
    """The rules of ours that are meant, where a name says so."""

    @property
    def rules(self) -> Rules:
        """The nearest rules we play: no button, no tax on living groups."""
        if self.own:
            return Rules.named(self.own)
        return Rules(ko=_KO[self.ko], suicide=self.suicide, scoring=_SCORING[self.scoring])

    @property
    def is_played(self) -> bool:
        """Whether we play them as they are."""
        return not self.has_button and self.tax == ("SEKI" if self.scoring == "TERRITORY" else "NONE")

    def bonus(self, stones: int) -> float:
        """Points for White by so many handicap stones."""
        if stones < 2 or self.scoring == "TERRITORY":
            return 0.0
        return float({"0": 0, "N": stones, "N-1": stones - 1}[self.white_handicap_bonus])

    def as_json(self) -> dict[str, Any]:
        """The object KataGo writes, without komi."""
        return {
            "friendlyPassOk": self.friendly_pass_ok,
            "hasButton": self.has_button,
            "ko": self.ko,
            "scoring": self.scoring,
            "suicide": self.suicide,
            "tax": self.tax,
            "whiteHandicapBonus": self.white_handicap_bonus,
        }


_CHINESE = KataRules("SIMPLE", suicide=False, white_handicap_bonus="N", friendly_pass_ok=True, own="chinese")
_AGA = KataRules("SITUATIONAL", suicide=False, white_handicap_bonus="N-1", friendly_pass_ok=True, own="aga")
_JAPANESE = KataRules("SIMPLE", "TERRITORY", "SEKI", suicide=False, komi=6.5, own="japanese")
_STONES = KataRules("SIMPLE", tax="ALL", suicide=False, friendly_pass_ok=True)
_NAMED = {
    "tromptaylor": KataRules(own="tromp-taylor"),
    "chinese": _CHINESE,
    "chineseogs": _CHINESE,
    "chinesekgs": _CHINESE,
    "japanese": _JAPANESE,
    "korean": KataRules("SIMPLE", "TERRITORY", "SEKI", suicide=False, komi=6.5, own="korean"),
    "aga": _AGA,
    "bga": _AGA,
    "french": _AGA,
    "agabutton": KataRules("SITUATIONAL", suicide=False, has_button=True, white_handicap_bonus="N-1", komi=7.0),
    "newzealand": KataRules("SITUATIONAL", friendly_pass_ok=True, komi=7.0, own="new-zealand"),
    "nz": KataRules("SITUATIONAL", friendly_pass_ok=True, komi=7.0, own="new-zealand"),
    "stonescoring": _STONES,
    "ancientarea": _STONES,
    "ancientterritory": KataRules("SIMPLE", "TERRITORY", "ALL", suicide=False, komi=6.5),
    "ing": KataRules(friendly_pass_ok=True),
    "goe": KataRules(friendly_pass_ok=True),
}


def named_rules(name: str) -> KataRules:
    """Rules by name, in any case, with anything between the words. Raises `InputError`."""
    key = name.strip().lower().translate(str.maketrans("", "", "-_ "))
    if key not in _NAMED:
        raise InputError(f"Could not parse rules: {name[:100]}")
    return _NAMED[key]


def rules_from_object(given: Mapping[str, Any], present: KataRules | None = None) -> KataRules:
    """Rules from KataGo's object, on top of the present ones or Tromp-Taylor's. Raises `InputError`."""
    told = present.as_json() if present else KataRules().as_json()
    for key in given:
        if key not in told and key not in {"komi", "score"}:
            raise InputError(f"Unknown rules option: {str(key)[:60]}")
    told |= {"scoring" if key == "score" else key: value for key, value in given.items() if key != "komi"}
    if "tax" not in given and {"scoring", "score"} & given.keys():
        told["tax"] = "SEKI" if str(told["scoring"]).upper() == "TERRITORY" else "NONE"
    words = {key: str(told[key]).upper() for key in ("ko", "scoring", "tax", "whiteHandicapBonus")}
    known = {"ko": _KO, "scoring": _SCORING, "tax": ("NONE", "SEKI", "ALL"), "whiteHandicapBonus": BONUSES}
    for key, value in words.items():
        if value not in known[key]:
            raise InputError(f"Invalid {key} rule: {value[:60]}")
    switches = {key: _switch(key, told[key]) for key in ("suicide", "hasButton", "friendlyPassOk")}
    return KataRules(
        words["ko"],
        words["scoring"],
        words["tax"],
        switches["suicide"],
        switches["hasButton"],
        words["whiteHandicapBonus"],
        switches["friendlyPassOk"],
        _komi(given, words["scoring"], switches["hasButton"]),
    )


def _switch(key: str, value: object) -> bool:
    text = str(value).lower()
    if text not in {"true", "false"}:
        raise InputError(f"Invalid {key} rule: {text[:60]}")
    return text == "true"


def _komi(given: Mapping[str, Any], scoring: str, button: bool) -> float:
    usual = 6.5 if scoring == "TERRITORY" else 7.0 if button else 7.5
    komi = given.get("komi", usual)
    if isinstance(komi, bool) or not isinstance(komi, int | float) or not -400 <= komi <= 400 or komi * 2 % 1:
        raise InputError("Komi value is not a half-integer or is too extreme")
    return float(komi)


def parse_rules(text: str, present: KataRules | None = None) -> KataRules:
    """Rules by name, or as JSON text of an object."""
    if not text.lstrip().startswith("{"):
        return named_rules(text)
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("rules are not valid JSON") from None
    return rules_from_object(given, present)


def kata_rules(rules: Rules) -> KataRules:
    """Rules of ours in KataGo's words."""
    territory = rules.scoring == "territory"
    return KataRules(
        rules.ko.upper(),
        rules.scoring.upper(),
        "SEKI" if territory else "NONE",
        rules.suicide,
        friendly_pass_ok=rules.name != "tromp-taylor",
        komi=6.5 if territory else 7.5,
    )
