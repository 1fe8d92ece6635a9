"""`EpaulettesMatch`: sixes, sevens, ... aces are hung on the durak (S000-2 ... S000-34, 4.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from durak_env.cards import RANKS, lowest_rank
from durak_env.errors import RulesError
from durak_env.match.deals import ranked
from durak_env.match.plain import Match
from durak_env.rules import Rules


@dataclass(frozen=True)
class Hang:
    """Epaulettes that were hung (S000-7)."""

    deal: int
    """The number of the deal."""
    seat: int
    """The seat that hung them on the other."""
    rank: str
    cards: int
    """Two, three or four (S000-6)."""


class EpaulettesMatch(Match):
    """Two players hang one rank after the other; the first to hang aces wins (S000-14).

    Both begin with the lowest rank of the deck (S000-9). Who hangs goes on to the next rank, the
    other stays (S000-10, S000-11); a deal without a hang changes nothing (S000-13, E110). The next
    deal is dealt by the durak and led by the other, after a draw as in a first deal (4.1).

    >>> match = EpaulettesMatch(seed=3)
    >>> match.levels, match.hangs
    (('6', '6'), ())
    """

    KIND: ClassVar[str] = "epaulettes"
    LIMITS: ClassVar[tuple[str, ...]] = ("max_deals",)

    def __init__(
        self,
        rules: Rules | str | None = None,
        *,
        seed: int | None = None,
        max_deals: int | None = None,
    ) -> None:
        """Begin a match.

        Args:
            rules: rules with ``epaulettes=true``; the preset of that name if absent.
            seed: decides the first dealer and every deck. Random if absent.
            max_deals: after so many deals the higher level wins; equal levels are a draw.

        Raises:
            RulesError: no such rules, rules without epaulettes, or a limit less than 1.
            NotationError: the seed is negative or has more than 128 bits.
        """
        super().__init__(rules, seed=seed, max_deals=max_deals)

    def _usual_rules(self) -> Rules:
        return Rules.preset("epaulettes")

    def _check_rules(self, rules: Rules) -> None:
        if not rules.epaulettes:
            raise RulesError(f"a match with epaulettes needs epaulettes=true, not {rules}")

    @property
    def ladder(self) -> tuple[str, ...]:
        """The ranks to hang, from the lowest of the deck to the ace (S000-12)."""
        return RANKS[lowest_rank(self.rules.deck, self.rules.suits) :]

    @property
    def hangs(self) -> tuple[Hang, ...]:
        """All hangs in the order in which they happened."""
        steps, hangs = [0] * self.players, []
        for deal in self.deals:
            seat = deal.outcome.hung
            if seat is not None:
                hangs.append(Hang(deal.number, seat, self.ladder[steps[seat]], deal.hung_cards))
                steps[seat] += 1
        return tuple(hangs)

    def _steps(self) -> list[int]:
        hung = [hang.seat for hang in self.hangs]
        return [hung.count(seat) for seat in range(self.players)]

    @property
    def levels(self) -> tuple[str, ...]:
        """The rank that each seat has to hang next; who has hung aces stays there."""
        return tuple(self.ladder[min(step, len(self.ladder) - 1)] for step in self._steps())

    def _deal_levels(self) -> tuple[str, ...]:
        hung = [deal.outcome.hung for deal in self._finished]
        return tuple(self.ladder[hung.count(seat)] for seat in range(self.players))

    @property
    def over(self) -> bool:
        """Whether aces are hung (S000-14, E111), or ``max_deals`` is reached."""
        return max(self._steps()) == len(self.ladder) or super().over

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """The higher level first; equal levels share a group."""
        steps = self._steps()
        return ranked(range(self.players), lambda seat: -steps[seat])
