"""A second, foreign oracle: the engine replayed move by move against the package ``durakgame``.

``durakgame`` plays podkidnoy for two with one attack card at a time. It needs one correction: cards
added after a take stay in the attacker's hand, so they are removed here. Where it knows only one
move (end a bout, add nothing) the engine asks nobody (7.4), so such moves are made for it.
"""

from __future__ import annotations

import itertools
import random

import pytest
from durakgame import gameutils, move, player, primitives
from durakgame.game import Game as ForeignGame

from durak_env import Game, Rules
from durak_env.cards import RANKS, Card, Suit
from durak_env.engine import Phase

RULES = Rules.preset(
    "podkidnoy",
    players=2,
    lead_mode="single",
    throw_order="priority",
    first_limit=None,
    cap=6,
    cap_when_stock_empty="same",
)

SUITS = {
    Suit.SPADES: primitives.Suit.Spade,
    Suit.CLUBS: primitives.Suit.Cross,
    Suit.HEARTS: primitives.Suit.Heart,
    Suit.DIAMONDS: primitives.Suit.Diamond,
}
VALUES = dict(zip(RANKS[4:], primitives.CardValue, strict=True))
SEATS = (primitives.Switch.First, primitives.Switch.Second)


def foreign(card: Card) -> primitives.Card:
    """The same card in ``durakgame``."""
    return primitives.Card(VALUES[RANKS[card.rank]], SUITS[card.suit])


OURS = {foreign(Card(rank, suit)): str(Card(rank, suit)) for rank in range(4, 13) for suit in Suit}
"""The notation of every card of ``durakgame``."""


def names(cards: list[primitives.Card]) -> set[str]:
    """The notation of these cards, each of which must be there once."""
    texts = {OURS[card] for card in cards}
    assert len(texts) == len(cards)
    return texts


class Pair:
    """One deal on both sides."""

    def __init__(self, seed: int) -> None:
        self.game = Game(RULES, seed=seed)
        deck = self.game.transcript().splitlines()[1].removeprefix("deck: ").split()
        self.hands = (player.Player(), player.Player())
        self.other = ForeignGame(
            [foreign(Card.parse(card)) for card in deck],
            *self.hands,
            config=gameutils.GameConfiguration(MaxTossBD=6),
        )
        self.other.turn = self.other.move = SEATS[self.game.leader]
        self.added: list[primitives.Card] = []

    def legal(self) -> dict[str, move.Move]:
        """The foreign moves by our notation; where it adds several cards at once, the next one."""
        if self.other.isFinished:
            return {}
        moves: dict[str, move.Move] = {}
        for option in self.other.generateOptions():
            match option:
                case move.OpeningMove() | move.AttackingMove() | move.DefensiveMove():
                    moves[OURS[option.card]] = option
                case move.ForfeitingMove():
                    moves["take"] = option
                case move.EndingMove():
                    moves["pass"] = option
                case move.FinishingMove(cards):
                    more = [card for card in cards if card not in self.added]
                    if len(cards) == len(self.added) + len(more) <= len(self.added) + 1:
                        moves[OURS[more[0]] if more else "pass"] = option
        return moves

    def play(self, text: str) -> None:
        """One action on both sides, and what the other side has no choice about."""
        self.game.play(text)
        self._process(self.legal()[text], last=text == "pass")
        while list(moves := self.legal()) == ["pass"]:
            self._process(moves["pass"], last=True)

    def _process(self, chosen: move.Move, *, last: bool) -> None:
        if not isinstance(chosen, move.FinishingMove):
            self.other.process(chosen)
        elif last:
            for card in self.added:  # the correction
                self.other.currentPlayer.hand.remove(card)
            self.other.process(move.FinishingMove(self.added))
            self.added = []
        else:
            self.added += [card for card in chosen.cards if card not in self.added]

    def compare(self) -> None:
        """Demand that both sides stand the same."""
        game, other = self.game, self.other
        assert {str(action) for action in game.legal_actions()} == set(self.legal())
        table = [(str(card), None if cover is None else str(cover)) for card, cover in game.table]
        attack = [OURS[card] for card in (*other.table.attack, *self.added)]
        cover = [OURS[card] for card in other.table.defense]
        assert table == list(itertools.zip_longest(attack, cover))
        assert [str(card) for card in game.stock] == [OURS[card] for card in other.deck]
        assert set(map(str, game.discard)) == names(list(other.discardPile))
        for seat, hand in enumerate(self.hands):
            held = [card for card in hand.hand if card not in self.added]
            assert set(map(str, game.hand(seat))) == names(held)
        if game.actor is not None:
            assert SEATS[game.actor] is other.move
        else:
            assert other.isFinished
            loser = {"Win": 1, "Loss": 0, "Draw": None}[other.result.name]
            assert game.outcome is not None
            assert game.outcome.durak == loser

    def play_out(self, rng: random.Random) -> int:
        """Play random legal actions to the end, comparing every state; the number of states."""
        self.compare()
        states = 1
        while self.game.phase is not Phase.OVER:
            self.play(str(rng.choice(self.game.legal_actions())))
            self.compare()
            states += 1
        return states


def compare_deals(block: int, states: int) -> int:
    """Compare whole deals until this many states are compared."""
    compared = 0
    for deal in itertools.count():
        compared += Pair(seed=1000 * block + deal).play_out(random.Random(f"{block} {deal}"))
        if compared >= states:
            return compared
    raise AssertionError("unreachable")


@pytest.mark.parametrize("block", range(4))
def test_durakgame_agrees(block: int) -> None:
    assert compare_deals(block, 25_000) >= 25_000


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4, 12))
def test_durakgame_agrees_for_long(block: int) -> None:
    assert compare_deals(block, 100_000) >= 100_000


def test_a_wrong_foreign_card_is_noticed() -> None:
    pair = Pair(seed=1)
    pair.hands[0].hand[0], pair.other.deck[0] = pair.other.deck[0], pair.hands[0].hand[0]
    with pytest.raises(AssertionError):
        pair.compare()
