// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableSync

/// The times of the event, and the frames of each day.
extension EventNode {
    /// Returns the number of frames in the author's quota now; `nil` without a limit.
    func rollLimit(of author: AuthorID) -> UInt64? {
        replica.state.rollLimit(of: author, at: now.wallClockMilliseconds)
    }

    /// Throws `.notBegun` or `.over` where the author can add no photo now.
    public func checkTimes(of author: AuthorID) throws {
        do throws(Refusal) { try replica.checkTimes(of: author) } catch { throw NodeError.refused(error) }
    }

    /// Completes an edit: a start that somebody gives is decided, and a draft without one begins now if it is opened.
    /// - Parameter isConfirmed: whether the person knows that the start of the draft is past.
    func settleStart(
        of edited: inout Charter, from charter: Charter, _ parameters: EventParameters, isConfirmed: Bool
    ) throws {
        let now = now.wallClockMilliseconds
        let given = parameters.schedule
        if given.startsAt != nil, given.startsOnOpening == nil { edited.schedule.startsOnOpening = false }
        guard edited.isOpened, !charter.isOpened else { return }
        if edited.schedule.startsOnOpening {
            (edited.schedule.startsAtMilliseconds, edited.schedule.startsOnOpening) = (now, false)
        } else if !isConfirmed, given.startsAt == nil,
            edited.schedule.startsAtMilliseconds + Charter.toleranceMilliseconds < now
        {
            throw NodeError.pastStart(at: edited.schedule.startsAtMilliseconds)
        }
    }
}
