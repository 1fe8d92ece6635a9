"""`Match`: a series of deals under one `Rules` that can be saved."""

from __future__ import annotations

from typing import ClassVar, Self

from durak_env.errors import IllegalActionError, NotationError, RulesError
from durak_env.game import Game
from durak_env.match.deals import MAX_SEED, actions_of, ranked
from durak_env.match.options import check_limit
from durak_env.match.series import Series
from durak_env.match.text import (
    MAX_COUNT,
    compare_check,
    format_saved,
    parse_saved,
    read_actions,
    read_count,
    read_number,
    replay,
    required,
)
from durak_env.rules import Rules


class Match(Series):
    """A series of deals under one `Rules`; the fewest losses win.

    >>> match = Match("podkidnoy(players=4)", seed=5, max_deals=10)
    >>> match.number, match.dealer, match.actor, match.over
    (1, 0, 2, False)
    """

    KIND: ClassVar[str] = "deals"
    """What the first line of its text calls this kind of match."""

    LIMITS: ClassVar[tuple[str, ...]] = ("max_deals", "target_losses")
    """The keywords that may end it."""

    def __init__(
        self,
        rules: Rules | str | None = None,
        *,
        seed: int | None = None,
        max_deals: int | None = None,
        target_losses: int | None = None,
    ) -> None:
        """Begin a match.

        Args:
            rules: a `Rules`, its text or a preset's name; podkidnoy for two players if absent.
            seed: decides the first dealer and every deck. Random if absent.
            max_deals: the match is over after so many deals.
            target_losses: the match is over once a seat has lost so often.

        Raises:
            RulesError: no such rules, rules of another kind of match, or a limit less than 1.
            NotationError: the seed is negative or has more than 128 bits.
        """
        self.max_deals = check_limit("max_deals", max_deals)
        self.target_losses = check_limit("target_losses", target_losses)
        self._left: list[int] = []
        value = Rules.parse(rules) if isinstance(rules, str) else rules or self._usual_rules()
        self._check_rules(value)
        super().__init__(value, seed)

    def _usual_rules(self) -> Rules:
        return Rules()

    def _check_rules(self, rules: Rules) -> None:
        if rules.epaulettes:
            raise RulesError("epaulettes=true is another kind of match: EpaulettesMatch")
        if rules.tricks:
            raise RulesError("tricks=true is another kind of match: TricksMatch")

    @property
    def over(self) -> bool:
        """Whether ``max_deals`` or ``target_losses`` is reached; never without them."""
        deals, target = self.deals, self.target_losses
        return (self.max_deals is not None and len(deals) >= self.max_deals) or (
            target is not None and max(self.standings.losses) >= target
        )

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """Fewest losses first; then more first places, more second places, and so on."""
        standings = self.standings

        def key(seat: int) -> tuple[int, ...]:
            return (standings.losses[seat], *(-count for count in standings.places[seat]))

        return ranked(range(self.players), key)

    def next_deal(self, *, durak_left: bool = False) -> Game:
        """Deal again and return the game; see `Series.next_deal`."""
        number = self.number
        game = super().next_deal(durak_left=durak_left)
        if durak_left:
            self._left.append(number)
        return game

    # --- text -------------------------------------------------------------------------------

    def to_text(self) -> str:
        """The match as text, at any moment. `from_text` replays it exactly (S000-20)."""
        return format_saved(self._fields())

    def _fields(self) -> dict[str, str]:
        fields = {"match": self.KIND, "rules": str(self.rules), "seed": str(self.seed)}
        for key in self.LIMITS:
            if getattr(self, key) is not None:
                fields[key] = str(getattr(self, key))
        if self._left:
            fields["left"] = " ".join(map(str, self._left))
        transcripts = [deal.transcript for deal in self._finished] + [self._game.transcript()]
        for number, transcript in enumerate(transcripts, start=1):
            fields[f"deal {number}"] = actions_of(transcript)
        return fields

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Replay a text of `to_text`, to the same moment.

        Raises:
            NotationError: the text is no match of this kind, was altered or cut short.
            IllegalActionError: an action or a deal in it is not legal; the message says which.
        """
        known = ("match", "rules", "seed", *cls.LIMITS, "left")
        fields, deals = parse_saved(text, known, r"deal \d+")
        kind = required(fields, "match")
        if kind != cls.KIND:
            raise NotationError(f"match: {kind!r} is not accepted; it takes {cls.KIND!r} here")
        match = cls._from_fields(fields)
        match._replay(deals, fields.get("left", "").split())
        compare_check(fields["check"], match._fields())
        return match

    @classmethod
    def _from_fields(cls, fields: dict[str, str]) -> Self:
        """The match before its first action."""
        limits = {
            key: limit for key in cls.LIMITS if (limit := read_count(fields, key, 1)) is not None
        }
        try:
            rules = Rules.parse(required(fields, "rules"))
            return cls(rules, seed=read_number(fields, "seed", 0, MAX_SEED), **limits)
        except RulesError as error:
            raise NotationError(f"rules: {error}") from None

    def _replay(self, deals: dict[str, str], left: list[str]) -> None:
        if not deals:
            raise NotationError("deal 1 is missing")
        after = {read_number({"left": text}, "left", 1, MAX_COUNT) for text in left}
        if after and max(after) >= len(deals):
            raise NotationError(f"left: no deal follows deal {max(after)}")
        for number, (key, actions) in enumerate(deals.items(), start=1):
            if key != f"deal {number}":
                raise NotationError(f"{key!r} stands where 'deal {number}' is due")
            if number > 1:
                self._go_on(key, durak_left=number - 1 in after)
            replay(key, self._game, read_actions(actions))

    def _go_on(self, key: str, *, durak_left: bool) -> None:
        try:
            self.next_deal(durak_left=durak_left)
        except IllegalActionError as error:
            raise IllegalActionError(f"{key}: {error}") from None

    def __eq__(self, other: object) -> bool:
        """Whether two matches are the same to the last action."""
        if not isinstance(other, Match):
            return NotImplemented
        return self.to_text() == other.to_text()

    def __hash__(self) -> int:
        return hash(self.to_text())
