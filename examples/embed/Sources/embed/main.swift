// SPDX-License-Identifier: Apache-2.0
// `embed FOLDER PHOTO` hosts an event on this machine, adds the photo and ends. `embed FOLDER PHOTO COUNT INVITATION`
// joins the event of another one, and ends when COUNT photos are here with their files.
import DisposableKit
import Foundation

func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("embed: \(reason)\n".utf8))
    exit(1)
}

let arguments = CommandLine.arguments.dropFirst().map(\.self)
guard (2...4).contains(arguments.count), let count = Int(arguments.count > 2 ? arguments[2] : "1") else {
    fail("write embed FOLDER PHOTO [COUNT [INVITATION]]")
}

// Only this machine. By default a node uses the network: port 8028, and mDNS.
let loopback = NodeConfiguration(listen: .address(host: "127.0.0.1", port: 0), usesMulticast: false, interface: "lo")

do {
    try await EmbeddedNode.run(in: arguments[0], configuration: loopback) { node in
        let event =
            arguments.count > 3
            ? try await node.join(arguments[3], as: "Ben") : try await node.host("Summer party", as: "Anna")
        try await event.waitUntilAdmitted()
        print(try await event.invitation.invitation)
        try await event.add(photoAt: arguments[1], caption: "From Swift")
        for try await photos in event.album {
            let complete = photos.filter { $0.state == "complete" }
            print("\(complete.count) of \(photos.count):", complete.map { "\($0.author) \($0.id)" })
            if complete.count >= count { break }
        }
    }
} catch { fail("\(error)") }
