// SPDX-License-Identifier: Apache-2.0
package import DisposableModel
internal import DisposableSync

/// One fault: its kind, its machines, its beginning and end.
package struct Fault: Equatable, Sendable, CustomStringConvertible {
    package enum Trouble: Equatable, Sendable {
        case partition([Int])
        case cut(Int, Int, isNoticed: Bool)
        case oneWay(Int, Int)
        /// The connections between the two are dead, and neither is notified.
        case halfOpen(Int, Int)
        /// The share of segments that TCP has to send again, and of multicast packets that are lost.
        case loss(Double)
        case crash(Int, isNoticed: Bool)
        /// The clock jumps and stays wrong, in milliseconds.
        case clockJump(Int, Int64)
        case suspend(Int)
        case diskFull(Int)
        case diskErrors(Int, Double)
        case bitFlip(Int)
        case dishonest(Mischief)
        case away(Int)
        /// The machine gets another address.
        case roam(Int)
        /// A slow, distant and lossy network for all.
        case badAir
        /// An address without a listener.
        case staleSighting(Int)
        /// The organizer removes a member, and may reinstate it at the end.
        case removal(Int, isForgiven: Bool)
        /// The organizer grants a role, which is used, and revokes it at the end.
        case role(Role, Int)
        /// The organizer hides photos, shows them again, erases some.
        case tidying
        /// A member that is removed half-way and continues to act.
        case outcast
        /// A portal that tries to make its removal cost others their photos.
        case hostages
        /// A member that admits devices after it was removed.
        case smuggling
        /// A guest of the pages, first at one node, then at another.
        case guest(Int, Int)
        /// The organizer replaces the event's secret; a member that becomes an organizer for it may do so, too.
        case rotation(Int, isTwofold: Bool)
        /// Photos need approval, by the organizer and by a member that is a moderator meanwhile.
        case approval(ApprovalRule, Int)
        /// Two members give each other frames, and a guest of pages gives some at both.
        case gifts(Int, Int)
        /// The organizer gives two members shares, and they publish some.
        case shares(Int, Int)
        /// The organizer opens and closes a vote; two members and guests of their pages vote.
        case votes(Int, Int)
        /// The organizer lists tickets and cancels some, guests of two nodes use one at once, and the first member may
        /// become an organizer for it.
        case tickets(Int, Int)
        /// The organizer and a member that becomes an organizer for it join the gallery with others and separate them.
        case twins(Int)
        /// The organizer switches veils on, two members and guests of their pages ask for some, and the first member
        /// decides about them, too.
        case veils(Int, Int)
        /// The organizer and the first member, which becomes an organizer for it, set missions, which photos answer.
        case missions(Int, Int)

        /// A short description for people.
        package var words: String {
            switch self {
            case .partition(let half): "partition of \(half.count)"
            case .cut(let node, let other, _): "cut \(node)-\(other)"
            case .oneWay(let node, let other): "no dials \(node)-\(other)"
            case .halfOpen(let node, let other): "half open \(node)-\(other)"
            case .loss(let share): "loss \(Int((100 * share).rounded())) %"
            case .crash(let node, _): "crash of \(node)"
            case .clockJump(let node, _): "clock of \(node)"
            case .suspend(let node): "sleep of \(node)"
            case .diskFull(let node): "full disk of \(node)"
            case .diskErrors(let node, _): "bad disk of \(node)"
            case .bitFlip(let node): "flipped bit on \(node)"
            case .dishonest(let mischief): "\(mischief)"
            case .away(let node): "\(node) away"
            case .roam(let node): "\(node) moves"
            case .badAir: "bad air"
            case .staleSighting(let node): "stale address for \(node)"
            case .removal(let node, _): "removal of \(node)"
            case .role(let role, let node): "\(node) \(role)"
            case .tidying: "organizer tidies up"
            case .outcast: "outcast"
            case .hostages: "hostages"
            case .smuggling: "smuggling"
            case .guest(let node, let other): "guest \(node)-\(other)"
            case .approval(let rule, let node): "approval of \(rule), \(node) too"
            case .gifts(let node, let other): "gifts \(node)-\(other)"
            case .shares(let node, let other): "shares \(node)-\(other)"
            case .votes(let node, let other): "votes \(node)-\(other)"
            case .tickets(let node, let other): "tickets \(node)-\(other)"
            case .twins(let node): "twins by \(node), too"
            case .veils(let node, let other): "veils \(node)-\(other)"
            case .missions(let node, let other): "missions \(node)-\(other)"
            case .rotation(let node, let isTwofold): "another secret\(isTwofold ? ", of \(node), too" : "")"
            }
        }
    }

    /// The number for excluding the fault.
    package let number: Int
    package let kind: FaultKind
    package let trouble: Trouble
    package let begins: UInt64
    package let ends: UInt64

    package var description: String { "fault \(number): \(trouble) at \(begins)...\(ends) ms" }

    /// The machines of the fault, without which it does not happen.
    var nodes: [Int] {
        switch trouble {
        case .partition, .loss, .badAir, .dishonest, .tidying, .outcast, .hostages, .smuggling: []
        case .cut(let node, let other, _), .oneWay(let node, let other), .halfOpen(let node, let other),
            .guest(let node, let other), .gifts(let node, let other), .shares(let node, let other),
            .votes(let node, let other), .tickets(let node, let other), .veils(let node, let other),
            .missions(let node, let other):
            [node, other]
        case .crash(let node, _), .clockJump(let node, _), .suspend(let node), .diskFull(let node),
            .diskErrors(let node, _), .bitFlip(let node), .away(let node), .roam(let node), .staleSighting(let node),
            .removal(let node, _), .role(_, let node), .rotation(let node, _), .approval(_, let node), .twins(let node):
            [node]
        }
    }
}

/// The plan that a party's seed derives from its options: when photos are taken, and when each fault occurs.
struct PartyPlan {
    struct Shot {
        let time: UInt64
        let node: Int
        /// Milliseconds after which its author deletes it.
        let removedAfter: UInt64?
    }

    private(set) var shots: [Shot] = []
    private(set) var faults: [Fault] = []
    let endsAt: UInt64

    init(_ options: PartyOptions) {
        endsAt = UInt64(options.minutes) * 60_000
        var random = SplitMix64(seed: options.seed &* 0x2545_F491_4F6C_DD1D &+ 11)
        let latest = endsAt * 9 / 10
        for _ in 0..<options.photoCount {
            let time = UInt64.random(in: 3_000...latest, using: &random)
            let node = Int.random(in: 0..<options.peerCount, using: &random)
            let isRemoved = random.oneIn(30)
            let delay = UInt64.random(in: 0...30_000, using: &random)
            if !options.absentPeers.contains(node) {
                shots.append(Shot(time: time, node: node, removedAfter: isRemoved ? delay : nil))
            }
        }
        shots.sort { ($0.time, $0.node) < ($1.time, $1.node) }
        for kind in options.faults { addFaults(kind, options, &random) }
        faults = faults.filter { fault in
            !options.absentFaults.contains(fault.number) && fault.nodes.allSatisfy { !options.absentPeers.contains($0) }
        }
    }

    private mutating func addFaults(_ kind: FaultKind, _ options: PartyOptions, _ random: inout SplitMix64) {
        // Some a minute, whatever the size of the party.
        let count = max(2, min(2 * options.minutes, 30))
        for _ in 0..<count {
            let begins = UInt64.random(in: 1_000...endsAt * 9 / 10, using: &random)
            let lasts = UInt64.random(in: 500...60_000, using: &random)
            let trouble = Self.trouble(kind, options.peerCount, &random)
            faults.append(
                Fault(
                    number: faults.count + 1, kind: kind, trouble: trouble, begins: begins,
                    ends: min(begins + lasts, endsAt)))
        }
    }

    private static func trouble(_ kind: FaultKind, _ peerCount: Int, _ random: inout SplitMix64) -> Fault.Trouble {
        let node = Int.random(in: 0..<peerCount, using: &random)
        let others = max(1, peerCount - 1)
        let other = (node + 1 + Int.random(in: 0..<others, using: &random)) % peerCount
        let coin = Bool.random(using: &random)
        let die = Int.random(in: 0..<6, using: &random)
        switch kind {
        case .partition:
            switch die {
            case 0...2:
                return .partition((0..<peerCount).filter { _ in Bool.random(using: &random) })
            case 3: return .cut(node, other, isNoticed: coin)
            case 4: return .oneWay(node, other)
            default: return .halfOpen(node, other)
            }
        case .loss: return .loss(Double(1 + die) / 20)
        case .crash: return .crash(node, isNoticed: coin)
        case .clock:
            let tenYears: Int64 = 315_360_000_000
            switch die {
            case 0: return .clockJump(node, coin ? tenYears : -tenYears)
            case 1...2: return .clockJump(node, Int64.random(in: -300_000...300_000, using: &random))
            default: return .suspend(node)
            }
        case .disk:
            switch die {
            case 0...1: return .diskFull(node)
            case 2...3: return .diskErrors(node, Double(1 + die) / 10)
            default: return .bitFlip(node)
            }
        case .byzantine:
            // Removals are part of the roles.
            let mischief = Mischief.cases.randomElement(using: &random) ?? .forker
            // Drawn separately from the others, so that existing seeds give the same plans.
            if die == 4, coin { return .dishonest(.crowd) }
            return .dishonest(die == 5 ? coin ? .registrar : .multiplier : mischief)
        case .churn:
            switch die {
            case 0...2: return .away(node)
            case 3: return .staleSighting(node)
            default: return .roam(node)
            }
        case .radio: return .badAir
        case .roles:
            // The organizer's own machine is the first.
            let member = node == 0 ? other : node
            switch die {
            case 0...1: return .removal(member, isForgiven: coin)
            case 2: return .role(coin ? .moderator : .photographer, member)
            case 3: return .role(coin ? .moderator : .page, member)
            case 4: return .tidying
            default: return coin ? .outcast : node % 2 == 0 ? .hostages : .smuggling
            }
        case .guests: return .guest(node, other)
        case .rotation: return .rotation(node == 0 ? other : node, isTwofold: coin)
        case .approval: return .approval(die < 3 ? .all : coin ? .first : .none, node == 0 ? other : node)
        case .gifts: return .gifts(node, other)
        case .shares: return .shares(node, other)
        case .votes: return .votes(node, other)
        case .tickets: return .tickets(node, other)
        case .twins: return .twins(node == 0 ? other : node)
        case .veils: return node == 0 ? .veils(other, node) : .veils(node, other)
        case .missions: return node == 0 ? .missions(other, node) : .missions(node, other)
        }
    }
}
