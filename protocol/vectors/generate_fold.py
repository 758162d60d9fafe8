#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the vectors of the fold: fold/*.json. Needs PyNaCl (pip install pynacl).

There is no fold in here. Each scenario makes its operations and then says, by hand, what follows from them and by
which rules of §9; `why` says it to the reader. Only the gallery digest is put together from what was said.
Everything random is a fixed number."""

import hashlib
import itertools
import random
import struct

from nacl.bindings import crypto_box, crypto_scalarmult_base

import generate_sharing as sharing
from generate_operations import (ANSWER, APPROVAL, APPROVE, AUTHORITY, BALLOT, CAPTION, CHARTER, CLAIM, CLOSING, COMMENT, CONSENT, CRITICAL, EDIT, EPOCH, ERASE, EVENT,
                                 EVENT_KEY, FRAMES, GIFT, GRANT, HIDE, JOIN, KEY_RELEASE, LEAVE, LIFT, LIST, MESSAGE, NAME, NOTICE, ORIGINAL, PAGE_SEALING, PHOTO_ADDED, PICTURE, REACTION,
                                 REMOVE, REVEAL, REVOKE_DEVICE, REVOKE_ROLE, SHARE, SHARE_RELEASE, SPOT, TICKET_RULING, TICKET_USE, TICKETS, TURN, TWINNING, UNAPPROVE, UNHIDE, VEIL, VEILING, VOTE, ZERO, blake2b, consent_id, data, domain,
                                 event_of, grant_proof, header, key, number, public, reference, sign, signed, ticket_key, ticket_use_body, twinning_body, write)

START, HOUR = 1_800_000_000_000, 3_600_000
DAY = 24 * HOUR
PICTURE_ROLES = {"cover": 1, "plan": 2}
ROLES = {"participant": 1, "moderator": 2, "organizer": 3, "page": 4, "photographer": 5}


class Story:
    """One event. Operations have labels; keys are made of seeds, so the same label of device is the same key
    anywhere."""

    def __init__(self, name, about, *why, frames=12):
        self.name, self.about, self.why, self.frames = name, about, why, frames
        self.devices, self.guests, self.operations = {"event key": EVENT_KEY}, {}, {}
        self.chains, self.last, self.clock, self.charters = {}, {}, START, {}
        self.edited = {}  # of the charter's fields in the digest, those that edits have made

    # ------------------------------------------------------------ operations

    def add(self, label, device, kind, body=b"", at=None, counter=0, sequence=None, has_body=True, **fields):
        """The next operation of a device's chain; `sequence` puts it elsewhere, as a copy of the device's folder
        would."""
        signer = self.devices[device]
        place = device, fields.pop("set", kind < 64)
        previous = self.last.get(place, ZERO)
        if sequence is None:
            sequence = self.chains.get(place, -1) + 1
        if sequence and previous == ZERO:
            previous = blake2b(b"an operation that is not here")
        self.clock += 1000
        head = header(kind, body, device=signer, sequence=sequence, previous=previous if sequence else ZERO,
                      time=((self.clock if at is None else at) << 16) + counter, **fields)
        identity = blake2b(domain("operation id"), head)
        self.operations[label] = {"header": head.hex(), "signature": signed(head, signer).hex(),
                                  "body": body.hex() if has_body else None, "id": identity}
        self.chains[place], self.last[place] = sequence, identity
        return identity

    def copy_goes_on(self, device, after=None):
        """The device's content goes on from an earlier place, or from nothing, as on a copy of its folder."""
        last = self.operations[after] if after else None
        self.chains[device, False] = int(last["header"][16:24], 16) if last else -1
        self.last[device, False] = last["id"] if last else ZERO

    def lose(self, label):
        """Nobody has the operation, whatever follows it."""
        del self.operations[label]

    def salt(self, label):
        return blake2b(b"salt of ", label.encode())[:16]

    def device(self, label, sponsor=None, guest=None):
        """A device and its join; `guest` names the one without a node for whom it signs."""
        self.devices.setdefault(label, key(0x40 + len(self.devices)))
        if sponsor:
            self.join(f"join of {label} by {sponsor}", label, sponsor, guest)

    def join(self, label, device, sponsor, guest=None, epoch=None, counter=0):
        self.devices.setdefault(sponsor, key(0x40 + len(self.devices)))
        sponsor_key, joining = self.devices[sponsor], public(self.devices[device])
        under = self.operations[epoch]["id"] if epoch else b""
        consent = sign(sponsor_key, domain("admission"), EVENT, joining, under)
        body = self.salt(label) + data(1, public(sponsor_key)) + data(2, consent)
        if guest:
            guest_key = self.guests.setdefault(guest, key(0x80 + len(self.guests)))
            body += data(3, public(guest_key)) + data(4, sign(
                guest_key, domain("delegation"), EVENT, public(sponsor_key), joining))
        return self.add(label, device, JOIN, body + data(5, under), counter=counter)

    def charter(self, label="charter", device="event key", name="Garden party", frames=None, hours=24, consent="", opened=False,
                reveal_key=b"", more=b""):
        frames = self.frames if frames is None else frames
        self.charters[label] = name, hours, frames, consent, opened
        return self.add(label, device, CHARTER, self.salt(label) + data(1, name) + number(2, START) + number(3, hours)
                        + number(4, frames) + number(5, 48) + (data(18, consent) if consent else b"") + (number(19, 1) if opened else b"") + data(21, reveal_key) + more)

    def edit(self, label, device, field, value, *follows, **options):
        """One field of the charter; `value` is its protobuf field."""
        named = b"".join(self.operations[each]["id"] for each in follows)
        return self.add(label, device, EDIT, self.salt(label) + data(1, named) + data(2, value, present=True), argument=field, **options)

    def public(self, who):
        return public(self.guests[who] if who in self.guests else self.devices[who])

    def named(self, *labels):
        return b"".join(self.operations[label]["id"] for label in labels)

    def grant(self, label, device, who, role, *cancels):
        return self.add(label, device, GRANT, self.salt(label) + data(1, self.named(*cancels)), subject=self.public(who),
                        argument=ROLES[role])

    def revoke(self, label, device, who, role, *heads):
        return self.add(label, device, REVOKE_ROLE, self.salt(label) + data(1, self.named(*heads)), subject=self.public(who),
                        argument=ROLES[role])

    def remove_member(self, label, device, who, *heads, discards=False):
        return self.add(label, device, REVOKE_DEVICE, self.salt(label) + data(1, self.named(*heads)),
                        subject=self.public(who), argument=int(discards))

    def list(self, label, device, *heads):
        return self.add(label, device, LIST, self.salt(label) + data(1, self.named(*heads)))

    def hide(self, label, device, about):
        return self.add(label, device, HIDE, subject=self.operations[about]["id"])

    def unhide(self, label, device, about, *hides):
        return self.add(label, device, UNHIDE, self.salt(label) + data(1, self.named(*hides)),
                        subject=self.operations[about]["id"])

    def erase(self, label, device, about):
        return self.add(label, device, ERASE, subject=self.operations[about]["id"])

    def approval(self, label, device, rule, *follows, flags=CRITICAL):
        return self.add(label, device, APPROVAL, self.salt(label) + data(1, self.named(*follows)), argument=rule,
                        flags=flags | AUTHORITY)

    def approve(self, label, device, *photos):
        return self.add(label, device, APPROVE, self.salt(label) + data(1, self.named(*photos)))

    def unapprove(self, label, device, about, *approvals):
        return self.add(label, device, UNAPPROVE, self.salt(label) + data(1, self.named(*approvals)),
                        subject=self.operations[about]["id"])

    def veils_on(self, label, device):
        return self.add(label, device, VEILING, flags=CRITICAL | AUTHORITY, set=True)

    def page_sealing(self, label, device, **options):
        return self.add(label, device, PAGE_SEALING, flags=CRITICAL | AUTHORITY, set=True, **options)

    def twin(self, label, device, twin, about=None, organizer=None, grant=b"", other=EVENT, **options):
        """Joins the gallery with that of the event of a number; `about`: another subject."""
        body = twinning_body(key(0xE0 + twin), other=other, organizer=organizer, grant=grant, salt=self.salt(label))
        return self.add(label, device, TWINNING, body, subject=event_of(key(0xE0 + twin)) if about is None else about, flags=AUTHORITY,
                        set=True, **options)

    def veil(self, label, device, about, kind=VEIL, **options):
        return self.add(label, device, kind, subject=self.operations[about]["id"], flags=AUTHORITY, set=True, **options)

    def give(self, label, device, who, frames):
        return self.add(label, device, FRAMES, subject=self.public(who), argument=frames)

    def give_away(self, label, device, who, slot, **options):
        return self.add(label, device, GIFT, subject=self.public(who), argument=slot, **options)

    def list_tickets(self, label, device, first, *tickets):
        return self.add(label, device, TICKETS, self.salt(label) + data(1, b"".join(self.ticket(each) for each in tickets)), argument=first,
                        flags=AUTHORITY, set=True)

    def ticket(self, label):
        return public(ticket_key(blake2b(label.encode())[:16]))

    def use(self, label, device, ticket, author, signer=None, **options):
        """`signer`: the ticket that signs, where it is not that which is used."""
        body = ticket_use_body(ticket_key(blake2b((signer or ticket).encode())[:16]), self.public(author), self.salt(label))
        return self.add(label, device, TICKET_USE, body, subject=self.ticket(ticket), flags=AUTHORITY, set=True, **options)

    def rule_ticket(self, label, device, what, argument):
        """1 cancels a ticket, 2 confirms a use."""
        subject = self.operations[what]["id"] if what in self.operations else self.ticket(what)
        return self.add(label, device, TICKET_RULING, subject=subject, argument=argument, flags=AUTHORITY, set=True)

    def reveal(self, label, device, secret, **options):
        return self.add(label, device, REVEAL, self.salt(label) + data(1, secret), **options)

    def deal(self, label, device, who, index, **options):
        """A share for a device. The fold opens no box, so what is in it does not matter."""
        return self.add(label, device, SHARE, self.salt(label) + data(1, bytes(80)), subject=self.public(who),
                        argument=index, flags=CRITICAL | AUTHORITY, set=True, **options)

    def release(self, label, device, index, value, **options):
        return self.add(label, device, SHARE_RELEASE, self.salt(label) + data(1, value), argument=index, flags=AUTHORITY,
                        set=True, **options)

    def later(self, label, device, flags=CRITICAL, in_authority=True, **options):
        """Of a kind that version 1 does not have."""
        return self.add(label, device, 40 if in_authority else 200, flags=flags | (AUTHORITY if in_authority else 0),
                        set=in_authority, **options)

    def photo(self, label, device, **options):
        return self.add(label, device, PHOTO_ADDED, self.salt(label) + data(6, "image/jpeg"), **options)

    def original(self, label, device, photo, root):
        return self.add(label, device, ORIGINAL, self.salt(label) + data(1, reference(root, 1000))
                        + data(2, bytes([root]) * 32)
                        + data(3, "image/jpeg"), subject=self.operations[photo]["id"])

    def claim(self, label, device, photo, slot, **options):
        return self.add(label, device, CLAIM, subject=self.operations[photo]["id"], argument=slot, **options)

    def remove(self, label, device, photo):
        return self.add(label, device, REMOVE, subject=self.operations[photo]["id"])

    def say(self, label, device, kind, about=None, **options):
        """A remark, which says its label; about a photo or, of a notice, about none."""
        subject = self.operations[about]["id"] if about else ZERO
        return self.add(label, device, kind, self.salt(label) + data(1, label), subject=subject, **options)

    def write(self, label, device, *recipients, about=None, **options):
        """A message to the organizers. The fold opens no box, so what is in them does not matter."""
        body = (self.salt(label) + data(1, b"".join(public(self.devices[name]) for name in recipients))
                + data(2, bytes(80 * len(recipients))) + data(3, bytes(272)))
        return self.add(label, device, MESSAGE, body, subject=self.operations[about]["id"] if about else ZERO, **options)

    def secret(self, ballot):
        """The secret half of a ballot's key."""
        return blake2b(b"secret of ", ballot.encode())

    def ballot(self, label, device, *organizers, **options):
        """Opens a vote. The fold opens no box with its secret, so what is in them does not matter."""
        body = (self.salt(label) + data(1, crypto_scalarmult_base(self.secret(label)))
                + data(2, b"".join(public(self.devices[name]) for name in organizers or ("event key",)))
                + data(3, bytes(80 * len(organizers or ("event key",)))))
        return self.add(label, device, BALLOT, body, **options)

    def box(self, label, photo, signer, ballot):
        """A vote that opens for `signer` only."""
        recipient, ephemeral = crypto_scalarmult_base(self.secret(ballot)), blake2b(b"ephemeral key of ", label.encode())
        sender = crypto_scalarmult_base(ephemeral)
        nonce = hashlib.blake2b(sender + recipient, digest_size=24).digest()
        identity = self.operations[photo]["id"] if photo else ZERO
        return sender + crypto_box(identity + public(self.devices[signer]), nonce, recipient, ephemeral)

    def vote(self, label, device, photo, ballot="ballot", signer=None, box=None, **options):
        """`photo` None: for none; `signer`: another device for which it was sealed."""
        sealed = self.box(label, photo, signer or device, ballot) if box is None else box
        return self.add(label, device, VOTE, self.salt(label) + data(1, sealed), subject=self.operations[ballot]["id"], **options)

    def close(self, label, device, ballot="ballot", secret=None, **options):
        return self.add(label, device, CLOSING, self.salt(label) + data(1, secret or self.secret(ballot)),
                        subject=self.operations[ballot]["id"], **options)

    def react(self, label, device, photo, emoji, is_on=True, **options):
        return self.add(label, device, REACTION, subject=self.operations[photo]["id"],
                        argument=ord(emoji) + (0 if is_on else 1 << 32), **options)

    def answer(self, label, device, photo, mission, **options):
        return self.add(label, device, ANSWER, subject=self.operations[photo]["id"], argument=mission, **options)

    def pick(self, label, device, role, photo, is_on=True, **options):
        """The photo becomes the cover or the plan, or the picture is taken off."""
        return self.add(label, device, PICTURE, subject=self.operations[photo]["id"],
                        argument=PICTURE_ROLES[role] + (0 if is_on else 1 << 32), **options)

    def place(self, label, device, photo, plan, x, y, is_on=True, **options):
        tag = int.from_bytes(self.operations[plan]["id"][:4], "big") >> 1
        return self.add(label, device, SPOT, subject=self.operations[photo]["id"],
                        argument=tag << 33 | (0 if is_on else 1 << 32) | x << 16 | y, **options)

    def agree(self, label, device, organizers, **options):
        """To the text of an event whose organizers have written this."""
        return self.add(label, device, CONSENT, subject=consent_id(organizers), **options)

    def call(self, label, device, name, **options):
        return self.add(label, device, NAME, self.salt(label) + data(1, name), **options)

    def rotate(self, label, device, *devices, after=None, **options):
        """A new secret for devices. The fold opens no box, so what is in them does not matter."""
        body = (self.salt(label) + data(1, blake2b(b"commitment of ", label.encode()))
                + data(2, b"".join(public(self.devices[name]) for name in devices)) + data(3, bytes(80 * len(devices))))
        return self.add(label, device, EPOCH, body, subject=self.operations[after]["id"] if after else ZERO, **options)

    def admit(self, label, device, newcomer, epoch):
        self.add(label, device, EPOCH, self.salt(label) + data(2, public(self.devices[newcomer])) + data(3, bytes(80)),
                 subject=self.operations[epoch]["id"], argument=1)

    def shown(self, label, device, slot, **options):
        """A photo with its claim."""
        self.photo(label, device, **options)
        self.claim(f"claim of {label}", device, label, slot)

    def smaller(self, label, than, make):
        """Makes an operation again and again until its id is smaller than another's: patience, as an attacker has
        it."""
        before = dict(self.chains), dict(self.last), self.clock
        for counter in itertools.count():
            self.chains, self.last, self.clock = dict(before[0]), dict(before[1]), before[2]
            if make(counter) < self.operations[than]["id"]:
                return

    # ------------------------------------------------------------ the end

    def fields(self, label):
        """A charter's fields as the digest has them: those that `charter` sets, the rest empty, now, or no."""
        name, hours, frames, consent, opened = self.charters[label]
        values = {1: name.encode(), 4: struct.pack(">Q", START), 5: struct.pack(">I", hours), 6: struct.pack(">I", frames),
                  7: b"\0", 8: struct.pack(">I", 48), 14: consent.encode(), 16: b"\0", 17: bytes([opened]),
                  18: b"\0"}
        values |= self.edited
        for number_ in [*range(1, 19), *sorted(field for field in values if field > 18 and any(values[field]))]:
            value = values.get(number_, b"")
            yield bytes([number_]) + struct.pack(">I", len(value)) + value

    def end(self, members, photos=None, charter="charter", names=None, gallery=(), orders=None, waiting=(),
            originals=None, captions=None, gone=(), epochs=None, inside=None, is_revealed=True, needs_newer=False, pictures=None, recipients=(), gifts=None, tickets=None, **remarks):
        """`members`: role, or role and guest, by device; `photos`: a slot, a status, [slot] where it is pending, or {slot} where it is veiled, by label; `names`:
        the label that counts by device or guest; `waiting`: operations that get into no set; `captions`: the label that
        counts by photo; `remarks`: comments by photo, notices, and by photo and emoji those who have put it there,
        `expiresAt`, `missions`: the mission that each photo answers, and `agreed`: the authors who have agreed to the text as it is; `gone`: members that are shown no more; `epochs`: the way to the current one; `inside`: the members' nodes that
        have its secret; `is_revealed`: whether nothing is sealed any more; `needs_newer`: than this version;
        `pictures`: the photo that is shown by role; `turns`: in degrees, by photo; `zones`: the names, by photo; `messages`: in their order; `gifts`: the frames that others have given, by recipient; `pageSealing`: whether it is on; `recipients`:
        the devices to which one is sealed now; `tickets`: the holder, or None, and the number of authors that have used it, by ticket."""
        photos, names = photos or {}, names or {}
        identity = {label: operation["id"] for label, operation in self.operations.items()}

        def author(who):
            return public(self.guests[who] if who in self.guests else self.devices[who])

        members = {device: (entry, device) if isinstance(entry, str) else entry for device, entry in members.items()}
        digest = None
        if charter and not needs_newer:
            parts = [domain("gallery"), b"\1", identity[charter], *self.fields(charter), struct.pack(">Q", len(photos))]
            for label in sorted(photos, key=identity.get):
                status = photos[label]
                words = {"waiting": b"\0", "removed": b"\2", "hidden": b"\3", "erased": b"\4"}
                parts += [identity[label], words[status] if isinstance(status, str)
                          else b"\5" + struct.pack(">Q", *status) if isinstance(status, list)
                          else b"\6" + struct.pack(">Q", *status) if isinstance(status, set)
                          else b"\1" + struct.pack(">Q", status)]
                parts += [identity[captions[label]]] if captions and label in captions else []
                parts += [struct.pack(">I", remarks["missions"][label])] if label in remarks.get("missions", {}) else []
            for who in sorted(names, key=author):
                parts += [author(who), identity[names[who]]]
            for role in sorted(pictures or {}, key=PICTURE_ROLES.get):
                parts += [bytes([PICTURE_ROLES[role]]), identity[pictures[role]]]
            parts += [b"\1" if is_revealed else b"\0"]
            digest = blake2b(*parts).hex()
        labels = list(self.operations)
        orders = orders or []
        shuffled = labels[:]
        random.Random(self.name).shuffle(shuffled)
        orders = [labels, labels[::-1], shuffled, shuffled + labels] + orders
        write(f"fold/{self.name}.json", self.about, "§9", "success", why=list(self.why),
              eventKey=public(EVENT_KEY).hex(),
              event=EVENT.hex(),
              operations={label: {**operation, "id": operation["id"].hex()}
                          for label, operation in self.operations.items()},
              orders=orders, waiting=list(waiting),
              members={author(device).hex(): {"role": role, "author": author(who).hex()}
                       for device, (role, who) in members.items()},
              charter=charter,
              photos={label: {"status": status} if isinstance(status, str)
                      else {"status": "pending", "slot": status[0]} if isinstance(status, list)
                      else {"status": "veiled", "slot": [*status][0]} if isinstance(status, set)
                      else {"status": "frame", "slot": status} for label, status in photos.items()},
              originals=originals or {}, gallery=list(gallery),
              names={author(who).hex(): label for who, label in names.items()}, digest=digest,
              **({"captions": captions} if captions else {}),
              **({"pictures": pictures} if pictures is not None else {}),
              **({"needsNewerVersion": True} if needs_newer else {}),
              **({"epochs": epochs, "inside": sorted(public(self.devices[device]).hex() for device in inside)}
                 if epochs is not None else {}),
              **({"gifts": {author(who).hex(): count for who, count in gifts.items()}} if gifts is not None else {}),
              **({"tickets": {self.ticket(label).hex(): {"holder": who and author(who).hex(), "users": count}
                              for label, (who, count) in tickets.items()}} if tickets is not None else {}),
              **({"recipients": [public(self.devices[device]).hex() for device in recipients]} if recipients else {}),
              **({"gone": [public(self.devices[device]).hex() for device in gone]} if gone else {}), **remarks)


def members():
    story = Story("members-chain", "A lets in B, B lets in C: the first race of §9.1",
                  "R-1: the event key's admission makes A an organizer.",
                  "R-2: A's makes B, then B's makes C a participant.",
                  "R-3: heard before that, their joins wait, and count once the sponsor is a member.")
    story.charter()
    for device, sponsor in (("A", "event key"), ("B", "A"), ("C", "B")):
        story.device(device, sponsor)
    joins = list(story.operations)[1:]
    story.end({"A": "organizer", "B": "participant", "C": "participant"},
              orders=[[*order, "charter"] for order in itertools.permutations(joins)])

    story = Story("members-ring", "two that let each other in, and nobody else them",
                  "R-3: neither sponsor is ever a member, so neither join counts.", "R-22: so B's photo is none.")
    story.charter()
    story.device("A", "event key")
    story.device("B")
    story.device("C", "B")
    story.join("join of B by C", "B", "C")
    story.shown("photo", "B", 1)
    story.end({"A": "organizer"}, waiting=["join of C by B", "join of B by C", "photo", "claim of photo"])

    story = Story("members-highest-role", "B is let in twice, by a participant and by the event key",
                  "R-4: of several joins the highest role counts, whichever came first.")
    story.charter()
    story.device("A", "event key")
    story.device("B", "A")
    story.join("second join of B", "B", "event key")
    story.end({"A": "organizer", "B": "organizer"})

    story = Story("members-and-rings", "C's join names B, B's names C, and another join of B names A",
                  "R-4: of B's two joins the one by A counts at once.",
                  "R-2: then C is a member by B; and B's join by C counts, too.")
    story.charter()
    story.device("A", "event key")
    story.device("B", "A")
    story.device("C", "B")
    story.join("join of B by C", "B", "C")
    story.end({"A": "organizer", "B": "participant", "C": "participant"})

    story = Story("members-gone", "B takes a photo back and leaves; C does so before it is let in; D's word about B is nothing",
                  "R-8: B has gone. Its photo stays, also one that it states after the leave.",
                  "R-30: what it took back before is removed.",
                  "R-8: C has gone as soon as its join counts. R-22: its photo is one, then.",
                  "R-8: a leave is about its own device: D's, with B's key as its subject, is D's, who has gone as well.")
    story.charter()
    story.device("A", "event key")
    story.device("B", "A")
    story.device("C", "B")
    story.device("D", "A")
    story.shown("first", "B", 1)
    story.shown("second", "B", 2)
    story.remove("B removes the second", "B", "second")
    story.add("B leaves", "B", LEAVE)
    story.shown("third", "B", 3)
    story.shown("C's", "C", 1)
    story.add("C leaves", "C", LEAVE)
    story.add("D leaves", "D", LEAVE, subject=public(story.devices["B"]))
    story.end({"A": "organizer", "B": "participant", "C": "participant", "D": "participant"},
              {"first": 1, "second": "removed", "third": 3, "C's": 1}, gallery=["first", "third", "C's"],
              gone=["B", "C", "D"], orders=[["C leaves", "B leaves", "D leaves"] + [
                  label for label in story.operations if not label.endswith("leaves")]])


def charters():
    story = Story("charter-smallest-id", "the event was founded twice: the race of §9.2",
                  "R-16: of two charters of the event key the one with the smaller id wins.",
                  "R-27: it has 1 frame, the other 12; so slot 2 is beyond B's roll.")
    story.charter("first charter", frames=12)
    story.charters["second charter"] = "Garden party", 24, 1, "", False
    story.smaller("second charter", "first charter", lambda n: story.add(
        "second charter", "event key", CHARTER, story.salt(f"second charter {n}") + data(1, "Garden party")
        + number(2, START)
        + number(3, 24) + number(4, 1) + number(5, 48), sequence=0))
    story.device("A", "event key")
    story.device("B", "A")
    story.shown("one", "B", 1)
    story.shown("two", "B", 2)
    story.end({"A": "organizer", "B": "participant"}, {"one": 1, "two": "waiting"}, charter="second charter",
              gallery=["one"])

    story = Story("charter-by-a-member", "an organizer states a charter, and nobody else does",
                  "R-15: only the event key's counts.",
                  "R-27: without a charter nobody's roll has slots, so the photo waits.",
                  "§9.8: there is no digest without a charter.")
    story.device("A", "event key")
    story.charter("false charter", device="A")
    story.shown("photo", "A", 1)
    story.end({"A": "organizer"}, {"photo": "waiting"}, charter=None)


def photos():
    story = Story("photo-before-join", "a photo comes before its author's join: the race of §9.3",
                  "R-22: the photo is none until B is a member.", "R-21: then it is one, and its claim counts.",
                  "R-23: the original that A describes for it is nobody's; B's two are alternates, smallest id first.")
    story.charter()
    story.device("A", "event key")
    story.device("B", "A")
    story.shown("photo", "B", 1)
    story.original("first original", "B", "photo", 3)
    story.original("second original", "B", "photo", 4)
    story.original("A's original", "A", "photo", 5)
    alternates = sorted(["first original", "second original"], key=lambda label: story.operations[label]["id"])
    story.end({"A": "organizer", "B": "participant"}, {"photo": 1}, gallery=["photo"], originals={"photo": alternates},
              orders=[["photo", "claim of photo", "second original", "first original", "join of B by A", "A's original",
                       "join of A by event key", "charter"]])

    story = Story("removed-before-it-came", "a remove that comes before the photo, and one by somebody else: the race "
                                            "of §9.5",
                  "R-30: B's remove takes its photo back, whatever comes first.",
                  "R-30: A's remove of B's other photo is nothing.",
                  "R-34: slot 1 stays used: the claim of the third photo to it has a higher sequence and loses by R-25.")
    story.charter()
    story.device("A", "event key")
    story.device("B", "A")
    story.shown("first", "B", 1)
    story.shown("second", "B", 2)
    story.shown("third", "B", 1)
    story.remove("B removes the first", "B", "first")
    story.remove("A removes the second", "A", "second")
    story.end({"A": "organizer", "B": "participant"}, {"first": "removed", "second": 2, "third": "waiting"},
              gallery=["second"])

    story = Story("unknown-kinds", "operations of later kinds, in either set, about photos and devices",
                  "Unknown kinds do not take part: the photo stays frame 1, B stays a member, the digest knows nothing "
                  "of them.", "R-52: B's is critical, but B is no organizer; A's is not critical.")
    story.charter()
    story.device("A", "event key")
    story.device("B", "A")
    story.shown("photo", "B", 1)
    identity = story.operations["photo"]["id"]
    story.add("later authority", "A", 40, b"whatever this is", subject=identity, flags=AUTHORITY, set=True)
    story.add("later content", "B", 200, b"whatever this is", subject=identity, argument=9, flags=2)
    story.end({"A": "organizer", "B": "participant"}, {"photo": 1}, gallery=["photo"])


def rolls():
    def party(name, about, *why, **options):
        story = Story(f"roll-{name}", about, *why, **options)
        story.charter()
        story.device("A", "event key")
        story.device("B", "A")
        return story

    both = {"A": "organizer", "B": "participant"}

    story = party("two-claims-of-one-sequence", "two copies of one device claim slot 5: the first race of §9.4",
                  "R-25: both claims have sequence 13, so the smaller id holds slot 5.",
                  "R-28: the other photo waits, until",
                  "R-26: its author claims slot 6 for it, with sequence 16, which is free.")
    story.photo("one", "B", sequence=12)
    story.photo("other", "B", sequence=12, counter=1)
    story.claim("claim of one", "B", "one", 5, sequence=13)
    story.smaller("claim of other", "claim of one",
                  lambda n: story.claim("claim of other", "B", "other", 5, sequence=13, counter=n))
    story.claim("second claim of one", "B", "one", 6, sequence=16)
    story.end(both, {"one": 6, "other": 5}, gallery=["one", "other"])

    story = party("patience-is-no-use", "a later claim to a slot that is taken, made until its id is smaller",
                  "R-25: the lowest sequence holds the slot; ids count between equals only.")
    story.shown("first", "B", 1)
    story.photo("later", "B")
    story.smaller("claim of later", "claim of first",
                  lambda n: story.claim("claim of later", "B", "later", 1, counter=n))
    story.end(both, {"first": 1, "later": "waiting"}, gallery=["first"])

    story = party("lowest-slot-held", "a photo with three claims",
                  "R-25: its claims to slots 2 and 4 hold them; slot 1 is held by the other photo, whose claim came "
                  "first.",
                  "R-26: the lowest that one of its claims holds is 2.",
                  "R-25: slot 4 is held all the same: the third photo's claim to it loses, and it waits.")
    story.shown("other", "B", 1)
    story.photo("photo", "B")
    for slot in (4, 1, 2):
        story.claim(f"claim to {slot}", "B", "photo", slot)
    story.shown("third", "B", 4)
    story.end(both, {"other": 1, "photo": 2, "third": "waiting"}, gallery=["other", "photo"])

    story = party("ends", "a roll of two, three photos of a participant and three of an organizer",
                  "R-27: B's roll has 2 slots, so its claim to slot 3 shows nothing.",
                  "R-27: A is an organizer, without limit.", frames=2)
    for device in "BA":
        for slot in (1, 2, 3):
            story.shown(f"{device}{slot}", device, slot)
    story.end(both, {"B1": 1, "B2": 2, "B3": "waiting", "A1": 1, "A2": 2, "A3": 3},
              gallery=["B1", "B2", "A1", "A2", "A3"])

    story = party("without-end", "no limit on the roll", "R-27: 0 frames means no limit.",
                  "R-28: slots need not be taken in order; the largest number that a claim can name is a slot.", frames=0)
    story.shown("last", "B", 2**64 - 1)
    story.shown("first", "B", 1)
    story.end(both, {"last": 2**64 - 1, "first": 1}, gallery=["last", "first"])

    story = party("slot-zero", "a claim to slot 0, a claim by another member, a claim for a photo that is not here",
                  "R-24: a claim to slot 0 does not count; nor does one by another author; so the photo waits.",
                  "R-24: a claim for no photo holds nothing: slot 1 is free for the second photo, though its claim is "
                  "later.")
    story.photo("photo", "B")
    story.claim("claim to 0", "B", "photo", 0)
    story.claim("claim by A", "A", "photo", 3)
    story.add("claim for nothing", "B", CLAIM, subject=bytes([7]) * 32, argument=1)
    story.shown("second", "B", 1)
    story.end(both, {"photo": "waiting", "second": 1}, gallery=["second"])

    story = Story("roll-of-a-guest-at-two-nodes", "a guest takes a photo at each of two nodes that are apart: the last "
                                                  "race of §9.4",
                  "R-5: both sub-keys stand for one author, the guest.",
                  "R-25: both claims to slot 1 have sequence 1; the smaller id, the second one's, holds it.",
                  "R-26: the claim to slot 2, made later for the first photo, holds slot 2.",
                  "R-30: what one sub-key has added the other may remove.",
                  "R-35: of the guest's names the one with the latest timestamp counts, though its sequence is lower.")
    story.charter()
    story.device("A", "event key")
    story.device("B", "A")
    story.device("sub-key at A", "A", guest="G")
    story.device("sub-key at B", "B", guest="G")
    story.photo("at A", "sub-key at A")
    story.photo("at B", "sub-key at B")
    story.claim("claim at A", "sub-key at A", "at A", 1)
    story.smaller("claim at B", "claim at A", lambda n: story.claim("claim at B", "sub-key at B", "at B", 1, counter=n))
    story.claim("second claim", "sub-key at A", "at A", 2)
    story.shown("third", "sub-key at A", 3)
    story.remove("removed at B", "sub-key at B", "third")
    story.call("name at A", "sub-key at A", "Gina")
    story.call("name at B", "sub-key at B", "Gina G.")
    story.end({"A": "organizer", "B": "participant", "sub-key at A": ("participant", "G"),
               "sub-key at B": ("participant", "G")},
              {"at A": 2, "at B": 1, "third": "removed"}, names={"G": "name at B"}, gallery=["at A", "at B"])

    story = Story("roll-of-a-guest-let-in-by-the-event-key", "a guest's sub-key whose join the event key signed",
                  "9.2: a sub-key has the rank of a participant, whoever signed its join.",
                  "R-27: but its author is the guest, whose roll has an end like everybody's.",
                  frames=1)
    story.charter()
    story.device("A", "event key")
    story.device("sub-key", "event key", guest="G")
    story.shown("first", "sub-key", 1)
    story.shown("second", "sub-key", 2)
    story.end({"A": "organizer", "sub-key": ("participant", "G")}, {"first": 1, "second": "waiting"}, gallery=["first"])

    story = Story("author-of-two-guests", "one sub-key with the delegations of two guests",
                  "R-5: of several guests' keys the smallest is the author.")
    story.charter()
    story.device("A", "event key")
    story.device("sub-key", "A", guest="G")
    story.join("second join", "sub-key", "A", guest="H")
    story.shown("photo", "sub-key", 1)
    smallest = min("GH", key=lambda guest: public(story.guests[guest]))
    story.end({"A": "organizer", "sub-key": ("participant", smallest)}, {"photo": 1}, gallery=["photo"])


def names():
    def party(name, about, *why):
        story = Story(f"name-{name}", about, *why)
        story.charter()
        story.device("A", "event key")
        return story

    story = party("highest-sequence", "Ana, then Anna: the race of §9.6",
                  "R-35: the highest sequence counts, although the earlier name has the later timestamp.")
    story.call("Ana", "A", "Ana", at=START + DAY)
    story.call("Anna", "A", "Anna", at=START)
    story.end({"A": "organizer"}, names={"A": "Anna"})

    story = party("of-one-sequence", "two copies of one device name themselves",
                  "R-35: of equal sequences the smallest id counts.")
    story.call("one", "A", "One", sequence=4)
    story.smaller("other", "one", lambda n: story.call("other", "A", "Other", sequence=4, counter=n))
    story.end({"A": "organizer"}, names={"A": "other"})

    story = party("unknown", "the body of the latest name is not here, that of the one before says nothing",
                  "R-35: the latest counts all the same; there is no name to show, and not an older one.",
                  "§9.8: the digest names the operation, not what it says.")
    story.call("first", "A", "Anna")
    story.add("unreadable", "A", NAME, story.salt("unreadable") + data(1, "An\nna"))
    story.call("absent", "A", "Anne", has_body=False)
    story.end({"A": "organizer"}, names={"A": "absent"})

    story = party("taken-back", "names taken back by their author, all of them or the last one",
                  "R-35: B's names are taken away, so B has none; R-36: B is a former guest.",
                  "R-35: C's last name is taken away, so the one before counts.",
                  "R-38: A's remove of C's first name is nothing, for A is not its author.")
    story.device("B", "A")
    story.device("C", "A")
    for who in "BC":
        story.call(f"{who}'s first", who, "One")
        story.call(f"{who}'s last", who, "Two")
    story.remove("B takes the first back", "B", "B's first")
    story.remove("B takes the last back", "B", "B's last")
    story.remove("C takes the last back", "C", "C's last")
    story.remove("A takes C's first back", "A", "C's first")
    story.end({"A": "organizer", "B": "participant", "C": "participant"}, names={"C": "C's first"})

    story = party("of-nobody", "a name by the event key, and one by somebody who is no member",
                  "R-35: names are those of members.")
    story.call("key's name", "event key", "The key")
    story.device("B")
    story.call("stranger's name", "B", "B")
    story.end({"A": "organizer"}, waiting=["stranger's name"])


def galleries():
    story = Story("gallery-order", "clocks that are years off, equal times, equal counters",
                  "R-37: times are pulled to a day before the start and to a day after the end (start + 24 h + 24 h).",
                  "R-37: the camera of 1970 and the one of 2026 come first, by counter: 1, then 2, though 1970 is "
                  "earlier.",
                  "R-37: of equal time and counter the smaller device comes first; of one device the lower sequence.",
                  "R-37: the one from far ahead is pulled back to the end, where another is by its clock, with a higher "
                  "counter.",
                  frames=0)
    story.charter()
    story.device("A", "event key")
    story.device("B", "A")
    first, second = sorted("AB", key=lambda device: public(story.devices[device]))
    story.shown("1970", "A", 1, at=0, counter=2)
    story.shown("years before", "A", 2, at=START - 400 * DAY, counter=1)
    story.shown("second device", second, 3, at=START, counter=5)
    story.shown("first device", first, 4, at=START, counter=5)
    story.shown("first device again", first, 5, at=START, counter=5)
    story.shown("years after", "B", 6, at=START + 400 * DAY, counter=0)
    story.shown("at the end", "A", 7, at=START + 2 * DAY, counter=1)
    story.shown("a moment before the end", "A", 8, at=START + 2 * DAY - 1, counter=9)
    slots = {"1970": 1, "years before": 2, "second device": 3, "first device": 4, "first device again": 5,
             "years after": 6,
             "at the end": 7, "a moment before the end": 8}
    story.end({"A": "organizer", "B": "participant"}, slots, gallery=[
        "years before", "1970", "first device", "first device again", "second device", "a moment before the end",
        "years after",
        "at the end"])

    story = Story("gallery-empty", "a charter and nothing else", "§9.8: a digest over no photos and no names.")
    story.charter()
    story.end({})


def remarks():
    def party(name, about, *why):
        story = Story(f"remark-{name}", about, *why)
        story.charter()
        story.device("A", "event key")
        story.device("B", "A")
        story.shown("P", "A", 1)
        return story

    def author(story, *devices):
        return sorted(public(story.devices[device]).hex() for device in devices)

    members = {"A": "organizer", "B": "participant"}

    story = party("captions", "captions by the author, by others, taken back, and of a guest at two nodes",
                  "R-39: of A's captions of P the later one was taken back (R-38), so the earlier one counts.",
                  "R-39: B is not P's author. R-38: nor is B the author of what it takes back, so that stays.",
                  "R-39: the guest's two captions of Q are of two devices: the later timestamp counts, not the longer "
                  "chain.",
                  "R-39: R's caption is not here; it counts all the same, and there is no text to show.",
                  "§9.8: the digest has the caption's id behind the photo's status.")
    story.say("first", "A", CAPTION, "P")
    story.say("second", "A", CAPTION, "P")
    story.say("of another", "B", CAPTION, "P")
    story.remove("second taken back", "A", "second")
    story.remove("first taken back by B", "B", "first")
    story.device("G at A", "A", guest="G")
    story.device("G at B", "B", guest="G")
    story.shown("Q", "G at A", 1)
    story.say("said at A", "G at A", CAPTION, "Q", at=START + HOUR)
    story.say("said at B", "G at B", CAPTION, "Q", at=START + 2 * HOUR)
    story.shown("R", "B", 1)
    story.add("absent", "B", CAPTION, story.salt("absent") + data(1, "Who knows"), subject=story.operations["R"]["id"],
              has_body=False)
    story.end({**members, "G at A": ("participant", "G"), "G at B": ("participant", "G")}, {"P": 1, "Q": 1, "R": 1},
              gallery=["P", "Q", "R"], captions={"P": "first", "Q": "said at B", "R": "absent"})

    story = party("comments", "twenty-one comments by one, of which some are taken away",
                  "R-41: B's comment 21 is not among its first twenty, and stays away although others are gone.",
                  "R-38: B takes 2 back, A, an organizer, erases 3, and hides 4 and 5; it puts 5 back.",
                  "R-38: B, a participant, hides nothing: A's comment stays.",
                  "R-41: shown by timestamp: A's was said before all others.")
    for count in range(1, 22):
        story.say(f"B's comment {count}", "B", COMMENT, "P")
    story.say("A's comment", "A", COMMENT, "P", at=START)
    story.remove("2 taken back", "B", "B's comment 2")
    story.add("3 erased", "A", ERASE, subject=story.operations["B's comment 3"]["id"])
    story.add("4 hidden", "A", HIDE, subject=story.operations["B's comment 4"]["id"])
    hidden = story.add("5 hidden", "A", HIDE, subject=story.operations["B's comment 5"]["id"])
    story.add("5 put back", "A", UNHIDE, story.salt("5 put back") + data(1, hidden),
              subject=story.operations["B's comment 5"]["id"])
    story.add("hidden by B", "B", HIDE, subject=story.operations["A's comment"]["id"])
    story.end(members, {"P": 1}, gallery=["P"], comments={
        "P": ["A's comment", "B's comment 1"] + [f"B's comment {count}" for count in range(5, 21)]})

    story = party("reactions", "emoji put on and taken off",
                  "R-40: B puts the heart on twice: it is there once. A puts it on, off and on: it is there.",
                  "R-40: B's party is taken off again. A's letter A is no emoji of the list.",
                  "R-40 with R-39: two copies of B's device say different things in one place: the smaller id counts, which "
                  "takes the thumb off.")
    story.react("B's heart", "B", "P", "❤")
    story.react("B's heart again", "B", "P", "❤")
    story.react("A's heart", "A", "P", "❤")
    story.react("A's heart off", "A", "P", "❤", is_on=False)
    story.react("A's heart on", "A", "P", "❤")
    story.react("B's party", "B", "P", "🎉")
    story.react("B's party off", "B", "P", "🎉", is_on=False)
    story.react("A's letter", "A", "P", "A")
    story.react("B's thumb", "B", "P", "👍", sequence=40)
    story.smaller("B's thumb off", "B's thumb",
                  lambda n: story.react("B's thumb off", "B", "P", "👍", is_on=False, sequence=40, counter=n))
    story.end(members, {"P": 1}, gallery=["P"], reactions={"P": {"❤": author(story, "A", "B")}})

    story = party("highlights", "stars of organizers, of others, and taken off: example 13.3",
                  "R-73: A is an organizer, B is not, and the event key has rank 4.",
                  "R-73: the key's star is left when A takes hers off; of Q none is.", "R-40: a star is no emoji that people see.")
    story.react("A's star", "A", "P", "\u2b50")
    story.react("the key's star", "event key", "P", "\u2b50")
    story.react("A's star off", "A", "P", "\u2b50", is_on=False)
    story.shown("Q", "B", 2)
    story.react("B's star", "B", "Q", "\u2b50")
    story.end(members, {"P": 1, "Q": 2}, gallery=["P", "Q"], highlights=["P"])

    story = party("notices", "what organizers, others and the event key say to all",
                  "R-42: B is no organizer. The event key has rank 4.", "R-38: A takes the first one back.",
                  "R-42: by timestamp: the key's was said before.")
    story.say("A's first", "A", NOTICE)
    story.say("A's second", "A", NOTICE)
    story.say("B's", "B", NOTICE)
    story.say("the key's", "event key", NOTICE, at=START)
    story.remove("first taken back", "A", "A's first")
    story.end(members, {"P": 1}, gallery=["P"], notices=["the key's", "A's second"])


def veils():
    begin = party("veil")

    def veiled(name, about, *why, photos=3):
        """B is a moderator; K and L sign for the guests G and H at A; veils are on, and C has photos."""
        story = begin(name, about, *why)
        story.grant("B moderator", "A", "B", "moderator")
        story.device("K", "A", guest="G")
        story.device("L", "A", guest="H")
        story.veils_on("veils on", "A")
        for slot in range(1, photos + 1):
            story.shown("PQRSTUV"[slot - 1], "C", slot)
        return story

    def who(**others):
        roles = {**words(B="moderator"), "K": ("participant", "G"), "L": ("participant", "H"), **others}
        return {device: role for device, role in roles.items() if role}

    story = veiled("asked", "a guest's veil, one by the author, one taken back, and one that a participant lifts",
                   "R-85: P is veiled. R-82: C's veil of its own Q counts for nothing.", "R-38: K has taken the veil of R back.",
                   "R-84: C's lift of P has rank 1.")
    story.veil("K veils P", "K", "P")
    story.veil("C veils Q", "C", "Q")
    story.veil("K veils R", "K", "R")
    story.remove("K takes R's back", "K", "K veils R")
    story.veil("C lifts P", "C", "P", LIFT)
    story.end(who(), {"P": {1}, "Q": 2, "R": 3}, gallery=["Q", "R"])

    story = veiled("decided", "moderators lift one, hide one, and take one lift back",
                   "R-84: P is lifted, and L's veil of it changes nothing. Q is hidden. The lift of R is hidden: R is veiled.")
    for label in "PQR":
        story.veil(f"K veils {label}", "K", label)
    story.veil("B lifts P", "B", "P", LIFT)
    story.veil("L veils P", "L", "P")
    story.hide("B hides Q", "B", "Q")
    story.veil("B lifts R", "B", "R", LIFT)
    story.hide("A hides the lift", "A", "B lifts R")
    story.end(who(), {"P": 1, "Q": "hidden", "R": {3}}, gallery=["P"])

    story = veiled("off", "switched on by two organizers, and off by one who knows one of the two",
                   "R-81: the event key's stands: P is veiled. B's has rank 2, and counts for nothing.")
    story.veil("K veils P", "K", "P")
    story.veils_on("again", "event key")
    story.veils_on("B's", "B")
    story.erase("A switches off", "A", "veils on")
    story.end(who(), {"P": {1}, "Q": 2, "R": 3}, gallery=["Q", "R"])

    story = veiled("switched-off", "switched off", "R-81: nothing is veiled.")
    story.veil("K veils P", "K", "P")
    story.veils_on("B's", "B")
    story.erase("A switches off", "A", "veils on")
    story.end(who(), {"P": 1, "Q": 2, "R": 3}, gallery=["P", "Q", "R"])

    story = veiled("limit", "one guest asks for five photos at two nodes, of which one is lifted and one is hidden",
                   "R-83: S is hidden and counts no more. P, Q and R are the first three of the others: P is lifted. T is not veiled.",
                   photos=5)
    story.device("M", "B", guest="G")
    for label, device in zip("SPQRT", "KMKMK"):
        story.veil(f"{device} veils {label}", device, label)
    story.veil("B lifts P", "B", "P", LIFT)
    story.hide("B hides S", "B", "S")
    story.end(who(M=("participant", "G")), {"P": 1, "Q": {2}, "R": {3}, "S": "hidden", "T": 5}, gallery=["P", "T"])

    story = veiled("pending", "a photo that waits for approval, and one that is approved",
                   "R-57: P is pending. R-85: Q is approved, and veiled.")
    story.approval("rule 2", "A", 2)
    story.approve("B approves Q and R", "B", "Q", "R")
    for label in "PQ":
        story.veil(f"K veils {label}", "K", label)
    story.end(who(), {"P": [1], "Q": {2}, "R": 3}, gallery=["R"])

    story = veiled("removed-guest", "who asked is removed, by a moderator who leaves nothing but the join",
                   "R-6: K's veil is void.")
    story.veil("K veils P", "K", "P")
    story.remove_member("G put out", "B", "G", "join of K by A")
    story.end(who(K=None), {"P": 1, "Q": 2, "R": 3}, gallery=["P", "Q", "R"])


def turns():
    begin = party("turn")

    def turned(name, about, *why):
        """K and L sign for the guest G at two nodes; K has added P."""
        story = begin(name, about, *why)
        story.device("K", "A", guest="G")
        story.device("L", "B", guest="G")
        story.shown("P", "K", 1)
        return story

    def turn(story, label, device, argument, **options):
        story.add(label, device, TURN, subject=story.operations["P"]["id"], argument=argument, **options)

    who = {**words(), "K": ("participant", "G"), "L": ("participant", "G")}
    story = turned("at-two-nodes", "a guest turns a photo at two nodes", "R-86: L's has the later timestamp.")
    turn(story, "L's half", "L", 2, at=START + HOUR)
    turn(story, "K's quarter", "K", 1)
    story.end(who, {"P": 1}, gallery=["P"], turns={"P": 180})

    story = turned("by-others", "turns by others, and undefined arguments",
                   "R-86: A is not the author. 4 and 2^32 + 1 are no turns. The author removes the last turn.")
    turn(story, "A's", "A", 1)
    turn(story, "four", "K", 4)
    turn(story, "large", "K", 1 + (1 << 32))
    turn(story, "three quarters", "K", 3)
    turn(story, "a quarter", "K", 1)
    story.remove("K takes it back", "K", "a quarter")
    story.end(who, {"P": 1}, gallery=["P"], turns={"P": 270})

    story = turned("back", "turned, and turned back", "R-86: 0 is a turn.")
    turn(story, "K's quarter", "K", 1)
    turn(story, "L's none", "L", 0)
    story.end(who, {"P": 1}, gallery=["P"], turns={})


def zones():
    begin = party("zone", devices="AB")

    def guests(name, about, *why):
        """K signs for the guest G at B's node, L at A's; each has added a photo, and so has A."""
        story = begin(name, about, *why)
        story.device("K", "B", guest="G")
        story.device("L", "A", guest="G")
        for label, device, slot in (("K's", "K", 1), ("L's", "L", 2), ("A's", "A", 1)):
            story.shown(label, device, slot)
        return story

    def entry(story, device, name):
        return public(story.devices[device]) + bytes([len(name)]) + name

    who = {"A": "organizer", "B": "participant", "K": ("participant", "G"), "L": ("participant", "G")}
    photos = {"photos": {"K's": 1, "L's": 2, "A's": 1}, "gallery": ["K's", "L's", "A's"]}
    story = guests("of-nodes", "two nodes have a zone, and a guest adds photos at both",
                   "R-124: K's sponsor is B, L's is A; A's own photo is A's.", "9.8: the list is in the digest.")
    story.edited = {38: entry(story, "A", b"Kitchen") + entry(story, "B", "Café".encode())}
    story.edit("zones", "A", 38, data(42, story.edited[38]), "charter")
    story.end(who, **photos, zones={"K's": "Café", "L's": "Kitchen", "A's": "Kitchen"})

    story = guests("apart", "two organizers give zones while they are apart, and one gives A's another name later",
                   "R-19: the event key's list counts, and the later one follows it.")
    story.edit("of B", "A", 38, data(42, entry(story, "B", b"Garden")), "charter")
    story.edit("of A", "event key", 38, data(42, entry(story, "A", b"Hall")), "charter")
    story.edited = {38: entry(story, "A", b"Kitchen")}
    story.edit("later", "A", 38, data(42, story.edited[38]), "of A", "of B")
    story.end(who, **photos, zones={"L's": "Kitchen", "A's": "Kitchen"})

    story = guests("of-any-bytes", "a list with what is no zone", "R-123: a name that is no text, an invisible one, an empty one and a "
                   "node's second one are passed over; what is cut off ends the list.", "9.8: the digest has the zones alone.")
    listed = entry(story, "A", b"Kitchen")
    broken = (entry(story, "B", b"\xff") + entry(story, "B", "\u200d".encode()) + entry(story, "B", b"") + listed
              + entry(story, "A", b"Hall") + entry(story, "B", b"Garden")[:-1])
    story.edited = {38: listed}
    story.edit("zones", "A", 38, data(42, broken), "charter")
    story.end(who, **photos, zones={"L's": "Kitchen", "A's": "Kitchen"})

    story = guests("by-a-participant", "a participant gives its node a zone", "R-18: no edit of a rank that is too low counts.")
    story.edit("zones", "B", 38, data(42, entry(story, "B", b"Garden")), "charter")
    story.end(who, **photos)

    story = begin("of-two-sponsors", "a guest's device was let in by two nodes", "R-124: the join of the smaller id decides.")
    story.device("K", "B", guest="G")
    story.smaller("join of K by A", "join of K by B", lambda n: story.join("join of K by A", "K", "A", "G", counter=n))
    story.shown("K's", "K", 1)
    story.edited = {38: entry(story, "A", b"Kitchen") + entry(story, "B", b"Garden")}
    story.edit("zones", "A", 38, data(42, story.edited[38]), "charter")
    story.end({device: who[device] for device in "ABK"}, {"K's": 1}, gallery=["K's"], zones={"K's": "Kitchen"})


def messages():
    def written(name, about, *why):
        """A is the host's node, let in by the event key; B is a participant's."""
        story = Story(f"message-{name}", about, *why)
        story.charter()
        story.device("A", "event key")
        story.device("B", "A")
        return story

    members = {"A": "organizer", "B": "participant"}

    story = written("taken-back", "messages that are removed, erased and hidden",
                    "R-88: shown by timestamp; the third has an earlier one than the others. B removes the first, A erases the "
                    "second. A hide of the third has no effect.",
                    "R-89: the event key, then A.")
    story.shown("P", "B", 1)
    story.write("first", "B", "event key", "A")
    story.write("second", "B", "event key", "A", about="P")
    story.write("third", "B", "event key", "A", at=START)
    story.write("A's own", "A", "event key", "A")
    story.remove("first removed", "B", "first")
    story.erase("second erased", "A", "second")
    story.hide("third hidden", "A", "third")
    story.end(members, {"P": 1}, gallery=["P"], messages=["third", "A's own"], recipients=["event key", "A"])

    story = written("limit", "fifty-one messages of one guest at two nodes",
                    "R-88: of a guest's messages the first 50 by (sequence, id) count: the last of the longer chain does not, "
                    "although two others are removed.",
                    "R-89: a message is not sealed to a device that signs for a guest.")
    story.device("K", "A", guest="G")
    story.device("L", "B", guest="G")
    for count in range(1, 50):
        story.write(f"K {count}", "K", "event key", "A")
    story.write("L 1", "L", "event key", "A")
    story.write("K 50", "K", "event key", "A")
    story.remove("K 2 taken back", "K", "K 2")
    story.remove("K 3 taken back", "L", "K 3")
    story.end({**members, "K": ("participant", "G"), "L": ("participant", "G")},
              messages=["K 1", *(f"K {count}" for count in range(4, 50)), "L 1"], recipients=["event key", "A"])

    story = written("recipients", "organizers that come, go and are removed",
                    "R-89: the event key, then A and D, which it let in, in the order of their keys, then C, which it made an "
                    "organizer. E is none any more, F has left, and B is a participant.",
                    "R-88: a message by E, which was removed and is left nothing, is void.")
    for device in "CEF":
        story.device(device, "A")
    story.device("D", "event key")
    story.grant("C becomes an organizer", "event key", "C", "organizer")
    story.grant("E becomes an organizer", "event key", "E", "organizer")
    story.grant("F becomes an organizer", "event key", "F", "organizer")
    story.write("B's", "B", "event key", "A")
    story.write("E's", "E", "event key", "A")
    story.remove_member("E is removed", "event key", "E", "join of E by A")
    story.add("F leaves", "F", LEAVE)
    founders = sorted("AD", key=lambda device: public(story.devices[device]))
    story.end({"A": "organizer", "B": "participant", "C": "organizer", "D": "organizer", "F": "organizer"},
              gone=["F"], messages=["B's"], recipients=["event key", *founders, "C"])


def gifts():
    begin = party("gift")
    who = words()

    story = begin("given", "B gives C two frames, and one that is beyond its own", "R-92: frames 2 and 3 are no longer B's.",
                  "R-93: C has two more; the gift of frame 4 is beyond B's own frames.", frames=3)
    for slot in (3, 2, 4):
        story.give_away(f"B gives {slot}", "B", "C", slot)
    story.shown("B's first", "B", 1)
    story.shown("B's second", "B", 2)
    for slot in range(1, 7):
        story.shown(f"C's {slot}", "C", slot)
    story.end(who, {"B's first": 1, "B's second": "waiting", **{f"C's {slot}": slot for slot in range(1, 6)}, "C's 6": "waiting"},
              gallery=["B's first", *(f"C's {slot}" for slot in range(1, 6))], gifts={"C": 2})

    story = begin("at-two-nodes", "a guest gives its last frame at one node, and takes a photo with it at another",
                  "R-25, R-92: the claim of P has the lower sequence, so the gift has no effect.",
                  "R-28: C's second photo waits, although C's node knew of no photo.", frames=1)
    story.device("K", "A", guest="G")
    story.device("L", "B", guest="G")
    for label in ("G's name", "G's other name"):
        story.call(label, "L", label)
    story.give_away("L gives 1", "L", "C", 1)
    story.shown("P", "K", 1)
    story.shown("C's first", "C", 1)
    story.shown("C's second", "C", 2)
    story.end({**who, "K": ("participant", "G"), "L": ("participant", "G")}, {"P": 1, "C's first": 1, "C's second": "waiting"},
              names={"G": "G's other name"}, gallery=["P", "C's first"], gifts={})

    story = begin("twice", "B's folder was copied, and the copy gives the same frame to D", "R-25: of two with one sequence the smaller id counts.",
                  frames=3)
    story.device("D", "A")
    story.give_away("B gives C 3", "B", "C", 3)
    story.copy_goes_on("B")
    story.smaller("the copy gives D 3", "B gives C 3", lambda n: story.give_away("the copy gives D 3", "B", "D", 3, counter=n))
    story.shown("C's", "C", 4)
    story.shown("D's", "D", 4)
    story.end({**who, "D": "participant"}, {"C's": "waiting", "D's": 4}, gallery=["D's"], gifts={"D": 1})

    story = begin("passed-on", "received frames are passed on; too many are received; one is given to oneself",
                  "R-93: C's own frames are 1 and 2, so that its gift of 3 gives B nothing. Of the three that D receives two count.",
                  "R-92: that gift still holds C's frame 3, so that C's photo waits.",
                  "R-91: 0 and 1,001 are no frames, and B's gift to B is none.", frames=2)
    story.device("D", "A")
    story.give_away("B gives C 2", "B", "C", 2)
    for slot in (3, 0, 1_001):
        story.give_away(f"C gives B {slot}", "C", "B", slot)
    story.give_away("B gives B 1", "B", "B", 1)
    story.give_away("B gives D 1", "B", "D", 1)
    story.give_away("C gives D 2", "C", "D", 2)
    story.give_away("C gives D 1", "C", "D", 1)
    story.shown("C's", "C", 3)
    story.shown("D's fourth", "D", 4)
    story.shown("D's fifth", "D", 5)
    story.end({**who, "D": "participant"}, {"C's": "waiting", "D's fourth": 4, "D's fifth": "waiting"}, gallery=["D's fourth"],
              gifts={"C": 1, "D": 2})

    story = begin("removed-giver", "B gives, is removed with what it had stated, and gives once more",
                  "R-92: the gift that the revocation leaves counts, the other is void.",
                  "R-94: that A makes C's other giver D a photographer changes nothing.", frames=2)
    story.device("D", "A")
    story.give_away("B gives 2", "B", "C", 2)
    story.give_away("D gives 2", "D", "C", 2)
    story.remove_member("B is removed", "A", "B", "join of B by A", "B gives 2")
    story.grant("D photographer", "A", "D", "photographer")
    story.give_away("B gives 1", "B", "C", 1)
    story.shown("C's", "C", 4)
    story.end({**words(B=None), "D": "participant"}, {"C's": 4}, gallery=["C's"], gifts={"C": 2})

    story = begin("off", "nobody has a limit", "R-94: gifts have no effect.", frames=0)
    story.give_away("B gives 2", "B", "C", 2)
    story.shown("B's", "B", 2)
    story.end(who, {"B's": "waiting"}, gifts={})


def tickets():
    def begin(name, about, *why, frames=2, opened=False, is_needed=True):
        story = Story(f"ticket-{name}", about, *why, frames=frames)
        story.charter(opened=opened, more=number(36, 1) if is_needed else b"")
        story.edited = {33: bytes([is_needed])}
        for device in "ABC":
            story.device(device, "event key" if device == "A" else "A")
        return story

    who = words()

    story = begin("used", "B has a ticket, C has none, and the guest G uses one at two nodes",
                  "R-99: B has used ticket 1; G, at K and at L, is one author. R-100: C has no frames of its own.",
                  "R-100: D is a photographer, and C has the frame that A gives it.")
    story.device("D", "A")
    story.device("K", "A", guest="G")
    story.device("L", "B", guest="G")
    story.grant("D photographer", "A", "D", "photographer")
    story.list_tickets("tickets", "A", 1, "one", "two", "three")
    story.use("B uses one", "B", "one", "B")
    story.use("G uses two", "K", "two", "G")
    story.use("G uses two again", "L", "two", "G")
    for device in "ABCDL":
        story.shown(f"{device}'s", device, 1)
        story.shown(f"{device}'s third", device, 3)
    story.shown("C's second", "C", 2)
    story.give("one for C", "A", "C", 1)
    story.end({**who, "D": "participant", "K": ("participant", "G"), "L": ("participant", "G")},
              {"A's": 1, "A's third": 3, "B's": 1, "B's third": "waiting", "C's": 1, "C's second": "waiting", "C's third": "waiting",
               "D's": 1, "D's third": 3, "L's": 1, "L's third": "waiting"},
              gallery=["A's", "A's third", "B's", "C's", "D's", "D's third", "L's"],
              tickets={"one": ("B", 1), "two": ("G", 1), "three": (None, 0)})

    story = begin("used-twice", "B and C use one ticket on both sides of a cut: example 20.1",
                  "R-99: both uses have sequence 1, so that the smaller id holds the ticket. R-100: B's photo waits.")
    story.list_tickets("tickets", "A", 1, "one")
    story.use("B uses it", "B", "one", "B")
    story.smaller("C uses it", "B uses it", lambda n: story.use("C uses it", "C", "one", "C", counter=n))
    story.shown("B's", "B", 1)
    story.shown("C's", "C", 1)
    story.end(who, {"B's": "waiting", "C's": 1}, gallery=["C's"], tickets={"one": ("C", 2)})

    story = begin("patience-is-no-use", "A's node has confirmed B's use; C's is made until its id is smaller",
                  "R-98, R-99: the confirmed use holds the ticket.", "R-98: C's own confirmation has rank 1.")
    story.list_tickets("tickets", "A", 1, "one")
    story.call("B", "B", "Ben")
    story.use("B uses it", "B", "one", "B")
    story.rule_ticket("A confirms B's", "A", "B uses it", 2)
    story.smaller("C uses it", "B uses it", lambda n: story.use("C uses it", "C", "one", "C", counter=n))
    story.rule_ticket("C confirms its own", "C", "C uses it", 2)
    story.shown("B's", "B", 1)
    story.shown("C's", "C", 1)
    story.end(who, {"B's": 1, "C's": "waiting"}, names={"B": "B"}, gallery=["B's"], tickets={"one": ("B", 2)})

    story = begin("confirmed-twice", "two organizers' nodes each confirm the use that they know, on both sides of a cut",
                  "R-99: the smaller id of the two confirmations decides, whatever the sequences of the uses.")
    story.device("D", "event key")
    story.list_tickets("tickets", "A", 1, "one")
    story.use("B uses it", "B", "one", "B")
    story.remove("C removes nothing", "C", "tickets")
    story.use("C uses it", "C", "one", "C")
    story.rule_ticket("A confirms B's", "A", "B uses it", 2)
    story.smaller("D confirms C's", "A confirms B's", lambda n: story.add(
        "D confirms C's", "D", TICKET_RULING, subject=story.operations["C uses it"]["id"], argument=2, flags=AUTHORITY, set=True, counter=n))
    story.shown("B's", "B", 1)
    story.shown("C's", "C", 1)
    story.end({**who, "D": "organizer"}, {"B's": "waiting", "C's": 1}, gallery=["C's"], tickets={"one": ("C", 2)})

    story = begin("cancelled", "A cancels two tickets, one of which B has used; C cancels one, too",
                  "R-98: of 1 and 2 nobody is the holder; C has rank 1. R-98: 3 is no argument.")
    story.list_tickets("tickets", "A", 1, "one", "two", "three", "four")
    story.use("B uses one", "B", "one", "B")
    story.rule_ticket("A cancels one", "A", "one", 1)
    story.rule_ticket("A cancels two", "A", "two", 1)
    story.use("C uses two", "C", "two", "C")
    story.rule_ticket("C cancels three", "C", "three", 1)
    story.rule_ticket("A rules four", "A", "four", 3)
    story.device("D", "A")
    story.use("D uses three", "D", "three", "D")
    for device in "BCD":
        story.shown(f"{device}'s", device, 1)
    story.end({**who, "D": "participant"}, {"B's": "waiting", "C's": "waiting", "D's": 1}, gallery=["D's"],
              tickets={"one": (None, 1), "two": (None, 1), "three": ("D", 1), "four": (None, 0)})

    story = begin("not-a-ticket", "tickets that C lists; uses that are not proven, for somebody else, or of no use",
                  "R-96: C has rank 1, so that ticket 2 is none.", "R-97: the ticket has not signed for D; E's use is for B's key.",
                  "R-97: F's body is unreadable: it counts for nothing.")
    for device in "DEF":
        story.device(device, "A")
    story.list_tickets("tickets", "A", 1, "one", "three", "four")
    story.list_tickets("C's", "C", 2, "two")
    story.use("B uses two", "B", "two", "B")
    story.use("D uses one", "D", "one", "D", signer="two")
    story.use("E uses three", "E", "three", "B")
    story.add("F uses four", "F", TICKET_USE, b"no salt", subject=story.ticket("four"), flags=AUTHORITY, set=True)
    for device in "BDEF":
        story.shown(f"{device}'s", device, 1)
    story.end({**who, "D": "participant", "E": "participant", "F": "participant"}, {f"{device}'s": "waiting" for device in "BDEF"},
              tickets={"one": (None, 0), "three": (None, 0), "four": (None, 0)})

    story = begin("removed", "B is removed after its use was confirmed, D before, each with everything; C and E have the same tickets",
                  "R-99: B's confirmed use is void and holds ticket 1 nevertheless. D's was not confirmed: E holds ticket 2.")
    for device in "DE":
        story.device(device, "A")
    story.list_tickets("tickets", "A", 1, "one", "two")
    story.use("B uses one", "B", "one", "B")
    story.rule_ticket("A confirms B's", "A", "B uses one", 2)
    story.use("D uses two", "D", "two", "D")
    story.call("C's", "C", "Cleo")
    story.use("C uses one", "C", "one", "C")
    story.use("E uses two", "E", "two", "E")
    story.remove_member("B is removed", "A", "B", "join of B by A", discards=True)
    story.remove_member("D is removed", "A", "D", "join of D by A", discards=True)
    story.shown("C's photo", "C", 1)
    story.shown("E's photo", "E", 1)
    story.end({**words(B=None), "E": "participant"}, {"C's photo": "waiting", "E's photo": 1}, names={"C": "C's"}, gallery=["E's photo"],
              tickets={"one": ("B", 2), "two": ("E", 1)})

    story = begin("former-organizer", "B, an organizer, lists tickets and confirms a use, loses the role, and does so again",
                  "R-11: ticket 1 was listed with rank 3, ticket 2 was not. R-98: B's cancellation of ticket 1 has rank 1.")
    story.grant("B organizer", "event key", "B", "organizer")
    story.list_tickets("B's tickets", "B", 1, "one")
    story.revoke("B no organizer", "event key", "B", "organizer", "B's tickets")
    story.list_tickets("B's second", "B", 2, "two")
    story.rule_ticket("B cancels one", "B", "one", 1)
    story.use("C uses one", "C", "one", "C")
    story.use("B uses two", "B", "two", "B")
    story.shown("C's", "C", 1)
    story.shown("B's", "B", 1)
    story.end(who, {"C's": 1, "B's": "waiting"}, gallery=["C's"], tickets={"one": ("C", 1)})

    story = begin("gifts", "B has no ticket and gives frames; C has one, and so has D, to which A has given a frame",
                  "R-93, R-100: B has no frames of its own to give; C's are 1 and 2. D receives one.",
                  "R-93: B's extra frame is frame 1, which is B's own to give.")
    story.device("D", "A")
    story.list_tickets("tickets", "A", 1, "one", "two")
    story.use("C uses one", "C", "one", "C")
    story.give_away("B gives 2", "B", "D", 2)
    story.give_away("B gives 1", "B", "C", 1)
    story.give_away("C gives 2", "C", "D", 2)
    story.give("one for B", "A", "B", 1)
    for slot in (1, 2):
        story.shown(f"D's {slot}", "D", slot)
    story.end({**who, "D": "participant"}, {"D's 1": 1, "D's 2": "waiting"}, gallery=["D's 1"], gifts={"C": 1, "D": 1},
              tickets={"one": ("C", 1), "two": (None, 0)})

    story = begin("off", "the event needs no tickets, and lists some", "R-100: B and C have their frames.", is_needed=False)
    story.list_tickets("tickets", "A", 1, "one")
    story.use("B uses it", "B", "one", "B")
    story.shown("B's", "B", 2)
    story.shown("C's", "C", 2)
    story.end(who, {"B's": 2, "C's": 2}, gallery=["B's", "C's"], tickets={"one": ("B", 1)})

    story = begin("without-a-limit", "nobody has a limit, but for those without a ticket", "R-100: C has the one frame that A has given it.", frames=0)
    story.list_tickets("tickets", "A", 1, "one")
    story.use("B uses it", "B", "one", "B")
    story.give("one for C", "A", "C", 1)
    story.shown("B's", "B", 900)
    story.shown("C's", "C", 1)
    story.shown("C's second", "C", 2)
    story.end(who, {"B's": 900, "C's": 1, "C's second": "waiting"}, gallery=["B's", "C's"], tickets={"one": ("B", 1)})

    story = begin("opened", "A asks for tickets once the event is open, and another event stops asking",
                  "R-18: guests of an opened event may be there without a ticket, so that the edit is not valid.", opened=True, is_needed=False)
    story.edit("tickets on", "A", 33, number(36, 1), "charter")
    story.shown("B's", "B", 1)
    story.end(who, {"B's": 1}, gallery=["B's"], tickets={})

    story = begin("no-longer", "an opened event stops asking for tickets", "R-18: nobody loses anything by it. R-100: B has its frames.", opened=True)
    story.edit("tickets off", "A", 33, b"", "charter")
    story.edited = {33: b"\0"}
    story.shown("B's", "B", 1)
    story.end(who, {"B's": 1}, gallery=["B's"], tickets={})


def shares():
    secret, threshold = blake2b(b"reveal secret"), 2
    values = sharing.split(secret, threshold, 3, blake2b(b"coefficients"))
    reveal_key = crypto_scalarmult_base(secret)
    party_of = party("shares")

    def begin(name, about, *why, threshold=threshold, commitments=None, dealt=True):
        named = [sharing.commitment(EVENT, *each) for each in values.items()] if commitments is None else commitments
        story = party_of(name, about, *why, reveal_key=reveal_key, more=number(37, threshold) + data(38, b"".join(named)))
        story.grant("B organizer", "event key", "B", "organizer")
        story.grant("C organizer", "event key", "C", "organizer")
        for index, device in enumerate("ABC" if dealt else "", 1):
            story.deal(f"share of {device}", "A", device, index)
        return story

    who = words(B="organizer", C="organizer")

    def state(story, released=(), missing=None, holders=None):
        holders = {"A": [1], "B": [2], "C": [3]} if holders is None else holders
        return {"released": list(released), "missing": threshold - len(released) if missing is None else missing,
                "holders": {public(story.devices[device]).hex(): indices for device, indices in holders.items()}}

    story = begin("two-of-three", "B and C release their shares, A does not", "R-104: two make the secret half, so the photos are open.",
                  "9.8: the digest ends with 1, without a reveal.")
    story.release("B's", "B", 2, values[2])
    story.release("C's", "C", 3, values[3])
    story.end(who, shares=state(story, [2, 3]))

    story = begin("one-alone", "B releases its share, twice, and tries others", "R-102: what B gives as shares 1 and 3 is not what the "
                  "commitments name.", "R-102: there are no shares 0 and 4.", "R-104: one share is too few.")
    for turn in (1, 2):
        story.release(f"B's, {turn}", "B", 2, values[2])
    for index in (1, 3):
        story.release(f"B's {index}", "B", index, blake2b(bytes([index])))
    for index in (0, 4, 258):
        story.release(f"B's {index}", "B", index, values[2])
    story.release("B's as A's", "B", 1, values[2])
    story.edit("field 34", "B", 34, number(37, 1), "charter")
    story.end(who, is_revealed=False, shares=state(story, [2]))

    story = begin("removed-organizer", "B is removed, and releases its share; C's device releases A's share, that A told C",
                  "R-102: a share counts by what it is, by whomever and whenever.")
    story.remove_member("B is removed", "event key", "B", "join of B by A")
    story.release("B's", "B", 2, values[2])
    story.release("A's", "C", 1, values[1])
    story.end(words(B=None, C="organizer"), shares=state(story, [1, 2]))

    story = begin("revealed", "a reveal comes as well", "R-104: the reveal alone opens the photos; one share is missing to nothing.")
    story.release("B's", "B", 2, values[2])
    story.reveal("A's reveal", "A", secret)
    story.end(who, shares=state(story, [2], missing=0))

    story = begin("dealt-by-others", "C, an organizer, and D, a participant, give out shares as well",
                  "R-103: D's is none; of C's, B is told to have two. What the boxes hold, B finds out.", dealt=False)
    story.device("D", "A")
    story.deal("share of B", "A", "B", 2)
    story.deal("C's share of B", "C", "B", 3)
    story.deal("D's share of C", "D", "C", 1)
    story.deal("no share", "A", "C", 4)
    story.end({**who, "D": "participant"}, is_revealed=False, shares=state(story, holders={"B": [2, 3]}))

    story = begin("false-commitments", "the founder's commitments are to other values, of which two are released",
                  "R-104: no two of them make the secret half: the photos stay sealed.",
                  commitments=[sharing.commitment(EVENT, index, blake2b(bytes([index]))) for index in (1, 2, 3)])
    for index, device in enumerate("ABC", 1):
        story.release(f"{device}'s", device, index, blake2b(bytes([index])))
    story.end(who, is_revealed=False, shares=state(story, [1, 2, 3], missing=0))

    story = begin("one-false-commitment", "the founder's commitment to share 1 is to another value, and all are released",
                  "R-104: the shares 2 and 3 make the secret half.",
                  commitments=[sharing.commitment(EVENT, index, values[index] if index > 1 else blake2b(b"1")) for index in values])
    story.release("A's", "A", 1, blake2b(b"1"))
    story.release("B's", "B", 2, values[2])
    story.release("C's", "C", 3, values[3])
    story.end(who, shares=state(story, [1, 2, 3], missing=0))

    story = begin("threshold-one", "the charter says that one share reveals the photos", "R-101: then nothing is shared.", threshold=1)
    story.release("B's", "B", 2, values[2])
    story.end(who, is_revealed=False)

    story = begin("too-many", "there are nine commitments", "R-101: then nothing is shared.",
                  commitments=[sharing.commitment(EVENT, index, values.get(index, bytes(32))) for index in range(1, 10)])
    story.release("B's", "B", 2, values[2])
    story.release("C's", "C", 3, values[3])
    story.end(who, is_revealed=False)


def votes():
    def begin(name, about, *why, devices="ABCDE", **options):
        """B's photo is P, C's is Q and D's is R."""
        story = party("vote", devices)(name, about, *why, **options)
        for device, label in zip("BCD", "PQR"):
            story.shown(label, device, 1)
        return story

    def end(story, places, voters, ballot="ballot", closing="closing", members=None, **options):
        at = story.operations[closing]["header"][40:56] if closing else None
        story.end(members or {**words(), "D": "participant", "E": "participant"},
                  options.pop("photos", {"P": 1, "Q": 1, "R": 1}), gallery=options.pop("gallery", ["P", "Q", "R"]),
                  vote={"ballot": ballot, "closedAt": int(at, 16) >> 16 if at else None, "voters": voters,
                        "places": None if places is None else [list(place) for place in places]}, **options)

    story = begin("counted", "four people vote, one changes its mind, one votes for its own photo, one for none",
                  "R-113: E's last vote is for Q.", "R-115: D's vote for its own photo R counts for none, and neither does that of B, for no photo.",
                  "R-115: Q has two votes.")
    story.ballot("ballot", "A", "event key", "A")
    story.vote("E votes P", "E", "P")
    story.vote("A votes Q", "A", "Q")
    story.vote("B votes for none", "B", None)
    story.vote("D votes R", "D", "R")
    story.vote("E votes Q", "E", "Q")
    story.close("closing", "A")
    end(story, [("Q", 2)], 4)

    story = begin("open", "a vote that nobody has closed, and what is no closing and no ballot",
                  "R-111: B is no organizer, so its ballot is none, although it is later.",
                  "R-112: C is no organizer; A's secret is false.")
    story.ballot("ballot", "A")
    story.ballot("B's ballot", "B")
    story.vote("E votes P", "E", "P")
    story.vote("E votes in B's", "E", "Q", ballot="B's ballot")
    story.close("C closes", "C")
    story.close("A closes", "A", secret=bytes(32))
    end(story, None, 1, closing=None)

    story = begin("tie", "two photos with two votes each",
                  "R-115: both are winners; P is the first in the order of the gallery.")
    story.ballot("ballot", "A")
    for voter, photo in [("A", "Q"), ("B", "Q"), ("C", "P"), ("D", "P")]:
        story.vote(f"{voter} votes {photo}", voter, photo)
    story.close("closing", "A")
    end(story, [("P", 2), ("Q", 2)], 4)

    story = begin("at-two-nodes", "a guest votes at two nodes",
                  "R-5, R-113: the guest is one author: the vote with the later timestamp counts, though the other has the higher "
                  "sequence.")
    story.device("K", "A", guest="G")
    story.device("L", "B", guest="G")
    story.ballot("ballot", "A")
    story.vote("K votes P", "K", "P")
    story.vote("K votes Q", "K", "Q")
    story.vote("L votes R", "L", "R", at=START + 200_000)
    story.close("closing", "A", at=START + 300_000)
    end(story, [("R", 1)], 1, members={**words(), "D": "participant", "E": "participant", "K": ("participant", "G"),
                                       "L": ("participant", "G")})

    story = begin("late", "votes after the closing, and one that claims to be earlier",
                  "R-113: E's first vote counts: the second is later than the closing.",
                  "R-59, R-113: C's vote follows a name of C that is later than the closing, and so it is late, whatever it says.",
                  "R-113: B's is of the closing's millisecond, and counts.")
    story.ballot("ballot", "A")
    story.vote("E votes P", "E", "P")
    story.close("closing", "A", at=START + 100_000)
    story.vote("E votes Q", "E", "Q", at=START + 100_001)
    story.vote("B votes R", "B", "R", at=START + 100_000, counter=9)
    story.call("C's name", "C", "C", at=START + 150_000)
    story.vote("C votes P", "C", "P", at=START + 50_000)
    end(story, [("P", 1), ("R", 1)], 2, names={"C": "C's name"})

    story = begin("two-ballots", "two organizers open a vote apart, and close both",
                  "R-111: F's is the later one, so it is the event's; the vote in A's does not count.",
                  "R-112: of the two closings the earlier one counts, so that D's vote is late.")
    story.device("F", "event key")
    story.ballot("ballot", "A")
    story.ballot("F's ballot", "F")
    story.vote("E votes P", "E", "P")
    story.vote("B votes Q", "B", "Q", ballot="F's ballot")
    story.close("closing", "A")
    story.close("F closes", "F", ballot="F's ballot", at=START + 100_000)
    story.vote("D votes Q", "D", "Q", ballot="F's ballot", at=START + 150_000)
    story.close("A closes it", "A", ballot="F's ballot", at=START + 200_000)
    end(story, [("Q", 1)], 1, ballot="F's ballot", closing="F closes",
        members={**words(F="organizer"), "D": "participant", "E": "participant"})

    story = begin("not-shown", "the photos with most votes are deleted and hidden",
                  "R-115: of the photos that are shown R has the most votes, by whatever number others had more.")
    story.ballot("ballot", "A")
    for voter, photo in [("A", "P"), ("C", "P"), ("D", "P"), ("B", "Q"), ("E", "R")]:
        story.vote(f"{voter} votes {photo}", voter, photo)
    story.close("closing", "A")
    story.remove("P removed", "B", "P")
    story.hide("Q hidden", "A", "Q")
    end(story, [("R", 1)], 5, photos={"P": "removed", "Q": "hidden", "R": 1}, gallery=["R"])

    story = begin("copied", "a vote that is another device's, one that does not open, and one of a removed voter",
                  "R-114: D's is a copy of what E has sealed, and C's is sealed to nobody: both are for no photo.",
                  "R-113: that of B is void.")
    story.ballot("ballot", "A")
    story.vote("E votes P", "E", "P")
    story.vote("D copies it", "D", "P", signer="E")
    story.vote("C's box", "C", None, box=bytes([9]) * 112)
    story.vote("B votes Q", "B", "Q")
    story.remove_member("B is removed", "A", "B", "join of B by A", "claim of P")
    story.close("closing", "A")
    end(story, [("P", 1)], 3, members={**words(B=None), "D": "participant", "E": "participant"})

    story = begin("limit", "sixty-five votes of one device", "R-113: the first 64 by (sequence, id) count.")
    story.ballot("ballot", "A")
    for count in range(64):
        story.vote(f"E votes {count}", "E", "P" if count < 63 else "Q")
    story.vote("E votes R", "E", "R")
    story.close("closing", "A")
    end(story, [("Q", 1)], 1)

    scalar = blake2b(b"the reveal key of a vote")
    story = begin("sealed", "votes for photos that guests cannot see yet",
                  "R-115: Q is open, as C has released its keys; P is not, and the plan R is shown to nobody as a photo.",
                  reveal_key=crypto_scalarmult_base(scalar))
    story.add("Q released", "C", KEY_RELEASE, story.salt("Q released") + data(1, bytes(32)), subject=story.operations["Q"]["id"])
    story.pick("R is the plan", "A", "plan", "R")
    story.ballot("ballot", "A")
    story.vote("E votes P", "E", "P")
    story.vote("D votes P", "D", "P")
    story.vote("B votes Q", "B", "Q")
    story.vote("C votes R", "C", "R")
    story.close("closing", "A")
    end(story, [("Q", 1)], 4, gallery=["P", "Q"], pictures={"plan": "R"}, is_revealed=False)


def pictures():
    def party(name, about, *why):
        """Two organizers, a guest, and a photo of each."""
        story = Story(f"picture-{name}", about, *why)
        story.charter()
        for device, sponsor in (("A", "event key"), ("B", "event key"), ("C", "A")):
            story.device(device, sponsor)
        for photo, device in (("P", "A"), ("Q", "B"), ("R", "C")):
            story.shown(photo, device, 1)
        return story

    members = {"A": "organizer", "B": "organizer", "C": "participant"}
    photos = {"P": 1, "Q": 1, "R": 1}

    story = party("two-plans", "A and B pick plans at the same time: example 14.1",
                  "R-77: A's timestamp is the later one.", "R-79: P is not in the gallery, Q is.",
                  "R-80: R is on P; what C has said before of Q is of another plan.", "R-80: A does not place C's photo.")
    story.pick("B's plan", "B", "plan", "Q")
    story.place("R on Q", "C", "R", "Q", 1, 2)
    story.pick("A's plan", "A", "plan", "P")
    story.place("R on P", "C", "R", "P", 65_535, 0)
    story.place("A's word of R", "A", "R", "P", 5, 5)
    story.place("Q on another plan", "B", "Q", "R", 3, 4)
    story.end(members, photos, gallery=["Q", "R"], pictures={"plan": "P"}, spots={"R": [65_535, 0]})

    story = party("cover", "a cover by an organizer, by a guest, and by arguments that are none",
                  "R-77: C is no organizer; 0 and 3 are no roles; 2^33 is no way to take it off.", "R-79: a cover is in the gallery.")
    story.pick("A's cover", "A", "cover", "R")
    story.pick("C's cover", "C", "cover", "P")
    for label, argument in (("nothing", 0), ("role 3", 3), ("too much", (1 << 33) + 1), ("257", 257)):
        story.add(label, "A", PICTURE, subject=story.operations["Q"]["id"], argument=argument)
    story.end(members, photos, gallery=["P", "Q", "R"], pictures={"cover": "R"})

    story = party("taken-off", "the plan is taken off, the cover is hidden, and a picture is taken back",
                  "R-77: B's word is the last about the plan, whatever photo it names.",
                  "R-78: the cover's photo is hidden: there is none, and P, which was before it, does not come back.",
                  "R-80: without a plan no photo has a spot.")
    story.pick("the plan", "A", "plan", "P")
    story.place("R on P", "C", "R", "P", 10, 20)
    story.pick("no plan", "B", "plan", "Q", is_on=False)
    story.pick("the first cover", "A", "cover", "P")
    story.pick("the second cover", "B", "cover", "R")
    story.add("R hidden", "A", HIDE, subject=story.operations["R"]["id"])
    story.end(members, {"P": 1, "Q": 1, "R": "hidden"}, gallery=["P", "Q"], pictures={}, spots={})

    story = party("taken-back", "B takes its picture back: as if it had not been said",
                  "R-77 with R-38: P is the plan again.", "R-80 with R-38: C's second spot is taken back, so its first counts.")
    story.pick("A's plan", "A", "plan", "P")
    story.pick("B's plan", "B", "plan", "Q")
    story.place("first spot", "C", "R", "P", 1, 1)
    story.place("second spot", "C", "R", "P", 2, 2)
    story.remove("B's plan taken back", "B", "B's plan")
    story.remove("second spot taken back", "C", "second spot")
    story.place("Q on P", "B", "Q", "P", 7, 7)
    story.place("Q off P", "B", "Q", "P", 7, 7, is_on=False)
    story.end(members, photos, gallery=["Q", "R"], pictures={"plan": "P"}, spots={"R": [1, 1]})


def epochs():
    def party(name, about, *why):
        """Two organizers, and two whom they have let in."""
        story = Story(f"epoch-{name}", about, *why)
        story.charter()
        for device, sponsor in (("A", "event key"), ("B", "event key"), ("C", "A"), ("D", "B")):
            story.device(device, sponsor)
        return story

    members = {"A": "organizer", "B": "organizer", "C": "participant", "D": "participant"}

    story = party("none", "nobody has made a new secret", "R-47: the way has no epoch but the first.",
                  "R-49: all came in by the event key and those whom it let in, under the first secret.")
    story.end(members, epochs=[], inside=["A", "B", "C", "D"])

    story = party("by-a-participant", "C makes a new secret for itself", "R-45: C has rank 1, and no organizer follows it.")
    story.rotate("C's", "C", "C")
    story.end(members, epochs=[], inside=["A", "B", "C", "D"])

    story = party("two-apart", "A and B make new secrets at the same time, then B another one after A's",
                  "R-47: of the two that follow the first secret B's has the smaller id, and is next.",
                  "R-47: what follows A's is not on the way, though it is later.",
                  "R-49: D is not among the devices of B's.")
    story.rotate("A's", "A", "A", "B", "C", "D")
    story.smaller("B's", "A's", lambda n: story.rotate("B's", "B", "A", "B", "C", counter=n))
    story.rotate("after A's", "B", "A", "B", "C", "D", after="A's")
    story.end(members, epochs=["B's"], inside=["A", "B", "C"])

    story = party("one-after-the-other", "three secrets, each after the one before",
                  "R-47: the way goes on as far as there is one that follows, whatever their ids.")
    story.rotate("first", "A", "A", "B", "C", "D")
    story.rotate("second", "event key", "A", "B", "C", after="first")
    story.rotate("third", "B", "A", "B", after="second")
    story.end(members, epochs=["first", "second", "third"], inside=["A", "B"])

    story = party("more-than-64", "A makes 70 new secrets", "R-45: nothing is said of how many.", "R-47: the last is the current one.")
    secrets = [f"secret {count}" for count in range(1, 71)]
    for label, before in zip(secrets, [None, *secrets]):
        story.rotate(label, "A", "A", "B", after=before)
    story.end(members, epochs=secrets, inside=["A", "B"])

    story = party("joins", "E and F come in under the new secret, G under the old one, H by G",
                  "R-49: E by A and F by E name the epoch. G names none; H names it, but G is no insider.",
                  "R-48: B adds G. R-49: then H is one, too. C, a participant, adds nobody.")
    story.rotate("epoch", "A", "A", "B", "C")
    for device, sponsor, epoch in (("E", "A", "epoch"), ("F", "E", "epoch"), ("G", "D", None), ("H", "G", "epoch")):
        story.devices.setdefault(device, key(0x40 + len(story.devices)))
        story.join(f"join of {device} by {sponsor}", device, sponsor, epoch=epoch)
    everybody = {**members, "E": "participant", "F": "participant", "G": "participant", "H": "participant"}
    story.admit("C adds D", "C", "D", "epoch")
    story.name = "epoch-joins-before"
    story.end(everybody, epochs=["epoch"], inside=["A", "B", "C", "E", "F"])
    story.name = "epoch-joins"
    story.admit("B adds G", "B", "G", "epoch")
    story.end(everybody, epochs=["epoch"], inside=["A", "B", "C", "E", "F", "G", "H"])


def ends():
    story = Story("charter-prolonged", "an opened event of 24 hours lasts longer, and its photos are kept no longer",
                  "R-18: the edits that make it longer are valid: 60 hours it lasts.",
                  "R-20: but as its author knew an opened charter of 24 hours, the promised end stays where it was. 30 is "
                  "longer than that, too, though shorter than 48.",
                  "9.10: forgotten 24 + 48 hours after the start.")
    story.charter(opened=True)
    story.device("A", "event key")
    story.edit("48 hours", "A", 5, number(3, 48), "charter")
    story.edit("30 hours", "A", 5, number(3, 30), "48 hours")
    story.edit("60 hours", "A", 5, number(3, 60), "30 hours")
    story.charters["charter"] = "Garden party", 60, 12, "", True
    story.end({"A": "organizer"}, expiresAt=START + (24 + 48) * HOUR)

    story = Story("charter-prolonged-in-the-draft", "a draft is made longer, then opened, then made shorter and longer",
                  "R-20: what is not opened promises nothing: 48 hours count, then the 12 of the opened event.",
                  "R-20: 24 are longer than the promised 12.", "9.10: forgotten 12 + 48 hours after the start.")
    story.charter()
    story.device("A", "event key")
    story.edit("48 hours", "A", 5, number(3, 48), "charter")
    story.edit("opened", "A", 17, number(19, 1), "charter")
    story.edit("12 hours", "A", 5, number(3, 12), "48 hours", "opened")
    story.edit("24 hours", "A", 5, number(3, 24), "12 hours", "opened")
    story.charters["charter"] = "Garden party", 24, 12, "", True
    story.end({"A": "organizer"}, expiresAt=START + (12 + 48) * HOUR)

    story = Story("charter-prolonged-apart", "two edit the duration of an opened event apart",
                  "R-19: neither is the event key's; by the order that this vector makes, the smaller id is the longer one.",
                  "R-20: of the two only the shorter one keeps to what was promised.",
                  "9.10: forgotten 6 + 48 hours after the start.")
    story.charter(opened=True)
    story.device("A", "event key")
    story.device("B", "event key")
    story.edit("6 hours", "A", 5, number(3, 6), "charter")
    story.smaller("90 hours", "6 hours", lambda n: story.edit("90 hours", "B", 5, number(3, 90), "charter", counter=n))
    story.charters["charter"] = "Garden party", 90, 12, "", True
    story.end({"A": "organizer", "B": "organizer"}, expiresAt=START + (6 + 48) * HOUR)


def consents():
    story = Story("consent-versions", "who agrees to which version of a text, in which order, at which node",
                  "R-50: A agrees to the text that counts, twice; B to another organizer's text; C to the text of an event "
                  "without one.",
                  "R-50: the guest agreed at B and is one author at A.",
                  "R-50: a consent by D, whom nobody let in, gets into no set.",
                  "R-51: photos of those who have agreed to nothing are shown as all others.",
                  "R-51: nothing takes a consent back.", "§9.8: the digest has nothing of it.")
    text = "No photos of the children.\nThe cake is fine."
    story.charter(consent=text)
    story.device("A", "event key")
    story.device("B", "A")
    story.device("C", "A")
    story.device("G at A", "A", guest="G")
    story.device("G at B", "B", guest="G")
    story.device("D")
    story.agree("A agrees", "A", text)
    story.agree("A agrees again", "A", text)
    story.agree("B agrees to another", "B", text + " ")
    story.agree("C agrees to less", "C", "")
    story.agree("G agrees at B", "G at B", text)
    story.agree("D agrees", "D", text)
    story.remove("A takes it back", "A", "A agrees")
    story.shown("P", "B", 1)
    story.end({"A": "organizer", "B": "participant", "C": "participant", "G at A": ("participant", "G"),
               "G at B": ("participant", "G")}, {"P": 1}, gallery=["P"], waiting=["D agrees"],
              agreed=sorted([public(story.devices["A"]).hex(), public(story.guests["G"]).hex()]))


def party(area, devices="ABC"):
    """Makes stories of events that A, an organizer, has let the others into."""
    def begin(name, about, *why, **options):
        charter = {option: options.pop(option) for option in ("opened", "reveal_key", "more") if option in options}
        story = Story(f"{area}-{name}", about, *why, **options)
        story.charter(**charter)
        for device in devices:
            story.device(device, "event key" if device == "A" else "A")
        return story
    return begin


def words(**others):
    """A is an organizer and the others are participants, unless told otherwise; None: no member."""
    roles = {"A": "organizer", "B": "participant", "C": "participant", **others}
    return {device: role for device, role in roles.items() if role}


def roles():
    begin = party("role")

    story = begin("granted", "who makes whom what, and how far their rolls go",
                  "R-11: the event key makes B an organizer; A, an organizer, makes C a moderator and D a photographer.",
                  "R-11: C, a moderator, makes nobody a moderator, and A nobody an organizer; D itself nothing.",
                  "R-27: the roll of one frame ends for C and E; not for B, who was made an organizer, nor for D.",
                  frames=1)
    story.device("D", "A")
    story.device("E", "A")
    story.grant("B organizer", "event key", "B", "organizer")
    story.grant("C moderator", "A", "C", "moderator")
    story.grant("D photographer", "A", "D", "photographer")
    story.grant("E moderator by C", "C", "E", "moderator")
    story.grant("E organizer by A", "A", "E", "organizer")
    story.grant("D organizer by D", "D", "D", "organizer")
    for device in "BCDE":
        story.shown(f"{device}1", device, 1)
        story.shown(f"{device}2", device, 2)
    story.end(words(B="organizer", C="moderator", D="participant", E="participant"),
              {"B1": 1, "B2": 2, "C1": 1, "C2": "waiting", "D1": 1, "D2": 2, "E1": 1, "E2": "waiting"},
              gallery=["B1", "B2", "C1", "D1", "D2", "E1"])

    story = begin("before-the-grant", "what somebody did before being given the role",
                  "9.2: there is no time: a role counts for all that its holder states, before and after the grant.",
                  "R-32: so C's hide, and R-31: B's erase count.")
    for slot, photo in enumerate(("P", "Q"), 1):
        story.shown(photo, "A", slot)
    story.hide("C hides P", "C", "P")
    story.erase("B erases Q", "B", "Q")
    story.grant("C moderator", "A", "C", "moderator")
    story.grant("B organizer", "event key", "B", "organizer")
    story.end(words(B="organizer", C="moderator"), {"P": "hidden", "Q": "erased"})

    story = begin("of-a-guest", "roles for guests and for the devices that sign for them",
                  "9.2: photographer is also a guest's: G's roll has no end.",
                  "9.2: a sub-key has the rank of a participant, whatever it is granted: K's erase is nothing.",
                  "R-27: nor is its roll without end: its author is the guest H.", frames=1)
    story.device("sub-key of G", "A", guest="G")
    story.device("K", "B", guest="H")
    story.grant("G photographer", "A", "G", "photographer")
    story.grant("K organizer", "event key", "K", "organizer")
    for who, device in (("G", "sub-key of G"), ("H", "K")):
        story.shown(f"{who}1", device, 1)
        story.shown(f"{who}2", device, 2)
    story.erase("K erases", "K", "G1")
    story.end({**words(), "sub-key of G": ("participant", "G"), "K": ("participant", "H")},
              {"G1": 1, "G2": 2, "H1": 1, "H2": "waiting"}, gallery=["G1", "G2", "H1"])

    def former(name, about, *why):
        """Rules.md 1.5: what B did as an organizer, and after; the caller says what the event key knew."""
        story = begin(name, about, *why, frames=4)
        story.device("D", "A")
        story.device("E", "A")
        for slot, photo in enumerate("PQRS", 1):
            story.shown(photo, "C", slot)
        story.grant("B organizer", "event key", "B", "organizer")
        story.shown("beyond", "B", 5)
        story.erase("B erases P", "B", "P")
        story.grant("D moderator by B", "B", "D", "moderator")
        story.hide("D hides Q", "D", "Q")
        return story

    def after(story):
        story.erase("B erases R", "B", "R")
        story.grant("E moderator by B", "B", "E", "moderator")
        story.hide("E hides S", "E", "S")

    story = former("revoked", "an organizer loses the role, and goes on as if not: example 1.5",
                   "R-11: what B stated up to the heads was stated with rank 3: P is erased, D a moderator, Q hidden.",
                   "R-11: what came after has rank 1: R and S stay, E is a participant.",
                   "R-27: B was made an organizer, and the role is revoked: slot 5 is beyond the roll of 4.")
    story.revoke("B no organizer", "event key", "B", "organizer", "D moderator by B", "claim of beyond")
    after(story)
    story.end(words(D="moderator", E="participant"),
              {"P": "erased", "Q": "hidden", "R": 3, "S": 4, "beyond": "waiting"}, gallery=["R", "S"])

    story = former("revoked-from-an-earlier-head", "the same, by an event key that names B's join alone",
                   "R-9: the erase of P and the grant are no ancestors of the head.",
                   "R-11: so they have rank 1: P stays, D is a participant, and Q, which D hid, is shown.",
                   "R-7: nothing is void: it is the rank that is gone. B's photo counts, and waits by R-27.")
    story.revoke("B no organizer", "event key", "B", "organizer", "join of B by A")
    after(story)
    story.end(words(D="participant", E="participant"), {"P": 1, "Q": 2, "R": 3, "S": 4, "beyond": "waiting"},
              gallery=["P", "Q", "R", "S"])

    def regained(name, about, *why):
        story = begin(name, about, *why)
        story.shown("P", "C", 1)
        story.grant("B moderator", "A", "B", "moderator")
        story.revoke("B no moderator", "A", "B", "moderator", "join of B by A")
        story.hide("B hides P", "B", "P")
        return story

    story = regained("granted-again-without-knowing", "a role is granted anew by somebody who names no revocation: 1.6",
                     "R-13: the grant names nothing, so it cancels nothing: B is none, and P shown.")
    story.grant("B moderator again", "A", "B", "moderator")
    story.end(words(), {"P": 1}, gallery=["P"])

    story = regained("given-back", "a role is granted anew, naming the revocation: example 1.6",
                     "R-13: the grant cancels the revocation it names.", "R-11: B's hide has rank 2 now, and P is hidden.")
    story.grant("B moderator again", "A", "B", "moderator", "B no moderator")
    story.end(words(B="moderator"), {"P": "hidden"})

    story = regained("revoked-once-more", "a role is given back and revoked once more",
                     "R-13: the second revocation is another operation, which the grant does not name: it counts.",
                     "R-11: the second one leaves the hide, so P is hidden, and B is no moderator any more.")
    story.grant("B moderator again", "A", "B", "moderator", "B no moderator")
    story.revoke("B no moderator any more", "A", "B", "moderator", "B hides P")
    story.end(words(), {"P": "hidden"})

    story = begin("given-back-by-less", "the event key revokes, an organizer and another role try to cancel it",
                  "R-13: A's grant was stated with rank 3, the revocation with 4: it cancels nothing.",
                  "R-13: the event key's grant of photographer is of another role: it cancels nothing either.")
    story.shown("P", "C", 1)
    story.grant("B moderator", "A", "B", "moderator")
    story.revoke("B no moderator", "event key", "B", "moderator", "join of B by A")
    story.grant("B moderator again", "A", "B", "moderator", "B no moderator")
    story.grant("B photographer", "event key", "B", "photographer", "B no moderator")
    story.hide("B hides P", "B", "P")
    story.end(words(), {"P": 1}, gallery=["P"])


def revocations():
    begin = party("revoked")

    story = begin("acting-after", "somebody who was put out goes on: example 1.1",
                  "R-9: the revocation leaves P and its claim, which it names, and B's join before.",
                  "R-6: Q comes after the head, so it is void, wherever it was heard first.", "R-7: B is no member.")
    story.shown("P", "B", 1)
    story.remove_member("B put out", "A", "B", "join of B by A", "claim of P")
    story.shown("Q", "B", 2)
    story.call("B's name", "B", "Benny")
    rest = [label for label in story.operations if label not in ("Q", "claim of Q", "B put out")]
    story.end(words(B=None), {"P": 1}, gallery=["P"], orders=[[*rest, "Q", "claim of Q", "B put out"]])

    story = begin("acting-at-the-same-time", "B adds a photo while being put out by somebody who has not heard of it",
                  "R-9: the head is P's claim; Q is not proven to come before it, though it did come before the revocation.",
                  "1.7: a later revocation by the same device, better informed, would leave it.")
    story.shown("P", "B", 1)
    story.shown("Q", "B", 2)
    story.remove_member("B put out", "A", "B", "join of B by A", "claim of P")
    story.end(words(B=None), {"P": 1}, gallery=["P"])

    story = begin("list", "the revocation names B's join and a list, which names the end of B's photos",
                  "R-9: the list stands for the claim of P. Q comes after it.")
    story.shown("P", "B", 1)
    story.list("list", "A", "claim of P")
    story.remove_member("B put out", "A", "B", "join of B by A", "list")
    story.shown("Q", "B", 2)
    rest = [label for label in story.operations if label != "list"]
    story.end(words(B=None), {"P": 1}, gallery=["P"], orders=[[*rest, "list"]])

    story = begin("list-missing", "the same, and nobody has the list",
                  "R-9: what the list would leave is not proven. B's join is left, B's photo is not.")
    story.shown("P", "B", 1)
    story.list("list", "A", "claim of P")
    story.remove_member("B put out", "A", "B", "join of B by A", "list")
    story.lose("list")
    story.end(words(B=None))

    story = begin("list-in-a-list", "the revocation names a list that names another list, and B's join",
                  "R-9: a list that is named in a list stands for nothing; what stands beside it does.")
    story.shown("P", "B", 1)
    story.call("B's name", "B", "Ben")
    story.list("inner", "A", "B's name")
    story.list("outer", "A", "inner", "join of B by A", "claim of P")
    story.remove_member("B put out", "A", "B", "outer")
    story.end(words(B=None), {"P": 1}, gallery=["P"])

    story = begin("list-of-a-removed", "the list is B's own, and void",
                  "R-9: whoever stated a list, it stands for what it names: P is left.",
                  "R-9: the list itself is not, nor is Q.")
    story.shown("P", "B", 1)
    story.list("list", "B", "claim of P")
    story.remove_member("B put out", "A", "B", "join of B by A", "list")
    story.shown("Q", "B", 2)
    story.end(words(B=None), {"P": 1}, gallery=["P"])

    def purged(name, about, *why, heads=("join of B by A", "join of K by B", "claim of Q"), lost=()):
        story = begin(name, about, *why)
        story.grant("B page", "A", "B", "page")
        story.device("K", "B", guest="G")
        story.shown("theirs", "C", 1)
        story.shown("P", "B", 1)
        story.original("P's original", "B", "P", 7)
        story.call("B's name", "B", "Ben")
        story.say("nice", "B", COMMENT, "theirs")
        story.shown("R", "B", 2)
        story.add("later", "B", 200, story.salt("later") + b"what only a later version knows")
        story.shown("Q", "K", 1)
        story.remove_member("B put out", "A", "B", *heads, discards=True)
        for label in lost:
            story.lose(label)
        return story

    everything = ["B's name", "P", "P's original", "R", "later", "nice"]
    story = purged("discard", "B is put out with everything, but for its join and what a guest added at its page",
                   "R-33: what B stated and A does not leave is discarded: photos, originals, names, remarks, and kinds that",
                   "are not known. Claims have no body.",
                   "R-33: K is a sub-key of the node, not of a guest who is put out: Q is left and stays.")
    story.end(words(B=None), {"theirs": 1, "Q": 1}, gallery=["theirs", "Q"],
              discarded=everything)

    story = purged("discard-cancelled", "the same, and B is let in again",
                   "R-13: A's grant cancels the revocation, so it does not count, and R-33 discards nothing.")
    story.grant("B in again", "A", "B", "participant", "B put out")
    story.end(words() | {"K": ("participant", "G")}, {"theirs": 1, "P": 1, "R": 2, "Q": 1},
              gallery=["theirs", "P", "R", "Q"], names={"B": "B's name"}, originals={"P": ["P's original"]},
              comments={"theirs": ["nice"]}, discarded=[])

    story = purged("discard-proof-missing", "R is left by a head, and an operation between it and P is not here",
                   "R-9: P is not proven to be left, so it is void.",
                   "R-33: but it may be left, so nothing of B is discarded until the comment comes.",
                   heads=("join of B by A", "join of K by B", "claim of Q", "claim of R"), lost=("nice",))
    story.end(words(B=None), {"theirs": 1, "R": 2, "Q": 1}, gallery=["theirs", "R", "Q"],
              discarded=[])

    story = begin("better-informed", "the same device revokes once more, naming later heads: example 1.7",
                  "R-12: of one device's revocations of one subject the one with the highest sequence counts: all three.")
    for slot, photo in enumerate("PQR", 1):
        story.shown(photo, "B", slot)
    story.remove_member("B put out", "A", "B", "join of B by A", "claim of P")
    story.remove_member("B put out again", "A", "B", "join of B by A", "claim of R")
    story.end(words(B=None), {"P": 1, "Q": 2, "R": 3}, gallery=["P", "Q", "R"])

    story = begin("less-informed", "the later revocation names an earlier head",
                  "R-12: the later one counts all the same: Q is void again.")
    for slot, photo in enumerate("PQ", 1):
        story.shown(photo, "B", slot)
    story.remove_member("B put out", "A", "B", "join of B by A", "claim of Q")
    story.remove_member("B put out again", "A", "B", "join of B by A", "claim of P")
    story.end(words(B=None), {"P": 1}, gallery=["P"])

    story = begin("by-two", "two organizers put B out, each naming other heads",
                  "R-6: what one of two that count does not leave is void: P is left by both, Q by A's alone.")
    story.grant("C organizer", "event key", "C", "organizer")
    for slot, photo in enumerate("PQ", 1):
        story.shown(photo, "B", slot)
    story.remove_member("B put out by A", "A", "B", "join of B by A", "claim of Q")
    story.remove_member("B put out by C", "C", "B", "join of B by A", "claim of P")
    story.end(words(B=None, C="organizer"), {"P": 1}, gallery=["P"])

    story = begin("fork", "who stole B's key goes on from an earlier place: example 1.2",
                  "R-9: Q is no ancestor of the head, though its sequence is as low as P's: void.", "R-25: P keeps slot 1.")
    story.shown("P", "B", 1)
    story.remove_member("B put out", "A", "B", "join of B by A", "claim of P")
    story.copy_goes_on("B")
    story.photo("Q", "B", counter=1)
    story.claim("claim of Q", "B", "Q", 2)
    story.end(words(B=None), {"P": 1}, gallery=["P"])

    def holed(name, about, *why):
        story = begin(name, about, *why)
        story.shown("P", "B", 1)
        story.call("N", "B", "Ben")
        story.shown("Q", "B", 2)
        story.remove_member("B put out", "A", "B", "join of B by A", "claim of Q")
        return story

    story = holed("proof-missing", "an operation between the head and an earlier photo is not here: example 1.3",
                  "R-9: the way from Q back to P has a hole, so P is not proven to be left: void until N comes.")
    story.lose("N")
    story.end(words(B=None), {"Q": 2}, gallery=["Q"])

    story = holed("proof-there", "the same, with what was missing, in whatever order it comes",
                  "R-9: the way from the head leads back to P.", "R-35: N counts, as it is left.")
    rest = [label for label in story.operations if label != "N"]
    story.end(words(B=None), {"P": 1, "Q": 2}, gallery=["P", "Q"], names={"B": "N"}, orders=[[*rest, "N"]])

    def rivals(name, about, *why):
        story = begin(name, about, *why)
        story.grant("B organizer", "event key", "B", "organizer")
        story.grant("C organizer", "event key", "C", "organizer")
        story.shown("P", "B", 1)
        story.remove_member("B puts C out", "B", "C", "join of C by A")
        story.remove_member("C puts B out", "C", "B", "join of B by A", "claim of P")
        story.shown("Q", "B", 2)
        return story

    story = rivals("by-each-other", "two organizers put each other out: example 1.4",
                   "R-12: a revocation counts against a lower rank only, and theirs are equal: neither does.")
    story.end(words(B="organizer", C="organizer"), {"P": 1, "Q": 2}, gallery=["P", "Q"])

    story = rivals("by-each-other-and-decided", "the event key revokes the role of one of the two: the end of example 1.4",
                   "R-11: B has rank 1 now; B's revocation was stated with rank 3, as the event key's names it.",
                   "R-12: but C has rank 3, so B's still does nothing; and C's counts, for B has a lower rank.",
                   "R-9: C's leaves P and not Q.")
    story.revoke("B no organizer", "event key", "B", "organizer", "B puts C out")
    story.end(words(B=None, C="organizer"), {"P": 1}, gallery=["P"])

    story = begin("by-whom", "who puts whom out",
                  "R-12: it takes rank 2: C, a participant, puts nobody out; B, a moderator, puts E out.",
                  "R-12: B and D are both moderators: neither puts the other out. Nobody puts A out.",
                  "R-12: to revoke the role moderator it takes an organizer: B's revocation of D's is nothing.")
    for device in "DEF":
        story.device(device, "A")
    story.grant("B moderator", "A", "B", "moderator")
    story.grant("D moderator", "A", "D", "moderator")
    story.remove_member("E by B", "B", "E", "join of E by A")
    story.remove_member("F by C", "C", "F", "join of F by A")
    story.remove_member("D by B", "B", "D", "join of D by A")
    story.remove_member("A by D", "D", "A")
    story.revoke("D no moderator by B", "B", "D", "moderator", "join of D by A")
    story.end(words(B="moderator", D="moderator", E=None, F="participant"))

    story = begin("and-let-in-again", "two who were put out are granted to be in again, one by too low a rank",
                  "R-13: A's grant of participant cancels the revocation of B that it names: all of B's counts.",
                  "R-13: D, a moderator, grants with rank 2 what was revoked with 3: C stays out.")
    story.device("D", "A")
    story.grant("D moderator", "A", "D", "moderator")
    story.shown("P", "B", 1)
    story.shown("Q", "C", 1)
    story.remove_member("B put out", "A", "B", "join of B by A")
    story.remove_member("C put out", "A", "C", "join of C by A")
    story.shown("R", "B", 2)
    story.grant("B in again", "A", "B", "participant", "B put out")
    story.grant("C in again", "D", "C", "participant", "C put out")
    story.end(words(C=None, D="moderator"), {"P": 1, "R": 2}, gallery=["P", "R"])

    story = begin("who-was-let-in", "B lets in D, is put out, and lets in E and F: example 1.8",
                  "R-6: D's join is named, so it is left; E's and F's by B are void.",
                  "R-4: E has a second join, by C, which suffices. F is no member, and its photo is none (R-22).",
                  "8.6: F's belong to the sets all the same.")
    for device in "DEF":
        story.device(device, "B")
    story.remove_member("B put out", "A", "B", "join of B by A", "join of D by B")
    story.join("join of E by C", "E", "C")
    for device in "DEF":
        story.shown(f"{device}'s", device, 1)
    story.end(words(B=None, D="participant", E="participant"), {"D's": 1, "E's": 1}, gallery=["D's", "E's"])

    def cut(name, about, *why):
        story = begin(name, about, *why)
        story.grant("B page", "A", "B", "page")
        story.device("K", "B", guest="G")
        story.shown("P", "K", 1)
        story.revoke("B no page", "A", "B", "page", "join of K by B", "claim of P")
        story.remove("K removes P", "K", "P")
        story.device("new sub-key", "B", guest="G")
        story.shown("Q", "new sub-key", 2)
        story.shown("B's own", "B", 1)
        return story

    story = cut("page", "a page node is cut off, and goes on with its guest's key: example 1.9",
                "R-10: that concerns every sub-key of B: K, of which P is left, and the new one, which is void whole.",
                "9.2: K's removal does not count: somebody else has that key.", "R-10: B itself is not concerned.")
    story.end(words(), {"P": 1, "B's own": 1}, gallery=["P", "B's own"])

    story = cut("page-and-the-guest-takes-back", "the guest takes the photo back at another node: the end of example 1.9",
                "R-5: the sub-key at A stands for the same author.", "R-30: so P is removed.")
    story.device("G at A", "A", guest="G")
    story.remove("G removes P", "G at A", "P")
    story.end({**words(), "G at A": ("participant", "G")}, {"P": "removed", "B's own": 1}, gallery=["B's own"])

    story = begin("sub-key-lets-in", "a sub-key of a page node that is cut off lets in devices, before and after",
                  "R-6: the revocation leaves K's join, by which K is a sub-key of B: joins by K count if it leaves them.",
                  "R-6: D's join is named, so D stays. E's is not: E is no member. R-22: so its photo is none.",
                  "8.6: E's operations belong to the sets, as E has joined.")
    story.grant("B page", "A", "B", "page")
    story.device("K", "B", guest="G")
    story.device("D", "K")
    story.shown("P", "D", 1)
    story.revoke("B no page", "A", "B", "page", "join of K by B", "join of D by K")
    story.device("E", "K")
    story.shown("Q", "E", 1)
    story.end(words(D="participant"), {"P": 1}, gallery=["P"])

    story = begin("hostages", "a member that let in others signs for a guest of a node that was put out",
                  "R-10: C is a sub-key of B now, so the revocation concerns it. R-6: C's photo is not left: it is void.",
                  "R-6: the revocation leaves no join that makes C a sub-key: C's join by A counts, and D's by C does.")
    story.device("D", "C")
    story.shown("P", "D", 1)
    story.shown("Q", "C", 1)
    story.remove_member("B put out", "A", "B", "join of B by A")
    story.join("join of C by B", "C", "B", guest="G")
    story.end(words(B=None, C=None, D="participant"), {"P": 1}, gallery=["P"])

    story = begin("hostages-of-an-accomplice", "the same by a member that the node itself had let in",
                  "R-9: the revocation leaves E's first join by B, which carries no delegation.",
                  "R-6: so it leaves no join that makes E a sub-key: D's join by E counts.")
    story.device("E", "B")
    story.device("D", "E")
    story.shown("P", "D", 1)
    story.remove_member("B put out", "A", "B", "join of B by A", "join of E by B")
    story.join("second join of E by B", "E", "B", guest="G")
    story.end(words(B=None, D="participant"), {"P": 1}, gallery=["P"])

    story = begin("discard-hostages", "a member that let in others signs for a guest that was put out with everything",
                  "R-10: C is a sub-key of G now, so the revocation concerns it. R-33: C's photo is discarded.",
                  "R-6: the revocation leaves no join that makes C a sub-key: C's join by A counts, and D's by C does.",
                  "R-33: what D stated stays.")
    story.device("D", "C")
    story.shown("P", "D", 1)
    story.shown("Q", "C", 1)
    story.device("K", "B", guest="G")
    story.shown("R", "K", 1)
    story.remove_member("G put out", "A", "G", "join of K by B", discards=True)
    story.join("join of C by A for G", "C", "A", guest="G")
    story.end(words(C=None, D="participant"), {"P": 1}, gallery=["P"], discarded=["Q", "R"])

    story = begin("guest", "a guest is put out by its key, and was at two nodes",
                  "R-10: that concerns every sub-key of the guest; what it named of K is left, and nothing of L.",
                  "R-6: so Q, at B, is void with L's join.")
    story.device("K", "A", guest="G")
    story.device("L", "B", guest="G")
    story.shown("P", "K", 1)
    story.shown("Q", "L", 2)
    story.remove_member("G put out", "A", "G", "join of K by A", "claim of P")
    story.end(words(), {"P": 1}, gallery=["P"])

    story = begin("takes-back", "who was put out takes back what is theirs: example 1.10",
                  "9.2: a remove of what is one's own counts also when void.")
    story.shown("P", "B", 1)
    story.remove_member("B put out", "A", "B", "join of B by A", "claim of P")
    story.remove("B removes P", "B", "P")
    story.end(words(B=None), {"P": "removed"})


def removals():
    begin = party("removal")

    story = begin("by-others", "who takes away whose photos, and how",
                  "R-30: C is not the author. R-31: it takes rank 3 to erase, R-32: and 2 to hide: C has 1, M 2, A 3.",
                  "R-30 before R-31: the author's removal and A's erase of one photo: removed.",
                  "R-32: W was hidden by A, and put back by M, who names that hide.",
                  "R-34: each keeps its slot.")
    story.device("M", "A")
    story.grant("M moderator", "A", "M", "moderator")
    labels = ["C removes", "C hides", "C erases", "M hides", "M erases", "A hides", "A erases", "both", "put back"]
    for slot, label in enumerate(labels, 1):
        story.shown(label, "B", slot)
    story.remove("by C", "C", "C removes")
    story.hide("hidden by C", "C", "C hides")
    story.erase("erased by C", "C", "C erases")
    story.hide("hidden by M", "M", "M hides")
    story.erase("erased by M", "M", "M erases")
    story.hide("hidden by A", "A", "A hides")
    story.erase("erased by A", "A", "A erases")
    story.remove("by B", "B", "both")
    story.erase("erased, too", "A", "both")
    story.hide("hidden", "A", "put back")
    story.unhide("shown again", "M", "put back", "hidden")
    story.end(words(M="moderator"), {"C removes": 1, "C hides": 2, "C erases": 3, "M hides": "hidden", "M erases": 5,
                                     "A hides": "hidden", "A erases": "erased", "both": "removed", "put back": 9},
              gallery=["C removes", "C hides", "C erases", "M erases", "put back"])

    story = begin("hidden-twice", "two hide the same photos apart; some is put back: example 2.1",
                  "R-32: an unhide cancels no hide that it does not name: P is hidden by the second.",
                  "R-32: of Q both are named, by two unhides. R's is by C, a participant.",
                  "R-32: the unhide of Q that names S's hide is not of the same photo.")
    story.device("M", "A")
    story.grant("M moderator", "A", "M", "moderator")
    for slot, photo in enumerate("PQRS", 1):
        story.shown(photo, "B", slot)
    for photo in "PQ":
        story.hide(f"{photo} hidden by A", "A", photo)
        story.hide(f"{photo} hidden by M", "M", photo)
    story.hide("R hidden", "M", "R")
    story.hide("S hidden", "M", "S")
    story.unhide("P put back", "M", "P", "P hidden by M")
    story.unhide("Q put back", "M", "Q", "Q hidden by M", "S hidden")
    story.unhide("Q put back again", "A", "Q", "Q hidden by A")
    story.unhide("R put back by C", "C", "R", "R hidden")
    story.end(words(M="moderator"), {"P": "hidden", "Q": 2, "R": "hidden", "S": "hidden"}, gallery=["Q"])

    story = begin("by-a-stolen-key", "an organizer's key erases and hides everything, and is put out: example 2.3",
                  "R-11: the revocation names what came before: the erase and the hide after it have no rank.",
                  "R-31, R-32: both photos are shown again.")
    story.grant("B organizer", "event key", "B", "organizer")
    story.shown("P", "C", 1)
    story.shown("Q", "C", 2)
    story.erase("B erases P", "B", "P")
    story.hide("B hides Q", "B", "Q")
    story.remove_member("B put out", "event key", "B", "join of B by A")
    story.end(words(B=None), {"P": 1, "Q": 2}, gallery=["P", "Q"])

    story = begin("of-names-and-captions", "a name and a caption are hidden, erased, and put back",
                  "R-38: a remark or a name is taken away as a photo is.",
                  "R-35: B's second name is hidden, so the first counts. C's only name was erased, so it has none.",
                  "R-39: the caption of P is hidden, that of Q was put back; R's erase by C counts for nothing.")
    story.call("B's first", "B", "Ben")
    story.call("B's second", "B", "Something rude")
    story.call("C's", "C", "Something worse")
    for slot, photo in enumerate("PQR", 1):
        story.shown(photo, "B", slot)
        story.say(f"about {photo}", "B", CAPTION, photo)
    story.hide("second hidden", "A", "B's second")
    story.erase("C's erased", "A", "C's")
    story.hide("P's hidden", "A", "about P")
    story.hide("Q's hidden", "A", "about Q")
    story.unhide("Q's put back", "A", "about Q", "Q's hidden")
    story.erase("R's by C", "C", "about R")
    story.end(words(), {"P": 1, "Q": 2, "R": 3}, gallery=["P", "Q", "R"], names={"B": "B's first"},
              captions={"Q": "about Q", "R": "about R"})


def edits():
    begin = party("charter", devices="AB")
    both = {"A": "organizer", "B": "organizer"}

    def duo(name, about, *why, **options):
        """B is an organizer, too."""
        story = begin(name, about, *why, **options)
        story.grant("B organizer", "event key", "B", "organizer")
        return story

    def named_apart(name, about, *why):
        story = duo(name, about, *why)
        story.edit("Left", "A", 1, data(1, "Left"), "charter")
        story.smaller("Right", "Left", lambda n: story.edit("Right", "B", 1, data(1, "Right"), "charter", counter=n))
        return story

    story = named_apart("named-apart", "two organizers name the event at once: example 4.1",
                        "R-19: neither follows the other and none is the event key's: the smaller id's, B's.")
    story.edited = {1: b"Right"}
    story.end(both)

    story = named_apart("named-by-the-event-key", "and the event key, apart from both, another one",
                        "R-19: of the edits that no other follows the event key's counts, whatever its id.")
    story.edit("Key", "event key", 1, data(1, "Key"), "charter")
    story.edited = {1: b"Key"}
    story.end(both)

    story = named_apart("named-by-who-knows-all", "and A, who has heard all, agrees on one",
                        "R-19: its edit follows the three, so no other is left that nothing follows.")
    story.edit("Key", "event key", 1, data(1, "Key"), "charter")
    story.edit("Agreed", "A", 1, data(1, "Agreed"), "Left", "Right", "Key")
    story.edited = {1: b"Agreed"}
    story.end(both)

    story = duo("edited-apart-in-the-draft", "frames and the time of keeping, edited apart: example 4.2",
                "R-19: frames is the most: 24, the time of keeping the shortest: 24 hours.",
                "R-27: so slot 20 is in the roll of C.", "R-19: fields that nobody edited are the first charter's.")
    story.device("C", "A")
    story.edit("6 frames", "A", 6, number(4, 6), "charter")
    story.edit("24 hours", "A", 8, number(5, 24), "charter")
    story.edit("24 frames", "B", 6, number(4, 24), "charter")
    story.edit("72 hours", "B", 8, number(5, 72), "charter")
    story.shown("P", "C", 20)
    story.edited = {6: struct.pack(">I", 24), 8: struct.pack(">I", 24)}
    story.end({**both, "C": "participant"}, {"P": 20}, gallery=["P"], expiresAt=START + (24 + 24) * HOUR)

    story = duo("opened-meanwhile", "A opens the event while B lowers the frames, then B does again: example 4.3",
                "R-18: B's first edit follows a draft, so it is valid: 6 frames, and by R-19 the event is open.",
                "R-18: B's second follows an opened charter of 6 frames and lowers them: not valid. 6 stay.")
    story.edit("opened", "A", 17, number(19, 1), "charter")
    story.edit("6 frames", "B", 6, number(4, 6), "charter")
    story.edit("3 frames", "B", 6, number(4, 3), "6 frames", "opened")
    story.edited = {6: struct.pack(">I", 6), 17: b"\1"}
    story.end(both)

    story = duo("no-way-around", "an edit that is not valid is followed by one that is higher than it: example 4.4",
                "R-18: 2 frames on an opened charter of 12: not valid.",
                "R-18: who follows it alone knew, through it, the first charter, opened, with 12: 3 is not valid either.",
                "R-18: 40 hours for keeping instead of 48 is in the guests' favour.", opened=True)
    story.edit("2 frames", "A", 6, number(4, 2), "charter")
    story.edit("3 frames", "A", 6, number(4, 3), "2 frames")
    story.edit("40 hours", "B", 8, number(5, 40), "charter")
    story.edit("41 hours", "B", 8, number(5, 41), "40 hours")
    story.edited = {8: struct.pack(">I", 40)}
    story.end(both)

    story = duo("edited-before-what-it-follows", "the second name is heard before the first one: example 4.5",
                "R-17: an edit is known once all that it follows is.", "R-19: the second follows the first.")
    story.edit("First", "A", 1, data(1, "First"), "charter")
    story.edit("Second", "B", 1, data(1, "Second"), "First")
    story.edited = {1: b"Second"}
    rest = [label for label in story.operations if label not in ("First", "Second")]
    story.end(both, orders=[[*rest, "Second", "First"], ["Second", *rest, "First"]])

    story = duo("edited-by-a-former-organizer", "an organizer edits, loses the role, and edits again: example 4.6",
                "R-18: the first was stated with rank 3, the second was not.",
                "R-17: but it is known, B having been made an organizer: so A's edit that follows it counts, too.",
                "R-19: A's category follows B's, which is not valid, and is as if that were not there.")
    story.edit("Barn", "B", 3, data(9, "Barn"), "charter")
    story.revoke("B no organizer", "event key", "B", "organizer", "Barn")
    story.edit("Garden", "B", 3, data(9, "Garden"), "Barn")
    story.edit("wedding", "B", 9, data(12, "wedding"), "charter")
    story.edit("birthday", "A", 9, data(12, "birthday"), "wedding")
    story.edited = {3: b"Barn", 9: b"birthday"}
    story.end({"A": "organizer", "B": "participant"})

    story = begin("edited-by-a-participant", "B, a participant, edits; A follows that",
                  "R-17: B was never an organizer, so its edit is not known, nor is A's, which follows it.")
    story.edit("B's", "B", 1, data(1, "Mine"), "charter")
    story.edit("A's", "A", 1, data(1, "Ours"), "B's")
    story.end(words(C=None))

    story = duo("edited-in-a-later-field", "a field that version 1 does not have, and one that it has",
                "8.4: any body: it is kept. 9.2: it numbers no field, so it changes none.")
    story.edit("later", "A", 19, data(1, "What is this"), "charter")
    story.edit("Party", "A", 1, data(1, "Party"), "charter")
    story.edited = {1: b"Party"}
    story.end(both)


def times():
    minute = 60_000
    no = number(4, 7)  # a value of which the edited field is 0; others are not read
    both = {"A": "organizer", "B": "participant"}

    def at(hours, minutes=0):
        return START + hours * HOUR + minutes * minute

    def shown(story, label, device, slot, moment):
        """A photo with its claim, of one time."""
        story.photo(label, device, at=moment)
        story.claim(f"claim of {label}", device, label, slot, at=moment, counter=1)

    def story_of(name, about, *why, hours=5, late=1, more=b"", opened=True, frames=12):
        story = Story(f"times-{name}", about, *why, frames=frames)
        story.charter(hours=hours, opened=opened, more=(number(24, late) if late else b"") + more)
        story.edited = {21: struct.pack(">I", late)}
        story.device("A", "event key")
        story.device("B", "A")
        return story

    story = story_of("around-the-event", "photos at both ends of the event, by a participant and an organizer: example 10.1",
                     "R-62: ten minutes before the start and after the end are within it; a millisecond more is not.",
                     "R-62: A, an organizer, has no limit, and so no times.")
    photos = [("too early", at(0, -10) - 1), ("early", at(0, -10)), ("first", at(0)), ("last", at(5)),
              ("late", at(5, 10)), ("too late", at(5, 10) + 1)]
    for slot, (label, moment) in enumerate(photos, 1):
        shown(story, label, "B", slot, moment)
    shown(story, "A's", "A", 1, at(40))
    story.end(both, {"too early": "waiting", "early": 2, "first": 3, "last": 4, "late": 5, "too late": "waiting", "A's": 1},
              gallery=["early", "first", "last", "late", "A's"])

    story = story_of("of-any-kind", "the same in an event that says nothing of times", "R-62: without `late` none is untimely.",
                     late=0)
    shown(story, "early", "B", 1, at(-1))
    shown(story, "late", "B", 2, at(8))
    story.end(both, {"early": 1, "late": 2}, gallery=["early", "late"])

    story = story_of("of-a-draft", "an event that is not open", "R-62: not opened: what a participant adds waits.", opened=False)
    shown(story, "photo", "B", 1, at(1))
    shown(story, "A's", "A", 1, at(1, 1))
    story.end(both, {"photo": "waiting", "A's": 1}, gallery=["A's"])

    story = story_of("of-grace", "late photos are accepted for an hour, then for none: example 10.2",
                     "R-19: the second edit follows the first: 0 minutes.", "R-62: so the photo waits, heard before or after.")
    story.edit("an hour", "A", 21, number(24, 61), "charter")
    story.edit("none", "A", 21, number(24, 1), "an hour")
    shown(story, "photo", "B", 1, at(5, 30))
    story.end(both, {"photo": "waiting"})

    story = story_of("of-grace-apart", "the event is made shorter, and late photos accepted, apart: example 10.2",
                     "R-19: two fields: both count. R-62: 4 hours and 60 minutes, and ten.")
    story.edit("4 hours", "A", 5, number(3, 4), "charter")
    story.edit("an hour", "event key", 21, number(24, 61), "charter")
    shown(story, "photo", "B", 1, at(4, 59))
    shown(story, "other", "B", 2, at(5, 11))
    story.charters["charter"] = "Garden party", 4, 12, "", True
    story.edited = {21: struct.pack(">I", 61)}
    story.end(both, {"photo": 1, "other": "waiting"}, gallery=["photo"])

    def closed(name, about, *why):
        story = story_of(name, about, *why)
        shown(story, "before", "B", 1, at(1, 50))
        shown(story, "after", "B", 2, at(3))
        story.edit("closed", "A", 18, number(20, 1), "charter", at=at(2))
        return story

    story = closed("of-a-closed-event", "the event is closed before its end: example 10.3",
                   "R-60: it is over at the time of that edit.", "R-62: the photo of an hour later waits.")
    story.edited = {18: b"\1", 21: struct.pack(">I", 1)}
    story.end(both, {"before": 1, "after": "waiting"}, gallery=["before"])

    story = closed("of-an-event-opened-again", "and opened again: example 10.3",
                   "R-60: it is not closed: over at its end.", "R-62: both photos are in time.")
    story.edit("opened again", "A", 18, no, "closed", at=at(3, 30))
    story.edited = {18: b"\0", 21: struct.pack(">I", 1)}
    story.end(both, {"before": 1, "after": 2}, gallery=["before", "after"])

    story = story_of("that-go-back", "a timestamp that is earlier than that of an operation before it: example 10.4",
                     "R-59: the photo follows the name, so it is no earlier.", "R-62: it waits.",
                     "R-59: the other copy of the device does not follow it: its photo is in time.")
    shown(story, "honest", "B", 1, at(1))
    story.call("name", "B", "Ben", at=at(6))
    shown(story, "photo", "B", 2, at(2))
    story.copy_goes_on("B", "claim of honest")
    story.photo("of the copy", "B", at=at(3))
    story.claim("claim of the copy", "B", "of the copy", 3)
    story.end(both, {"honest": 1, "photo": "waiting", "of the copy": 3}, names={"B": "name"},
              gallery=["honest", "of the copy"],
              orders=[[label for label in story.operations if label != "name"] + ["name"]])

    story = story_of("proof-missing", "the operation between is not here",
                     "R-59: nothing proves that the photo follows the name: its timestamp counts.")
    story.call("name", "B", "Ben", at=at(6))
    story.call("between", "B", "Benny", at=at(6, 1))
    shown(story, "photo", "B", 1, at(2))
    story.lose("between")
    story.end(both, {"photo": 1}, names={"B": "name"}, gallery=["photo"])

    story = story_of("of-days", "two frames a day, for two days and an hour: example 10.6",
                     "R-61: on the first day there are 2, on the second 4, on the third, of an hour, 6, and never more.",
                     "R-62: in time; R-28: beyond the roll of its day a photo waits.", hours=49, more=number(25, 1), frames=2)
    for slot, (label, moment) in enumerate((
            ("first", at(1)), ("second", at(23, 59)), ("third", at(23, 59) + 1), ("fourth", at(24)), ("fifth", at(48) - 1),
            ("sixth", at(48)), ("seventh", at(49, 9))), 1):
        shown(story, label, "B", slot, moment)
    story.edited |= {22: b"\1"}
    story.end(both, {"first": 1, "second": 2, "third": "waiting", "fourth": 4, "fifth": "waiting", "sixth": 6,
                     "seventh": "waiting"}, gallery=["first", "second", "fourth", "sixth"])

    story = story_of("of-days-taken-back", "an organizer takes the days back in an open event, and another in a draft gave them",
                     "R-18: against the guests: not valid.", more=number(25, 1), frames=2, hours=30)
    story.edit("in all", "A", 22, no, "charter")
    shown(story, "photo", "B", 4, at(25))
    story.edited |= {22: b"\1"}
    story.end(both, {"photo": 4}, gallery=["photo"])

    story = story_of("of-a-draft-that-lies", "a draft whose start is not decided",
                     "9.10: forgotten 48 hours after 8,784 hours from its nominal start.", opened=False, more=number(26, 1))
    story.edited |= {23: b"\1"}
    story.end(both, expiresAt=START + (8_784 + 48) * HOUR)

    story = story_of("of-opening", "such a draft is opened a day later",
                     "R-19: it starts then; R-62: what was added before waits.", opened=False, more=number(26, 1))
    shown(story, "trial", "B", 1, at(1))
    story.edit("start", "A", 4, number(2, at(24)), "charter", at=at(24))
    story.edit("decided", "A", 23, no, "charter", at=at(24), counter=1)
    story.edit("opened", "A", 17, number(19, 1), "charter", at=at(24), counter=2)
    shown(story, "photo", "B", 2, at(28))
    story.edited |= {4: struct.pack(">Q", at(24)), 17: b"\1"}
    story.end(both, {"trial": "waiting", "photo": 2}, gallery=["photo"], expiresAt=at(24 + 5 + 48))


def moments():
    minute, noon = 60_000, START // 60_000 % 1440  # of the day at the start
    both = {"A": "organizer", "B": "participant"}

    def hours(first, last, offset=0):
        return data(27, number(1, first) + number(2, last) + number(3, (offset << 1) ^ (offset >> 31)))

    def digested(first, last, offset=0):
        return {24: struct.pack(">IIi", first, last, offset)}

    def links(story):
        """Hashlib alone: the last link comes from the salt, each other one from the one after it."""
        def derive(parent, context):
            return hashlib.blake2b(b"disposable/1 " + context + b"\0" + EVENT, key=parent, digest_size=32).digest()
        chain = [derive(story.salt("charter"), b"moment key")]
        for _ in range(30):
            chain.append(derive(chain[-1], b"moment link"))
        return chain[::-1]

    def chosen(story, day, count):
        return int.from_bytes(links(story)[day][:8], "big") % count

    def answer(story, days, photos):
        chain = links(story)
        return {"commitment": chain[0].hex(),
                "days": [{"day": day, "startsAt": at, "link": chain[day].hex()} for day, at in days.items()],
                "photos": {label: {"day": day, "late": late} for label, (day, late) in photos.items()}}

    def story_of(name, about, *why, given, span=5, **options):
        story = Story(f"moments-{name}", about, *why)
        story.charter(hours=span, more=hours(*given), **{"opened": True, **options})
        story.edited = digested(*given)
        story.device("A", "event key")
        story.device("B", "A")
        return story

    def shown(story, label, slot, moment, device="B"):
        story.photo(label, device, at=moment)
        story.claim(f"claim of {label}", device, label, slot, at=moment, counter=1)

    one = noon + 60, noon + 61  # a single minute: an hour after the start
    begin = START + HOUR

    story = story_of("around-one", "photos at both ends of a moment: example 12.1",
                     "R-64: the hours have one minute.",
                     "R-66: five minutes from it; then a minute for late ones; then photos as any others.",
                     "R-67: all have their frames.", given=one)
    times = {"before": begin - 1, "first": begin, "last": begin + 5 * minute - 1, "late": begin + 5 * minute,
             "last late": begin + 6 * minute - 1, "after": begin + 6 * minute}
    for slot, (label, moment) in enumerate(times.items(), 1):
        shown(story, label, slot, moment)
    story.end(both, {label: slot for slot, label in enumerate(times, 1)}, gallery=list(times), moments=answer(
        story, {1: begin}, {"first": (1, False), "last": (1, False), "late": (1, True), "last late": (1, True)}))

    story = story_of("of-days", "three days and an hour, hours past midnight at a place ahead of UTC",
                     "R-64: each day of 24 hours has its own minute; the last one, of an hour, none within the hours.",
                     given=((noon + 600 + 330) % 1440, (noon + 720 + 330) % 1440, 330), span=73)
    begins = {day: START + (day - 1) * 24 * HOUR + (600 + chosen(story, day, 120)) * minute
              for day in (1, 2, 3)}
    shown(story, "other", 1, begins[2] - minute)
    shown(story, "photo", 2, begins[3] + minute)
    story.end(both, {"other": 1, "photo": 2}, gallery=["other", "photo"],
              moments=answer(story, begins, {"photo": (3, False)}))

    story = story_of("of-a-closed-event", "the event is closed before the moment: example 12.2",
                     "R-65: the moment would begin when it is over: it does not take place.", given=one)
    shown(story, "photo", 1, begin + minute)
    story.edit("closed", "A", 18, number(20, 1), "charter", at=begin - 1)
    story.edited |= {18: b"\1"}
    story.end(both, {"photo": 1}, gallery=["photo"], moments=answer(story, {}, {}))

    story = story_of("of-a-draft", "a draft", "R-63: not opened: there are none.", given=one, opened=False)
    shown(story, "photo", 1, begin)
    story.end(both, {"photo": 1}, gallery=["photo"])

    story = story_of("of-other-hours", "an organizer changes the hours, and another, apart, takes them away: example 12.3",
                     "R-19: the event key's counts: the photo belongs to the moment of the new minute.", given=one)
    later = one[0] + 60, one[1] + 60
    story.edit("later", "event key", 24, hours(*later), "charter")
    story.edit("none", "A", 24, number(4, 1), "charter")
    shown(story, "early", 1, begin)
    shown(story, "photo", 2, begin + HOUR)
    story.edited = digested(*later)
    story.end(both, {"early": 1, "photo": 2}, gallery=["early", "photo"],
              moments=answer(story, {1: begin + HOUR}, {"photo": (1, False)}))

    story = story_of("that-go-back", "a photo that is dated back into the moment",
                     "R-59: it follows the name, so it is no earlier. R-66: it belongs to no moment.", given=one)
    story.call("name", "B", "Ben", at=begin + HOUR)
    shown(story, "photo", 1, begin + minute)
    story.end(both, {"photo": 1}, names={"B": "name"}, gallery=["photo"], moments=answer(story, {1: begin}, {}))


def options():
    both = {"A": "organizer", "B": "participant"}
    no = number(4, 7)  # a value of which the edited field is 0

    def story_of(name, about, *why, more=b""):
        story = Story(f"options-{name}", about, *why, frames=12)
        story.charter(opened=True, more=more)
        story.device("A", "event key")
        story.device("B", "A")
        return story

    def u32(value):
        return struct.pack(">I", value)

    story = story_of("of-a-charter", "an event that was founded with every option", "9.17, 9.8: all five are in the digest.",
                     more=number(30, 1) + number(31, 1) + number(32, 2) + number(33, 61) + number(34, 3))
    story.edited = {27: u32(1), 28: b"\1", 29: u32(2), 30: u32(61), 31: u32(3)}
    story.end(both)

    story = story_of("after-a-photo", "videos are refused, and names required, after a photo of somebody without one: example 13.1",
                     "R-68, R-71: options make nothing void.")
    story.shown("photo", "B", 1)
    story.edit("names", "A", 27, number(30, 1), "charter")
    story.edit("no videos", "A", 30, number(33, 1), "charter")
    story.shown("later", "B", 2)
    story.edited = {27: u32(1), 30: u32(1)}
    story.end(both, {"photo": 1, "later": 2}, gallery=["photo", "later"])

    story = story_of("at-once", "an organizer and the event key edit one option at once: example 13.2", "R-19: the event key's counts.")
    story.edit("none", "A", 29, number(32, 2), "charter")
    story.edit("own", "event key", 29, number(32, 1), "charter")
    story.edited = {29: u32(1)}
    story.end(both)

    story = story_of("taken-back", "an option of an opened event is taken back", "R-18 names none of them: valid.",
                     "9.8: at 0 it is not in the digest.", more=number(31, 1) + number(34, 5))
    story.edit("any", "A", 28, no, "charter")
    story.edit("film", "A", 31, no, "charter")
    story.end(both)

    story = story_of("of-the-wall", "organizers ask for the code on the wall, apart, and one of them no longer",
                     "9.17: no operation is void because of it.", "R-19, 9.8: the event key's counts, and is in the digest.")
    story.edit("off", "A", 36, no, "charter")
    story.edit("on", "event key", 36, number(40, 1), "charter")
    story.edited = {36: bytes([1])}
    story.end(both)

    story = story_of("of-photos-at-once", "organizers limit the photos that a guest chooses at once, apart, and a later photo stays",
                     "9.17: no operation is void because of it.", "R-19, 9.8: the event key's counts, and is in the digest.",
                     "§13: an edit that follows nothing is kept, and counts for nothing.")
    story.edit("five", "A", 37, number(41, 5), "charter")
    story.edit("ten", "event key", 37, number(41, 10), "charter")
    story.edit("one", "event key", 37, number(41, 1))
    story.shown("photo", "B", 1)
    story.edited = {37: u32(10)}
    story.end(both, {"photo": 1}, gallery=["photo"])

    story = story_of("of-a-later-theme", "colours that only a later version knows", "R-72: kept, and in the digest.")
    story.edit("theme", "A", 31, number(34, 200), "charter")
    story.edited = {31: u32(200)}
    story.end(both)


def positions():
    both = {"A": "organizer", "B": "participant"}

    def position(latitude, longitude):
        return data(39, number(1, latitude << 1 ^ latitude >> 31) + number(2, longitude << 1 ^ longitude >> 31), present=True)

    def digested(latitude, longitude):
        return {35: struct.pack(">Bii", 1, latitude, longitude)}

    def story_of(name, about, *why, more=b""):
        story = Story(f"position-{name}", about, *why)
        story.charter(opened=True, more=more)
        story.device("A", "event key")
        story.device("B", "A")
        return story

    story = story_of("of-an-edit", "an organizer says where the event is", "9.8: the position is in the digest.")
    story.edit("there", "A", 35, position(47_243, -6_022), "charter")
    story.edited = digested(47_243, -6_022)
    story.end(both)

    story = story_of("at-zero", "an event where the equator meets the first meridian",
                     "9.8: the value begins with 1, so it differs from no position.", more=position(0, 0))
    story.edited = digested(0, 0)
    story.end(both)

    story = story_of("taken-away", "an organizer takes the position of an opened event away", "R-18 does not name it: valid.",
                     "9.8: without a value it is not in the digest.", more=position(47_243, 6_022))
    story.edit("nowhere", "A", 35, number(4, 7), "charter")
    story.end(both)

    story = story_of("at-once", "an organizer and the event key edit the position at once", "R-19: the event key's counts.")
    story.edit("here", "A", 35, position(1_000, 1_000), "charter")
    story.edit("there", "event key", 35, position(-90_000, 180_000), "charter")
    story.edited = digested(-90_000, 180_000)
    story.end(both)


def missions():
    both = {"A": "organizer", "B": "participant"}
    dance, table, late = (70, "the first dance"), (3_000_000_000, "your table"), (9, "le gâteau")

    def listed(*entries):
        return b"".join(data(35, number(1, identity) + data(2, text)) for identity, text in entries)

    def digested(*entries):
        return {32: b"".join(struct.pack(">II", identity, len(text.encode())) + text.encode() for identity, text in entries)}

    def story_of(name, about, *why, entries=(dance, table)):
        story = Story(f"missions-{name}", about, *why)
        story.charter(opened=True, more=listed(*entries))
        story.edited = digested(*entries)
        story.device("A", "event key")
        story.device("B", "A")
        return story

    story = story_of("answered", "photos of missions, changed and withdrawn",
                     "R-75: of B's answers the one with the highest sequence; P answers the table, Q none.",
                     "R-76: the digest has the mission of P.")
    for slot, label in enumerate("PQR", 1):
        story.shown(label, "B", slot)
    story.answer("P dance", "B", "P", 70)
    story.answer("P table", "B", "P", 3_000_000_000)
    story.answer("Q dance", "B", "Q", 70)
    story.answer("Q none", "B", "Q", 70 + (1 << 32))
    story.end(both, {"P": 1, "Q": 2, "R": 3}, gallery=["P", "Q", "R"], missions={"P": 3_000_000_000})

    story = story_of("of-others", "answers of others, and arguments that are none: example 14.2",
                     "R-75: A and the event key are not P's author; 0, 2^32 and more than 2^33 are no answers; 71 is not listed.")
    story.shown("P", "B", 1)
    story.answer("A's", "A", "P", 70)
    story.answer("the key's", "event key", "P", 70)
    for argument in (71, 0, 1 << 32, (1 << 33) + 70, (1 << 64) - 1):
        story.answer(f"B's {argument}", "B", "P", argument)
    story.end(both, {"P": 1}, gallery=["P"])

    story = story_of("at-two-nodes", "one guest answers at two nodes: example 14.1",
                     "R-75 with R-39: of two devices' answers the one with the later timestamp counts: K's.",
                     "R-75 with R-39: copies of K's device choose in one place: the smaller id counts.")
    story.device("K", "A", "G")
    story.device("L", "B", "G")
    story.shown("P", "K", 1, at=START)
    story.shown("Q", "K", 2, at=START + 1)
    story.answer("L's", "L", "P", 70, at=START + 2_000)
    story.answer("K's", "K", "P", 3_000_000_000, at=START + 3_000)
    story.answer("Q table", "K", "Q", 3_000_000_000, at=START + 4_000, sequence=40)
    story.smaller("Q dance", "Q table", lambda n: story.answer("Q dance", "K", "Q", 70, at=START + 4_000, sequence=40, counter=n))
    story.end(both | {"K": ("participant", "G"), "L": ("participant", "G")}, {"P": 1, "Q": 2}, gallery=["P", "Q"],
              missions={"P": 3_000_000_000, "Q": 70})

    story = story_of("of-two-lists", "two organizers add missions at once: example 14.3",
                     "R-19: the event key's list counts.", "R-74: the ids differ, so P answers none of it.", entries=())
    story.edit("A's list", "A", 32, listed(late), "charter")
    story.shown("P", "B", 1)
    story.answer("P's", "B", "P", 9)
    story.edit("the key's list", "event key", 32, listed(dance), "charter")
    story.edited = digested(dance)
    story.end(both, {"P": 1}, gallery=["P"])

    story = story_of("taken-away", "a mission is reworded and moved, another one removed; an answer is hidden",
                     "R-75: P answers the mission of its id, whatever its words and place; Q's is not listed.",
                     "R-38: A hides B's second answer of R, and the first counts.")
    for slot, label in enumerate("PQR", 1):
        story.shown(label, "B", slot)
    story.answer("P dance", "B", "P", 70)
    story.answer("Q table", "B", "Q", 3_000_000_000)
    story.answer("R dance", "B", "R", 70)
    story.answer("R table", "B", "R", 3_000_000_000)
    story.hide("R table hidden", "A", "R table")
    story.edit("list", "A", 32, listed(late, (70, "the last dance")), "charter")
    story.edited = digested(late, (70, "the last dance"))
    story.end(both, {"P": 1, "Q": 2, "R": 3}, gallery=["P", "Q", "R"], missions={"P": 70, "R": 70})


def reveals():
    secret, other = blake2b(b"reveal secret"), blake2b(b"another secret")
    begin = party("reveal")

    def sealed(name, about, *why):
        return begin(name, about, *why, reveal_key=crypto_scalarmult_base(secret))

    story = sealed("none", "photos are sealed and nobody reveals", "9.8: something is sealed: the digest ends with 0.")
    story.shown("P", "B", 1)
    story.end(words(), {"P": 1}, gallery=["P"], is_revealed=False)

    story = sealed("false", "a member, impatient, states a reveal with a scalar of its own: example 5.1",
                   "11.2: its public half is not the first charter's reveal key: nothing happens.")
    story.reveal("B's", "B", other)
    story.end(words(), is_revealed=False)

    story = sealed("early-by-a-member", "a member who got hold of the secret reveals a day before the start",
                   "11.2: it counts, whoever states it; no operation is void because of its time.",
                   "9.8: nothing is sealed any more: the digest ends with 1.")
    story.reveal("B's", "B", secret, at=START - DAY)
    story.end(words())

    story = sealed("by-somebody-put-out", "somebody who was put out reveals after that",
                   "R-6: the operation is void. 11.2: what a reveal gives is the secret itself, so it counts all the same.")
    story.remove_member("B put out", "A", "B", "join of B by A")
    story.reveal("B's", "B", secret)
    story.end(words(B=None))

    story = sealed("true-and-false", "the host's reveal, twice, and a false one", "11.2: of several the smallest id; the "
                   "false one is none.")
    story.reveal("false", "C", other)
    story.reveal("A's", "A", secret)
    story.reveal("the key's", "event key", secret)
    story.end(words())

    story = sealed("key-by-edit", "an edit brings another reveal key, and somebody has its secret half: example 5.3",
                   "R-16: the first charter's reveal key is never changed; of the edit only its field is read: by host.")
    story.edit("by host", "A", 7, number(10, 3) + data(21, crypto_scalarmult_base(other)), "charter")
    story.reveal("with the other", "A", other)
    story.edited = {7: b"\3"}
    story.end(words(), is_revealed=False)

    story = begin("of-what-is-open", "a reveal in an event that seals nothing", "9.8: nothing is sealed, with or without it.")
    story.reveal("B's", "B", secret)
    story.end(words())


def cheats():
    begin = party("roll")

    story = begin("beyond-the-frames", "slots beyond the roll, near and far; frames given by A and, in vain, by C: 3.2",
                  "R-27: 3 frames, and 1 by A, an organizer; C's 50 do not count, nor do A's 0 and 1,001.",
                  "R-28: slots 5, 1000 and the last one are beyond the roll: they wait.", frames=3)
    slots = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "thousand": 1000, "last": 2**64 - 1}
    for label, slot in slots.items():
        story.shown(label, "B", slot)
    story.give("1 by A", "A", "B", 1)
    story.give("50 by C", "C", "B", 50)
    story.give("0 by A", "A", "B", 0)
    story.give("1001 by A", "A", "B", 1001)
    story.end(words(), {label: slot if slot < 5 else "waiting" for label, slot in slots.items()},
              gallery=["one", "two", "three", "four"])

    story = begin("of-a-cloned-device", "a folder is copied; both go on, and one adds more: example 3.1",
                  "R-25: the claims to slot 2 have sequence 3 both: the copy's has the smaller id and holds it.",
                  "R-26: the device claims slot 3 for its own, with sequence 5, where the copy's claim has 7: frame 3.",
                  "R-25: so the copy's second photo waits; the photo without a claim does, too (R-28).")
    story.shown("before", "B", 1)
    story.shown("device's", "B", 2)
    story.photo("device's next", "B")
    story.claim("device's claims 3", "B", "device's", 3)
    story.copy_goes_on("B", "claim of before")
    story.photo("copy's", "B", counter=1)
    story.smaller("claim of copy's", "claim of device's",
                  lambda n: story.claim("claim of copy's", "B", "copy's", 2, counter=n))
    for filler in ("X", "Y"):
        story.call(filler, "B", filler)
    story.photo("copy's second", "B", counter=2)
    story.claim("claim of copy's second", "B", "copy's second", 3)
    story.end(words(), {"before": 1, "device's": 3, "device's next": "waiting", "copy's": 2, "copy's second": "waiting"},
              gallery=["before", "device's", "copy's"], names={"B": "Y"})

    story = begin("of-a-clone-that-was-put-out", "a copy takes a slot by patience, and is put out with the device",
                  "R-25: the copy's claim to slot 1 has the smaller id of two with sequence 1.",
                  "R-6: but it is not left, so it counts for nothing: R-25: the device's holds slot 1.")
    story.shown("device's", "B", 1)
    story.remove_member("B put out", "A", "B", "join of B by A", "claim of device's")
    story.copy_goes_on("B")
    story.photo("copy's", "B", counter=1)
    story.smaller("claim of copy's", "claim of device's",
                  lambda n: story.claim("claim of copy's", "B", "copy's", 1, counter=n))
    story.end(words(B=None), {"device's": 1}, gallery=["device's"])

    story = begin("of-a-former-photographer", "a photographer loses the role",
                  "R-27: the roll has an end again; what was claimed beyond it waits, and holds its slot.", frames=1)
    story.grant("B photographer", "A", "B", "photographer")
    story.shown("one", "B", 1)
    story.shown("two", "B", 2)
    story.revoke("B no photographer", "A", "B", "photographer", "join of B by A")
    story.end(words(), {"one": 1, "two": "waiting"}, gallery=["one"])


def later_versions():
    begin = party("critical")

    story = begin("by-an-organizer", "an organizer states what only a later version knows, and must be known",
                  "R-52: a newer version is needed; 9.8: so there is no digest. The rest is as it is known here.")
    story.shown("P", "B", 1)
    story.later("A's", "A")
    story.end(words(), {"P": 1}, gallery=["P"], needs_newer=True)

    story = begin("in-content", "the same in the content set, by the event key", "R-52: rank 4 is at least 3. 8.3: the bit "
                  "says which set it is in.")
    story.later("the key's", "event key", in_authority=False)
    story.end(words(), needs_newer=True)

    story = begin("by-others", "a participant, a moderator, a guest and a stranger state such operations",
                  "R-52: they have rank 1 and 2, so nothing follows; the stranger's is in no set.")
    story.grant("C moderator", "A", "C", "moderator")
    story.device("K", "A", guest="G")
    story.device("D")
    for device in ("B", "C", "K", "D"):
        story.later(f"{device}'s", device)
        story.later(f"{device}'s content", device, in_authority=False)
    story.end({**words(C="moderator"), "K": ("participant", "G")}, waiting=["D's", "D's content"])

    story = begin("by-a-former-organizer", "after the event key has taken the role", "R-11: it is not left: rank 1.",
                  "R-52: so nothing follows.")
    story.grant("B organizer", "event key", "B", "organizer")
    story.revoke("B no organizer", "event key", "B", "organizer", "join of B by A")
    story.later("B's", "B")
    story.end(words())

    story = begin("by-who-was-put-out", "an organizer's, who was put out by somebody who did not name it",
                  "R-6: void; R-11: rank 1. R-52: nothing follows.")
    story.grant("B organizer", "event key", "B", "organizer")
    story.remove_member("B put out", "event key", "B", "join of B by A")
    story.later("B's", "B")
    story.end(words(B=None))

    story = begin("before-losing-the-role", "what a former organizer stated before, and the event key named",
                  "R-11: it was stated with rank 3. R-52: a newer version is needed.")
    story.grant("B organizer", "event key", "B", "organizer")
    story.later("B's", "B")
    story.revoke("B no organizer", "event key", "B", "organizer", "B's")
    story.end(words(), needs_newer=True)

    story = begin("on-a-known-kind", "an organizer's name and epoch with the flag",
                  "R-52: the flag says something of unknown kinds alone.", "R-35: the name counts.")
    story.call("A's name", "A", "Anna", flags=CRITICAL)
    story.end(words(), names={"A": "A's name"})


def approvals():
    begin = party("approval")

    def moderated(name, about, *why, rule=2):
        """B is a moderator, K signs for the guest G."""
        story = begin(name, about, *why)
        story.grant("B moderator", "A", "B", "moderator")
        story.device("K", "A", guest="G")
        story.approval(f"rule {rule}", "A", rule)
        return story

    def who(**others):
        return {**words(B="moderator"), "K": ("participant", "G"), **others}

    story = moderated("all", "under rule 2 participants' photos wait; an organizer's and a moderator's do not",
                      "R-57: P and Q are by participants. O and M were stated with rank 3 and 2.",
                      "R-56: S is approved.", "R-55: C's approval of its own P has rank 1.")
    for label, device, slot in (("O", "A", 1), ("M", "B", 1), ("P", "C", 1), ("S", "C", 2), ("Q", "K", 1)):
        story.shown(label, device, slot)
    story.approve("B approves S", "B", "S")
    story.approve("C approves P", "C", "P")
    story.end(who(), {"O": 1, "M": 1, "P": [1], "S": 2, "Q": [1]}, gallery=["O", "M", "S"])

    story = moderated("first", "under rule 1 one approved photo is enough for all of its author, also when it is gone",
                      "R-57: P and S are by C, whose R is approved, and removed. Q's author has none.",
                      "R-5: L signs for G as K does: T is by the same author as U, which is approved.", rule=1)
    story.device("L", "A", guest="H")
    story.device("N", "B", guest="H")
    for label, device, slot in (("P", "C", 1), ("R", "C", 2), ("S", "C", 3), ("Q", "K", 1), ("T", "L", 1), ("U", "N", 2)):
        story.shown(label, device, slot)
    story.approve("B approves R and U", "B", "R", "U")
    story.remove("C takes R back", "C", "R")
    story.end(who(L=("participant", "H"), N=("participant", "H")),
              {"P": 1, "R": "removed", "S": 3, "Q": [1], "T": 1, "U": 2}, gallery=["P", "S", "T", "U"])

    story = moderated("apart", "approved by one moderator, hidden by another at once",
                      "R-58: P is hidden. Q was put back, and its approval stands: frame 2.")
    story.shown("P", "C", 1)
    story.shown("Q", "C", 2)
    story.approve("B approves both", "B", "P", "Q")
    story.hide("A hides P", "A", "P")
    story.hide("A hides Q", "A", "Q")
    story.unhide("B puts Q back", "B", "Q", "A hides Q")
    story.end(who(), {"P": "hidden", "Q": 2}, gallery=["Q"])

    story = moderated("withdrawn", "approved twice, and the approval withdrawn that one knew",
                      "R-56: A's approval of P is not named: it stands. That of Q is named; the one of R is named under another "
                      "subject, and by somebody without the rank.")
    for slot, label in enumerate("PQR", 1):
        story.shown(label, "C", slot)
    story.approve("B approves all", "B", "P", "Q", "R")
    story.approve("A approves P", "A", "P")
    story.unapprove("B withdraws P's", "B", "P", "B approves all")
    story.unapprove("A withdraws Q's", "A", "Q", "B approves all", "A approves P")
    story.unapprove("C withdraws R's", "C", "R", "B approves all")
    story.end(who(), {"P": 1, "Q": [2], "R": 3}, gallery=["P", "R"])

    story = moderated("by-a-former-moderator", "what B approved before the role was revoked, and after",
                      "R-55: P's approval is left by the revocation; Q's is not, and has rank 1.")
    story.shown("P", "C", 1)
    story.shown("Q", "C", 2)
    story.approve("B approves P", "B", "P")
    story.revoke("B no moderator", "A", "B", "moderator", "B approves P")
    story.approve("B approves Q", "B", "Q")
    story.end(who(B="participant"), {"P": 1, "Q": [2]}, gallery=["P"])

    story = moderated("two-rules", "two organizers set a rule apart, and the event key follows both",
                      "R-54: rule 0 by the event key follows the two others, which count no more.", rule=1)
    story.grant("C organizer", "event key", "C", "organizer")
    story.approval("C's rule 2", "C", 2)
    story.approval("rule 0", "event key", 0, "rule 1", "C's rule 2")
    story.shown("P", "K", 1)
    story.end(who(C="organizer"), {"P": 1}, gallery=["P"])

    story = moderated("two-rules-apart", "two organizers set a rule apart", "R-54: the stricter is in force: Q waits, although "
                      "P is approved.", rule=1)
    story.grant("C organizer", "event key", "C", "organizer")
    story.approval("C's rule 2", "C", 2)
    story.shown("P", "K", 1)
    story.shown("Q", "K", 2)
    story.approve("B approves P", "B", "P")
    story.end(who(C="organizer"), {"P": 1, "Q": [2]}, gallery=["P"])

    story = moderated("rule-by-a-former-organizer", "a rule that follows all is void",
                      "R-54: C's rule 0 has rank 1 and counts for nothing, so rule 2 is in force. A participant's neither. The rule "
                      "by A that follows C's, near or far, makes the first one void.")
    story.grant("C organizer", "event key", "C", "organizer")
    story.revoke("C no organizer", "event key", "C", "organizer", "join of C by A")
    story.approval("C's rule 0", "C", 0, "rule 2")
    story.approval("K's rule 0", "K", 0, "rule 2")
    story.approval("rule 1", "A", 1, "C's rule 0")
    story.shown("P", "K", 1)
    story.shown("Q", "K", 2)
    story.approve("B approves P", "B", "P")
    story.end(who(), {"P": 1, "Q": 2}, gallery=["P", "Q"])

    story = moderated("photographer", "a photographer's photos do not wait, and a former one's do",
                      "R-57: C has a roll without end by R-27; K's guest has not, any more.")
    story.grant("C photographer", "A", "C", "photographer")
    story.grant("G photographer", "A", "G", "photographer")
    story.revoke("G no photographer", "A", "G", "photographer", "join of K by A")
    story.shown("P", "C", 40)
    story.shown("Q", "K", 1)
    story.end(who(), {"P": 40, "Q": [1]}, gallery=["P"])

    story = moderated("beyond-the-roll", "approved, and beyond the frames; and a rule of a later number",
                      "R-28: P has no slot of the roll: waiting.", "R-54: more than 2 is as 2: Q is pending.", rule=1)
    story.approval("rule 9", "A", 9, "rule 1", flags=0)
    story.shown("P", "C", 13)
    story.shown("Q", "C", 1)
    story.approve("B approves P", "B", "P")
    story.end(who(), {"P": "waiting", "Q": [1]})


def page_sealings():
    begin = party("page-sealing")
    who = words()

    story = begin("switched", "a participant switches page sealing on, then an organizer", "R-106: the participant's rank is too low; the organizer's setting counts.")
    story.page_sealing("B's", "B")
    story.page_sealing("A's", "A")
    story.shown("P", "C", 1)
    story.end(who, {"P": 1}, gallery=["P"], pageSealing=True)

    story = begin("off", "an organizer switches it off", "R-106: the one setting that counts is erased.",
                  "R-106: B's own setting never counted.")
    story.page_sealing("B's", "B")
    story.page_sealing("A's", "A")
    story.erase("A switches off", "A", "A's")
    story.end(who, pageSealing=False)

    story = begin("meanwhile", "one organizer switches it off, another on, apart", "R-106: the erase names the first setting only.")
    story.grant("B organizer", "event key", "B", "organizer")
    story.page_sealing("A's", "A")
    story.erase("A switches off", "A", "A's")
    story.page_sealing("B's", "B")
    story.end(words(B="organizer"), pageSealing=True)

    story = begin("removed", "an organizer removes the own setting, after the revocation of the role, and a moderator hides it",
                  "R-106: only an erase by an organizer switches it off.")
    story.grant("B organizer", "event key", "B", "organizer")
    story.grant("C moderator", "A", "C", "moderator")
    story.page_sealing("B's", "B")
    story.revoke("B no organizer", "event key", "B", "organizer", "B's")
    story.remove("B's, removed", "B", "B's")
    story.hide("B's, hidden", "C", "B's")
    story.end(words(C="moderator"), pageSealing=True)

    story = begin("former-organizer", "an organizer whose role is revoked without the setting", "R-11: the revocation leaves the grant only, so the setting has no rank.")
    story.grant("B organizer", "event key", "B", "organizer")
    story.page_sealing("B's", "B")
    story.revoke("B no organizer", "event key", "B", "organizer", "B organizer")
    story.end(who, pageSealing=False)


def twins():
    begin = party("twin")
    who = words()

    def of(*numbers):
        return [event_of(key(0xE0 + each)).hex() for each in numbers]

    story = begin("joined", "a participant joins the gallery with another one, then an organizer, who removes it", "R-117: the participant's rank is too low.",
                  "R-117: a remove and a hide change nothing.")
    story.grant("C moderator", "A", "C", "moderator")
    story.twin("B's", "B", 0)
    story.twin("A's", "A", 1)
    story.remove("A's, removed", "A", "A's")
    story.hide("A's, hidden", "C", "A's")
    story.shown("P", "B", 1)
    story.end(words(C="moderator"), {"P": 1}, gallery=["P"], twins=of(1))

    story = begin("ended", "an organizer ends it", "R-117: the one twinning that counts is erased.")
    story.twin("A's", "A", 0)
    story.erase("A ends it", "A", "A's")
    story.end(who, twins=[])

    story = begin("renewed", "one organizer ends it, another renews it, apart", "R-117: A's erase names the first twinning only.")
    story.grant("B organizer", "event key", "B", "organizer")
    story.twin("A's", "A", 0)
    story.erase("A ends it", "A", "A's")
    story.twin("B's", "B", 0)
    story.erase("B ends A's", "B", "A's")
    story.end(words(B="organizer"), twins=of(0))

    story = begin("agreements", "agreements that are none, and one by an organizer of the other event",
                  "R-118: for a third event; by a moderator; about another event; about the own one.", "R-118: the last one is by an organizer.")
    olga = key(0xF0)
    story.twin("for a third event", "A", 0, other=bytes([3]) * 32)
    story.twin("by a moderator", "A", 1, organizer=olga, grant=grant_proof(key(0xE1), olga, role=2))
    story.twin("about another event", "A", 2, about=event_of(key(0xE3)))
    story.add("about itself", "A", TWINNING, twinning_body(EVENT_KEY), subject=EVENT, flags=AUTHORITY, set=True)
    story.add("of nothing", "A", TWINNING, b"no salt", subject=event_of(key(0xE4)), flags=AUTHORITY, set=True)
    story.twin("by an organizer", "A", 5, organizer=olga, grant=grant_proof(key(0xE5), olga))
    story.end(who, twins=of(5))

    story = begin("former-organizer", "an organizer whose role is revoked without the twinning", "R-11: the revocation leaves the grant only, so the twinning has no rank.")
    story.grant("B organizer", "event key", "B", "organizer")
    story.twin("B's", "B", 0)
    story.revoke("B no organizer", "event key", "B", "organizer", "B organizer")
    story.end(who, twins=[])

    story = begin("five", "five others, the last of which was named before the fourth", "R-119: those that were named first.")
    story.grant("B organizer", "event key", "B", "organizer")
    for number_ in range(4):
        story.twin(f"A's {number_}", "A", number_, at=START + 1000 * number_)
    story.twin("B's", "B", 4, at=START + 2500)
    story.twin("B's 3", "B", 3, at=START + 2700)
    story.end(words(B="organizer"), twins=of(0, 1, 2, 4))

    story = begin("fifth-place", "the first of five is ended", "R-119: the next one takes its place.")
    story.grant("B organizer", "event key", "B", "organizer")
    for number_ in range(4):
        story.twin(f"A's {number_}", "A", number_, at=START + 1000 * number_)
    story.twin("B's", "B", 4, at=START + 2500)
    story.erase("A ends one", "A", "A's 0")
    story.end(words(B="organizer"), twins=of(1, 2, 4, 3))

    story = begin("limit", "sixty-five twinnings of one device", "R-119: the first 64 by (sequence, id) are looked at.")
    for number_ in range(64):
        story.twin(f"A's {number_}", "A", 0)
    story.twin("the last", "A", 1)
    story.end(who, twins=of(0))


if __name__ == "__main__":
    for chapter in (members, charters, photos, rolls, names, galleries, remarks, epochs, consents, ends, roles, revocations,
                    removals, edits, reveals, times, moments, options, positions, missions, cheats, later_versions, approvals,
                    pictures, veils, turns, zones, messages, gifts, tickets, shares, page_sealings, votes, twins):
        chapter()
