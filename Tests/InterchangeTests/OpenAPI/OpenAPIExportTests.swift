import Foundation
import SortieBase
import SortieHTTP
import SortieStorage
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests exported descriptions by their content and by importing them again.
struct OpenAPIExportTests {
    private func exported(_ workspace: Workspace, name: String = "S") throws -> JSONValue {
        try JSONValue(parsing: try text(workspace, name: name))
    }

    private func exportSource(_ workspace: Workspace, name: String = "S") throws -> ExportSource {
        let environment = workspace.environments.first?.name
        let resolver = ExportResolver(workspace: workspace, environment: environment) { _, _ in nil }
        return ExportSource(
            name: name, workspace: workspace, environment: environment, items: try workspace.endpoints.map { try resolver.item(for: $0) })
    }

    private func text(_ workspace: Workspace, name: String = "S") throws -> String { try OpenAPIExport.text(of: exportSource(workspace, name: name)) }

    private func workspace(_ endpoints: [Endpoint]) -> Workspace {
        var workspace = Workspace(name: "w", folder: "/ws")
        workspace.environments = [WorkspaceEnvironment(name: "e", variables: ["size": "10"])]
        workspace.secrets = ["mine": .environment("MINE")]
        var service = Service(folder: "s", name: "S")
        service.servers = ["e": ["https://api.example.com/v1"]]
        service.headers = [Parameter("X-Shared", "yes")]
        service.endpoints = endpoints
        workspace.services = [service]
        return workspace
    }

    private func endpoint(_ change: (inout Endpoint) -> Void) -> Endpoint {
        var endpoint = Endpoint(target: "s/orders/one", name: "One order", method: .post, path: "/orders/{id}/{{part}}")
        change(&endpoint)
        return endpoint
    }

    @Test(arguments: [UInt64(70), 71, 72]) func `a description as YAML has the same value as JSON, with any text`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let endpoints = (0..<12).map { index in
            var endpoint = ExportFixture.anyEndpoint(index, file: "/tmp/f", using: &random)
            endpoint.name = ["yes", "0o17", "1.0", "a: b", "~", "- x", "é 東", "#c", "\u{85}", "line\n  two \n", "'\"", ""][index]
            return endpoint
        }
        let workspace = workspace(endpoints)
        let resolver = ExportResolver(workspace: workspace, environment: "e") { _, _ in nil }
        let source = ExportSource(name: "S", workspace: workspace, environment: "e", items: try endpoints.map { try resolver.item(for: $0) })
        let json = try OpenAPIExport.text(of: source, forFile: "x.json")
        let yaml = try OpenAPIExport.text(of: source, forFile: "x.YAML")
        #expect(yaml.hasPrefix("openapi:") && json.hasPrefix("{"), "seed \(seed): \(yaml.prefix(200))")
        let read = try OpenAPIImport.workspace(from: ImportSource(name: "x", bytes: Array(yaml.utf8), yaml: YAMLSource.node))
        let expected = try OpenAPIImport.workspace(from: ImportSource(name: "x", bytes: Array(json.utf8)))
        #expect(read.endpoints == expected.endpoints && read.endpoints.count == 12, "seed \(seed)")
    }

    /// An endpoint whose token is obtained with settings of OAuth 2.
    private func endpoint(_ name: String, _ settings: OAuth2) -> Endpoint {
        endpoint {
            ($0.target, $0.path) = ("s/\(name)", "/\(name)")
            $0.auth = .oauth2(settings)
        }
    }

    @Test func `settings of OAuth 2 are a flow with its URLs and the scopes of all requests`() throws {
        var settings = OAuth2(grant: .authorizationCode, tokenURL: "https://{{size}}.example/token", clientID: "app", clientSecret: "{{mine}}")
        (settings.authorizationURL, settings.scope) = ("https://auth.example/page", "read write")
        var other = settings
        other.scope = "read admin"
        let machine = OAuth2(tokenURL: "https://auth.example/machine", clientID: "app", clientSecret: "{{mine}}")
        let workspace = workspace([endpoint("a", settings), endpoint("b", other), endpoint("c", machine)])
        let document = try exported(workspace)
        let schemes = document["components"]?["securitySchemes"]
        let flow: JSONValue = [
            "authorizationUrl": "https://auth.example/page", "tokenUrl": "https://10.example/token",
            "scopes": ["read": "", "write": "", "admin": ""],
        ]
        #expect(schemes?["oauth2"] == ["type": "oauth2", "flows": ["authorizationCode": flow]], "\(document.text)")
        #expect(schemes?["oauth2-2"]?["flows"]?["clientCredentials"]?["tokenUrl"] == "https://auth.example/machine", "\(document.text)")
        #expect(document["paths"]?["/a"]?["post"]?["security"] == .array([["oauth2": .array(["read", "write"])]]))
        #expect(document["paths"]?["/c"]?["post"]?["security"] == .array([["oauth2-2": .array([])]]))
        let back = try OpenAPIImport.workspace(from: ImportSource(name: "x", bytes: Array(document.text.utf8)))
        let grants = back.endpoints.map { endpoint -> OAuth2.Grant? in
            guard case .oauth2(let settings) = endpoint.auth == .inherit ? back.services[0].service.auth : endpoint.auth else { return nil }
            return settings.grant
        }
        #expect(grants == [.authorizationCode, .authorizationCode, .clientCredentials])
    }

    @Test func `a device code needs OpenAPI 3.2, and what a description does not have of credentials is a note`() throws {
        var device = OAuth2(grant: .deviceCode, tokenURL: "https://auth.example/token", clientID: "app")
        (device.deviceURL, device.audience) = ("https://auth.example/device", "shop")
        let unknown = OAuth2(tokenURL: "{{$env.BASE}}/token", clientID: "app")
        let workspace = workspace([endpoint("a", device), endpoint("b", unknown)])
        let document = try exported(workspace)
        #expect(document["openapi"] == "3.2.0")
        let schemes = document["components"]?["securitySchemes"]
        #expect(schemes?["oauth2"]?["flows"]?["deviceAuthorization"]?["deviceAuthorizationUrl"] == "https://auth.example/device")
        #expect(schemes?["bearerAuth"]?["scheme"] == "bearer")
        let resolver = ExportResolver(workspace: workspace, environment: "e") { _, _ in nil }
        let items = try workspace.endpoints.map { try resolver.item(for: $0) }
        let notes = try OpenAPIExport.notes(of: ExportSource(name: "S", workspace: workspace, environment: "e", items: items))
        #expect(notes.count == 2 && notes[0].contains("audience") && notes[1].hasPrefix("s/b: OAuth 2 is described as a bearer token"), "\(notes)")
    }

    @Test func `an endpoint is an operation with parameters, examples, body, responses and tag`() throws {
        let document = try exported(
            workspace([
                endpoint {
                    $0.variables = ["id": "7", "part": "a"]
                    $0.query = [Parameter("size", "{{size}}", summary: "how many"), Parameter("l", "1", isEnabled: false), Parameter("l", "2")]
                    $0.headers = [Parameter("X-A", "b"), Parameter("Cookie", "sid={{mine}}; lang=en")]
                    $0.body = .json("{\"a\": \"{{size}}\"}")
                    $0.expectation = Expectation(status: 201)
                    $0.auth = .bearer(token: "{{mine}}")
                }
            ]))
        #expect(document["openapi"] == "3.1.0" && document["info"]?["title"] == "S")
        #expect(document["servers"] == .array([["url": "https://api.example.com/v1"]]))
        let operation = try #require(document["paths"]?["/orders/{id}/{part}"]?["post"])
        #expect(operation["tags"] == .array(["orders"]) && operation["operationId"] == "orders-one" && operation["summary"] == "One order")
        guard case .array(let parameters)? = operation["parameters"] else {
            Issue.record("\(operation)")
            return
        }
        let names = parameters.map { "\($0["in"] ?? .null) \($0["name"] ?? .null) \($0["example"] ?? .null)" }
        let expected: [(String, String, JSONValue)] = [
            ("path", "id", "7"), ("path", "part", "a"), ("query", "size", "10"), ("query", "l", "2"), ("cookie", "lang", "en"),
            ("header", "X-A", "b"), ("header", "X-Shared", "yes"),
        ]
        #expect(names == expected.map { "\(JSONValue.string($0.0)) \(JSONValue.string($0.1)) \($0.2)" })
        #expect(operation["requestBody"]?["content"]?["application/json"]?["example"] == ["a": "10"])
        #expect(operation["responses"]?["201"] != nil && operation["responses"]?["default"] == nil)
        #expect(operation["security"] == .array([["sidCookie": .array([]), "bearerAuth": .array([])]]))
        #expect(document["components"]?["securitySchemes"]?["bearerAuth"]?["scheme"] == "bearer")
    }

    @Test func `credentials are schemes and never values`() throws {
        let text = try text(
            workspace([
                endpoint {
                    $0.path = "/a"
                    $0.headers = [Parameter("X-Api-Key", "canary-1"), Parameter("X-Mine", "{{mine}}")]
                    $0.query = [Parameter("api_key", "canary-2"), Parameter("q", "{{password}}")]
                    $0.body = .json("{\"password\": \"canary-3\"}")
                    $0.auth = .basic(user: "me", password: "canary-4")
                    $0.variables = ["password": "canary-5"]
                }
            ]))
        #expect(!text.contains("canary"), "\(text)")
        for part in ["\"X-Api-Key\"", "\"basicAuth\"", "\"api_key\"", "$S_PASSWORD"] { #expect(text.contains(part), "\(part): \(text)") }
    }

    @Test func `forms, parts, files and methods of OpenAPI 3.2 are described`() throws {
        var copy = endpoint { $0.path = "/b" }
        copy.target = "s/copy"
        copy.method = try #require(HTTPMethod("COPY"))
        let document = try exported(
            workspace([
                endpoint {
                    $0.path = "/a"
                    $0.body = .multipart([.init(name: "f", value: "/x.bin", isFile: true, contentType: "image/png"), .init(name: "n", value: "1")])
                }, copy,
            ]))
        #expect(document["openapi"] == "3.2.0" && document["paths"]?["/b"]?["additionalOperations"]?["COPY"] != nil)
        let media = document["paths"]?["/a"]?["post"]?["requestBody"]?["content"]?["multipart/form-data"]
        #expect(media?["schema"]?["properties"]?["f"]?["format"] == "binary")
        #expect(media?["encoding"]?["f"]?["contentType"] == "image/png")
    }

    @Test func `a recorded request is an operation on its server`() throws {
        var request = Request(method: .put, url: try HTTPURL(parsing: "http://h:81/a/b?q=1&q=2"))
        request.headers = Headers([HeaderField("Authorization", "Bearer ••••"), HeaderField("X", "y"), HeaderField("Content-Length", "1")])
        request.body = .bytes(Array("{\"a\": 1}".utf8), contentType: "application/json")
        let workspace = Workspace(name: "history", folder: ".")
        let resolver = ExportResolver(workspace: workspace, environment: nil) { _, _ in nil }
        let item = try resolver.item(recorded: request, named: "history/1")
        let text = try OpenAPIExport.text(of: ExportSource(name: "history/1", workspace: workspace, environment: nil, items: [item]))
        let document = try JSONValue(parsing: text)
        #expect(document["servers"] == .array([["url": "http://h:81"]]), "\(text)")
        let operation = try #require(document["paths"]?["/a/b"]?["put"])
        guard case .array(let parameters)? = operation["parameters"] else {
            Issue.record("\(text)")
            return
        }
        #expect(parameters.compactMap { $0["name"] } == ["q", "X"])
        #expect(operation["requestBody"]?["content"]?["application/json"]?["example"] == ["a": .number("1")])
    }

    @Test(.enabled(if: Corpora.url("openapi") != nil, "the corpora are not here"))
    func `an imported description that is exported and imported again has the same operations`() throws {
        let folder = try #require(Corpora.url("openapi"))
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().filter {
            $0.hasSuffix(".json") || $0.hasSuffix(".yaml")
        }
        var count = 0
        for name in names where !name.contains("stripe") {
            let url = folder.appendingPathComponent(name)
            let files = ImportFolder(path: url.deletingLastPathComponent().path)
            let source = ImportSource(
                name: url.lastPathComponent, bytes: Array(try Data(contentsOf: url)), yaml: YAMLSource.node, files: files.bytes(of:))
            guard OpenAPIImport.recognizes(source) else { continue }
            let first: ImportedWorkspace
            do { first = try OpenAPIImport.workspace(from: source) } catch {
                // Some files of the corpus are parts of descriptions.
                continue
            }
            let placed = PlacedImport(first, into: nil, folder: "/ws", sourceFolder: "/source", known: [:], taken: [])
            let bytes = Array(try text(placed.workspace).utf8)
            let second = try OpenAPIImport.workspace(from: ImportSource(name: "again.json", bytes: bytes))
            let again = PlacedImport(second, into: nil, folder: "/ws", sourceFolder: "/source", known: [:], taken: [])
            #expect(Self.lines(again.workspace) == Self.lines(placed.workspace), "\(name)")
            if placed.workspace.endpoints.contains(where: { $0.path.prefix { $0 != "?" }.contains("|raw}}") }) {
                let notes = try OpenAPIExport.notes(of: exportSource(placed.workspace))
                #expect(notes.contains { $0.hasSuffix("in the path are described as one segment each") }, "\(name)")
            }
            count += again.workspace.endpoints.count
        }
        #expect(count > 100)
    }

    private static func lines(_ workspace: Workspace) -> [String] {
        let lines = workspace.endpoints.map { endpoint -> String in
            let service = workspace.service(endpoint.serviceName)
            let shared = (service?.headers ?? []).filter { !(endpoint.removedHeaders ?? []).contains($0.name) }
            let headers = Set((endpoint.headers + shared).map { $0.name.lowercased() }).subtracting(["accept", "content-type", "cookie"])
            let query = Set((endpoint.query + (service?.publicParameters ?? [])).map(\.name))
            let body = endpoint.body.contentType ?? ""
            // A query in the path of a description is a parameter of the exported one, and a list in the path a parameter of one segment, which a note says.
            let path = endpoint.path.prefix { $0 != "?" }.replacing(/\{\{(\w+)\|raw\}\}/) { "{\($0.1)}" }
            return "\(endpoint.method.rawValue) \(path) \(query.filter { !$0.contains("{") }.sorted()) \(headers.sorted()) \(body)"
        }
        // Several operations with one method and path, on several servers, are one operation.
        return Set(lines).sorted()
    }
}
