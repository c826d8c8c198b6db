import BodyViews
import SortieBase
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the WebSocket connection of an endpoint in the response pane.
@Suite struct WebSocketTests {
    private static let target = "shop/orders/list"
    private static let lines = [
        #"{"sent":"12:03:04.120","bytes":5,"data":"hello"}"#, #"{"received":"12:03:05.001","bytes":13,"data":{"price":42}}"#,
    ]

    /// A state in which the endpoint's connection is being opened, and its call.
    private func connecting(_ change: (inout Endpoint) -> Void = { _ in }) throws -> (AppState, CallID) {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        let index = try #require(state.workspace.services[0].endpoints.firstIndex { $0.target == Self.target })
        state.workspace.services[0].endpoints[index].kind = .webSocket
        change(&state.workspace.services[0].endpoints[index])
        state.open(Self.target)
        let call = state.sendOpen()
        return (state, call)
    }

    /// A state whose connection is open, with these lines.
    private func connected(_ lines: [String] = Self.lines, _ change: (inout Endpoint) -> Void = { _ in }) throws -> (AppState, CallID) {
        var (state, call) = try connecting(change)
        let response = Response(status: 101, reason: "Switching Protocols", headers: ["Upgrade": "websocket"])
        _ = state.update(.call(call, .responded(response)))
        _ = state.update(.call(call, .grew(BodyBytes(Array((lines.joined(separator: "\n") + "\n").utf8)))))
        state.focus(.response)
        return (state, call)
    }

    /// The endpoint of the only message that was sent.
    private func message(_ effects: [Effect]) -> Endpoint? {
        effects.count == 1 ? effects[0].started(SendMessageJob.self)?.job.endpoint : nil
    }

    @Test func `messages are rows with direction, time, size and content, and Enter opens one`() throws {
        var (state, _) = try connected()
        #expect(state.screen.contains("101 Switching Protocols") && state.screen.contains("2 messages · live"))
        #expect(state.screen.contains(#"↑ 12:03:04.120      5 B  "hello""#))
        #expect(state.screen.contains(#"↓ 12:03:05.001     13 B  {"price": 42}"#))
        state.press("Enter")
        #expect(state.screen.contains(#""received": "12:03:05.001","#) && state.screen.contains(#""price": 42"#))
    }

    @Test func `the text of a message has no row for a type of content, which it does not have`() throws {
        var (state, _) = try connecting { $0.body = .text("hello", contentType: nil) }
        state.focus(.request)
        state.requestState.tab = .body
        #expect(state.screen.contains("hello") && !state.screen.contains("Content type"), "\(state.screen)")
    }

    @Test(arguments: [
        ("hello {{name}}", BodyTemplate.text("hello {{name}}", contentType: nil)), (#"{"a": 1}"#, .json(#"{"a": 1}"#)),
        (#"[{{name}}]"#, .json("[{{name}}]")),
    ])
    func `i asks for a message, which is sent as the body of the endpoint`(text: String, body: BodyTemplate) throws {
        var (state, call) = try connected()
        state.press("i")
        #expect(state.screen.contains("Send to "))
        state.type(text)
        let effects = state.press("Enter")
        guard let job = effects.started(SendMessageJob.self).first?.job, job.call == call, job.environment == "develop" else {
            Issue.record("\(effects)")
            return
        }
        #expect(job.endpoint.body == body && job.endpoint.target == Self.target)
        #expect(!state.screen.contains("Send to "))
    }

    @Test func `a text that begins as JSON and is not is sent as plain text after Enter is pressed again`() throws {
        var (state, call) = try connected()
        state.press("i")
        state.type("[INFO] hi")
        #expect(state.press("Enter") == [])
        #expect(state.screen.contains("The message is not JSON: ") && state.screen.contains("Enter again sends it as plain text"))
        state.type("!")
        #expect(state.press("Enter") == [], "another text needs to be confirmed as well")
        guard let job = state.press("Enter").started(SendMessageJob.self).first?.job, job.call == call else {
            Issue.record("nothing was sent")
            return
        }
        #expect(job.endpoint.body == .text("[INFO] hi!", contentType: nil))
    }

    @Test func `secrets in messages are masked unless they are shown`() throws {
        var (state, _) = try connected([#"{"sent":"12:03:04.120","bytes":5,"data":{"pass":"geheim12345"}}"#])
        _ = state.update(.secretUsed("geheim12345"))
        #expect(state.screen.contains(#""pass": "••••""#) && !state.screen.contains("geheim12345"))
        state.press("S")
        #expect(state.screen.contains("geheim12345"))
    }

    @Test func `an empty message is not sent`() throws {
        var (state, _) = try connected()
        #expect(state.press("i", "Enter", "Enter") == [])
        #expect(state.screen.contains("Send to ") && state.screen.contains("An empty message is not sent"))
    }

    @Test func `a message that cannot be sent can be corrected`() throws {
        var (state, _) = try connected()
        state.press("i")
        state.type("{{nothing}}")
        guard let job = state.press("Enter").started(SendMessageJob.self).first?.id else {
            Issue.record("nothing was sent")
            return
        }
        _ = state.end(SendMessageJob.self, job, .failed("nothing defines {{nothing}}"))
        #expect(state.screen.contains("The message was not sent") && state.screen.contains("│ {{nothing}} "))
    }

    @Test func `I lists the messages of the endpoint and those that were sent before`() throws {
        var (state, _) = try connected { $0.messages = [Parameter("ping", #"{"op": "ping"}"#)] }
        state.press("i")
        state.type("by hand")
        state.press("Enter", "I")
        #expect(state.screen.contains("ping") && state.screen.contains("by hand"))
        #expect(message(state.press("Enter"))?.body == .json(#"{"op": "ping"}"#))
        state.press("I", "↓")
        #expect(message(state.press("Enter"))?.body == .text("by hand", contentType: nil))
    }

    @Test(arguments: [Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `all messages to send are listed, or the position in them is displayed`(size: Size) throws {
        let messages = ["prices", "stop", "bye"].map { Parameter($0, $0) } + [Parameter("order", #"{"id": "{{orderId}}"}"#)]
        var (state, _) = try connected { $0.messages = messages + (1...4).map { Parameter("more\($0)", "{\n  \"number\": \($0)\n}") } }
        _ = state.update(.input(.resize(size)))
        state.press("I")
        for name in messages.map(\.name) + ["more1", "more4"] { #expect(state.screen.contains(name), "\(state.screen)") }
        state.press("End")
        #expect(state.screen.contains("more4"), "\(state.screen)")
    }

    @Test func `a list that is longer than the popup shows the position`() throws {
        var (state, _) = try connected { $0.messages = (1...60).map { Parameter("message\($0)", "text \($0)") } }
        state.press("I", "↓")
        #expect(state.screen.contains(" 2/60 "), "\(state.screen)")
    }

    @Test func `the failure of a message disappears when the next one was sent`() throws {
        var (state, _) = try connected()
        var jobs: [JobID] = []
        for text in ["one", "two"] {
            state.press("i")
            state.type(text)
            jobs += state.press("Enter").started(SendMessageJob.self).map(\.id)
        }
        try #require(jobs.count == 2)
        _ = state.end(SendMessageJob.self, jobs[0], .failed("the connection is closed"))
        #expect(state.toast?.text == "The message was not sent: the connection is closed")
        _ = state.end(SendMessageJob.self, jobs[1], .done(""))
        #expect(state.toast == nil)
    }

    @Test func `a narrow row shows direction and content of a message`() throws {
        var (state, _) = try connected(Self.lines + [#"{"received":"12:03:07.000","bytes":2,"close":1000,"reason":""}"#])
        _ = state.update(.input(.resize(Size(width: 40, height: 16))))
        #expect(state.screen.contains(#"↑ "hello""#) && state.screen.contains(#"↓ {"price": 42}"#), "\(state.screen)")
        #expect(state.screen.contains("↓ close 1000"), "\(state.screen)")
    }

    @Test func `Request shows the URL of a connection with the scheme of WebSocket`() throws {
        let (state, _) = try connecting {
            $0.kind = .data
            $0.path = "wss://chat.test/room"
        }
        #expect(state.screen.contains("WS  wss://chat.test/room"), "\(state.screen)")
        let (relative, _) = try connecting()
        #expect(relative.screen.contains("WS  ws"), "\(relative.screen)")
    }

    @Test func `I without messages names the key that writes one`() throws {
        var (state, _) = try connected()
        state.press("I")
        #expect(state.toast?.text.contains("i writes a message") == true)
    }

    @Test func `Ctrl-C closes the connection, and the messages stay`() throws {
        var (state, call) = try connected()
        #expect(state.screen.contains("^C disconnects") && state.press("^C") == [.cancel(call)])
        var exchange = Exchange.sample(Self.lines.joined(separator: "\n") + "\n")
        exchange.response?.status = 101
        exchange.response?.headers = ["Upgrade": "websocket"]
        exchange.response?.wireBytes = 13
        _ = state.update(.call(call, .finished(exchange)))
        #expect(state.screen.contains("101 OK · 13 B · "), "\(state.screen)")
        state.responseState.tab = .timing
        #expect(state.screen.contains("13 B") && !state.screen.contains("decoded"), "\(state.screen)")
        state.responseState.tab = .body
        #expect(state.callsInFlight == 0 && state.screen.contains(#"↓ 12:03:05.001     13 B  {"price": 42}"#))
        #expect(state.screen.contains("2 messages") && !state.screen.contains("live"))
    }

    @Test func `a connection without messages names the key that writes one`() throws {
        var (state, call) = try connecting()
        _ = state.update(.call(call, .responded(Response(status: 101, headers: ["Upgrade": "websocket"]))))
        #expect(state.screen.contains("connected · i in Response writes a message"))
        state.focus(.response)
        #expect(state.screen.contains("connected · i writes a message"))
        _ = state.update(.call(call, .grew(BodyBytes(Array((Self.lines[0] + "\n").utf8)))))
        #expect(state.screen.contains("1 message · live") && state.screen.contains("i writes"))
    }

    @Test func `a connection that is being opened takes no messages`() throws {
        var (state, _) = try connecting()
        state.focus(.response)
        #expect(state.press("i") == [] && state.popups.isEmpty)
    }

    @Test func `a large number of messages is no transfer`() throws {
        var (state, call) = try connected()
        _ = state.update(.call(call, .progressed(CallProgress(sent: 0, received: 5_000_000))))
        state.press("T")
        #expect(!state.screen.contains("5.0 MB/"))
        #expect(state.calls[call]?.call.isTransfer == false)
    }

    @Test func `a URL with ws opens a connection whatever the kind is, and Services names the protocol`() throws {
        let (state, call) = try connecting {
            $0.kind = .data
            $0.path = "wss://chat.test/room"
        }
        #expect(state.calls[call]?.call.kind == .webSocket)
        #expect(state.screen.contains("WS "))
    }
}
