import BodyViews
import FoundationEssentials
import HistoryModel
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests exchanges of the history in Response: display, comparison, and replay.
@Suite struct PastTests {
    // MARK: Display

    @Test func `Enter displays the exchange as past, with its source, and opens its endpoint`() {
        var state = AppState.withHistory(3, size: Size(width: 200, height: 50))
        state.answering { $0.press("Enter") }
        #expect(state.focus == .response)
        #expect(state.openTarget == "shop/orders/list")
        #expect(state.screen.contains("Response  past 14:00:03 · 200 OK · 1.2 kB · 34 ms"))
        #expect(state.screen.contains("From the history: #3 · 2026-09-21 14:00:03 · develop. Secrets are masked."))
        #expect(state.screen.contains(#""page""#))
        state.press("]")
        #expect(state.screen.contains("Content-Type"))
    }

    @Test func `the file of a download is named once, and a reason for another missing body is shown`() {
        let saved = "it was saved to the file /tmp/a.json"
        for (file, missing, text) in [("/tmp/a.json", saved, "Saved to /tmp/a.json"), (nil, "it is gone", "Body: it is gone")] {
            var state = AppState.withHistory(1, size: Size(width: 200, height: 50))
            state.store.change = {
                ($0.file, $0.missingBody) = (file, missing)
                $0.exchange.response?.body = .empty
            }
            state.answering { $0.press("Enter") }
            #expect(state.screen.contains(text) && state.screen.components(separatedBy: "a.json").count <= 2, "\(state.screen)")
            #expect(!state.screen.contains("no body") && !state.screen.contains("opens"), "\(state.screen)")
        }
    }

    @Test func `an action before the first rows is performed when they arrive, unless another key was pressed`() {
        var state = HistoryBench(state: .sample())
        state.store.add(3)
        func asked(_ keys: [String]) -> [Effect] {
            var state = state
            let effects = state.press("H")
            #expect(keys.allSatisfy { state.press($0) == [] })
            guard case .history(let id, let request)? = effects.first else { return [] }
            return state.update(.history(id, state.store.answer(request)))
        }
        #expect(asked(["Enter"]).contains { $0.request == .past(3) })
        #expect(asked(["^R"]).started(PlanReplayJob.self).map(\.job.item.number) == [3])
        #expect(asked(["^R", "1"]).started(PlanReplayJob.self).isEmpty)
        #expect(!asked(["Enter", "j"]).contains { $0.request == .past(3) })
    }

    @Test func `the past exchange is closed by Esc, by another endpoint and by the next send`() {
        for leaves: (inout HistoryBench) -> Void in [
            { $0.press("Esc") }, { $0.open("shop/orders/create") },
            {
                $0.open("shop/orders/list")
                $0.press("^R")
            },
        ] {
            var state = AppState.withHistory(3)
            state.answering { $0.press("Enter") }
            let shown = state.responses.past?.call
            #expect(shown.flatMap { state.calls[$0] } != nil)
            leaves(&state)
            #expect(state.responses.past == nil)
            #expect(!state.screen.contains("past 14:"))
            #expect(state.calls.shown == nil && shown.flatMap { state.calls[$0] } == nil, "the stored exchange is removed")
        }
    }

    @Test func `the endpoint's own response is displayed again`() {
        var state = AppState.withHistory(3, size: Size(width: 200, height: 50))
        state.open("shop/orders/list")
        let id = state.sendOpen()
        state.state.answer(id, #"{"mine": 1}"#)
        state.press("H")
        state.answering { $0.press("Enter") }
        #expect(!state.screen.contains("mine"))
        state.press("Esc")
        #expect(state.screen.contains("mine"))
    }

    @Test func `an exchange without an endpoint has its URL in the title`() {
        var state = AppState.withHistory(1, size: Size(width: 200, height: 50)) { $0.target = nil }
        state.answering { $0.press("Enter") }
        #expect(state.screen.contains("past 14:00:01 · http://127.0.0.1:8080/orders"))
    }

    @Test func `a removed exchange is reported as such`() {
        var state = AppState.withHistory(1)
        state.store.items = []
        state.answering { $0.press("Enter") }
        #expect(state.toast?.text == "It is no longer in the history")
    }

    // MARK: Drafts and endpoints

    @Test func `e creates a draft, with masked values from the current endpoint`() {
        var state = AppState.withHistory(7)
        state.open("shop/orders/list")
        state.state.change { $0.headers = [Parameter("authorization", "Bearer {{token}}")] }
        state.press("H")
        state.answering { $0.press("e") }
        #expect(state.focus == .request)
        #expect(state.openEndpoint?.query == [Parameter("page", "7")])
        #expect(state.openEndpoint?.headers == [Parameter("Authorization", "Bearer {{token}}")])
        state.press("u")
        #expect(state.openEndpoint?.query.first?.value == "1")
    }

    @Test func `a masked value that is not in the current endpoint becomes a name, never a sent mask`() {
        var past = AppState.withHistory(1).store.past(AppState.withHistory(1).store.items[0])
        past.exchange.request.origin?.endpoint.auth = .bearer(token: HeaderField.mask)
        past.exchange.request.origin?.endpoint.variables = ["key": HeaderField.mask]
        past.exchange.request.origin?.endpoint.body = .json(#"{"password": "\#(HeaderField.mask)"}"#)
        past.masks.endpoint.formUnion([.auth, .variable("key"), .body])
        var state = AppState.withHistory(1)
        HistoryFeature.openAsDraft(past, &state.state)
        let draft = state.openEndpoint
        #expect(draft?.headers == [Parameter("Authorization", "{{authorization}}")])
        #expect(draft?.auth == .bearer(token: "{{token}}"))
        #expect(draft?.variables == [:], "a name cannot stand for itself")
        #expect(draft?.body == .json(#"{"password": "{{secret}}"}"#))
    }

    @Test func `an endpoint made of a past WebSocket connection opens one`() {
        var past = AppState.withHistory(1).store.past(AppState.withHistory(1).store.items[0])
        past.item.kind = .webSocket
        #expect(Endpoint(of: past, target: "shop/b", name: "b", servers: [], folder: "/w").kind == .webSocket)
        past.exchange.request.origin = nil
        #expect(Endpoint(of: past, target: "shop/b", name: "b", servers: [], folder: "/w").path.hasPrefix("ws://"))
    }

    @Test func `the text of a mask in a value of the user stays in the draft and in a new endpoint`() {
        var past = AppState.withHistory(1).store.past(AppState.withHistory(1).store.items[0])
        past.exchange.request.origin?.endpoint.query = [Parameter("note", HeaderField.mask)]
        past.exchange.request.origin?.endpoint.variables = ["own": HeaderField.mask]
        past.exchange.request.origin?.endpoint.body = .json(#"{"note": "\#(HeaderField.mask)"}"#)
        var state = AppState.withHistory(1)
        HistoryFeature.openAsDraft(past, &state.state)
        #expect(state.openEndpoint?.query == [Parameter("note", HeaderField.mask)])
        #expect(state.openEndpoint?.headers == [Parameter("Authorization", "{{authorization}}")])
        let made = Endpoint(of: past, target: "shop/b", name: "b", servers: [], folder: "/w")
        #expect(made.variables == ["own": HeaderField.mask] && made.body == .json(#"{"note": "\#(HeaderField.mask)"}"#))
        past.exchange.request.origin = nil
        past.exchange.request.headers = [HeaderField("X-Note", HeaderField.mask), HeaderField("Host", "h"), HeaderField("X-Key", HeaderField.mask)]
        past.masks = MaskedParts(request: [.header(2)])
        let rebuilt = Endpoint(of: past, target: "shop/b", name: "b", servers: [], folder: "/w")
        #expect(rebuilt.headers == [Parameter("X-Note", HeaderField.mask), Parameter("X-Key", "{{x_key}}")])
    }

    @Test func `a text with a secret uses the current one, which is reported`() {
        var past = AppState.withHistory(1).store.past(AppState.withHistory(1).store.items[0])
        past.exchange.request.origin?.endpoint.target = "shop/orders/create"
        past.exchange.request.origin?.endpoint.body = .json(#"{"password": "\#(HeaderField.mask)", "item": 2}"#)
        past.masks.endpoint.insert(.body)
        var state = AppState.withHistory(1)
        HistoryFeature.openAsDraft(past, &state.state)
        #expect(state.openEndpoint?.body == .json("{\n  \"item\": 1\n}"))
        #expect(state.toast?.text.contains("with the current body") == true)
    }

    @Test func `s saves the exchange as an endpoint of a service`() throws {
        var state = AppState.withHistory(1)
        state.answering { $0.press("s") }
        #expect(state.screen.contains("Save as an endpoint"))
        state.press("Tab", "^U")
        state.type("orders/again")
        guard case .createEndpoint(let id, let endpoint)? = state.press("Enter").first else { return #expect(Bool(false)) }
        #expect(endpoint.target == "shop/orders/again")
        #expect(endpoint.headers == [Parameter("Authorization", "{{authorization}}")])
        #expect(endpoint.location == nil)
        var workspace = state.workspace
        workspace.services[0].endpoints.append(endpoint)
        _ = state.update(.workspaceLoaded(workspace))
        _ = state.update(.created(id, .done("shop/orders/again.yaml")))
        #expect(state.openTarget == "shop/orders/again")
    }

    @Test func `an existing name is rejected in the form`() {
        var state = AppState.withHistory(1)
        state.answering { $0.press("s") }
        state.press("Tab", "^U")
        state.type("orders/list")
        #expect(state.press("Enter") == [])
        #expect(state.screen.contains("already exists"))
    }

    @Test func `a request without an origin becomes rows and a path on the server`() {
        let item = HistoryItem(
            number: 1, id: RequestID(high: 0, low: 1), startedAt: Date(timeIntervalSince1970: 0), url: "http://127.0.0.1:8080/a/b?x=1%202&y=")
        var exchange = Exchange.sample()
        exchange.request.method = .post
        exchange.request.url = HTTPURL(scheme: .http, host: "127.0.0.1", port: 8080, path: "/a/b", query: "x=1%202&y=")
        exchange.request.headers = [HeaderField("X-Api-Key", HeaderField.mask), HeaderField("Content-Length", "9")]
        exchange.request.body = .text(#"{"a": 1}"#, contentType: "application/json")
        let endpoint = Endpoint(
            of: PastExchange(item: item, exchange: exchange, masks: MaskedParts(request: [.header(0)])), target: "shop/b", name: "b",
            servers: [HTTPURL(scheme: .http, host: "other.test"), HTTPURL(scheme: .http, host: "127.0.0.1", port: 8080)], folder: "/w")
        #expect(endpoint.path == "/a/b")
        #expect(endpoint.query == [Parameter("x", "1 2"), Parameter("y", "")])
        #expect(endpoint.headers == [Parameter("X-Api-Key", "{{x_api_key}}")])
        #expect(endpoint.body == .json(#"{"a": 1}"#))
    }

    @Test func `literal braces are escaped so that they are sent again`() throws {
        let item = HistoryItem(number: 1, id: RequestID(high: 0, low: 1), startedAt: Date(timeIntervalSince1970: 0), url: "http://h/")
        var exchange = Exchange.sample()
        exchange.request.url = HTTPURL(scheme: .http, host: "h", path: "/a")
        exchange.request.headers = [HeaderField("X-T", "{{t}}")]
        exchange.request.body = .text("Dear {{name}} {{", contentType: "text/plain")
        exchange.request.origin = nil
        let endpoint = Endpoint(of: PastExchange(item: item, exchange: exchange), target: "shop/b", name: "b", servers: [], folder: "/w")
        let plan = RequestBuilder(workspace: Workspace(name: "W", folder: "/w"), environment: nil)
        let request = try plan.request(for: endpoint, in: plan.scope(of: endpoint) { _, _ in nil })
        #expect(request.headers["X-T"] == "{{t}}")
        #expect(request.body == exchange.request.body)
    }

    @Test func `a URL of the command line becomes a path on the server and rows`() {
        let item = HistoryItem(
            number: 1, id: RequestID(high: 0, low: 1), startedAt: Date(timeIntervalSince1970: 0), url: "http://127.0.0.1:8080/a?x=1")
        var exchange = Exchange.sample()
        exchange.request.url = HTTPURL(scheme: .http, host: "127.0.0.1", port: 8080, path: "/a", query: "x=1")
        exchange.request.origin = RequestOrigin(endpoint: Endpoint(target: "", name: "", path: "http://127.0.0.1:8080/a?x=1"))
        let past = PastExchange(item: item, exchange: exchange)
        let servers = [HTTPURL(scheme: .http, host: "other.test"), HTTPURL(scheme: .http, host: "127.0.0.1", port: 8080)]
        let near = Endpoint(of: past, target: "shop/a", name: "a", servers: servers, folder: "/w")
        #expect(near.path == "/a" && near.query == [Parameter("x", "1")])
        let far = Endpoint(of: past, target: "shop/a", name: "a", servers: [], folder: "/w")
        #expect(far.path == "http://127.0.0.1:8080/a" && far.query == [Parameter("x", "1")])
    }

    // MARK: Comparison

    @Test func `two marked rows are compared, with the older one on the left`() {
        var state = AppState.withHistory(5)
        state.press("Space")
        state.press("j", "Space")
        let effects = state.press("c")
        #expect(effects.compactMap(\.request) == [.compare(3, 5)])
        for case .history(let id, let request) in effects { _ = state.update(.history(id, state.store.answer(request))) }
        #expect(state.screen.contains("#3 with #5"))
        #expect(state.history.marked.isEmpty)
        state.press("Esc")
        #expect(state.popup == nil)
    }

    @Test func `one marked row is compared with the selected one, and without marks the row is marked`() {
        var state = AppState.withHistory(5)
        #expect(state.press("c") == [])
        #expect(state.toast?.text == "c on a second row compares")
        #expect(state.history.marked.map(\.number) == [5])
        state.press("j")
        #expect(state.press("c").compactMap(\.request) == [.compare(4, 5)])
    }

    @Test func `Esc cancels a comparison, and its late result is dropped`() throws {
        var state = AppState.withHistory(5)
        state.press("Space")
        state.press("j", "Space")
        guard case .history(let id, let request)? = state.press("c").first(where: { $0.request == .compare(3, 5) }) else {
            Issue.record("nothing is compared")
            return
        }
        #expect(state.press("Esc") == [.cancelJobs([id])])
        _ = state.update(.history(id, state.store.answer(request)))
        #expect(state.popup == nil && !state.screen.contains("#3 with #5"))
    }

    @Test func `Esc cancels finding out what a replay would send, and its late result is dropped`() {
        var state = AppState.withHistory(3)
        guard let (id, job) = state.press("^R").started(PlanReplayJob.self).first else {
            Issue.record("nothing is planned")
            return
        }
        #expect(state.screen.contains("Preparing the replay of #3"))
        #expect(state.press("Esc") == [.cancelJobs([id])])
        _ = state.end(PlanReplayJob.self, id, .success(ReplaySummary(number: job.item.number, title: "GET http://127.0.0.1:8080/orders")))
        #expect(state.popup == nil)
    }

    @Test func `Enter displays equal fields, and its key label reflects this`() {
        var state = AppState.withHistory(2, size: Size(width: 200, height: 50))
        let items = state.store.items
        state.state.popups.show(ComparePopup(ExchangeComparison(left: state.store.past(items[0]), right: state.store.past(items[1]))))
        #expect(state.screen.contains("Enter Same fields") && !state.screen.contains("Content-Type: application/json"))
        state.press("Enter")
        #expect(state.screen.contains("Enter Only differences") && state.screen.contains("Content-Type: application/json"))
    }

    @Test func `different lines are marked, and n selects the next one`() {
        let items = AppState.withHistory(2).store
        var comparison = ExchangeComparison(left: items.past(items.items[0]), right: items.past(items.items[1]))
        comparison.body = BodyComparison(
            .json, isDifferent: true,
            lines: [.init(.folded(400)), .init(.removed, "\"page\": 1")] + Array(repeating: .init(.same, "{"), count: 60) + [
                .init(.added, "\"page\": 2")
            ])
        var state = AppState.withHistory(2).state
        state.popups.show(ComparePopup(comparison))
        #expect(state.screen.contains("⋯ 400 lines in both"))
        state.press("n")
        #expect(state.screen.contains("- \"page\": 1"))
        #expect(!state.screen.contains("+ \"page\": 2"))
        state.press("n")
        #expect(state.screen.contains("+ \"page\": 2"))
    }

    // MARK: Replay

    private func planned(_ state: inout HistoryBench, _ change: (inout ReplaySummary) -> Void = { _ in }) -> [Effect] {
        let effects = state.press("^R")
        guard let (id, job) = effects.started(PlanReplayJob.self).first else { return [] }
        var summary = ReplaySummary(
            number: job.item.number, title: "GET http://127.0.0.1:8080/orders", fresh: ["signature", "cookies"], target: "shop/orders/list")
        change(&summary)
        return state.end(PlanReplayJob.self, id, .success(summary))
    }

    @Test func `the first Ctrl-R displays what will be generated again, the second one sends`() {
        var state = AppState.withHistory(3)
        #expect(planned(&state) == [])
        #expect(state.screen.contains("signature") && state.screen.contains("cookies"))
        guard case .replay(let ids, [3], pace: .inOrder)? = state.press("Enter").first(where: { if case .replay = $0 { true } else { false } }) else {
            return #expect(Bool(false))
        }
        #expect(state.calls["shop/orders/list"]?.id == ids[0])
        #expect(state.focus == .bottom)
        state.press("g")
        _ = state.state.answer(ids[0])
        state.press("g")
        #expect(planned(&state).contains { if case .replay = $0 { true } else { false } })
        #expect(state.popup == nil)
    }

    @Test func `a replay asks for the secrets of prompts, and is planned and sent with them`() throws {
        var state = AppState.withHistory(3)
        let question = try #require(PromptQuestion("promptSecret", "PIN"))
        #expect(planned(&state) { ($0.missing, $0.prompts) = (["“PIN” has to be entered"], [question]) } == [])
        #expect(state.screen.contains("Send #3 with") && state.screen.contains("PIN"))
        state.type("4711")
        #expect(!state.screen.contains("4711"))
        let effects = state.press("Enter")
        guard effects.count == 2, effects[0] == .supplyReplayPrompts(3, ["PIN": "4711"]), let (id, job) = effects[1].started(PlanReplayJob.self),
            job.item.number == 3
        else {
            Issue.record("\(effects)")
            return
        }
        _ = state.end(PlanReplayJob.self, id, .success(ReplaySummary(number: 3, title: "GET /", fresh: ["PIN"], target: "shop/orders/list")))
        #expect(state.screen.contains("Send it"))
        let sent = state.press("Enter")
        #expect(sent.contains(.supplyReplayPrompts(3, ["PIN": "4711"])))
        #expect(sent.contains { if case .replay(_, [3], pace: .inOrder) = $0 { true } else { false } })
    }

    @Test(arguments: ["/", "1/", "^P", "?"]) func `nothing opens over text input, and a notification reports it`(keys: String) {
        for ask in ["^R", "Enter", "e", "s"] {
            var state = AppState.withHistory(3)
            let effects = state.press(ask)
            for key in keys.count == 2 && keys != "^P" ? keys.map(String.init) : [keys] { state.press(key) }
            let (popup, open) = (state.popups.topID, state.openTarget)
            for effect in effects {
                if let (id, job) = effect.started(PlanReplayJob.self) {
                    _ = state.end(PlanReplayJob.self, id, .success(ReplaySummary(number: job.item.number, title: "GET")))
                }
                if case .history(let id, let request) = effect { _ = state.update(.history(id, state.store.answer(request))) }
            }
            #expect(state.popups.topID == popup && state.isOccupied && state.responses.past == nil && state.openTarget == open)
            #expect(state.toast?.text.contains("finished in the background") == true)
            state.type("x")
            #expect(!state.press("Enter").contains { if case .replay = $0 { true } else { false } })
        }
    }

    @Test func `a row marked for a comparison is not sent by Ctrl-R from another row`() {
        var state = AppState.withHistory(3)
        state.press("c", "j")
        #expect(state.history.marked.map(\.number) == [3])
        #expect(state.press("^R").started(PlanReplayJob.self).map(\.job.item.number) == [2])
    }

    @Test func `a plan that is being made is not asked for again, and that of another exchange supersedes it`() {
        var state = AppState.withHistory(3)
        let asked = state.press("^R")
        guard asked.count == 1, let (first, job) = asked[0].started(PlanReplayJob.self), job.item.number == 3 else { return #expect(Bool(false)) }
        #expect(state.toast?.text == "Preparing the replay of #3…")
        #expect(state.press("^R") == [])
        state.press("j")
        let other = state.press("^R")
        guard other.count == 2, other[0].started(PlanReplayJob.self)?.job.item.number == 2 else { return #expect(Bool(false)) }
        #expect(other[1] == .cancelJobs([first]))
    }

    @Test func `a changed file is displayed each time, and a missing secret prevents sending`() {
        var state = AppState.withHistory(3)
        state.history.explained = [3]
        #expect(planned(&state) { $0.changed = ["/tmp/a.bin is smaller than it was"] } == [])
        #expect(state.screen.contains("a.bin"))
        state.press("Esc")
        #expect(planned(&state) { $0.missing = ["token: set DEMO_TOKEN"] } == [])
        #expect(state.screen.contains("token: set DEMO_TOKEN"))
        #expect(!state.screen.contains("Send it"))
    }

    @Test func `a replay without an endpoint is displayed in Response while it is sent`() {
        var state = AppState.withHistory(1, size: Size(width: 200, height: 50)) { $0.target = nil }
        _ = planned(&state) { $0.target = nil }
        guard case .replay(let ids, _, _)? = state.press("Enter").first else { return #expect(Bool(false)) }
        #expect(state.screen.contains("replay · http://127.0.0.1:8080/orders"))
        _ = state.state.answer(ids[0], #"{"again": 1}"#)
        #expect(state.screen.contains("again"))
        state.press("3", "Esc")
        #expect(state.calls.isEmpty)
    }

    @Test func `Ctrl-R on a past response without an endpoint sends that request, not the open endpoint`() {
        var state = AppState.withHistory(1) { $0.target = nil }
        state.open("shop/orders/list")
        state.press("H")
        state.answering { $0.press("Enter") }
        #expect(state.press("^R").started(PlanReplayJob.self).map(\.job.item.number) == [1])
    }

    @Test func `several exchanges require confirmation, are sent oldest first, and reported when all have ended`() {
        var state = AppState.withHistory(4)
        for _ in 0..<3 { state.press("Space") }
        state.press("^R")
        #expect(state.screen.contains("Replay 3 exchanges"))
        state.press("Down")
        guard case .replay(let ids, [2, 3, 4], pace: .original)? = state.press("Enter").first else { return #expect(Bool(false)) }
        #expect(state.historyLines.first?.contains("0/3") == true)
        for (index, id) in ids.enumerated() { _ = state.state.answer(id, status: index == 0 ? 500 : 200) }
        #expect(state.toast?.text == "3 replayed, 2 with the same status")
        #expect(state.calls.batch == nil)
        #expect(state.calls.isEmpty)
    }

    @Test func `of several exchanges, those that may change something are sent only where the user says so`() {
        var state = AppState.withHistory(3) { if $0.number > 1 { $0.method = .post } }
        for _ in 0..<3 { state.press("Space") }
        state.press("^R")
        #expect(state.screen.contains("• Only the safe ones    1 of 3, without POST"))
        var safe = state
        #expect(safe.press("Enter").contains { if case .replay(_, [1], pace: .inOrder) = $0 { true } else { false } })
        #expect(state.press("Down", "Enter").contains { if case .replay(_, [1, 2, 3], pace: .inOrder) = $0 { true } else { false } })
        var unsafe = AppState.withHistory(2) { $0.method = .delete }
        for _ in 0..<2 { unsafe.press("Space") }
        unsafe.press("^R")
        #expect(unsafe.press("Enter").isEmpty && unsafe.popup == nil)
    }

    @Test func `a replay that waits for the network has the name of its exchange, and Runs shows it in Response`() {
        var state = AppState.withHistory(3, size: Size(width: 200, height: 50)) { if $0.number == 2 { $0.target = nil } }
        for _ in 0..<2 { state.press("Space") }
        state.press("^R")
        guard case .replay(let ids, [2, 3], pace: .inOrder)? = state.press("Enter").first else { return #expect(Bool(false)) }
        for id in ids {
            let notice = ParkingNotice(reason: "refused", since: Date(timeIntervalSince1970: 0), expires: Date(timeIntervalSince1970: 60))
            _ = state.update(.call(id, .parked(notice)))
        }
        #expect(state.state.calls.parked.map(\.call.name) == ["http://127.0.0.1:8080/orders?page=2", "shop/orders/list"])
        #expect(
            state.state.log.entries.filter { $0.text.contains("waits for the network") }.map(\.source) == [
                "http://127.0.0.1:8080/orders?page=2", "shop/orders/list",
            ])
        #expect(!state.screen.contains("replay 1") && !state.screen.contains("replay 2"))
        let open = state.openTarget
        state.press("R", "g", "Enter")
        #expect(state.responses.past?.call == ids[0] && state.openTarget == open)
    }

    @Test func `an error response is a response, and a cancelled request has none`() {
        let item = HistoryItem(number: 1, id: RequestID(high: 0, low: 1), startedAt: Date(timeIntervalSince1970: 0), url: "http://a/", status: 401)
        var batch = ReplayBatch(count: 2)
        var refused = Exchange.sample(status: 401)
        refused.error = NetworkError(.business, "no token")
        batch.end(item, with: refused)
        batch.end(item, with: nil)
        #expect(batch.text == "2 replayed, 1 with the same status, 1 without a response")
    }
}
