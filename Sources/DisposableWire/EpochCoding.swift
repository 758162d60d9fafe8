// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import Foundation
internal import SwiftProtobuf

/// The body of an epoch operation. The header's argument gives its type.
enum EpochBody {
    static let beginning: UInt64 = 0
    static let addition: UInt64 = 1

    /// Returns `nil` for a body that breaks the rules (protocol/disposable-v1.md §8.4).
    static func content(of payload: [UInt8], argument: UInt64) -> OperationContent? {
        // A type of a later version: kept, and not decoded.
        guard argument == beginning || argument == addition else { return OperationContent.none }
        guard let message = try? Disposable_V1_EpochBody(serializedBytes: payload),
            let devices = parts(of: message.devices, byteCount: 32)?.compactMap({ DeviceID($0) }),
            let boxes = parts(of: message.boxes, byteCount: SealedSecret.byteCount), devices.count == boxes.count
        else { return nil }
        let seals = zip(devices, boxes).map { SealedSecret(device: $0, box: [UInt8]($1)) }
        if argument == addition { return message.commitment.isEmpty ? .epoch(commitment: nil, seals: seals) : nil }
        return Bytes32(message.commitment).map { .epoch(commitment: $0, seals: seals) }
    }

    private static func parts(of data: Data, byteCount: Int) -> [Data]? {
        guard data.count.isMultiple(of: byteCount), data.count <= byteCount * Limits.sealedDevicesMax else {
            return nil
        }
        return stride(from: data.startIndex, to: data.endIndex, by: byteCount).map { data[$0..<$0 + byteCount] }
    }
}

extension Disposable_V1_EpochBody {
    init(_ commitment: Bytes32?, _ seals: [SealedSecret]) {
        self.init()
        self.commitment = Data(commitment?.bytes ?? [])
        devices = Data(seals.flatMap(\.device.bytes))
        boxes = Data(seals.flatMap(\.box))
    }
}

extension OperationID {
    /// Decodes the epoch that an admission names: empty for the invitation's secret. Returns `nil` for anything else.
    init?(epoch data: Data) {
        if data.isEmpty {
            self = .none
        } else {
            self.init(data)
            if self == .none { return nil }
        }
    }
}
