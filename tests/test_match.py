"""Matches: who deals and leads, standings, epaulettes, saving, the knockout tournament."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_env import Game, IllegalActionError, NotationError, PlayerView, Rules, RulesError
from durak_env.game import Action
from durak_env.match import EpaulettesMatch, Hang, Knockout, Match, Rotation, Table, bracket_order
from durak_env.match.deals import lots
from durak_env.match.text import format_saved
from tests.positions import play, position
from tests.strategies import seeds

DOCS = Path(__file__).resolve().parents[1] / "docs" / "matches.md"
SMALL = "podkidnoy(players=3,deck=12,hand_size=2)"
DRAWISH = "prostoy(deck=4,suits=2,hand_size=1)"
"""Two players who draw about every seventh deal."""


def play_deal(match: Match, rng: random.Random) -> None:
    """Play the deal in progress to its end."""
    while match.actor is not None:
        match.play(rng.choice(match.game.legal_actions()))


def play_match(match: Match, deals: int = 10_000, seed: int = 0) -> Match:
    """Play on at random until the match is over, or for so many deals."""
    rng = random.Random(seed)
    play_deal(match, rng)
    while not match.over and len(match.deals) < deals:
        match.next_deal()
        play_deal(match, rng)
    return match


def drawn() -> Game:
    """A deal that ended in a draw (E68)."""
    return play(position("9s | 10s"), "9s, 10s")


def over(options: str, durak: int | None, places: str, reason: str = "durak") -> Game:
    """A deal of four that is over; the durak, or seats 0 and 2, have the cards."""
    held = [0, 2] if durak is None else [durak]
    hands = " | ".join("Kh Ks" if seat == held[0] else "" for seat in range(4))
    if durak is None:
        hands = "Kh | | Ks | "
    fields = {"phase": "over", "reason": reason, "places": places}
    if durak is not None:
        fields["durak"] = str(durak)
    return position(hands, options, **fields)


def with_game(match: Any, game: Game) -> Any:
    """The match with another deal in progress, as if it had been dealt."""
    match._game = game
    return match


# --- the table ----------------------------------------------------------------------------------


@given(st.integers(2, 8), st.data())
def test_rotation(players: int, data: st.DataObject) -> None:
    """P32: the dealer is the last seat of the game, its left neighbour the first."""
    dealer = data.draw(st.integers(0, players - 1))
    rotation = Rotation(players, dealer)
    assert rotation.seat_of(players - 1) == dealer
    assert rotation.seat_of(0) == (dealer + 1) % players
    assert [rotation.game_seat_of(rotation.seat_of(k)) for k in range(players)] == [*range(players)]


def test_the_first_dealer_is_drawn_by_lot() -> None:
    """S002-3, P32: every seat may be."""
    dealers = [Match("podkidnoy(players=4)", seed=seed).dealer for seed in range(80)]
    assert {dealers.count(seat) >= 10 for seat in range(4)} == {True}


def test_seats_of_a_match_are_constant() -> None:
    """What the game calls its seats is turned back in every result."""
    match = play_match(Match(SMALL, seed=2, max_deals=12))
    assert len({deal.dealer for deal in match.deals}) > 1
    for deal in match.deals:
        outcome = Game.from_transcript(deal.transcript).outcome
        assert outcome is not None
        assert deal.outcome == deal.rotation.outcome(outcome)
        if outcome.durak is not None:
            assert deal.outcome.durak == (outcome.durak + deal.dealer + 1) % 3


LEADERS: dict[str, Callable[[int, int], int]] = {
    "prev_winner": lambda *seats: seats[1],
    "pod_duraka": lambda *seats: (seats[0] - 1) % 4,
    "iz_pod_duraka": lambda *seats: (seats[0] + 1) % 4,
}
"""Who leads, given the durak and who was out first."""


@pytest.mark.parametrize("later_first", LEADERS)
def test_e5_who_leads_the_next_deal(later_first: str) -> None:
    """E5, P30, P32, S000-40, S002-3, S002-8, S002-9: the geometry in the match's seats."""
    rules = f"podkidnoy(players=4,deck=24,hand_size=4,later_first={later_first})"
    deals = play_match(Match(rules, seed=6, max_deals=20)).deals
    checked = 0
    for before, after in pairwise(deals):
        durak = before.outcome.durak
        if durak is not None:
            assert after.dealer == durak
            assert after.leader == LEADERS[later_first](durak, before.outcome.places[0])
            assert "leader:" in after.transcript
            checked += 1
    assert checked > 10


@pytest.mark.parametrize(
    ("later_first", "leader"), [("pod_duraka", 1), ("iz_pod_duraka", 3), ("prev_winner", 0)]
)
def test_e5_as_it_stands(later_first: str, leader: int) -> None:
    """E5: four seats, the last durak is seat 2, seat 0 was out first."""
    match = Match(f"podkidnoy(players=4,later_first={later_first})", seed=1)
    turned = " ".join(str(match.game_seat_of(seat)) for seat in (0, 3, 1, 2))
    durak = match.game_seat_of(2)
    with_game(match, over(f"later_first={later_first}", durak, turned)).next_deal()
    assert (match.dealer, match.leader) == (2, leader)
    assert match.game_seat_of(2) == 3
    assert match.game.announced is None
    if later_first == "pod_duraka":
        assert match.seat_of(match.game.defender) == 2


def test_lowest_trump_leads_every_deal() -> None:
    """E5, P30: with ``lowest_trump`` nobody is designated, and the durak deals all the same."""
    deals = play_match(Match("plus(players=4,deck=36)", seed=3, max_deals=4)).deals
    for before, after in pairwise(deals):
        assert "leader:" not in after.transcript
        assert after.dealer == before.outcome.durak


@pytest.mark.parametrize("later_first", LEADERS)
def test_e6_after_a_draw(later_first: str) -> None:
    """E6, P31, P32: the lowest trump leads, the same dealer deals."""
    for seed in range(6):
        match = Match(f"podkidnoy(later_first={later_first})", seed=seed)
        dealer = match.dealer
        with_game(match, drawn()).next_deal()
        assert match.dealer == dealer
        assert match.game.announced in match.game.hand(match.game_seat_of(match.leader))
    assert match.deals[0].outcome.reason == "draw"


def test_e6_draws_in_a_row() -> None:
    """P31, P32: in play, and with every deck another."""
    deals = play_match(Match(DRAWISH, seed=1, max_deals=60)).deals
    draws = [deal for deal in deals[:-1] if deal.outcome.durak is None]
    assert draws
    for deal in draws:
        after = deals[deal.number]
        assert after.dealer == deal.dealer
        assert "leader:" not in after.transcript


def test_e6_the_durak_left() -> None:
    """E6, P31: somebody else sits there now; the seat still deals."""
    match = play_match(Match("podkidnoy", seed=4), 1)
    durak = match.deals[0].outcome.durak
    assert durak is not None
    twin = Match.from_text(match.to_text())
    assert twin.next_deal().announced is None
    assert match.next_deal(durak_left=True).announced is not None
    assert match.dealer == twin.dealer == durak
    assert Match.from_text(match.to_text()) == match != twin


def test_no_durak_to_leave() -> None:
    match = with_game(Match("podkidnoy", seed=4), drawn())
    with pytest.raises(IllegalActionError, match="durak_left: deal 1 has no durak"):
        match.next_deal(durak_left=True)
    assert match.number == 1


# --- decks and seeds ----------------------------------------------------------------------------


def test_same_seed_same_match() -> None:
    """I12: and another seed another match."""
    texts = [play_match(Match(SMALL, seed=seed), 5).to_text() for seed in (1, 1, 2, 3)]
    assert texts[0] == texts[1]
    assert len(set(texts)) == 3


def test_every_deal_has_its_own_deck() -> None:
    """A deck follows from the seed and the number of the deal, not from what was played."""
    one, other = (play_match(Match("podkidnoy", seed=8, max_deals=5), seed=seed) for seed in (1, 2))
    decks = [deal.transcript.split("deck: ")[1].splitlines()[0] for deal in one.deals]
    assert len(set(decks)) == 5
    assert [deal.transcript.split("deck: ")[1].splitlines()[0] for deal in other.deals] == decks


def test_absent_seeds_are_random() -> None:
    assert len({Match().seed for _ in range(20)}) == 20


# --- standings ----------------------------------------------------------------------------------


@given(seeds)
@settings(max_examples=15, deadline=None)
def test_standings(seed: int) -> None:
    """Losses, draws and places add up to the deals."""
    match = play_match(Match(SMALL, seed=seed, max_deals=6), seed=seed)
    table = match.standings
    assert table.deals == len(match.deals) == 6
    assert sum(table.losses) + table.draws == 6
    for seat in range(3):
        assert sum(table.places[seat]) == 6 - table.draws
        assert table.places[seat][2] == table.losses[seat]
    assert sorted(seat for group in match.ranking for seat in group) == [0, 1, 2]
    losses = [table.losses[group[0]] for group in match.ranking]
    assert losses == sorted(losses)


def test_ranking() -> None:
    """Fewest losses first, then more first places; equal seats share a group."""
    match = Match("podkidnoy(players=4)", seed=1)
    assert match.ranking == ((0, 1, 2, 3),)
    turned = [match.game_seat_of(seat) for seat in (3, 0, 1, 2)]
    match = with_game(match, over("", turned[3], " ".join(map(str, turned))))
    assert match.ranking == ((3,), (0,), (1,), (2,))
    assert match.standings.losses == (0, 0, 1, 0)
    assert match.winner is None


def test_a_draw_is_no_ones_place() -> None:
    match = with_game(Match("podkidnoy", seed=1, max_deals=1), drawn())
    assert (match.standings.draws, match.standings.places) == (1, ((0, 0), (0, 0)))
    assert (match.over, match.ranking, match.winner) == (True, ((0, 1),), None)


def test_target_losses() -> None:
    match = play_match(Match("podkidnoy", seed=2, target_losses=3))
    losses = match.standings.losses
    assert max(losses) == 3
    assert match.winner == losses.index(min(losses))
    assert match.ranking == ((match.winner,), (1 - match.winner,))


def test_without_a_limit_it_goes_on() -> None:
    match = play_match(Match(SMALL, seed=2), 30)
    assert not match.over
    assert match.winner is None


def test_next_deal_refusals() -> None:
    match = Match("podkidnoy", seed=1, max_deals=1)
    with pytest.raises(IllegalActionError, match=f"deal 1 goes on, seat {match.actor} is to move"):
        match.next_deal()
    play_match(match)
    text = match.to_text()
    with pytest.raises(IllegalActionError, match="the series is over with deal 1"):
        match.next_deal()
    with pytest.raises(IllegalActionError, match="the deal is over"):
        match.play("pass")
    assert match.to_text() == text


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Match(max_deals=0), RulesError, "max_deals=0 is not accepted"),
        (lambda: Match(target_losses=-1), RulesError, "target_losses=-1 is not accepted"),
        (lambda: Match(max_deals=True), RulesError, "max_deals=True is not accepted"),
        (lambda: Match(seed=-1), NotationError, "seed=-1: a seed is 0 or more"),
        (lambda: Match(seed=2**128), NotationError, "less than"),
        (lambda: Match("poker"), RulesError, "unknown preset"),
        (lambda: Match("epaulettes"), RulesError, "EpaulettesMatch"),
        (lambda: EpaulettesMatch("podkidnoy"), RulesError, "needs epaulettes=true"),
        (lambda: EpaulettesMatch(max_deals=0), RulesError, "max_deals=0"),
    ],
)
def test_refusals(make: Callable[[], Match], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


# --- epaulettes ---------------------------------------------------------------------------------


def lead_sixes(hands: str, levels: str, answer: str) -> Game:
    """Seat 0 leads the sixes of spades and clubs as its last cards; trump is diamonds."""
    text = f"rules: epaulettes; hands: {hands}; levels: {levels}; trump: 7d"
    game = Game.from_position(text)
    assert len(game.discard) % 2 == 0
    return play(game, f"6s, 6c, {answer}")


@pytest.mark.parametrize(
    ("hands", "levels", "answer", "hung"),
    [
        ("6s 6c | 9s 9c Kh Qh", "6 6", "take", 0),
        ("6s 6c | 9s 9c Kh Qh", "6 7", "9s, 9c", 0),
        ("6s 6c | 9s 9c", "6 7", "9s, 9c", None),
        ("6s 6c | 9s 9c Kh Qh", "7 6", "take", None),
    ],
    ids=["E99", "E100", "E101", "another-rank"],
)
def test_h8_hung(hands: str, levels: str, answer: str, hung: int | None) -> None:
    """H8, E99 ... E101, S000-5, S000-8: hung if the other has cards left, taken or beaten."""
    game = lead_sixes(hands, levels, answer)
    assert game.outcome is not None
    assert game.outcome.hung == hung
    match = EpaulettesMatch(seed=1)
    seat, ended = match.seat_of(0), match.dealer
    match = with_game(match, game)
    assert match.hangs == (() if hung is None else (Hang(1, seat, "6", 2),))
    expected = ["6", "6"]
    if hung is not None:
        expected[seat] = "7"
    assert match.levels == tuple(expected)
    match.next_deal()
    durak = game.outcome.durak
    assert match.dealer == (ended if durak is None else 1 - seat)
    if durak is None:
        assert match.game.announced in match.game.hand(match.game_seat_of(match.leader))
    else:
        assert (match.leader, match.game.announced) == (seat, None)
    assert tuple(match.game.position().split("levels: ")[1].split()[:2]) == tuple(
        expected[match.seat_of(game_seat)] for game_seat in (0, 1)
    )


def test_s000_9_both_begin_with_the_lowest_rank() -> None:
    """S000-9, S000-12: sixes with 36 cards, deuces with 52; aces are the last."""
    assert EpaulettesMatch(seed=1).levels == ("6", "6")
    assert EpaulettesMatch("epaulettes(deck=52)", seed=1).levels == ("2", "2")
    assert EpaulettesMatch(seed=1).ladder == ("6", "7", "8", "9", "10", "J", "Q", "K", "A")


@given(seeds)
@settings(max_examples=8, deadline=None)
def test_levels(seed: int) -> None:
    """S000-10, S000-11, S000-13, E110, E111: only the hanger goes on; no hang, no result."""
    match = EpaulettesMatch("epaulettes(deck=24)", seed=seed)
    rng, levels = random.Random(seed), {0: 0, 1: 0}
    while True:
        before = dict(enumerate(match.levels))
        assert before == {seat: match.ladder[level] for seat, level in levels.items()}
        play_deal(match, rng)
        hung = match.deals[-1].outcome.hung
        if hung is None:
            assert dict(enumerate(match.levels)) == before
        else:
            assert match.hangs[-1] == Hang(match.number, hung, before[hung], match.hangs[-1].cards)
            assert 2 <= match.hangs[-1].cards <= 4
            levels[hung] += 1
        assert match.over == (max(levels.values()) == len(match.ladder))
        if match.over:
            break
        match.next_deal()
    winner = match.hangs[-1].seat
    assert (match.winner, match.ranking) == (winner, ((winner,), (1 - winner,)))
    assert match.hangs[-1].rank == match.levels[winner] == "A"
    with pytest.raises(IllegalActionError, match="the series is over"):
        match.next_deal()
    assert EpaulettesMatch.from_text(match.to_text()) == match


def test_who_deals_and_leads_with_epaulettes() -> None:
    """4.1: the durak deals, the other leads; after a draw see E101."""
    for seed in range(4):
        deals = play_match(EpaulettesMatch("epaulettes(deck=24)", seed=seed), seed=seed).deals
        for before, after in pairwise(deals):
            durak = before.outcome.durak
            assert durak is not None
            assert (after.dealer, after.leader) == (durak, 1 - durak)


def test_epaulettes_with_a_limit() -> None:
    """4.1: the higher level wins, equal levels are a draw."""
    results = set()
    for seed in range(30):
        match = play_match(EpaulettesMatch(seed=seed, max_deals=3), seed=seed)
        assert match.over
        low, high = sorted(match.levels, key=match.ladder.index)
        assert (match.winner is None) == (low == high)
        if match.winner is not None:
            assert match.levels[match.winner] == high
        results.add(match.winner)
        if len(results) == 3:
            break
    assert results == {None, 0, 1}


# --- texts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "rules"),
    [
        (Match, "podkidnoy(players=3,deck=24,hand_size=4)"),
        (Match, "jokers(players=8)"),
        (EpaulettesMatch, "epaulettes(deck=24)"),
    ],
)
def test_replay_at_every_moment(kind: type[Match], rules: str) -> None:
    """S000-20, I12, E123: between deals and within; the same from there on."""
    match, rng = kind(rules, seed=9, max_deals=2), random.Random(9)
    while True:
        again = kind.from_text(match.to_text())
        assert again == match
        assert hash(again) == hash(match)
        assert again.game == match.game
        assert again.game.legal_actions() == match.game.legal_actions()
        assert (again.dealer, again.leader, again.actor) == (
            match.dealer,
            match.leader,
            match.actor,
        )
        assert (again.deals, again.ranking) == (match.deals, match.ranking)
        if match.over:
            break
        if match.actor is None:
            match.next_deal()
        else:
            match.play(rng.choice(match.game.legal_actions()))


def test_the_text_is_plain() -> None:
    match = Match("prostoy", seed=3, max_deals=9).play("7h")
    assert match.to_text().splitlines()[:-1] == [
        "match: deals",
        "rules: prostoy",
        "seed: 3",
        "max_deals: 9",
        "deal 1: 7h",
    ]
    assert re.fullmatch("check: [0-9a-f]{8}", match.to_text().splitlines()[-1])
    assert match != Match("prostoy", seed=3)
    assert match != "prostoy"


SAVED = play_match(Match(SMALL, seed=5, target_losses=9), 3, seed=5).to_text()
SAVED_CUP = Knockout(["A", "B", "C"], DRAWISH, seed=1)
SAVED_CUP.play_deal(lambda *asked: asked[2][-1])
SAVED_CUP_TEXT = SAVED_CUP.to_text()


@pytest.mark.parametrize(
    ("text", "read"), [(SAVED, Match.from_text), (SAVED_CUP_TEXT, Knockout.from_text)]
)
def test_no_truncated_text_is_read(text: str, read: Callable[[str], object]) -> None:
    for length in range(len(text) - 1):
        with pytest.raises((NotationError, IllegalActionError)):
            read(text[:length])


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_altered_texts(data: st.DataObject) -> None:
    """One clear error, or the same match where the alteration means nothing."""
    text, kind = data.draw(st.sampled_from([(SAVED, Match), (SAVED_CUP_TEXT, Knockout)]))
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, min(len(text), start + 8)))
    new = data.draw(st.text("0123456789abcdfhkqsAJK:;|,. \n_=()-", max_size=5) | st.text())
    with suppress(NotationError, IllegalActionError):
        read = kind.from_text(text[:start] + new + text[stop:])
        assert read.to_text() == text


def change(text: str, old: str, new: str) -> str:
    """The text with a part replaced, and with a check that fits."""
    assert old in text
    fields = [line.partition(":") for line in text.replace(old, new).splitlines()[:-1]]
    return format_saved({key: value.strip() for key, _, value in fields})


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("match: deals", "match: epaulettes", "match: 'epaulettes' is not accepted"),
        ("match: deals\n", "", "field 'match' is missing"),
        ("rules: podkidnoy", "rules: poker", "rules: unknown preset 'poker'"),
        ("seed: 5\n", "", "field 'seed' is missing"),
        ("seed: 5", "seed: " + "9" * 5000, "seed: 9+... is not accepted"),
        ("seed: 5", "seed: five", "seed: 'five' is not accepted"),
        ("target_losses: 9", "target_losses: 0", "target_losses: '0' is not accepted"),
        ("target_losses: 9", "max_deals: 1", "deal 2: no next deal: the series is over"),
        ("target_losses: 9", "left: 3", "left: no deal follows deal 3"),
        ("target_losses: 9", "left: x", "left: 'x' is not accepted"),
        ("target_losses: 9", "points: 3", "unknown field 'points'"),
        ("deal 2:", "deal 4:", "'deal 4' stands where 'deal 2' is due"),
        ("deal 1: ", "deal 1: pass, ", "deal 1: action 1: pass is not legal"),
        ("deal 1: ", "deal 1: 6x, ", "deal 1: action 1: '6x' is no action"),
        ("deal 1: ", "deal 1: 2s, ", "deal 1: action 1: '2s' is no action"),
        ("\ndeal 2:", ", pass\ndeal 2:", "deal 1: action .*: the deal is over"),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, message: str) -> None:
    with pytest.raises((NotationError, IllegalActionError), match=message):
        Match.from_text(change(SAVED, old, new))


def test_wrong_lines() -> None:
    no_deals = {"match": "deals", "rules": "podkidnoy", "seed": "1"}
    ended = re.sub("deal 1: .*", "deal 1: ", SAVED)
    for text, message in [
        (format_saved(no_deals), "deal 1 is missing"),
        (ended, "deal 2: no next deal: deal 1 goes on, seat . is to move"),
        (SAVED + SAVED, "field 'match' stands twice"),
        (SAVED + "deal 4:", "field 'deal 4' stands after the check"),
        (SAVED.replace("check: ", "check: 0"), "check: '0.*' does not fit"),
        (SAVED.replace("seed: 5", "seed 5"), "'seed 5' is not of the form key: value"),
        (SAVED[: SAVED.index("check")], "the text is cut short"),
        ("", "the text is cut short"),
    ]:
        with pytest.raises((NotationError, IllegalActionError), match=message):
            Match.from_text(text)


def test_a_text_of_another_kind() -> None:
    with pytest.raises(
        NotationError, match="match: 'deals' is not accepted; it takes 'epaulettes'"
    ):
        EpaulettesMatch.from_text(Match(seed=1).to_text())
    with pytest.raises(NotationError, match="rules: a match with epaulettes needs"):
        EpaulettesMatch.from_text(
            change(EpaulettesMatch(seed=1).to_text(), "epaulettes\nseed", "plus\nseed")
        )
    with pytest.raises(NotationError, match="unknown field 'target_losses'"):
        EpaulettesMatch.from_text(
            change(EpaulettesMatch(seed=1).to_text(), "deal 1:", "target_losses: 2\ndeal 1:")
        )


# --- a table of the tournament ------------------------------------------------------------------


def table(**options: Any) -> Table:
    """A table of two."""
    return Table(["Anna", "Boris"], Rules(), seed=1, **options)


def won(by: int, series: Table) -> Game:
    """A deal that this seat of the table wins."""
    loser = series.game_seat_of(1 - by)
    hands = ["Ks Kh", ""] if loser == 0 else ["", "Ks Kh"]
    fields = {"phase": "over", "reason": "durak", "durak": str(loser)}
    return position(" | ".join(hands), places=f"{1 - loser} {loser}", **fields)


def repeated() -> Game:
    """A deal that ended by repetition (P34)."""
    return position("Ks | Kh", phase="over", reason="repetition")


def test_one_deal_decides() -> None:
    one = table()
    assert (one.over, one.places, one.advancing, one.eliminated) == (False, (), (), ())
    assert one.ranking == ((0, 1),)
    one.settle(won(1, one))
    assert (one.places, one.advancing, one.eliminated) == ((1, 0), ("Boris",), ("Anna",))
    assert (one.winner, one.ranking) == (1, ((1,), (0,)))
    with pytest.raises(IllegalActionError, match="Anna - Boris: decided already"):
        one.settle(drawn())


@pytest.mark.parametrize(
    ("winners", "deals"), [([0, 0], 2), ([1, 0, 1], 3), ([0, None, 1, None, 0], 5)]
)
def test_best_of_three(winners: list[int | None], deals: int) -> None:
    """4.3: the first to win two; draws are replayed."""
    one = table(best_of=3)
    for winner in winners:
        assert not one.over
        one.settle(drawn() if winner is None else won(winner, one))
    assert (one.winner, len(one.deals)) == (winners[-1], deals)


@pytest.mark.parametrize("replays", [0, 1, 3])
def test_e119_draws_are_replayed(replays: int) -> None:
    """E119, 7.17: the game and its replays drawn, then a deal that cannot be."""
    one = table(draw_replays=replays)
    for _ in range(1 + replays):
        assert one.game.rules.draw_policy == "draw"
        one.settle(drawn())
    assert one.game.rules.draw_policy == "last_defender_loses"
    assert one.game.rules == Rules.preset("podkidnoy", draw_policy="last_defender_loses")
    one.settle(won(0, one))
    assert (one.winner, len(one.deals)) == (0, 2 + replays)


def test_e119_draws_count_anew_for_every_game() -> None:
    one = table(best_of=3, draw_replays=1)
    for game in (drawn(), drawn(), won(0, one), drawn(), drawn()):
        one.settle(game)
    assert one.game.rules.draw_policy == "last_defender_loses"
    assert not one.over


def test_4_3_a_lot_decides_the_last_repetition() -> None:
    """4.3: the lot follows from the seed, and both may win it."""
    winners = []
    for seed in range(20):
        one = Table(["Anna", "Boris"], Rules(), seed=seed, draw_replays=0)
        one.settle(repeated())
        assert not one.over
        one.settle(repeated())
        assert one.over
        winners.append(one.winner)
    assert {*winners} == {0, 1}


def test_4_3_a_lot_among_the_seats_with_cards() -> None:
    """4.3: who went out before the repetition keeps the place."""
    for seed in range(8):
        one = Table(list("ABCD"), Rules(players=4), seed=seed, draw_replays=0, advance="loser_out")
        one.settle(over("", None, "3 1", "repetition"))
        one.settle(over("", None, "3 1", "repetition"))
        rotation = one.deals[-1].rotation
        assert one.places[:2] == (rotation.seat_of(3), rotation.seat_of(1))
        assert len(set(one.places)) == 4
        assert one.eliminated == (one.entrants[one.places[3]],)


@pytest.mark.parametrize(("advance", "count"), [("winner", 1), ("loser_out", 3), ("top_half", 2)])
def test_who_advances(advance: Any, count: int) -> None:
    """4.3: by places, the durak never."""
    one = Table(list("ABCD"), Rules(players=4), seed=2, advance=advance)
    one.settle(over("", 2, "0 3 1 2"))
    assert one.advancing == tuple(one.entrants[seat] for seat in one.places[:count])
    assert one.places[-1] == one.deals[0].outcome.durak
    assert set(one.advancing) | set(one.eliminated) == set("ABCD")


def test_the_larger_half_of_three_advances() -> None:
    """4.3: ceil(size / 2)."""
    one = Table(list("ABC"), Rules(players=3), seed=2, advance="top_half")
    fields = {"phase": "over", "reason": "durak", "durak": "1", "places": "2 0 1"}
    one.settle(position(" | Ks Kh | ", **fields))
    assert one.advancing == tuple(one.entrants[one.deals[0].rotation.seat_of(k)] for k in (2, 0))


# --- the tournament -----------------------------------------------------------------------------


def at_random(seed: int) -> Callable[[str, PlayerView, tuple[Action, ...]], Action]:
    """Random entrants."""
    rng = random.Random(seed)
    return lambda *asked: rng.choice(asked[2])


def by_view(entrant: str, view: PlayerView, legal: tuple[Action, ...]) -> Action:
    """An entrant whose choice follows from its view alone."""
    mixed = hash((len(view.hand), view.stock_count, len(view.table), sum(view.hand_sizes)))
    return legal[(mixed + len(entrant)) % len(legal)]


def names(count: int) -> list[str]:
    """So many entrants."""
    return [f"entrant {number}" for number in range(count)]


def test_e118_two_byes_of_six() -> None:
    """E118: six entrants, a bracket of eight: two byes, of the first seeds."""
    cup = Knockout(names(6), "podkidnoy", seed=3)
    assert set(cup.rounds[0].byes) == set(cup.seeds[:2])
    assert len(cup.rounds[0].tables) == 2
    given = Knockout(names(6), "podkidnoy", seeding="given")
    assert given.seeds == given.entrants
    assert set(given.rounds[0].byes) == {"entrant 0", "entrant 1"}


@given(st.integers(2, 40))
def test_bracket_order(entrants: int) -> None:
    """Every seed once; byes fall to the first seeds; the two best meet at the end."""
    order = bracket_order(entrants)
    size = 2 ** math.ceil(math.log2(entrants))
    assert sorted(order) == list(range(size))
    pairs = list(zip(order[::2], order[1::2], strict=True))
    assert {first + second for first, second in pairs} == {size - 1}
    byes = sorted(first for first, second in pairs if second >= entrants)
    assert byes == list(range(size - entrants))
    assert order.index(0) < size // 2 <= order.index(1)


@st.composite
def knockouts(draw: st.DrawFn) -> Knockout:
    """Any tournament on small decks."""
    table_size = draw(st.integers(2, 6))
    deck, hand = (24, 2) if table_size > 2 else draw(st.sampled_from([(8, 2), (12, 3)]))
    suits = 4 if table_size > 2 or deck > 8 else 2
    return Knockout(
        names(draw(st.integers(2, 14))),
        f"podkidnoy(players={table_size},deck={deck},suits={suits},hand_size={hand})",
        table_size=table_size,
        best_of=draw(st.sampled_from([1, 3])) if table_size == 2 else 1,
        advance=draw(st.sampled_from(["winner", "loser_out", "top_half"])),
        draw_replays=draw(st.integers(0, 3)),
        seed=draw(seeds),
        seeding=draw(st.sampled_from(["lot", "given"])),
        entry=draw(st.floats(0, 1000)),
    )


@given(knockouts(), seeds)
@settings(max_examples=40, deadline=None)
def test_4_3_properties(cup: Knockout, seed: int) -> None:
    """S000-65 ... 67: one champion, nobody returns, prizes are the pool, every pairing decided."""
    count = len(cup.entrants)
    assert (cup.champion, cup.prizes) == (None, {})
    champion = cup.play(at_random(seed))
    assert cup.champion == champion
    assert cup.remaining == (champion,)
    assert cup.table is None
    assert sum(cup.prizes.values()) == pytest.approx(cup.pool) == pytest.approx(count * cup.entry)
    assert cup.prizes[champion] == cup.pool
    alive = set(cup.entrants)
    for one in cup.rounds:
        assert {name for pairing in one.pairings for name in pairing} == alive
        assert one.over
        sizes = {len(pairing) for pairing in one.pairings}
        assert max(sizes) - min(sizes) <= 1
        for table in one.tables:
            assert set(table.advancing) | set(table.eliminated) == set(table.entrants)
            assert sorted(table.places) == list(range(table.players))
            alive -= set(table.eliminated)
        assert set(one.advancing) == alive
    assert alive == {champion}
    assert len(cup.rounds) <= count - 1
    if cup.table_size == 2:
        assert len(cup.rounds) == math.ceil(math.log2(count))
        assert sum(len(one.tables) for one in cup.rounds) == count - 1
        assert not any(one.byes for one in cup.rounds[1:])
    else:
        assert [len(one.pairings) for one in cup.rounds] == [
            math.ceil(sum(map(len, one.pairings)) / cup.table_size) for one in cup.rounds
        ]
    assert Knockout.from_text(cup.to_text()).to_text() == cup.to_text()


def test_tables_draw_as_4_3_says() -> None:
    """7.17 in play: no more than the replays are drawn, and the deal after them cannot be."""
    seen = set()
    for seed in range(40):
        cup = Knockout(names(4), DRAWISH, seed=seed, draw_replays=1)
        cup.play(at_random(seed))
        for one in (table for each in cup.rounds for table in each.tables):
            draws = [deal.outcome.durak is None for deal in one.deals]
            assert draws in ([False], [True, False], [True, True, False])
            deciders = ["last_defender_loses" in deal.transcript for deal in one.deals]
            assert deciders == [number == 2 for number in range(len(draws))]
            seen.add(len(draws))
    assert seen == {1, 2, 3}


@pytest.mark.parametrize("options", [{}, {"table_size": 3, "advance": "top_half"}, {"best_of": 3}])
def test_resuming_a_tournament(options: dict[str, Any]) -> None:
    """Between any two deals: the same tournament from there on."""
    whole = Knockout(names(5), "podkidnoy(deck=24,hand_size=3)", seed=2, **options)
    part = Knockout.from_text(whole.to_text())
    whole.play(by_view)
    while part.champion is None:
        part = Knockout.from_text(part.to_text())
        part.play_deal(by_view)
    assert part.to_text() == whole.to_text()
    assert (part.champion, part.prizes) == (whole.champion, whole.prizes)
    other = Knockout(names(5), "podkidnoy(deck=24,hand_size=3)", seed=3, **options)
    other.play(by_view)
    assert other.to_text() != whole.to_text()


def test_every_table_has_its_own_decks() -> None:
    """The seed of a table follows from that of the tournament, the round and the table."""
    cup = Knockout(names(8), "podkidnoy", seed=1)
    cup.play(by_view)
    seeds_of_tables = [one.seed for each in cup.rounds for one in each.tables]
    assert len(set(seeds_of_tables)) == 7


def test_an_entrant_sees_its_own_cards() -> None:
    """It is asked with its own view, and what it may do."""
    cup = Knockout(names(4), "podkidnoy", seed=1, table_size=4)
    asked = set()

    def decide(entrant: str, view: PlayerView, legal: tuple[Action, ...]) -> str:
        table = cup.table
        assert table is not None
        assert view.seat == table.game_seat_of(table.entrants.index(entrant))
        assert list(map(str, legal)) == view.legal_actions()
        asked.add(entrant)
        return str(legal[0])

    cup.play_deal(decide)
    assert asked == set(cup.entrants)


def test_who_leaves_is_the_durak() -> None:
    """4.3: leaving is the loss of the table, whatever was won before."""
    cup = Knockout(["Anna", "Boris"], "podkidnoy", seed=1, best_of=5)
    left = cup.table
    assert left is not None
    cup.play_deal(by_view)
    cup.play_deal(lambda *asked: None if asked[0] == "Anna" else asked[2][0])
    assert (cup.champion, left.forfeited, left.eliminated) == ("Boris", "Anna", ("Anna",))
    assert cup.to_text().splitlines()[-2].endswith("forfeit")
    again = Knockout.from_text(cup.to_text())
    assert (again.to_text(), again.champion) == (cup.to_text(), "Boris")


def test_who_leaves_a_larger_table() -> None:
    """The others keep their order; who has cards still is placed by lot."""
    for seed in range(5):
        cup = Knockout(names(4), "podkidnoy", seed=seed, table_size=4, advance="top_half")
        left = cup.table
        assert left is not None
        cup.play_deal(lambda *asked: None if asked[0] == "entrant 2" else asked[2][0])
        if left.forfeited is not None:
            assert left.entrants[left.places[-1]] == "entrant 2"
            assert len(left.advancing) == 2
        assert Knockout.from_text(cup.to_text()).rounds[0].pairings == cup.rounds[0].pairings
        assert Knockout.from_text(cup.to_text()).remaining == cup.remaining


def test_a_failing_entrant_changes_nothing() -> None:
    cup = Knockout(["Anna", "Boris"], "podkidnoy", seed=1)
    before = cup.to_text()
    calls = iter([0, 0])
    with pytest.raises(StopIteration):
        cup.play_deal(lambda *asked: asked[2][next(calls)])
    with pytest.raises(IllegalActionError, match="take is not legal"):
        cup.play_deal(lambda *_: "take")
    with pytest.raises(NotationError, match="'fold' is no action"):
        cup.play_deal(lambda *_: "fold")
    assert cup.table is not None
    assert not cup.table.game.history
    assert cup.to_text() == before


def test_a_tournament_that_is_over() -> None:
    cup = Knockout(["Anna", "Boris"], "podkidnoy", seed=1)
    champion = cup.play(by_view)
    with pytest.raises(IllegalActionError, match=f"the tournament is over, {champion} won it"):
        cup.play_deal(by_view)
    assert cup.play(by_view) == champion


@pytest.mark.parametrize(
    ("entrants", "options", "message"),
    [
        (["A"], {}, "entrants: a tournament takes two names or more"),
        (["A", "A"], {}, "each once"),
        ("AB", {}, "entrants: a tournament takes"),
        (["A", ""], {}, "'' is no name"),
        (["A", "B|C"], {}, "is no name"),
        (["A", "B\nC"], {}, "is no name"),
        (["A", " B"], {}, "is no name"),
        (["A", "B"], {"table_size": 1}, "table_size=1 is not accepted"),
        (["A", "B"], {"table_size": 7}, "players=7 does not fit podkidnoy"),
        (["A", "B"], {"best_of": 2}, "best_of=2 is not accepted"),
        (["A", "B"], {"best_of": 3, "table_size": 3}, "best_of=3 is not accepted with"),
        (["A", "B"], {"advance": "all"}, "advance=all is not accepted"),
        (["A", "B"], {"seeding": "rating"}, "seeding=rating is not accepted"),
        (["A", "B"], {"draw_replays": -1}, "draw_replays=-1 is not accepted"),
        (["A", "B"], {"entry": -1.0}, "entry=-1.0 is not accepted"),
        (["A", "B"], {"entry": math.nan}, "entry=nan is not accepted"),
        (["A", "B"], {"rules": "epaulettes"}, "EpaulettesMatch"),
        (["A", "B"], {"rules": "poker"}, "unknown preset"),
    ],
)
def test_knockout_refusals(entrants: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError, match=message):
        Knockout(entrants, **options)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("knockout: A | B | C\n", "", "field 'knockout' is missing"),
        ("A | B | C", "A | B | A", "entrants: "),
        ("advance: winner", "advance: all", "advance=all is not accepted"),
        ("entry: 1.0", "entry: much", "entry: 'much' is no number"),
        ("table_size: 2", "table_size: 7", "table_size=7: players=7 does not fit"),
        ("deal 1:", "deal 2:", "'round 1 table 1 deal 2' stands where 'round 1 table 1 deal 1'"),
        ("deal 1: ", "deal 1: pass, ", "round 1 table 1 deal 1: action 1: pass is not legal"),
    ],
)
def test_what_is_wrong_with_a_tournament(old: str, new: str, message: str) -> None:
    with pytest.raises((NotationError, IllegalActionError), match=message):
        Knockout.from_text(change(SAVED_CUP_TEXT, old, new))


def test_deals_of_a_tournament_must_end() -> None:
    line = SAVED_CUP_TEXT.splitlines()[-2]
    short = line.rpartition(",")[0]
    for new, message in [
        (short, r"deal 1: the deal is not over after \d+ actions"),
        (line + ", forfeit", r"deal 1: the deal is over after \d+ actions"),
    ]:
        with pytest.raises(NotationError, match=message):
            Knockout.from_text(change(SAVED_CUP_TEXT, line, new))
    cup = Knockout(["A", "B"], "podkidnoy", seed=1)
    cup.play(by_view)
    more = cup.to_text().replace("check", "round 2 table 1 deal 1:\ncheck")
    with pytest.raises(IllegalActionError, match="round 2 table 1 deal 1: the tournament is over"):
        Knockout.from_text(more)


# --- odds and ends ------------------------------------------------------------------------------


def test_lots() -> None:
    """Every number once, in every order sooner or later."""
    orders = {tuple(lots(seed, 3, 0)) for seed in range(60)}
    assert len(orders) == 6


def test_representations() -> None:
    assert repr(Match("prostoy", seed=3)).startswith("<Match prostoy: deal 1, dealer ")
    assert repr(table()) == "<Table Anna - Boris: 0 deals>"
    assert repr(Knockout(["A", "B"])) == "<Knockout of 2, podkidnoy: round 1>"


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL))
def test_examples_of_the_documentation(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block, str(DOCS), "exec"), {})
    assert capsys.readouterr().out
