import HistoryModel
import SortieBase
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests completion while typing.
@Suite struct CompletionTests {
    private func opened(_ target: String = "shop/orders/list", _ change: (inout Workspace) -> Void = { _ in }) -> AppState {
        var workspace = Workspace.sample
        change(&workspace)
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 100, height: 30))
        state.open(target)
        return state
    }

    private func labels(_ state: AppState) -> [String] { state.completionList?.items.map(\.label) ?? [] }

    @Test func `Tab completes the name of a header field, and moves to its value when no list is open`() {
        var state = opened()
        state.press("]", "a")
        state.type("content-t")
        #expect(labels(state).first == "Content-Type")
        #expect(state.screen.contains("media type of the body") && state.screen.contains("Tab Complete"))
        state.press("Tab")
        #expect(state.openEndpoint?.headers.last?.name == "Content-Type" && state.completionList == nil)
        state.press("Tab")
        state.type("js")
        #expect(labels(state).first == "application/json")
        state.press("Tab", "Enter")
        #expect(state.openEndpoint?.headers.last == Parameter("Content-Type", "application/json"))
    }

    @Test func `Tab keeps a typed name that is the first words of a longer one, unless that is selected`() {
        var state = opened()
        state.press("]", "a")
        state.type("X-Request")
        #expect(labels(state).first == "X-Request-ID" && state.screen.contains("Tab Next field"))
        var selected = state
        selected.press("↓", "Tab")
        #expect(selected.openEndpoint?.headers.last?.name == "X-Request-ID")
        state.press("Tab")
        state.type("7")
        #expect(state.openEndpoint?.headers.last == Parameter("X-Request", "7"))
    }

    @Test func `Enter keeps the typed text, and inserts a completion that was selected`() {
        var state = opened()
        state.press("]", "a")
        state.type("acc")
        state.press("Enter")
        #expect(state.openEndpoint?.headers.last?.name == "acc" && RequestFeature.editing(state) == nil)
        state.press("a")
        state.type("acc")
        state.press("↓", "↓", "Enter")
        #expect(state.openEndpoint?.headers.last?.name == "Accept-Charset" && RequestFeature.editing(state) != nil)
    }

    @Test func `Esc closes only the list`() {
        var state = opened()
        state.press("]", "a")
        state.type("acc")
        state.press("Esc")
        #expect(state.completionList == nil && RequestFeature.editing(state) != nil)
        state.press("Esc")
        #expect(RequestFeature.editing(state) == nil)
    }

    @Test func `moving the cursor closes the list, and leaving the field does`() {
        var state = opened()
        state.press("]", "a")
        state.type("acc")
        state.press("←")
        #expect(state.completionList == nil)
        state.press("End")
        state.type("e")
        #expect(state.completionList != nil)
        state.press("Enter", "Enter")
        #expect(state.completionList == nil)
    }

    @Test func `a name that is complete has no list`() {
        var state = opened()
        state.press("]", "a")
        state.type("accept")
        #expect(state.completionList == nil)
    }

    @Test func `Ctrl-Space lists all values of a field, and the parts of a list are completed`() {
        var state = opened()
        state.press("]", "a")
        state.type("Accept-Encoding")
        state.press("Tab", "Ctrl-Space")
        #expect(labels(state) == ["gzip", "br", "zstd", "deflate", "identity", "*"])
        state.press("Ctrl-Space", "Tab")
        #expect(state.openEndpoint?.headers.last?.value == "gzip")
        state.type(", zs")
        state.press("Tab")
        #expect(state.openEndpoint?.headers.last?.value == "gzip, zstd")
    }

    @Test func `variables are listed with value and source, and the braces are closed`() {
        var state = opened()
        state.press("Enter", "^U")
        state.type("{{")
        let screen = state.screen
        #expect(screen.contains("host") && screen.contains("127.0.0.1:8080") && screen.contains("environment develop"))
        #expect(screen.contains("$uuid") && screen.contains("a random UUID") && screen.contains("built-in"))
        state.type("ho")
        state.press("Tab")
        #expect(state.openEndpoint?.query.first?.value == "{{host}}")
    }

    // MARK: Descriptions

    /// An endpoint of a service with a description, of which the first key that is typed reads the request.
    private func described(_ body: String) throws -> AppState {
        var state = opened { workspace in
            workspace.services[0].contract = ContractSetting(document: "api.yaml")
            let index = workspace.services[0].endpoints.firstIndex { $0.target == "shop/orders/list" } ?? 0
            workspace.services[0].endpoints[index].body = .json(body)
        }
        var request = DescribedRequest()
        request.values = [
            .init(type: "object", members: [.init("size", isRequired: true, summary: "of the shirt", value: 1), .init("lines", value: 2)]),
            .init(type: "string", choices: [.string("small"), .string("big \"one\""), .number("7")]),
            .init(type: "array of object", items: 3), .init(type: "object", members: [.init("article", value: 1)]),
        ]
        (request.body, request.query) = (0, [.init("since", value: 1)])
        request.headers = [.init("X-Mode", summary: "how", value: 1)]
        state.press("a")
        let job = try #require(state.type("x").started(DescribedRequestJob.self).first)
        #expect(state.type("y").started(DescribedRequestJob.self).isEmpty, "the description is read once")
        state.end(DescribedRequestJob.self, job.id, request)
        state.press("^U", "Esc")
        return state
    }

    @Test func `names and values of the query and of header fields are those of the description`() throws {
        var state = try described("{}")
        state.press("a")
        state.type("si")
        #expect(labels(state) == ["since"] && state.screen.contains("string"))
        state.press("Tab", "Tab")
        state.type("sm")
        state.press("Tab", "Enter")
        #expect(state.openEndpoint?.query.last == Parameter("since", "small"))
        state.press("]", "a")
        state.type("x-m")
        #expect(labels(state).first == "X-Mode" && state.screen.contains("how"))
    }

    @Test func `names and values of JSON are those that the description has at the place of the cursor`() throws {
        var state = try described("{\n  \"lines\": [{\"\"}],\n  \"si\"\n}")
        state.requestState.tab = .body
        state.requestState.row = try #require(RequestFeature.rows(state).firstIndex { $0.kind == .line(2, of: .content) })
        state.press("Enter", "End")
        state.press("←")
        state.press("Ctrl-Space")
        #expect(labels(state).first == "size" && state.screen.contains("required") && state.screen.contains("of the shirt"))
        state.press("Tab")
        state.press("Ctrl-Space")
        #expect(labels(state) == ["\"small\"", "\"big \\\"one\\\"\"", "7"])
        state.press("Esc")
        state.type("\"b")
        #expect(labels(state).contains("big \"one\"") && !labels(state).contains("7"))
        state.press("↑", "Enter")
        let body = try #require(state.openEndpoint?.body)
        #expect(body == .json("{\n  \"lines\": [{\"\"}],\n  \"size\": \"big \\\"one\\\"\"\n}"), "\(body)")
        state.press("↑", "End", "←", "←", "←", "←")
        state.press("Ctrl-Space")
        #expect(labels(state).first == "article", "\(labels(state))")
    }

    @Test func `every built-in is proposed`() throws {
        let state = opened()
        let known = KnownVariables(state, try #require(state.openEndpoint)).completions.map(\.label)
        for name in TemplateScope.builtinNames { #expect(known.contains { $0 == "$\(name)" || $0 == "$\(name)." }) }
    }

    @Test func `a template that is closed already keeps its braces`() {
        var state = opened()
        state.press("Enter", "^U")
        state.type("{{}}")
        state.press("←", "←")
        state.type("ho")
        state.press("Tab")
        #expect(state.openEndpoint?.query.first?.value == "{{host}}")
    }

    @Test func `a built-in with an argument leaves the cursor at its place`() {
        var state = opened()
        state.press("Enter", "^U")
        state.type("{{$dat")
        state.press("Tab")
        state.type("yyyy")
        #expect(state.openEndpoint?.query.first?.value == "{{$date yyyy}}")
        #expect(state.completionList == nil)
    }

    @Test func `the value of a secret is masked`() {
        var state = opened {
            $0.secrets = ["token": .environment("DEMO_TOKEN")]
            $0.environments[0].variables["password"] = "swordfish"
        }
        state.press("Enter", "^U")
        state.type("{{")
        let items = state.completionList?.items ?? []
        #expect(items.first { $0.label == "token" }?.detail == HeaderField.mask)
        #expect(items.first { $0.label == "token" }?.source == "secret: env DEMO_TOKEN")
        #expect(items.first { $0.label == "password" }?.detail == HeaderField.mask)
        #expect(!state.screen.contains("swordfish"))
    }

    @Test func `the values that a run passes are listed`() {
        var state = opened {
            var login = Endpoint(target: "shop/login", name: "Login", path: "/login")
            login.captures = [Capture(name: "session", path: "$.session")]
            $0.services[0].endpoints.append(login)
            $0.runs = [
                RunDefinition(
                    name: "checkout", kind: .chain,
                    steps: [.init(target: "shop/login", name: "login"), .init(target: "shop/orders/list", name: "list", variables: ["limit": "5"])])
            ]
        }
        state.press("Enter", "^U")
        state.type("{{lo")
        #expect(state.completionList?.items.first == Completion("login.session", source: "run checkout", text: "login.session}}"))
        state.press("^W", "^U")
        state.type("{{lim")
        #expect(labels(state) == ["limit"])
    }

    @Test func `the captured values of other endpoints are listed, by their targets where a name has several meanings`() {
        var state = opened {
            for target in ["shop/login", "shop/old/login", "shop/sign-in"] {
                var endpoint = Endpoint(target: target, name: "Login", path: "/login")
                endpoint.captures = [Capture(name: "session", path: "$.session")]
                $0.services[0].endpoints.append(endpoint)
            }
        }
        state.press("Enter", "^U")
        state.type("{{session")
        #expect(
            labels(state).filter { $0.hasSuffix(".session") }.sorted() == ["shop/login.session", "shop/old/login.session", "sign-in.session"])
        #expect(state.completionList?.items.contains { $0.source == "response of shop/sign-in" } == true)
    }

    @Test func `variables are completed in a body`() {
        var state = opened("shop/orders/create")
        state.press("↓", "↓", "Enter", "End")
        state.type(", \"h\": \"{{h")
        #expect(labels(state).first == "host")
        state.press("Tab")
        #expect(state.openEndpoint?.body.text(.content)?.contains("\"h\": \"{{host}}") == true)
    }

    @Test func `paths of the service and URLs of the history are completed in the URL`() {
        var state = opened { workspace in
            var old = Service(folder: "old", name: "Old")
            old.endpoints = [Endpoint(target: "old/ping", name: "Ping", path: "https://old.example/ping")]
            workspace.services.append(old)
        }
        state.press("p", "^A", "^K")
        state.type("/b")
        #expect(labels(state).first == "/big")
        state.press("Tab")
        #expect(state.openEndpoint?.path == "/big")
        state.press("^A", "^K")
        state.type("old.ex")
        #expect(labels(state) == ["https://old.example/ping"])
        state.press("Tab")
        #expect(state.openEndpoint?.path == "https://old.example/ping")
    }

    @Test func `a click inserts a completion`() throws {
        var state = opened()
        state.press("]", "a")
        state.type("acc")
        let list = try #require(state.completionList)
        let view = try #require(CompletionView(list, on: state.draw()))
        let point = Point(column: view.frame.column + 3, row: view.frame.row + 2)
        _ = state.update(.input(.mouse(Mouse(kind: .press, button: .left, position: point))))
        #expect(state.openEndpoint?.headers.last?.name == list.items[1].label)
    }

    @Test(arguments: [Size(width: 40, height: 10), Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `the list stays on the screen`(size: Size) {
        var state = opened()
        state.size = size
        state.press("]", "a")
        state.type("a")
        state.press("↑")
        for _ in 0..<40 {
            state.press("↓")
            let canvas = state.draw()
            guard let list = state.completionList, let view = CompletionView(list, on: canvas) else {
                Issue.record("no list at \(size)")
                return
            }
            #expect(view.frame.intersection(canvas.bounds) == view.frame)
            #expect(canvas.text.contains(list.items[list.selected ?? 0].label.prefix(8)), "\(size)")
        }
    }

    @Test func `there is nothing to complete in a search`() {
        var state = opened()
        state.press("/", "Ctrl-Space")
        #expect(state.toast?.text == "There is nothing to complete here")
    }

    // MARK: Checks

    @Test func `an unknown variable is reported below the field with its position and the remedy`() {
        var state = opened()
        state.press("Enter", "^U")
        _ = state.update(.input(.paste("ab{{hsot}}")))
        #expect(state.screen.contains("1:3: nothing defines {{hsot}}; did you mean {{host}}?"))
        state.press("Enter")
        #expect(state.openEndpoint?.query.first?.value == "ab{{hsot}}")
    }

    @Test(arguments: [
        ("{{host", "1:2: “{{host” is not closed; write }}"), ("{{$uid}}", "1:2: there is no built-in {{$uid}}; did you mean {{$uuid}}?"),
    ])
    func `an unclosed template and an unknown built-in are reported while a URL is typed`(text: String, problem: String) {
        var state = opened()
        state.press("p", "^A", "^K")
        _ = state.update(.input(.paste("/" + text)))
        #expect(state.screen.contains(problem), "\(state.screen)")
    }

    @Test func `the first mistake of a JSON body is reported below the text with its position`() {
        var state = opened("shop/orders/create")
        state.press("↓", "↓", "Enter", "End")
        state.type(" x")
        #expect(state.screen.contains("2:13: not JSON"))
        state.press("Backspace", "Backspace")
        #expect(!state.screen.contains("not JSON"))
        state.press("Home")
        _ = state.update(.input(.paste("\"a\": {{nope}},")))
        #expect(state.screen.contains("2:6: nothing defines {{nope}}"))
    }
}
