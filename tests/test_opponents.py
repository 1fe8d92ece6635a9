"""The scripted opponents and the seating: legal, a function of view and random word, as strong as
they should be."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter

import numpy as np
import numpy.typing as npt
import pytest

from durak_env import Game, OpponentError, Rules, opponents
from durak_env.actions import Kind
from durak_env.cards import JOKER_RANK, Card
from durak_env.engine import Phase, Reason, Rows, deal_many, new_rows
from durak_env.engine.batch import play_id
from durak_env.opponents import SCRIPTED, Ids, Opponent, Randoms, Seating
from durak_env.opponents.seating import EXTERNAL, seat_everybody
from durak_env.rules import PRESETS
from durak_env.view import PlayerView
from tests.alignment import random_levels, random_rules
from tests.positions import first_bout, play

scripted = pytest.mark.parametrize("opponent", list(SCRIPTED.values()), ids=list(SCRIPTED))


def finite(rules: Rules) -> Rules:
    """These rules with draws by repetition: without, careful players may go on for ever (B23)."""
    return dataclasses.replace(rules, repetition=rules.repetition or 3)


def some_rules(count: int, seed: int = 0) -> list[Rules]:
    """Random rules, every preset and showing among them."""
    rng = random.Random(seed)
    presets = [Rules.preset(name, players=min(3, PRESETS[name].players[1])) for name in PRESETS]
    presets += [Rules.preset("perevodnoy", players=3, show_transfer=True)]
    return presets + [finite(random_rules(rng)) for _ in range(count - len(presets))]


def dealt(rules: Rules, count: int, seed: int = 0) -> Rows:
    """This many deals."""
    rows = new_rows(rules, count)
    deal_many(rows, np.arange(count), np.arange(count, dtype=np.uint64) + np.uint64(seed * count))
    return rows


def random_streams(count: int, seed: int = 0) -> Randoms:
    """A random stream for every row."""
    return np.random.default_rng(seed).integers(2**64, size=count, dtype=np.uint64)


def some_views(rules: Rules, count: int, seed: int = 0) -> list[PlayerView]:
    """Views of actors in the middle of deals."""
    rng = random.Random(seed)
    views: list[PlayerView] = []
    while len(views) < count:
        seed = rng.randrange(2**32)
        game = Game(rules, seed=seed, levels=random_levels(rules, seed))
        while game.actor is not None:
            if rng.random() < 0.2:
                views.append(game.view(game.actor))
            game.play(rng.choice(game.legal_actions()))
    return views[:count]


def records(views: list[PlayerView]) -> Rows:
    """Their records in one array."""
    return np.concatenate([view.record for view in views])


def choices(opponent: Opponent, game: Game, count: int = 1, seed: int = 0) -> Counter[str]:
    """What an opponent does for the actor of a game, over this many random words."""
    assert game.actor is not None
    views = np.repeat(game.view(game.actor).record, count)
    ids = opponent.act(views, random_streams(count, seed))
    names = {action.id: str(action) for action in game.legal_actions()}
    return Counter(names[int(chosen)] for chosen in ids)


def choice(name: str, game: Game) -> str:
    """The one thing that an opponent does for the actor of a game."""
    (only,) = choices(opponents.make(name), game, 50)
    return only


# --- the protocol -------------------------------------------------------------------------------


@scripted
def test_always_legal(opponent: Opponent) -> None:
    """At every seat, under any rules: no forfeit in 50,000 decisions, or 2,500 long ones."""
    decisions, games = 0, 1 if opponent.name == "insane" else 20
    for rules in some_rules(60):
        rows = dealt(rules, games)
        who = seat_everybody(0, games, rules.players)
        seating = Seating([opponent], who, random_streams(games))
        seating.play(rows)
        assert (rows["phase"] == Phase.OVER).all()
        assert not (rows["reason"] == Reason.FORFEIT).any()
        assert seating.illegal.tolist() == [0]
        decisions += int(seating.decisions[0])
    assert decisions > 2_500 * games


@scripted
def test_a_decision_is_a_function_of_view_and_word(opponent: Opponent) -> None:
    """S003-39: the same again, alone, in another order, and for equal views of other games."""
    for rules in some_rules(20, seed=1):
        views = records(some_views(rules, 60))
        words = random_streams(60)
        before = views.tobytes(), words.tobytes()
        expected = opponent.act(views, words)
        assert expected.dtype == np.int64
        assert expected.shape == (60,)
        assert (views.tobytes(), words.tobytes()) == before
        order = np.random.default_rng(1).permutation(60)
        assert np.array_equal(opponent.act(views, words), expected)
        assert np.array_equal(opponent.act(views[order], words[order]), expected[order])
        alone = [opponent.act(views[k : k + 1], words[k : k + 1])[0] for k in range(60)]
        assert alone == expected.tolist()


@scripted
def test_what_they_are(opponent: Opponent) -> None:
    assert isinstance(opponent, Opponent)
    assert opponents.make(opponent.name) is opponent
    assert opponents.resolve(opponent.name, Rules()) is opponent
    assert opponents.resolve(opponent, Rules()) is opponent
    assert opponent.act(records([Game(seed=1).view(0)])[:0], random_streams(0)).shape == (0,)


def test_unknown_names() -> None:
    """The error names those that exist."""
    message = f"unknown opponent 'hrad'; known: {', '.join(SCRIPTED)}.* an .onnx file"
    with pytest.raises(OpponentError, match=message):
        opponents.make("hrad")
    with pytest.raises(OpponentError, match=message):
        opponents.resolve("hrad", Rules())


# --- random -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game",
    [
        first_bout("7s 9c 6h 8d 10h Kd | 8s 9h Jh Qc Kc Ac"),
        first_bout("7s 9c 6h 8d 10h | 8s 9s Jd Qc Kc Ac", table="6s"),
        play(first_bout("7s 9c 6h 7d 7h Kd | 8s 9h Jh Qc Kc Ac"), "7s"),
        play(first_bout("8s 8c 9h 9c Jh Jc | 9s 10c Qc 8d Ah 7h", "cover_order=any"), "8s, 8c"),
        play(
            first_bout(
                "8s 6c 6h 10c Jc Qh | 8c 8d 9s Qc Kc Ac", "transfer=true,show_transfer=true"
            ),
            "8s",
        ),
        first_bout("7s 9c 6h 8d 10h Kd | 8s 9h Jh Qc Kc Ac", "stock_lead=true"),
        play(
            first_bout("8s 6c 6h 10c Jc 9h | 9s 9c Jh Qc 8d Ac", "self_throw=free"), "8s, 9s, pass"
        ),
    ],
    ids=[
        "lead",
        "defend",
        "lead on or pass",
        "choose a target or take",
        "beat, transfer, show or take",
        "lead from the stock too",
        "throw in to oneself",
    ],
)
def test_random_is_uniform(game: Game) -> None:
    """All legal actions, cards and words alike, equally often."""
    legal = {str(action) for action in game.legal_actions()}
    found = choices(opponents.make("random"), game, 60_000)
    assert set(found) == legal
    assert len(legal) > 2
    for count in found.values():
        assert abs(count / 60_000 - 1 / len(legal)) < 0.01


# --- greedy -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "lead"),
    [
        ("7s 9c 6h 8d 10h Kd", "6h"),  # the lowest rank
        ("9c 9s Jh 7d 8d Kd", "9s"),  # equal ranks: one of them, always the same
        ("As Ac Ah 7d 8d Kd", "As"),  # an ace rather than a trump
        ("Ad 7d 8d Jd Qd Kd", "7d"),  # the lowest trump if there is nothing else
    ],
)
def test_greedy_leads_low(hand: str, lead: str) -> None:
    """The lowest plain card."""
    game = first_bout(f"{hand} | 8s 8c 8h Qc Qh Qs")
    assert choice("greedy", game)[:-1] == lead[:-1]
    if lead[0] in "67A":
        assert choice("greedy", game)[-1] in {"6h": "h", "As": "sch", "7d": "d"}[lead]


def test_greedy_leads_on_with_plain_cards() -> None:
    """A set is led as far as it is plain; its trump stays in the hand."""
    game = play(first_bout("7s 7c 7d 10h Jh Qh | 8s 8c 8h Qc Kc Ac"), "7s")
    assert choice("greedy", game) == "7c"
    assert choice("greedy", play(game, "7c")) == "pass"


def test_greedy_throws_in_every_plain_card() -> None:
    """Low ones first, trumps never."""
    game = play(first_bout("7s 9c 9d 10h Jh 10s | 10c 9h 8c Qc Kc Ac"), "10s, pass, take")
    assert choice("greedy", game) == "10h"
    game = play(first_bout("7s 9c 9d 9s Jh Kh | Ks 9h 8c Qc Kc Ac"), "7s, Ks")
    assert choice("greedy", game) == "Kh"
    game = play(first_bout("7s 9c 7d Kd Jh Qh | Ks 9h 8c Qc Kc Ac"), "7s, pass, Ks")
    assert choice("greedy", game) == "pass"
    game = play(first_bout("7s 9c 9s Ks Kh Qh | Kc 9h Jd 8c Qs Ac"), "9c, pass, Kc")
    assert choice("greedy", game) == "9s"
    assert choice("greedy", play(game, "9s, Qs")) == "Qh"
    assert choice("greedy", play(game, "Qh, take")) in ("Kh", "Ks")


@pytest.mark.parametrize(
    ("hand", "cover"),
    [
        ("9s Js As 7d 8c Qc", "9s"),
        ("As 7d 8d 8c Qc Kc", "As"),  # an ace rather than a trump
        ("9d 7d Jd 8c Qc Kc", "7d"),  # the lowest trump
        ("7h 9h Jh 8c Qc Kc", "take"),  # only if it must
    ],
)
def test_greedy_beats_cheaply(hand: str, cover: str) -> None:
    """With the cheapest card; it takes only if nothing beats."""
    assert choice("greedy", play(first_bout(f"8s 6c 6h 10c Jc Qh | {hand}"), "8s")) == cover


def test_greedy_chooses_the_lowest_target() -> None:
    """7.5: plain before trump, low before high, and only what it can beat."""
    table = first_bout("8s 8c 8d Jh Qh Kh | 9s 10c 9d Ah Ac As", "cover_order=any")
    game = play(table, "8s, 8c, 8d")
    assert choice("greedy", game) in ("target 8s", "target 8c")
    game = play(game, "target 8s, 9s, target 8c")
    assert choice("greedy", game) == "10c"
    assert choice("greedy", play(game, "10c")) == "9d"
    game = first_bout("8s 8c 8h Jh Qh Kh | 7s 10c 7c 6h 6c As", "cover_order=any")
    assert choice("greedy", play(game, "8h, 8c, 8s")) in ("target 8s", "target 8c")


def is_trump(view: PlayerView, action: str) -> bool:
    """Whether the card of an action is a trump, the trump joker among them (P5)."""
    card, trump = Card.parse(action.rpartition(" ")[2]), view.trump
    if trump is None:
        return False
    if card.rank == JOKER_RANK:
        return view.rules.trump_joker and card.suit // 2 == trump // 2
    return card.suit == trump


def cheapest(view: PlayerView, actions: list[str]) -> set[str]:
    """The lowest plain cards, or the lowest trump."""
    plain = [action for action in actions if not is_trump(view, action)]
    ranks = {action: Card.parse(action.split()[-1]).rank for action in plain or actions}
    return {action for action, rank in ranks.items() if rank == min(ranks.values())}


def greedy_trick(view: PlayerView, actions: list[str]) -> set[str]:
    """The highest lead; the cheapest card that wins, or else the cheapest."""
    if view.phase is Phase.LEAD:
        ranks = {action: Card.parse(action).rank for action in actions}
        return {action for action, rank in ranks.items() if rank == max(ranks.values())}
    led = view.table[0][0]
    winning = [
        action
        for action in actions
        if Card.parse(action).suit == led.suit and Card.parse(action).rank > led.rank
    ]
    ruffs = [action for action in actions if is_trump(view, action) and led.suit != view.trump]
    return cheapest(view, [*winning, *ruffs] or actions)


def greedy(view: PlayerView) -> set[str]:
    """What greedy play allows, in plain Python; several where ranks are equal."""
    actions = view.legal_actions()
    if view.rules.tricks:
        return greedy_trick(view, actions)
    by_word: dict[str, list[str]] = {}
    for action in actions:
        by_word.setdefault(action.rpartition(" ")[0], []).append(action)
    words = {"pass", "take", "stock"}
    cards = [action for action in by_word.get("", []) if action not in words]
    transfers = by_word.get("transfer", [])
    plain = [action for action in cards + transfers if not is_trump(view, action)]
    if view.phase is Phase.DEFEND:
        passed_on = [action for action in transfers if action in plain]
        for group in (by_word.get("show", []), passed_on, by_word.get("target", []), cards):
            if group:
                return cheapest(view, group)
        return {"take"} if "take" in actions else cheapest(view, transfers)
    if view.phase is Phase.LEAD and (not view.table or "pass" not in actions):
        return cheapest(view, cards) if cards else {"stock"}
    return cheapest(view, plain) if plain else {"pass"}


def test_greedy_everywhere() -> None:
    """Its definition, on random positions of random rules."""
    kinds: Counter[Kind] = Counter()
    for rules in some_rules(40, seed=2):
        rng = random.Random(3)
        game = Game(rules, seed=4, levels=random_levels(rules, 4))
        while game.actor is not None:
            view = game.view(game.actor)
            chosen = choice("greedy", game)
            assert chosen in greedy(view), game.position()
            legal = game.legal_actions()
            kinds.update(action.kind for action in legal if str(action) == chosen)
            game.play(chosen if rng.random() < 0.5 else rng.choice(legal))
    assert set(kinds) == set(Kind) - {Kind.SELF, Kind.STOCK}


@pytest.mark.parametrize(
    ("options", "hand", "answer"),
    [
        ("show_transfer=true", "8d 8c 9s Qc Kc Ac", "show 8d"),  # it costs nothing
        ("", "8d 8c 9s Qc Kc Ac", "transfer 8c"),
        ("", "8d 9s Jh Qc Kc Ac", "9s"),  # a trump is not transferred with
        ("", "8d Jh Kh Qc Kc Ac", "8d"),  # rather it beats
        ("transfer_hand=unrestricted", "7s Jh Kh Qc Kc Ac", "take"),
    ],
)
def test_greedy_transfers_plain_cards(options: str, hand: str, answer: str) -> None:
    """P19, P20: it shows a trump, or passes the attack on with a plain card, before it beats."""
    game = first_bout(f"8s 6c 6h 10c Jc Qh | {hand}", f"transfer=true,{options}")
    assert choice("greedy", play(game, "8s")) == answer


def test_greedy_neither_leads_from_the_stock_nor_throws_in_to_itself() -> None:
    """P21, P22: it knows what it holds; the top of the stock may be a trump."""
    hands = "8s 6c 6h 10c Jc Qh | 9s 9c Jh Qc Kc Ac"
    assert choice("greedy", first_bout(hands, "stock_lead=true")) in ("6c", "6h")
    game = play(first_bout(hands, "self_throw=free"), "8s, 9s")
    assert {str(action) for action in game.legal_actions()} == {"self 9c", "pass"}
    assert choice("greedy", game) == "pass"


def test_greedy_leads_from_the_stock_where_it_must() -> None:
    """E98: a hand of jokers that may not attack."""
    game = Game.from_position(
        "rules: jokers(stock_lead=true,joker_may_attack=false)\ntrump: 6d\n"
        "hands: *r | 9s 9c Jh\nleader: 0\nstock: 2c 3c 6d"
    )
    assert choice("greedy", game) == "stock"


# --- easy ---------------------------------------------------------------------------------------

WORDS = 200_000


def rates(game: Game) -> dict[str, float]:
    """How often `easy` does what."""
    found = choices(opponents.make("easy"), game, WORDS)
    return {action: count / WORDS for action, count in found.items()}


def test_easy_sometimes_plays_at_random() -> None:
    """S003-35: one decision in ten; a lead is otherwise greedy."""
    found = rates(first_bout("7s 9c 6h 8d 10h Kd | 8s 9h Jh Qc Kc Ac"))
    assert found.pop("6h") == pytest.approx(0.9 + 0.1 / 6, abs=0.005)
    assert len(found) == 5
    assert all(rate == pytest.approx(0.1 / 6, abs=0.003) for rate in found.values())


def test_easy_sometimes_takes_without_need() -> None:
    """S003-35: of its other decisions, 15 in a hundred."""
    game = play(first_bout("8s 6c 6h 10c Jc Qh | 9s Js 7h 8c Qc Kc"), "8s")
    found = rates(game)
    assert found["take"] == pytest.approx(0.9 * 0.15 + 0.1 / 3, abs=0.005)
    assert found["9s"] == pytest.approx(0.9 * 0.85 + 0.1 / 3, abs=0.005)
    assert found["Js"] == pytest.approx(0.1 / 3, abs=0.003)
    must = play(first_bout("8s 6c 6h 10c Jc Qh | 7h 9h Jh 8c Qc Kc"), "8s")
    assert rates(must) == {"take": 1.0}


def test_easy_takes_without_need_before_it_chooses_a_target() -> None:
    """7.5: once it has chosen what to beat, it beats it."""
    game = play(first_bout("8s 8c 9h Jh Qh Kh | 9s 10c Qc Ah Ac As", "cover_order=any"), "8s, 8c")
    assert rates(game)["take"] == pytest.approx(0.9 * 0.15 + 0.1 / 3, abs=0.005)
    assert "take" not in rates(play(game, "target 8s"))


def test_easy_sometimes_skips_a_throw_in() -> None:
    """S003-35: of its other decisions, 30 in a hundred; also when it leads a set or adds."""
    throw = play(first_bout("7s 7c 7d 9c Jh Qh | Ks 9h 8c Qc Kc Ac"), "7s, pass, Ks")
    lead = play(first_bout("7s 7c 7d 9c Jh Qh | Ks 9h 8c Qc Kc Ac"), "7s")
    add = play(first_bout("7s 7c 7d 9c Jh Qh | Ks 9h 8c Qc Kc Ac"), "7s, pass, take")
    for game in (throw, lead, add):
        found = rates(game)
        assert found["pass"] == pytest.approx(0.9 * 0.3 + 0.1 / 3, abs=0.005)
        assert found["7c"] == pytest.approx(0.9 * 0.7 + 0.1 / 3, abs=0.005)
        assert found["7d"] == pytest.approx(0.1 / 3, abs=0.003)


# --- strength -----------------------------------------------------------------------------------


def losses(better: str, worse: str, players: int, deals: int = 4000) -> float:
    """The share of decided deals that ``better``, one seat among the others, loses.

    Every deck is played once with it at each seat.
    """
    rules = Rules(players=players)
    rows, seats = dealt(rules, deals), np.arange(deals) % players
    deal_many(rows, np.arange(deals), np.arange(deals, dtype=np.uint64) // np.uint64(players))
    who = seat_everybody(1, deals, players)
    who[np.arange(deals), seats] = 0
    seating = Seating([opponents.make(better), opponents.make(worse)], who, random_streams(deals))
    seating.play(rows)
    return float((rows["durak"] == seats).sum() / (rows["durak"] >= 0).sum())


@pytest.mark.parametrize(
    ("better", "worse", "two", "four"),
    [("easy", "random", 0.2, 0.1), ("greedy", "easy", 0.3, 0.12), ("greedy", "random", 0.1, 0.05)],
)
def test_strength(better: str, worse: str, two: float, four: float) -> None:
    """random < easy < greedy by a clear margin: a fair share would be 0.5 and 0.25."""
    assert losses(better, worse, players=2) < two
    assert losses(better, worse, players=4) < four


def test_equals_are_equal() -> None:
    """The measure itself is fair."""
    assert abs(losses("random", "random", players=2) - 0.5) < 0.03


# --- seating ------------------------------------------------------------------------------------


class Cheat:
    """Plays what is not in its mask now and then: decided by the random word."""

    name = "cheat"

    def __init__(self, percent: int) -> None:
        self.percent = np.uint64(percent)

    def act(self, views: Rows, randoms: Randoms) -> Ids:
        """Greedy, or an action that nobody has."""
        honest = opponents.make("greedy").act(views, randoms)
        return np.where(randoms % np.uint64(100) < self.percent, 10**6, honest)


def test_an_illegal_action_forfeits() -> None:
    """B16: the offender is the durak, and it is counted for that opponent only."""
    rows = dealt(Rules(players=3), 500)
    who = seat_everybody(0, 500, 3)
    who[:, 1] = 1
    seating = Seating([opponents.make("easy"), Cheat(5)], who, random_streams(500))
    seating.play(rows)
    forfeits = rows["reason"] == Reason.FORFEIT
    assert 100 < forfeits.sum() < 500
    assert (rows["durak"][forfeits] == 1).all()
    assert seating.illegal.tolist() == [0, forfeits.sum()]
    assert (seating.decisions > seating.illegal).all()


class Peek:
    """An opponent that lets a test see what it is given."""

    name = "peek"

    def __init__(self) -> None:
        self.views: list[Rows] = []
        self.randoms: list[Randoms] = []

    def act(self, views: Rows, randoms: Randoms) -> Ids:
        """Note everything and play at random."""
        self.views.append(views.copy())
        self.randoms.append(randoms.copy())
        return opponents.make("random").act(views, randoms)


def test_what_an_opponent_is_given() -> None:
    """Views of its own seats that are asked, and a fresh random word for every decision."""
    rows = dealt(Rules(players=3), 50)
    who = seat_everybody(0, 50, 3)
    who[:, 2] = 1
    peek = Peek()
    seating = Seating([opponents.make("greedy"), peek], who, random_streams(50))
    seating.play(rows)
    views = np.concatenate(peek.views)
    assert len(views) == seating.decisions[1]
    assert (views["seat"] == 2).all()
    assert (views["actor"] == 2).all()
    words = np.concatenate(peek.randoms)
    assert len(np.unique(words)) == len(words)


def play_all(rows: Rows, who: Ids, streams: Randoms, which: Ids | None = None) -> Rows:
    """The rows at the end of their deals; rows that are not meant stay as they are."""
    rows, streams = rows.copy(), streams.copy()
    Seating(list(SCRIPTED.values()), who, streams).play(rows, which)
    return rows


def test_rows_do_not_depend_on_each_other() -> None:
    """A row ends the same way, whichever rows are played with it."""
    rows, streams = dealt(Rules(players=4), 60), random_streams(60)
    who = np.random.default_rng(1).integers(len(SCRIPTED), size=(60, 4))
    expected = play_all(rows, who, streams)
    half = np.arange(0, 60, 2)
    for which in (half, half[::-1]):
        played = play_all(rows, who, streams, which)
        assert (played[half] == expected[half]).all()
        assert (played[half + 1] == rows[half + 1]).all()
    for k in range(5):
        one = slice(k, k + 1)
        assert (play_all(rows[one], who[one], streams[one]) == expected[one]).all()
    assert not (play_all(rows, who, random_streams(60, seed=1)) == expected).all()


def external_actors(rows: Rows, who: Ids) -> npt.NDArray[np.bool_]:
    """Where somebody outside is asked."""
    actors = rows["actor"].astype(np.int64)
    return (actors >= 0) & (who[np.arange(len(rows)), actors] == EXTERNAL)


def test_playing_up_to_an_external_seat() -> None:
    """It is asked, or the deal is over; nothing happens while it is asked."""
    rows = dealt(Rules(players=3), 200)
    who = seat_everybody(0, 200, 3)
    who[:, 0] = EXTERNAL
    seating = Seating([opponents.make("greedy")], who, random_streams(200))
    for _ in range(200):
        seating.play(rows)
        asked = external_actors(rows, who)
        assert (asked | (rows["phase"] == Phase.OVER)).all()
        before = rows.tobytes(), seating.streams.tobytes()
        seating.play(rows)
        assert (rows.tobytes(), seating.streams.tobytes()) == before
        for i in np.flatnonzero(asked):
            view = PlayerView.of(Rules(players=3), rows, i, 0)
            chosen = opponents.make("random").act(view.record, random_streams(1, seed=i))
            assert play_id(rows, i, chosen[0]) >= 0
    assert (rows["phase"] == Phase.OVER).all()
