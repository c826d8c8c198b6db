import Support
import Testing

@testable import SortieNetworking

/// Tests calls that are suspended and resumed (S2.1, S2.22, S2.26).
@Suite(.fewAtOnce)
struct SuspensionTests {
    /// Half of a body of eight bytes, and the rest when `gate` opens.
    private func halves(_ gate: Gate) -> Script {
        Script(
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf"), .wait(for: gate), .send("full"), .expectClose)
    }

    /// Lets the engine's event loop run, with another call that ends.
    private func passTime(of caller: Caller) async throws {
        let server = try ScriptedServer(answering: .ok("other"))
        #expect(try await caller.get(server.url).text == "other")
    }

    private func isGrown(_ event: CallEvent) -> Bool {
        if case .grew = event { true } else { false }
    }

    private func isGrownOrEnd(_ event: CallEvent) -> Bool {
        switch event {
        case .grew, .finished: true
        default: false
        }
    }

    private func isLifecycleOrEnd(_ event: CallEvent) -> Bool {
        switch event {
        case .decided(let decision): decision.subject == .lifecycle
        case .finished: true
        default: false
        }
    }

    @Test func `S2.1 a call that is suspended in its body receives nothing, and everything after it is resumed`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(halves(gate))
        let caller = try Caller()
        let call = caller.begin(try .to(server.url))
        try await call.wait(for: "the first half", isGrown)
        caller.client.suspend(call.id)
        try await call.waitForDecision(.lifecycle)
        #expect(caller.client.state(of: call.id) == .suspended)
        let before = call.events.current.count
        gate.open()
        try await passTime(of: caller)
        #expect(call.events.current.count == before)
        caller.client.resume(call.id)
        let end = try await call.end().end
        #expect(end?.text == "halffull")
        #expect(end?.error == nil)
        #expect(caller.client.state(of: call.id) == nil)
    }

    @Test func `S2.1 no time limit runs while a call is suspended`() async throws {
        try await growing(from: .seconds(1)) { limit -> Void? in
            let gate = Gate()
            let server = try ScriptedServer(halves(gate))
            let caller = try Caller()
            let began = ContinuousClock.now
            let call = caller.begin(try .to(server.url) { $0.timeouts = Timeouts(connect: .seconds(300), idle: limit, total: limit * 3 / 2) })
            try await call.wait(for: "the first half or the end", isGrownOrEnd)
            caller.client.suspend(call.id)
            try await call.wait(for: "the suspension or the end", isLifecycleOrEnd)
            let suspended = ContinuousClock.now
            // The duration of another call shows that more than both limits have passed.
            let silent = try DeadPort(.silent)
            let other = try await caller.get(silent.url) { $0.timeouts = Timeouts(connect: limit * 19 / 10, total: limit * 4) }
            #expect(other.error?.code == .timedOut)
            let resumed = ContinuousClock.now
            gate.open()
            caller.client.resume(call.id)
            let end = try await call.end().end
            // Without the suspension, the call may last as long as the shorter limit.
            guard began.duration(to: suspended) + resumed.duration(to: .now) < limit else { return nil }
            #expect(call.events.current.contains { if case .decided(let decision) = $0 { decision.subject == .lifecycle } else { false } })
            #expect(end?.text == "halffull")
            return ()
        }
    }

    @Test func `S2.1 the time limits continue when the call is resumed`() async throws {
        try await growing(from: .seconds(2)) { limit -> Void? in
            let gate = Gate()
            let server = try ScriptedServer(halves(gate))
            let caller = try Caller()
            let call = caller.begin(try .to(server.url) { $0.timeouts.idle = limit })
            try await call.wait(for: "the first half or the end", isGrownOrEnd)
            caller.client.suspend(call.id)
            try await call.wait(for: "the suspension or the end", isLifecycleOrEnd)
            // The call must be suspended before its limit.
            let isSuspended = caller.client.state(of: call.id) == .suspended
            caller.client.resume(call.id)
            #expect(try await call.end().end?.error?.code == .timedOut)
            gate.open()
            return isSuspended ? () : nil
        }
    }

    @Test func `S2.25 cancelling a suspended call ends it as cancelled, once`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([halves(gate), .answering(.ok("next"))])
        let caller = try Caller()
        let call = caller.begin(try .to(server.url))
        try await call.wait(for: "the first half", isGrown)
        caller.client.suspend(call.id)
        try await call.waitForDecision(.lifecycle)
        await call.cancel()
        caller.client.resume(call.id)
        let end = try #require(try await call.end().end)
        #expect(end.error?.code == .cancelled)
        #expect(end.text == "half")
        #expect(try await caller.get(server.url).text == "next")
        gate.open()
    }

    @Test func `a call that is suspended before its response holds its end back until it is resumed`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script(.readRequest, .wait(for: gate), .send(HTTPAnswer.ok(""))))
        let caller = try Caller()
        let call = caller.begin(try .to(server.url))
        try await gate.waitUntilReached()
        caller.client.suspend(call.id)
        try await call.waitForDecision(.lifecycle)
        gate.open()
        try await passTime(of: caller)
        #expect(call.events.current.ends.isEmpty)
        caller.client.resume(call.id)
        #expect(try await call.end().end?.response?.status == 200)
    }

    @Test func `a call that is suspended in the queue keeps its position and lets others pass`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(
            Script([.readRequest, .wait(for: gate), .send(HTTPAnswer.ok())] + Script.answering(.ok()).steps))
        let caller = try Caller(limits: [server.url: 1])
        let holder = caller.begin(try .to("\(server.url)/holder"))
        try await gate.waitUntilReached()
        let first = caller.begin(try .to("\(server.url)/first"))
        try await first.waitForDecision(.admission)
        let second = caller.begin(try .to("\(server.url)/second"))
        try await second.waitForDecision(.admission)
        caller.client.suspend(first.id)
        try await first.waitForDecision(.lifecycle)
        gate.open()
        #expect(try await second.end().end?.error == nil)
        #expect(try await holder.end().end?.error == nil)
        #expect(server.requests.map(\.target) == ["/holder", "/second"])
        caller.client.resume(first.id)
        #expect(try await first.end().end?.error == nil)
        #expect(server.requests.map(\.target) == ["/holder", "/second", "/first"])
    }

    @Test func `a call that is suspended in the queue can be cancelled`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script(.readRequest, .wait(for: gate), .send(HTTPAnswer.ok())))
        let caller = try Caller(limits: [server.url: 1])
        let holder = caller.begin(try .to(server.url))
        try await gate.waitUntilReached()
        let call = caller.begin(try .to(server.url))
        try await call.waitForDecision(.admission)
        caller.client.suspend(call.id)
        await call.cancel()
        #expect(try await call.end().end?.error?.code == .cancelled)
        gate.open()
        #expect(try await holder.end().end?.error == nil)
    }

    @Test func `a call that is suspended before its start sends nothing until it is resumed`() async throws {
        let server = try ScriptedServer(answering: .ok("late"))
        let caller = try Caller(resolver: Resolver { _, _ in })
        let call = caller.begin(try .to("http://slow.test:\(server.port)/") { $0.addresses = IPAddress("127.0.0.1").map { [$0] } ?? [] })
        caller.client.suspend(call.id)
        caller.client.resume(call.id)
        #expect(try await call.end().end?.text == "late")
    }

    @Test func `an upload is suspended in its body, and received completely`() async throws {
        let gate = Gate()
        let body = (0..<6_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let server = try ScriptedServer(Script(.readHead, .wait(for: gate), .readBody, .send(HTTPAnswer.ok("taken"))))
        let caller = try Caller()
        let call = caller.begin(try .to(server.url, .post, body: .bytes(body, contentType: nil)))
        try await gate.waitUntilReached()
        caller.client.suspend(call.id)
        try await call.waitForDecision(.lifecycle)
        gate.open()
        try await passTime(of: caller)
        #expect(call.events.current.ends.isEmpty)
        caller.client.resume(call.id)
        #expect(try await call.end().end?.text == "taken")
        #expect(server.requests.last?.body == body)
    }

    @Test func `suspending and resuming are idempotent, and have no effect on an ended call`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(halves(gate))
        let caller = try Caller()
        let call = caller.begin(try .to(server.url))
        try await call.wait(for: "the first half", isGrown)
        caller.client.resume(call.id)
        caller.client.suspend(call.id)
        caller.client.suspend(call.id)
        try await call.waitForDecision(.lifecycle)
        caller.client.resume(call.id)
        caller.client.resume(call.id)
        gate.open()
        let events = try await call.end()
        #expect(events.decisions(.lifecycle) == ["suspended; time limits are paused", "resumed"])
        caller.client.suspend(call.id)
        caller.client.resume(call.id)
        try await passTime(of: caller)
    }
}
