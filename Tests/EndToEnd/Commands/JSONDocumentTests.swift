import Foundation
import Support
import Testing

/// The reference of `--json` in the guide.
@Suite(.serialized) struct JSONDocumentTests {
    /// A command, the section of its output, and its arguments.
    private static let commands: [(section: String, arguments: [String])] = [
        ("exchange", ["send", "shop/orders/list", "-w", "DEMO", "--var", "port=PORT", "--trust"]),
        ("exchange", ["send", "shop/orders/list", "-w", "DEMO", "--var", "port=PORT", "--trust", "-o", "body.json"]),
        ("exchange", ["send", "shop/me", "-w", "DEMO", "--var", "port=PORT", "--trust"]),
        ("exchange", ["send", "http://127.0.0.1:1/"]),
        ("exchange", ["send", "URL/echo", "-d", "text"]),
        ("exchange", ["download", "URL/files/big.bin?size=1kB", "-o", "big.bin"]),
        ("exchange", ["upload", "URL/upload", "file.txt"]),
        ("run", ["run", "checkout", "-w", "DEMO", "--var", "port=PORT", "--trust"]),
        ("run", ["run", "expectations", "-w", "DEMO", "--var", "port=PORT", "--trust"]),
        ("run", ["run", "checkout", "-w", "DEMO", "--var", "port=PORT", "--trust", "--diff"]),
        ("bench", ["bench", "shop/orders/list", "-n", "4", "-w", "DEMO", "--var", "port=PORT", "--trust"]),
        ("bench", ["bench", "URL/status/500", "-n", "2", "--rate", "1000"]),
        ("list", ["list", "-w", "DEMO"]),
        ("check", ["check", "bad"]),
        ("trust", ["trust", "--list", "DEMO"]),
        ("dry run", ["send", "shop/orders/list", "-w", "DEMO", "--var", "port=PORT", "--trust", "--dry-run"]),
        ("[] history", ["history", "list"]),
        ("exchange", ["history", "show", "1"]),
        ("comparison", ["history", "diff", "1", "3"]),
        ("exchange", ["send", "echo/hook", "-w", "DEMO", "--var", "port=PORT", "--trust"]),
        ("exchange", ["history", "show", "last"]),
        ("exchange", ["send", "behaviour/cache/disk", "-w", "DEMO", "--var", "port=PORT", "--trust"]),
        ("[] cache", ["cache", "list", "-w", "DEMO"]),
        ("removed", ["cache", "clear", "-w", "DEMO"]),
        ("[] secrets", ["secret", "list", "-w", "DEMO"]),
        ("[] tokens", ["token", "list"]),
        ("token", ["token", "get", "account/oauth2", "-w", "DEMO", "--var", "port=PORT", "--trust"]),
        ("discarded", ["download", "--discard-parts"]),
        ("prune", ["history", "prune", "--keep", "1"]),
    ]

    @Test func `the reference has the keys and types of what the commands print`() async throws {
        let demo = try await DemoProcess.shared
        let sortie = try Sortie()
        try sortie.write("file.txt", "text")
        try sortie.write("bad/workspace.yaml", "name: Bad\n")
        try sortie.write("bad/api/service.yaml", "servers: {a: [\"https://x.example\"]}\ntrust: {insecure: true}\nunknown: 1\n")
        let token = """
            {"version": 1, "tokens": [{"workspace": "/w", "environment": "dev", "grant": "deviceCode", "tokenURL": "https://a.example/token", \
            "clientID": "app", "scope": "read", "accessToken": "t", "issuedAt": 1795472482.5, "expiresAt": 1795472542}]}
            """
        let tokens = try sortie.home.write("state/sortie/tokens", Array(token.utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: tokens)
        let port = demo.authority.split(separator: ":").last.map(String.init) ?? ""
        let workspace = try Sortie.demoWorkspace
        var check = JSONReferenceCheck()
        for command in Self.commands {
            let arguments = command.arguments.map {
                $0.replacing("DEMO", with: workspace).replacing("PORT", with: port).replacing("URL", with: demo.url)
            }
            let run = try await sortie.run(arguments + ["--json"])
            let output = Data(run.outputBytes)
            #expect(!output.isEmpty, "\(run)")
            guard command.section.hasPrefix("[] ") else {
                try check.check(output, as: command.section)
                continue
            }
            let elements = try JSONSerialization.jsonObject(with: output) as? [Any] ?? []
            #expect(!elements.isEmpty)
            for element in elements {
                try check.check(try JSONSerialization.data(withJSONObject: element), as: String(command.section.dropFirst(3)))
            }
        }
        #expect(check.problems.sorted() == [])
        let described = JSONReference.sections.flatMap { section in section.keys.filter { !$0.isRare }.map { "\(section.name) \($0.path)" } }
        let unseen = described.filter { !check.seen.contains($0) && !$0.hasPrefix("certificate ") }
        #expect(unseen == [])
    }

    @Test func `the guide has the reference`() throws {
        let document = GeneratedDocument("Sources/sortie/Documentation.docc/JSON.md")
        let problem = try document.problem(comparedWith: JSONReference.markdown, suite: "JSONDocumentTests")
        #expect(problem == nil)
    }
}
