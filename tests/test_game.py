"""`Game`: dealing, playing, copies, transcripts and positions."""

from __future__ import annotations

import copy
import pickle
import random

import pytest

from durak_env import Game, IllegalActionError, NotationError, Rules, RulesError
from durak_env.actions import WORDS, Kind, action_table
from durak_env.cards import full_deck
from durak_env.engine import Phase
from tests.positions import hand, legal, play, position

DECK = " ".join(map(str, full_deck(36)))
"""A deck in order: seat 0 holds every second spade, the kings of clubs are drawn late."""


def middle(rules: Rules | None = None, actions: int = 25) -> Game:
    """A game after some random actions."""
    game, rng = Game(rules, seed=4), random.Random(4)
    for _ in range(actions):
        game.play(rng.choice(game.legal_actions()))
    return game


# --- dealing ------------------------------------------------------------------------------------


def test_dealing_order() -> None:
    """S000-36, S000-38: one card at a time from seat 0; the next is turned up and drawn last."""
    game = Game(deck=DECK)
    assert hand(game, 0) == {"6s", "8s", "10s", "Qs", "As", "7c"}
    assert hand(game, 1) == {"7s", "9s", "Js", "Ks", "6c", "8c"}
    assert str(game.trump_card) == "9c"
    assert [str(card) for card in game.stock[:2]] == ["10c", "Jc"]
    assert game.stock[-1] == game.trump_card
    assert len(game.stock) == 24


def test_a_deck_may_be_cards() -> None:
    assert Game(deck=full_deck(36)) == Game(deck=DECK)


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        (DECK.replace("6s", "7s"), "wrong: 7s 7s; missing: 6s"),
        (DECK.removesuffix(" Ad"), "missing: Ad"),
        (DECK + " 2s", "wrong: 2s"),
        (DECK.replace("6s", "2s"), "wrong: 2s; missing: 6s"),
        (DECK.replace("6s", "6x"), "'6x' is no card"),
        ("", "a deck of 36 cards has every card once"),
    ],
)
def test_deck_refusals(deck: str, message: str) -> None:
    """E10, B15: every card of the deck once."""
    with pytest.raises(NotationError, match=message):
        Game(deck=deck)


@pytest.mark.parametrize("leader", [2, -1])
def test_no_such_leader(leader: int) -> None:
    with pytest.raises(NotationError, match=f"leader {leader} is no seat; seats are 0 to 1"):
        Game(seed=1, leader=leader)


def test_a_given_leader_announces_nothing() -> None:
    """P30: a leader named by the last deal shows no card."""
    for leader in (0, 1):
        game = Game(seed=1, leader=leader)
        assert (game.leader, game.announced) == (leader, None)
        assert not any(game.known(seat) for seat in (0, 1))


def test_seeds() -> None:
    """I12: the same seed gives the same deal, others give others."""
    decks = {Game(seed=seed).transcript() for seed in range(200)}
    assert len(decks) == 200
    assert Game(seed=5).transcript() == Game(seed=5).transcript()
    assert len({Game().transcript() for _ in range(20)}) == 20


def test_rules_may_be_text() -> None:
    assert Game("подкидной(players=3)", seed=1).rules == Rules(players=3)
    assert Game(seed=1).rules == Rules()
    with pytest.raises(RulesError, match="unknown preset"):
        Game("poker")


# --- playing ------------------------------------------------------------------------------------


def test_an_action_its_id_and_its_notation_do_the_same() -> None:
    game = Game(seed=1)
    for action in game.legal_actions():
        twins = [game.copy().play(form) for form in (action, action.id, str(action))]
        assert twins[0] == twins[1] == twins[2] != game


@pytest.mark.parametrize(
    ("rules", "rare"),
    [
        ("podkidnoy", set()),
        ("podkidnoy(cover_order=any)", {Kind.TARGET}),
        ("perevodnoy(players=3,show_transfer=true)", {Kind.TRANSFER, Kind.SHOW}),
        ("armenian", {Kind.STOCK}),
        ("american", {Kind.SELF}),
        ("jokers(players=4,stock_lead=true)", {Kind.STOCK}),
        ("epaulettes", set()),
    ],
)
def test_actions_fit_the_action_table(rules: str, rare: set[Kind]) -> None:
    """Ids are ascending; the table knows the kind of each."""
    kinds, specs = set(), action_table(Rules.parse(rules)).specs
    for seed in range(8):
        game, rng = Game(rules, seed=seed), random.Random(seed)
        while game.actor is not None:
            actions = game.legal_actions()
            ids = [action.id for action in actions]
            assert ids == sorted(set(ids))
            for action in actions:
                kinds.add(action.kind)
                assert specs[action.id].kind is action.kind
                assert (action.card is None) == (action.kind in WORDS)
                assert action.__index__() == action.id
            game.play(rng.choice(actions))
    assert kinds == {Kind.CARD, Kind.PASS, Kind.TAKE} | rare


def test_id_0_is_the_lowest_trump() -> None:
    game = position("6d 7d 6s | Ks Kh Kc")
    assert [(action.id, str(action)) for action in game.legal_actions()][:2] == [
        (0, "6d"),
        (1, "7d"),
    ]


def test_history() -> None:
    game = play(position("9s Kh | 10s Ah"), "9s, 10s")
    assert [str(action) for action in game.history] == ["9s", "10s"]


@pytest.mark.parametrize("action", ["6s", "pass", "take", "target 9s", 999, -1, 36])
def test_an_illegal_action_changes_nothing(action: str | int) -> None:
    """E16, B18: a typed error, and the game stands as before."""
    game = position("9s Kh | 10s Ah")
    before = (game.row.tobytes(), game.history, game.transcript())
    with pytest.raises(IllegalActionError, match=r"is not legal: seat 0 may lead with Kh, 9s$"):
        game.play(action)
    assert (game.row.tobytes(), game.history, game.transcript()) == before


def test_the_error_names_the_action() -> None:
    game = position("9s Kh | 10s Ah")
    with pytest.raises(IllegalActionError, match=r"^pass is not legal"):
        game.play(game.rules.deck)
    play(game, "9s, take, Kh, take")
    assert game.phase is Phase.OVER
    with pytest.raises(IllegalActionError, match=r"^take is not legal: the deal is over$"):
        game.play("take")


@pytest.mark.parametrize("text", ["", "x", "9", "1s", "play 9s", "target", "target x", "9s 10s"])
def test_no_action(text: str) -> None:
    game = position("9s Kh | 10s Ah")
    with pytest.raises(NotationError) as error:
        game.play(text)
    assert repr(text.removeprefix("target ")) in str(error.value)


def test_a_card_of_another_deck() -> None:
    with pytest.raises(NotationError, match="2s is not in a deck of 36 cards"):
        Game(seed=1).play("2s")


def test_play_returns_the_game() -> None:
    game = position("9s Kh | 10s Ah")
    assert game.play("9s").play("10s") is game


def test_outcome() -> None:
    game = position("9s | 10s Kh Kc")
    assert game.outcome is None
    assert game.next_leader() is None
    play(game, "9s, take")
    assert game.outcome is not None
    assert (game.outcome.durak, game.outcome.places, game.outcome.reason) == (1, (0, 1), "durak")
    assert (game.actor, game.legal_actions(), game.room) == (None, (), 0)
    assert game.next_leader() == 0


# --- copies -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "save",
    [Game.copy, copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))],
    ids=["copy", "copy.copy", "deepcopy", "pickle"],
)
def test_a_copy_is_independent(save: object) -> None:
    """I12: a saved game stands the same, and neither follows the other."""
    assert callable(save)
    game = middle()
    twin = save(game)
    before = game.transcript()
    assert (twin, twin.transcript(), hash(twin)) == (game, before, hash(game))
    twin.play(twin.legal_actions()[0])
    assert game.transcript() == before
    assert twin != game
    game.play(game.legal_actions()[0])
    assert twin == game


def test_a_game_equals_games_only() -> None:
    assert middle() != middle().position()


def test_repr() -> None:
    assert repr(position("9s | 10s Kh Kc")) == "<Game podkidnoy: bout 1, lead, actor 0>"


# --- transcripts --------------------------------------------------------------------------------


def test_transcript_round_trip() -> None:
    """I12: rules, deck and actions are the whole game."""
    game = middle(Rules(players=3, throw_timing="anytime"))
    again = Game.from_transcript(game.transcript())
    assert again == game
    assert again.row.tobytes() == game.row.tobytes()
    assert again.transcript() == game.transcript()


def test_transcript_of_a_given_leader() -> None:
    for leader in (0, 1):
        text = Game(seed=1, leader=leader).transcript()
        assert f"leader: {leader}\n" in text
        assert Game.from_transcript(text).leader == leader


def test_transcript_from_a_position() -> None:
    game = play(position("9s Kh | 10s Ah"), "9s, 10s")
    again = Game.from_transcript(game.transcript())
    assert (again, again.history) == (game, game.history)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("colour: red", "unknown field 'colour'; known: rules, trump"),
        ("stock: 6d", "field 'stock' does not go with a deck"),
        ("leader: 2", "leader: '2' is not accepted; it takes 0 to 1"),
        ("leader: x", "leader: 'x' is not accepted"),
        ("deck: 6s", "field 'deck' stands twice"),
        ("nonsense", "'nonsense' is not of the form key: value"),
        ("actions: 6x", "action 1: '6x' is no action"),
    ],
)
def test_transcript_refusals(line: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        Game.from_transcript(f"deck: {DECK}\n{line}")


def test_an_illegal_action_in_a_transcript_is_numbered() -> None:
    text = position("9s Kh | 10s Ah").position() + "actions: 9s, take, Kh, Kh"
    with pytest.raises(IllegalActionError, match=r"^action 4: Kh is not legal"):
        Game.from_transcript(text)


# --- positions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "preset",
    [
        *("podkidnoy(players=4)", "podkidnoy(players=6)", "prostoy(players=3)", "site(players=4)"),
        "perevodnoy(players=3,show_transfer=true,transfer_cards=many)",
        "perevodnoy(deck=8,suits=2,hand_size=3,show_transfer=true)",
        *("plus(players=5)", "epaulettes(deck=24)", "jokers(players=8)", "jokers"),
        *("armenian(players=3)", "american(players=3)", "american(self_throw=free)"),
    ],
)
@pytest.mark.parametrize("seed", [11, 12, 13])
def test_position_round_trip(preset: str, seed: int) -> None:
    """I12: the text of every state makes the same game, for every seat."""
    game, rng = Game(preset, seed=seed), random.Random(seed)
    while game.actor is not None:
        game.play(rng.choice(game.legal_actions()))
        again = Game.from_position(game.position())
        assert again.position() == game.position()
        assert again.legal_actions() == game.legal_actions()
        for seat in range(game.players):
            assert again.view(seat).record.tobytes() == game.view(seat).record.tobytes()


def test_a_position_in_one_line() -> None:
    game = Game.from_position("HANDS: 9s Kh | 10s 8d; trump: 6d; ; table: 7s/8s 7c/8c; leader: 1")
    assert (game.leader, game.defender, game.rules) == (1, 0, Rules())
    assert [(str(a), str(c)) for a, c in game.table] == [("7s", "8s"), ("7c", "8c")]


def test_unknown_cards_are_drawn_by_the_seed() -> None:
    text = "hands: 9s ? ? | 10s ? ?; stock: ? ? 6d"
    assert Game.from_position(text, seed=1) == Game.from_position(text, seed=1)
    games = {Game.from_position(text, seed=seed) for seed in range(20)}
    assert len(games) == 20
    for game in games:
        assert {"9s"} < hand(game, 0)
        assert len(game.hand(1)) == 3
        assert str(game.stock[-1]) == "6d"


def test_what_stands_nowhere_is_the_discard() -> None:
    assert len(position("9s Kh | 10s Ah").discard) == 32
    full = " ".join(card for card in DECK.split() if card not in ("9s", "10s"))
    assert position("9s | 10s", discard=full) == position("9s | 10s")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("hands: 9s 9s | 10s", "9s stands twice"),
        ("hands: 9s | 10s; stock: 10s 6d", "10s stands twice"),
        ("hands: 9s | 10s; table: 9s", "9s stands twice"),
        ("hands: 9s | 10s; discard: 9s", "9s stands twice"),
        ("hands: 9s | 10s | Ks", "hands: 3 seats, but the rules have players=2"),
        ("hands: 9s", "hands: 1 seats, but the rules have players=2"),
        ("stock: 7s 6d", "hands: 1 seats, but the rules have players=2"),
        ("hands: 9s | 10s; known: 9s", "known: 1 seats"),
        ("hands: 9s | 10s; known: 10s | ", "known: seat 0 does not hold 10s"),
        ("hands: 9s | 10s; table: 8s/7s", "table: 7s does not beat 8s"),
        ("hands: 9s | 10s; table: 8s/", "'' is no card"),
        ("hands: 9s | 10s; table: 7c 7h", "table: 2 unbeaten cards, but the defender holds 1"),
        ("hands: 9s ? | " + "? " * 40, "41 cards are \\?, but only"),
        ("hands: 9s | 10s; discard: Ks", "these cards stand nowhere: 6s"),
        (
            "hands: 9s | 10s; trump: 7d; stock: 7d 6d",
            "trump card must be the last card of the stock",
        ),
        ("hands: 9s | 10s; trump: 2d", "2d is not in a deck of 36 cards"),
        ("hands: 9s | 2s", "2s is not in a deck of 36 cards"),
        ("hands: 9s | 10", "'10' is no card"),
        ("hands: 9s | 10s; leader: 2", "leader: '2' is not accepted; it takes 0 to 1"),
        ("hands: 9s | 10s; defender: -1", "defender: '-1' is not accepted"),
        ("hands: 9s | 10s; passed: 0 0", "passed: a seat stands twice in '0 0'"),
        ("hands: 9s | 10s; phase: attack", "phase: 'attack' is none of lead, throw"),
        ("hands: 9s | 10s; phase: over", "reason: a deal that is over takes one of durak"),
        ("hands: 9s | 10s; table: 8s; target: 7s", "target: 7s is not unbeaten"),
        ("hands: 9s | 10s; start: x", "start: 'x' is not accepted"),
        ("hands: 9s | 10s; bout: 99999", "bout: '99999' is not accepted"),
        ("hands: 9s | 10s; quiet: 201", "quiet: '201' is not accepted; it takes 0 to 200"),
        ("hands: 9s | 10s; seen: xyz", "seen: 'xyz' is no list of hashes"),
        ("hands: 9s | 10s; seen: " + "1 " * 201, "seen: at most 200 hashes"),
        ("hands: 9s | 10s; announced: 9s", "announced: '' is not accepted"),
        ("hands: 9s | 10s; colour: red", "unknown field 'colour'"),
        ("hands: 9s | 10s; hands: 9s | 10s", "field 'hands' stands twice"),
        ("hands 9s | 10s", "'hands 9s | 10s' is not of the form key: value"),
    ],
)
def test_position_refusals(fields: str, message: str) -> None:
    trump = "" if "trump" in fields or "6d" in fields else "trump: 6d; "
    with pytest.raises(NotationError, match=message.replace("|", r"\|")):
        Game.from_position(trump + fields)


UNREACHABLE = {
    "the leader has no cards": "hands:  | 9s | 10s Ks; rules: podkidnoy(players=3)",
    "the defender has no cards": "hands: 9s |  | 10s Ks; rules: podkidnoy(players=3); defender: 1",
    "only one seat has cards": "hands: 9s Ks | ",
    "nobody has cards": "hands:  | ",
    "the leader defends": "hands: 9s Ks | 10s Kh; defender: 0",
    "nothing to beat": "hands: 9s Ks | 10s Kh; phase: defend",
    "all is beaten": "hands: 9s Ks | 10s Kh; table: 7s/8s; phase: defend",
    "nothing to throw in at": "hands: 9s Ks | 10s Kh; phase: throw",
    "nothing to add to": "hands: 9s Ks | 10s Kh; phase: add",
    "a lead that is beaten": "hands: 9s Ks | 10s Kh; table: 7s/8s; phase: lead",
    "a lead of two ranks": "hands: 9s Ks | 10s Kh; table: 7s 8s; phase: lead",
    "out with cards": "hands: 9s Ks | 10s Kh; places: 0",
    "more attacks than the defender had": "hands: 9s Ks | 10s Kh; table: 7s/8s; start: 0",
    "a table of 39 cards": "rules: podkidnoy(deck=52); hands: ? | ?; table: "
    + " ".join(str(card) for card in full_deck(52) if card.suit != 3),
}
"""Positions that no game can reach."""


@pytest.mark.parametrize("text", UNREACHABLE.values(), ids=UNREACHABLE)
def test_unreachable_positions(text: str) -> None:
    with pytest.raises(NotationError):
        Game.from_position(f"{text}; trump: 6d")


def test_many_seen_positions_leave_room_for_the_next() -> None:
    """P34: a deal can have seen 200 positions only when it is over."""
    with pytest.raises(NotationError, match="seen"):
        Game.from_position("hands: 9s Ks | 10s Kh; trump: 6d; seen: " + "1 " * 200)


def test_no_trump() -> None:
    with pytest.raises(NotationError, match="trump"):
        Game.from_position("hands: 9s | 10s")


@pytest.mark.parametrize("text", ["", "hands: 9s | 10s; trump", "rules: podkidnoy; hands: 9s"])
def test_truncated_text(text: str) -> None:
    with pytest.raises(NotationError):
        Game.from_position(text)


def test_every_truncation_is_a_position_or_a_typed_error() -> None:
    """B14: no other error, whatever the text."""
    text = middle(Rules(players=4)).position()
    for length in range(len(text)):
        try:
            game = Game.from_position(text[:length])
        except (NotationError, RulesError):
            continue
        assert legal(game)


def test_rules_of_a_position() -> None:
    with pytest.raises(RulesError, match="unknown preset 'poker'"):
        Game.from_position("rules: poker; hands: 9s | 10s; trump: 6d")
