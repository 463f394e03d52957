"""Widgets: they draw what they are handed and tell by messages what a person does; none calls the engine.

- `LineList`: `show_rows`, `move_to`, `toggle_mark`, `set_marks`; tells `Highlighted`, `Selected`
- `FollowingList`, a LineList: `rows_arrived`; tells `FollowChanged`
- `Feed`, a FollowingList: `set_index`, `prepend`, `highlight`, a `load` callback that is called in a thread;
  tells `EntryHighlighted`, `EntrySelected`, `Failed`
- `DiffView`: `show`, `clear`
- `Why`: `show`, `show_preview`, `show_working`, `show_problem`, `clear`
- `NeighbourhoodPane`: `show`, `clear`, `action_radius`; tells `NodeHighlighted`, `Recentred`, `RadiusChanged`
- `VerbBar`: `show`, `refuse`, `clear`, `verb`; tells `VerbHighlighted`, `VerbChosen`
- `StatusLine`: its reactive attributes

Text from the ledger may be handed over as it is stored; each widget makes it visible.
"""
