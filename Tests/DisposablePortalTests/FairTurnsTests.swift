// SPDX-License-Identifier: Apache-2.0
import DisposablePortal
import Synchronization
import Testing

@Suite struct FairTurnsTests {
    /// Work that goes on until it is let go.
    private final class Work: Sendable {
        private let gates = Mutex<[String: CheckedContinuation<Void, Never>]>([:])

        var running: Set<String> { gates.withLock { Set($0.keys) } }

        func run(_ name: String) async {
            await withCheckedContinuation { continuation in gates.withLock { $0[name] = continuation } }
        }

        func finish(_ name: String) { gates.withLock { $0.removeValue(forKey: name) }!.resume() }

        /// Waits until so many work, and says which.
        func running(count: Int) async -> Set<String> {
            while running.count < count { await Task.yield() }
            return running
        }
    }

    @Test("an owner with many requests leaves places to others, and takes turns with them for the rest")
    func turns() async throws {
        let places = FairTurns<String>(count: 3, countPerOwner: 2, waitingCountPerOwner: 10)
        let work = Work()
        try await withThrowingTaskGroup(of: Void.self) { group in
            var askedCount = 0
            // The busy owner has two places; the third is free for the second owner.
            for (owner, name) in [
                ("busy", "b1"), ("busy", "b2"), ("second", "s1"), ("busy", "b3"), ("busy", "b4"), ("busy", "b5"),
                ("second", "s2"), ("third", "t1"),
            ] {
                group.addTask { try await places.withPlace(for: owner) { await work.run(name) } }
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

    @Test("more requests of one owner than may wait are refused, another's are not")
    func bound() async throws {
        let places = FairTurns<String>(count: 1, countPerOwner: 1, waitingCountPerOwner: 1)
        let work = Work()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await places.withPlace(for: "first") { await work.run("1") } }
            #expect(await work.running(count: 1) == ["1"])
            group.addTask { try await places.withPlace(for: "first") { await work.run("2") } }
            while await places.waitingCount < 1 { await Task.yield() }
            await #expect(throws: PortalError.self) { try await places.withPlace(for: "first") {} }
            group.addTask { try await places.withPlace(for: "second") { await work.run("3") } }
            while await places.waitingCount < 2 { await Task.yield() }
            for (done, next) in [("1", "2"), ("2", "3")] {
                work.finish(done)
                #expect(await work.running(count: 1) == [next])
            }
            work.finish("3")
            try await group.waitForAll()
        }
    }

    @Test("a place comes back where the work fails")
    func failure() async throws {
        struct Failed: Error {}
        let places = FairTurns<String>(count: 1, countPerOwner: 1, waitingCountPerOwner: 1)
        await #expect(throws: Failed.self) { try await places.withPlace(for: "first") { throw Failed() } }
        try await places.withPlace(for: "second") {}
    }
}
