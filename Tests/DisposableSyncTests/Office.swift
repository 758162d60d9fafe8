// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// An organizer's replica without a network, its disk answering at once, and a guest of it.
final class Office {
    private(set) var replica: Replica
    let founding: FoundedEvent
    /// The sub-key by which the node signs for the guest.
    let member: SigningKey
    let guest: AuthorID
    private var random: SplitMix64
    private var disk = MemoryDisk()
    private var lastTicket: UInt64 = 0
    private(set) var now: UInt64 = 1_000

    /// The outcome of a command.
    enum Outcome: Equatable {
        case stated([OperationKind])
        case refused(Refusal)
        /// It waits for its turn.
        case waits
    }

    /// - Parameter edits: how many edits of the place the organizer's device has stated before.
    init(seed: UInt64 = 1, frames: UInt32 = 27, needsTickets: Bool = false, edits: Int = 0) throws {
        random = SplitMix64(seed: seed)
        founding = FoundedEvent(frames: frames, needsTickets: needsTickets, random: &random)
        member = SigningKey(seed: random.secret())
        let person = SigningKey(seed: random.secret())
        guest = AuthorID(person.verifyingKey)
        replica = Replica(
            identity: .init(
                eventKey: founding.eventKey.verifyingKey, secret: founding.secret, deviceKey: founding.deviceKey,
                staticKey: AgreementKey(scalar: random.secret()), instance: random.bytes(16),
                joinSalt: random.bytes(16),
                seed: random.next()), listenPort: 8028, keptClasses: [])
        disk.write(founding.operations, durably: true)
        try writeEdits(edits)
        replica.restore(disk.operations) { _ in .absent }
        let (node, subKey) = (DeviceID(founding.deviceKey.verifyingKey), DeviceID(member.verifyingKey))
        let admission = Admission(of: subKey, to: founding.id, by: founding.deviceKey)
        let delegation = Delegation(to: subKey, at: node, event: founding.id, by: person)
        try #require(
            say(.join(body: OperationBody.encode(.join(admission, delegation), salt: salt)), by: member)
                == .stated([.join]))
    }

    /// Edits made apart, each following the first charter: a long row of them costs more to fold.
    private func writeEdits(_ count: Int) throws {
        var previous = founding.operations[1].id
        for number in 0..<count {
            let value = Charter(name: "", startsAtMilliseconds: 0)
            let body = OperationBody.encode(.edit(.place, value, follows: [founding.operations[0].id]), salt: salt)
            let edit = try VerifiedOperation(
                draft: Draft(kind: .edit, argument: UInt64(CharterField.place.rawValue), body: body),
                event: founding.id,
                sequence: UInt32(number + 1), previous: previous,
                timestamp: HybridTimestamp(milliseconds: NodeClock.epochMilliseconds, counter: UInt16(number)),
                key: founding.deviceKey)
            disk.write([edit], durably: true)
            previous = edit.id
        }
    }

    var salt: [UInt8] { random.bytes(OperationBody.saltByteCount) }
    var state: EventState { replica.state }
    var stored: [VerifiedOperation] { disk.operations }

    /// - Parameters:
    ///   - key: who speaks; `nil` for the organizer's device.
    ///   - others: statements of the guest that arrive before the first one is stored.
    func say(_ statement: Statement, by key: SigningKey? = nil, before others: [Statement] = []) -> Outcome {
        lastTicket += 1
        let ticket = Ticket(lastTicket)
        var inputs: [Replica.Input] = [.author(statement, by: key, ticket)]
        for other in others {
            lastTicket += 1
            inputs.append(.author(other, by: member, Ticket(lastTicket)))
        }
        var outcome = Outcome.waits
        while !inputs.isEmpty {
            replica.handle(
                inputs.removeFirst(),
                at: Instant(milliseconds: now, wallClockMilliseconds: NodeClock.epochMilliseconds + now))
            while let output = replica.nextOutput() {
                switch output {
                case .persist(let operations, let durably, let ticket):
                    disk.write(operations, durably: durably)
                    inputs.append(.persisted(ticket))
                case .authored(ticket, let ids): outcome = .stated(disk.load(ids).compactMap(\.kind))
                case .refused(ticket, let error): outcome = .refused(error)
                default: break
                }
            }
        }
        return outcome
    }

    /// An edit of the charter as it is now.
    func edit(_ fields: [CharterField], by key: SigningKey? = nil, _ change: (inout Charter) -> Void) throws -> Outcome
    {
        var charter = try #require(state.charter)
        change(&charter)
        return say(.edit(fields, charter, salt: salt), by: key)
    }

    /// A photo without files.
    func photo(by key: SigningKey? = nil, caption: String? = nil) throws -> PhotoID {
        let manifest = PhotoManifest(
            thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 1, height: 1, mediaType: .jpeg)
        let blob = SealedBlob(random.bytes(4), .original, importSecret: founding.secret)
        let original = OriginalManifest(original: blob.reference, sha256: .zero, mediaType: .jpeg)
        let before = Set(state.album.photoIDs)
        let outcome = say(
            .photo(
                body: OperationBody.encode(.photo(manifest), salt: salt),
                originalBody: OperationBody.encode(.original(original), salt: salt),
                captionBody: caption.map { OperationBody.encode(.text($0), salt: salt) }), by: key)
        try #require(outcome == .stated([.photo, .claim, .original] + (caption == nil ? [] : [.caption])))
        return try #require(state.album.photoIDs.first { !before.contains($0) })
    }

    func wait(milliseconds: UInt64) { now += milliseconds }
}
