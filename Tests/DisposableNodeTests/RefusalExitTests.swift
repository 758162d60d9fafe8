// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableNode
import Testing

@Suite struct RefusalExitTests {
    @Test("a refused command ends with 2 for an invalid text, 3 if there is nothing to do or to find, and otherwise 1")
    func exitCodes() {
        let usage: Set<Refusal.Code> = [.malformedText, .malformedName]
        let nothing: Set<Refusal.Code> = [
            .unknownPhoto, .noChange, .unknownMission, .unknownComment, .unknownMessage, .noSuchTicket,
        ]
        for code in Refusal.Code.allCases {
            #expect(code.exitCode == (usage.contains(code) ? 2 : nothing.contains(code) ? 3 : 1), "\(code)")
        }
    }

    @Test("the command line says when, in UTC, and which command helps")
    func words() {
        let over = NodeError.refused(.over(at: 1_700_000_000_000))
        #expect("\(over)" == "the event was over at 2023-11-14T22:13:20.000Z, and photos are no longer accepted")
        #expect(over.hint?.contains("`disposable event edit --late 2h`") == true)
        #expect(over.exitCode == 1)
        #expect(NodeError.refused(.unknownPhoto("1f")).hint == "`disposable gallery` lists them")
        #expect(NodeError.refused(.rankTooLow(needed: .eventKey)).hint == "do it on a machine that has the event's key")
        #expect(NodeError.refused(.rankTooLow(needed: .organizer)).hint?.contains("`disposable role grant`") == true)
        // Without a command of its own it has the hint for every device.
        #expect(NodeError.refused(.notShownYet).hint == Refusal.notShownYet.hint)
        #expect(NodeError.noMission(3, count: 2).exitCode == 3)
    }
}
