"""How agents' harnesses are wired to tur: their configuration files, and the proof that the wiring holds."""
