// SPDX-License-Identifier: Apache-2.0
internal import DisposableWeb

extension SimplePages {
    /// Makes the page that tells a guest in three steps what makes a computer a node. It needs no JavaScript.
    /// - Parameter path: the event's, with a slash at both ends.
    static func program(_ program: OfferedProgram, path: String, _ texts: SimpleTexts) -> HTML {
        let (name, words) = (program.name, texts.program)
        let installing: [String] =
            switch program.kind {
            case .debian: ["sudo apt install ./\(name)"]
            case .tarball:
                // The package's folder has its name.
                ["tar -xf \(name)", "PATH=\"$PWD/\(name.dropLast(program.kind.rawValue.count))/bin:$PATH\""]
            }
        let megabytes = max(1, Int((Double(program.byteCount) / 1e6).rounded()))
        return HTML.page(
            title: words.title, in: texts.language,
            """
            <h1>\(words.title)</h1>
            <p>\(words.intro)</p>
            <p><strong>\(words.warning)</strong></p>
            <h2>\(words.download)</h2>
            <p><a class="button main wide" id="program-file" href="\(path)program/file" download>\(words.save)</a></p>
            <p>\(words.file(name, texts.language.text(megabytes)))</p>
            <h2>\(words.compare)</h2>
            <p>\(words.compareHint)</p>
            \(command("sha256sum \(name)"))
            <p>\(words.compareWhere)</p>
            <p>\(words.compareHere)</p>
            <p class="link-text" id="program-sha256">\(program.sha256)</p>
            <h2>\(words.install)</h2>
            \(installing.map(command))
            \(command("disposable --version"))
            <p>\(words.version(program.version))</p>
            <p>\(words.joinHint)</p>
            \(command("disposable join DISPOSABLE1:…"))
            <p>\(words.joined)</p>
            <h2>\(words.update)</h2>
            <p>\(words.updateHint(program.version))</p>
            <h2>\(words.installed)</h2>
            <p>\(words.installedHint)</p>
            <p><a class="button" href="disposable:desk">\(words.openDesk)</a></p>
            <p><a href="\(path)simple">\(words.back)</a></p>
            """)
    }

    private static func command(_ text: String) -> HTML {
        "<p class=\"link-text\" translate=\"no\" lang=\"en\">\(text)</p>"
    }
}
