"""One method per GTP command, by theme; each theme is a mixin of the engine."""
