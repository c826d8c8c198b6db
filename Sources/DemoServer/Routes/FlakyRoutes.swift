import FlyingFox
import FlyingSocks
import Foundation

/// Routes that fail deliberately, to test retries and connection errors.
enum FlakyRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            Route([], "/flaky", "Fails the first ?fail=2 requests of a ?key=abc with ?status=503 (&retryAfter=1), then succeeds.") {
                try await flaky($0, demo)
            },
            Route([], "/flaky/drop", "Closes the connection without a response; with ?fail=2&key=abc only for the first two requests.") {
                call in
                guard let text = call.query["fail"] else { return Reply(body: .none) }
                let limit = try call.integer("fail", default: Int(text) ?? 0, in: 0...1000)
                let attempt = await demo.failures.next("drop " + (call.query["key"] ?? ""), failing: limit)
                return attempt.fails ? Reply(body: .none) : .envelope(["attempt": .integer(attempt.number)])
            },
            .get("/flaky/cut", "Announces ?bytes=1000 and closes the connection after ?after=500 of them.") { try cut($0) },
            Route(["DELETE"], "/flaky", "Resets the counts of failed requests.") { _ in
                await demo.failures.reset()
                return Reply(204)
            },
        ]
    }

    private static func flaky(_ call: Call, _ demo: Demo) async throws -> Reply {
        let limit = try call.integer("fail", default: 2, in: 0...1000)
        let status = try call.integer("status", default: 503, in: 400...599)
        let wait = try call.integer("retryAfter", default: 0, in: 0...3600)
        let attempt = await demo.failures.next(call.query["key"] ?? "", failing: limit)
        guard !attempt.fails else {
            throw Problem(
                status, "Attempt \(attempt.number) fails intentionally; \(limit - attempt.number) more will fail.",
                headers: wait > 0 ? [("Retry-After", String(wait))] : [])
        }
        return .envelope(["attempt": .integer(attempt.number), "failed": .integer(limit)])
    }

    private static func cut(_ call: Call) throws -> Reply {
        let bytes = try call.byteSize("bytes", default: 1000, upTo: 1_000_000_000)
        let limit = try call.byteSize("after", default: bytes / 2, upTo: bytes)
        let stump = PulledBytes(state: 0) { sent in
            guard sent < limit else { throw SocketError.disconnected }
            let count = min(64 << 10, limit - sent)
            sent += count
            return Data(repeating: UInt8(ascii: "."), count: count)
        }
        return Reply(headers: [("Content-Type", "text/plain")], body: .sequence(HTTPBodySequence(from: stump, count: bytes)))
    }
}
