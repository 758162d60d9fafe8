// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Conversion of IP addresses between text and network bytes, without any look-up.
public enum IPAddress {
    /// Returns 4 or 16 bytes; `nil` for anything else than a numeric address, and for one with a zone.
    public static func bytes(_ text: String) -> [UInt8]? {
        guard !text.utf8.contains(0) else { return nil }  // C would stop reading there
        for (family, byteCount) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: byteCount)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }

    /// Whether the text is an address and not a name, with or without a zone such as `%eth0`.
    public static func isNumeric(_ text: String) -> Bool {
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let address = bytes(String(first)) else { return false }
        return parts.count == 1 || (address.count == 16 && !parts[1].isEmpty)
    }

    /// Whether the address is that of the machine itself, 127.0.0.0/8 or ::1.
    public static func isLoopback(_ text: String) -> Bool {
        guard let bytes = bytes(text) else { return false }
        return bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// Whether the address is an IPv4 one of a local network: private (RFC 1918) or link-local.
    public static func isLocal(_ text: String) -> Bool {
        guard let bytes = bytes(text), bytes.count == 4 else { return false }
        switch (bytes[0], bytes[1]) {
        case (10, _), (172, 16...31), (192, 168), (169, 254): return true
        default: return false
        }
    }

    /// Returns the usual text form; `nil` unless there are 4 or 16 bytes.
    public static func text(_ bytes: [UInt8]) -> String? {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil else {
            return nil
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
