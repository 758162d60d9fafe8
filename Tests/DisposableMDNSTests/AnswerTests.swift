// SPDX-License-Identifier: Apache-2.0
import DisposableMDNS
import DisposableValues
import Testing

/// The answers of one published node, packet by packet.
struct AnswerTests {
    private static let source = IPAddress([10, 0, 9, 9])!

    /// A node that has been published for a minute, and somebody who hears all that it sends.
    private struct Listener {
        var stack: MDNSStack
        var now: UInt64 = 10_000
        var sent: [(at: UInt64, message: Message, to: Endpoint?)] = []

        init(seconds: UInt64 = 60) throws {
            stack = MDNSStack(serviceType: VirtualNetwork.serviceType, random: SeededGenerator(seed: 1))
            stack.setLinks([VirtualNetwork.description(0)], at: now)
            stack.publish(
                PublishedService(instanceName: "node", port: 8028, text: ["v": [49]]), renewing: false, at: now)
            try run(seconds * 1_000)
        }

        mutating func run(_ milliseconds: UInt64) throws {
            let end = now + milliseconds
            while true {
                stack.advance(to: now)
                for case .send(let bytes, _, let endpoint) in stack.takeOutputs() {
                    sent.append((now, try Packet.decode(bytes), endpoint))
                }
                guard let next = stack.nextDeadline, next <= end else { break }
                now = max(now, next)
            }
            now = end
        }

        mutating func hear(_ bytes: [UInt8], port: UInt16 = 5353, isToGroup: Bool = true) {
            stack.receive(
                Datagram(bytes: bytes, source: Endpoint(address: source, port: port), isToGroup: isToGroup),
                on: VirtualNetwork.link, at: now)
        }

        var responses: [(at: UInt64, message: Message, to: Endpoint?)] { sent.filter { $0.message.isResponse } }
    }

    private static let pointerQuestion = Question(name: VirtualNetwork.serviceName, type: .pointer)

    @Test("before it publishes, it asks three times, 250 ms apart, whether anybody has its names; then it announces")
    func probing() throws {
        let listener = try Listener()
        let probes = listener.sent.filter { !$0.message.isResponse && !$0.message.authorities.isEmpty }
        #expect(probes.count == 3)
        #expect(zip(probes, probes.dropFirst()).allSatisfy { $1.at - $0.at == 250 })
        #expect(probes.allSatisfy { $0.message.questions.allSatisfy { $0.type == .any } })
        let announcements = listener.responses
        #expect(announcements.count == 3)
        #expect(announcements[0].at == probes[2].at + 250)
        #expect(zip(announcements, announcements.dropFirst()).allSatisfy { $1.at - $0.at >= 1_000 })
        #expect(announcements[0].message.answers.contains(Packet.pointer("node")))
        #expect(announcements[0].message.answers.filter(\.isUnique).count == 3)
    }

    @Test("a question for the type is answered to the group after 20 to 120 ms, with all that is needed to dial")
    func pointer() throws {
        var listener = try Listener()
        listener.sent = []
        let asked = listener.now
        listener.hear(Packet.query([Self.pointerQuestion]))
        try listener.run(2_000)
        let response = try #require(listener.responses.first)
        #expect(listener.responses.count == 1 && response.to == nil)
        #expect(20...120 ~= response.at - asked)
        #expect(response.message.answers == [Packet.pointer("node")])
        #expect(Set(response.message.additionals.map(\.data.type)) == [.service, .text, .address4])
    }

    @Test("questions for the node's own records are answered at once, and one for a type that it has not, with NSEC")
    func unique() throws {
        var listener = try Listener()
        listener.sent = []
        let asked = listener.now
        listener.hear(Packet.query([Question(name: Packet.instance("NODE"), type: .service)]))
        try listener.run(1_500)
        let response = try #require(listener.responses.first)
        #expect(response.at == asked)
        guard case .service(8028, let host) = response.message.answers.first?.data else {
            Issue.record("no SRV")
            return
        }
        #expect(response.message.additionals.map(\.data) == [.address(VirtualNetwork.address(0))])
        for (type, count) in [(RecordType.address4, 1), (.any, 1), (.address6, 0)] {
            listener.sent = []
            listener.hear(Packet.query([Question(name: host, type: type)]))
            try listener.run(1_500)
            #expect(listener.responses.count == 1, "\(type)")
            // The decoder leaves NSEC out.
            #expect(listener.responses.first?.message.answers.count == count, "\(type)")
        }
    }

    @Test("a question for other names, or for other services, is not answered")
    func others() throws {
        var listener = try Listener()
        listener.sent = []
        listener.hear(Packet.query([Question(name: Packet.instance("other"), type: .any)]))
        listener.hear(Packet.query([Question(name: Packet.name("_http._tcp.local"), type: .pointer)]))
        try listener.run(2_000)
        #expect(listener.responses.isEmpty)
    }

    @Test("the list of service types names the type")
    func enumeration() throws {
        var listener = try Listener()
        listener.sent = []
        listener.hear(Packet.query([Question(name: Packet.name("_services._dns-sd._udp.local"), type: .pointer)]))
        try listener.run(2_000)
        #expect(listener.responses.first?.message.answers.map(\.data) == [.pointer(VirtualNetwork.serviceName)])
    }

    @Test("what the querier knows is not said again, unless it has forgotten more than half")
    func knownAnswers() throws {
        var listener = try Listener()
        listener.sent = []
        listener.hear(Packet.query([Self.pointerQuestion], known: [Packet.pointer("node", timeToLive: 2_250)]))
        try listener.run(2_000)
        #expect(listener.responses.isEmpty)
        listener.hear(Packet.query([Self.pointerQuestion], known: [Packet.pointer("node", timeToLive: 2_249)]))
        try listener.run(2_000)
        #expect(listener.responses.count == 1)
    }

    @Test("known answers that come in a second packet count as well")
    func truncatedQuery() throws {
        var listener = try Listener()
        listener.sent = []
        listener.hear(Packet.query([Self.pointerQuestion], known: [Packet.pointer("other")], isTruncated: true))
        try listener.run(100)
        listener.hear(Packet.query([], known: [Packet.pointer("node")]))
        try listener.run(2_000)
        #expect(listener.responses.isEmpty)
        listener.hear(Packet.query([Self.pointerQuestion], isTruncated: true))
        let asked = listener.now
        try listener.run(2_000)
        #expect(400...500 ~= (try #require(listener.responses.first)).at - asked)
    }

    @Test("no record goes to the group twice within a second, however often it is asked for; later ones wait")
    func rate() throws {
        var listener = try Listener()
        listener.sent = []
        for _ in 0..<30 {
            listener.hear(Packet.query([Self.pointerQuestion]))
            try listener.run(100)
        }
        try listener.run(2_000)
        let moments = listener.responses.map(\.at)
        #expect(3...4 ~= moments.count)
        #expect(zip(moments, moments.dropFirst()).allSatisfy { $1 - $0 >= 1_000 })
    }

    @Test("a QU question is answered to the querier if the group has heard it lately, and else to the group")
    func unicastQuestion() throws {
        let question = Question(name: VirtualNetwork.serviceName, type: .pointer, wantsUnicast: true)
        var listener = try Listener()
        listener.sent = []
        listener.hear(Packet.query([question]))
        try listener.run(2_000)
        #expect(listener.responses.map(\.to) == [Endpoint(address: Self.source, port: 5353)])
        try listener.run(1_200_000)
        listener.sent = []
        listener.hear(Packet.query([question]))
        try listener.run(2_000)
        #expect(listener.responses.map(\.to) == [nil])
    }

    @Test("a simple resolver gets its number and question back, short times to live and no cache-flush bit")
    func legacy() throws {
        var listener = try Listener()
        listener.sent = []
        listener.hear(Packet.query([Self.pointerQuestion], id: 0xABCD), port: 50_000)
        try listener.run(2_000)
        let response = try #require(listener.responses.first)
        #expect(listener.responses.count == 1)
        #expect(response.to == Endpoint(address: Self.source, port: 50_000))
        #expect(response.message.id == 0xABCD && response.message.questions == [Self.pointerQuestion])
        let records = response.message.answers + response.message.additionals
        #expect(records.count == 4 && records.allSatisfy { $0.timeToLive <= 10 && !$0.isUnique })
    }

    @Test("its own packets, heard back, are no conflict; another's claim has it ask again whether the name is taken")
    func conflict() throws {
        var listener = try Listener()
        listener.sent = []
        listener.hear(Packet.response([Packet.text("node", ["v": [49]])]))
        try listener.run(2_000)
        #expect(listener.sent.isEmpty)
        listener.hear(Packet.response([Packet.text("node", ["v": [50]])]))
        try listener.run(5_000)
        #expect(listener.sent.count { !$0.message.authorities.isEmpty } == 3)
        #expect(listener.stack.instanceName == "node")
        #expect(listener.responses.count == 3)
    }

    @Test("a probe for its name by another is answered at once")
    func defence() throws {
        var listener = try Listener()
        listener.sent = []
        let asked = listener.now
        listener.hear(
            Packet.query(
                [Question(name: Packet.instance("node"), type: .any)],
                authorities: [Packet.service("node", host: "other.local")]))
        try listener.run(1_000)
        #expect(listener.responses.first?.at == asked)
        #expect(listener.responses.first?.message.answers.contains { $0.data.type == .service } == true)
    }

    @Test("what it withdraws it says goodbye to")
    func goodbye() throws {
        var listener = try Listener()
        listener.sent = []
        listener.stack.publish(nil, renewing: false, at: listener.now)
        try listener.run(100)
        let answers = try #require(listener.responses.first).message.answers
        #expect(answers.count == 4 && answers.allSatisfy { $0.timeToLive == 0 })
    }

    @Test("it looks for others after 1, 2, 4, ... seconds and then every hour")
    func browsing() throws {
        let listener = try Listener(seconds: 4 * 3_600)
        let moments = listener.sent.filter { $0.message.questions == [Self.pointerQuestion] }.map(\.at)
        let pauses = zip(moments, moments.dropFirst()).map { $1 - $0 }
        #expect(Array(pauses.prefix(12)) == (0..<12).map { 1_000 << $0 })
        #expect(pauses.dropFirst(12).allSatisfy { $0 == 3_600_000 })
    }

    @Test("a link on which nothing can be sent is tried again after pauses that double")
    func sendFailure() throws {
        var listener = try Listener()
        var moments: [UInt64] = []
        listener.stack.sendFailed(on: VirtualNetwork.link, at: listener.now)
        for _ in 0..<6 {
            listener.sent = []
            while listener.sent.isEmpty { try listener.run(100) }
            moments.append(listener.sent[0].at)
            listener.stack.sendFailed(on: VirtualNetwork.link, at: listener.now)
        }
        let pauses = zip(moments, moments.dropFirst()).map { $1 - $0 }
        #expect(pauses.allSatisfy { $0 >= 1_000 } && zip(pauses, pauses.dropFirst()).allSatisfy { $1 > $0 })
    }
}
