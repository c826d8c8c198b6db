import FlyingFox
import Foundation

/// The response of a route: status, headers, and a body that is in memory or generated while it is sent.
struct Reply: Sendable {
    enum Body: Sendable {
        case data(Data)
        case sequence(HTTPBodySequence)
        /// The connection is closed without a response.
        case none
    }

    var status: Int
    var headers: [(String, String)]
    var body: Body

    init(_ status: Int = 200, headers: [(String, String)] = [], body: Body = .data(Data())) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    static func json(_ value: JSON, status: Int = 200, headers: [(String, String)] = []) -> Reply {
        Reply(
            status, headers: [("Content-Type", "application/json; charset=utf-8")] + headers, body: .data(Data(value.text.utf8)))
    }

    static func text(_ text: String, type: String = "text/plain; charset=utf-8", headers: [(String, String)] = []) -> Reply {
        Reply(headers: [("Content-Type", type)] + headers, body: .data(Data(text.utf8)))
    }

    /// The business envelope of the demo: `{"code":200,"description":"OK","result":…}`.
    static func envelope(_ result: JSON) -> Reply {
        .json(["code": 200, "description": "OK", "result": result])
    }

    static func problem(_ problem: Problem) -> Reply {
        .json(
            [
                "code": .integer(problem.code), "description": .string(problem.message),
                "hint": "GET / lists every route of this server.",
            ], status: problem.status, headers: problem.headers)
    }

    static func redirect(to location: String, status: Int = 302) -> Reply {
        Reply(
            status, headers: [("Location", location), ("Content-Type", "text/plain; charset=utf-8")],
            body: .data(Data("See \(location)\n".utf8)))
    }
}
