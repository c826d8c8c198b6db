import FoundationEssentials
import HistoryModel
import SortieBase
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Compares the text of panes and large popups in typical states with the files in `Tests/Fixtures/Screens`.
///
/// `UPDATE_DOCUMENTS=1 swift test --filter ScreenSnapshotTests` writes the files; the difference is then reviewed.
@Suite struct ScreenSnapshotTests {
    private static let wide = "日本語 👩‍👩‍👧 e\u{301}té 한국어"

    private var sample: AppState { .sample(size: ScreenSnapshot.full) }
    private var empty: AppState { AppState(workspace: Workspace(name: "Empty", folder: "/empty"), environment: nil, size: ScreenSnapshot.full) }

    /// The sample with wide characters in all names and texts.
    private var widened: AppState {
        var workspace = Workspace.sample
        workspace.services[0].name = Self.wide
        workspace.services[0].endpoints[2].name = Self.wide
        workspace.services[0].endpoints[2].summary = "Beschreibung: \(Self.wide)"
        workspace.services[0].endpoints[2].query = [Parameter("名前", Self.wide), Parameter("emoji👍🏽", "✓", isEnabled: false)]
        workspace.runs = [RunDefinition(name: "実行👍🏽", kind: .chain, steps: [.init(target: "shop/orders/list", name: "手順一")])]
        var state = AppState(workspace: workspace, environment: nil, size: ScreenSnapshot.full)
        state.open("shop/orders/list")
        return state
    }

    private func bottom(_ key: String, _ state: AppState) -> AppState {
        var state = state
        state.press(key)
        return state
    }

    // MARK: Panes

    @Test func `the screens of Services are those in the file`() throws {
        var snapshot = ScreenSnapshot("Services")
        snapshot.add("empty", empty, .services)
        var full = sample
        full.open("shop/orders/list")
        full.change { $0.path = "/changed" }
        snapshot.add("full, with an unsaved change", full, .services)
        var filtered = sample
        filtered.press("1", "/")
        filtered.type("xyz")
        snapshot.add("a filter that finds nothing", filtered, .services)
        var workspace = Workspace.sample
        workspace.unreadable = [
            UnreadableFile(.endpoint("shop/orders/broken"), Diagnostic(SourceLocation(file: "shop/orders/broken.yaml", line: 3), "this is not YAML"))
        ]
        snapshot.add("failed: a file that cannot be read", AppState(workspace: workspace, environment: nil, size: ScreenSnapshot.full), .services)
        snapshot.add("wide characters", widened, .services)
        snapshot.addNarrow("narrow", full, .services)
        #expect(try snapshot.problem() == nil)
    }

    @Test func `the screens of Request are those in the file`() throws {
        var snapshot = ScreenSnapshot("Request")
        snapshot.add("empty", empty, .request)
        var full = sample
        full.open("shop/orders/list")
        for tab in RequestTab.allCases {
            full.requestState.tab = tab
            snapshot.add("\(tab.title)", full, .request)
        }
        var body = sample
        body.open("shop/orders/create")
        snapshot.add("a body", body, .request)
        var failed = sample
        failed.open("shop/orders/list")
        failed.change { $0.path = "http://{{nothing}}/" }
        failed.change { $0.query = [Parameter("a", "{{nothing}}")] }
        snapshot.add("failed: an undefined variable", failed, .request)
        snapshot.add("wide characters", widened, .request)
        full.requestState.tab = .params
        snapshot.addNarrow("narrow", full, .request)
        #expect(try snapshot.problem() == nil)
    }

    @Test func `the screens of Response are those in the file`() throws {
        var snapshot = ScreenSnapshot("Response")
        var state = sample
        state.open("shop/orders/list")
        snapshot.add("empty", state, .response)
        var sending = state
        let id = sending.sendOpen()
        _ = sending.update(.tick(now: 0))
        _ = sending.update(.call(id, .progressed(CallProgress(sent: 5, sentTotal: 10, received: 3_000_000, receivedTotal: 9_000_000))))
        _ = sending.update(.tick(now: 1.5))
        snapshot.add("sending", sending, .response)
        var full = state
        full.answer(full.sendOpen(), #"{"orders": [{"id": 1, "name": "a", "paid": true}, {"id": 2, "name": null, "list": [1, 2.5]}]}"#)
        snapshot.add("full", full, .response)
        var failed = state
        _ = failed.update(
            .call(failed.sendOpen(), .finished(.sample(error: NetworkError(.connectionRefused, "127.0.0.1:8080 refused the connection")))))
        snapshot.add("failed: no connection", failed, .response)
        var refused = state
        refused.answer(refused.sendOpen(), "not found\n", status: 404, contentType: "text/plain")
        snapshot.add("failed: 404", refused, .response)
        var wide = state
        wide.answer(wide.sendOpen(), #"{"名前": "\#(Self.wide)", "control": "\u001b[2J"}"#)
        snapshot.add("wide characters", wide, .response)
        var markup = state
        let orders = "<order id=\"1\"><name>\(Self.wide)</name><paid/></order><order id=\"2\"><name>b</name></order>"
        markup.answer(markup.sendOpen(), "<shop><orders>\(orders)</orders><end/></shop>", contentType: "application/xml")
        markup.press("3", "↓", "↓")
        snapshot.add("XML, with the XPath of the row", markup, .response)
        markup.press("Enter")
        snapshot.add("XML, with a folded element", markup, .response)
        snapshot.addNarrow("narrow", full, .response)
        #expect(try snapshot.problem() == nil)
    }

    @Test func `the screens of Transfers are those in the file`() throws {
        var snapshot = ScreenSnapshot("Transfers")
        snapshot.add("empty", bottom("T", sample), .bottom)
        func download(_ name: String = "big.iso") -> (AppState, CallID) {
            var workspace = Workspace.sample
            workspace.services[0].endpoints[0].name = name
            var state = AppState(
                workspace: workspace, environment: nil, size: ScreenSnapshot.full,
                folders: TransferFolders(home: "/home/me", current: "/work", downloads: "/home/me/Downloads"))
            state.open("shop/big")
            let id = state.downloadOpen()
            _ = state.update(.tick(now: 0))
            return (state, id)
        }
        func receiving(_ name: String) -> (AppState, CallID) {
            var (state, id) = download(name)
            _ = state.update(.download(id, .changed(.requesting(offset: 400_000_000))))
            _ = state.update(.download(id, .changed(.receiving)))
            _ = state.update(
                .download(
                    id,
                    .progressed(
                        DownloadProgress(received: 1_220_000_000, total: 2_000_000_000, rate: 312_000_000, average: 200_000_000, remaining: 3))))
            _ = state.update(.tick(now: 1))
            return (state, id)
        }
        let (full, _) = receiving("big.iso")
        snapshot.add("full", bottom("T", full), .bottom)
        var (failed, id) = download()
        let error = NetworkError(.connectionLost, "the connection was closed after 1 GB")
        _ = failed.update(
            .download(
                id,
                .finished(
                    DownloadResult(
                        state: .failed(error, isResumable: true), file: "/home/me/Downloads/big.iso", bytes: 1_000_000_000, resumedAt: 0, restarts: 0,
                        digest: nil, exchange: .sample(error: error)))))
        snapshot.add("failed", bottom("T", failed), .bottom)
        snapshot.add("wide characters", bottom("T", receiving(Self.wide).0), .bottom)
        snapshot.addNarrow("narrow", bottom("T", full), .bottom)
        #expect(try snapshot.problem() == nil)
    }

    @Test func `the screens of Runs are those in the file`() throws {
        var snapshot = ScreenSnapshot("Runs")
        snapshot.add("empty", bottom("R", sample), .bottom)
        func started(_ names: [String]) -> (AppState, RunID, RunRecord) {
            let definition = RunDefinition(name: "checkout", kind: .chain, steps: names.map { .init(target: "shop/orders/list", name: $0) })
            var workspace = Workspace.sample
            workspace.runs = [definition]
            var state = AppState(workspace: workspace, environment: nil, size: ScreenSnapshot.full)
            ServicesFeature.select(.run("checkout"), &state)
            let record = RunPlan(definition).newRecord(environment: "develop")
            for case .startRun(let id, _, _, _) in state.press("^R") {
                _ = state.update(.run(id, .began(record)))
                var step = record.steps[0]
                (step.state, step.status, step.seconds) = (.done, 200, 0.034)
                _ = state.update(.run(id, .step(0, step)))
                return (state, id, record)
            }
            preconditionFailure("the run did not start")
        }
        var (full, id, record) = started(["login", "list", "detail"])
        var step = record.steps[1]
        step.state = .sending
        _ = full.update(.run(id, .step(1, step)))
        snapshot.add("full", bottom("R", full), .bottom)
        var failed = full
        (step.state, step.status) = (.failed, 503)
        step.failures = [StepFailure(.expectation, subject: "status", expected: "200", actual: "503")]
        record.steps[0].state = .done
        record.steps[1] = step
        record.steps[2].state = .skipped
        (record.state, record.failedStep, record.duration) = (.failed, 1, 0.1)
        _ = failed.update(.run(id, .finished(record)))
        snapshot.add("failed", bottom("R", failed), .bottom)
        snapshot.add("wide characters", bottom("R", started(["手順一 👩‍👩‍👧", "e\u{301}tape", "한국어"]).0), .bottom)
        snapshot.addNarrow("narrow", bottom("R", failed), .bottom)
        var several = failed
        for case .startRuns(_, let starts) in several.press("4", "e", "a", "Enter") {
            var done = record
            done.steps[1] = record.steps[0]
            done.steps[1].name = "list"
            done.steps[2].state = .done
            (done.state, done.failedStep) = (.finished, nil)
            for (start, end) in zip(starts, [done, record]) {
                _ = several.update(.run(start.id, .began(end)))
                _ = several.update(.run(start.id, .finished(end)))
            }
        }
        snapshot.add("two environments", several, .bottom)
        snapshot.addNarrow("two environments, narrow", several, .bottom)
        #expect(try snapshot.problem() == nil)
    }

    @Test func `the screens of Log are those in the file`() throws {
        var snapshot = ScreenSnapshot("Log")
        snapshot.add("empty", bottom("L", empty), .bottom)
        var full = sample
        full.open("shop/orders/list")
        let id = full.sendOpen()
        _ = full.update(.call(id, .decided(Decision(.address, "127.0.0.1: written in the URL", time: 0.001))))
        full.answer(id)
        snapshot.add("full", bottom("L", full), .bottom)
        var failed = full
        failed.open("shop/orders/create")
        var exchange = Exchange.sample(error: NetworkError(.connectionRefused, "127.0.0.1:8080 refused the connection"))
        exchange.duration = 0.002
        _ = failed.update(.call(failed.sendOpen(), .finished(exchange)))
        snapshot.add("failed", bottom("L", failed), .bottom)
        var wide = sample
        _ = wide.update(.log(LogEntry(.warning, source: "ショップ", "\(Self.wide) \u{1b}[2J")))
        snapshot.add("wide characters", bottom("L", wide), .bottom)
        snapshot.addNarrow("narrow", bottom("L", failed), .bottom)
        #expect(try snapshot.problem() == nil)
    }

    @Test func `the screens of History are those in the file`() throws {
        var snapshot = ScreenSnapshot("History")
        snapshot.add("empty", AppState.withHistory(0, size: ScreenSnapshot.full).state, .bottom)
        let full = AppState.withHistory(5, size: ScreenSnapshot.full) {
            if $0.number == 2 { ($0.outcome, $0.status, $0.error) = (.failed, nil, "timedOut") }
            if $0.number == 3 { $0.status = 404 }
        }.state
        snapshot.add("full", full, .bottom)
        var failed = sample
        failed.press("H")
        _ = failed.update(.historyFailed("/home/me/.local/state/sortie/history.sqlite: the disk is full"))
        snapshot.add("failed", failed, .bottom)
        let wide = AppState.withHistory(2, size: ScreenSnapshot.full) {
            $0.target = "shop/日本語 👩‍👩‍👧"
            $0.note = Self.wide
        }.state
        snapshot.add("wide characters", wide, .bottom)
        snapshot.addNarrow("narrow", full, .bottom)
        #expect(try snapshot.problem() == nil)
    }

    @Test func `the screens of Monitor are those in the file`() throws {
        var snapshot = ScreenSnapshot("Monitor")
        snapshot.add("empty", bottom("M", sample), .bottom)
        func monitored(_ name: String, errors: Int) -> AppState {
            var traffic = TrafficReport()
            (traffic.requests, traffic.errors, traffic.p50, traffic.p95, traffic.p99) = (40, errors, 0.012, 0.03, 0.25)
            (traffic.bytesSent, traffic.bytesReceived, traffic.connectionsOpened, traffic.connectionsReused) = (1200, 3_000_000, 2, 38)
            let score = AddressScore(score: 0.93, latency: 0.0012, successes: 15, requests: 15)
            let server = ServerReport(
                origin: "http://shop.test:8080", traffic: traffic,
                addresses: [AddressReport(address: "127.0.0.2", traffic: traffic, standing: score, isInUse: true, reason: "better by 0.31")])
            let event = MonitorEvent(time: Date(timeIntervalSince1970: 1_800_000_000), kind: .server, text: "\(name): a → b, \(errors) of 40 failed")
            var state = sample
            _ = state.update(
                .monitored(
                    MonitorReport(services: [ServiceReport(name: name, traffic: traffic, recent: [0, 3, 9], servers: [server])], timeline: [event])))
            return bottom("M", state)
        }
        snapshot.add("full", monitored("shop", errors: 0), .bottom)
        snapshot.add("failed", monitored("shop", errors: 39), .bottom)
        snapshot.add("wide characters", monitored(Self.wide, errors: 2), .bottom)
        snapshot.addNarrow("narrow", monitored("shop", errors: 2), .bottom)
        #expect(try snapshot.problem() == nil)
    }

    // MARK: Popups

    @Test func `the screens of Cookies are those in the file`() throws {
        var snapshot = ScreenSnapshot("Cookies")
        func opened(_ cookies: [Cookie], _ outcome: JobOutcome? = nil) -> AppState {
            var state = sample
            for (job, _) in state.press("C").started(CookiesJob.self) {
                _ = state.end(CookiesJob.self, job, CookieListing(cookies, readAt: Date(timeIntervalSince1970: 1_000_000), outcome: outcome))
            }
            return state
        }
        let full = opened([
            Cookie(name: "sid", value: "s3cret", domain: "shop.example", isSecure: true, isHTTPOnly: true, sameSite: .lax),
            Cookie(name: "名前👩‍👩‍👧", value: "3", domain: "api.example", expiresAt: Date(timeIntervalSince1970: 1_896_048_000)),
        ])
        snapshot.add("empty", opened([]))
        snapshot.add("full", full)
        snapshot.add("failed", opened([], .failed("cookies.sqlite: the file is not a database")))
        snapshot.add(
            "wide characters",
            opened([
                Cookie(name: Self.wide, value: Self.wide, domain: "shop.example"), Cookie(name: "sid", value: "1", domain: "日本語.example"),
            ]))
        var narrow = full
        _ = narrow.update(.input(.resize(ScreenSnapshot.narrow)))
        snapshot.add("narrow", narrow)
        #expect(try snapshot.problem() == nil)
    }

    @Test func `the screens of lists, forms and questions are those in the file`() throws {
        var snapshot = ScreenSnapshot("Popups")
        func opened(_ keys: String..., typing text: String = "") -> AppState {
            var state = widened
            for key in keys { state.press(key) }
            state.type(text)
            return state
        }
        let popups: [(String, AppState)] = [
            ("the palette", opened("^P", typing: "environment")), ("the palette without a match", opened("^P", typing: "qqqq")),
            ("environments", opened("^E")), ("a form", opened("1", "a", "Enter")),
            ("what can be created", opened("1", "a")), ("variables", opened("E")), ("settings", opened(",")), ("help", opened("1", "?")),
            ("a question", opened("1", "g", "d")),
            ("quitting with an unsaved change", opened("2", "Space", "^Q")),
        ]
        for (title, state) in popups {
            snapshot.add(title, state)
            var narrow = state
            _ = narrow.update(.input(.resize(ScreenSnapshot.narrow)))
            snapshot.add("\(title), narrow", narrow)
        }
        #expect(try snapshot.problem() == nil)
    }

    @Test func `the screens of a comparison are those in the file`() throws {
        var snapshot = ScreenSnapshot("Compare")
        let bench = AppState.withHistory(2, size: ScreenSnapshot.full)
        let (one, other) = (bench.store.past(bench.store.items[0]), bench.store.past(bench.store.items[1]))
        func opened(_ left: PastExchange, _ right: PastExchange, _ keys: String...) -> AppState {
            var state = bench.state
            state.popups.show(ComparePopup(ExchangeComparison(left: left, right: right), moment: bench.store.moment))
            for key in keys { state.press(key) }
            return state
        }
        snapshot.add("empty", opened(one, one))
        snapshot.add("full", opened(one, other))
        var refused = other
        refused.item.status = nil
        refused.item.outcome = .failed
        refused.item.error = "connectionRefused: 127.0.0.1:8080 refused the connection"
        refused.exchange = .sample(error: NetworkError(.connectionRefused, "127.0.0.1:8080 refused the connection"))
        snapshot.add("failed", opened(one, refused))
        var wide = other
        wide.exchange = .sample("{\"name\": \"\(Self.wide)\"}")
        snapshot.add("wide characters", opened(one, wide, "n", "n"))
        var narrow = opened(one, other)
        _ = narrow.update(.input(.resize(ScreenSnapshot.narrow)))
        snapshot.add("narrow", narrow)
        #expect(try snapshot.problem() == nil)
    }
}
