import Foundation
import Support
import Testing

/// Tests values of earlier responses that endpoints use outside of runs.
@Suite(.serialized)
struct EarlierValueTests {
    /// A server whose `/login` gives the nth token, and whose `/orders` requires the first one that was given last.
    private func server(_ count: Watched<Int> = Watched(0), status: Int = 200) throws -> ScriptedServer {
        try ScriptedServer { request in
            guard request.target.hasPrefix("/login") else { return .ok(request["Authorization"] ?? "none") }
            count.change { $0 += 1 }
            return status == 200 ? .json(#"{"token": "token-number-\#(count.current)"}"#) : .status(status, "{}")
        }
    }

    private func workspace(_ url: String, login: String = "", permitsOwn: Bool = true, _ endpoint: String) throws -> Sortie {
        let sortie = try Sortie(permitsOwn: permitsOwn)
        try sortie.write("workspace.yaml", "name: W\nenvironment: dev\nenvironments: {dev: {variables: {}}}\n")
        try sortie.write("api/service.yaml", "servers: {dev: [\"\(url)\"]}\n")
        try sortie.write("api/login.yaml", "path: /login\nmethod: POST\ncapture: {token: $.token}\n" + login)
        try sortie.write("api/orders.yaml", endpoint)
        return sortie
    }

    private static let orders = "path: /orders\nauth: {bearer: \"{{login.token}}\"}\n"

    @Test func `an endpoint is sent for its captured value, which is masked`() async throws {
        let server = try server()
        let sortie = try workspace(server.url, Self.orders)
        let run = try await sortie.run("send", "api/orders", "-v")
        #expect(run.status == .exited(0) && server.requests.map(\.target) == ["/login", "/orders"], "\(run)")
        #expect(server.requests.last?["Authorization"] == "Bearer token-number-1")
        #expect(run.output == "Bearer token-number-1" && !run.errorOutput.contains("token-number"), "\(run)")
        #expect(try await sortie.run("check").status == .exited(0))
    }

    @Test func `the request for a captured value is in the history, with the value masked`() async throws {
        let server = try server()
        let sortie = try workspace(server.url, Self.orders)
        #expect(try await sortie.run("send", "api/orders").status == .exited(0))
        let list = try await sortie.run("history", "list")
        #expect(list.output.contains("api/login") && list.output.contains("api/orders"), "\(list)")
        for number in 1...2 {
            let shown = try await sortie.run("history", "show", "\(number)", "--json")
            #expect(shown.status == .exited(0) && shown.output.contains("\"status\"") && !shown.output.contains("token-number"), "\(shown)")
        }
        #expect(try await sortie.run("send", "api/orders", "--no-history").status == .exited(0))
        #expect(try await sortie.run("history", "list").output == list.output)
    }

    @Test func `the full name and a name of the same service are those of one endpoint, and others are ambiguous`() async throws {
        let server = try server()
        let sortie = try workspace(server.url, "path: /orders\nauth: {bearer: \"{{api/login.token}}\"}\n")
        try sortie.write("other/service.yaml", "servers: {dev: [\"\(server.url)\"]}\n")
        try sortie.write("other/login.yaml", "path: /login?other\ncapture: {token: $.token}\n")
        try sortie.write("third/service.yaml", "servers: {dev: [\"\(server.url)\"]}\n")
        try sortie.write("third/a.yaml", Self.orders)
        try sortie.write("api/near.yaml", Self.orders)
        #expect(try await sortie.run("send", "api/orders").status == .exited(0))
        #expect(try await sortie.run("send", "api/near").status == .exited(0))
        #expect(server.requests.map(\.target) == ["/login", "/orders", "/login", "/orders"])
        let ambiguous = try await sortie.run("send", "third/a")
        #expect(ambiguous.status != .exited(0) && ambiguous.errorOutput.contains("is captured by api/login and by other/login"), "\(ambiguous)")
    }

    @Test func `a server that is not reached for the value is an error of the network, as for the endpoint itself`() async throws {
        let port = try DeadPort(.refusing)
        let sortie = try workspace(port.url, Self.orders)
        for target in ["api/orders", "api/login"] {
            let run = try await sortie.run("send", target)
            #expect(run.failed(4, "connectionRefused"), "\(run)")
        }
        #expect(try await sortie.run("send", "api/orders").errorOutput.contains("the request of api/login for the value failed: "))
        withExtendedLifetime(port) {}
    }

    @Test func `a secret in the host of the server is masked in the error and in its hint`() async throws {
        let sortie = try workspace("http://{{tenant}}.invalid", Self.orders)
        try sortie.write(
            "workspace.yaml",
            "name: W\nenvironment: dev\nenvironments: {dev: {variables: {}}}\nsecrets: {tenant: {env: TENANT}}\n")
        let run = try await sortie.run("send", "api/orders", environment: ["TENANT": "geheim12345"])
        #expect(run.failed(4, "hostNotFound"), "\(run)")
        #expect(!run.errorOutput.contains("geheim12345") && run.errorOutput.contains("••••"), "\(run)")
    }

    @Test func `a mistake in the file of the endpoint that gives the value is one of the workspace`() async throws {
        let sortie = try workspace("http://127.0.0.1:9", login: "headers: {X: \"{{nothing}}\"}\n", Self.orders)
        let run = try await sortie.run("send", "api/orders")
        #expect(run.failed(3, "workspace") && run.errorOutput.contains("the value of api/login cannot be requested"), "\(run)")
    }

    @Test(arguments: [(401, "$.token"), (500, "$.token"), (200, "$.missing")])
    func `a response without the value is an error that names its endpoint, and nothing else is sent`(status: Int, path: String) async throws {
        let server = try server(status: status)
        let sortie = try workspace(server.url, login: "", Self.orders)
        try sortie.write("api/login.yaml", "path: /login\ncapture: {token: \(path)}\n")
        let run = try await sortie.run("send", "api/orders")
        #expect(run.failed(1, "expectation") && run.errorOutput.contains("the response of api/login has no value to use"), "\(run)")
        #expect(server.requests.map(\.target) == ["/login"])
    }

    @Test(arguments: [200, 401])
    func `captured values of a response that fails are masked in the history`(status: Int) async throws {
        let server = try ScriptedServer { _ in
            var answer = HTTPAnswer.json(#"{"note": "plain-value-77777"}"#)
            answer.status = status
            return answer
        }
        let sortie = try workspace(server.url, Self.orders)
        try sortie.write("api/login.yaml", "path: /login\ncapture: {sess: $.note, token: $.missing}\n")
        #expect(try await sortie.run("send", "api/orders").status != .exited(0))
        let shown = try await sortie.run("history", "show", "last")
        #expect(shown.output.contains(#""note""#) && !shown.output.contains("plain-value"), "\(shown)")
    }

    @Test func `endpoints that need values of each other are an error`() async throws {
        let server = try server()
        let sortie = try workspace(server.url, login: "headers: {X: \"{{orders.id}}\"}\n", Self.orders + "capture: {id: $.id}\n")
        let run = try await sortie.run("send", "api/orders")
        #expect(run.status != .exited(0) && run.errorOutput.contains("need values of each other"), "\(run)")
        #expect(server.requests.isEmpty)
    }

    @Test func `a dry run sends nothing, and a variable takes the place of the value`() async throws {
        let server = try server()
        let sortie = try workspace(server.url, Self.orders)
        let refused = try await sortie.run("send", "api/orders", "--dry-run")
        #expect(refused.status != .exited(0) && refused.errorOutput.contains("which is not sent for a preview"), "\(refused)")
        let given = try await sortie.run("send", "api/orders", "--dry-run", "--var", "login.token=abc")
        #expect(given.status == .exited(0), "\(given)")
        #expect(server.requests.isEmpty)
    }

    @Test func `without permission no secret is sent for the value`() async throws {
        let server = try server()
        let sortie = try workspace(server.url, login: "auth: {bearer: \"{{$env.HOME}}\"}\n", permitsOwn: false, Self.orders)
        let run = try await sortie.run("send", "api/orders")
        #expect(run.status != .exited(0) && run.errorOutput.contains("permit"), "\(run)")
        #expect(server.requests.isEmpty)
    }
}
