// SPDX-License-Identifier: Apache-2.0
import DisposableWeb
import Testing

@Suite struct MetricFamilyTests {
    @Test("a family has its help, its type and one line for each sample")
    func format() {
        var photos = MetricFamily("disposable_photos", .gauge, "Photos of the event.")
        photos.add(12, ["event": "1a2b3c4d", "state": "shown"])
        photos.add(0.5, ["event": "0", "state": ""])
        let events = MetricFamily("disposable_events", .counter, "Events.", 1 << 40)
        #expect(
            MetricFamily.text([photos, events]) == """
                # HELP disposable_photos Photos of the event.
                # TYPE disposable_photos gauge
                disposable_photos{event="1a2b3c4d",state="shown"} 12
                disposable_photos{event="0",state=""} 0.5
                # HELP disposable_events Events.
                # TYPE disposable_events counter
                disposable_events 1099511627776

                """)
    }

    @Test("a family without samples is left out, so that nothing is announced without a value")
    func empty() {
        #expect(MetricFamily.text([]) == "")
        #expect(MetricFamily.text([MetricFamily("a", .gauge, "Nothing.")]) == "")
    }

    @Test(
        "backslashes, line feeds and quotes in values of labels are escaped, other letters stay",
        arguments: [
            ("\\", "\\\\"), ("a\nb", "a\\nb"), ("say \"x\"", "say \\\"x\\\""), ("\r\n", "\r\\n"),
            ("é{}=,#", "é{}=,#"),
        ])
    func escaping(value: String, escaped: String) {
        var family = MetricFamily("a", .gauge, "Help.")
        family.add(1, ["b": value])
        let line = MetricFamily.text([family]).unicodeScalars.split(separator: "\n").last.map { String($0) }
        #expect(line == "a{b=\"\(escaped)\"} 1")
    }

    @Test("quotes in a help text stay, backslashes and line feeds are escaped")
    func help() {
        let text = MetricFamily.text([MetricFamily("a", .gauge, "One \"two\" \\ three\nfour.", 1)])
        #expect(text.hasPrefix("# HELP a One \"two\" \\\\ three\\nfour.\n# TYPE a gauge\n"))
    }

    @Test(
        "numbers are written as Prometheus reads them",
        arguments: [
            (0, "0"), (-3, "-3"), (1_500_000_000, "1500000000"), (0.005, "0.005"), (1e300, "1e+300"),
            (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
        ] as [(Double, String)])
    func numbers(value: Double, text: String) {
        var family = MetricFamily("a", .gauge, "Help.")
        family.add(value)
        #expect(MetricFamily.text([family]).hasSuffix("\na \(text)\n"))
    }

    @Test("a histogram has cumulative buckets, of which the last has no bound and the count of all, and its sum")
    func histogram() {
        var histogram = Histogram()
        for milliseconds in [1, 5, 6, 89_988] { histogram.record(.milliseconds(milliseconds)) }
        var family = MetricFamily("t_seconds", .histogram, "Times.")
        family.add(histogram, ["kind": "api"])
        #expect(
            MetricFamily.text([family]) == """
                # HELP t_seconds Times.
                # TYPE t_seconds histogram
                t_seconds_bucket{kind="api",le="0.005"} 2
                t_seconds_bucket{kind="api",le="0.025"} 3
                t_seconds_bucket{kind="api",le="0.1"} 3
                t_seconds_bucket{kind="api",le="0.25"} 3
                t_seconds_bucket{kind="api",le="1"} 3
                t_seconds_bucket{kind="api",le="2.5"} 3
                t_seconds_bucket{kind="api",le="10"} 3
                t_seconds_bucket{kind="api",le="60"} 3
                t_seconds_bucket{kind="api",le="+Inf"} 4
                t_seconds_sum{kind="api"} 90
                t_seconds_count{kind="api"} 4

                """)
    }
}

@Suite struct HistogramTests {
    @Test("a duration counts in the bucket whose bound it does not exceed", arguments: Histogram.bounds)
    func bound(milliseconds: Int) {
        var histogram = Histogram()
        histogram.record(.milliseconds(milliseconds))
        histogram.record(Duration.milliseconds(milliseconds) + .nanoseconds(1))
        let counts = histogram.buckets.filter { $0.count > 0 }
        let index = Histogram.bounds.firstIndex(of: milliseconds)!
        let next = index + 1 < Histogram.bounds.count ? Histogram.bounds[index + 1] : nil
        #expect(counts.map(\.boundMilliseconds) == [milliseconds, next])
        #expect(counts.map(\.count) == [1, 1])
    }

    @Test("the bounds ascend, and a new histogram is empty")
    func start() {
        #expect(zip(Histogram.bounds, Histogram.bounds.dropFirst()).allSatisfy { $0 < $1 })
        let histogram = Histogram()
        #expect(histogram.seconds == 0)
        #expect(histogram.buckets.count == Histogram.bounds.count + 1)
        #expect(histogram.buckets.allSatisfy { $0.count == 0 })
    }

    @Test("a clock that goes backwards counts as no time")
    func negative() {
        var histogram = Histogram()
        histogram.record(.seconds(-5))
        #expect(histogram.seconds == 0)
        #expect(histogram.buckets[0].count == 1)
    }
}
