"""The arena: how strong one opponent is against another, on duplicate deals, with error bars.

>>> from durak_env import Rules, arena
>>> pairing = arena.compare("greedy", "random", Rules(), deals=100)
>>> pairing.games, pairing.low > 0.8
(200, True)
"""

from __future__ import annotations

from durak_env.arena.intervals import confidence_interval
from durak_env.arena.match import Pairing, Progress, compare, table

__all__ = ["Pairing", "Progress", "compare", "confidence_interval", "table"]
