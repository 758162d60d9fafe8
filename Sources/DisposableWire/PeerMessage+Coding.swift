// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
internal import DisposableModel
internal import Foundation
internal import SwiftProtobuf

/// The first byte of a frame's plaintext.
private enum MessageType: UInt8 {
    case authentication = 0x01
    case ping = 0x02
    case pong = 0x03
    case close = 0x04
    case admission = 0x05
    case addresses = 0x06
    case register = 0x07
    case pages = 0x08
    case operations = 0x10
    case reconcile = 0x11
    case want = 0x12
    case have = 0x20
    case request = 0x21
    case list = 0x22
    case data = 0x23
    case refusal = 0x24
    case cancel = 0x25
}

extension PeerMessage {
    /// Types from here on are optional (§13): a node that does not know them skips them, unread.
    private static let optionalTypes: UInt8 = 0x80

    /// The frame's plaintext: the type, then the payload.
    public var bytes: [UInt8] {
        switch self {
        case .authentication(let authentication):
            var message = Disposable_V1_Authentication()
            message.claims = Data(authentication.claimBytes)
            message.signature = Data(authentication.signature.bytes)
            return encode(.authentication, message)
        case .ping(let ping): return encode(.ping, ping.message)
        case .pong(let ping): return encode(.pong, ping.message)
        case .close(let code, let retryAfterMilliseconds, let reason):
            var message = Disposable_V1_Close()
            message.code = code?.rawValue ?? 0
            message.retryAfterMs = retryAfterMilliseconds
            message.reason = reason
            return encode(.close, message)
        case .admission(let admission):
            var message = Disposable_V1_AdmissionMessage()
            message.sponsor = Data(admission.sponsor.bytes)
            message.signature = Data(admission.signature.bytes)
            if admission.epoch != .none { message.epoch = Data(admission.epoch.bytes) }
            return encode(.admission, message)
        case .addresses(let addresses):
            var message = Disposable_V1_Addresses()
            message.addresses = addresses.compactMap(\.message)
            return encode(.addresses, message)
        case .register(let register): return encode(.register, register.message)
        case .pages(let addresses):
            var message = Disposable_V1_Pages()
            message.addresses = addresses.compactMap(\.message)
            return encode(.pages, message)
        case .operations(let operations):
            var message = Disposable_V1_Operations()
            message.operations = operations.map(\.message)
            return encode(.operations, message)
        case .reconcile(let set, let isInitiator, let bytes):
            var message = Disposable_V1_Reconcile()
            message.set = UInt32(set.rawValue)
            message.initiator = isInitiator
            message.message = Data(bytes)
            return encode(.reconcile, message)
        case .want(let ids, let set):
            var message = Disposable_V1_Want()
            message.ids = ids.map { Data($0.bytes) }
            message.set = UInt32(set.rawValue)
            return encode(.want, message)
        case .have(let have): return encode(.have, have.message)
        case .request(let request):
            var message = Disposable_V1_ChunkRequest()
            message.request = request.request
            message.root = Data(request.blob.root.bytes)
            message.blobClass = UInt32(request.blob.blobClass.rawValue)
            message.byteCount = request.blob.byteCount
            message.firstChunk = request.firstChunk
            message.chunkCount = request.chunkCount
            message.withList = request.withList
            return encode(.request, message)
        case .list(let request, let hashes):
            var message = Disposable_V1_ChunkList()
            message.request = request
            message.hashes = Data(hashes.flatMap(\.bytes))
            return encode(.list, message)
        case .data(let fragment):
            var bytes = [UInt8]()
            bytes.reserveCapacity(13 + fragment.bytes.count)
            bytes.append(MessageType.data.rawValue)
            bytes.appendBigEndian(fragment.request)
            bytes.appendBigEndian(fragment.chunk)
            bytes.appendBigEndian(fragment.offset)
            bytes.append(contentsOf: fragment.bytes)
            return bytes
        case .refusal(let request, let code, let retryAfterMilliseconds):
            var message = Disposable_V1_Refusal()
            message.request = request
            message.code = code?.rawValue ?? 0
            message.retryAfterMs = retryAfterMilliseconds
            return encode(.refusal, message)
        case .cancel(let request):
            var message = Disposable_V1_Cancel()
            message.request = request
            return encode(.cancel, message)
        case .later(let type): return [type]
        }
    }

    private func encode(_ type: MessageType, _ message: some SwiftProtobuf.Message) -> [UInt8] {
        // Serialising fails only for required fields and for messages over 2 GiB; neither occurs here.
        guard let payload: [UInt8] = try? message.serializedBytes() else {
            preconditionFailure("\(type) not serialised")
        }
        return [type.rawValue] + payload
    }

    /// Decodes a frame's plaintext. Every count and length is checked.
    public init(_ bytes: [UInt8]) throws(WireError) {
        guard let first = bytes.first else { throw .empty }
        guard let type = MessageType(rawValue: first) else {
            guard first >= Self.optionalTypes else { throw .unknownType(first) }
            self = .later(type: first)
            return
        }
        let reader = PayloadReader(type: type.rawValue, bytes: bytes)
        switch type {
        case .authentication: self = .authentication(try Authentication(reader))
        case .ping: self = .ping(try Ping(reader))
        case .pong: self = .pong(try Ping(reader))
        case .close:
            let message: Disposable_V1_Close = try reader.message()
            try reader.check(byteCount: message.reason.utf8.count, limit: Limits.closeReasonByteCountMax)
            self = .close(
                ProtocolCode(rawValue: message.code), retryAfterMilliseconds: message.retryAfterMs,
                reason: message.reason)
        case .admission:
            let message: Disposable_V1_AdmissionMessage = try reader.message()
            self = .admission(
                Admission(
                    sponsor: try reader.identifier(message.sponsor), signature: try reader.signature(message.signature),
                    epoch: try reader.require(OperationID(epoch: message.epoch))))
        case .addresses:
            let message: Disposable_V1_Addresses = try reader.message()
            try reader.check(count: message.addresses.count, limit: Limits.addressesPerMessageMax)
            self = .addresses(
                try message.addresses.map { (item) throws(WireError) in try reader.require(PeerAddress(item)) })
        case .register: self = .register(try Register(reader))
        case .pages:
            let message: Disposable_V1_Pages = try reader.message()
            try reader.check(count: message.addresses.count, limit: Limits.pageAddressesMax)
            self = .pages(
                try message.addresses.map { (item) throws(WireError) in try reader.require(PeerAddress(item)) })
        case .operations: self = .operations(try reader.operations())
        case .reconcile:
            let message: Disposable_V1_Reconcile = try reader.message()
            try reader.check(byteCount: message.message.count, limit: Limits.reconciliationMessageByteCountMax)
            self = .reconcile(
                set: try reader.set(message.set), isInitiator: message.initiator, message: [UInt8](message.message))
        case .want:
            let message: Disposable_V1_Want = try reader.message()
            try reader.check(count: message.ids.count, limit: Limits.wantedPerMessageMax)
            self = .want(
                try message.ids.map { (id) throws(WireError) in try reader.identifier(id) },
                set: try reader.set(message.set))
        case .have: self = .have(try Have(reader))
        case .request: self = .request(try ChunkRequest(reader))
        case .list:
            let message: Disposable_V1_ChunkList = try reader.message()
            try reader.check(count: message.hashes.count / 32, limit: Limits.chunksPerBlobMax)
            self = .list(request: message.request, hashes: try reader.hashes(message.hashes))
        case .data: self = .data(try ChunkFragment(reader))
        case .refusal:
            let message: Disposable_V1_Refusal = try reader.message()
            self = .refusal(
                request: message.request, ProtocolCode(rawValue: message.code),
                retryAfterMilliseconds: message.retryAfterMs)
        case .cancel:
            let message: Disposable_V1_Cancel = try reader.message()
            self = .cancel(request: message.request)
        }
    }
}

/// A frame's payload, and the checks that all message types share.
struct PayloadReader {
    let type: UInt8
    let bytes: [UInt8]

    func message<Message: SwiftProtobuf.Message>() throws(WireError) -> Message {
        let payload = bytes.dropFirst()
        try check(count: ProtobufFields.count(in: payload), limit: Limits.fieldsPerMessageMax)
        do { return try Message(serializedBytes: Array(payload)) } catch { throw .malformed(type: type) }
    }

    func check(count: Int, limit: Int) throws(WireError) {
        guard count <= limit else { throw .tooMany(type: type, count: count, limit: limit) }
    }

    func check(byteCount: Int, limit: Int) throws(WireError) {
        guard byteCount <= limit else { throw .tooLong(type: type, byteCount: byteCount, limit: limit) }
    }

    func require<Value>(_ value: Value?) throws(WireError) -> Value {
        guard let value else { throw .malformed(type: type) }
        return value
    }

    func identifier<ID: Identifier>(_ data: Data) throws(WireError) -> ID { try require(ID(data)) }
    func signature(_ data: Data) throws(WireError) -> Signature { try require(Signature(data)) }
    func blob(_ root: Data, _ blobClass: BlobClass, byteCount: UInt64) throws(WireError) -> BlobID {
        guard (1...blobClass.byteCountMax).contains(byteCount) else { throw .malformed(type: type) }
        return BlobID(root: try identifier(root), blobClass: blobClass, byteCount: byteCount)
    }
    func set(_ number: UInt32) throws(WireError) -> OperationSet {
        try require(UInt8(exactly: number).flatMap(OperationSet.init))
    }

    func hashes(_ data: Data) throws(WireError) -> [Bytes32] {
        guard data.count.isMultiple(of: 32) else { throw .malformed(type: type) }
        let bytes = [UInt8](data)
        return try stride(from: 0, to: bytes.count, by: 32).map { (start) throws(WireError) in
            try require(Bytes32(bytes[start..<start + 32]))
        }
    }

    func operations() throws(WireError) -> [UncheckedOperation] {
        let message: Disposable_V1_Operations = try message()
        try check(count: message.operations.count, limit: Limits.operationsPerMessageMax)
        let byteCount = message.operations.reduce(0) { $0 + $1.header.count + $1.signature.count + $1.body.count }
        try check(byteCount: byteCount, limit: Limits.operationsByteCountMax)
        return try message.operations.map { (signed) throws(WireError) in
            do { return try UncheckedOperation(signed) } catch { throw .malformed(type: type) }
        }
    }
}

extension Authentication {
    /// Signs the claims of a device, for one connection and one side of it.
    public init(claims: Claims, side: Side, handshakeHash: [UInt8], key: SigningKey) {
        var message = Disposable_V1_AuthenticationClaims()
        message.device = Data(claims.device.bytes)
        message.instance = Data(claims.instance)
        message.wallClockMs = claims.wallClockMilliseconds
        message.listenPort = UInt32(claims.listenPort)
        guard let bytes: [UInt8] = try? message.serializedBytes() else { preconditionFailure("claims not serialised") }
        self.init(
            claimBytes: bytes, claims: claims,
            signature: key.signature(
                for: Self.signedBytes(side: side, handshakeHash: handshakeHash, claimBytes: bytes)))
    }

    fileprivate init(_ reader: PayloadReader) throws(WireError) {
        let message: Disposable_V1_Authentication = try reader.message()
        try reader.check(byteCount: message.claims.count, limit: Limits.authenticationClaimsByteCountMax)
        guard let claims = try? Disposable_V1_AuthenticationClaims(serializedBytes: message.claims),
            claims.instance.count == 16, let port = UInt16(exactly: claims.listenPort)
        else { throw .malformed(type: reader.type) }
        self.init(
            claimBytes: [UInt8](message.claims),
            claims: Claims(
                device: try reader.identifier(claims.device), instance: [UInt8](claims.instance),
                wallClockMilliseconds: claims.wallClockMs, listenPort: port),
            signature: try reader.signature(message.signature))
    }
}

extension Ping {
    fileprivate var message: Disposable_V1_Ping {
        var message = Disposable_V1_Ping()
        message.nonce = nonce
        message.authority = authority.message
        message.content = content.message
        return message
    }

    fileprivate init(_ reader: PayloadReader) throws(WireError) {
        let message: Disposable_V1_Ping = try reader.message()
        self.init(
            nonce: message.nonce, authority: try SetSummary(message.authority, reader),
            content: try SetSummary(message.content, reader))
    }
}

extension SetSummary {
    fileprivate var message: Disposable_V1_SetSummary {
        var message = Disposable_V1_SetSummary()
        message.count = count
        message.fingerprint = Data(fingerprint)
        return message
    }

    fileprivate init(_ message: Disposable_V1_SetSummary, _ reader: PayloadReader) throws(WireError) {
        guard message.fingerprint.count == 16 else { throw .malformed(type: reader.type) }
        self.init(count: message.count, fingerprint: [UInt8](message.fingerprint))
    }
}

extension Have {
    fileprivate var message: Disposable_V1_Have {
        var message = Disposable_V1_Have()
        message.holdings = holdings.map { holding in
            var item = Disposable_V1_Holding()
            item.device = Data(holding.device.bytes)
            item.blobClass = UInt32(holding.blobClass.rawValue)
            var end: UInt32 = 0
            for run in holding.sequences {
                item.runs += [run.lowerBound - end, UInt32(run.count)]
                end = run.upperBound
            }
            return item
        }
        message.partials = partials.map { partial in
            var item = Disposable_V1_PartialHolding()
            item.root = Data(partial.blob.root.bytes)
            item.blobClass = UInt32(partial.blob.blobClass.rawValue)
            item.byteCount = partial.blob.byteCount
            item.chunks = Data(partial.chunks.bytes)
            return item
        }
        return message
    }

    fileprivate init(_ reader: PayloadReader) throws(WireError) {
        let message: Disposable_V1_Have = try reader.message()
        try reader.check(count: message.holdings.count, limit: Limits.holdingsPerMessageMax)
        try reader.check(count: message.partials.count, limit: Limits.partialsPerMessageMax)
        self.init()
        for item in message.holdings {
            try reader.check(count: item.runs.count, limit: Limits.holdingRunNumbersMax)
            // A class of a later version is of no use to this one.
            guard let blobClass = UInt8(exactly: item.blobClass).flatMap(BlobClass.init) else { continue }
            holdings.append(
                Holding(
                    device: try reader.identifier(item.device), blobClass: blobClass,
                    sequences: try Self.ranges(item.runs, reader)))
        }
        for item in message.partials {
            try reader.check(byteCount: item.chunks.count, limit: Limits.chunksPerBlobMax / 8)
            guard let blobClass = UInt8(exactly: item.blobClass).flatMap(BlobClass.init) else { continue }
            partials.append(
                PartialHolding(
                    blob: try reader.blob(item.root, blobClass, byteCount: item.byteCount),
                    chunks: ChunkBitmap(bytes: [UInt8](item.chunks))))
        }
    }

    private static func ranges(_ runs: [UInt32], _ reader: PayloadReader) throws(WireError) -> [Range<UInt32>] {
        guard runs.count.isMultiple(of: 2) else { throw .malformed(type: reader.type) }
        var ranges: [Range<UInt32>] = []
        var end: UInt32 = 0
        for index in stride(from: 0, to: runs.count, by: 2) {
            let (start, startOverflow) = end.addingReportingOverflow(runs[index])
            let (next, endOverflow) = start.addingReportingOverflow(runs[index + 1])
            // Two runs that touch would have to be one.
            guard !startOverflow, !endOverflow, next > start, next <= OperationHeader.contentSequenceLimit,
                index == 0 || start > end
            else { throw .malformed(type: reader.type) }
            ranges.append(start..<next)
            end = next
        }
        return ranges
    }
}

extension ChunkRequest {
    fileprivate init(_ reader: PayloadReader) throws(WireError) {
        let message: Disposable_V1_ChunkRequest = try reader.message()
        guard let blobClass = UInt8(exactly: message.blobClass).flatMap(BlobClass.init), message.chunkCount > 0,
            message.firstChunk < UInt32(Limits.chunksPerBlobMax)
        else { throw .malformed(type: reader.type) }
        try reader.check(count: Int(message.chunkCount), limit: Limits.chunksPerRequestMax)
        self.init(
            request: message.request, blob: try reader.blob(message.root, blobClass, byteCount: message.byteCount),
            firstChunk: message.firstChunk, chunkCount: message.chunkCount, withList: message.withList)
    }
}

extension ChunkFragment {
    /// Decodes the type, then request, chunk and offset as 32-bit big-endian numbers, then the bytes.
    fileprivate init(_ reader: PayloadReader) throws(WireError) {
        let headerByteCount = 13
        let bytes = reader.bytes
        guard bytes.count > headerByteCount else { throw .malformed(type: reader.type) }
        try reader.check(byteCount: bytes.count - headerByteCount, limit: Limits.dataByteCountMax)
        func number(at offset: Int) -> UInt32 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        self.init(
            request: number(at: 1), chunk: number(at: 5), offset: number(at: 9), bytes: bytes[headerByteCount...])
    }
}
