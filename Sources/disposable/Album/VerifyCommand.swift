// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import DisposablePortal
import Foundation

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify an exported album: that nothing was altered or removed, and the author of each photo.",
        discussion: """
            Needs only the album. Compare the four words that it prints with those on the poster: another album with \
            the same name cannot have the same words.
            """)

    @Argument(help: "The album's folder, made by `disposable export --album`.")
    var folder: String

    @Flag(help: "Print JSON lines on standard output.")
    var json = false

    private struct Verified: Encodable {
        let event: String
        let words: [String]
        let photos: Int
        let intact: Int
        let absent: Int
        let signedBy: String?
        let isSignedByOrganizer: Bool
        let exportedAt: String
        let problems: [String]
    }

    func run() throws {
        let console = Console(isJSON: json)
        let verification: AlbumVerification
        do {
            verification = try AlbumVerification(folder: folder) { done, total in
                if !json { Console.progress("checking \(done) of \(total)") }
            }
        } catch let error as AlbumError {
            throw Failure("\(error)", hint: "name the folder that `disposable export FOLDER --album` made")
        }
        Console.endProgress()
        let manifest = verification.manifest
        let words = try verification.eventKey.map(FingerprintWords.words) ?? []
        let problems = verification.problems.map(\.text)
        console.json(
            "verified",
            Verified(
                event: manifest.event.id, words: words, photos: manifest.photos.count, intact: verification.intactCount,
                absent: verification.absentCount, signedBy: verification.signerName,
                isSignedByOrganizer: verification.isSignedByOrganizer, exportedAt: manifest.exportedAt,
                problems: problems))
        for problem in problems { Console.say("disposable: error: \(problem)") }
        guard problems.isEmpty else {
            throw Failure(
                "\(Show.count(problems.count, "problem")) in this album; \(verification.intactCount) of \(Show.count(manifest.photos.count, "photo")) "
                    + "are as they were taken")
        }
        console.result(
            """
            \(manifest.event.name): \(Show.count(manifest.photos.count, "photo")), each as its author signed it
              saved by  \(verification.signerName ?? "a member")\(verification.isSignedByOrganizer ? " (organizer)" : "") \
            on \(manifest.exportedAt.prefix(10))
              words     \(words.joined(separator: " "))
            """)
        if verification.absentCount > 0 {
            Console.say(
                "disposable: note: \(Show.count(verification.absentCount, "photo")) of the gallery had not arrived when it was saved"
            )
        }
    }
}

extension AlbumVerification.Problem {
    fileprivate var text: String {
        switch self {
        case .missing(let file): "\(Quoted.name(file)) is missing"
        case .altered(let file): "\(Quoted.name(file)) is not the file that was exported"
        case .foreign(let file): "\(Quoted.name(file)) does not belong to the album"
        case .notAsSigned(let file): "the list describes \(Quoted.name(file)) differently from its author's signature"
        case .invalidOperations(let count):
            "\(Show.count(count, "operation")) in operations.bin cannot be read, or has no valid signature"
        case .wrongEventID: "the event's id does not belong to its key"
        case .wrongDigest: "the gallery of the operations is not the one in the list"
        case .needsNewerVersion:
            "its organizers used a newer version of disposable; this version cannot compute the gallery"
        case .notSignedByMember: "the list is not signed by a member of the event"
        }
    }
}
