import Support
import Testing

/// Tests the program itself: version, help, misspelt arguments, and the embedded server.
@Suite(.serialized)
struct ProgramTests {
    @Test func `--version prints the version of the program, its commit, and the versions of its libraries`() async throws {
        let run = try await Sortie().run("--version")
        #expect(run.status == .exited(0))
        let lines = #/sortie \d+\.\d+\.\d+( \(commit [0-9a-zA-Z.-]+\))?\nlibcurl \d+\.\d+\.\d+\S*\nTLS \S.*\nSQLite 3\.\d+\.\d+\n/#
        #expect(run.output.wholeMatch(of: lines) != nil, "\(run)")
        #expect(run.errorOutput.isEmpty)
    }

    @Test(arguments: [["--help"], ["-h"], ["help"]]) func `help names the commands and exits with 0`(
        arguments: [String]
    ) async throws {
        let run = try await Sortie().run(arguments)
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.errorOutput.isEmpty)
        for command in ["demo", "serve", "list", "check", "send"] { #expect(run.output.contains("\n  \(command) ")) }
    }

    @Test(arguments: ["open", "demo", "serve", "list", "check", "send"]) func `each command has a help text`(
        command: String
    ) async throws {
        let run = try await Sortie().run(command, "--help")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.contains("USAGE: sortie \(command)"))
    }

    @Test func `a command on its own line prints the version and the completions of the whole program`() async throws {
        #expect(try await Sortie().run("send", "--version").output.hasPrefix("sortie "))
        let script = try await Sortie().run("send", "--generate-completion-script", "bash").output
        #expect(script.contains("_sortie_send") && script.contains("_sortie_check"))
    }

    @Test func `send's help names every option of the contract`() async throws {
        let help = try await Sortie().run("send", "--help").output
        let options = [
            "-X", "--method", "-H", "--header", "-q", "--query", "-d", "--data", "--json-body", "--form", "-F", "--multipart",
            "-u", "--user", "--bearer", "--digest", "-o", "--output", "-i", "--include", "--timeout", "--connect-timeout",
            "--max-redirects", "--no-redirects", "--http1.1", "--http2", "--resolve", "--cacert", "--cert", "--key", "--pin",
            "--pin-scope", "-k", "--insecure", "--proxy", "--unix-socket", "--max-body", "--fail", "--dry-run", "-w",
            "--workspace", "-e", "--environment", "--var", "--json", "--no-history", "--no-color", "-v", "--show-secrets",
        ]
        let words = Set(help.split { " ,\n".contains($0) }.map(String.init))
        for option in options { #expect(words.contains(option), "\(option)") }
    }

    @Test func `a misspelt command gets a suggestion`() async throws {
        let run = try await Sortie().run("lisst")
        #expect(run.failed(2, "usage"), "\(run)")
        #expect(run.hint.contains("sortie list"))
    }

    @Test(arguments: [
        (["snd", "http://127.0.0.1:9/"], "did you mean sortie send?"), (["get", "http://127.0.0.1:9/"], "did you mean sortie send URL?"),
        (["post", "http://127.0.0.1:9/"], "did you mean sortie send -X POST URL?"), (["curl"], "did you mean sortie send URL?"),
        (["new"], "did you mean sortie init?"), (["validate"], "did you mean sortie check?"), (["test", "shop"], "did you mean sortie run?"),
        (["send", "-L", "http://127.0.0.1:9/"], "-L of curl: not needed: redirects are followed unless --no-redirects is given"),
        (["send", "-O", "http://127.0.0.1:9/"], "-O of curl: sortie download URL; the same command resumes"),
        (["send", "--data-raw", "a", "http://127.0.0.1:9/"], "--data-raw of curl: -d TEXT"),
        (["send", "--json", "{}", "http://127.0.0.1:9/"], "--json of curl: --json-body TEXT"),
        (["send", "-J", "http://127.0.0.1:9/"], "-J of curl: sortie download URL, which uses the name that the response has"),
        (["send", "--silent", "http://127.0.0.1:9/"], "--silent of curl: not needed"),
        (["send", "--max-time", "3", "http://127.0.0.1:9/"], "--max-time of curl: --timeout N"),
        (["send", "--cookie", "a=b", "http://127.0.0.1:9/"], "--cookie of curl: -H 'Cookie: a=b'"),
        (["send", "-d", "-x", "http://127.0.0.1:9/"], "a value that begins with - is written -d=VALUE"),
        (["-X", "POST", "http://127.0.0.1:9/"], "options follow their command: sortie send -X …"),
    ])
    func `a command or an option of another program names the one that is meant`(arguments: [String], hint: String) async throws {
        let run = try await Sortie().run(arguments)
        #expect(run.failed(2, "usage"), "\(run)")
        #expect(run.hint.contains(hint) && !run.errorOutput.contains("Did you mean"), "\(run)")
    }

    @Test func `an option that no command has is not placed behind send`() async throws {
        #expect(try await Sortie().run("--foo").hint.hasPrefix("sortie --help lists the commands"))
    }

    @Test func `options before the command are rejected with their correct position`() async throws {
        let run = try await Sortie().run("-e", "develop", "list")
        #expect(run.failed(2, "usage"), "\(run)")
        #expect(run.hint.contains("sortie list"))
    }

    @Test(arguments: [["demo"], []]) func `without a terminal the workbench does not open`(arguments: [String]) async throws {
        let run = try await Sortie().runProcess(arguments)
        #expect(run.failed(2, "terminal"), "\(run)")
        #expect(!run.hint.isEmpty)
    }

    @Test(arguments: ["dumb", "", "no-such-terminal"]) func `a terminal without cursor addressing is rejected`(
        name: String
    ) async throws {
        let sortie = try Sortie()
        let terminal = try await sortie.open("demo", environment: ["TERM": name])
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(2))
        #expect(terminal.row(0).hasPrefix("sortie: terminal: "), "\(terminal.display.picture)")
        #expect(terminal.screen.contains("TERM"))
        #expect(try terminal.settings == terminal.settingsBefore)
    }

    @Test(arguments: ["xterm-kitty", "xterm-ghostty", "foot", "xterm-direct", "alacritty", "tmux-256color", "wezterm"])
    func `the workbench opens in a terminal whose description is missing where it understands the sequences of xterm`(name: String) async throws {
        let sortie = try Sortie()
        let terminal = try await sortie.open(environment: ["TERM": name])
        try await terminal.waitForText("type a URL", within: Sortie.patience)
    }

    @Test func `the first line of serve contains the address, and the server responds there`() async throws {
        let demo = try await DemoProcess.shared
        #expect(demo.url.wholeMatch(of: #/http://127\.0\.0\.1:\d+/#) != nil)
        let run = try await Sortie().run("send", "\(demo.url)/")
        #expect(run.status == .exited(0))
        #expect(run.output.contains("/orders"))
    }

    @Test func `serve ends with 130 when interrupted`() async throws {
        let sortie = try Sortie()
        let terminal = try await sortie.open("serve", "--port", "0")
        try await terminal.waitForText("listening on", within: Sortie.patience)
        terminal.press(.control("c"))
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(130))
    }

    @Test func `serve reports a port in use`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let run = try await Sortie().run("serve", "--port", "\(server.port)")
        #expect(run.status == .exited(4), "\(run)")
        #expect(run.errorLines.first?.contains("\(server.port)") == true, "\(run)")
        #expect(run.hint.contains("--port"))
    }
}
