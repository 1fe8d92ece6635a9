"""Rows to the text of their position."""

from __future__ import annotations

from durak_env.cards import RANKS, format_cards
from durak_env.codes import CardCodes
from durak_env.engine.state import HANG_OPEN, Phase, Reason, Row, Rows
from durak_env.notation import format_fields
from durak_env.position.tricks import trick_fields
from durak_env.rules import Rules


def format_position(rules: Rules, rows: Rows) -> str:
    """The text of a row; `parse_position` makes the same game of it."""
    s: Row = rows[0]
    codes = CardCodes.of_row(rules, s)
    fields = trick_fields(rules, s, codes) if rules.tricks else bout_fields(rules, s, codes)
    if s["phase"] == Phase.OVER:
        fields["reason"] = Reason(int(s["reason"])).name.lower()
        if s["durak"] >= 0:
            fields["durak"] = str(s["durak"])
    return format_fields({"rules": str(rules), **fields})


def bout_fields(rules: Rules, s: Row, codes: CardCodes) -> dict[str, str]:
    """The fields of a game of bouts."""
    players = range(rules.players)
    stock = [int(code) for code in s["stock"][s["stock_next"] : s["stock_end"]]]
    table = []
    for k in range(int(s["attacks"])):
        cover = int(s["cover"][k])
        attack = str(codes.card(int(s["attack"][k])))
        table.append(attack if cover < 0 else f"{attack}/{codes.card(cover)}")

    def per_seat(name: str) -> str:
        return " | ".join(format_cards(codes.cards(s[name][seat])) for seat in players)

    fields = {
        "trump": str(codes.card(int(s["trump_card"]))),
        "hands": per_seat("hands"),
        "table": " ".join(table),
        "stock": format_cards([codes.card(code) for code in stock]),
        "discard": format_cards(codes.cards(s["discard"])),
        "leader": str(s["leader"]),
        "attacker": str(s["attacker"]),
        "defender": str(s["defender"]),
        "phase": Phase(int(s["phase"])).name.lower(),
        "start": str(s["defender_start"]),
        "bout": str(s["bout"]),
    }
    if any(s["known"]):
        fields["known"] = per_seat("known")
    if s["passed"]:
        fields["passed"] = " ".join(str(seat) for seat in players if s["passed"] >> seat & 1)
    if s["last_layer"] != s["leader"]:
        fields["layer"] = str(s["last_layer"])
    fields |= _format_rare(rules, s, codes)
    if s["target"] >= 0:
        fields["target"] = str(codes.card(int(s["attack"][s["target"]])))
    for name, count in (("emptied", "emptied_count"), ("places", "placed")):
        if s[count]:
            fields[name] = " ".join(map(str, s[name][: s[count]]))
    if s["quiet"]:
        fields["quiet"] = str(s["quiet"])
    if s["seen_count"]:
        fields["seen"] = " ".join(f"{value:08x}" for value in s["seen"][: s["seen_count"]])
    if s["announced"] >= 0:
        fields["announced"] = f"{codes.card(int(s['announced']))} {s['announced_by']}"
    return fields


def _format_rare(rules: Rules, s: Row, codes: CardCodes) -> dict[str, str]:
    """The fields that only some rules have."""
    fields = {}
    if s["transfers"]:
        fields["transfers"] = str(s["transfers"])
    if s["shown"]:
        fields["shown"] = format_cards(codes.cards(s["shown"]))
    if s["showed"]:
        showed = [seat for seat in range(rules.players) if s["showed"] >> seat & 1]
        fields["showed"] = " ".join(map(str, showed))
    if s["self_throws"]:
        fields["self"] = f"{s['self_throws']}" + (" waits" if s["self_pending"] else "")
    if rules.epaulettes:
        ranks = [codes.card(int(level)) for level in s["level"][: rules.players]]
        fields["levels"] = " ".join(RANKS[card.rank] for card in ranks)
    if s["hang"]:
        fields["hang"] = "open" if s["hang"] == HANG_OPEN else "committed"
    if s["dead_lead"]:
        fields["dead"] = "yes"
    if s["hung"] >= 0:
        fields["hung"] = str(s["hung"])
    if s["revealed"][0] >= 0:
        jokers = [codes.card(int(code)) for code in s["revealed"] if code >= 0]
        fields["revealed"] = format_cards(jokers)
    return fields
