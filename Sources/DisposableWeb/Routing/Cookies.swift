// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
package import HummingbirdCore

/// The cookies of a request (RFC 6265 §4.2).
package struct Cookies: Sendable {
    private let fields: [String]

    /// - Parameter fields: the values of the request's `Cookie` fields.
    package init(_ fields: [String]) { self.fields = fields }

    /// The first well-formed cookie of this name: of several, browsers send the one with the longest path first (§5.4).
    ///
    /// The cost is linear in the length of the fields, which the limit for a request's head bounds.
    package subscript(name: String) -> Cookie? {
        for field in fields {
            for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
                if let cookie = Cookie(pair: pair), cookie.name == name { return cookie }
            }
        }
        return nil
    }
}

extension Request {
    package var cookies: Cookies { Cookies(headers[values: .cookie]) }
}
