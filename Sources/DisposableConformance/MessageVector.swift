// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableValues
internal import DisposableWire

/// §7: the plaintext of a frame.
struct MessageVector: Vector {
    static let questions: Set = ["message"]
    static let failures: Set = ["malformed", "limit exceeded"]

    private var message: Hex

    var received: [WritableKeyPath<Self, [UInt8]>] { [\.message.bytes] }

    func outcome() -> Outcome {
        do throws(WireError) {
            let read = try PeerMessage(message.bytes)
            guard (try? PeerMessage(read.bytes)) == read else { return .unstable }
            let (type, content) = read.shown
            return .success(["type": .string(type), "content": .object(content)])
        } catch { return Outcome(error.name) }
    }
}

extension PeerMessage {
    /// The name of the type in §7's table, and the fields in the form of vectors.
    fileprivate var shown: (type: String, content: [String: JSON]) {
        switch self {
        case .authentication(let proof): ("authentication", ["claims": .hex(proof.claimBytes)])
        case .ping(let ping): ("ping", ping.shown)
        case .pong(let ping): ("pong", ping.shown)
        case .close(let code, let retry, let reason):
            (
                "close",
                [
                    "code": code.map { .integer($0.rawValue) } ?? .null, "retryAfterMilliseconds": .integer(retry),
                    "reason": .string(reason),
                ]
            )
        case .admission(let admission):
            ("admission", ["sponsor": .text(admission.sponsor), "signature": .hex(admission.signature.bytes)])
        case .addresses(let addresses):
            ("addresses", ["addresses": .array(addresses.map(\.shown))])
        case .pages(let addresses): ("pages", ["addresses": .array(addresses.map(\.shown))])
        case .register(let register): ("register", register.shown)
        case .operations(let operations):
            ("operations", ["operations": .array(operations.map(\.shown))])
        case .reconcile(let set, let isInitiator, let message):
            (
                "reconcile",
                ["set": .integer(set.rawValue), "initiator": .bool(isInitiator), "message": .hex(message)]
            )
        case .want(let ids, let set): ("want", ["ids": .list(ids), "set": .integer(set.rawValue)])
        case .have(let have): ("have", have.shown)
        case .request(let request): ("request", request.shown)
        case .list(let request, let hashes): ("list", ["request": .integer(request), "hashes": .list(hashes)])
        case .data(let fragment):
            (
                "data",
                [
                    "request": .integer(fragment.request), "chunk": .integer(fragment.chunk),
                    "offset": .integer(fragment.offset), "bytes": .hex(fragment.bytes),
                ]
            )
        case .refusal(let request, let code, let retry):
            (
                "refusal",
                [
                    "request": .integer(request), "code": code.map { .integer($0.rawValue) } ?? .null,
                    "retryAfterMilliseconds": .integer(retry),
                ]
            )
        case .cancel(let request): ("cancel", ["request": .integer(request)])
        case .later: ("later", [:])
        }
    }
}

extension Ping {
    fileprivate var shown: [String: JSON] {
        ["nonce": .text(nonce), "authority": authority.shown, "content": content.shown]
    }
}

extension SetSummary {
    fileprivate var shown: JSON { .object(["count": .text(count), "fingerprint": .hex(fingerprint)]) }
}

extension PeerAddress {
    fileprivate var shown: JSON {
        .object(["ip": .hex(IPAddress(host)?.bytes ?? []), "port": .integer(port)])
    }
}

extension ChunkBitmap {
    /// The indices of its set bits.
    fileprivate var shown: JSON { .array((0..<bytes.count * 8).filter { self[$0] }.map { .integer($0) }) }
}

extension Register {
    fileprivate var shown: [String: JSON] {
        func places(_ places: [Places]) -> JSON {
            .array(places.map { .object(["device": .text($0.device), "sequences": $0.bits.shown]) })
        }
        return [
            "signature": .hex(signature.bytes), "device": .text(claims.device), "instance": .hex(claims.instance),
            "counter": .text(claims.counter), "originals": places(claims.originals),
            "destroyed": places(claims.destroyed),
        ]
    }
}

extension UncheckedOperation {
    fileprivate var shown: JSON {
        let hasBody = body?.isEmpty == false
        return .object([
            "header": .hex(header.bytes), "signature": .hex(signature.bytes), "body": hasBody ? .hex(body!) : .null,
        ])
    }
}

extension Have {
    fileprivate var shown: [String: JSON] {
        [
            "holdings": .array(
                holdings.map { holding in
                    .object([
                        "device": .text(holding.device), "class": .integer(holding.blobClass.rawValue),
                        "runs": .array(
                            holding.sequences.map { .array([.integer($0.lowerBound), .integer($0.upperBound - 1)]) }),
                    ])
                }),
            "partials": .array(
                partials.map { partial in
                    .object([
                        "root": .text(partial.blob.root), "class": .integer(partial.blob.blobClass.rawValue),
                        "byteCount": .number(partial.blob.byteCount), "chunks": partial.chunks.shown,
                    ])
                }),
        ]
    }
}

extension ChunkRequest {
    fileprivate var shown: [String: JSON] {
        [
            "request": .integer(request), "root": .text(blob.root), "class": .integer(blob.blobClass.rawValue),
            "byteCount": .number(blob.byteCount), "firstChunk": .integer(firstChunk),
            "chunkCount": .integer(chunkCount), "withList": .bool(withList),
        ]
    }
}
