"""The compiled rules. A game is one row of a NumPy structured array (`STATE`)."""

from durak_env.engine.batch import (
    apply,
    apply_id,
    apply_many,
    code_of,
    deal,
    deal_given,
    deal_many,
    id_of,
    is_legal,
    play_random,
    resume,
)
from durak_env.engine.state import STATE, Phase, Reason, Row, Rows, new_rows

__all__ = [
    "STATE",
    "Phase",
    "Reason",
    "Row",
    "Rows",
    "apply",
    "apply_id",
    "apply_many",
    "code_of",
    "deal",
    "deal_given",
    "deal_many",
    "id_of",
    "is_legal",
    "new_rows",
    "play_random",
    "resume",
]
