// SPDX-License-Identifier: Apache-2.0
import DisposableDiscovery
import Logging
import Testing

private let logger = Logger(label: "discovery-tests") { _ in SwiftLogNoOpLogHandler() }

private func start() throws -> Discovery { try Discovery(interface: "lo", logger: logger) }

/// A name no other test run on this machine uses at the same time.
private func randomName() -> String { "test-" + String(UInt64.random(in: .min ... .max), radix: 36) }

extension Discovery {
    /// The first sighting of `name` to come that has `text`; `nil` if the stream ends before, as it does when the
    /// test's time limit cancels it.
    fileprivate func sighting(of name: String, text: [String: [UInt8]]? = nil) async -> Sighting? {
        for await case .found(let sighting) in updates where sighting.instanceName == name {
            if text == nil || sighting.text == text { return sighting }
        }
        return nil
    }

    fileprivate func loss(of name: String) async -> Bool {
        for await case .lost(name, "lo") in updates { return true }
        return false
    }
}

/// Embedded stacks on `lo`, each with a socket and thread of its own, as in separate processes.
///
/// The time limit counts while all other tests of the process have their turns as well.
@Suite(
    .enabled(if: Loopback.carriesMulticast, "the loopback interface carries no multicast here"),
    .timeLimit(.minutes(60)))
struct DiscoveryTests {
    @Test("on a loopback interface the stack is embedded")
    func loopbackIsEmbedded() async throws {
        let discovery = try start()
        for await update in discovery.updates {
            #expect(update == .mode(.embedded, reason: nil))
            break
        }
        discovery.stop()
    }

    @Test("two nodes find each other, and themselves, with port and text")
    func twoNodes() async throws {
        let nodes = [try start(), try start()]
        let advertisements = [
            Advertisement(instanceName: randomName(), port: 4001, text: ["v": Array("1".utf8), "s": [0, 255, 61, 0]]),
            Advertisement(instanceName: randomName(), port: 4002, text: ["empty": []]),
        ]
        for (node, advertisement) in zip(nodes, advertisements) { try node.advertise(advertisement) }
        for node in nodes {
            var missing = Dictionary(uniqueKeysWithValues: advertisements.map { ($0.instanceName, $0) })
            for await case .found(let sighting) in node.updates {
                guard let expected = missing.removeValue(forKey: sighting.instanceName) else { continue }
                #expect(sighting.port == expected.port)
                #expect(sighting.text == expected.text)
                #expect(sighting.interfaceName == "lo")
                #expect(["127.0.0.1", "::1"].contains(sighting.host))
                if missing.isEmpty { break }
            }
            #expect(missing.isEmpty)
        }
        nodes.forEach { $0.stop() }
    }

    @Test("three nodes all find each other")
    func threeNodes() async throws {
        let nodes = [try start(), try start(), try start()]
        let names = nodes.map { _ in randomName() }
        for (node, name) in zip(nodes, names) {
            try node.advertise(Advertisement(instanceName: name, port: 4003, text: [:]))
        }
        for node in nodes {
            var missing = Set(names)
            for await case .found(let sighting) in node.updates {
                missing.remove(sighting.instanceName)
                if missing.isEmpty { break }
            }
            #expect(missing.isEmpty)
        }
        nodes.forEach { $0.stop() }
    }

    @Test("changed text is a new sighting, without a loss")
    func textChange() async throws {
        let (reader, writer) = (try start(), try start())
        var advertisement = Advertisement(instanceName: randomName(), port: 4004, text: ["n": [1]])
        try writer.advertise(advertisement)
        #expect(await reader.sighting(of: advertisement.instanceName, text: ["n": [1]]) != nil)
        advertisement.text = ["n": [2], "more": [3]]
        try writer.advertise(advertisement)
        var hasChanged = false
        for await update in reader.updates {
            if case .lost(advertisement.instanceName, _) = update { Issue.record("lost by a change of text") }
            guard case .found(let sighting) = update, sighting.text == advertisement.text else { continue }
            hasChanged = true
            break
        }
        #expect(hasChanged)
        reader.stop()
        writer.stop()
    }

    @Test("a changed port is seen")
    func portChange() async throws {
        let (reader, writer) = (try start(), try start())
        var advertisement = Advertisement(instanceName: randomName(), port: 4005, text: [:])
        try writer.advertise(advertisement)
        #expect(await reader.sighting(of: advertisement.instanceName)?.port == 4005)
        advertisement.port = 4006
        try writer.advertise(advertisement)
        var port: UInt16?
        while port != 4006, let sighting = await reader.sighting(of: advertisement.instanceName) {
            port = sighting.port
        }
        #expect(port == 4006)
        reader.stop()
        writer.stop()
    }

    @Test("a withdrawn advertisement is lost, and found when it is published again")
    func withdrawal() async throws {
        let (reader, writer) = (try start(), try start())
        let advertisement = Advertisement(instanceName: randomName(), port: 4007, text: [:])
        try writer.advertise(advertisement)
        #expect(await reader.sighting(of: advertisement.instanceName) != nil)
        try writer.advertise(nil)
        #expect(await reader.loss(of: advertisement.instanceName))
        try writer.advertise(advertisement)
        #expect(await reader.sighting(of: advertisement.instanceName) != nil)
        reader.stop()
        writer.stop()
    }

    @Test("a node that stops is lost by the others")
    func goodbye() async throws {
        let (reader, writer) = (try start(), try start())
        let name = randomName()
        try writer.advertise(Advertisement(instanceName: name, port: 4008, text: [:]))
        #expect(await reader.sighting(of: name) != nil)
        writer.stop()
        #expect(await reader.loss(of: name))
        reader.stop()
    }

    /// Which of the two has to change its name is up to the tie-break of RFC 6762 §8.2.
    @Test("two nodes that choose the same name are both found, one of them under another name")
    func collision() async throws {
        let (first, second) = (try start(), try start())
        let name = randomName()
        try first.advertise(Advertisement(instanceName: name, port: 4009, text: [:]))
        try second.advertise(Advertisement(instanceName: name, port: 4010, text: [:]))
        var ports: [String: UInt16] = [:]
        for await update in first.updates {
            switch update {
            case .found(let sighting) where sighting.instanceName.hasPrefix(name):
                ports[sighting.instanceName] = sighting.port
            case .lost(let lost, _): ports[lost] = nil
            case .found, .mode: break
            }
            if Set(ports.values) == [4009, 4010] { break }
        }
        #expect(Set(ports.values) == [4009, 4010])
        #expect(ports.keys.contains(name))
        first.stop()
        second.stop()
    }

    @Test("a renewed advertisement is found by somebody who comes later, with its newest text")
    func renewal() async throws {
        let writer = try start()
        var advertisement = Advertisement(instanceName: randomName(), port: 4011, text: ["s": [1]])
        for salt: UInt8 in 1...8 {
            advertisement.text = ["s": [salt]]
            try writer.advertise(advertisement, renewing: true)
        }
        let reader = try start()
        #expect(await reader.sighting(of: advertisement.instanceName, text: ["s": [8]]) != nil)
        try writer.advertise(advertisement, renewing: true)
        try writer.advertise(nil)
        #expect(await reader.loss(of: advertisement.instanceName))
        reader.stop()
        writer.stop()
    }

    @Test("stopping ends the stream, ends what is advertised later, and may be repeated")
    func stopping() async throws {
        let (discovery, reader) = (try start(), try start())
        discovery.stop()
        discovery.stop()
        for await _ in discovery.updates {}
        let (late, early) = (randomName(), randomName())
        try discovery.advertise(Advertisement(instanceName: late, port: 4012, text: [:]))
        let writer = try start()
        try writer.advertise(Advertisement(instanceName: early, port: 4013, text: [:]))
        for await case .found(let sighting) in reader.updates {
            #expect(sighting.instanceName != late)
            if sighting.instanceName == early { break }
        }
        reader.stop()
        writer.stop()
    }

    @Test("a discovery that is dropped without being stopped ends its stream")
    func dropping() async throws {
        var discovery: Discovery? = try start()
        let updates = try #require(discovery).updates
        discovery = nil
        for await _ in updates {}
    }
}
