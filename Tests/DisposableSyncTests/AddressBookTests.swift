// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSync
import DisposableWire
import Testing

@Suite("AddressBook") struct AddressBookTests {
    private let address = PeerAddress(host: "10.0.0.1", port: 8028)
    private let device = DeviceID(BLAKE2b.hash([1]))

    private func at(_ milliseconds: UInt64) -> Instant {
        Instant(milliseconds: milliseconds, wallClockMilliseconds: 0)
    }
    private func take(_ book: inout AddressBook, at milliseconds: UInt64, connected: Bool = false) -> [PeerAddress] {
        book.takeDue(at: at(milliseconds), countMax: 100) { _ in connected }
    }

    @Test("a sighting is dialled at once and only once")
    func sighting() {
        var book = AddressBook(random: SplitMix64(seed: 1))
        book.add(address, isPersistent: false, at: at(10))
        #expect(take(&book, at: 10) == [address])
        book.add(address, isPersistent: false, at: at(11))
        #expect(take(&book, at: 60_000).isEmpty)
        #expect(book.nextDeadline == nil)
    }

    @Test(
        "failures are tried again ever later, half a second to a minute, with a quarter of jitter",
        arguments: UInt64(0)..<20)
    func backoff(seed: UInt64) throws {
        var book = AddressBook(random: SplitMix64(seed: seed))
        book.add(address, isPersistent: true, at: at(0))
        var now: UInt64 = 0
        for pause: UInt64 in [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000] {
            #expect(take(&book, at: now) == [address])
            book.failed(address, at: at(now))
            let due = try #require(book.nextDeadline)
            #expect((now + pause * 3 / 4...now + pause * 5 / 4).contains(due))
            #expect(take(&book, at: due - 1).isEmpty)
            now = due
        }
    }

    @Test("where a member was met, failures are tried again after 15 seconds at the latest", arguments: UInt64(0)..<20)
    func backoffOfMembers(seed: UInt64) throws {
        var book = AddressBook(random: SplitMix64(seed: seed))
        book.add(address, isPersistent: false, at: at(0))
        book.met(at: address)
        var now: UInt64 = 0
        for pause: UInt64 in [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000] {
            #expect(take(&book, at: now) == [address])
            book.failed(address, at: at(now))
            let due = try #require(book.nextDeadline)
            #expect((now + pause * 3 / 4...now + pause * 5 / 4).contains(due))
            now = due
        }
    }

    @Test("jitter spreads the nodes' dials")
    func jitter() {
        let dues = Set(
            (UInt64(0)..<50).compactMap { seed -> UInt64? in
                var book = AddressBook(random: SplitMix64(seed: seed))
                book.add(address, isPersistent: true, at: at(0))
                _ = take(&book, at: 0)
                book.failed(address, at: at(0))
                return book.nextDeadline
            })
        #expect(dues.count > 25)
    }

    @Test("a fresh sighting starts over, but a storm of them is no storm of dials")
    func freshSighting() throws {
        var book = AddressBook(random: SplitMix64(seed: 1))
        book.add(address, isPersistent: false, at: at(0))
        var now: UInt64 = 0
        for _ in 0..<8 {
            _ = take(&book, at: now)
            book.failed(address, at: at(now))
            now = try #require(book.nextDeadline)
        }
        _ = take(&book, at: now)
        book.failed(address, at: at(now))
        for step in 0..<10 { book.add(address, isPersistent: false, at: at(now + UInt64(step) * 10)) }
        let due = try #require(book.nextDeadline)
        #expect(due <= now + 500 && due >= now + 400)
    }

    @Test("a good connection that ends is dialled again soon, one that never lasts ever later")
    func closed() throws {
        var book = AddressBook(random: SplitMix64(seed: 1))
        book.add(address, isPersistent: false, at: at(0))
        var now: UInt64 = 0
        for _ in 0..<10 {
            _ = take(&book, at: now)
            book.authenticated(address, as: device)
            book.closed(address, at: at(now), wasGood: false, pause: 0)
            now = try #require(book.nextDeadline)
        }
        #expect(now > 200_000)
        _ = take(&book, at: now)
        book.closed(address, at: at(now), wasGood: true, pause: 0)
        #expect(try #require(book.nextDeadline) <= now + 625)
        now = try #require(book.nextDeadline)
        _ = take(&book, at: now)
        book.closed(address, at: at(now), wasGood: true, pause: 20_000)
        #expect(try #require(book.nextDeadline) >= now + 20_000)
    }

    @Test("an address of a connected device is left alone, and due soon when the device is lost")
    func connectedDevice() throws {
        var book = AddressBook(random: SplitMix64(seed: 1))
        book.add(address, isPersistent: false, at: at(0))
        book.authenticated(address, as: device)
        #expect(take(&book, at: 0, connected: true).isEmpty)
        #expect(book.nextDeadline == UInt64(Limits.redialMillisecondsMax))
        book.lost(device, at: at(5_000), pause: 0)
        #expect((5_250...5_750).contains(try #require(book.nextDeadline)))
        book.lost(DeviceID(BLAKE2b.hash([2])), at: at(6_000), pause: 0)
        #expect(take(&book, at: 6_000) == [address])
    }

    @Test("elsewhere, one address of each source is dialled, known ones first, and none where a connection or a dial is")
    func elsewhere() {
        var book = AddressBook(random: SplitMix64(seed: 1))
        func dial(_ countMax: Int) -> [String] {
            book.takeDue(at: at(0), countMax: countMax, elsewhereThan: ["10.1.0.66", "10.1.0.66"]) { _ in false }
                .map(\.host)
        }
        for port in UInt16(1)...100 {
            for host in ["10.1.0.66", "10.1.0.1", "10.1.0.2"] {
                book.add(PeerAddress(host: host, port: port), isPersistent: false, at: at(0))
            }
        }
        book.remember([PeerAddress(host: "10.2.0.1", port: 1), PeerAddress(host: "10.2.0.1", port: 2)], at: at(0))
        #expect(dial(1) == ["10.2.0.1"])
        #expect(Set(dial(8)) == ["10.1.0.1", "10.1.0.2"])
        #expect(dial(8).isEmpty)
        #expect(take(&book, at: 0).contains { $0.host == "10.1.0.66" })
    }

    @Test("no more than asked for are dialled at once")
    func countMax() {
        var book = AddressBook(random: SplitMix64(seed: 1))
        for port in 1...5 { book.add(PeerAddress(host: "a", port: UInt16(port)), isPersistent: false, at: at(0)) }
        #expect(book.takeDue(at: at(0), countMax: 3) { _ in false }.count == 3)
        #expect(book.takeDue(at: at(0), countMax: 3) { _ in false }.count == 2)
    }

    @Test("of too many addresses those only seen go first, the oldest before the others; kept ones stay")
    func eviction() {
        var book = AddressBook(random: SplitMix64(seed: 1))
        book.add(address, isPersistent: true, at: at(0))
        for number in 0..<Limits.addressesMax + 10 {
            book.add(PeerAddress(host: "10.1.0.\(number)", port: 1), isPersistent: false, at: at(0))
        }
        var due: [PeerAddress] = []
        while case let some = book.takeDue(at: at(0), countMax: .max, isUnwanted: { _ in false }), !some.isEmpty {
            due += some
            for address in some { book.failed(address, at: at(0)) }
        }
        #expect(due.count == Limits.addressesMax)
        #expect(due.contains(address))
        #expect(!due.contains(PeerAddress(host: "10.1.0.0", port: 1)))
        #expect(due.contains(PeerAddress(host: "10.1.0.\(Limits.addressesMax + 9)", port: 1)))
    }

    @Test("of too many addresses strangers' go before those where a member has been met, which are told latest first")
    func remembered() {
        var book = AddressBook(random: SplitMix64(seed: 1))
        let met = (1...Limits.rememberedAddressesMax + 2).map { PeerAddress(host: "10.2.0.\($0)", port: 1) }
        book.remember(met, at: at(0))
        #expect(book.remembered == Array(met.prefix(Limits.rememberedAddressesMax)))
        for number in 0..<2 * Limits.addressesMax {
            book.add(PeerAddress(host: "10.1.\(number / 256).\(number % 256)", port: 1), isPersistent: false, at: at(1))
        }
        #expect(book.remembered == Array(met.prefix(Limits.rememberedAddressesMax)))
        book.add(address, isPersistent: false, at: at(2))
        book.authenticated(address, as: device)
        book.met(at: address)
        #expect(book.remembered == [address] + met.prefix(Limits.rememberedAddressesMax - 1))
        let due = book.takeDue(at: at(3), countMax: .max) { _ in false }
        #expect(Set(due).isSuperset(of: book.remembered))
    }

    @Test("a machine with any number of ports makes room by its own addresses, and others' are remembered beside them")
    func manyPorts() {
        var book = AddressBook(random: SplitMix64(seed: 1))
        let friends = (1...20).map { PeerAddress(host: "10.2.0.\($0)", port: 8028) }
        book.remember(friends, at: at(0))
        for port in 1...2 * Limits.addressesMax {
            let address = PeerAddress(host: "10.3.0.1", port: UInt16(port))
            book.add(address, isPersistent: false, at: at(1))
            book.authenticated(address, as: device)
            book.met(at: address)
        }
        #expect(book.remembered.count == Limits.rememberedAddressesMax)
        #expect(Set(book.remembered).isSuperset(of: friends))
        #expect(friends.allSatisfy { book.isKnown(host: $0.host) })
    }

    @Test("known addresses are dialled first, and of those only seen a few at a time")
    func order() {
        var book = AddressBook(random: SplitMix64(seed: 1))
        let seen = (0..<Limits.dialsMax + 5).map { PeerAddress(host: "10.1.0.\($0)", port: 1) }
        for address in seen { book.add(address, isPersistent: false, at: at(0)) }
        book.add(address, isPersistent: true, at: at(0))
        book.remember([PeerAddress(host: "10.2.0.1", port: 1)], at: at(0))
        #expect(
            book.takeDue(at: at(0), countMax: 2) { _ in false } == [address, PeerAddress(host: "10.2.0.1", port: 1)])
        #expect(book.takeDue(at: at(0), countMax: 90) { _ in false } == Array(seen.prefix(Limits.dialsMax)))
        #expect(book.takeDue(at: at(0), countMax: 90) { _ in false }.isEmpty)
        #expect(book.nextDeadline == nil, "nothing to wait for before a dial has ended")
        for address in seen.prefix(3) { book.failed(address, at: at(0)) }
        #expect(
            book.takeDue(at: at(0), countMax: 90) { _ in false } == Array(seen[Limits.dialsMax..<Limits.dialsMax + 3]))
    }

    @Test("for how long the other side wants to be left alone is kept to, whatever is seen or happens meanwhile")
    func pause() throws {
        var book = AddressBook(random: SplitMix64(seed: 1))
        let second = PeerAddress(host: "10.0.0.2", port: 8028)
        for address in [address, second] {
            book.add(address, isPersistent: false, at: at(0))
            book.authenticated(address, as: device)
        }
        #expect(book.takeDue(at: at(0), countMax: 1) { _ in false } == [address])
        book.closed(address, at: at(1_000), wasGood: true, pause: 10_000)
        book.lost(device, at: at(1_000), pause: 10_000)
        book.interrupted(at: at(2_000))
        for address in [address, second] { book.add(address, isPersistent: true, at: at(3_000)) }
        #expect(take(&book, at: 10_999).isEmpty)
        #expect(Set(take(&book, at: 11_000)) == [address, second])
    }

    @Test("after an interruption what failed is due at once, a little spread")
    func interruption() throws {
        var book = AddressBook(random: SplitMix64(seed: 1))
        let addresses = (0..<20).map { PeerAddress(host: "10.1.0.\($0)", port: 1) }
        for address in addresses { book.add(address, isPersistent: true, at: at(0)) }
        for time in stride(from: UInt64(0), to: 600_000, by: 75_000) {
            for address in take(&book, at: time) { book.failed(address, at: at(time)) }
        }
        #expect(take(&book, at: 560_000).isEmpty)
        book.interrupted(at: at(560_000))
        let first = take(&book, at: 560_020).count
        #expect(first < 20)
        #expect(first + take(&book, at: 560_125).count == 20)
    }

    @Test("a forgotten address is not dialled")
    func forget() {
        var book = AddressBook(random: SplitMix64(seed: 1))
        book.add(address, isPersistent: true, at: at(0))
        book.forget(address)
        #expect(take(&book, at: 0).isEmpty)
        book.failed(address, at: at(0))
        #expect(book.nextDeadline == nil)
    }
}
