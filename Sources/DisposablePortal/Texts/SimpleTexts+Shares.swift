// SPDX-License-Identifier: Apache-2.0

extension SimpleTexts {
    /// Returns who shows the photos, where it takes several organizers.
    package func organizersReveal(_ count: Int) -> String {
        switch language {
        case .english: "\(count == 2 ? "Two" : "\(count)") organizers reveal the photos together."
        case .french: "\(count == 2 ? "Deux" : "\(count)") organisateurs révèlent les photos ensemble."
        }
    }
}
