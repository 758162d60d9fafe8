// SPDX-License-Identifier: Apache-2.0
import DisposableConformance
import Testing

@Suite struct NegentropyHarnessTests {
    private let e = String(repeating: "e", count: 64)
    private let f = String(repeating: "f", count: 64)

    @Test("two harnesses reconcile line by line")
    func conversation() {
        var initiator = NegentropyHarness(frameSizeLimit: 0)
        var responder = NegentropyHarness(frameSizeLimit: 4096)
        #expect(initiator.handle(line: "item,12345,\(e)") == [])
        #expect(initiator.handle(line: "seal") == [])
        #expect(responder.handle(line: "item,12346,\(f)") == [])
        #expect(responder.handle(line: "seal") == [])
        #expect(initiator.handle(line: "initiate") == ["msg,6100000201\(e)"])
        #expect(responder.handle(line: "msg,6100000201\(e)") == ["msg,6100000201\(f)"])
        #expect(initiator.handle(line: "msg,6100000201\(f)") == ["have,\(e)", "need,\(f)", "done"])
    }

    @Test("a responder falls back to version 1 and goes on")
    func versionDowngrade() {
        var responder = NegentropyHarness(frameSizeLimit: 0)
        _ = responder.handle(line: "item,12345,\(e)")
        _ = responder.handle(line: "seal")
        #expect(responder.handle(line: "msg,62aabbccddeeff") == ["msg,61"])
        #expect(responder.handle(line: "msg,6100000200") == ["msg,6100000201\(e)"])
    }

    @Test("a line out of turn or malformed is answered by an error, and changes nothing")
    func errors() {
        var harness = NegentropyHarness(frameSizeLimit: 0)
        let lines = [
            "", "msg,61", "initiate", "item,1", "item,x,\(e)", "item,18446744073709551615,\(e)", "item,1,ee", "?",
        ]
        for line in lines {
            let answer = harness.handle(line: line)
            #expect(answer.count == 1 && answer[0].hasPrefix("error,"), "\(line): \(answer)")
        }
        #expect(harness.handle(line: "item,1,\(e)") == [])
        #expect(harness.handle(line: "item,1,\(e)") == ["error,duplicate item"])
        #expect(harness.handle(line: "seal") == [])
        #expect(harness.handle(line: "seal") == ["error,already sealed"])
        #expect(harness.handle(line: "item,2,\(e)") == ["error,item after seal"])
        #expect(harness.handle(line: "msg,6") == ["error,malformed message"])
        #expect(harness.handle(line: "msg,61000003") == ["error,range mode 3 of a reconciliation message is unknown"])
        #expect(harness.handle(line: "initiate") == ["msg,6100000201\(e)"])
        #expect(harness.handle(line: "initiate") == ["error,not sealed or already initiated"])
    }
}
