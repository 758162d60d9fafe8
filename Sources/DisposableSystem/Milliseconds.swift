// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Milliseconds since 1970 UTC, by this machine's clock.
package enum Milliseconds {
    package static var now: UInt64 { UInt64(max(0, Date().timeIntervalSince1970 * 1000)) }
}
