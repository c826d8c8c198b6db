import SortieHTTP
import SortieStorage
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests that values become secrets by one key, on saving and in pasted commands, and that nothing keeps them in clear text.
@Suite struct SecretsFeatureTests {
    /// What the workbench asks to be stored and declared.
    private struct Stored {
        let id: JobID
        let values: [SecretValue]
        let declarations: SecretDeclarations
    }

    private func stored(_ effects: [Effect]) throws -> Stored {
        try #require(
            effects.compactMap { effect in
                if case .storeSecrets(let id, let values, let made) = effect { Stored(id: id, values: values, declarations: made) } else { nil }
            }
            .first)
    }

    private func saved(_ effects: [Effect]) -> [Endpoint] {
        effects.compactMap { effect in if case .save(_, let endpoint, _) = effect { endpoint } else { nil } }
    }

    /// The result of storing: the workspace with the declarations.
    private func finish(_ stored: Stored, _ state: inout AppState, in workspace: Workspace = .sample) -> [Effect] {
        let file = FileChanges([.file("workspace.yaml", before: .init([1]), after: .init([2]))])
        return state.update(.workspaceEdited(stored.id, .done(file, stored.declarations.applied(to: workspace))))
    }

    private func opened(_ tab: RequestTab, _ change: (inout Endpoint) -> Void) -> AppState {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open("shop/orders/list")
        state.change(nil, change)
        state.requestState.tab = tab
        return state
    }

    // MARK: One value

    @Test func `s and Enter make a field a secret, and u takes its value back`() throws {
        var state = opened(.headers) { $0.headers = [Parameter("X-Api-Key", "canary-1")] }
        state.press("s")
        #expect(state.screen.contains("Make it a secret") && state.screen.contains("apiKey"))
        let job = try stored(state.press("Enter"))
        #expect(job.values == [SecretValue("canary-1", named: "demo-apiKey")])
        #expect(job.declarations == SecretDeclarations([.init("apiKey", in: .stored("demo-apiKey"))]))
        #expect(state.openEndpoint?.headers.first?.value == "canary-1")
        let effects = finish(job, &state)
        #expect(effects.contains(.permit([Capability(.storedSecret, "demo-apiKey")], isForGood: true)))
        #expect(state.openEndpoint?.headers.first?.value == "{{apiKey}}" && state.workspace.secrets["apiKey"] == .stored("demo-apiKey"))
        #expect(!"\(state.unsavedDrafts)".contains("canary-1") && !state.screen.contains("canary-1"))
        #expect(!state.log.entries.contains { $0.text.contains("canary-1") })
        #expect(state.toast?.text.contains("Stored {{apiKey}} on this machine") == true)
        state.press("u")
        #expect(state.openEndpoint?.headers.first?.value == "canary-1")
    }

    @Test func `of credentials with a scheme only the token becomes a secret`() throws {
        var state = opened(.headers) { $0.headers = [Parameter("Authorization", "Bearer canary-1")] }
        state.press("s")
        let job = try stored(state.press("Enter"))
        #expect(job.values.map(\.value) == ["canary-1"])
        _ = finish(job, &state)
        #expect(state.openEndpoint?.headers.first?.value == "Bearer {{token}}")
    }

    @Test func `a text of Auth, a parameter in the path and a member of JSON become secrets`() throws {
        var auth = opened(.auth) { $0.auth = .bearer(token: "canary-1") }
        auth.requestState.row = 1
        auth.press("s")
        _ = finish(try stored(auth.press("Enter")), &auth)
        #expect(auth.openEndpoint?.auth == .bearer(token: "{{token}}"))

        var path = opened(.params) { endpoint in
            endpoint.query = []
            endpoint.path = "/orders/{id}"
            endpoint.variables = ["id": "canary-2"]
        }
        path.requestState.row = 0
        path.press("s")
        _ = finish(try stored(path.press("Enter")), &path)
        #expect(path.openEndpoint?.variables == ["id": "{{id2}}"])

        var body = opened(.body) { $0.body = .json("{\n  \"x\": 1, \"password\": \"x\", \"max\": 1\n}") }
        body.requestState.row = 2
        body.press("s")
        let job = try stored(body.press("Enter"))
        #expect(job.values.map(\.value) == ["x"])
        _ = finish(job, &body)
        #expect(body.openEndpoint?.body == .json("{\n  \"x\": 1, \"password\": \"{{password}}\", \"max\": 1\n}"))
    }

    @Test func `the selected text of a body becomes a secret while it is edited`() throws {
        var state = opened(.body) { $0.body = .text("key canary-1 end", contentType: nil) }
        state.requestState.row = 2
        state.press("e", "Home", "^Right", "Right", "Shift-^Right", "Shift-Right", "Shift-Right")
        guard case .body(_, let area) = state.requestState.editing else {
            Issue.record("no body is edited")
            return
        }
        #expect(area.content.selectedText == "canary-1")
        state.press("Alt-S", "Esc")
        #expect(state.popup == nil && state.typedText != nil, "the text is edited again")
        state.press("Alt-S")
        let job = try stored(state.press("Enter"))
        #expect(job.values.map(\.value) == ["canary-1"])
        _ = finish(job, &state)
        #expect(state.openEndpoint?.body == .text("key {{secret}} end", contentType: nil))
    }

    @Test(arguments: [
        ("application/x-www-form-urlencoded", "user=ann&password=can%40ry&z=1", "can%40ry", "user=ann&password={{password}}&z=1"),
        ("application/xml", "<a n='1'><password>canary</password></a>", "canary", "<a n='1'><password>{{password}}</password></a>"),
        ("text/xml", "<login token=\"canary\" user='ann'/>", "canary", "<login token=\"{{token}}\" user='ann'/>"),
    ])
    func `a value on a line of a form or of XML becomes a secret`(type: String, text: String, value: String, result: String) throws {
        var state = opened(.body) { $0.body = .text(text, contentType: type) }
        state.requestState.row = 2
        state.press("s")
        let job = try stored(state.press("Enter"))
        #expect(job.values.map(\.value) == [value])
        _ = finish(job, &state)
        #expect(state.openEndpoint?.body == .text(result, contentType: type))
    }

    @Test func `where no value is selected, s hides the credential that the footer names`() throws {
        for (tab, row) in [(RequestTab.params, -1), (.headers, 1), (.body, 0), (.options, 0)] {
            var state = opened(tab) { $0.auth = .bearer(token: "canary-1") }
            state.requestState.row = row
            #expect(state.screen.contains("token in clear text"))
            state.press("s")
            let job = try stored(state.press("Enter"))
            #expect(job.values.map(\.value) == ["canary-1"])
            _ = finish(job, &state)
            #expect(state.openEndpoint?.auth == .bearer(token: "{{token}}"))
        }
    }

    @Test func `typing replaces the proposed name of a secret`() throws {
        var state = opened(.headers) { $0.headers = [Parameter("X-Api-Key", "canary-1")] }
        state.press("s")
        state.type("shopKey")
        #expect(try stored(state.press("Enter")).declarations == SecretDeclarations([.init("shopKey", in: .stored("demo-shopKey"))]))
    }

    @Test func `the password of a URL becomes a secret on the request line`() throws {
        var state = opened(.params) { $0.path = "http://me:can%40ry@a.example/x" }
        state.requestState.row = -1
        state.press("s")
        let job = try stored(state.press("Enter"))
        #expect(job.values.map(\.value) == ["can@ry"])
        _ = finish(job, &state)
        #expect(state.openEndpoint?.path == "http://me:{{password}}@a.example/x")
    }

    @Test func `a variable of the endpoint becomes a secret on its line in Rules, where a credential is masked`() throws {
        var state = AppState(workspace: .sample, environment: "develop", size: Size(width: 120, height: 40), sections: YAMLSections())
        state.open("shop/orders/list")
        state.change { $0.variables = ["password": "canary-1", "note": "canary-2"] }
        state.requestState.tab = .rules
        for (name, value) in [("password", "canary-1"), ("note", "canary-2")] {
            let row = RequestFeature.rows(state).firstIndex { $0.section == .variables && $0.value.hasPrefix("\(name):") }
            state.requestState.row = try #require(row)
            #expect(state.screen.contains(value) == (name == "note"), "\(state.screen)")
            state.press("s")
            let job = try stored(state.press("Enter"))
            #expect(job.values.map(\.value) == [value])
            _ = finish(job, &state)
        }
        #expect(state.openEndpoint?.variables == ["password": "{{password2}}", "note": "{{note2}}"])
    }

    @Test func `values of a service become secrets by the same key, and its file is saved`() throws {
        var workspace = Workspace.sample
        workspace.services[0].headers = [Parameter("X-Trace", "plain"), Parameter("X-Api-Key", "canary-1")]
        workspace.services[0].auth = .bearer(token: "canary-2")
        workspace.services[0].proxy = ProxyTemplate(url: "http://me:canary-3@proxy.test:8080")
        var state = AppState(workspace: workspace, environment: "develop", size: Size(width: 140, height: 40), sections: YAMLSections())
        state.press("1", "Home", "Enter")
        #expect(state.screen.contains("in clear text"), "\(state.screen)")
        for (tab, name, value) in [(ServiceTab.headers, "X-Api-Key", "canary-1"), (.auth, "Token", "canary-2"), (.servers, "Proxy", "canary-3")] {
            state.servicePane.tab = tab
            let row = ServiceFeature.rows(state).firstIndex { $0.name.hasPrefix(name) }
            state.servicePane.row = try #require(row, "\(ServiceFeature.rows(state).map(\.name))")
            state.press("s")
            let job = try stored(state.press("Enter"))
            #expect(job.values.map(\.value) == [value])
            let effects = finish(job, &state, in: state.workspace)
            var saved: (JobID, Service)?
            for case .editWorkspace(let id, .changeService(let service, _, _)) in effects { saved = (id, service) }
            let (id, service) = try #require(saved)
            #expect(!"\(service)".contains(value) && "\(service)".contains("{{"))
            var written = state.workspace
            written.services[0] = service
            _ = state.update(.workspaceEdited(id, .done(FileChanges(), written)))
        }
        #expect(!state.screen.contains("in clear text"))
        state.servicePane.tab = .trust
        state.press("s")
        #expect(state.popup == nil && state.toast?.text.contains("Select a value of the service first") == true)
    }

    @Test func `a value with templates, and a row without a value, name the reason`() {
        var state = opened(.headers) { $0.headers = [Parameter("X", "{{host}}"), Parameter("Y", "")] }
        state.press("s")
        #expect(state.popup == nil && state.toast?.text.contains("templates") == true)
        state.press("Down", "s")
        #expect(state.popup == nil && state.toast?.text == "There is no value yet")
    }

    @Test func `a line that is too long to be searched names the reason`() {
        var state = opened(.body) { $0.body = .json("{\"password\": \"" + String(repeating: "x", count: 20_000) + "\"}") }
        state.requestState.row = 1
        state.press("s")
        #expect(state.popup == nil && state.toast?.text.contains("too long") == true)
    }

    @Test func `other places are declared without storing the value, and a taken name is refused`() throws {
        var state = opened(.headers) { $0.headers = [Parameter("X-Api-Key", "canary-1")] }
        state.press("s")
        state.press("^U")
        state.type("host")
        #expect(state.press("Enter").isEmpty && state.screen.contains("{{host}} is defined already"))
        state.press("^U")
        state.type("mine")
        state.press("Tab", "Space", "Space", "Tab")
        #expect(state.press("Enter").isEmpty && state.screen.contains("enter the entry of pass"))
        state.type("shop/key")
        let job = try stored(state.press("Enter"))
        #expect(job.values.isEmpty && job.declarations == SecretDeclarations([.init("mine", in: .pass("shop/key"))]))
        // A command always needs permission.
        #expect(!finish(job, &state).contains { if case .permit = $0 { true } else { false } })
        #expect(state.openEndpoint?.headers.first?.value == "{{mine}}")
    }

    @Test func `a failure shows the form again, and the request keeps its value`() throws {
        var state = opened(.headers) { $0.headers = [Parameter("X-Api-Key", "canary-1")] }
        state.press("s")
        let job = try stored(state.press("Enter"))
        _ = state.update(.workspaceEdited(job.id, .failed("the disk is full")))
        #expect(state.screen.contains("Make it a secret") && state.screen.contains("the disk is full"))
        #expect(state.openEndpoint?.headers.first?.value == "canary-1")
    }

    @Test func `the palette stores a secret, whose value is masked while it is typed`() throws {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.press("^P")
        state.type("store a secret")
        state.press("Enter")
        state.type("token")
        state.press("Tab")
        state.type("canary-1")
        #expect(!state.screen.contains("canary-1"))
        let job = try stored(state.press("Enter"))
        #expect(job.values == [SecretValue("canary-1", named: "demo-token")])
        _ = finish(job, &state)
        // A stored secret gets another value under its name.
        _ = state.perform(.storeSecret)
        state.type("token")
        state.press("Tab")
        state.type("canary-2")
        let again = try stored(state.press("Enter"))
        #expect(again.values == [SecretValue("canary-2", named: "demo-token", replaces: true)])
        #expect(again.declarations == SecretDeclarations([.init("token", in: .stored("demo-token"), replacing: .stored("demo-token"))]))
    }

    // MARK: Saving

    @Test func `saving asks before a new credential reaches the file, and keeps it on this machine`() throws {
        var state = opened(.auth) { $0.auth = .bearer(token: "canary-1") }
        #expect(saved(state.press("^S")).isEmpty && state.screen.contains("Save a credential?"))
        let job = try stored(state.press("Enter"))
        let files = saved(finish(job, &state))
        #expect(files.map(\.auth) == [.bearer(token: "{{token}}")])
    }

    @Test func `a credential is saved in clear text only when that is chosen, and what the file has is not asked about again`() {
        var state = opened(.auth) { $0.auth = .bearer(token: "canary-1") }
        state.press("^S")
        #expect(saved(state.press("Down", "Enter")).map(\.auth) == [.bearer(token: "canary-1")])

        var workspace = Workspace.sample
        let index = workspace.services[0].endpoints.count - 1
        workspace.services[0].endpoints[index].auth = .bearer(token: "canary-1")
        var known = AppState(workspace: workspace, environment: nil, size: Size(width: 120, height: 40))
        known.open("shop/orders/list")
        known.change { $0.path = "/other" }
        #expect(saved(known.press("^S")).count == 1)
    }

    @Test func `a public value is saved without a question`() {
        var workspace = Workspace.sample
        workspace.publicValues = ["canary-1"]
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 120, height: 40))
        state.open("shop/orders/list")
        state.change { $0.auth = .bearer(token: "canary-1") }
        #expect(!state.screen.contains("in clear text"))
        #expect(saved(state.press("^S")).map(\.auth) == [.bearer(token: "canary-1")])
    }

    @Test func `saving all on quitting asks about all new credentials at once`() throws {
        var state = opened(.auth) { $0.auth = .bearer(token: "canary-1") }
        state.change(EndpointID("shop/orders/create")) { $0.headers = [Parameter("X-Api-Key", "canary-2")] }
        state.press("^Q")
        #expect(saved(state.press("Down", "Enter")).isEmpty && state.screen.contains("Save a credential?"))
        let job = try stored(state.press("Enter"))
        #expect(Set(job.values.map(\.value)) == ["canary-1", "canary-2"])
        let files = saved(finish(job, &state))
        #expect(files.count == 2 && !"\(files)".contains("canary"))
    }

    @Test func `the footer names a credential in clear text`() {
        var state = opened(.params) { $0.auth = .bearer(token: "canary-1") }
        #expect(state.screen.contains("token in clear text"))
        state.change { $0.auth = .bearer(token: "{{token}}") }
        #expect(!state.screen.contains("in clear text"))
    }

    // MARK: Pasted commands

    private func pasted(_ state: inout AppState) throws -> [Effect] {
        let effects = state.update(.input(.paste("curl -H 'Authorization: Bearer canary-1' http://127.0.0.1:8080/items")))
        let id = try #require(effects.started(ReadCommandsJob.self).first?.id)
        var endpoint = Endpoint(target: "127-0-0-1/items", name: "items", path: "http://127.0.0.1:8080/items")
        endpoint.auth = .bearer(token: "canary-1")
        return state.end(ReadCommandsJob.self, id, .done([endpoint], notes: []))
    }

    @Test func `a pasted command keeps its credential on this machine by itself, and u takes it back`() throws {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        let job = try stored(try pasted(&state))
        #expect(job.values.map(\.value) == ["canary-1"] && state.drafts.isEmpty)
        _ = finish(job, &state)
        #expect(state.openEndpoint?.auth == .bearer(token: "{{token}}") && !"\(state.unsavedDrafts)".contains("canary-1"))
        #expect(state.toast?.text.contains("{{token}} stored on this machine") == true)
        #expect(saved(state.press("^S")).map(\.auth) == [.bearer(token: "{{token}}")])
        state.press("u")
        #expect(state.openEndpoint?.auth == .bearer(token: "canary-1"))
    }

    @Test func `a pasted command whose credential cannot be stored is a draft nevertheless, and the reason is named`() throws {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        let job = try stored(try pasted(&state))
        _ = state.update(.workspaceEdited(job.id, .failed("the disk is full")))
        #expect(state.openEndpoint?.auth == .bearer(token: "canary-1") && state.toast?.text.contains("the disk is full") == true)
    }

    @Test func `a value that is stored already becomes the same secret, until the secret has another value`() throws {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        _ = finish(try stored(try pasted(&state)), &state)
        // Pasted again, and typed into another field.
        #expect(!(try pasted(&state)).contains { if case .storeSecrets = $0 { true } else { false } })
        #expect(state.openEndpoint?.auth == .bearer(token: "{{token}}") && state.editedDrafts.count == 2)
        state.change { $0.headers = [Parameter("X-Api-Key", "canary-1")] }
        state.requestState.tab = .headers
        state.press("s")
        #expect(state.popup == nil && state.openEndpoint?.headers.first?.value == "{{token}}")

        _ = state.perform(.storeSecret)
        state.type("token")
        state.press("Tab")
        state.type("canary-2")
        _ = state.update(.workspaceEdited(try stored(state.press("Enter")).id, .done(FileChanges(), state.workspace)))
        state.change { $0.headers = [Parameter("X-Api-Key", "canary-1")] }
        state.press("2", "s")
        #expect(state.screen.contains("Make it a secret"))
    }

    // MARK: Variables

    @Test func `a new variable that is a stored secret stores its value, and no file gets it`() throws {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.press("E", "a")
        state.type("token")
        state.press("Tab")
        state.type("canary-1")
        state.press("Tab", "Space", "Space", "Space", "Space", "Space")
        let effects = state.press("Enter")
        let job = try stored(effects)
        #expect(job.values == [SecretValue("canary-1", named: "demo-token")] && !"\(job.declarations)".contains("canary-1"))
        #expect(!effects.contains { if case .editWorkspace = $0 { true } else { false } })
        _ = finish(job, &state)
        // Without a new value nothing changes; a new one replaces the stored one.
        state.press("e")
        #expect(state.screen.contains("Edit token") && state.press("Enter").isEmpty)
        state.press("e")
        state.type("canary-2")
        #expect(!state.screen.contains("canary-2"))
        #expect(try stored(state.press("Enter")).values == [SecretValue("canary-2", named: "demo-token", replaces: true)])
    }

    @Test func `s makes a variable a secret of its name, and that of one environment a template`() throws {
        var workspace = Workspace.sample
        workspace.variables["key"] = "canary-1"
        workspace.environments[0].variables["pin"] = "canary-2"
        workspace.environments[1].variables["pin"] = "canary-3"
        var state = AppState(workspace: workspace, environment: "develop", size: Size(width: 120, height: 40))
        state.press("E")
        for _ in 0..<5 where (state.popup as? VariablesPopup)?.chosen(state)?.row.name != "key" { state.press("Down") }
        state.press("s")
        let key = try stored(state.press("Enter")).declarations
        #expect(
            key
                == SecretDeclarations(
                    [.init("key", in: .stored("demo-key"))], replacing: [.init(VariableKey("key", .workspace), from: "canary-1", to: nil)]))
        for _ in 0..<5 where (state.popup as? VariablesPopup)?.chosen(state)?.row.name != "pin" { state.press("Down") }
        state.press("s")
        let pin = try stored(state.press("Enter")).declarations
        let expected = SecretDeclarations.Variable(VariableKey("pin", .environment("develop")), from: "canary-2", to: "{{pinDevelop}}")
        #expect(pin == SecretDeclarations([.init("pinDevelop", in: .stored("demo-pinDevelop"))], replacing: [expected]))
    }
}
