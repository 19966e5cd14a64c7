"""A GTP engine that plays the first free point and misbehaves in one way: `strange_engine.py MODE [N]`.

The misbehaviour begins with the N-th `genmove` (1 unless told), so that games get under way.
"""

import os
import sys
import time


class Engine:
    def __init__(self, mode: str, after: int) -> None:
        self.mode, self.after = mode, after
        self.size, self.taken, self.generated = 19, set[str](), 0

    def answer(self, words: list[str]) -> str:
        command, *arguments = words
        if command == "boardsize":
            if self.mode == "only-19" and arguments[0] != "19":
                return "? unacceptable size"
            self.size = int(arguments[0])
        elif command == "clear_board":
            self.taken.clear()
        elif command == "play":
            self.taken.add(arguments[1].upper())
        elif command == "genmove":
            return self.genmove(arguments[0])
        elif command == "final_score":
            return "= W+80.5" if self.mode == "wrong-score" else "? cannot score"
        elif command == "list_commands":
            return "= boardsize\nclear_board\nkomi\nplay\ngenmove\nfinal_score\nlist_commands\nquit\nname"
        elif command not in {"komi", "quit", "name"}:
            return "? unknown command"
        return "= "

    def genmove(self, color: str) -> str:
        self.generated += 1
        if self.generated >= self.after:
            strange = self.misbehave()
            if strange:
                return strange
        columns = "ABCDEFGHJKLMNOPQRSTUVWXYZ"[: self.size]
        for row in range(1, self.size + 1, 2):
            for column in columns:
                if f"{column}{row}" not in self.taken and self.mode != "pass":
                    self.taken.add(f"{column}{row}")
                    return f"= {column}{row}"
        return "= pass"

    def misbehave(self) -> str:
        if self.mode == "die":
            print("Assertion failed: stone on the moon", file=sys.stderr, flush=True)
            os._exit(3)
        if self.mode == "hang":
            time.sleep(3600)
        if self.mode == "flood":
            while True:
                sys.stdout.write("= A1 and more\n" * 1000)
        if self.mode == "one-line":
            sys.stdout.write("= " + "A" * 150_000)
            sys.stdout.flush()
            time.sleep(3600)
        if self.mode == "binary":
            sys.stdout.buffer.write(b"= \x00\xff\xfe\n\n")
            sys.stdout.flush()
        replies = {
            "garbage": "Thinking really hard...",
            "occupied": f"= {sorted(self.taken)[0]}" if self.taken else "",
            "nonsense": "= Z99",
            "refuse": "? I do not want to",
            "resign": "= resign",
            "wrong-score": "= pass",
        }
        return replies.get(self.mode, "")


def main() -> None:
    engine = Engine(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    if engine.mode == "die-at-start":
        print("no network found", file=sys.stderr)
        sys.exit(7)
    for line in sys.stdin:
        words = line.split()
        if words:
            print(engine.answer(words) + "\n", flush=True)
        if words == ["quit"]:
            break


if __name__ == "__main__":
    main()
