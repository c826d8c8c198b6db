import SortieBase
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

@Suite struct VariablesTests {
    static let sizes = [Size(width: 40, height: 10), Size(width: 80, height: 24), Size(width: 200, height: 50)]

    /// The sample with variables of several kinds.
    private func sample(_ size: Size = Size(width: 80, height: 24)) -> AppState {
        var workspace = Workspace.sample
        workspace.environments[0].variables["port"] = "8080"
        workspace.environments[0].variables["password"] = "literal-pw"
        workspace.environments[1].variables["port"] = "8080"
        workspace.environments.append(.init(name: "third", variables: ["host": "third.example"]))
        workspace.variables = ["shared": "all of them", "base": "http://{{host}}/x"]
        workspace.secrets = ["token": .environment("SHOP_TOKEN")]
        workspace.variablePlaces = [
            VariableKey("host", .environment("develop")): SourceLocation(file: "workspace.yaml", line: 7),
            VariableKey("shared", .workspace): SourceLocation(file: "workspace.yaml", line: 9),
        ]
        workspace.variableUses = [
            "host": [SourceLocation(file: "shop/orders/list.yaml", line: 3), SourceLocation(file: "workspace.yaml", line: 9)],
            "nowhere": [SourceLocation(file: "shop/orders/list.yaml", line: 5)],
        ]
        let index = workspace.services[0].endpoints.count - 1
        workspace.services[0].endpoints[index].headers = [Parameter("X-Host", "{{host}}")]
        return AppState(workspace: workspace, environment: "develop", size: size)
    }

    private func edit(_ effects: [Effect]) -> (JobID, WorkspaceEdit)? {
        for case .editWorkspace(let id, let edit) in effects { return (id, edit) }
        return nil
    }

    private func replace(_ text: String, _ state: inout AppState) {
        state.press("^U")
        state.type(text)
    }

    /// Selects a variable through the filter, and shows all rows again.
    private func select(_ name: String, _ state: inout AppState) {
        state.press("/")
        state.type(name)
        state.press("Enter", "Home")
        for _ in 0..<10 where (state.popup as? VariablesPopup)?.chosen(state)?.row.name != name { state.press("Down") }
    }

    @Test func `after a form is refused, typing corrects the text, and chooses no other word`() throws {
        var state = sample()
        state.press("E", "a")
        state.type("host=x")
        state.press("Enter")
        #expect(state.screen.contains("develop defines host already"))
        state.press("^U")
        state.type("a host=x")
        let form = try #require(state.popup as? Form)
        #expect(form.text("Name") == "a host=x" && form.text("Defined in") == "develop")
    }

    // MARK: Environments

    @Test func `Ctrl-E offers a new environment and the variables, also in a workspace without environments`() {
        var state = AppState(workspace: Workspace(name: "Empty", folder: "/"), environment: nil, size: Size(width: 80, height: 24))
        state.press("^E")
        #expect(state.screen.contains("New environment…") && state.screen.contains("Variables…"))
        state.press("Enter")
        #expect(state.screen.contains("New environment") && (state.popup as? Form)?.rows.map(\.label) == ["Name"])
        state.press("Esc", "^E", "Down", "Enter")
        #expect(state.popup is VariablesPopup)
    }

    @Test func `a new environment with two variables takes seven keys`() throws {
        var state = sample()
        var keys = 0
        func press(_ labels: String...) -> [Effect] {
            keys += labels.count
            return labels.flatMap { state.press($0) }
        }
        _ = press("E", "n")
        state.type("staging")
        let (environment, made) = try #require(edit(press("Enter")))
        #expect(made == .createEnvironment("staging", from: "develop"))
        var workspace = state.workspace
        workspace.environments.append(.init(name: "staging"))
        _ = state.update(.workspaceEdited(environment, .done(FileChanges(), workspace)))
        #expect(state.environment == "staging")
        for (typed, name, value) in [("region=eu", "region", "eu"), ("limit = 20", "limit", "20")] {
            _ = press("a")
            state.type(typed)
            let (job, variable) = try #require(edit(press("Enter")))
            #expect(variable == .setVariable(VariableKey(name, .environment("staging")), .text(value), from: nil))
            workspace.environments[workspace.environments.count - 1].variables[name] = value
            _ = state.update(.workspaceEdited(job, .done(FileChanges(), workspace)))
        }
        #expect(keys == 7)
        #expect(state.popup is VariablesPopup && state.screen.contains("staging") && state.screen.contains("region"))
    }

    @Test func `a value that is typed beside the name is a credential as in its own field`() {
        var state = sample()
        state.press("E", "a")
        state.type("api_token=sesame")
        state.press("Enter")
        #expect((state.popup as? Form)?.problem?.contains("Files are shared") == true)
    }

    // MARK: The view

    @Test(arguments: sizes) func `the selected environment and another one are shown with values`(size: Size) {
        var state = sample(size)
        state.press("E")
        for text in ["Variables", "develop", "release", "base", "host"] { #expect(state.screen.contains(text), "\(text) in\n\(state.screen)") }
        state.press("Down", "Down", "Down")
        #expect(state.screen.contains("127.0.0"))
    }

    @Test func `? lists the keys of the view, and Esc goes back to it`() {
        var state = sample(Size(width: 120, height: 60))
        state.press("E", "?")
        #expect(state.screen.contains("Keys for Variables") && state.screen.contains("Rename the variable"), "\(state.screen)")
        state.press("Esc")
        #expect(state.popup is VariablesPopup)
    }

    @Test func `further environments scroll, and the selected one stays`() {
        var state = sample()
        state.press("E")
        #expect(!state.screen.contains("third.example"))
        state.press("Right", "Right")
        #expect(state.screen.contains("third.example") && state.screen.contains("127.0.0.1:8080"))
    }

    @Test func `the details have the resolved value, the place, what is replaced, and the uses`() {
        var state = sample(Size(width: 120, height: 30))
        state.workspace.variables["host"] = "fallback.example"
        state.press("E")
        select("base", &state)
        #expect(state.screen.contains("http://{{host}}/x → http://127.0.0.1:8080/x"))
        state.press("Esc")
        select("host", &state)
        #expect(state.screen.contains("from environment develop · workspace.yaml:7; replaces workspace (fallback.example)"))
        #expect(state.screen.contains("used 2 times: shop/orders/list.yaml:3, workspace.yaml:9"))
    }

    @Test func `a name that is used and defined nowhere is marked`() {
        var state = sample()
        state.press("E")
        #expect(state.screen.contains("nowhere") && state.screen.contains("not defined"))
    }

    @Test func `secrets are masked, by their source and by their name`() {
        var state = sample()
        state.press("E")
        #expect(state.screen.contains("•••• env SHOP_TOKEN") && !state.screen.contains("literal-pw"))
        state.press("/")
        state.type("literal")
        #expect(state.screen.contains("No variable contains that text."))
    }

    @Test func `comparing shows only the variables with different values, for one environment after the other`() {
        var state = sample()
        state.press("E", "c")
        #expect(state.screen.contains("develop and release") && state.screen.contains("host") && !state.screen.contains("port "))
        #expect(state.screen.contains("password") && !state.screen.contains("shared"))
        state.press("c")
        #expect(state.screen.contains("develop and third") && state.screen.contains("port "))
        state.press("c")
        #expect(state.screen.contains("shared"))
    }

    @Test func `Esc shows all rows before it closes`() {
        var state = sample()
        state.press("E", "/")
        state.type("port")
        state.press("Enter")
        #expect(!state.screen.contains("shared"))
        state.press("Esc")
        #expect(state.screen.contains("shared"))
        state.press("Esc")
        #expect(state.popup == nil)
    }

    @Test func `Enter lists the uses, and Enter there shows the row of the endpoint`() {
        var state = sample()
        state.press("E")
        select("host", &state)
        state.press("Enter")
        #expect(state.screen.contains("Uses of {{host}}") && state.screen.contains("GET List orders"))
        state.press("Enter")
        #expect(state.popup == nil && state.openTarget == "shop/orders/list" && state.focus == .request)
        #expect(state.requestState.tab == .headers && RequestFeature.selectedRow(state)?.name == "X-Host")
    }

    @Test func `a use in workspace yaml is opened in the editor`() {
        var state = sample()
        state.press("E")
        select("host", &state)
        let effects = state.press("Enter", "Down", "Enter")
        #expect(effects.contains { if case .openFile(_, SourceLocation(file: "workspace.yaml", line: 9)) = $0 { true } else { false } })
    }

    @Test func `the mouse selects a cell`() {
        var state = sample()
        state.press("E")
        let screen = state.screen.split(separator: "\n", omittingEmptySubsequences: false)
        let row = screen.firstIndex { $0.contains("port") } ?? 0
        _ = state.update(.input(.mouse(Mouse(kind: .press, button: .left, position: Point(column: 55, row: row)))))
        let popup = state.popup as? VariablesPopup
        #expect(popup?.name == "port" && popup?.column == 1)
    }

    // MARK: Editing

    @Test func `e changes the value where it is defined`() throws {
        var state = sample()
        state.press("E")
        select("host", &state)
        state.press("e")
        #expect(state.screen.contains("Edit host"))
        replace("10.0.0.1", &state)
        let (job, made) = try #require(edit(state.press("Enter")))
        #expect(made == .setVariable(VariableKey("host", .environment("develop")), .text("10.0.0.1"), from: .text("127.0.0.1:8080")))
        #expect(state.showsVariables)
        _ = state.update(.workspaceEdited(job, .failed("host was changed in the meantime")))
        #expect(state.screen.contains("Edit host") && state.screen.contains("10.0.0.1") && state.screen.contains("in the meantime"))
        state.press("Esc")
        #expect(state.showsVariables)
    }

    @Test func `a value of the workspace can be replaced in one environment`() throws {
        var state = sample()
        state.press("E")
        select("shared", &state)
        state.press("Right", "e")
        replace("own", &state)
        // From all environments over the secrets to the first environment, and to the second.
        state.press("Tab", "Space", "Space", "Space", "Space", "Space")
        let (_, made) = try #require(edit(state.press("Enter")))
        #expect(made == .setVariable(VariableKey("shared", .environment("release")), .text("own"), from: nil))
    }

    @Test func `a adds a variable, and what is taken is refused`() throws {
        var state = sample()
        state.press("E", "a")
        state.type("host")
        state.press("Tab")
        state.type("x")
        #expect(edit(state.press("Enter")) == nil && state.screen.contains("develop defines host already"))
        state.press("BackTab", "BackTab")
        replace("$bad", &state)
        #expect(edit(state.press("Enter")) == nil && state.screen.contains("built in"))
        replace("fresh", &state)
        let (_, made) = try #require(edit(state.press("Enter")))
        #expect(made == .setVariable(VariableKey("fresh", .environment("develop")), .text("x"), from: nil))
    }

    @Test func `the value of a secret is not written into a file, and a secret is offered instead`() throws {
        var state = sample()
        state.press("E", "a")
        state.type("api_key")
        state.press("Tab")
        state.type("sk-12345")
        #expect(edit(state.press("Enter")) == nil)
        #expect(state.screen.contains("Files are shared") && state.screen.contains("promptSecret"))
        replace("API_KEY", &state)
        state.press("Tab", "Space", "Space", "Space", "Space")
        let (_, made) = try #require(edit(state.press("Enter")))
        #expect(made == .setVariable(VariableKey("api_key", .secret), .secret(.environment("API_KEY")), from: nil))
    }

    @Test func `a value that is known to be secret is refused under any name, and a template is not`() throws {
        var state = sample()
        _ = state.update(.secretUsed("sesame-123"))
        state.press("E", "a")
        state.type("plain")
        state.press("Tab")
        state.type("x sesame-123")
        #expect(edit(state.press("Enter")) == nil && state.screen.contains("Files are shared"))
        state.press("Esc", "a")
        state.type("password2")
        state.press("BackTab")
        replace("secret_key", &state)
        state.press("Tab")
        state.type("{{token}}")
        let (_, made) = try #require(edit(state.press("Enter")))
        #expect(made == .setVariable(VariableKey("secret_key", .environment("develop")), .text("{{token}}"), from: nil))
    }

    @Test func `d asks where a variable is used or defined more than once`() throws {
        var state = sample()
        state.press("E")
        select("shared", &state)
        let (_, one) = try #require(edit(state.press("d")))
        #expect(one == .deleteVariable("shared", [.workspace]))
        state.press("Esc")
        select("host", &state)
        #expect(edit(state.press("d")) == nil)
        #expect(state.screen.contains("Delete host?") && state.screen.contains("It is used 2 times."))
        let (_, all) = try #require(edit(state.press("Down", "Down", "Enter")))
        #expect(all == .deleteVariable("host", [.environment("develop"), .environment("release"), .environment("third")]))
    }

    @Test func `r renames a variable with its uses`() throws {
        var state = sample()
        state.press("E")
        select("host", &state)
        state.press("r")
        #expect(state.screen.contains("change 2 templates in 2 files"))
        replace("server", &state)
        let (_, made) = try #require(edit(state.press("Enter")))
        #expect(made == .renameVariable("host", to: "server", changesUses: true))
    }

    @Test func `u undoes a change of a variable, and n creates an environment`() throws {
        var state = sample()
        state.press("E")
        let changes = FileChanges([.file("workspace.yaml", before: .init([1]), after: .init([2]))])
        state.items.append(.init(text: "Changed host", changes: changes))
        let (_, made) = try #require(edit(state.press("u")))
        #expect(made == .apply(changes.reverted))
        state.press("n")
        #expect(state.screen.contains("New environment"))
        state.type("test")
        let (_, created) = try #require(edit(state.press("Enter")))
        #expect(created == .createEnvironment("test", from: "develop"))
        #expect(state.showsVariables)
    }

    @Test func `a variable of the command line cannot be edited`() {
        var state = sample()
        state.overrides = ["host": "over.example"]
        state.press("E")
        select("host", &state)
        #expect(state.screen.contains("over.example"))
        state.press("e")
        #expect(state.showsVariables && state.toast?.text.contains("The command line sets") == true)
    }

    // MARK: Unresolved variables

    private func unresolved() -> AppState {
        var state = sample()
        state.open("shop/orders/list")
        state.change { $0.headers = [Parameter("X-A", "{{nope}}")] }
        return state
    }

    @Test func `an unresolved variable is marked in the tree and in the title, with the key that defines it`() {
        let state = unresolved()
        #expect(state.screen.contains("+ defines {{nope}}"))
        let rows = state.screen.split(separator: "\n").map { $0.prefix(30) }
        #expect(rows.contains { $0.contains("List ord") && $0.contains("{}") }, "\(state.screen)")
    }

    @Test func `a row and a line of a body name the unresolved variable and the key`() {
        var state = unresolved()
        state.size = Size(width: 160, height: 40)
        state.press("z", "]")
        #expect(state.screen.contains("nothing defines {{nope}}; + defines it"))
        state.change { $0.body = .json("{\n  \"a\": \"{{hosst}}\"\n}") }
        state.press("]")
        #expect(state.screen.contains("\"{{hosst}}\"  nothing defines {{hosst}}; did you mean {{host}}? + defines it"))
        state.change { $0.path = "/{{zzzzzz}}" }
        #expect(state.screen.contains("nothing defines {{zzzzzz}}; + defines it"))
    }

    @Test func `the key opens the form with the name of the selected row`() throws {
        var state = unresolved()
        state.change { $0.query = [Parameter("q", "{{other}}")] }
        state.press("+")
        #expect(state.screen.contains("New variable") && state.screen.contains("other"))
        state.type("1")
        let (_, made) = try #require(edit(state.press("Enter")))
        #expect(made == .setVariable(VariableKey("other", .environment("develop")), .text("1"), from: nil))
        state.press("]", "+")
        #expect(state.screen.contains("nope"))
    }

    @Test func `without an unresolved variable the key says so`() {
        var state = sample()
        state.open("shop/orders/list")
        state.press("+")
        #expect(state.popup == nil && state.toast?.text == "Every variable of this request is defined")
    }

    @Test func `a dry run that fails names the key`() throws {
        var state = unresolved()
        var job: JobID?
        for (id, _) in state.press("v").started(DryRunJob.self) { job = id }
        let problem = Diagnostic(SourceLocation(file: "shop/orders/list.yaml"), "header “X-A”: nothing defines {{nope}}")
        _ = state.end(DryRunJob.self, try #require(job), .failed(problem))
        #expect(state.screen.contains("{{nope}}; + in Request defines it"))
    }

    @Test func `variables of the command line resolve in the preview`() {
        var state = unresolved()
        state.overrides = ["nope": "1"]
        #expect(!state.screen.contains("+ defines"))
    }

    // MARK: The selection after a change

    /// Performs an edit that changes the workspace, and returns its state.
    private func finish(_ effects: [Effect], _ state: inout AppState, _ change: (inout Workspace) -> Void) throws {
        let (id, _) = try #require(edit(effects))
        var workspace = state.workspace
        change(&workspace)
        let changes = FileChanges([.file("workspace.yaml", before: .init([1]), after: .init([2]))])
        _ = state.update(.workspaceEdited(id, .done(changes, workspace)))
    }

    private func selected(_ state: AppState) -> String? { (state.popup as? VariablesPopup)?.chosen(state)?.row.name }

    @Test func `undoing a renaming selects the variable under its old name`() throws {
        var state = sample()
        state.press("E")
        select("shared", &state)
        state.press("Esc")
        state.press("r")
        replace("among", &state)
        try finish(state.press("Enter"), &state) { $0.variables["among"] = $0.variables.removeValue(forKey: "shared") }
        #expect(selected(state) == "among")
        try finish(state.press("u"), &state) { $0.variables["shared"] = $0.variables.removeValue(forKey: "among") }
        #expect(selected(state) == "shared")
    }

    @Test func `undoing a deletion selects the variable, also after another one was selected`() throws {
        var state = sample()
        state.press("E")
        select("shared", &state)
        state.press("Esc")
        try finish(state.press("d"), &state) { $0.variables["shared"] = nil }
        select("host", &state)
        state.press("Esc")
        try finish(state.press("u"), &state) { $0.variables["shared"] = "all of them" }
        #expect(selected(state) == "shared")
    }

    @Test func `undoing an addition selects the row that takes its place`() throws {
        var state = sample()
        state.press("E")
        select("shared", &state)
        state.press("Esc")
        state.press("a")
        state.type("sharee")
        state.press("Tab")
        state.type("x")
        try finish(state.press("Enter"), &state) { $0.environments[0].variables["sharee"] = "x" }
        #expect(selected(state) == "sharee")
        let popup = try #require(state.popup as? VariablesPopup)
        let index = popup.selectedIndex(popup.rows(state))
        try finish(state.press("u"), &state) { $0.environments[0].variables["sharee"] = nil }
        let left = popup.rows(state).map(\.name)
        #expect(selected(state) == left[min(index, left.count - 1)])
    }

    @Test func `a value with braces that are not closed is not accepted`() {
        var state = sample()
        state.press("E")
        select("shared", &state)
        state.press("Esc")
        state.press("e")
        replace("a {{host", &state)
        #expect(state.press("Enter") == [])
        #expect((state.popup as? Form)?.problem != nil)
    }
}
