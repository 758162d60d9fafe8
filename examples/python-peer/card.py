# SPDX-License-Identifier: Apache-2.0
"""Cards: what a listed event tells strangers, signed by the event key (§5.1)."""

import json
import re

from event import Refused, blake2b, domain, is_label, is_signed
from operations import is_link, is_position, is_prose, is_registered

BYTE_COUNT_MAX = 6_144
DETAILS_BYTE_COUNT_MAX = 1_000
RECENT_MAX = 100_000
HOUR = 3_600_000
TIME_MAX = (1 << 48) - 1
REVISION_AHEAD_MAX = 24 * HOUR
START_AHEAD_MAX = 366 * 24 * HOUR


def read_card(event_key, text, signature):
    """What a card says, with its members of version 1; `Refused` where it is none."""
    data = text.encode()
    if len(data) > BYTE_COUNT_MAX:
        raise Refused("limit exceeded")
    event = blake2b(domain("event"), event_key)
    if not is_signed(event_key, signature, domain("event card"), event, data):
        raise Refused("authentication failure")
    try:
        card = json.loads(text)
        is_right = isinstance(card, dict) and card.get("version") == 1 and is_well_formed(card)
    except (ValueError, RecursionError) as error:  # half a character of UTF-16 is a ValueError, too
        raise Refused("malformed", str(error)) from None
    if not is_right:
        raise Refused("malformed")
    return card


def is_well_formed(card):
    def text(name):
        value = card.get(name)
        return "" if value is None else value if isinstance(value, str) else None

    def is_number(value, most):
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most

    if not all(is_number(card.get(name), TIME_MAX) for name in ("revisedAt", "startsAt", "endsAt", "expiresAt")):
        return False
    if not (card["startsAt"] <= card["endsAt"] <= card["startsAt"] + 720 * HOUR
            and card["expiresAt"] <= card["endsAt"] + 1_440 * HOUR):
        return False
    lines = [text(name) for name in ("category", "place", "organizer", "contact")]
    name, details, registration = text("name"), text("details"), text("registration")
    price, links = card.get("price"), [] if card.get("links") is None else card["links"]
    withdrawn, position = card.get("withdrawn"), card.get("position")
    recent = [0 if card.get(name) is None else card[name] for name in ("recentPhotos", "recentPeople")]
    if not all(is_number(number, RECENT_MAX) for number in recent):
        return False
    if None in (*lines, name, details, registration) or withdrawn not in (None, True, False):
        return False
    if withdrawn:
        return not any((*lines, name, details, registration, links, *recent)) and price is None and position is None
    return (is_label(name) and all(not line or is_label(line) for line in lines)
            and is_prose(details, DETAILS_BYTE_COUNT_MAX)
            and (not registration or is_registered(registration))
            and (price is None or isinstance(price, dict) and is_number(price.get("cents"), 100_000_000)
                 and isinstance(price.get("currency"), str) and re.fullmatch("[A-Z]{3}", price["currency"]) is not None)
            and (position is None or isinstance(position, dict) and all(isinstance(position.get(name), int) and not isinstance(
                position[name], bool) for name in ("latitude", "longitude")) and is_position(position["latitude"], position["longitude"]))
            and isinstance(links, list) and len(links) <= 8
            and all(isinstance(link, dict) and isinstance(link.get("kind"), str) and isinstance(link.get("address"), str)
                    and is_link(link["address"]) for link in links))


def is_timely(card, now):
    """Whether a node whose clock says `now` keeps the card."""
    return (card["expiresAt"] > now and card["revisedAt"] <= now + REVISION_AHEAD_MAX
            and card["startsAt"] <= now + START_AHEAD_MAX)


def recent(card, now):
    """The rounded numbers of photos and people of the last hour; none if `now` is more than an hour from the card's time."""
    if abs(now - card["revisedAt"]) > HOUR:
        return 0, 0
    return card.get("recentPhotos") or 0, card.get("recentPeople") or 0


def replaces(card, text, other, other_text):
    """Whether one card of an event counts and not the other."""
    return (card["revisedAt"], text.encode()) > (other["revisedAt"], other_text.encode())
