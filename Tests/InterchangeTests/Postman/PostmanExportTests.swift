import Foundation
import SortieBase
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the export to Postman, and its way back.
struct PostmanExportTests {
    private func workspace(_ endpoints: [Endpoint]) -> Workspace {
        var workspace = Workspace(name: "w", folder: "/ws")
        workspace.environments = [WorkspaceEnvironment(name: "e", variables: ["host": "h", "n": "{{m}}", "empty": ""])]
        workspace.variables = ["m": "1", "password": "canary-variable", "ask": "{{$prompt ask}}"]
        workspace.secrets = ["token": .environment("TOKEN")]
        var service = Service(folder: "s", name: "S")
        service.servers = ["e": ["https://{{host}}:8443"]]
        service.headers = [Parameter("X-Shared", "1"), Parameter("X-Api-Key", "canary-header")]
        service.auth = .bearer(token: "{{token}}")
        service.endpoints = endpoints
        workspace.services = [service]
        return workspace
    }

    private func exported(_ endpoints: [Endpoint]) throws -> String {
        let workspace = workspace(endpoints)
        let resolver = ExportResolver(workspace: workspace, environment: "e") { name, _ in name == "uuid" ? "u" : nil }
        let items = try endpoints.map { try resolver.item(for: $0) }
        return try PostmanExport.text(of: ExportSource(name: "S", workspace: workspace, environment: "e", items: items))
    }

    private func endpoint(_ target: String = "s/x", _ change: (inout Endpoint) -> Void = { _ in }) -> Endpoint {
        var endpoint = Endpoint(target: target, name: FilePath.name(of: target), path: "/x")
        change(&endpoint)
        return endpoint
    }

    private func imported(_ text: String) throws -> ImportedWorkspace {
        let source = ImportSource(name: "c.json", bytes: Array(text.utf8))
        #expect(try ImportFormats.format(of: source).name == "postman")
        return try PostmanImport.workspace(from: source)
    }

    @Test func `folders, variables and credentials are exported without values of secrets`() throws {
        let text = try exported([
            endpoint("s/b"), endpoint("s/f/a") { $0.auth = .basic(user: "me", password: "canary-password") },
            endpoint("s/f/g/c") {
                $0.query = [Parameter("n", "{{n}}"), Parameter("password", "canary-query"), Parameter("off", "", isEnabled: false)]
                $0.body = .form([Parameter("p", "{{password}}")])
            },
        ])
        #expect(!text.contains("canary"), "\(text)")
        let workspace = try imported(text)
        #expect(workspace.folders == ["f", "f/g"] && workspace.endpoints.map(\.name) == ["b", "a", "c"])
        #expect(workspace.services[0].service.servers == ["*": ["https://{{host}}:8443"]])
        #expect(workspace.variables["host"] == "h" && workspace.variables["n"] == "{{m}}" && workspace.variables["m"] == "1")
        #expect(workspace.endpoints[0].auth == .bearer(token: "{{token}}"))
        // The variable of this name has another value.
        #expect(workspace.endpoints[1].auth == .basic(user: "me", password: "{{password2}}"))
        #expect(workspace.endpoints[2].query.map(\.name) == ["n", "password", "off"] && !workspace.endpoints[2].query[2].isEnabled)
    }

    @Test func `a variable without a value is asked for when the collection is imported again`() throws {
        let text = try exported([endpoint { $0.headers = [Parameter("Authorization", "Basic {{$env.LOGIN}}"), Parameter("X-A", "{{empty}}")] }])
        let workspace = try imported(text)
        #expect(workspace.variables["envLogin"] == "{{$prompt envLogin}}", "\(text)")
        #expect(workspace.variables["empty"] == "")
        #expect(workspace.reasons(.changed).contains { $0.hasPrefix("nothing in the source defines {{envLogin}}") })
    }

    @Test(arguments: [OAuth2.Grant.clientCredentials, .password, .authorizationCode])
    func `settings of OAuth 2 are exported without values of secrets, and imported again as they were`(_ grant: OAuth2.Grant) throws {
        var settings = OAuth2(grant: grant, tokenURL: "https://{{host}}/token", clientID: "app", clientSecret: "{{token}}")
        (settings.clientAuthentication, settings.scope, settings.audience) = (.post, "read write", "shop")
        if grant == .password { (settings.user, settings.password) = ("anna", "{{token}}") }
        if grant == .authorizationCode { (settings.authorizationURL, settings.redirectURL) = ("https://{{host}}/page", "http://127.0.0.1:8000/cb") }
        let text = try exported([endpoint { $0.auth = .oauth2(settings) }])
        #expect(try imported(text).endpoints[0].auth == .oauth2(settings), "\(text)")
        settings.clientSecret = "canary-secret"
        #expect(try !exported([endpoint { $0.auth = .oauth2(settings) }]).contains("canary"))
    }

    @Test func `credentials that Postman does not have are notes`() throws {
        var device = OAuth2(grant: .deviceCode, tokenURL: "https://h/token", clientID: "app")
        device.deviceURL = "https://h/device"
        let endpoints = [
            endpoint("s/a") { $0.auth = .oauth2(device) }, endpoint("s/b") { $0.auth = .negotiate },
            endpoint("s/c") { $0.auth = .bearer(token: "t") },
        ]
        let workspace = workspace(endpoints)
        let resolver = ExportResolver(workspace: workspace, environment: "e") { _, _ in nil }
        let items = try endpoints.map { try resolver.item(for: $0) }
        let notes = try PostmanExport.notes(of: ExportSource(name: "S", workspace: workspace, environment: "e", items: items))
        #expect(notes.count == 3 && notes[0].contains("deviceCode") && notes[1].hasPrefix("s/b: "), "\(notes)")
        #expect(notes[2].hasPrefix("the values of "), "\(notes)")
    }

    @Test func `two braces in a body are noted, because Postman reads them as the start of a variable`() throws {
        let endpoints = [endpoint { $0.body = .json(#"{"a": "{{$braces}}b}}"}"#) }]
        let workspace = workspace(endpoints)
        let resolver = ExportResolver(workspace: workspace, environment: "e") { _, _ in nil }
        let items = try endpoints.map { try resolver.item(for: $0) }
        let notes = try PostmanExport.notes(of: ExportSource(name: "S", workspace: workspace, environment: "e", items: items))
        #expect(notes.contains { $0.contains("two braces in a text") }, "\(notes)")
    }

    @Test func `a variable that is asked for by its name has no value, so that it does not contain itself`() throws {
        let text = try exported([endpoint { $0.query = [Parameter("q", "{{ask}}")] }])
        let workspace = try imported(text)
        #expect(workspace.endpoints[0].query == [Parameter("q", "{{ask}}")] && workspace.variables["ask"] == "{{$prompt ask}}", "\(text)")
    }

    @Test func `parameters of the path are written with a colon and their values`() throws {
        let text = try exported([endpoint { ($0.path, $0.variables) = ("/a/{id}/:x", ["id": "7", "x": "{{m}}"]) }])
        let endpoint = try imported(text).endpoints[0]
        #expect(endpoint.path == "/a/:id/:x" && endpoint.variables == ["id": "7", "x": "{{m}}"])
    }

    @Test func `a row of the query keeps its spelling in the URL`() throws {
        let endpoint = endpoint { $0.setURL("/x?t=12:30+02:00&s=%2f&b=%7B%7Ba&page=1") }
        let text = try exported([endpoint])
        #expect(text.contains("t=12:30+02:00&s=%2f&b=%7B%7Ba&page=1"), "\(text)")
        #expect(try imported(text).endpoints[0].query == endpoint.query)
    }

    @Test func `a GraphQL body is exported as such and imported again, and by GET it is a query`() throws {
        let body = BodyTemplate.graphQL(GraphQLTemplate(query: "query Q($m: Int) {\n  a(m: $m)\n}", variables: "{\"m\": {{m}}}", operation: "Q"))
        let endpoints = [HTTPMethod.post, .get].map { method in
            endpoint("s/\(method.rawValue)") {
                $0.method = method
                $0.body = body
            }
        }
        let text = try exported(endpoints)
        #expect(text.contains("\"graphql\""))
        let back = try imported(text).endpoints
        #expect(back[0].body == body && back[0].method == .post)
        #expect(back[1].body == .none && back[1].query.map(\.name) == ["query", "operationName", "variables"])
    }

    @Test(arguments: [UInt64(1), 2, 3]) func `any endpoint is imported again as it was`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("ab:#}[]&*!|>'\"%@`,?-~ \n東é😀\\=+/;$").map(String.init) + ["{{m}}", "{{$uuid}}", "{{$braces}}"]
        func any(_ count: Int) -> String {
            let text = (0..<Int.random(in: 1...count, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "" }.joined()
            return Template(text).segments.map(\.description).joined()
        }
        func rows() -> [Parameter] {
            (0..<3).map { Parameter("p\($0)" + any(3).replacing("\n", with: ""), any(8), isEnabled: Bool.random(using: &random)) }
        }
        let endpoints = (0..<60).map { index in
            endpoint("s/e\(index)") { endpoint in
                endpoint.method = [.get, .post, .put, .delete].randomElement(using: &random) ?? .get
                endpoint.query = rows()
                endpoint.headers = [Parameter("X-A", any(6).replacing("\n", with: ""), isEnabled: Bool.random(using: &random))]
                endpoint.auth = .none
                switch Int.random(in: 0..<4, using: &random) {
                case 0: endpoint.body = .form(rows())
                case 1: endpoint.body = .text(any(30), contentType: "text/plain")
                case 2:
                    endpoint.body = .multipart([
                        .init(name: "a" + any(2).replacing("\n", with: ""), value: any(6)), .init(name: "f", value: "/ws/s/f.bin", isFile: true),
                    ])
                default: break
                }
            }
        }
        let back = try imported(try exported(endpoints)).endpoints
        #expect(back.count == endpoints.count)
        for (one, other) in zip(back, endpoints) {
            #expect(one.method == other.method && one.path == other.path && one.name == other.name, "seed \(seed)")
            #expect(Self.plain(one.query) == Self.plain(other.query), "seed \(seed): \(other.query)")
            #expect(
                one.headers.first { $0.name == "X-A" }?.value == other.headers[0].value.trimmingBlanks || one.headers.contains(other.headers[0]),
                "seed \(seed)")
            #expect(Self.plain(one.body) == Self.plain(other.body), "seed \(seed): \(other.body)")
        }
    }

    /// Templates that Postman writes in another way have one form.
    private static func plain(_ text: String) -> String { text.replacing("{{$braces}}", with: "{{") }

    private static func plain(_ rows: [Parameter]) -> [Parameter] {
        rows.map { Parameter(plain($0.name), plain($0.value), isEnabled: $0.isEnabled) }
    }

    private static func plain(_ body: BodyTemplate) -> String { plain("\(body)") }

    @Test func `redirects, fields that are not sent and the type of a file body come back`() throws {
        let text = try exported([
            endpoint("s/a") {
                $0.redirects = 0
                $0.removedHeaders = ["User-Agent"]
            },
            endpoint("s/b") {
                $0.redirects = 3
                $0.method = .post
                $0.body = .file(path: "/f.bin", contentType: "application/x-a")
            },
        ])
        let all = try imported(text).endpoints
        #expect(all.map(\.redirects) == [0, 3])
        #expect(all[0].removedHeaders == ["user-agent"])
        #expect(all[1].headers.filter { $0.name == "Content-Type" }.map(\.value) == ["application/x-a"])
    }

    @Test func `a query with a part that has no name comes back before the rows`() throws {
        let text = try exported([
            endpoint("s/a") {
                $0.path = "/x?=v&a=1"
                $0.query = [Parameter("page", "2")]
            }
        ])
        let item = try #require(JSONValue(parsing: text)["item"]?[0]?["request"]?["url"]?["raw"])
        guard case .string(let raw) = item else { return #expect(Bool(false), "\(item)") }
        #expect(raw == "https://{{host}}:8443/x?=v&a=1&page=2")
    }
}
