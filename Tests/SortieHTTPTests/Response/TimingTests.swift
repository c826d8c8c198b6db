import SortieHTTP
import Testing

@Suite struct TimingTests {
    @Test func `times are converted to consecutive phases`() {
        var timing = Timing()
        timing.nameLookup = 1
        timing.connect = 3
        timing.tls = 6
        timing.requestStart = 7
        timing.firstByte = 9
        timing.total = 10
        #expect(timing.phases.map(\.name) == ["Name lookup", "Connect", "TLS", "Send", "Waiting", "Receive"])
        #expect(timing.phases.map(\.start) == [0, 1, 3, 6, 7, 9])
        #expect(timing.phases.map(\.duration) == [1, 2, 3, 1, 2, 1])
    }

    @Test func `steps that did not occur have no phase`() {
        var timing = Timing()
        timing.firstByte = 2
        timing.total = 2
        #expect(timing.phases.map(\.name) == ["Waiting"])
        #expect(Timing().phases.isEmpty)
    }

    @Test func `waiting for admission comes before the attempt`() {
        var timing = Timing()
        timing.queued = 5
        timing.firstByte = 0.5
        timing.total = 1
        #expect(timing.phases.map(\.start) == [-5, 0, 0.5])
        #expect(timing.phases.map(\.name) == ["Queued", "Waiting", "Receive"])
    }

    @Test func `a failed attempt ends in its unfinished step`() {
        var timing = Timing()
        timing.total = 2
        #expect(timing.phases.isEmpty, "nothing is known but its total")
        timing.nameLookup = 0.001
        #expect(timing.phases.map(\.name) == ["Name lookup", "Connect"])
        timing.connect = 0.002
        #expect(timing.phases.map(\.name) == ["Name lookup", "Connect", "TLS"])
        timing.requestStart = 0.003
        #expect(timing.phases.last?.name == "Waiting")
        #expect(timing.phases.last?.duration == 2 - 0.003)
    }
}
