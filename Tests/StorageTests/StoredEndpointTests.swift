import Foundation
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Endpoints in state files: every value comes back exactly, and a value that cannot be read does not affect the others.
@Suite struct StoredEndpointTests {
    private func stored(_ endpoint: Endpoint) -> (endpoint: Endpoint?, problems: [String], text: String) {
        let stored = StoredEndpoint(endpoint)
        var problems: [String] = []
        return (stored.endpoint(&problems), problems, stored.text)
    }

    /// Every plugin, each with an option that is not the default.
    private static let plugins: [PluginSetting.Kind] = [
        .token(.init(value: nil, refresh: .init(target: "shop/login", token: JSONPath(steps: [.init(.name("a b"))])))),
        .sign(.init(scheme: .hmac, secret: "", parameter: "s", timestampHeader: "X-Time")),
        .errorFilter(
            .init(
                envelope: Envelope(
                    codePath: JSONPath(steps: [.init(.name("code"))]), success: [.string("0")], messagePath: JSONPath(steps: [.init(.name("m"))]),
                    resultPath: Envelope.resultCode.resultPath, messages: ["1": "one"]), distinguishes: true)),
        .signals(.init(loading: false, toast: false)), .debugLog(isOn: false), .encrypt(.init(key: "{{key}}", parameter: "data")),
    ]

    @Test(
        arguments: [
            Endpoint.PluginUse.none, .adding([]), .only([]), .adding(plugins),
            .adding([
                .token(.init()), .sign(.init()), .errorFilter(.standard), .signals(.init()), .debugLog(), .encrypt(.init(key: "", parameter: nil)),
            ]),
            .only([.token(.init(value: "{{token}}", refresh: .init(target: "a/b", token: JSONPath(steps: [.init(.name("t"))]))))]),
        ])
    func `S1.42 every list of plugins comes back`(use: Endpoint.PluginUse) {
        var endpoint = Endpoint(target: "shop/list", name: "list", path: "/list")
        endpoint.pluginUse = use
        let (found, problems, text) = stored(endpoint)
        #expect(found == endpoint && problems.isEmpty, "\(problems) \(text)")
    }

    @Test func `a row comes back with the spelling that it has in the URL`() {
        var endpoint = Endpoint(target: "shop/list", name: "list", path: "/list")
        endpoint.setURL("/list?t=12:30+02:00&sig=AbC%2f%2B==&a/b&page=1")
        #expect(endpoint.query.map(\.spelling) == ["t=12:30+02:00", "sig=AbC%2f%2B==", "a/b", nil])
        let (found, problems, text) = stored(endpoint)
        #expect(found == endpoint && problems.isEmpty, "\(problems) \(text)")
    }

    /// A change of each property, by its name.
    private static let changes: [String: @Sendable (inout Endpoint) -> Void] = [
        "target": { $0.target = "shop/other/deep" }, "name": { $0.name = "" }, "summary": { $0.summary = "" },
        "method": { $0.method = HTTPMethod("PURGE") ?? .post }, "path": { $0.path = "" },
        "query": { $0.query = [Parameter("a", ""), Parameter("a", "null"), Parameter("", "~", isEnabled: false, summary: "")] },
        "headers": { $0.headers = [Parameter("A\n", "1\r\n"), Parameter("B", "x")] },
        "removedHeaders": {
            $0.removedHeaders = ["A", "B"]
            $0.headers = [Parameter("A", "1")]
        },
        "extends": { $0.extends = "no/such endpoint" }, "auth": { $0.auth = .digest(user: "", password: "") },
        "body": { $0.body = .file(path: "~/relative/../x", contentType: "") },
        "bodyFileEdit": { $0.bodyFileEdit = BodyFileEdit(path: "/x", original: "", text: "\u{feff}a\r\n{{b}}\u{0}") },
        "variables": { $0.variables = ["": "1", "true": "yes", String(repeating: "long", count: 500): "\u{0}"] }, "kind": { $0.kind = .download },
        "download": { $0.download = DownloadSettings() },
        "requiresTLS": { $0.requiresTLS = false }, "inherits": { $0.inherits = false },
        "timeouts": { $0.timeouts = Timeouts(connect: .seconds(10), idle: .seconds(30), total: nil) },
        "priority": { $0.priority = .low }, "traffic": { $0.traffic = .background }, "serviceType": { $0.serviceType = .video },
        "uploadRate": { $0.uploadRate = 1 },
        "cache": { $0.cache = CacheSetting(lifetime: .zero) },
        "retry": { $0.retry = RetryPolicy(limit: 0) }, "version": { $0.version = .http1 }, "redirects": { $0.redirects = 100 },
        "compression": { $0.compression = true }, "cookies": { $0.cookies = true }, "interface": { $0.interface = "no such interface!" },
        "ignoresContract": { $0.ignoresContract = true },
        "excludedNetworks": { $0.excludedNetworks = [.metered, .interface("no such interface!"), .cellular] },
        "paging": { $0.paging = Paging() },
        "expectation": {
            $0.expectation = Expectation(
                json: [Parameter("$.a", "< 5"), Parameter("$.a", "> 1"), Parameter("$[", "= {")], accepted: [], contentTypes: [], shape: "[]",
                messages: ["1": "a"])
            $0.expectation?.format = .plist
            $0.expectation?.body = [Parameter("body", "matches a"), Parameter("body", "matches b")]
        },
        "examples": {
            var example = EndpointExample("a b", response: .init(statuses: 400...499, headers: [Parameter("A\n", "1")], body: .json(" {\n")))
            (example.times, example.delay) = (3, .milliseconds(20))
            example.request.path = [Parameter("id", "{{x}}")]
            example.request.query = [Parameter("a", ""), Parameter("a", "1", isEnabled: false)]
            example.request.body = .form([Parameter("=", "&")])
            $0.examples = [example, EndpointExample("a b"), EndpointExample("", response: .init(body: .file(path: "x/../y", contentType: nil)))]
        },
        "captures": { $0.captures = [Capture(name: "id", path: "$["), Capture(name: "id", path: ""), Capture(name: "", path: "header A")] },
        "parameters": {
            $0.parameters = ParameterStyle(booleans: .oneZero, nulls: .omit)
            $0.parameters?.nested = .json
            $0.parameters?.dates = .secondsSince1970
            $0.parameters?.order = .sorted
            $0.parameters?.place = .byMethod
            $0.parameters?.rules = [
                ParameterRule("a", isRequired: true, type: .date, atLeast: -0.5, atMost: 2, shortest: 3, longest: 2, pattern: "", choices: []),
                ParameterRule("b"),
            ]
            $0.query = [Parameter("a", "true"), Parameter("b", "null"), Parameter("c", "", summary: "a name only")]
            $0.query[2].isNameOnly = true
        },
        "unreadableSections": { $0.unreadableSections = [.expect: "status: [\n\n", .cache: "", .variables: "a: \u{0}\n  b: *c"] },
        "messages": { $0.messages = [Parameter("hi", "{"), Parameter("hi", ""), Parameter("", "x")] },
        "reform": { $0.reform = [Parameter("id", "$["), Parameter("id", ""), Parameter("", "$.a")] },
        "hooks": { $0.hooks = [HookSetting(.didReceive, command: ["a b", "", "\u{1}"], environment: ["A": ""], timeout: .nanoseconds(1))] },
        "grpc": { $0.grpc = GRPCSetting(method: "no method", proto: "") },
        "pluginUse": { $0.pluginUse = .only(Self.plugins) }, "tags": { $0.tags = ["money", "with, comma"] },
        "location": { $0.location = SourceLocation(file: "shop/x.yml", line: 7, column: 3) },
    ]

    @Test func `every property comes back, also one that a workspace file refuses`() {
        let base = Endpoint(target: "shop/list", name: "list", path: "/list")
        #expect(Set(Mirror(reflecting: base).children.compactMap(\.label)) == Set(Self.changes.keys).union(["promptValues"]))
        for (property, change) in Self.changes {
            var changed = base
            change(&changed)
            #expect(changed != base, "\(property)")
            let (found, problems, text) = stored(changed)
            #expect(found == changed && problems.isEmpty, "\(property): \(problems) \(text)")
        }
    }

    @Test(arguments: [
        WorkspaceModel.Expectation(accepted: [200...204], contentTypes: ["a/b"], shape: "{\"a\": \"string\"}", messages: ["1": "a"]),
        WorkspaceModel.Expectation(), WorkspaceModel.Expectation(status: 201, accepted: [201...201]),
    ])
    func `conditions under answer: come back under that key`(_ expectation: WorkspaceModel.Expectation) {
        var endpoint = Endpoint(target: "shop/a", name: "a", path: "/a")
        endpoint.expectation = expectation
        endpoint.expectation?.usesAnswerKey = true
        let (found, problems, text) = stored(endpoint)
        #expect(found == endpoint && problems.isEmpty, "\(problems) \(text)")
    }

    @Test(arguments: [
        BodyTemplate.json(""), .json("{}"), .json(" {\n"), .json("\n\n"), .json("{\r\n\"a\": 1\r\n}\r\n"),
        .json("a\u{0}b\u{7f}\u{85}\u{2028}\u{feff}"),
        .json("{\n  \"a\": \"}}: *b &c\"\n}\n\n"), .form([]), .form([Parameter("=", "&")]), .plist("<plist>\n</plist>"), .text("", contentType: nil),
        .text("none", contentType: ""), .text("- a\n- *b\n", contentType: "text/markdown"), .file(path: "", contentType: nil), .multipart([]),
        .graphQL(GraphQLTemplate(query: "")), .graphQL(GraphQLTemplate(query: "{ a }\n\n", variables: "{ \"a\":{{b}}}\r\n", operation: "")),
        .graphQL(GraphQLTemplate(query: "\u{0}", variables: " not JSON", operation: "{{x}}")),
        .multipart([.init(name: "", value: "", isFile: true), .init(name: "a\"\n", value: "\u{1}", fileName: "", contentType: "no type")]),
    ])
    func `every body comes back`(_ body: BodyTemplate) {
        var endpoint = Endpoint(target: "shop/a", name: "a", method: .post, path: "/a")
        endpoint.body = body
        let (found, problems, text) = stored(endpoint)
        #expect(found == endpoint && problems.isEmpty, "\(problems) \(text)")
    }

    @Test(arguments: [Timeouts(), Timeouts(total: .seconds(60)), Timeouts(connect: .seconds(1), total: nil), Timeouts(idle: .seconds(9))])
    func `limits come back with the information whether the total is explicit`(_ timeouts: Timeouts) {
        var endpoint = Endpoint(target: "shop/a", name: "a", path: "/a")
        endpoint.timeouts = timeouts
        #expect(stored(endpoint).endpoint?.timeouts == timeouts)
    }

    @Test func `a text that is longer than a workspace file may be comes back`() {
        var endpoint = Endpoint(target: "shop/a", name: "a", method: .post, path: "/a")
        endpoint.body = .json("[\n" + String(repeating: "  \"{{a}}: *b &c ]: \",\n", count: 250_000) + "]")
        #expect(stored(endpoint).endpoint == endpoint)
    }

    @Test(arguments: [UInt64.random(in: 0...UInt64.max)])
    func `random texts come back in every place`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "a", " ", "\n", "\r\n", "\t", ":", ": ", "#", " #", "- ", "*x", "&y", "{{", "}}", "\"", "'", "\\", "|", ">", "%", "@", "`", "!", "!json ",
            "null", "true", "0x1", "1e3", "---", "...", "<<", "?", "[", "]", "{", "}", ",", "ü", "e\u{301}", "\u{0}", "\u{1b}", "\u{a0}", "\u{2029}",
            "👩‍👩‍👧", "\u{10ffff}", "~", "=",
        ]
        func text() -> String { (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "a" }.joined() }
        func rows() -> [Parameter] {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in
                Parameter(text(), text(), isEnabled: Bool.random(using: &random), summary: Bool.random(using: &random) ? text() : nil)
            }
        }
        for _ in 0..<400 {
            var endpoint = Endpoint(target: "shop/a", name: text(), method: .post, path: text())
            endpoint.summary = text()
            endpoint.query = rows()
            endpoint.headers = rows()
            endpoint.removedHeaders = Bool.random(using: &random) ? [text()] : nil
            endpoint.auth =
                [
                    .basic(user: text(), password: text()), .bearer(token: text()), Auth.none,
                    .oauth2(OAuth2(grant: .password, tokenURL: text(), clientID: text(), clientSecret: text())),
                    .awsSigV4(AWSCredential(region: text(), service: text(), accessKey: text(), secretKey: text(), sessionToken: text())),
                    .jwt(JWTCredential(algorithm: .edDSA, key: text(), claims: text(), keyID: text(), lifetime: text())),
                    .ntlm(NTLMCredential(user: text(), password: text())), .negotiate,
                    .apiKey(APIKey(name: text(), value: text(), in: .query)),
                ].randomElement(using: &random) ?? .inherit
            endpoint.variables = Dictionary([(text(), text()), (text(), text())]) { $1 }
            endpoint.body =
                [
                    .json(text()), .form(rows()), .plist(text()), .text(text(), contentType: text()), .file(path: text(), contentType: nil),
                    .multipart([.init(name: text(), value: text(), isFile: Bool.random(using: &random), fileName: text())]),
                ].randomElement(using: &random) ?? .none
            endpoint.captures = rows().map { Capture(name: $0.name, path: $0.value) }
            endpoint.expectation = Expectation(json: rows().map { Parameter($0.name, $0.value) }, headers: [Parameter(text(), text())])
            endpoint.download = DownloadSettings(to: text())
            let (found, problems, written) = stored(endpoint)
            #expect(found == endpoint && problems.isEmpty, "seed \(seed): \(problems)\n\(written)")
        }
    }

    @Test func `the text has the format of workspace files`() throws {
        var endpoint = Endpoint(target: "shop/orders/create", name: "Create", method: .post, path: "/orders")
        endpoint.headers = [Parameter("Accept", "*/*")]
        endpoint.body = .json("{\n  \"a\": 1\n}")
        endpoint.timeouts = Timeouts(total: .seconds(90))
        endpoint.location = SourceLocation(file: "shop/orders/create.yaml", line: 2, column: 1)
        let stored = StoredEndpoint(endpoint)
        #expect(
            stored.text == """
                name: Create
                method: POST
                path: /orders
                headers: {Accept: "*/*"}
                body:
                  json: |-
                    {
                      "a": 1
                    }
                timeout: {connect: 10s, idle: 30s, total: 90s}

                """)
        let workspace = try TemporaryWorkspace(["shop/orders/create.yaml": stored.text])
        let read = try #require(try workspace.load().endpoint("shop/orders/create"))
        #expect(read.body == endpoint.body && read.headers == endpoint.headers && read.timeouts == endpoint.timeouts)
    }

    @Test(arguments: [
        ("retry: {limit: many}", "limit must be a whole number"), ("redirects: [1]", "redirects must be a whole number"),
        ("kind: teleport", "kind must be one of"), ("query: 7", "query must be a mapping"), ("cookies: perhaps", "cookies must be true or false"),
        ("unknownKey: 1", "unknown key “unknownKey”"), ("timeout: soon", "timeout must be a duration"), ("method: \"a b\"", "is not a method"),
    ])
    func `a key that cannot be read is named and the others are kept`(line: String, problem: String) throws {
        var endpoint = Endpoint(target: "shop/a", name: "A", path: "/a")
        endpoint.variables = ["x": "1"]
        var changed = StoredEndpoint(endpoint)
        changed.text += line + "\n"
        var problems: [String] = []
        let found = try #require(changed.endpoint(&problems))
        #expect(found.name == "A" && found.path == "/a" && found.variables == ["x": "1"])
        #expect(problems.count == 1 && problems[0].hasPrefix("shop/a, line ") && problems[0].contains(problem), "\(problems)")
    }

    @Test func `a text that is not YAML is a problem with its line`() {
        var changed = StoredEndpoint(Endpoint(target: "shop/a", name: "A", path: "/a"))
        changed.text += "query: [\n"
        var problems: [String] = []
        #expect(changed.endpoint(&problems) == nil)
        #expect(problems.count == 1 && problems[0].contains("shop/a, line"), "\(problems)")
    }
}
