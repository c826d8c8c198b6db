import SortieBase
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests recording a snapshot on the Checks tab.
@Suite struct SnapshotTests {
    private static let target = "shop/orders/list"
    private static let status = ExchangeCheck(.expect, .passed, subject: "status", expected: "200", actual: "200")
    private static let missing = ExchangeCheck(.expect, .failed, subject: "snapshot", actual: "there is no file")
    private static let capture = ExchangeCheck(.capture, .passed, subject: "id", actual: "1")

    /// A state that shows the checks of a response.
    private func answered(
        snapshot: SnapshotExpectation? = SnapshotExpectation(), _ change: (inout Exchange) -> Void = { _ in }
    ) throws -> AppState {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        let index = try #require(state.workspace.services[0].endpoints.firstIndex { $0.target == Self.target })
        state.workspace.services[0].endpoints[index].expectation = Expectation(status: 200)
        state.workspace.services[0].endpoints[index].expectation?.snapshot = snapshot
        state.workspace.services[0].endpoints[index].location = SourceLocation(file: "shop/orders/list.yaml")
        state.open(Self.target)
        let id = state.sendOpen()
        var exchange = Exchange.sample(#"{"a": 1}"#)
        exchange.expectationResult = ExpectationResult(checks: [Self.status, Self.missing, Self.capture])
        change(&exchange)
        _ = state.update(.call(id, .finished(exchange)))
        state.press("3", "]", "]", "]", "]", "]", "]")
        return state
    }

    private func recorded(_ effects: [Effect]) -> (id: JobID, endpoint: Endpoint, response: Response?, replaces: Bool)? {
        effects.started(SnapshotJob.self).first.map { ($0.id, $0.job.endpoint, $0.job.exchange.response, $0.job.replaces) }
    }

    private func reason(_ state: AppState) -> String? { SnapshotFeature.unavailable(state) }

    @Test func `r records the body of the response, and the checks are those with the record`() throws {
        var state = try answered()
        #expect(state.screen.contains("✗ snapshot") && state.screen.contains("Record"))
        let recording = try #require(recorded(state.press("r")))
        #expect(recording.endpoint.target == Self.target && !recording.replaces)
        #expect(recording.response?.body.string(in: 0..<8) == #"{"a": 1}"#)
        let equal = ExchangeCheck(.expect, .passed, subject: "snapshot", expected: "list.snapshot", actual: "equal")
        _ = state.end(SnapshotJob.self, recording.id, .recorded("The body was recorded in list.snapshot", checks: [equal]))
        #expect(state.openCall?.exchange?.expectationResult?.checks == [Self.status, equal, Self.capture])
        #expect(state.screen.contains("✓ snapshot") && state.screen.contains("3 passed, 0 failed"))
        #expect(state.toast?.text == "The body was recorded in list.snapshot")
    }

    @Test func `the check without a record names the key that records it, and no option of commands`() throws {
        let unrecorded = ExchangeCheck(
            .expect, .failed, subject: "snapshot", expected: "a recorded body", actual: "no list.snapshot", remedy: .missingSnapshot)
        var state = try answered { $0.expectationResult = ExpectationResult(checks: [Self.status, unrecorded]) }
        #expect(state.screen.contains("expected a recorded body, got no list.snapshot; r records it"), "\(state.screen)")
        state.press("[", "[", "[", "[", "[", "[")
        #expect(state.screen.contains("Not as expected: snapshot: expected a recorded body, got no list.snapshot; record"), "\(state.screen)")
        #expect(!state.screen.contains("--update-snapshots"))
    }

    @Test func `a file with another body is replaced only after a question`() throws {
        var state = try answered()
        let first = try #require(recorded(state.press("r")))
        _ = state.end(SnapshotJob.self, first.id, .exists("shop/orders/list.snapshot"))
        #expect(state.screen.contains("Replace the snapshot?") && state.screen.contains("shop/orders/list.snapshot"))
        var kept = state
        #expect(kept.press("Enter").isEmpty && !kept.screen.contains("Replace the snapshot?"))
        let second = try #require(recorded(state.press("Down", "Enter")))
        #expect(second.replaces && second.id != first.id)
    }

    @Test func `without questions before files are replaced, it is replaced at once`() throws {
        var state = try answered()
        state.settings.confirmsOverwriting = false
        #expect(try #require(recorded(state.press("r"))).replaces)
    }

    @Test func `a failure is an error with the reason, and the checks stay`() throws {
        var state = try answered()
        let id = try #require(recorded(state.press("r"))).id
        _ = state.end(SnapshotJob.self, id, .failed("the disk is full"))
        #expect(state.toast?.text == "The snapshot was not recorded: the disk is full")
        #expect(state.openCall?.exchange?.expectationResult?.checks == [Self.status, Self.missing, Self.capture])
    }

    @Test func `an endpoint that expects no snapshot has no key for it, with the reason`() throws {
        var state = try answered(snapshot: nil)
        #expect(reason(state)?.hasSuffix("has no expect: {snapshot: true}") == true)
        #expect(recorded(state.press("r")) == nil)
        #expect(state.toast?.text.contains("expect: {snapshot: true}") == true)
    }

    @Test func `the body of another tab, of an incomplete response and of a run is not recorded`() throws {
        var state = try answered()
        #expect(reason(state) == nil)
        state.press("[")
        #expect(reason(state) == "The Checks tab is not shown")
        let cut = try answered { $0.error = NetworkError(.connectionRefused, "the connection was reset") }
        #expect(reason(cut) == "The response is not complete")
        let own = try #require(try answered().openEndpoint)
        let step = try answered { $0.request.origin = RequestOrigin(endpoint: own, run: "all") }
        #expect(reason(step)?.contains("The response is that of a run") == true)
        var draft = try answered()
        draft.workspace.services[0].endpoints.indices.forEach { draft.workspace.services[0].endpoints[$0].location = nil }
        #expect(reason(draft)?.contains("saves it") == true)
    }

    @Test func `the checks of a snapshot are replaced in their place, and added after the other expectations`() {
        let difference = ExchangeCheck(.expect, .failed, subject: "snapshot $.a", expected: "1", actual: "2")
        let equal = ExchangeCheck(.expect, .passed, subject: "snapshot", actual: "equal")
        let result = ExpectationResult(checks: [difference, difference, Self.status, Self.capture])
        #expect(result.replacingSnapshot(by: [equal]).checks == [equal, Self.status, Self.capture])
        #expect(ExpectationResult(checks: [Self.status, Self.capture]).replacingSnapshot(by: [equal]).checks == [Self.status, equal, Self.capture])
    }
}
