// SPDX-License-Identifier: Apache-2.0
import DisposableImaging
import Testing

@Suite struct CaptureTimeTests {
    @Test(
        "EXIF's text becomes milliseconds since 1970",
        arguments: [
            ("1970:01:01 00:00:00", "+00:00", nil, 0, true),
            ("2000:02:29 12:34:56", nil, nil, 951_827_696_000, false),
            ("2025:08:16 14:03:22", "+02:00", "5", 1_755_345_802_500, true),
            ("2025:08:16 14:03:22", "-03:30", "078123", 1_755_365_602_078, true),
            ("2025:08:16 14:03:22", "   :  ", "", 1_755_353_002_000, false),
            ("1969:12:31 23:59:59", "+00:00", nil, -1_000, true),
        ] as [(String, String?, String?, Int64, Bool)])
    func reads(text: String, offset: String?, subSecond: String?, milliseconds: Int64, hasTimeZone: Bool) {
        #expect(
            CaptureTime(dateTime: text, offset: offset, subSecond: subSecond)
                == CaptureTime(milliseconds: milliseconds, hasTimeZone: hasTimeZone))
    }

    @Test(
        "blank and impossible dates are no dates",
        arguments: [
            "", "0000:00:00 00:00:00", "    :  :     :  :  ", "2025:13:01 00:00:00", "2025:01:01 24:00:00",
            "2025-08-16", "2025:08:16 1:03:22pm", "\u{0}\u{0}\u{0}\u{0}:08:16 14:03:22",
        ])
    func refuses(text: String) {
        #expect(CaptureTime(dateTime: text, offset: nil, subSecond: nil) == nil)
    }

    @Test("a time written as EXIF text reads as the same time", arguments: 0..<200)
    func roundTrip(index: Int) {
        let time = CaptureTime(milliseconds: (Int64(index) - 50) * 23_456_789_000, hasTimeZone: true)
        #expect(CaptureTime(dateTime: time.exifDateTime, offset: "+00:00", subSecond: nil) == time)
    }
}
