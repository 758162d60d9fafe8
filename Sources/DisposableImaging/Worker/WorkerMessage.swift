// SPDX-License-Identifier: Apache-2.0

/// A request of the node to the worker: on its standard input, each message preceded by its length in four bytes. A
/// file is passed as an open descriptor with the first byte (`SCM_RIGHTS`): the worker cannot open any.
///
/// Both ends are one build, so the format has no version; all numbers are little-endian. The worker's answers are still
/// not trusted: an image may have taken control of it.
package enum WorkerRequest: Equatable, Sendable {
    /// Comes with a descriptor of the file, open for reading. Answered with `.rendered`.
    case render
    /// Answered with `.photo`.
    case demoPhoto(DemoPhoto)
    /// Answered with `.confinement`.
    case confinement
    /// Comes with a descriptor of the file, open for reading and writing. Answered with `.cleaned`.
    case clean

    package var encoded: [UInt8] {
        var writer = MessageWriter()
        switch self {
        case .render: writer.append(1, byteCount: 1)
        case .demoPhoto(let photo):
            writer.append(2, byteCount: 1)
            writer.append(photo.seed, byteCount: 8)
            writer.append(UInt64(photo.width), byteCount: 4)
            writer.append(UInt64(photo.height), byteCount: 4)
            writer.append(UInt64(bitPattern: photo.capturedAtMilliseconds), byteCount: 8)
        case .confinement: writer.append(3, byteCount: 1)
        case .clean: writer.append(4, byteCount: 1)
        }
        return writer.bytes
    }

    /// Throws `malformedMessage`.
    package init(encoded: [UInt8]) throws(ImagingError) {
        var reader = MessageReader(bytes: encoded)
        switch try reader.number(byteCount: 1) {
        case 1: self = .render
        case 2:
            self = .demoPhoto(
                DemoPhoto(
                    seed: try reader.number(byteCount: 8), width: Int(try reader.number(byteCount: 4)),
                    height: Int(try reader.number(byteCount: 4)),
                    capturedAtMilliseconds: Int64(bitPattern: try reader.number(byteCount: 8))))
        case 3: self = .confinement
        case 4: self = .clean
        default: throw .malformedMessage
        }
        try reader.finish()
    }
}

/// The worker's answer, on its standard output.
package enum WorkerReply: Equatable, Sendable {
    case rendered(RenderedImage)
    case photo([UInt8])
    /// The confinement of the worker.
    case confinement([ConfinementLayer])
    case cleaned(ScrubReport)
    /// Only errors about files.
    case failed(ImagingError)

    package var encoded: [UInt8] {
        var writer = MessageWriter()
        switch self {
        case .rendered(let image):
            writer.append(1, byteCount: 1)
            writer.append(UInt64(MediaFormat.allCases.firstIndex(of: image.mediaType)!), byteCount: 1)
            writer.append(UInt64(image.warnings.count), byteCount: 1)
            for warning in image.warnings { writer.append(UInt64(warning.rawValue), byteCount: 1) }
            writer.append(image.capturedAt == nil ? 0 : 1, byteCount: 1)
            if let time = image.capturedAt {
                writer.append(UInt64(bitPattern: time.milliseconds), byteCount: 8)
                writer.append(time.hasTimeZone ? 1 : 0, byteCount: 1)
            }
            writer.append(image.renditions == nil ? 0 : 1, byteCount: 1)
            if let renditions = image.renditions {
                writer.append(UInt64(renditions.width), byteCount: 4)
                writer.append(UInt64(renditions.height), byteCount: 4)
                writer.append(renditions.thumbnail)
                writer.append(renditions.preview)
            }
        case .photo(let bytes):
            writer.append(2, byteCount: 1)
            writer.append(bytes)
        case .confinement(let layers):
            writer.append(4, byteCount: 1)
            writer.append(layers.map(\.rawValue))
        case .cleaned(let report):
            writer.append(5, byteCount: 1)
            // 0 for no type; otherwise its index among all, plus one.
            let place = report.mediaType.map { MediaFormat.allCases.firstIndex(of: $0)! + 1 } ?? 0
            writer.append(UInt64(place), byteCount: 1)
            writer.append(report.isUnparsable ? 1 : 0, byteCount: 1)
            // 0 for none; otherwise one more.
            writer.append(report.durationMilliseconds.map { UInt64($0) + 1 } ?? 0, byteCount: 8)
            for category in ScrubReport.Category.allCases {
                writer.append(UInt64(report.changedByteCounts[category] ?? 0), byteCount: 8)
            }
        case .failed(let error):
            writer.append(3, byteCount: 1)
            writer.append(error)
        }
        return writer.bytes
    }

    /// Throws `malformedMessage`.
    package init(encoded: [UInt8]) throws(ImagingError) {
        var reader = MessageReader(bytes: encoded)
        switch try reader.number(byteCount: 1) {
        case 1: self = .rendered(try reader.renderedImage())
        case 2: self = .photo(try reader.bytes(limit: ImagingLimits.replyByteCountMax))
        case 3: self = .failed(try reader.error())
        case 4: self = .confinement(try reader.layers())
        case 5: self = .cleaned(try reader.report())
        default: throw .malformedMessage
        }
        try reader.finish()
    }
}

extension MessageReader {
    fileprivate mutating func renderedImage() throws(ImagingError) -> RenderedImage {
        let typeIndex = Int(try number(byteCount: 1))
        guard MediaFormat.allCases.indices.contains(typeIndex) else { throw .malformedMessage }
        var image = RenderedImage(mediaType: MediaFormat.allCases[typeIndex])
        for _ in 0..<(try number(byteCount: 1)) {
            guard let warning = RenderedImage.Warning(rawValue: UInt8(try number(byteCount: 1))) else {
                throw .malformedMessage
            }
            image.warnings.append(warning)
        }
        if try number(byteCount: 1) == 1 {
            image.capturedAt = CaptureTime(
                milliseconds: Int64(bitPattern: try number(byteCount: 8)), hasTimeZone: try number(byteCount: 1) == 1)
        }
        if try number(byteCount: 1) == 1 {
            let width = Int(try number(byteCount: 4))
            let height = Int(try number(byteCount: 4))
            // Not their product, which overflows if the worker sends 2^32 - 1 twice.
            guard width > 0, height > 0, height <= ImagingLimits.pixelCountMax / width else { throw .malformedMessage }
            image.renditions = Renditions(
                width: width, height: height, thumbnail: try bytes(limit: Renditions.thumbnailByteCountMax),
                preview: try bytes(limit: Renditions.previewByteCountMax))
        }
        return image
    }

    fileprivate mutating func report() throws(ImagingError) -> ScrubReport {
        let place = Int(try number(byteCount: 1))
        guard place <= MediaFormat.allCases.count else { throw .malformedMessage }
        let isUnparsable = try number(byteCount: 1)
        guard isUnparsable <= 1 else { throw .malformedMessage }
        var report = ScrubReport()
        report.mediaType = place > 0 ? MediaFormat.allCases[place - 1] : nil
        report.isUnparsable = isUnparsable == 1
        let duration = try number(byteCount: 8)
        guard duration <= 1 << 53 else { throw .malformedMessage }
        report.durationMilliseconds = duration > 0 ? Int(duration) - 1 : nil
        for category in ScrubReport.Category.allCases {
            let count = try number(byteCount: 8)
            // A scrub changes each byte a few times at most; a larger number would overflow the sum.
            guard count <= UInt64(16 * ImagingLimits.fileByteCountMax) else { throw .malformedMessage }
            if count > 0 { report.changedByteCounts[category] = Int(count) }
        }
        return report
    }

    fileprivate mutating func layers() throws(ImagingError) -> [ConfinementLayer] {
        var layers: [ConfinementLayer] = []
        for value in try bytes(limit: ConfinementLayer.allCases.count) {
            guard let layer = ConfinementLayer(rawValue: value) else { throw .malformedMessage }
            layers.append(layer)
        }
        return layers
    }

    fileprivate mutating func error() throws(ImagingError) -> ImagingError {
        switch try number(byteCount: 1) {
        case 1: return .unreadable(code: Int32(truncatingIfNeeded: try number(byteCount: 4)))
        case 2: return .notARegularFile
        case 3: return .tooLarge(byteCount: try int(), limit: try int())
        case 4: return .notAccepted
        case 5: return .tooManyPixels(width: try int(), height: try int(), limit: try int())
        case 6: return .undecodable(String(decoding: try bytes(limit: 4_096), as: UTF8.self))
        case 7: return .unshrinkable(byteCountMax: try int())
        default: throw .malformedMessage
        }
    }

    private mutating func int() throws(ImagingError) -> Int {
        Int(truncatingIfNeeded: try number(byteCount: 8) & UInt64(Int.max))
    }
}

extension MessageWriter {
    fileprivate mutating func append(_ error: ImagingError) {
        switch error {
        case .unreadable(let code):
            append(1, byteCount: 1)
            append(UInt64(UInt32(bitPattern: code)), byteCount: 4)
        case .notARegularFile: append(2, byteCount: 1)
        case .tooLarge(let byteCount, let limit): append(3, [byteCount, limit])
        case .notAccepted: append(4, byteCount: 1)
        case .tooManyPixels(let width, let height, let limit): append(5, [width, height, limit])
        case .undecodable(let message):
            append(6, byteCount: 1)
            append(Array(message.utf8.prefix(4_096)))
        case .unshrinkable(let limit): append(7, [limit])
        case .timedOut, .workerCrashed, .workerExited, .workerUnavailable, .malformedMessage, .queueFull, .stopped:
            preconditionFailure("\(error) is not about a file")
        }
    }

    private mutating func append(_ kind: UInt64, _ values: [Int]) {
        append(kind, byteCount: 1)
        for value in values { append(UInt64(value), byteCount: 8) }
    }
}
