import Foundation
import Support
import Testing

/// Tests `sortie listen` against a scripted server.
@Suite(.serialized)
struct ListenCommandTests {
    /// The response to the handshake of a request, followed by frames in the same segment.
    private static func upgrade(_ frames: [UInt8]) -> Step {
        .respond { request in
            let key = (request["Sec-WebSocket-Key"] ?? "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
            let accept = SHA1Digest.base64(of: key)
            let head =
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n\r\n"
            return Array(head.utf8) + frames
        }
    }

    private static let hello: [UInt8] = [0x81, 5] + Array("hel\nl".utf8)
    private static let binary: [UInt8] = [0x82, 2, 0, 0xff]

    private static func close(_ code: UInt16) -> [UInt8] { [0x88, 2, UInt8(code >> 8), UInt8(code & 0xff)] }

    private func server(_ steps: Step...) throws -> (server: ScriptedServer, url: String) {
        let server = try ScriptedServer(Script([.readRequest] + steps + [.expectClose]))
        return (server, "ws://\(server.authority)/chat")
    }

    @Test func `each received message is one line, and a normal close is a success`() async throws {
        let (kept, url) = try server(Self.upgrade(Self.hello + Self.binary + Self.close(1000)))
        let run = try await Sortie().run("listen", url)
        withExtendedLifetime(kept) {}
        #expect(run.status == .exited(0) && run.errorOutput.isEmpty, "\(run)")
        #expect(run.output == "hel␊l\nAP8=\n")
    }

    @Test(arguments: [["-d", "hi there"], ["--json-body", "\"hi there\""]]) func `a body of the command line is the first message`(_ body: [String])
        async throws
    {
        let size = body[0] == "-d" ? 8 : 10
        let (kept, url) = try server(Self.upgrade([]), .readBytes(6 + size), .send(Self.hello + Self.close(1000)))
        let run = try await Sortie().run(["listen", url, "--json"] + body)
        withExtendedLifetime(kept) {}
        #expect(run.status == .exited(0) && run.output.contains(#""direction": "sent""#) && run.output.contains("hi there"), "\(run)")
        let named = try await Sortie().run(["listen", url, "-X", "POST"] + body)
        #expect(named.status == .exited(2) && named.errorOutput.contains("a WebSocket handshake is a GET"), "\(named)")
    }

    @Test(arguments: [[], ["-H", "Accept: text/x"]]) func `a dry run of a stream of events shows what it accepts`(_ options: [String]) async throws {
        let run = try await Sortie().run(["listen", "http://127.0.0.1:9/events", "--dry-run"] + options)
        #expect(run.succeeded && run.output.contains(options.last ?? "Accept: text/event-stream"), "\(run)")
    }

    @Test func `a line of standard input that is not UTF-8 is an error, and is not sent`() async throws {
        let (kept, url) = try server(Self.upgrade([]), .readBytes(6 + 2), .send(Self.hello), .readBytes(6 + 2), .send(Self.close(1000)))
        let run = try await Sortie().shell(#"printf 'ok\n\377\n' | "$SORTIE" listen \#(url) --json"#)
        withExtendedLifetime(kept) {}
        #expect(run.status == .exited(3) && run.errorOutput.contains("line 2 of standard input is not UTF-8 text"), "\(run)")
        #expect(run.output.contains(#""data": "ok""#) && run.output.contains(#""code": 1000"#) && !run.output.contains("\u{fffd}"), "\(run)")
    }

    @Test func `-v displays the time of the handshake, and no time of TLS without TLS`() async throws {
        let (kept, url) = try server(Self.upgrade(Self.close(1000)))
        let run = try await Sortie().run("listen", url, "-v")
        withExtendedLifetime(kept) {}
        let time = run.errorOutput.split(separator: "\n").first { $0.hasPrefix("* time:") } ?? ""
        #expect(time.contains("waiting") && !time.contains("tls"), "\(run)")
    }

    @Test func `with --json each line is an object, also those of what was sent`() async throws {
        let (kept, url) = try server(Self.upgrade(Self.hello + Self.binary + Self.close(1000)))
        let run = try await Sortie().run("listen", url, "--json")
        withExtendedLifetime(kept) {}
        let types = try run.output.split(separator: "\n").map { line in
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            return "\(object["direction"] ?? "") \(object["type"] ?? "") \(object["data"] ?? object["base64"] ?? object["code"] ?? "")"
        }
        #expect(types == ["received text hel\nl", "received binary AP8=", "received close 1000", "sent close 1000"])
    }

    @Test func `--count closes the connection`() async throws {
        let (kept, url) = try server(Self.upgrade(Self.hello + Self.binary), .readBytes(8), .send(Self.close(1000)))
        let run = try await Sortie().run("listen", url, "--count", "1")
        withExtendedLifetime(kept) {}
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output == "hel␊l\n")
    }

    /// Many short messages in one segment.
    private static let flood: [UInt8] = Array(repeating: [0x81, 5] + Array("hello".utf8), count: 10_000).flatMap(\.self)

    @Test func `the end of the time does not wait for a reader that has stopped`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        let server = try ScriptedServer([.readRequest, .send(head), .sendForever(Array("data: an event of a long stream\n\n".utf8))])
        let run = try await Sortie().shell("mkfifo out; exec 3<>out; \"$SORTIE\" listen \(server.url) --for 2s > out; echo $?")
        #expect(run.output == "0\n", "\(run)")
    }

    @Test(arguments: ["--for", "--count"])
    func `a server that sends without end does not prevent the end of the time and the count`(option: String) async throws {
        try await growing(from: .seconds(1)) { limit -> Void? in
            let (kept, url) = try server(Self.upgrade([]), .sendForever(Self.flood))
            let run = try await Sortie().run("listen", url, option, option == "--for" ? limit.secondsText + "s" : "5")
            withExtendedLifetime(kept) {}
            #expect(run.status == .exited(0), "\(run.status) \(run.errorOutput)")
            // The first message must arrive within the time.
            if option == "--for", run.output.isEmpty { return nil }
            #expect(run.output.hasPrefix("hello\n"), "\(run.output.prefix(100))")
            if option == "--count" { #expect(run.output == String(repeating: "hello\n", count: 5)) }
            return ()
        }
    }

    @Test(arguments: [SIGINT, SIGTERM]) func `a signal ends the command while a server sends without end`(signal: Int32) async throws {
        let (kept, url) = try server(Self.upgrade([]), .sendForever(Self.flood))
        let sortie = try Sortie()
        let terminal = try await sortie.open("listen", url)
        try await terminal.waitForText("hello", within: Sortie.patience)
        terminal.signal(signal)
        _ = try await terminal.exitStatus(within: Sortie.patience)
        withExtendedLifetime(kept) {}
    }

    @Test func `a close with another code than 1000 and 1001 is a failed response`() async throws {
        let (kept, url) = try server(Self.upgrade(Self.close(1011)))
        let run = try await Sortie().run("listen", url)
        withExtendedLifetime(kept) {}
        #expect(run.status == .exited(1), "\(run)")
        #expect(run.errorOutput.contains("closed: the server closed the connection with 1011"))
    }

    @Test func `the history has a close by the server with an error as such`() async throws {
        let (kept, url) = try server(Self.upgrade(Self.hello + Self.close(4001)))
        let sortie = try Sortie()
        let run = try await sortie.run("listen", url)
        #expect(run.status == .exited(1) && run.errorOutput.contains("sortie: closed: "), "\(run)")
        let list = try await sortie.run("history", "list")
        #expect(list.output.contains("\tWS\t\(url)\tclosed\t"), "\(list)")
        let shown = try await sortie.run("history", "show", "1")
        #expect(shown.output.contains(#""data":"hel\nl""#) && shown.output.contains(#""close":4001"#), "\(shown)")
        withExtendedLifetime(kept) {}
    }

    @Test(arguments: [["send"], ["bench", "-n", "1"], ["download"]])
    func `commands that send requests refuse a WebSocket connection before anything is sent`(command: [String]) async throws {
        let server = try ScriptedServer(answering: .ok(""))
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: W\n")
        try sortie.write("api/service.yaml", "name: Api\n")
        try sortie.write("api/chat.yaml", "path: ws://\(server.authority)/chat\n")
        let run = try await sortie.run(command + ["api/chat"])
        #expect(run.status == .exited(2) && run.errorOutput.contains("sortie listen api/chat opens it"), "\(run)")
        #expect(server.requests.isEmpty)
    }

    @Test func `a run with a WebSocket connection is reported by check and not started`() async throws {
        let server = try ScriptedServer(answering: .ok(""))
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: W\n")
        try sortie.write("api/service.yaml", "name: Api\n")
        try sortie.write("api/get.yaml", "path: \(server.url)/\n")
        try sortie.write("api/chat.yaml", "path: \(server.url)/chat\nkind: webSocket\n")
        try sortie.write("runs/all.yaml", "batch:\n  - send: api/get\n  - send: api/chat\n")
        try sortie.write("other.yaml", "batch:\n  - send: api/get\n  - send: api/chat\n")
        let problem = "api/chat is a WebSocket connection; sortie listen api/chat opens it"
        let checked = try await sortie.run("check")
        #expect(checked.output.contains("runs/all.yaml:3:5: \(problem)"), "\(checked)")
        for name in ["all", "other.yaml"] {
            let run = try await sortie.run("run", name)
            #expect(run.status == .exited(3) && run.errorOutput.contains("api/chat is a WebSocket connection\n"), "\(run)")
            #expect(run.hint == "sortie listen api/chat opens it", "\(run)")
        }
        #expect(server.requests.isEmpty)
        let folder = try await sortie.run("run", "api")
        #expect(folder.status == .exited(0) && folder.errorOutput.contains("api/chat is left out: \(problem)"), "\(folder)")
        let exported = try await sortie.run("export", "api/chat", "--as", "curl")
        #expect(exported.status != .exited(0) && exported.errorOutput.contains("cannot be exported"), "\(exported)")
    }

    @Test func `a violation of the protocol is a failure of the network that names the rule`() async throws {
        let (kept, url) = try server(Self.upgrade([0xc1, 0]))
        let run = try await Sortie().run("listen", url)
        withExtendedLifetime(kept) {}
        #expect(run.status == .exited(4), "\(run)")
        #expect(run.errorOutput.contains("RFC 6455 §5.2"))
    }

    @Test func `a refused handshake is a failed response`() async throws {
        let server = try ScriptedServer(answering: "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        let run = try await Sortie().run("listen", "ws://\(server.authority)/")
        #expect(run.status == .exited(1), "\(run)")
        #expect(run.errorOutput.contains("403"))
    }

    @Test func `an endpoint of the kind webSocket is opened by listen and refused by send`() async throws {
        let (kept, url) = try server(Self.upgrade(Self.hello + Self.close(1000)))
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: W\nenvironments: {dev: {}}\n")
        try sortie.write("api/service.yaml", "servers: {dev: [\"\(kept.url)\"]}\n")
        try sortie.write("api/chat.yaml", "path: /chat\nkind: webSocket\n")
        let sent = try await sortie.run("send", "api/chat")
        #expect(sent.status == .exited(2) && sent.errorOutput.contains("sortie listen api/chat"), "\(sent)")
        let run = try await sortie.run("listen", "api/chat")
        #expect(run.status == .exited(0) && run.output == "hel␊l\n", "\(run) \(url)")
    }

    @Test func `the body of an endpoint is the first message, and the history has the connection with its messages`() async throws {
        let server = try ScriptedServer(
            Script(.readRequest, Self.upgrade([]), .readBytes(6 + 11), .send(Self.hello + Self.close(1000)), .expectClose))
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: W\nvariables: {name: Ada}\n")
        try sortie.write("api/service.yaml", "name: Api\n")
        try sortie.write("api/chat.yaml", "path: ws://\(server.authority)/chat\nbody: {text: \"hello {{name}}!!\"}\n")
        let run = try await sortie.run("listen", "api/chat")
        #expect(run.status == .exited(0) && run.output == "hel␊l\n", "\(run)")
        let frame = try #require(server.requests.first).body
        #expect(frame.dropFirst(6).enumerated().map { $1 ^ frame[2 + $0 % 4] } == Array("hello Ada!!".utf8))
        let shown = try await sortie.run("history", "show", "1")
        #expect(shown.output.contains(#""data":"hello Ada!!""#) && shown.output.contains(#""data":"hel\nl""#), "\(shown)")
        let list = try await sortie.run("history", "list", "--json")
        #expect(list.output.contains(#""kind":"webSocket""#) || list.output.contains(#""kind": "webSocket""#), "\(list)")
    }

    @Test func `events of an event stream are printed up to --count`() async throws {
        let server = try ScriptedServer(
            Script(
                .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: a\ndata: one\n\ndata: two\n\n"), .expectClose))
        let run = try await Sortie().run("listen", server.url, "--count", "2")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output == "one\ntwo\n")
    }

    @Test(arguments: [[], ["--json"], ["-v"], ["--retry", "0"], ["--retry", "1"], ["--for", "5m"]])
    func `an event stream whose first connection fails is a failure of the network`(arguments: [String]) async throws {
        let dead = try DeadPort(.refusing)
        let run = try await Sortie().run(["listen", dead.url + "/"] + arguments)
        #expect(run.status == .exited(4) && run.output.isEmpty, "\(run)")
        #expect(run.errorOutput.contains("sortie: connectionRefused: "), "\(run)")
    }

    @Test func `a reconnection to an event stream is a line with --json, and one on stderr with -v`() async throws {
        let type = [("Content-Type", "text/event-stream")]
        let server = try ScriptedServer([
            Script([.readRequest, .send(HTTPAnswer.ok("retry: 1\nid: 7\ndata: one\n\n", headers: type))]),
            Script([.readRequest, .send(HTTPAnswer.ok("data: two\n\n", headers: type))]),
        ])
        let run = try await Sortie().run("listen", server.url, "--json", "-v", "--count", "2")
        let lines = try run.output.split(separator: "\n").map { line in
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            return "\(object["direction"] ?? "") \(object["type"] ?? "") \(object["data"] ?? object["reason"] ?? "")"
        }
        #expect(lines == ["received event one", "sent reconnected the response ended", "received event two"], "\(run)")
        #expect(run.status == .exited(0) && run.errorOutput.contains("* connection: reconnected after: the response ended\n"), "\(run)")
        #expect(server.requests.map { $0["Last-Event-ID"] } == [nil, "7"])
    }

    @Test func `--retry 0 ends an event stream with its first response`() async throws {
        let server = try ScriptedServer(answering: .ok("data: one\n\n", headers: [("Content-Type", "text/event-stream")]))
        let run = try await Sortie().run("listen", server.url, "--retry", "0")
        #expect(run.status == .exited(0) && run.output == "one\n" && server.requests.count == 1, "\(run)")
    }

    @Test(arguments: [["--count", "0"], ["--for", "0s"], ["--for", "soon"]])
    func `an impossible limit is a usage error`(arguments: [String]) async throws {
        let run = try await Sortie().run(["listen", "ws://127.0.0.1:1/"] + arguments)
        #expect(run.status == .exited(2), "\(run)")
    }
}
