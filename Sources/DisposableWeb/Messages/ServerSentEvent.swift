// SPDX-License-Identifier: Apache-2.0

/// One event of a stream (WHATWG HTML §9.2.6): a name, an id, and one line of JSON.
package struct ServerSentEvent {
    package let text: String

    package init(_ name: String, id: String? = nil, data: any Encodable) throws {
        text = "event: \(name)\n" + (id.map { "id: \($0)\n" } ?? "") + "data: \(try JSONText.text(data))\n\n"
    }
}
