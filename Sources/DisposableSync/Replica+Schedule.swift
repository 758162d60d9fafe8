// SPDX-License-Identifier: Apache-2.0
public import DisposableModel

/// The times of the event, for photos that this node signs.
extension Replica {
    /// The milliseconds since 1970 UTC that an operation signed now would have: this machine's clock, or the device's
    /// latest timestamp if that is later.
    private var signingTime: UInt64 {
        authoring.chains.nextMilliseconds(wallClockMilliseconds: now.wallClockMilliseconds)
    }

    /// Throws `.notBegun` or `.over` if a photo of the author's that is signed now would not count: by the timestamp
    /// that it would have, or by the corroborated time.
    /// - Parameters:
    ///   - author: this node's person, or a guest of this node.
    ///   - tolerance: how far outside of the event the time may be, in milliseconds; not 0 for a photo whose transfer
    ///     began in time.
    public func checkTimes(of author: AuthorID, tolerance: UInt64 = 0) throws(Refusal) {
        try check(time: signingTime, of: author, tolerance)
        if let time = corroboratedTime { try check(time: time, of: author, tolerance) }
    }

    func check(time: UInt64, of author: AuthorID, _ tolerance: UInt64) throws(Refusal) {
        guard let charter = state.charter,
            let verdict = state.untimeliness(of: author, at: time, tolerance: tolerance)
        else { return }
        switch verdict {
        case .early: throw .notBegun(at: charter.isOpened ? charter.schedule.startsAtMilliseconds : nil)
        case .late: throw .over(at: charter.overAtMilliseconds)
        }
    }
}
