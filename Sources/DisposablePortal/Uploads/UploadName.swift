// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
internal import DisposableSystem

/// The id of an upload within its session: 16 random bytes, in addresses as 32 hexadecimal digits.
package struct UploadID: Hashable, Sendable, CustomStringConvertible {
    static let byteCount = 16
    let bytes: [UInt8]

    package init() { bytes = .random(count: Self.byteCount) }
    package init?(hex: some StringProtocol) {
        guard hex.utf8.count == 2 * Self.byteCount, let bytes = [UInt8](hex: hex) else { return nil }
        self.bytes = bytes
    }
    package var description: String { bytes.hex }
}

/// The session of an upload, and its id.
package struct UploadName: Hashable, Sendable {
    package let session: Bytes32
    package let upload: UploadID

    package init(session: Bytes32, upload: UploadID) {
        self.session = session
        self.upload = upload
    }
}
