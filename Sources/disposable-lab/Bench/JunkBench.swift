// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableNode
import DisposableSync
import Foundation
import Glibc
import Logging
import Synchronization

/// Measures the cost of junk at a thousand connections a second: for a node that is sending to another one, and for a
/// server that only accepts and closes, which is the kernel's share of the cost.
struct JunkBench {
    let fileCount: Int
    let seconds: Int
    static let connectionsPerSecond = 1_000
    private static let roundCount = 3

    func run() async throws {
        let folder = BenchFolder()
        let pictures = folder.path + "/pictures"
        try TransferBench.makeFiles(fileCount, in: pictures)
        let host = try BenchNode(data: folder.path + "/host", ["host", "Bench", "--frames", "unlimited", "--no-mdns"])
        let ready = try await host.waitUntil("ready")
        guard let invitation = ready["invitation"] as? String, let listen = ready["listen"] as? String,
            let port = listen.split(separator: ":").last.flatMap({ UInt16($0) })
        else { throw Failure("the node gave no invitation") }
        try BenchNode.runToEnd(data: folder.path + "/host", ["add", "--keep-metadata", pictures])

        let bare = try BareServer()
        var rates: [String: [Double]] = [:]
        for round in 0..<Self.roundCount {
            for (name, target) in [("quiet", nil), ("bare", bare.port), ("node", port)] {
                let rate = try await megabytesPerSecond(
                    invitation, data: "\(folder.path)/\(name)-\(round)", junkTo: target)
                rates[name, default: []].append(rate)
            }
        }
        // Separate from a transfer, whose own buffers vary.
        host.resetPeakMemory()
        let before = host.peakMemoryMegabytes
        let junk = JunkSource(port: port)
        let clock = ContinuousClock()
        let beginning = clock.now
        try await Task.sleep(for: .seconds(seconds))
        // A busy machine takes longer to make the connections, and this measures their cost.
        for _ in 0..<600 where junk.connectionCount < Self.connectionsPerSecond * seconds / 2 {
            try await Task.sleep(for: .milliseconds(100))
        }
        let answers = junk.stop()
        let elapsed = (clock.now - beginning) / .seconds(1)
        let medians = rates.mapValues { $0.sorted()[$0.count / 2] }
        Figure.report(
            "junk",
            [
                "connections": Double(answers.count), "connectionsPerSecond": Double(answers.count) / elapsed,
                "answeredBytesMax": Double(answers.byteCountMax),
                "memoryGrowthMegabytes": host.peakMemoryMegabytes - before,
                "megabytesPerSecondQuiet": medians["quiet"] ?? 0, "megabytesPerSecondBare": medians["bare"] ?? 0,
                "megabytesPerSecondNode": medians["node"] ?? 0,
                "shareOfBare": (medians["node"] ?? 0) / (medians["bare"] ?? 1),
            ])
        host.stop()
        bare.stop()
    }

    /// Measures a transfer from the admission of the node on, whose connection exists before the junk comes. The node is
    /// polled, since its own reports come only twice a second; all files may have arrived at the first poll.
    private func megabytesPerSecond(_ invitation: String, data: String, junkTo port: UInt16?) async throws -> Double {
        let node = try BenchNode(data: data, ["join", invitation, "--no-mdns", "--no-portal"])
        try await node.waitUntil("admitted")
        let junk = port.map { JunkSource(port: $0) }
        defer { _ = junk?.stop() }
        let begin = node.seconds
        let (last, end) = try await status(data, node) { $0.photos.completeCount == fileCount }
        node.stop()
        try FileManager.default.removeItem(atPath: data)
        return Double(last.network.receivedByteCount) / 1e6 / (end - begin)
    }

    /// Returns the first status that satisfies the condition, with its time.
    private func status(
        _ data: String, _ node: BenchNode, where isWanted: (EventStatus) -> Bool
    ) async throws -> (status: EventStatus, seconds: Double) {
        let latest = Mutex<EventStatus?>(nil)
        for _ in 0..<6_000 {
            try await NodeClient.ask(.status, folder: DataFolder(path: data), logger: Logger(label: "bench")) { reply in
                if case .status(let status) = reply { latest.withLock { $0 = status } }
            }
            if let status = latest.withLock({ $0 }), isWanted(status) { return (status, node.seconds) }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Failure("the transfer has not finished within a minute")
    }
}

/// Connects to a port of this machine repeatedly, and sends invalid data: nothing, noise, the preface of another event,
/// too much, a frame that is too large. Half of it comes from one address, half from two hundred.
final class JunkSource: Sendable {
    /// The results: connections made, and the maximum of bytes that one received.
    struct Answers {
        var count = 0
        var byteCountMax = 0
    }

    private static let openMax = 512
    private static let tickMilliseconds = 5
    private let isStopped = Mutex(false)
    private let result = Mutex(Answers())
    private let end = DispatchSemaphore(value: 0)

    init(port: UInt16) {
        Thread.detachNewThread { [self] in
            send(to: port)
            end.signal()
        }
    }

    /// The number of connections made so far.
    var connectionCount: Int { result.withLock { $0.count } }

    /// Closes open connections.
    func stop() -> Answers {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        if isFirst { end.wait() }
        return result.withLock { $0 }
    }

    private struct Connection {
        let descriptor: Int32
        var unsent: [UInt8]
        var answeredByteCount = 0
    }

    private func send(to port: UInt16) {
        var random = SplitMix64(seed: 1)
        var open: [Connection] = []
        var answers = Answers()
        let clock = ContinuousClock()
        var next = clock.now
        while !isStopped.withLock({ $0 }) {
            for _ in 0..<JunkBench.connectionsPerSecond * Self.tickMilliseconds / 1_000 {
                if open.count >= Self.openMax { close(open.removeFirst().descriptor) }
                guard let descriptor = Self.connect(from: answers.count, to: port) else { continue }
                open.append(Connection(descriptor: descriptor, unsent: Self.junk(answers.count, &random)))
                answers.count += 1
            }
            open = Self.work(open, &answers)
            result.withLock { $0 = answers }
            next += .milliseconds(Self.tickMilliseconds)
            let pause = next - clock.now
            if pause > .zero {
                usleep(UInt32(pause.components.attoseconds / 1_000_000_000_000))
            } else {
                next = clock.now
            }
        }
        for connection in open { close(connection.descriptor) }
    }

    private static func junk(_ number: Int, _ random: inout SplitMix64) -> [UInt8] {
        func noise(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
        switch number / 2 % 5 {
        case 0: return []
        case 1: return noise(64)
        case 2: return Array("DSPL".utf8) + [1] + noise(32)
        case 3: return noise(9_000)
        default: return Array("DSPL".utf8) + [1] + noise(32) + [0xFF, 0xFF] + noise(400)
        }
    }

    private static func connect(from number: Int, to port: UInt16) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        if !number.isMultiple(of: 2) {
            var source = SocketName.loopback(0, port: 0)
            source.sin_addr.s_addr = (0x7F01_0001 + UInt32(number / 2 % 200)).bigEndian
            _ = SocketName.with(&source) { bind(descriptor, $0, $1) }
        }
        var target = SocketName.loopback(1, port: port)
        guard SocketName.with(&target, { Glibc.connect(descriptor, $0, $1) }) == 0 || errno == EINPROGRESS else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Sends and receives available data; connections that the node has closed are closed here.
    private static func work(_ open: [Connection], _ answers: inout Answers) -> [Connection] {
        var polls = open.map {
            pollfd(fd: $0.descriptor, events: Int16($0.unsent.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0)
        }
        guard poll(&polls, nfds_t(polls.count), 0) > 0 else { return open }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        return zip(open, polls).compactMap { connection, events in
            guard events.revents != 0 else { return connection }
            var connection = connection
            if events.revents & Int16(POLLOUT) != 0, !connection.unsent.isEmpty {
                let count = Glibc.send(
                    connection.descriptor, connection.unsent, connection.unsent.count, Int32(MSG_NOSIGNAL))
                connection.unsent.removeFirst(max(0, count))
            }
            guard events.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { return connection }
            let count = recv(connection.descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                connection.answeredByteCount += count
                answers.byteCountMax = max(answers.byteCountMax, connection.answeredByteCount)
            }
            guard count > 0 || (count < 0 && errno == EAGAIN) else {
                close(connection.descriptor)
                return nil
            }
            return connection
        }
    }
}

/// A server that accepts and closes.
final class BareServer: Sendable {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = SocketName.loopback(1, port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard descriptor >= 0, SocketName.with(&name, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 64) == 0,
            SocketName.with(&name, { address, _ in getsockname(descriptor, address, &length) }) == 0
        else { throw Failure("no socket to compare with: \(String(cString: strerror(errno)))") }
        self.descriptor = descriptor
        port = UInt16(bigEndian: name.sin_port)
        Thread.detachNewThread {
            while case let accepted = accept(descriptor, nil, nil), accepted >= 0 { close(accepted) }
        }
    }

    /// Shuts the socket down before closing it, so that `accept` returns.
    func stop() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }
}
