import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the display of the panes.
@Suite struct PaneTests {
    @Test func `the complete screen at 80 × 24 is drawn`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.answer(state.sendOpen(), #"{"ok": true}"#)
        state.focus(.services)
        #expect(
            state.screen == """
                ┌ Services ────────────┐┌ Request  List orders ────────────── shop/orders/list ┐
                │▾ Shop                ││ GET  http://127.0.0.1:8080/orders?page=1             │
                │ GET  big.iso         ││ Params• Headers  Body  Auth  Rules  Options          │
                │ ▾ orders             ││ [x] page    1                                        │
                │  POST Create order   ││ [ ] size    20                                       │
                │  GET  List orders 200│├ Response  200 OK · 12 B · 34 ms ─────────────────────┤
                │▾ Runs                ││ Body• Headers  Cookies  Timing  Trace  Value  Checks │
                │   checkout (chain)   ││   1 {                                                │
                │                      ││   2   "ok": true                                     │
                │                      ││   3 }                                                │
                │                      ││                                                      │
                │                      ││                                                      │
                │                      ││                                                      │
                │                      ││                                                      │
                │                      ││                                                      │
                │                      ││                                                      │
                │                      ││                                                      │
                │                      ││                                                      │
                │                      ││                                                      │
                │─ List orders ────────││                                                      │
                │–  200  34 ms         ││                                                      │
                └──────────────────────┘└─────────────────────────────────────── pretty · 3/3 ─┘
                ──Transfers  Runs  Log  History  Monitor────────────────────────────────────────
                 develop · Shop      Enter Open  a New  i Service  ^R Send  ^P Commands  ? Help

                """)
    }

    @Test func `on a wide screen the response has most of the width, and Services more than on a narrower one`() {
        var state = AppState.sample(size: Size(width: 200, height: 50))
        state.open("shop/orders/list")
        #expect(state.layout.services.width == 44 && AppState.sample(size: Size(width: 120, height: 35)).layout.services.width == 34)
        let (request, response) = (state.layout.request.width, state.layout.response.width)
        #expect((60...65).contains(response * 100 / (request + response)))
    }

    @Test(arguments: [Size(width: 80, height: 24), Size(width: 100, height: 30), Size(width: 120, height: 35), Size(width: 200, height: 50)])
    func `the width of Services does not depend on the focus`(size: Size) {
        var state = AppState.sample(size: size)
        state.open("shop/orders/list")
        let widths = Pane.allCases.map { pane in
            state.focus(pane)
            return state.layout.services.width
        }
        #expect(Set(widths).count == 1, "\(widths)")
    }

    @Test func `the bottom pane without content has one row, and opens when a transfer starts`() {
        var state = AppState.sample(size: Size(width: 200, height: 50))
        state.open("shop/big")
        #expect(state.layout.bottom.height == 1)
        _ = state.downloadOpen()
        #expect(state.layout.bottom.height > 5)
    }

    @Test func `the request above the response has as many rows as it needs`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        #expect(!pane(.request, of: state).contains("│                  "))
        let height = state.layout.request.height
        state.change { $0.query.append(Parameter("sort", "id")) }
        state.updateDemand()
        #expect(state.layout.request.height == height + 1)
    }

    @Test(arguments: Pane.allCases, [Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `keys make the focused pane larger and smaller, and reset all sizes`(pane: Pane, size: Size) {
        func extent(_ state: AppState) -> Int { state.layout[pane].width * state.layout[pane].height }
        var state = AppState.sample(size: size)
        state.open("shop/orders/list")
        state.focus(pane)
        let before = extent(state)
        state.press(">", ">")
        #expect(extent(state) > before)
        state.press("<", "<", "<")
        #expect(extent(state) < before)
        _ = state.perform(.resetLayout)
        #expect(extent(state) == before)
    }

    @Test func `the focused request has a row below its tabs on the smallest screen`() {
        var state = AppState.sample(size: Layout.minimum)
        state.open("shop/orders/list")
        #expect(pane(.request, of: state).contains("[x] page"))
    }

    @Test func `the focused bottom pane has three rows on the smallest screen, and the panes above keep their titles`() {
        var state = AppState.sample(size: Layout.minimum)
        state.open("shop/orders/list")
        state.press("H")
        #expect(state.layout.bottom.height == 5)
        #expect(state.screen.contains("Services") && state.screen.contains("Request") && state.screen.contains("Response"))
    }

    @Test func `a message over the tabs of an empty bottom pane leaves no part of a name`() {
        var state = AppState.sample()
        state.notify("Something happened")
        #expect(state.screen.contains("Something happened") && !state.screen.contains("Monitor"))
    }

    private func pane(_ pane: Pane, of state: AppState) -> String {
        let rect = state.layout[pane]
        var text = ""
        for line in state.screen.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(rect.row).prefix(rect.height) {
            let start = CellWidth.prefix(of: line, fitting: rect.column).endIndex
            text += CellWidth.prefix(of: line[start...], fitting: rect.width) + "\n"
        }
        return text
    }

    @Test func `a body that was not decoded has a notice above it`() {
        var state = AppState.sample(size: Size(width: 200, height: 50))
        state.open("shop/orders/list")
        let id = state.sendOpen()
        var exchange = Exchange.sample("data")
        exchange.response?.headers.append("Content-Encoding", "aws-chunked")
        _ = state.update(.call(id, .finished(exchange)))
        #expect(pane(.response, of: state).contains("The body is delivered undecoded, because its Content-Encoding aws-chunked is unknown"))
    }

    @Test func `secrets withheld from another origin are displayed above the body`() {
        var state = AppState.sample(size: Size(width: 200, height: 50))
        state.open("shop/orders/list")
        let id = state.sendOpen()
        var exchange = Exchange.sample("data")
        exchange.notices = ["the redirect (302) to http://b.example was followed without X-Api-Key, which only http://a.example may receive"]
        _ = state.update(.call(id, .finished(exchange)))
        #expect(pane(.response, of: state).contains("The redirect (302) to http://b.example was followed without X-Api-Key"))
    }

    @Test(arguments: [Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `the description of the endpoint is below its rows`(size: Size) throws {
        var workspace = Workspace.sample
        workspace.services[0].endpoints[2].summary = "Orders by page. Past the last page the list is empty."
        var state = AppState(workspace: workspace, environment: nil, size: size)
        state.open("shop/orders/list")
        state.focus(.services)
        let lines = pane(.request, of: state).split(separator: "\n").map(String.init)
        let place = try #require(lines.firstIndex { $0.contains("Orders by page.") }, "\(lines)")
        let row = try #require(lines.firstIndex { $0.contains("[ ] size") })
        #expect(place > row)
    }

    @Test func `a description never covers a row and is truncated where it does not fit`() {
        var workspace = Workspace.sample
        workspace.services[0].endpoints[2].summary = String(repeating: "word ", count: 100)
        workspace.services[0].endpoints[2].query = (0..<3).map { Parameter("name\($0)", "value\($0)") }
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 80, height: 24))
        state.open("shop/orders/list")
        state.focus(.services)
        let text = pane(.request, of: state)
        #expect(text.contains("value2"))
        #expect(text.contains("word …"))
        workspace.services[0].endpoints[2].query = (0..<30).map { Parameter("name\($0)", "value\($0)") }
        state = AppState(workspace: workspace, environment: nil, size: Size(width: 80, height: 24))
        state.open("shop/orders/list")
        #expect(!pane(.request, of: state).contains("word"))
    }

    @Test func `an empty workspace displays the next step`() {
        let state = AppState(
            workspace: Workspace(name: "Empty", folder: "/"), environment: nil, size: Size(width: 80, height: 24))
        #expect(state.screen.contains("No services yet."))
        #expect(state.screen.contains("There is no endpoint in this workspace."))
        #expect(state.screen.contains("no environment"))
    }

    @Test func `a slow call displays its elapsed time, a moving block and the key that cancels it`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.focus(.response)
        _ = state.sendOpen()
        _ = state.update(.tick(now: 0))
        _ = state.update(.tick(now: 3.2))
        let text = pane(.response, of: state)
        #expect(text.contains("sending · 3.2 s"))
        #expect(text.contains("^C cancels"))
        #expect(text.contains("█"))
        #expect(text.contains("preparing the request"))
        _ = state.update(.call(CallID(1), .progressed(CallProgress())))
        #expect(pane(.response, of: state).contains("waiting for the response"))
    }

    @Test func `before a request is sent, the hooks and the tunnel that take part are displayed`() {
        var workspace = Workspace.sample
        workspace.services[0].hooks = [HookSetting(.willSend, command: ["sleep", "9"]), HookSetting(.process, command: ["check"])]
        let permitted = CapabilityScan(workspace).all
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 160, height: 40), permitted: permitted)
        state.open("shop/orders/list")
        let id = state.sendOpen()
        #expect(state.screen.contains("preparing the request") && state.screen.contains("Before it is sent: the hook sleep 9 (willSend)"))
        _ = state.update(.call(id, .progressed(CallProgress())))
        #expect(state.screen.contains("waiting for the response") && !state.screen.contains("Before it is sent"))
    }

    @Test func `an upload displays both directions`() {
        var state = AppState.sample()
        state.open("shop/orders/create")
        let id = state.sendOpen()
        _ = state.update(.call(id, .progressed(CallProgress(sent: 500_000, sentTotal: 1_000_000))))
        #expect(state.screen.contains("50 %   500/1000 kB") || state.screen.contains("50 %   500 kB/1.0 MB"))
        _ = state.update(.call(id, .progressed(CallProgress(sent: 1_000_000, sentTotal: 1_000_000, received: 2000))))
        let text = pane(.response, of: state)
        #expect(text.contains("↑") && text.contains("100 %"))
        #expect(text.contains("↓") && text.contains("2.0 kB"))
    }

    @Test func `a failure displays the message, the hint and its name`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let id = state.sendOpen()
        let error = NetworkError(.connectionRefused, "127.0.0.1:8080 refused the connection", hint: "Is the server running?")
        _ = state.update(.call(id, .finished(.sample(error: error))))
        let text = pane(.response, of: state)
        #expect(text.contains("Response  connection refused"))
        #expect(StatusText.title(ofCode: .invalidURL) == "invalid URL" && StatusText.title(ofCode: .tlsFailed) == "TLS failed")
        #expect(text.contains("127.0.0.1:8080 refused the connection"))
        #expect(text.contains("Is the server running?"))
        #expect(pane(.services, of: state).contains("✗"))
    }

    @Test func `the received part before a failure is displayed`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let id = state.sendOpen()
        var exchange = Exchange.sample("half of it", contentType: "text/plain")
        exchange.error = NetworkError(.truncatedBody, "the body ended early")
        _ = state.update(.call(id, .finished(exchange)))
        state.focus(.response)
        let text = pane(.response, of: state)
        #expect(text.contains("the body ended early"))
        #expect(text.contains("half of it"))
    }

    @Test func `the timing is displayed as a waterfall of bars`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.answer(state.sendOpen())
        state.focus(.response)
        state.press("[", "[", "[", "[")
        let text = pane(.response, of: state)
        #expect(text.contains("Connect"))
        #expect(text.contains("Waiting         19 ms"))
        #expect(text.contains("Total           34 ms  █"))
        #expect(text.contains("127.0.0.1:8080, new connection, HTTP/1.1"))
    }

    @Test func `the trace lists decisions with their reasons`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let id = state.sendOpen()
        _ = state.update(.call(id, .decided(Decision(.retry, "503, again after 0.5 s", time: 0.2))))
        state.focus(.response)
        state.press("[", "[", "[")
        #expect(pane(.response, of: state).contains("200 ms  retry      503, again after 0.5 s"))
        state.press("L", "Enter")
        #expect(pane(.bottom, of: state).contains("200 ms  retry      503, again after 0.5 s"))
    }

    @Test func `the Cookies tab displays decisions about cookies, masks values, and displays the sent cookies`() {
        var state = AppState.sample(size: Size(width: 200, height: 50))
        state.open("shop/orders/list")
        let id = state.sendOpen()
        var exchange = Exchange.sample()
        var jar = Cookies()
        exchange.attempts[0].setCookies = ["theme=dark; Max-Age=60", "sid=s3cret; Path=/; HttpOnly; SameSite=Lax", "evil=1; Domain=example.com"].map {
            jar.take($0, from: exchange.request.url, at: exchange.startedAt)
        }
        exchange.attempts[0].sentCookies = [Cookie(name: "old", value: "1", domain: "127.0.0.1")]
        _ = state.update(.call(id, .finished(exchange)))
        state.focus(.response)
        state.press("]", "]")
        #expect(
            ResponseLines(state).lines.map(\.text) == [
                "Set", "theme = ••••", "  stored · 127.0.0.1 · path / · for 1 min 00 s", "sid = ••••",
                "  stored · 127.0.0.1 · path / · until the session ends · HttpOnly · SameSite=Lax", "evil = ••••",
                "  refused: its domain example.com is not one of 127.0.0.1", "", "Sent", "old = ••••  to 127.0.0.1/",
            ])
        #expect(!state.screen.contains("s3cret"))
        state.showsSecrets = true
        #expect(ResponseLines(state).lines[3].copyText == "s3cret")
    }

    @Test func `sent secrets are masked`() {
        var state = AppState.sample(size: Size(width: 200, height: 50))
        state.open("shop/orders/list")
        let id = state.sendOpen()
        var exchange = Exchange.sample()
        exchange.attempts[0].sentHeaders = [HeaderField("Authorization", "Bearer s3cret")]
        _ = state.update(.call(id, .finished(exchange)))
        state.focus(.response)
        for _ in ResponseTab.allCases {
            #expect(!state.screen.contains("s3cret"))
            state.press("]")
        }
        state.press("L")
        #expect(!state.screen.contains("s3cret"))
    }

    @Test func `problems of the workspace are counted and listed with their locations`() {
        var workspace = Workspace.sample
        workspace.problems = [Diagnostic(SourceLocation(file: "shop/login.yaml", line: 4, column: 2), "unknown key “pth”")]
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 100, height: 24))
        #expect(state.screen.contains("1 problem"))
        let effects = state.perform(.problems)
        #expect(effects.isEmpty)
        #expect(state.screen.contains("shop/login.yaml:4:2  unknown key “pth”"))
        #expect(state.press("Enter") == [.openFile(JobID(1), workspace.problems[0].location)])
    }

    @Test func `problems that need further files are counted, listed and replaced, and stay while the workspace is read again`() {
        var state = AppState(workspace: .sample, environment: nil, size: Size(width: 100, height: 24))
        let problem = Diagnostic(SourceLocation(file: "shop/service.yaml", line: 2, column: 9), "hooks: there is no file ./sign")
        _ = state.update(.problemsFound([problem]))
        _ = state.update(.workspaceLoaded(.sample))
        #expect(state.screen.contains("1 problem"))
        state.press("!")
        #expect(state.screen.contains("shop/service.yaml:2:9  hooks: there is no file ./sign"))
        state.press("Esc")
        _ = state.update(.problemsFound([]))
        #expect(!state.screen.contains("1 problem"))
    }

    @Test func `unverified TLS is displayed permanently`() {
        var workspace = Workspace.sample
        workspace.services[0].trust.isInsecure = true
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 100, height: 24))
        state.open("shop/orders/list")
        #expect(state.screen.contains("TLS not verified"))
        _ = state.update(.workspaceFailed("something else"))
        #expect(state.screen.contains("TLS not verified"))
    }

    @Test func `built-ins and secrets are marked in the displayed URL`() {
        var workspace = Workspace.sample
        workspace.secrets = ["token": .environment("X")]
        workspace.services[0].endpoints[2].query = [
            Parameter("id", "{{$uuid}}"), Parameter("t", "{{token}}"), Parameter("d", "{{$date yyyy}}"),
        ]
        var state = AppState(workspace: workspace, environment: "release", size: Size(width: 140, height: 24))
        state.open("shop/orders/list")
        #expect(state.screen.contains("https://a.shop.example/orders?id={{$uuid}}&t=••••&d={{$date yyyy}}"))
    }

    @Test func `an unknown variable is displayed in the request line`() {
        var workspace = Workspace.sample
        workspace.services[0].endpoints[2].path = "/{{hots}}"
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 120, height: 24))
        state.open("shop/orders/list")
        #expect(state.screen.contains("/{{hots}}  nothing defines {{hots}}; did you mean {{host}}? + defines it"))
    }
}
