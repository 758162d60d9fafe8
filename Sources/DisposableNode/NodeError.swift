// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableWire
internal import Glibc

/// An error for a person: its cause, and a hint. What is about this machine, its folder, files and network has a case
/// here; what the event's rules reject is a `Refusal`.
public enum NodeError: Error, Equatable, Sendable {
    /// The calls of this module document the refusal alone, such as `Refusal.unknownPhoto`.
    case refused(Refusal)
    case folderInUse(path: String)
    case noEvents(path: String)
    case severalEvents([String])
    case unknownEvent(String)
    case alreadyJoined(name: String)
    /// The folder was in the event before.
    case forgotten(Tombstone)
    /// The event's retention is not over, by the available clocks.
    case notExpired(until: String)
    /// The event is being left, and other nodes lack the leave or photos.
    case notHandedOver(isHeard: Bool, missingCount: Int)
    case portInUse(String)
    case invalidAddress(String)
    /// The database is being rebuilt, or will be tried again.
    case rebuilding
    /// A draft whose start is past.
    case pastStart(at: UInt64)
    /// A number that no mission has, and the number of missions.
    case noMission(Int, count: Int)
    case ambiguousPhoto(String)
    case tooManyFavourites(limit: Int)
    case unknownEmoji(String)
    /// A person with an unlimited quota.
    case unlimited(String)
    /// The unmet requirements on an event's settings, one line each.
    case unacceptable([String])
    /// The event has no sealed photos, or they are revealed, so a reveal rule makes no sense.
    case cannotSeal(isRevealed: Bool)
    /// The event shows photos at once.
    case nothingSealed
    case noEventKey
    /// The check bits of the words are wrong.
    case wrongWords
    case foreignEventKey
    case earlyReveal(planned: String)
    case neverRevealed
    case shares(ShareProblem)
    case twins(TwinProblem)
    case map(MapProblem)
    /// A revocation affects others than its member.
    case harmsOthers(RevocationPreview)
    case unknownMember(String)
    case ambiguousMember(String, [String])
    /// An organizer has signed an operation that this version does not understand.
    case olderVersion
    /// An existing file is not replaced.
    case fileExists(path: String)
    case noBundle(path: String)
    /// A bundle of a later version of the program.
    case laterBundle(path: String)
    /// No secret of this node's events opens the bundle.
    case foreignBundle(path: String)
    /// The file ends before the bundle does.
    case truncatedBundle(path: String, byteCount: UInt64)
    /// Parts of the bundle do not open: the first places, in bytes from the start of the file, and the number of all.
    case damagedBundle(path: String, places: [UInt64], count: Int)
    /// An operation in the bundle is not signed by its author.
    case forgedBundle(path: String)
    case oversizedBundle(path: String, limit: Int)
    case storage(String)
    case control(String)
    /// The folder for the control socket may belong to another user.
    case unsafeSocketFolder(path: String, reason: String)
    case unwatchable(_ path: String, reason: String)
    /// The folder cannot be a mirror.
    case noMirror(_ path: String, reason: String)
    /// The mirror is not there at present.
    case mirrorAbsent(_ path: String)
    case stopped
    case system(String, code: Int32)
}

extension NodeError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .refused(let refusal): refusal.message(time: Timestamps.iso8601)
        case .folderInUse(let path): "another node runs on \(path)"
        case .noEvents(let path): "there is no event in \(path)"
        case .severalEvents(let names): "this node is in \(names.count) events: \(names.joined(separator: ", "))"
        case .unknownEvent(let text): "this node is not in an event named \(text)"
        case .alreadyJoined(let name): "this node is in \(name) already"
        case .forgotten(let tombstone) where tombstone.reason == .expired:
            "this node forgot \(tombstone.name) at \(Timestamps.iso8601(tombstone.forgottenAt)): its retention was over"
        case .notExpired(let end): "the event is kept until \(end)"
        case .forgotten(let tombstone):
            "this node left \(tombstone.name) at \(Timestamps.iso8601(tombstone.forgottenAt)) and forgot it"
        case .notHandedOver(false, _): "no other node has received the leave of this one yet"
        case .notHandedOver(true, let count):
            "\(count) of the photos that stay in the event are on no other connected node"
        case .portInUse(let address): "\(address) is in use"
        case .invalidAddress(let text): "\(text) is not an address with a port"
        case .rebuilding: "the database of this node is corrupt and is being rebuilt"
        case .pastStart(let start): "the event was to start at \(Timestamps.iso8601(start)), which is past"
        case .noMission(let number, let count):
            "there is no mission \(number): the event has \(count == 0 ? "none" : count == 1 ? "one" : "\(count) of them")"
        case .ambiguousPhoto(let text): "several photos start with \(text)"
        case .tooManyFavourites(let limit): "\(limit) photos are marked already, the limit of this node"
        case .unknownEmoji(let text): "\"\(text)\" is not a supported reaction"
        case .unlimited(let name): "\(name) already has an unlimited number of photos"
        case .unacceptable(let demands): demands.joined(separator: "; ")
        case .cannotSeal(true): "the photos are revealed and cannot be sealed again"
        case .cannotSeal(false): "the photos of this event are not sealed: it was created to show them at once"
        case .nothingSealed: "this event shows its photos at once; there is nothing to reveal"
        case .noEventKey: "the event's key is not on this machine"
        case .wrongWords: "these 24 words are not an event's key: one is wrong, or two are swapped"
        case .foreignEventKey: "these words are the key of another event"
        case .earlyReveal(let planned):
            "the photos are planned to be revealed at \(planned), which is later by this machine's clock"
        case .harmsOthers(let preview): preview.harm
        case .neverRevealed: "this event's photos are for organizers only, as guests were told"
        case .shares(let problem): problem.message
        case .twins(let problem): problem.message
        case .map(let problem): problem.message
        case .unknownMember(let text): "no member is named \(text), and no key starts with it"
        case .ambiguousMember(let text, let keys): "several members are named \(text): \(keys.joined(separator: ", "))"
        case .olderVersion:
            "the event needs a newer version of disposable; this version may show its gallery wrongly"
        case .fileExists(let path): "\(path) exists already"
        case .noBundle(let path): "\(path) is not a bundle of an event"
        case .laterBundle(let path): "\(path) was written by a newer version of disposable"
        case .foreignBundle(let path): "\(path) belongs to another event, or to a secret that this node does not have"
        case .truncatedBundle(let path, let byteCount): "\(path) ends too early, after \(byteCount) bytes"
        case .damagedBundle(let path, let places, let count):
            "\(path) is damaged at byte \(places.first ?? 0)" + (count > 1 ? " and in \(count - 1) other places" : "")
        case .forgedBundle(let path): "\(path) contains an operation that is not genuine: its author has not signed it"
        case .oversizedBundle(let path, let limit): "\(path) contains more than \(limit) operations"
        case .storage(let reason): reason
        case .control(let reason): "the running node did not answer: \(reason)"
        case .unwatchable(let path, let reason): "\(path) cannot be watched: \(reason)"
        case .noMirror(let path, let reason): "\(path) cannot be a mirror of this event: \(reason)"
        case .mirrorAbsent(let path): "the mirror \(path) is not there"
        case .unsafeSocketFolder(let path, let reason):
            "the folder \(path) for the control socket is not safe to use: \(reason)"
        case .stopped: "the node has stopped"
        case .system(let operation, let code): "\(operation): \(String(cString: strerror(code)))"
        }
    }

    /// An instruction, unless it is obvious.
    public var hint: String? {
        switch self {
        case .refused(let refusal): refusal.commandHint ?? refusal.hint
        case .folderInUse: "stop it first, or give this one its own folder with --data"
        case .noEvents: "create one with `disposable host NAME`, or join one with `disposable join INVITATION`"
        case .severalEvents: "select one with --event NAME"
        case .unknownEvent: "`disposable status` lists the events of this node"
        case .alreadyJoined: "start it with `disposable run`"
        case .forgotten: "to join it again, as a new device with a new quota, add --again"
        case .fileExists: "choose another name, or remove it first"
        case .noBundle: "`disposable carry export FILE` writes one"
        case .laterBundle: "install the same version on both machines"
        case .foreignBundle:
            "join the event first; if it has a new invitation, connect this node once to a node that has it"
        case .truncatedBundle, .damagedBundle:
            "what can be read is in the gallery; copy the file again and repeat the command for the rest"
        case .forgedBundle: "what precedes it is in the gallery; ask for a bundle from another node"
        case .oversizedBundle: nil
        case .notExpired: "`disposable leave` leaves it earlier"
        case .notHandedOver:
            "leaving continues while the node runs; `disposable leave --unheard` forgets now and loses photos only on this node"
        case .portInUse: "choose another with --listen ADDRESS:PORT, or --listen ADDRESS:0 for any"
        case .invalidAddress: "write 10.0.0.7:8028 or [fe80::1%eth0]:8028"
        case .rebuilding: "try again in a moment; if the rebuild fails, `disposable run` shows the reason"
        case .pastStart: "`disposable event edit --starts now` moves the start; to open it as it is, add --yes"
        case .noMission: "`disposable event` lists the missions with their numbers"
        case .ambiguousPhoto: "write more of its id"
        case .tooManyFavourites: "unmark others first"
        case .unknownEmoji: "supported are \(Remarks.emoji.map { String($0) }.joined(separator: " "))"
        case .cannotSeal: "a later reveal needs `--reveal` when the event is created"
        case .nothingSealed: nil
        case .wrongWords: "compare them with the paper, one by one"
        case .foreignEventKey: "select the event with --event NAME"
        case .noEventKey: "do it on a machine that has the event's key"
        case .harmsOthers: "add --yes to continue"
        case .earlyReveal, .neverRevealed: "this cannot be undone; add --yes to continue"
        case .shares(let problem): problem.hint
        case .twins(let problem): problem.hint
        case .map(let problem): problem.hint
        case .unknownMember: "`disposable people` lists names and keys"
        case .ambiguousMember: "write the start of the key"
        case .olderVersion: "install the version that the organizers use, or export without --album"
        case .control: "if no node is running, remove node.sock from the data folder"
        case .unsafeSocketFolder:
            "remove it, or set XDG_RUNTIME_DIR to a folder of your own with mode 0700, or use a data folder with a shorter path"
        case .noMirror: "name a new folder"
        case .mirrorAbsent: "plug in the disk; the mirror continues by itself"
        case .unlimited, .unacceptable, .storage, .stopped, .system, .unwatchable: nil
        }
    }

    /// 1 failed, 2 usage, 3 nothing to do or not found.
    public var exitCode: Int32 {
        switch self {
        case .refused(let refusal): refusal.code.exitCode
        case .shares(let problem): problem.exitCode
        case .twins(let problem): problem.exitCode
        case .map(let problem): problem.exitCode
        case .wrongWords, .invalidAddress, .severalEvents, .unknownEmoji, .unacceptable, .unwatchable, .noMirror: 2
        case .noEvents, .unknownEvent, .noMission, .ambiguousPhoto, .unknownMember, .ambiguousMember, .unlimited,
            .nothingSealed, .alreadyJoined, .forgotten:
            3
        case .fileExists, .noBundle, .laterBundle, .foreignBundle, .truncatedBundle, .damagedBundle, .forgedBundle,
            .oversizedBundle, .folderInUse, .portInUse, .notExpired, .notHandedOver, .rebuilding, .pastStart,
            .tooManyFavourites, .cannotSeal, .noEventKey, .foreignEventKey, .earlyReveal, .neverRevealed, .harmsOthers,
            .olderVersion, .storage, .control, .unsafeSocketFolder, .stopped, .system, .mirrorAbsent:
            1
        }
    }
}

extension NodeError {
    init(_ error: BundleError, path: String) {
        switch error {
        case .noBundle: self = .noBundle(path: path)
        case .otherVersion: self = .laterBundle(path: path)
        case .truncated(let byteCount): self = .truncatedBundle(path: path, byteCount: byteCount)
        case .tooManyOperations(let limit): self = .oversizedBundle(path: path, limit: limit)
        }
    }
}
