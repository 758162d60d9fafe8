// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// The privileges of this process (capabilities(7)).
package enum Capabilities {
    /// Keeps capabilities that this process got as ambient ones from the programs that the calling thread starts from
    /// now on. Each thread has a set of its own, so this is called where a program is started.
    package static func keepFromPrograms() {
        _ = clinux_prctl(PR_CAP_AMBIENT, UInt(PR_CAP_AMBIENT_CLEAR_ALL))
    }
}
