// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
package import HummingbirdCore

extension Response {
    /// The kind of a redirect (RFC 9110 §15.4).
    package enum Redirect {
        /// 301: the resource has moved permanently.
        case permanent
        /// 303: the result of the request is at this address, for GET.
        case seeOther

        fileprivate var status: HTTPResponse.Status {
            switch self {
            case .permanent: .movedPermanently
            case .seeOther: .seeOther
            }
        }
    }

    package static func redirect(to location: String, type: Redirect = .seeOther) -> Response {
        Response(status: type.status, headers: [.location: location])
    }
}
