// SPDX-License-Identifier: Apache-2.0
package import DisposableModel

/// The rules of given frames once more.
extension Oracle {
    /// Returns the gifts of the author that count, whether they hold their frames or not.
    func gifts(by author: AuthorID) -> [VerifiedOperation] {
        operations.filter {
            $0.kind == .gift && self.author(of: $0) == author && counts($0) && (1...1_000).contains($0.header.argument)
                && $0.header.subject.bytes32 != author.bytes32
        }
    }

    /// The frames that each author has received, no more than the charter gives.
    package var receivedFrames: [AuthorID: UInt64] {
        guard let charter, charter.frames > 0, !charter.areFramesDaily else { return [:] }
        let basic = UInt64(charter.frames)
        let photos = operations.filter { $0.kind == .photo && counts($0) }
        let holders = ticketHolders
        var received: [AuthorID: UInt64] = [:]
        for giver in Set(operations.filter { $0.kind == .gift }.map { author(of: $0) }) {
            let gifts = gifts(by: giver)
            let rivals = gifts + photos.filter { author(of: $0) == giver }.flatMap { claims(of: $0) }
            let own = (holders?.contains(giver) == false ? 0 : basic) + extraFrames(of: giver)
            for gift in gifts where gift.header.argument <= own {
                let isFirst = rivals.filter { $0.header.argument == gift.header.argument }.allSatisfy {
                    ($0.header.sequence, $0.id) >= (gift.header.sequence, gift.id)
                }
                if isFirst { received[AuthorID(gift.header.subject.bytes32), default: 0] += 1 }
            }
        }
        return received.mapValues { min($0, basic) }
    }
}
