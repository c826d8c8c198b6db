import Testing

@testable import SortieBase

@Suite struct DurationTextTests {
    @Test(arguments: [
        ("10s", Duration.seconds(10)), ("500ms", .milliseconds(500)), ("2m", .seconds(120)), ("1h", .seconds(3600)),
        ("7d", .seconds(604_800)),
        ("5", .seconds(5)), ("1.5", .milliseconds(1500)), ("0.25s", .milliseconds(250)), ("250us", .microseconds(250)),
        ("0", .zero),
    ])
    func `a duration is parsed with its unit`(text: String, duration: Duration) {
        #expect(DurationText.parse(text) == duration)
    }

    @Test(arguments: [
        "", "s", "ms", "-1s", "1 s", "1.s", ".5s", "1e3", "1.2.3s", "99999999999999999999s", "9999999999d", "٣s", "5x",
        "1.0000000001s",
    ])
    func `an invalid duration is rejected`(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(arguments: [Duration.seconds(60), .milliseconds(1500), .microseconds(250), .nanoseconds(1_000_000_001), .zero])
    func `a written duration is parsed as the same duration`(duration: Duration) {
        #expect(DurationText.parse(DurationText.text(duration)) == duration)
    }
}
