import Foundation
import Support
import Testing

/// Tests the tree of Services and the properties of endpoints on a terminal.
@Suite(.serialized)
struct ServicesTests {
    private static let files = [
        "api/login.yaml": "# the door\nname: Log in\npath: http://127.0.0.1:9/login   # closed\n",
        "api/orders/list.yaml": "name: List orders\ndescription: Orders by page.\ntags: [orders, smoke]\npath: http://127.0.0.1:9/orders\n",
        "api/orders/latest.yaml": "name: Latest order\npath: http://127.0.0.1:9/latest\n",
    ]

    private func text(_ file: String, _ bench: Bench) throws -> String { String(decoding: try bench.sortie.read("ws/\(file)"), as: UTF8.self) }

    @Test(arguments: Bench.sizes) func `a description, tags and a rule are set through the list of properties, and saved`(size: Bench.Size)
        async throws
    {
        let bench = try await Bench.open(Self.files, size)
        bench.choose("log")
        try await bench.see("Request  Log in")
        bench.terminal.type("2P")
        try await bench.see("Properties of Log in")
        bench.terminal.type("descr\r")
        try await bench.see("description:")
        bench.terminal.type("Opens a session.")
        bench.press(.control("c"))
        try await bench.see("edited", "Opens a session.")
        bench.terminal.type("P")
        try await bench.see("Properties of Log in")
        bench.terminal.type("tags\r")
        bench.press(.control("u"))
        bench.terminal.type("smoke, auth\r")
        try await bench.see("smoke, auth")
        bench.terminal.type("P")
        try await bench.see("Properties of Log in")
        bench.terminal.type("retry\r")
        try await bench.see("retry:")
        bench.terminal.type("limit: 200")
        try await bench.see("1:8: limit must be a whole number from 0 to 100")
        bench.press(.backspace)
        try await bench.seeNoMore("must be a whole number")
        bench.press(.escape)
        try await bench.seeNoMore("Esc Leave")
        bench.press(.control("s"))
        try await bench.see("Saved")
        #expect(
            try text("api/login.yaml", bench)
                == "# the door\nname: Log in\ndescription: Opens a session.\ntags: [smoke, auth]\npath: http://127.0.0.1:9/login   # closed\nretry: {limit: 20}\n"
        )
        let check = try await bench.sortie.run("check", "ws")
        #expect(check.status == .exited(0), "\(check)")
        let list = try await bench.sortie.run("list", "-w", "ws", "--tag", "smoke")
        #expect(list.output.contains("api/login") && list.output.contains("api/orders/list") && !list.output.contains("api/orders/latest"))
    }

    @Test func `files that differ from the last commit are marked, and a save refreshes the marks`() async throws {
        let sortie = try Sortie()
        for (name, text) in Self.files.merging(["workspace.yaml": "name: Trial\n", "api/service.yaml": "name: Api\n"], uniquingKeysWith: { $1 }) {
            try sortie.write("ws/\(name)", text)
        }
        let setup =
            "cd ws && git init -q && git symbolic-ref HEAD refs/heads/work && git add . && git -c user.name=A -c user.email=a@b.example commit -qm first"
        let made = try await sortie.shell(setup)
        #expect(made.succeeded, "\(made)")
        try sortie.write("ws/api/own.yaml", "name: Own\npath: http://127.0.0.1:9/own\n")
        let bench = Bench(terminal: try await sortie.open("ws", size: (120, 35)), sortie: sortie)
        try await bench.see("Services", "on work")
        try await bench.terminal.waitUntil("marks", within: Sortie.patience) { $0.text.contains(/Own +\?│/) && !$0.text.contains(/Log in +M│/) }
        bench.choose("log")
        bench.terminal.type("2p")
        bench.press(.end)
        bench.terminal.type("x")
        try await bench.see("edited")
        // Esc immediately followed by Ctrl-S would be read as Alt-Ctrl-S.
        bench.press(.control("c"), .control("s"))
        try await bench.see("Saved")
        bench.terminal.type("1")
        bench.press(.escape)
        try await bench.terminal.waitUntil("a mark of the saved file", within: Sortie.patience) { $0.text.contains(/Log in +M│/) }
        let commit = try await sortie.shell("cd ws && git -c user.name=A -c user.email=a@b.example commit -qam second")
        #expect(commit.succeeded, "\(commit)")
        try await bench.terminal.waitUntil("no mark after the commit", within: Sortie.patience) { !$0.text.contains(/Log in +M│/) }
    }

    @Test func `without permission for the workspace git is not run`() async throws {
        let sortie = try Sortie(permitsOwn: false)
        try sortie.write("ws/workspace.yaml", "name: Trial\nsecrets: {token: {env: HOME}}\n")
        try sortie.write("ws/api/service.yaml", "name: Api\nheaders: {X: \"{{token}}\"}\n")
        try sortie.write("ws/api/own.yaml", "name: Own\npath: http://127.0.0.1:9/own\n")
        let made = try await sortie.shell("cd ws && git init -q && git symbolic-ref HEAD refs/heads/work")
        #expect(made.succeeded, "\(made)")
        // A program of this name at the start of the path proves whether git runs.
        try sortie.write("bin/git", "#!/bin/sh\ntouch \"\(sortie.work)/ran\"\nexec /usr/bin/git \"$@\"\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(sortie.work)/bin/git")
        let path = ["PATH": "\(sortie.work)/bin:/usr/bin:/bin"]
        let first = Bench(terminal: try await sortie.open("ws", size: (120, 35), environment: path), sortie: sortie)
        try await first.see("Services", "Own")
        try sortie.write("ws/api/other.yaml", "name: Other\npath: http://127.0.0.1:9/other\n")
        try await first.see("Other")
        try await first.quit()
        #expect(!FileManager.default.fileExists(atPath: "\(sortie.work)/ran"))
        let trusted = try await sortie.run("trust", "ws", "--allow")
        #expect(trusted.succeeded, "\(trusted)")
        let second = Bench(terminal: try await sortie.open("ws", size: (120, 35), environment: path), sortie: sortie)
        try await second.see("on work")
        #expect(FileManager.default.fileExists(atPath: "\(sortie.work)/ran"))
    }

    @Test func `renaming the folder of a service renames it in the tree`() async throws {
        let bench = try await Bench.open(Self.files)
        bench.terminal.type("1g")
        bench.terminal.type("e")
        try await bench.see("Rename or move the service")
        bench.press(.control("u"))
        bench.terminal.type("gate\r")
        try await bench.see("▾ Gate")
        #expect(try text("gate/service.yaml", bench) == "name: Gate\n")
    }

    @Test func `a service is edited where it stands, its file keeps what was not changed, and undo restores it`() async throws {
        let before = "name: Api   # mine\nlimits: {requests: 4}   # few\n"
        let bench = try await Bench.open(["workspace.yaml": "name: Trial\nenvironments: {dev: {}}\n", "api/service.yaml": before])
        bench.terminal.type("1g\r")
        try await bench.see("service Api", "no server")
        bench.terminal.type("\rhttp://127.0.0.1:9\r")
        try await bench.see("Saved api/service.yaml", "in use")
        let after = try text("api/service.yaml", bench)
        #expect(after.hasPrefix("name: Api   # mine\n") && after.hasSuffix("limits: {requests: 4}   # few\n"), "\(after)")
        #expect(after.contains("servers: {dev: [http://127.0.0.1:9]}"), "\(after)")
        bench.terminal.type("u")
        try await bench.see("Undone", "no server")
        #expect(try text("api/service.yaml", bench) == before)
        try await bench.quit()
    }
}
