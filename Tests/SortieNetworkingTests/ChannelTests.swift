import Support
import Testing

@testable import SortieNetworking

/// Tests request queues: the number of concurrent requests, and the order in which the others wait (S4.6, S4.7).
@Suite(.fewAtOnce)
struct ChannelTests {
    /// Responds slowly enough for requests to overlap, and records how many were concurrent.
    private final class Meter: Sendable {
        let state = Watched((now: 0, most: 0))

        func script(_ gate: Gate) -> Script {
            Script(
                .repeat([
                    .readRequest,
                    .respond { [state] _ in
                        state.change { ($0.now, $0.most) = ($0.now + 1, max($0.most, $0.now + 1)) }
                        return []
                    },
                    .pause(.milliseconds(15)), .wait(for: gate),
                    .respond { [state] _ in
                        state.change { $0.now -= 1 }
                        return HTTPAnswer.ok().bytes
                    },
                ]))
        }
    }

    @Test func `S4.7 fields, removed fields and bodies of a request do not appear in others, on the same connections`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        let caller = try Caller(limits: [server.url: 2])
        let count = 30
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                let hasBody = number.isMultiple(of: 3)
                var request = try Request.to(
                    server.url, hasBody ? .post : .get, [HeaderField("X-Number", "\(number)")],
                    body: hasBody ? .text("body \(number)", contentType: "text/x-\(number)") : .none)
                if number.isMultiple(of: 2) { request.options.removedFields = ["accept"] }
                group.addTask { [request] in
                    let text = try await caller.exchange(request).text
                    #expect(text == "fine")
                }
            }
            try await group.waitForAll()
        }
        #expect(server.requests.count == count)
        for request in server.requests {
            let number = try #require(request["X-Number"].flatMap(Int.init))
            #expect((request["Accept"] == nil) == number.isMultiple(of: 2), "\(number)")
            #expect(request.bodyText == (number.isMultiple(of: 3) ? "body \(number)" : ""), "\(number)")
            #expect(request["Content-Type"] == (number.isMultiple(of: 3) ? "text/x-\(number)" : nil), "\(number)")
        }
    }

    @Test func `S4.6 the number of concurrent requests does not exceed the limit, and all get responses`() async throws {
        let (meter, gate) = (Meter(), Gate())
        let server = try ScriptedServer(meter.script(gate))
        let caller = try Caller(limits: [server.url: 3])
        let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<20 { group.addTask { try await caller.get(server.url).response?.status } }
            try await gate.waitUntilReached(3)
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 20))
        #expect(meter.state.current.most == 3)
        #expect(server.acceptedConnections <= 3)
    }

    /// Occupies the only slot of a queue, lets requests wait in order, and returns the order in which they were sent.
    private func order(_ priorities: [RequestOptions.Priority]) async throws -> [String] {
        let gate = Gate()
        let server = try ScriptedServer(
            Script([.readRequest, .wait(for: gate), .send(HTTPAnswer.ok())] + Script.answering(.ok()).steps))
        let caller = try Caller(limits: [server.url: 1])
        let holder = caller.begin(try .to("\(server.url)/holder"))
        try await gate.waitUntilReached()
        var calls: [RunningCall] = []
        for (index, priority) in priorities.enumerated() {
            let call = caller.begin(try .to("\(server.url)/\(index)") { $0.priority = priority })
            try await call.waitForDecision(.admission)
            calls.append(call)
        }
        gate.open()
        for call in [holder] + calls { #expect(try await call.end().end?.response?.status == 200) }
        return server.requests.dropFirst().map { String($0.target.dropFirst()) }
    }

    @Test func `S2.21 higher priorities come first, and equal ones are served in order`() async throws {
        #expect(try await order([.low, .normal, .high, .low, .high, .normal]) == ["2", "4", "1", "5", "0", "3"])
    }

    @Test func `equal priorities are served in order of arrival`() async throws {
        #expect(try await order(Array(repeating: .normal, count: 6)) == ["0", "1", "2", "3", "4", "5"])
    }

    @Test func `a cancelled waiter leaves its slot to the next one`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(
            Script([.readRequest, .wait(for: gate), .send(HTTPAnswer.ok())] + Script.answering(.ok()).steps))
        let caller = try Caller(limits: [server.url: 1])
        let holder = caller.begin(try .to("\(server.url)/holder"))
        try await gate.waitUntilReached()
        let leaving = caller.begin(try .to("\(server.url)/leaving"))
        try await leaving.waitForDecision(.admission)
        let staying = caller.begin(try .to("\(server.url)/staying"))
        try await staying.waitForDecision(.admission)
        await leaving.cancel()
        #expect(try await leaving.end().end?.error?.code == .cancelled)
        gate.open()
        #expect(try await holder.end().end?.error == nil)
        #expect(try await staying.end().end?.error == nil)
        #expect(server.requests.map(\.target) == ["/holder", "/staying"])
    }

    @Test func `S4.7 a full service does not delay another one of the same origin`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([
            Script(.readRequest, .wait(for: gate), .send(HTTPAnswer.ok("slow"))), .answering(.ok("quick")),
        ])
        let caller = try Caller(limits: ["full": 1])
        var slow = try Request.to(server.url)
        slow.service = "full"
        let holder = caller.begin(slow)
        try await gate.waitUntilReached()
        let waiter = caller.begin(slow)
        try await waiter.waitForDecision(.admission)
        var other = try Request.to(server.url)
        other.service = "other"
        #expect(try await caller.exchange(other).text == "quick")
        #expect(try await caller.get(server.url).text == "quick")
        gate.open()
        #expect(try await holder.end().end?.text == "slow")
        #expect(try await waiter.end().end?.error == nil)
    }

    @Test func `a failed call releases its slot`() async throws {
        let port = try DeadPort(.refusing)
        let caller = try Caller(limits: [port.url: 1])
        for _ in 0..<5 { #expect(try await caller.get(port.url).error?.code == .connectionRefused) }
    }

    @Test func `a decision contains the number of waiters before a request, and the exchange the time it waited`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(
            Script([.readRequest, .wait(for: gate), .send(HTTPAnswer.ok())] + Script.answering(.ok()).steps))
        let caller = try Caller(limits: [server.url: 1])
        let holder = caller.begin(try .to(server.url))
        try await gate.waitUntilReached()
        let waiter = caller.begin(try .to(server.url))
        try await waiter.waitForDecision(.admission)
        gate.open()
        let events = try await waiter.end()
        #expect(events.decisions(.admission) == ["waits: 1 of 1 requests of the service are in flight; 0 wait"])
        #expect((events.end?.timing.queued ?? 0) > 0)
        _ = try await holder.end()
    }
}
