import Foundation
import SortieHTTP
import SortieNetworking
import Support
import Testing
import WorkspaceModel

@testable import SortieApp

/// Tests that the calls of a run are recorded after their steps have ended, however long that takes.
@Suite struct StepCallsTests {
    @Test func `a call is reported when its step ends`() throws {
        let ended = Watched<[RequestID]>([])
        let calls = StepCalls { id in ended.change { $0.append(id) } }
        let request = Request(url: try HTTPURL(parsing: "http://127.0.0.1/"))
        let exchange = Exchange(id: RequestID(high: 0, low: 7), request: request, startedAt: .distantPast)
        var step = StepRecord(name: "login", target: "api/login")
        step.state = .sending
        for event in [RunEvent.step(2, step), .call(2, .finished(exchange))] { calls.receive(event) }
        #expect(ended.current.isEmpty)
        step.state = .cancelled
        calls.receive(.step(2, step))
        #expect(ended.current == [exchange.id])
    }

    @Test func `an archive has the call of a step after its end, or at the end of the recording`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let caller = try RunClient()
        let path = caller.folder.path + "/t.har"
        let counts = Watched<[Int]>([])
        let capture = try TrafficCapture(of: caller.client, into: path, masking: { .standard }) { result in
            if case .success(let count) = result { counts.change { $0.append(count) } }
        }
        func send(_ target: String, run: String?, isSentByRun: Bool) async throws -> RequestID {
            var request = Request(url: try HTTPURL(parsing: "\(server.url)/\(target)"))
            request.origin = RequestOrigin(endpoint: Endpoint(target: "api/\(target)", name: "", path: "/"), run: run)
            request.origin?.isSentByRun = isSentByRun
            return await caller.client.exchange(request).id
        }
        func archive() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
        let step = try await send("step", run: "r", isSentByRun: true)
        _ = try await send("left", run: "r", isSentByRun: true)
        // No step of a run ends for it.
        _ = try await send("replay", run: "r", isSentByRun: false)
        try await counts.wait("the call that no run sends to be recorded", within: .seconds(300)) { $0 == [1] ? () : nil }
        #expect(try archive().contains("/replay") && !archive().contains("/step"))
        capture.release(step)
        try await counts.wait("the call of the step to be recorded", within: .seconds(300)) { $0 == [1, 2] ? () : nil }
        #expect(try archive().contains("/step") && !archive().contains("/left"))
        #expect(capture.stop() == 3)
        #expect(try archive().contains("/left"))
    }
}
