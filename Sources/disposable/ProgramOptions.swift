// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import DisposablePortal

/// The option for the program that the pages offer, for `host`, `join`, `run` and `desk`.
struct ProgramOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Offer this package of the program, a .deb or .tar.xz, to guests of this node for their own computers.",
            valueName: "file"), completion: .file())
    var offerProgram: String?

    /// Throws if the file cannot be offered, before an event is made.
    func check() throws {
        guard let offerProgram else { return }
        do throws(OfferedProgram.Failure) { try OfferedProgram.check(path: offerProgram) } catch {
            throw Failure(error)
        }
    }

    /// Reads and hashes the file; `nil` without the option.
    var offered: OfferedProgram? {
        get throws {
            guard let offerProgram else { return nil }
            do throws(OfferedProgram.Failure) {
                return try OfferedProgram(path: offerProgram, version: ProgramVersion.text)
            } catch {
                throw Failure(error)
            }
        }
    }
}

extension Failure {
    fileprivate init(_ failure: OfferedProgram.Failure) {
        let hint: String? =
            switch failure {
            case .symbolicLink, .notRegular: "give --offer-program the package itself"
            case .unsuitableName:
                "its name ends with .deb or .tar.xz and has only letters, digits and ._+~-, at most "
                    + "\(OfferedProgram.nameByteCountMax) of them"
            case .unsuitableByteCount, .unreadable: nil
            case .changed: "wait until it is complete, and start the node again"
            }
        self.init("\(failure)", hint: hint, exitCode: 2)
    }
}

extension ProgramInfo {
    init(_ program: OfferedProgram) {
        self.init(name: program.name, byteCount: program.byteCount, sha256: program.sha256)
    }
}
