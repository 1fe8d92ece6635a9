"""Random legal play under random options, with the invariants of 6.1 checked after each action."""

from __future__ import annotations

import random
from typing import Any

import pytest

from .model import CHOICES, SWITCHES, Oracle, full_deck, is_joker, rank_of

NUMBERS: dict[str, tuple[int | None, ...]] = {
    "first_limit": (None, 1, 3, 5),
    "first_cap_on_take": (4, 5, 6),
    "cap": (None, 3, 5, 6),
    "repetition": (None, 2, 3),
}
DECKS = [(24, 4), (32, 4), (36, 4), (40, 4), (52, 4), (54, 4), (8, 2), (26, 2), (27, 3), (39, 3)]
MOST_ACTIONS = 3000


# ----------------------------------------------------------------------------- random deals


def random_options(rng: random.Random, game: str) -> dict[str, Any]:
    """Any combination of options whose cards suffice."""
    options: dict[str, Any] = {name: rng.choice(values) for name, values in CHOICES.items()}
    options |= {name: rng.choice(values) for name, values in NUMBERS.items()}
    options |= {name: rng.random() < 0.5 for name in SWITCHES}
    options["add_after_take"] = rng.random() < 0.7
    options["ask_everyone"] = rng.random() < 0.3
    options["deck"], options["suits"] = rng.choice(DECKS)
    options["hand_size"] = rng.choice([1, 2, 4, 5, 6, 6, 6])
    options["hand_size"] = min(options["hand_size"], options["deck"] // 2)
    most = min(8, options["deck"] // options["hand_size"])
    options["players"] = rng.randint(2, most)
    options["epaulettes"] = game == "epaulettes"
    if game == "podkidnoy":
        options |= {"transfer": False, "self_throw": "none", "stock_lead": False}
    elif game == "epaulettes":
        options |= {"transfer": False, "players": 2, "deck": 36, "suits": 4, "hand_size": 6}
    options["show_transfer"] = options["show_transfer"] and options["transfer"]
    return options


def random_levels(options: dict[str, Any], rng: random.Random) -> list[str] | None:
    if not options["epaulettes"]:
        return None
    ranks = sorted({rank_of(card) for card in full_deck(options["deck"])})
    return [rng.choice(ranks), rng.choice(ranks)]


def new_deal(options: dict[str, Any], rng: random.Random) -> Oracle:
    """A shuffled deal; where a lot decides the first lead it is drawn here."""
    deck = full_deck(options["deck"], options["suits"])
    rng.shuffle(deck)
    leader = rng.randrange(options["players"])
    dealers = deck[options["players"] - 1 :: options["players"]][: options["hand_size"]]
    given: dict[str, Any] = {
        "levels": random_levels(options, rng),
        "exposed": rng.choice([card for card in dealers if not is_joker(card)] or [None]),
    }
    allowed = Oracle(options, deck, leader=leader, **given).possible_leaders
    return Oracle(options, deck, leader=rng.choice(sorted(allowed)), by_rule=True, **given)


# ------------------------------------------------------------------------------- invariants


def table_cards(oracle: Oracle) -> list[str]:
    return [card for pair in oracle.table for card in pair if card is not None]


def unbeaten(oracle: Oracle) -> int:
    return sum(cover is None for _, cover in oracle.table)


def check_position(oracle: Oracle) -> None:
    """I1, I2, I14, and I7, I11 along with them."""
    hands = [card for hand in oracle.hands for card in hand]
    everything = [*oracle.stock, *hands, *table_cards(oracle), *oracle.discard]
    assert sorted(everything) == sorted(full_deck(oracle.options.deck, oracle.options.suits))
    assert len(oracle.discard) % 2 == 0
    assert all(known <= hand for known, hand in zip(oracle.known, oracle.hands, strict=True))
    assert (oracle.actor is None) == (oracle.phase == "over") == (not oracle.legal())
    check_stock(oracle)
    check_actor(oracle)
    check_limits(oracle)


def check_stock(oracle: Oracle) -> None:
    """I14: the trump card is the last one; known cards lie where they are said to lie."""
    places = zip(oracle.stock, oracle.stock_known, strict=True)
    assert all(known in (None, card) for card, known in places)
    if oracle.stock and not all(is_joker(card) for card in oracle.stock):
        assert oracle.stock[-1] == oracle.stock_known[-1] == oracle.trump_card
    assert oracle.peek in (None, *oracle.stock[:1])


def check_actor(oracle: Oracle) -> None:
    """I8: the defender never throws in, except at himself."""
    if oracle.actor is None:
        return
    assert oracle.is_live(oracle.actor) or oracle.legal() == {"take"}
    assert oracle.attacker != oracle.defender
    if oracle.phase == "defend":
        assert oracle.actor == oracle.defender
    elif oracle.actor == oracle.defender:
        assert oracle.phase == "throw"
        assert oracle.options.self_throw != "none"
        assert unbeaten(oracle) == 0
        assert all(text == "pass" or text.startswith("self ") for text in oracle.legal())


def check_limits(oracle: Oracle) -> None:
    """I4; a transfer or hang that ignores the hand may lay more than can be covered."""
    options = oracle.options
    if oracle.actor is None or options.transfer_hand == "unrestricted":
        return
    held = len(oracle.hands[oracle.defender])
    if not options.hang_ignores_hand_cap:
        assert unbeaten(oracle) <= held
    if options.self_throw == "none":
        assert oracle.n0 - len(oracle.table) == held - unbeaten(oracle)


def check_transfer(oracle: Oracle, action: str) -> None:
    """I9, before the action: one rank, nothing covered, at most all cards of the rank."""
    word, _, card = action.rpartition(" ")
    if word not in ("transfer", "show"):
        return
    ranks = {rank_of(attack) for attack, _ in oracle.table}
    assert ranks == {rank_of(card)}
    assert unbeaten(oracle) == len(oracle.table)
    most = 2 if is_joker(card) else oracle.options.suits
    assert len(oracle.table) + (word == "transfer") <= most


def check_bout_start(oracle: Oracle) -> None:
    """I3: with a stock every hand is full."""
    assert oracle.attacker == oracle.leader
    if oracle.stock:
        assert min(len(hand) for hand in oracle.hands) >= oracle.options.hand_size


def check_end(oracle: Oracle) -> None:
    """I6: nobody or one is left; the durak is last in the places."""
    holders = [seat for seat, hand in enumerate(oracle.hands) if hand]
    if oracle.reason in ("repetition", "no_progress", "dead_lead"):
        assert (oracle.durak, oracle.hung) == (None, None)
        assert sorted([*holders, *oracle.places]) == list(oracle.seats)
        return
    assert sorted(oracle.places) == list(oracle.seats)
    if oracle.reason == "durak":
        assert holders == [oracle.durak]
    else:
        assert holders == []
        assert (oracle.reason == "draw") == (oracle.options.draw_policy == "draw")
    if oracle.reason != "draw":
        assert oracle.places[-1] == oracle.durak
    check_hung(oracle)


def check_hung(oracle: Oracle) -> None:
    """H8: the leader of the last bout hung a set of his level on a durak with cards."""
    if oracle.hung is None:
        assert not (oracle.hang and oracle.reason == "durak")
        return
    assert oracle.hang
    assert oracle.hung == oracle.leader == 1 - (oracle.durak or 0)


# ------------------------------------------------------------------------------ random play


def play_at_random(oracle: Oracle, rng: random.Random) -> None:
    """Random legal play to the end, with all checks after every action."""
    check_bout_start(oracle)
    check_position(oracle)
    for _ in range(MOST_ACTIONS):
        if oracle.reason is not None:
            check_end(oracle)
            return
        action = rng.choice(sorted(oracle.legal()))
        check_transfer(oracle, action)
        play_and_check(oracle, action)


def play_and_check(oracle: Oracle, action: str) -> None:
    """One action; if it ended the bout with a take, the taker drew nothing (I5)."""
    bout, defender, discarded = oracle.bout, oracle.defender, len(oracle.discard)
    had_stock = bool(oracle.stock)
    taken = len(table_cards(oracle)) + len(oracle.hands[defender])
    taken += oracle.phase == "add" and action != "pass"
    oracle.play(action)
    check_position(oracle)
    if oracle.bout == bout:
        return
    check_bout_start(oracle)
    if had_stock and len(oracle.discard) == discarded:
        assert len(oracle.hands[defender]) == taken


@pytest.mark.parametrize("game", ["podkidnoy", "all", "epaulettes"])
@pytest.mark.parametrize("seed", range(300))
def test_random_play(game: str, seed: int) -> None:
    """I1..I9 and I14 over random option sets."""
    rng = random.Random(f"{game} {seed}")
    play_at_random(new_deal(random_options(rng, game), rng), rng)
