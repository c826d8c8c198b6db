import FoundationEssentials
import HistoryModel
import SortieBase
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests that an endpoint's last response is shown from the history until it is sent.
@Suite struct LastResponseTests {
    /// A state after its start, with the requests to the history answered.
    private func started(_ count: Int, size: Size = Size(width: 120, height: 40), _ change: (inout HistoryItem) -> Void = { _ in }) -> HistoryBench {
        var bench = HistoryBench(state: .sample(size: size))
        bench.store.add(count, change)
        bench.answering { $0.start(parked: []) }
        bench.answering { state in
            ServicesFeature.select(.endpoint("shop/orders/list"), &state)
            return state.press("3")
        }
        return bench
    }

    @Test func `the last exchange is read after the start and shown with its age`() {
        let bench = started(3) { $0.startedAt = $0.startedAt.addingTimeInterval(-7300) }
        #expect(bench.screen.contains("200 OK · from history · 2 h ago"))
        #expect(bench.screen.contains(#""page": 3"#))
        #expect(!bench.screen.contains("Nothing was sent yet"))
    }

    @Test func `an endpoint without an exchange was never sent`() {
        var bench = started(0)
        #expect(bench.screen.contains("Nothing was sent yet."))
        #expect(bench.answering { $0.press("j") } == 0, "the history is asked once")
    }

    @Test func `nothing is read before the program has started`() throws {
        var state = AppState.sample()
        state.open("shop/orders/list")
        #expect(state.press("3") == [])
        let effects = state.start(parked: [])
        let endpoint = try #require(state.openEndpoint)
        #expect(effects.compactMap(\.request) == [.last(endpoint, workspace: "/demo")])
        #expect(state.screen.contains("The last response is being read from the history."))
    }

    @Test func `the response of a request with another method is not shown`() {
        var bench = HistoryBench(state: .sample(size: Size(width: 120, height: 40)))
        bench.store.add(1)
        bench.state.open("shop/orders/list")
        bench.state.change { $0.method = .delete }
        bench.answering { $0.start(parked: []) }
        bench.press("3")
        #expect(bench.screen.contains("Nothing was sent yet."))
    }

    @Test func `a response from before a change of the path names the former request, and the list has no status`() {
        var bench = started(1)
        func hasStatus(_ bench: HistoryBench) -> Bool {
            let width = bench.state.layout.services.width
            return bench.screen.split(separator: "\n").contains { CellWidth.prefix(of: String($0), fitting: width).contains("200") }
        }
        #expect(hasStatus(bench))
        bench.state.change { $0.path = "/bigint" }
        #expect(bench.screen.contains("It was sent as GET /orders, before the change."))
        #expect(!hasStatus(bench))
    }

    @Test func `without a history nothing is read`() {
        var state = AppState(workspace: .sample, environment: nil, size: Size(width: 80, height: 24), keepsHistory: false)
        #expect(state.start(parked: []) == [])
    }

    @Test func `a result that arrives after sending is dropped, and sending replaces the stored response`() throws {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open("shop/orders/list")
        guard case .history(let id, _)? = state.start(parked: []).first else {
            Issue.record("nothing is read")
            return
        }
        let call = state.sendOpen()
        var store = HistoryStandIn()
        store.add(1)
        _ = state.update(.history(id, store.answer(.past(1))))
        #expect(state.openCall?.id == call)
        var bench = started(1)
        let sent = bench.sendOpen()
        bench.state.answer(sent, #"{"new": true}"#)
        #expect(bench.screen.contains(#""new": true"#) && !bench.screen.contains("from history"))
    }

    @Test func `another environment and another server are named`() {
        let bench = started(1) { $0.environment = "release" }
        #expect(bench.screen.contains("It was sent in the environment release."))
        var other = HistoryBench(state: .sample(size: Size(width: 120, height: 40)))
        other.store.add(1)
        other.answering { $0.start(parked: []) }
        other.state.environment = "release"
        #expect(
            LastResponse(past: other.store.past(other.store.items[0]), moment: other.store.moment, loadedAt: 0)
                .notes(environment: "develop", servers: [HTTPURL(scheme: .http, host: "shop.example")])
                == ["It was sent to http://127.0.0.1:8080."])
    }

    @Test(arguments: ["https://other.test/orders", "wss://other.test/orders", "{{host}}/orders", "/orders"])
    func `an endpoint whose path is a URL, or may become one, is not compared with the servers of its service`(path: String) {
        var bench = HistoryBench(state: .sample(size: Size(width: 120, height: 40)))
        bench.state.workspace.services[0].servers["develop"] = ["http://elsewhere.test"]
        for index in bench.state.workspace.services[0].endpoints.indices { bench.state.workspace.services[0].endpoints[index].path = path }
        bench.state.environment = "develop"
        bench.store.add(1)
        bench.store.change = { $0.exchange.request.origin = nil }
        bench.answering { $0.start(parked: []) }
        bench.answering { state in
            ServicesFeature.select(.endpoint("shop/orders/list"), &state)
            return state.press("3")
        }
        #expect(bench.screen.contains("from history") && bench.screen.contains("It was sent to") == (path == "/orders"), "\(bench.screen)")
    }

    @Test func `after its exchange is deleted, the one before it is shown`() throws {
        var bench = started(2)
        #expect(bench.screen.contains(#""page": 2"#))
        bench.answering { $0.press("H") }
        bench.press("d")
        let effects = bench.press("Enter")
        #expect(effects.compactMap(\.request) == [.delete([2])])
        bench.store.items.removeLast()
        bench.answering { _ in effects }
        #expect(bench.screen.contains(#""page": 1"#))
    }

    @Test(
        arguments: [
            (0.2, "just now"), (12, "12 s ago"), (125, "2 min ago"), (7300, "2 h ago"), (86_400, "1 day ago"), (86_400 * 70, "2 months ago"),
            (86_400 * 800, "2 years ago"), (-5, "just now"),
        ] as [(Double, String)]) func `the age has one unit`(seconds: Double, text: String)
    {
        #expect(LastResponse.age(seconds: seconds) == text)
    }

    @Test func `a truncated body says how much of it arrived`() {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open("shop/orders/list")
        let call = state.sendOpen()
        var exchange = Exchange.sample("hello world!", contentType: "text/plain")
        exchange.error = NetworkError(.truncatedBody, "the body ended before its announced end")
        exchange.response?.truncation = exchange.error?.message
        exchange.response?.headers.append("Content-Length", "100")
        _ = state.update(.call(call, .finished(exchange)))
        #expect(state.screen.contains("12 of 100 bytes received before that:") && state.screen.contains("hello world!"))
    }

    @Test func `a row of the history has the announced size of a truncated body`() {
        let bench = AppState.withHistory(1, size: Size(width: 120, height: 40)) { item in
            (item.outcome, item.error, item.receivedBytes, item.announcedBytes) = (.failed, "truncatedBody", 12, 100)
        }
        #expect(bench.screen.contains("12/100 B"))
    }
}
