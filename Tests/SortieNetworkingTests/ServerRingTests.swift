import Testing

@testable import SortieNetworking

/// Tests with exact numbers when a ring switches to the next server automatically (S1.14–S1.16).
@Suite struct ServerRingTests {
    private let rule = ServerSwitchRule()

    /// Records outcomes of the current generation, `true` for a failure; returns the counts at which the ring switched.
    private func feed(_ ring: inout ServerRing, _ failures: [Bool], _ rule: ServerSwitchRule? = nil) -> [Int] {
        failures.enumerated().compactMap { index, isFailure in
            ring.note(isFailure: isFailure, of: ring.generation, rule ?? self.rule) == nil ? nil : index + 1
        }
    }

    @Test func `S1.14 forty requests with a tenth of failures cause a switch, and three failures of forty do not`() {
        var ring = ServerRing(count: 2)
        #expect(feed(&ring, Array(repeating: true, count: 4) + Array(repeating: false, count: 36)) == [40])
        #expect(ring.index == 1 && ring.generation == 1)
        ring = ServerRing(count: 2)
        #expect(feed(&ring, Array(repeating: true, count: 3) + Array(repeating: false, count: 200)) == [])
    }

    @Test func `S1.15 forty requests with five failures cause one switch, not two`() {
        var ring = ServerRing(count: 3)
        let failures = (0..<40).map { $0 % 8 == 0 }
        #expect(feed(&ring, failures) == [40])
        #expect(ring.index == 1 && ring.completions == 0 && ring.failures == 0)
        #expect(feed(&ring, Array(repeating: false, count: 39)) == [])
        #expect(ring.index == 1)
    }

    @Test func `S1.15 late results of the old server do not count`() {
        var ring = ServerRing(count: 2)
        _ = feed(&ring, Array(repeating: true, count: 40))
        #expect(ring.generation == 1)
        for _ in 0..<100 { #expect(ring.note(isFailure: true, of: 0, rule) == nil) }
        #expect(ring.index == 1 && ring.completions == 0)
    }

    @Test func `S1.15 old successes do not hide an outage, because only the last forty requests count`() {
        var ring = ServerRing(count: 2)
        #expect(feed(&ring, Array(repeating: false, count: 1000) + Array(repeating: true, count: 10)) == [1004])
    }

    @Test func `old failures expire`() {
        var ring = ServerRing(count: 2)
        let outage = Array(repeating: true, count: 3)
        #expect(feed(&ring, outage + Array(repeating: false, count: 40) + outage + Array(repeating: false, count: 40)) == [])
    }

    @Test func `S1.16 a requested switch resets the counts, also one to the same server`() {
        var ring = ServerRing(count: 2)
        _ = feed(&ring, Array(repeating: true, count: 39))
        ring.use(0)
        #expect(ring.completions == 0 && ring.generation == 0)
        ring.use(3)
        #expect(ring.index == 1 && ring.generation == 1)
    }

    @Test func `the limits of the rule are those of the service`() {
        var ring = ServerRing(count: 2)
        #expect(feed(&ring, [false, true, false, true], ServerSwitchRule(after: 4, errorRate: 0.5)) == [4])
        ring = ServerRing(count: 2)
        #expect(feed(&ring, [true, true, false, true], ServerSwitchRule(after: 4, errorRate: 1)) == [])
        ring = ServerRing(count: 2)
        #expect(feed(&ring, Array(repeating: false, count: 9), ServerSwitchRule(after: 4, errorRate: 0)) == [])
    }

    @Test func `a single server is never switched`() {
        var ring = ServerRing(count: 1)
        #expect(feed(&ring, Array(repeating: true, count: 100)) == [])
    }
}
