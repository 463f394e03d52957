"""The screens: each composes widgets and carries a person's keys to the engine."""
