import SortieBase
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests capturing and expecting what the cursor of the response pane is on.
@Suite struct ResponseValuesTests {
    /// The workspace with a login and a list, and optionally a run of both.
    private func workspace(hasRun: Bool = true, _ change: (inout Endpoint) -> Void = { _ in }) -> Workspace {
        var workspace = Workspace(name: "w", folder: "/w")
        workspace.environments = [.init(name: "develop", variables: [:])]
        var service = Service(folder: "shop", name: "Shop")
        service.servers = ["develop": ["http://127.0.0.1:8080"]]
        var login = Endpoint(target: "shop/login", name: "Login", method: .post, path: "/login")
        login.location = SourceLocation(file: "shop/login.yaml")
        var orders = Endpoint(target: "shop/orders", name: "Orders", path: "/orders")
        orders.location = SourceLocation(file: "shop/orders.yaml")
        change(&orders)
        service.endpoints = [login, orders]
        workspace.services = [service]
        if hasRun { workspace.runs = [Self.located(RunDefinition(name: "buy", kind: .chain, sending: ["shop/login", "shop/orders"]))] }
        return workspace
    }

    private static func located(_ run: RunDefinition) -> RunDefinition {
        var run = run
        run.location = SourceLocation(file: "runs/\(run.name).yaml")
        for index in run.steps.indices { run.steps[index].location = SourceLocation(file: "runs/\(run.name).yaml", line: index + 2, column: 5) }
        return run
    }

    /// The response to the login in the focus, the cursor on its first value.
    private func state(_ workspace: Workspace, _ body: String = #"{"token": "abc123", "user": {"id": 7}, "none": null}"#) -> AppState {
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 120, height: 40))
        state.open("shop/login")
        state.answer(state.sendOpen(), body)
        state.focus(.response)
        state.press("j")
        return state
    }

    private func saved(_ effects: [Effect]) -> [Endpoint] {
        effects.compactMap { if case .save(_, let endpoint, _) = $0 { endpoint } else { nil } }
    }

    // MARK: Capturing

    @Test func `v proposes the name and the path of the value, and the token of the following step`() {
        var state = state(workspace())
        state.press("v")
        for text in ["Capture for later steps", "token", "$.token", "orders: Bearer token"] { #expect(state.screen.contains(text)) }
        let endpoints = saved(state.press("Enter"))
        #expect(endpoints.map(\.target) == ["shop/login", "shop/orders"])
        #expect(endpoints[0].captures == [Capture(name: "token", path: "$.token")])
        #expect(endpoints[1].auth == .bearer(token: "{{login.token}}"))
        #expect(state.screen.contains("{{login.token}} is used by orders: Bearer token"))
    }

    @Test func `Save as example adds the exchange to the endpoint, without credentials`() throws {
        var workspace = workspace(hasRun: false)
        let earlier = EndpointExample("200", response: .init(statuses: 200...200))
        workspace.services[0].endpoints[0].examples = [earlier]
        var state = state(workspace)
        _ = state.perform(.saveExample)
        #expect(state.screen.contains("Save as example"))
        let examples = try #require(saved(state.press("Enter")).first?.examples)
        let example = try #require(examples.last)
        #expect(examples.first == earlier && example.name == "200-2" && example.response.statuses == 200...200)
        let body = try #require(example.response.body.literal)
        #expect(body.contains(#""id": 7"#) && !body.contains("abc123"), "\(body)")
        #expect(state.screen.contains("Added the example 200-2"))
    }

    @Test func `a variable that the following step lacks gets the value`() throws {
        var state = state(workspace { $0.query = [Parameter("id", "{{token}}")] })
        state.press("v")
        #expect(state.screen.contains("orders: {{token}}"))
        let effects = state.press("Enter")
        #expect(saved(effects).map(\.target) == ["shop/login"])
        let changed = effects.compactMap { effect -> RunDefinition? in
            if case .editWorkspace(_, .changeRun(_, let run)) = effect { run } else { nil }
        }
        #expect(changed.first?.steps[1].variables == ["token": "{{login.token}}"])
    }

    @Test func `a place of the following step that has the value gets the template`() {
        var state = state(workspace { $0.headers = [Parameter("X-Token", "abc123")] })
        state.press("v")
        #expect(state.screen.contains("orders: header X-Token"))
        #expect(saved(state.press("Enter")).last?.headers == [Parameter("X-Token", "{{login.token}}")])
    }

    @Test func `a value that nothing needs is captured alone`() {
        var state = state(workspace())
        state.press("j", "j", "v")
        #expect(state.screen.contains("$.user.id") && !state.screen.contains("Used by"))
        #expect(saved(state.press("Enter")).map(\.captures) == [[Capture(name: "id", path: "$.user.id")]])
        #expect(state.screen.contains("Captured as {{login.id}}"))
    }

    @Test func `a value in the JSON of a string is captured and expected by a path into the string`() {
        var state = state(workspace(hasRun: false), #"{"payload": "{\"token\": \"abc123\", \"count\": 3}"}"#)
        state.press("Enter", "j", "j", "v")
        #expect(state.screen.contains("$.payload | fromjson | $.count"), "\(state.screen)")
        #expect(saved(state.press("Enter")).first?.captures == [Capture(name: "count", path: "$.payload | fromjson | $.count")])
        state.press("e")
        #expect(saved(state.press("Enter")).isEmpty)
        #expect(state.openEndpoint?.expectation?.json == [Parameter("$.payload | fromjson | $.count", "3")])
    }

    @Test func `a header and the status are captured from the Headers tab`() {
        var state = state(workspace(hasRun: false))
        state.press("]", "g", "v")
        #expect(state.screen.contains("status"))
        #expect(saved(state.press("Enter")).first?.captures == [Capture(name: "status", path: "status")])
        state.press("j", "v", "Enter")
        #expect(state.openEndpoint?.captures.last == Capture(name: "contentType", path: "header Content-Type"))
    }

    @Test func `an endpoint with other changes is not saved with the capture`() {
        var state = state(workspace(hasRun: false))
        state.change { $0.summary = "other" }
        state.press("v")
        #expect(saved(state.press("Enter")).isEmpty)
        #expect(state.screen.contains("Login has other changes") && state.openEndpoint?.captures.count == 1)
    }

    @Test func `the message about the file that was saved keeps what was said before it`() throws {
        var state = state(workspace { $0.headers = [Parameter("X-Token", "abc123")] })
        state.change(EndpointID("shop/login")) { $0.summary = "other" }
        state.press("v")
        var save: (JobID, Endpoint)?
        for case .save(let id, let endpoint, _) in state.press("Enter") { save = (id, endpoint) }
        let (id, endpoint) = try #require(save)
        _ = state.update(.saved(id, .saved(endpoint)))
        let text = state.toast?.text ?? ""
        #expect(text.contains("is used by") && text.contains("Login has other changes") && text.contains("; saved"), "\(text)")
    }

    @Test func `an invalid name or path is refused at its row`() {
        var state = state(workspace(hasRun: false))
        state.press("v", "^U")
        #expect(state.press("Enter").isEmpty && state.screen.contains("enter a name"))
        state.type("x")
        state.press("Tab", "^U")
        state.type("token")
        #expect(state.press("Enter").isEmpty && state.screen.contains("is invalid at character 1"))
    }

    @Test func `what has no path says why`() {
        var text = state(workspace(), "plain")
        #expect(text.press("v").isEmpty && text.screen.contains("Only values of formatted JSON have a path"))
        var timing = state(workspace())
        timing.responseState.tab = .timing
        #expect(timing.press("v").isEmpty && timing.screen.contains("The tabs Body and Headers have the values"))
    }

    // MARK: Expecting

    @Test func `e expects the value at the cursor`() {
        var state = state(workspace(hasRun: false))
        state.press("j", "j", "e")
        #expect(state.screen.contains("Expect of each response") && state.screen.contains("$.user.id"))
        #expect(saved(state.press("Enter")).first?.expectation?.json == [Parameter("$.user.id", "7")])
        #expect(state.screen.contains("Expects $.user.id: 7"))
    }

    @Test func `a secret is expected to exist, and its value is not proposed for the file`() {
        var body = state(workspace(hasRun: false))
        body.press("e")
        #expect(body.screen.contains("$.token"))
        #expect(saved(body.press("Enter")).first?.expectation?.json == [Parameter("$.token", "exists")])
        var header = AppState(workspace: workspace(hasRun: false), environment: nil, size: Size(width: 120, height: 40))
        header.open("shop/login")
        var exchange = Exchange.sample("{}")
        exchange.response?.headers = [HeaderField("Set-Cookie", "session=sesame-7; Path=/")]
        _ = header.update(.call(header.sendOpen(), .finished(exchange)))
        header.focus(.response)
        header.press("]", "g", "j", "e")
        #expect(header.screen.contains("header Set-Cookie") && !header.screen.contains("sesame-7"))
    }

    @Test func `at the start of the body the status is expected`() {
        var state = state(workspace(hasRun: false))
        state.press("g", "e")
        #expect(saved(state.press("Enter")).first?.expectation?.status == 200)
    }

    @Test func `null and containers are expected by their type, and an invalid condition is refused`() {
        var state = state(workspace(hasRun: false))
        state.press("G", "k", "e")
        #expect(state.screen.contains("$.none") && state.screen.contains("type null"))
        state.press("^U")
        state.type("type nothing")
        #expect(state.press("Enter").isEmpty)
        #expect(state.screen.contains("is not a type of values"))
    }

    // MARK: Keys

    @Test func `a run of two steps with a capture takes at most 12 keys from the list of services`() throws {
        var state = AppState(workspace: workspace(hasRun: false), environment: nil, size: Size(width: 120, height: 40))
        state.services.select("endpoint:shop/login")
        state.focus(.services)
        var keys = 0
        func press(_ labels: String...) -> [Effect] {
            keys += labels.count
            return labels.flatMap { state.press($0) }
        }
        // Both endpoints become a run.
        guard case .editWorkspace(let job, .createRun(let run, saving: []))? = press("Space", "Space", "r", "Enter").last else {
            Issue.record("the run is not created")
            return
        }
        var workspace = state.workspace
        workspace.runs = [Self.located(run)]
        _ = state.update(.workspaceEdited(job, .done(FileChanges(), workspace)))
        // It is sent, and its second step fails.
        guard case .startRun(let id, _, environment: _, from: _)? = press("^R").last else {
            Issue.record("the run is not started")
            return
        }
        var record = RunPlan(run).newRecord(environment: "develop")
        _ = state.update(.run(id, .began(record)))
        record.steps[0].state = .done
        record.steps[0].status = 200
        record.steps[1].state = .failed
        record.steps[1].status = 401
        record.failedStep = 1
        record.state = .failed
        _ = state.update(.run(id, .exchanged(0, .sample(#"{"token": "abc123"}"#))))
        _ = state.update(.run(id, .finished(record)))
        // The response of the first step is opened, and its token captured and used.
        let effects = press("k", "Enter", "j", "v", "Enter")
        #expect(saved(effects).map(\.target) == ["shop/login", "shop/orders"])
        #expect(saved(effects).last?.auth == .bearer(token: "{{login.token}}"))
        // The run is sent again from its start.
        guard case .startRun? = press("R", "^R").last else {
            Issue.record("the run is not started again")
            return
        }
        #expect(keys <= 12)
    }
}
