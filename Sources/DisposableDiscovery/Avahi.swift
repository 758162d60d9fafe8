// SPDX-License-Identifier: Apache-2.0
internal import CAvahi
internal import Glibc
internal import Logging
internal import Synchronization

/// The DNS-SD type of Disposable.
let serviceType = "_disposable._tcp"

/// Avahi's constants as the types its functions take.
let anyInterface = AvahiIfIndex(AVAHI_IF_UNSPEC)
let anyProtocol = AvahiProtocol(AVAHI_PROTO_UNSPEC)
let noPublishFlags = AvahiPublishFlags(0)
let noLookupFlags = AvahiLookupFlags(0)

/// Avahi's text for one of its error codes.
func avahiMessage(_ code: some BinaryInteger) -> String { String(cString: avahi_strerror(CInt(code))) }

/// - Throws: ``DiscoveryError/avahi(function:message:)`` for a negative `code`.
func check(_ code: CInt, _ function: String) throws(DiscoveryError) {
    guard code >= 0 else { throw .avahi(function: function, message: avahiMessage(code)) }
}

/// The next name to try after a collision: "NAME #2".
func alternative(to name: String) -> String {
    guard let next = avahi_alternative_service_name(name) else { return name }
    defer { avahi_free(next) }
    return String(cString: next)
}

/// The numeric form of an address found on an interface, with the interface if it is link-local.
func numericHost(_ address: UnsafePointer<AvahiAddress>, interfaceName: String) -> String {
    var text = [CChar](repeating: 0, count: Int(AVAHI_ADDRESS_STR_MAX))
    avahi_address_snprint(&text, text.count, address)
    let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let isLinkLocal =
        address.pointee.proto == AvahiProtocol(AVAHI_PROTO_INET6)
        && withUnsafeBytes(of: address.pointee.data.ipv6.address) { $0[0] == 0xFE && $0[1] & 0xC0 == 0x80 }
    return isLinkLocal ? "\(host)%\(interfaceName)" : host
}

func interfaceName(_ index: AvahiIfIndex) -> String? {
    guard index > 0 else { return nil }
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    guard if_indextoname(UInt32(index), &name) != nil else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// What avahi-core keeps per process: its log function and its use of `rand`.
enum AvahiProcess {
    private static let logger = Mutex<Logger?>(nil)

    /// Sends avahi-core's messages to the first logger that was given, at debug level, and seeds `rand`, from which
    /// avahi-core takes its delays: unseeded, nodes that start together would all draw the same ones and collide.
    static func prepare(logger: Logger) {
        self.logger.withLock { if $0 == nil { $0 = logger } }
        _ = once
    }

    private static let once: Void = {
        srand(UInt32.random(in: .min ... .max))
        avahi_set_log_function { _, text in
            guard let text else { return }
            let message = String(cString: text)
            AvahiProcess.logger.withLock { $0 }?.debug("avahi-core", metadata: ["message": "\(message)"])
        }
    }()
}
