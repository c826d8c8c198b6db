internal import Foundation
internal import HistoryModel
internal import Interchange
internal import SortieBase
internal import SortieDemoServer
internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

/// Makes the responses of `sortie mock`.
struct MockResponder: Sendable {
    /// A response and where it is from.
    struct Choice {
        var reply: LocalReply
        var target: String?
        /// `history`, `description`, `expect`, `empty` or `mock`.
        var source: String
    }

    let routes: MockRoutes
    let folder: String
    /// The recorded responses; nil with `--no-history`.
    let store: HistoryStore?
    let origins: MockOrigins

    /// The response of a request; reads the history, which blocks the thread.
    func choice(_ request: LocalRequest, in program: ProgramContext) -> Choice {
        guard MockOrigins.isHere(request.header("Host")) else {
            let body: JSONValue = ["error": "the server only responds to the names of this machine, such as localhost"]
            return Choice(reply: Self.json(body, status: 421), source: "mock")
        }
        let origin = request.header("Origin").flatMap { origins.permits($0) ? $0 : nil }
        if request.method == "OPTIONS", let origin, let wanted = request.header("Access-Control-Request-Method") {
            return Choice(reply: preflight(request, method: wanted, origin: origin), source: "mock")
        }
        let preferences = MockPreferences(request.header("Prefer"))
        var choice: Choice
        switch routes.match(request.method, request.path) {
        case .route(let route):
            choice =
                recorded(route.endpoint, status: preferences.status, in: program) ?? described(
                    route, preferences, accept: request.header("Accept"))
                ?? example(of: route.endpoint)
        case .methods(let methods):
            let allow = methods.joined(separator: ", ")
            if request.method == "OPTIONS" {
                choice = Choice(reply: LocalReply(status: 204, headers: [("Allow", allow)]), source: "mock")
            } else {
                let body: JSONValue = [
                    "error": .string("\(request.path) has no endpoint with the method \(request.method)"), "allow": .string(allow),
                ]
                choice = Choice(reply: Self.json(body, status: 405, headers: [("Allow", allow)]), source: "mock")
            }
        case .none(let near):
            let body: JSONValue = [
                "error": .string("no endpoint of the workspace has the path \(request.path)"), "near": .array(near.map(JSONValue.string)),
            ]
            choice = Choice(reply: Self.json(body, status: 404), source: "mock")
        }
        choice.reply.headers.removeAll { $0.0.lowercased().hasPrefix("access-control-") }
        if let origin { choice.reply.headers += Self.originFields(origin) }
        return choice
    }

    /// A response that the description of an endpoint has; nil where there is none.
    private func described(_ route: MockRoute, _ preferences: MockPreferences, accept: String?) -> Choice? {
        let chosen = MockDescription(route.responses).choice(code: preferences.status, example: preferences.example, accept: accept)
        guard let (response, status) = chosen else { return nil }
        var headers = Self.sendable(Headers(response.headers))
        var reply = LocalReply(status: status, headers: [])
        if let type = response.contentType, ![204, 304].contains(status) {
            // A range of types is not a type.
            let field = HeaderField("Content-Type", type.contains("*") ? "application/json" : type)
            if field.problem == nil { headers.insert((field.name, field.value), at: 0) }
            reply.body = Data(response.body.utf8)
        }
        reply.headers = headers
        return Choice(reply: reply, target: route.endpoint.target, source: "description")
    }

    /// The newest recorded response of an endpoint with this status, or with any; nil where there is none with its present method and path.
    private func recorded(_ endpoint: Endpoint, status: Int?, in program: ProgramContext) -> Choice? {
        guard let store else { return nil }
        let target = endpoint.target
        let range = status.map { $0...$0 } ?? 200...599
        let terms: [HistoryFilter.Test] = [.workspace(folder), .target(target), .status(range)]
        do {
            let page = try store.page(HistoryQuery(HistoryFilter(terms.map { HistoryFilter.Term($0) }), limit: 50))
            for item in page.items where item.target == target && (status != nil || item.status != 304) {
                guard let past = try store.past(item.number), let response = past.exchange.response, past.missingBody == nil,
                    !RequestChange(since: past.exchange.request, to: endpoint).isOtherRequest
                else { continue }
                let body = response.body.bytes(in: 0..<response.body.count)
                return Choice(
                    reply: LocalReply(status: response.status, headers: Self.sendable(response.headers), body: Data(body)), target: target,
                    source: "history")
            }
        } catch {
            program.errors.line("sortie: warning: the history is not used for \(target): \(error)")
        }
        return nil
    }

    private func example(of endpoint: Endpoint) -> Choice {
        let example = MockExample(endpoint.expectation)
        var reply = Self.json(example.body, status: example.status)
        for (name, value) in example.headers {
            reply.headers.removeAll { $0.0.lowercased() == name.lowercased() }
            reply.headers.append((name, value))
        }
        if [204, 304].contains(example.status) { reply.body = Data() }
        return Choice(reply: reply, target: endpoint.target, source: endpoint.expectation == nil ? "empty" : "expect")
    }

    /// The fields that a stored response keeps: without those of its connection (RFC 9110 §7.6.1), and without those of the body's length and
    /// coding, because the history has the decoded body; a field with a masked value is of no use.
    static func sendable(_ headers: Headers) -> [(String, String)] {
        let dropped = Set(
            [
                "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "te", "trailer", "transfer-encoding", "upgrade",
                "content-length", "content-encoding", "content-md5", "content-digest", "date", "server", "alt-svc", "strict-transport-security",
            ] + headers.tokens(of: "Connection"))
        return headers.fields.filter { !dropped.contains($0.name.lowercased()) && !$0.value.contains(HeaderField.mask) }.map { ($0.name, $0.value) }
    }

    private func preflight(_ request: LocalRequest, method: String, origin: String) -> LocalReply {
        let methods: [String] =
            switch routes.match(method, request.path) {
            case .route: [method]
            case .methods(let methods): methods
            case .none: []
            }
        var fields = Self.originFields(origin) + [("Access-Control-Allow-Methods", methods.joined(separator: ", ")), ("Access-Control-Max-Age", "0")]
        if let names = request.header("Access-Control-Request-Headers") { fields.append(("Access-Control-Allow-Headers", names)) }
        return LocalReply(status: 204, headers: fields)
    }

    /// Fields that permit a page of another origin to read the response (Fetch §3.2.3); with its origin rather than `*`, so that it can send cookies.
    private static func originFields(_ origin: String) -> [(String, String)] {
        [
            ("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Credentials", "true"), ("Access-Control-Expose-Headers", "*"),
            ("Vary", "Origin"),
        ]
    }

    private static func json(_ value: JSONValue, status: Int, headers: [(String, String)] = []) -> LocalReply {
        LocalReply(status: status, headers: [("Content-Type", "application/json")] + headers, body: Data((value.text + "\n").utf8))
    }
}
