// SPDX-License-Identifier: Apache-2.0
package import DisposableModel

/// The rule of turned photos once more.
extension Oracle {
    /// The photos that are turned.
    package var turns: [PhotoID: PhotoTurn] {
        var turns: [PhotoID: PhotoTurn] = [:]
        for photo in operations where photo.kind == .photo && counts(photo) {
            let stated = operations.filter {
                $0.kind == .turn && $0.header.subject == photo.id && $0.header.argument < 4
                    && author(of: $0) == author(of: photo) && counts($0) && isWithdrawn($0) == nil
            }
            switch latest(stated)?.header.argument {
            case 1: turns[PhotoID(photo.id)] = .quarter
            case 2: turns[PhotoID(photo.id)] = .half
            case 3: turns[PhotoID(photo.id)] = .threeQuarters
            default: break
            }
        }
        return turns
    }
}
