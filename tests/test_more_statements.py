"""The statements of the sources that the other tests leave out: readable positions, whole deals.

Trump is diamonds, seat 0 leads at seat 1.
"""

from __future__ import annotations

import json
import random
from itertools import pairwise

import pytest
from click.testing import CliRunner

from durak_env import Game, Rules
from durak_env.cards import full_deck
from durak_env.cli import main
from durak_env.engine import Phase
from durak_env.game import Action
from durak_env.match import EpaulettesMatch, Knockout, Match
from durak_env.render.text import render_game, render_view
from durak_env.rules import OPTIONS, OptionValue
from durak_env.view import PlayerView
from tests.positions import askers, dealt, hand, known, legal, play


def under(preset: str, hands: str, options: str = "", **fields: str) -> Game:
    """A position of a preset, for as many seats as there are hands."""
    rules = f"{preset}(players={hands.count('|') + 1},{options})"
    fields = {"rules": rules, "hands": hands, "trump": "6d", **fields}
    return Game.from_position("\n".join(f"{key}: {text}" for key, text in fields.items()))


def holders(game: Game) -> list[int]:
    """The seats that have cards."""
    return [seat for seat in range(game.players) if game.hand(seat)]


def laid(game: Game) -> set[str]:
    """Every card on the table, beaten or not."""
    return {str(card) for pair in game.table for card in pair if card is not None}


def words(picture: str) -> set[str]:
    """The words of a picture, the cards among them."""
    return set(picture.replace("/", " ").replace(",", " ").split())


def printed(*args: str) -> str:
    """What a command line that goes well prints."""
    result = CliRunner().invoke(main, args)
    assert result.exit_code == 0, result.output
    return result.stdout


# --- the deal -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "deck"), [(2, 36), (5, 36), (2, 52), (6, 52)])
def test_six_each_and_the_rest_is_the_stock(players: int, deck: int) -> None:
    """S002-4: no card is lost or twice, and the trump card lies beneath the stock."""
    game = Game(Rules.preset("armenian", players=players, deck=deck), seed=5)
    hands = [card for seat in range(players) for card in game.hand(seat)]
    assert [len(game.hand(seat)) for seat in range(players)] == [6] * players
    assert sorted(hands + game.stock) == sorted(full_deck(deck))
    assert game.stock[-1] == game.trump_card


def test_the_deck_is_shuffled() -> None:
    """S002-4: over many seeds every card comes to seat 0, about as often as any other."""
    counts = dict.fromkeys(map(str, full_deck(36)), 0)
    for seed in range(1200):
        for card in Game("armenian", seed=seed).hand(0):
            counts[str(card)] += 1
    assert sum(counts.values()) == 7200
    assert all(140 <= count <= 260 for count in counts.values()), counts


def test_who_deals_and_what_is_dealt() -> None:
    """S004-3: the first dealer by lot, then the durak; six each, the next card is the trump card.

    The trump card lies beneath the stock, and the rest of the stock above it in its order.
    """
    matches = [Match("american(players=3)", seed=seed, max_deals=4) for seed in range(30)]
    assert {match.dealer for match in matches} == {0, 1, 2}
    rng = random.Random(0)
    for match in matches[:5]:
        while not match.over:
            if match.actor is None:
                match.next_deal()
            match.play(rng.choice(match.game.legal_actions()))
        for before, after in pairwise(match.deals):
            assert after.dealer == before.outcome.durak
    deck = full_deck(36)[::-1]
    game = Game("american(players=3)", deck=deck)
    assert [set(game.hand(seat)) for seat in range(3)] == [set(deck[k:18:3]) for k in range(3)]
    assert game.stock == [*deck[19:], deck[18]]


def test_the_lowest_trump_leads_and_play_goes_clockwise() -> None:
    """S003-16: then each attack is against the next player that has cards."""
    hands = "7s 8s 9s 10s Js Qs | 9d 8h 9h 10h Jh Qh | 8d 8c 9c 10c Jc Qc"
    game = dealt(Rules.preset("plus", players=3), hands)
    assert (game.leader, game.defender) == (2, 0)
    for seed in range(10):
        game, rng = Game(Rules.preset("plus", players=4), seed=seed), random.Random(seed)
        trumps = {card: seat for seat in range(4) for card in game.hand(seat)}
        trumps = {card: seat for card, seat in trumps.items() if card.suit == game.trump_card.suit}
        assert game.leader == trumps[min(trumps)]
        while game.actor is not None:
            clockwise = [(game.leader + step) % 4 for step in (1, 2, 3)]
            assert game.defender == next(seat for seat in clockwise if seat not in game.places)
            game.play(rng.choice(game.legal_actions()))


# --- beating ------------------------------------------------------------------------------------


def test_a_plain_card_falls_to_its_suit_or_to_any_trump() -> None:
    """S001-7: the 9h and even the 6d beat the 7h; a lower heart and higher plain cards do not."""
    game = play(under("site", "7h Kc | 6h 9h Ah 9s Ac 6d Jd"), "7h")
    assert legal(game) == {"9h", "Ah", "6d", "Jd", "take"}


def test_a_trump_falls_to_a_higher_trump_only() -> None:
    """S001-8, S001-27: neither a lower trump nor an ace of another suit beats the 9d."""
    assert legal(play(under("site", "9d Kc | 6d 8d 10d Ad As Ah"), "9d")) == {"10d", "Ad", "take"}
    assert legal(play(under("site", "Ad Kc | 6d 8d 10d Kd As Ah"), "Ad")) == {"take"}


def test_each_attack_card_needs_a_card_of_its_own() -> None:
    """S001-9: the 7d could beat both eights, but it beats the one that it is put on."""
    game = play(under("site", "8s 8c Kc | 7d Jc Qh"), "8s, 8c, target 8s, 7d")
    assert [(str(attack), str(cover)) for attack, cover in game.table] == [
        ("8s", "7d"),
        ("8c", "None"),
    ]
    assert (game.actor, game.bout, legal(game)) == (1, 1, {"Jc", "take"})
    play(game, "Jc")
    assert (game.bout, game.leader, hand(game, 1)) == (2, 1, {"Qh"})


def test_prostoy_bout() -> None:
    """S000-43, S000-47: the left neighbour beats both nines, and that ends the bout.

    Seat 2 and the leader hold cards of the ranks on the table, but nobody is asked to throw in.
    """
    hands = "9s 9h 10c Kc | 10s 8h Jh 7d Qc | 9c Jc Ac"
    game = play(under("prostoy", hands), "9s, 9h")
    assert (game.actor, legal(game)) == (1, {"10s", "7d", "take"})
    play(game, "10s")
    assert (game.actor, game.bout, legal(game)) == (1, 1, {"Jh", "7d", "take"})
    before = set(map(str, game.discard))
    play(game, "Jh")
    assert (game.bout, game.leader) == (2, 1)
    assert set(map(str, game.discard)) == before | {"9s", "9h", "10s", "Jh"}


def test_e120_games_called_prostoy() -> None:
    """E120, S003-44: leads of one rank in one of them, one card in another; nothing thrown in."""
    hands = "9s 9h Kc | 10s Jh Qc Ac | 9c Jc Ah"
    assert Rules.preset("простой") == Rules.preset("simple") == Rules.preset("prostoy")
    several = play(under("prostoy", hands), "9s")
    assert (several.actor, legal(several)) == (0, {"9h", "pass"})
    one = play(under("plus", hands, "throw_in=none"), "9s")
    assert (one.actor, legal(one)) == (1, {"10s", "take"})
    for game in (play(several, "pass, 10s"), play(one, "10s")):
        assert (game.bout, game.leader) == (2, 1)


# --- throwing in --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["podkidnoy", "site"])
def test_attack_and_beating_cards_open_their_ranks(name: str) -> None:
    """S000-55, S001-11: the Js has beaten the 8s, so eights and jacks may be thrown in."""
    game = play(under(name, "8s 8h 8d Jc 9c Kc Qd | Js Ah Ac As Qh"), "8s, pass, Js")
    assert (game.actor, game.phase) == (0, Phase.THROW)
    assert legal(game) == {"8h", "8d", "Jc", "pass"}


def test_the_right_to_throw_in_returns_to_the_leader() -> None:
    """S002-16: the leader first, then clockwise, and the same again after every card."""
    hands = "7s 7c 9h | 8s 9c Js Qs Qc Kh | 7h Kc 9s | 7d Ah"
    game = play(under("armenian", hands), "7s, 8s")
    assert askers(game.copy()) == [0, 2, 3]
    play(game, "pass, 7h, Kh")
    assert askers(game) == [0, 2, 3]


def test_six_attack_cards_at_most() -> None:
    """S001-27: six are beaten and all is discarded, although a nine and two answers are left."""
    table = "7s/8s 7h/8h 7c/8c 7d/8d 9s/10s"
    game = under("site", "9h 9c 9d Kd | 10h Qh Jc", table=table)
    assert game.room == 1
    before = len(game.discard)
    play(game, "9h, 10h")
    assert (game.bout, game.leader, len(game.discard)) == (2, 1, before + 12)


def test_no_more_attack_cards_than_the_defender_holds() -> None:
    """S001-27: a defender with two cards is given two, though two more eights could be added."""
    game = play(under("site", "8s 8h 8c 8d Kc | Qs Qh"), "8s, pass, take")
    assert (game.actor, game.room, legal(game)) == (0, 1, {"8h", "8c", "8d", "pass"})
    play(game, "8h")
    assert (game.bout, hand(game, 1)) == (2, {"8s", "8h", "Qs", "Qh"})


# --- the table is cleared -----------------------------------------------------------------------


def check_bout_end(before: Game, action: str, game: Game) -> str:
    """What was beaten is discarded, what was taken is in the taker's hand; returns which."""
    cards = laid(before) | ({action} - {"pass", "take"})
    if action == "take" or before.phase is Phase.ADD:
        assert cards <= hand(game, before.defender)
        assert game.discard == before.discard
        return "taken"
    assert set(map(str, game.discard)) == cards | set(map(str, before.discard))
    return "beaten"


@pytest.mark.parametrize("name", ["podkidnoy", "armenian"])
@pytest.mark.parametrize("seed", range(6))
def test_beaten_cards_are_out_and_taken_cards_stay(name: str, seed: int) -> None:
    """S000-103, S002-17, S002-18: whole deals; what is discarded never comes back."""
    game, rng = Game(Rules.preset(name, players=3), seed=seed), random.Random(seed)
    ends = set()
    while game.actor is not None:
        before = game.copy()
        action = str(rng.choice(game.legal_actions()))
        game.play(action)
        if game.bout > before.bout or game.actor is None:
            ends.add(check_bout_end(before, action, game))
        gone = set(map(str, game.discard))
        assert set(map(str, before.discard)) <= gone
        in_play = set(map(str, game.stock)) | laid(game)
        assert not gone & in_play.union(*(hand(game, seat) for seat in range(3)))
    assert ends == {"beaten", "taken"}


def test_one_unbeaten_card_and_everything_is_taken() -> None:
    """S002-18: the 9s was beaten, the 10h is not; the cover comes back with the rest."""
    game = play(under("armenian", "9s 10h Kc | 10s Ah Ac As"), "9s, 10s, 10h")
    before = game.discard
    play(game, "take")
    assert hand(game, 1) == {"9s", "10s", "10h", "Ah", "Ac", "As"}
    assert (game.discard, game.leader) == (before, 0)


@pytest.mark.parametrize("name", ["podkidnoy", "armenian"])
def test_nobody_looks_through_the_discard(name: str) -> None:
    """S000-48, S002-17: no picture shows a discarded card before the deal is over."""
    game, rng = Game(name, seed=3), random.Random(3)
    most = 0
    while game.actor is not None:
        pictures = [render_game(game), *(render_view(game.view(seat)) for seat in (0, 1))]
        hidden = set(map(str, game.discard)) - {str(game.trump_card)}
        for picture in pictures:
            assert f"discard {len(game.discard)} cards" in picture
            assert not words(picture) & hidden
        most = max(most, len(hidden))
        game.play(rng.choice(game.legal_actions()))
    assert most > 10


def test_the_trump_card_is_drawn_too() -> None:
    """S002-20: it goes to the defender's hand as the last card, and may be led like any other."""
    hands = "7s 9c 10c Jc Qc Kc | 8s 9h 10h Jh Qh Kh"
    game = play(under("armenian", hands, stock="Ah 6d"), "7s, 8s")
    assert (hand(game, 0) - {"9c", "10c", "Jc", "Qc", "Kc"}, game.stock) == ({"Ah"}, [])
    assert (game.actor, known(game, 1)) == (1, {"6d"})
    assert legal(game) == {"9h", "10h", "Jh", "Qh", "Kh", "6d"}


# --- the end ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_the_deal_runs_until_one_player_has_cards(seed: int) -> None:
    """S002-2, S002-21: who sheds all cards is safe, in that order; the last holder is the durak."""
    game, rng = Game("armenian(players=4)", seed=seed), random.Random(seed)
    bout = 0
    while game.actor is not None:
        if game.bout > bout:
            bout = game.bout
            assert len(holders(game)) > 1
            assert set(game.places) == set(range(4)) - set(holders(game))
        game.play(rng.choice(game.legal_actions()))
    assert game.outcome is not None
    assert game.outcome.reason == "durak"
    assert holders(game) == [game.outcome.durak]
    assert game.places[-1] == game.outcome.durak


FOUR_BOUTS = "8h, transfer 8s, take, 7h, take, pass, 7s, transfer 7h, take, 8s, take, pass"


def test_e76_two_players_repeat_by_transfers() -> None:
    """E76: each takes two of four bouts, and everything is as it was; the third time is a draw."""
    hands = "7s 7h 8s Ks Qs | 8h Kc Qc"
    game = under("podkidnoy", hands, "transfer=true,lead_mode=single", leader="1")
    play(game, FOUR_BOUTS)
    assert (game.bout, game.leader, game.outcome) == (5, 1, None)
    assert hand(game, 0) == {"7s", "7h", "8s", "Ks", "Qs"}
    assert hand(game, 1) == {"8h", "Kc", "Qc"}
    play(game, FOUR_BOUTS)
    assert game.outcome is not None
    assert (game.outcome.durak, game.outcome.reason) == (None, "repetition")


# --- jokers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("trump", "joker"), [("6h", "*r"), ("6d", "*r"), ("6s", "*b")])
def test_nothing_beats_the_trump_joker(trump: str, joker: str) -> None:
    """S000-98: a hand of 52 others has no answer to it, and it beats even the ace of trumps."""
    others = " ".join(str(card) for card in full_deck(54) if str(card) not in (joker, "2c"))
    assert legal(play(under("jokers", f"{joker} 2c | {others}", trump=trump), joker)) == {"take"}
    ace = f"A{trump[-1]}"
    game = play(under("jokers", f"{ace} 2c | {joker} Kc", trump=trump), ace)
    assert legal(game) == {joker, "take"}


@pytest.mark.parametrize(("trump", "joker", "suits"), [("6h", "*b", "sc"), ("6s", "*r", "hd")])
def test_the_plain_joker_beats_its_own_colour(trump: str, joker: str, suits: str) -> None:
    """S000-99: all 26 cards of its colour, none of the other."""
    beaten = set()
    for card in map(str, full_deck(52)):
        game = play(under("jokers", f"{card} | {joker}", trump=trump), card)
        if joker in legal(game):
            beaten.add(card)
    assert beaten == {str(card) for card in full_deck(52) if card.suit.letter in suits}


def test_ranks_from_two_to_the_joker() -> None:
    """S000-101: each card of the ladder falls to those above it; the joker stands over the ace."""
    ladder = ["2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "10s", "Js", "Qs", "Ks", "As", "*b"]
    for step, led in enumerate(ladder):
        others = " ".join(card for card in ladder if card != led)
        game = play(under("jokers", f"{led} Kc | {others}", "lead_mode=single", trump="6h"), led)
        assert legal(game) == {*ladder[step + 1 :], "take"}


# --- epaulettes and the tournament --------------------------------------------------------------


def test_the_next_rank_to_hang_is_special() -> None:
    """S000-15: it binds its player at once, and the rank that was hung is free again."""
    match, rng = EpaulettesMatch(seed=2, max_deals=60), random.Random(2)
    seen = set()
    while not match.over:
        if match.actor is None:
            match.next_deal()
        game, seat = match.game, match.actor
        assert seat is not None
        assert game.actor is not None
        if game.phase is Phase.LEAD and game.stock and not game.table:
            special, trump = match.levels[seat], str(game.trump_card)[-1]
            cards = hand(game, game.actor)
            assert cards - legal(game) == {c for c in cards if c[:-1] == special and c[-1] != trump}
            seen |= {special for card in cards - legal(game)}
        match.play(rng.choice(game.legal_actions()))
    assert {"6", "7"} <= seen


def test_stages_of_a_tournament() -> None:
    """S000-66, S000-67: eight, four, two, and one is left when every game has been played."""
    cup, rng = Knockout([f"entrant {k}" for k in range(8)], seed=1), random.Random(1)

    def at_random(entrant: str, view: PlayerView, legal: tuple[Action, ...]) -> Action:
        assert entrant in cup.remaining
        assert list(map(str, legal)) == view.legal_actions()
        return rng.choice(legal)

    while cup.table is not None:
        assert (cup.champion, cup.rounds[-1].over) == (None, False)
        cup.play_deal(at_random)
    assert [len(one.tables) for one in cup.rounds] == [4, 2, 1]
    for before, after in pairwise(cup.rounds):
        assert {name for pairing in after.pairings for name in pairing} == set(before.advancing)
    assert all(table.over for one in cup.rounds for table in one.tables)
    assert cup.remaining == (cup.champion,)


# --- the settings -------------------------------------------------------------------------------


SETTINGS: dict[str, tuple[str, tuple[OptionValue, ...]]] = {
    "players": ("2 to 6", (2, 3, 4, 5, 6)),
    "deck": ("36, 52", (36, 52)),
    "throw_in": ("none, on", ("on", "none")),
    "throwers": ("all, neighbours", ("all", "neighbours")),
    "transfer": ("false, true", (False, True)),
    "show_transfer": ("false, true", (False, True)),
    "first_limit": ("1 to 26 or none", (None, 5)),
    "open_hands": ("false, true", (False, True)),
}
"""What the settings window lets one choose, and how `durak variants` says so."""


@pytest.mark.parametrize("name", ["podkidnoy", "prostoy", "perevodnoy", "plus"])
def test_classic_and_variants_for_two_to_six(name: str) -> None:
    """S003-3: each is listed for two to six players, and can be dealt for all of them."""
    listed = {fact["name"]: fact for fact in json.loads(printed("variants", "--json"))["variants"]}
    assert listed[name]["players"] == [2, 6]
    for players in range(2, 7):
        game = Game(Rules.preset(name, players=players), seed=1)
        assert len(holders(game)) == players


def test_every_setting_is_listed_and_explained() -> None:
    """S003-6, S003-40: `durak variants plus` shows each with its values and its meaning."""
    facts = json.loads(printed("variants", "plus", "--json"))["variants"][0]["options"]
    by_name = {fact["name"]: fact for fact in facts}
    assert set(SETTINGS) <= set(by_name) == set(OPTIONS)
    lines = printed("variants", "plus").splitlines()
    for name, (accepted, _) in SETTINGS.items():
        assert accepted in by_name[name]["accepts"]
        assert len(by_name[name]["doc"].split()) > 2
        assert any(line.split()[:1] == [name] for line in lines)


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name in SETTINGS for value in SETTINGS[name][1]]
)
def test_every_setting_can_be_chosen(name: str, value: OptionValue) -> None:
    """S003-40: each by itself; showing goes with transfer."""
    needed = {"transfer": True} if name == "show_transfer" else {}
    rules = Rules.preset("plus", **needed, **{name: value})
    assert rules.options()[name] == value
    assert Game(str(rules), seed=1).rules == rules


def test_play_starts_from_level_and_settings() -> None:
    """S003-6: the level easy plays what is set."""
    rules = "plus(players=3,deck=52,transfer=true,show_transfer=true,throwers=neighbours)"
    args = ("arena", "easy", "random", "--rules", rules, "--deals", "2", "--json")
    report = json.loads(printed(*args))
    assert Rules.parse(report["rules"]) == Rules.parse(rules)
    (row,) = report["table"]
    assert (row["a"], row["games"], row["illegal"]) == ("easy", 6, 0)


def test_open_hands() -> None:
    """S003-50: the picture has every card of every hand; without Open, the actor's alone."""
    for shown in (True, False):
        game = Game(Rules.preset("plus", players=3, open_hands=shown), seed=4)
        picture = render_game(game)
        assert game.actor is not None
        others = set().union(*(hand(game, seat) for seat in range(3) if seat != game.actor))
        assert hand(game, game.actor) <= words(picture)
        assert words(picture) & others == (others if shown else set())
        assert ("hidden" in picture) == (not shown)
