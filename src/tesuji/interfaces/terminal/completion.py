"""Completion of commands and options by the shell: scripts that know them all, so that Tab starts no Python."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Completions:
    """What may follow one command: its options and, of a group, its subcommands."""

    summary: str
    options: Mapping[str, str]
    """Each with its help."""
    subcommands: Mapping[str, "Completions"]

    @classmethod
    def of(cls, command: Any, summary: str = "") -> "Completions":
        """What a typer command takes."""
        options = {
            name: (one.help or "").split(". ")[0]
            for one in command.params
            for name in (*one.opts, *one.secondary_opts)
            if one.param_type_name == "option" and name.startswith("-") and not (len(name) > 2 and name[1] != "-")
        }
        inner = {name: cls.of(one, one.get_short_help_str()) for name, one in getattr(command, "commands", {}).items()}
        return cls(summary, {**options, "--help": "Show what it does and takes"}, inner)


def bash(commands: Mapping[str, Completions]) -> str:
    """Completion for bash; file names where nothing of ours is begun."""
    cases = "\n".join(f"    '{name}') words='{' '.join(words)}';;" for name, words in _choices(commands))
    return f"""# Completion of tesuji for bash: source <(tesuji completion bash)
_tesuji() {{
  local words current="${{COMP_WORDS[COMP_CWORD]}}" line="${{COMP_WORDS[*]:1:COMP_CWORD-1}}"
  set -- $line
  while :; do
    case "$1" in --quiet|--verbose|--debug) shift;; *) break;; esac
  done
  case "$1 $2" in
{_two_words(commands)}
    *) line="$1";;
  esac
  case "$line" in
{cases}
    *) words='';;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _tesuji tesuji
"""


def zsh(commands: Mapping[str, Completions]) -> str:
    """Completion for zsh, which can use that of bash."""
    text = bash(commands).split("\n", 1)[1]
    return (
        "# Completion of tesuji for zsh: source <(tesuji completion zsh)\n"
        f"autoload -Uz compinit bashcompinit && compinit && bashcompinit\n{text}"
    )


def fish(commands: Mapping[str, Completions]) -> str:
    """Completion for fish, with what each word does."""
    lines = ["# Completion of tesuji for fish: tesuji completion fish > ~/.config/fish/completions/tesuji.fish"]
    for name, words in commands.items():
        lines.append(_fish("__fish_use_subcommand", f"-f -a {name}", words.summary))
        lines += _fish_options(f"__fish_seen_subcommand_from {name}", words)
        names = " ".join(words.subcommands)
        for inner, more in words.subcommands.items():
            first = f"__fish_seen_subcommand_from {name}; and not __fish_seen_subcommand_from {names}"
            lines.append(_fish(first, f"-f -a {inner}", more.summary))
            lines += _fish_options(f"__fish_seen_subcommand_from {name}; and __fish_seen_subcommand_from {inner}", more)
    return "\n".join(lines) + "\n"


SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}


def _choices(commands: Mapping[str, Completions]) -> Iterator[tuple[str, list[str]]]:
    """A beginning of the line, and what may follow it."""
    yield "", [*commands, "--help", "--version", "--quiet", "--verbose", "--debug"]
    for name, words in commands.items():
        yield name, [*words.subcommands, *words.options]
        for inner, more in words.subcommands.items():
            yield f"{name} {inner}", list(more.options)


def _two_words(commands: Mapping[str, Completions]) -> str:
    pairs = [f"'{name} {inner}'" for name, words in commands.items() for inner in words.subcommands]
    return f'    {"|".join(pairs)}) line="$1 $2";;'


def _fish(when: str, what: str, help: str) -> str:
    quoted = help.replace("\\", "\\\\").replace("'", "\\'")
    return f"complete -c tesuji -n '{when}' {what} -d '{quoted}'"


def _fish_options(when: str, words: Completions) -> Iterator[str]:
    for name, told in words.options.items():
        yield _fish(when, f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}", told)
