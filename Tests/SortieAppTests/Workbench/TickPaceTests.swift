import Testing

@testable import SortieApp

/// Tests the interval of ticks.
struct TickPaceTests {
    private static let cases: [(Duration, Int32)] = [
        (.milliseconds(3), 100), (.milliseconds(25), 100), (.milliseconds(200), 800), (.seconds(4), 2_000), (.seconds(86_400), 2_000),
    ]

    @Test(arguments: cases)
    func `a terminal that takes a frame slowly gets fewer frames of progress`(time: Duration, interval: Int32) {
        var pace = TickPace()
        pace.drew(in: time)
        #expect(pace.interval == interval)
        pace.drew(in: .milliseconds(1))
        #expect(pace.interval == TickPace.shortest, "the speed is that of the last frame")
    }
}
