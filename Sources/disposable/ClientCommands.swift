// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableModel
import DisposableNode
import Foundation
import Synchronization

/// Sends a request to the node of the folder, running or not, and passes every reply to `show`.
func ask(
    _ request: ControlRequest, _ common: CommonOptions, running configuration: NodeConfiguration? = nil,
    progress verb: String? = nil,
    show: @escaping @Sendable (ControlReply) -> Void
) async throws {
    let outcome = Mutex<ControlReply?>(nil)
    do {
        try await NodeClient.ask(
            request, folder: common.folder, logger: common.logger, running: configuration
        ) { reply in
            switch reply {
            case .progress(let done, let total):
                if let verb, total > 1 { Console.progress("\(verb) \(done) of \(total)") }
            case .finished, .failed: outcome.withLock { $0 = reply }
            default:
                Console.endProgress()
                show(reply)
            }
        }
    } catch let error as NodeError {
        throw Failure(error)
    }
    Console.endProgress()
    switch outcome.withLock({ $0 }) {
    case .failed(let message, let hint, let exitCode): throw Failure(message, hint: hint, exitCode: exitCode)
    case .finished(let exitCode) where exitCode != 0: throw ExitCode(exitCode)
    default: break
    }
}

struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add photos and videos, or all files of a folder.",
        discussion: """
            Location, serial numbers and maker notes are overwritten in the shared copy; the picture itself is not \
            touched, and your file stays as it is. A file that is already in the gallery is skipped.
            """)

    @Argument(help: "Files and folders.")
    var paths: [String]

    @OptionGroup var adding: AddingOptions
    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        let absolute = paths.map { URL(fileURLWithPath: $0).path }
        try await ask(adding.request(absolute, event), common, progress: "adding") { reply in
            switch reply {
            case .added(let photo): showAdded(photo, console)
            case .skipped(let file): showSkipped(file, console)
            default: break
            }
        }
    }
}

/// The options for adding files, for `add` and `watch`.
struct AddingOptions: ParsableArguments {
    @Flag(help: "Share the file as it is, with location and serial numbers.")
    var keepMetadata = false

    @Option(help: "A caption for each of them.")
    var caption: String?

    @Option(help: ArgumentHelp("The mission that they answer, by its number in `disposable event`.", valueName: "number"))
    var mission: Int?

    @Option(
        help: ArgumentHelp(
            """
            Correct the camera's times by a photo that it took of the wall's clock (key c on the wall), and by what that \
            clock showed: IMG_1.jpg=21:14:05.
            """, valueName: "file=time"))
    var cameraClock: CameraClockOption?

    func request(_ paths: [String], _ event: EventOptions) -> ControlRequest {
        .add(
            event: event.event, paths: paths, keepsMetadata: keepMetadata, caption: caption, mission: mission,
            clock: cameraClock?.clock)
    }
}

func showAdded(_ photo: AddedPhoto, _ console: Console) {
    console.json("added", photo)
    console.result(
        "added \(Quoted.name(photo.file))  frame \(photo.frame.map(String.init) ?? "-")  "
            + "\(Show.bytes(photo.byteCount))  \(photo.id.prefix(8))")
    for warning in photo.warnings {
        Console.say("disposable: warning: \(Quoted.name(photo.file)): \(warning)")
    }
}

func showSkipped(_ file: SkippedFile, _ console: Console) {
    console.json("skipped", file)
    Console.say(
        file.isFailure
            ? "disposable: error: \(Quoted.name(file.file)) was not added: \(file.reason)"
            : "skipped \(Quoted.name(file.file)): \(file.reason)")
}

struct GalleryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "gallery", abstract: "List the photos.")

    @Flag(help: "Only photos of this node, with waiting and deleted ones.")
    var mine = false

    @Flag(help: "Only photos marked on this node, at the desk or with `favourite`.")
    var favourites = false

    @Flag(help: "Only photos that organizers show to guests as highlights.")
    var highlights = false

    @Flag(help: "Only photos that moderators have hidden; `unhide` shows them again.")
    var hidden = false

    @Flag(help: "Only those that wait for approval; `approve` shows them to all.")
    var pending = false

    @Flag(help: "Only those that guests asked not to show, until `lift` or `hide`.")
    var veiled = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        let request = ControlRequest.gallery(
            event: event.event, onlyMine: mine, onlyFavourites: favourites, onlyHighlights: highlights,
            onlyHidden: hidden, onlyPending: pending, onlyVeiled: veiled)
        try await ask(request, common) { showPhoto($0, console) }
    }
}

struct FavouriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favourite", abstract: "Mark a photo on this node.",
        discussion: """
            The mark is not shared before `disposable highlights` shows all marked photos to guests. `gallery` and \
            `export` have --favourites for the marked photos only.
            """)

    @Argument(help: "The photo's id, or its start.")
    var photo: String

    @Flag(help: "Remove the mark.")
    var off = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    private struct Marked: Encodable {
        let photo: String
        let isOn: Bool
    }

    func run() async throws {
        let console = common.console
        try await ask(.favourite(event: event.event, photo: photo, isOn: !off), common) { reply in
            guard case .favourite(let photo, let isOn) = reply else { return }
            console.json("favourite", Marked(photo: photo, isOn: isOn))
            console.result("\(isOn ? "marked" : "unmarked") \(photo.prefix(8))")
        }
    }
}

struct HighlightsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "highlights", abstract: "Show the photos marked on this node to guests as highlights (organizers).",
        discussion: """
            Guests find them under "Highlights". Run it again after you have marked other photos: those that are marked no \
            longer are taken off. `gallery` and `export` have --highlights for the highlights of all organizers.
            """)

    @Flag(help: "Take off all that were shown from here; the marks stay.")
    var off = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    private struct Shared: Encodable {
        let changedCount, count: Int
    }

    func run() async throws {
        let console = common.console
        try await ask(.shareFavourites(event: event.event, isOn: !off), common) { reply in
            guard case .highlights(let changedCount, let count) = reply else { return }
            console.json("highlights", Shared(changedCount: changedCount, count: count))
            console.result(
                count == 0
                    ? "guests see no highlights" : "guests see \(Show.count(count, "photo")) under Highlights")
        }
    }
}

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the details of one photo.")

    @Argument(help: "The photo's id, or its start.")
    var photo: String

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        try await ask(.show(event: event.event, photo: photo), common) { reply in
            if case .copies(let copies) = reply { return showCopies(copies, console) }
            guard case .photo(let photo) = reply, !console.isJSON else { return showPhoto(reply, console) }
            let picture = photo.picture
            let size = picture.byteCount.map(Show.bytes) ?? "unknown size"
            console.result(
                """
                id        \(photo.id)
                author    \(photo.author) (\(photo.device.prefix(8)))
                frame     \(photo.frame.map(String.init) ?? "-")
                taken     \(photo.takenAt.map(Show.time(iso8601:)) ?? "unknown")
                added     \(Show.time(iso8601: photo.addedAt))
                picture   \(picture.width) x \(picture.height), \(picture.mediaType), \(size)
                sha256    \(picture.sha256 ?? "unknown")
                state     \(photo.state)
                """)
            showRemarks(of: photo, console)
        }
    }
}

/// Prints the annotations of a photo, with the ids for `remove`.
private func showRemarks(of photo: GalleryPhoto, _ console: Console) {
    if let mission = photo.mission { console.result("mission   \(mission.text)") }
    if let zone = photo.zone { console.result("zone      \(zone)") }
    if let caption = photo.caption { console.result("caption   \(caption.id.prefix(8))  \(indented(caption.text))") }
    if !photo.reactions.isEmpty { console.result("reactions \(Show.reactions(photo.reactions))") }
    for comment in photo.comments {
        console.result("comment   \(comment.id.prefix(8))  \(comment.author): \(indented(comment.text))")
    }
}

/// Returns a text of somebody else without a line that looks like one of this program's.
private func indented(_ text: String) -> String { text.replacing("\n", with: "\n          ") }

private func showPhoto(_ reply: ControlReply, _ console: Console) {
    guard case .photo(let photo) = reply else { return }
    console.json("photo", photo)
    console.result(
        "\(photo.id.prefix(8))  \(Show.time(iso8601: photo.takenAt ?? photo.addedAt))  frame \(photo.frame.map(String.init) ?? "-")  "
            + "\(photo.picture.byteCount.map(Show.bytes) ?? "?")  \(photo.state)  \(photo.author)"
            + (photo.caption.map { "  \"\($0.text.split(separator: "\n").first ?? "")\"" } ?? "")
            + (photo.reactions.isEmpty ? "" : "  " + Show.reactions(photo.reactions))
            + (photo.comments.isEmpty ? "" : "  " + Show.count(photo.comments.count, "comment")))
}

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show peers, progress and the gallery's digest.",
        discussion: "Nodes with the same digest show the same gallery.")

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        try await ask(.status, common) { reply in
            guard case .status(let status) = reply else { return }
            console.json("status", status)
            let (photos, network) = (status.photos, status.network)
            let missing = photos.missingBlobCount
            let roll = "\(photos.framesUsed)" + (photos.frames.map { " of \($0)" } ?? "")
            console.result(
                """
                \(status.name)\(status.isOrganizer ? " (organizer)" : "")\(Self.phase(status))
                  event    \(status.event)
                  digest   \(status.operations.digest ?? Self.noDigest(status))
                  photos   \(photos.photoCount), \(photos.completeCount) complete, \(missing) files to fetch
                  quota    \(roll) frames used
                  kept     until \(status.expiresAt.map(Show.time) ?? "unknown so far")
                  members  \(status.operations.memberCount)\(Self.ownPlace(status))
                  guests   \(network.guestURL ?? "not served beyond this machine")
                  node     \(network.listen.map { "listens on \($0)" } ?? "not running"), mDNS \(network.discovery)
                """)
            for line in status.operations.epoch.lines { console.result("  \(line)") }
            if photos.pendingCount > 0 {
                console.result(
                    "  pending  \(Show.count(photos.pendingCount, "photo")) waiting for approval; `disposable approve`")
            }
            if photos.veiledCount > 0 {
                console.result(
                    "  veiled   \(Show.count(photos.veiledCount, "photo")) to decide about; "
                        + "`disposable gallery --veiled`")
            }
            showCopies(of: status, console)
            for peer in network.peers {
                let state = peer.isAdmitted ? (peer.isSynchronized ? "up to date" : "reconciling") : "not a member yet"
                console.result("  peer     \(peer.name ?? String(peer.device.prefix(8))) at \(peer.address), \(state)")
            }
            for other in network.otherPages {
                console.result(
                    "  pages    \(other.name ?? String(other.device.prefix(8))) at \(other.addresses.joined(separator: ", "))"
                )
            }
            if let program = network.program {
                console.result("  program  \(program.name), \(Show.bytes(program.byteCount)), offered to guests")
                console.result("  SHA-256  \(program.sha256)")
            }
            for notice in status.notices { console.result("  notice   \(notice.id.prefix(8))  \(notice.text)") }
            for tree in status.operations.waiting {
                console.result(
                    "  waiting  \(Show.count(tree.operationCount, "operation")) of \(tree.name), "
                        + "\(Show.bytes(UInt64(tree.byteCount)))")
            }
            for problem in status.problems { console.result("  problem  \(problem)") }
        }
    }

    private static func phase(_ status: EventStatus) -> String {
        switch status.phase {
        case nil: ""
        case "draft": ", not open yet"
        case "open": status.endsAt.map { ", open until \(Show.time($0))" } ?? ""
        case "closed": ", over; the photos are not shown yet"
        case "revealed": ", over"
        default: ", expired; every node forgets the photos"
        }
    }

    private static func ownPlace(_ status: EventStatus) -> String {
        if status.isPutOut { return "; this node is no longer one: it was removed" }
        if status.isReader == true { return "; this node only reads the event, for a joined gallery" }
        return status.isAdmitted ? "" : "; this node is not one yet"
    }

    private static func noDigest(_ status: EventStatus) -> String {
        status.operations.needsNewerVersion
            ? "none: this event needs a newer version of disposable"
            : "none yet: this node has not received the event from a member"
    }
}

struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Delete one of your photos or texts on every node.",
        discussion: "Nodes that are away hide it as soon as they return. Its frame stays used.")

    @Argument(help: "The id of a photo, caption, comment or notice, or its start.")
    var photo: String

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    private struct Removed: Encodable { let photo: String }

    func run() async throws {
        let console = common.console
        try await ask(.remove(event: event.event, photo: photo), common) { reply in
            guard case .removed(let photo) = reply else { return }
            console.json("removed", Removed(photo: photo))
            console.result("removed \(photo.prefix(8))")
        }
    }
}

/// File names for a terminal: without control characters, which could forge output.
enum Quoted {
    static func name(_ path: String) -> String {
        let name = (path as NSString).lastPathComponent
        return String(
            name.unicodeScalars.map { scalar -> Character in
                scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value)
                    || (0x2066...0x2069).contains(scalar.value) ? "?" : Character(scalar)
            })
    }
}
