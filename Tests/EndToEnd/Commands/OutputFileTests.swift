import Glibc
import Support
import Testing

/// Tests that every command writes a file that the user named in the same way, see `OutputFile`.
@Suite struct OutputFileTests {
    /// The commands that write to `out` at once.
    static let writers = [
        "send api/get -o out", "history show last -o out", "export api/get --as curl -o out", "import c.sh -o imported --report out",
        "run all --junit out",
    ]
    /// The commands that write to `out`.
    static let commands = writers + ["download api/get -o out"]

    /// A workspace in the working folder, with an exchange in its history.
    private func sortie(_ server: ScriptedServer) async throws -> Sortie {
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: Files\n")
        try sortie.write("api/service.yaml", "name: Api\n")
        try sortie.write("api/get.yaml", "path: \(server.url)/\n")
        try sortie.write("runs/all.yaml", "batch:\n  - send: api/get\n")
        try sortie.write("c.sh", "curl \(server.url)/\n")
        #expect(try await sortie.run("send", "api/get").succeeded)
        return sortie
    }

    @Test(arguments: writers) func `a pipe is written to and stays`(command: String) async throws {
        let server = try ScriptedServer(answering: .ok("body"))
        let run = try await sortie(server).shell(
            "mkfifo out; exec 3<>out; \"$SORTIE\" \(command) > log 2>&1; echo $?; timeout 60 head -c1 <&3 > got; test -p out && test -s got && echo kept"
        )
        #expect(run.output == "0\nkept\n", "\(run)")
    }

    @Test(arguments: [["send", "-o"], ["send", "--cookies"], ["send", "--capture"], ["download", "-o"]])
    func `a missing folder is reported before anything is sent, with the command that creates it`(words: [String]) async throws {
        let server = try ScriptedServer(answering: .ok("body"))
        let run = try await Sortie().run(words[0], server.url, words[1], "no dir/x")
        #expect(run.failed(3, "file") && run.errorOutput.contains("mkdir -p 'no dir'"), "\(run)")
        #expect(server.requests.isEmpty)
    }

    @Test func `a loop of links is refused and stays`() async throws {
        let server = try ScriptedServer(answering: .ok("body"))
        let run = try await Sortie().shell(
            "ln -s b a; ln -s a b; \"$SORTIE\" send \(server.url)/ -o a 2>&1; echo $?; test -h a && test -h b && echo kept")
        #expect(run.output.hasSuffix("3\nkept\n") && run.output.contains("a link that leads back to itself"), "\(run)")
    }

    @Test func `a signal ends the wait for the reader of a pipe`() async throws {
        let server = try ScriptedServer(answering: .ok("body"))
        let sortie = try Sortie()
        #expect(mkfifo("\(sortie.work)/out", 0o600) == 0)
        let terminal = try await sortie.open("send", server.url + "/", "-o", "out")
        _ = try await server.waitForRequests(1, within: Sortie.patience)
        terminal.signal(SIGTERM)
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(130), "\(terminal.screen)")
    }

    @Test(arguments: ["", "exec 3<>out;"]) func `the time limit ends the wait for the reader of a pipe`(opening: String) async throws {
        // More than a pipe holds without a reader.
        let server = try ScriptedServer(answering: .ok(String(repeating: "body", count: 100_000)))
        let run = try await Sortie().shell(
            "mkfifo out; \(opening) \"$SORTIE\" send \(server.url)/ -o out --timeout 5; echo $?; test -p out && echo kept")
        #expect(run.output == "4\nkept\n", "\(run)")
        #expect(run.errorOutput.contains("timedOut") && run.errorOutput.contains("within the time limit"), "\(run)")
    }

    @Test func `a slow reader of a pipe gets the whole body`() async throws {
        let server = try ScriptedServer(answering: .ok(String(repeating: "body", count: 100_000)))
        let run = try await Sortie().shell(
            "mkfifo out; (dd bs=1000 count=50 <&3 2>/dev/null; cat <&3) 3<out | wc -c & \"$SORTIE\" send \(server.url)/ -o out; echo $?; wait")
        #expect(run.output.split(whereSeparator: \.isWhitespace).sorted() == ["0", "400000"], "\(run)")
    }

    @Test(arguments: ["--cacert", "--cert", "--proxy-cacert"]) func `a pipe in place of a certificate is refused`(option: String) async throws {
        let run = try await Sortie().shell(
            "mkfifo pipe; \"$SORTIE\" send https://localhost:1/ --proxy https://localhost:1 \(option) pipe; echo $?")
        #expect(run.output == "3\n", "\(run)")
        #expect(run.errorOutput.contains("pipe is not a regular file"), "\(run)")
    }

    @Test func `a pipe in place of a source of an import is refused`() async throws {
        let run = try await Sortie().shell("mkfifo pipe; \"$SORTIE\" import pipe -o new; echo $?")
        #expect(run.output == "3\n", "\(run)")
        #expect(run.errorOutput.contains("this is not a file"), "\(run)")
    }

    @Test func `a download is written to a pipe, which stays, and one with an error is not`() async throws {
        let server = try ScriptedServer { $0.target == "/" ? .ok("body") : .status(404, "no") }
        let folders = "export TMPDIR=$PWD/temporary; mkdir temporary; mkfifo out; exec 3<>out;"
        let run = try await sortie(server).shell(
            "\(folders) \"$SORTIE\" download api/get -o out -v; echo $?; timeout 60 head -c4 <&3; test -p out && echo \" kept\"; ls -A . temporary")
        #expect(run.output.hasPrefix("0\nbody kept\n") && !run.output.contains(".part") && !run.output.contains("sortie-"), "\(run)")
        #expect(run.errorOutput.contains("out is no file: it gets the whole body at its end"), "\(run)")
        let wrong = try await sortie(server).shell(
            "\(folders) \"$SORTIE\" download \(server.url)/none -o out; echo $?; \"$SORTIE\" download api/get -o out --sha256 \(String(repeating: "0", count: 64)); "
                + "echo $?; echo end >&3; timeout 60 head -c3 <&3")
        #expect(wrong.output == "1\n1\nend", "\(wrong)")
        #expect(!wrong.errorOutput.contains("to resume"), "\(wrong)")
    }

    @Test(arguments: commands) func `a link stays a link, and the file that it leads to keeps its mode`(command: String) async throws {
        let server = try ScriptedServer(answering: .ok("body"))
        let run = try await sortie(server).shell(
            "mkdir far; echo old > far/file; chmod 640 far/file; ln -s far/file out; \"$SORTIE\" \(command) > log 2>&1; echo $?; "
                + "test -L out && stat -c %a far/file; grep -c old far/file; ls -A far")
        #expect(run.output == "0\n640\n0\nfile\n", "\(run)")
    }

    @Test(arguments: commands) func `a link to a missing file creates that file`(command: String) async throws {
        let server = try ScriptedServer(answering: .ok("body"))
        let run = try await sortie(server).shell(
            "mkdir far; ln -s far/file out; \"$SORTIE\" \(command) > log 2>&1; echo $?; test -L out && test -s far/file && echo kept")
        #expect(run.output == "0\nkept\n", "\(run)")
    }

    @Test(arguments: writers) func `a stream of the process is appended to and not replaced`(command: String) async throws {
        let server = try ScriptedServer(answering: .ok("body"))
        let line = command.replacing("out", with: "/dev/stdout")
        let run = try await sortie(server).shell(
            "echo old > log; \"$SORTIE\" \(line) >> log; echo $?; head -n1 log; test -L /dev/stdout && echo link")
        #expect(run.output == "0\nold\nlink\n", "\(run)")
    }

    @Test(arguments: ["/dev/stdout", "-"]) func `a download is written to a stream of the process`(path: String) async throws {
        let server = try ScriptedServer(answering: .ok("body"))
        let run = try await sortie(server).shell("echo old > log; \"$SORTIE\" download api/get -o \(path) >> log; echo $?; cat log; ls")
        #expect(run.output.hasPrefix("0\nold\nbody"), "\(run)")
        #expect(try await sortie(server).run("download", "api/get", "-o", "-", "--json").failed(2, "usage"))
    }

    @Test(arguments: writers) func `a folder is refused`(command: String) async throws {
        let server = try ScriptedServer(answering: .ok("body"))
        let run = try await sortie(server).shell("mkdir out; \"$SORTIE\" \(command); echo $?; ls -A out")
        #expect(run.output.hasSuffix("3\n"), "\(run)")
        #expect(run.errorOutput.contains("out is a folder"), "\(run)")
    }

    @Test func `cookies are not written over a pipe`() async throws {
        let server = try ScriptedServer(answering: .ok("body", headers: [("Set-Cookie", "a=1")]))
        let run = try await sortie(server).shell("mkfifo out; \"$SORTIE\" send \(server.url) --cookies out; test -p out && echo kept")
        #expect(run.output.hasSuffix("kept\n"), "\(run)")
        #expect(run.errorOutput.contains("out: the cookies cannot be read: this is not a file"), "\(run)")
    }
}
