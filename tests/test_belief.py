"""Worlds of a view: they look the same, they are all that there are, and all are equally likely."""

from __future__ import annotations

import itertools
import random
from collections import Counter, defaultdict

import numpy as np
import pytest

from durak_env import Game, Rules, belief
from durak_env.cards import full_deck
from durak_env.codes import deck_code
from durak_env.engine import Rows, action_id, apply_many, deal_given, new_rows
from durak_env.errors import BeliefError
from durak_env.rules import PRESETS
from durak_env.view import VIEW, legal_codes, observe_many
from tests.alignment import random_levels, random_rules
from tests.positions import first_bout, play

TABLES = [
    (name, players)
    for name, preset in PRESETS.items()
    for players in range(preset.players[0], preset.players[1] + 1)
]
"""Every preset with every number of players."""


def played(rules: Rules, seed: int) -> list[Game]:
    """Moments of a deal of random actions, its end among them."""
    rng = random.Random(seed)
    game = Game(rules, seed=seed, levels=random_levels(rules, seed))
    moments = []
    while game.actor is not None:
        if rng.random() < 0.3:
            moments.append(game.copy())
        game.play(rng.choice(game.legal_actions()))
    return [*moments, game]


def check_worlds(game: Game, seed: int) -> int:
    """Every seat's worlds look to it as the game does; returns how many were looked at."""
    for seat in range(game.players):
        view = game.view(seat)
        for row in belief.worlds(view.record, 2, seed)[0]:
            world = Game.of_rows(game.rules, row.reshape(1))
            assert world.view(seat).record.tobytes() == view.record.tobytes(), game.position()
    return 2 * game.players


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_world_looks_like_the_game(name: str, players: int) -> None:
    """Byte for byte, for every seat, asked or not, to the end of the deal."""
    rules = Rules.preset(name, players=players)
    looked_at = sum(check_worlds(game, 7) for seed in range(2) for game in played(rules, seed))
    assert looked_at > 20 * players


def test_a_world_looks_like_the_game_under_any_rules() -> None:
    """The same for random options."""
    rng = random.Random(5)
    looked_at = 0
    for seed in range(120):
        rules = random_rules(rng)
        looked_at += sum(check_worlds(game, seed) for game in played(rules, seed))
    assert looked_at > 15_000


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_world_is_played_to_its_end(name: str, players: int) -> None:
    """By the same rules, with every card once."""
    rng = random.Random(3)
    rules = Rules.preset(name, players=players)
    for moment in played(rules, 11)[::4]:
        world = belief.determinize(moment.view(rng.randrange(players)), 5)
        assert world.legal_actions() or world.outcome
        while world.actor is not None:
            world.play(rng.choice(world.legal_actions()))
        places = [*world.stock, *world.discard, *(card for pair in world.table for card in pair)]
        for seat in range(players):
            places += [
                *world.hand(seat),
                *(card for pair in world.row_cards(seat) for card in pair),
            ]
        cards = {card for card in places if card is not None}
        assert cards == set(full_deck(rules.deck, rules.suits))


def test_the_seed_is_the_only_chance() -> None:
    """Same view and seed, same bytes; other seeds, other worlds."""
    view = Game(Rules(players=4), seed=2).view(1)
    drawn = belief.worlds(view.record, 5, 9)
    assert drawn.tobytes() == belief.worlds(view.record, 5, 9).tobytes()
    assert drawn.shape == (1, 5)
    assert len({row.tobytes() for row in drawn[0]}) == 5
    assert belief.determinize(view, 9).position() == belief.determinize(view, 9).position()
    assert belief.determinize(view, 9).position() != belief.determinize(view, 8).position()
    assert belief.worlds(view.record, 0, 9).shape == (1, 0)


def test_what_cannot_be_drawn() -> None:
    """One sentence for a negative number, and for a view that no game leads to."""
    view = Game(seed=2).view(1)
    with pytest.raises(BeliefError, match="count=-1, seed=0: both are 0 or more"):
        belief.worlds(view.record, -1, 0)
    with pytest.raises(BeliefError, match="seed=-2"):
        belief.determinize(view, -2)
    view.record[0]["hand_sizes"][0] += 1
    with pytest.raises(BeliefError, match="view 0 has no world"):
        belief.determinize(view, 0)


# --- what a view says -------------------------------------------------------------------------


def hands_of(game: Game, seat: int, other: int, count: int = 200) -> list[set[str]]:
    """The hands that another seat has in worlds of a seat's view."""
    rows = belief.worlds(game.view(seat).record, count, 1)[0]
    return [set(map(str, game.codes.cards(int(row["hands"][other])))) for row in rows]


def test_a_lower_trump_was_not_dealt() -> None:
    """E3, P28: the announced trump is the lowest that was dealt, and its holder has it."""
    for seed in range(40):
        game = Game(Rules(players=3), seed=seed)
        assert game.announced is not None
        trumps = game.codes.cards(0x1FF)
        lower = set(map(str, trumps[: trumps.index(game.announced)]))
        leader = game.leader
        for seat in range(3):
            for other in {0, 1, 2} - {seat}:
                hands = hands_of(game, seat, other, 20)
                assert not any(hand & lower for hand in hands)
                assert all(str(game.announced) in hand for hand in hands) == (other == leader)


def test_who_was_passed_over_has_nothing_that_fits() -> None:
    """7.4: seat 2 was not asked to throw in an 8 or a 9, so it has none; seat 0 passed, and has."""
    rules = "podkidnoy(players=4,throw_order=priority)"
    game = play(
        Game.from_position(
            f"rules: {rules}\nhands: 8s 9c 6h 10c Jc Qh | 9s 6c 10s Qc Kc Ac | 7s 7c 7d Jh Js Jd"
            "| 8c 6s 10h Qd Kd Ad\ntrump: 6d\nstock: ? ? ? ? ? ? ? ? ? ? ? 6d"
        ),
        "8s, 9s, pass",
    )
    assert game.actor == 3
    for hand in hands_of(game, 3, 2):
        assert not hand & {"8h", "8d", "9h", "9d", "9c"}
    assert all(hand & {"8h", "8d", "9h", "9d", "9c"} for hand in hands_of(game, 3, 0))


def test_the_top_of_the_stock_that_the_leader_may_look_at() -> None:
    """P22a: it lies on top in all worlds of the leader, and only there."""
    game = first_bout(
        "7s 9c 6h 8d 10h Kd | 8s 9h Jh Qc Kc Ac", "stock_lead=true,stock_lead_peek=true"
    )
    mine = belief.worlds(game.view(0).record, 50, 1)[0]
    others = belief.worlds(game.view(1).record, 50, 1)[0]
    top = {int(row["stock"][row["stock_next"]]) for row in mine}
    assert top == {int(game.view(0).record[0]["peek"])}
    assert len({int(row["stock"][row["stock_next"]]) for row in others}) > 10


def test_turned_up_jokers_lie_above_the_trump() -> None:
    """P24: everybody saw where they went."""
    found = 0
    for seed in range(150):
        game = Game(Rules.preset("jokers", players=3), seed=seed)
        turned_up = [int(code) for code in game.row["revealed"] if code >= 0]
        rows = belief.worlds(game.view(0).record, 5, seed)[0] if turned_up else []
        for row in rows:
            end = int(row["stock_end"])
            bottom = row["stock"][end - 1 - len(turned_up) : end].tolist()
            assert bottom == [*turned_up, int(game.row["trump_card"])]
        found += bool(turned_up)
    assert found > 3


def test_a_repetition_is_counted_from_the_view_on() -> None:
    """P34: the count of the present position goes on from what the view says."""
    hands = "6s 7s 8s | 6c 7c 9c"
    game = Game.from_position(f"rules: podkidnoy\nhands: {hands}\ntrump: 6d\nbout: 9\nquiet: 1")
    game.row["occurrences"] = 2
    world = belief.determinize(game.view(0), 1)
    assert int(world.row["seen_count"]) == 2
    assert int(world.row["occurrences"]) == 2
    assert world.hand(1) == game.hand(1)


# --- all worlds, equally likely ---------------------------------------------------------------


def world_of(row: np.void) -> bytes:
    """Where all hidden cards lie."""
    stock = row["stock"][row["stock_next"] : row["stock_end"]]
    down: bytes = row["down"].tobytes()
    return row["hands"].tobytes() + stock.tobytes() + down


def different(rows: Rows) -> Rows:
    """One of every row that differs in what everybody sees, in hidden places or in the past."""
    firsts = {
        row["public"].tobytes() + world_of(row) + row["seen"].tobytes(): k
        for k, row in enumerate(rows)
    }
    return rows[list(firsts.values())]


def all_deals(rules: Rules) -> Rows:
    """The deal of every order of the deck."""
    codes = [deck_code(card, rules) for card in full_deck(rules.deck, rules.suits)]
    decks = list(itertools.permutations(codes))
    rows = new_rows(rules, len(decks))
    rows["stock"][:, : rules.deck] = decks
    for i in range(len(rows)):
        deal_given(rows, i, -1)
    return different(rows)


def successors(rows: Rows) -> Rows:
    """Every row after each of its legal actions."""
    going = [k for k in range(len(rows)) if rows[k]["actor"] >= 0]
    moves = [
        (k, int(action_id(rows, k, code))) for k in going for code in legal_codes(rows[k : k + 1])
    ]
    after = rows[[k for k, _ in moves]].copy()
    illegal = np.empty(len(after), dtype=np.bool_)
    apply_many(after, np.arange(len(after)), np.array([action for _, action in moves]), illegal)
    assert not illegal.any()
    return different(after)


def views_of(rows: Rows, seat: int) -> Rows:
    """What a seat sees of every row."""
    views = np.zeros(len(rows), dtype=VIEW)
    observe_many(rows, np.arange(len(rows)), np.full(len(rows), seat), views)
    return views


def all_worlds(rules: Rules, depth: int) -> dict[bytes, set[bytes]]:
    """Every view that up to ``depth`` actions lead to, from any deck, with all that may lie
    behind it; views of the first two bouts, which so many actions exhaust."""
    behind: dict[bytes, set[bytes]] = defaultdict(set)
    rows = all_deals(rules)
    for _ in range(depth):
        for seat in range(rules.players):
            for view, row in zip(views_of(rows, seat), rows, strict=True):
                if view["bout"] <= 2:
                    behind[view.tobytes()].add(world_of(row))
        rows = successors(rows[rows["bout"] <= 2])
    return behind


SMALL = [
    ("podkidnoy(deck=6,suits=2,hand_size=2)", 9),
    ("site(deck=6,suits=2,hand_size=2)", 9),
    ("perevodnoy(deck=6,suits=2,hand_size=2)", 9),
    ("plus(players=3,deck=6,suits=2,hand_size=2,first_lead=left_of_dealer)", 8),
    ("epaulettes(deck=6,suits=2,hand_size=2)", 9),
    ("armenian(deck=6,suits=2,hand_size=2,stock_lead_peek=true)", 5),
    ("american(deck=6,suits=2,hand_size=2)", 9),
    ("armenian_tricks(deck=6,suits=2,hand_size=1)", 4),
]


@pytest.mark.parametrize(("text", "depth"), SMALL)
def test_all_worlds_equally_likely(text: str, depth: int) -> None:
    """Against every deal and every sequence of actions: the same worlds, and a chi-square test of
    how often each is drawn. The statistic of all views together may be 4 standard deviations off.
    """
    behind = all_worlds(Rules.parse(text), depth)
    several = sorted(view for view, there in behind.items() if len(there) > 1)
    statistic, freedom = 0.0, 0
    for seed, view in enumerate(random.Random(1).sample(several, min(len(several), 250))):
        there = behind[view]
        count = 40 * len(there)
        record = np.frombuffer(bytearray(view), dtype=VIEW)
        drawn = Counter(world_of(row) for row in belief.worlds(record, count, seed)[0])
        assert set(drawn) == there
        statistic += sum((found - 40) ** 2 / 40 for found in drawn.values())
        freedom += len(there) - 1
    assert freedom > 300
    assert abs(statistic - freedom) < 4 * (2 * freedom) ** 0.5
