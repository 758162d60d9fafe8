// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Foundation
import Synchronization

struct VeilCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "veil", abstract: "Ask that a photo of somebody else is not shown.",
        discussion: """
            "Not me, please." The photo is shown to nobody but its author and moderators until a moderator decides: `hide` \
            takes it out of the gallery, `lift` shows it again, for good. It works where organizers have switched it on: \
            `disposable event edit --veils on`.
            """)

    @OptionGroup var target: RemarkedPhotoOptions

    @Flag(help: "Take it back.")
    var off = false

    func run() async throws {
        try await say(.veil(photo: target.photo, isOn: !off), "veil", target.event, target.common)
    }
}

struct LiftCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lift", abstract: "Show photos that guests asked not to show (moderators).",
        discussion: """
            `disposable gallery --veiled` lists these photos. After a lift nobody can have the photo veiled again; `hide` \
            takes it out of the gallery instead. --undo takes a lift back: the photo is veiled again.

            If somebody with the nodes' invitation has many devices ask, --admitted-since 21:30 lifts all veils that \
            only devices ask for which were let in since then. It says how many first. Guests of pages go with the \
            machine that serves them; machines with a role, and all that were let in earlier, are left out, and so is \
            a photo for which one of them asks as well. A changed program can claim an earlier time, but not at the \
            machine that let it in, until that restarts: give the command there.
            """)

    @Argument(help: "The ids of photos, or their starts.")
    var photos: [String] = []

    @Option(
        help: ArgumentHelp(
            "All photos that only devices ask for which were let in since this time: 21:30, or 2026-11-26T21:30.",
            valueName: "time"), transform: LiftCommand.time)
    var admittedSince: UInt64?

    @Flag(help: "Take the lift back.")
    var undo = false

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    /// Returns milliseconds since 1970 UTC. Without a date it is the last time that clocks showed this.
    static func time(_ text: String) throws -> UInt64 {
        guard let time = CameraClockOption.time("\(text):00", now: Date()),
            let milliseconds = UInt64(exactly: (time.timeIntervalSince1970 * 1_000).rounded())
        else { throw ValidationError("write a time as 21:30, or with its day as 2026-11-26T21:30") }
        return milliseconds
    }

    func validate() throws {
        guard (admittedSince != nil) == photos.isEmpty else {
            throw ValidationError("name photos, or give --admitted-since and a time")
        }
        guard admittedSince == nil || !undo else { throw ValidationError("--undo goes with the ids of photos") }
    }

    func run() async throws {
        if let admittedSince { return try await lift(admittedSince: admittedSince) }
        for photo in photos {
            try await rule(
                undo ? .unlift(photo: photo) : .lift(photo: photo), named: undo ? "unlift" : "lift",
                done: undo ? "veiled again" : "lifted the veil from", event, common)
        }
    }

    private func lift(admittedSince: UInt64) async throws {
        let found = try await request(since: admittedSince, isConfirmed: false)
        guard found.photoCount > 0 else {
            common.console.json("lifted", found)
            return common.console.result("no photo is veiled for such devices alone")
        }
        if !yes {
            Console.say(
                "\(Show.count(found.photoCount, "photo")) would be shown again, for good; "
                    + "\(Show.count(found.deviceCount, "device")) let in since \(Show.time(admittedSince)) "
                    + "asked not to show them.")
            try Console.confirm("Show them?", since: "nobody can have them veiled again")
        }
        var lifted = LiftInfo(photoCount: found.photoCount, deviceCount: found.deviceCount, photos: [])
        // One request lifts a part of many. Others may decide about some meanwhile.
        while lifted.photos.count < found.photoCount {
            let part = try await request(since: admittedSince, isConfirmed: true)
            lifted.photos += part.photos
            guard part.photos.count < part.photoCount else { break }
        }
        common.console.json("lifted", lifted)
        common.console.result("lifted the veils from \(Show.count(lifted.photos.count, "photo"))")
    }

    private func request(since: UInt64, isConfirmed: Bool) async throws -> LiftInfo {
        let found = Mutex<LiftInfo?>(nil)
        let act = ControlAct.liftAdmitted(since: since, isConfirmed: isConfirmed)
        try await ask(.rule(event: event.event, act: act), common) { reply in
            if case .lifting(let info) = reply { found.withLock { $0 = info } }
        }
        guard let info = found.withLock(\.self) else { throw Failure("the node gave no answer") }
        return info
    }
}
