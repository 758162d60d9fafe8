// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableCrypto
import DisposableModel
import DisposableNode
import DisposableStore
import DisposableSync
import DisposableWire
import Foundation
import Synchronization

struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure this machine, one JSON object a line.",
        discussion: """
            Figures of one machine at one moment: compare ratios within one run, not numbers between machines. Nodes use \
            loopback only.
            """)

    enum Part: String, ExpressibleByArgument, CaseIterable {
        case operations, fold, reveal, reconciliation, start, desk, transfer, junk, photo, discovery, album
    }

    @Argument(help: "What to measure (default: all).")
    var parts: [Part] = Part.allCases

    @Option(help: "Operations to create, verify and merge; five times as many are folded.")
    var operations = 20_000

    @Option(help: "Photos of the node whose start, desk and album are measured; half as many are revealed.")
    var photos = 10_000

    @Option(help: "Files sent from node to node, of 4 MB each.")
    var files = 64

    @Option(help: "Seconds of junk in which memory is measured.")
    var seconds = 10

    @Option(help: "Times that a node is looked for, and the desk at, and photos that are followed from node to node.")
    var runs = 30

    func run() async throws {
        for part in parts {
            Console.say("measuring \(part.rawValue) ...")
            switch part {
            case .operations: try OperationBench(count: operations).run()
            case .fold: try FoldBench(count: 5 * operations).run()
            case .reveal: try RevealBench(photoCount: photos / 2).run()
            case .reconciliation: try ReconciliationBench().run()
            case .start: try await StartBench(photoCount: photos).run()
            case .desk: try await DeskBench(photoCount: photos, runCount: runs).run()
            case .transfer: try await TransferBench(fileCount: files).run()
            case .photo: try await PhotoBench(photoCount: runs).run()
            case .album: try await AlbumBench(photoCount: photos).run()
            case .discovery: try await DiscoveryBench(runCount: runs).run()
            case .junk: try await JunkBench(fileCount: files, seconds: seconds).run()
            }
        }
    }
}

/// A result on standard output.
enum Figure {
    static func report(_ name: String, _ values: [String: Double]) {
        let fields = values.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\(number($0.value))" }
        Console.line("{\"bench\":\"\(name)\",\(fields.joined(separator: ","))}")
    }

    /// JSON has neither infinity nor "not a number".
    private static func number(_ value: Double) -> String {
        guard value.isFinite else { return "null" }
        return value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(format: "%.3f", value)
    }

    static func seconds<Result>(_ work: () throws -> Result) rethrows -> (Double, Result) {
        let clock = ContinuousClock()
        let start = clock.now
        let result = try work()
        return (
            Double((clock.now - start).components.attoseconds) / 1e18 + Double((clock.now - start).components.seconds),
            result
        )
    }
}

/// A generated event as its operations: for measurements without files.
struct SyntheticEvent {
    let eventKey: SigningKey
    private(set) var operations: [VerifiedOperation] = []

    static func key(_ byte: UInt8) -> SigningKey { SigningKey(seed: secret(byte)) }

    private static func secret(_ byte: UInt8) -> SecretBytes {
        var bytes = [UInt8](repeating: byte, count: 32)
        return SecretBytes(consuming: &bytes)
    }

    private static let salt = [UInt8](repeating: 7, count: OperationBody.saltByteCount)

    /// Creates the first operations of the event, then photo, claim and original for each photo.
    init(photoCount: Int, eventKey: SigningKey = key(1), deviceKey: SigningKey = key(2)) throws {
        self.eventKey = eventKey
        let event = EventID(key: eventKey.verifyingKey)
        let charter = Charter(name: "Bench", startsAtMilliseconds: 1_700_000_000_000, frames: 0)
        operations = try Founding.operations(
            charter: charter, eventKey: eventKey, deviceKey: deviceKey, charterSalt: Self.salt, joinSalt: Self.salt,
            wallClockMilliseconds: 1_700_000_000_000)
        operations.reserveCapacity(3 * photoCount + 2)
        var sequence: UInt32 = 0
        var previous = OperationID.none
        func state(_ draft: Draft) throws {
            let operation = try VerifiedOperation(
                draft: draft, event: event, sequence: sequence, previous: previous,
                timestamp: HybridTimestamp(milliseconds: 1_700_000_000_000 + UInt64(sequence), counter: 0),
                key: deviceKey)
            sequence += 1
            previous = operation.id
            operations.append(operation)
        }
        for index in 0..<photoCount {
            let photo = PhotoManifest(
                thumbnail: try Self.reference(index, .thumbnail), preview: try Self.reference(index, .preview),
                takenAtMilliseconds: 1_700_000_000_000, width: 4_000, height: 3_000, mediaType: .jpeg)
            try state(Draft(kind: .photo, body: OperationBody.encode(.photo(photo), salt: Self.salt)))
            let id = previous
            try state(Draft(kind: .claim, subject: id, argument: UInt64(index + 1)))
            let original = OriginalManifest(
                original: try Self.reference(index, .original), sha256: .zero, mediaType: .jpeg)
            try state(
                Draft(kind: .original, subject: id, body: OperationBody.encode(.original(original), salt: Self.salt)))
        }
    }

    var event: EventID { EventID(key: eventKey.verifyingKey) }

    /// Creates the folder of a node that hosts such an event. Returns the number of operations.
    static func fill(_ folder: String, photoCount: Int) throws -> Int {
        let keys = EventKeys.makeEvent()
        guard let eventKey = keys.organizer else { throw Failure("the event has no organizer") }
        let operations = try Self(photoCount: photoCount, eventKey: eventKey, deviceKey: keys.device).operations
        try DataFolder(path: folder).make()
        let store = try EventStore.create(in: folder, keys: keys)
        for start in stride(from: 0, to: operations.count, by: 1_000) {
            try store.append(Array(operations[start..<min(start + 1_000, operations.count)]), durably: false)
        }
        try store.close()
        return operations.count
    }

    private static func reference(_ index: Int, _ blobClass: BlobClass) throws -> BlobReference {
        let root = BLAKE2b.hash(Array("\(index) \(blobClass)".utf8))
        guard
            let reference = BlobReference(
                root: BlobRoot(root), byteCount: 20_000, chunkLog2: ChunkLayout.chunkLog2, key: secret(9),
                blobClass: blobClass)
        else { throw Failure("a synthetic blob was refused") }
        return reference
    }
}

/// Measures operations a second: signed, decoded and verified, entered into the sets and the state.
struct OperationBench {
    let count: Int

    func run() throws {
        let (createSeconds, event) = try Figure.seconds { try SyntheticEvent(photoCount: max(1, count / 3)) }
        let operations = event.operations
        let unchecked = operations.map(UncheckedOperation.init)
        let headers = operations.map { ($0.header.bytes, $0.signature, $0.body) }
        let (parseSeconds, _) = try Figure.seconds {
            for (header, signature, body) in headers {
                _ = try UncheckedOperation(headerBytes: header, signature: signature, body: body)
            }
        }
        let id = event.event
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let (verifySeconds, validCount) = Figure.seconds {
            let valid = Mutex(0)
            DispatchQueue.concurrentPerform(iterations: cores * 8) { part in
                var count = 0
                for index in stride(from: part, to: unchecked.count, by: cores * 8)
                where (try? unchecked[index].verified(event: id)) != nil { count += 1 }
                valid.withLock { $0 += count }
            }
            return valid.withLock { $0 }
        }
        guard validCount == operations.count else {
            throw Failure("\(operations.count - validCount) operations did not verify")
        }
        let (mergeSeconds, state) = Figure.seconds {
            var state = EventState(eventKey: event.eventKey.verifyingKey)
            var items = ItemSet()
            for operation in operations {
                items.insert(
                    ItemSet.Item(timestamp: operation.header.timestamp.milliseconds, id: operation.id.bytes32))
                state.apply(operation)
            }
            return state
        }
        let (digestSeconds, digest) = Figure.seconds { state.digest }
        guard digest != nil else { throw Failure("the merged state has no digest") }
        let total = Double(operations.count)
        Figure.report(
            "operations",
            [
                "count": total, "createdPerSecond": total / createSeconds, "parsedPerSecond": total / parseSeconds,
                "verifiedPerSecond": total / verifySeconds, "cores": Double(cores),
                "mergedPerSecond": total / mergeSeconds, "digestMilliseconds": digestSeconds * 1_000,
            ])
    }
}

/// Measures bytes and round trips of reconciling two sets, of which one has the most recent items that the other lacks:
/// begun by either side.
struct ReconciliationBench {
    func run() throws {
        for itemCount in [1_000, 10_000, 100_000, 1_000_000] {
            for differenceCount in [0, 1, 10, 100, 1_000] {
                for initiatorHasMore in [false, true] { try measure(itemCount, differenceCount, initiatorHasMore) }
            }
        }
    }

    private func measure(_ itemCount: Int, _ differenceCount: Int, _ initiatorHasMore: Bool) throws {
        var random = SplitMix64(seed: UInt64(itemCount + differenceCount))
        let items = (0..<itemCount).map { index in
            ItemSet.Item(
                timestamp: 1_700_000_000_000 + UInt64(index) * 100,
                id: Bytes32((0..<4).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } })!)  // 4 x 8 bytes
        }
        let older = items.dropLast(differenceCount)
        var responderItems = initiatorHasMore ? ItemSet(older) : ItemSet(items)
        var initiatorItems = initiatorHasMore ? ItemSet(items) : ItemSet(older)
        let limit = Limits.reconciliationMessageByteCountMax
        let responder = ReconciliationResponder(items: responderItems.snapshot(), frameSizeLimit: limit)
        let initiator = ReconciliationInitiator(items: initiatorItems.snapshot(), frameSizeLimit: limit)
        var byteCount = 0
        var roundCount = 0
        var have = Set<Bytes32>()
        var need = Set<Bytes32>()
        let (seconds, _) = try Figure.seconds {
            var message = initiator.initiate()
            while true {
                let answer = try responder.reconcile(message)
                byteCount += message.count + answer.count
                roundCount += 1
                let step = try initiator.reconcile(answer)
                have.formUnion(step.have)
                need.formUnion(step.need)
                guard case .send(let next) = step.next else { break }
                message = next
            }
        }
        guard have.count == (initiatorHasMore ? differenceCount : 0), have.count + need.count == differenceCount else {
            throw Failure("\(have.count + need.count) differences found where there are \(differenceCount)")
        }
        // The initiator requests the operations that it lacks by id.
        let wanted = need.sorted().map { OperationID($0) }
        for start in stride(from: 0, to: wanted.count, by: Limits.wantedPerMessageMax) {
            let ids = Array(wanted[start..<min(start + Limits.wantedPerMessageMax, wanted.count)])
            byteCount += PeerMessage.want(ids, set: .content).bytes.count
        }
        Figure.report(
            "reconciliation",
            [
                "items": Double(itemCount), "differences": Double(differenceCount),
                "initiatorHasMore": initiatorHasMore ? 1 : 0, "bytes": Double(byteCount),
                "roundTrips": Double(roundCount), "milliseconds": seconds * 1_000,
            ])
    }
}

/// Measures the time until a node with many photos serves.
struct StartBench {
    let photoCount: Int

    func run() async throws {
        let folder = BenchFolder()
        let operationCount = try SyntheticEvent.fill(folder.path, photoCount: photoCount)
        let child = try BenchNode(data: folder.path, ["run", "--no-mdns"])
        try await child.waitUntil("ready")
        let readySeconds = child.seconds
        let peakMemory = child.peakMemoryMegabytes
        // By then it is idle.
        try await Task.sleep(for: .seconds(3))
        let memory = child.memoryMegabytes
        child.stop()
        Figure.report(
            "start",
            [
                "photos": Double(photoCount), "operations": Double(operationCount),
                "secondsToReady": readySeconds, "peakMemoryMegabytes": peakMemory,
                "idleMemoryMegabytes": memory,
            ])
    }
}

/// Measures two nodes in two processes: speed and cost.
struct TransferBench {
    let fileCount: Int
    static let fileByteCount = 4 << 20

    func run() async throws {
        let folder = BenchFolder()
        let (a, b) = (folder.path + "/a", folder.path + "/b")
        let pictures = folder.path + "/pictures"
        try Self.makeFiles(fileCount, in: pictures)
        let host = try BenchNode(data: a, ["host", "Bench", "--frames", "unlimited", "--no-mdns"])
        let ready = try await host.waitUntil("ready")
        guard let invitation = ready["invitation"] as? String else { throw Failure("the node gave no invitation") }
        let (addSeconds, _) = try Figure.seconds {
            try BenchNode.runToEnd(data: a, ["add", "--keep-metadata", pictures])
        }
        let hostCPU = host.cpuSeconds
        let join = try BenchNode(data: b, ["join", invitation, "--no-mdns"])
        try await join.waitUntil("ready")
        let clock = ContinuousClock()
        let start = clock.now
        let hostStart = host.cpuSeconds
        try await join.waitUntil("status") { ($0["completeCount"] as? Int) == fileCount }
        let elapsed = clock.now - start
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        let gigabytes = Double(fileCount * Self.fileByteCount) / 1e9
        Figure.report(
            "transfer",
            [
                "files": Double(fileCount), "megabytes": gigabytes * 1_000, "seconds": seconds,
                "megabytesPerSecond": gigabytes * 1_000 / seconds,
                "senderCPUSecondsPerGigabyte": (host.cpuSeconds - hostStart) / gigabytes,
                "receiverCPUSecondsPerGigabyte": join.cpuSeconds / gigabytes,
                "senderPeakMemoryMegabytes": host.peakMemoryMegabytes,
                "receiverPeakMemoryMegabytes": join.peakMemoryMegabytes,
                "addMegabytesPerSecond": gigabytes * 1_000 / addSeconds,
                "addCPUSecondsPerGigabyte": hostCPU / gigabytes,
            ])
        join.stop()
        host.stop()
    }
}

extension TransferBench {
    /// Creates files with a JPEG header and noise after it: this measures moving bytes, not decoding.
    static func makeFiles(_ count: Int, in folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for index in 0..<count {
            var bytes = [UInt8](repeating: 0, count: fileByteCount)
            var random = SplitMix64(seed: UInt64(index))
            for place in stride(from: 0, to: bytes.count, by: 8) {
                withUnsafeBytes(of: random.next()) { word in
                    for offset in 0..<8 { bytes[place + offset] = word[offset] }
                }
            }
            bytes.replaceSubrange(0..<4, with: [0xFF, 0xD8, 0xFF, 0xFE])
            try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(index).jpg"))
        }
    }
}

/// A temporary folder that is removed with the value.
final class BenchFolder: Sendable {
    let path: String
    init() {
        path =
            NSTemporaryDirectory()
            + "disposable-bench-\(ProcessInfo.processInfo.processIdentifier)-\(UInt32.random(in: 0 ... .max))"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }
}
