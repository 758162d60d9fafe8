// SPDX-License-Identifier: Apache-2.0

/// The version of this program.
enum ProgramVersion {
    static let text = "1.0"
}
