# SPDX-License-Identifier: Apache-2.0
"""A node dies during the party: its guests continue at another one, with all their waiting photos."""

from collections import Counter

from playwright.sync_api import expect

from client import Client
from guest import UNREACHABLE, throttle
from party import eventually, others, sha256


def expect_offer(guest, count=None):
    expect(guest.page.locator("#moving-go")).to_be_visible(timeout=180_000)
    expect(guest.page.locator("#moving-go")).to_have_text("Continue at Ben’s photo box")
    if count is not None:
        expect(guest.page.locator("#moving-text")).to_contain_text(f"{count} photos")


def hand_over(guest):
    """Taps the button; the window that opens becomes the guest's page."""
    with guest.context.expect_page() as opened:
        guest.page.click("#moving-go")
    before, guest.page = guest.page, opened.value
    return before


def test_a_page_with_ten_waiting_photos_moves_to_another_node_with_all_of_them(
        shared_party, guests, painter, size, tmp_path):
    party, ben = shared_party, shared_party.nodes[1]
    photos = painter.photos(10, width=1600, height=1200)
    bea = guests(party, size).open(party.host.link).enter("Bea")
    bea.allow(UNREACHABLE)
    throttle(bea, 20_000)
    bea.choose(photos)
    expect(bea.page.locator("#progress")).to_contain_text("of 10")
    author = bea.page.evaluate("fetch('api/me').then((answer) => answer.json())")["guest"]["id"]
    bea.expect_prober()
    party.host.kill()
    expect_offer(bea, 10)
    before = hand_over(bea)
    bea.expect_party()
    assert bea.page.url.startswith(ben.origin), bea.page.url
    expect(before.locator("#moved")).to_be_visible()
    expect(before.locator("#moved-text")).to_contain_text("Ben")
    assert before.evaluate("Object.keys(localStorage).filter((name) => name.includes('.upload.'))") == []
    bea.go("mine")
    bea.expect_photos(10, "mine", within=300)
    bea.expect_all_sent()
    me = bea.page.evaluate("fetch('api/me').then((answer) => answer.json())")
    assert me["guest"]["id"] == author and me["guest"]["name"] == "Bea" and me["guest"]["framesUsed"] == 10
    # The host returns and fetches each of them, once.
    party.host.start()
    eventually("all ten at every node", lambda: all(sum(
        photo["state"] == "complete" for photo in node.gallery()) == 10 for node in party.nodes))
    for number, node in enumerate(party.nodes):
        assert Counter(node.exported(tmp_path / f"out-{number}").values()) == Counter(map(sha256, photos))


def test_a_window_that_is_closed_too_early_loses_and_duplicates_nothing(shared_party, guests, painter, size, tmp_path):
    party, ben = shared_party, shared_party.other
    bea = guests(party, size).open(party.host.link).enter("Bea")
    bea.allow(UNREACHABLE)
    photos = painter.photos(6, width=1600, height=1200)
    bea.expect_prober()
    party.host.kill()
    bea.choose(photos)
    expect_offer(bea, 6)
    entering = []
    bea.context.route(f"{ben.origin}/e/**/api/guest", lambda route: entering.append(route))  # and is held
    before = hand_over(bea)
    eventually("the window is about to enter", lambda: bea.page.wait_for_timeout(100) or entering)
    bea.page.close()
    bea.context.unroute(f"{ben.origin}/e/**/api/guest")
    bea.page = before
    expect(bea.page.locator("#moving-go")).to_be_visible()
    expect(bea.page.locator("#moving-text")).to_contain_text("tap again")
    hand_over(bea)
    bea.expect_party()
    bea.go("mine")
    bea.expect_photos(6, "mine")
    bea.expect_all_sent()
    assert Counter(ben.exported(tmp_path / "out").values()) == Counter(map(sha256, photos))


def test_a_page_without_waiting_photos_moves_automatically_as_the_same_guest(shared_party, guests, painter, size):
    party, ben = shared_party, shared_party.nodes[1]
    bea = guests(party, size).open(party.host.link).enter("Bea")
    bea.allow(UNREACHABLE)
    photo = painter.photo()
    bea.choose([photo])
    bea.expect_all_sent()
    author = bea.page.evaluate("fetch('api/me').then((answer) => answer.json())")["guest"]["id"]
    eventually("the photo at Ben's", lambda: [photo for photo in ben.gallery() if photo["state"] == "complete"])
    # The page knows it as well: if the node's answer is lost the photo waits, and the page needs a tap.
    bea.expect_photos(1, "mine")
    bea.expect_all_sent()
    bea.expect_prober()
    party.host.kill()
    bea.page.wait_for_url(f"{ben.origin}/e/**", timeout=180_000)
    bea.expect_party()
    me = bea.page.evaluate("fetch('api/me').then((answer) => answer.json())")
    assert me["guest"]["id"] == author and me["guest"]["name"] == "Bea" and me["guest"]["framesUsed"] == 1
    assert "#" not in bea.page.url
    bea.expect_photos(1)
    # The same photo again is the one that the other node has.
    bea.choose([photo])
    bea.expect_all_sent()
    bea.page.reload()
    bea.expect_photos(1)
    assert bea.page.evaluate("fetch('api/me').then((answer) => answer.json())")["guest"]["framesUsed"] == 1


def test_a_reload_at_a_node_that_has_taken_over_the_address_is_by_the_same_guest(shared_party, guests, painter, size):
    party, ben = shared_party, shared_party.nodes[1]
    bea = guests(party, size).open(party.host.link).enter("Bea")
    bea.allow(UNREACHABLE)
    bea.allow("401")  # Ben's node does not know the session
    bea.choose([painter.photo()])
    bea.expect_all_sent()
    before = bea.page.evaluate("fetch('api/me').then((answer) => answer.json())")
    eventually("the photo at Ben's", lambda: [photo for photo in ben.gallery() if photo["state"] == "complete"])
    eventually("the browser has the key of the event", lambda: bea.page.evaluate(
        "Object.keys(localStorage).some((name) => name.endsWith('.token'))"))
    place = f"{party.host.origin}{party.host.path}"
    # Without a page in between, which would move.
    bea.page.goto("about:blank")
    party.host.kill()
    ben.kill()
    ben._launch("run", listen=ben.ready["listen"], portal=party.host.ready["portal"])
    bea.page.goto(place)
    bea.expect_party()
    bea.expect_photos(1)
    me = bea.page.evaluate("fetch('api/me').then((answer) => answer.json())")
    assert me["guest"]["id"] == before["guest"]["id"] and me["node"] != before["node"]
    # As somebody who scans the poster again.
    bea.open(party.host.link)
    bea.expect_party()
    bea.expect_photos(1, "mine")


def test_a_key_that_was_replaced_meanwhile_leads_to_the_code_and_is_forgotten(shared_party, guests, size):
    party = shared_party
    bea = guests(party, size).open(party.host.link).enter("Bea")
    bea.allow("40[13]")
    kept = "Object.keys(localStorage).filter((name) => name.endsWith('.token'))"
    eventually("the browser has the key of the event", lambda: bea.page.evaluate(kept))
    [name] = bea.page.evaluate(kept)
    bea.page.evaluate("(name) => localStorage.setItem(name, 'AAAAAAAAAAAAAAAAAAAAAA')", name)
    bea.context.clear_cookies()
    bea.page.reload()
    expect(bea.page.locator("#code")).to_be_visible()
    assert bea.page.evaluate(kept) == []


def test_a_short_break_moves_nobody(shared_party, guests, painter, size):
    party = shared_party
    bea = guests(party, size).open(party.host.link).enter("Bea")
    bea.allow(UNREACHABLE)
    party.host.kill()
    expect(bea.page.locator("#out-of-reach")).to_be_visible()
    party.host.start()
    expect(bea.page.locator("#out-of-reach")).to_be_hidden(timeout=180_000)
    bea.page.wait_for_timeout(11_000)
    assert bea.page.url.startswith(party.host.origin)
    expect(bea.page.locator("#moving-offer")).to_be_hidden()


def test_the_wall_moves_automatically_and_shows_the_other_nodes_link(shared_party, guests, size):
    party, ben = shared_party, shared_party.nodes[1]
    wall = guests(party, size)
    wall.allow(UNREACHABLE)
    wall.page.goto(party.host.link.replace("/#", "/wall#"))
    expect(wall.page.locator("#address")).to_have_text(party.host.ready["portal"])
    wall.expect_prober()
    party.host.kill()
    expect(wall.page.locator("#address")).to_have_text(ben.ready["portal"], timeout=180_000)
    assert wall.page.url == f"{ben.origin}/wall"


def test_a_page_that_failed_to_load_the_moving_script_retries_and_moves(shared_party, guests, size):
    party, ben = shared_party, shared_party.nodes[1]
    bea = guests(party, size)
    bea.allow(UNREACHABLE)
    refused = []
    bea.context.route("**/prober.js", lambda route: refused.append(route.abort()) if len(refused) < 2 else route.continue_())
    bea.open(party.host.link).enter("Bea")
    bea.expect_prober()
    assert len(refused) == 2
    party.host.kill()
    bea.page.wait_for_url(f"{ben.origin}/e/**", timeout=180_000)


def test_a_node_that_lost_its_role_is_not_listed_and_proves_nothing(shared_party):
    party, ben = shared_party, shared_party.nodes[1]
    assert others(party.host)["Ben"] == [ben.origin] and list(others(ben)) == ["Anna"]
    proof = f"{ben.path}api/proof?challenge={'ab' * 32}"
    assert Client(ben.link).request("GET", proof)[0] == 200
    party.host.command("role", "revoke", "page", "Ben")
    eventually("no other node is listed", lambda: others(party.host) == {})
    eventually("no proof", lambda: Client(ben.link).request("GET", proof)[0] == 404)


def test_a_proof_is_valid_only_for_the_requested_address(shared_party):
    ben = Client(shared_party.nodes[1].link)
    proof = f"api/proof?challenge={'ab' * 32}"
    status, headers, _ = ben.request("GET", proof)
    assert status == 200 and headers["Access-Control-Allow-Origin"] == "*"
    # A relay at another address gets no proof that is valid for it.
    assert ben.request("GET", proof, headers={"Host": "127.0.0.9:8027"})[0] == 404
    assert ben.request("GET", proof, headers={"Host": ben.host.replace("127.0.0.1", "localhost")})[0] == 404
    for wrong in ("api/proof", "api/proof?challenge=", "api/proof?challenge=zz"):
        assert ben.request("GET", wrong)[0] == 400
    status, headers, _ = ben.request("GET", "prober.js")
    assert headers["Content-Security-Policy"] == f"default-src 'none'; connect-src {shared_party.host.origin}"


def test_a_machine_at_another_nodes_address_without_its_key_is_not_offered(shared_party, guests, size):
    """Ben's node stops as well, and another server answers at his address."""
    party, ben = shared_party, shared_party.nodes[1]
    bea = guests(party, size).open(party.host.link).enter("Bea")
    bea.allow(UNREACHABLE)
    bea.allow("blocked by CORS policy")
    asked = []

    def pretend(route):
        asked.append(route.request.url)
        route.fulfill(status=200, headers={"Access-Control-Allow-Origin": "*"},
                      body='{"signature":"' + "ab" * 64 + '"}')

    bea.context.route(f"{ben.origin}/**", pretend)
    bea.expect_prober()
    ben.kill()
    party.host.kill()
    eventually("the impostor was asked", lambda: asked or bea.page.wait_for_timeout(200))
    bea.page.wait_for_timeout(3_000)
    expect(bea.page.locator("#moving-offer")).to_be_hidden()
    assert bea.page.url.startswith(party.host.origin)
    assert all("api/proof" in url for url in asked), asked


def test_a_foreign_page_can_neither_take_over_a_guest_nor_inject_one(shared_party, guests, size):
    """A page of another origin opens the window that takes photos over, with the guests' link and the right words."""
    party, ben = shared_party, shared_party.nodes[1]
    eve = guests(party, size)
    stranger = "http://127.0.0.1:9"
    eve.origins.add(stranger)
    eve.allow(UNREACHABLE)
    eve.context.route(f"{stranger}/**", lambda route: route.fulfill(
        status=200, content_type="text/html", body="<button>go</button>"))
    eve.page.goto(f"{stranger}/")
    token = ben.link.split("#")[1]
    event = Client(ben.link).me()["event"]["id"]
    eve.page.evaluate("""([link, event]) => {
        window.heard = [];
        addEventListener("message", ({ data }) => heard.push(data.type));
        document.querySelector("button").addEventListener("click", () => {
            const other = open(link);
            setInterval(() => {
                other.postMessage({ type: "guest", event, seed: "A".repeat(22), name: "Eve", count: 1 }, "*");
                other.postMessage({ type: "photo", file: new Blob(["x"]), name: "x.jpg" }, "*");
            }, 200);
        });
    }""", [f"{ben.origin}/takeover#{token}", event])
    with eve.context.expect_page() as opened:
        eve.page.click("button")
    window = opened.value
    eventually("the window is open", lambda: eve.page.evaluate("heard.includes('ready')"))
    eve.page.wait_for_timeout(2_000)
    assert set(eve.page.evaluate("heard")) == {"ready"}
    assert window.evaluate("Object.keys(localStorage).filter((name) => /seed|upload/.test(name))") == []


def test_the_plain_page_links_to_the_other_nodes(shared_party, guests, size):
    party, ben = shared_party, shared_party.nodes[1]
    bea = guests(party, size, scripts=False)
    bea.page.goto(f"{party.host.origin}/enter")
    bea.page.fill("input[name=code]", party.code)
    bea.page.click("button")
    bea.page.click("text=To the photos")
    expect(bea.page.locator(f"a[href='{ben.origin}/enter']")).to_be_visible()


def test_the_dialog_that_offers_the_secure_page_does_not_cut_off_the_way_to_it(shared_party, guests):
    # Pages with real certificates are in Tests/TLS. Here another node stands for the secure page, and this page takes
    # itself for one over plain HTTP, which loopback is not.
    party, ben = shared_party, shared_party.nodes[1]
    bea = guests(party, "phone")

    def offer(route):
        answer = route.fetch()
        secure = {"origin": ben.origin, "plainOrigin": party.host.origin, "isTrusted": True}
        route.fulfill(response=answer, json=answer.json() | {"secure": secure})

    bea.page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    bea.page.route("**/api/me", offer)
    bea.open(party.host.link).enter("Bea")
    bea.page.get_by_role("button", name="Open with camera").click()
    bea.answer()
    bea.page.wait_for_url(f"{ben.origin}/**", timeout=180_000)
    bea.expect_party()
