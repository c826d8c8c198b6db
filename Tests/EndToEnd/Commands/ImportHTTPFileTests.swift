import Foundation
import Support
import Testing

/// Tests `sortie import` and `sortie export --as http` of `.http` files with the program.
struct ImportHTTPFileTests {
    private let sortie: Sortie

    init() throws {
        sortie = try Sortie()
    }

    private func text(_ file: String) throws -> String { String(decoding: try sortie.read(file), as: UTF8.self) }

    @Test func `a file becomes a workspace that passes check, sends the same requests, and is updated by the next import`() async throws {
        let server = try ScriptedServer { request in
            request.target == "/login" ? .json("{\"data\": {\"token\": \"t1\"}}") : .ok("got \(request.method) \(request.target) \(request.bodyText)")
        }
        try sortie.write("http-client.env.json", "{\"dev\": {\"host\": \"\(server.url)\"}}")
        let content = """
            ### login
            POST {{host}}/login
            Content-Type: application/json

            {"user": "me"}

            ### orders
            GET {{host}}/orders?page=2
            Authorization: Bearer {{login.response.body.$.data.token}}

            > {% x("y") %}
            """
        try sortie.write("api.http", content + "\n")
        let run = try await sortie.run("import", "api.http", "-o", "ws")
        #expect(run.status == .exited(0), "\(run)")
        #expect(
            run.output.contains("imported: login → api/login") && run.output.contains("a statement of the script (response handler) is not run"),
            "\(run)")
        let check = try await sortie.run("check", "ws")
        #expect(check.status == .exited(0), "\(check)")
        let sent = try await sortie.run("send", "api/login", "-w", "ws")
        #expect(sent.status == .exited(0) && server.requests.last?.bodyText.contains("\"user\"") == true, "\(sent)")
        let flow = try await sortie.run("run", "api", "-w", "ws")
        #expect(flow.status == .exited(0), "\(flow)")
        #expect(server.requests.last?.target == "/orders?page=2" && server.requests.last?["Authorization"] == "Bearer t1")
        try sortie.write("api.http", content.replacing("page=2", with: "page=3") + "\n")
        let again = try await sortie.run("import", "api.http", "-o", "ws")
        #expect(again.status == .exited(0), "\(again)")
        #expect(try text("ws/api/orders.yaml").contains("page: \"3\"") || text("ws/api/orders.yaml").contains("page: 3"))
    }

    @Test func `malformed files write nothing`() async throws {
        try sortie.write("api.http", "GET http://h/\n\n> {%\n")
        let run = try await sortie.run("import", "api.http", "-o", "ws")
        #expect(run.status == .exited(3) && run.errorOutput.contains("api.http:3:1: nothing can be imported"), "\(run)")
        #expect(run.errorOutput.contains("this script does not end"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: "\(sortie.work)/ws"))
    }
}
