// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("PeerConnection") struct PeerConnectionTests {
    /// Two machines made from the same numbers each time, so that every byte of a handshake can be tested separately.
    private struct Pair {
        var dialler: PeerConnection
        let makeListener: (_ preface: [UInt8]) -> PeerConnection
        let credentials: EventCredentials
        let challenge: [UInt8]

        init(secretOfDialler: UInt64 = 1) {
            var random = SplitMix64(seed: 5)
            let founding = FoundedEvent(random: &random)
            var other = SplitMix64(seed: secretOfDialler)
            let secret = secretOfDialler == 1 ? founding.secret : other.secret()
            let (event, key) = (founding.id, founding.deviceKey)
            credentials = EventCredentials(event: event, secret: founding.secret)
            challenge = random.bytes(16)
            let claims = Authentication.Claims(
                device: DeviceID(key.verifyingKey), instance: random.bytes(16), wallClockMilliseconds: 1, listenPort: 2)
            dialler = .dialled(
                credentials: EventCredentials(event: event, secret: secret),
                staticKey: AgreementKey(scalar: random.secret()),
                entropy: .init(ephemeral: random.secret(), salt: random.bytes(16)), key: key, claims: claims)
            let staticKey = AgreementKey(scalar: random.secret())
            let entropy = PeerConnection.Entropy(ephemeral: random.secret(), salt: [])
            makeListener = { [credentials, challenge] preface in
                .accepted(
                    challenge: challenge, preface: preface, credentials: credentials, staticKey: staticKey,
                    entropy: entropy, key: key, claims: claims)
            }
        }
    }

    /// The bytes and results of both sides of a handshake in which `alter` may change the bytes on the wire.
    private struct Run {
        var diallerOutputs: [PeerConnection.Output] = []
        var listenerOutputs: [PeerConnection.Output] = []
        var toListener: [UInt8] = []
        var toDialler: [UInt8] = []
    }

    private func bytes(_ outputs: [PeerConnection.Output]) -> [UInt8] {
        var bytes: [UInt8] = []
        for case .send(let part) in outputs { bytes += part }
        return bytes
    }

    /// Lets the two talk until both are silent. Bytes go through `alter`, which knows their offset in the stream.
    private func run(
        alterToListener: ([UInt8], Int) -> [UInt8] = { bytes, _ in bytes },
        alterToDialler: ([UInt8], Int) -> [UInt8] = { bytes, _ in bytes }
    ) -> Run {
        var pair = Pair()
        var run = Run()
        var listener: PeerConnection?
        var prefaced: [UInt8] = []
        var forDialler = pair.challenge
        while !forDialler.isEmpty {
            let altered = alterToDialler(forDialler, run.toDialler.count)
            run.toDialler += forDialler
            forDialler = []
            let outputs = pair.dialler.receive(altered)
            run.diallerOutputs += outputs
            let sent = bytes(outputs)
            var arriving = alterToListener(sent, run.toListener.count)
            run.toListener += sent
            if listener == nil {
                prefaced += arriving
                let preface = Array(prefaced.prefix(Preface.byteCount))
                guard Preface.matches(preface, challenge: pair.challenge, credentials: pair.credentials) else { break }
                listener = pair.makeListener(preface)
                arriving = Array(prefaced.dropFirst(Preface.byteCount))
            }
            guard !arriving.isEmpty, let answer = listener?.receive(arriving) else { continue }
            run.listenerOutputs += answer
            forDialler = bytes(answer)
        }
        return run
    }

    private func isAuthenticated(_ outputs: [PeerConnection.Output]) -> Bool {
        outputs.contains { if case .authenticated = $0 { true } else { false } }
    }
    private func failure(_ outputs: [PeerConnection.Output]) -> ProtocolCode? {
        for case .failed(let code) in outputs { return code }
        return nil
    }

    @Test("two sides with the secret learn who the other is")
    func success() {
        let run = run()
        #expect(isAuthenticated(run.diallerOutputs) && isAuthenticated(run.listenerOutputs))
        #expect(run.toListener.starts(with: Array("DSPL".utf8)))
    }

    @Test("a flipped bit anywhere in the dialler's bytes ends it before the listener knows anybody")
    func flippedToListener() {
        let count = run().toListener.count
        #expect(count > 150)
        for offset in 0..<count {
            let run = run(alterToListener: { Self.flip($0, offset - $1) })
            #expect(!isAuthenticated(run.listenerOutputs), "byte \(offset)")
            // A length that has grown waits for more bytes; the time limit is the replica's.
            if !isLengthByte(offset, in: run.toListener, after: Preface.byteCount), offset >= Preface.byteCount {
                #expect(failure(run.listenerOutputs) == .authenticationFailed, "byte \(offset)")
            }
        }
    }

    @Test("a flipped bit anywhere in the listener's bytes ends it before the dialler knows anybody")
    func flippedToDialler() {
        let count = run().toDialler.count
        for offset in 0..<count {
            let run = run(alterToDialler: { Self.flip($0, offset - $1) })
            #expect(!isAuthenticated(run.diallerOutputs), "byte \(offset)")
        }
    }

    @Test("bytes cut off anywhere never make a peer known")
    func truncated() {
        let whole = run()
        for length in 0..<whole.toListener.count {
            let run = run(alterToListener: { Array($0.prefix(max(0, length - $1))) })
            #expect(!isAuthenticated(run.listenerOutputs), "\(length) bytes")
        }
        for length in 0..<whole.toDialler.count {
            let run = run(alterToDialler: { Array($0.prefix(max(0, length - $1))) })
            #expect(!isAuthenticated(run.diallerOutputs), "\(length) bytes")
        }
    }

    private static func flip(_ bytes: [UInt8], _ index: Int) -> [UInt8] {
        guard bytes.indices.contains(index) else { return bytes }
        var bytes = bytes
        bytes[index] ^= 1
        return bytes
    }

    private func isLengthByte(_ offset: Int, in stream: [UInt8], after start: Int) -> Bool {
        var place = start
        while place + 1 < stream.count {
            if offset == place || offset == place + 1 { return true }
            place += 2 + Int(stream[place]) << 8 + Int(stream[place + 1])
        }
        return false
    }

    @Test("one byte at a time is as good as all at once")
    func byteByByte() {
        var pair = Pair()
        var sent = bytes(pair.challenge.flatMap { pair.dialler.receive([$0]) })
        var listener = pair.makeListener(Array(sent.prefix(Preface.byteCount)))
        sent.removeFirst(Preface.byteCount)
        var (known, knownHere) = (false, false)
        while !sent.isEmpty {
            let answer = sent.flatMap { listener.receive([$0]) }
            known = known || isAuthenticated(answer)
            let next = bytes(answer).flatMap { pair.dialler.receive([$0]) }
            knownHere = knownHere || isAuthenticated(next)
            sent = bytes(next)
        }
        #expect(known && knownHere)
    }

    @Test("another secret makes another preface")
    func wrongSecret() {
        var pair = Pair(secretOfDialler: 99)
        let preface = Array(bytes(pair.dialler.receive(pair.challenge)).prefix(Preface.byteCount))
        #expect(Preface.isWellFormed(preface))
        #expect(!Preface.matches(preface, challenge: pair.challenge, credentials: pair.credentials))
    }

    @Test("a recorded preface does not answer another challenge")
    func replayedPreface() {
        var pair = Pair()
        let preface = Array(bytes(pair.dialler.receive(pair.challenge)).prefix(Preface.byteCount))
        #expect(Preface.matches(preface, challenge: pair.challenge, credentials: pair.credentials))
        let other = pair.challenge.map { $0 ^ 1 }
        #expect(!Preface.matches(preface, challenge: other, credentials: pair.credentials))
    }

    @Test("garbage after the handshake ends the connection, and further bytes are ignored")
    func garbageWhenLive() {
        var pair = Pair()
        let sent = bytes(pair.dialler.receive(pair.challenge))
        var listener = pair.makeListener(Array(sent.prefix(Preface.byteCount)))
        let answer = bytes(listener.receive(Array(sent.dropFirst(Preface.byteCount))))
        let proof = bytes(pair.dialler.receive(answer))
        let last = listener.receive(proof)
        _ = pair.dialler.receive(bytes(last))
        #expect(listener.isLive && pair.dialler.isLive)
        let garbage: [UInt8] = [0, 20] + Array(repeating: 7, count: 20)
        #expect(listener.receive(garbage) == [.failed(.authenticationFailed)])
        #expect(listener.receive(pair.dialler.seal(.cancel(request: 1))).isEmpty)
        #expect(listener.seal(.cancel(request: 1)).isEmpty)
    }

    @Test("frames that come with the proof in one read are taken", arguments: [1, 20])
    func framesBehindTheProof(count: Int) {
        var pair = Pair()
        let sent = bytes(pair.dialler.receive(pair.challenge))
        var listener = pair.makeListener(Array(sent.prefix(Preface.byteCount)))
        let answer = bytes(listener.receive(Array(sent.dropFirst(Preface.byteCount))))
        let toListener = bytes(pair.dialler.receive(answer))
        // The listener's own proof makes the dialler live, which then sends at once.
        var first = listener
        let proof = bytes(first.receive(toListener))
        _ = pair.dialler.receive(proof)
        #expect(pair.dialler.isLive)
        let fragment = ChunkFragment(request: 1, chunk: 0, offset: 0, bytes: ArraySlice(repeating: 1, count: 50_000))
        let frames = (0..<count).flatMap { _ in pair.dialler.seal(.data(fragment)) }
        let outputs = first.receive(frames)
        #expect(outputs.count == count)
        #expect(outputs.allSatisfy { $0 == .message(.data(fragment)) })
    }

    @Test(
        "more than 8 KiB before the proof is too much",
        arguments: [(1_000, ProtocolCode.authenticationFailed), (60_000, .limitExceeded)])
    func tooManyBytes(frameByteCount: Int, code: ProtocolCode) {
        let pair = Pair()
        var sender = pair.dialler
        let sent = bytes(sender.receive(pair.challenge))
        var listener = pair.makeListener(Array(sent.prefix(Preface.byteCount)))
        var outputs: [PeerConnection.Output] = []
        // A frame that is announced and never complete.
        outputs += listener.receive([UInt8(frameByteCount >> 8), UInt8(frameByteCount & 255)])
        for _ in 0..<9 where outputs.isEmpty { outputs += listener.receive(Array(repeating: 0, count: 999)) }
        #expect(failure(outputs) == code)
    }
}
