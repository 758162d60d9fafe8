# SPDX-License-Identifier: Apache-2.0
"""The fold (§9): what follows from a set of operations, in whatever order they come. Numbers name its rules."""

import struct
from collections import Counter, defaultdict
from itertools import combinations
from typing import NamedTuple

from nacl.bindings import crypto_scalarmult_base

import disposable_pb2 as pb
from event import ZERO, Refused, blake2b, derive, domain, open_key
from operations import (ANSWER, APPROVAL, APPROVE, BALLOT, CAPTION, CHARTER, CLAIM, CLOSING, COMMENT, EDIT, EPOCH, ERASE, FIELDS, FRAMES, GIFT, GRANT, HIDE, JOIN,
                        KEY_RELEASE, KINDS, LEAVE, LIFT, LIST, MESSAGE, NAME, NOTICE, ORIGINAL, PAGE_SEALING, PHOTO, PICTURE, REMOVE, REVEAL, REVOKE_DEVICE,
                        REVOKE_ROLE, RECIPIENTS_MAX, SHARE, SHARE_RELEASE, SPOT, TICKET_RULING, TICKET_USE, TICKETS, TURN, TWINNING, UNAPPROVE, UNHIDE, VEIL, VEILING, VOTE, Operation, ids, seals, take_field, zones)
from sharing import COUNT_MAX, combine

EDITS_PER_DEVICE_MAX, FRAMES_MAX, MESSAGES_PER_AUTHOR_MAX = 256, 1_000, 50
HOUR, MINUTE, TOLERANCE = 3_600_000, 60_000, 600_000
EVENT_KEY_RANK = 4
PARTICIPANT, MODERATOR, ORGANIZER, PAGE, PHOTOGRAPHER = range(1, 6)  # roles; the first three are ranks, too
WORDS = {PARTICIPANT: "participant", MODERATOR: "moderator", ORGANIZER: "organizer"}
IT_TAKES = {PARTICIPANT: MODERATOR, MODERATOR: ORGANIZER, ORGANIZER: EVENT_KEY_RANK, PAGE: ORGANIZER,
            PHOTOGRAPHER: ORGANIZER}
UNLIMITED = float("inf")
DISCARD = 1  # the argument of a revokeDevice
VEILS_OF_DEVICE_MAX, VEILS_OF_AUTHOR_MAX, VEILS_OF_TREE_MAX = 64, 3, 40
CANCEL, CONFIRM = 1, 2
BALLOTS_OF_DEVICE_MAX, VOTES_OF_DEVICE_MAX = 16, 64
TWINS_MAX, TWINNINGS_OF_DEVICE_MAX = 4, 64
COVER, PLAN, TAKEN_OFF = 1, 2, 1 << 32  # the roles of pictures


def earliest(operation):
    """The order of a chain, and of what forks in it."""
    return operation.sequence, operation.id


class Photo(NamedTuple):
    """`slot` is that of its claim, or None; `status` is "frame", "pending", "veiled", "waiting", "removed", "hidden" or
    "erased"."""
    operation: Operation
    author: bytes
    slot: int | None
    status: str
    originals: list
    releases: list


class Members:
    """R-1 to R-14: the joins, the guests of sub-keys, the ranks of operations, and which of them count."""

    def __init__(self, event_key, operations):
        self.event_key = event_key
        self.operations = {operation.id: operation for operation in operations}
        of_kind = defaultdict(list)
        for operation in self.operations.values():
            of_kind[operation.kind].append(operation)
        self.joins, self.grants = of_kind[JOIN], of_kind[GRANT]
        self.revocations = of_kind[REVOKE_DEVICE] + [
            each for each in of_kind[REVOKE_ROLE] if each.argument in IT_TAKES and each.argument != PARTICIPANT]
        self.stands_for = defaultdict(set)  # of a sub-key: nodes and guests
        for join in self.joins:
            if join.content.guest:
                self.stands_for[join.device].add((join.content.sponsor, join.content.guest))
        self.entered = self._admit(lambda join: True)
        self._rule()
        self.windows = {
            join.device: [left for revocation, left in self.counting if self._concerns(revocation, join.device)]
            for join in self.joins}
        self.entry_windows = {
            join.device: [left for revocation, left in self.counting if self._ends_entry(revocation, left, join.device)]
            for join in self.joins}
        self.admitted = self._admit(self.is_left)
        self.authors = {}
        for join in sorted(self.joins, key=lambda join: join.content.guest, reverse=True):
            if join.content.guest and join.content.sponsor in self.admitted and self.is_left(join):
                self.authors[join.device] = join.content.guest
        self.gone = {each.device for each in of_kind[LEAVE] if self.counts(each)}

    def _admit(self, counts):
        """R-1 to R-4, of joins that `counts` lets through; with the event key."""
        inside, grew = {self.event_key}, True
        while grew:
            fresh = {join.device for join in self.joins if join.content.sponsor in inside and counts(join)} - inside
            inside |= fresh
            grew = bool(fresh)
        return inside

    # ------------------------------------------------------------ ranks and revocations (9.2)

    def _left(self, revocation):
        """R-9: what a revocation names, and what is proven to come before it."""
        left = set()
        for head in self._named(revocation):
            operation = self.operations.get(head)
            while operation is not None and operation.id not in left:
                left.add(operation.id)
                operation = self.parent(operation)
        return left

    def parent(self, operation):
        """R-9: the operation that this one is proven to follow, or None."""
        parent = self.operations.get(operation.previous)
        is_parent = parent is not None and (parent.device, parent.is_authority, parent.sequence + 1) == (
            operation.device, operation.is_authority, operation.sequence)
        return parent if is_parent else None

    def _named(self, revocation):
        """R-9: its heads; a list among them stands for what it names, but for lists."""
        for head in ids(revocation.content.heads):
            if not self._is_list(head):
                yield head
            else:
                yield from (each for each in ids(self.operations[head].content.heads) if not self._is_list(each))

    def _is_list(self, name):
        return name in self.operations and self.operations[name].kind == LIST

    def is_discarded(self, operation):
        """R-33, of whatever has a body that the fold does not read."""
        kind = KINDS.get(operation.kind)
        if not operation.body_byte_count or kind and kind.is_read_by_fold:
            return False
        speaks_for = {operation.device} | {guest for _, guest in self.stands_for[operation.device]}
        return any(revocation.kind == REVOKE_DEVICE and revocation.argument == DISCARD
                   and revocation.subject in speaks_for and operation.id not in left
                   and all(self._is_proof(head, operation.device) for head in self._named(revocation))
                   for revocation, left in self.counting)

    def _is_proof(self, head, device):
        """R-33: whether a head is here and, if it is of the device's content, all that it follows."""
        operation = self.operations.get(head)
        if operation is None:
            return False
        while (operation.device, operation.is_authority) == (device, False) and operation.previous != ZERO:
            parent = self.operations.get(operation.previous)
            if parent is None:
                return False
            if (parent.device, parent.is_authority, parent.sequence + 1) != (device, False, operation.sequence):
                return True
            operation = parent
        return True

    def _concerns(self, revocation, device):
        """R-10, but for what is said of ranks."""
        nodes = {node for node, _ in self.stands_for[device]}
        guests = {guest for _, guest in self.stands_for[device]}
        if revocation.kind == REVOKE_DEVICE:
            return revocation.subject in {device} | nodes | guests
        return revocation.argument == PAGE and revocation.subject in nodes

    def _ends_entry(self, revocation, left, device):
        """R-6: whether only the joins that the revocation leaves count, of those without a delegation and those that the
        device sponsors."""
        if revocation.kind == REVOKE_DEVICE and revocation.subject == device:
            return True
        return self._concerns(revocation, device) and any(
            join.id in left for join in self.joins if join.device == device and join.content.guest
            and (join.content.sponsor == revocation.subject
                 or revocation.kind == REVOKE_DEVICE and join.content.guest == revocation.subject))

    def _rule(self):
        """R-14: the event key's revocations, the organizers, theirs, the moderators, theirs."""
        self.counting = []  # revocations that count, each with what it leaves
        self.given = {ORGANIZER: {}, MODERATOR: {}}  # by device, what each revocation of it leaves
        self._apply(EVENT_KEY_RANK)
        self._give(ORGANIZER, {join.device for join in self.joins if join.content.sponsor == self.event_key})
        self._apply(ORGANIZER)
        self._give(MODERATOR)
        self._apply(MODERATOR)

    def _give(self, role, others=()):
        """R-11: who was ever given a rank. A sub-key is not, whatever it is granted."""
        granted = {grant.subject for grant in self.grants
                   if grant.argument == role and self.rank(grant) >= IT_TAKES[role]}
        for device in granted.union(others) - set(self.stands_for):
            self.given[role][device] = [left for revocation, left in self.counting if revocation.subject == device
                                        and (revocation.kind == REVOKE_DEVICE or revocation.argument == role)]

    def rank(self, operation):
        """R-11: the rank with which an operation is stated."""
        if operation.device == self.event_key:
            return EVENT_KEY_RANK
        for rank in (ORGANIZER, MODERATOR):
            lefts = self.given[rank].get(operation.device)
            if lefts is not None and all(operation.id in left for left in lefts):
                return rank
        return PARTICIPANT

    def rank_of(self, device):
        """R-11: the rank that a device has."""
        if device == self.event_key:
            return EVENT_KEY_RANK
        return next((rank for rank in (ORGANIZER, MODERATOR) if self.given[rank].get(device) == []), PARTICIPANT)

    def was_organizer(self, device):
        return device == self.event_key or device in self.given[ORGANIZER]

    def _apply(self, rank):
        """R-12 and R-13: which of the revocations stated with this rank count. Higher ranks have been decided."""
        cancelled = set()
        for grant in self.grants:
            granter = self.rank(grant)
            if granter < max(rank, IT_TAKES.get(grant.argument, EVENT_KEY_RANK + 1)):
                continue
            for name in ids(grant.content.cancels):
                revocation = self.operations.get(name)
                if (revocation in self.revocations and revocation.subject == grant.subject
                        and (revocation.kind == REVOKE_DEVICE or revocation.argument == grant.argument)
                        and self.rank(revocation) <= granter):
                    cancelled.add(name)
        latest = {}
        for revocation in sorted(self.revocations, key=lambda each: each.id, reverse=True):
            role = revocation.argument if revocation.kind == REVOKE_ROLE else None
            if (self.rank(revocation) == rank > self.rank_of(revocation.subject) and revocation.id not in cancelled
                    and rank >= (MODERATOR if role is None else IT_TAKES[role])):
                place = revocation.device, revocation.subject, role
                other = latest.get(place)
                if other is None or other.sequence <= revocation.sequence:
                    latest[place] = revocation
        self.counting += [(revocation, self._left(revocation)) for revocation in latest.values()]

    def is_revoked(self, role, subject):
        return any(revocation.kind == REVOKE_ROLE and revocation.argument == role and revocation.subject == subject
                   for revocation, _ in self.counting)

    def unlimited(self):
        """R-27: whose rolls have no end because of who they are."""
        photographers = {grant.subject for grant in self.grants
                         if grant.argument == PHOTOGRAPHER and self.rank(grant) >= ORGANIZER}
        return ({who for who in photographers if not self.is_revoked(PHOTOGRAPHER, who)}
                | {who for who in self.given[ORGANIZER] if not self.is_revoked(ORGANIZER, who)})

    # ------------------------------------------------------------ what counts (9.1)

    def is_left(self, join):
        """R-6: whether a join is not void, by its own device or by its sponsor."""
        own = self.windows if join.content.guest else self.entry_windows
        return all(join.id in left for left in own.get(join.device, []) + self.entry_windows.get(join.content.sponsor, []))

    def is_void(self, operation):
        return any(operation.id not in left for left in self.windows.get(operation.device, []))

    def counts(self, operation):
        """R-7."""
        is_in = operation.device in self.admitted and operation.device != self.event_key
        return is_in and not self.is_void(operation)

    def counts_as_removal(self, operation):
        """9.2: also what is void, except of a sub-key that was cut off with its node."""
        nodes = {node for node, _ in self.stands_for.get(operation.device, ())}
        return all(operation.id in left for revocation, left in self.counting if revocation.subject in nodes
                   and (revocation.kind == REVOKE_DEVICE or revocation.argument == PAGE))

    def author(self, device):
        return self.authors.get(device, device)

    def is_established(self, device):
        """§6.13, of what is stated with ranks."""
        return device == self.event_key or any(device in given for given in self.given.values()) or any(
            grant.subject == device and grant.argument in (PAGE, PHOTOGRAPHER) and self.rank(grant) >= ORGANIZER
            for grant in self.grants)

    def tree(self, device):
        """R-83: the device under which all that one member lets in is counted."""
        way = [device]
        while not self.is_established(way[-1]):
            joins = [join for join in self.joins if join.device == way[-1] and join.content.sponsor in self.admitted
                     and self.is_left(join)]
            join = min(joins, key=lambda join: join.id, default=None)
            if join is None or not join.content.guest and self.is_established(join.content.sponsor):
                break
            if join.content.sponsor in way:
                return min(way[way.index(join.content.sponsor):])
            way.append(join.content.sponsor)
        return way[-1]

    def node(self, device):
        """R-124: the node by which a device adds photos."""
        if self.author(device) == device:
            return device
        joins = [join for join in self.joins if join.device == device and join.content.sponsor in self.admitted and self.is_left(join)]
        return min(joins, key=lambda join: join.id).content.sponsor

    def members(self):
        """{device: (its rank in words, its author)}."""
        return {device: (WORDS[self.rank_of(device)], self.author(device)) for device in self.admitted
                if device != self.event_key and not self.windows.get(device)}


class Charter:
    """R-15 to R-20: the charter as it was founded and edited."""

    def __init__(self, ranks, charters, edits):
        self.ranks = ranks
        founding = [each for each in charters if each.device == ranks.event_key]
        self.first = min(founding, key=lambda charter: charter.id, default=None)
        self.parameters = self.expires_at = None
        if self.first is None:
            return
        self._know(edits)
        self.valid, self.promising = set(), set()
        for edit in self.known.values():  # in an order in which what is followed comes first
            self._judge(edit)
        self.closed_at = None
        self.parameters, promised = self._founded(), self._founded()
        for field in FIELDS:
            self._take(self.parameters, field, self.valid)
            if field in (4, 5):
                self._take(promised, field, self.promising)
        end = min(_end(self.parameters), _end(promised))
        if self.parameters.starts_on_opening and not self.parameters.opened:
            end = self.parameters.starts_at_ms + 8_784 * HOUR
        self.expires_at = end + self.parameters.retention_hours * HOUR

    def is_timely(self, time):
        """R-60 and R-62."""
        event = self.parameters
        if not event.late:
            return True
        over = min(_end(event), self.closed_at or UNLIMITED) if event.closed else _end(event)
        return (event.opened and time + TOLERANCE >= event.starts_at_ms
                and time <= over + (event.late - 1) * 60_000 + TOLERANCE)

    def frames(self, time):
        """R-61."""
        event = self.parameters
        if not event.frames_daily:
            return event.frames
        begun = max(time - event.starts_at_ms, 0) // (24 * HOUR) + 1
        return event.frames * min(begun, max(1, (event.duration_hours + 23) // 24))

    def _founded(self):
        return pb.CharterBody.FromString(self.first.content.SerializeToString())

    def _know(self, edits):
        """R-17: the edits that are known, and of each all that it follows, near and far."""
        of_device = defaultdict(list)
        for edit in edits:
            if edit.content is not None and self.ranks.was_organizer(edit.device):
                of_device[edit.device].append(edit)
        left = [edit for own in of_device.values() for edit in sorted(own, key=earliest)[:EDITS_PER_DEVICE_MAX]]
        self.known, self.follows, grew = {}, {self.first.id: set()}, True
        while grew:
            grew = False
            for edit in left[:]:
                near = set(ids(edit.content.follows))
                if near <= self.follows.keys():
                    self.known[edit.id], grew = edit, True
                    self.follows[edit.id] = near.union(*(self.follows[each] for each in near))
                    left.remove(edit)

    def _take(self, charter, field, among):
        """R-19: gives the field what the edits among these make it, where there are any."""
        own = [edit for edit in self.known.values() if edit.id in among and edit.argument == field]
        last = [edit for edit in own if not any(edit.id in self.follows[other.id] for other in own)]
        if not last:
            return
        last.sort(key=lambda edit: (edit.device != self.ranks.event_key, edit.id))
        values = [edit.content.value for edit in last]
        if field == 6:
            values.sort(key=lambda value: -(value.frames or UNLIMITED))
        if field == 8:
            values.sort(key=lambda value: value.retention_hours)
        if field == 17:
            values.sort(key=lambda value: not value.opened)
        if field == 22:
            values.sort(key=lambda value: not value.frames_daily)
        if field == 18:
            self.closed_at = last[0].milliseconds if values[0].closed else None
        take_field(charter, field, values[0])

    def _judge(self, edit):
        """R-18 and R-20."""
        if self.ranks.rank(edit) < ORGANIZER:
            return
        before, after, field = self._founded(), edit.content.value, edit.argument
        for each in FIELDS:
            self._take(before, each, self.valid & self.follows[edit.id])
        if before.opened and (
                field == 6 and (after.frames or UNLIMITED) < (before.frames or UNLIMITED)
                or field == 8 and after.retention_hours > before.retention_hours or field == 17 and not after.opened
                or field == 22 and before.frames_daily and not after.frames_daily
                or field == 33 and after.tickets and not before.tickets):
            return
        self.valid.add(edit.id)
        promised = self._founded()
        for each in (4, 5):
            self._take(promised, each, self.promising & self.follows[edit.id])
        if not (before.opened and (field == 4 and after.starts_at_ms > promised.starts_at_ms
                                   or field == 5 and after.duration_hours > promised.duration_hours)):
            self.promising.add(edit.id)


def _end(event):
    return event.starts_at_ms + event.duration_hours * HOUR


def fold_epochs(ranks, operations):
    """R-45 to R-48: the way to the current epoch, and the boxes by epoch."""
    known = sorted((each for each in operations if each.content is not None and ranks.was_organizer(each.device)),
                   key=lambda each: each.id)
    begun = {each.id: each for each in known if each.argument == 0}
    boxes = {each.id: seals(each.content) for each in begun.values()}
    counting = [each for each in known if ranks.rank(each) >= ORGANIZER]
    leading = set()  # those that count, or that one leads on from that counts
    for each in counting:
        if each.argument == 1 and each.subject in boxes:
            boxes[each.subject] += seals(each.content)
        while each is not None and each.argument == 0 and each.id not in leading:
            leading.add(each.id)
            each = begun.get(each.subject)
    way, last = [], ZERO
    while following := [each for each in known if each.id in leading and each.subject == last]:
        way.append(following[0])
        last = following[0].id
    return way, boxes


def fold_insiders(ranks, epoch, listed):
    """R-49: who has the secret of an epoch, named by its id or, if it is the first, by nothing."""
    inside, grew = {ranks.event_key, *listed}, True
    while grew:
        fresh = {join.device for join in ranks.joins if join.content.epoch == epoch and join.content.sponsor in inside
                 and ranks.is_left(join)} - inside
        inside |= fresh
        grew = bool(fresh)
    return inside


def charter_fields(body):
    """The charter's fields as the digest has them (§9.8)."""
    reveal = bytes([body.reveal]) + (struct.pack(">Q", body.reveal_at_ms) if body.reveal == 2 else b"")
    price = struct.pack(">I", body.price_cents) + body.price_currency.encode() if body.price_currency else b""
    links = b"".join(bytes([link.kind if 1 <= link.kind <= 7 else 7]) + struct.pack(">I", len(link.address))
                     + link.address.encode() for link in body.links)
    values = [body.name, body.details, body.place, struct.pack(">Q", body.starts_at_ms),
              struct.pack(">I", body.duration_hours), struct.pack(">I", body.frames), reveal,
              struct.pack(">I", body.retention_hours), body.category, price, links, body.registration, body.contact,
              body.consent_text, body.organizer_name, bytes([body.listed]), bytes([body.opened]), bytes([body.closed])]
    moments = struct.pack(">IIi", getattr(body.moments, "from"), body.moments.to, body.moments.utc_offset)
    missions = b"".join(struct.pack(">II", mission.id, len(mission.text.encode())) + mission.text.encode()
                        for mission in body.missions)
    position = (struct.pack(">Bii", 1, body.position.latitude, body.position.longitude) if body.HasField("position") else b"")
    values = [value.encode() if isinstance(value, str) else value for value in values]
    fields = list(enumerate(values, 1))
    fields += [(number, value) for number, value in (
        (21, struct.pack(">I", body.late)), (22, bytes([body.frames_daily])), (23, bytes([body.starts_on_opening])),
        (24, moments),
        (27, struct.pack(">I", body.name_rule)), (28, bytes([body.camera_only])), (29, struct.pack(">I", body.downloads)),
        (30, struct.pack(">I", body.videos)), (31, struct.pack(">I", body.theme)), (32, missions), (33, bytes([body.tickets])),
        (35, position), (36, bytes([body.wall_code])), (37, struct.pack(">I", body.photos_at_once)),
        (38, b"".join(node + bytes([len(name.encode())]) + name.encode() for node, name in zones(body.zones).items())))
        if any(value)]
    return b"".join(bytes([field]) + struct.pack(">I", len(value)) + value for field, value in fields)


def moment_links(salt, event):
    """The commitment, then the link of each day (R-63)."""
    links = [derive(salt, "moment key", event)]
    while len(links) <= 30:
        links.insert(0, derive(links[0], "moment link", event))
    return links


class State:
    """All that this peer makes of a set of operations."""

    def __init__(self, event_key, operations):
        by_kind = defaultdict(list)
        for operation in operations:
            by_kind[operation.kind].append(operation)
        self.ranks = ranks = Members(event_key, operations)
        self.members, self.entered, self.gone = ranks.members(), ranks.entered, ranks.gone
        self.times = charter = Charter(ranks, by_kind[CHARTER], by_kind[EDIT])
        self.charter, self.parameters, self.expires_at = charter.first, charter.parameters, charter.expires_at
        self.epochs, self.boxes = fold_epochs(ranks, by_kind[EPOCH])
        epoch = self.epochs[-1].id if self.epochs else b""
        self.insiders = fold_insiders(ranks, epoch, [device for device, _ in self.boxes.get(epoch, [])])
        # what must be understood, and is not.
        self.needs_newer_version = any(
            operation.is_critical and operation.kind not in KINDS and ranks.rank(operation) >= ORGANIZER
            for operation in operations)
        self._fold_taken_away(by_kind)
        self._fold_rolls(by_kind)
        self._fold_tickets(by_kind)
        self._fold_approval(by_kind)
        self._fold_veils(by_kind)
        #
        self.is_page_sealing = any(ranks.rank(each) >= ORGANIZER and each.id not in self.erased for each in by_kind[PAGE_SEALING])
        self._fold_twins(by_kind[TWINNING])
        self._fold_photos(by_kind)
        self._fold_moments()
        self._fold_names(by_kind)
        self._fold_captions(by_kind)
        self._fold_missions(by_kind)
        self._fold_pictures(by_kind)
        self._fold_turns(by_kind)
        named = zones(charter.parameters.zones) if charter.parameters else {}
        nodes = {id_: ranks.node(photo.operation.device) for id_, photo in self.photos.items()}
        self.zones = {photo: named[node] for photo, node in nodes.items() if node in named}
        self._fold_messages(by_kind)
        self._fold_reveals(by_kind[REVEAL])
        self._fold_shares(by_kind)
        self._fold_votes(by_kind)

    def author(self, device):
        return self.ranks.author(device)

    def _fold_reveals(self, reveals):
        """§11.2: what photos are sealed to, its secret half where it was stated, whether photos are open to all."""
        self.reveal_key = self.charter.content.reveal_key if self.charter else b""
        self.reveal_secret = next((reveal.content.secret for reveal in reveals
                                   if crypto_scalarmult_base(reveal.content.secret) == self.reveal_key), None)
        self.is_revealed = self.charter is not None and (not self.reveal_key or self.reveal_secret is not None)

    def _fold_shares(self, by_kind):
        """R-101 to R-104: `shares` is None where the secret half is not shared, else the published values by index."""
        content = self.charter.content if self.charter else pb.CharterBody()
        commitments, threshold = ids(content.share_commitments), content.reveal_threshold
        self.shares, self.share_holders = None, set()
        if (len(content.share_commitments) % 32 or not 2 <= threshold <= len(commitments) <= COUNT_MAX
                or not self.reveal_key):
            return
        self.shares, self.threshold = {}, threshold
        for release in by_kind[SHARE_RELEASE]:
            index, value = release.argument, release.content.share
            if 1 <= index <= len(commitments) and commitments[index - 1] == blake2b(
                    domain("share"), release.event, bytes([index]), value):
                self.shares[index] = value
        self.share_holders = {(deal.subject, deal.argument) for deal in by_kind[SHARE]
                              if 1 <= deal.argument <= len(commitments) and self.ranks.rank(deal) >= ORGANIZER}
        if self.reveal_secret is None:
            secrets = (combine({index: self.shares[index] for index in chosen})
                       for chosen in combinations(sorted(self.shares), threshold))
            self.reveal_secret = next((secret for secret in secrets
                                       if crypto_scalarmult_base(secret) == self.reveal_key), None)
            self.is_revealed = self.reveal_secret is not None

    def _fold_taken_away(self, by_kind):
        """R-30 to R-32 and R-38, of whatever was taken away."""
        ranks = self.ranks
        self.removed = {(each.subject, self.author(each.device)) for each in by_kind[REMOVE]
                        if ranks.counts_as_removal(each)}
        self.erased = {each.subject for each in by_kind[ERASE] if ranks.rank(each) >= ORGANIZER}
        cancelled = {(each.subject, hide) for each in by_kind[UNHIDE] if ranks.rank(each) >= MODERATOR
                     for hide in ids(each.content.hides)}
        self.hidden = {each.subject for each in by_kind[HIDE]
                       if ranks.rank(each) >= MODERATOR and (each.subject, each.id) not in cancelled}

    def taken_away(self, operation):
        """How, or None."""
        if (operation.id, self.author(operation.device)) in self.removed:
            return "removed"
        if operation.id in self.erased:
            return "erased"
        return "hidden" if operation.id in self.hidden else None

    def is_condemned(self, operation):
        """§9.5: whether an erasable body is to be given out no more and destroyed, as what it is about was removed,
        erased or discarded: the photo's own and those that go with a photo; a remark's or a name's."""
        def is_gone(each):
            return self.taken_away(each) in ("removed", "erased") or self.ranks.is_discarded(each)

        if self.ranks.is_discarded(operation):
            return True
        if operation.kind in (PHOTO, NAME, CAPTION, COMMENT, NOTICE, MESSAGE) and is_gone(operation):
            return True
        if operation.kind not in (ORIGINAL, KEY_RELEASE, CAPTION, COMMENT):
            return False
        photo = self.ranks.operations.get(operation.subject)
        if photo is None:  # whose remove counts is known when the photo is here
            return operation.subject in self.erased
        return photo.kind == PHOTO and is_gone(photo)

    def _fold_rolls(self, by_kind):
        self.unlimited, self.extras = self.ranks.unlimited(), defaultdict(int)
        for each in by_kind[FRAMES]:
            if 1 <= each.argument <= FRAMES_MAX and self.ranks.rank(each) >= ORGANIZER:
                self.extras[each.subject] += each.argument
        self.received = defaultdict(int)

    def _fold_tickets(self, by_kind):
        """R-96 to R-99: {the ticket's key: the author that holds it, or None}, {the ticket's key: those that have used it}."""
        ranks = self.ranks
        listed = {key for each in by_kind[TICKETS] if each.content and ranks.rank(each) >= ORGANIZER
                  for key in ids(each.content.hides)}
        rulings = [each for each in by_kind[TICKET_RULING] if ranks.rank(each) >= ORGANIZER]
        confirmed = {each.subject: each.id for each in sorted(rulings, key=lambda each: each.id, reverse=True)
                     if each.argument == CONFIRM}
        self.tickets, self.ticket_users, first = dict.fromkeys(listed), defaultdict(set), {}
        for use in by_kind[TICKET_USE]:
            if use.content is None or use.subject not in listed:
                continue
            author = use.content.guest
            if counts := ranks.counts(use) and self.author(use.device) == author:
                self.ticket_users[use.subject].add(author)
            if use.id in confirmed or counts:
                place = (0, confirmed[use.id], use.id) if use.id in confirmed else (1, *earliest(use))
                first[use.subject] = min(first.get(use.subject, (place, author)), (place, author))
        for key, (_, author) in first.items():
            self.tickets[key] = author
            self.ticket_users[key].add(author)
        for each in rulings:
            if each.argument == CANCEL and each.subject in listed:
                self.tickets[each.subject] = None

    def lacks_ticket(self, author):
        """R-100."""
        return (bool(self.parameters and self.parameters.tickets) and author not in self.unlimited
                and author not in self.tickets.values())

    def _fold_photos(self, by_kind):
        added = {operation.id: operation for operation in by_kind[PHOTO] if self.ranks.counts(operation)}
        trusted = {self.author(photo.device) for photo in added.values() if photo.id in self.approved}

        def by_their_author(kind):
            return [operation for operation in by_kind[kind]
                    if operation.subject in added and self.ranks.counts(operation)
                    and self.author(operation.device) == self.author(added[operation.subject].device)]

        def by_photo(kind):
            chosen = defaultdict(list)
            for operation in sorted(by_their_author(kind), key=lambda operation: operation.id):
                chosen[operation.subject].append(operation)
            return chosen

        originals, releases = by_photo(ORIGINAL), by_photo(KEY_RELEASE)
        self.holders = {}  # (author, slot): the claim that holds it
        for claim in by_their_author(CLAIM):
            if claim.argument >= 1:
                place = self.author(claim.device), claim.argument
                self.holders[place] = min(self.holders.get(place, claim), claim, key=earliest)
        for gift in by_kind[GIFT]:
            author = self.author(gift.device)
            if 1 <= gift.argument <= FRAMES_MAX and gift.subject != author and self.ranks.counts(gift):
                place = author, gift.argument
                self.holders[place] = min(self.holders.get(place, gift), gift, key=earliest)
        self._fold_gifts()
        slots = {}
        for (_, slot), claim in self.holders.items():
            if claim.kind == CLAIM:
                slots[claim.subject] = min(slot, slots.get(claim.subject, slot))
        self.photos = {}
        for photo in added.values():
            author, slot = self.author(photo.device), slots.get(photo.id)
            status = self.taken_away(photo) or (
                "waiting" if slot is None or slot > self.roll(photo.device, self.time(photo))
                else "pending" if self.needs_approval(photo, author in trusted)
                else "veiled" if photo.id in self.veiled else "frame")
            self.photos[photo.id] = Photo(photo, author, slot, status, originals[photo.id], releases[photo.id])

    def _fold_gifts(self):
        """R-93 and R-94: how many frames each author has received."""
        event = self.parameters
        if not event or not event.frames or event.frames_daily:
            return
        for (giver, slot), gift in self.holders.items():
            own = 0 if event.tickets and giver not in self.tickets.values() else event.frames
            if gift.kind == GIFT and slot <= own + self.extras[giver]:
                self.received[gift.subject] = min(self.received[gift.subject] + 1, event.frames)

    def _fold_veils(self, by_kind):
        """R-81 to R-84: the photos that are veiled, whatever else they are."""
        ranks, self.veiled = self.ranks, set()
        if not any(ranks.rank(each) >= ORGANIZER and not self.taken_away(each) for each in by_kind[VEILING]):
            return
        photos = {photo.id: photo for photo in by_kind[PHOTO] if ranks.counts(photo) and not self.taken_away(photo)}
        of_device, of_author, of_tree = defaultdict(list), defaultdict(dict), defaultdict(list)
        for veil in sorted(by_kind[VEIL], key=earliest):
            of_device[veil.device].append(veil)
        for veils in of_device.values():
            for veil in veils[:VEILS_OF_DEVICE_MAX]:
                author, photo = self.author(veil.device), photos.get(veil.subject)
                if photo and self.author(photo.device) != author and ranks.counts(veil) and not self.taken_away(veil):
                    first = of_author[author].get(photo.id, veil)
                    of_author[author][photo.id] = min(first, veil, key=lambda each: (each.time, each.id))
        for veils in of_author.values():
            for place, veil in enumerate(sorted(veils.values(), key=lambda each: (each.time, each.id))[:VEILS_OF_AUTHOR_MAX]):
                of_tree[ranks.tree(veil.device)].append((place, veil.time, veil.id, veil.subject))
        lifted = {each.subject for each in by_kind[LIFT] if ranks.rank(each) >= MODERATOR and not self.taken_away(each)}
        self.veiled = {each[3] for veils in of_tree.values() for each in sorted(veils)[:VEILS_OF_TREE_MAX]} - lifted

    def _fold_approval(self, by_kind):
        """R-54 to R-56: the rule in force, and the photos that are approved."""
        known = {each.id: each for each in by_kind[APPROVAL]}
        settings = [each for each in known.values() if self.ranks.rank(each) >= ORGANIZER]
        followed, left = set(), [name for each in settings for name in ids(each.content.hides)]
        while left:
            name = left.pop()
            if name in known and name not in followed:
                followed.add(name)
                left += ids(known[name].content.hides)
        self.approval_rule = max((min(each.argument, 2) for each in settings if each.id not in followed), default=0)
        withdrawn = {(each.subject, name) for each in by_kind[UNAPPROVE] if self.ranks.rank(each) >= MODERATOR
                     for name in ids(each.content.hides)}
        self.approved = {photo for each in by_kind[APPROVE] if self.ranks.rank(each) >= MODERATOR
                         for photo in ids(each.content.hides) if (photo, each.id) not in withdrawn}

    def needs_approval(self, photo, is_trusted):
        """R-57."""
        if (not self.approval_rule or photo.id in self.approved or self.ranks.rank(photo) >= MODERATOR
                or self.author(photo.device) in self.unlimited):
            return False
        return self.approval_rule == 2 or not is_trusted

    def time(self, operation):
        """R-59."""
        latest = operation.milliseconds
        while parent := self.ranks.parent(operation):
            operation, latest = parent, max(latest, parent.milliseconds)
        return latest

    def _fold_moments(self):
        """R-63 to R-66: None without moments; what proves them, {day: its minute in ms}, {photo: (day, late)}."""
        event, self.moments = self.parameters, None
        if not event or not event.opened or not event.HasField("moments"):
            return
        links = moment_links(self.charter.body[:16], self.charter.event)
        over = min(_end(event), self.times.closed_at or UNLIMITED) if event.closed else _end(event)
        first, last, offset = getattr(event.moments, "from"), event.moments.to, event.moments.utc_offset
        begins = {}
        for day in range(1, max(1, (event.duration_hours + 23) // 24) + 1):
            start = event.starts_at_ms + (day - 1) * 24 * HOUR
            end = min(start + 24 * HOUR, _end(event))
            minutes = [minute for minute in range(-(-start // MINUTE), (end - 5 * MINUTE) // MINUTE + 1)
                       if (minute + offset - first) % 1440 < ((last - first) % 1440 or 1440)]
            if minutes:
                begin = minutes[int.from_bytes(links[day][:8], "big") % len(minutes)] * MINUTE
                if begin < over:
                    begins[day] = begin
        verdicts = {}
        for identity, photo in self.photos.items():
            time = self.time(photo.operation)
            for day, begin in begins.items():  # of two the later one
                if begin <= time < begin + 6 * MINUTE:
                    verdicts[identity] = day, time >= begin + 5 * MINUTE
        self.moments = links, begins, verdicts

    def roll(self, device, time):
        """R-27, R-61 and R-62: how many slots the device's author has for a photo of this time."""
        author = self.author(device)
        if self.charter is None:
            return 0
        if author in self.unlimited:
            return UNLIMITED
        if not self.times.is_timely(time):
            return 0
        if self.lacks_ticket(author):
            return self.extras[author] + self.received[author]
        if not self.parameters.frames:
            return UNLIMITED
        return self.times.frames(time) + self.extras[author] + self.received[author]

    def free_slot(self, device, time):
        """The lowest slot that nobody of the device's author has claimed, or None where the roll is full."""
        author, slot = self.author(device), 1
        while (author, slot) in self.holders:
            slot += 1
        return slot if slot <= self.roll(device, time) else None

    def _latest(self, operations, place, counts=None):
        """What R-35 and R-39 choose: of one device the highest sequence, of several the latest timestamp."""
        of_device, chosen = {}, {}
        for each in operations:
            if (counts or self.ranks.counts)(each) and not self.taken_away(each):
                key = place(each), each.device
                of_device[key] = min(of_device.get(key, each), each, key=lambda one: (-one.sequence, one.id))
        for (where, _), each in of_device.items():
            chosen[where] = min(chosen.get(where, each), each, key=lambda one: (-one.time, one.id))
        return chosen

    def _fold_names(self, by_kind):
        self.names = self._latest(by_kind[NAME], lambda name: self.author(name.device))

    def _fold_captions(self, by_kind):
        """{photo: the caption that counts}."""
        own = [each for each in by_kind[CAPTION] if each.subject in self.photos
               and self.photos[each.subject].author == self.author(each.device)]
        self.captions = self._latest(own, lambda caption: caption.subject)

    def _fold_missions(self, by_kind):
        """R-75: {photo: the id of the mission that it answers}."""
        listed = {mission.id for mission in self.parameters.missions} if self.parameters else set()
        own = [each for each in by_kind[ANSWER] if each.subject in self.photos and each.argument < 1 << 33
               and each.argument % (1 << 32) and self.photos[each.subject].author == self.author(each.device)]
        latest = self._latest(own, lambda answer: answer.subject)
        self.missions = {photo: answer.argument for photo, answer in latest.items() if answer.argument in listed}

    def _fold_pictures(self, by_kind):
        """R-77 to R-80: {role: the photo that is shown as it}, {photo: (x, y) on the plan}."""
        roles = (COVER, PLAN, COVER + TAKEN_OFF, PLAN + TAKEN_OFF)
        chosen = self._latest([each for each in by_kind[PICTURE] if each.argument in roles],
                              lambda picture: picture.argument % TAKEN_OFF,
                              counts=lambda picture: self.ranks.rank(picture) >= ORGANIZER)
        self.pictures = {role: picture.subject for role, picture in sorted(chosen.items()) if picture.argument == role
                         and picture.subject in self.photos and self.photos[picture.subject].status == "frame"}
        own = [each for each in by_kind[SPOT] if each.subject in self.photos
               and self.photos[each.subject].author == self.author(each.device)]
        plan = int.from_bytes(self.pictures.get(PLAN, b"")[:4], "big") >> 1
        self.spots = {photo: (spot.argument >> 16 & 0xFFFF, spot.argument & 0xFFFF)
                      for photo, spot in self._latest(own, lambda spot: spot.subject).items()
                      if PLAN in self.pictures and not spot.argument & TAKEN_OFF and spot.argument >> 33 == plan}

    def _fold_turns(self, by_kind):
        """R-86: {photo: degrees}, of those that are turned."""
        own = [each for each in by_kind[TURN] if each.subject in self.photos and each.argument < 4
               and self.photos[each.subject].author == self.author(each.device)]
        latest = self._latest(own, lambda turn: turn.subject)
        self.turns = {photo: turn.argument * 90 for photo, turn in latest.items() if turn.argument}

    def _fold_messages(self, by_kind):
        """R-88 and R-89: the messages that count, in their order; and the devices to which one is sealed now."""
        counts, counting = defaultdict(int), []
        for each in sorted(filter(self.ranks.counts, by_kind[MESSAGE]), key=lambda one: (one.sequence, one.id)):
            author = self.author(each.device)
            counts[author] += 1
            is_gone = (each.id, author) in self.removed or each.id in self.erased
            if counts[author] <= MESSAGES_PER_AUTHOR_MAX and not is_gone:
                counting.append(each)
        self.messages = sorted(counting, key=lambda one: (one.time, one.device, one.id))
        ranks = self.ranks
        founders = {join.device for join in ranks.joins if join.content.sponsor == ranks.event_key and ranks.is_left(join)}
        organizers = sorted(device for device, (role, _) in self.members.items()
                            if role == "organizer" and device not in self.gone)
        self.recipients = [ranks.event_key, *sorted(organizers, key=lambda device: (device not in founders, device))][
            :RECIPIENTS_MAX]

    def _fold_twins(self, twinnings):
        """R-117 to R-119: the ids of the events with which the gallery is joined, the one that was named first first."""
        first = self._first([each for each in twinnings if each.content is not None], TWINNINGS_OF_DEVICE_MAX)
        standing = sorted((each for own in first for each in own if each.id not in self.erased
                           and self.ranks.rank(each) >= ORGANIZER), key=lambda each: (each.time, each.id))
        self.twins = list(dict.fromkeys(each.subject for each in standing))[:TWINS_MAX]

    def _fold_votes(self, by_kind):
        """R-111 to R-115: the event's ballot; when it was closed, in ms, or None; the number of people with a vote in it;
        and, once it is closed, the photos with votes, each with their number, the one with the most first."""
        ranks, self.ballot, self.closed_at, self.voter_count, self.places = self.ranks, None, None, 0, None
        ballots = [each for own in self._first(by_kind[BALLOT], BALLOTS_OF_DEVICE_MAX) for each in own
                   if ranks.rank(each) >= ORGANIZER]
        if not ballots:
            return
        self.ballot = ballot = min(ballots, key=lambda each: (-each.time, each.id))
        closings = [each for each in by_kind[CLOSING] if each.subject == ballot.id and ranks.rank(each) >= ORGANIZER
                    and crypto_scalarmult_base(each.content.secret) == ballot.content.commitment]
        closing = min(closings, key=lambda each: (each.time, each.id), default=None)
        self.closed_at = closing and closing.milliseconds
        last = {}
        for own in self._first([each for each in by_kind[VOTE] if each.subject == ballot.id], VOTES_OF_DEVICE_MAX):
            counting = [each for each in own if ranks.counts(each) and (closing is None or self.time(each) <= self.closed_at)]
            if counting:
                vote = min(counting, key=lambda each: (-each.sequence, each.id))
                author = self.author(vote.device)
                last[author] = min(last.get(author, vote), vote, key=lambda each: (-each.time, each.id))
        self.voter_count = len(last)
        if closing is None:
            return
        counts = Counter()
        for author, vote in last.items():
            photo = self.photos.get(self._voted(vote, closing.content.secret))
            if photo and photo.author != author and (self.is_revealed or photo.releases):
                counts[photo.operation.id] += 1
        self.places = sorted(((photo, counts[photo.operation.id]) for photo in self.gallery() if counts[photo.operation.id]),
                             key=lambda place: -place[1])

    def _first(self, operations, limit):
        """The first of each device, in the order of its chain."""
        of_device = defaultdict(list)
        for operation in sorted(operations, key=earliest):
            of_device[operation.device].append(operation)
        return [own[:limit] for own in of_device.values()]

    def _voted(self, vote, secret):
        """R-114: the id of the photo, or None."""
        try:
            opened = open_key(vote.content.box, secret)
        except Refused:
            return None
        return opened[:32] if opened[32:] == vote.device else None

    def name(self, author):
        name = self.names.get(author)
        return name.content.name if name and name.content else None

    def gallery(self):
        """R-37: the photos that are shown, in order."""
        if self.charter is None:
            return []
        body, day = self.parameters, 86_400_000
        first, last = max(body.starts_at_ms - day, 0), body.starts_at_ms + body.duration_hours * 3_600_000 + day

        def place(photo):
            operation = photo.operation
            return (min(max(operation.milliseconds, first), last), operation.time & 0xFFFF, operation.device,
                    operation.sequence, operation.id)
        plan = self.pictures.get(PLAN)
        return sorted((photo for photo in self.photos.values() if photo.status == "frame" and photo.operation.id != plan), key=place)

    def digest(self):
        """§9.8; None without a charter, or where a newer version is needed."""
        if self.charter is None or self.needs_newer_version:
            return None
        parts = [domain("gallery"), b"\1", self.charter.id, charter_fields(self.parameters),
                 struct.pack(">Q", len(self.photos))]
        for identity, photo in sorted(self.photos.items()):
            status = {"waiting": b"\0", "frame": b"\1" + struct.pack(">Q", photo.slot or 0), "removed": b"\2",
                      "hidden": b"\3", "erased": b"\4", "pending": b"\5" + struct.pack(">Q", photo.slot or 0),
                      "veiled": b"\6" + struct.pack(">Q", photo.slot or 0)}
            parts += [identity, status[photo.status]]
            parts += [self.captions[identity].id] if identity in self.captions else []
            parts += [struct.pack(">I", self.missions[identity])] if identity in self.missions else []
        for author, name in sorted(self.names.items()):
            parts += [author, name.id]
        for role, photo in self.pictures.items():
            parts += [bytes([role]), photo]
        return blake2b(*parts, b"\1" if self.is_revealed else b"\0")
