// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel

/// A read of part of a blob from the store, for a peer.
public enum BlobRead: Sendable, Equatable {
    case list(BlobID)
    case chunk(BlobID, index: Int)

    public var blob: BlobID {
        switch self {
        case .list(let blob), .chunk(let blob, _): blob
        }
    }
}

public enum ReadResult: Sendable, Equatable {
    case list([Bytes32])
    case chunk([UInt8])
    case notHere
}
