import Foundation
import Support
import Testing

/// Tests that the cookie jar of the workbench is stored across sessions and can be displayed (S3.11, S2.15).
@Suite(.serialized)
struct CookieKeepingTests {
    private func bench(_ server: ScriptedServer, _ sortie: Sortie) async throws -> Bench {
        try sortie.write("ws/workspace.yaml", "name: Trial\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/login.yaml", "name: Login\npath: \(server.url)/login\n")
        try sortie.write("ws/api/who.yaml", "name: Who\npath: \(server.url)/who\n")
        try sortie.write("ws/api/nobody.yaml", "name: Nobody\npath: \(server.url)/who\ncookies: false\n")
        let bench = Bench(terminal: try await sortie.open("ws", size: (100, 30)), sortie: sortie)
        try await bench.see("Services", "Api")
        return bench
    }

    @Test func `a cookie with an expiry is in the next program, a session cookie is not`() async throws {
        let server = try ScriptedServer { request in
            request.target == "/login"
                ? HTTPAnswer.ok("welcome").with("Set-Cookie", "sid=s3cret; Max-Age=3600").with("Set-Cookie", "tab=1")
                : .ok("you are \(request["Cookie"] ?? "nobody")")
        }
        let sortie = try Sortie()
        let first = try await bench(server, sortie)
        first.send("Login")
        try await first.see("welcome")
        // The cookies are stored when the request has ended.
        try await first.seeNoMore(" in flight")
        first.terminal.type("C")
        try await first.see("Cookies", "2 cookies", "sid", "tab", "••••")
        first.press(.escape)
        try await first.seeNoMore("2 cookies")
        try await first.quit()

        let second = try await bench(server, sortie)
        second.send("Nobody")
        try await second.see("you are nobody")
        second.send("Who")
        try await second.see("you are sid=s3cret")
        second.terminal.type("C")
        try await second.see("1 cookie", "sid")
        second.terminal.type("d")
        try await second.see("0 cookies")
        second.press(.escape)
        try await second.seeNoMore("0 cookies")
        second.send("Who")
        try await second.see("you are nobody")
        try await second.quit()
    }
}
