"""Faults and disputes of other programs (rules study, section 5): none of them is ours.

Reports that an edge-case or property test already guards are cited there:

- B1, B2, B36: test_edge_cases (E22, E23, P17); B3: test_edge_cases (E64)
- B6, B14: test_edge_cases (E16); B10, B17, B30: test_edge_cases (E12, E24, E25, E26)
- B4, B8, B11, B28, B31, B35: test_transfer_cases (E39, E44, E36, E48, E41)
- B9, B22: test_transfer_cases (P19, E49); B33: test_edge_cases (E70)
- B13: test_edge_cases (E1); B15: test_edge_cases (E10), test_game (deck refusals)
- B18: test_invariants (I11), test_game; B20: test_alignment (random options)
- B23: test_edge_cases (E75); B24: test_edge_cases (E57, E59, E60)
- B25: test_edge_cases and test_rules (E7); B29: test_edge_cases (E21, E32), test_cards (P4)
- B32: test_edge_cases (P14); B34: test_edge_cases (E5)

B7 and the rest have their tests here. B27 concerns the play of an agent, not the rules.
"""

from __future__ import annotations

import random

import pytest

from durak_env import Game, IllegalActionError, Rules
from durak_env.cards import full_deck
from durak_env.rules import OPTIONS
from tests.positions import first_bout, hand, legal, play, position


def everywhere(game: Game) -> list[str]:
    """Every card of the deal, wherever it lies."""
    cards = [card for seat in range(game.players) for card in game.hand(seat)]
    cards += [card for pair in game.table for card in pair if card is not None]
    return sorted(map(str, [*cards, *game.stock, *game.discard]))


@pytest.mark.parametrize(("held", "more"), [(3, 2), (2, 1), (1, 0)])
def test_b1_b2_additions_fit_the_hand(held: int, more: int) -> None:
    """B1, B2, B36: after the take no more cards than the taker can hold against."""
    cards = " ".join(["Qh", "Qc", "Qs"][:held])
    game = position(f"8s 8h 8c 8d Kc {'Ks' if held % 2 == 0 else ''} | {cards}", "lead_mode=single")
    play(game, "8s, take")
    assert (game.room if game.bout == 1 else 0) == more


@pytest.mark.parametrize("answer", ["take", "9s"])
def test_b3_a_deal_ends_after_both_kinds_of_bout(answer: str) -> None:
    """B3: the leader gave his last card; the other takes or beats it and is the durak."""
    game = play(position("8s | 9s Kh Kc"), f"8s, {answer}")
    assert game.outcome is not None
    assert game.outcome.durak == 1


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("rules", ["podkidnoy(players=3)", "plus(players=3,transfer=true)"])
def test_b4_nobody_throws_at_himself(rules: str, seed: int) -> None:
    """B4: with three seats the one asked to throw in is never the defender."""
    game, rng = Game(rules, seed=seed), random.Random(seed)
    while game.actor is not None:
        assert game.phase.name not in ("THROW", "ADD") or game.actor != game.defender
        game.play(rng.choice(game.legal_actions()))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("rules", ["podkidnoy", "perevodnoy", "american", "armenian", "site"])
def test_b5_only_covered_tables_are_discarded(rules: str, seed: int) -> None:
    """B5: the discard grows by pairs, each card on the table with its cover before."""
    game, rng = Game(rules, seed=seed), random.Random(seed)
    while game.actor is not None:
        before = len(game.discard)
        game.play(rng.choice(game.legal_actions()))
        assert (len(game.discard) - before) % 2 == 0


def test_b6_one_cover_for_each_card() -> None:
    """B6: two covers in a row lie on two attack cards."""
    game = play(position("8s 8c Kc | 9s 9c Jd"), "8s, 8c, 9s, 9c")
    assert (game.bout, hand(game, 1)) == (2, {"Jd"})


def test_b7_four_play_each_for_himself() -> None:
    """B7, P42: no teams follow from the number of players; the left neighbour but one throws in."""
    game = play(position("8s Kc | 9s Qh Qc | 8c Kh | 8h Ks Ac"), "8s, 9s")
    assert legal(game) == {"8c", "pass"}
    assert not any("team" in name for name in OPTIONS)


def test_b12_a_transfer_costs_the_card_that_one_holds() -> None:
    """B12, I1: the card leaves the hand, and a card that is not held cannot transfer."""
    game = play(position("8s Kc Ks | 8c Qh Qc", "transfer=true"), "8s")
    with pytest.raises(IllegalActionError):
        game.play("transfer 8h")
    play(game, "transfer 8c")
    assert hand(game, 1) == {"Qh", "Qc"}
    assert everywhere(game) == sorted(map(str, full_deck(36)))


def test_b16_leaving_ends_the_deal() -> None:
    """B16: who leaves is the durak; the deal is over at once and nothing is legal."""
    from durak_env.engine.batch import forfeit

    game = play(first_bout("8s 9s 10s Js Qs Ks | 8h 9h 10h Jh Qh Kh"), "8s")
    forfeit(game.rows, 0, 1)
    assert game.outcome is not None
    assert (game.outcome.durak, game.outcome.reason, game.actor) == (1, "forfeit", None)
    assert everywhere(game) == sorted(map(str, full_deck(36)))


@pytest.mark.parametrize("rules", ["podkidnoy", "plus", "site", "prostoy", "american"])
def test_b17_the_cap_holds_while_there_is_a_stock(rules: str) -> None:
    """B17: never more than six attack cards; in podkidnoy five before the first discard."""
    most = {"prostoy": 8, "podkidnoy": 5}.get(rules, 6)
    for seed in range(10):
        game, rng = Game(f"{rules}(hand_size=8)", seed=seed), random.Random(seed)
        while game.stock and game.actor is not None:
            if not game.discard and game.phase.name != "ADD":
                assert len(game.table) <= most
            assert len(game.table) <= max(most, 6)
            game.play(rng.choice(game.legal_actions()))


def test_b19_all_hands_empty_is_a_draw() -> None:
    """B19: no seat is left, and nobody is the durak."""
    game = play(position("9s | 10s"), "9s, 10s")
    assert game.outcome is not None
    assert (game.outcome.durak, game.outcome.reason) == (None, "draw")


@pytest.mark.parametrize("fallback", ["lot", "lowest_card"])
def test_b21_a_fair_lot(fallback: str) -> None:
    """B21, P29: without trumps both of two seats lead about as often."""
    rules = Rules(no_trump_fallback=fallback)
    hands = ["6s", "6c", "8s", "8c", "10s", "10c", "Qs", "Qc", "8h", "10h", "Qh", "7h"]
    rest = [str(card) for card in full_deck(36) if str(card) not in [*hands, "7d"]]
    rng, leads = random.Random(1), 0
    for _ in range(400):
        rng.shuffle(rest)
        leads += Game(rules, deck=" ".join([*hands, "7d", *rest])).leader
    assert 150 < leads < 250


def test_b26_one_fair_shuffle() -> None:
    """B26: every card is about as often the turned-up one, and the history has every action."""
    turned = [str(Game(seed=seed).trump_card) for seed in range(1800)]
    counts = [turned.count(str(card)) for card in full_deck(36)]
    assert min(counts) > 20
    assert max(counts) < 90
    game = play(position("8s Kc Ks | 8c Qh Qc", "transfer=true"), "8s, transfer 8c, take")
    assert [str(action) for action in game.history] == ["8s", "transfer 8c", "take"]
