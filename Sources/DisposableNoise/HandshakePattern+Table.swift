// SPDX-License-Identifier: Apache-2.0

extension HandshakePattern {
    /// Returns a one-way pattern (Noise §7.4), a fundamental one (§7.5) or a deferred one (§18.1), in that order: the
    /// keys that are known beforehand, and the tokens of each message.
    ///
    /// Disposable uses XXpsk0 only. The others cost a line each and test the interpreter: the public vectors do not
    /// include XXpsk0, but all of its parts.
    static func named(_ name: Substring) -> (preMessages: [HandshakeRole], messages: [[Token]])? {
        switch name {
        case "N": ([.responder], [[.e, .es]])
        case "K": ([.initiator, .responder], [[.e, .es, .ss]])
        case "X": ([.responder], [[.e, .es, .s, .ss]])

        case "NN": ([], [[.e], [.e, .ee]])
        case "NK": ([.responder], [[.e, .es], [.e, .ee]])
        case "NX": ([], [[.e], [.e, .ee, .s, .es]])
        case "KN": ([.initiator], [[.e], [.e, .ee, .se]])
        case "KK": ([.initiator, .responder], [[.e, .es, .ss], [.e, .ee, .se]])
        case "KX": ([.initiator], [[.e], [.e, .ee, .se, .s, .es]])
        case "XN": ([], [[.e], [.e, .ee], [.s, .se]])
        case "XK": ([.responder], [[.e, .es], [.e, .ee], [.s, .se]])
        case "XX": ([], [[.e], [.e, .ee, .s, .es], [.s, .se]])
        case "IN": ([], [[.e, .s], [.e, .ee, .se]])
        case "IK": ([.responder], [[.e, .es, .s, .ss], [.e, .ee, .se]])
        case "IX": ([], [[.e, .s], [.e, .ee, .se, .s, .es]])

        case "NK1": ([.responder], [[.e], [.e, .ee, .es]])
        case "NX1": ([], [[.e], [.e, .ee, .s], [.es]])
        case "X1N": ([], [[.e], [.e, .ee], [.s], [.se]])
        case "X1K": ([.responder], [[.e, .es], [.e, .ee], [.s], [.se]])
        case "XK1": ([.responder], [[.e], [.e, .ee, .es], [.s, .se]])
        case "X1K1": ([.responder], [[.e], [.e, .ee, .es], [.s], [.se]])
        case "X1X": ([], [[.e], [.e, .ee, .s, .es], [.s], [.se]])
        case "XX1": ([], [[.e], [.e, .ee, .s], [.es, .s, .se]])
        case "X1X1": ([], [[.e], [.e, .ee, .s], [.es, .s], [.se]])
        case "K1N": ([.initiator], [[.e], [.e, .ee], [.se]])
        case "K1K": ([.initiator, .responder], [[.e, .es], [.e, .ee], [.se]])
        case "KK1": ([.initiator, .responder], [[.e], [.e, .ee, .se, .es]])
        case "K1K1": ([.initiator, .responder], [[.e], [.e, .ee, .es], [.se]])
        case "K1X": ([.initiator], [[.e], [.e, .ee, .s, .es], [.se]])
        case "KX1": ([.initiator], [[.e], [.e, .ee, .se, .s], [.es]])
        case "K1X1": ([.initiator], [[.e], [.e, .ee, .s], [.se, .es]])
        case "I1N": ([], [[.e, .s], [.e, .ee], [.se]])
        case "I1K": ([.responder], [[.e, .es, .s], [.e, .ee], [.se]])
        case "IK1": ([.responder], [[.e, .s], [.e, .ee, .se, .es]])
        case "I1K1": ([.responder], [[.e, .s], [.e, .ee, .es], [.se]])
        case "I1X": ([], [[.e, .s], [.e, .ee, .s, .es], [.se]])
        case "IX1": ([], [[.e, .s], [.e, .ee, .se, .s], [.es]])
        case "I1X1": ([], [[.e, .s], [.e, .ee, .s], [.se, .es]])
        default: nil
        }
    }
}
