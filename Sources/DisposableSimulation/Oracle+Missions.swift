// SPDX-License-Identifier: Apache-2.0
package import DisposableModel

/// The missions that photos answer.
extension Oracle {
    /// The ids of the missions, by the photos that answer one.
    package var missionsOfPhotos: [PhotoID: UInt32] {
        let listed = Set(charter?.missions.map(\.id) ?? [])
        var missions: [PhotoID: UInt32] = [:]
        for id in statuses.keys {
            guard let photo = known[id.operationID] else { continue }
            let answers = operations.filter { answer in
                answer.kind == .answer && answer.header.subject == photo.id && counts(answer)
                    && author(of: answer) == author(of: photo) && answer.header.argument < 1 << 33
                    && answer.header.argument % (1 << 32) != 0 && isWithdrawn(answer) == nil
            }
            // None of the same device follows it, and of several devices' it is the latest.
            let last = answers.filter { answer in
                !answers.contains { other in
                    other.header.device == answer.header.device
                        && (other.header.sequence > answer.header.sequence
                            || (other.header.sequence == answer.header.sequence && other.id < answer.id))
                }
            }
            let latest = last.max {
                $0.header.timestamp != $1.header.timestamp
                    ? $0.header.timestamp < $1.header.timestamp : $1.id < $0.id
            }
            guard let argument = latest?.header.argument, argument < 1 << 32, listed.contains(UInt32(argument)) else {
                continue
            }
            missions[id] = UInt32(argument)
        }
        return missions
    }
}
