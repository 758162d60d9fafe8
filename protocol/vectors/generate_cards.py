#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the vectors of cards: card/*.json. Texts are written out by hand, signatures are PyNaCl's. Needs PyNaCl."""

import hashlib
import json
import pathlib

from nacl.signing import SigningKey

HERE = pathlib.Path(__file__).resolve().parent
KEY = SigningKey(bytes([1]) * 32)
TIMES = '"endsAt":1800014400000,"expiresAt":1800700000000,"revisedAt":1799000000000,"startsAt":1800000000000,"version":1'


def event_of(key):
    return hashlib.blake2b(b"disposable/1 event\0" + bytes(key.verify_key), digest_size=32).digest()


def write(file, about, expect, text, key=KEY, domain=b"disposable/1 event card\0", **facts):
    signature = key.sign(domain + event_of(KEY) + text.encode()).signature
    content = {"format": 1, "about": about, "spec": "§5.1", "expect": expect, "key": bytes(KEY.verify_key).hex(),
               "text": text, "signature": signature.hex()}
    if expect == "success":
        content |= {"event": event_of(KEY).hex(), "name": "", "place": "", "revisedAt": "1799000000000",
                    "isWithdrawn": False, "links": [], **facts}
    path = HERE / "card" / f"{file}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def main():
    whole = '{"category":"market","contact":"anna@fair.example","details":"Cakes\\nand books.","endsAt":1800014400000,' \
        '"expiresAt":1800700000000,"links":[{"address":"https://fair.example/way","kind":"website"},' \
        '{"address":"https://later.example","kind":"hologram"}],"mood":"a member of later","name":"Été",' \
        '"organizer":"Anna","place":"Besançon","price":{"cents":1250,"currency":"EUR"},"registration":"732829320",' \
        '"revisedAt":1799000000000,"startsAt":1800000000000,"version":1}'
    write("whole", "every member, a member of a later version, and a kind of link that is not known", "success", whole,
          name="Été", place="Besançon", links=["website https://fair.example/way", "other https://later.example"])
    write("least", "a name and times", "success", '{"name":"Party",' + TIMES + "}", name="Party")
    write("withdrawn", "an event that is listed no more", "success", '{"withdrawn":true,' + TIMES + "}", isWithdrawn=True)
    write("withdrawn-with-a-name", "a withdrawn card says nothing else", "malformed",
          '{"name":"Party","withdrawn":true,' + TIMES + "}")
    write("other-signer", "signed by another key", "authentication failure", '{"name":"Party",' + TIMES + "}",
          key=SigningKey(bytes([2]) * 32))
    write("other-domain", "a signature without the domain", "authentication failure", '{"name":"Party",' + TIMES + "}", domain=b"")
    write("other-version", "version 2", "malformed",
          '{"name":"Party",' + TIMES.replace('"version":1', '"version":2') + "}")
    write("no-name", "neither a name nor withdrawn", "malformed", "{" + TIMES + "}")
    write("ends-before-it-starts", "the end lies before the start", "malformed",
          '{"name":"Party",' + TIMES.replace("1800014400000", "1799999999999") + "}")
    write("unsafe-link", "a link that a page could run", "malformed",
          '{"links":[{"address":"javascript:alert(1)","kind":"website"}],"name":"Party",' + TIMES + "}")
    write("direction-override", "a place that turns the text around it", "malformed",
          '{"name":"Party","place":"\\u202eenob",' + TIMES + "}")
    counted = '{"name":"Party","recentPeople":10,"recentPhotos":50,' + TIMES + "}"
    for file, about, now, photos, people in [
        ("counted", "photos and people of the last hour, read an hour later", 1799003600000, 50, 10),
        ("counted-earlier", "the same, read later than that", 1799003600001, 0, 0),
        ("counted-ahead", "the same, read by a clock that is more than an hour behind", 1798996399999, 0, 0),
    ]:
        write(file, about, "success", counted, name="Party", readAt=str(now), recentPhotos=photos, recentPeople=people)
    write("counted-most", "the largest numbers", "success",
          '{"name":"Party","recentPeople":100000,"recentPhotos":100000,' + TIMES + "}", name="Party", readAt="1799000000000",
          recentPhotos=100_000, recentPeople=100_000)
    write("too-many-photos", "a number above the largest", "malformed",
          '{"name":"Party","recentPhotos":100001,' + TIMES + "}")
    write("people-below-zero", "a number below zero", "malformed", '{"name":"Party","recentPeople":-1,' + TIMES + "}")
    write("withdrawn-with-photos", "a withdrawn card has no numbers", "malformed",
          '{"recentPhotos":1,"withdrawn":true,' + TIMES + "}")
    for file, about, position, written in [
        ("positioned", "the position of the event", '{"latitude":47243,"longitude":6022}', "47.243, 6.022"),
        ("positioned-far", "the largest latitude, the smallest longitude, and a member of a later version",
         '{"latitude":90000,"height":8849,"longitude":-180000}', "90.000, -180.000"),
        ("positioned-at-zero", "a position south of the equator by less than a degree",
         '{"latitude":-5,"longitude":0}', "-0.005, 0.000"),
    ]:
        write(file, about, "success", '{"name":"Party","position":' + position + "," + TIMES + "}", name="Party", position=written)
    for file, about, position in [
        ("positioned-too-far-north", "a latitude of more than 90 degrees", '{"latitude":90001,"longitude":0}'),
        ("positioned-too-far-west", "a longitude of more than 180 degrees", '{"latitude":0,"longitude":-180001}'),
        ("positioned-by-half", "a latitude alone", '{"latitude":47243}'),
        ("positioned-in-degrees", "a number that is not whole", '{"latitude":47.243,"longitude":6.022}'),
        ("positioned-in-words", "a position that is a text", '"47.243, 6.022"'),
    ]:
        write(file, about, "malformed", '{"name":"Party","position":' + position + "," + TIMES + "}")
    write("withdrawn-with-a-position", "a withdrawn card says nothing of the place", "malformed",
          '{"position":{"latitude":47243,"longitude":6022},"withdrawn":true,' + TIMES + "}")
    write("no-object", "JSON, but no object", "malformed", "[1]")
    write("too-long", "one byte too long", "limit exceeded", '{"name":"Party",' + TIMES + "}" + " " * (
        6_145 - len('{"name":"Party",' + TIMES + "}")))


if __name__ == "__main__":
    main()
