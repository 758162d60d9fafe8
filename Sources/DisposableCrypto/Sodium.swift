// SPDX-License-Identifier: Apache-2.0
internal import CSodium

/// The one place where libsodium is initialised.
///
/// Every function of this module that calls libsodium touches `Sodium.ready` first. `sodium_init` is thread-safe and
/// returns a negative number only when the system has no random source, where going on would be unsafe.
enum Sodium {
    static let ready: Bool = {
        precondition(sodium_init() >= 0, "libsodium could not be initialised")
        return true
    }()
}
