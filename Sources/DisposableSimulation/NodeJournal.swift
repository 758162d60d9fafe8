// SPDX-License-Identifier: Apache-2.0
package import DisposableModel
package import DisposableSync
package import DisposableWire

/// The events that the person of a simulated machine would have seen, and the largest loads of its queues.
package struct NodeJournal {
    /// The number of entries of a list that peers can make longer.
    private static let countMax = 1_000

    // Connections
    package private(set) var closings: [ProtocolCode] = []
    package private(set) var refusals: [ProtocolCode] = []
    /// The number of times that the replica paused reading.
    package private(set) var pauseCount = 0
    package private(set) var clockWarnings: [Int64] = []
    /// The number of times that members refused it because it was not given the current secret.
    package private(set) var turnedAwayCount = 0

    // The event
    /// For each notice to reveal sealed photos, how long the reveal had been due, in milliseconds.
    package private(set) var revealNotices: [UInt64] = []
    package private(set) var completed: [BlobID] = []
    /// Devices whose keys it has seen in use twice.
    package private(set) var clones: [DeviceID] = []
    /// The number of changes to another event secret, and the epochs that were sealed to it falsely.
    package private(set) var rotationCount = 0
    package private(set) var falselySealed: [OperationID] = []

    package private(set) var largestLoad = Replica.Load()

    mutating func note(_ change: Replica.Change) {
        switch change {
        case .closed(_, let code): append(code, to: \.closings)
        case .clockDiffers(_, let milliseconds): append(milliseconds, to: \.clockWarnings)
        case .blobComplete(let blob): completed.append(blob)
        case .refused(_, let code): append(code, to: \.refusals)
        case .cloned(let device): append(device, to: \.clones)
        case .revealDue(let milliseconds): revealNotices.append(milliseconds)
        case .rotated: rotationCount += 1
        case .falselySealed(let epoch): append(epoch, to: \.falselySealed)
        case .invitationReplaced: turnedAwayCount += 1
        case .album, .messages, .peers, .pages, .admitted, .rejected, .reconciled, .slotsLost, .otherVersion: break
        }
    }

    private mutating func append<Entry>(_ entry: Entry, to list: WritableKeyPath<NodeJournal, [Entry]>) {
        if self[keyPath: list].count < Self.countMax { self[keyPath: list].append(entry) }
    }

    mutating func notePause() { pauseCount += 1 }

    mutating func note(_ load: Replica.Load) { largestLoad.formMaximum(load) }
}
