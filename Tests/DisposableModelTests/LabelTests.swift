// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import Testing

@Suite struct LabelTests {
    @Test(
        "names in many scripts and with emoji are well formed",
        arguments: ["A", "Anna", "Zoë", "Łukasz", "アンナ", "אנה", "آنا", "👩‍👩‍👧‍👦 Müller", "🇩🇪", "O'Neil", " Anna "])
    func accepted(_ name: String) { #expect(Label.isWellFormed(name)) }

    @Test(
        "empty, blank, several lines, control and direction-override characters are refused",
        arguments: [
            "", " ", "\t", "\u{00A0}", "\u{3000}", "An\nna", "An\r\nna", "An\rna", "An\tna", "Anna\u{0}",
            "\u{1B}[31mAnna",
            "An\u{7F}na", "An\u{85}na", "An\u{9B}na", "An\u{2028}na", "An\u{2029}na", "An\u{202E}gpj.na",
            "\u{202A}Anna", "\u{202B}Anna", "\u{202C}Anna", "\u{202D}Anna", "\u{2066}Anna", "\u{2067}Anna",
            "\u{2068}Anna", "Anna\u{2069}",
        ])
    func refused(_ name: String) { #expect(!Label.isWellFormed(name)) }

    @Test(
        "a name that nobody can see is refused",
        arguments: [
            "\u{200B}", "\u{200D}", "\u{FEFF}", "\u{2060}\u{200E}", "\u{AD}", "\u{E0041}", " \u{200B} ", "\u{FE0F}",
            "\u{2800}",
        ])
    func invisible(_ name: String) { #expect(!Label.isWellFormed(name)) }

    @Test("a person may give forty characters as people count them, not forty-one")
    func length() {
        #expect(Label.isAcceptable(String(repeating: "a", count: 40)))
        #expect(!Label.isAcceptable(String(repeating: "a", count: 41)))
        #expect(Label.isAcceptable(String(repeating: "e\u{301}", count: 40)))
        #expect(!Label.isAcceptable(String(repeating: "e\u{301}", count: 41)))
        #expect(Label.isAcceptable(String(repeating: "😀", count: 40)))
        #expect(Label.isAcceptable(String(repeating: "😀", count: 80), characterCountMax: 80))
        #expect(!Label.isAcceptable("An\nna"))
    }

    @Test("on the wire scalars and bytes are counted, whatever they look like")
    func scalars() {
        #expect(Label.isWellFormed(String(repeating: "a", count: 160)))
        #expect(!Label.isWellFormed(String(repeating: "a", count: 161)))
        #expect(Label.isWellFormed(String(repeating: "😀", count: 80)))
        #expect(!Label.isWellFormed(String(repeating: "😀", count: 81)))
    }

    /// The categories of today's Unicode tables, as a check that the fixed ranges leave nothing out. A later version
    /// may add scalars to its tables; the ranges stay as they are.
    @Test("no scalar that these tables call white space or ignorable counts as visible")
    func tables() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned,
                scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
            else { continue }
            #expect(!Label.isWellFormed(String(Character(scalar))), "U+\(String(value, radix: 16))")
        }
    }

    @Test("a single character under a tower of combining marks is refused by its bytes")
    func towers() {
        #expect(Label.isWellFormed("e" + String(repeating: "\u{301}", count: 159)))  // 319 bytes
        #expect(!Label.isWellFormed("e" + String(repeating: "\u{301}", count: 160)))  // 321 bytes
        #expect(!Label.isWellFormed("e" + String(repeating: "\u{301}", count: 5_000)))
    }
}

@Suite struct CharterTests {
    private func charter(_ change: (inout Charter) -> Void = { _ in }) -> Charter {
        var charter = Charter(name: "Anna & Ben", startsAtMilliseconds: 1_800_000_000_000)
        change(&charter)
        return charter
    }

    @Test("the defaults are 27 frames and eight days, and the end follows from start and duration")
    func defaults() {
        let charter = charter()
        #expect(charter.isWellFormed)
        #expect(charter.frames == 27)
        #expect(charter.schedule.durationHours == 192)
        #expect(charter.endsAtMilliseconds == 1_800_000_000_000 + 8 * 86_400_000)
    }

    @Test("every field is accepted at both ends of its range and refused beyond")
    func ranges() {
        for hours in [1, 720] as [UInt32] {
            #expect(charter { $0.schedule.durationHours = hours }.isWellFormed)
            #expect(charter { $0.schedule.retentionHours = hours }.isWellFormed)
        }
        for hours in [0, 721, .max] as [UInt32] {
            #expect(!charter { $0.schedule.durationHours = hours }.isWellFormed)
            #expect(!charter { $0.schedule.retentionHours = hours }.isWellFormed)
        }
        for frames in [0, 1, 1_000] as [UInt32] { #expect(charter { $0.frames = frames }.isWellFormed) }
        for frames in [1_001, .max] as [UInt32] { #expect(!charter { $0.frames = frames }.isWellFormed) }
        let latest = HybridTimestamp.millisecondsMax - 1_441 * 3_600_000
        #expect(charter { $0.schedule.startsAtMilliseconds = 0 }.isWellFormed)
        #expect(charter { $0.schedule.startsAtMilliseconds = latest }.isWellFormed)
        #expect(!charter { $0.schedule.startsAtMilliseconds = latest + 1 }.isWellFormed)
        #expect(!charter { $0.schedule.startsAtMilliseconds = .max }.isWellFormed)
    }

    @Test("a person may give the event's name 1 to 80 characters, the organizer's 0 to 40")
    func acceptable() {
        #expect(charter { $0.name = String(repeating: "x", count: 80) }.isAcceptable)
        #expect(!charter { $0.name = String(repeating: "x", count: 81) }.isAcceptable)
        #expect(charter { $0.organizer.name = String(repeating: "x", count: 40) }.isAcceptable)
        #expect(!charter { $0.organizer.name = String(repeating: "x", count: 41) }.isAcceptable)
        #expect(!charter { $0.schedule.durationHours = 0 }.isAcceptable)
    }

    @Test("the event's name is a label, the organizer's one or nothing")
    func names() {
        #expect(charter { $0.name = String(repeating: "x", count: 160) }.isWellFormed)
        #expect(!charter { $0.name = String(repeating: "x", count: 161) }.isWellFormed)
        #expect(!charter { $0.name = "" }.isWellFormed)
        #expect(!charter { $0.name = "Anna\nBen" }.isWellFormed)
        #expect(charter { $0.organizer.name = "" }.isWellFormed)
        #expect(!charter { $0.organizer.name = String(repeating: "x", count: 161) }.isWellFormed)
        #expect(!charter { $0.organizer.name = "\u{202E}" }.isWellFormed)
    }
}
