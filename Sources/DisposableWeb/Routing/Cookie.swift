// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
package import HummingbirdCore

/// A cookie (RFC 6265): a name and a value, and in a response its attributes.
package struct Cookie: Equatable, Sendable {
    /// Whether the browser sends it with requests that other sites' pages cause (RFC 6265bis §4.1.2.7).
    package enum SameSite: String, Sendable {
        case strict = "Strict"
        case lax = "Lax"
    }

    package let name: String
    package let value: String
    /// Seconds after which the browser deletes it, 0 for at once; `nil` for the end of the browser's session.
    package let maxAge: Int?
    /// The browser sends it with requests for paths below this one; `nil` for the path of the request.
    package let path: String?
    /// Whether scripts cannot read it.
    package let httpOnly: Bool
    package let sameSite: SameSite?
    /// Whether the browser sends it over HTTPS only.
    package let isSecure: Bool

    /// - Precondition: the name is a token, the value and the path have only the characters that RFC 6265 §4.1.1 allows.
    package init(
        name: String, value: String, maxAge: Int? = nil, path: String? = nil, httpOnly: Bool = false,
        sameSite: SameSite? = nil, isSecure: Bool = false
    ) {
        precondition(Self.isName(name.utf8) && Self.isValue(value.utf8), "\(name) is not a valid cookie")
        precondition(path?.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: ";") } ?? true)
        self.name = name
        self.value = value
        self.maxAge = maxAge
        self.path = path
        self.httpOnly = httpOnly
        self.sameSite = sameSite
        self.isSecure = isSecure
    }

    /// Parses one `name=value` of a `Cookie` field, with optional spaces around it; `nil` for anything else.
    init?(pair: Substring.UTF8View) {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var pair = pair.drop(while: isSpace)
        while let last = pair.last, isSpace(last) { pair.removeLast() }
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let (name, value) = (pair[..<equals], pair[equals...].dropFirst())
        guard Self.isName(name), Self.isValue(value) else { return nil }
        self.init(name: String(Substring(name)), value: String(Substring(value)))
    }

    /// The value of a `Set-Cookie` field.
    package var text: String {
        var text = "\(name)=\(value)"
        if let maxAge { text += "; Max-Age=\(maxAge)" }
        if let path { text += "; Path=\(path)" }
        if httpOnly { text += "; HttpOnly" }
        if let sameSite { text += "; SameSite=\(sameSite.rawValue)" }
        if isSecure { text += "; Secure" }
        return text
    }

    /// `token` of RFC 9110 §5.6.2.
    private static func isName(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// `*cookie-octet` of RFC 6265 §4.1.1: no spaces, quotes, commas, semicolons and backslashes.
    private static func isValue(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.allSatisfy { (0x21...0x7E).contains($0) && !"\",;\\".utf8.contains($0) }
    }
}

extension Response {
    package mutating func setCookie(_ cookie: Cookie) {
        headers.append(HTTPField(name: .setCookie, value: cookie.text))
    }
}
