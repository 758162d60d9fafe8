// SPDX-License-Identifier: Apache-2.0
internal import DisposableImaging

/// Paints a `DemoPhoto`: shapes by hand, as a drawing operation of libvips takes longer than most of them; grain and
/// file with libvips.
struct DemoPainter {
    private let width: Int
    private let height: Int
    private var random: RandomSequence
    /// Red, green and blue of each pixel, row by row.
    private var pixels: [UInt8]

    static func paint(_ photo: DemoPhoto) throws(ImagingError) -> [UInt8] {
        guard DemoPhoto.sideRange.contains(photo.width), DemoPhoto.sideRange.contains(photo.height) else {
            throw .malformedMessage
        }
        var painter = DemoPainter(
            width: photo.width, height: photo.height, random: RandomSequence(state: photo.seed),
            pixels: Array(repeating: 0, count: photo.width * photo.height * 3))
        painter.paintSky()
        painter.paintHills()
        painter.paintConfetti()
        painter.paintNumber(Int(photo.seed % 100))
        return try painter.develop(photo)
    }

    private mutating func fillRectangle(_ color: [Double], x: Int, y: Int, width: Int, height: Int) {
        for row in max(0, y)..<max(0, y, min(self.height, y + height)) {
            fillRow(color, y: row, from: x, to: x + width)
        }
    }

    private mutating func fillCircle(_ color: [Double], x: Int, y: Int, radius: Int) {
        for row in max(0, y - radius)..<max(0, y - radius, min(height, y + radius + 1)) {
            let half = Int(Double(radius * radius - (row - y) * (row - y)).squareRoot())
            fillRow(color, y: row, from: x - half, to: x + half + 1)
        }
    }

    /// Fills the visible part of a row's pixels from one column to the one before another.
    private mutating func fillRow(_ color: [Double], y: Int, from: Int, to end: Int) {
        let (red, green, blue) = (UInt8(color[0]), UInt8(color[1]), UInt8(color[2]))
        var place = (y * width + max(0, from)) * 3
        for _ in max(0, from)..<max(0, from, min(width, end)) {
            (pixels[place], pixels[place + 1], pixels[place + 2]) = (red, green, blue)
            place += 3
        }
    }

    private mutating func color(_ range: ClosedRange<Double>) -> [Double] {
        (0..<3).map { _ in range.lowerBound + random.fraction() * (range.upperBound - range.lowerBound) }
    }

    /// Paints a gradient from one colour at the top to a warmer one at the horizon, and a sun.
    private mutating func paintSky() {
        let top = color(20...140)
        let horizon = [240, 150 + random.fraction() * 80, 90 + random.fraction() * 80]
        // Finer steps are invisible in the grain.
        let step = max(1, height / 300)
        for row in stride(from: 0, to: height, by: step) {
            let share = Double(row) / Double(height)
            let mixed = zip(top, horizon).map { $0 + ($1 - $0) * share }
            fillRectangle(mixed, x: 0, y: row, width: width, height: step)
        }
        let x = Int(random.fraction() * Double(width))
        fillCircle([255, 244, 214], x: x, y: height / 2, radius: max(1, height / 9))
    }

    /// Paints three rows of hills, each nearer, lower and darker: tops of circles far larger than the picture.
    private mutating func paintHills() {
        let far = color(70...150)
        for row in 0..<3 {
            let shade = far.map { $0 * (1 - 0.28 * Double(row)) }
            for _ in 0..<5 {
                let radius = Int((0.5 + random.fraction()) * Double(width))
                let top = Int((0.55 + 0.13 * Double(row) + 0.08 * random.fraction()) * Double(height))
                let x = Int((random.fraction() * 1.4 - 0.2) * Double(width))
                fillCircle(shade, x: x, y: top + radius, radius: radius)
            }
        }
    }

    private mutating func paintConfetti() {
        for _ in 0..<120 {
            let ink = color(60...255)
            let x = Int(random.fraction() * Double(width))
            let y = Int(random.fraction() * Double(height))
            let size = max(1, Int((0.004 + 0.012 * random.fraction()) * Double(height)))
            if random.fraction() < 0.5 {
                fillCircle(ink, x: x, y: y, radius: size)
            } else {
                fillRectangle(ink, x: x, y: y, width: 2 * size, height: size)
            }
        }
    }

    /// Paints two digits of seven segments: no font needed.
    private mutating func paintNumber(_ number: Int) {
        let tall = height / 2
        let wide = tall / 2
        let thick = max(1, tall / 10)
        for (place, digit) in [number / 10, number % 10].enumerated() {
            let left = width / 2 - wide - thick + place * (wide + 2 * thick)
            let top = height / 4
            let segments = [
                (0, 0, wide, thick), (wide - thick, 0, thick, tall / 2), (wide - thick, tall / 2, thick, tall / 2),
                (0, tall - thick, wide, thick), (0, tall / 2, thick, tall / 2), (0, 0, thick, tall / 2),
                (0, tall / 2 - thick / 2, wide, thick),
            ]
            for (index, segment) in segments.enumerated() where Self.segments[digit] >> index & 1 == 1 {
                fillRectangle(
                    [250, 250, 245], x: left + segment.0, y: top + segment.1, width: segment.2, height: segment.3)
            }
        }
    }

    /// Bits from the top clockwise, then the middle, of the digits 0 to 9.
    private static let segments = [0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07, 0x7f, 0x6f]

    /// Adds grain and the time, and encodes.
    private func develop(_ photo: DemoPhoto) throws(ImagingError) -> [UInt8] {
        let grain = try VipsPicture(
            noiseWithWidth: width, height: height, sigma: 7, seed: Int32(truncatingIfNeeded: photo.seed & 0x7fff_ffff))
        let picture = try VipsPicture(pixels, width: width, height: height).adding(grain)
        let time = CaptureTime(milliseconds: photo.capturedAtMilliseconds, hasTimeZone: true)
        picture.setText("exif-ifd2-DateTimeOriginal", time.exifDateTime)
        picture.setText("exif-ifd2-OffsetTimeOriginal", "+00:00")
        picture.setText("exif-ifd0-Model", "Disposable demo")
        return try picture.jpeg(quality: 88, isStripped: false)
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same seed gives the same picture on every machine.
private struct RandomSequence {
    var state: UInt64

    /// Returns a number of at least 0, below 1.
    mutating func fraction() -> Double {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        mixed ^= mixed >> 31
        return Double(mixed >> 11) / Double(1 << 53)
    }
}
