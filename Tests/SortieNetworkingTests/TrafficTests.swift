import Support
import Testing

@testable import SortieNetworking

/// Tests classes of traffic, each with separate rules of admission (S2.13, S3.14).
@Suite(.fewAtOnce)
struct TrafficTests {
    /// A server that holds every request until `gate` opens.
    private func held(by gate: Gate) throws -> ScriptedServer {
        try ScriptedServer(Script(.repeat([.readRequest, .wait(for: gate), .send(HTTPAnswer.ok())])))
    }

    private func begin(_ caller: Caller, _ url: String, _ traffic: [Traffic]) throws -> [RunningCall] {
        try traffic.map { traffic in caller.begin(try .to(url) { $0.traffic = traffic }) }
    }

    @Test func `S3.14 a refresh never waits behind background calls, whatever their number`() async throws {
        let gate = Gate()
        let server = try held(by: gate)
        let caller = try Caller(limits: [server.url: 4])
        var background = try begin(caller, "\(server.url)/background", [.background])
        try await gate.waitUntilReached()
        background += try begin(caller, "\(server.url)/background", Array(repeating: .background, count: 4))
        for call in background.dropFirst() { try await call.waitForDecision(.admission) }
        let refresh = try begin(caller, "\(server.url)/refresh", [.refresh, .refresh, .refresh])
        try await gate.waitUntilReached(4)
        #expect(server.requests.map(\.target).sorted() == ["/background", "/refresh", "/refresh", "/refresh"])
        gate.open()
        for call in background + refresh { #expect(try await call.end().end?.response?.status == 200) }
    }

    @Test func `S3.14 resources and background together leave a quarter of the slots free`() async throws {
        let gate = Gate()
        let server = try held(by: gate)
        let caller = try Caller(limits: [server.url: 4])
        let lesser = try begin(caller, server.url, [.background, .resource, .resource])
        try await gate.waitUntilReached(3)
        let waiting = try begin(caller, server.url, [.resource])[0]
        try await waiting.waitForDecision(.admission)
        let refresh = try begin(caller, server.url, [.refresh])
        try await gate.waitUntilReached(4)
        gate.open()
        for call in lesser + refresh { #expect(try await call.end().end?.error == nil) }
        #expect(
            try await waiting.end().decisions(.admission) == [
                "waits: transfers, resources and background calls together may use 3 of the 4 requests of the service, all in use; "
                    + "the rest is for requests; 0 wait"
            ])
    }

    @Test func `S2.13 a free slot is assigned to a refresh, then to a resource, then to the background, whatever their priorities`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(
            Script([.readRequest, .wait(for: gate), .send(HTTPAnswer.ok())] + Script.answering(.ok()).steps))
        let caller = try Caller(limits: [server.url: 1])
        let holder = caller.begin(try .to("\(server.url)/holder"))
        try await gate.waitUntilReached()
        var calls: [RunningCall] = []
        let wanted: [(Traffic, RequestOptions.Priority)] = [(.background, .high), (.resource, .normal), (.resource, .high), (.refresh, .low)]
        for (traffic, priority) in wanted {
            let call = caller.begin(
                try .to("\(server.url)/\(traffic)-\(priority)") {
                    $0.traffic = traffic
                    $0.priority = priority
                })
            try await call.waitForDecision(.admission)
            calls.append(call)
        }
        gate.open()
        for call in [holder] + calls { #expect(try await call.end().end?.error == nil) }
        #expect(server.requests.map(\.target) == ["/holder", "/refresh-low", "/resource-high", "/resource-normal", "/background-high"])
    }

    @Test func `slots of each class are released by calls that end and calls that leave the queue`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let caller = try Caller(limits: [server.url: 2])
        for traffic in Traffic.allCases {
            let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 0..<10 { group.addTask { try await caller.get(server.url) { $0.traffic = traffic }.response?.status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: 200, count: 10))
        }
    }
}
