// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel

/// The rules of veils once more.
extension Oracle {
    private struct Request {
        let veil: VerifiedOperation
        let place: Int
        let tree: DeviceID
        var rank: (Int, HybridTimestamp, OperationID) { (place, veil.header.timestamp, veil.id) }
    }

    /// The photos with a veil within the limits that no lift is about.
    var veiledPhotos: Set<OperationID> {
        let isOn = operations.contains {
            $0.kind == .veiling && rank(ofAct: $0) >= .organizer && isWithdrawn($0) == nil
        }
        guard isOn else { return [] }
        let requests = requests
        let within = requests.filter { request in
            requests.count { $0.tree == request.tree && $0.rank < request.rank } < Veils.perTreeMax
        }
        let lifted = operations.filter { $0.kind == .lift && rank(ofAct: $0) >= .moderator && isWithdrawn($0) == nil }
        return Set(within.map(\.veil.header.subject)).subtracting(lifted.map(\.header.subject))
    }

    /// Each author's first photos with a veil.
    private var requests: [Request] {
        let veils = operations.filter { $0.kind == .veil }
        let counting = veils.filter { veil in
            let earlier = veils.count {
                $0.header.device == veil.header.device
                    && ($0.header.sequence, $0.id) < (veil.header.sequence, veil.id)
            }
            guard earlier < Veils.perDeviceMax, counts(veil), isWithdrawn(veil) == nil,
                let photo = known[veil.header.subject], photo.kind == .photo, counts(photo)
            else { return false }
            return author(of: photo) != author(of: veil) && isWithdrawn(photo) == nil
        }
        func isBefore(_ one: VerifiedOperation, _ other: VerifiedOperation) -> Bool {
            (one.header.timestamp, one.id) < (other.header.timestamp, other.id)
        }
        let first = counting.filter { veil in
            !counting.contains {
                $0.header.subject == veil.header.subject && author(of: $0) == author(of: veil) && isBefore($0, veil)
            }
        }
        return first.map { veil in
            let place = first.count { author(of: $0) == author(of: veil) && isBefore($0, veil) }
            return Request(veil: veil, place: place, tree: tree(of: veil.header.device))
        }.filter { $0.place < Veils.perAuthorMax }
    }

    private func tree(of device: DeviceID) -> DeviceID {
        var way = [device]
        while let last = way.last, !isEstablished(last) {
            let join = joins(of: last).filter { isCounting(join: $0) }.min { $0.id < $1.id }
            guard let join, let sponsor = sponsor(join), guest(join) != nil || !isEstablished(sponsor) else { break }
            if let start = way.firstIndex(of: sponsor) { return way[start...].min()! }
            way.append(sponsor)
        }
        return way.last!
    }

    private func isEstablished(_ device: DeviceID) -> Bool {
        device == eventKey || wasMadeOrganizer(device) || wasMadeModerator(device)
            || [Role.page, .photographer].contains { !grants($0, to: device.bytes32).isEmpty }
    }
}
