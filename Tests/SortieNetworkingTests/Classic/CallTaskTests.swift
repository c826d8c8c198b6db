import SortieClassic
import Support
import Testing

@testable import SortieNetworking

/// Tests callbacks and delegates: their order, their single end, and their executor (S2.22–S2.26, S3.4, S1.21).
@Suite(.fewAtOnce)
struct CallTaskTests {
    /// Records the events of a call.
    private final class Listener: CallDelegate {
        let heard = Watched<[String]>([])

        func note(_ what: String) { heard.change { if $0.last != what { $0.append(what) } } }

        /// Closures that record under a prefix.
        func callbacks(_ prefix: String = "") -> CallCallbacks {
            var callbacks = CallCallbacks()
            callbacks.willStart = { self.note(prefix + "willStart") }
            callbacks.willSuspend = { self.note(prefix + "willSuspend") }
            callbacks.didSuspend = { self.note(prefix + "didSuspend") }
            callbacks.progress = { _ in self.note(prefix + "progress") }
            callbacks.willStop = { self.note(prefix + "willStop") }
            callbacks.success = { self.note(prefix + "success \($0.status)") }
            callbacks.failure = { self.note(prefix + "failure \($0.code)") }
            callbacks.didStop = { self.note(prefix + "didStop") }
            return callbacks
        }

        func callWillStart(_ id: RequestID) { note("delegate willStart") }
        func callWillSuspend(_ id: RequestID) { note("delegate willSuspend") }
        func callDidSuspend(_ id: RequestID) { note("delegate didSuspend") }
        func call(_ id: RequestID, progressed progress: CallProgress) { note("delegate progress") }
        func callWillStop(_ id: RequestID) { note("delegate willStop") }
        func call(_ id: RequestID, succeeded exchange: Exchange) { note("delegate success \(exchange.response?.status ?? 0)") }
        func call(_ id: RequestID, failed error: NetworkError, exchange: Exchange) { note("delegate failure \(error.code)") }
        func callDidStop(_ id: RequestID) { note("delegate didStop") }

        func wait(for what: String) async throws {
            try await heard.wait(what, within: .seconds(300)) { $0.contains(what) ? () : nil }
        }
    }

    private func end(_ task: CallTask) async throws -> Exchange {
        try await withDeadline(.seconds(300), "the call to end") { await task.exchange }
    }

    @Test func `S2.23 a successful call reports start, progress, stop, success and end`() async throws {
        let server = try ScriptedServer(answering: .ok("body"))
        let (caller, listener) = (try Caller(), Listener())
        let task = caller.client.start(try .to(server.url), callbacks: listener.callbacks())
        #expect(try await end(task).text == "body")
        #expect(listener.heard.current.filter { $0 != "progress" } == ["willStart", "willStop", "success 200", "didStop"])
        #expect(task.state == .completed)
    }

    @Test func `S2.24 the delegate receives the same calls directly after the closures`() async throws {
        let server = try ScriptedServer(answering: .ok(""))
        let (caller, listener) = (try Caller(), Listener())
        let task = caller.client.start(try .to(server.url), callbacks: listener.callbacks("closure "), delegate: listener)
        _ = try await end(task)
        #expect(
            listener.heard.current.filter { !$0.hasSuffix("progress") } == [
                "closure willStart", "delegate willStart", "closure willStop", "delegate willStop", "closure success 200", "delegate success 200",
                "closure didStop", "delegate didStop",
            ])
    }

    @Test func `S2.22 suspending and resuming report willSuspend, didSuspend and willStart, without progress in between`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(
            Script(.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf"), .wait(for: gate), .send("full"), .expectClose))
        let (caller, listener) = (try Caller(), Listener())
        // Progress may also be reported before the first half has arrived.
        let half = Watched(false)
        var callbacks = listener.callbacks()
        callbacks.progress = { progress in
            listener.note("progress")
            if progress.received == 4 { half.change { $0 = true } }
        }
        let task = caller.client.start(try .to(server.url), callbacks: callbacks)
        try await half.wait("the first half", within: .seconds(300)) { $0 ? () : nil }
        task.suspend()
        try await listener.wait(for: "didSuspend")
        #expect(task.state == .suspended)
        gate.open()
        task.resume()
        #expect(try await end(task).text == "halffull")
        let heard = listener.heard.current
        let suspended = try #require(heard.firstIndex(of: "willSuspend"))
        #expect(Array(heard[suspended..<(suspended + 3)]).filter { $0 != "progress" } == ["willSuspend", "didSuspend", "willStart"])
        #expect(heard.suffix(3) == ["willStop", "success 200", "didStop"])
    }

    @Test func `S2.25 a cancelled call fails as cancelled, once`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script(.readRequest, .wait(for: gate)))
        let (caller, listener) = (try Caller(), Listener())
        let task = caller.client.start(try .to(server.url), callbacks: listener.callbacks())
        try await gate.waitUntilReached()
        task.cancel()
        task.cancel()
        #expect(try await end(task).error?.code == .cancelled)
        #expect(listener.heard.current == ["willStart", "willStop", "failure cancelled", "didStop"])
        gate.open()
    }

    @Test func `S0.9 a call that is cancelled before it starts ends too, and sends nothing`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let (caller, listener) = (try Caller(), Listener())
        let task = caller.client.task(try .to(server.url), callbacks: listener.callbacks())
        #expect(task.state == .suspended)
        task.cancel()
        #expect(try await end(task).error?.code == .cancelled)
        #expect(listener.heard.current == ["willStop", "failure cancelled", "didStop"])
        #expect(server.acceptedConnections == 0)
    }

    @Test func `S1.10 a call that was created but not started sends nothing`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let caller = try Caller()
        let task = caller.client.task(try .to(server.url))
        #expect(try await caller.get(server.url).response?.status == 200)
        #expect(server.requests.count == 1)
        task.resume()
        task.start()
        #expect(try await end(task).response?.status == 200)
        #expect(server.requests.count == 2)
    }

    @Test func `S2.23 after the end everything that the closures capture is released, although the call is retained`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let caller = try Caller()
        var listener: Listener? = Listener()
        weak let held = listener
        let task = caller.client.start(try .to(server.url), callbacks: try #require(listener).callbacks())
        listener = nil
        _ = try await end(task)
        #expect(held == nil)
        #expect(task.state == .completed)
    }

    @Test func `S1.21 one closure receives the result of a call`() async throws {
        let port = try DeadPort(.refusing)
        let told = Watched<[String]>([])
        let task = try Caller().client.start(try .to(port.url)) { result in
            told.change { list in
                switch result {
                case .success: list.append("success")
                case .failure(let error): list.append("\(error.code)")
                }
            }
        }
        _ = try await end(task)
        #expect(told.current == ["connectionRefused"])
    }

    private actor Screen {
        var shown: [Int] = []
        func show(_ status: Int) { shown.append(status) }
    }

    @Test func `S0.18 closures are called on the specified actor, in sequence`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let (caller, screen) = (try Caller(), Screen())
        var callbacks = CallCallbacks()
        callbacks.success = { response in screen.assumeIsolated { $0.show(response.status) } }
        callbacks.didStop = { screen.preconditionIsolated() }
        let tasks = try (0..<5).map { _ in caller.client.start(try .to(server.url), callbacks: callbacks, on: screen) }
        for task in tasks { _ = try await end(task) }
        #expect(await screen.shown == Array(repeating: 200, count: 5))
    }

    @MainActor @Test func `X6 a user interface is called on the main actor`() async throws {
        let server = try ScriptedServer(answering: .ok("shown"))
        let caller = try Caller()
        var shown = ""
        let task = caller.client.startForMain(try .to(server.url)) { result in
            if case .success(let response) = result { shown = response.body.string(in: 0..<response.body.count) }
        }
        _ = try await end(task)
        #expect(shown == "shown")
    }

    @Test func `S1.20 a scope cancels only its calls`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script(.readRequest, .wait(for: gate), .send(HTTPAnswer.ok("stays"))))
        let caller = try Caller()
        let (mine, other) = (CallScope(caller.client), CallScope(caller.client))
        let own = [mine.start(try .to(server.url)), mine.start(try .to(server.url))]
        let theirs = other.start(try .to(server.url))
        try await gate.waitUntilReached(3)
        mine.cancel([theirs.id])
        #expect(mine.calls == Set(own.map(\.id)))
        mine.cancelAll()
        for task in own { #expect(try await end(task).error?.code == .cancelled) }
        #expect(mine.calls.isEmpty)
        gate.open()
        #expect(try await end(theirs).text == "stays")
    }

    @Test func `S1.20 calls of a scope end with the scope`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script(.readRequest, .wait(for: gate)))
        let caller = try Caller()
        var scope: CallScope? = CallScope(caller.client)
        let task = try #require(scope).start(try .to(server.url))
        try await gate.waitUntilReached()
        scope = nil
        #expect(try await end(task).error?.code == .cancelled)
        gate.open()
    }
}
