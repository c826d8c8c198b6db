import SortieBase
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Exports an endpoint with each key of its file, in every format: the text or the notes say what the key says.
struct ExportKeysTests {
    /// Values that differ from those of an endpoint without the key.
    ///
    /// A key without an entry fails the test.
    private static let changes: [String: [@Sendable (inout Endpoint) -> Void]] = [
        "name": [{ $0.name = "Other" }], "description": [{ $0.summary = "What it is for." }], "tags": [{ $0.tags = ["slow"] }],
        // The endpoint has what it extends.
        "extends": [],
        "method": [{ $0.method = .put }], "path": [{ $0.path = "/other/{{v}}" }], "query": [{ $0.query.append(Parameter("r", "2")) }],
        "headers": [{ $0.headers.append(Parameter("X-Own", "2")) }, { $0.removedHeaders = ["X-All"] }],
        "auth": [{ $0.auth = .bearer(token: "{{key}}") }], "body": [{ $0.body = .json("{\"a\": 2}") }], "variables": [{ $0.variables = ["v": "2"] }],
        "kind": [{ $0.kind = .events }, { $0.kind = .download }], "grpc": [{ $0.grpc = GRPCSetting(method: "a.B/C") }],
        "messages": [{ $0.messages = [Parameter("hi", "text")] }], "download": [{ $0.download = DownloadSettings(to: "x") }],
        "https": [{ $0.requiresTLS = true }], "inherit": [{ $0.inherits = false }],
        "timeout": [
            { $0.timeouts = Timeouts(total: .seconds(3)) }, { $0.timeouts = Timeouts(connect: .seconds(3)) },
            { $0.timeouts = Timeouts(idle: .seconds(3)) },
        ],
        "cache": [{ $0.cache = CacheSetting(lifetime: .seconds(7)) }],
        "retry": [{ $0.retry = RetryPolicy(limit: 2) }, { $0.retry = RetryPolicy(parksWhenOffline: true) }],
        "priority": [{ $0.priority = .high }], "traffic": [{ $0.traffic = .background }], "serviceType": [{ $0.serviceType = .voice }],
        "uploadRate": [{ $0.uploadRate = 1000 }], "http": [{ $0.version = .http2 }], "redirects": [{ $0.redirects = 0 }, { $0.redirects = 7 }],
        "compression": [{ $0.compression = false }], "cookies": [{ $0.cookies = false }], "interface": [{ $0.interface = "eth0" }],
        "contract": [{ $0.ignoresContract = true }],
        "excludeNetworks": [{ $0.excludedNetworks = [.metered] }],
        "page": [
            {
                $0.paging = Paging()
                $0.paging?.number = "page"
            }
        ],
        "expect": [
            { $0.expectation = Expectation(status: 201) }, { $0.expectation = Expectation(json: [Parameter("$.a", "1")]) },
            { $0.expectation = Expectation(headers: [Parameter("X-A", "1")]) }, { $0.expectation = Expectation(under: .seconds(1)) },
            {
                $0.expectation = Expectation()
                $0.expectation?.schema = .inline("{\"type\": \"object\"}")
            },
        ],
        "examples": [{ $0.examples = [EndpointExample("small", response: .init(statuses: 200...200, body: .json("[1]")))] }],
        "capture": [{ $0.captures = [Capture(name: "id", path: "$.a.id")] }, { $0.captures = [Capture(name: "id", path: "$..id")] }],
        "parameters": [
            { $0.parameters = ParameterStyle(charset: "gbk") },
            {
                $0.parameters = ParameterStyle()
                $0.parameters?.order = .sorted
            },
        ],
        "answer": [
            { $0.expectation = Expectation(accepted: [200...204]) }, { $0.expectation = Expectation(contentTypes: ["text/csv"]) },
            { $0.expectation = Expectation(shape: "{\"a\": \"string\"}") },
            {
                $0.expectation = Expectation()
                $0.expectation?.format = .json
            },
        ],
        "reform": [{ $0.reform = [Parameter("x", "$.a")] }], "plugins": [{ $0.pluginUse = .adding([.sign(.init())]) }],
        "hooks": [{ $0.hooks = [HookSetting(.prepare, command: ["sign"])] }],
    ]

    /// The text of an export and its notes.
    private static func exported(
        _ format: any ExportFormat.Type, _ change: (inout Endpoint) -> Void = { _ in }, service: (inout Service) -> Void = { _ in }
    ) throws -> [String] {
        var endpoint = ExportFixture.endpoint("/x/{{v}}")
        endpoint.method = .post
        endpoint.query = [Parameter("z", "\u{e9}"), Parameter("b", "1")]
        endpoint.body = .json("{\"a\": 1}")
        endpoint.variables = ["v": "1"]
        change(&endpoint)
        let workspace = ExportFixture.workspace("https://h.example", [endpoint]) {
            $0.secrets = ["key": .environment("KEY")]
            $0.services[0].headers = [Parameter("X-All", "1")]
            service(&$0.services[0])
        }
        let resolver = ExportResolver(
            workspace: workspace, environment: "e", placeholders: ExportPlaceholder(mark: "0123456789abcdef"), isProgram: format.isProgram
        ) { _, _ in nil }
        let source = ExportSource(name: "s", workspace: workspace, environment: "e", items: [try resolver.item(for: endpoint)])
        return [try format.text(of: source)] + (try format.notes(of: source))
    }

    @Test(arguments: ExportFormats.all.map { $0.name })
    func `a key of an endpoint changes the export, or a note says that it is missing`(_ name: String) throws {
        let format = try #require(ExportFormats.named(name))
        let plain = try Self.exported(format)
        for key in EndpointKey.all {
            let changes = try #require(Self.changes[key.name], "the test has no value of \(key.name)")
            for (index, change) in changes.enumerated() {
                // A command, an archive and a program describe nothing.
                let isOmitted = ExportNotes.descriptions.contains(key.name) && !["http", "openapi", "postman"].contains(name)
                let changed = try Self.exported(format, change)
                #expect(changed != plain || isOmitted, "\(key.name) [\(index)] of \(name)")
            }
        }
        #expect(format.keys.subtracting(ExportNotes.connectionKeys).isSubset(of: EndpointKey.all.map(\.name)))
    }

    @Test(arguments: ExportFormats.all.map { $0.name })
    func `what a service says about its connections changes the export, or a note says that it is missing`(_ name: String) throws {
        let format = try #require(ExportFormats.named(name))
        let plain = try Self.exported(format)
        let changes: [(String, (inout Service) -> Void)] = [
            ("proxy", { $0.proxy = ProxyTemplate(url: "http://p:3128") }), ("insecure", { $0.trust.isInsecure = true }),
            ("ca", { $0.trust.certificateAuthorityFile = "/ca.pem" }), ("clientCertificate", { $0.trust.clientCertificateFile = "/c.pem" }),
            ("pins", { $0.trust.pins = ["sha256//x"] }), ("minimumTLS", { $0.trust.minimumTLS = .tls13 }),
            ("addresses", { $0.addresses.source = .https("https://dns.example/dns-query") }),
        ]
        for (key, change) in changes {
            #expect(try Self.exported(format, service: change) != plain, "\(key) of \(name)")
        }
    }

    @Test func `a method that the tools of a format do not read is an error`() throws {
        let (search, other) = (try #require(HTTPMethod("M-SEARCH")), try #require(HTTPMethod("M1")))
        #expect(throws: Diagnostic.self) { try Self.exported(HurlExport.self) { $0.method = search } }
        #expect(throws: Diagnostic.self) { try Self.exported(HTTPFileExport.self) { $0.method = other } }
        #expect(try Self.exported(HTTPFileExport.self) { $0.method = search }[0].contains("\nM-SEARCH "))
    }

    @Test func `a note names the keys that a format does not have`() throws {
        let notes = try Self.exported(PostmanExport.self) {
            ($0.retry, $0.cache, $0.tags) = (RetryPolicy(limit: 2), CacheSetting(), ["slow"])
        }
        #expect(notes.dropFirst() == ["s/x: tags, cache, retry"])
        let accepted = try Self.exported(PostmanExport.self) { $0.expectation = Expectation(accepted: [200...204]) }
        #expect(accepted.dropFirst() == ["s/x: the conditions of acceptance of expect"])
    }
}
