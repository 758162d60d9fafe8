// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import Synchronization

/// The clocks of the phones that send photos: by how much each is ahead of this node's clock, as its page says.
///
/// Cameras date photos by these clocks. Most phones have the time of their network, and a node without the Internet may
/// have a wrong one. So the clock of most phones is right here, and this node's clock only compares them.
final class PhoneClocks: Sendable {
    /// The limit of phones; beyond it the one that was heard first is forgotten.
    static let countMax = 500
    /// Fewer phones have no majority.
    static let countMin = 3
    /// A smaller difference changes no date.
    static let toleranceMilliseconds: Int64 = 60_000
    /// Ten years; a larger difference is ignored.
    static let differenceMillisecondsMax: Int64 = 10 * 366 * 86_400_000

    private struct State {
        /// In milliseconds.
        var ahead: [AuthorID: Int64] = [:]
        /// The guests in the order in which they were heard.
        var order: [AuthorID] = []
    }
    private let state = Mutex(State())

    /// - Parameter ahead: in milliseconds.
    func note(_ ahead: Int64, of guest: AuthorID) {
        state.withLock { state in
            guard state.ahead.updateValue(ahead, forKey: guest) == nil else { return }
            state.order.append(guest)
            if state.order.count > Self.countMax { state.ahead[state.order.removeFirst()] = nil }
        }
    }

    /// Returns the milliseconds by which a phone's clock is ahead of most phones' clocks, negative if it is behind; 0
    /// if the difference is small or unknown.
    /// - Parameter ahead: the milliseconds by which it is ahead of this node's clock.
    func difference(of ahead: Int64?) -> Int64 {
        guard let ahead else { return 0 }
        let all = state.withLock { $0.ahead.values.sorted() }
        guard all.count >= Self.countMin else { return 0 }
        let difference = ahead - all[all.count / 2]
        return abs(difference) < Self.toleranceMilliseconds ? 0 : difference
    }
}
