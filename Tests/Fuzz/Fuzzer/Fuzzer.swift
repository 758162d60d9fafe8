// SPDX-License-Identifier: Apache-2.0
internal import CFuzzer
internal import Foundation
internal import FuzzTargets

/// Which decoder: `DISPOSABLE_FUZZ_TARGET=frame`.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["DISPOSABLE_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
        print("DISPOSABLE_FUZZ_TARGET is \"\(name)\", not one of \(names)")
        exit(2)
    }
    return target
}()

/// In bytes, while the decoder has `input`.
private func largestAllocation(for input: [UInt8]) -> Int {
    _ = disposable_largest_allocation()
    do { try target.run(input) } catch { fatalError("\(target.rawValue): \(error)") }
    return disposable_largest_allocation()
}

/// libFuzzer calls this with every input; what is wrong ends the process, and libFuzzer keeps the input.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard count <= target.inputByteCountMax else { return -1 }
    let limit = 2 * count + target.allocationByteCountMax
    // What the runtime makes once and for all is not the input's doing, so that only a second time counts.
    guard largestAllocation(for: input) > limit else { return 0 }
    let largest = largestAllocation(for: input)
    guard largest <= limit else {
        fatalError("\(target.rawValue): an allocation of \(largest) bytes for \(count); the limit is \(limit)")
    }
    return 0
}

@main enum Fuzzer {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments, fuzzOneInput))
    }
}
