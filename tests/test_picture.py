"""Pictures of the table: what is in them, what is not, windows and videos."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pygame
import pytest
from gymnasium.wrappers import RecordVideo

from durak_env import DurakError, Game, Rules, epaulettes_v0, jokers_v0, podkidnoy_v0
from durak_env.cards import Card, Suit, format_cards, full_deck, parse_cards
from durak_env.envs.aec import DurakAECEnv
from durak_env.envs.single import DurakEnv
from durak_env.render.layout import WIDTH, fan, grid, heap, height_of, layout_of
from durak_env.render.paint import paint
from durak_env.render.picture import SHAPE, Picture, picture_of_game, picture_of_view
from durak_env.render.scene import caption_of, scene_of_game, scene_of_view, trumps_last
from durak_env.render.window import Window
from durak_env.rules import PRESETS
from tests.positions import play, position
from tests.test_leaks import first_leak, some_rules

TABLES = [
    (name, players)
    for name, preset in PRESETS.items()
    for players in range(preset.players[0], preset.players[1] + 1)
]
"""Every preset with every number of players."""


def played(rules: Rules, seed: int, most: int = 10_000) -> Game:
    """A game after some random actions, or at its end."""
    game, rng = Game(rules, seed=seed), random.Random(seed)
    while game.actor is not None and most:
        game.play(rng.choice(game.legal_actions()))
        most -= 1
    return game


def check_picture(picture: Any) -> None:
    """It is an image, and more is in it than the table."""
    assert picture.shape == SHAPE == (720, 960, 3)
    assert picture.dtype == np.uint8
    assert picture.flags.writeable
    assert len(np.unique(picture[:, :, 0])) > 100
    assert len(np.unique(picture[:, :, 2])) > 100


# --- every table --------------------------------------------------------------------------------


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_every_table(preset: str, players: int) -> None:
    """In mid-deal and at the end, from a seat and from outside; the same game, the same bytes."""
    rules = Rules.preset(preset, players=players)
    for most in (12, 10_000):
        game = played(rules, seed=players, most=most)
        seat = players - 1
        check_picture(picture_of_game(game))
        picture = picture_of_view(game.view(seat))
        check_picture(picture)
        picture[:] = 0
        again = picture_of_view(game.copy().view(seat))
        assert again.tobytes() == picture_of_view(game.view(seat)).tobytes()
        assert again.any()


def test_a_picture_changes_with_the_game() -> None:
    game = played(Rules(players=3), seed=1, most=6)
    seen = [picture_of_view(game.view(seat)).tobytes() for seat in range(3)]
    assert len(set(seen)) == 3
    before = picture_of_game(game).tobytes()
    assert picture_of_game(game, "player_1 passes").tobytes() != before
    game.play(game.legal_actions()[0])
    assert picture_of_game(game).tobytes() != before


def test_no_display_is_needed() -> None:
    """A picture is drawn without a window, and opens none."""
    pygame.display.quit()
    check_picture(picture_of_game(Game(seed=1)))
    assert not pygame.display.get_init()


def test_pygame_may_be_closed_in_between() -> None:
    before = picture_of_game(Game(seed=1), "player_0 plays 6♠").tobytes()
    pygame.quit()
    assert picture_of_game(Game(seed=1), "player_0 plays 6♠").tobytes() == before
    check_picture(picture_of_game(Game(seed=1), "a line that was never drawn before"))


# --- what is shown ------------------------------------------------------------------------------

MID_BOUT = "As 7d|9s Ks 8d|Jc Qc"


def test_the_scene_of_a_seat() -> None:
    """Its own hand, what everybody has seen, the roles and the words; nothing else."""
    game = position(MID_BOUT, table="8s", known="| 9s | ")
    scene = scene_of_view(game.view(0), "player_2 passes")
    you, left, right = scene.seats
    assert (you.name, left.name, right.name) == ("you", "player_1", "player_2")
    assert format_cards(list(you.cards)) == "As 7d"
    assert (format_cards(list(left.cards)), left.hidden) == ("9s", 2)
    assert (right.cards, right.hidden) == ((), 2)
    assert you.badges == ("attacks",)
    assert left.badges == ("defends", "to move")
    assert [seat.to_move for seat in scene.seats] == [False, True, False]
    assert scene.table == ((Card.parse("8s"), None),)
    assert (scene.discarded, scene.discard) == (len(game.discard), ())
    assert (scene.stock, scene.trump_card, scene.peek) == (0, Card.parse("6d"), None)
    assert (scene.caption, scene.title, scene.subtitle) == ("player_2 passes", "", "")


def test_seats_are_counted_from_the_viewer() -> None:
    game = position(MID_BOUT, table="8s")
    scene = scene_of_view(game.view(1))
    assert [seat.name for seat in scene.seats] == ["you", "player_2", "player_0"]
    assert [seat.to_move for seat in scene.seats] == [True, False, False]


def test_a_defender_that_takes() -> None:
    scene = scene_of_game(play(position("8c 7d|9s Ks 8d|Jc Qc", table="8s"), "take"))
    assert scene.seats[1].badges[0] == "takes"


def test_the_table_from_outside() -> None:
    """S003-50: the actor's hand lies open; with ``open_hands``, and at the end, every hand."""
    game = position(MID_BOUT, table="8s")
    assert [seat.hidden for seat in scene_of_game(game).seats] == [2, 0, 2]
    game = position(MID_BOUT, "open_hands=true", table="8s")
    assert [seat.hidden for seat in scene_of_game(game).seats] == [0, 0, 0]
    for seat, shown in enumerate(scene_of_game(game).seats):
        assert set(shown.cards) == set(game.hand(seat))
    ended = scene_of_game(played(Rules(players=3), seed=3))
    assert not any(seat.hidden for seat in ended.seats)


def test_the_discard_lies_face_up_where_the_rules_say_so() -> None:
    """P35."""
    game = position(MID_BOUT, "discard_visible=true", table="8s")
    assert set(scene_of_view(game.view(0)).discard) == set(game.discard)
    assert game.discard


def test_the_end_of_a_deal() -> None:
    game = position("As|9s Ks", table="8s")
    play(game, "take,As,take")
    assert game.outcome is not None
    scene = scene_of_game(game)
    assert scene.title == "player_1 is the durak"
    assert [seat.badges for seat in scene.seats] == [("out 1st",), ("durak",)]
    assert scene_of_view(game.view(1)).title == "you are the durak"
    assert scene_of_view(game.view(0)).title == "player_1 is the durak"


def test_a_draw() -> None:
    """P33."""
    scene = scene_of_game(play(position("8s|9s"), "8s,9s"))
    assert (scene.title, scene.subtitle) == ("draw", "nobody has cards left")


def test_every_ending_has_words() -> None:
    for seed in range(40):
        game = played(some_rules(seed), seed)
        scene = scene_of_game(game)
        assert scene.title
        assert scene.subtitle


def test_levels_of_epaulettes() -> None:
    """P37, H8: the rank that each seat has to hang, and who hung."""
    game = Game(Rules.preset("epaulettes"), seed=1, levels=["7", "J"])
    assert [seat.badges[0] for seat in scene_of_view(game.view(1)).seats] == ["level J", "level 7"]
    game.row["phase"], game.row["reason"], game.row["actor"] = 4, 1, -1
    game.row["durak"], game.row["hung"] = 1, 0
    assert scene_of_game(game).subtitle == "player_0 hung epaulettes"
    assert scene_of_view(game.view(0)).subtitle == "you hung epaulettes"


def test_the_card_that_a_leader_may_look_at() -> None:
    """P22a: it is in the picture of the leader only."""
    game = Game(Rules(stock_lead=True, stock_lead_peek=True), seed=1)
    assert game.actor is not None
    top = game.stock[0]
    assert scene_of_view(game.view(game.actor)).peek == scene_of_game(game).peek == top
    assert scene_of_view(game.view(1 - game.actor)).peek is None
    hidden = dataclasses.replace(scene_of_game(game), peek=None)
    assert pixels(scene_of_game(game)) != pixels(hidden)


def test_jokers_that_were_turned_up() -> None:
    """E97: they lie above the trump card until they are drawn, the first to be drawn on top."""
    deck = full_deck(54)
    rules = Rules.preset("jokers", players=2)
    dealt = deck[: 2 * rules.hand_size]
    jokers = parse_cards("*r *b")
    rest = [card for card in deck if card not in dealt + jokers]
    game = Game(rules, deck=dealt + jokers + rest)
    assert game.trump_card == rest[0]
    assert scene_of_game(game).turned_up == tuple(reversed(jokers))
    for left, shown in ((3, 2), (2, 1), (1, 0)):
        game.row["stock_next"] = game.row["stock_end"] - left
        on_the_trump = scene_of_game(game).turned_up
        assert list(on_the_trump) == list(reversed(game.stock[:-1])) == jokers[::-1][:shown]
        check_picture(picture_of_game(game))


def test_the_order_of_a_hand() -> None:
    """Suits of both colours in turn, then a plain joker, then the trumps; its own joker on top."""
    rules = Rules.preset("jokers")
    hand = parse_cards("*b *r 7d Ad 9c 6s Kh 8h")
    assert format_cards(trumps_last(hand, Suit.DIAMONDS, rules)) == "6s 8h Kh 9c *b 7d Ad *r"
    plain = dataclasses.replace(rules, trump_joker=False)
    assert format_cards(trumps_last(hand, Suit.DIAMONDS, plain)) == "6s 8h Kh 9c *b *r 7d Ad"
    assert format_cards(trumps_last(hand, Suit.CLUBS, rules)) == "6s 8h Kh 7d Ad *r 9c *b"


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("8s", "player_1 plays 8♠"),
        ("10d", "player_1 plays 10♦"),
        ("*r", "player_1 plays the red joker"),
        ("pass", "player_1 passes"),
        ("take", "player_1 takes"),
        ("stock", "player_1 leads from the stock"),
        ("target Qh", "player_1 will beat Q♥"),
        ("transfer 8c", "player_1 transfers with 8♣"),
        ("show 8d", "player_1 transfers by showing 8♦"),
        ("self *b", "player_1 throws in to itself the black joker"),
    ],
)
def test_captions(action: str, words: str) -> None:
    assert caption_of("player_1", action) == words


# --- what is not shown --------------------------------------------------------------------------


def pixels(scene: Any) -> bytes:
    """The picture of a scene."""
    return pygame.image.tobytes(paint(scene), "RGB")


def picture(env: DurakAECEnv, seat: int) -> bytes:
    """What a seat sees."""
    return picture_of_view(env.game.view(seat)).tobytes()


def leaky_picture(env: DurakAECEnv, seat: int) -> bytes:
    """What a seat sees, if the next hand lay face up."""
    scene = scene_of_view(env.game.view(seat))
    hand = env.game.hand((seat + 1) % env.max_num_agents)
    shown = dataclasses.replace(scene.seats[1], cards=tuple(hand), hidden=0)
    return pixels(dataclasses.replace(scene, seats=(scene.seats[0], shown, *scene.seats[2:])))


def table_from_outside(env: DurakAECEnv, _seat: int) -> bytes:
    """The actor's hand, shown to everybody."""
    return picture_of_game(env.game).tobytes()


@pytest.mark.parametrize("seed", [1, 4, 6, 8, 12, 14, 16, 18, 20])
def test_pictures_leak_nothing(seed: int) -> None:
    """I10, S003-39: with other hidden cards the picture is the same, byte by byte."""
    checks: list[str] = []
    assert first_leak(some_rules(seed), seed, {"picture": picture}, checks) is None
    assert len(checks) > 15


@pytest.mark.parametrize("leaky", [leaky_picture, table_from_outside])
def test_a_planted_leak_is_found(leaky: Callable[[DurakAECEnv, int], bytes]) -> None:
    rules = Rules(players=3, ask_everyone=True)
    assert first_leak(rules, 1, {"picture": leaky}) == "picture"


# --- layout -------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 9))
def test_everything_has_room(players: int) -> None:
    """Hands and tables of any size stay within their boxes, and the boxes apart."""
    layout = layout_of(players)
    assert len(layout.slots) == players
    for slot in layout.slots:
        assert slot.middle - slot.width / 2 > 10
        assert slot.middle + slot.width / 2 < WIDTH - 10
        for hidden, shown in ((0, 0), (0, 1), (1, 0), (6, 0), (3, 3), (30, 0), (26, 4), (0, 53)):
            points = fan(hidden, shown, slot.card, slot.width)
            assert len(points) == hidden + shown
            assert all(abs(x) <= slot.width / 2 + 1 for x, _ in points)
            assert all(x + slot.card <= slot.width / 2 + 1 for x, _ in points)
            assert len(set(points)) == len(points)
    for attacks in range(29):
        places = grid(attacks, layout.attacks)
        assert len(places.corners) == attacks
        assert places.card >= 20
        for left, top in places.corners:
            assert layout.attacks.left <= left
            assert layout.attacks.top <= top
            right = left + places.card + places.shift[0]
            assert right <= layout.attacks.left + layout.attacks.width
            bottom = top + height_of(places.card) + places.shift[1]
            assert bottom <= layout.attacks.top + layout.attacks.height
    for cards in (1, 36, 54):
        for left, top in heap(cards, 40, layout.discard):
            assert layout.discard.left <= left <= layout.discard.left + layout.discard.width - 40
            assert top <= layout.discard.top + layout.discard.height - height_of(40)


def test_a_huge_hand_is_drawn() -> None:
    """Thirty cards after many takes: they overlap more, and every one changes the picture."""
    deck = format_cards(full_deck(36))
    hand = deck.replace(" 6d", "").split()[:30]
    game = position(f"{' '.join(hand)}|{' '.join(deck.replace(' 6d', '').split()[30:])} 6d")
    scene = scene_of_view(game.view(0))
    you = scene.seats[0]
    assert len(you.cards) == 30
    seen = pixels(scene)
    for k in range(30):
        others = (*you.cards[:k], Card.parse("2s"), *you.cards[k + 1 :])
        changed = (dataclasses.replace(you, cards=others), *scene.seats[1:])
        assert pixels(dataclasses.replace(scene, seats=changed)) != seen


# --- the environments ---------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def quick_dummy_screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Windows that nobody sees, without the pauses for people who look at them."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    for kind in (podkidnoy_v0.raw_env, jokers_v0.raw_env, epaulettes_v0.raw_env, DurakEnv):
        monkeypatch.setitem(kind.metadata, "render_fps", 1000)
    yield
    pygame.display.quit()


def test_render_modes() -> None:
    assert podkidnoy_v0.raw_env.metadata["render_modes"] == ["ansi", "human", "rgb_array"]


def test_the_last_action_is_named() -> None:
    env = podkidnoy_v0.env(players=3, render_mode="rgb_array")
    env.reset(seed=1)
    assert np.array_equal(env.render(), picture_of_game(env.game))
    who, action = env.agent_selection, env.game.legal_actions()[0]
    env.step(action)
    assert np.array_equal(env.render(), picture_of_game(env.game, caption_of(who, str(action))))
    who = env.agent_selection
    env.step(None)
    assert np.array_equal(env.render(), picture_of_game(env.game, f"{who}: an illegal action"))
    env.reset()
    assert np.array_equal(env.render(), picture_of_game(env.game))


def test_the_picture_of_one_seat() -> None:
    """``render_seat``: its view and no more, as text and as picture."""
    env = podkidnoy_v0.env(players=3, render_mode="rgb_array", render_seat=1)
    text = podkidnoy_v0.env(players=3, render_mode="ansi", render_seat=1)
    for made in (env, text):
        made.reset(seed=1, options={"first_leader": 1})
    action = str(env.game.legal_actions()[0])
    for made in (env, text):
        made.step(made.game.legal_actions()[0])
    seen = picture_of_view(env.game.view(1), caption_of("you", action))
    assert np.array_equal(env.render(), seen)
    assert "you (attacks)" in text.render()


@pytest.mark.parametrize("seat", [-1, 3, "player_1"])
def test_no_such_seat(seat: Any) -> None:
    with pytest.raises(DurakError, match=r"render_seat=.* is not accepted; it takes None, 0, 1, 2"):
        podkidnoy_v0.env(players=3, render_seat=seat)


def test_the_learner_sees_its_view() -> None:
    env = DurakEnv(players=3, seat=1, render_mode="rgb_array")
    env.reset(seed=1)
    check_picture(env.render())
    assert np.array_equal(env.render(), picture_of_view(env.view))


@pytest.mark.parametrize("mode", ["ansi", "human", "rgb_array"])
def test_nothing_to_render_yet(mode: str) -> None:
    for env in (podkidnoy_v0.env(render_mode=mode), DurakEnv(render_mode=mode)):
        with pytest.raises(gymnasium.error.ResetNeeded, match="nothing is dealt: call reset"):
            env.render()


# --- windows ------------------------------------------------------------------------------------


def on_the_screen() -> Picture:
    """What the window shows."""
    screen = pygame.display.get_surface()
    return np.frombuffer(pygame.image.tobytes(screen, "RGB"), dtype=np.uint8).reshape(SHAPE)


def test_a_window_follows_the_game() -> None:
    """It opens with the first deal, shows every step, closes, and opens again."""
    env = podkidnoy_v0.env(players=3, render_mode="human")
    assert not pygame.display.get_init()
    for _ in range(2):
        env.reset(seed=1)
        assert np.array_equal(on_the_screen(), picture_of_game(env.game))
        who, action = env.agent_selection, str(env.game.legal_actions()[0])
        env.step(env.game.legal_actions()[0])
        shown = picture_of_game(env.game, caption_of(who, action))
        assert np.array_equal(on_the_screen(), shown)
        assert env.render() is None
        env.close()
        env.close()
        assert not pygame.display.get_init()


def test_a_window_of_the_learner() -> None:
    env = DurakEnv(render_mode="human")
    env.reset(seed=1)
    assert np.array_equal(on_the_screen(), picture_of_view(env.view))
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert np.array_equal(on_the_screen(), picture_of_view(env.view))
    env.close()
    assert not pygame.display.get_init()


def test_two_windows() -> None:
    """They share the screen; the other goes on when one is closed."""
    one, two = Window(), Window()
    pictures = [picture_of_game(Game(seed=seed)) for seed in (1, 2)]
    one.show(pictures[0], 1000)
    two.show(pictures[1], 1000)
    one.close()
    two.show(pictures[1], 1000)
    assert np.array_equal(on_the_screen(), pictures[1])
    two.close()


def pickled(env: Any) -> Any:
    """A copy by way of a pickle."""
    return pickle.loads(pickle.dumps(env))


@pytest.mark.parametrize(
    ("kind", "copied"),
    [
        (podkidnoy_v0.raw_env, copy.copy),
        (podkidnoy_v0.raw_env, copy.deepcopy),
        (podkidnoy_v0.raw_env, pickled),
        (DurakEnv, copy.deepcopy),
        (DurakEnv, pickled),
    ],
)
def test_a_window_is_not_copied(kind: Any, copied: Callable[[Any], Any]) -> None:
    """The copy has none until it draws; closing it leaves the window of the original."""
    env = kind(render_mode="human")
    env.reset(seed=1)
    shown = on_the_screen()
    twin = copied(env)
    assert not twin._window.is_open
    twin.close()
    assert env._window.is_open
    assert np.array_equal(on_the_screen(), shown)
    twin.render()
    assert np.array_equal(on_the_screen(), shown)


def test_no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    env = podkidnoy_v0.env(render_mode="human")
    with pytest.raises(DurakError, match=r"no window can be opened .* use render_mode="):
        env.reset(seed=1)


def test_pygame_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that says what to install; the text needs nothing."""
    monkeypatch.setitem(sys.modules, "pygame", None)
    said = r'pictures need pygame: pip install "durak_env\[render\]"'
    for draw in (
        lambda: picture_of_game(Game(seed=1)),
        lambda: picture_of_view(Game(seed=1).view(0)),
        lambda: Window().show(np.zeros(SHAPE, dtype=np.uint8), 1),
        lambda: podkidnoy_v0.env(render_mode="human"),
        lambda: podkidnoy_v0.env(render_mode="rgb_array"),
        lambda: DurakEnv(render_mode="human"),
        lambda: DurakEnv(render_mode="rgb_array"),
    ):
        with pytest.raises(DurakError, match=said):
            draw()
    env = podkidnoy_v0.env(render_mode="ansi")
    env.reset(seed=1)
    assert "trump" in env.render()
    env.close()


# --- videos -------------------------------------------------------------------------------------


def test_a_video_of_an_episode(tmp_path: Path) -> None:
    """Gymnasium's recorder, over a short deal."""
    env = DurakEnv(deck=12, suits=2, hand_size=3, render_mode="rgb_array")
    recorded = RecordVideo(env, str(tmp_path / "videos"), episode_trigger=lambda _: True)
    recorded.reset(seed=1)
    terminated = False
    while not terminated:
        terminated = recorded.step(np.flatnonzero(env.action_masks())[0])[2]
    recorded.close()
    (video,) = (tmp_path / "videos").glob("*.mp4")
    assert video.stat().st_size > 5000
