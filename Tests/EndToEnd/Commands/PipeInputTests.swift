import Support
import Testing

/// Tests commands whose input is standard input or a pipe, such as that of `<(…)` in a shell.
@Suite struct PipeInputTests {
    private let sortie: Sortie

    init() throws {
        sortie = try Sortie()
        try sortie.write("w/workspace.yaml", "name: W\n")
        try sortie.write("w/shop/service.yaml", "name: Shop\n")
    }

    @Test(arguments: ["- < w.tar", "/dev/fd/3 3< w.tar", "/dev/fd/3 3<<END\n$(:)\nEND"])
    func `a bundle in a pipe is unpacked into the folder of -o`(input: String) async throws {
        #expect(try await sortie.run("bundle", "pack", "w", "-o", "w.tar").succeeded)
        let isBundle = !input.contains("END")
        let unnamed = try await sortie.shell("\"$SORTIE\" bundle unpack \(input)")
        #expect(unnamed.failed(2, "usage") && unnamed.errorOutput.contains("-o FOLDER"), "\(unnamed)")
        let run = try await sortie.shell("\"$SORTIE\" bundle unpack -o copy \(input)")
        #expect(isBundle ? run.output.contains("copy: 2 files") : run.status == .exited(3), "\(run)")
        #expect(!run.errorOutput.contains("sortie check"), "\(run)")
    }

    @Test(arguments: ["- < ../r.yaml", "/dev/fd/3 3< ../r.yaml"])
    func `a run is read from a pipe, whose paths begin at the working folder`(input: String) async throws {
        let server = try ScriptedServer { .ok("got \($0.target)") }
        try sortie.write("w/shop/a.yaml", "path: \(server.url)/{{n}}\n")
        try sortie.write("r.yaml", "data: rows.csv\nchain:\n  - send: shop/a\n")
        try sortie.write("w/rows.csv", "n\n1\n2\n")
        let run = try await sortie.shell("cd w && \"$SORTIE\" run \(input)")
        #expect(run.status == .exited(0), "\(run)")
        #expect(server.requests.map(\.target) == ["/1", "/2"])
    }

    @Test(arguments: ["-d @/dev/fd/3", "--json-body @/dev/fd/3", "-F 'f=</dev/fd/3'"]) func `a short body in a pipe is sent with its length`(
        option: String
    ) async throws {
        let server = try ScriptedServer(answering: .ok())
        let run = try await sortie.shell("printf '{\"a\":1}' | \"$SORTIE\" send \(server.url) \(option) 3<&0 < /dev/null")
        #expect(run.status == .exited(0), "\(run)")
        let request = try #require(server.requests.first)
        #expect(request["Content-Length"] == "\(request.body.count)" && request["Expect"] == nil && request.bodyText.contains("{\"a\":1}"))
    }

    @Test(arguments: ["-d @p", "--json-body @p", "-F 'f=<p'"]) func `a body in a named pipe is read to its end, and no byte of it is lost`(
        option: String
    ) async throws {
        let server = try ScriptedServer(answering: .ok())
        let run = try await sortie.shell("mkfifo p; printf '{\"a\":1}' > p & timeout 60 \"$SORTIE\" send \(server.url) \(option) < /dev/null")
        #expect(run.status == .exited(0), "\(run)")
        let request = try #require(server.requests.first)
        #expect(request["Content-Length"] == "\(request.body.count)" && request.bodyText.contains("{\"a\":1}"))
    }

    @Test(arguments: ["-d @p", "--json-body @p", "-F f=@p"]) func `a named pipe without a writer ends at the time limit`(option: String) async throws
    {
        let server = try ScriptedServer(answering: .ok())
        let run = try await sortie.shell("mkfifo p; timeout 60 \"$SORTIE\" send \(server.url) \(option) --timeout 100ms < /dev/null")
        #expect(run.failed(4, "timedOut") && run.errorOutput.contains("pipe"), "\(run)")
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["-H @p", "-u @p", "--bearer @p", "--var x@p", "--netrc-file p"])
    func `a named pipe of an option without a writer ends at the time limit, which also the endpoint may have`(option: String) async throws {
        let server = try ScriptedServer(answering: .ok())
        try sortie.write("w/shop/a.yaml", "path: \(server.url)/\ntimeout: 100ms\n")
        let run = try await sortie.shell(
            """
            mkfifo p; timeout 60 "$SORTIE" send \(server.url) \(option) --timeout 100ms < /dev/null
            timeout 60 "$SORTIE" send shop/a -w w --trust \(option) < /dev/null; echo $?
            """)
        #expect(run.output == "4\n" && run.errorOutput.ranges(of: "timedOut").count == 2, "\(run)")
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [("-H @p", "X-A: b"), ("--netrc-file p", "default login me password pw")])
    func `a named pipe of an option is read to its end, also in parts`(option: String, content: String) async throws {
        let server = try ScriptedServer(answering: .ok())
        let (start, end) = (content.prefix(5), content.dropFirst(5))
        let run = try await sortie.shell(
            """
            mkfifo p; { printf '\(start)'; printf '\(end)'; } > p &
            timeout 60 "$SORTIE" send \(server.url) \(option) --timeout 30 < /dev/null
            """)
        #expect(run.status == .exited(0), "\(run)")
        let request = try #require(server.requests.first)
        #expect(option.hasPrefix("-H") ? request["X-A"] == "b" : request["Authorization"] == "Basic bWU6cHc=", "\(request)")
    }

    @Test func `a long body in a pipe is sent completely while it is read`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let run = try await sortie.shell("seq 500000 | \"$SORTIE\" send \(server.url) -d @/dev/fd/3 3<&0 < /dev/null")
        #expect(run.status == .exited(0), "\(run)")
        #expect(server.requests.first?.bodyText == (1...500_000).map { "\($0)\n" }.joined())
    }

    @Test func `a pipe or standard input in two parts is refused, because it delivers its bytes once`() async throws {
        let run = try await sortie.shell(
            "mkfifo p; for f in p -; do timeout 60 \"$SORTIE\" send http://127.0.0.1:9/ -F a=@$f -F b=@$f < /dev/null; echo $?; done")
        #expect(run.output == "2\n2\n", "\(run)")
        #expect(run.errorOutput.contains("two parts of -F read standard input"), "\(run)")
    }

    @Test(arguments: ["import -", "send http://127.0.0.1:9/ -H @-", "bundle unpack - -o b", "run - -w w"], ["INT", "TERM", "HUP"])
    func `a signal while standard input is read ends the command as interrupted`(command: String, signal: String) async throws {
        // The signal is sent when the program handles it, which is before it reads: SIGTERM is in the mask of signals that it catches.
        let run = try await sortie.shell(
            """
            mkfifo p; "$SORTIE" \(command) < p & exec 3> p
            until grep -q 'SigCgt:.*[4-7c-f]...$' /proc/$!/status; do :; done; kill -\(signal) $!; wait $!; echo $?
            """)
        #expect(run.output == "130\n", "\(run)")
    }
}
