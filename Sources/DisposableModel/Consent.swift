// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto

/// What somebody agrees to before adding photos: the project's statement, and the organizer's text where there is one
/// (protocol/disposable-v1.md §9.12).
public struct ConsentText: Equatable, Sendable {
    /// What holds in every event. Pages may show it in another language; what is signed is this.
    public static let statement =
        "Everyone here can see and save the photos I add. I can delete mine any time; only a note that one existed "
        + "remains."

    /// The charter's, as it is.
    public let organizers: String

    public init(organizers: String) { self.organizers = organizers }

    /// The subject of a consent: the hash of all of the text, so that a text that comes back is agreed to still.
    public var id: OperationID {
        var hash = BLAKE2b()
        hash.update(Domain.consent)
        hash.update(Array(text.utf8))
        return OperationID(Bytes32(hash.finalize())!)  // 32 bytes by construction
    }

    private var text: String { organizers.isEmpty ? Self.statement : "\(Self.statement)\n\n\(organizers)" }
}

/// Who has agreed to which text. Each counts as an operation does; nothing takes one back, as it says only what was so.
struct Consents: Equatable, Sendable {
    /// By text and who signed.
    private var consents: [OperationID: [DeviceID: Set<OperationID>]] = [:]

    mutating func note(_ operation: VerifiedOperation) {
        consents[operation.header.subject, default: [:]][operation.header.device, default: []].insert(operation.id)
    }

    func isGiven(to text: OperationID, by author: AuthorID, _ membership: Membership) -> Bool {
        guard let said = consents[text] else { return false }
        return membership.devices(of: author).contains { counts(said[$0], by: $0, membership) }
    }

    /// Of those who are in, how many have agreed to the text.
    func count(to text: OperationID, _ membership: Membership) -> Int {
        let devices = (consents[text] ?? [:]).filter { counts($0.value, by: $0.key, membership) }.keys
        return Set(devices.map(membership.author)).count(where: membership.isPresent)
    }

    private func counts(_ said: Set<OperationID>?, by device: DeviceID, _ membership: Membership) -> Bool {
        said?.contains { membership.counts($0, by: device) } == true
    }
}
