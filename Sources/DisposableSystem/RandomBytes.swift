// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Returns bytes from the system's random source, which is `getrandom`.
    package static func random(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
