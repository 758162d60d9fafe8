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
            let seals = seals(message.devices, message.boxes, countMax: Limits.sealedDevicesMax)
        else { return nil }
        if argument == addition { return message.commitment.isEmpty ? .epoch(commitment: nil, seals: seals) : nil }
        return Bytes32(message.commitment).map { .epoch(commitment: $0, seals: seals) }
    }

    /// Decodes devices and the boxes sealed to them, as many of each.
    static func seals(_ devices: Data, _ boxes: Data, countMax: Int) -> [SealedSecret]? {
        guard let devices = parts(of: devices, byteCount: 32, countMax)?.compactMap({ DeviceID($0) }),
            let boxes = parts(of: boxes, byteCount: SealedSecret.byteCount, countMax), devices.count == boxes.count
        else { return nil }
        return zip(devices, boxes).map { SealedSecret(device: $0, box: [UInt8]($1)) }
    }

    private static func parts(of data: Data, byteCount: Int, _ countMax: Int) -> [Data]? {
        guard data.count.isMultiple(of: byteCount), data.count <= byteCount * countMax else { return nil }
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

extension Disposable_V1_MessageBody {
    init(_ sealed: SealedMessage) {
        self.init()
        devices = Data(sealed.keys.flatMap(\.device.bytes))
        boxes = Data(sealed.keys.flatMap(\.box))
        text = Data(sealed.text)
    }
}

extension SealedMessage {
    /// Returns `nil` for a body that breaks the rules (protocol/disposable-v1.md §8.4).
    init?(_ message: Disposable_V1_MessageBody) {
        guard let keys = EpochBody.seals(message.devices, message.boxes, countMax: Self.recipientsMax) else { return nil }
        self.init(keys: keys, text: [UInt8](message.text))
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
