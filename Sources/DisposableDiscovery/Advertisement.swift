// SPDX-License-Identifier: Apache-2.0

/// What this node says about itself on the network: one DNS-SD instance of `_disposable._tcp`.
public struct Advertisement: Sendable, Equatable {
    /// 1 to 63 bytes of UTF-8 without NUL (RFC 6763 §4.1.1). Random per start, so that it names no device. If another
    /// instance on the network already has it, Avahi's next free name ("NAME #2") is used instead.
    public var instanceName: String
    /// The TCP port peers dial.
    public var port: UInt16
    /// TXT pairs (RFC 6763 §6): keys of printable ASCII without "=", values of any bytes; a pair at most 254 bytes
    /// with its "=", all of them within ``TextRecord/entryCountMax`` and ``TextRecord/byteCountMax``.
    public var text: [String: [UInt8]]

    public init(instanceName: String, port: UInt16, text: [String: [UInt8]]) {
        self.instanceName = instanceName
        self.port = port
        self.text = text
    }

    /// - Throws: ``DiscoveryError`` for a name or text that does not fit into DNS records. Checked here because
    ///   Avahi cuts an overlong text entry silently.
    func validate() throws(DiscoveryError) {
        let name = instanceName.utf8
        guard 1...63 ~= name.count, !name.contains(0) else {
            throw .invalidInstanceName(byteCount: name.count)
        }
        try TextRecord.validate(text)
    }
}
