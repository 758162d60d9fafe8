// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto

/// The text that a person agrees to before adding photos: the project's statement, and the organizer's text if there is
/// one (protocol/disposable-v1.md §9.12).
public struct ConsentText: Equatable, Sendable {
    /// The part that holds in every event. Pages may translate it; this text is the one that is signed.
    public static let statement =
        "Everyone here can see and save the photos I add. I can delete mine any time; only a note that one existed "
        + "remains."

    /// The charter's text, unchanged.
    public let organizers: String

    public init(organizers: String) { self.organizers = organizers }

    /// The subject of a consent: the hash of the whole text, so that a text that is restored is still agreed to.
    public var id: OperationID {
        var hash = BLAKE2b()
        hash.update(Domain.consent)
        hash.update(Array(text.utf8))
        return OperationID(Bytes32(hash.finalize())!)  // 32 bytes by construction
    }

    private var text: String { organizers.isEmpty ? Self.statement : "\(Self.statement)\n\n\(organizers)" }
}

/// The consents to each text. Each counts as an operation does; none can be revoked, since it records a past act.
struct Consents: Equatable, Sendable {
    /// By text and signer.
    private var consents: [OperationID: [DeviceID: Set<OperationID>]] = [:]

    mutating func note(_ operation: VerifiedOperation) {
        consents[operation.header.subject, default: [:]][operation.header.device, default: []].insert(operation.id)
    }

    func isGiven(to text: OperationID, by author: AuthorID, _ membership: Membership) -> Bool {
        guard let said = consents[text] else { return false }
        return membership.devices(of: author).contains { counts(said[$0], by: $0, membership) }
    }

    /// Returns how many members have agreed to the text.
    func count(to text: OperationID, _ membership: Membership) -> Int {
        let devices = (consents[text] ?? [:]).filter { counts($0.value, by: $0.key, membership) }.keys
        return Set(devices.map(membership.author)).count(where: membership.isPresent)
    }

    private func counts(_ said: Set<OperationID>?, by device: DeviceID, _ membership: Membership) -> Bool {
        said?.contains { membership.counts($0, by: device) } == true
    }
}
