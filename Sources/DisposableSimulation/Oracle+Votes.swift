// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
package import DisposableModel

/// The event's vote for the photo of the night, open or closed.
package struct VoteOutcome: Equatable, Sendable {
    package let ballot: OperationID
    package let closedAtMilliseconds: UInt64?
    package let voterCount: Int
    /// The votes of each photo that has any and is shown; empty while the vote is open.
    package let counts: [PhotoID: Int]
}

extension VoteOutcome {
    /// Returns the vote as the fold has it; `nil` if there never was one.
    package init?(_ state: EventState) {
        guard let vote = state.ballot else { return nil }
        let places = (state.voteResult?.places ?? []).map { ($0.photo.id, $0.voteCount) }
        self.init(
            ballot: vote.id, closedAtMilliseconds: vote.closedAtMilliseconds, voterCount: state.voterCount,
            counts: Dictionary(uniqueKeysWithValues: places))
    }
}

/// The rules of the photo of the night once more.
extension Oracle {
    package var vote: VoteOutcome? {
        let ballots = operations.filter { $0.kind == .ballot }
        let latest = ballots.filter { isAmongFirst(16, $0, of: ballots) && rank(ofAct: $0) >= .organizer }
            .min { isLater($0, $1) }
        guard let latest, case .ballot(let sealed)? = latest.content else { return nil }
        let closing = operations.filter {
            guard case .closing(let secret)? = $0.content, $0.header.subject == latest.id else { return false }
            return rank(ofAct: $0) >= .organizer && key(of: secret).publicKey == sealed.key
        }.min { ($0.header.timestamp, $0.id) < ($1.header.timestamp, $1.id) }
        let votes = operations.filter { $0.kind == .vote && $0.header.subject == latest.id }
        let counting = votes.filter { vote in
            guard isAmongFirst(64, vote, of: votes), counts(vote) else { return false }
            return closing.map { photoTime(of: vote) <= $0.header.timestamp.milliseconds } ?? true
        }
        let ofDevices = counting.filter { vote in
            !counting.contains {
                $0.header.device == vote.header.device
                    && ($0.header.sequence, vote.id) > (vote.header.sequence, $0.id)
            }
        }
        let ofAuthors = ofDevices.filter { vote in
            !ofDevices.contains { author(of: $0) == author(of: vote) && isLater($0, vote) }
        }
        var places: [PhotoID: Int] = [:]
        if case .closing(let secret)? = closing?.content {
            for vote in ofAuthors {
                guard let photo = photo(of: vote, secret), isEligible(photo, for: vote) else { continue }
                places[photo, default: 0] += 1
            }
        }
        return VoteOutcome(
            ballot: latest.id, closedAtMilliseconds: closing?.header.timestamp.milliseconds,
            voterCount: ofAuthors.count, counts: places)
    }

    private func isAmongFirst(_ count: Int, _ operation: VerifiedOperation, of all: [VerifiedOperation]) -> Bool {
        all.count {
            $0.header.device == operation.header.device
                && ($0.header.sequence, $0.id) < (operation.header.sequence, operation.id)
        } < count
    }

    /// Whether the first has a later timestamp, or the same and a smaller id.
    private func isLater(_ one: VerifiedOperation, _ other: VerifiedOperation) -> Bool {
        (one.header.timestamp, other.id) > (other.header.timestamp, one.id)
    }

    private func key(of secret: Bytes32) -> AgreementKey {
        var bytes = secret.bytes
        return AgreementKey(scalar: SecretBytes(consuming: &bytes, in: .ordinary))
    }

    private func photo(of vote: VerifiedOperation, _ secret: Bytes32) -> PhotoID? {
        guard case .vote(let sealed)? = vote.content,
            let opened = try? SealedBox.open(sealed.box, with: key(of: secret))
        else { return nil }
        let bytes = opened.withSpan { span in (0..<span.count).map { span[$0] } }
        return bytes.suffix(32) == vote.header.device.bytes[...] ? Bytes32(bytes.prefix(32)).map { PhotoID($0) } : nil
    }

    private func isEligible(_ photo: PhotoID, for vote: VerifiedOperation) -> Bool {
        guard gallery.contains(photo), let added = known[photo.operationID] else { return false }
        return author(of: added) != author(of: vote) && isOpen(added)
    }

    private func isOpen(_ photo: VerifiedOperation) -> Bool {
        guard let charter, charter.revealKey != .zero, !isRevealedByShares else { return true }
        return operations.contains { operation in
            switch operation.content {
            case .reveal(let secret): key(of: secret).publicKey.bytes32 == charter.revealKey
            default:
                operation.kind == .keyRelease && operation.header.subject == photo.id && counts(operation)
                    && author(of: operation) == author(of: photo)
            }
        }
    }
}
