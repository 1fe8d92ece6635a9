"""The compiled rules. A game is one row of a NumPy structured array (`STATE`)."""

from durak_env.engine.batch import (
    action_code,
    action_id,
    apply,
    apply_many,
    deal,
    deal_given,
    deal_many,
    is_legal,
    play_random,
    resume,
    room_left,
)
from durak_env.engine.state import STATE, Phase, Reason, Row, Rows, new_rows

__all__ = [
    "STATE",
    "Phase",
    "Reason",
    "Row",
    "Rows",
    "action_code",
    "action_id",
    "apply",
    "apply_many",
    "deal",
    "deal_given",
    "deal_many",
    "is_legal",
    "new_rows",
    "play_random",
    "resume",
    "room_left",
]
