// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposablePortal

/// The answer to phones that ask whether their network leads to the Internet.
enum CaptiveMode: String, ExpressibleByArgument, CaseIterable {
    /// That it does: phones stay on a network without Internet.
    case answer
    /// A redirect: phones open their sign-in window with a page of the node.
    case portal
    /// None.
    case off

    var configuration: Portal.Captive? {
        switch self {
        case .answer: Portal.Captive(.success)
        case .portal: Portal.Captive(.signIn)
        case .off: nil
        }
    }
}
