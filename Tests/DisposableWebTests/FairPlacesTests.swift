// SPDX-License-Identifier: Apache-2.0
import DisposableWeb
import Testing

@Suite struct FairPlacesTests {
    @Test("addresses with a place are counted once, except the one that is left out")
    func addresses() {
        var places = FairPlaces<Int>(.init(byOwner: 9, byAddress: 9, inAll: 9))
        for (owner, address) in [(1, "a"), (2, "a"), (3, "b"), (4, "c")] { _ = places.take(owner: owner, address: address) }
        #expect(places.addressCount(except: "") == 3 && places.addressCount(except: "a") == 2)
        places.giveBack(1)
        #expect(places.addressCount(except: "") == 3)
        places.giveBack(2)
        #expect(places.addressCount(except: "") == 2)
    }

    @Test("an owner has a limit of places, beyond which it does not take those of others")
    func byOwner() {
        var places = FairPlaces<Int>(.init(byOwner: 2, byAddress: 9, inAll: 9))
        var answers = (0..<3).map { _ in places.take(owner: 1, address: "a") }
        #expect(answers.removeLast() == .ownerIsFull)
        #expect(answers == [.place(1, replaced: nil), .place(2, replaced: nil)])
        #expect(places.take(owner: 2, address: "a") == .place(3, replaced: nil))
        places.giveBack(1)
        #expect(places.take(owner: 1, address: "a") == .place(4, replaced: nil))
        #expect(places.count == 3)
    }

    @Test("if all are taken, the oldest of the owner with the most is replaced, if that owner keeps more")
    func excess() {
        var places = FairPlaces<Int>(.init(byOwner: 9, byAddress: 9, inAll: 4))
        for _ in 0..<3 { _ = places.take(owner: 1, address: "a") }
        _ = places.take(owner: 2, address: "b")
        #expect(places.take(owner: 3, address: "c") == .place(5, replaced: 1))
        #expect(places.take(owner: 4, address: "d") == .place(6, replaced: 2))
        #expect(places.take(owner: 5, address: "e") == .allAreTaken, "every owner has one")
        #expect(places.take(owner: 2, address: "b") == .allAreTaken)
        #expect(places.count == 4)
    }

    @Test("an address with many owners yields a place to another address")
    func byAddress() {
        var places = FairPlaces<Int>(.init(byOwner: 1, byAddress: 6, inAll: 6))
        for number in 1...6 { _ = places.take(owner: number, address: "flood") }
        #expect(places.take(owner: 7, address: "flood") == .allAreTaken)
        #expect(places.take(owner: 8, address: "b") == .place(7, replaced: 1))
        #expect(places.take(owner: 9, address: "b") == .place(8, replaced: 2))
        #expect(places.take(owner: 10, address: "b") == .allAreTaken, "two of six are a fair share")
    }

    @Test("a place whose client reads nothing is replaced first, and a reserved one is always found")
    func stalled() {
        var places = FairPlaces<Int>(.init(byOwner: 9, byAddress: 9, inAll: 2))
        for number in 1...2 { _ = places.take(owner: number, address: "\(number)") }
        #expect(places.take(owner: 3, address: "3", isStalled: { $0 == 2 }) == .place(3, replaced: 2))
        #expect(places.take(owner: 4, address: "4") == .allAreTaken)
        #expect(places.take(owner: 4, address: "4", isReserved: true) == .place(4, replaced: nil))
    }
}
