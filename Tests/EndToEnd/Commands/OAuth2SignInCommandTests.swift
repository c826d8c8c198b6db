import Foundation
import Support
import Testing

/// Tests sign-ins of commands and of the workbench, with the pages of the demo.
@Suite(.serialized)
struct OAuth2SignInCommandTests {
    private func workspace(_ host: String, grant: String, in sortie: Sortie, folder: String = "ws") throws {
        try sortie.write("\(folder)/workspace.yaml", "name: W\nenvironments: {dev: {}}\n")
        try sortie.write("\(folder)/api/service.yaml", "name: Api\nservers: {dev: [\"http://\(host)\"]}\n")
        let auth = """
            {oauth2: {grant: \(grant), authorizationURL: "http://\(host)/oauth2/authorize", deviceURL: "http://\(host)/oauth2/device", \
            tokenURL: "http://\(host)/oauth2/token", clientID: demo}}
            """
        let fitting = grant == "deviceCode" ? auth.replacing("authorizationURL: \"http://\(host)/oauth2/authorize\", ", with: "") : auth
        try sortie.write("\(folder)/api/me.yaml", "name: Me\npath: /me\nauth: \(fitting)\n")
    }

    /// Opens a page as a browser does, and returns its text.
    private func open(_ page: String) async throws -> String {
        try await ProcessRun.run("/usr/bin/curl", ["-sSL", "--max-time", "60", page]).output
    }

    /// Runs `sortie token get` for `ws/api/me` while a browser decides on the page; the output is that of the command after what the pages say.
    private func signIn(_ decision: String, in sortie: Sortie) async throws -> ProcessRun {
        try await sortie.shell(
            #"""
            "$SORTIE" token get api/me -w ws > out 2> err & pid=$!
            until grep -q 'waiting for the sign-in' err; do kill -0 $pid || break; sleep 0.05; done
            page=$(grep -o 'http://[^ ,]*' err | head -1)
            code=$(grep -oE '[A-Z]{4}-[A-Z]{4}' err | head -1)
            test -n "$code" && page="$page?user_code=$code"
            curl -sS --max-time 60 "$page"
            curl -sSL --max-time 60 "$page&decision=\#(decision)"
            wait $pid; status=$?
            cat out; cat err >&2
            exit $status
            """#, within: Sortie.patience)
    }

    @Test(arguments: ["authorizationCode", "deviceCode"])
    func `a token is got once, stored, listed without its value, used by send, and forgotten`(grant: String) async throws {
        let demo = try await DemoProcess.shared
        let sortie = try Sortie()
        try workspace(demo.authority, grant: grant, in: sortie)
        let refused = try await sortie.run("send", "api/me", "-w", "ws")
        #expect(!refused.succeeded && refused.errorOutput.contains("sortie token get"), "\(refused)")

        let token = try await signIn("permit", in: sortie)
        #expect(token.succeeded && token.output.contains("\ndemo-"), "\(token)")
        let end = grant == "deviceCode" ? "Return to the program" : "This page can be closed"
        #expect(token.output.contains("Permit") && token.output.contains(end), "\(token)")

        let list = try await sortie.run("token", "list")
        #expect(list.output.contains("http://\(demo.authority)/oauth2/token") && list.output.contains("expires in"), "\(list)")
        #expect(!list.output.contains("demo-"))
        let sent = try await sortie.run("send", "api/me", "-w", "ws", "-v")
        #expect(sent.succeeded && !sent.description.contains("demo-"), "\(sent)")
        let mode = try FileManager.default.attributesOfItem(atPath: sortie.home.path("state/sortie/tokens"))[.posixPermissions] as? Int
        #expect(mode == 0o600)

        let forgotten = try await sortie.run("token", "forget", "--all")
        #expect(forgotten.succeeded && forgotten.errorOutput.contains("removed 1 access token"), "\(forgotten)")
        let again = try await sortie.run("send", "api/me", "-w", "ws")
        #expect(!again.succeeded)
    }

    @Test func `another workspace does not use the token`() async throws {
        let demo = try await DemoProcess.shared
        let sortie = try Sortie()
        try workspace(demo.authority, grant: "deviceCode", in: sortie)
        try workspace(demo.authority, grant: "deviceCode", in: sortie, folder: "other")
        let token = try await signIn("permit", in: sortie)
        #expect(token.succeeded, "\(token)")
        let own = try await sortie.run("send", "api/me", "-w", "ws")
        #expect(own.succeeded, "\(own)")
        let other = try await sortie.run("send", "api/me", "-w", "other")
        #expect(!other.succeeded && other.errorOutput.contains("a user must sign in"), "\(other)")
    }

    @Test(arguments: ["authorizationCode", "deviceCode"])
    func `a refusal on the page is an error with its code`(grant: String) async throws {
        let demo = try await DemoProcess.shared
        let sortie = try Sortie()
        try workspace(demo.authority, grant: grant, in: sortie)
        let run = try await signIn("deny", in: sortie)
        #expect(!run.succeeded && run.errorOutput.contains("access_denied"), "\(run)")
    }

    @Test func `permission is needed to send the tokens of a sign-in to another origin`() async throws {
        let demo = try await DemoProcess.shared
        let sortie = try Sortie(permitsOwn: false)
        try workspace(demo.authority, grant: "deviceCode", in: sortie)
        try sortie.write("ws/api/service.yaml", "name: Api\nservers: {dev: [\"http://127.0.0.1:1\"]}\n")
        let run = try await sortie.run("send", "api/me", "-w", "ws")
        #expect(run.status == .exited(3), "\(run)")
        #expect(run.errorOutput.contains("send access tokens of http://\(demo.authority) to http://127.0.0.1:1"), "\(run)")
    }

    @Test func `forget requires a choice`() async throws {
        let sortie = try Sortie()
        #expect(try await sortie.run("token", "forget").status == .exited(2))
        let run = try await sortie.run("token", "forget", "http://none.example/")
        #expect(!run.succeeded && run.errorOutput.contains("no such token is stored"), "\(run)")
        #expect(try await sortie.run("token", "list", "--json").output == "[]\n")
    }

    @Test(arguments: Bench.sizes) func `the workbench shows the code, and sends the request after it was entered`(size: Bench.Size) async throws {
        let demo = try await DemoProcess.shared
        let sortie = try Sortie()
        try workspace(demo.authority, grant: "deviceCode", in: sortie)
        let bench = Bench(terminal: try await sortie.open("ws", size: (size.columns, size.rows)), sortie: sortie)
        try await bench.see("Services", "Me")
        bench.send("Me")
        try await bench.see("Sign in", "and enter the code", "/oauth2/enter", "waits for at most 10 minutes")
        let code = try #require(
            bench.terminal.display.text.split(whereSeparator: \.isWhitespace).first { $0.count == 9 && $0.dropFirst(4).first == "-" })
        bench.press(.escape)
        try await bench.seeNoMore("and enter the code")
        try await bench.see("waits for a sign-in")
        let page = try await open("http://\(demo.authority)/oauth2/enter?user_code=\(String(code))&decision=permit")
        try #require(page.contains("Done"), "\(code): \(page)")
        try await bench.see("200 OK")
        try await bench.seeNoMore("waits for a sign-in")
        try await bench.quit()
    }

    @Test func `a sign-in is cancelled with its request`() async throws {
        let demo = try await DemoProcess.shared
        let sortie = try Sortie()
        try workspace(demo.authority, grant: "authorizationCode", in: sortie)
        let bench = Bench(terminal: try await sortie.open("ws"), sortie: sortie)
        try await bench.see("Services", "Me")
        bench.send("Me")
        try await bench.see("Sign in", "/oauth2/authorize")
        bench.terminal.type("x")
        try await bench.seeNoMore("/oauth2/authorize")
        try await bench.see("cancelled")
        try await bench.quit()
    }
}
