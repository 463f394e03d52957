"""The agents' facade: small, typed, synchronous. Surfaces talk to this and to records, never to the rooms below."""

from __future__ import annotations

from .facade.asking import Asking
from .facade.committing import Committing
from .facade.comparing import Comparing
from .facade.deciding import Deciding
from .facade.differing import Differing
from .facade.exporting import Exporting
from .facade.following import Following
from .facade.guarding import Guarding
from .facade.introspecting import Introspecting
from .facade.keeping import Keeping
from .facade.learning import Learning
from .facade.mapping import Mapping
from .facade.measuring import Measuring
from .facade.reading import Reading
from .facade.recalling import Recalling
from .facade.remembering import Remembering
from .facade.together import Together
from .facade.widening import Widening


class Engine(
    Learning,
    Reading,
    Mapping,
    Deciding,
    Asking,
    Following,
    Keeping,
    Measuring,
    Guarding,
    Introspecting,
    Committing,
    Recalling,
    Remembering,
    Comparing,
    Differing,
    Exporting,
    Together,
    Widening,
):
    """One store, one actor. Build it with `open` or `init`.

    May be used from several threads. Models load when a probe first needs them.
    """
