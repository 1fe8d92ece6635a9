"""Rules that some tables agree on: what each of them changes, position by position.

P4 (rank order), P19f (transfers in a row), P23 (the trump card when all are dealt), P24 (a joker
turned up) and E109 (hanging by a throw-in). Every value of these options is also replayed against
the oracle.
"""

from __future__ import annotations

import pytest

from durak_env import Game, Rules
from durak_env.cards import JOKER_RANK, Card, full_deck
from durak_env.opponents import resolve
from tests.positions import first_bout, known, legal, play

# --- P4 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "attack", "cover", "beats"),
    [
        ("plain", "As", "6s", False),
        ("lowest_beats_ace", "As", "6s", True),
        ("lowest_beats_ace", "As", "7s", False),
        ("lowest_beats_ace", "As", "6c", False),
        ("lowest_beats_ace", "Ks", "6s", False),
        ("lowest_beats_ace", "6s", "As", True),
        ("lowest_beats_ace", "Ad", "6d", True),
        ("lowest_trump_beats_ace", "As", "6s", False),
        ("lowest_trump_beats_ace", "Ad", "6d", True),
        ("lowest_trump_beats_ace", "6d", "Ad", True),
        ("plain", "Ad", "6d", False),
    ],
)
def test_p4_the_lowest_card_beats_the_ace(order: str, attack: str, cover: str, beats: bool) -> None:
    """P4: of its own suit only, and the ace beats it as well."""
    game = Game.from_position(
        f"rules: podkidnoy(rank_order={order}); trump: 9d; hands: {attack} 8h | {cover} 7h 7c"
    )
    assert (cover in legal(play(game, attack))) == beats


def test_p4_the_deck_decides_which_card_is_the_lowest() -> None:
    game = Game.from_position(
        "rules: podkidnoy(deck=24,rank_order=lowest_beats_ace); trump: 10d; hands: As Kh | 9s 10s"
    )
    assert legal(play(game, "As")) == {"9s", "take"}


# --- P19f ---------------------------------------------------------------------------------------

TRANSFERS = "7s 8h 9h 10s 10d | 7c 10h Jh | 7h Qh Kh 10c | 7d Ah As Ac"
"""Four seats that each hold a seven."""


@pytest.mark.parametrize(("limit", "transfers"), [("none", 3), (1, 1), (2, 2), (3, 3)])
def test_p19f_a_chain_of_transfers_ends(limit: object, transfers: int) -> None:
    """P19f: after so many transfers in one bout the defender must beat or take."""
    game = first_bout(TRANSFERS, f"transfer=true,transfer_chain={limit}")
    play(game, "7s")
    done = 0
    while any(action.startswith("transfer") for action in legal(game)):
        play(game, next(action for action in legal(game) if action.startswith("transfer")))
        done += 1
    assert done == transfers


def test_p19f_the_next_bout_counts_anew() -> None:
    game = first_bout(TRANSFERS, "transfer=true,transfer_chain=1")
    play(game, "7s, transfer 7c, take")
    while game.bout == 1:
        play(game, "pass")
    assert game.leader == 3
    play(game, "As")
    assert game.row["transfers"] == 0
    assert Game.from_position(game.position()) == game


def test_p19f_shown_trumps_count() -> None:
    """P19f, P20: a transfer by showing is a transfer."""
    hands = "7s 8h 9h | 7d 10h Jh | 7h Qh Kh"
    rules = "transfer=true,show_transfer=true,transfer_chain=1"
    game = play(first_bout(hands, rules), "7s, show 7d")
    assert legal(game) == {"take"}
    longer = play(first_bout(hands, rules.replace("=1", "=2")), "7s, show 7d")
    assert legal(longer) == {"transfer 7h", "take"}


# --- P23 ----------------------------------------------------------------------------------------


def dealt_out(seed: int, rules: str = "podkidnoy(players=6,trump_when_dealt_out=exposed)") -> Game:
    """Six players and 36 cards: nothing is left for a stock."""
    return Game(rules, seed=seed)


@pytest.mark.parametrize("seed", range(20))
def test_p23_the_dealer_shows_a_card(seed: int) -> None:
    """P23, E1: it is one of the dealer's, stays there, and all know it."""
    game = dealt_out(seed)
    assert game.trump_card is not None
    assert str(game.trump_card) in known(game, 5)
    assert game.trump == game.trump_card.suit
    deck = game.transcript().splitlines()[1].removeprefix("deck: ")
    assert Game(game.rules, deck=deck) == game


def test_p23_which_card_is_a_lot() -> None:
    """P23: sooner or later each of the dealer's six, as the deck has it."""
    places = set()
    for seed in range(60):
        game = dealt_out(seed)
        deck = game.transcript().splitlines()[1].removeprefix("deck: ").split()
        places.add(deck.index(str(game.trump_card)) // 6)
    assert places == set(range(6))


def test_p23_with_a_stock_nothing_changes() -> None:
    usual, other = (
        Game(Rules.preset("podkidnoy", trump_when_dealt_out=value), seed=5)
        for value in ("last_dealt", "exposed")
    )
    assert usual.trump_card == other.trump_card == usual.stock[-1]


def test_p23_the_dealer_never_shows_a_joker() -> None:
    for seed in range(60):
        game = dealt_out(seed, "jokers(players=6,hand_size=9,trump_when_dealt_out=exposed)")
        assert game.trump_card is not None
        assert game.trump_card.rank < JOKER_RANK


# --- P24 ----------------------------------------------------------------------------------------


NO_ACES = "2s 3c 4h 5d 6s 7c|8h 9d 10s Jc Qh Kd"


def joker_turned_up(joker: str, option: str, hands: str = NO_ACES) -> Game:
    """A deal for two in which this joker is the card turned up."""
    rows = [hand.split() for hand in hands.split("|")]
    front = [hand[turn] for turn in range(6) for hand in rows] + [joker]
    deck = [Card.parse(text) for text in front]
    deck += [card for card in full_deck(54) if card not in deck]
    return Game(Rules.preset("jokers", joker_turned_up=option), deck=deck)


@pytest.mark.parametrize("joker", ["*r", "*b"])
def test_p24_a_deal_without_trumps(joker: str) -> None:
    """P24, E97: the joker lies under the stock and no suit is trump."""
    game = joker_turned_up(joker, "no_trump")
    assert game.trump is None
    assert str(game.trump_card) == str(game.stock[-1]) == joker
    assert str(game.announced) == "2s"
    usual = joker_turned_up(joker, "reveal_next")
    assert usual.trump is not None
    assert str(usual.stock[-1]) == str(usual.trump_card) != joker


def no_trump(hands: str) -> Game:
    """A position without trumps: the red joker is the trump card."""
    return Game.from_position(
        f"rules: jokers(joker_turned_up=no_trump); trump: *r; hands: {hands}; phase: lead"
    )


@pytest.mark.parametrize(
    ("attack", "covers"),
    [
        ("7s", {"8s", "*b"}),
        ("7c", {"*b"}),
        ("7h", {"8h", "*r"}),
        ("7d", {"*r"}),
        ("Ac", {"*b"}),
    ],
)
def test_p24_both_jokers_are_plain(attack: str, covers: set[str]) -> None:
    """P24, P6: each joker beats its colour and nothing else does but a higher card of the suit."""
    game = play(no_trump(f"{attack} 2c | 8s 8h *r *b 6c"), attack)
    assert legal(game) - {"pass", "take"} == covers


def test_p24_no_joker_beats_another() -> None:
    for attack, other in (("*r", "*b"), ("*b", "*r")):
        game = play(no_trump(f"{attack} 2c | {other} Ac Ah As"), attack)
        assert legal(game) == {"take"}


def test_p24_nothing_can_be_shown() -> None:
    """P20: only trumps are shown."""
    game = Game.from_position(
        "rules: jokers(joker_turned_up=no_trump,transfer=true,show_transfer=true); trump: *r;"
        "hands: 7s 8s | 7h 7d 9h; phase: lead"
    )
    play(game, "7s")
    assert not any(action.startswith("show") for action in legal(game))


def test_p24_the_lowest_card_leads() -> None:
    """P28, P29: nobody has a trump, as there is none."""
    game = joker_turned_up("*b", "no_trump", "As 3c 4h 5d 6s 7c|8h 9d 10s Jc 2h Kd")
    assert (str(game.announced), game.leader) == ("2h", 1)


def test_p24_opponents_play_without_trumps() -> None:
    """No card is spared as a trump: the two of suit 0 is led before a three."""
    game = no_trump("2h 3s | 8s 8h 9h")
    greedy = resolve("greedy", game.rules)
    action = greedy.act(game.view(0).record, game.rows["legal_cards"].copy())[0]
    assert str(next(one for one in game.legal_actions() if one.id == action)) == "2h"


# --- E109 ---------------------------------------------------------------------------------------


def hanging(hands: str, options: str = "hang_by_throw_in=true", levels: str = "6 9") -> Game:
    """Epaulettes on the last cards, trump diamonds."""
    return Game.from_position(
        f"rules: epaulettes({options}); trump: 8d; hands: {hands}; levels: {levels}; bout: 9"
    )


def outcome(game: Game) -> tuple[int | None, int | None]:
    """The durak and the seat that hung epaulettes."""
    assert game.outcome is not None
    return game.outcome.durak, game.outcome.hung


def test_e109_sixes_are_thrown_in() -> None:
    """E109, option: both sixes, one after the other, and nothing else."""
    game = play(hanging("Kh 6s 6c | 6d As Ac"), "Kh, 6d")
    assert legal(game) == {"6s", "6c", "pass"}
    play(game, "6s")
    assert legal(game) == {"6c"}
    assert outcome(play(game, "6c, take")) == (1, 0)


def test_e109_beaten_by_who_keeps_a_card() -> None:
    """E100: beaten, but the defender still has cards."""
    game = play(hanging("Kh 6s 6c | 6d As Ac 10h"), "Kh, 6d, 6s, 6c, As, Ac")
    assert outcome(game) == (1, 0)


def test_e109_beaten_with_the_last_cards() -> None:
    """S000-8: nobody is the durak and nothing is hung."""
    assert outcome(play(hanging("Kh 6s 6c | 6d As Ac"), "Kh, 6d, 6s, 6c, As, Ac")) == (None, None)


@pytest.mark.parametrize(
    "hands",
    [
        "Kh 6s | 6d As Ac",  # a single card never hangs (S000-6)
        "Kh 6s 6c 7c | 6d As Ac 10h",  # it is not the whole hand (S000-5)
        "Kh 6s 6c 6h | 6d As Ac",  # the defender holds two cards (H5)
    ],
)
def test_e109_no_hang(hands: str) -> None:
    """E109: what is no hang may not be thrown in either, so the bout is over."""
    game = play(hanging(hands), "Kh, 6d")
    assert (game.bout, game.leader) == (10, 1)


def test_e109_the_exempt_trump_commits_to_nothing() -> None:
    """S000-23, 7.18: after the trump king the other one may stay in the hand."""
    game = play(hanging("6h Kd Ks | Kh Ah As 10c", levels="K 9"), "6h, Kh")
    assert legal(game) == {"Kd", "Ks", "pass"}
    assert legal(play(game, "Kd")) == {"Ks", "pass"}
    play(game, "pass, take")
    assert (game.outcome, game.bout, game.leader) == (None, 10, 0)


def test_e109_not_while_the_defender_takes() -> None:
    """E109: what is added to a take is no hang."""
    game = play(hanging("Kh 6s 6c | Qd 6d As Ac"), "Kh, take")
    assert (game.bout, game.leader) == (10, 0)
