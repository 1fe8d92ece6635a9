"""The exact endgame: never a wrong value, nothing claimed beyond the budget."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from click.testing import CliRunner

from durak_env import DurakError, Game, OpponentError, Rules, arena, opponents
from durak_env.cli import main
from durak_env.opponents import WithSolver
from durak_env.solver import Solver, count_cards, solve
from durak_env.solver.figures import first_endgames, measure

GAMES = [
    "podkidnoy",
    "podkidnoy(players=3)",
    "podkidnoy(players=4)",
    "prostoy",
    "site",
    "perevodnoy",
    "perevodnoy(players=3)",
    "plus",
    "plus(players=3)",
    "jokers",
    "jokers(players=3)",
    "american",
    "american(players=3)",
    "armenian",
    "epaulettes",
    "podkidnoy(cover_order=any,throw_timing=anytime)",
    "podkidnoy(draw_policy=last_defender_loses)",
    "american(self_throw=free)",
    "perevodnoy(show_transfer=true,transfer_cards=many)",
    "podkidnoy(rank_order=lowest_beats_ace)",
]


def minimax(game: Game, seat: int) -> int:
    """The value by trying everything; the rules end every line."""
    if game.actor is None:
        assert game.outcome is not None
        return 0 if game.outcome.durak is None else -1 if game.outcome.durak == seat else 1
    best = -1 if game.actor == seat else 1
    for action in game.legal_actions():
        twin = game.copy()
        twin.play(action)
        value = minimax(twin, seat)
        best = max(best, value) if game.actor == seat else min(best, value)
        if best == (1 if game.actor == seat else -1):
            break
    return best


def endgames(rules: Rules, seed: int, most_cards: int, count: int) -> list[Game]:
    """Endgames of random play with few cards, as they come, from many deals."""
    rng, made, found = random.Random(seed), Solver(rules), []
    while len(found) < count:
        game = Game(rules, seed=rng.randrange(2**32))
        while game.actor is not None and len(found) < count:
            if made.can_solve(game.rows, 0) and count_cards(game) <= most_cards:
                found.append(game.copy())
            game.play(rng.choice(game.legal_actions()))
    return found


@pytest.mark.parametrize("text", GAMES)
def test_the_value_is_that_of_trying_everything(text: str) -> None:
    rules = Rules.parse(text)
    made = Solver(rules)
    values = set()
    for game in endgames(rules, 1, 6, 60):
        value = made.value(game.rows, 0)
        assert value == minimax(game, int(game.actor or 0)), game.position()
        values.add(value)
    assert values >= {1, -1}


@pytest.mark.slow
@pytest.mark.parametrize("text", GAMES)
def test_more_cards_and_every_action(text: str) -> None:
    """Also the value of every action, with more cards."""
    rules = Rules.parse(text)
    made = Solver(rules, table_bits=8)
    for game in endgames(rules, 2, 8, 150):
        values = made.action_values(game.rows, 0)
        assert made.value(game.rows, 0) == max(
            value for value in values.values() if value is not None
        )
        for action, value in values.items():
            twin = game.copy()
            twin.play(action)
            assert value == minimax(twin, int(game.actor or 0)), game.position()


@pytest.mark.parametrize("text", ["podkidnoy", "perevodnoy", "jokers(players=3)"])
def test_best_play_ends_as_it_says(text: str) -> None:
    for game in endgames(Rules.parse(text), 3, 9, 15):
        seat, solution = game.actor, solve(game)
        assert solution.value is not None
        assert solution.best
        end = game.copy()
        for action in solution.line:
            end.play(action)
        assert end.outcome is not None
        value = 0 if end.outcome.durak is None else -1 if end.outcome.durak == seat else 1
        assert value == solution.value


def test_a_won_position_is_won_against_anybody() -> None:
    rules = Rules()
    with_solver = WithSolver(opponents.make("random"), rules)
    won = [game for game in endgames(rules, 4, 10, 40) if solve(game).value == 1]
    assert len(won) > 10
    rng = random.Random(4)
    for start in won:
        game, seat = start.copy(), start.actor
        while game.actor is not None:
            if game.actor == seat:
                game.play(int(with_solver.act(game.view(seat).record, np.zeros(1, np.uint64))[0]))
            else:
                game.play(rng.choice(game.legal_actions()))
        assert game.outcome is not None
        assert game.outcome.durak == 1 - seat


def test_beyond_the_budget_nothing_is_claimed() -> None:
    game = max(endgames(Rules(), 5, 16, 60), key=count_cards)
    short, enough = solve(game, nodes=3), solve(game)
    assert short.value is None
    assert short.best == []
    assert short.line == ()
    assert enough.value is not None
    assert set(short.values) == set(enough.values)
    for action, value in short.values.items():
        assert value in (None, enough.values[action])


def test_the_table_changes_no_value_and_no_memory_is_left() -> None:
    small, large = Solver(Rules(), table_bits=1), Solver(Rules())
    for game in endgames(Rules(), 6, 9, 40):
        value = large.value(game.rows, 0)
        nodes = large.nodes
        assert small.value(game.rows, 0) == value
        assert large.value(game.rows, 0) == value
        assert large.nodes == nodes


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ("rules: podkidnoy; trump: Kh; phase: lead; hands: 6s | 7s; stock: 9d Kh", "no endgame"),
        ("rules: podkidnoy(players=3); trump: Kh; phase: lead; hands: 6s | 7s | 8s; stock:", "two"),
    ],
)
def test_no_endgame(position: str, message: str) -> None:
    with pytest.raises(DurakError, match=message):
        solve(Game.from_position(position))


def test_tricks_and_finished_deals() -> None:
    with pytest.raises(DurakError, match="face-down"):
        solve(Game("armenian_tricks", seed=1))
    game = Game(Rules(), seed=1)
    while game.actor is not None:
        game.play(game.legal_actions()[0])
    with pytest.raises(DurakError, match="not over"):
        solve(game)


@pytest.mark.parametrize("options", [{"nodes": 0}, {"table_bits": 0}, {"table_bits": 40}])
def test_a_solver_that_cannot_be(options: dict[str, int]) -> None:
    with pytest.raises(DurakError, match="is not accepted; it takes"):
        Solver(Rules(), **options)


# --- with an opponent ---------------------------------------------------------------------------


def test_an_opponent_with_solver_is_stronger() -> None:
    """Its endgames are exact; everything else is the other's."""
    pairing = arena.compare("greedy+solver", "greedy", Rules(), 150)
    assert pairing.a == "greedy+solver"
    assert pairing.illegal == (0, 0)
    assert pairing.low > 0.5
    with pytest.raises(OpponentError, match="unknown opponent 'nobody'"):
        arena.compare("nobody+solver", "greedy", Rules(), 1)


@pytest.mark.parametrize("text", ["jokers(players=4)", "perevodnoy(players=3)", "armenian_tricks"])
def test_with_solver_in_every_game(text: str) -> None:
    rules = Rules.parse(text)
    assert arena.compare("easy+solver", "greedy", rules, 8).illegal == (0, 0)


def test_hidden_cards_do_not_matter() -> None:
    """What it gets is a view; while the stock lies there it is the other opponent."""
    rules = Rules()
    plain, improved = opponents.make("greedy"), WithSolver(opponents.make("greedy"), rules)
    game, words = Game(rules, seed=9), np.ones(1, dtype=np.uint64)
    while game.actor is not None and game.stock:
        record = game.view(game.actor).record
        action = plain.act(record, words)[0]
        assert improved.act(record, words)[0] == action
        game.play(int(action))


# --- figures and the command --------------------------------------------------------------------


def test_figures() -> None:
    rules = Rules()
    found = first_endgames(opponents.make("greedy").act, rules, 60, 1)
    assert len(found) > 50
    table = measure(found, rules, 20_000)
    assert sum(one.positions for one in table) == len(found)
    assert [one.cards for one in table] == sorted({one.cards for one in table})
    assert all(0 <= one.solved <= 1 and one.nodes_mean >= 0 for one in table)


POSITION = "rules: podkidnoy; trump: Kh; phase: lead; hands: 6s 7d | 8s 9c; stock:"


def test_the_command() -> None:
    done = CliRunner().invoke(main, ["solve", POSITION])
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("seat 0 wins\nbest play: 7d, take, 6s, ")
    told = json.loads(CliRunner().invoke(main, ["solve", POSITION, "--json"]).stdout)
    assert (told["value"], told["best"]) == (1, ["7d"])
    assert set(told["values"]) == {"6s", "7d"}
    figures = CliRunner().invoke(
        main, ["solve", "--figures", "--opponent", "greedy", "--deals", "20", "--nodes", "5000"]
    )
    assert figures.exit_code == 0
    assert "endgames of greedy, seed 0, 5,000 nodes" in figures.stdout


@pytest.mark.parametrize(
    "options",
    [
        [],
        [POSITION, "--figures"],
        ["nonsense"],
        [POSITION, "--nodes", "0"],
        ["--figures", "--rules", "x"],
    ],
)
def test_bad_usage(options: list[str]) -> None:
    done = CliRunner().invoke(main, ["solve", *options])
    assert done.exit_code == 2
    assert "Traceback" not in done.output
