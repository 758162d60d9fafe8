// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
package import DisposableSync
internal import DisposableWire

/// The actions of people in a swarm, and their expectations.
extension Swarm {
    /// Plaintext sizes of a photo's blobs in bytes.
    package struct Sizes: Equatable, Sendable {
        package var thumbnail: Int?
        package var preview: Int?
        package var original: Int
        /// Whether the blobs are generated on reading, and never sealed.
        package var isSynthetic = false

        package init(thumbnail: Int? = 300, preview: Int? = 2_000, original: Int = 3_000, isSynthetic: Bool = false) {
            self.thumbnail = thumbnail
            self.preview = preview
            self.original = original
            self.isSynthetic = isSynthetic
        }

        package static let small = Sizes(thumbnail: 60, preview: nil, original: 90)
        /// Three chunks and a bit.
        package static let large = Sizes(original: 3 * ChunkLayout.chunkPlaintextByteCount + 12_345)
    }

    /// Returns the command for a photo whose blobs are on the node's disk.
    package func photo(of node: SimulatedNode, _ sizes: Sizes = Sizes()) -> Statement {
        let thumbnail = sizes.thumbnail.map { blob($0, .thumbnail, of: node, sizes) }
        let preview = sizes.preview.map { blob($0, .preview, of: node, sizes) }
        let original = blob(sizes.original, .original, of: node, sizes)
        for blob in [thumbnail, preview, original].compactMap(\.self) {
            archive.file(blob)
            node.disk.put(blob)
        }
        let manifest = PhotoManifest(
            thumbnail: thumbnail.map { sealed($0, by: node) }, preview: preview.map { sealed($0, by: node) },
            takenAtMilliseconds: nil, width: 4, height: 3,
            mediaType: .jpeg)
        let originalManifest = OriginalManifest(
            original: sealed(original, by: node), sha256: original.hashes[0], mediaType: .jpeg)
        return .photo(
            body: OperationBody.encode(.photo(manifest), salt: random.bytes(16)),
            originalBody: OperationBody.encode(.original(originalManifest), salt: random.bytes(16)))
    }

    /// Returns the reference as it is in the operation's body.
    private func sealed(_ blob: SealedBlob, by node: SimulatedNode) -> BlobReference {
        guard let recipient = node.replica?.state.sealingKey else { return blob.reference }
        // The recipient is a key that was made for this purpose.
        return (try? blob.reference.sealed(to: recipient, importSecret: node.importSecret)) ?? blob.reference
    }

    private func blob(
        _ byteCount: Int, _ blobClass: BlobClass, of node: SimulatedNode, _ sizes: Sizes
    ) -> SealedBlob {
        guard sizes.isSynthetic else {
            return SealedBlob(random.plaintext(byteCount), blobClass, importSecret: node.importSecret)
        }
        return SealedBlob(synthetic: random.next(), byteCount: byteCount, blobClass, key: random.secret())
    }

    /// Gives a command to the node, without waiting for its result.
    /// - Parameter key: the key of a guest or the event key, if the node signs for it.
    @discardableResult package func say(
        _ statement: Statement, by node: SimulatedNode, _ key: SigningKey? = nil
    ) -> Ticket {
        let ticket = node.person.newTicket()
        apply(.author(statement, by: key, ticket), to: node)
        return ticket
    }

    /// Adds photos and waits until they are stored on the node's disk.
    @discardableResult package func add(
        _ count: Int = 1, by node: SimulatedNode, _ sizes: Sizes = Sizes()
    ) throws -> [PhotoID] {
        let tickets = (0..<count).map { _ in say(photo(of: node, sizes), by: node) }
        try drive(within: 20_000 + 100 * count, "photos on disk") {
            tickets.allSatisfy { node.person.authored[$0] != nil || node.person.refused[$0] != nil }
        }
        return try tickets.map { ticket in
            guard let id = node.person.authored[ticket]?.first else {
                throw Failure("a photo was refused: \(node.person.refused[ticket].map { "\($0)" } ?? "-")")
            }
            return PhotoID(id)
        }
    }

    /// Gives a moderation command to the node, without waiting for its result.
    /// - Parameter key: the key of a guest or the event key, as in `say`.
    @discardableResult package func rule(
        _ ruling: Ruling, by node: SimulatedNode, _ key: SigningKey? = nil
    ) -> Ticket {
        say(.rule(ruling, salt: random.bytes(16)), by: node, key)
    }

    /// Lets an organizer make a new event secret, without waiting for it.
    @discardableResult package func rotate(by node: SimulatedNode) -> Ticket {
        say(.rotate(epochEntropy()), by: node)
    }

    /// Lets an organizer give the current secret to a member that joined under another one, without waiting for it.
    @discardableResult package func admit(_ newcomer: SimulatedNode, by node: SimulatedNode) -> Ticket {
        say(.admit(newcomer.device, epochEntropy()), by: node)
    }

    /// Shows the event's present invitation to a node with an older one, or none.
    package func invite(_ newcomer: SimulatedNode, with secret: SecretBytes) {
        newcomer.secret = secret
        apply(.invited(secret), to: newcomer)
    }

    private func epochEntropy() -> EpochEntropy {
        EpochEntropy(secret: random.secret(), seed: random.secret(), salt: random.bytes(16))
    }

    /// Lets the node admit a guest of its page, without waiting for it.
    package func admit(guest: SigningKey, subKey: SigningKey, at node: SimulatedNode) {
        let device = DeviceID(subKey.verifyingKey)
        let admission = Admission(of: device, to: founding.id, by: node.deviceKey)
        let delegation = Delegation(to: device, at: node.device, event: founding.id, by: guest)
        let body = OperationBody.encode(.join(admission, delegation), salt: random.bytes(16))
        node.person.subKeys[AuthorID(guest.verifyingKey)] = subKey
        say(.join(body: body), by: node, subKey)
    }

    package func remove(_ photo: PhotoID, by node: SimulatedNode) throws {
        let ticket = say(.remove(photo), by: node)
        try drive("removal on disk") { node.person.authored[ticket] != nil || node.person.refused[ticket] != nil }
    }

    /// Gives `node` the address of `other`, as an invitation would; repeated at each start.
    package func introduce(_ node: SimulatedNode, to other: SimulatedNode) {
        node.person.enter(other.address)
        apply(.sighted(other.address, isPersistent: true), to: node)
    }

    package func introduceAll() {
        for node in nodes { for other in nodes where other !== node { introduce(node, to: other) } }
    }

    /// Creates a swarm in which all nodes know each other and are members.
    package static func joined(
        _ count: Int, seed: UInt64, frames: UInt32 = 27, needsTickets: Bool = false
    ) throws -> Swarm {
        let swarm = Swarm(seed: seed, frames: frames, needsTickets: needsTickets)
        for _ in 0..<count { swarm.addNode() }
        swarm.introduceAll()
        try swarm.drive("admission of all") { swarm.agree() }
        return swarm
    }

    /// Whether these nodes (all honest ones unless named) have the same operations and show the same.
    package func agree(_ some: [SimulatedNode]? = nil) -> Bool {
        let some = some ?? honestNodes
        guard some.allSatisfy({ $0.replica?.isAdmitted == true }) else { return false }
        return OperationSet.allCases.allSatisfy { set in
            let first = some[0].replica!.summary(of: set)
            return some.allSatisfy { $0.replica!.summary(of: set) == first }
        }
    }

    package var honestNodes: [SimulatedNode] { nodes.filter(\.isHonest) }

    /// Whether these nodes agree and have every blob.
    package func isComplete(_ some: [SimulatedNode]? = nil) -> Bool {
        (some ?? honestNodes).allSatisfy {
            $0.replica?.missingBlobCount == 0 && $0.replica?.isReviewingInterest == false
        } && agree(some)
    }

    /// Runs until all agree and have everything, and then checks every invariant.
    package func settle(
        _ some: [SimulatedNode]? = nil, within stepCountMax: Int = 200_000, milliseconds: UInt64 = 600_000
    ) throws {
        try drive(within: stepCountMax, milliseconds: milliseconds, "agreement") { isComplete(some) }
        try check(some)
    }
}
