"""Agents in ``.onnx`` files. They need onnxruntime and nothing else; nothing is unpickled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from durak_env import encoding
from durak_env.encoding.kernels import Masks
from durak_env.errors import OpponentError
from durak_env.opponents.card import AgentCard
from durak_env.opponents.network import NetworkPlayer
from durak_env.rules import Rules

INPUTS = ("observation", "action_mask")
OUTPUTS = ("logits", "value")


class ExportedAgent(NetworkPlayer):
    """A trained network as an opponent; ``card`` is what its file says about it."""

    def __init__(
        self, session: Any, card: AgentCard, encoder: encoding.Encoder, *, sample: bool = False
    ) -> None:
        super().__init__(encoder, sample=sample)
        self.card = card
        self._session = session

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.card.name

    @classmethod
    def load(
        cls, path: str | Path, rules: Rules | None = None, *, sample: bool = False
    ) -> ExportedAgent:
        """Read a file; see `durak_env.opponents.load`.

        Raises:
            OpponentError: the file is missing, is no exported agent, or does not fit the rules.
        """
        path = Path(path)
        if not path.is_file():
            raise OpponentError(f"{path}: there is no such file")
        try:
            session = _open(path)
            card = AgentCard.from_metadata(session.get_modelmeta().custom_metadata_map)
            encoder = card.check(rules)
            _check_shapes(session, encoder)
        except OpponentError as error:
            raise OpponentError(f"{path}: {error}") from None
        return cls(session, card, encoder, sample=sample)

    def logits(
        self, observations: npt.NDArray[np.float32], masks: Masks
    ) -> npt.NDArray[np.float32]:
        """See `NetworkPlayer.logits`."""
        inputs = {"observation": observations, "action_mask": masks}
        logits: npt.NDArray[np.float32] = self._session.run(["logits"], inputs)[0]
        return logits


def _open(path: Path) -> Any:
    try:
        import onnxruntime  # noqa: PLC0415 - an optional dependency
    except ImportError:
        raise OpponentError(
            "reading it needs onnxruntime: pip install 'durak_env[agents]'"
        ) from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors share no base class that it exports
        first_line = str(error).splitlines()[0]
        raise OpponentError(f"it is no ONNX model that can be read ({first_line})") from None


def _check_shapes(session: Any, encoder: encoding.Encoder) -> None:
    actions = encoding.Numbering(encoder).size
    wanted = {"observation": list(encoder.shape), "action_mask": [actions]}
    found = {value.name: value.shape[1:] for value in session.get_inputs()}
    if found != wanted:
        raise OpponentError(f"its inputs are {found}, but its encoder gives {wanted}")
    outputs = [value.name for value in session.get_outputs()]
    if outputs != list(OUTPUTS):
        raise OpponentError(f"its outputs are {outputs}, not {list(OUTPUTS)}")
