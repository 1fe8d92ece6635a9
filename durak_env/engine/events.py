"""What everybody sees happen, one event after the other.

A position says all that the rules need. What it does not say is how it came about.
"""

from __future__ import annotations

from durak_env.engine.jit import kernel
from durak_env.engine.state import EVENTS, MAX_EVENTS, Row


@kernel
def note(s: Row, seat: int, event: int) -> None:
    """Remember an event, if the row keeps them; of too many the oldest one is forgotten."""
    if s["keeps_events"]:
        s["events"][s["event_count"] % MAX_EVENTS] = EVENTS * seat + event
        s["event_count"] += 1


@kernel
def forget_events(s: Row) -> None:
    """Nothing has happened in this deal."""
    if s["keeps_events"]:
        s["event_count"] = 0
        for k in range(MAX_EVENTS):
            s["events"][k] = 0
