// SPDX-License-Identifier: Apache-2.0
package import DisposableModel

/// The rules of messages to the organizers once more.
extension Oracle {
    /// The messages that count, in the order in which they are shown.
    package var messages: [OperationID] {
        let counting = operations.filter { $0.kind == .message && counts($0) }
        let shown = counting.filter { message in
            let earlier = counting.filter {
                author(of: $0) == author(of: message)
                    && ($0.header.sequence, $0.id) < (message.header.sequence, message.id)
            }
            return earlier.count < 50 && isWithdrawn(message) != .removed && isWithdrawn(message) != .erased
        }
        return shown.sorted { left, right in
            (left.header.timestamp, left.header.device, left.id) < (right.header.timestamp, right.header.device, right.id)
        }.map(\.id)
    }

    /// The devices to which a message is sealed now. A device that signs for a guest is no organizer.
    package var messageRecipients: [DeviceID] {
        let gone = gone
        let organizers = ranks.filter { $0.value == .organizer && !gone.contains($0.key) }.keys.sorted()
        let founders = organizers.filter { device in
            joins(of: device).contains { sponsor($0) == eventKey && isCounting(join: $0) }
        }
        return Array(([eventKey] + founders + organizers.filter { !founders.contains($0) }).prefix(16))
    }
}
