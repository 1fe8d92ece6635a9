"""`TricksMatch`: Armenian 2 to a number of points (S002-25 ... S002-33, 4.2)."""

from __future__ import annotations

from typing import ClassVar

from durak_env.errors import RulesError
from durak_env.match.deals import Deal, ranked
from durak_env.match.plain import Match
from durak_env.rules import Rules


class TricksMatch(Match):
    """Deals of a game of tricks; the first to reach ``rules.target`` points wins (S002-33).

    Who won more tricks in a deal scores the difference, so at nine all nobody does (S002-32, E116).
    The deal alternates, and the dealer's opponent leads (S002-26, S002-28).

    >>> match = TricksMatch(seed=3)
    >>> match.points, match.rules.target
    ((0, 0), 21)
    """

    KIND: ClassVar[str] = "tricks"
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
            rules: rules with ``tricks=true``; the preset ``armenian_tricks`` if absent.
            seed: decides the first dealer and every deck. Random if absent.
            max_deals: after so many deals more points win; equal points are a draw.

        Raises:
            RulesError: no such rules, rules of another kind of match, or a limit less than 1.
            NotationError: the seed is negative or has more than 128 bits.
        """
        super().__init__(rules, seed=seed, max_deals=max_deals)

    def _usual_rules(self) -> Rules:
        return Rules.preset("armenian_tricks")

    def _check_rules(self, rules: Rules) -> None:
        if not rules.tricks:
            raise RulesError(f"a match for tricks needs tricks=true, not {rules}")

    @property
    def points(self) -> tuple[int, ...]:
        """The points of each seat."""
        scores = [deal_points(deal) for deal in self.deals]
        return tuple(sum(score[seat] for score in scores) for seat in range(self.players))

    @property
    def over(self) -> bool:
        """Whether a seat has reached the target, or ``max_deals`` is reached."""
        return max(self.points) >= self.rules.target or super().over

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """More points first; equal points share a group."""
        points = self.points
        return ranked(range(self.players), lambda seat: -points[seat])


def deal_points(deal: Deal) -> tuple[int, ...]:
    """What each seat scores in a deal: the difference to whoever has more tricks (S002-32)."""
    tricks = deal.outcome.tricks
    return tuple(max(0, 2 * won - sum(tricks)) for won in tricks)
