import Foundation
import Support
import Testing

/// Tests `sortie init` and the copy of the embedded demo.
@Suite(.serialized)
struct InitCommandTests {
    @Test func `init creates a workspace without problems, whose endpoint can be sent`() async throws {
        let sortie = try Sortie()
        let run = try await sortie.run("init", "shop api")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.split(separator: "\n").map { FilePathName.last(String($0)) } == ["service.yaml", "orders.yaml", "workspace.yaml"])
        let check = try await sortie.run("check", "shop api")
        #expect(check.status == .exited(0), "\(check)")
        #expect(check.outputBytes.isEmpty)
        let server = try ScriptedServer { .ok("got \($0.target)") }
        let sent = try await sortie.run("send", "api/orders", "-w", "shop api", "--var", "host=\(server.authority)")
        #expect(sent.output == "got /orders?page=1&size=20", "\(sent)")
        #expect(String(decoding: try sortie.read("shop api/workspace.yaml"), as: UTF8.self).contains("name: shop api\n"))
    }

    @Test func `init without a folder uses the current one`() async throws {
        let sortie = try Sortie()
        #expect(try await sortie.run("init").status == .exited(0))
        #expect(try await sortie.run("list").output.contains("api/orders"))
    }

    @Test(arguments: ["workspace.yaml", "api/service.yaml", "api/orders.yaml"])
    func `init replaces nothing, and writes nothing beside an existing file`(file: String) async throws {
        let sortie = try Sortie()
        try sortie.write("ws/\(file)", "mine")
        let run = try await sortie.run("init", "ws")
        #expect(run.status == .exited(3), "\(run)")
        #expect(run.errorOutput.contains(file) && run.errorOutput.contains("already exists"))
        #expect(try FileManager.default.subpathsOfDirectory(atPath: "\(sortie.work)/ws").filter { $0.hasSuffix(".yaml") } == [file])
        #expect(try sortie.read("ws/\(file)") == Array("mine".utf8))
    }

    @Test func `init in a folder that cannot be created says so`() async throws {
        let sortie = try Sortie()
        try sortie.write("occupied", "a file")
        let run = try await sortie.run("init", "occupied/ws")
        #expect(run.status == .exited(3), "\(run)")
        #expect(run.errorOutput.contains("cannot be created"))
    }

    @Test func `init leaves nothing where a file cannot be written`() async throws {
        let run = try await Sortie().shell("(trap '' XFSZ; ulimit -f 1; \"$SORTIE\" init a/ws); echo $?; find .")
        #expect(run.output == "3\n.\n", "\(run)")
        #expect(run.errorOutput.contains("/a/ws/") && !run.errorOutput.contains(".sortie-new"), "\(run)")
    }

    @Test func `init and import write to a protected location with --force`() async throws {
        let sortie = try Sortie()
        try sortie.write("c.sh", "curl http://127.0.0.1:9/a")
        for command in ["init .git/a", "import c.sh -o .git/b"].map({ $0.components(separatedBy: " ") }) {
            #expect(try await sortie.run(command).failed(3, "protected"))
            let forced = try await sortie.run(command + ["--force"])
            #expect(forced.status == .exited(0), "\(forced)")
        }
    }

    @Test func `nothing is written where the working directory was removed`() async throws {
        let server = try ScriptedServer(answering: .ok("body"))
        let run = try await Sortie().shell(
            """
            W=$PWD; mkdir gone; cd gone; rmdir ../gone
            for c in init "send \(server.url)/ -o sortie-out" "download \(server.url)/ -o sortie-out" list; do "$SORTIE" $c 2>&1; echo $?; done
            "$SORTIE" send \(server.url)/; cd "$W"; test -e "gone (deleted)" || echo kept
            """)
        #expect(run.output.contains("sortie: workspace: the working directory was removed\n"), "\(run)")
        #expect(run.output.split(separator: "\n").filter { $0 == "3" }.count == 4, "\(run)")
        #expect(run.output.hasSuffix("bodykept\n"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: "/sortie-out"))
    }

    @Test func `init in a protected location needs --force`() async throws {
        let sortie = try Sortie()
        let folder = sortie.home.path(".config/mine")
        let refused = try await sortie.run("init", folder)
        #expect(refused.status == .exited(3), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(try await sortie.run("init", folder, "--force").status == .exited(0))
    }

    @Test func `sortie demo runs in any folder, and keeps an edited file`() async throws {
        let sortie = try Sortie()
        let copy = sortie.home.path(".local/share/sortie/demo")
        let bench = Bench(terminal: try await sortie.open("demo"), sortie: sortie)
        try await bench.see("Services", "Shop")
        try await bench.quit()
        let shipped = try FileManager.default.subpathsOfDirectory(atPath: Sortie.demoWorkspace).sorted()
        #expect(try FileManager.default.subpathsOfDirectory(atPath: copy).filter { $0 != ".sortie-demo" }.sorted() == shipped)
        let check = try await sortie.run("check", copy)
        #expect(check.status == .exited(0), "\(check)")

        try sortie.home.write(".local/share/sortie/demo/shop/orders/list.yaml", "name: Mine now\npath: /mine\n")
        let again = Bench(terminal: try await sortie.open("demo"), sortie: sortie)
        try await again.see("Mine now")
        try await again.quit()
    }
}

private enum FilePathName {
    static func last(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }
}
