// SPDX-License-Identifier: Apache-2.0

/// The sentences of an exported album's page.
package struct AlbumTexts: Sendable {
    /// - Parameter host: of the event.
    package let with: @Sendable (_ host: String) -> String
    package let photos: @Sendable (_ count: Int) -> String
    /// The number of photos, and of the people that took them.
    package let photosBy: @Sendable (_ photos: Int, _ people: Int) -> String
    package let comments: @Sendable (_ count: Int) -> String
    package let photoBy: @Sendable (_ name: String) -> String
    package let videoBy: @Sendable (_ name: String) -> String
    /// The only person without a name, and one of several.
    package let guest: String
    package let guestNumber: @Sendable (_ number: Int) -> String
    package let paper: Paper
    package let signed: String
    package let verified: String
    package let words: String
    package let photo: String
    package let previous: String
    package let next: String
    package let close: String
    package let original: String
    package let noPreview: String
    /// Between the place of a photo and the number of photos.
    package let of: String

    /// The pages that are made to be printed.
    package struct Paper: Sendable {
        package let all: String
        package let book: String
        /// Above the book, on the screen only.
        package let printing: String
    }

    package static func of(_ language: Language) -> Self {
        switch language {
        case .english: .english
        case .french: .french
        }
    }

    /// Returns a name of the manifest, which is the same for every reader; people without a name are named in this
    /// language.
    package func shown(_ name: String) -> String {
        if name == Self.english.guest { return guest }
        let prefix = "Guest "
        guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)) else { return name }
        return guestNumber(number)
    }

    private static let english = Self(
        with: { "With \($0), " },
        photos: { Language.english.count($0, "photo", "photos") },
        photosBy: {
            "\(Language.english.count($0, "photo", "photos")) by \(Language.english.count($1, "person", "people"))"
        },
        comments: { Language.english.count($0, "comment", "comments") },
        photoBy: { "Photo by \($0)" }, videoBy: { "Video by \($0)" },
        guest: "A guest", guestNumber: { "Guest \($0)" },
        paper: Paper(
            all: "All photos on paper",
            book: "The album to print, with captions and comments",
            printing: "Print this page on A4, or save it as a PDF: two photos are on each sheet."),
        signed: "Every photo here is signed by who took it, and the whole by who saved it.",
        verified: ", with this folder, checks that nothing was altered or taken away.",
        words: "The words of this event:",
        photo: "Photo", previous: "Previous photo", next: "Next photo", close: "Close", original: "Original",
        noPreview: "No preview: open the original.", of: "of")

    private static let french = Self(
        with: { "Avec \($0), " },
        photos: { Language.french.count($0, "photo", "photos") },
        photosBy: {
            "\(Language.french.count($0, "photo", "photos")) de \(Language.french.count($1, "personne", "personnes"))"
        },
        comments: { Language.french.count($0, "commentaire", "commentaires") },
        photoBy: { "Photo\u{A0}: \($0)" }, videoBy: { "Vidéo\u{A0}: \($0)" },
        guest: "Un invité", guestNumber: { "Invité \($0)" },
        paper: Paper(
            all: "Toutes les photos sur papier",
            book: "L’album à imprimer, avec légendes et commentaires",
            printing: "Imprimez cette page en A4, ou enregistrez-la en PDF\u{A0}: deux photos par feuille."),
        signed: "Chaque photo est signée par qui l’a prise, et le tout par qui l’a enregistré.",
        verified: ", avec ce dossier, vérifie que rien n’a été modifié ni enlevé.",
        words: "Les mots de cet événement\u{A0}:",
        photo: "Photo", previous: "Photo précédente", next: "Photo suivante", close: "Fermer", original: "Original",
        noPreview: "Pas d’aperçu\u{A0}: ouvrez l’original.", of: "sur")
}
