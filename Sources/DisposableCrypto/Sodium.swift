// SPDX-License-Identifier: Apache-2.0
internal import CSodium

/// The initialization of libsodium.
///
/// Every function of this module that calls libsodium uses `Sodium.ready` first. `sodium_init` is thread-safe and
/// returns a negative number only if the system has no random source, in which case continuing would be unsafe.
enum Sodium {
    static let ready: Bool = {
        precondition(sodium_init() >= 0, "libsodium could not be initialised")
        return true
    }()
}
