// SPDX-License-Identifier: Apache-2.0
import Testing

extension Scenarios {
    @Suite("Nodes on one network")
    struct MeetingTests {
        @Test("Two nodes find each other by mDNS alone, and show the same gallery, byte for byte")
        func twoNodes() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let anna = try stage.host("Anna", on: 1)
                let invitation = try await anna.invitation
                try await stage.hear("an event that Ben is not in", on: 2, as: "Ben") {
                    $0.contains { $0.address == "10.77.0.1:8028" && $0.isJoined == false }
                }
                // No machine has the address in the invitation any longer: only mDNS knows the new one.
                try await stage.lan.readdress(1, to: "10.77.0.101")
                let ben = try stage.start("Ben", on: 2, ["join", invitation, "--as", "Ben", "--timeout", "60"])
                let end = ContinuousClock.now + .seconds(61)
                _ = try await ben.waitFor("the admission") { $0.first { $0.type == "admitted" } }
                #expect(try await ben.waitForStatus("a peer") { $0.peers?.isEmpty == false }.discovery == "embedded")

                // A member advertises the event as well, so that it is found when the host is away.
                try await stage.hear("the event that Ben is in", on: 2, as: "Ben") { lines in
                    let announced = lines.filter { $0.name == "Garden party" && $0.isJoined == true }
                    return Set(announced.map(\.address)).isSuperset(of: ["10.77.0.101:8028", "10.77.0.2:8028"])
                }
                // The search for a sponsor ends, and the node keeps running.
                try await Task.sleep(until: end)
                #expect(ben.isRunning)

                let pictures = try stage.makeFolder("pictures")
                try await stage.add(Pictures.paint(3, seed: 100, in: pictures), "Anna", on: 1)
                try await stage.add(Pictures.paint(2, seed: 200, in: pictures), "Ben", on: 2)
                try await stage.waitUntilEqual([anna, ben], photoCount: 5)
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2)], photoCount: 5)
            }
        }

        @Test("Three nodes are equal again after one was cut off while the others added photos")
        func threeNodes() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let anna = try stage.host("Anna", on: 1)
                let (ben, chloe) = try await stage.join(anna)
                let nodes = [anna, ben, chloe]
                _ = try await RunningNode.wait(nodes, for: "three members everywhere") {
                    nodes.allSatisfy { $0.latestStatus?.memberCount == 3 } ? true : nil
                }

                try await stage.lan.cut(3)
                let pictures = try stage.makeFolder("pictures")
                try await stage.add(Pictures.paint(2, seed: 300, in: pictures), "Anna", on: 1)
                try await stage.add(Pictures.paint(2, seed: 400, in: pictures), "Ben", on: 2)
                try await stage.waitUntilEqual([anna, ben], photoCount: 4)
                #expect(chloe.latestStatus?.photoCount == 0)
                // A node that is cut off keeps accepting photos.
                try await stage.add(Pictures.paint(1, seed: 500, in: pictures), "Chloe", on: 3)

                try await stage.lan.heal(3)
                try await stage.waitUntilEqual(nodes, photoCount: 5)
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2), ("Chloe", 3)], photoCount: 5)
            }
        }
    }
}
