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
        let count = devices.count / Bytes32.byteCount
        guard count <= countMax, devices.count == Bytes32.byteCount * count,
            boxes.count == SealedSecret.byteCount * count
        else { return nil }
        let (devices, boxes) = ([UInt8](devices), [UInt8](boxes))
        return (0..<count).compactMap { index in
            let (device, box) = (Bytes32.byteCount * index, SealedSecret.byteCount * index)
            return Bytes32(devices[device..<device + Bytes32.byteCount]).map {
                SealedSecret(device: DeviceID($0), box: boxes[box..<box + SealedSecret.byteCount])
            }
        }
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

extension SealedBallot {
    /// Returns `nil` for a body that breaks the rules (protocol/disposable-v1.md §8.4).
    init?(_ message: Disposable_V1_EpochBody) {
        guard let key = Bytes32(message.commitment),
            let seals = EpochBody.seals(message.devices, message.boxes, countMax: Self.organizersMax)
        else { return nil }
        self.init(key: AgreementPublicKey(key), seals: seals)
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
