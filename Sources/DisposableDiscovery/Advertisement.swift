// SPDX-License-Identifier: Apache-2.0
internal import DisposableMDNS

/// The advertisement of this node on the network: one DNS-SD instance of `_disposable._tcp`.
public struct Advertisement: Sendable, Equatable {
    /// 1 to 63 bytes of UTF-8 without NUL (RFC 6763 §4.1.1). Random for each start, so that it identifies no device. If
    /// another instance on the network already has it, the next free name ("NAME #2") is used instead.
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

    /// - Throws: ``DiscoveryError`` for a name or text that does not fit into DNS records.
    func validate() throws(DiscoveryError) {
        let name = instanceName.utf8
        guard 1...63 ~= name.count, !name.contains(0) else {
            throw .invalidInstanceName(byteCount: name.count)
        }
        guard text.count <= TextRecord.entryCountMax else {
            throw .tooManyTextEntries(count: text.count, limit: TextRecord.entryCountMax)
        }
        var total = 0
        for (key, value) in text.sorted(by: { $0.key < $1.key }) {
            let isPrintable = key.utf8.allSatisfy { 0x20...0x7E ~= $0 && $0 != UInt8(ascii: "=") }
            guard isPrintable, !key.isEmpty else { throw .invalidTextKey(key) }
            let (byteCount, limit) = (key.utf8.count + 1 + value.count, TextRecord.entryByteCountMax)
            guard byteCount <= limit else { throw .textEntryTooLong(key: key, byteCount: byteCount, limit: limit) }
            total += 1 + byteCount
        }
        guard total <= TextRecord.byteCountMax else {
            throw .textTooLong(byteCount: total, limit: TextRecord.byteCountMax)
        }
    }
}
