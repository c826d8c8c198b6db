import Glibc
import Support
import Testing

/// Tests the destinations of the body: unchanged to a pipe, without control sequences to a terminal, and to a file completely or not at all.
@Suite(.serialized)
struct SendResultTests {
    @Test(.enabled(if: Nginx.isAvailable)) func `a pipe receives five million bytes exactly`() async throws {
        let run = try await Sortie().run("send", "\(SharedNginx.value.httpURL)/files/big.bin")
        #expect(run.status == .exited(0))
        #expect(run.outputBytes == SharedNginx.big)
        #expect(run.errorOutput.isEmpty)
    }

    @Test func `a pipe receives no additional line feed`() async throws {
        let server = try ScriptedServer(answering: .ok("no end"))
        #expect(try await Sortie().run("send", server.url).outputBytes == Array("no end".utf8))
    }

    @Test(arguments: [2_000_000, 10]) func `a closed reader is not an error`(size: Int) async throws {
        let server = try ScriptedServer(answering: .ok(String(repeating: "x", count: size)))
        let run = try await Sortie().shell(
            "{ \"$SORTIE\" send \(server.url); echo \"status $?\" >&2; } | head -c1")
        #expect(run.output == "x")
        #expect(run.errorOutput == "status 0\n")
    }

    @Test func `a refused response whose reader has closed is a failure`() async throws {
        let server = try ScriptedServer(answering: .status(500, String(repeating: "x", count: 2_000_000)))
        let run = try await Sortie().shell("{ \"$SORTIE\" send \(server.url) --fail 2>/dev/null; echo \"status $?\" >&2; } | head -c1")
        #expect(run.output == "x" && run.errorOutput == "status 1\n", "\(run)")
    }

    /// A server that sends an event, waits until its path `/open` is requested, and ends the response after a second event.
    private func events() throws -> ScriptedServer {
        let gate = Gate()
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        return try ScriptedServer([
            [.readRequest, .send(head + "data: one\n\nda"), .wait(for: gate), .send("ta: two\n\n"), .closeGracefully],
            .answering { _ in
                gate.open()
                return .ok()
            },
        ])
    }

    @Test func `a pipe receives server-sent events as they arrive, and each byte once`() async throws {
        let server = try events()
        let run = try await Sortie().shell(
            """
            "$SORTIE" send -i \(server.url) | {
                while read -r line && test "$line" != "data: one"; do echo "$line"; done
                "$SORTIE" send \(server.url)/open
                echo "first: $line"
                cat
            }
            """)
        #expect(run.output == "HTTP/1.1 200 OK\nContent-Type: text/event-stream\nConnection: close\n\nfirst: data: one\n\ndata: two\n\n", "\(run)")
    }

    @Test func `a terminal displays complete lines of events as they arrive`() async throws {
        let server = try events()
        let sortie = try Sortie()
        let terminal = try await sortie.open("send", server.url)
        try await terminal.waitForText("data: one")
        #expect(!terminal.screen.contains("da\n"))
        #expect(try await sortie.run("send", "\(server.url)/open").status == .exited(0))
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
        #expect(terminal.screen == "data: one\n\ndata: two")
    }

    /// A server that sends text without an end, faster than a terminal shows it.
    private func endlessText() throws -> ScriptedServer {
        let text = String(repeating: "a line of text, which has no end\n", count: 4000)
        return try ScriptedServer([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"), .sendForever(Array(text.utf8))])
    }

    @Test func `the time limit ends an endless text on a terminal`() async throws {
        let server = try endlessText()
        let terminal = try await Sortie().open("send", server.url, "--timeout", "3")
        try await terminal.waitForText("a line of text")
        #expect(try await terminal.exitStatus(within: .seconds(300)) == .exited(4))
        #expect(terminal.screen.contains("timedOut"))
    }

    @Test func `Ctrl-C ends an endless text on a terminal`() async throws {
        let server = try endlessText()
        let terminal = try await Sortie().open("send", server.url)
        try await terminal.waitForText("a line of text")
        terminal.type("\u{3}")
        #expect(try await terminal.exitStatus(within: .seconds(300)) == .exited(130))
    }

    @Test func `Ctrl-C ends the output of a large body on a terminal`() async throws {
        let server = try ScriptedServer(answering: .ok(String(repeating: "a line of text\n", count: 600_000)))
        let terminal = try await Sortie().open("send", server.url)
        try await terminal.waitForText("a line of text")
        terminal.type("\u{3}")
        #expect(try await terminal.exitStatus(within: .seconds(300)) == .exited(130))
    }

    @Test func `a time limit ends a text whose reader has stopped`() async throws {
        let server = try endlessText()
        let run = try await Sortie().shell("mkfifo out; exec 3<>out; \"$SORTIE\" send \(server.url) --timeout 2 > out 2> log; echo $?; cat log")
        #expect(run.output.hasPrefix("4\n") && run.output.contains("timedOut"), "\(run)")
    }

    @Test func `a signal ends a text whose reader has stopped`() async throws {
        let server = try endlessText()
        let run = try await Sortie().shell(
            "mkfifo out; exec 3<>out; \"$SORTIE\" send \(server.url) > out 2> log & head -c1 <&3 > got; kill -TERM $!; wait $!; echo $?")
        #expect(run.output == "130\n", "\(run)")
    }

    @Test func `a signal ends a text on a terminal that is stopped`() async throws {
        let server = try endlessText()
        let terminal = try await Sortie().open("send", server.url)
        try await terminal.waitForText("a line of text")
        terminal.type("\u{13}")
        terminal.signal(SIGTERM)
        #expect(try await terminal.exitStatus(within: .seconds(300)) == .exited(130))
    }

    @Test func `JSON that is too large to be formatted is shown as it arrives`() async throws {
        let server = try ScriptedServer(answering: .json("[" + String(repeating: "1,", count: 2_200_000) + "2]"))
        let terminal = try await Sortie().open("send", server.url)
        #expect(try await terminal.exitStatus(within: .seconds(300)) == .exited(0))
        #expect(terminal.screen.hasSuffix(",2]"))
    }

    @Test func `a large body is written to a pipe before it is complete`() async throws {
        let server = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Type: application/x-data\r\nContent-Length: 10000000\r\n\r\n"),
            .send(String(repeating: "x", count: 5_000_000)), .holdOpen,
        ])
        let run = try await Sortie().shell("{ \"$SORTIE\" send \(server.url) --timeout 1000; echo \"status $?\" >&2; } | head -c1")
        #expect(run.output == "x" && run.errorOutput == "status 0\n", "\(run)")
    }

    @Test func `a text without line breaks is shown as it arrives`() async throws {
        let server = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"), .send(String(repeating: "x", count: 1 << 20) + "é"),
            .holdOpen,
        ])
        let terminal = try await Sortie().open("send", server.url)
        try await terminal.waitForText("xxxxxx")
        terminal.type("\u{3}")
        #expect(try await terminal.exitStatus(within: .seconds(300)) == .exited(130))
    }

    @Test func `an unwritable stdout is a file error`() async throws {
        let server = try ScriptedServer(answering: .ok("body"))
        let run = try await Sortie().shell("\"$SORTIE\" send \(server.url) > /dev/full")
        #expect(run.failed(3, "file"), "\(run)")
        #expect(run.errorOutput.contains("stdout"))
    }

    @Test func `JSON is formatted on a terminal and unchanged in a pipe`() async throws {
        let server = try ScriptedServer(answering: .json(#"{"a":[1,"ü"]}"#))
        let sortie = try Sortie()
        let terminal = try await sortie.open("send", server.url)
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
        #expect(terminal.screen == "{\n  \"a\": [\n    1,\n    \"ü\"\n  ]\n}")
        #expect(try await sortie.run("send", server.url).output == #"{"a":[1,"ü"]}"#)
    }

    /// `{"名": "表示"}`, whose characters contain backslash bytes in Shift_JIS.
    private static let shiftJIS: [UInt8] = [0x7B, 0x22, 0x96, 0xBC, 0x22, 0x3A, 0x20, 0x22, 0x95, 0x5C, 0x8E, 0xA6, 0x22, 0x7D]

    @Test func `a terminal and the record receive decoded text, a pipe the bytes`() async throws {
        let type = ("Content-Type", "application/json; charset=Shift_JIS")
        let server = try ScriptedServer(answering: .ok(bytes: Self.shiftJIS, headers: [type]))
        let sortie = try Sortie()
        let terminal = try await sortie.open("send", server.url)
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
        #expect(terminal.screen == "{\n  \"名\": \"表示\"\n}")
        #expect(try await sortie.run("send", server.url).outputBytes == Self.shiftJIS)
        let response = try await ExchangeRecord(sortie.run("send", server.url, "--json")).response
        #expect(response?.body == #"{"名": "表示"}"#)
        #expect(response?.bodyEncoding == "utf8" && response?.charset == "Shift_JIS")
    }

    @Test func `the demo's text in GB18030 is displayed as text`() async throws {
        let run = try await Sortie().run("send", "\(DemoProcess.shared.url)/text/gb18030", "--json")
        let response = try ExchangeRecord(run).response
        #expect(response?.charset == "GB18030" && response?.bodyEncoding == "utf8", "\(run)")
    }

    @Test func `-o writes the body to a file and nothing to stdout`() async throws {
        let sortie = try Sortie()
        let run = try await sortie.run("send", "\(DemoProcess.shared.url)/binary?bytes=3000", "-o", "out.bin")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.outputBytes.isEmpty)
        #expect(try sortie.read("out.bin").count == 3000)
    }

    @Test func `-o does not change the existing file when the body is incomplete`() async throws {
        let sortie = try Sortie()
        try sortie.write("out.txt", "old")
        let server = try ScriptedServer([.readRequest, .send(.claiming(length: 10, "half")), .closeGracefully])
        let run = try await sortie.run("send", server.url, "-o", "out.txt")
        #expect(run.failed(4, "truncatedBody"), "\(run)")
        #expect(try sortie.read("out.txt") == Array("old".utf8))
        #expect(try sortie.read("out.txt.partial") == Array("half".utf8), "what came is kept, under a name that nobody takes for the whole")
        #expect(run.errorOutput.contains("4 B are saved in out.txt.partial"))
        #expect(try await sortie.shell("ls -A").output == "out.txt\nout.txt.partial\n")
    }

    @Test func `-o keeps the received part of a body after an interruption or a timeout`() async throws {
        try await growing(from: .milliseconds(1000)) { limit -> Void? in
            let sortie = try Sortie()
            let server = try ScriptedServer([.readRequest, .send(.claiming(length: 10, "half")), .holdOpen])
            let run = try await sortie.run("send", server.url, "-o", "slow", "--timeout", limit.secondsText)
            #expect(run.failed(4, "timedOut"), "\(run)")
            // The program must have time to receive the part.
            if try await sortie.shell("ls -A").output.isEmpty { return nil }
            #expect(try sortie.read("slow.partial") == Array("half".utf8))
            return ()
        }
    }

    @Test func `the part of a body that had arrived at the time limit is written to a stream`() async throws {
        try await growing(from: .milliseconds(1000)) { limit -> Void? in
            let server = try ScriptedServer([.readRequest, .send(.claiming(length: 10, "half")), .holdOpen])
            let run = try await Sortie().shell("\"$SORTIE\" send \(server.url) -o /dev/stdout --timeout \(limit.secondsText); echo $?")
            // The program must have time to receive the part.
            if !run.errorOutput.contains("4 B") { return nil }
            #expect(run.output == "half4\n" && run.errorOutput.contains("timedOut"), "\(run)")
            return ()
        }
    }

    @Test func `the received part of a body is written to a device directly`() async throws {
        let server = try ScriptedServer([.readRequest, .send(.claiming(length: 10, "half")), .closeGracefully])
        let run = try await Sortie().shell("\"$SORTIE\" send \(server.url) -o /dev/stderr 2>&1 >/dev/null | head -c4; ls -A /dev | grep partial")
        #expect(run.output == "half")
    }

    @Test func `-o - is stdout, and creates no file of that name`() async throws {
        let sortie = try Sortie()
        let server = try ScriptedServer(answering: .ok("body"))
        #expect(try await sortie.run("send", server.url, "-o", "-").output == "body")
        let record = try await sortie.run("send", server.url, "-o", "-", "--json")
        #expect(record.output.contains(#""body": "body""#), "\(record)")
        #expect(try await sortie.run("history", "show", "last", "-o", "-").output == "body")
        #expect(try await sortie.run("send", server.url, "--capture", "-").failed(2, "usage"))
        #expect(try await sortie.shell("ls -A").output.isEmpty)
    }

    @Test func `-o accepts a name of 255 bytes`() async throws {
        let sortie = try Sortie()
        let server = try ScriptedServer(answering: .ok("body"))
        let name = String(repeating: "n", count: 255)
        let run = try await sortie.run("send", server.url, "-o", name)
        #expect(run.status == .exited(0), "\(run)")
        #expect(try sortie.read(name) == Array("body".utf8))
    }

    @Test func `-o to a missing folder is a file error`() async throws {
        let server = try ScriptedServer(answering: .ok("x"))
        let run = try await Sortie().run("send", server.url, "-o", "missing/out.txt")
        #expect(run.status == .exited(3), "\(run)")
        #expect(run.errorOutput.contains("missing/out.txt"))
    }

    @Test func `-i prints the header before the body`() async throws {
        let server = try ScriptedServer(answering: .ok("body", headers: [("X-One", "1")]))
        let run = try await Sortie().run("send", server.url, "-i")
        #expect(run.output == "HTTP/1.1 200 OK\nX-One: 1\nContent-Length: 4\n\nbody")
    }

    @Test func `on a terminal escape sequences are displayed as text`() async throws {
        let sortie = try Sortie()
        let terminal = try await sortie.open("send", "\(DemoProcess.shared.url)/escape", "-i", size: (150, 40))
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
        let screen = terminal.display
        for text in [
            "X-Escape: ␛[31mred␛[0m ␛]0;title taken␛\\ ␛[2J", "␛[31mred␛[0m, ␛[2J␛[Hcleared, ␛[10;10Hmoved",
            "␛]52;c;c3RvbGVu␇clipboard", "back␈␈␈␈space", "bell␇, delete␡, C1 ‹U+009B›31m", "bidi ‹U+202E›reversed‹U+202C› end",
        ] {
            #expect(terminal.screen.contains(text))
        }
        #expect(screen.title.isEmpty)
        #expect(screen.bells == 0)
        #expect(screen.systemCommands.isEmpty)
        #expect(screen.isCursorVisible && !screen.isInAlternateScreen)
        #expect(!terminal.rawOutput.contains(0x1b))
    }

    @Test func `in a pipe the same bytes are unchanged`() async throws {
        let run = try await Sortie().run("send", "\(DemoProcess.shared.url)/escape")
        #expect(run.output.contains("\u{1b}]0;title taken\u{7}title"))
    }

    @Test func `on a terminal a body that is not text is not printed`() async throws {
        let sortie = try Sortie()
        let terminal = try await sortie.open("send", "\(DemoProcess.shared.url)/binary?bytes=5000")
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
        #expect(terminal.screen.contains("the body is not text"))
        #expect(terminal.screen.contains("-o FILE"))
        #expect(terminal.screen.split(separator: "\n").count <= 2)
    }

    @Test func `on a terminal errors of a server cannot control the terminal either`() async throws {
        let server = try ScriptedServer(
            answering: HTTPAnswer(status: 500, reason: "\u{1b}]0;taken\u{7}Bad", headers: [("X-A", "\u{1b}[2J")]))
        let sortie = try Sortie()
        let terminal = try await sortie.open("send", server.url, "--fail", "-v")
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(1))
        #expect(terminal.display.title.isEmpty)
        #expect(terminal.screen.contains("␛]0;taken␇Bad"))
        #expect(!terminal.rawOutput.contains(0x1b))
    }

    @Test(arguments: ["text/plain", "application/json"]) func `trailers are in -i, -v, --json, the history and HAR`(type: String) async throws {
        let server = try ScriptedServer(
            answering: .chunked("[1]", headers: [("Content-Type", type)], trailers: [("X-Sum", "42"), ("X-Api-Key", "s3cret")]))
        let sortie = try Sortie()
        let plain = try await sortie.run("send", server.url, "-i", "-v", "--capture", "t.har")
        #expect(plain.output.hasSuffix("\n\n[1]\nX-Sum: 42\nX-Api-Key: s3cret\n"), "\(plain)")
        #expect(plain.errorLines.contains("< X-Sum: 42") && plain.errorLines.contains("< X-Api-Key: ••••"), "\(plain)")
        for command in [["send", server.url], ["history", "show", "1"]] {
            let record = try await sortie.run(command + ["--json"])
            #expect(record.output.contains(#""trailers""#) && record.output.contains("X-Sum") && !record.output.contains("s3cret"), "\(record)")
        }
        let archive = String(decoding: try sortie.read("t.har"), as: UTF8.self)
        #expect(archive.contains(#""_trailers""#) && archive.contains("X-Sum") && !archive.contains("s3cret"))
    }

    @Test func `informational responses are in -i, --json, the history and HAR`() async throws {
        let early = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\nX-Api-Key: s3cret\r\n\r\n"
        let server = try ScriptedServer([.readRequest, .send(early), .send(HTTPAnswer.ok("body"))])
        let sortie = try Sortie()
        let plain = try await sortie.run("send", server.url, "-i", "--capture", "t.har")
        let head = "HTTP/1.1 103 Early Hints\nLink: </a.css>\nX-Api-Key: s3cret\n\nHTTP/1.1 200 OK\n"
        #expect(plain.output.hasPrefix(head) && plain.output.hasSuffix("\n\nbody"), "\(plain)")
        let informational = #""informational": [{"status": 103, "headers": [["Link", "</a.css>"], ["X-Api-Key", "••••"]]}]"#
        for command in [["send", server.url], ["history", "show", "1"]] {
            let record = try await sortie.run(command + ["--json"])
            #expect(record.output.contains(informational), "\(record)")
        }
        let shown = try await sortie.run("history", "show", "1", "-i")
        #expect(shown.output.hasPrefix("HTTP/1.1 103 Early Hints\nLink: </a.css>\nX-Api-Key: ••••\n\nHTTP/1.1 200 OK\n"), "\(shown)")
        let archive = String(decoding: try sortie.read("t.har"), as: UTF8.self)
        #expect(archive.contains(#""_informational""#) && archive.contains("</a.css>") && !archive.contains("s3cret"))
    }

    @Test func `-v prints informational responses, with their secrets masked`() async throws {
        let early = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\nX-Api-Key: s3cret\r\n\r\n"
        let server = try ScriptedServer([.readRequest, .send(early), .send(HTTPAnswer.ok("body"))])
        let run = try await Sortie().run("send", server.url, "-v")
        let line = "* connection: the server sent 103 Early Hints before the response: Link: </a.css>, X-Api-Key: ••••"
        #expect(run.output == "body" && run.errorLines.contains(line), "\(run)")
    }

    @Test func `--no-compression delivers a body whose Content-Encoding is false, and the error without it names the option`() async throws {
        let server = try ScriptedServer(answering: .ok("plain text", headers: [("Content-Encoding", "gzip")]))
        let failed = try await Sortie().run("send", server.url)
        #expect(!failed.succeeded && failed.errorOutput.contains("--no-compression"), "\(failed)")
        let run = try await Sortie().run("send", server.url, "--no-compression")
        #expect(run.succeeded && run.output == "plain text", "\(run)")
        #expect(server.requests.last?["Accept-Encoding"] == nil)
    }

    @Test func `-v prints one block for each attempt and the decisions on stderr, and stdout contains only the body`() async throws {
        let server = try ScriptedServer { $0.target == "/" ? .redirect(to: "/b") : .ok("body", headers: [("X-A", "1")]) }
        let run = try await Sortie().run("send", server.url, "-v")
        #expect(run.output == "body")
        #expect(run.errorLines.allSatisfy { ["* ", "> ", "< "].contains(String($0.prefix(2))) }, "\(run)")
        let heads = run.errorLines.filter { $0.hasPrefix("> GET ") || $0.hasPrefix("< HTTP/") || $0.hasPrefix("* redirect: ") }
        #expect(heads.count == 5 && heads.map { $0.prefix(2) } == ["> ", "< ", "* ", "> ", "< "], "in order: \(run)")
        #expect(heads.first == "> GET \(server.url)/" && heads.dropFirst(3).first == "> GET \(server.url)/b" && heads.last == "< HTTP/1.1 200 OK")
        for line in ["> Host: \(server.authority)", "< X-A: 1"] {
            #expect(run.errorLines.count { $0 == line } == (line.hasPrefix(">") ? 2 : 1), "\(line): \(run)")
        }
    }
}
