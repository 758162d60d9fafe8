// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableModel
import DisposableNode
import Foundation

/// An event, formatted for a terminal.
struct EventPicture {
    private let info: EventInfo
    private let parameters: EventParameters

    init(_ info: EventInfo) {
        self.info = info
        parameters = info.parameters
    }

    var text: String { (heading + facts + counters + people + bars).joined(separator: "\n") }

    private var heading: [String] {
        let start = parameters.schedule.startsAt ?? 0
        let phase =
            switch info.phase {
            case "draft" where parameters.isOpened != true: "a draft; `disposable event open` opens it"
            case "draft": "opens \(Show.time(start))"
            case "open": "open until \(Show.time(info.times.endsAt))"
            case "closed": "over; the photos are not shown yet"
            case "revealed": "over; the photos are shown until \(Show.time(info.times.expiresAt))"
            default: "expired; every node forgets the photos"
            }
        return ["\(parameters.name ?? "") (\(phase))"]
    }

    private var facts: [String] {
        let (presentation, organizer) = (parameters.presentation, parameters.organizer)
        var facts: [(String, String?)] = [
            ("event", info.event), ("details", presentation.details), ("place", presentation.place),
            ("position", presentation.position?.position?.written), ("category", presentation.category),
            ("price", price), ("host", organizer.name), ("contact", organizer.contact),
            ("register", organizer.registration),
        ]
        facts += (presentation.links ?? []).map { ("link", "\($0.address) (\($0.kind))") }
        facts += missions
        facts += [
            ("time", time), ("late", late), ("frames", frames), ("moments", moments),
            ("shown", shown), ("approval", approval), ("veils", veils), ("sealing", sealing), ("phones", pageSealing),
            ("names", names), ("source", source), ("at once", photosAtOnce), ("tickets", tickets), ("wall", wallCode),
            ("saving", saving), ("videos", videos), ("theme", theme), ("kept", kept),
            ("listed", "the network \(presentation.isListed == true ? "sees" : "does not see") the name"),
            ("consent", organizer.consentText),
        ]
        return facts.compactMap { label, text in
            guard let text, !text.isEmpty else { return nil }
            return Self.row(label, text)
        }
    }

    private var time: String {
        if parameters.schedule.startsOnOpening == true, parameters.isOpened != true {
            return "\(Self.span(parameters.schedule.durationHours ?? 0)) from when it is opened"
        }
        return "\(Show.time(parameters.schedule.startsAt ?? 0)) to \(Show.time(info.times.endsAt))"
            + (info.times.overAt < info.times.endsAt ? ", closed \(Show.time(info.times.overAt))" : "")
    }

    private var late: String {
        guard let until = info.times.acceptsUntil else { return "photos are accepted at any time" }
        let count = info.photos.untimelyCount
        let others =
            count == 0 ? "" : "; \(Show.count(count, "photo")) of another time \(count == 1 ? "waits" : "wait")"
        if parameters.schedule.startsOnOpening == true, parameters.isOpened != true {
            return "photos are accepted until \(parameters.schedule.lateMinutes ?? 0) minutes after the end"
        }
        return "photos are accepted until \(Show.time(until))" + others
    }

    private var frames: String {
        guard let frames = parameters.photos.frames, frames > 0 else { return "no limit" }
        return parameters.photos.areFramesDaily == true ? "\(frames) a guest and day" : "\(frames) a guest"
    }

    private var moments: String? {
        parameters.schedule.moments.map { hours in
            func time(_ minute: UInt32) -> String { String(format: "%d:%02d", minute / 60, minute % 60) }
            let offset = abs(hours.utcOffset)
            return "each day five minutes that begin between \(time(hours.from)) and \(time(hours.to)), UTC"
                + String(format: "%@%02d:%02d", hours.utcOffset < 0 ? "-" : "+", offset / 60, offset % 60)
        }
    }

    private var missions: [(String, String?)] {
        zip(parameters.photos.missions ?? [], info.photos.missionCounts).enumerated().map { index, mission in
            ("mission", "\(index + 1)  \(mission.0.text) (\(Show.count(mission.1, "photo")))")
        }
    }

    private var kept: String {
        if info.isDeleted { return "not: an organizer has deleted the event" }
        let span = UInt64(parameters.schedule.retentionHours ?? 0)
        let isProlonged = info.times.endsAt + span * 3_600_000 > info.times.expiresAt
        return "\(Self.span(UInt32(span))) after the end" + (isProlonged ? " that guests were told first" : "")
            + ", until \(Show.time(info.times.expiresAt))"
    }

    private var price: String? {
        guard let price = parameters.presentation.price else { return nil }
        return price.cents == 0
            ? "free" : String(format: "%d.%02d ", price.cents / 100, price.cents % 100) + price.currency
    }

    private var shown: String {
        switch parameters.photos.reveal {
        case "at-end": "to others after the end"
        case "at": "to others from \(Show.time(parameters.photos.revealAt ?? 0))"
        case "by-host": "to others when an organizer reveals them"
        case "never": "to organizers only"
        default: "to all at once"
        }
    }

    private var approval: String? {
        switch parameters.approvalRule {
        case .all: "photos of guests wait until a moderator approves them"
        case .first: "photos of a guest wait until a moderator approves one of them"
        case .some(.none), nil: nil
        }
    }

    private var veils: String? {
        parameters.photos.veils == true ? "guests can have photos veiled until a moderator decides" : nil
    }

    private var pageSealing: String? {
        parameters.photos.pageSealing == true
            ? "guests' phones seal photos until they are shown; the node that serves a page could change its script" : nil
    }

    private var names: String? {
        switch parameters.pages.nameRule {
        case "required": "guests give a name before they add photos"
        case "never": "guests are not asked for a name"
        default: nil
        }
    }

    private var source: String? {
        parameters.pages.isCameraOnly == true ? "guests' pages offer the camera only" : nil
    }

    private var photosAtOnce: String? {
        guard let count = parameters.pages.photosAtOnce, count > 0 else { return nil }
        return "guests choose \(count == 1 ? "one photo" : "up to \(count) photos") at once"
    }

    private var tickets: String? {
        parameters.photos.tickets == true ? "guests have frames only with a ticket" : nil
    }

    private var wallCode: String? {
        parameters.pages.wallCode == true
            ? "new guests need the code that the wall shows, another one every ten minutes" : nil
    }

    private var saving: String? {
        switch parameters.pages.downloads {
        case "own": "guests save their own photos from the pages"
        case "organizers": "guests save no photos from the pages"
        default: nil
        }
    }

    private var videos: String? {
        switch parameters.pages.videos {
        case "on", nil: nil
        case "off": "guests add no videos"
        case let seconds?: "guests add videos of up to \(seconds) seconds"
        }
    }

    private var theme: String? { parameters.pages.theme == EventTheme.film.word ? nil : parameters.pages.theme }

    /// The reliability of the sealing, in the words of protocol/disposable-v1.md §11.
    private var sealing: String {
        switch info.sealing {
        case .none:
            parameters.photos.reveal == "now"
                ? "none: every node has the keys of every photo as it comes"
                : "none: the photos are not sealed; these nodes show them later, other programs need not"
        case .revealed: "over: the key is published, and every node has it"
        case .shared:
            """
            level 2 of 3: organizers reveal the photos together, each with a share of the key, as `disposable event
            shares` lists. Not level 3: what guests send by the page passes through the node that serves it, which
            a changed program could keep.
            """
        case .organizers:
            """
            level 1 of 3: before, nothing but the organizers' disks and the printed event key opens the photos of others.
            Not level 2 (--shares), where several keep parts of the key. And level 3: what guests send by the page
            passes through the node that serves it, which a changed program could keep, unless phones seal it.
            """
        }
    }

    private var counters: [String] {
        let (photos, remarks, members) = (info.photos, info.remarks, info.members)
        return [
            Self.row(
                "photos",
                "\(photos.photoCount) (\(Show.bytes(photos.byteCount))), \(photos.waitingCount) waiting, "
                    + "\(photos.hiddenCount) hidden, \(photos.removedCount) taken away"),
            Self.row(
                "frames", "\(members.framesUsed) used" + (members.framesLeft.map { ", \($0) left" } ?? "")),
            Self.row(
                "remarks",
                "\(Show.count(remarks.captionCount, "caption")), \(Show.count(remarks.commentCount, "comment")), "
                    + "\(Show.count(remarks.reactionCount, "reaction")), \(Show.count(remarks.noticeCount, "notice"))"),
            Self.row("people", "\(members.personCount) on \(Show.count(members.deviceCount, "device"))"),
            Self.row(
                "pictures",
                "cover \(photos.cover.map { String($0.prefix(8)) } ?? "-"), "
                    + "plan \(photos.plan.map { String($0.prefix(8)) } ?? "-")"),
            Self.row("agreed", "\(members.consentCount) of them to the present consent text"),
        ]
    }

    /// The people with a role, and as many of the others as fit on a screen.
    private var people: [String] {
        let people = info.members.people
        let shown = people.prefix(max(20, people.count { !$0.roles.isEmpty }))
        let rows = shown.map { person in
            let frames = "\(person.framesUsed)" + (person.frames.map { " of \($0)" } ?? "") + " frames"
            let roles = person.roles.isEmpty ? "" : ", " + person.roles.joined(separator: ", ")
            return Self.row(
                "",
                "\(person.key.prefix(8))  \(person.name ?? "-")\(person.isMe ? " (you)" : "")"
                    + "\(person.hasLeft ? ", has left" : "")\(roles), \(frames)")
        }
        return rows
            + (shown.count < people.count ? [Self.row("", "and \(people.count - shown.count) more")] : [])
    }

    // Photos per hour

    private static let barWidth = 40
    private static let barCountMax = 24

    /// One row a time, of one hour or as many as make a screen of it.
    private var bars: [String] {
        guard let first = info.photos.hours.first, let last = info.photos.hours.last else { return [] }
        let hour: UInt64 = 3_600_000
        let span = (last.startsAt - first.startsAt) / hour + 1
        let step = [1, 2, 3, 6, 12, 24, 48].first { span <= UInt64(Self.barCountMax * $0) } ?? 48
        var counts: [UInt64: Int] = [:]
        for entry in info.photos.hours {
            counts[(entry.startsAt - first.startsAt) / hour / UInt64(step), default: 0] += entry.photoCount
        }
        let most = counts.values.max() ?? 1
        let rows = (0...(counts.keys.max() ?? 0)).map { index in
            let count = counts[index] ?? 0
            let width = count == 0 ? 0 : max(1, count * Self.barWidth / most)
            let start = first.startsAt + index * UInt64(step) * hour
            return "  \(Show.time(start))  " + (count == 0 ? "" : String(repeating: "#", count: width) + " \(count)")
        }
        return ["", "  photos in each \(step == 1 ? "hour" : "\(step) hours")"] + rows
    }

    // Words

    private static func row(_ label: String, _ text: String) -> String {
        "  " + label.padding(toLength: 9, withPad: " ", startingAt: 0) + text.replacing("\n", with: "\n           ")
    }

    private static func span(_ hours: UInt32) -> String {
        hours.isMultiple(of: 24) ? Show.count(Int(hours / 24), "day") : Show.count(Int(hours), "hour")
    }
}
