// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire

/// The ends of the chains that are signed on this node: those of its device, of the sub-keys that it admitted for
/// guests, and of the event key, whose holder may sign something with it here. Also the clock of new operations.
///
/// A chain advances when its operation is stored, not when it is signed.
struct OwnChains {
    private let device: DeviceID
    private let eventKey: DeviceID
    private var ends: [DeviceID: [OperationSet: Chain]] = [:]
    private var clock = HybridClock()

    init(of device: DeviceID, eventKey: DeviceID) { (self.device, self.eventKey) = (device, eventKey) }

    /// The devices that have signed something here.
    var devices: Dictionary<DeviceID, [OperationSet: Chain]>.Keys { ends.keys }
    func signs(for device: DeviceID) -> Bool { device == self.device || ends[device] != nil }

    /// Follows an operation that has entered the sets, by any device.
    mutating func follow(_ operation: VerifiedOperation, wallClockMilliseconds: UInt64) {
        let header = operation.header
        clock.observe(header.timestamp, wallClockMilliseconds: wallClockMilliseconds)
        var isSignedHere = header.device == device || header.device == eventKey || ends[header.device] != nil
        if case .join(let admission, .some) = operation.content, admission.sponsor == device { isSignedHere = true }
        guard isSignedHere else { return }
        let chain = ends[header.device]?[header.set] ?? Chain()
        // The last sequence number has no successor. No honest node gets that far: another process has the key.
        if header.sequence >= chain.nextSequence, header.sequence < .max {
            ends[header.device, default: [:]][header.set] = Chain(
                nextSequence: header.sequence + 1, latest: operation.id, timestamp: header.timestamp)
        }
        // A sub-key's delegation to this node may be false, and the event key may sign on another machine, whose clock
        // is wrong: the times of their chains count once something is signed after them.
        if header.device == device { clock.restore(header.timestamp) }
    }

    /// The milliseconds since 1970 UTC of an operation that is signed now: the wall clock's, or later ones seen before.
    func nextMilliseconds(wallClockMilliseconds: UInt64) -> UInt64 {
        var clock = clock
        return clock.next(wallClockMilliseconds: wallClockMilliseconds).milliseconds
    }

    func signer(for key: SigningKey, of event: EventID, wallClockMilliseconds: UInt64) -> ChainSigner {
        ChainSigner(
            chains: ends[DeviceID(key.verifyingKey)] ?? [:], clock: clock, event: event, key: key,
            wallClockMilliseconds: wallClockMilliseconds)
    }
}
