import Foundation
import Support
import Testing

/// Tests the modes of the files that Sortie writes for itself.
struct PrivateFilesTests {
    @Test(arguments: ["000", "022"]) func `files have mode 0600 and folders 0700 with every umask`(umask: String) async throws {
        let sortie = try Sortie()
        // The body is kept in a file beside the history.
        let server = try ScriptedServer(answering: .ok(String(repeating: "body", count: 5000), headers: [("Cache-Control", "max-age=600")]))
        for (name, text) in [
            "workspace.yaml": "name: W\nsecrets: {a: {command: echo value}}\n", "api/service.yaml": "name: Api\n",
            "api/get.yaml": "path: \(server.url)/\n", "api/secret.yaml": "path: \"\(server.url)/{{a}}\"\n",
            "api/cached.yaml": "path: \(server.url)/cached\ncache: {for: 5m, on: disk}\n",
            "runs/failing.yaml": "chain: [{send: api/get}, {send: api/cached, expect: {status: 404}}]\n",
        ] { try sortie.write("ws/\(name)", text) }
        let run = try await sortie.shell(
            """
            umask \(umask); set -e
            "$SORTIE" send \(server.url) --cookies jar --capture capture.har
            "$SORTIE" send api/cached -w ws
            "$SORTIE" trust --allow ws
            printf value | "$SORTIE" secret set name
            "$SORTIE" run failing -w ws || true
            """)
        #expect(run.succeeded, "\(run)")
        let terminal = try await sortie.openShell("umask \(umask); exec \"$SORTIE\" ws")
        let bench = Bench(terminal: terminal, sortie: sortie)
        try await bench.see("Services", "Request", "Response", "Api")
        bench.press(.control("q"))
        _ = try await terminal.exitStatus(within: Sortie.patience)

        let modes = try ["state", "cache", "config", ".local"].reduce(into: [String: String]()) { modes, folder in
            guard FileManager.default.fileExists(atPath: sortie.home.path(folder)) else { return }
            for path in try [folder] + FileManager.default.subpathsOfDirectory(atPath: sortie.home.path(folder)).map({ "\(folder)/\($0)" }) {
                modes[path] = try Self.mode(sortie.home.path(path))
            }
        }
        for name in ["history.sqlite", "bodies/", "runs/", "trust", "secrets", "workspaces"] {
            #expect(modes.keys.contains { $0.hasPrefix("state/sortie/\(name)") }, "\(name) is in \(modes.keys.sorted())")
        }
        #expect(modes.keys.contains { $0.hasPrefix("cache/sortie/responses/") })
        #expect(modes.filter { $0.value != "folder 700" && $0.value != "file 600" } == [:])
        #expect(try [Self.mode("\(sortie.work)/jar"), Self.mode("\(sortie.work)/capture.har")] == ["file 600", "file 600"])
    }

    private static func mode(_ path: String) throws -> String {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let kind = attributes[.type] as? FileAttributeType == .typeDirectory ? "folder" : "file"
        return try "\(kind) \(String(#require(attributes[.posixPermissions] as? Int), radix: 8))"
    }
}
