// SPDX-License-Identifier: Apache-2.0

/// The sentences of the pages without scripts, by page.
package struct SimpleTexts: Sendable {
    /// The page on which a code is typed.
    package struct Entrance: Sendable {
        package let enterTitle: String
        package let enterHeading: String
        package let code: String
        package let name: String
        package let returnWords: String
        package let shared: String
        package let dataLink: String
        /// The address of the page about data.
        package let dataPage: String
        package let enter: String
    }

    /// The page in a phone's sign-in window.
    package struct SignIn: Sendable {
        package let onWiFi: String
        package let scanOrOpen: String
        package let windowLimits: String
        package let toBoard: String
    }

    /// The page with the return words.
    package struct Welcome: Sendable {
        package let youAreIn: @Sendable (_ event: String) -> String
        package let writeDown: String
        package let toPhotos: String
    }

    /// The list of photos.
    package struct Gallery: Sendable {
        package let older: String
        package let missions: String
        package let missionsHint: String
        package let everyone: String
        package let mine: String
        package let saveAll: String
        package let saveMine: String
        package let elsewhere: String
        package let elsewhereHint: String
        package let photoBy: @Sendable (_ name: String) -> String
        package let keep: String
        package let remove: String
        package let pending: String
        package let save: String
    }

    /// The page after photos of which some were refused.
    package struct Refused: Sendable {
        package let refusedTitle: String
        package let refusedHeading: String
        package let sentOf: @Sendable (_ sent: Int, _ all: Int) -> String
        package let toMine: String
    }

    /// Photos that are shown later.
    package struct Sealed: Sendable {
        package let inCamera: @Sendable (_ count: Int) -> String
        package let onlyHost: String
        package let shownFrom: @Sendable (_ milliseconds: UInt64) -> String
        package let hostDecides: String
        /// For events whose photos several organizers reveal together.
        package let organizersReveal: @Sendable (_ count: Int) -> String
    }

    /// The form for a ticket, where the event asks for one.
    package struct Ticket: Sendable {
        package let title: String
        package let missing: String
        /// - Parameter number: the number of a ticket that somebody else has now.
        package let lost: @Sendable (_ number: UInt64) -> String
        package let type: String
        package let use: String
    }

    /// The form that sends photos, with the consent before it.
    package struct Sending: Sendable {
        package let enterFirst: String
        package let enterFirstHint: String
        package let youAre: @Sendable (_ name: String) -> String
        package let takenOf: @Sendable (_ used: Int, _ limit: Int) -> String
        package let taken: @Sendable (_ used: Int) -> String
        package let photos: String
        /// The sentence of events whose organizers let guests send so many photos at once and no more.
        package let atOnce: @Sendable (_ limit: Int) -> String
        package let send: String
        package let hostAsks: String
        package let agree: String
        /// The consent that is signed in English, as guests read it.
        package let statement: String
    }

    /// The comments on a photo.
    package struct Remarks: Sendable {
        package let comments: String
        package let back: String
        package let earlierComments: @Sendable (_ count: Int) -> String
        package let allComments: @Sendable (_ count: Int) -> String
        package let commentCount: @Sendable (_ count: Int) -> String
    }

    /// The page about the program for a guest's own computer.
    package struct Program: Sendable {
        package let title: String
        package let intro: String
        package let warning: String
        package let download: String
        package let save: String
        package let file: @Sendable (_ name: String, _ megabytes: String) -> String
        package let compare: String
        package let compareHint: String
        package let compareWhere: String
        package let compareHere: String
        package let install: String
        package let version: @Sendable (_ version: String) -> String
        package let joinHint: String
        package let joined: String
        package let update: String
        package let updateHint: @Sendable (_ version: String) -> String
        package let installed: String
        package let installedHint: String
        package let openDesk: String
        package let back: String
    }

    package let language: Language

    package let guest: String
    package let anotherBox: String
    package let firstPage: String
    package let haveCode: String

    package let entrance: Entrance
    package let signIn: SignIn
    package let welcome: Welcome
    package let gallery: Gallery
    package let refused: Refused
    package let sealed: Sealed
    package let ticket: Ticket
    package let sending: Sending
    package let remarks: Remarks
    package let program: Program

    /// Sentences for the codes of protocol/guest-api.md §7; other errors show the node's own message.
    package let errors: [String: String]

    package static func of(_ language: Language) -> Self {
        switch language {
        case .english: .english
        case .french: .french
        }
    }
}
