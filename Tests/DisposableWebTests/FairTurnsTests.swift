// SPDX-License-Identifier: Apache-2.0
import DisposableWeb
import Synchronization
import Testing

@Suite struct FairTurnsTests {
    /// Work that runs until it is released.
    private final class Work: Sendable {
        private let gates = Mutex<[String: CheckedContinuation<Void, Never>]>([:])

        var running: Set<String> { gates.withLock { Set($0.keys) } }

        func run(_ name: String) async {
            await withCheckedContinuation { continuation in gates.withLock { $0[name] = continuation } }
        }

        func finish(_ name: String) { gates.withLock { $0.removeValue(forKey: name) }!.resume() }

        /// Waits until this many run, and returns their names.
        func running(count: Int) async -> Set<String> {
            while running.count < count { await Task.yield() }
            return running
        }
    }

    /// - Parameters: as in the limits; a missing one is unlimited.
    private func turns(
        places: Int, byAddress: Int = 100, byGuest: Int, waitingByAddress: Int = 100, waitingByGuest: Int
    )
        -> FairTurns<String>
    {
        FairTurns(
            .init(
                places: places, placesByAddress: byAddress, placesByOwner: byGuest, waitingByAddress: waitingByAddress,
                waitingByOwner: waitingByGuest))
    }

    @Test("a guest with many requests leaves permits to others, and takes turns with them for the rest")
    func turns() async throws {
        let places = turns(places: 3, byGuest: 2, waitingByGuest: 10)
        let work = Work()
        try await withThrowingTaskGroup(of: Void.self) { group in
            var askedCount = 0
            // The busy guest has two permits; the third is free for the second guest.
            for (guest, name) in [
                ("busy", "b1"), ("busy", "b2"), ("second", "s1"), ("busy", "b3"), ("busy", "b4"), ("busy", "b5"),
                ("second", "s2"), ("third", "t1"),
            ] {
                group.addTask { try await places.withPlace(for: guest, at: "a") { await work.run(name) } }
                askedCount += 1
                while await places.waitingCount + work.running.count < askedCount { await Task.yield() }
            }
            #expect(work.running == ["b1", "b2", "s1"])
            for (done, running) in [
                ("s1", ["b1", "b2", "s2"]), ("b1", ["b2", "b3", "s2"]), ("b2", ["b3", "s2", "t1"]),
                ("s2", ["b3", "b4", "t1"]), ("t1", ["b3", "b4"]), ("b3", ["b4", "b5"]),
            ] as [(String, Set<String>)] {
                work.finish(done)
                #expect(await work.running(count: running.count) == running)
            }
            work.finish("b4")
            work.finish("b5")
            try await group.waitForAll()
        }
    }

    @Test("requests beyond a guest's limit of waiting requests are refused, those of other guests are not")
    func bound() async throws {
        let places = turns(places: 1, byGuest: 1, waitingByGuest: 1)
        let work = Work()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await places.withPlace(for: "first", at: "a") { await work.run("1") } }
            #expect(await work.running(count: 1) == ["1"])
            group.addTask { try await places.withPlace(for: "first", at: "a") { await work.run("2") } }
            while await places.waitingCount < 1 { await Task.yield() }
            await #expect(throws: FairTurnsRefusal.self) { try await places.withPlace(for: "first", at: "a") {} }
            group.addTask { try await places.withPlace(for: "second", at: "a") { await work.run("3") } }
            while await places.waitingCount < 2 { await Task.yield() }
            for (done, next) in [("1", "2"), ("2", "3")] {
                work.finish(done)
                #expect(await work.running(count: 1) == [next])
            }
            work.finish("3")
            try await group.waitForAll()
        }
    }

    @Test("an address with many guests leaves a permit to another, and takes turns with it")
    func addresses() async throws {
        let places = turns(places: 2, byAddress: 1, byGuest: 1, waitingByAddress: 3, waitingByGuest: 1)
        let work = Work()
        try await withThrowingTaskGroup(of: Void.self) { group in
            var askedCount = 0
            func ask(_ guest: String, at address: String) async {
                group.addTask { try await places.withPlace(for: guest, at: address) { await work.run(guest) } }
                askedCount += 1
                while await places.waitingCount + work.running.count < askedCount { await Task.yield() }
            }
            for number in 1...4 { await ask("crowd \(number)", at: "crowd") }
            #expect(work.running == ["crowd 1"])
            await #expect(throws: FairTurnsRefusal.self) { try await places.withPlace(for: "crowd 5", at: "crowd") {} }
            await ask("quiet", at: "quiet")
            #expect(work.running == ["crowd 1", "quiet"])
            await ask("third", at: "third")
            work.finish("crowd 1")
            #expect(await work.running(count: 2) == ["crowd 2", "quiet"])
            work.finish("crowd 2")
            #expect(await work.running(count: 2) == ["quiet", "third"])
            for name in ["quiet", "third"] { work.finish(name) }
            #expect(await work.running(count: 1) == ["crowd 3"])
            work.finish("crowd 3")
            #expect(await work.running(count: 1) == ["crowd 4"])
            work.finish("crowd 4")
            try await group.waitForAll()
        }
    }

    @Test("a permit is returned if the work fails")
    func failure() async throws {
        struct Failed: Error {}
        let places = turns(places: 1, byGuest: 1, waitingByGuest: 1)
        await #expect(throws: Failed.self) { try await places.withPlace(for: "first", at: "a") { throw Failed() } }
        try await places.withPlace(for: "second", at: "a") {}
    }
}
