import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

/// Tests `plugins:` of workspaces, services and endpoints.
@Suite struct PluginReadingTests {
    private func load(plugins: String) throws -> Workspace {
        try TemporaryWorkspace([
            "workspace.yaml": "name: W\nenvironments: {dev: {variables: {secret: s, key: k, token: t}}}\n",
            "api/service.yaml": "name: Api\nservers: {dev: [\"http://127.0.0.1\"]}\nplugins: \(plugins)\n",
            "api/login.yaml": "path: /login\n",
        ]).load()
    }

    @Test func `names and options are read in order`() throws {
        let workspace = try load(
            plugins: """
                [token: {refresh: {endpoint: api/login, token: $.token, expires: $.ttl}}, sign: {scheme: hmac-sha256, parameter: s}, errorFilter,
                 signals: {toast: false}, debugLog, encrypt: {aes-gcm: {key: "{{key}}", parameter: data, files: plain}}]
                """)
        #expect(workspace.problems == [])
        let token = PluginSetting.Token(
            value: nil, refresh: .init(target: "api/login", token: try JSONPath("$.token"), expires: try JSONPath("$.ttl")))
        #expect(
            workspace.service("api")?.plugins.map(\.kind) == [
                .token(token), .sign(.init(scheme: .hmac, parameter: "s")), .errorFilter(.standard), .signals(.init(toast: false)), .debugLog(),
                .encrypt(.init(key: "{{key}}", parameter: "data", files: .plain)),
            ])
    }

    @Test func `S0.28 debugLog is a switch: a service turns off that of the workspace`() throws {
        var workspace = try load(plugins: "[debugLog: false]")
        #expect(workspace.problems == [])
        #expect(workspace.service("api")?.plugins.map(\.kind) == [.debugLog(isOn: false)])
        workspace.plugins = [PluginSetting(.debugLog(), location: SourceLocation(file: "workspace.yaml"))]
        let service = try #require(workspace.service("api"))
        #expect(workspace.plugins(of: service).map(\.kind) == [.debugLog(isOn: false)])
        for text in ["[debugLog: true]", "[debugLog]"] {
            #expect(try load(plugins: text).service("api")?.plugins.map(\.kind) == [.debugLog()], "\(text)")
        }
    }

    @Test func `S0.39 debugLog has further lines, which are read, checked and written`() throws {
        let workspace = try load(plugins: "[debugLog: {lines: {Order: \"{{key}}\", Shop: a}}]")
        #expect(workspace.problems == [])
        let lines = [Parameter("Order", "{{key}}"), Parameter("Shop", "a")]
        #expect(workspace.service("api")?.plugins.map(\.kind) == [.debugLog(lines: lines)])
        let problems = try load(plugins: "[debugLog: {lines: {Order: \"{{nothing}}\"}}]").problems.map(\.description)
        #expect(problems.count == 1 && problems.first?.contains("nothing here defines {{nothing}}") == true, "\(problems)")

        let folder = try TemporaryWorkspace(["shop/a.yaml": "path: /\n"])
        let endpoint = try #require(try folder.load().endpoint("shop/a"))
        var changed = endpoint
        changed.pluginUse = .adding([.debugLog(lines: [Parameter("Shop", "a")])])
        try folder.save(changed, replacing: endpoint)
        #expect(try folder.load().endpoint("shop/a")?.pluginUse == changed.pluginUse)
    }

    private func endpoint(plugins: String) throws -> Workspace {
        try TemporaryWorkspace([
            "workspace.yaml": "name: W\nplugins: [debugLog]\nenvironments: {dev: {variables: {secret: s, key: k, token: t}}}\n",
            "api/service.yaml": "name: Api\nservers: {dev: [\"http://127.0.0.1\"]}\nplugins: [token, sign]\n",
            "api/login.yaml": "path: /login\nplugins: \(plugins)\n",
        ]).load()
    }

    @Test(arguments: [
        ("none", "none", ["debugLog", "token", "sign"]), ("[signals]", "signals", ["debugLog", "token", "sign", "signals"]),
        ("[sign: {scheme: hmac-sha256}]", "sign", ["debugLog", "token", "sign"]), ("{only: [sign]}", "only sign", ["sign"]),
        ("{only: []}", "only", []),
    ])
    func `S1.42 plugins of an endpoint are added, take the place of those with the same name, or are the only ones`(
        text: String, use: String, names: [String]
    ) throws {
        let workspace = try endpoint(plugins: text)
        #expect(workspace.problems == [])
        let endpoint = try #require(workspace.endpoint("api/login"))
        #expect(endpoint.pluginUse?.text == use)
        let plugins = workspace.plugins(of: endpoint, in: try #require(workspace.service("api")))
        #expect(plugins.map(\.name) == names)
        if text.contains("hmac") { #expect(plugins.last?.kind == .sign(.init(scheme: .hmac))) }
    }

    @Test(arguments: [
        ("[sing]", "api/login.yaml:2:11: there is no plugin “sing”; did you mean “sign”?"),
        ("{only: [sing]}", "api/login.yaml:2:18: there is no plugin “sing”; did you mean “sign”?"),
        ("{only: [sign], also: [token]}", "api/login.yaml:2:25: unknown key “also” in plugins"),
        ("[sign: {secret: \"{{sceret}}\"}]", "api/login.yaml:2:26: nothing here defines {{sceret}}; did you mean {{secret}}?"),
        ("nothing", "api/login.yaml:2:10: there is no plugin “nothing”; write one of token, sign, errorFilter, signals, debugLog, encrypt"),
    ])
    func `S1.42 an invalid list of an endpoint names its place`(text: String, problem: String) throws {
        let problems = try endpoint(plugins: text).problems.map(\.description)
        #expect(problems.contains { $0.hasPrefix(problem) }, "\(problems)")
    }

    @Test func `S1.28 an error filter can distinguish kinds of failures`() throws {
        let kinds = try load(plugins: "[errorFilter: {distinguish: true}]").service("api")?.plugins.map(\.kind)
        #expect(kinds == [.errorFilter(.init(envelope: .resultCode, distinguishes: true))])
    }

    @Test(arguments: [("[errorFilter]", nil), ("[errorFilter]\ntexts: en", "en"), ("[errorFilter]\ntexts: zh-Hans", "zh-Hans")])
    func `S0.17 a service chooses the language of messages`(text: String, language: String?) throws {
        let workspace = try load(plugins: text)
        #expect(workspace.problems == [] && workspace.service("api")?.texts?.language == language)
    }

    @Test(arguments: [
        ("[errorFilter]\ntexts: klingon", "api/service.yaml:4:8: texts must be one of en, zh-Hans, not “klingon”"),
        ("[debugLog: {level: 3}]", "api/service.yaml:3:22: unknown key “level” in debugLog"),
        ("[sing]", "api/service.yaml:3:11: there is no plugin “sing”; did you mean “sign”?"),
        ("[sign: {schema: legacy}]", "api/service.yaml:3:18: unknown key “schema”; did you mean “scheme”?"),
        ("[sign: {scheme: hmac}]", "api/service.yaml:3:26: scheme must be one of legacy, hmac-sha256, not “hmac”; did you mean “hmac-sha256”?"),
        ("[encrypt]", "api/service.yaml:3:11: encrypt has no cipher; write encrypt: {aes-gcm: {key: \"{{key}}\"}}"),
        ("[errorFilter, errorFilter]", "api/service.yaml:3:24: the plugin errorFilter is in the list twice; keep one"),
        ("[sign, token]", "api/service.yaml:3:17: token comes after sign, which therefore does not sign it; put it before"),
        (
            "[token: {refresh: {endpoint: api/logon, token: $.token}}]",
            "api/service.yaml:3:39: there is no endpoint “api/logon”; did you mean “api/login”?"
        ),
        ("[sign: {secret: \"{{sceret}}\"}]", "api/service.yaml:3:26: nothing here defines {{sceret}}; did you mean {{secret}}?"),
    ])
    func `problems are reported with location and remedy`(plugins: String, problem: String) throws {
        #expect(try load(plugins: plugins).problems.map(\.description) == [problem])
    }
}
