import Foundation
import SortieBase
import SortieHTTP
import Support
import WorkspaceModel

@testable import Interchange

/// Workspaces and generated endpoints for tests of exported programs.
enum ExportFixture {
    static func workspace(_ url: String, _ endpoints: [Endpoint], change: (inout Workspace) -> Void = { _ in }) -> Workspace {
        var workspace = Workspace(name: "w", folder: "/ws")
        workspace.environments = [WorkspaceEnvironment(name: "e", variables: ["name": "a b"])]
        var service = Service(folder: "s", name: "S")
        service.servers = ["e": [url]]
        service.endpoints = endpoints
        workspace.services = [service]
        change(&workspace)
        return workspace
    }

    static func resolver(_ workspace: Workspace) -> ExportResolver {
        ExportResolver(workspace: workspace, environment: "e", isProgram: true) { _, _ in nil }
    }

    static func source(_ workspace: Workspace) throws -> ExportSource {
        let resolver = resolver(workspace)
        return ExportSource(name: "s", workspace: workspace, environment: "e", items: try workspace.endpoints.map { try resolver.item(for: $0) })
    }

    /// The source of a run whose steps are the endpoints of a workspace.
    static func run(_ definition: RunDefinition, in workspace: Workspace, rows: [[String: String]]? = nil, start: String? = nil) throws
        -> ExportSource
    {
        let resolver = resolver(workspace)
        var captured = Array(Set((rows ?? []).flatMap(\.keys)))
        let items = try definition.steps.map { step in
            guard let endpoint = workspace.endpoint(step.target) else { throw Diagnostic(SourceLocation(file: step.target), "missing") }
            var item = try resolver.item(for: endpoint, variables: step.variables, captured: captured, expectation: step.expectation)
            item.name = step.name
            item.captures = endpoint.captures + step.captures
            captured += item.captures.map { "\(step.name).\($0.name)" }
            return item
        }
        return ExportSource(
            name: definition.name, workspace: workspace, environment: "e", items: items, run: .init(definition, rows: rows, start: start))
    }

    static func endpoint(_ path: String = "/x", _ change: (inout Endpoint) -> Void = { _ in }) -> Endpoint {
        var endpoint = Endpoint(target: "s/x", name: "x", path: path)
        change(&endpoint)
        return endpoint
    }

    static func login() -> Endpoint {
        endpoint("/login") {
            $0.target = "s/login"
            $0.method = .post
            $0.body = .json("{\"user\": \"{{name}}\", \"password\": \"{{$env.PASS}}\"}")
            $0.expectation = Expectation(
                status: 200, json: [Parameter("$.items[0].id", "> 5"), Parameter("$..id", "type integer"), Parameter("$.token", "matches ^T")],
                headers: [Parameter("Content-Type", "matches json")])
            $0.captures = [
                Capture(name: "token", path: "$.token"), Capture(name: "id", path: "$.items[-1].id"),
                Capture(name: "type", path: "header Content-Type"),
                Capture(name: "all", path: "$.items[*].id"), Capture(name: "status", path: "status"),
            ]
        }
    }

    static func order() -> Endpoint {
        endpoint("/orders/{{login.id}}") {
            $0.target = "s/order"
            $0.method = .put
            $0.auth = .bearer(token: "{{login.token}}")
            $0.headers = [Parameter("X-Type", "{{login.type}} {{login.status}}"), Parameter("X-Id", "{{$uuid}}")]
            $0.body = .json("{\"id\": {{login.id}}, \"all\": {{login.all}}, \"text\": \"{{login.token}}\"}")
            $0.expectation = Expectation(status: 201)
        }
    }

    static func chain() -> RunDefinition {
        RunDefinition(
            name: "check out", kind: .chain,
            steps: [RunDefinition.Step(target: "s/login", name: "login"), RunDefinition.Step(target: "s/order", name: "order")])
    }

    /// The body with which a server responds to ``login()``; the token needs escapes in JSON.
    static let loginBody = #"{"token": "T\"é", "items": [{"id": 6}, {"id": 7}]}"#

    private static let pieces =
        "abc09 '\"\\$`!*?#&|;<>()[]}~%=+,@:/\n\t\u{e9}\u{6771}\u{1F600}\u{202e}\u{7f}\u{1}".map(String.init) + [
            "$HOME", "{0}", "\\n", "\"\"\"", "'''", "{{$braces}}x}}", "@file", "%s", "\\(x)", "\\u{41}", "\r\n",
        ]

    static func anyText(_ count: Int, using random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...count, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    /// An endpoint with texts that need quotes and escapes at every place.
    static func anyEndpoint(_ index: Int, file: String, using random: inout SeededGenerator) -> Endpoint {
        let field: (String) -> String = {
            $0.filter { !$0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f } }.trimmingCharacters(in: .whitespaces)
        }
        return endpoint("/p\(index)/a%20b;c=(1)") { endpoint in
            endpoint.target = "s/e\(index) " + anyText(2, using: &random).filter { $0 != "/" }
            endpoint.method = HTTPMethod(["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "WHAT"].randomElement(using: &random) ?? "GET") ?? .get
            endpoint.query = (0..<Int.random(in: 0...3, using: &random)).map {
                Parameter("n\($0)" + anyText(3, using: &random), anyText(8, using: &random))
            }
            endpoint.headers = (0..<Int.random(in: 0...3, using: &random)).map { Parameter("X-\($0)", field(anyText(8, using: &random))) }
            switch Int.random(in: 0...6, using: &random) {
            case 0: endpoint.body = .none
            case 1: endpoint.body = .text(anyText(60, using: &random), contentType: Bool.random(using: &random) ? "text/x" : nil)
            case 2: endpoint.body = .form((0..<3).map { Parameter("f\($0)" + anyText(3, using: &random), anyText(9, using: &random)) })
            case 3: endpoint.body = .json("{\"a\": [1, \"\\n'$x`\"]}")
            case 4: endpoint.body = .file(path: file, contentType: "a/b")
            case 5: endpoint.body = .text("\u{0}" + anyText(20, using: &random), contentType: "application/octet-stream")
            default:
                endpoint.body = .multipart([
                    .init(name: "t", value: anyText(20, using: &random)),
                    .init(name: "u", value: anyText(9, using: &random), fileName: "n;\"x", contentType: "text/x; charset=utf-8"),
                    .init(name: "v", value: file, isFile: true, contentType: "x/y"),
                ])
            }
        }
    }
}
