#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the vectors of the fold: fold/*.json. Needs PyNaCl (pip install pynacl).

There is no fold in here. Each scenario makes its operations and then says, by hand, what follows from them and by
which rules of §9; `why` says it to the reader. Only the gallery digest is put together from what was said.
Everything random is a fixed number."""

import itertools
import random
import struct

from generate_operations import (AUTHORITY, CAPTION, CHARTER, CLAIM, COMMENT, CONSENT, EDIT, EPOCH, ERASE, EVENT, EVENT_KEY, HIDE, JOIN, LEAVE,
                                 NAME, NOTICE, ORIGINAL, PHOTO_ADDED, REACTION, REMOVE, UNHIDE, ZERO, blake2b, consent_id,
                                 data,
                                 domain, header, key, number, public, reference, sign, signed,
                                 write)

START, HOUR = 1_800_000_000_000, 3_600_000
DAY = 24 * HOUR


class Story:
    """One event. Operations have labels; keys are made of seeds, so the same label of device is the same key
    anywhere."""

    def __init__(self, name, about, *why, frames=12):
        self.name, self.about, self.why, self.frames = name, about, why, frames
        self.devices, self.guests, self.operations = {"event key": EVENT_KEY}, {}, {}
        self.chains, self.last, self.clock, self.charters = {}, {}, START, {}

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

    def salt(self, label):
        return blake2b(b"salt of ", label.encode())[:16]

    def device(self, label, sponsor=None, guest=None):
        """A device and its join; `guest` names the one without a node for whom it signs."""
        self.devices.setdefault(label, key(0x40 + len(self.devices)))
        if sponsor:
            self.join(f"join of {label} by {sponsor}", label, sponsor, guest)

    def join(self, label, device, sponsor, guest=None, epoch=None):
        self.devices.setdefault(sponsor, key(0x40 + len(self.devices)))
        sponsor_key, joining = self.devices[sponsor], public(self.devices[device])
        under = self.operations[epoch]["id"] if epoch else b""
        consent = sign(sponsor_key, domain("admission"), EVENT, joining, under)
        body = self.salt(label) + data(1, public(sponsor_key)) + data(2, consent)
        if guest:
            guest_key = self.guests.setdefault(guest, key(0x80 + len(self.guests)))
            body += data(3, public(guest_key)) + data(4, sign(
                guest_key, domain("delegation"), EVENT, public(sponsor_key), joining))
        self.add(label, device, JOIN, body + data(5, under))

    def charter(self, label="charter", device="event key", name="Garden party", frames=None, hours=24, consent="", opened=False):
        frames = self.frames if frames is None else frames
        self.charters[label] = name, hours, frames, consent, opened
        return self.add(label, device, CHARTER, self.salt(label) + data(1, name) + number(2, START) + number(3, hours)
                        + number(4, frames) + number(5, 48) + (data(18, consent) if consent else b"") + (number(19, 1) if opened else b""))

    def edit(self, label, device, field, value, *follows, **options):
        """One field of the charter; `value` is its protobuf field."""
        named = b"".join(self.operations[each]["id"] for each in follows)
        return self.add(label, device, EDIT, self.salt(label) + data(1, named) + data(2, value), argument=field, **options)

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

    def react(self, label, device, photo, emoji, is_on=True, **options):
        return self.add(label, device, REACTION, subject=self.operations[photo]["id"],
                        argument=ord(emoji) + (0 if is_on else 1 << 32), **options)

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
        for number_ in range(1, 19):
            value = values.get(number_, b"")
            yield bytes([number_]) + struct.pack(">I", len(value)) + value

    def end(self, members, photos=None, charter="charter", names=None, gallery=(), orders=None, waiting=(),
            originals=None, captions=None, gone=(), epochs=None, inside=None, **remarks):
        """`members`: role, or role and guest, by device; `photos`: a slot, "waiting" or "removed" by label; `names`:
        the label that counts by device or guest; `waiting`: operations that get into no set; `captions`: the label that
        counts by photo; `remarks`: comments by photo, notices, and by photo and emoji those who have put it there,
        `expiresAt`, and `agreed`: the authors who have agreed to the text as it is; `gone`: members that are shown no more; `epochs`: the way to the current one; `inside`: the members' nodes that
        have its secret."""
        photos, names = photos or {}, names or {}
        identity = {label: operation["id"] for label, operation in self.operations.items()}

        def author(who):
            return public(self.guests[who] if who in self.guests else self.devices[who])

        members = {device: (entry, device) if isinstance(entry, str) else entry for device, entry in members.items()}
        digest = None
        if charter:
            parts = [domain("gallery"), b"\1", identity[charter], *self.fields(charter), struct.pack(">Q", len(photos))]
            for label in sorted(photos, key=identity.get):
                status = photos[label]
                parts += [identity[label], {"waiting": b"\0", "removed": b"\2"}.get(status) or b"\1"
                          + struct.pack(">Q", status)]
                parts += [identity[captions[label]]] if captions and label in captions else []
            for who in sorted(names, key=author):
                parts += [author(who), identity[names[who]]]
            parts += [b"\1"]  # nothing is sealed
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
              photos={label: {"status": status} if isinstance(status, str) else {"status": "frame", "slot": status}
                      for label, status in photos.items()},
              originals=originals or {}, gallery=list(gallery),
              names={author(who).hex(): label for who, label in names.items()}, digest=digest,
              **({"captions": captions} if captions else {}),
              **({"epochs": epochs, "inside": sorted(public(self.devices[device]).hex() for device in inside)}
                 if epochs is not None else {}),
              **({"gone": [public(self.devices[device]).hex() for device in gone]} if gone else {}), **remarks)


def members():
    story = Story("members-chain", "A lets in B, B lets in C: the first race of §9.1",
                  "1: the event key's admission makes A an organizer.",
                  "2: A's makes B, then B's makes C a participant.",
                  "3: heard before that, their joins wait, and count once the sponsor is a member.")
    story.charter()
    for device, sponsor in (("A", "event key"), ("B", "A"), ("C", "B")):
        story.device(device, sponsor)
    joins = list(story.operations)[1:]
    story.end({"A": "organizer", "B": "participant", "C": "participant"},
              orders=[[*order, "charter"] for order in itertools.permutations(joins)])

    story = Story("members-ring", "two that let each other in, and nobody else them",
                  "3: neither sponsor is ever a member, so neither join counts.", "8: so B's photo is none.")
    story.charter()
    story.device("A", "event key")
    story.device("B")
    story.device("C", "B")
    story.join("join of B by C", "B", "C")
    story.shown("photo", "B", 1)
    story.end({"A": "organizer"}, waiting=["join of C by B", "join of B by C", "photo", "claim of photo"])

    story = Story("members-highest-role", "B is let in twice, by a participant and by the event key",
                  "4: of several joins the highest role counts, whichever came first.")
    story.charter()
    story.device("A", "event key")
    story.device("B", "A")
    story.join("second join of B", "B", "event key")
    story.end({"A": "organizer", "B": "organizer"})

    story = Story("members-and-rings", "C's join names B, B's names C, and another join of B names A",
                  "4: of B's two joins the one by A counts at once.",
                  "2: then C is a member by B; and B's join by C counts, too.")
    story.charter()
    story.device("A", "event key")
    story.device("B", "A")
    story.device("C", "B")
    story.join("join of B by C", "B", "C")
    story.end({"A": "organizer", "B": "participant", "C": "participant"})

    story = Story("members-gone", "B takes a photo back and leaves; C does so before it is let in; D's word about B is nothing",
                  "4d: B has gone. Its photo stays, also one that it states after the leave.",
                  "15: what it took back before is removed.",
                  "4d: C has gone as soon as its join counts. 8: its photo is one, then.",
                  "4d: a leave is about its own device: D's, with B's key as its subject, is D's, who has gone as well.")
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
                  "6: of two charters of the event key the one with the smaller id wins.",
                  "13: it has 1 frame, the other 12; so slot 2 is beyond B's roll.")
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
                  "5: only the event key's counts.",
                  "13: without a charter nobody's roll has slots, so the photo waits.",
                  "§9.8: there is no digest without a charter.")
    story.device("A", "event key")
    story.charter("false charter", device="A")
    story.shown("photo", "A", 1)
    story.end({"A": "organizer"}, {"photo": "waiting"}, charter=None)


def photos():
    story = Story("photo-before-join", "a photo comes before its author's join: the race of §9.3",
                  "8: the photo is none until B is a member.", "7: then it is one, and its claim counts.",
                  "9: the original that A describes for it is nobody's; B's two are alternates, smallest id first.")
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
                  "15: B's remove takes its photo back, whatever comes first.",
                  "15: A's remove of B's other photo is nothing.",
                  "16: slot 1 stays used: the claim of the third photo to it has a higher sequence and loses by 11.")
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
                  "of them.")
    story.charter()
    story.device("A", "event key")
    story.device("B", "A")
    story.shown("photo", "B", 1)
    identity = story.operations["photo"]["id"]
    story.add("later authority", "A", 40, b"whatever this is", subject=identity, flags=AUTHORITY | 2, set=True)
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
                  "11: both claims have sequence 13, so the smaller id holds slot 5.",
                  "14: the other photo waits, until",
                  "12: its author claims slot 6 for it, with sequence 16, which is free.")
    story.photo("one", "B", sequence=12)
    story.photo("other", "B", sequence=12, counter=1)
    story.claim("claim of one", "B", "one", 5, sequence=13)
    story.smaller("claim of other", "claim of one",
                  lambda n: story.claim("claim of other", "B", "other", 5, sequence=13, counter=n))
    story.claim("second claim of one", "B", "one", 6, sequence=16)
    story.end(both, {"one": 6, "other": 5}, gallery=["one", "other"])

    story = party("patience-is-no-use", "a later claim to a slot that is taken, made until its id is smaller",
                  "11: the lowest sequence holds the slot; ids count between equals only.")
    story.shown("first", "B", 1)
    story.photo("later", "B")
    story.smaller("claim of later", "claim of first",
                  lambda n: story.claim("claim of later", "B", "later", 1, counter=n))
    story.end(both, {"first": 1, "later": "waiting"}, gallery=["first"])

    story = party("lowest-slot-held", "a photo with three claims",
                  "11: its claims to slots 2 and 4 hold them; slot 1 is held by the other photo, whose claim came "
                  "first.",
                  "12: the lowest that one of its claims holds is 2.",
                  "11: slot 4 is held all the same: the third photo's claim to it loses, and it waits.")
    story.shown("other", "B", 1)
    story.photo("photo", "B")
    for slot in (4, 1, 2):
        story.claim(f"claim to {slot}", "B", "photo", slot)
    story.shown("third", "B", 4)
    story.end(both, {"other": 1, "photo": 2, "third": "waiting"}, gallery=["other", "photo"])

    story = party("ends", "a roll of two, three photos of a participant and three of an organizer",
                  "13: B's roll has 2 slots, so its claim to slot 3 shows nothing.",
                  "13: A is an organizer, without limit.", frames=2)
    for device in "BA":
        for slot in (1, 2, 3):
            story.shown(f"{device}{slot}", device, slot)
    story.end(both, {"B1": 1, "B2": 2, "B3": "waiting", "A1": 1, "A2": 2, "A3": 3},
              gallery=["B1", "B2", "A1", "A2", "A3"])

    story = party("without-end", "no limit on the roll", "13: 0 frames means no limit.",
                  "14: slots need not be taken in order; the largest number that a claim can name is a slot.", frames=0)
    story.shown("last", "B", 2**64 - 1)
    story.shown("first", "B", 1)
    story.end(both, {"last": 2**64 - 1, "first": 1}, gallery=["last", "first"])

    story = party("slot-zero", "a claim to slot 0, a claim by another member, a claim for a photo that is not here",
                  "10: a claim to slot 0 does not count; nor does one by another author; so the photo waits.",
                  "10: a claim for no photo holds nothing: slot 1 is free for the second photo, though its claim is "
                  "later.")
    story.photo("photo", "B")
    story.claim("claim to 0", "B", "photo", 0)
    story.claim("claim by A", "A", "photo", 3)
    story.add("claim for nothing", "B", CLAIM, subject=bytes([7]) * 32, argument=1)
    story.shown("second", "B", 1)
    story.end(both, {"photo": "waiting", "second": 1}, gallery=["second"])

    story = Story("roll-of-a-guest-at-two-nodes", "a guest takes a photo at each of two nodes that are apart: the last "
                                                  "race of §9.4",
                  "4a: both sub-keys stand for one author, the guest.",
                  "11: both claims to slot 1 have sequence 1; the smaller id, the second one's, holds it.",
                  "12: the claim to slot 2, made later for the first photo, holds slot 2.",
                  "15: what one sub-key has added the other may remove.",
                  "17: of the guest's names the one with the latest timestamp counts, though its sequence is lower.")
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
                  "13: but its author is the guest, whose roll has an end like everybody's.",
                  frames=1)
    story.charter()
    story.device("A", "event key")
    story.device("sub-key", "event key", guest="G")
    story.shown("first", "sub-key", 1)
    story.shown("second", "sub-key", 2)
    story.end({"A": "organizer", "sub-key": ("participant", "G")}, {"first": 1, "second": "waiting"}, gallery=["first"])

    story = Story("author-of-two-guests", "one sub-key with the delegations of two guests",
                  "4a: of several guests' keys the smallest is the author.")
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
                  "17: the highest sequence counts, although the earlier name has the later timestamp.")
    story.call("Ana", "A", "Ana", at=START + DAY)
    story.call("Anna", "A", "Anna", at=START)
    story.end({"A": "organizer"}, names={"A": "Anna"})

    story = party("of-one-sequence", "two copies of one device name themselves",
                  "17: of equal sequences the smallest id counts.")
    story.call("one", "A", "One", sequence=4)
    story.smaller("other", "one", lambda n: story.call("other", "A", "Other", sequence=4, counter=n))
    story.end({"A": "organizer"}, names={"A": "other"})

    story = party("unknown", "the body of the latest name is not here, that of the one before says nothing",
                  "17: the latest counts all the same; there is no name to show, and not an older one.",
                  "§9.8: the digest names the operation, not what it says.")
    story.call("first", "A", "Anna")
    story.add("unreadable", "A", NAME, story.salt("unreadable") + data(1, "An\nna"))
    story.call("absent", "A", "Anne", has_body=False)
    story.end({"A": "organizer"}, names={"A": "absent"})

    story = party("taken-back", "names taken back by their author, all of them or the last one",
                  "17: B's names are taken away, so B has none; 17a: B is a former guest.",
                  "17: C's last name is taken away, so the one before counts.",
                  "19: A's remove of C's first name is nothing, for A is not its author.")
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
                  "17: names are those of members.")
    story.call("key's name", "event key", "The key")
    story.device("B")
    story.call("stranger's name", "B", "B")
    story.end({"A": "organizer"}, waiting=["stranger's name"])


def galleries():
    story = Story("gallery-order", "clocks that are years off, equal times, equal counters",
                  "18: times are pulled to a day before the start and to a day after the end (start + 24 h + 24 h).",
                  "18: the camera of 1970 and the one of 2026 come first, by counter: 1, then 2, though 1970 is "
                  "earlier.",
                  "18: of equal time and counter the smaller device comes first; of one device the lower sequence.",
                  "18: the one from far ahead is pulled back to the end, where another is by its clock, with a higher "
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
                  "20: of A's captions of P the later one was taken back (19), so the earlier one counts.",
                  "20: B is not P's author. 19: nor is B the author of what it takes back, so that stays.",
                  "20: the guest's two captions of Q are of two devices: the later timestamp counts, not the longer "
                  "chain.",
                  "20: R's caption is not here; it counts all the same, and there is no text to show.",
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
                  "22: B's comment 21 is not among its first twenty, and stays away although others are gone.",
                  "19: B takes 2 back, A, an organizer, erases 3, and hides 4 and 5; it puts 5 back.",
                  "19: B, a participant, hides nothing: A's comment stays.",
                  "22: shown by timestamp: A's was said before all others.")
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
                  "21: B puts the heart on twice: it is there once. A puts it on, off and on: it is there.",
                  "21: B's party is taken off again. A's letter A is no emoji of the list.",
                  "21 with 20: two copies of B's device say different things in one place: the smaller id counts, which "
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

    story = party("notices", "what organizers, others and the event key say to all",
                  "23: B is no organizer. The event key has rank 4.", "19: A takes the first one back.",
                  "23: by timestamp: the key's was said before.")
    story.say("A's first", "A", NOTICE)
    story.say("A's second", "A", NOTICE)
    story.say("B's", "B", NOTICE)
    story.say("the key's", "event key", NOTICE, at=START)
    story.remove("first taken back", "A", "A's first")
    story.end(members, {"P": 1}, gallery=["P"], notices=["the key's", "A's second"])


def epochs():
    def party(name, about, *why):
        """Two organizers, and two whom they have let in."""
        story = Story(f"epoch-{name}", about, *why)
        story.charter()
        for device, sponsor in (("A", "event key"), ("B", "event key"), ("C", "A"), ("D", "B")):
            story.device(device, sponsor)
        return story

    members = {"A": "organizer", "B": "organizer", "C": "participant", "D": "participant"}

    story = party("none", "nobody has made a new secret", "28: the way has no epoch but the first.",
                  "30: all came in by the event key and those whom it let in, under the first secret.")
    story.end(members, epochs=[], inside=["A", "B", "C", "D"])

    story = party("by-a-participant", "C makes a new secret for itself", "26: C has rank 1, and no organizer follows it.")
    story.rotate("C's", "C", "C")
    story.end(members, epochs=[], inside=["A", "B", "C", "D"])

    story = party("two-apart", "A and B make new secrets at the same time, then B another one after A's",
                  "28: of the two that follow the first secret B's has the smaller id, and is next.",
                  "28: what follows A's is not on the way, though it is later.",
                  "30: D is not among the devices of B's.")
    story.rotate("A's", "A", "A", "B", "C", "D")
    story.smaller("B's", "A's", lambda n: story.rotate("B's", "B", "A", "B", "C", counter=n))
    story.rotate("after A's", "B", "A", "B", "C", "D", after="A's")
    story.end(members, epochs=["B's"], inside=["A", "B", "C"])

    story = party("one-after-the-other", "three secrets, each after the one before",
                  "28: the way goes on as far as there is one that follows, whatever their ids.")
    story.rotate("first", "A", "A", "B", "C", "D")
    story.rotate("second", "event key", "A", "B", "C", after="first")
    story.rotate("third", "B", "A", "B", after="second")
    story.end(members, epochs=["first", "second", "third"], inside=["A", "B"])

    story = party("joins", "E and F come in under the new secret, G under the old one, H by G",
                  "30: E by A and F by E name the epoch. G names none; H names it, but G is no insider.",
                  "29: B adds G. 30: then H is one, too. C, a participant, adds nobody.")
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
                  "6b: the edits that make it longer are valid: 60 hours it lasts.",
                  "6d: but as its author knew an opened charter of 24 hours, the promised end stays where it was. 30 is "
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
                  "6d: what is not opened promises nothing: 48 hours count, then the 12 of the opened event.",
                  "6d: 24 are longer than the promised 12.", "9.10: forgotten 12 + 48 hours after the start.")
    story.charter()
    story.device("A", "event key")
    story.edit("48 hours", "A", 5, number(3, 48), "charter")
    story.edit("opened", "A", 17, number(19, 1), "charter")
    story.edit("12 hours", "A", 5, number(3, 12), "48 hours", "opened")
    story.edit("24 hours", "A", 5, number(3, 24), "12 hours", "opened")
    story.charters["charter"] = "Garden party", 24, 12, "", True
    story.end({"A": "organizer"}, expiresAt=START + (12 + 48) * HOUR)

    story = Story("charter-prolonged-apart", "two edit the duration of an opened event apart",
                  "6c: neither is the event key's; by the order that this vector makes, the smaller id is the longer one.",
                  "6d: of the two only the shorter one keeps to what was promised.",
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
                  "31: A agrees to the text that counts, twice; B to another organizer's text; C to the text of an event "
                  "without one.",
                  "31: the guest agreed at B and is one author at A.",
                  "31: a consent by D, whom nobody let in, gets into no set.",
                  "32: photos of those who have agreed to nothing are shown as all others.",
                  "32: nothing takes a consent back.", "§9.8: the digest has nothing of it.")
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


if __name__ == "__main__":
    for chapter in (members, charters, photos, rolls, names, galleries, remarks, epochs, consents, ends):
        chapter()
