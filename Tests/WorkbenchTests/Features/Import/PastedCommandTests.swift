import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests pasting curl command lines: what is recognized, and the unsaved endpoints they become.
@Suite struct PastedCommandTests {
    private static let command = "curl -X POST 'http://127.0.0.1:8080/items?q=tea' --compressed"

    private func job(_ effects: [Effect]) throws -> (JobID, String) {
        let (id, job) = try #require(effects.started(ReadCommandsJob.self).first)
        return (id, job.text)
    }

    private func endpoint(_ url: String, name: String = "POST items") -> Endpoint {
        var endpoint = Endpoint(target: "127-0-0-1/post-items", name: name, method: .post, path: url)
        endpoint.query = [Parameter("q", "tea")]
        return endpoint
    }

    /// A state into which a command was pasted, and its result.
    private func pasted(_ endpoints: [Endpoint], notes: [String] = []) throws -> AppState {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        let (id, _) = try job(state.update(.input(.paste(Self.command))))
        _ = state.end(ReadCommandsJob.self, id, .done(endpoints, notes: notes))
        return state
    }

    @Test(arguments: [
        "curl http://h/", "$ curl http://h/", "/usr/bin/curl\thttp://h/", "  curl \\\n http://h/", "curl.exe http://h/", "# curl http://h/",
    ])
    func `a text that begins with curl is a command`(text: String) {
        #expect(PastedCommand.isCommand(text))
    }

    @Test(arguments: [
        ("curl http://h/", PastedCommand.Kind.curl), ("Invoke-WebRequest -Uri \"http://h/\"", .powershell), ("irm http://h/", .powershell),
        (
            "$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\n$session.UserAgent = \"x\"\nInvoke-WebRequest -Uri \"http://h/\"",
            .powershell
        ), ("fetch(\"http://h/\", {\n  \"method\": \"GET\"\n});", .fetch), ("await fetch('http://h/')", .fetch), ("fetch(\n'http://h/')", .fetch),
    ])
    func `the notation of a command is that of its program`(text: String, kind: PastedCommand.Kind) {
        #expect(PastedCommand.kind(of: text) == kind)
    }

    @Test func `a command of PowerShell is read, and named in the messages`() throws {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        let (id, _) = try job(state.update(.input(.paste("irm http://127.0.0.1:8080/items"))))
        #expect(state.toast?.text == "Reading the PowerShell command…")
        _ = state.end(ReadCommandsJob.self, id, .done([endpoint("http://127.0.0.1:8080/items")], notes: []))
        #expect(state.toast?.text.contains("New from PowerShell: POST") == true, "\(state.toast?.text ?? "")")
    }

    @Test func `a pasted URL becomes a request of its service, or with its whole URL`() {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open("shop/orders/list")
        #expect(state.update(.input(.paste(" http://127.0.0.1:8080/teapots/7?size=2 \n"))).isEmpty)
        #expect(state.openTarget == "shop/7" && state.openEndpoint?.path == "/teapots/7" && state.openEndpoint?.query == [Parameter("size", "2")])
        #expect(state.toast?.text.contains("New from a URL: GET 7") == true && state.focus == .request)
        _ = state.update(.input(.paste("https://other.test:8443")))
        #expect(state.openTarget == "shop/other-test-8443" && state.openEndpoint?.inherits == false)
        // In a field it is text.
        state.press("/")
        _ = state.update(.input(.paste("https://h.test/")))
        #expect(state.openTarget == "shop/other-test-8443")
        #expect(Endpoint.fileName(ofPath: "/v1/service") == "request" && Endpoint.fileName(ofPath: "/v1/service-2") == "service-2")
        #expect(PastedCommand.url("see https://h.test/") == nil && PastedCommand.url("/orders") == nil)
    }

    @Test(arguments: [
        "", "curl", "curly http://h/", "http://h/curl x", "see curl http://h/", "name: curl x", "fetchOrders(x)", "fetch(url)", "irm", "$x = 1",
    ])
    func `other texts are none`(text: String) {
        #expect(!PastedCommand.isCommand(text))
    }

    @Test func `a command is read from every pane and in the URL, and is literal in other fields`() throws {
        for key in ["1", "2", "3", "H"] {
            var state = AppState.sample()
            state.press(key)
            #expect(try job(state.update(.input(.paste(Self.command)))).1 == Self.command, "\(key)")
        }
        var state = AppState.sample()
        state.open("shop/orders/list")
        RequestFeature.editURL(&state)
        let before = state.openEndpoint
        _ = try job(state.update(.input(.paste(Self.command))))
        #expect(state.openEndpoint == before)
        var body = AppState.sample()
        body.press("/")
        #expect(body.update(.input(.paste(Self.command))).started(ReadCommandsJob.self).isEmpty)
        #expect(body.services.filter?.text.contains("curl") == true)
    }

    @Test func `a command that is typed as a URL is read by Enter, and the URL is as before`() throws {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let before = state.openEndpoint
        state.press("p", "^A", "^K")
        state.type(Self.command)
        #expect(try job(state.press("Enter")).1 == Self.command)
        #expect(state.openEndpoint == before && state.requestState.editing == nil)
    }

    @Test func `the draft belongs to the service of its server, and saving writes a new file`() throws {
        var state = try pasted([endpoint("http://127.0.0.1:8080/items")])
        let open = try #require(state.openEndpoint)
        #expect(open.target == "shop/post-items" && open.path == "/items" && open.inherits == nil)
        #expect(state.screen.contains("POST items") && state.toast?.text.contains("New from curl") == true)
        let saved = state.press("^S")
        guard case .save(let id, let endpoint, original: nil)? = saved.first(where: { if case .save = $0 { true } else { false } }) else {
            return #expect(Bool(false), "\(saved)")
        }
        _ = state.update(.saved(id, .saved(endpoint)))
        #expect(state.drafts[open.id]?.isNew == false && state.editedDrafts.isEmpty)
    }

    @Test func `a request to another server keeps its URL and gets nothing of the service`() throws {
        let state = try pasted([endpoint("https://other.example/items")])
        let open = try #require(state.openEndpoint)
        #expect(open.target == "shop/post-items" && open.path == "https://other.example/items" && open.inherits == false)
    }

    @Test func `several commands are several drafts with different names, and what was omitted is in the log`() throws {
        let state = try pasted([endpoint("http://127.0.0.1:8080/a"), endpoint("http://127.0.0.1:8080/b")], notes: ["POST items: --retry: no"])
        #expect(state.editedDrafts.map(\.edited.target) == ["shop/post-items", "shop/post-items-2"])
        #expect(state.log.entries.contains { $0.text == "POST items: --retry: no" })
        #expect(state.toast?.text.contains("--retry") == true)
    }

    @Test func `the draft stays when files change, and in the next session`() throws {
        var state = try pasted([endpoint("http://127.0.0.1:8080/items")])
        _ = state.update(.workspaceLoaded(.sample))
        #expect(state.openEndpoint?.target == "shop/post-items" && state.screen.contains("POST items"))
        let next = AppState(
            workspace: .sample, environment: nil, size: Size(width: 120, height: 40), unsaved: state.unsavedDrafts, keepsDrafts: true)
        #expect(next.workspace.endpoint("shop/post-items") != nil && next.drafts[EndpointID("shop/post-items")]?.isNew == true)
    }

    @Test func `discarding and deleting it ask first, and leave nothing`() throws {
        for command in [Command.discard, .deleteItem] {
            var state = try pasted([endpoint("http://127.0.0.1:8080/items")])
            _ = state.perform(command)
            #expect(state.screen.contains("Discard the unsaved request?"))
            state.press("↓", "Enter")
            #expect(state.drafts.isEmpty && state.workspace == .sample && state.openTarget?.path != "shop/post-items")
        }
    }

    @Test func `an empty request takes the command, and a failure is a message`() throws {
        var workspace = Workspace.sample
        workspace.services[0].endpoints.append(Endpoint(target: "shop/new", name: "new", path: ""))
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 120, height: 40))
        state.open("shop/new")
        let (id, _) = try job(state.update(.input(.paste(Self.command))))
        _ = state.end(ReadCommandsJob.self, id, .done([endpoint("http://127.0.0.1:8080/items")], notes: []))
        #expect(state.openEndpoint?.target == "shop/new" && state.openEndpoint?.path == "http://127.0.0.1:8080/items")
        let (failed, _) = try job(state.update(.input(.paste(Self.command))))
        _ = state.end(ReadCommandsJob.self, failed, .failed("pasted text:1:6: a quote is not closed"))
        #expect(state.toast?.text.contains("a quote is not closed") == true)
    }

    @Test func `without a service the form asks for one`() throws {
        var state = AppState(workspace: Workspace(name: "W", folder: "/w"), environment: nil, size: Size(width: 80, height: 24))
        let (id, _) = try job(state.update(.input(.paste(Self.command))))
        _ = state.end(ReadCommandsJob.self, id, .done([endpoint("http://h/items")], notes: []))
        #expect(state.screen.contains("Save as endpoint") && state.screen.contains("post-items"))
    }
}
