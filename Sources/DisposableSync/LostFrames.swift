// SPDX-License-Identifier: Apache-2.0
package import DisposableModel

/// The authors whose photos may have lost their frames since the last check: frames with concurrent claims of one
/// author (protocol/disposable-v1.md §9.4, R-29).
package struct LostFrames {
    /// `nil` for all authors whose keys are here.
    private var suspects: Set<AuthorID>?

    /// All authors are checked at first.
    package init() {}

    package var isEmpty: Bool { suspects?.isEmpty == true }

    /// Handles operations by which a photo may have lost its frame, or a frame became free.
    /// - Parameter areForeign: false for operations of this node, which are made with knowledge of everything here.
    package mutating func follow(
        _ operations: [VerifiedOperation], areForeign: Bool, _ membership: Membership
    ) {
        for operation in operations {
            let device = operation.header.device
            switch operation.kind {
            // A photo may arrive after its claim.
            case .claim where areForeign, .photo where areForeign, .join where areForeign:
                suspects?.insert(membership.author(of: device))
            // The recipient has one frame more.
            case .gift:
                suspects?.insert(AuthorID(operation.header.subject.bytes32))
                if areForeign { suspects?.insert(membership.author(of: device)) }
            // The author may have a ticket now.
            case .ticketUse: suspects?.insert(membership.author(of: device))
            // Quotas may grow by these, or other claims of their authors may count; not if the device never had a rank. If
            // it gets one, that is such an operation itself.
            case .charter, .edit, .frames, .grant, .revokeRole, .revokeDevice, .tickets, .ticketRuling:
                if membership.isEstablished(device) { suspects = nil }
            default: break
            }
        }
    }

    package mutating func insert(_ author: AuthorID) { suspects?.insert(author) }

    /// Returns those of the authors that are to be checked now, and begins again with none.
    package mutating func take(from authors: Set<AuthorID>) -> [AuthorID] {
        defer { suspects = [] }
        return authors.filter { suspects?.contains($0) != false }.sorted()
    }
}
