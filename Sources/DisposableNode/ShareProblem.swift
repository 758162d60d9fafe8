// SPDX-License-Identifier: Apache-2.0

/// The reason why a command about shares is refused.
public enum ShareProblem: Equatable, Sendable {
    /// A new event with shares shows its photos at once, or never.
    case noReveal
    /// The event's reveal key is not shared.
    case off
    /// No organizer has given this machine a share.
    case noneHere
    /// The rest cannot be destroyed before organizers have enough shares.
    case tooFewDealt(count: Int, needed: Int)
}

extension ShareProblem {
    var message: String {
        switch self {
        case .noReveal: "shares need photos that are shown later: at the end, at a time, or on command"
        case .off: "the organizers of this event do not reveal its photos together: it was created without shares"
        case .noneHere: "this machine has no share of the key that opens the photos"
        case .tooFewDealt(let count, let needed):
            "only \(count) of the \(needed) shares that reveal the photos are with organizers"
        }
    }

    var hint: String? {
        switch self {
        case .noReveal: "add --reveal at-end or --reveal by-host"
        case .off: nil
        case .noneHere: "do it on the machine of an organizer with a share: `disposable event shares` lists them"
        case .tooFewDealt: "make organizers first: `disposable role grant organizer NAME`"
        }
    }

    var exitCode: Int32 {
        switch self {
        case .noReveal: 2
        case .off, .noneHere: 3
        case .tooFewDealt: 1
        }
    }
}
