// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire

/// §9: the state after a set of operations, in any order of arrival.
struct FoldVector: Vector {
    static let questions: Set = ["eventKey", "operations", "orders"]
    static let failures: Set<String> = []

    private struct Operation: Decodable {
        var header, signature: Hex
        var body: Hex?
        let id: String

        var bodyBytes: [UInt8] {
            get { body?.bytes ?? [] }
            set { body?.bytes = newValue }
        }

        func verified(in event: EventID) throws(OperationError) -> VerifiedOperation {
            // In a message this is a field of the wrong length.
            guard let signature = Signature(signature.bytes) else { throw .invalidSignature }
            return try UncheckedOperation(headerBytes: header.bytes, signature: signature, body: body?.bytes)
                .verified(event: event)
        }

        /// Returns the reason for refusing the operation, `nil` if it is accepted.
        func failure(in event: EventID) -> String? {
            do throws(OperationError) { _ = try verified(in: event) } catch { return error.name }
            return nil
        }
    }

    private let eventKey: Hex
    private let operations: [String: Operation]
    private let orders: [[String]]
    /// The keys of the file that have a value. Many results are in specific vectors only.
    private let keys: Set<String>

    private enum CodingKeys: CodingKey {
        case eventKey, operations, orders
    }

    init(from decoder: any Decoder) throws {
        let inputs = try decoder.container(keyedBy: CodingKeys.self)
        eventKey = try inputs.decode(Hex.self, forKey: .eventKey)
        operations = try inputs.decode([String: Operation].self, forKey: .operations)
        orders = try inputs.decode([[String]].self, forKey: .orders)
        let all = try decoder.container(keyedBy: AnyKey.self)
        keys = Set(try all.allKeys.filter { try !all.decodeNil(forKey: $0) }.map(\.stringValue))
    }

    static var damagedFailures: Set<String> { OperationVector.failures }
    /// The operations are damaged one by one.
    var received: [WritableKeyPath<Self, [UInt8]>] { [] }

    func outcome() throws -> Outcome {
        let story = try story()
        let answers = Set(story.orders.map { fold($0, story) })
        guard let values = answers.first, answers.count == 1 else {
            return Outcome(Outcome.unstableName, reason: "the orders come to \(answers.count) ends")
        }
        return .success(values)
    }

    /// Compares each prefix of each order with the same operations in reverse order; and checks that each damaged form
    /// of one operation is refused, so that nothing of it enters the fold.
    func damage() throws -> [String: Int] {
        let story = try story()
        var counts: [String: Int] = [:]
        for order in story.orders {
            for count in order.indices {
                let heard = Array(order[..<count])
                let isStable = fold(heard, story) == fold(heard.reversed(), story)
                counts[isStable ? "success" : Outcome.unstableName, default: 0] += 1
            }
        }
        guard let last = orders.first?.last, let fields = operations[last] else { return counts }
        let places: [WritableKeyPath<Operation, [UInt8]>] = [\.header.bytes, \.signature.bytes, \.bodyBytes]
        for place in places {
            for bytes in DamagedForms.of(fields[keyPath: place], isWhole: true) {
                var damaged = fields
                damaged[keyPath: place] = bytes
                counts[damaged.failure(in: story.event) ?? Outcome.unstableName, default: 0] += 1
            }
        }
        return counts
    }

    /// The operations in their order of arrival, verified.
    private struct Story {
        let eventKey: VerifyingKey
        let event: EventID
        var labels: [OperationID: String] = [:]
        var orders: [[VerifiedOperation]] = []
    }

    private func story() throws -> Story {
        let eventKey = VerifyingKey(try eventKey.bytes32)
        var story = Story(eventKey: eventKey, event: EventID(key: eventKey))
        var verified: [String: VerifiedOperation] = [:]
        for (label, fields) in operations {
            guard let operation = try? fields.verified(in: story.event), operation.id.description == fields.id
            else { throw Unreadable("operations.\(label): not a valid operation of this id") }
            story.labels[operation.id] = label
            verified[label] = operation
        }
        story.orders = try orders.map { order in
            try order.map { label in
                guard let operation = verified[label] else { throw Unreadable("orders: no operation \(label)") }
                return operation
            }
        }
        return story
    }

    /// Adds them one by one; an operation of an author without a join waits, and is tried again after each (§8.6).
    private func fold(_ operations: [VerifiedOperation], _ story: Story) -> [String: JSON] {
        var state = EventState(eventKey: story.eventKey)
        func isAdmissible(_ operation: VerifiedOperation) -> Bool {
            if case .join(let admission, _) = operation.content { return state.membership.mayAuthor(admission.sponsor) }
            return state.membership.mayAuthor(operation.header.device)
        }
        var waiting: [OperationID: VerifiedOperation] = [:]
        for operation in operations {
            waiting[operation.id] = operation
            while let next = waiting.values.first(where: isAdmissible) {
                waiting[next.id] = nil
                state.apply(next)
            }
        }
        let devices = Set(operations.map(\.header.device))
        // In the order of the file.
        let left = Set(waiting.keys.compactMap { story.labels[$0] })
        var told: Set<String> = []
        let inOrder = orders[0].filter { left.contains($0) && told.insert($0).inserted }
        return shown(state, waiting: inOrder, story.labels, of: devices)
    }

    private static func shown(
        _ moments: Moments, in state: EventState, _ labels: [OperationID: String]
    ) -> JSON {
        let days = moments.all.map { moment in
            JSON.object([
                "day": .number(UInt64(moment.day)), "startsAt": .number(moment.startsAtMilliseconds),
                "link": .text(moments.keys.link(of: moment.day)),
            ])
        }
        let verdicts = state.photos.compactMap { photo in
            state.moment(of: photo.id).map { verdict in
                (
                    labels[photo.id.operationID] ?? "",
                    JSON.object(["day": .number(UInt64(verdict.day)), "late": .bool(verdict.isLate)])
                )
            }
        }
        return .object([
            "commitment": .text(moments.keys.commitment), "days": .array(days),
            "photos": .object(Dictionary(uniqueKeysWithValues: verdicts)),
        ])
    }

    private func addPictures(
        of state: EventState, _ labels: [OperationID: String], _ add: (String, JSON, Bool) -> Void
    ) {
        let shown = PictureRole.allCases.compactMap { role in
            state.picture(role).map { ("\(role)", JSON.text(labels[$0.id.operationID])) }
        }
        add("pictures", .object(Dictionary(uniqueKeysWithValues: shown)), shown.isEmpty)
        let turned = state.photos.map { ($0.id, state.album.turn(of: $0.id).degrees) }.filter { $0.1 > 0 }
        let degrees = turned.map { (labels[$0.operationID] ?? "", JSON.number(UInt64($1))) }
        add("turns", .object(Dictionary(uniqueKeysWithValues: degrees)), turned.isEmpty)
        let zones = state.photos.compactMap { photo in
            state.zone(of: photo).map { (labels[photo.id.operationID] ?? "", JSON.text($0)) }
        }
        add("zones", .object(Dictionary(uniqueKeysWithValues: zones)), zones.isEmpty)
        let places = state.photos.compactMap { photo in
            state.spot(of: photo.id).map { spot in
                (
                    labels[photo.id.operationID] ?? "",
                    JSON.array([.number(UInt64(spot.x)), .number(UInt64(spot.y))])
                )
            }
        }
        add("spots", .object(Dictionary(uniqueKeysWithValues: places)), places.isEmpty)
    }

    private func shown(
        _ state: EventState, waiting: [String], _ labels: [OperationID: String], of devices: Set<DeviceID>
    ) -> [String: JSON] {
        func label(_ id: OperationID?) -> JSON { .text(id.flatMap { labels[$0] }) }
        let membership = state.membership
        let devices = devices.filter(membership.isMember)
        let left = devices.filter(membership.hasLeft).map(\.description)
        var values: [String: JSON] = [
            "event": .text(state.event), "digest": .text(state.digest), "charter": label(state.charterID),
            "waiting": .list(waiting), "gallery": .array(state.gallery.map { label($0.id.operationID) }),
            "members": .object(
                Dictionary(
                    uniqueKeysWithValues: devices.map { device in
                        let role = membership.rank(of: device).map { "\($0)" }
                        let author = membership.author(of: device)
                        return (device.description, .object(["role": .text(role), "author": .text(author)]))
                    })),
            "names": .object(
                Dictionary(
                    uniqueKeysWithValues: state.album.nameOperations.map { ($0.author.description, label($0.id)) })),
        ]
        var photos: [String: JSON] = [:]
        var originals: [String: JSON] = [:]
        var captions: [String: JSON] = [:]
        var comments: [String: JSON] = [:]
        var reactions: [String: JSON] = [:]
        for photo in state.photos {
            let name = labels[photo.id.operationID] ?? ""
            photos[name] =
                switch photo.status {
                case .frame(let slot): .object(["status": "frame", "slot": .number(slot)])
                case .pending(let slot): .object(["status": "pending", "slot": .number(slot)])
                case .veiled(let slot): .object(["status": "veiled", "slot": .number(slot)])
                default: .object(["status": .string("\(photo.status)")])
                }
            let more = state.album.originals(of: photo.id)
            if !more.isEmpty { originals[name] = .array(more.map { label($0) }) }
            if let caption = state.album.caption(of: photo.id) { captions[name] = label(caption.id) }
            let said = state.album.comments(on: photo.id)
            if !said.isEmpty { comments[name] = .array(said.map { label($0.id) }) }
            let shown = state.album.reactions(to: photo.id).map { ("\($0)", JSON.list($1.sorted())) }
            if !shown.isEmpty { reactions[name] = .object(Dictionary(uniqueKeysWithValues: shown)) }
        }
        values["photos"] = .object(photos)
        values["originals"] = .object(originals)
        // If a vector does not mention these, there must be none, but it may omit them.
        func add(_ key: String, _ value: JSON, isEmpty: Bool) {
            if keys.contains(key) || !isEmpty { values[key] = value }
        }
        let notices = state.album.notices.map { label($0.id) }
        add("captions", .object(captions), isEmpty: captions.isEmpty)
        add("comments", .object(comments), isEmpty: comments.isEmpty)
        add("reactions", .object(reactions), isEmpty: reactions.isEmpty)
        let highlights = state.photos.filter { state.album.isHighlight($0.id) }.compactMap {
            labels[$0.id.operationID]
        }.sorted()
        add("highlights", .list(highlights), isEmpty: highlights.isEmpty)
        let missions = state.photos.compactMap { photo in
            state.mission(of: photo.id).map { (labels[photo.id.operationID] ?? "", JSON.number(UInt64($0.id))) }
        }
        add("missions", .object(Dictionary(uniqueKeysWithValues: missions)), isEmpty: missions.isEmpty)
        addPictures(of: state, labels) { add($0, $1, isEmpty: $2) }
        let messages = state.album.messages.map { label($0.id) }
        add("messages", .array(messages), isEmpty: messages.isEmpty)
        let given = state.membership.authors.map { ($0.description, JSON.number(state.receivedFrames(of: $0))) }
            .filter { $0.1 != .number(0) }
        add("gifts", .object(Dictionary(uniqueKeysWithValues: given)), isEmpty: given.isEmpty)
        let tickets = state.tickets.map {
            (
                $0.key.description,
                JSON.object(["holder": .text($0.state.holder), "users": .number(UInt64($0.state.userCount))])
            )
        }
        add("tickets", .object(Dictionary(uniqueKeysWithValues: tickets)), isEmpty: tickets.isEmpty)
        if let shares = state.shareStatus { values["shares"] = Self.shown(shares, state.shareHolders) }
        let isPageSealing = !state.album.pageSealingSettings.isEmpty
        add("pageSealing", .bool(isPageSealing), isEmpty: !isPageSealing)
        let twins = state.twins.map(\.event)
        add("twins", .list(twins), isEmpty: twins.isEmpty)
        if keys.contains("vote") || state.ballot != nil { values["vote"] = Self.vote(in: state, labels) }
        if keys.contains("recipients") { values["recipients"] = .list(state.messageRecipients) }
        add("notices", .array(notices), isEmpty: notices.isEmpty)
        let destroyed = state.withdrawals.filter { $0.value == .discarded }.compactMap { labels[$0.key] }.sorted()
        add("discarded", .list(destroyed), isEmpty: destroyed.isEmpty)
        add("gone", .list(left.sorted()), isEmpty: left.isEmpty)
        if keys.contains("expiresAt") {
            values["expiresAt"] = (state.charter?.expiresAtMilliseconds).map { .number($0) } ?? .null
        }
        if state.needsNewerVersion || keys.contains("needsNewerVersion") {
            values["needsNewerVersion"] = .bool(state.needsNewerVersion)
        }
        if keys.contains("epochs") { values["epochs"] = .array(state.epochs.chain.map { label($0) }) }
        if keys.contains("inside") { values["inside"] = .list(state.insideNodes) }
        if keys.contains("moments") || state.moments != nil {
            values["moments"] = state.moments.map { Self.shown($0, in: state, labels) } ?? .null
        }
        if keys.contains("agreed") {
            let agreed = membership.authors.filter(state.hasConsented)
            // The number that organizers see.
            let isCounted = state.consentText.map { state.album.consentCount(to: $0.id) } == agreed.count
            values["agreed"] = isCounted ? .list(agreed) : .null
        }
        return values
    }
}

extension FoldVector {
    /// The ballot, its closing, the number of people with a vote, and the photos with votes.
    private static func vote(in state: EventState, _ labels: [OperationID: String]) -> JSON {
        guard let ballot = state.ballot else { return .null }
        let places = state.voteResult?.places.map { place in
            JSON.array([.string(labels[place.photo.id.operationID] ?? ""), .number(UInt64(place.voteCount))])
        }
        return .object([
            "ballot": .string(labels[ballot.id] ?? ""), "voters": .number(UInt64(state.voterCount)),
            "closedAt": ballot.closedAtMilliseconds.map { .number($0) } ?? .null,
            "places": places.map { .array($0) } ?? .null,
        ])
    }
}

/// Any key of an object.
private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension FoldVector {
    private static func shown(_ shares: ShareStatus, _ holders: [ShareHolder]) -> JSON {
        let indices = Dictionary(grouping: holders) { $0.device.description }.mapValues {
            JSON.array($0.map { .number(UInt64($0.index)) })
        }
        return .object([
            "released": .array(shares.released.map { .number(UInt64($0)) }),
            "missing": .number(UInt64(shares.missingCount)), "holders": .object(indices),
        ])
    }
}
