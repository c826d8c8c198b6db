import BodyViews
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

@Suite struct SendingTests {
    @Test func `Ctrl-R sends the open endpoint in the chosen environment`() throws {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let effects = state.press("^R")
        let endpoint = try #require(Workspace.sample.endpoint("shop/orders/list"))
        #expect(effects == [.send(CallID(1), endpoint, environment: "develop")])
        #expect(state.callsInFlight == 1)
    }

    @Test func `arrows and Enter select an endpoint, Ctrl-R sends it`() {
        var state = AppState.sample()
        state.press("↓", "↓", "Enter")
        guard case .send(_, let endpoint, _) = state.press("^R").first else {
            Issue.record("nothing was sent")
            return
        }
        #expect(endpoint.target == "shop/orders/create")
        #expect(state.focus == .request)
    }

    @Test func `a response to an older send is ignored`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let old = state.sendOpen()
        let new = state.sendOpen()
        state.answer(old, "old")
        #expect(state.callsInFlight == 1)
        state.answer(new, "new", status: 201)
        #expect(state.openCall?.exchange?.response?.status == 201)
        state.answer(new, "again", status: 500)
        #expect(state.openCall?.exchange?.response?.status == 201)
    }

    @Test func `a response that fails its endpoint's expectation displays this above the body`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let id = state.sendOpen()
        var exchange = Exchange.sample("{}", status: 404)
        exchange.expectationResult = ExpectationResult(failures: [
            StepFailure(.expectation, subject: "status", expected: "200", actual: "404"),
            StepFailure(.expectation, subject: "$.id", expected: "a value", actual: "nothing"),
        ])
        _ = state.update(.call(id, .finished(exchange)))
        #expect(state.screen.contains("not as expected"))
        #expect(state.screen.contains("Not as expected: status: expected 200, got 404"))
        #expect(state.screen.contains("Not as expected: $.id: expected a value, got nothing"))
        let fine = state.sendOpen()
        exchange.expectationResult = ExpectationResult(failures: [])
        _ = state.update(.call(fine, .finished(exchange)))
        #expect(!state.screen.contains("not as expected"))
    }

    @Test func `many failed checks leave room for the body, and the Checks tab is named`() {
        var state = AppState.sample(size: Size(width: 80, height: 24))
        state.open("shop/orders/list")
        var exchange = Exchange.sample("{\"orders\": 7}")
        exchange.expectationResult = ExpectationResult(
            failures: (1...20).map { StepFailure(.expectation, subject: "$.item\($0)", expected: "1", actual: "2") })
        _ = state.update(.call(state.sendOpen(), .finished(exchange)))
        #expect(state.screen.contains("$.item3: expected 1, got 2") && !state.screen.contains("$.item4:"))
        #expect(state.screen.contains("17 more failed checks are on the Checks tab"))
        state.press("3", "z")
        #expect(state.screen.contains("\"orders\": 7"))
    }

    @Test func `S0.27 an expired login is displayed in the footer and in the log`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let id = state.sendOpen()
        _ = state.update(.call(id, .signalled(.authExpired("sign in again"))))
        #expect(state.toast?.text == "The login has expired: sign in again")
        #expect(state.log.entries.contains { $0.text.contains("the login has expired: sign in again") })
    }

    @Test func `S3.3 a plugin's notification is displayed in the footer`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        _ = state.update(.call(state.sendOpen(), .signalled(.toast("sold out"))))
        #expect(state.toast?.text == "sold out")
    }

    @Test func `sending again cancels the previous call`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let old = state.sendOpen()
        #expect(state.press("^R").first == .cancel(old))
    }

    @Test func `Ctrl-C cancels the request of the focused pane and never quits`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let id = state.sendOpen()
        #expect(state.press("^C") == [.cancel(id)])
        #expect(state.press("^C") == [])
        _ = state.update(.call(id, .finished(.sample(error: NetworkError(.cancelled, "stopped")))))
        #expect(state.callsInFlight == 0)
        #expect(state.screen.contains("cancelled"))
        #expect(!state.isQuitting)
    }

    @Test func `Ctrl-R while typing sends the typed text`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.press("Enter")
        state.type("7")
        guard case .send(_, let endpoint, _) = state.press("^R").first else {
            Issue.record("nothing was sent")
            return
        }
        #expect(endpoint.query.first?.value == "17")
        #expect(RequestFeature.editing(state) != nil)
    }

    @Test func `several calls can be in flight at the same time`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let first = state.sendOpen()
        state.open("shop/orders/create")
        _ = state.sendOpen()
        #expect(state.callsInFlight == 2)
        #expect(state.screen.contains("2 in flight"))
        state.answer(first)
        #expect(state.callsInFlight == 1)
    }

    @Test func `a thousand progress events result in one state and no effects`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let id = state.sendOpen()
        let entries = state.log.entries.count
        for step in 1...1000 {
            #expect(state.update(.call(id, .progressed(CallProgress(received: Int64(step), receivedTotal: 1000)))).isEmpty)
        }
        #expect(state.log.entries.count == entries)
        #expect(state.openCall?.progress.received == 1000)
    }

    @Test func `ticks are requested only while a call is in flight, a notification expires, or the log needs a time`() {
        var state = AppState.sample()
        #expect(!state.wantsTicks)
        state.open("shop/orders/list")
        let id = state.sendOpen()
        #expect(state.wantsTicks)
        state.answer(id)
        #expect(state.wantsTicks && state.log.items.last?.call?.time == nil)
        _ = state.update(.tick(now: 0.5))
        #expect(!state.wantsTicks && state.log.items.last?.call?.time == 0.5)
        _ = state.update(.workspaceFailed("the folder does not exist"))
        #expect(state.wantsTicks)
        _ = state.update(.tick(now: 1))
        _ = state.update(.tick(now: 1 + (state.toast?.lifetime ?? 0)))
        #expect(!state.wantsTicks)
        #expect(state.log.entries.last?.text == "the folder does not exist")
    }

    @Test func `elapsed time and rate are updated by ticks`() {
        var state = AppState.sample(size: Size(width: 100, height: 24))
        state.open("shop/orders/list")
        let id = state.sendOpen()
        _ = state.update(.tick(now: 10))
        _ = state.update(.call(id, .progressed(CallProgress(received: 2_000_000, receivedTotal: 10_000_000))))
        _ = state.update(.tick(now: 11))
        #expect(state.openCall?.elapsed == 1)
        #expect(state.openCall?.meter.rate == 2_000_000)
        let screen = state.screen
        #expect(screen.contains("20 %   2.0/10.0 MB   2.0 MB/s   4.0 s left"))
    }

    @Test func `a body that restarts and is shorter replaces the displayed one`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let id = state.sendOpen()
        _ = state.update(.call(id, .grew(BodyBytes(Array("a long first try".utf8)))))
        state.answer(id, "short", contentType: "text/plain")
        #expect(state.screen.contains("short"))
        #expect(!state.screen.contains("first try"))
    }

    @Test func `a run is not treated as an endpoint`() {
        var state = AppState.sample()
        ServicesFeature.select(.run("checkout"), &state)
        let effects = state.press("^R")
        #expect(effects == [.startRun(RunID(1), "checkout", environment: "develop", from: nil)])
    }

    @Test func `the key that cancels a call stays in the footer at any width`() {
        var state = AppState.sample(size: Size(width: 50, height: 12))
        state.open("shop/orders/list")
        _ = state.sendOpen()
        #expect(state.screen.contains("^C Cancel"))
    }

    @Test func `a problem before sending is displayed with its location`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let id = state.sendOpen()
        _ = state.update(
            .callFailedToStart(id, Diagnostic(SourceLocation(file: "list.yaml", line: 3, column: 7), "nothing defines {{x}}")))
        #expect(state.callsInFlight == 0)
        #expect(state.screen.contains("nothing defines {{x}}"))
        #expect(state.screen.contains("list.yaml:3:7"))
    }

    @Test func `a body is displayed while it arrives`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let id = state.sendOpen()
        _ = state.update(.call(id, .responded(Response(status: 200, headers: [HeaderField("Content-Type", "text/plain")]))))
        _ = state.update(.call(id, .grew(BodyBytes(Array("first line\nsecond".utf8)))))
        #expect(state.screen.contains("first line"))
        state.answer(id, "first line\nsecond line", contentType: "text/plain")
        #expect(state.screen.contains("second line"))
    }

    @Test func `a large body is indexed in the background, one step at a time`() throws {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let id = state.sendOpen()
        let text = String(repeating: "0123456789abcdef\n", count: 40_000)
        let effects = state.answer(id, text, contentType: "text/plain")
        guard case .index(id, var view) = effects.first, effects.count == 1 else {
            Issue.record("no index was asked for: \(effects)")
            return
        }
        view.advance(budget: 8 << 20)
        #expect(state.update(.indexed(id, view)).isEmpty)
        #expect(state.openCall?.body?.rowCount == 40_000)
        #expect(state.update(.indexed(CallID(99), view)).isEmpty)
    }
}
