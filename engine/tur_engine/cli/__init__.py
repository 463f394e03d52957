"""The command lines: `tur` for agents and people, `tur-adm` for people. Nothing heavy is imported here."""
