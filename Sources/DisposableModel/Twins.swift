// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The operations by which an event's gallery is joined with those of others (protocol/disposable-v1.md §9.28).
///
/// 1. One counts if it was signed with an organizer's rank, until an organizer erases it; a remove and a hide of it
///    change nothing. The agreement in it is valid, or the operation has no content.
/// 2. An event has the four twins that were named first by those that count; of each device the first 64 twinnings do
///
struct Twinnings: Equatable, Sendable {
    private struct Statement: Equatable {
        let id: OperationID
        let sequence: UInt32
        let timestamp: HybridTimestamp
        let twinning: Twinning
    }

    /// The first of each device that have a body and are proven, in the order of its chain.
    private var statements: [DeviceID: [Statement]] = [:]
    /// All of each device.
    private var ids: [DeviceID: Set<OperationID>] = [:]
    /// The events that a device has named, proven or not.
    private var named: [DeviceID: Set<EventID>] = [:]

    init() {}

    /// - Returns: whether the twinnings that are looked at are others than before.
    mutating func note(_ operation: VerifiedOperation) -> Bool {
        let header = operation.header
        ids[header.device, default: []].insert(operation.id)
        named[header.device, default: []].insert(EventID(header.subject.bytes32))
        return noteBody(of: operation)
    }

    /// Adds a body, which may arrive later than its header and more than once.
    /// - Returns: whether the twinnings that are looked at are others than before.
    mutating func noteBody(of operation: VerifiedOperation) -> Bool {
        guard case .twinning(let twinning) = operation.content else { return false }
        let (id, header) = (operation.id, operation.header)
        let statement = Statement(
            id: id, sequence: header.sequence, timestamp: header.timestamp, twinning: twinning)
        var own = statements[header.device] ?? []
        guard !own.contains(where: { $0.id == id }) else { return false }
        let place = own.firstIndex { (statement.sequence, id) < ($0.sequence, $0.id) } ?? own.count
        guard place < Twin.perDeviceMax else { return false }
        own.insert(statement, at: place)
        statements[header.device] = Array(own.prefix(Twin.perDeviceMax))
        return true
    }

    /// Whether there is none that is looked at.
    var isEmpty: Bool { statements.isEmpty }

    /// Returns the number of twinnings by the device that are looked at.
    func count(by device: DeviceID) -> Int { statements[device]?.count ?? 0 }

    /// Whether the operation is a twinning by this device, counting or not.
    func has(_ operation: OperationID, by device: DeviceID) -> Bool {
        ids[device]?.contains(operation) ?? false
    }

    /// Whether the device has stated a twinning with the event, counting or not.
    func names(_ event: EventID, by device: DeviceID) -> Bool {
        named[device]?.contains(event) ?? false
    }

    /// Returns those that count, earliest first.
    private func standing(_ base: AlbumBase) -> [Statement] {
        base.membership.everOrganizers.flatMap { device in
            (statements[device] ?? []).filter {
                base.membership.rank(of: $0.id, by: device) >= .organizer && !base.isErased(PhotoID($0.id))
            }
        }.sorted { ($0.timestamp, $0.id) < ($1.timestamp, $1.id) }
    }

    /// Whether a twinning with the event counts, also one without a place among the twins.
    func counts(_ event: EventID, _ base: AlbumBase) -> Bool {
        standing(base).contains { $0.twinning.agreement.event == event }
    }

    /// Returns the twins, in the order in which they were named first; at most `Twin.countMax`.
    func twins(_ base: AlbumBase) -> [Twin] {
        guard !isEmpty else { return [] }
        var groups: [EventID: [Statement]] = [:]
        var order: [EventID] = []
        for statement in standing(base) {
            let event = statement.twinning.agreement.event
            if groups[event] == nil { order.append(event) }
            groups[event, default: []].append(statement)
        }
        return order.prefix(Twin.countMax).compactMap { event in
            guard let statements = groups[event], let first = statements.first, let last = statements.last else {
                return nil
            }
            return Twin(
                agreement: last.twinning.agreement, name: last.twinning.name,
                joinedAtMilliseconds: first.timestamp.milliseconds, operations: statements.map(\.id),
                secrets: statements.suffix(Twin.secretsMax).reversed().map(\.twinning.secret))
        }
    }
}

/// Another event, of which this event's organizers have stated that the galleries belong together.
public struct Twin: Equatable, Sendable {
    /// The most twins of an event.
    public static let countMax = 4
    /// The most twinnings of a device that are looked at.
    public static let perDeviceMax = 64
    /// The most sealed secrets of a twin that a node opens.
    static let secretsMax = 8

    /// The agreement in the latest twinning that counts.
    public let agreement: TwinAgreement
    /// The name for people until the other event's charter is here.
    public let name: String
    /// The time of the first twinning that counts, in milliseconds since 1970 UTC.
    public let joinedAtMilliseconds: UInt64
    /// The twinnings that count, the latest last: an erase names one.
    public let operations: [OperationID]
    /// The other event's secret, sealed under secrets of this event, in the last eight twinnings that count; the latest
    /// first.
    public let secrets: [TwinSecret]

    public var event: EventID { agreement.event }
    public var eventKey: VerifyingKey { agreement.eventKey }
}
