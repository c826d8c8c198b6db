import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@Suite struct VariableTableTests {
    private var workspace: Workspace {
        var workspace = Workspace(name: "W", folder: "/w")
        workspace.environments = [.init(name: "dev", variables: ["host": "a", "onlyDev": "1"]), .init(name: "live", variables: ["host": "b"])]
        workspace.variables = ["host": "c", "shared": "s"]
        workspace.publicParameters = [Parameter("lang", "en")]
        workspace.secrets = ["token": .command("pass show t")]
        var endpoint = Endpoint(target: "shop/a", name: "A", path: "/")
        endpoint.variables = ["host": "own"]
        var shop = Service(folder: "shop", name: "Shop")
        shop.endpoints = [endpoint]
        workspace.services = [shop]
        workspace.variablePlaces = [VariableKey("host", .environment("dev")): SourceLocation(file: "workspace.yaml", line: 4)]
        workspace.variableUses = ["host": [SourceLocation(file: "shop/a.yaml", line: 2)], "missing": [SourceLocation(file: "shop/a.yaml", line: 3)]]
        return workspace
    }

    private func row(_ name: String, _ table: VariableTable) throws -> VariableTable.Row {
        try #require(table.rows.first { $0.name == name })
    }

    @Test func `rows are all defined and all used names, in alphabetical order`() {
        #expect(VariableTable(workspace).rows.map(\.name) == ["host", "lang", "missing", "onlyDev", "shared", "token"])
    }

    @Test func `a definition of the environment precedes that of the workspace, and an endpoint's is separate`() throws {
        let host = try row("host", VariableTable(workspace))
        #expect(host.definitions(in: "dev").map(\.text) == ["a", "c"] && host.definition(in: "live")?.text == "b")
        #expect(host.definition(in: "dev")?.place == "environment dev · workspace.yaml:4")
        #expect(host.ofEndpoints.map(\.text) == ["own"] && host.uses.map(\.file) == ["shop/a.yaml"])
        let onlyDev = try row("onlyDev", VariableTable(workspace))
        #expect(onlyDev.definition(in: "live") == nil)
        #expect(try row("token", VariableTable(workspace)).definition(in: "dev")?.secret == .command("pass show t"))
        #expect(try row("missing", VariableTable(workspace)).definitions.isEmpty)
    }

    @Test func `the command line precedes the files, whose values stay visible`() throws {
        var workspace = workspace
        // As the workbench reads a workspace with --var.
        workspace.replacedValues = [VariableKey("host", .environment("dev")): "a", VariableKey("host", .workspace): "c"]
        for index in workspace.environments.indices { workspace.environments[index].variables["host"] = "z" }
        workspace.variables["host"] = "z"
        let host = try row("host", VariableTable(workspace, overrides: ["host": "z"]))
        #expect(host.definitions(in: "dev").map(\.text) == ["z", "a", "c"] && host.definition(in: "dev")?.layer == .option)
        #expect(host.definitions(in: "live").map(\.text) == ["z", "c"])
    }

    @Test func `names that runs supply are not reported as missing`() {
        var workspace = workspace
        workspace.variableUses["login.token"] = [SourceLocation(file: "shop/a.yaml")]
        workspace.variableUses["row"] = [SourceLocation(file: "shop/a.yaml")]
        var run = RunDefinition(
            name: "r", kind: .chain,
            steps: [.init(target: "shop/a", name: "login", captures: [Capture(name: "token", path: "status")])])
        run.dataColumns = ["row"]
        workspace.runs = [run]
        #expect(!VariableTable(workspace).rows.contains { $0.name == "login.token" || $0.name == "row" })
    }

    @Test(arguments: ["", " a", "a ", "$a", "a|b", "a}}b", "a{{b", "a\nb"])
    func `a name that templates cannot use is refused`(name: String) { #expect(VariableKey.nameProblem(name) != nil) }

    @Test(arguments: ["host", "Host-2", "with space", "größe", "a.b"])
    func `other names are usable`(name: String) { #expect(VariableKey.nameProblem(name) == nil) }
}
