"""The encodings beside ``flat``: what they say, that they lose nothing, and that they all play."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from durak_env import DurakError, Game, OpponentError, Rules, encoding, podkidnoy_v0
from durak_env.actions import (
    UNIVERSAL,
    action_table,
    universal_ids,
    universal_table,
)
from durak_env.cards import full_deck, rank_count
from durak_env.encoding import (
    Encoder,
    FlatEncoder,
    FullEncoder,
    HistoryEncoder,
    PlanesEncoder,
    UniversalEncoder,
)
from durak_env.encoding.kernels import WIDE_DECK, WIDE_RANKS
from durak_env.engine.state import MAX_EVENTS, STATE
from durak_env.envs.aec import DurakAECEnv
from durak_env.envs.learners import Learners
from durak_env.envs.single import DurakEnv
from durak_env.envs.vector import DurakVectorEnv
from durak_env.opponents.card import AgentCard
from durak_env.rules import PRESETS
from durak_env.view.kernels import VIEW, histories_of
from tests.test_encoding import anonymous, content, dealt, play_on, some_games, some_rules

Numbers = npt.NDArray[np.generic]
OTHERS = ("planes", "universal", "history", "full")
FIRST = np.zeros(1, dtype=np.int64)
TRICKS = Rules.preset("armenian_tricks")


@lru_cache
def made(name: str, rules: Rules) -> Encoder:
    """The encoder of this name for these rules."""
    return encoding.make(name, rules)


def observed(name: str, game: Game, seat: int) -> Numbers:
    """The observation of a seat, as the environments make it."""
    encoder = made(name, game.rules)
    out = encoder.buffer(1)
    out[:] = 7
    encoding.observe_only(encoder, game.rows, FIRST, np.array([seat]), out)
    return out[0]


def sections(name: str, game: Game, seat: int) -> dict[str, Numbers]:
    """A seat's observation, section by section; of ``planes`` each with a line for every card."""
    seen = observed(name, game, seat)
    return {one.name: seen[..., one.start : one.stop] for one in made(name, game.rules).sections}


# --- what all have in common --------------------------------------------------------------------


@pytest.mark.parametrize("name", OTHERS)
def test_sections_cover_the_observation(name: str) -> None:
    for rules in [*some_rules(30, seed=1), TRICKS]:
        encoder = made(name, rules)
        assert encoder.sections[0].start == 0
        assert all(one.stop == other.start for one, other in pairwise(encoder.sections))
        assert encoder.sections[-1].stop == encoder.shape[-1]
        assert len({one.name for one in encoder.sections}) == len(encoder.sections)
        assert all(one.doc for one in encoder.sections)


@pytest.mark.parametrize("name", OTHERS)
def test_numbers_stay_in_the_declared_range(name: str) -> None:
    for game in some_games(60, seed=2):
        for seat in range(game.players):
            seen = observed(name, game, seat)
            encoder = made(name, game.rules)
            assert seen.dtype == encoder.dtype
            assert seen.shape == encoder.shape
            assert seen.min() >= 0
            assert seen.max() <= encoder.high


def hidden(game: Game) -> object:
    """What no seat sees, as the engine names it."""
    row = game.row
    stock = row["stock"][row["stock_next"] : row["stock_end"]].tolist()
    return row["hands"].tolist(), stock, row["down"].tolist(), int(row["dead_lead"])


def events(game: Game, seat: int) -> object:
    """What has happened, seats counted from the viewer."""
    count, *kept = histories_of(game.rows, FIRST)[0].tolist()
    return [((event // 512 - seat) % game.players, event % 512) for event in kept[:count]]


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("rules", [*some_rules(18, seed=7), TRICKS], ids=anonymous)
def test_different_views_are_encoded_differently(rules: Rules, name: str) -> None:
    """And equal ones alike; ``history`` with what has happened, ``full`` with what is hidden."""
    rng = random.Random(4)
    contents: dict[bytes, object] = {}
    observations: dict[str, bytes] = {}
    for seed in range(3):
        game = dealt(rules, seed)
        for _ in play_on(game, rng, 150):
            seat = rng.randrange(rules.players)
            told: object = content(game.view(seat))
            if name == "full":
                told = told, hidden(game), seat
            elif name == "history":
                told = told, events(game, seat)
            encoded = observed(name, game, seat).tobytes()
            assert contents.setdefault(encoded, told) == told
            if name != "full":  # it may tell apart what differs in absolute seats only
                assert observations.setdefault(repr(told), encoded) == encoded
    assert len(contents) > 40


@pytest.mark.parametrize("name", OTHERS)
def test_environments_of_every_encoding(name: str) -> None:
    """All three forms observe the same of the same deals, and their spaces contain it."""
    for preset in ("podkidnoy", "perevodnoy", "armenian_tricks"):
        single = DurakEnv(encoder=name, preset=preset, opponents="greedy")
        many = DurakVectorEnv(
            3, encoder=name, preset=preset, opponents="greedy", autoreset_mode="SameStep"
        )
        one, info = single.reset(seed=5)
        all_rows, _ = many.reset(seed=[5, 6, 7])
        rng = random.Random(5)
        for _ in range(60):
            assert single.observation_space.contains(one)
            for key, value in one.items():
                assert np.array_equal(value, all_rows[key][0])
            actions = [
                rng.choice(np.flatnonzero(mask).tolist()) for mask in all_rows["action_mask"]
            ]
            one, _, over, _, info = single.step(actions[0])
            assert not info["illegal"]
            all_rows, _, _, _, infos = many.step(np.array(actions))
            assert not infos["illegal"].any()
            if over:
                one, _ = single.reset()


@pytest.mark.parametrize("name", OTHERS)
def test_the_aec_environment_observes_what_learners_do(name: str) -> None:
    rng = random.Random(3)
    for preset in PRESETS:
        env = podkidnoy_v0.env(encoder=name) if preset == "podkidnoy" else None
        env = env or aec(preset, encoder=name)
        env.reset(seed=2)
        for agent in env.agent_iter(80):
            seen, _, over, _, info = env.last()
            assert env.observation_space(agent).contains(seen)
            assert np.array_equal(info["action_mask"], seen["action_mask"])
            expected = observed(name, env.game, env.possible_agents.index(agent))
            assert np.array_equal(seen["observation"], expected)
            legal = np.flatnonzero(seen["action_mask"]).tolist()
            env.step(None if over else rng.choice(legal))


def aec(preset: str, **arguments: object) -> DurakAECEnv:
    """The AEC environment of a preset."""
    import importlib

    env: DurakAECEnv = importlib.import_module(f"durak_env.{preset}_v0").env(**arguments)
    return env


# --- planes -------------------------------------------------------------------------------------


def column(game: Game, seat: int, name: str) -> set[str]:
    """The cards that have a one in a column."""
    ones = np.flatnonzero(sections("planes", game, seat)[name].ravel()).tolist()
    return {str(game.codes.card(code)) for code in map(card_codes(game).__getitem__, ones)}


def card_codes(game: Game) -> list[int]:
    """The engine's cards in the order of action ids."""
    from durak_env.engine import action_code

    return [int(action_code(game.rows, 0, k)) for k in range(game.rules.deck)]


def texts(cards: object) -> set[str]:
    """Cards in notation."""
    return set(map(str, cards))  # type: ignore[call-overload]


@pytest.mark.parametrize("rules", some_rules(24, seed=9), ids=anonymous)
def test_columns_of_planes(rules: Rules) -> None:
    """Each set of cards, read back; what nobody can place is the rest of the deck."""
    rng = random.Random(5)
    game = dealt(rules, 3)
    for _ in play_on(game, rng, 80):
        seat = rng.randrange(rules.players)
        view = game.view(seat)
        assert column(game, seat, "hand") == texts(view.hand)
        assert column(game, seat, "discard") == texts(view.discard)
        unbeaten = {str(attack) for attack, cover in view.table if cover is None}
        assert column(game, seat, "unbeaten") == unbeaten
        on_table = {str(c) for pair in view.table for c in pair if c is not None}
        assert column(game, seat, "beaten") == on_table - unbeaten
        seen = set(on_table)
        for k in range(rules.players):
            known = column(game, seat, f"known_{k}")
            assert k == 0 or known == texts(view.known(k))
            assert known <= texts(view.known(k))
            seen |= known
        seen |= texts(view.hand) | texts(view.discard) | column(game, seat, "trump_card")
        seen |= column(game, seat, "revealed_joker") if rules.deck in (38, 54) else set()
        everything = texts(full_deck(rules.deck, rules.suits))
        assert column(game, seat, "unseen") == everything - seen == texts(view.unseen)


def test_planes_repeat_what_all_cards_share() -> None:
    """The numbers of ``flat`` that are no sets of cards stand on every line."""
    for game in some_games(40, seed=3):
        flat = FlatEncoder(game.rules)
        numbers = flat.encode(game.view(0).record)[0]
        by_name = sections("planes", game, 0)
        for one in flat.sections:
            if one.name in by_name and one.name not in ("hand", "unbeaten", "beaten", "discard"):
                if one.name.startswith(("known_", "peek", "covering_")):
                    continue
                assert (by_name[one.name] == numbers[one.start : one.stop]).all()


def test_faces_of_cards() -> None:
    """Ranks count from the two, so that all decks agree; a joker has both suits of its colour."""
    game = Game("podkidnoy", seed=1)
    faces = sections("planes", game, 0)
    assert np.flatnonzero(faces["rank"][0]).tolist() == [4]
    assert (faces["suit"].argmax(axis=1) == np.repeat(np.arange(4), 9)).all()
    jokers = sections("planes", Game("jokers", seed=1), 0)
    assert jokers["rank"][52:].sum() == 0
    assert jokers["suit"][52:].tolist() == [[1, 1, 0, 0], [0, 0, 1, 1]]


# --- universal ----------------------------------------------------------------------------------


def test_one_layout_for_all_rules() -> None:
    shapes = {made("universal", rules).shape for rules in [*some_rules(40, seed=4), TRICKS]}
    assert len(shapes) == 1
    env = aec("jokers", encoder="universal", players=8)
    other = aec("prostoy", encoder="universal")
    assert env.observation_space("player_0") == other.observation_space("player_0")
    assert env.action_space("player_7") == other.action_space("player_1")


def test_the_widest_deck() -> None:
    """What the kernels freeze is what the universal rules have."""
    assert UNIVERSAL.deck == WIDE_DECK
    assert rank_count(UNIVERSAL.deck) == WIDE_RANKS


def test_universal_actions_mean_the_same() -> None:
    for rules in [*some_rules(40, seed=4), TRICKS]:
        table, wide = action_table(rules), universal_table()
        ids = universal_ids(rules)
        assert len(set(ids)) == len(table)
        assert [wide.describe(k) for k in ids] == [table.describe(k) for k in range(len(table))]


def test_universal_tells_rules_apart() -> None:
    """One array holds views of all rules, and every option that a row holds shows."""
    base = dict(Rules().options())
    changes: dict[str, object] = {
        "players": 3,
        "deck": 24,
        "hand_size": 5,
        "throw_in": "none",
        "cap": 5,
        "first_limit": 4,
        "cover_order": "any",
        "transfer": True,
        "self_throw": "free",
        "stock_lead": True,
        "repetition": None,
        "draw_policy": "last_defender_loses",
    }
    every = [Rules(), *(Rules(**{**base, name: value}) for name, value in changes.items())]  # type: ignore[arg-type]
    views = np.concatenate([Game(rules, seed=1, leader=0).view(0).record for rules in every])
    encoder = UniversalEncoder(Rules())
    together = encoder.encode(views)
    size = next(one.stop for one in reversed(encoder.sections) if one.name.startswith("rule_"))
    assert len({row.tobytes() for row in together[:, :size]}) == len(every)
    for k, rules in enumerate(every):
        assert np.array_equal(UniversalEncoder(rules).encode(views[k : k + 1])[0], together[k])
        differing = {
            one.name
            for one in encoder.sections
            if one.stop <= size
            and (together[k, one.start : one.stop] != together[0, one.start : one.stop]).any()
        }
        named = {f"rule_{name}" for name in changes if k and rules.options()[name] != base[name]}
        assert named <= differing


def test_the_options_of_a_rule_section() -> None:
    told = sections("universal", Game("jokers", seed=1), 0)
    assert told["rule_players"].tolist() == [0, 1, 0, 0]
    assert told["rule_deck"].tolist() == [0, 1, 1, 0, 1, 1]
    assert told["rule_transfer"].tolist() == [0]
    assert told["rule_plain_joker"].tolist() == [1, 0, 0]
    tricks = sections("universal", Game("armenian_tricks", seed=1), 0)
    assert tricks["rule_tricks"].tolist() == [1]
    assert tricks["rule_trump_suit"].tolist() == [1, 0, 0, 0, 0]


def test_universal_is_flat_where_the_deck_is_the_widest() -> None:
    """Every section that both have says the same."""
    rules = Rules.preset("jokers", players=8)
    rng = random.Random(6)
    game = dealt(rules, 6)
    for _ in play_on(game, rng):
        seat = rng.randrange(8)
        wide, flat = sections("universal", game, seat), FlatEncoder(rules)
        numbers = flat.encode(game.view(seat).record)[0]
        shared = [one for one in flat.sections if one.name in wide and one.name != "padding"]
        assert len(shared) > 20
        for one in shared:
            mine = numbers[one.start : one.stop]
            assert wide[one.name][: mine.size].tolist() == mine.tolist(), one.name


def test_an_action_that_the_game_lacks_is_illegal() -> None:
    env = podkidnoy_v0.env(encoder="universal")
    env.reset(seed=1)
    lacking = sorted(set(range(len(universal_table()))) - set(universal_ids(Rules())))
    assert len(lacking) == len(universal_table()) - 38
    env.step(lacking[0])
    assert set(env.terminations.values()) == {True}
    single = DurakEnv(encoder="universal", illegal_action="raise")
    single.reset(seed=1)
    with pytest.raises(DurakError, match=f"action {lacking[-1]} is not legal"):
        single.step(lacking[-1])


def test_universal_masks() -> None:
    """They are those of the rules, each at its place; full at the end of the deal."""
    rng = random.Random(7)
    for rules in some_rules(30, seed=5):
        game, ids = dealt(rules, 5), universal_ids(rules)
        numbering = encoding.Numbering(made("universal", rules))
        for _ in play_on(game, rng, 60):
            seat = rng.randrange(rules.players)
            masks = np.full((1, len(universal_table())), 7, dtype=np.int8)
            out = made("universal", rules).buffer(1)
            encoding.observe(
                made("universal", rules), game.rows, FIRST, np.array([seat]), out, masks
            )
            ones = np.flatnonzero(masks[0]).tolist()
            if game.actor is None:
                assert len(ones) == len(universal_table())
            else:
                legal = [a.id for a in game.legal_actions()] if seat == game.actor else []
                assert ones == sorted(ids[k] for k in legal)
                own = numbering.own_ids(np.array(ones, dtype=np.int64))
                assert sorted(own.tolist()) == legal
                assert numbering.ids(own).tolist() == ones


# --- history ------------------------------------------------------------------------------------


def tokens(game: Game, seat: int) -> list[tuple[int, int]]:
    """The tokens that a seat sees, as (seat, event)."""
    encoder = HistoryEncoder(game.rules)
    told = sections("history", game, seat)
    count = int(told["length"][0])
    kept = told["tokens"].tolist()
    assert all(kept[:count])
    assert not any(kept[count:])
    return [divmod(token - 1, encoder.kinds) for token in kept[:count]]


def test_tokens_are_the_actions_and_the_ends_of_bouts() -> None:
    game = Game.from_position(
        "rules: podkidnoy\ntrump: Kh\nphase: lead\nhands: 6s 7s 8d | 7c 8s Kd\nstock: "
    )
    beaten = len(action_table(game.rules)) + 36
    taken = beaten + 1
    ids = [game.play(text).history[-1].id for text in ("6s", "8s", "pass")]
    assert tokens(game, 0) == [(0, ids[0]), (1, ids[1]), (0, ids[2]), (1, beaten)]
    assert tokens(game, 1) == [(1, ids[0]), (0, ids[1]), (1, ids[2]), (0, beaten)]
    more = [game.play(text).history[-1].id for text in ("7c", "take")]
    assert tokens(game, 0)[4:] == [(1, more[0]), (0, more[1]), (0, taken)]


@pytest.mark.parametrize("rules", [*some_rules(30, seed=11), TRICKS], ids=anonymous)
def test_tokens_of_a_deal(rules: Rules) -> None:
    """In order all the actions of the deal, each by its seat; other events between them."""
    rng = random.Random(2)
    game = dealt(rules, 2)
    who: list[int] = []
    actor = game.actor
    for action in play_on(game, rng, 100):
        assert actor is not None
        who.append(actor)
        actor = game.actor
        seat = rng.randrange(rules.players)
        seen = tokens(game, seat)
        acted = [token for token in seen if token[1] < len(action_table(rules))]
        expected = [
            ((one - seat) % rules.players, done.id)
            for one, done in zip(who, game.history, strict=True)
        ]
        assert acted == expected[-len(acted) :]
        assert len(seen) == MAX_EVENTS or len(acted) == len(expected)
        assert action.id == acted[-1][1]


def test_cards_that_turn_up_are_events() -> None:
    """P22: the stock card that is led; S002-30: the card under a row card that is played."""
    game = Game(Rules.preset("armenian"), seed=3)
    top = game.stock[0]
    game.play("stock")
    lead = [code for code in card_codes(game) if game.codes.card(code) == top]
    place = card_codes(game).index(lead[0])
    first = game.view(0).seat  # seats are as the table has them for seat 0
    assert tokens(game, first)[1] == (
        tokens(game, first)[0][0],
        len(action_table(game.rules)) + place,
    )
    tricks = Game(TRICKS, seed=3)
    row = [up for _, up in tricks.row_cards(0)]
    mine = next(a for a in tricks.legal_actions() if a.card in row)
    tricks.play(mine)
    (_, played), (owner, turned) = tokens(tricks, 0)
    assert (owner, played) == (0, mine.id)
    now = [up for _, up in tricks.row_cards(0) if up not in row]
    assert tricks.codes.card(card_codes(tricks)[turned - len(action_table(TRICKS))]) == now[0]


def test_the_oldest_events_are_forgotten() -> None:
    """A long deal keeps the last ones."""
    game = Game(Rules.preset("jokers", players=6, ask_everyone=True), seed=1)
    for _ in play_on(game, random.Random(1)):
        pass
    assert len(game.history) > MAX_EVENTS
    seen = tokens(game, 0)
    assert len(seen) == MAX_EVENTS
    acted = [event for _, event in seen if event < len(action_table(game.rules))]
    assert acted == [action.id for action in game.history][-len(acted) :]


def test_history_begins_anew_with_every_deal() -> None:
    env = podkidnoy_v0.env(encoder="history", episode="match", deals=2)
    env.reset(seed=1)
    rng = random.Random(1)
    played = 0
    for _ in env.agent_iter():
        seen, _, over, _, _ = env.last()
        played = 0 if env.game.history == [] else played
        assert (seen["observation"][0] == 0) == (not env.game.history)
        legal = np.flatnonzero(seen["action_mask"]).tolist()
        env.step(None if over else rng.choice(legal))
        played += 1


def test_rows_keep_events_only_for_those_who_read_them() -> None:
    """Keeping them takes time."""
    quiet = Learners(Rules(), 4, "greedy")
    reading = Learners(Rules(), 4, "greedy", encoder="history")
    for learners, kept in ((quiet, 0), (reading, 1)):
        learners.seed([1, 2, 3, 4])
        learners.deal(np.arange(4))
        assert set(learners.rows["keeps_events"].tolist()) == {kept}
    assert quiet.rows["event_count"].sum() == 0
    assert reading.rows["event_count"].sum() > 0


# --- full ---------------------------------------------------------------------------------------


def cards_of(game: Game, numbers: Numbers) -> list[str]:
    """The cards of a section of binary numbers, up to the first zero."""
    found = []
    for bits in numbers.reshape(-1, 7):
        number = int(sum(int(bit) << k for k, bit in enumerate(bits)))
        if number:
            found.append(str(game.codes.card(number - 1)))
    return found


@pytest.mark.parametrize("rules", some_rules(24, seed=12), ids=anonymous)
def test_full_has_all_hands_and_the_stock(rules: Rules) -> None:
    rng = random.Random(8)
    game = dealt(rules, 8)
    codes = card_codes(game)
    for _ in play_on(game, rng, 60):
        seat = rng.randrange(rules.players)
        told = sections("full", game, seat)
        assert cards_of(game, told["stock_order"]) == list(map(str, game.stock))
        for k in range(1, rules.players):
            held = {str(game.codes.card(codes[j])) for j in np.flatnonzero(told[f"hand_{k}"])}
            assert held == texts(game.hand((seat + k) % rules.players))


def test_full_has_the_face_down_cards() -> None:
    game = Game(TRICKS, seed=4)
    for seat in range(2):
        told = sections("full", game, seat)
        for k in range(2):
            down = [str(down) for down, _ in game.row_cards(seat ^ k)]
            assert cards_of(game, told[f"face_down_{k}"]) == down


def test_state_is_the_full_encoding_of_the_first_agent() -> None:
    env = podkidnoy_v0.env(players=3)
    env.reset(seed=1, options={"seats": [2, 0, 1]})
    assert env.state_space.contains(env.state())
    assert np.array_equal(env.state(), observed("full", env.game, 2))
    assert np.array_equal(FullEncoder(Rules(players=3)).buffer(1)[0] * 0, env.state() * 0)


def test_no_opponent_has_perfect_information() -> None:
    with pytest.raises(OpponentError, match="its encoder full reads what is hidden"):
        AgentCard.of("seer", FullEncoder(Rules()), "none").check(None)


@pytest.mark.parametrize("name", ["full", "history"])
def test_what_a_view_does_not_say(name: str) -> None:
    with pytest.raises(DurakError, match=f"the encoder {name} .* which"):
        made(name, Rules()).encode(Game(seed=1).view(0).record)


def test_the_layouts_read_every_option_of_a_row() -> None:
    """A new field of the rules must become a feature of ``universal`` or be listed here."""
    from durak_env.encoding.universal.options import FEATURES
    from durak_env.engine.state import RULE_FIELDS

    follows = {"ranks", "order_places"}
    fields = {name for name, _ in RULE_FIELDS if not name.endswith("_id")}
    assert fields - {one.field for one in FEATURES} == follows
    assert STATE.fields is not None
    assert VIEW.fields is not None
    for one in FEATURES:
        assert STATE.fields[one.field][1] == VIEW.fields[one.field][1]


def test_options_of_every_rules_fit_their_sections() -> None:
    """No value spills into the next option."""
    for rules in [*some_rules(120, seed=13), TRICKS, UNIVERSAL]:
        told = sections("universal", dealt(rules, 1), 0)
        assert int(told["rule_deck"] @ (1 << np.arange(6))) == rules.deck
        assert int(told["rule_hand_size"] @ (1 << np.arange(4))) == rules.hand_size
        assert told["rule_throwers"].sum() == 1
        assert told["rule_rank_order"].sum() == 1
        assert told["rule_trump_suit"].sum() == 1
        limit = rules.first_limit
        assert told["rule_first_limit"][-1] == (limit is None)
        assert int(told["rule_first_limit"][:-1] @ (1 << np.arange(5))) == (limit or 0)
        cap = rules.cap
        assert told["rule_cap"][-1] == (cap is None)
        assert int(told["rule_cap"][:-1] @ (1 << np.arange(5))) == (cap or 0)


Made = Callable[[Rules], Encoder]


@pytest.mark.parametrize("make", [PlanesEncoder, UniversalEncoder])
def test_writing_into_a_buffer(make: Made) -> None:
    for game in some_games(30, seed=14):
        encoder = make(game.rules)
        views = np.concatenate([game.view(seat).record for seat in range(game.players)])
        buffer = encoder.buffer(game.players)
        buffer[:] = 7
        assert encoder.encode(views, buffer) is buffer
        assert np.array_equal(buffer, encoder.encode(views))


# --- the page -----------------------------------------------------------------------------------

PAGE = Path(__file__).resolve().parent.parent / "docs" / "encodings.md"


def section_table(name: str) -> str:
    """The sections of podkidnoy for two as a table; alike ones of other seats are left out."""
    lines = ["| from | to | section | |", "|---|---|---|---|"]
    lines += [
        f"| {one.start} | {one.stop} | `{one.name}` | {one.doc} |"
        for one in encoding.make(name, Rules()).sections
    ]
    return "\n".join(lines)


def page() -> str:
    """The page with all tables as they must be."""
    text = PAGE.read_text(encoding="utf-8")
    for name in encoding.ENCODERS:
        begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
        before, rest = text.split(begin)
        text = before + begin + "\n" + section_table(name) + "\n\n" + end + rest.split(end)[1]
    return text


def test_the_page_is_up_to_date() -> None:
    """``python -m tests.test_encodings`` writes it."""
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("name", list(encoding.ENCODERS))
def test_the_page_tells_shapes_and_versions(name: str) -> None:
    encoder = encoding.make(name, Rules())
    shape = ", ".join(map(str, encoder.shape)) + "," * (len(encoder.shape) == 1)
    assert f"| `{name}` | ({shape})" in PAGE.read_text(encoding="utf-8")
    assert encoder.version == (2 if name == "flat" else 1)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
