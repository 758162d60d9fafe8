// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableCrypto
import DisposableModel
import DisposableSync
import DisposableWire
import Foundation
import Synchronization

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
