import SortieHTTP
import SortieStorage
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests a service in the request pane.
@Suite struct ServicePaneTests {
    private static let sizes = [Size(width: 80, height: 24), Size(width: 200, height: 50)]

    private func workspace(_ change: (inout Workspace) -> Void = { _ in }) -> Workspace {
        var workspace = Workspace.sample
        workspace.environments = [WorkspaceEnvironment(name: "develop"), WorkspaceEnvironment(name: "test")]
        workspace.services[0].servers = ["develop": ["http://a.test", "http://b.test"]]
        workspace.services[0].headers = []
        change(&workspace)
        return workspace
    }

    private func state(
        _ size: Size = Size(width: 200, height: 50), environment: String = "develop", _ change: (inout Workspace) -> Void = { _ in }
    ) -> AppState {
        AppState(workspace: workspace(change), environment: environment, size: size, sections: YAMLSections())
    }

    /// The service opened on a tab.
    private func opened(
        _ tab: ServiceTab = .servers, _ size: Size = Size(width: 200, height: 50), environment: String = "develop",
        with change: (inout Workspace) -> Void = { _ in }
    ) -> AppState {
        var state = state(size, environment: environment, change)
        state.press("1", "Home", "Enter")
        for _ in 0..<(ServiceTab.allCases.firstIndex(of: tab) ?? 0) { state.press("]") }
        return state
    }

    private func select(_ name: String, _ state: inout AppState) throws {
        state.servicePane.row = try #require(ServiceFeature.rows(state).firstIndex { $0.name == name }, "\(name)")
    }

    /// The displayed line of a row.
    private func line(_ name: String, _ state: AppState) -> String {
        state.screen.split(separator: "\n").map(String.init).first { $0.contains(name) } ?? ""
    }

    private func replace(_ text: String, _ state: inout AppState) {
        state.press("^U")
        state.type(text)
    }

    private func change(_ effects: [Effect]) -> (id: JobID, service: Service, old: Service)? {
        for case .editWorkspace(let id, .changeService(let service, let old, _)) in effects { return (id, service, old) }
        return nil
    }

    /// Ends the change of the file that an action started, and returns the service in it.
    @discardableResult
    private func write(_ effects: [Effect], _ state: inout AppState) throws -> Service {
        let (id, service, _) = try #require(change(effects))
        var workspace = state.workspace
        let index = try #require(workspace.services.firstIndex { $0.folder == service.folder })
        workspace.services[index] = service
        _ = state.update(.workspaceEdited(id, .done(FileChanges(), workspace)))
        return service
    }

    // MARK: Opening

    @Test func `a service of a workspace without environments says what its servers need`() {
        var state = AppState(
            workspace: workspace {
                $0.environments = []
                $0.services[0].servers = [:]
            }, environment: nil, size: Size(width: 80, height: 24), sections: YAMLSections())
        state.press("1", "Home", "Enter")
        #expect(state.screen.contains("No environment yet; ^E creates one for its servers."), "\(state.screen)")
        state.press("Enter")
        #expect(state.servicePane.editing == nil && state.toast?.text.contains("^E creates one") == true, "\(state.toast?.text ?? "")")
    }

    @Test(arguments: [Size(width: 80, height: 24), Size(width: 120, height: 35)])
    func `the whole text of the selected setting is below the list where the list has no room for all`(size: Size) throws {
        var state = opened(.servers, size)
        try select("Addresses: preresolve", &state)
        let row = try #require(ServiceFeature.selectedRow(state))
        let text = state.screen.split(separator: "\n").map { $0.split(whereSeparator: { "│┌└".contains($0) }).last.map(String.init) ?? "" }
            .joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(text.contains(row.summary.split(separator: " ").suffix(4).joined(separator: " ")), "\(state.screen)")
        state.press("End")
        #expect(state.screen.contains("Tunnel"), "\(state.screen)")
    }

    @Test func `a service has the room of the response, which shows nothing meanwhile`() {
        let state = opened(.servers, Size(width: 80, height: 24))
        #expect(state.layout.response.height == 3 && state.layout.request.height == 20, "\(state.screen)")
    }

    @Test(arguments: sizes) func `Enter on a service opens it in Request, and Esc shows the endpoint again`(size: Size) {
        var state = state(size)
        state.press("1")
        let before = state.openTarget
        state.press("Home", "Enter")
        #expect(state.focus == .request && state.openEndpoint == nil)
        for text in ["Request  service Shop", "Servers", "Headers", "Auth", "Trust", "develop", "http://a.test"] {
            #expect(state.screen.contains(text), "\(text) in\n\(state.screen)")
        }
        state.press("Esc")
        #expect(state.focus == .services && state.openTarget == before && before != nil)
    }

    @Test func `names of settings are not cut on a small screen, and URLs of servers have their room`() {
        for tab in ServiceTab.allCases {
            var state = opened(tab, Self.sizes[0]) { $0.services[0].auth = .oauth2(.empty) }
            let rows = ServiceFeature.rows(state)
            for (index, row) in rows.enumerated() where tab != .headers {
                state.servicePane.row = index
                #expect(state.screen.contains(row.name), "\(tab): \(row.name)\n\(state.screen)")
            }
        }
        let state = opened(.servers, Self.sizes[0]) { $0.services[0].servers = ["develop": ["http://127.0.0.1:18080/the/shop"]] }
        #expect(state.screen.contains("http://127.0.0.1:18080/the/shop"), "\(state.screen)")
    }

    @Test func `i in Services, on an endpoint and in Monitor opens the service`() {
        for keys in [["1", "Home", "i"], ["1", "End", "Up", "i"], ["M", "4", "i"]] {
            var state = state()
            let report = ServiceReport(name: "shop", traffic: TrafficReport(), recent: [], servers: [])
            _ = state.update(.monitored(MonitorReport(services: [report], timeline: [])))
            keys.forEach { state.press($0) }
            #expect(state.shownService?.folder == "shop" && state.focus == .request, "\(keys)")
        }
    }

    @Test func `choosing an endpoint closes the service`() {
        var state = opened()
        state.open("shop/orders/list")
        #expect(state.shownService == nil && state.screen.contains("Params"))
    }

    @Test func `a service whose file cannot be read opens the list of problems`() {
        var state = state {
            let problem = Diagnostic(SourceLocation(file: "shop/service.yaml"), "not YAML")
            $0.problems = [problem]
            $0.unreadable = [UnreadableFile(.service("shop"), problem)]
        }
        state.press("1", "Home", "Enter")
        #expect(state.shownService == nil && state.screen.contains("not YAML"))
    }

    @Test func `Ctrl-S saves what is being typed, and a change again that was not saved`() throws {
        var state = opened()
        state.press("^S")
        #expect(state.toast?.text == "Changes of a service are saved as they are made")
        state.press("Enter")
        replace("http://c.test", &state)
        let first = try #require(change(state.press("^S")))
        #expect(first.service.servers["develop"]?.first == "http://c.test" && state.servicePane.editing == nil)
        _ = state.update(.workspaceEdited(first.id, .failed("the disk is full")))
        #expect(try write(state.press("^S"), &state).servers["develop"]?.first == "http://c.test")
        #expect(state.unsavedEdits.isEmpty)
    }

    @Test func `the hint beside a server leaves the typed URL its room on a small screen`() throws {
        var state = opened(.servers, Self.sizes[0]) { $0.services[0].servers = [:] }
        state.press("Enter")
        state.type("http://127.0.0.1:18080/api")
        #expect(state.screen.contains("http://127.0.0.1:18080/api"), "\(state.screen)")
    }

    @Test func `nothing is sent while a service is open`() {
        var state = opened()
        #expect(state.press("^R").isEmpty)
        #expect(state.toast?.text.contains("No endpoint is open") == true)
    }

    @Test func `the palette opens the service of the open endpoint at a setting`() throws {
        var state = state()
        state.open("shop/orders/list")
        state.press("^P")
        state.type("proxy of the service")
        state.press("Enter")
        #expect(state.shownService?.folder == "shop" && ServiceFeature.selectedRow(state)?.name == "Proxy: URL", "\(state.screen)")
        state.press("^P")
        state.type("limits of the service")
        state.press("Enter")
        #expect(ServiceFeature.selectedRow(state)?.name == "Limits: connections")
    }

    // MARK: Servers

    @Test func `the server in use is marked, and an environment without servers has a row`() {
        var state = opened()
        var report = MonitorReport(services: [], timeline: [])
        report.rings = [RingReport(service: "shop", environment: "develop", index: 1)]
        _ = state.update(.monitored(report))
        #expect(line("http://b.test", state).contains("in use") && !line("http://a.test", state).contains("in use"))
        #expect(state.screen.contains("no server; paths must be URLs") && ServiceFeature.rows(state)[2].name == "test")
    }

    @Test func `a server is edited where it stands, and saved when its field is left`() throws {
        var state = opened()
        state.press("Enter")
        replace("http://c.test", &state)
        #expect(state.screen.contains("http://c.test"))
        let effects = state.press("Enter")
        #expect(change(effects)?.old == state.workspace.services[0])
        let saved = try write(effects, &state)
        #expect(saved.servers == ["develop": ["http://c.test", "http://b.test"]])
        #expect(!state.screen.contains("not saved") && state.toast?.text.contains("Saved shop") == true)
    }

    @Test func `servers are added, moved, duplicated and deleted`() throws {
        var state = opened()
        state.press("a")
        state.type("c.test/api")
        #expect(try write(state.press("Enter"), &state).servers["develop"] == ["http://a.test", "https://c.test/api", "http://b.test"])
        #expect(try write(state.press("J"), &state).servers["develop"] == ["http://a.test", "http://b.test", "https://c.test/api"])
        // The row below is one of another environment.
        #expect(change(state.press("J")) == nil)
        #expect(try write(state.press("D"), &state).servers["develop"]?.count == 4)
        #expect(try write(state.press("d"), &state).servers["develop"]?.count == 3)
    }

    @Test(arguments: [["http://a.test"], []]) func `a server is added to its environment also where a setting is selected`(before: [String]) throws {
        var state = opened { $0.services[0].servers = ["develop": before, "test": ["http://t.test"]] }
        try select("Proxy: URL", &state)
        state.press("a")
        state.type("http://b.test")
        #expect(try write(state.press("Enter"), &state).servers == ["develop": before + ["http://b.test"], "test": ["http://t.test"]])
    }

    @Test func `several URLs in a field become as many servers, and a template with spaces stays one`() throws {
        var state = opened { $0.services[0].servers = [:] }
        state.press("Enter")
        state.type("http://a.test, http://b.test")
        #expect(try write(state.press("Enter"), &state).servers == ["develop": ["http://a.test", "http://b.test"]])
        state.press("Enter")
        replace("http://{{$prompt Which host}}", &state)
        #expect(try write(state.press("Enter"), &state).servers["develop"]?.first == "http://{{$prompt Which host}}")
    }

    @Test func `a row that stays empty is removed, and nothing is written`() {
        var state = opened()
        state.press("a")
        #expect(ServiceFeature.rows(state).count { $0.listIndex != nil } == 4)
        #expect(change(state.press("Esc")) == nil)
        #expect(ServiceFeature.rows(state).count { $0.listIndex != nil } == 3 && state.serviceChanges.changes.isEmpty)
    }

    @Test func `a text that is no URL stays in its field, with the reason`() {
        var state = opened()
        state.press("Enter")
        replace("http://[::1", &state)
        #expect(change(state.press("Enter")) == nil)
        #expect(state.servicePane.editing != nil && state.toast?.level == .warning)
        state.press("Esc")
        #expect(state.toast?.text.contains("The old value is kept") == true && state.screen.contains("http://a.test"))
        // What was typed is not lost.
        state.press("Enter", "^Y")
        #expect(state.typedText?.content.text == "http://a.testhttp://[::1")
    }

    @Test func `a template that is not closed is refused, because no endpoint of the service could be sent`() {
        var state = opened()
        state.press("Enter")
        replace("http://{{ho", &state)
        #expect(change(state.press("Enter")) == nil && state.servicePane.editing != nil)
        #expect(state.toast?.text.contains("write }} after the name") == true)
        // Until it is complete, it is stored for the next session only.
        #expect(state.unsavedEdits.services.first?.edited.servers["develop"]?.first == "http://{{ho")
    }

    @Test func `the environment of a server is changed in its first field`() throws {
        var state = opened()
        state.press("Down", "Enter", "S-Tab")
        replace("test", &state)
        #expect(try write(state.press("Enter"), &state).servers == ["develop": ["http://a.test"], "test": ["http://b.test"]])
        #expect(ServiceFeature.selectedRow(state)?.name == "test")
    }

    // MARK: Headers and auth

    @Test func `a header is added with its name and value, switched off, and one of Sortie is left out`() throws {
        var workspace = workspace()
        workspace.services[0].headers = []
        var state = AppState(
            workspace: workspace, environment: "develop", size: Size(width: 200, height: 50), engineHeaders: [HeaderField("User-Agent", "Sortie/1")],
            sections: YAMLSections())
        state.press("1", "Home", "Enter", "]", "a")
        state.type("X-Team")
        state.press("Tab")
        state.type("red")
        let saved = try write(state.press("Enter"), &state)
        #expect(saved.headers == [Parameter("X-Team", "red")])
        #expect(try write(state.press("Space"), &state).headers.first?.isEnabled == false)
        #expect(line("User-Agent", state).contains("from Sortie"))
        state.press("Down")
        #expect(try write(state.press("Space"), &state).removedHeaders == ["User-Agent"])
        #expect(line("User-Agent", state).contains("is not sent"))
    }

    @Test func `credentials are written when they are complete`() throws {
        var state = opened(.auth)
        state.press("Enter")
        #expect(!state.screen.contains("Inherit"))
        state.press("Down")
        // Basic without a user is no value of a file yet, or one that is written with empty texts.
        let chosen = state.press("Enter")
        if change(chosen) != nil { try write(chosen, &state) }
        #expect(state.editedService?.auth == .basic(user: "", password: ""))
        // The first empty text is open.
        state.type("me")
        let user = state.press("Enter")
        if change(user) != nil { try write(user, &state) }
        state.press("Down", "Enter")
        state.type("{{password}}")
        #expect(try write(state.press("Enter"), &state).auth == .basic(user: "me", password: "{{password}}"))
    }

    @Test func `a credential in clear text is asked about before it reaches the file`() throws {
        var state = opened(.headers)
        state.press("a")
        state.type("Authorization")
        state.press("Tab")
        state.type("Bearer sesame-1")
        #expect(change(state.press("Enter")) == nil)
        #expect(state.screen.contains("Save a credential?") && state.screen.contains("Authorization"))
        let effects = state.press("Enter")
        guard case .storeSecrets(let id, let values, let declarations)? = effects.last else {
            Issue.record("\(effects)")
            return
        }
        #expect(values.count == 1)
        let stored = state.update(.workspaceEdited(id, .done(FileChanges(), declarations.applied(to: state.workspace))))
        let saved = try write(stored, &state)
        #expect(saved.headers.first?.value == "Bearer {{token}}")
    }

    @Test func `a public value is saved without a question`() throws {
        var state = opened(.headers) { $0.publicValues = ["sesame-3"] }
        state.press("a")
        state.type("X-Api-Key")
        state.press("Tab")
        state.type("sesame-3")
        #expect(try write(state.press("Enter"), &state).headers == [Parameter("X-Api-Key", "sesame-3")])
    }

    @Test func `the search of a request is not offered in the text of a setting`() throws {
        var state = opened(.settings)
        state.servicePane.row = try #require(ServiceFeature.rows(state).lastIndex { $0.name == "Plugins" })
        state.press("Enter")
        #expect(!state.screen.contains("Alt-/"))
        state.press("Alt-/")
        #expect(state.toast?.text == "Only the texts of a request can be searched" && state.servicePane.editing != nil)
    }

    @Test func `a field of a service that is removed is not a field of the next one`() {
        var state = opened()
        state.press("Enter")
        replace("http://c.test", &state)
        var workspace = state.workspace
        workspace.services = [Service(folder: "maps", name: "Maps")]
        _ = state.update(.workspaceLoaded(workspace))
        state.open(service: "maps")
        #expect(state.servicePane.editing == nil && state.editedService?.folder == "maps" && state.serviceChanges.changes["maps"] == nil)
        // What was typed is kept until the service is there again.
        #expect(state.serviceChanges.changes["shop"]?.service.servers["develop"]?.first == "http://c.test")
        #expect(state.toast?.text.contains("removed by another program") == true)
    }

    // MARK: Files that change while a field is open

    @Test func `a row that is being edited follows its name where another program inserts one before it`() throws {
        var state = opened(.headers) { $0.services[0].headers = [Parameter("X-One", "a")] }
        state.press("Enter")
        state.type("TYPED")
        var theirs = state.workspace
        theirs.services[0].headers.insert(Parameter("X-Zero", "0"), at: 0)
        _ = state.update(.workspaceLoaded(theirs))
        #expect(state.screen.contains("aTYPED") && !state.screen.contains("X-Zero"))
        let saved = try write(state.press("Enter"), &state)
        #expect(saved.headers == [Parameter("X-Zero", "0"), Parameter("X-One", "aTYPED")])
        #expect(ServiceFeature.selectedRow(state)?.name == "X-One")
    }

    @Test func `a server that is being edited is the one that is written`() throws {
        var state = opened()
        state.press("Down", "Enter")
        replace("http://typed.test", &state)
        var theirs = state.workspace
        theirs.services[0].servers["develop"]?.insert("http://new.test", at: 0)
        _ = state.update(.workspaceLoaded(theirs))
        #expect(try write(state.press("Enter"), &state).servers["develop"] == ["http://new.test", "http://a.test", "http://typed.test"])
    }

    @Test func `what was typed into a row that another program removed is kept, told, and written when the user saves it`() throws {
        var state = opened(.headers) { $0.services[0].headers = [Parameter("X-One", "a")] }
        state.press("Enter")
        state.type("TYPED")
        var theirs = state.workspace
        theirs.services[0].headers = []
        theirs.services[0].summary = "theirs"
        _ = state.update(.workspaceLoaded(theirs))
        #expect(change(state.press("Enter")) == nil)
        #expect(state.toast?.text.contains("changed by another program in the same places (headers)") == true)
        #expect(state.screen.contains("aTYPED") && state.screen.contains("not saved"))
        var discarded = state
        discarded.press("u")
        #expect(discarded.editedService?.headers == [] && discarded.serviceChanges.changes.isEmpty)
        let saved = try write(state.press("w"), &state)
        #expect(saved.headers == [Parameter("X-One", "aTYPED")] && saved.summary == "theirs")
    }

    @Test func `a field in which nothing was typed is left without a change of the file`() {
        var state = opened(.headers) { $0.services[0].headers = [Parameter("X-One", "a")] }
        state.press("Enter")
        var theirs = state.workspace
        theirs.services[0].headers = [Parameter("X-Zero", "0")]
        _ = state.update(.workspaceLoaded(theirs))
        #expect(change(state.press("Enter")) == nil && state.serviceChanges.changes.isEmpty)
        #expect(state.editedService?.headers == [Parameter("X-Zero", "0")])
    }

    @Test func `a credential that is not to be saved stays unsaved, and is discarded by undo`() {
        var state = opened(.headers)
        state.press("a")
        state.type("X-Api-Key")
        state.press("Tab")
        state.type("sesame-2")
        state.press("Enter", "Down", "Down")
        #expect(change(state.press("Enter")) == nil && state.screen.contains("not saved"))
        state.press("u")
        #expect(!state.screen.contains("• not saved") && state.editedService?.headers == [])
    }

    // MARK: Trust and settings

    @Test func `S2.3 S0.38 the effective trust is displayed with its place`() {
        let change = { (workspace: inout Workspace) in
            workspace.trust.certificateAuthorityFile = workspace.folder + "/certs/all.pem"
            workspace.trust.minimumTLS = .tls13
            workspace.environments[1].trust.certificateAuthorityFile = workspace.folder + "/certs/test.pem"
            workspace.environments[1].trust.isInsecure = true
            workspace.services[0].trust.pinFiles = [workspace.folder + "/shop/server.pem"]
            workspace.services[0].trust.pinMatch = .certificate
        }
        let develop = opened(.trust, with: change)
        #expect(line("certs/all.pem", develop).contains("workspace"))
        #expect(line("Minimum TLS", develop).contains("1.3") && line("Minimum TLS", develop).contains("workspace"))
        #expect(line("Pin files", develop).contains("server.pem") && line("Pin files", develop).contains("service"))
        #expect(line("Pin match", develop).contains("certificate"))
        // A value takes the width that it needs before the place beside it; at this width both are whole.
        let test = opened(.trust, Size(width: 240, height: 50), environment: "test", with: change)
        #expect(line("certs/te", test).contains("environment test"), "\(test.screen)")
        #expect(line("Insecure", test).contains("true") && line("Insecure", test).contains("environment test"))
    }

    @Test func `S2.3 the effective proxy is displayed with its place, without its password`() {
        let shared = opened { $0.proxy = ProxyTemplate(url: "http://p.test:3128", except: ["a.test"]) }
        #expect(line("http://p.test:3128", shared).contains("workspace") && line("Proxy: except", shared).contains("a.test"))
        let none = opened {
            $0.proxy = ProxyTemplate(url: "http://p.test:3128")
            $0.services[0].proxy = ProxyTemplate(url: "")
        }
        #expect(line("Proxy: URL", none).contains("none") && line("Proxy: URL", none).contains("service"))
        let own = opened(.servers, Size(width: 240, height: 50)) { $0.services[0].proxy = ProxyTemplate(url: "http://me:hunter2@own.test:3128") }
        #expect(line("Proxy: URL", own).contains("http://me:••••@own.test") && !own.screen.contains("hunter2"), "\(own.screen)")
    }

    @Test(arguments: sizes) func `S3.14 S3.12 S4.6 limits and the source of addresses are rows`(size: Size) throws {
        var state = opened(.settings, size) {
            $0.services[0].limits.requests = 16
            $0.services[0].limits.downloads = 3
            $0.services[0].addresses = AddressSettings(source: .system, isResolvedAhead: true)
        }
        try select("Limits: requests", &state)
        #expect(line("Limits: requests", state).contains("16"), "\(state.screen)")
        #expect(line("Limits: downloads", state).contains("3"))
        state.press("[", "[", "[", "[")
        try select("Addresses: preresolve", &state)
        #expect(line("Addresses: preres", state).contains("true"), "\(state.screen)")
    }

    @Test func `a setting is typed, reset, and an invalid text is kept and not saved`() throws {
        var state = opened(.settings)
        try select("Limits: requests", &state)
        state.press("Enter")
        state.type("many")
        #expect(change(state.press("Enter")) == nil && state.toast?.text.contains("must be a whole number from 1 to 10000") == true)
        #expect(change(state.press("Esc")) == nil)
        #expect(line("Limits: requests", state).contains("many") && line("Limits: requests", state).contains("not saved"))
        state.press("Enter")
        replace("8", &state)
        #expect(try write(state.press("Enter"), &state).limits.requests == 8)
        #expect(try write(state.press("d"), &state).limits.requests == nil)
    }

    @Test func `Ctrl-S goes to a text that is not valid and says why it is not saved, and u discards it before a change of a file`() throws {
        var state = opened(.trust)
        try select("Pins", &state)
        state.press("Enter")
        state.type("no pin")
        state.press("Enter", "Esc", "[", "[")
        #expect(change(state.press("^S")) == nil && state.servicePane.tab == .trust)
        #expect(ServiceFeature.selectedRow(state)?.name == "Pins")
        let message = try #require(state.toast?.text)
        #expect(message.hasPrefix("Not saved: “no pin” is not a pin; ") && message.hasSuffix("; Enter edits it, u discards it"), "\(message)")
        #expect(state.press("u").isEmpty && state.unsavedEdits.isEmpty && !line("Pins", state).contains("no pin"))
        state.press("^S")
        #expect(state.toast?.text == "Changes of a service are saved as they are made")
    }

    @Test func `Space goes through the values of a setting, and a list offers them`() throws {
        var state = opened(.settings)
        try select("Validate status", &state)
        #expect(try write(state.press("Space"), &state).validatesStatus)
        try select("Texts", &state)
        state.press("Enter")
        #expect(state.screen.contains("zh-Hans") && state.screen.contains("not set"))
    }

    @Test func `plugins of the workspace stand beside those of the service, which are typed with their keys in view`() throws {
        var state = opened(.settings) {
            $0.plugins = [PluginSetting(.debugLog(), location: SourceLocation(file: "workspace.yaml"))]
            $0.services[0].plugins = [PluginSetting(.signals(.init()), location: SourceLocation(file: "shop/service.yaml"))]
        }
        #expect(line("debugLog", state).contains("from workspace"))
        let row = try #require(ServiceFeature.rows(state).lastIndex { $0.name == "Plugins" })
        state.servicePane.row = row
        #expect(line("signals", state).contains("service"))
        state.press("Enter")
        #expect(state.screen.contains("- errorFilter") && state.screen.contains("plugins:"))
        state.press("End", "Enter")
        state.type("- sing")
        #expect(state.screen.contains("2:3: there is no plugin “sing”; did you mean “sign”?"), "\(state.screen)")
        state.press("Backspace", "Backspace")
        state.type("gn")
        #expect(try write(state.press("Esc"), &state).plugins.map(\.name) == ["signals", "sign"])
    }

    // MARK: Saving

    @Test func `what is typed while a change is being written is written after it`() throws {
        var state = opened()
        state.press("Enter")
        replace("http://c.test", &state)
        let (id, first, _) = try #require(change(state.press("Enter")))
        state.press("Down", "Enter")
        replace("http://d.test", &state)
        #expect(change(state.press("Enter")) == nil)
        var workspace = state.workspace
        workspace.services[0] = first
        let (_, second, old) = try #require(change(state.update(.workspaceEdited(id, .done(FileChanges(), workspace)))))
        #expect(second.servers["develop"] == ["http://c.test", "http://d.test"] && old.servers == first.servers)
    }

    @Test func `a change that is taken back while it is being written is written afterwards`() throws {
        var state = opened()
        state.press("a")
        state.type("c.test")
        let (id, first, _) = try #require(change(state.press("Enter")))
        #expect(change(state.press("d")) == nil && state.markedServices.isEmpty)
        #expect(state.unsavedEdits.services.isEmpty == false || ServiceFeature.unsaved(state) == ["shop"])
        var workspace = state.workspace
        workspace.services[0] = first
        let (_, second, old) = try #require(change(state.update(.workspaceEdited(id, .done(FileChanges(), workspace)))))
        #expect(second.servers["develop"] == ["http://a.test", "http://b.test"] && old.servers == first.servers)
    }

    @Test func `the question before quitting does not count a service that is being written`() throws {
        var state = opened()
        state.open("shop/orders/list")
        state.change { $0.summary = "edited" }
        state.press("1", "Home", "Enter", "Enter")
        replace("http://c.test", &state)
        #expect(change(state.press("^Q")) != nil)
        #expect(state.screen.contains("1 endpoint not saved.") && !state.screen.contains("a service"), "\(state.screen)")
    }

    @Test func `a change that cannot be written stays, and w writes it again`() throws {
        var state = opened()
        state.press("Enter")
        replace("http://c.test", &state)
        let (id, _, _) = try #require(change(state.press("Enter")))
        #expect(change(state.update(.workspaceEdited(id, .failed("shop/service.yaml: it cannot be written")))) == nil)
        #expect(state.screen.contains("not saved") && state.screen.contains("http://c.test"))
        #expect(state.toast?.text.contains("it cannot be written") == true)
        #expect(try write(state.press("w"), &state).servers["develop"]?.first == "http://c.test")
        #expect(!state.screen.contains("not saved"))
    }

    @Test func `a change that was not written follows its service into another folder`() throws {
        var state = opened()
        state.press("Enter")
        replace("http://c.test", &state)
        let (id, _, _) = try #require(change(state.press("Enter")))
        _ = state.update(.workspaceEdited(id, .failed("shop/service.yaml: it cannot be written")))
        let effects = ItemsFeature.start(EditWorkspaceJob(edit: .move(.service("shop"), to: "store", label: nil), text: "Moved"), &state)
        guard case .editWorkspace(let move, _)? = effects.first else {
            Issue.record("nothing is moved: \(effects)")
            return
        }
        var workspace = state.workspace
        workspace.services[0].contract = ContractSetting(document: workspace.folder + "/shop/api.yaml")
        workspace.services[0].move(to: "store", in: workspace.folder)
        #expect(workspace.services[0].contract?.document == workspace.folder + "/store/api.yaml")
        workspace.services[0].contract = nil
        workspace.services[0].endpoints = []
        #expect(change(state.update(.workspaceEdited(move, .done(FileChanges(), workspace)))) == nil)
        let (_, service, old) = try #require(change(state.press("w")))
        #expect(service.folder == "store" && old.folder == "store" && service.servers["develop"]?.first == "http://c.test")
    }

    /// The field is left by a key before, or by quitting.
    @Test(arguments: [["Enter"], []])
    func `quitting while a change is being written ends the program when it is in the file`(before: [String]) throws {
        var state = opened()
        state.press("Enter")
        replace("http://c.test", &state)
        let effects = (before + ["^Q"]).flatMap { state.press($0) }
        let (id, service, _) = try #require(change(effects))
        #expect(!effects.contains(.quit) && state.popup == nil, "\(state.screen)")
        var workspace = state.workspace
        let index = try #require(workspace.services.firstIndex { $0.folder == service.folder })
        workspace.services[index] = service
        #expect(state.update(.workspaceEdited(id, .done(FileChanges(), workspace))).contains(.quit))
    }

    /// The next session, with the edits of this one.
    private func next(_ state: AppState, with change: (inout Workspace) -> Void = { _ in }) -> AppState {
        AppState(
            workspace: workspace(change), environment: "develop", size: Size(width: 200, height: 50), services: state.unsavedEdits.services,
            sections: YAMLSections())
    }

    @Test func `what is typed in a service is restored after a crash, marked, and written when the user saves it`() throws {
        var state = opened()
        state.press("Enter")
        replace("http://c.test", &state)
        #expect(state.unsavedEdits.services.map(\.edited.folder) == ["shop"], "before the field is left")
        var restored = next(state)
        #expect(change(restored.update(.tick(now: 1))) == nil, "nothing is written by itself")
        restored.press("1", "Home", "Enter")
        for text in ["http://c.test", "not saved, w saves it", "1 edited"] { #expect(restored.screen.contains(text), "\(restored.screen)") }
        #expect(restored.unsavedEdits == state.unsavedEdits)
        let saved = try write(restored.press("w"), &restored)
        #expect(saved.servers["develop"] == ["http://c.test", "http://b.test"] && restored.unsavedEdits.isEmpty)
        // The file has the change already.
        let other = next(state) { $0.services[0].servers["develop"]?[0] = "http://c.test" }
        #expect(other.unsavedEdits.isEmpty)
    }

    @Test func `a text that cannot be read is restored, and applies where it has become valid`() throws {
        var state = opened(.settings)
        try select("Limits: requests", &state)
        state.press("Enter")
        state.type("many")
        let edits = state.unsavedEdits
        #expect(edits.services.first?.unreadable == [["limits", "requests"]: "many"])
        var restored = next(state)
        restored.press("1", "Home", "Enter", "]", "]", "]", "]")
        #expect(line("Limits: requests", restored).contains("many") && restored.unsavedEdits == edits)
    }

    @Test func `quitting offers to keep, save or discard the changes of services`() throws {
        var state = opened(.settings)
        try select("Limits: requests", &state)
        state.press("Enter")
        state.type("many")
        state.press("^Q")
        #expect(state.screen.contains("Keep as drafts and quit") && state.screen.contains("1 service not saved"))
        var kept = state
        #expect(kept.press("↓", "↓", "Enter").contains(.quit) && !kept.unsavedEdits.isEmpty)
        var saved = state
        #expect(!saved.press("↓", "Enter").contains(.quit) && saved.screen.contains("cannot be saved; correct it"))
        #expect(!state.press("d").contains(.quit) && state.screen.contains("The edits of 1 service cannot be restored."))
        state.press("↓")
        #expect(state.press("Enter").contains(.quit) && state.unsavedEdits.isEmpty)
    }

    @Test func `saving all writes the services, and then quits`() throws {
        var state = opened()
        state.press("Enter")
        replace("http://c.test", &state)
        var restored = next(state)
        restored.press("^Q")
        let effects = restored.press("↓", "Enter")
        #expect(!effects.contains(.quit))
        let id = try #require(change(effects)?.id)
        let written = workspace { $0.services[0].servers["develop"]?[0] = "http://c.test" }
        #expect(restored.update(.workspaceEdited(id, .done(FileChanges(), written))).contains(.quit))
    }

    @Test func `quitting with a setting that is not valid goes to its service`() throws {
        var state = opened(.settings)
        try select("Limits: requests", &state)
        state.press("Enter")
        state.type("many")
        state.press("Esc", "Esc")
        #expect(!state.press("^Q").contains(.quit))
        state.press("End", "Enter")
        #expect(state.shownService?.folder == "shop" && line("Limits: requests", state).contains("many"))
    }

    @Test func `a new service with two servers in each of two environments takes 15 keys`() throws {
        var state = state()
        state.press("1")
        var keys = 0
        func press(_ labels: String...) -> [Effect] {
            keys += labels.count
            return labels.flatMap { state.press($0) }
        }
        _ = press("a", "Down", "Down", "Enter")
        state.type("maps")
        let created = press("Enter")
        guard case .editWorkspace(let id, .createService(let new))? = created.first else {
            Issue.record("\(created)")
            return
        }
        var workspace = state.workspace
        workspace.services.append(Service(folder: new.folder, name: new.folder))
        _ = state.update(.workspaceEdited(id, .done(FileChanges(), workspace)))
        _ = press("Enter")
        for (environment, urls) in [("develop", ["http://a.test", "http://b.test"]), ("test", ["http://c.test", "http://d.test"])] {
            if environment == "test" { _ = press("Down") }
            for (index, url) in urls.enumerated() {
                _ = press(index == 0 ? "Enter" : "a")
                state.type(url)
                try write(press("Enter"), &state)
            }
            #expect(state.shownService?.servers[environment] == urls)
        }
        #expect(keys == 15)
    }

    // MARK: The mouse

    private func click(_ name: String, _ offset: Int = 1, _ kind: Mouse.Kind = .press, in state: inout AppState) throws {
        let lines = state.screen.split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(lines.firstIndex { $0.contains(name) })
        let column = lines[row].distance(from: lines[row].startIndex, to: try #require(lines[row].firstRange(of: name)).lowerBound)
        _ = state.update(.input(.mouse(Mouse(kind: kind, button: .left, position: Point(column: column + offset, row: row)))))
    }

    @Test func `a click shows a tab`() throws {
        var state = opened()
        try click("Trust", in: &state)
        #expect(state.servicePane.tab == .trust && state.screen.contains("Client certificate"))
    }

    @Test func `a double click edits the field under the mouse, and a click then the other one of the row`() throws {
        func edited(_ state: AppState) -> RequestRow.Column? {
            if case .row(let edit) = state.servicePane.editing, edit.row == 0 { edit.column } else { nil }
        }
        var state = opened()
        try click("http://a.test", 1, .doubleClick, in: &state)
        #expect(edited(state) == .value)
        try click("develop  http", 1, in: &state)
        #expect(edited(state) == .name)
        try click("http://a.test", 1, in: &state)
        #expect(edited(state) == .value)
        state.press("Esc")
        try click("develop  http", 1, .doubleClick, in: &state)
        #expect(edited(state) == .name)
    }

    @Test func `a double click below the header fields adds one, and one on a field that is not edited here names the reason`() throws {
        var state = AppState(
            workspace: workspace(), environment: "develop", size: Size(width: 200, height: 50),
            engineHeaders: [HeaderField("User-Agent", "Sortie/1"), HeaderField("Accept-Encoding", "gzip")], sections: YAMLSections())
        state.press("1", "Home", "Enter", "]")
        try click("User-Agent", 1, .doubleClick, in: &state)
        #expect(state.servicePane.editing == nil && state.toast?.text.contains("takes its place") == true)
        try click("Accept-Encoding", 1, in: &state)
        let rows = ServiceFeature.rows(state).count
        let place = Point(column: state.layout.request.column + 10, row: RequestView.listRect(state.layout).row + rows)
        _ = state.update(.input(.mouse(Mouse(kind: .doubleClick, button: .left, position: place))))
        #expect(ServiceFeature.rows(state).count == rows + 1 && state.servicePane.editing != nil)
    }
}
