"""Exported agents: parity with torch, what they say about themselves, and what is refused."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from torch import nn

from durak_env import Rules, arena, encoding, opponents
from durak_env.actions import action_table
from durak_env.encoding import FlatEncoder
from durak_env.engine import Phase, deal_many, new_rows
from durak_env.errors import OpponentError
from durak_env.integrations.torch import NetworkOpponent, export, rewrite_card
from durak_env.opponents.card import AgentCard
from durak_env.opponents.exported import ExportedAgent
from durak_env.opponents.seating import Seating, seat_everybody
from durak_env.rules import PRESETS
from durak_env.view import VIEW, observe_many

RULES = Rules()
OTHERS = [
    Rules.preset("jokers", players=3, transfer=True, show_transfer=True, self_throw="free"),
    Rules.preset("armenian", players=3, stock_lead_peek=True, cover_order="any"),
    Rules.preset("epaulettes"),
]
"""Games with all other kinds of action."""


class TinyNetwork(nn.Module):
    def __init__(self, rules: Rules = RULES, encoder: str = "flat") -> None:
        super().__init__()
        torch.manual_seed(0)
        made = encoding.make(encoder, rules)
        self.flatten = nn.Flatten()
        self.body = nn.Linear(math.prod(made.shape), 16)
        self.policy = nn.Linear(16, encoding.Numbering(made).size)
        self.value = nn.Linear(16, 1)

    def forward(self, observation: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = torch.relu(self.body(self.flatten(observation)))
        return self.policy(hidden), self.value(hidden)


def card(rules: Rules = RULES) -> AgentCard:
    return AgentCard.of("tiny", FlatEncoder(rules), "none", training={"note": "untrained"})


@pytest.fixture(scope="module")
def agent_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("agents") / "tiny.onnx"
    export(TinyNetwork(), card(), path)
    return path


def views(count: int, rules: Rules = RULES) -> np.ndarray:
    rows, records = new_rows(rules, count), np.zeros(count, dtype=VIEW)
    everyone = np.arange(count)
    deal_many(rows, everyone, everyone.astype(np.uint64))
    observe_many(rows, everyone, rows["actor"].astype(np.int64), records)
    return records


def test_torch_and_onnxruntime_agree(agent_file: Path) -> None:
    records = views(200)
    randoms = np.random.default_rng(0).integers(0, 2**63, 200).astype(np.uint64)
    agent = ExportedAgent.load(agent_file, RULES)
    observations = agent.encoder.encode(records).astype(np.float32)
    masks = np.ones((200, len(action_table(RULES))), dtype=np.int8)
    masks[:, 5:] = 0
    logits, value = agent._session.run(None, {"observation": observations, "action_mask": masks})
    with torch.no_grad():
        torch_logits, torch_value = TinyNetwork()(torch.from_numpy(observations))
    np.testing.assert_allclose(logits[:, :5], torch_logits[:, :5], atol=1e-5)
    np.testing.assert_allclose(value, torch_value, atol=1e-5)
    assert (logits[:, 5:] == np.float32(-1e9)).all()
    for sample in (False, True):
        live = NetworkOpponent("tiny", TinyNetwork(), FlatEncoder(RULES), sample=sample)
        loaded = opponents.load(agent_file, RULES, sample=sample)
        assert (live.act(records, randoms) == loaded.act(records, randoms)).all()


@pytest.mark.parametrize("rules", OTHERS, ids=str)
def test_an_agent_of_any_variant_plays_whole_deals(rules: Rules, tmp_path: Path) -> None:
    """Observations, masks and actions of its own rules, not one of them illegal."""
    path = tmp_path / "tiny.onnx"
    export(TinyNetwork(rules), card(rules), path)
    rows = new_rows(rules, 10)
    deal_many(rows, np.arange(10), np.arange(10, dtype=np.uint64))
    agent = opponents.load(path, rules, sample=True)
    streams = np.arange(10, dtype=np.uint64)
    seating = Seating([agent], seat_everybody(0, 10, rules.players), streams)
    seating.play(rows)
    assert (rows["phase"] == Phase.OVER).all()
    assert seating.illegal.tolist() == [0]


@pytest.mark.parametrize("name", ["planes", "universal", "history"])
@pytest.mark.parametrize("rules", [RULES, OTHERS[0]], ids=str)
def test_an_agent_of_any_encoding(name: str, rules: Rules, tmp_path: Path) -> None:
    """It plays as the live network does, move by move, and does nothing illegal."""
    path = tmp_path / f"{name}.onnx"
    encoder = encoding.make(name, rules)
    export(TinyNetwork(rules, name), AgentCard.of(name, encoder, "none"), path)
    live = NetworkOpponent("live", TinyNetwork(rules, name), encoder, sample=False)
    results = [arena.compare(agent, "random", rules, 20) for agent in (str(path), live)]
    assert [one.illegal for one in results] == [(0, 0), (0, 0)]
    assert results[0].wins == results[1].wins
    assert results[0].score != arena.compare("random", "random", rules, 20).score


def test_a_universal_agent_plays_every_game(tmp_path: Path) -> None:
    """Made for one game, it is asked to play others."""
    path = tmp_path / "all.onnx"
    encoder = encoding.make("universal", RULES)
    export(TinyNetwork(RULES, "universal"), AgentCard.of("all", encoder, "none"), path)
    for preset in PRESETS:
        pairing = arena.compare(str(path), "random", Rules.preset(preset), 5)
        assert pairing.illegal == (0, 0)


def test_a_file_tells_how_it_was_made(agent_file: Path) -> None:
    read = ExportedAgent.load(agent_file).card
    assert read == card()
    assert read.rules == "podkidnoy"
    assert read.training == {"note": "untrained"}


def test_a_card_can_be_rewritten(agent_file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.onnx"
    copy.write_bytes(agent_file.read_bytes())
    stronger = dataclasses.replace(card(), strength=[{"b": "random", "score": 0.9}])
    rewrite_card(copy, stronger)
    assert ExportedAgent.load(copy, RULES).card == stronger
    assert not list(tmp_path.glob("*.tmp"))


def test_sampling_follows_the_policy(agent_file: Path) -> None:
    records = np.repeat(views(1), 20_000)
    randoms = np.random.default_rng(1).integers(0, 2**64, 20_000, dtype=np.uint64)
    agent = ExportedAgent.load(agent_file, RULES, sample=True)
    drawn = np.bincount(agent.act(records, randoms), minlength=len(action_table(RULES)))
    with torch.no_grad():
        logits = TinyNetwork()(torch.from_numpy(agent.encoder.encode(records[:1])).float())[0][0]
    legal = drawn > 0
    expected = torch.softmax(logits[torch.from_numpy(legal)], 0).numpy()
    np.testing.assert_allclose(drawn[legal] / 20_000, expected, atol=0.02)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"rules": "podkidnoy(players=3)"}, "action_mask|its inputs are|it plays"),
        ({"action_table": "0" * 16}, "its action table is not the one of this version"),
        ({"encoder": "other"}, "its encoder 'other' is not known here"),
        ({"encoder_version": 99}, "has version 99, here it is 2"),
        ({"rules": "belote"}, "its rules are not known here"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(
    agent_file: Path, tmp_path: Path, change: dict[str, object], complaint: str
) -> None:
    path = tmp_path / "changed.onnx"
    path.write_bytes(agent_file.read_bytes())
    rewrite_card(path, dataclasses.replace(card(), **change))  # type: ignore[arg-type]
    with pytest.raises(OpponentError, match=complaint) as refusal:
        opponents.load(path, RULES)
    assert str(path) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_an_agent_of_other_rules_is_refused(agent_file: Path) -> None:
    other = Rules.preset("podkidnoy", lead_mode="single")
    with pytest.raises(OpponentError, match=r"it plays podkidnoy, not podkidnoy\(lead_mode=single"):
        opponents.resolve(str(agent_file), other)


def test_foreign_and_missing_files_are_refused(tmp_path: Path) -> None:
    garbage = tmp_path / "garbage.onnx"
    garbage.write_bytes(b"not a model")
    with pytest.raises(OpponentError, match="it is no ONNX model"):
        opponents.load(garbage)
    with pytest.raises(OpponentError, match="there is no such file"):
        opponents.load(tmp_path / "absent.onnx")
    node = onnx.helper.make_node("Identity", ["x"], ["y"])
    value = [onnx.helper.make_tensor_value_info(name, 1, [1]) for name in "xy"]
    graph = onnx.helper.make_graph([node], "foreign", value[:1], value[1:])
    opset = [onnx.helper.make_opsetid("", 18)]
    foreign = tmp_path / "foreign.onnx"
    onnx.save(onnx.helper.make_model(graph, opset_imports=opset, ir_version=10), str(foreign))
    with pytest.raises(OpponentError, match="it is no exported agent"):
        opponents.load(foreign)
