// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
package import DisposableWeb
internal import HTTPTypes

extension PortalError {
    /// `nil` for errors that the guest cannot act on.
    package init?(refusing error: any Error) {
        switch error {
        case let error as PortalError: self = error
        case let error as Refusal: self.init(error)
        case let error as DeskError: self.init(error)
        case FairTurnsRefusal.ofOwner(let limit):
            self = .tooMany("\(limit) photos of this guest are waiting to be added", retryAfter: 5)
        case FairTurnsRefusal.ofAddress:
            self = .tooMany("many photos of this network address are waiting to be added", retryAfter: 5)
        case is DamagedUpload:
            self.init(
                .serviceUnavailable, "unavailable", "a part of the upload was lost: ask for its offset", retryAfter: 1
            )
        default: return nil
        }
    }
}
