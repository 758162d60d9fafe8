// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableImaging
import DisposableModel
import DisposableNode
import DisposablePortal
import DisposableWire
import Foundation
import Logging
import Synchronization

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Try it: an event with three nodes on this machine and generated photos.",
        discussion: """
            The nodes announce themselves and talk on the loopback interface only; the first one's pages can be opened \
            by every phone on this network, unless --once is given. Their folders are temporary and are removed at the \
            end.
            """)

    @Option(help: "Photos added on each of two nodes.")
    var photos = 6

    @Flag(help: "End once the three galleries are equal, with exit code 0.")
    var once = false

    @Flag(help: "Print one JSON object a line; texts for people go to standard error.")
    var json = false

    @Option(help: "How much to log to standard error.")
    var logLevel: LogLevel = .notice

    func validate() throws {
        guard (1...500).contains(photos) else { throw ValidationError("--photos takes 1 to 500") }
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "disposable-demo-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let console = Console(isJSON: json)
        try await Demo(
            folder: folder, photosEach: photos, endsByItself: once, console: console, logger: logLevel.logger
        ).run()
    }
}

private struct Demo: Sendable {
    let folder: URL
    let photosEach: Int
    let endsByItself: Bool
    let console: Console
    let logger: Logger

    private static let names = ["Anna", "Ben", "Chloe"]
    private struct Line: Encodable {
        let node: String
        let status: EventStatus
    }

    func run() async throws {
        let nodes = try Self.names.map { name in
            try Node(
                folder: DataFolder(path: folder.appendingPathComponent(name).path),
                configuration: NodeConfiguration(listen: .address(host: "127.0.0.1", port: 0), interface: "lo"),
                logger: logger)
        }
        let pages = nodes.indices.map { index in
            Pages(
                node: nodes[index], hosts: index == 0 && !endsByItself ? [] : ["127.0.0.1"],
                port: .standard(remembered: nil), logger: logger)
        }
        var services = Services(logger: logger, stopLimit: Services.nodeStopLimit)
        for (name, node) in zip(Self.names, nodes) {
            services.serve("\(name)'s node", stop: { await node.stop() }) { try await node.run() }
        }
        // Sequentially, so that their ports are in order.
        var before: AsyncStream<Void>?
        for (name, pages) in zip(Self.names, pages) {
            let (served, serving) = AsyncStream.makeStream(of: Void.self)
            services.serve("\(name)'s pages", stop: { await pages.stop() }) { [before] in
                defer { serving.finish() }
                if let before { for await _ in before {} }
                try await pages.run { _ in serving.finish() }
            }
            before = served
        }
        services.follow("play", endsAll: endsByItself) { [before] in
            try await play(nodes, before ?? AsyncStream { $0.finish() })
        }
        try await services.run()
    }

    /// Plays the event from its opening to three equal galleries.
    private func play(_ nodes: [Node], _ served: AsyncStream<Void>) async throws {
        for (name, node) in zip(Self.names, nodes) { try await waitUntilReady(node, name) }
        for await _ in served {}
        let charter = Charter(
            name: "Demo party", startsAtMilliseconds: UInt64(Date().timeIntervalSince1970 * 1_000), frames: 0)
        let event = try await nodes[0].host(charter, organizerName: Self.names[0])
        Console.say("\(Self.names[0]) hosts \"\(charter.name)\"; \(Self.names[1]) and \(Self.names[2]) join")
        let info = try await nodes[0].event(event).invitation
        var invitation = try Invitation(text: info.invitation)
        if await nodes[0].usesMulticast {
            // Found by mDNS, as on a real network, not by the address in the invitation.
            invitation = Invitation(
                eventKey: invitation.eventKey, secret: invitation.secret, name: invitation.name, addresses: [])
        } else {
            Console.say("there is no multicast here, so the nodes dial the address in the invitation")
        }
        for (name, node) in zip(Self.names, nodes).dropFirst() { _ = try await node.join(invitation, name: name) }
        let hostAddresses = try Invitation(text: info.invitation).addresses
        try await waitUntilAdmitted(nodes[2], Self.names[2], hostAddresses)
        try await addPhotos(on: Array(zip(Self.names, nodes).prefix(2)), hostAddresses)
        try await waitUntilEqual(nodes, event, photoCount: 2 * photosEach)
        try await report(nodes, event)
    }

    private func waitUntilReady(_ node: Node, _ name: String) async throws {
        for await update in node.updates {
            switch update {
            case .ready(let listen):
                Console.say("\(name)'s node listens on \(listen ?? "-")")
                return
            case .warning(let text): Console.say("disposable: warning: \(text)")
            case .solved(let text): Console.say("disposable: \(text)")
            default: break
            }
        }
        throw CancellationError()
    }

    private func addPhotos(on nodes: [(String, Node)], _ hostAddresses: [PeerAddress]) async throws {
        let painter = ImageWorkerPool()
        defer { Console.endProgress() }
        for (place, (name, node)) in nodes.enumerated() {
            try await waitUntilAdmitted(node, name, hostAddresses)
            let pictures = folder.appendingPathComponent("pictures of \(name)")
            try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
            for index in 1...photosEach {
                try Task.checkCancellation()
                Console.progress("painting photo \(index) of \(photosEach) for \(name)")
                let photo = DemoPhoto(
                    seed: UInt64(place * 1_000 + index), width: 2_000, height: 1_500,
                    capturedAtMilliseconds: Int64(Date().timeIntervalSince1970 * 1_000) + Int64(index) * 1_000)
                let bytes = try await painter.jpeg(of: photo)
                try Data(bytes).write(to: pictures.appendingPathComponent("IMG_\(index).jpg"))
            }
            let failure = FirstFailure()
            await node.answer(.add(event: nil, paths: [pictures.path], keepsMetadata: false)) { reply in
                switch reply {
                case .progress(let done, let total): Console.progress("\(name) adds photo \(done) of \(total)")
                case .failed(let message, let hint, let code):
                    failure.fail(Failure(message, hint: hint, exitCode: code))
                default: break
                }
            }
            try failure.check()
            Console.say("\(name) has added \(Show.count(photosEach, "photo"))")
        }
        await painter.stop()
    }

    private func waitUntilAdmitted(_ node: Node, _ name: String, _ hostAddresses: [PeerAddress]) async throws {
        let event = try await node.event(named: nil).event
        for attempt in 0..<600 {
            if await (try? node.event(event))?.isAdmitted == true { return }
            if attempt == 100 {
                Console.say("no multicast gets through here, so \(name)'s node dials the address in the invitation")
                try await node.event(event).dial(hostAddresses)
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw Failure("\(name)'s node was not admitted in a minute", hint: "`--log-level debug` shows what it tried")
    }

    private func waitUntilEqual(_ nodes: [Node], _ event: EventID, photoCount: Int) async throws {
        for _ in 0..<1_200 {
            var statuses: [EventStatus] = []
            for node in nodes { statuses.append(try await node.event(event).status) }
            let parts = zip(Self.names, statuses).map { "\($0) \($1.photos.completeCount)/\(photoCount)" }
            Console.progress("photos complete: " + parts.joined(separator: ", "))
            let digest = statuses[0].operations.digest
            if statuses.allSatisfy({ $0.operations.digest == digest && $0.photos.completeCount == photoCount }) {
                Console.endProgress()
                return
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw Failure("the galleries were not equal within two minutes")
    }

    private func report(_ nodes: [Node], _ event: EventID) async throws {
        let info = try await nodes[0].event(event).invitation
        for (name, node) in zip(Self.names, nodes) {
            let status = try await node.event(event).status
            console.json("gallery", Line(node: name, status: status))
            console.result(
                "\(name): \(status.photos.completeCount) of \(status.photos.photoCount) photos, "
                    + "digest \(status.operations.digest ?? "-")")
        }
        Console.say("\nThe three galleries are equal. This is the invitation for other nodes on this machine:\n")
        console.result(info.invitation + "\n")
        try GuestInvitation(info).show()
        guard !endsByItself else { return }
        Console.say("\(Self.names[1])'s node shows the same pages to this machine:\n")
        Console.say("  \(try await nodes[1].event(event).invitation.localURL ?? "-")")
        Console.say(
            """

            Try from another terminal, as \(Self.names[2]):
              disposable gallery --data '\(folder.appendingPathComponent(Self.names[2]).path)'
              disposable export photos --data '\(folder.appendingPathComponent(Self.names[2]).path)'
            Ctrl-C ends the demo.
            """)
    }
}
