"""Series of deals: who deals and leads next, standings, epaulettes, tricks, knockout.

>>> from durak_env.match import Match
>>> match = Match("podkidnoy(players=3)", seed=7, max_deals=2)
>>> while not match.over:
...     game = match.next_deal() if match.actor is None else match.game
...     match = match.play(game.legal_actions()[0])
>>> len(match.deals), match == Match.from_text(match.to_text())
(2, True)
"""

from durak_env.match.deals import Deal, Rotation, Standings
from durak_env.match.epaulettes import EpaulettesMatch, Hang
from durak_env.match.knockout import Decide, Knockout, Round, Seeding, bracket_order
from durak_env.match.plain import Match
from durak_env.match.series import Series
from durak_env.match.table import Advance, Table
from durak_env.match.tricks import TricksMatch

__all__ = [
    "Advance",
    "Deal",
    "Decide",
    "EpaulettesMatch",
    "Hang",
    "Knockout",
    "Match",
    "Rotation",
    "Round",
    "Seeding",
    "Series",
    "Standings",
    "Table",
    "TricksMatch",
    "bracket_order",
]
