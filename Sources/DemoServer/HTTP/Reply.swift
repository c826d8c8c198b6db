import FlyingFox
import FlyingSocks
package import Foundation
import SortieBase

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
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    static func json(_ value: JSON, status: Int = 200, headers: [(String, String)] = []) -> Reply {
        Reply(
            status, headers: [("Content-Type", "application/json; charset=utf-8")] + headers, body: .data(Data(value.compactText.utf8)))
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

extension Reply {
    /// Converts the reply to FlyingFox's response.
    ///
    /// - Parameters:
    ///   - isHead: Whether the request was a HEAD. The response keeps Content-Length and drops the body, which FlyingFox would send.
    ///   - closes: Whether the connection is closed after the body.
    ///   - server: The value of `Server`.
    func response(isHead: Bool, closes: Bool, server: String = "SortieDemo") -> HTTPResponse {
        var fields = HTTPHeaders()
        for (name, value) in headers {
            fields.addValue(String(String.UnicodeScalarView(value.unicodeScalars.filter(Self.isAllowed))), for: HTTPHeader(name))
        }
        fields[HTTPHeader("Date")] = CalendarTime(secondsSince1970: Date().timeIntervalSince1970).httpDate
        fields[HTTPHeader("Server")] = server
        if closes { fields[.connection] = "close" }
        let code = HTTPStatusCode(status, phrase: StatusPhrase.of(status))
        switch body {
        case .none:
            return HTTPResponse(webSocket: Hangup())
        case .data(let data):
            if isHead { fields[.contentLength] = String(data.count) }
            let shown = isHead ? Data() : data
            guard closes else { return HTTPResponse(statusCode: code, headers: fields, body: shown) }
            let cut = PulledBytes(state: shown.isEmpty ? nil : shown) { (rest: inout Data?) in
                // FlyingFox keeps the connection open unless the body sequence throws, so it throws after the last
                // byte.
                guard let data = rest else { throw SocketError.disconnected }
                rest = nil
                return data
            }
            return HTTPResponse(statusCode: code, headers: fields, body: HTTPBodySequence(from: cut, count: shown.count))
        case .sequence(let sequence):
            if isHead {
                if let count = sequence.count { fields[.contentLength] = String(count) }
                return HTTPResponse(statusCode: code, headers: fields, body: Data())
            }
            return HTTPResponse(statusCode: code, headers: fields, body: sequence)
        }
    }

    /// Rejects line breaks, which a field value must not contain (RFC 9110 §5.5).
    ///
    /// ESC is allowed, because `/escape` sends it.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar != "\r" && scalar != "\n" && scalar != "\0"
    }
}

/// Closes the connection before any byte of a response is sent.
///
/// FlyingFox writes nothing before a WebSocket handler has accepted, and closes the connection when the handler
/// throws.
private struct Hangup: WSHandler {
    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        throw SocketError.disconnected
    }
}

/// A request to a ``DemoServer`` with a handler of its own.
package struct LocalRequest: Sendable {
    /// The method.
    package var method: String
    /// The path as it was sent, without the query.
    package var path: String
    /// The values of the fields that a handler asks for.
    package var header: @Sendable (String) -> String?
    /// The query as it was sent.
    package var query: String
    /// All fields.
    package var fields: [(name: String, value: String)]
    /// Returns the body, which can be read once; nil for one that is too long or ends early.
    package var body: @Sendable () async -> Data?

    /// Creates a request.
    package init(
        method: String, path: String, header: @escaping @Sendable (String) -> String?, query: String = "",
        fields: [(name: String, value: String)] = [], body: @escaping @Sendable () async -> Data? = { nil }
    ) {
        (self.method, self.path, self.header, self.query, self.fields, self.body) = (method, path, header, query, fields, body)
    }
}

/// The response of a handler.
package struct LocalReply: Sendable {
    /// The status.
    package var status: Int
    /// The fields, without `Content-Length`, `Date` and `Server`.
    package var headers: [(String, String)]
    /// The body.
    package var body: Data
    /// Whether the connection is closed before any byte of the response.
    package var closesWithoutResponse = false

    /// Creates a response.
    package init(status: Int, headers: [(String, String)] = [], body: Data = Data()) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}

/// An error that becomes a response with a status and a message.
struct Problem: Error {
    let status: Int
    /// The business code of the envelope; equals the status by default.
    let code: Int
    let message: String
    let headers: [(String, String)]

    init(_ status: Int, _ message: String, code: Int? = nil, headers: [(String, String)] = []) {
        self.status = status
        self.code = code ?? status
        (self.message, self.headers) = (message, headers)
    }
}

/// A route: its pattern, a summary for `GET /`, and its handler.
struct Route: Sendable {
    /// The accepted methods; empty for any.
    ///
    /// A GET route also accepts HEAD.
    let methods: [String]
    /// The path pattern.
    ///
    /// Segments are literal or `{name}`; a final `*` matches any remaining segments.
    let path: String
    let summary: String
    let handle: @Sendable (Call) async throws -> Reply

    init(_ methods: [String], _ path: String, _ summary: String, handle: @escaping @Sendable (Call) async throws -> Reply) {
        (self.methods, self.path, self.summary, self.handle) = (methods, path, summary, handle)
    }

    static func get(_ path: String, _ summary: String, handle: @escaping @Sendable (Call) async throws -> Reply) -> Route {
        Route(["GET"], path, summary, handle: handle)
    }

    func answers(_ method: String) -> Bool {
        methods.isEmpty || methods.contains(method) || (method == "HEAD" && methods.contains("GET"))
    }
}

/// The reason phrases of the IANA status code registry.
enum StatusPhrase {
    static func of(_ status: Int) -> String {
        phrases[status] ?? "Demo \(status)"
    }

    private static let phrases: [Int: String] = [
        200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content", 205: "Reset Content",
        206: "Partial Content", 207: "Multi-Status", 208: "Already Reported", 226: "IM Used",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 305: "Use Proxy",
        307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout",
        409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        418: "I'm a teapot", 421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked", 424: "Failed Dependency",
        425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 506: "Variant Also Negotiates", 507: "Insufficient Storage",
        508: "Loop Detected", 511: "Network Authentication Required",
    ]
}
