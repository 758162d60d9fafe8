// SPDX-License-Identifier: Apache-2.0

/// A rate for each address and one for all addresses together, of which a part is reserved for quiet addresses. A flood
/// uses up the common part and its own addresses' share of the reserve, and a new address still gets a token. Pure:
/// time is an argument.
package struct SharedRate: Sendable {
    package struct Limits: Equatable, Sendable {
        package var byAddress: Rate
        /// For all addresses together.
        package var common: Rate
        /// The part of the reserve that one address may use.
        package var quiet: Rate
        /// For quiet addresses, once the common rate is used up.
        package var reserve: Rate
        package init(byAddress: Rate, common: Rate, quiet: Rate, reserve: Rate) {
            (self.byAddress, self.common, self.quiet, self.reserve) = (byAddress, common, quiet, reserve)
        }
    }

    private var byAddress: TokenBuckets<String>
    private var common: TokenBuckets<Int>
    private var quiet: TokenBuckets<String>
    private var reserve: TokenBuckets<Int>

    package init(_ limits: Limits, addressCountMax: Int) {
        byAddress = TokenBuckets(limits.byAddress, keyCountMax: addressCountMax)
        common = TokenBuckets(limits.common, keyCountMax: 1)
        quiet = TokenBuckets(limits.quiet, keyCountMax: addressCountMax)
        reserve = TokenBuckets(limits.reserve, keyCountMax: 1)
    }

    /// Returns the time until the address may have a token; `nil` if it may now.
    package mutating func wait(for address: String, at now: ContinuousClock.Instant) -> Duration? {
        if let wait = byAddress.wait(for: address, at: now) { return wait }
        guard let wait = common.wait(for: 0, at: now) else { return nil }
        guard let reserved = quiet.wait(for: address, at: now) ?? reserve.wait(for: 0, at: now) else { return nil }
        return min(wait, reserved)
    }

    /// Takes one token, and returns `nil`; or takes none, and returns the time until there may be one.
    package mutating func take(for address: String, at now: ContinuousClock.Instant) -> Duration? {
        if let wait = wait(for: address, at: now) { return wait }
        _ = byAddress.take(for: address, at: now)
        if common.take(for: 0, at: now) != nil {
            _ = quiet.take(for: address, at: now)
            _ = reserve.take(for: 0, at: now)
        }
        return nil
    }
}
