// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto

/// The photo of the night: ballots, sealed votes and closings (protocol/disposable-v1.md §9.27).
///
/// 1. The first 16 ballots of a device count that it signed with an organizer's rank. The latest one is the event's
///
/// 2. A closing counts if it was signed with such a rank and has the ballot's secret half; of several, the earliest
///    does.
/// 3. Of one device the first 64 votes in a ballot count, and of these the ones that are no later than the closing
///
/// 4. Each author has one vote, the last one; it opens with the published secret half.
struct Votes: Equatable, Sendable {
    static let ballotsPerDeviceMax = 16
    static let perDeviceMax = 64

    struct Ballot: Equatable {
        let id: OperationID
        let sequence: UInt32
        let timestamp: HybridTimestamp
        let sealed: SealedBallot
    }
    struct Closing: Equatable {
        let id: OperationID
        let timestamp: HybridTimestamp
        let secret: Bytes32
        /// The public half that the secret makes.
        let key: AgreementPublicKey
    }
    private struct Vote: Equatable {
        let id: OperationID
        let sequence: UInt32
        let timestamp: HybridTimestamp
        let sealed: SealedVote
    }
    /// The votes of a closed ballot, before anybody looks which photos are shown.
    struct Tally: Equatable {
        let ballot: OperationID
        let closing: OperationID
        /// The number of authors with a vote, for a photo or for none.
        let voterCount: Int
        /// The authors that have voted for each photo, which need not be known.
        let choices: [PhotoID: Set<AuthorID>]
        /// The last vote of each author.
        let counted: Set<OperationID>
    }
    /// Votes that were opened, kept since that is costly. The result is the same without them.
    private struct Opened: Equatable {
        var photos: [OperationID: PhotoID?] = [:]
        static func == (left: Self, right: Self) -> Bool { true }
    }

    /// The first of each device, in the order of its chain.
    private var ballots: [DeviceID: [Ballot]] = [:]
    private var closings: [OperationID: [DeviceID: [OperationID: Closing]]] = [:]
    /// By ballot and device, the first of each device in the order of its chain.
    private var votes: [OperationID: [DeviceID: [Vote]]] = [:]
    /// The number of the votes above in each ballot: counting reads them all.
    private var counts: [OperationID: Int] = [:]
    private var opened = Opened()
    /// Whether the votes have to be counted again.
    private(set) var isStale = false
    /// Derived by `resolve`; `nil` while the event's ballot is open.
    private(set) var tally: Tally?

    mutating func note(_ operation: VerifiedOperation) {
        let (id, header) = (operation.id, operation.header)
        switch operation.content {
        case .ballot(let sealed):
            let ballot = Ballot(id: id, sequence: header.sequence, timestamp: header.timestamp, sealed: sealed)
            var own = ballots[header.device] ?? []
            let place = own.firstIndex { (ballot.sequence, id) < ($0.sequence, $0.id) } ?? own.count
            guard place < Self.ballotsPerDeviceMax else { return }
            own.insert(ballot, at: place)
            ballots[header.device] = Array(own.prefix(Self.ballotsPerDeviceMax))
            isStale = true
        case .closing(let secret):
            var bytes = secret.bytes
            let key = AgreementKey(scalar: SecretBytes(consuming: &bytes, in: .ordinary)).publicKey
            closings[header.subject, default: [:]][header.device, default: [:]][id] = Closing(
                id: id, timestamp: header.timestamp, secret: secret, key: key)
            isStale = true
        case .vote(let sealed):
            let vote = Vote(id: id, sequence: header.sequence, timestamp: header.timestamp, sealed: sealed)
            var own = votes[header.subject]?[header.device] ?? []
            let place = own.firstIndex { (vote.sequence, id) < ($0.sequence, $0.id) } ?? own.count
            guard place < Self.perDeviceMax else { return }
            if own.count < Self.perDeviceMax { counts[header.subject, default: 0] += 1 }
            own.insert(vote, at: place)
            votes[header.subject, default: [:]][header.device] = Array(own.prefix(Self.perDeviceMax))
            // A vote in another ballot changes nothing, and one in an open ballot nothing before the closing.
            if tally?.ballot == header.subject { isStale = true }
        default: return
        }
    }

    /// Counts the votes of the event's ballot, if it is closed.
    mutating func resolve(_ base: AlbumBase) {
        isStale = false
        guard let ballot = current(base), let closing = closing(of: ballot, base) else {
            tally = nil
            return
        }
        var bytes = closing.secret.bytes
        let key = AgreementKey(scalar: SecretBytes(consuming: &bytes, in: .ordinary))
        let last = lastVotes(in: ballot, until: closing, base)
        var photos: [OperationID: PhotoID?] = [:]
        var choices: [PhotoID: Set<AuthorID>] = [:]
        for (author, (device, vote)) in last {
            let photo = opened.photos[vote.id] ?? vote.sealed.photo(openedWith: key, by: device)
            photos.updateValue(photo, forKey: vote.id)
            if let photo { choices[photo, default: []].insert(author) }
        }
        opened.photos = photos
        tally = Tally(
            ballot: ballot.id, closing: closing.id, voterCount: last.count, choices: choices,
            counted: Set(photos.keys))
    }

    /// Returns the last vote of each author.
    /// - Parameter closing: later votes do not count; `nil` while the ballot is open.
    private func lastVotes(
        in ballot: Ballot, until closing: Closing?, _ base: AlbumBase
    ) -> [AuthorID: (device: DeviceID, vote: Vote)] {
        let end = closing?.timestamp.milliseconds ?? .max
        var last: [AuthorID: (device: DeviceID, vote: Vote)] = [:]
        for (device, votes) in votes[ballot.id] ?? [:] {
            let counting = votes.filter { vote in
                base.membership.counts(vote.id, by: device) && base.time(of: vote.id, vote.timestamp) <= end
            }
            guard
                let own = counting.max(by: { ($0.sequence, $1.id) < ($1.sequence, $0.id) })
            else { continue }
            let author = base.membership.author(of: device)
            if let other = last[author]?.vote, (own.timestamp, other.id) < (other.timestamp, own.id) { continue }
            last[author] = (device, own)
        }
        return last
    }

    // Queries

    /// Returns the number of votes that are kept for the ballot, counting or not.
    func count(in ballot: OperationID) -> Int { counts[ballot] ?? 0 }

    /// Returns how many votes are read again when other operations count, or have other times.
    var recountedCount: Int { tally.map { count(in: $0.ballot) } ?? 0 }

    /// Returns the event's ballot: the latest one that counts.
    func current(_ base: AlbumBase) -> Ballot? {
        base.membership.everOrganizers.compactMap { device in
            (ballots[device] ?? []).filter { base.membership.rank(of: $0.id, by: device) >= .organizer }
                .max { ($0.timestamp, $1.id) < ($1.timestamp, $0.id) }
        }.max { ($0.timestamp, $1.id) < ($1.timestamp, $0.id) }
    }

    /// Returns the earliest closing of the ballot that counts.
    func closing(of ballot: Ballot, _ base: AlbumBase) -> Closing? {
        guard let closings = closings[ballot.id] else { return nil }
        return base.membership.everOrganizers.flatMap { device in
            (closings[device] ?? [:]).values.filter {
                $0.key == ballot.sealed.key && base.membership.rank(of: $0.id, by: device) >= .organizer
            }
        }.min { ($0.timestamp, $0.id) < ($1.timestamp, $1.id) }
    }

    /// Returns the number of authors with a vote in the ballot.
    func voterCount(in ballot: Ballot, _ base: AlbumBase) -> Int {
        if let tally, tally.ballot == ballot.id { return tally.voterCount }
        return lastVotes(in: ballot, until: nil, base).count
    }

    /// Whether the author has a vote in the ballot.
    func hasVoted(_ author: AuthorID, in ballot: Ballot, _ base: AlbumBase) -> Bool {
        guard let votes = votes[ballot.id] else { return false }
        return base.membership.devices(of: author, among: votes).contains { device, votes in
            votes.contains { base.membership.counts($0.id, by: device) }
        }
    }

    /// Whether the device has signed as many ballots, or votes in a ballot, as can count.
    func hasUsedUpBallots(_ device: DeviceID) -> Bool { (ballots[device]?.count ?? 0) >= Self.ballotsPerDeviceMax }
    func hasUsedUpVotes(_ device: DeviceID, in ballot: OperationID) -> Bool {
        (votes[ballot]?[device]?.count ?? 0) >= Self.perDeviceMax
    }
}
