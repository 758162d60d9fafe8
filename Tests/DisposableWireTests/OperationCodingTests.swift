// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableWire
import Testing

@Suite struct OperationCodingTests {
    /// Returns the operations that the other side receives.
    private func sent(_ operations: [UncheckedOperation]) throws -> [UncheckedOperation]? {
        guard case .operations(let received) = try PeerMessage(PeerMessage.operations(operations).bytes) else {
            return nil
        }
        return received
    }

    @Test("an operation of every kind comes back from its bytes, valid, with the same content")
    func roundTrip() throws {
        #expect(contents.map(\.0) == OperationKind.allCases)
        for (kind, content) in contents {
            let made = try operation(kind, content)
            let received = try sent([UncheckedOperation(made)])
            #expect(try received?.map { try $0.verified(event: event) } == [made])
            #expect(made.content == content)
            #expect(made.kind == kind)
            #expect(received?.first?.byteCount == 252 + (made.body?.count ?? 0))
        }
    }

    @Test("a header is 188 bytes in one order, and reading and writing it gives the same bytes")
    func canonicalHeader() throws {
        for (kind, content) in contents {
            let bytes = try operation(kind, content).header.bytes
            #expect(bytes.count == 188)
            #expect(try OperationHeader(bytes).bytes == bytes)
        }
        let header = OperationHeader(
            kind: 200, flags: OperationHeader.Flags(rawValue: 0xFEDC), event: EventID(bytes32(1)),
            device: DeviceID(bytes32(2)), sequence: 0x0102_0304,
            previous: OperationID(bytes32(3)), timestamp: HybridTimestamp(packed: 0x1112_1314_1516_1718),
            subject: OperationID(bytes32(4)), argument: 0x2122_2324_2526_2728, bodyHash: bytes32(5),
            bodyByteCount: 0x3132_3334)
        // The content limit does not bind: 0xFEDC has no authority bit, so the sequence is put below it.
        var small = header
        small.sequence = 0x0001_0203
        #expect(
            small.bytes.prefix(28).hex == "01c8fedc" + "31323334" + "00010203" + "2122232425262728" + "1112131415161718"
        )
        #expect(small.bytes.dropFirst(28).hex == (1...5).map { String(repeating: "0\($0)", count: 32) }.joined())
        #expect(try OperationHeader(small.bytes) == small)
        #expect(throws: OperationError.sequenceTooLarge(0x0102_0304)) { _ = try OperationHeader(header.bytes) }
    }

    @Test("changing any bit of the header changes the id and makes the signature invalid")
    func everyBitCounts() throws {
        for (kind, content) in contents {
            let made = try operation(kind, content)
            for bit in 0..<188 * 8 {
                var bytes = made.header.bytes
                bytes[bit / 8] ^= 1 << (bit % 8)
                guard let changed = try? OperationHeader(bytes) else { continue }
                #expect(changed.bytes == bytes)
                #expect(changed.id != made.id)
                #expect(!author.verifyingKey.isValid(made.signature, for: changed.signedBytes))
            }
        }
    }

    @Test("changing any bit of a signature or a body is found")
    func signatureAndBody() throws {
        for (kind, content) in contents {
            let made = try operation(kind, content)
            for bit in 0..<512 {
                var bytes = made.signature.bytes
                bytes[bit / 8] ^= 1 << (bit % 8)
                let unchecked = try UncheckedOperation(
                    headerBytes: made.header.bytes, signature: #require(Signature(bytes)), body: made.body)
                #expect(throws: OperationError.invalidSignature) { _ = try unchecked.verified(event: event) }
            }
            for bit in 0..<(made.body?.count ?? 0) * 8 {
                var body = made.body!
                body[bit / 8] ^= 1 << (bit % 8)
                #expect(throws: OperationError.bodyMismatch) {
                    _ = try UncheckedOperation(headerBytes: made.header.bytes, signature: made.signature, body: body)
                }
            }
        }
    }

    @Test("a header of another length or version is refused by name")
    func headerLength() throws {
        let made = try operation(.claim, .none)
        for count in 0..<188 {
            #expect(throws: OperationError.headerByteCount(count)) {
                _ = try OperationHeader(Array(made.header.bytes.prefix(count)))
            }
        }
        #expect(throws: OperationError.headerByteCount(189)) { _ = try OperationHeader(made.header.bytes + [0]) }
        for version in UInt8(0)...255 where version != 1 {
            var bytes = made.header.bytes
            bytes[0] = version
            #expect(throws: OperationError.unsupportedVersion(version)) { _ = try OperationHeader(bytes) }
        }
    }

    @Test("a kind of the first release in the other set is refused, and an unknown kind is taken in both")
    func wrongSet() throws {
        for kind in OperationKind.allCases where kind.isOfFirstRelease {
            let body: [UInt8] = kind.hasBody ? [1] : []
            let wrong: OperationHeader.Flags = kind.set == .authority ? [] : .authority
            #expect(throws: OperationError.wrongSet(kind: kind.rawValue)) {
                _ = try OperationHeader(header(kind: kind.rawValue, flags: wrong, body: body).bytes)
            }
        }
        #expect(try OperationHeader(header(kind: 200, flags: .authority).bytes).set == .authority)
        #expect(try OperationHeader(header(kind: 200).bytes).set == .content)
        #expect(try OperationHeader(header(kind: 60, flags: .critical).bytes).set == .content)
    }

    @Test("the first of a chain names none before it and every other names one")
    func chain() throws {
        #expect(throws: OperationError.brokenChain(sequence: 0)) {
            _ = try OperationHeader(header(kind: 67, sequence: 0).bytes)
        }
        #expect(throws: OperationError.brokenChain(sequence: 1)) {
            _ = try OperationHeader(header(kind: 67, sequence: 1, previous: .none).bytes)
        }
        #expect(try OperationHeader(header(kind: 67, sequence: 0, previous: .none).bytes).sequence == 0)
    }

    @Test("content ends at 2^18 operations a device, authority does not")
    func sequenceLimit() throws {
        #expect(try OperationHeader(header(kind: 67, sequence: 262_143).bytes).sequence == 262_143)
        #expect(throws: OperationError.sequenceTooLarge(262_144)) {
            _ = try OperationHeader(header(kind: 67, sequence: 262_144).bytes)
        }
        #expect(try OperationHeader(header(kind: 3, flags: .authority, sequence: .max).bytes).sequence == .max)
    }

    @Test("a header that disagrees with its kind or with itself about having a body is refused")
    func bodyPresence() throws {
        for (kind, flags) in [(UInt8(3), OperationHeader.Flags.authority), (67, [])] {
            #expect(throws: OperationError.bodyMismatch) {
                _ = try OperationHeader(header(kind: kind, flags: flags, body: [1]).bytes)
            }
        }
        for (kind, flags) in [
            (UInt8(1), OperationHeader.Flags.authority), (2, .authority), (64, []), (65, []), (66, []),
        ] {
            #expect(throws: OperationError.bodyMismatch) {
                _ = try OperationHeader(header(kind: kind, flags: flags).bytes)
            }
        }
        var hashOnly = header(kind: 200)
        hashOnly.bodyHash = bytes32(1)
        #expect(throws: OperationError.bodyMismatch) { _ = try OperationHeader(hashOnly.bytes) }
        var lengthOnly = header(kind: 200)
        lengthOnly.bodyByteCount = 1
        #expect(throws: OperationError.bodyMismatch) { _ = try OperationHeader(lengthOnly.bytes) }
    }

    @Test("a body that is not the header's, or is there where none belongs, is refused")
    func foreignBody() throws {
        let name = try operation(.name, .name("Anna"))
        let other = OperationBody.encode(.name("Anne"), salt: salt)
        for body in [other, [], name.body! + [0], Array(name.body!.dropLast())] {
            #expect(throws: OperationError.bodyMismatch) {
                _ = try UncheckedOperation(headerBytes: name.header.bytes, signature: name.signature, body: body)
            }
        }
        let remove = try operation(.remove, .none)
        #expect(throws: OperationError.bodyMismatch) {
            _ = try UncheckedOperation(headerBytes: remove.header.bytes, signature: remove.signature, body: [1])
        }
        #expect(
            try UncheckedOperation(headerBytes: remove.header.bytes, signature: remove.signature, body: nil).body == [])
    }

    @Test("a body may be missing unless the fold reads it")
    func missingBody() throws {
        for (kind, content) in contents where kind.hasBody {
            let made = try operation(kind, content)
            if kind.foldReadsBody {
                #expect(throws: OperationError.bodyMismatch) {
                    _ = try UncheckedOperation(headerBytes: made.header.bytes, signature: made.signature, body: nil)
                }
            } else {
                let unchecked = try UncheckedOperation(
                    headerBytes: made.header.bytes, signature: made.signature, body: nil)
                let verified = try unchecked.verified(event: event)
                #expect(verified.id == made.id)
                #expect(verified.body == nil)
                #expect(verified.content == nil)
                // And it travels on without its body.
                #expect(try sent([unchecked]) == [unchecked])
            }
        }
    }

    @Test("a body of 16 KiB is taken, one byte more is refused, also where only the header says so")
    func bodyLimit() throws {
        let largest = [UInt8](repeating: 1, count: 16_384)
        #expect(try signed(header(kind: 200, body: largest), body: largest).verified(event: event).body == largest)
        for body in [largest + [1], nil] {
            #expect(throws: OperationError.bodyTooLarge(byteCount: 16_385, limit: 16_384)) {
                _ = try signed(header(kind: 200, body: largest + [1]), body: body)
            }
        }
        var huge = header(kind: 200, body: [1])
        huge.bodyByteCount = .max
        #expect(throws: OperationError.bodyTooLarge(byteCount: Int(UInt32.max), limit: 16_384)) {
            _ = try signed(huge, body: nil)
        }
    }

    @Test("a body that is none of its kind is unreadable, and refused where the fold reads it")
    func malformedBodies() throws {
        let bodies: [(OperationKind, [UInt8])] = [
            (.name, [1]), (.name, [UInt8](repeating: 1, count: 15)), (.name, salt), (.name, salt + [0xFF]),
            (.name, salt + [0x0A, 2, 0xC3, 0x28]), (.name, OperationBody.encode(.name("a\nb"), salt: salt)),
            (.name, OperationBody.encode(.name(String(repeating: "a", count: 161)), salt: salt)),
            (.charter, salt), (.join, salt), (.join, salt + [0x0A, 1, 1]), (.original, salt),
            (.original, salt + [0x0A, 0]), (.photo, salt + [0x0A, 0]), (.photo, salt + [0x12, 0]),
            (
                .charter,
                OperationBody.encode(
                    .charter(Charter(name: "A", startsAtMilliseconds: 0, durationHours: 721)), salt: salt)
            ),
        ]
        for (kind, body) in bodies {
            let header = header(kind: kind.rawValue, flags: kind.set == .authority ? .authority : [], body: body)
            guard kind.foldReadsBody else {
                let operation = try signed(header, body: body).verified(event: event)
                #expect(operation.content == .unreadable)
                #expect(operation.body == body)
                #expect(operation.id == (try signed(header, body: nil)).id)
                continue
            }
            #expect(throws: OperationError.malformedBody(kind: kind.rawValue)) { _ = try signed(header, body: body) }
        }
    }

    @Test("a body about tickets that is none of its kind counts for nothing, and is not refused")
    func malformedTickets() throws {
        let proof = OperationBody.encode(
            .ticketUse(TicketProof(of: AuthorID(bytes32(9)), event: event, by: ticket)), salt: salt)
        let bodies: [(OperationKind, [UInt8])] = [
            (.tickets, [1]), (.tickets, salt), (.tickets, salt + [0x0A, 1, 1]), (.ticketUse, salt),
            // Of another ticket than the subject, which is zero.
            (.ticketUse, proof),
        ]
        for (kind, body) in bodies {
            let header = header(kind: kind.rawValue, flags: .authority, body: body)
            let operation = try signed(header, body: body).verified(event: event)
            #expect(operation.content == OperationContent.none && operation.body == body)
        }
    }

    @Test("nobody signs a body that is none of its kind")
    func authoredUnreadable() {
        #expect(throws: OperationError.malformedBody(kind: 64)) { _ = try operation(.name, .name("a\nb")) }
    }

    @Test("a blob beyond the limit of its class makes the body malformed, whichever class it is")
    func blobLimits() throws {
        // The reference of a larger class, put where a smaller one belongs.
        let photos = [
            PhotoManifest(
                thumbnail: reference(.preview, byteCount: 24_577), preview: nil, takenAtMilliseconds: nil, width: 0,
                height: 0, mediaType: .jpeg),
            PhotoManifest(
                thumbnail: nil, preview: reference(.original, byteCount: 524_289), takenAtMilliseconds: nil, width: 0,
                height: 0, mediaType: .jpeg),
        ]
        for photo in photos {
            #expect(throws: OperationError.malformedBody(kind: 65)) { _ = try operation(.photo, .photo(photo)) }
        }
    }

    @Test("an unknown media type is read as other, and an unknown time as none")
    func tolerance() throws {
        // Only field 6, the media type.
        let body = salt + [0x32, 3] + Array("a/b".utf8)
        let photo = try signed(header(kind: 65, body: body), body: body)
        let expected = PhotoManifest(
            thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 0, height: 0, mediaType: .other)
        #expect(photo.content == .photo(expected))
    }

    @Test("an operation of another event is refused before its signature is looked at")
    func foreignEvent() throws {
        let other = EventID(key: author.verifyingKey)
        #expect(throws: OperationError.foreignEvent) {
            _ = try signed(header(kind: 67, event: other), body: nil).verified(event: event)
        }
        let made = UncheckedOperation(try operation(.claim, .none))
        #expect(throws: OperationError.foreignEvent) { _ = try made.verified(event: other) }
    }

    @Test("an operation signed by another key than its device's is refused")
    func wrongSigner() throws {
        let unchecked = try signed(header(kind: 67), body: nil, by: eventKey)
        #expect(throws: OperationError.invalidSignature) { _ = try unchecked.verified(event: event) }
    }

    @Test("a join is refused when its sponsor did not sign this device into this event")
    func falseAdmission() throws {
        let otherEvent = EventID(key: author.verifyingKey)
        let good = Admission(of: author.device, to: event, by: eventKey)
        let refused = [
            Admission(of: eventKey.device, to: event, by: eventKey),  // another device
            Admission(of: author.device, to: otherEvent, by: eventKey),  // another event
            Admission(sponsor: author.device, signature: good.signature),  // another sponsor
            Admission(sponsor: DeviceID(bytes32(0)), signature: good.signature),  // no key at all
        ]
        for admission in refused {
            #expect(!admission.admits(author.device, to: event))
            let join = UncheckedOperation(try operation(.join, .join(admission, nil)))
            #expect(throws: OperationError.invalidSignature) { _ = try join.verified(event: event) }
        }
        #expect(
            try UncheckedOperation(operation(.join, .join(good, nil))).verified(event: event).content
                == .join(good, nil))
    }

    @Test("a sub-key enters with its guest's delegation, and a delegation of anything else is refused")
    func delegations() throws {
        let guest = signingKey(77)
        let otherEvent = EventID(key: author.verifyingKey)
        let admission = Admission(of: author.device, to: event, by: eventKey)
        let good = Delegation(to: author.device, at: eventKey.device, event: event, by: guest)
        let refused = [
            Delegation(to: eventKey.device, at: eventKey.device, event: event, by: guest),  // another sub-key
            Delegation(to: author.device, at: author.device, event: event, by: guest),  // another node than the sponsor
            Delegation(to: author.device, at: eventKey.device, event: otherEvent, by: guest),  // another event
            Delegation(guest: AuthorID(author.verifyingKey), signature: good.signature),  // another guest
        ]
        for delegation in refused {
            let join = UncheckedOperation(try operation(.join, .join(admission, delegation)))
            #expect(throws: OperationError.invalidSignature) { _ = try join.verified(event: event) }
        }
        let join = try operation(.join, .join(admission, good))
        let again = try UncheckedOperation(
            headerBytes: join.header.bytes, signature: join.signature, body: join.body)
        #expect(try again.verified(event: event) == join)
        // Half of a delegation is none.
        let salt = [UInt8](repeating: 0, count: OperationBody.saltByteCount)
        let whole = OperationBody.encode(.join(admission, good), salt: salt)
        #expect(whole.count == salt.count + 4 * 2 + 32 + 64 + 32 + 64)
        let cut = Array(whole.dropLast(66))
        let header = try operation(.join, .join(admission, nil)).header
        var changed = header
        changed.bodyHash = OperationHeader.hash(ofBody: cut)
        changed.bodyByteCount = UInt32(cut.count)
        #expect(throws: OperationError.malformedBody(kind: OperationKind.join.rawValue)) {
            try UncheckedOperation(headerBytes: changed.bytes, signature: join.signature, body: cut)
        }
    }

    @Test("a draft that cannot be an operation is refused when it is made")
    func badDrafts() {
        #expect(throws: OperationError.bodyMismatch) {
            _ = try VerifiedOperation(
                draft: Draft(kind: .name), event: event, sequence: 1, previous: OperationID(bytes32(1)),
                timestamp: time,
                key: author)
        }
        #expect(throws: OperationError.brokenChain(sequence: 0)) {
            _ = try VerifiedOperation(
                draft: Draft(kind: .claim), event: event, sequence: 0, previous: OperationID(bytes32(1)),
                timestamp: time, key: author)
        }
        #expect(throws: OperationError.sequenceTooLarge(1 << 18)) {
            _ = try VerifiedOperation(
                draft: Draft(kind: .claim), event: event, sequence: 1 << 18, previous: OperationID(bytes32(1)),
                timestamp: time, key: author)
        }
    }
}
