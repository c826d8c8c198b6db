import FlyingFox
import Foundation
import SortieBase

/// Routes with any status, and routes with slow responses.
enum StatusRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            Route(
                [], "/status/{code}", "Responds with that status, 200 to 599: ?body=TEXT&location=URL&retryAfter=SECONDS.",
                handle: status),
            .get("/server/{number}", "Responds with the number in X-Use-Server, with which a client switches to another server of its ring.") {
                call in
                let number = call.parameters["number"] ?? "1"
                return .json(["use": .string(number)], headers: [("X-Use-Server", number)])
            },
            Route([], "/delay/{seconds}", "Responds after that many seconds, 0 to 600, fractions allowed.", handle: delay),
            .get(
                "/drip", "Sends slowly: ?bytes=1000&seconds=5&length=true; length=false hides the total.", handle: drip),
            .get("/sse", "Server-sent events: ?count=5&interval=1.", handle: events),
        ]
    }

    private static func status(_ call: Call) throws -> Reply {
        guard let code = Int(call.parameter("code")), (200...599).contains(code) else {
            throw Problem(400, "A status is a number from 200 to 599, not \"\(call.parameter("code"))\".")
        }
        var headers: [(String, String)] = []
        if let location = call.query["location"] { headers.append(("Location", location)) }
        if let wait = call.query["retryAfter"] { headers.append(("Retry-After", wait)) }
        if code == 401 { headers.append(("WWW-Authenticate", "Bearer realm=\"demo\"")) }
        if code == 407 { headers.append(("Proxy-Authenticate", "Basic realm=\"demo\"")) }
        if [204, 205, 304].contains(code) { return Reply(code, headers: headers) }
        if let text = call.query["body"] {
            return Reply(code, headers: headers + [("Content-Type", "text/plain; charset=utf-8")], body: .data(Data(text.utf8)))
        }
        return .json(["code": .integer(code), "description": .string(StatusPhrase.of(code))], status: code, headers: headers)
    }

    private static func delay(_ call: Call) async throws -> Reply {
        let seconds = try Call.seconds(call.parameter("seconds"), named: "The delay", upTo: 600)
        let start = ContinuousClock.now
        try await Task.sleep(for: .seconds(seconds))
        return .envelope(["asked": .string(call.parameter("seconds")), "waited": .seconds(ContinuousClock.now - start)])
    }

    private static func drip(_ call: Call) throws -> Reply {
        let bytes = try call.byteSize("bytes", default: 1000, upTo: 1_000_000_000)
        let seconds = try call.seconds("seconds", default: 5, upTo: 600)
        let hasLength = try call.flag("length", default: true)
        // A shorter duration is not slow, and the quotient could exceed the range of Int.
        let rate = seconds >= 0.001 ? max(1, Int((Double(bytes) / seconds).rounded(.up))) : nil
        let drops = PulledBytes(state: (sent: 0, pace: Pace(rate: rate))) { state in
            guard state.sent < bytes else { return nil }
            let count = min(bytes - state.sent, state.pace.chunkBytes)
            state.sent += count
            try await state.pace.pass(count)
            return Data(repeating: UInt8(ascii: "*"), count: count)
        }
        let body = hasLength ? HTTPBodySequence(from: drops, count: bytes) : HTTPBodySequence(from: drops)
        return Reply(headers: [("Content-Type", "application/octet-stream")], body: .sequence(body))
    }

    private static func events(_ call: Call) throws -> Reply {
        let count = try call.integer("count", default: 5, in: 1...1000)
        let interval = try call.seconds("interval", default: 1, upTo: 60)
        let events = PulledBytes(state: 0) { sent in
            guard sent < count else { return nil }
            if sent > 0 { try await Task.sleep(for: .seconds(interval)) }
            sent += 1
            let data: JSON = ["number": .integer(sent), "text": .string("événement \(sent) 事件")]
            return Data("id: \(sent)\nevent: \(sent == count ? "last" : "tick")\ndata: \(data.compactText)\n\n".utf8)
        }
        return Reply(
            headers: [("Content-Type", "text/event-stream; charset=utf-8"), ("Cache-Control", "no-store")],
            body: .sequence(HTTPBodySequence(from: events)))
    }
}
