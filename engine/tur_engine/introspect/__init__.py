"""Background passes over a whole store: they add and mark, never remove or replace (EP-0134; CONTRACTS 4)."""
