// SPDX-License-Identifier: Apache-2.0
internal import DisposableValues

/// The service that this node publishes on all links.
package struct PublishedService: Hashable, Sendable {
    /// A label: 1 to 63 bytes of UTF-8.
    package var instanceName: String
    package var port: UInt16
    package var text: [String: [UInt8]]

    package init(instanceName: String, port: UInt16, text: [String: [UInt8]]) {
        self.instanceName = instanceName
        self.port = port
        self.text = text
    }
}

/// The names that are published with the service.
struct OwnNames: Hashable, Sendable {
    var instance: DomainName
    var host: DomainName
}

/// A subset of this node's own records on one link, by kind.
struct OwnRecords: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// `_services._dns-sd._udp.local` PTR, which lists types (RFC 6763 §9).
    static let enumeration = OwnRecords(rawValue: 1)
    static let pointer = OwnRecords(rawValue: 2)
    static let service = OwnRecords(rawValue: 4)
    static let text = OwnRecords(rawValue: 8)
    /// A and AAAA, all of them.
    static let addresses = OwnRecords(rawValue: 16)
    /// NSEC of the instance and of the host: they have no records of other types (RFC 6762 §6.1).
    static let instanceTypes = OwnRecords(rawValue: 32)
    static let hostTypes = OwnRecords(rawValue: 64)

    static let shared: OwnRecords = [.enumeration, .pointer]
    /// The records that are announced.
    static let all: OwnRecords = [.enumeration, .pointer, .service, .text, .addresses]
    static let each: [OwnRecords] = [
        .pointer, .service, .text, .addresses, .enumeration, .instanceTypes, .hostTypes,
    ]

    static let enumerationName = DomainName(
        checked: [9] + Array("_services".utf8) + [7] + Array("_dns-sd".utf8)
            + [4] + Array("_udp".utf8) + [5] + Array("local".utf8))

    /// Records with a host in them live for two minutes, the others for 75 (RFC 6762 §10).
    static let hostSeconds: UInt32 = 120
    static let otherSeconds: UInt32 = 4_500

    /// The additional records for these (RFC 6763 §12).
    var additionals: OwnRecords {
        var result: OwnRecords = []
        if contains(.pointer) { result.formUnion([.service, .text, .addresses]) }
        if contains(.service) { result.formUnion(.addresses) }
        return result.subtracting(self)
    }
}

/// The records of one link.
struct OwnService: Hashable, Sendable {
    let serviceType: DomainName
    var names: OwnNames
    var port: UInt16
    /// As on the wire.
    var text: [UInt8]
    var addresses: [IPAddress]

    func records(_ set: OwnRecords) -> [Record] {
        OwnRecords.each.filter { set.contains($0) }.flatMap { kind -> [Record] in
            switch kind {
            case .enumeration:
                [shared(OwnRecords.enumerationName, .pointer(serviceType))]
            case .pointer: [shared(serviceType, .pointer(names.instance))]
            case .service:
                [unique(names.instance, .service(port: port, target: names.host), OwnRecords.hostSeconds)]
            case .text: [unique(names.instance, .text(text), OwnRecords.otherSeconds)]
            case .addresses: addresses.map { unique(names.host, .address($0), OwnRecords.hostSeconds) }
            case .instanceTypes: [unique(names.instance, .types([.text, .service]), OwnRecords.otherSeconds)]
            default:
                [
                    unique(
                        names.host,
                        .types(
                            Set(addresses.map { RecordData.address($0).type }).sorted {
                                $0.rawValue < $1.rawValue
                            }), OwnRecords.hostSeconds)
                ]
            }
        }
    }

    private func shared(_ name: DomainName, _ data: RecordData) -> Record {
        Record(name: name, data: data, timeToLive: OwnRecords.otherSeconds, isUnique: false)
    }

    private func unique(_ name: DomainName, _ data: RecordData, _ seconds: UInt32) -> Record {
        Record(name: name, data: data, timeToLive: seconds, isUnique: true)
    }

    /// Returns the own records that answer a question.
    func answers(to question: Question) -> OwnRecords {
        var result: OwnRecords = []
        let (type, isAny) = (question.type, question.type == .any)
        if question.name == serviceType, isAny || type == .pointer { result.insert(.pointer) }
        if question.name == OwnRecords.enumerationName, isAny || type == .pointer { result.insert(.enumeration) }
        if question.name == names.instance {
            if isAny || type == .service { result.insert(.service) }
            if isAny || type == .text { result.insert(.text) }
            if type == .address4 || type == .address6 { result.insert(.instanceTypes) }
        }
        if question.name == names.host {
            let hasType = isAny || addresses.contains { RecordData.address($0).type == type }
            result.insert(hasType ? .addresses : .hostTypes)
        }
        return result
    }

    /// Returns the `candidates` that a querier knows already, with at least half of their time left (RFC 6762 §7.1).
    func known(_ candidates: OwnRecords, in answers: [Record]) -> OwnRecords {
        guard !answers.isEmpty else { return [] }
        return OwnRecords.each.filter { kind in
            guard candidates.contains(kind) else { return false }
            let own = records(kind)
            return !own.isEmpty
                && own.allSatisfy { own in
                    answers.contains {
                        $0.name == own.name && $0.data == own.data && $0.timeToLive >= own.timeToLive / 2
                    }
                }
        }.reduce(into: []) { $0.formUnion($1) }
    }
}
