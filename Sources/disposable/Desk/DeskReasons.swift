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
            case .refused(.unknownPhoto), .unknownEvent, .noEvents: .notFound
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
    /// The key of the sentence in `errors` of `Public/texts/desk`, and its values; `nil` for errors that are rare at the
    /// desk. The key of a refusal is its code.
    var deskReason: (key: String?, about: [String]) {
        switch self {
        case .refused(let refusal): (refusal.code.rawValue, refusal.values)
        case .rebuilding: ("rebuilding", [])
        case .olderVersion: ("newer-version", [])
        case .tooManyFavourites: ("too-many-favourites", [])
        case .unlimited(let name): ("unlimited", [name])
        case .nothingSealed, .cannotSeal(isRevealed: false): ("unsealed", [])
        case .cannotSeal(isRevealed: true): ("revealed", [])
        case .earlyReveal(let planned): ("early", [planned])
        case .neverRevealed: ("for-organizers", [])
        case .shares(.noneHere): ("no-share", [])
        case .map(let problem): (problem.code, [])
        case .shares(.noReveal): ("shares-without-reveal", [])
        case .twins(.unreadable): ("twin-unreadable", [])
        case .twins(.invalid): ("twin-invalid", [])
        case .twins(.own): ("twin-own", [])
        case .twins(.full): ("twin-full", [])
        case .twins(.usedUp): ("twin-used-up", [])
        case .twins(.unproven): ("twin-unproven", [])
        case .twins(.notHere): ("twin-not-here", [])
        case .twins(.unknown): ("twin-unknown", [])
        case .twins(.reader): ("twin-reader", [])
        case .harmsOthers(let preview):
            ("harm", ["\(preview.lostPhotoCountOfOthers)"] + (preview.extent.withAdmitted ? preview.admitted : [])
                + preview.removedOthers)
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
