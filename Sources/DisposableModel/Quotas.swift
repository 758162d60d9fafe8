// SPDX-License-Identifier: Apache-2.0

/// The frames of each author: those in use, and those that organizers have given in addition.
struct Quotas: Equatable, Sendable {
    private var rolls: [AuthorID: Roll] = [:]
    private var extras: [AuthorID: [DeviceID: [OperationID: UInt64]]] = [:]

    /// Adds a claim that counts.
    mutating func add(_ claim: Claim, of author: AuthorID) { rolls[author, default: Roll()].add(claim) }

    /// Drops all claims of the author, to add those that count now.
    mutating func clear(_ author: AuthorID) { rolls[author] = nil }

    /// Adds a `frames` operation.
    mutating func noteExtra(_ operation: VerifiedOperation) {
        let header = operation.header
        guard (1...UInt64(Charter.framesMax)).contains(header.argument) else { return }
        extras[AuthorID(header.subject.bytes32), default: [:]][header.device, default: [:]][operation.id] =
            header.argument
    }

    /// Returns the author's frames; `nil` if it has claimed none.
    func roll(of author: AuthorID) -> Roll? { rolls[author] }

    /// Returns the sum of the extra frames that organizers have given the author.
    func extraFrames(of author: AuthorID, _ membership: Membership) -> UInt64 {
        guard let extras = extras[author] else { return 0 }
        return membership.everOrganizers.reduce(0) { sum, device in
            (extras[device] ?? [:]).reduce(sum) { sum, frames in
                membership.rank(of: frames.key, by: device) >= .organizer ? sum + frames.value : sum
            }
        }
    }
}
