"""No hidden card reaches a seat: not by its view, observation, mask, infos, rewards, picture or by
what an opponent decides for it (I10, S003-39, E121)."""

from __future__ import annotations

import copy
import dataclasses
import random
from collections.abc import Callable, Mapping

import numpy as np
import pytest

from durak_env import Game, Rules, encoding, opponents, podkidnoy_v0
from durak_env.actions import Kind
from durak_env.cards import RANKS, full_deck, lowest_rank
from durak_env.engine import Phase, deal_many, new_rows, resume
from durak_env.envs.aec import DurakAECEnv
from durak_env.game import Action
from durak_env.opponents import SCRIPTED, Seating
from durak_env.opponents.seating import seat_everybody
from durak_env.render.text import render_game, render_view
from durak_env.rules import PRESETS
from durak_env.view import VIEW
from tests.alignment import random_levels, random_rules

Sense = Callable[[DurakAECEnv, int], bytes]
"""Something that reaches a seat of an environment, as bytes."""

FORFEITS = 0.005
"""How often an illegal action ends a deal, with every hand still hidden."""

WORDS = np.random.default_rng(0).integers(2**64, size=8, dtype=np.uint64)
"""Random words for the decisions that are compared."""


# --- what reaches a seat ------------------------------------------------------------------------


def agent(env: DurakAECEnv, seat: int) -> str:
    """The name of a seat."""
    return env.possible_agents[seat]


def view(env: DurakAECEnv, seat: int) -> bytes:
    """The record that opponents, searches and encoders get."""
    return env.game.view(seat).record.tobytes()


def observation(env: DurakAECEnv, seat: int) -> bytes:
    """What a network gets."""
    return env.observe(agent(env, seat))["observation"].tobytes()


def encodings(env: DurakAECEnv, seat: int) -> bytes:
    """What a network gets by every encoding that opponents may have."""
    return b"".join(encoded(env, seat, name) for name in ("planes", "universal", "history"))


def encoded(env: DurakAECEnv, seat: int, name: str) -> bytes:
    """An observation by the encoding of this name."""
    encoder = encoding.make(name, env.rules)
    out = encoder.buffer(1)
    encoding.observe_only(encoder, env.game.rows, np.zeros(1, np.int64), np.array([seat]), out)
    return out.tobytes()


def mask(env: DurakAECEnv, seat: int) -> bytes:
    """What the seat may do."""
    return env.observe(agent(env, seat))["action_mask"].tobytes()


def infos(env: DurakAECEnv, seat: int) -> bytes:
    """The infos, names and values."""
    told = env.infos[agent(env, seat)]
    return b"".join(key.encode() + np.asarray(told[key]).tobytes() for key in sorted(told))


def rewards(env: DurakAECEnv, seat: int) -> bytes:
    """Rewards, ends and whose turn it is."""
    name = agent(env, seat)
    told = (env.rewards[name], env.terminations[name], env.truncations[name], env.agent_selection)
    return repr(told).encode()


def picture(env: DurakAECEnv, seat: int) -> bytes:
    """The table as this seat sees it."""
    return render_view(env.game.view(seat)).encode()


def decisions(env: DurakAECEnv, seat: int) -> bytes:
    """What every scripted opponent would do at this seat, for the same random words; one word for
    the level that takes long to decide."""
    if env.game.actor != seat:
        return b""
    views = np.repeat(env.game.view(seat).record, WORDS.size)
    words = {name: WORDS[: 1 if name == "insane" else None] for name in SCRIPTED}
    return b"".join(
        opponent.act(views[: words[name].size], words[name]).tobytes()
        for name, opponent in SCRIPTED.items()
    )


SENSES: dict[str, Sense] = {
    sense.__name__: sense
    for sense in (view, observation, encodings, mask, infos, rewards, picture, decisions)
}


# --- the check ----------------------------------------------------------------------------------


def cards_of(cards: int) -> list[int]:
    """The codes of a set."""
    return [code for code in range(64) if cards >> code & 1]


def hidden_from(env: DurakAECEnv, seat: int, shown: int) -> int:
    """The cards that this seat cannot place, if these were shown to everybody so far.

    Known cards of a hand, such as the face-up cards of a row, lie where everybody sees them. Jokers
    that were turned up were shown and lie where they are; a leader that may look at the top card of
    the stock knows it too (P22a).
    """
    codes, game = env.game.codes, env.game
    peeked = [game.stock[0]] if peeks(game, seat) else []
    cards = full_deck(env.rules.deck, env.rules.suits)
    known = codes.mask(card for other in range(game.players) for card in game.known(other))
    return codes.mask(cards) & ~codes.mask(game.hand(seat) + peeked) & ~shown & ~known


def peeks(game: Game, seat: int) -> bool:
    """Whether this seat may lead the top card of the stock and look at it before."""
    may = any(action.kind is Kind.STOCK for action in game.legal_actions())
    return may and game.actor == seat and game.rules.stock_lead_peek


def shown_at_first(game: Game) -> int:
    """The cards of a new deal that everybody saw: what was turned up, and the first lead's."""
    turned_up = [int(card) for card in game.row["revealed"] if card >= 0]
    cards = [card for card in (game.trump_card, game.announced) if card is not None]
    return game.codes.mask(cards) | sum(1 << code for code in turned_up)


def deal_hidden_cards_anew(env: DurakAECEnv, cards: int, rng: random.Random) -> None:
    """Exchange these cards, wherever they lie in hands, rows and stock, at random."""
    row = env.game.row
    stock = range(int(row["stock_next"]), int(row["stock_end"]))
    places = [k for k in stock if cards >> int(row["stock"][k]) & 1]
    rows = [place for place in np.ndindex(row["down"].shape) if row["down"][place] >= 0]
    rows = [place for place in rows if cards >> int(row["down"][place]) & 1]
    hands = [int(hand) & cards for hand in row["hands"]]
    pool = cards_of(cards)
    rng.shuffle(pool)
    for k in places:
        row["stock"][k] = pool.pop()
    for place in rows:
        row["down"][place] = pool.pop()
    for seat, held in enumerate(hands):
        given = sum(1 << pool.pop() for _ in range(held.bit_count()))
        row["hands"][seat] = np.uint64(int(row["hands"][seat]) & ~cards | given)
    assert not pool


def ask_anew(game: Game) -> None:
    """Ask the actor once more, as cards have changed; a dead lead depends on the leader's hand."""
    if game.row["attacks"] == 0:
        game.row["dead_lead"] = 0
    resume(game.rows, 0)


def question(env: DurakAECEnv) -> tuple[int, ...]:
    """Who is asked for what, as everybody at the table hears it."""
    return tuple(int(env.game.row[name]) for name in ("actor", "phase", "bout", "attacks"))


def step_twin(
    twin: DurakAECEnv, env: DurakAECEnv, hidden: int, action: Action | None, rng: random.Random
) -> bool:
    """Let a twin, which stands where ``env`` stood before its last action, differ in the cards that
    are hidden even now, and take that action.

    False where that cannot be: another seat would have been asked, before or after, or the action
    would not have been legal, because of a card that was exchanged.
    """
    asked = question(twin)
    deal_hidden_cards_anew(twin, hidden, rng)
    ask_anew(twin.game)
    if question(twin) != asked or action not in (None, *twin.game.legal_actions()):
        return False
    twin.step(action)
    # hands are hashed to count repetitions (P34); the twin's hashes are those of other hands
    return question(twin) == question(env) and env.game.row["occurrences"] <= 1


def first_leak(
    rules: Rules,
    seed: int,
    senses: Mapping[str, Sense],
    checks: list[str] | None = None,
) -> str | None:
    """The first of the senses that tells a random seat of a random deal a card it cannot know.

    After every action the hidden cards of a twin are dealt anew and everything that reaches the
    seat is compared. ``checks`` notes what was compared.
    """
    rng = random.Random(seed)
    env = environment(rules)
    env.reset(seed=seed)
    game = env.game
    for at, rank in enumerate(random_levels(rules, seed) or ()):
        game.row["level"][at] = RANKS.index(rank) - lowest_rank(rules.deck, rules.suits)
    ask_anew(game)
    shown = shown_at_first(game)
    while game.actor is not None:
        action = None if rng.random() < FORFEITS else rng.choice(game.legal_actions())
        if action is not None and action.card is not None:
            shown |= game.codes.mask([action.card])
        elif action is not None and action.kind is Kind.STOCK:
            shown |= game.codes.mask(game.stock[:1])
        twin, seat = copy.deepcopy(env), rng.randrange(rules.players)
        env.step(action)
        if not step_twin(twin, env, hidden_from(env, seat, shown), action, rng):
            continue
        for name, sense in senses.items():
            if sense(env, seat) != sense(twin, seat):
                return name
        if checks is not None and not (game.rows == twin.game.rows).all():
            kind = "illegal" if action is None else str(action.kind)
            checks += [kind, "end" if game.actor is None else str(game.phase.name)]
            checks += ["PEEK"] * peeks(game, seat)
    return None


def environment(rules: Rules) -> DurakAECEnv:
    """An environment of these rules."""
    return podkidnoy_v0.env(**rules.options())


def some_rules(seed: int) -> Rules:
    """Random rules, first every preset; in half of them passes are not skipped, so that fewer twins
    are refused."""
    rng = random.Random(seed)
    if seed < 2 * len(PRESETS):
        options = Rules.preset(list(PRESETS)[seed // 2]).options()
        options["show_transfer"] = options["transfer"]
        rules = Rules.preset("podkidnoy", **options)
    else:
        rules = random_rules(rng)
    return dataclasses.replace(rules, ask_everyone=True) if seed % 2 else rules


def test_nothing_leaks() -> None:
    """I10, S003-39: over random rules, positions and seats, in every phase, to the end."""
    checks: list[str] = []
    for seed in range(150):
        rules = some_rules(seed)
        assert first_leak(rules, seed, SENSES, checks) is None, (str(rules), seed)
    assert set(checks) >= {phase.name for phase in Phase if phase is not Phase.OVER}
    assert set(checks) >= {*Kind, "end", "PEEK"}
    assert len(checks) > 6000


DEAD_LEADS = [
    Rules(deck=12, suits=3, hand_size=1, epaulettes=True, trump_exempt=False, ask_everyone=True),
    Rules(deck=54, players=3, hand_size=1, joker_may_attack=False, ask_everyone=True),
]
"""Rules with hands so small that often all cards of a leader are barred while the stock lasts."""


@pytest.mark.parametrize("rules", DEAD_LEADS, ids=["epaulettes", "jokers"])
def test_dead_leads_leak_nothing(rules: Rules) -> None:
    """4.1 H6, E98: that nothing may be led is the leader's secret."""
    checks: list[str] = []
    for seed in range(16):
        assert first_leak(rules, seed, SENSES, checks) is None, seed
    assert len(checks) > 150


# --- planted leaks ------------------------------------------------------------------------------


def next_hand(env: DurakAECEnv, seat: int) -> int:
    """The hand of the seat to the left."""
    return int(env.game.row["hands"][(seat + 1) % env.max_num_agents])


def leaky_view(env: DurakAECEnv, seat: int) -> bytes:
    """A view that knows whether the next seat holds a trump."""
    return view(env, seat) + bytes([next_hand(env, seat) & 0xFFFF != 0])


def leaky_observation(env: DurakAECEnv, seat: int) -> bytes:
    """An observation whose first number knows how many trumps the next seat holds."""
    seen = env.observe(agent(env, seat))["observation"]
    seen[0] = (next_hand(env, seat) & 0xFFFF).bit_count()
    return seen.tobytes()


def leaky_encodings(env: DurakAECEnv, seat: int) -> bytes:
    """The encoding that is for training only."""
    return encoded(env, seat, "full")


def leaky_mask(env: DurakAECEnv, _seat: int) -> bytes:
    """The actor's mask, shown to everybody."""
    return env.observe(env.agent_selection)["action_mask"].tobytes()


def leaky_infos(env: DurakAECEnv, seat: int) -> bytes:
    """Infos with the next card of the stock."""
    row = env.game.row
    return infos(env, seat) + bytes([int(row["stock"][row["stock_next"]]) & 0xFF])


def leaky_picture(env: DurakAECEnv, _seat: int) -> bytes:
    """The actor's picture, shown to everybody."""
    return render_game(env.game).encode()


def leaky_peek(env: DurakAECEnv, seat: int) -> bytes:
    """A view that shows the top card of the stock to everybody while the leader may lead it."""
    legal = {action.kind for action in env.game.legal_actions()}
    return view(env, seat) + (str(env.game.stock[0]).encode() if Kind.STOCK in legal else b"")


def leaky_decisions(env: DurakAECEnv, seat: int) -> bytes:
    """An opponent that plays its highest card where the next seat holds few trumps."""
    legal = env.game.legal_actions()
    few = (next_hand(env, seat) & 0xFFFF).bit_count() < 2
    return bytes([legal[-1 if few else 0].id]) if env.game.actor == seat else b""


@pytest.mark.parametrize(
    ("name", "leaky"),
    [
        ("view", leaky_view),
        ("observation", leaky_observation),
        ("encodings", leaky_encodings),
        ("mask", leaky_mask),
        ("infos", leaky_infos),
        ("picture", leaky_picture),
        ("decisions", leaky_decisions),
    ],
)
def test_a_planted_leak_is_found(name: str, leaky: Sense) -> None:
    """The same check finds each of them within a few deals, and blames the right one."""
    senses = {**SENSES, name: leaky}
    rules = Rules(players=3, ask_everyone=True)
    for seed in range(0, 24, 3):
        assert {first_leak(rules, seed + k, senses) for k in range(3)} - {None} == {name}


def test_a_planted_peek_is_found() -> None:
    """P22a: the leader alone may know that card."""
    rules = Rules(stock_lead=True, stock_lead_peek=True, ask_everyone=True)
    found = {first_leak(rules, seed, {**SENSES, "view": leaky_peek}) for seed in range(6)}
    assert "view" in found


@pytest.mark.parametrize("rules", DEAD_LEADS, ids=["epaulettes", "jokers"])
def test_a_planted_secret_of_the_leader_is_found(rules: Rules) -> None:
    """4.1 H6: the row's own field, which a view hides until the card lies on the table."""

    def leaky(env: DurakAECEnv, seat: int) -> bytes:
        return view(env, seat) + bytes([int(env.game.row["dead_lead"])])

    assert "view" in {first_leak(rules, seed, {**SENSES, "view": leaky}) for seed in range(16)}


# --- what an opponent gets ----------------------------------------------------------------------


def test_a_view_has_no_room_for_hidden_cards() -> None:
    """What decides gets records without the fields in which a row hides its cards."""
    hidden = {"hands", "stock", "seen", "seen_count"}
    assert hidden <= set(new_rows(Rules(), 1).dtype.names or ())
    assert not hidden & set(VIEW.names or ())


@pytest.mark.parametrize("name", list(SCRIPTED))
def test_open_hands_change_no_decision(name: str) -> None:
    """E121: what pictures show is nothing to an opponent."""
    played = []
    for open_hands in (False, True):
        rules = Rules(players=3, open_hands=open_hands, discard_visible=open_hands)
        rows, streams = new_rows(rules, 100), np.arange(100, dtype=np.uint64)
        deal_many(rows, np.arange(100), streams)
        Seating([opponents.make(name)], seat_everybody(0, 100, 3), streams).play(rows)
        played.append(rows.tobytes())
    assert played[0] == played[1]
