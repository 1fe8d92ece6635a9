"""PyTorch networks as opponents and as exported agents."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import onnx
import torch
from torch import nn

from durak_env import encoding
from durak_env.encoding.kernels import Masks
from durak_env.opponents.card import AgentCard
from durak_env.opponents.exported import INPUTS, OUTPUTS
from durak_env.opponents.network import NetworkPlayer

ILLEGAL_LOGIT = -1e9
"""What an exported agent gives for an illegal action."""

Network: TypeAlias = Callable[[torch.Tensor], tuple[torch.Tensor, torch.Tensor]]
"""Observations (n, *shape), float32, to logits (n, actions) and values (n, 1)."""


class NetworkOpponent(NetworkPlayer):
    """A live network as an opponent: it plays with the weights that the network has now."""

    def __init__(
        self, name: str, network: Network, encoder: encoding.Encoder, *, sample: bool
    ) -> None:
        super().__init__(encoder, sample=sample)
        self._name = name
        self.network = network

    @property
    def name(self) -> str:
        """What tables call it."""
        return self._name

    def logits(
        self, observations: npt.NDArray[np.float32], masks: Masks
    ) -> npt.NDArray[np.float32]:
        """See `NetworkPlayer.logits`."""
        del masks  # illegal actions are left out afterwards
        with torch.no_grad():
            logits, _ = self.network(torch.from_numpy(observations))
        found: npt.NDArray[np.float32] = logits.numpy()
        return found


class _MaskedNetwork(nn.Module):
    """Adds the mask to a network, so that an exported file can never prefer an illegal action."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(
        self, observation: torch.Tensor, action_mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        logits, value = self.network(observation)
        illegal = torch.full_like(logits, ILLEGAL_LOGIT)
        return torch.where(action_mask > 0, logits, illegal), value


def export(network: nn.Module, card: AgentCard, path: str | Path) -> None:
    """Write a network as an exported agent.

    The file has the inputs ``observation`` float32 (n, *shape) and ``action_mask`` int8
    (n, actions), the outputs ``logits`` (n, actions), illegal ones at `ILLEGAL_LOGIT`, and
    ``value`` (n, 1). It appears whole or not at all.

    Args:
        network: a module that maps observations to (logits, value).
        card: what the file says about the agent.
        path: the file to write.
    """
    encoder = card.check(None)
    example = (
        torch.zeros(2, *encoder.shape),
        torch.ones(2, encoding.Numbering(encoder).size, dtype=torch.int8),
    )
    rows = torch.export.Dim("rows", min=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter warns about its own internals
        logging.getLogger("torch.onnx").setLevel(logging.ERROR)
        program = torch.onnx.export(
            _MaskedNetwork(network).eval(),
            example,
            input_names=INPUTS,
            output_names=OUTPUTS,
            dynamic_shapes=({0: rows}, {0: rows}),
            dynamo=True,
            verbose=False,
        )
    assert program is not None
    write_with_card(program.model_proto, card, Path(path))


def write_with_card(model: onnx.ModelProto, card: AgentCard, path: Path) -> None:
    """Write a model with its metadata, by way of a temporary file."""
    del model.metadata_props[:]
    onnx.helper.set_model_props(model, card.to_metadata())
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".tmp")
    onnx.save(model, str(temporary))
    temporary.replace(path)


def rewrite_card(path: str | Path, card: AgentCard) -> None:
    """Replace what an exported agent says about itself, leaving the network as it is."""
    write_with_card(onnx.load(str(path)), card, Path(path))
