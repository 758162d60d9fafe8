// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import DisposablePortal

extension DeskError {
    /// The node's error with the message of the command line, and the reason with which the page words it.
    init(_ error: NodeError) {
        let kind: Kind =
            switch error {
            case .harmsOthers: .unconfirmed
            case .unknownEvent, .noEvents, .unknownPhoto: .notFound
            case .stopped, .rebuilding: .unavailable
            default: error.exitCode == 2 ? .unacceptable : .refused
            }
        let (reason, about) = error.deskReason
        // "--yes" is a hint for the command line only.
        self.init(
            kind, "\(error)", hint: [.unconfirmed, .notFound].contains(kind) ? nil : error.hint, reason: reason,
            about: about)
    }

}

extension NodeError {
    /// The key of the sentence in `errors` of `Public/desk/texts`, and its values; `nil` for errors that are rare at the
    /// desk.
    var deskReason: (key: String?, about: [String]) {
        switch self {
        case .notAdmitted: ("not-in", [])
        case .putOut: ("removed", [])
        case .hasLeft: ("leaving", [])
        case .notReconciled: ("rebuilt", [])
        case .rebuilding: ("rebuilding", [])
        case .olderVersion: ("newer-version", [])
        case .rankTooLow(let needed): ("rank", [needed == .eventKey ? "event-key" : "\(needed)"])
        case .nothingToDo, .alreadyRemoved: ("no-change", [])
        case .againstGuests(let field): ("promised", ["\(field)"])
        case .tooManyEdits: ("too-many-edits", [])
        case .tooManyRemarks: ("too-many-texts", [])
        case .tooFast: ("too-fast", [])
        case .tooManyFavourites: ("too-many-favourites", [])
        case .unlimited(let name): ("unlimited", [name])
        case .notShownYet: ("not-shown-yet", [])
        case .notShown: ("not-shown", [])
        case .refusedFile: ("no-photo", [])
        case .nothingSealed, .cannotSeal(isRevealed: false): ("unsealed", [])
        case .cannotSeal(isRevealed: true): ("revealed", [])
        case .noRevealKey: ("no-reveal-key", [])
        case .earlyReveal(let planned): ("early", [planned])
        case .neverRevealed: ("for-organizers", [])
        case .harmsOthers(let preview):
            ("harm", ["\(preview.lostPhotoCountOfOthers)"] + (preview.extent.withAdmitted ? preview.admitted : [])
                + preview.removedOthers)
        case .malformedName: ("invalid-name", [])
        case .invalidAddress: ("invalid-address", [])
        case .unacceptable(let demands): ("invalid-values", demands.map(Self.field(demanding:)))
        default: (nil, [])
        }
    }

    /// The charter's field with this requirement; "other" for another requirement.
    private static func field(demanding demand: String) -> String {
        CharterField.allCases.first { Charter.demand(of: $0) == demand }.map { "\($0)" } ?? "other"
    }
}
