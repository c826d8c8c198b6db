import Foundation
import Support
import Testing

/// Tests the location of a command's state, and state files that are damaged or not private.
@Suite(.serialized)
struct StateFileTests {
    private let sortie: Sortie
    private let server: ScriptedServer

    init() throws {
        sortie = try Sortie()
        server = try ScriptedServer(answering: .ok("body"))
    }

    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: sortie.home.path(name)) }

    @Test(arguments: ["", "state", "./state", "~/state"]) func `a relative path in a variable is ignored and the home folder is used`(_ value: String)
        async throws
    {
        let run = try await sortie.run("send", server.url, environment: ["XDG_STATE_HOME": value, "XDG_CACHE_HOME": value])
        #expect(run.succeeded, "\(run)")
        #expect(exists(".local/state/sortie/history.sqlite") && !exists("work/state") && !exists("work/~"))
    }

    @Test(arguments: ["", "home"]) func `a relative home folder is never resolved in the current folder`(_ value: String) async throws {
        let run = try await sortie.run(
            "send", server.url, "-o", "~/x-none/y", "--no-history", environment: ["HOME": value, "XDG_STATE_HOME": sortie.home.path("s")])
        #expect(run.status == .exited(3), "\(run)")
        #expect(!exists("work/home") && !exists("work/~") && !exists("work/x-none"))
    }

    @Test func `a world-writable state folder is rejected with the remedy, and the request is sent`() async throws {
        try FileManager.default.createDirectory(atPath: sortie.home.path("state/sortie"), withIntermediateDirectories: true)
        chmod(sortie.home.path("state/sortie"), 0o777)
        let run = try await sortie.run("send", server.url)
        #expect(run.output == "body" && run.errorOutput.contains("every user can write to it"), "\(run)")
        #expect(run.errorOutput.contains("XDG_STATE_HOME"), "\(run)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: sortie.home.path("state/sortie")).isEmpty)
        try sortie.write("ws/workspace.yaml", "name: W\nsecrets: {a: {command: id}}\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/get.yaml", "name: Get\npath: \"\(server.url)/{{a}}\"\n")
        chmod(sortie.home.path("state/sortie"), 0o700)
        #expect(try await sortie.run("send", "api/get", "-w", "ws").succeeded, "the permission is stored")
        chmod(sortie.home.path("state/sortie"), 0o777)
        let asking = try await sortie.run("send", "api/get", "-w", "ws")
        #expect(asking.status == .exited(3) && asking.errorOutput.contains("every user can write to it"), "\(asking)")
    }

    // MARK: A full disk

    /// The limit of a file's size stands for a full disk: writing the history's log fails, and reading it does not.
    @Test(arguments: ["send URL", "send URL --json", "download URL -o file"])
    func `an exchange that cannot be stored is a warning of the command, and the exchange succeeds`(command: String) async throws {
        #expect(try await sortie.run("send", server.url).succeeded)
        let line = command.replacing("URL", with: server.url)
        let run = try await sortie.shell("trap '' XFSZ; ulimit -f 2; \"$SORTIE\" \(line)")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.errorOutput.contains("sortie: warning: ") && run.errorOutput.contains("history.sqlite"), "\(run)")
    }

    // MARK: Workspaces that others can change

    @Test func `check reports files of a workspace that other users can change`() async throws {
        try sortie.write("ws/workspace.yaml", "name: W\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/get.yaml", "name: Get\npath: \"\(server.url)/\"\n")
        try sortie.write("ws/runs/rows.yaml", "batch: [{send: api/get}]\ndata: rows.csv\n")
        try sortie.write("ws/runs/rows.csv", "a\n1\n")
        let sound = try await sortie.run("check", "ws")
        #expect(sound.succeeded && sound.errorOutput.isEmpty, "\(sound)")
        for (name, mode) in [("workspace.yaml", 0o666), ("api/get.yaml", 0o646), ("runs/rows.csv", 0o602), ("api", 0o777)] as [(String, mode_t)] {
            let path = "\(sortie.work)/ws/\(name)"
            let before = try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
            chmod(path, mode)
            let run = try await sortie.run("check", "ws")
            #expect(run.succeeded && run.errorOutput.contains("every user of this machine can change \(path)"), "\(run)")
            #expect(run.errorLines.count == 1 && run.errorOutput.hasPrefix("sortie: warning: "), "\(run)")
            chmod(path, mode_t(before))
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file to another group"))
    func `check reports files that another group or user can change`() async throws {
        try sortie.write("ws/workspace.yaml", "name: W\n")
        let path = sortie.work + "/ws/workspace.yaml"
        chmod(path, 0o664)
        #expect(try await sortie.run("check", "ws").errorOutput.isEmpty, "the user's own group")
        chown(path, 0, 12_345)
        #expect(try await sortie.run("check", "ws").errorOutput.contains("the group 12345 can change"))
        chown(path, 65_534, 0)
        #expect(try await sortie.run("check", "ws").errorOutput.contains("belongs to the user"))
    }

    // MARK: Files that others can read

    @Test func `appending to a capture that others can read gives a warning`() async throws {
        for _ in 1...2 { #expect(try await sortie.run("send", server.url, "--capture", "all.har").errorOutput.isEmpty) }
        chmod(sortie.work + "/all.har", 0o644)
        let run = try await sortie.run("send", server.url, "--capture", "all.har")
        #expect(run.succeeded && run.errorOutput.contains("sortie: warning: other users of this machine can read all.har"), "\(run)")
        #expect(run.errorOutput.contains("chmod 600 all.har"))
        let export = try await sortie.run("history", "export", "--har", "all.har")
        #expect(export.errorOutput.contains("sortie: warning: other users of this machine can read"), "\(export)")
    }

    @Test func `a cookie file that others could read becomes private, with a warning`() async throws {
        try sortie.write("jar.txt", "127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb\n")
        chmod(sortie.work + "/jar.txt", 0o644)
        let run = try await sortie.run("send", server.url, "--cookies", "jar.txt")
        #expect(run.succeeded && run.errorLines.count == 1 && run.errorOutput.contains("could read the cookies in jar.txt"), "\(run)")
        #expect(try FileManager.default.attributesOfItem(atPath: sortie.work + "/jar.txt")[.posixPermissions] as? Int == 0o600)
        #expect(try await sortie.run("send", server.url, "--cookies", "jar.txt").errorOutput.isEmpty)
    }

    // MARK: A damaged history

    /// Changes rows of the history like another program.
    private func damage(_ sql: String) async throws {
        let script = "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.executescript(sys.argv[2]); d.commit()"
        let run = try await ProcessRun.run("/usr/bin/python3", ["-c", script, sortie.home.path("state/sortie/history.sqlite"), sql])
        try #require(run.succeeded, "\(run)")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "python3 changes the file"))
    func `damaged rows of the history are reported, removed, and do not hide other rows`() async throws {
        // In processes of their own: SQLite's locks do not protect the connections of this process from another program (sqlite.org/howtocorrupt.html, 2.2).
        for path in ["/one", "/two", "/three", "/four"] { _ = try await sortie.shell("\"$SORTIE\" send \(server.url)\(path)") }
        try await damage("UPDATE exchange SET startedAt = 'soon', url = x'ff' WHERE number = 2; UPDATE detail SET request = '{' WHERE number = 3")
        let list = try await sortie.run("history", "list")
        #expect(list.succeeded && list.output.contains("/one") && list.output.contains("/four") && list.output.contains("damaged"), "\(list)")
        #expect(list.errorOutput.contains("sortie: warning: number 2 cannot be read: the column startedAt"), "\(list)")
        for number in ["2", "3"] {
            let show = try await sortie.run("history", "show", number)
            #expect(show.status == .exited(3) && show.errorOutput.contains("number \(number) cannot be read"), "\(show)")
            #expect(show.errorOutput.contains("sortie history delete \(number)"), "\(show)")
            let replay = try await sortie.run("history", "replay", number)
            #expect(replay.status == .exited(3), "\(replay)")
        }
        #expect(try await sortie.run("history", "show", "1").output == "body")
        let export = try await sortie.run("history", "export", "--har", "-")
        #expect(export.succeeded && export.output.contains("/one") && export.output.contains("/four"), "\(export)")
        #expect(export.errorLines.filter { $0.hasPrefix("sortie: warning: ") }.count == 2, "\(export)")
        let deleted = try await sortie.run("history", "delete", "2", "3")
        #expect(deleted.succeeded, "\(deleted)")
        let rest = try await sortie.run("history", "list")
        #expect(rest.errorOutput.isEmpty && rest.output.split(separator: "\n").count == 2, "\(rest)")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "python3 changes the file"))
    func `an exchange with damaged parts is shown and replayed without them, with a warning`() async throws {
        _ = try await sortie.run("send", server.url + "/one")
        try await damage("UPDATE detail SET attempts = '{', origin = '[' WHERE number = 1")
        let show = try await sortie.run("history", "show", "1")
        #expect(show.succeeded && show.output == "body", "\(show)")
        #expect(show.errorOutput.contains("sortie: warning: number 1 is damaged in the history and used without: origin, attempts"), "\(show)")
        let replay = try await sortie.run("history", "replay", "1")
        #expect(replay.succeeded && replay.output == "body", "\(replay)")
        #expect(server.requests.map(\.target) == ["/one", "/one"])
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "python3 changes the file"))
    func `the History pane shows a damaged row among the others`() async throws {
        try sortie.write("ws/workspace.yaml", "name: W\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        for name in ["one", "two", "three"] {
            try sortie.write("ws/api/\(name).yaml", "name: \(name)\npath: \"\(server.url)/\(name)\"\n")
            _ = try await sortie.run("send", "api/\(name)", "-w", "ws")
        }
        // The list of a workspace contains only its own rows, and this one remains.
        try await damage("UPDATE exchange SET duration = 'long' WHERE number = 2")
        let bench = Bench(terminal: try await sortie.open("ws", size: (200, 50)), sortie: sortie)
        try await bench.see("Services", "Api")
        bench.terminal.type("H")
        try await bench.see("/one", "/three", "damaged: the column duration")
        try await bench.quit()
    }
}
