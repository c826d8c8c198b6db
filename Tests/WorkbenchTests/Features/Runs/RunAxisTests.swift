import Foundation
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the bars of a run's steps on a common time axis.
@Suite struct RunAxisTests {
    private func run(_ steps: [StepRecord], duration: Double = 0, isUnderWay: Bool = false) -> RunView {
        var record = RunRecord(run: "checkout", kind: .batch, steps: steps)
        record.duration = duration
        return RunView(id: nil, name: "checkout", phase: isUnderWay ? .running : .ended, record: record)
    }

    private func step(_ name: String, _ state: StepRecord.State, from start: Double?, for seconds: Double?) -> StepRecord {
        var step = StepRecord(name: name, target: "shop/orders/list")
        (step.state, step.startedAfter, step.seconds) = (state, start, seconds)
        return step
    }

    private func bars(_ run: RunView, width: Int = 10, attempts: [Attempt] = []) throws -> [String] {
        let axis = try #require(RunAxis(run, width: width))
        return try #require(run.record).steps.map { axis.bar(of: $0, attempts: attempts).map(\.text).joined() }
    }

    @Test func `a bar begins at the start of its step and is as long as it, and a failed one has a mark`() throws {
        let steps = [step("a", .done, from: 0, for: 0.5), step("b", .failed, from: 0.5, for: 0.3), step("c", .skipped, from: nil, for: nil)]
        let run = run(steps, duration: 1)
        #expect(try bars(run) == ["█████     ", "·····██✗  ", "          "])
        let scale = try #require(RunAxis(run, width: 10)).scale.map(\.text).joined()
        #expect(scale.hasPrefix("0─") && scale.hasSuffix("1.0 s") && scale.count == 10)
    }

    @Test func `a short step has a cell, also at the end of the axis`() throws {
        let run = run([step("a", .done, from: 0, for: 10), step("b", .failed, from: 9.999, for: 0.001)], duration: 10)
        #expect(try bars(run) == ["██████████", "·········✗"])
    }

    @Test func `the waits between attempts differ from the attempts without colours`() throws {
        let begin = Date(timeIntervalSince1970: 0)
        let url = HTTPURL(scheme: .http, host: "a", path: "/")
        var attempts = [0.0, 0.85].map { Attempt(url: url, method: .get, startedAt: begin.addingTimeInterval($0)) }
        attempts[0].timing.total = 0.15
        attempts[1].timing.total = 0.14
        #expect(try bars(run([step("a", .done, from: 0, for: 1)], duration: 1), attempts: attempts) == ["██░░░░░░██"])
    }

    @Test func `a running step grows with the time, a retrying and a waiting one have their marks`() throws {
        var run = run(
            [
                step("a", .sending, from: 0, for: nil), step("b", .retrying(seconds: 2), from: 1, for: nil), step("c", .parked, from: 1, for: nil),
                step("d", .waiting, from: nil, for: nil),
            ], isUnderWay: true)
        run.tick(10)
        run.tick(12)
        #expect(try bars(run) == ["██████████", "·····████↻", "·····████⏸", "··········"])
    }

    @Test func `without the start of a step there is no axis`() {
        #expect(RunAxis(run([step("a", .done, from: nil, for: 1)]), width: 10) == nil)
        #expect(RunAxis(run([step("a", .done, from: 0, for: 1)]), width: 0) == nil)
    }

    @Test(arguments: [Size(width: 40, height: 10), Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `the tab shows the bars, with the scale where there is room, and a click selects the step below it`(size: Size) throws {
        var workspace = Workspace.sample
        let steps: [RunDefinition.Step] = ["login", "list"].map { .init(target: "shop/orders/list", name: $0) }
        workspace.runs = [RunDefinition(name: "checkout", kind: .chain, steps: steps)]
        let record = try #require(run([step("login", .done, from: 0, for: 0.5), step("list", .failed, from: 0.5, for: 0.5)], duration: 1).record)
        var left = record
        left.state = .failed
        left.failedStep = 1
        var state = AppState(workspace: workspace, environment: nil, size: size, runs: [left])
        state.press("R", "z")
        #expect(state.screen.contains("██") && state.screen.contains("✗"), "\(state.screen)")
        let rows = state.screen.split(separator: "\n").map(String.init)
        #expect(rows.contains { $0.contains("0──") && $0.contains("1.0 s") } || size.width == 40, "\(state.screen)")
        let row = try #require(rows.firstIndex { $0.contains("✓ login") })
        _ = state.update(.input(.mouse(Mouse(kind: .press, button: .left, position: Point(column: 6, row: row)))))
        #expect(state.runs["checkout"]?.selectedRow == 0)
    }
}
