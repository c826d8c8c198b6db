import Foundation
import SortieBase
import SortieStorage
import Testing
import WorkspaceModel

/// Tests that variables are changed in the files as a person would.
@Suite struct VariableChangeTests {
    private static let settings = """
        name: Test
        environments:
          # on this machine
          develop:
            variables:
              host: "127.0.0.1:8080"   # the server
              quoted: 'it''s'
          release: {variables: {host: shop.example}}
          empty:
        variables: {shared: one, base: "http://{{host}}"}
        secrets:
          token: {env: TOKEN, hosts: shop.example}   # of the shop

        """

    private func sample() throws -> TemporaryWorkspace {
        try TemporaryWorkspace([
            "workspace.yaml": Self.settings,
            "shop/service.yaml": "name: Shop\nservers:\n  develop: [\"http://{{host}}\"]   # plain\n",
            "shop/list.yaml": "name: List\npath: /orders\nheaders: {X-Host: \"{{ host }}\", Y: \"{{host|raw}} {{hostname}}\"}   # {{host}}\n",
            "shop/own.yaml": "name: Own\npath: /{{host}}\nvariables: {host: mine}\n",
            "runs/all.yaml": "chain:\n  - {send: shop/list, with: {host: \"{{shared}}\"}}\n",
        ])
    }

    @discardableResult
    private func perform(_ edit: WorkspaceEdit, in workspace: TemporaryWorkspace) throws -> FileChanges {
        try withExtendedLifetime(workspace) { try WorkspaceFolder(path: workspace.path).perform(edit) }
    }

    private func set(_ name: String, _ layer: VariableLayer, _ value: String, from old: String?) -> WorkspaceEdit {
        .setVariable(VariableKey(name, layer), .text(value), from: old.map { .text($0) })
    }

    // MARK: Setting

    @Test func `a changed value leaves every other byte`() throws {
        let workspace = try sample()
        try perform(set("host", .environment("develop"), "10.0.0.1:80", from: "127.0.0.1:8080"), in: workspace)
        #expect(try workspace.read("workspace.yaml") == Self.settings.replacing("127.0.0.1:8080", with: "10.0.0.1:80"))
        try perform(set("host", .environment("release"), "b.example", from: "shop.example"), in: workspace)
        let both = Self.settings.replacing("127.0.0.1:8080", with: "10.0.0.1:80").replacing("{host: shop.example}}", with: "{host: b.example}}")
        #expect(try workspace.read("workspace.yaml") == both)
    }

    @Test func `a new variable is the last one of its list`() throws {
        let workspace = try sample()
        let changes = try perform(set("port", .environment("develop"), "8080", from: nil), in: workspace)
        #expect(try workspace.read("workspace.yaml") == Self.settings.replacing("'it''s'\n", with: "'it''s'\n      port: 8080\n"))
        try perform(.apply(changes.reverted), in: workspace)
        #expect(try workspace.read("workspace.yaml") == Self.settings)
        try perform(set("more", .workspace, "two", from: nil), in: workspace)
        #expect(try workspace.read("workspace.yaml").contains("variables: {shared: one, base: \"http://{{host}}\", more: two}\n"))
    }

    @Test func `lists that do not exist yet are created`() throws {
        let workspace = try sample()
        try perform(set("a", .environment("empty"), "1", from: nil), in: workspace)
        #expect(try workspace.load().environments.last?.variables == ["a": "1"])
        let bare = try TemporaryWorkspace(["workspace.yaml": "name: T   # mine\n"])
        try perform(set("a", .workspace, "1", from: nil), in: bare)
        try perform(.setVariable(VariableKey("t", .secret), .secret(.command("pass show t")), from: nil), in: bare)
        #expect(try bare.read("workspace.yaml") == "name: T   # mine\nvariables: {a: 1}\nsecrets: {t: {command: pass show t}}\n")
        try perform(.createEnvironment("dev", from: nil), in: bare)
        try perform(set("b", .environment("dev"), "2", from: nil), in: bare)
        #expect(try bare.load().environments.first?.variables == ["b": "2"] && bare.load().problems == [])
    }

    static let values = [
        "", " ", "a: b", "# no comment", "it's", "\"quoted\"", "yes", "null", "~", "007", "1.0", "{{host}}", "{a}", "[1, 2]", "- a", "a\\nb", "ä€😀",
        "&a", "*a", "!a", "%", "@", "`", "a #b", "a,b", "key=value; other", "   spaces   ", "?", ":", "a:", "|", ">", "---", "\u{7f}", "a\tb",
    ]

    @Test(arguments: values, [VariableLayer.environment("develop"), .environment("release"), .workspace])
    func `every value is read back as it was typed`(value: String, layer: VariableLayer) throws {
        let workspace = try sample()
        let old = layer == .workspace ? "one" : layer == .environment("release") ? "shop.example" : "it's"
        let name = layer == .workspace ? "shared" : layer == .environment("release") ? "host" : "quoted"
        try perform(set(name, layer, value, from: old), in: workspace)
        try perform(set("fresh", layer, value, from: nil), in: workspace)
        let loaded = try workspace.load()
        let variables: [String: String]
        if case .environment(let name) = layer {
            variables = loaded.environments.first { $0.name == name }?.variables ?? [:]
        } else {
            variables = loaded.variables
        }
        #expect(variables[name] == value && variables["fresh"] == value)
        #expect(try workspace.read("workspace.yaml").contains("# the server") && workspace.read("workspace.yaml").contains("# of the shop"))
    }

    @Test func `the source of a secret changes without its hosts`() throws {
        let workspace = try sample()
        let key = VariableKey("token", .secret)
        try perform(.setVariable(key, .secret(.environment("OTHER")), from: .secret(.environment("TOKEN"))), in: workspace)
        #expect(try workspace.read("workspace.yaml") == Self.settings.replacing("env: TOKEN", with: "env: OTHER"))
        try perform(.setVariable(key, .secret(.command("pass show x")), from: .secret(.environment("OTHER"))), in: workspace)
        #expect(try workspace.read("workspace.yaml") == Self.settings.replacing("env: TOKEN", with: "command: pass show x"))
        #expect(try workspace.load().secretHosts["token"]?.count == 1)
    }

    @Test func `a definition that another program changed is not replaced`() throws {
        let workspace = try sample()
        for edit in [
            set("host", .environment("develop"), "x", from: "what was shown"), set("host", .environment("develop"), "x", from: nil),
            set("gone", .environment("develop"), "x", from: "1"), set("host", .environment("gone"), "x", from: nil),
            .deleteVariable("gone", [.workspace]),
        ] {
            #expect { try perform(edit, in: workspace) } throws: { ($0 as? WorkspaceError)?.code == .changedOnDisk }
        }
        #expect(try workspace.read("workspace.yaml") == Self.settings)
    }

    // MARK: Deleting

    @Test func `a deleted variable takes only its line, and undo restores it`() throws {
        let workspace = try sample()
        let changes = try perform(.deleteVariable("host", [.environment("develop"), .environment("release")]), in: workspace)
        let expected = Self.settings.replacing("      host: \"127.0.0.1:8080\"   # the server\n", with: "")
            .replacing("release: {variables: {host: shop.example}}", with: "release: {variables: {}}")
        #expect(try workspace.read("workspace.yaml") == expected)
        try perform(.apply(changes.reverted), in: workspace)
        #expect(try workspace.read("workspace.yaml") == Self.settings)
    }

    @Test func `the last member takes its list with it, and an endpoint's own variable can be deleted`() throws {
        let workspace = try sample()
        try perform(.deleteVariable("token", [.secret]), in: workspace)
        #expect(try workspace.load().secrets.isEmpty && !workspace.read("workspace.yaml").contains("secrets"))
        try perform(.deleteVariable("host", [.endpoint("shop/own")]), in: workspace)
        #expect(try workspace.read("shop/own.yaml") == "name: Own\npath: /{{host}}\n")
    }

    // MARK: Renaming

    @Test func `a new name applies to all definitions and uses, except those of an endpoint with an own one`() throws {
        let workspace = try sample()
        let own = try workspace.read("shop/own.yaml")
        let changes = try perform(.renameVariable("host", to: "server", changesUses: true), in: workspace)
        let settings = try workspace.read("workspace.yaml")
        #expect(settings.contains("      server: \"127.0.0.1:8080\"   # the server\n"))
        #expect(settings.contains("release: {variables: {server: shop.example}}") && settings.contains("base: \"http://{{server}}\""))
        #expect(try workspace.read("shop/service.yaml") == "name: Shop\nservers:\n  develop: [\"http://{{server}}\"]   # plain\n")
        #expect(
            try workspace.read("shop/list.yaml")
                == "name: List\npath: /orders\nheaders: {X-Host: \"{{ server }}\", Y: \"{{server|raw}} {{hostname}}\"}   # {{server}}\n")
        #expect(try workspace.read("runs/all.yaml") == "chain:\n  - {send: shop/list, with: {server: \"{{shared}}\"}}\n")
        #expect(try workspace.read("shop/own.yaml") == own)
        try perform(.apply(changes.reverted), in: workspace)
        #expect(try workspace.read("workspace.yaml") == Self.settings)
    }

    @Test func `the names in the conditions of steps follow`() throws {
        let workspace = try sample()
        let chain = "chain:\n  - send: shop/list\n    if: {host: exists}\n    while: {host: missing}\n"
        try workspace.write(chain, to: "runs/all.yaml")
        try perform(.renameVariable("host", to: "server", changesUses: true), in: workspace)
        #expect(try workspace.read("runs/all.yaml") == chain.replacing("host", with: "server"))
    }

    @Test func `the names in the steps of a parallel group follow`() throws {
        let workspace = try sample()
        let chain =
            "chain:\n  - parallel:\n      - send: shop/list\n        with: {host: a}\n      - {send: shop/own, as: own, if: {host: exists}}\n"
        try workspace.write(chain, to: "runs/all.yaml")
        try perform(.renameVariable("host", to: "server", changesUses: true), in: workspace)
        #expect(try workspace.read("runs/all.yaml") == chain.replacing("host", with: "server"))
    }

    @Test func `uses stay where the user wants that, and a taken name is refused`() throws {
        let workspace = try sample()
        try perform(.renameVariable("shared", to: "common", changesUses: false), in: workspace)
        #expect(try workspace.read("workspace.yaml") == Self.settings.replacing("{shared: one", with: "{common: one"))
        #expect(try workspace.read("runs/all.yaml").contains("{{shared}}"))
        for taken in ["token", "base", "host"] {
            #expect { try perform(.renameVariable("common", to: taken, changesUses: true), in: workspace) } throws: {
                ($0 as? WorkspaceError)?.code == .exists
            }
        }
        #expect { try perform(.renameVariable("common", to: "$x", changesUses: true), in: workspace) } throws: {
            ($0 as? WorkspaceError)?.code == .badTarget
        }
    }

    @Test func `a template that YAML escapes is not renamed in part`() throws {
        let workspace = try sample()
        try workspace.write("name: E\npath: \"/{{h\\u006fst}}/{{host}}\"\n", to: "shop/escaped.yaml")
        let before = try workspace.read("workspace.yaml")
        #expect { try perform(.renameVariable("host", to: "server", changesUses: true), in: workspace) } throws: {
            ($0 as? WorkspaceError)?.code == .cannotExpress
        }
        #expect(try workspace.read("workspace.yaml") == before)
    }

    // MARK: Places

    @Test func `the places of definitions and uses are those in the files`() throws {
        let loaded = try sample().load()
        #expect(loaded.variablePlaces[VariableKey("host", .environment("develop"))] == SourceLocation(file: "workspace.yaml", line: 6, column: 7))
        #expect(loaded.variablePlaces[VariableKey("host", .endpoint("shop/own"))]?.file == "shop/own.yaml")
        #expect(loaded.variablePlaces[VariableKey("token", .secret)]?.line == 12)
        let uses = loaded.variableUses["host"]?.map { "\($0.file):\($0.line)" }.sorted()
        #expect(uses == ["shop/list.yaml:3", "shop/list.yaml:3", "shop/own.yaml:2", "shop/service.yaml:3", "workspace.yaml:10"])
    }

    @Test func `a secret prompt with a default is reported`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: \"http://a.example/{{$promptSecret PIN = 1}}/{{$prompt A = 1}}\"\n"])
        let problems = try workspace.load().problems
        #expect(problems.map(\.message) == ["a secret has no default in a file that others read; write {{$promptSecret LABEL}}"])
    }
}
