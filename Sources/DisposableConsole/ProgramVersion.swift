// SPDX-License-Identifier: Apache-2.0

/// The version of the programs, as in docs/changelog.md and in the name of the Debian package.
public enum ProgramVersion {
    public static let text = "1.0.0"
}
