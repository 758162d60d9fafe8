// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableWire

func secret(_ byte: UInt8, count: Int = 32) -> SecretBytes {
    var bytes = [UInt8](repeating: byte, count: count)
    return SecretBytes(consuming: &bytes)
}

func signingKey(_ byte: UInt8) -> SigningKey { SigningKey(seed: secret(byte)) }

extension SigningKey {
    var device: DeviceID { DeviceID(verifyingKey) }
}

func bytes32(_ byte: UInt8) -> Bytes32 { Bytes32([UInt8](repeating: byte, count: 32))! }

let eventKey = signingKey(1)
let event = EventID(key: eventKey.verifyingKey)
let author = signingKey(2)
let time = HybridTimestamp(milliseconds: 1_800_000_000_000, counter: 5)
let salt = [UInt8](0xA0..<0xB0)

func reference(_ blobClass: BlobClass, byteCount: UInt64 = 1_000) -> BlobReference {
    BlobReference(
        root: BlobRoot(bytes32(blobClass.rawValue)), byteCount: byteCount, chunkLog2: 18, key: secret(9),
        blobClass: blobClass)!
}

let fullCharter: Charter = {
    var charter = CharterPreset.camp.charter(name: "Camp", startsAtMilliseconds: 1_800_000_000_000)
    charter.presentation.details = "Two lines\nof text"
    charter.presentation.place = "Barn"
    charter.presentation.position = EventPosition(latitude: -33_869, longitude: 151_209)
    charter.reveal = .at(1_800_000_100_000)
    charter.presentation.price = Price(cents: 0, currency: "EUR")
    charter.presentation.links = [
        EventLink(kind: .website, address: "https://example.org"), EventLink(kind: .x, address: "https://x.com/camp"),
    ]
    charter.organizer.registration = "732829320"
    charter.organizer.contact = "06 12 34"
    charter.organizer.consentText = "We show photos"
    charter.organizer.name = "Olga"
    charter.isOpened = false
    charter.isClosed = true
    charter.revealKey = bytes32(7)
    return charter
}()

/// One content of each kind, with every field set.
let contents: [(OperationKind, OperationContent)] = [
    (.charter, .charter(fullCharter)),
    (.join, .join(Admission(of: author.device, to: event, under: OperationID(bytes32(9)), by: eventKey), nil)),
    (.remove, .none),
    (
        .grant,
        .grant(
            cancels: [OperationID(bytes32(1)), OperationID(bytes32(2))], revealKey: [UInt8](repeating: 9, count: 80))
    ),
    (.revokeRole, .revocation(heads: [OperationID(bytes32(1))])),
    (.revokeDevice, .revocation(heads: [])),
    (.hide, .none),
    (.unhide, .unhide(hides: [OperationID(bytes32(3))])),
    (.erase, .none),
    (.edit, .edit(.details, fullCharter, follows: [OperationID(bytes32(1)), OperationID(bytes32(2))])),
    (.reveal, .reveal(bytes32(5))),
    (.keyRelease, .keyRelease(ReleasedKeys(thumbnail: bytes32(1), preview: nil, original: bytes32(3)))),
    (.leave, .none),
    (
        .epoch,
        .epoch(
            commitment: bytes32(8),
            seals: [
                SealedSecret(device: author.device, box: [UInt8](repeating: 1, count: 80)),
                SealedSecret(device: eventKey.device, box: [UInt8](repeating: 2, count: 80)),
            ])
    ),
    (.list, .list([OperationID(bytes32(1)), OperationID(bytes32(2))])),
    (.approval, .approval(follows: [OperationID(bytes32(1))])),
    (.approve, .approve([PhotoID(bytes32(1)), PhotoID(bytes32(2))])),
    (.unapprove, .unapprove(approvals: [OperationID(bytes32(1))])),
    (.name, .name("Zoë 🌻")),
    (
        .photo,
        .photo(
            PhotoManifest(
                thumbnail: reference(.thumbnail), preview: reference(.preview),
                takenAtMilliseconds: 1_799_999_999_999, width: 4_000, height: 3_000, mediaType: .heic))
    ),
    (
        .original,
        .original(OriginalManifest(original: reference(.original), sha256: bytes32(4), mediaType: .quicktime))
    ),
    (.claim, .none),
    (.caption, .text("The cake")),
    (.reaction, .none),
    (.comment, .text("Two\nlines")),
    (.notice, .text("Dinner is at eight")),
    (.frames, .none),
    (.consent, .none),
    (.answer, .none),
    (.picture, .none),
    (.spot, .none),
    (.veiling, .none),
    (.veil, .none),
    (.lift, .none),
    (.turn, .none),
    (
        .message,
        .message(
            SealedMessage(
                "Where is the cake?", to: [eventKey.device, author.device], by: author.device, event: event,
                entropy: MessageEntropy(key: secret(3), seed: secret(4)))!)
    ),
    (.gift, .none),
    (.tickets, .tickets([TicketKey(bytes32(1)), TicketKey(bytes32(2))])),
    (.ticketUse, .ticketUse(TicketProof(of: AuthorID(author.device), event: event, by: ticket))),
    (.ticketRuling, .none),
    (.share, .share(box: [UInt8](repeating: 5, count: 80))),
    (.shareRelease, .shareRelease(bytes32(6))),
    (.pageSealing, .none),
    (.ballot, .ballot(SealedBallot(secret: secret(5), organizers: [eventKey.device, author.device], seed: secret(6))!)),
    (
        .vote,
        .vote(
            SealedVote(
                for: PhotoID(bytes32(7)), by: author.device, key: AgreementKey(scalar: secret(5)).publicKey,
                ephemeral: AgreementKey(scalar: secret(7)))!)
    ),
    (.closing, .closing(bytes32(5))),
    (
        .twinning,
        .twinning(
            Twinning(
                agreement: TwinAgreement(of: twinKey.verifyingKey, with: event, by: twinKey), name: "The other camp",
                secret: TwinSecret(
                    of: secret(8), twin: twinEvent, under: secret(9), epoch: OperationID(bytes32(9)),
                    nonce: bytes32(10))))
    ),
]

let twinKey = signingKey(13)
let twinEvent = EventID(key: twinKey.verifyingKey)

let ticket = SigningKey(seed: secret(12))

private func subject(of kind: OperationKind) -> OperationID {
    switch kind {
    case .ticketUse: OperationID(ticket.verifyingKey.bytes32)
    case .twinning: OperationID(twinEvent.bytes32)
    default: OperationID(bytes32(7))
    }
}

func operation(
    _ kind: OperationKind, _ content: OperationContent, by key: SigningKey = author, sequence: UInt32 = 3
) throws -> VerifiedOperation {
    try VerifiedOperation(
        draft: Draft(
            kind: kind,
            subject: subject(of: kind), argument: kind == .epoch ? 0 : 2,
            body: OperationBody.encode(content, salt: salt)), event: event, sequence: sequence,
        previous: sequence == 0 ? .none : OperationID(bytes32(6)), timestamp: time, key: key)
}

/// A signed operation with a header and a body of the test's choosing, as a dishonest device might send it.
func signed(_ header: OperationHeader, body: [UInt8]?, by key: SigningKey = author) throws -> UncheckedOperation {
    try UncheckedOperation(headerBytes: header.bytes, signature: key.signature(for: header.signedBytes), body: body)
}

func header(
    kind: UInt8, flags: OperationHeader.Flags = [], event: EventID = event, body: [UInt8] = [], sequence: UInt32 = 3,
    previous: OperationID = OperationID(bytes32(6))
) -> OperationHeader {
    OperationHeader(
        kind: kind, flags: flags, event: event, device: author.device, sequence: sequence, previous: previous,
        timestamp: time, subject: .none, argument: 0,
        bodyHash: body.isEmpty ? .zero : OperationHeader.hash(ofBody: body), bodyByteCount: UInt32(body.count))
}

/// A register of originals and of a destroyed photo.
var register: Register {
    Register(
        Register.Claims(
            device: author.device, instance: [UInt8](0..<16), counter: 7,
            originals: [
                .init(device: author.device, bits: ChunkBitmap(bytes: [0b0010_0100])),
                .init(device: eventKey.device, bits: ChunkBitmap(bytes: [1])),
            ],
            destroyed: [.init(device: author.device, bits: ChunkBitmap(bytes: [0, 0x80]))]),
        of: event, key: author)
}

/// Every form a message can take, small enough to change bit by bit.
func allMessages() throws -> [PeerMessage] {
    let claims = Authentication.Claims(
        device: author.device, instance: [UInt8](0..<16), wallClockMilliseconds: 1_800_000_000_000, listenPort: 8_028)
    let summary = SetSummary(count: 1_000, fingerprint: [UInt8](16..<32))
    let ping = Ping(
        nonce: .max, authority: summary, content: SetSummary(count: 0, fingerprint: [UInt8](repeating: 0, count: 16)))
    var bitmap = ChunkBitmap(chunkCount: 11)
    bitmap[0] = true
    bitmap[10] = true
    let operations = try contents.map { PeerMessage.operations([UncheckedOperation(try operation($0.0, $0.1))]) }
    let two = UncheckedOperation(try operation(.claim, .none))
    let others: [PeerMessage] = [
        .authentication(
            Authentication(claims: claims, side: .dialler, handshakeHash: [UInt8](repeating: 3, count: 64), key: author)
        ),
        .ping(ping), .pong(ping), .close(.busy, retryAfterMilliseconds: 500, reason: "später"),
        .close(nil, retryAfterMilliseconds: 0, reason: ""),
        .admission(Admission(of: author.device, to: event, by: eventKey)), .operations([two, two]), .operations([]),
        .addresses([PeerAddress(host: "10.0.0.7", port: 8_028), PeerAddress(host: "2001:db8::7", port: 1)]),
        .addresses([]), .pages([PeerAddress(host: "10.0.0.7", port: 8_027)]), .pages([]),
        .register(register),
        .register(
            Register(
                .init(
                    device: author.device, instance: [UInt8](0..<16), counter: 0, originals: [], destroyed: []),
                of: event, key: author)),
        .reconcile(set: .authority, isInitiator: true, message: [0x61, 0, 0, 2]),
        .reconcile(set: .content, isInitiator: false, message: []),
        .want([OperationID(bytes32(1)), OperationID(bytes32(2))], set: .content), .want([], set: .authority),
        .have(
            Have(
                holdings: [
                    .init(device: author.device, blobClass: .thumbnail, sequences: [0..<4, 9..<10, 262_143..<262_144]),
                    .init(device: eventKey.device, blobClass: .original, sequences: []),
                ], partials: [.init(blob: reference(.original).id, chunks: bitmap)])), .have(Have()),
        .request(
            ChunkRequest(
                request: 7, blob: reference(.preview).id, firstChunk: 1_023, chunkCount: 64,
                withList: true)),
        .list(request: 7, hashes: [bytes32(1), bytes32(2)]), .list(request: 7, hashes: []),
        .data(ChunkFragment(request: .max, chunk: 1, offset: 52_432, bytes: [1, 2, 3])),
        .refusal(request: 7, .notHere, retryAfterMilliseconds: 100), .cancel(request: .max),
        .later(type: 0x80), .later(type: 0xFF),
    ]
    return others + operations
}
