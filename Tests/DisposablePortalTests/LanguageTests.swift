// SPDX-License-Identifier: Apache-2.0
import DisposablePortal
import Foundation
import Testing

/// The languages of what the node writes itself: pages without scripts, prints, albums.
@Suite struct LanguageTests {
    @Test(
        "the language is that of a tag, with or without a region",
        arguments: [
            ("fr", Language.french), ("fr-CA", .french), ("FR_FR.UTF-8", .french), ("en", .english),
            ("en_US.UTF-8", .english), ("de", nil), ("C", nil), ("", nil), ("frisian", nil),
        ] as [(String, Language?)])
    func tag(tag: String, language: Language?) { #expect(Language(tag: tag) == language) }

    @Test(
        "a browser gets the available language that it prefers, otherwise English",
        arguments: [
            ("fr-FR,fr;q=0.9,en;q=0.8", Language.french), ("en-GB,fr;q=0.9", .english), ("de,fr;q=0.5,en;q=0.3", .french),
            ("en;q=0.2, fr;q=0.7", .french), ("fr;q=0,en", .english), ("de", .english), ("*", .english), ("", .english),
            ("fr;q=x", .english),
        ])
    func acceptLanguage(field: String, language: Language) {
        #expect(Language(acceptLanguage: field) == language)
        #expect(Language(acceptLanguage: nil) == .english)
    }

    @Test("a terminal's language is that of the first variable that is set")
    func environment() {
        #expect(Language(environment: [:]) == .english)
        #expect(Language(environment: ["LANG": "fr_FR.UTF-8"]) == .french)
        #expect(Language(environment: ["LC_ALL": "", "LANG": "fr_CH.UTF-8"]) == .french)
        #expect(Language(environment: ["LC_ALL": "C.UTF-8", "LANG": "fr_FR.UTF-8"]) == .english)
    }

    @Test("numbers, nouns and dates follow the language")
    func counts() {
        #expect(Language.english.count(0, "photo", "photos") == "0 photos")
        #expect(Language.french.count(0, "photo", "photos") == "0 photo")
        #expect(Language.french.count(2, "photo", "photos") == "2 photos")
        #expect(Language.french.text("EEEE d MMMM yyyy", milliseconds: 1_755_345_600_000) == "Samedi 16 août 2025")
        #expect(Language.english.text("EEEE d MMMM yyyy", milliseconds: 1_755_345_600_000) == "Saturday 16 August 2025")
        #expect(PrintTexts.of(.french).host("Anna") == "Anna vous invite à prendre des photos.")
        #expect(AlbumTexts.of(.french).photosBy(1, 0) == "1 photo de 0 personne")
    }

    /// The sentences of a catalogue and of its groups by name; those with values are made by functions, which the
    /// compiler compares.
    private func sentences(_ catalogue: Any) -> [String: String] {
        var found: [String: String] = [:]
        for (label, value) in Mirror(reflecting: catalogue).children {
            let name = label ?? ""
            if let text = value as? String {
                found[name] = text
            } else {
                let inner = value as? [String: String] ?? sentences(value)
                for (key, text) in inner { found["\(name).\(key)"] = text }
            }
        }
        return found
    }

    @Test("the French catalogues have the sentences of the English ones, of about the same length")
    func catalogues() {
        for (english, french) in [
            (PrintTexts.of(.english) as Any, PrintTexts.of(.french) as Any), (AlbumTexts.of(.english), AlbumTexts.of(.french)),
            (SimpleTexts.of(.english), SimpleTexts.of(.french)),
        ] {
            let (english, french) = (sentences(english), sentences(french))
            #expect(english.count > 5 && Set(english.keys) == Set(french.keys))
            for (name, text) in english where !text.contains("MMMM") {
                let length = french[name]?.count ?? .max
                #expect(length <= max(text.count * 14 / 10, text.count + 12), "\(name): \(french[name] ?? "")")
            }
            // A space that does not break stands before these signs and within quotation marks.
            for (name, text) in french { #expect(!text.contains(/[^\u{A0}\d][;!?»]|[^\u{A0}\d]:(?!\/)|«[^\u{A0}]/), "\(name)") }
        }
    }

    @Test("an English statement of consent is the one that guests sign, and others are translations of it")
    func statement() {
        #expect(SimpleTexts.of(.english).sending.statement.contains("Everyone here can see and save the photos I add."))
        let path = PublicFilesTests.folder.appendingPathComponent("texts/fr.js")
        let script = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        let joined = script.replacing(/"\s*\+\s*"/, with: "")
        #expect(joined.contains(SimpleTexts.of(.french).sending.statement))
    }
}
