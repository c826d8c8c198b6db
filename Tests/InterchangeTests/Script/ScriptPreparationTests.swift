import Foundation
import SortieBase
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the hooks that run scripts before a request, with `node` where this machine has it.
struct ScriptPreparationTests {
    private static let hasNode = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/node")
    }

    /// The import of a collection with a request that runs a script before it.
    private func placed(_ script: String, _ request: JSONValue, variables: [String: String] = [:]) throws -> PlacedImport {
        let item: JSONValue = [
            "name": "r", "request": request,
            "event": .array([["listen": "prerequest", "script": ["exec": .array(script.split(separator: "\n").map { .string(String($0)) })]]]),
        ]
        let schema: JSONValue = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
        let root: JSONValue = [
            "info": ["name": "S", "schema": schema], "item": .array([item]),
            "variable": .array(variables.sorted { $0.key < $1.key }.map { ["key": .string($0.key), "value": .string($0.value)] }),
        ]
        let imported = try PostmanImport.workspace(from: ImportSource(name: "c.json", bytes: Array(root.text.utf8)))
        return PlacedImport(
            imported, into: nil, folder: "/w", sourceFolder: "/s", known: [:], taken: [], keepsCredentials: true, usesHooks: true)
    }

    /// The output of the hook for a request with the values of its variables.
    private func run(_ placed: PlacedImport, url: String, headers: [[String]] = [], body: String? = nil, values: [String: String] = [:]) async throws
        -> JSONValue
    {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/scripts", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder.path + "/s", withIntermediateDirectories: true)
        for (file, text) in placed.addition.scripts { _ = try folder.write(file, text) }
        let hook = try #require(placed.workspace.endpoints.first?.hooks.first)
        var environment: [String: String] = [:]
        for (name, template) in hook.environment {
            environment[name] = values.reduce(template) { $0.replacingOccurrences(of: "{{\($1.key)}}", with: $1.value) }
        }
        var request: [JSONValue.Member] = [
            .init("method", "POST"), .init("url", .string(url)), .init("headers", .array(headers.map { .array($0.map { .string($0) }) })),
        ]
        request.append(.init("body", body.map { .string($0) } ?? .null))
        let call = JSONValue.object([.init("stage", "willSend"), .init("environment", "dev"), .init("request", .object(request))])
        let process = try await ProcessRun.run(
            "/usr/bin/env", hook.command, input: call.text + "\n", environment: environment, directory: folder.path)
        return try JSONValue(parsing: process.output)
    }

    private static let signing = """
        const ts = Date.now().toString();
        const text = pm.request.method + pm.request.url.getPath() + ts + pm.request.body.raw;
        pm.environment.set('ts', ts);
        pm.environment.set('sig', CryptoJS.HmacSHA256(text, pm.environment.get('key')).toString(CryptoJS.enc.Base64));
        pm.request.headers.upsert({key: 'X-Name', value: pm.environment.name});
        """

    @Test(.enabled(if: hasNode)) func `a signature with a time is that of the values in the request`() async throws {
        let placed = try placed(
            Self.signing,
            [
                "method": "POST", "url": "http://h/a?t={{ts}}", "header": .array([["key": "X-Sig", "value": "{{sig}}"]]),
                "body": ["mode": "raw", "raw": "{\"t\": {{ts}}}"],
            ], variables: ["key": "k"])
        let endpoint = try #require(placed.workspace.endpoints.first)
        #expect(endpoint.hooks.map(\.stage) == [.willSend] && endpoint.hooks[0].environment == ["SORTIE_VALUE_0": "{{key}}"])
        #expect(endpoint.hooks[0].command == ["node", "-r", "./scripts/prepare.js", "./s/r.before.js"])
        let (sig, ts) = (try #require(endpoint.variables["sig"]), try #require(endpoint.variables["ts"]))
        let output = try await run(
            placed, url: "http://h/a?t=\(ts)", headers: [["X-Sig", sig], ["A", "b"]], body: "{\"t\": \(ts)}", values: ["key": "k"])
        let url = try #require(output["url"]?.plainText)
        let time = String(url.dropFirst("http://h/a?t=".count))
        #expect(Int(time).map { $0 > 1_700_000_000_000 } == true && output["body"]?.plainText == "{\"t\": \(time)}", "\(output.text)")
        let code = HashFunction.sha256.authenticationCode(of: Array("POST/a\(time){\"t\": {{ts}}}".utf8), key: Array("k".utf8))
        #expect(output["headers"]?["X-Sig"] == .array([.string(Base64.text(code))]) && output["headers"]?["X-Name"] == .array(["dev"]))
        #expect(output["headers"]?["A"] == nil, "\(output.text)")
    }

    @Test(
        .enabled(if: hasNode),
        arguments: [
            ("if (false) pm.environment.set('sig', 'x')", "the script did not set sig"),
            ("pm.environment.set('sig', CryptoJS.AES.encrypt('a', 'b').toString())", "encrypt"),
            ("const name = 'other'; pm.environment.set('sig', [pm.environment.get(name)].join())", "the script reads other, which env: of the hook"),
        ])
    func `a script that fails is an error of the call`(_ script: String, _ words: String) async throws {
        let placed = try placed(script, ["method": "GET", "url": "http://h/{{sig}}"])
        let marker = try #require(placed.workspace.endpoints.first?.variables["sig"])
        let output = try await run(placed, url: "http://h/\(marker)")
        #expect(output["error"]?.plainText.contains(words) == true, "\(output.text)")
    }

    @Test(arguments: [
        "pm.sendRequest('http://h', () => { pm.environment.set('sig', 'x'); });", "setTimeout(() => pm.environment.set('sig', later()), 1);",
        "pm.environment.set('other', later());",
    ])
    func `a script that needs more than a hook has, or makes no part of the request, stays a comment`(_ script: String) throws {
        let placed = try placed(script, ["method": "GET", "url": "http://h/{{sig}}"])
        #expect(placed.workspace.endpoints.allSatisfy { $0.hooks.isEmpty && $0.variables["sig"] == nil } && placed.addition.scripts.isEmpty)
    }

    private static let collectionWide = """
        {"info": {"name": "S", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}, "auth": AUTH,
         "event": [{"listen": "prerequest", "script": {"exec": ["pm.environment.set('sig', [Date.now()].join());"]}}],
         "item": [{"name": "a", "request": {"method": "GET", "url": "http://h/a"}}]}
        """

    private func placed(auth: String) throws -> PlacedImport {
        let text = Self.collectionWide.replacingOccurrences(of: "AUTH", with: auth)
        let imported = try PostmanImport.workspace(from: ImportSource(name: "c.json", bytes: Array(text.utf8)))
        return PlacedImport(imported, into: nil, folder: "/w", sourceFolder: "/s", known: [:], taken: [], keepsCredentials: true, usesHooks: true)
    }

    @Test(arguments: [
        #"{"type": "apikey", "apikey": [{"key": "key", "value": "X-Sig"}, {"key": "value", "value": "{{sig}}"}]}"#,
        #"{"type": "bearer", "bearer": [{"key": "token", "value": "{{sig}}"}]}"#,
    ])
    func `a value in the credentials of the service is one of the request`(_ auth: String) throws {
        let placed = try placed(auth: auth)
        let endpoint = try #require(placed.workspace.endpoints.first)
        #expect(endpoint.auth == .inherit && endpoint.hooks.count == 1 && endpoint.variables["sig"] != nil)
    }

    @Test func `a script for credentials that are encoded or signed stays a comment`() throws {
        let basic = #"{"type": "basic", "basic": [{"key": "username", "value": "u"}, {"key": "password", "value": "{{sig}}"}]}"#
        let endpoint = try #require(try placed(auth: basic).workspace.endpoints.first)
        #expect(endpoint.hooks.isEmpty && endpoint.variables["sig"] == nil)
    }

    @Test func `values that nothing defines are asked for`() throws {
        let placed = try placed(Self.signing, ["method": "GET", "url": "http://h/{{sig}}"])
        #expect(placed.workspace.endpoints[0].hooks[0].environment == ["SORTIE_VALUE_0": "{{$prompt key}}"])
    }
}
