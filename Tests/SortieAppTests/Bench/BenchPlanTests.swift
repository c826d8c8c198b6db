import ArgumentParser
import Testing

@testable import SortieApp

/// Tests the plan of a bench.
@Suite struct BenchPlanTests {
    @Test func `without options there are 200 calls, 10 at a time`() throws {
        #expect(try BenchOptions.parse([]).plan() == BenchPlan(requests: 200, duration: nil, concurrency: 10, rate: nil))
        #expect(try BenchOptions.parse(["-n", "3"]).plan().concurrency == 3)
        let timed = BenchPlan(requests: nil, duration: .seconds(90), concurrency: 2, rate: 0.5)
        #expect(try BenchOptions.parse(["--for", "1.5m", "-c", "2", "--rate", "0.5"]).plan() == timed)
    }

    @Test func `intended starts are spread evenly, and the end of the time is excluded`() {
        let plan = BenchPlan(requests: nil, duration: .seconds(2), concurrency: 1, rate: 4)
        #expect((0..<3).map { plan.intendedStart(of: $0) } == [.zero, .milliseconds(250), .milliseconds(500)])
        #expect([0, 100, 250, 251, 2000, 9000].map { plan.intendedCalls(within: .milliseconds($0)) } == [1, 1, 1, 2, 8, 8])
        let limited = BenchPlan(requests: 5, duration: .seconds(2), concurrency: 1, rate: 4)
        #expect(limited.intendedCalls(within: .seconds(9)) == 5)
        #expect(BenchPlan(requests: 5, duration: nil, concurrency: 1, rate: nil).intendedCalls(within: .seconds(1)) == nil)
    }
}
