"""The encoding of a record: by the charset it declares, or a guess by which characters it would hold.

Old Chinese, Japanese and Korean files often name no encoding. Bytes of one of these encodings make sense in the others
too, but rare characters there: the encoding in which most characters are everyday ones is taken. Where none convinces,
the text is Western.
"""

import re
from encodings import normalize_encoding
from encodings.aliases import aliases

_FOREIGN = re.compile(rb"[\x80-\xff][\x40-\xff]*")
_SAMPLE = 4000  # bytes looked at
_CONVINCING = 0.55  # mean weight of the characters below which we believe in Western text
_WESTERN = "cp1252"
# Words that records are full of: dan, to win, to lose, the colours, the game itself, and common family names.
_KNOWN = {
    "gb18030": "段胜负黑白目围棋赛中国手李王张刘陈杨",
    "cp932": "段勝負黒白目囲碁戦局本の手田山藤",
    "cp949": "단승패흑백집바둑국기전김이박최정조",
    "cp950": "段勝負黑白目圍棋賽中國手李王張劉陳",
}

# What records declare. Python knows more, some of it (punycode) slow beyond measure on hostile text.
_DECLARED = {
    *("utf_8", "ascii", "latin_1", "gb2312", "gbk", "gb18030", "hz", "big5", "big5hkscs", "cp950"),
    *("shift_jis", "shift_jis_2004", "shift_jisx0213", "cp932", "euc_jp", "euc_jis_2004", "euc_jisx0213"),
    *("iso2022_jp", "iso2022_jp_1", "iso2022_jp_2", "iso2022_jp_3", "iso2022_jp_ext", "iso2022_kr"),
    *("euc_kr", "cp949", "johab", "koi8_r", "koi8_u", "tis_620", "cp874", "mac_roman"),
    *(f"iso8859_{number}" for number in (*range(1, 12), *range(13, 17))),
    *(f"cp{number}" for number in (437, 850, 852, 866, *range(1250, 1259))),
}
# Files name the old standard but hold characters of its successor.
_SUCCESSORS = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "cp950",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}


def codec_of(charset: str) -> str | None:
    """The codec for a charset, however it is spelt; None where records use no such: moves can be read all the same.

    Not by `codecs.lookup`, which keeps every name it was ever asked for in memory.
    """
    plain = normalize_encoding(charset).lower()
    codec = aliases.get(plain, plain)
    return _SUCCESSORS.get(codec, codec) if codec in _DECLARED else None


def guess(data: bytes) -> str:
    """The name of the codec, for text that is not UTF-8."""
    sample = b" ".join(_FOREIGN.findall(data[: 50 * _SAMPLE]))[:_SAMPLE]
    weights = {codec: _weight(sample, codec) for codec in _KNOWN}
    best = max(weights, key=weights.__getitem__)
    return best if weights[best] >= _CONVINCING else _WESTERN


def _weight(sample: bytes, codec: str) -> float:
    """How everyday the characters are that these bytes would be: about 1 for a whole text of the most common ones."""
    text = sample.decode(codec, "replace")
    foreign = [letter for letter in text if ord(letter) > 127]
    if not foreign:
        return 0.0
    known: float = sum(letter in _KNOWN[codec] for letter in foreign)
    if codec == "cp949" and len(set(foreign)) > 2 and all("\uac00" <= letter <= "\ud7a3" for letter in foreign):
        known += len(foreign) / 6  # Chinese would hold a character beyond these rows
    return (sum(_everyday(letter, codec) for letter in foreign) + 0.5 * known) / len(foreign)


def _everyday(letter: str, codec: str) -> float:
    """1 for a character of daily use in this encoding, less for rare ones, below 0 for what nobody writes."""
    if letter == "\ufffd":
        return -2.0
    if codec == "cp932" and "\u3041" <= letter <= "\u30fe":
        return 1.0
    if "\uff61" <= letter <= "\uff9f":  # narrow kana: what other encodings look like when read as Japanese
        return -0.5
    raw = letter.encode(codec, "replace")
    if len(raw) != 2:
        return -0.5
    lead, trail = raw
    if codec == "cp932":
        return 0.8 if 0x88 <= lead <= 0x97 else 0.5 if lead == 0x81 else 0.2
    if codec == "cp950":
        return 0.8 if 0xA4 <= lead <= 0xC6 else 0.5 if lead == 0xA1 else 0.2
    if trail < 0xA1:
        return 0.0
    if codec == "cp949":
        return 0.9 if 0xB0 <= lead <= 0xC8 else 0.5 if lead == 0xA1 else 0.1
    return 0.95 if 0xB0 <= lead <= 0xD7 else 0.6 if lead in {0xA1, 0xA3} else 0.4 if lead <= 0xF7 else 0.1
