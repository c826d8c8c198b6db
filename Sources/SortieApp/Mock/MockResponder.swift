internal import Foundation
internal import HistoryModel
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
        /// `example` with its name, `history`, `expect`, `empty`, `contract` or `mock`.
        var source: String
        /// The time before the response; nil for that of `--delay`.
        var delay: Duration?
    }

    let routes: MockRoutes
    let folder: String
    /// The name of the file whose operations are served; nil for a workspace.
    let fileName: String?
    /// The recorded responses; nil with `--no-history`.
    let store: HistoryStore?
    let origins: MockOrigins
    let calls: MockCalls
    /// The description with which requests are compared; nil without `--strict`, and for a workspace.
    let contract: MockContract?
    /// The descriptions of the services of a workspace, by their folders; empty without `--strict`.
    let contracts: [String: MockContract]
    /// The resources; nil without `--state`.
    let state: MockState?
    /// The description that says which members of resources only one side writes; nil where there is none.
    let described: MockContract?

    /// The response of a request; reads the history and files, which blocks the thread.
    ///
    /// - Parameter body: The body of the request; empty for none.
    func choice(_ request: LocalRequest, body: [UInt8], in program: ProgramContext) -> Choice {
        guard MockOrigins.isHere(request.header("Host")) else {
            let body: JSONValue = ["error": "the server only responds to the names of this machine, such as localhost"]
            return Choice(reply: Self.json(body, status: 421), source: "mock")
        }
        let origin = request.header("Origin").flatMap { origins.permits($0) ? $0 : nil }
        if request.method == "OPTIONS", let origin, let wanted = request.header("Access-Control-Request-Method") {
            return Choice(reply: preflight(request, method: wanted, origin: origin), source: "mock")
        }
        let preferences = MockPreferences(request.header("Prefer"))
        if let state, request.method == "DELETE", request.path == MockState.path {
            state.reset()
            return Choice(reply: LocalReply(status: 204), source: "state")
        }
        var choice: Choice
        switch routes.match(request.method, request.path) {
        case .route(let route):
            let own = route.endpoint.mayHaveContract ? contracts[route.endpoint.serviceName] : nil
            if let refusal = (contract ?? own)?.refusal(of: request, body: body) {
                choice = Choice(reply: refusal, target: route.endpoint.target, source: "contract")
            } else {
                choice = self.choice(route, request, body, preferences, in: program)
                if preferences.status == nil, preferences.example == nil { choice = stateful(choice, route, request, body, in: program) }
            }
        case .methods(let methods):
            let allow = methods.joined(separator: ", ")
            if request.method == "OPTIONS" {
                choice = Choice(reply: LocalReply(status: 204, headers: [("Allow", allow)]), source: "mock")
            } else {
                let body: JSONValue = [
                    "error": .string("\(request.path) has no \(fileName == nil ? "endpoint" : "operation") with the method \(request.method)"),
                    "allow": .string(allow),
                ]
                choice = Choice(reply: Self.json(body, status: 405, headers: [("Allow", allow)]), source: "mock")
            }
        case .none(let near):
            let message = fileName.map { "\($0) has no operation with" } ?? "no endpoint of the workspace has"
            let body: JSONValue = ["error": .string("\(message) the path \(request.path)"), "near": .array(near.map(JSONValue.string))]
            choice = Choice(reply: Self.json(body, status: 404), source: "mock")
        }
        choice.reply.headers.removeAll { $0.0.lowercased().hasPrefix("access-control-") }
        if let origin { choice.reply.headers += Self.originFields(origin) }
        return choice
    }

    /// The example that the request matches, else a recorded response, else one that the endpoint expects.
    private func choice(
        _ route: MockRoute, _ request: LocalRequest, _ body: [UInt8], _ preferences: MockPreferences, in program: ProgramContext
    ) -> Choice {
        let endpoint = route.endpoint
        let values = route.path.values(in: PathTemplate.segments(of: request.path))
        let candidate = EndpointExample.Candidate(path: values, query: request.query, headers: request.headers, body: body)
        func example(code: Int?) -> Choice? {
            let chosen = calls.example(of: endpoint.target) { served in
                MockExamples(endpoint.examples, served: served)
                    .choice(code: code, name: preferences.example, accept: request.header("Accept"), of: candidate)
            }
            return chosen.map { reply(to: endpoint, with: $0.example, status: $0.status) }
        }
        if let choice = example(code: preferences.status) { return choice }
        let recorded = recorded(endpoint, status: preferences.status, in: program)
        if recorded == nil, let choice = example(code: nil) { return choice }
        calls.note(endpoint.target)
        if let recorded { return recorded }
        if endpoint.expectation == nil {
            let described = MockExamples(route.describedExamples)
            let (name, accept) = (preferences.example, request.header("Accept"))
            let chosen =
                described.choice(code: preferences.status, name: name, accept: accept, of: candidate)
                ?? described.choice(code: nil, name: name, accept: accept, of: candidate)
            if let chosen { return reply(to: endpoint, with: chosen.example, status: chosen.status) }
        }
        return expected(by: endpoint)
    }

    /// The response of the resource to which a request leads; the usual one for another request.
    private func stateful(_ usual: Choice, _ route: MockRoute, _ request: LocalRequest, _ body: [UInt8], in program: ProgramContext) -> Choice {
        guard let state, let (role, list) = routes.resource(of: route) else { return usual }
        let candidate = EndpointExample.Candidate(path: [:], query: "", headers: Headers(), body: [])
        func reply(of route: MockRoute?, code: Int?) -> Choice? {
            guard let endpoint = route?.endpoint else { return nil }
            let chosen = MockExamples(endpoint.examples, served: [:]).choice(code: code, name: nil, accept: nil, of: candidate)
            return chosen.map { self.reply(to: endpoint, with: $0.example, status: $0.status) }
        }
        let missing =
            reply(of: route, code: 404)
            ?? Choice(
                reply: Self.json(["error": .string("there is no \(request.path)")], status: 404), target: route.endpoint.target, source: "state")
        return state.choice(
            MockState.Access(
                role: role, method: request.method, path: PathTemplate.segments(of: request.path),
                body: Self.object(body) ?? Self.form(body, request.header("Content-Type"), like: Self.value(usual.reply.body)), usual: usual,
                list: reply(of: list, code: nil).flatMap { Self.value($0.reply.body) }, missing: missing,
                hidden: described?.hiddenMembers(request.method, request.path) ?? ([], [])))
    }

    /// The members of a JSON object; nil for other bytes.
    private static func object(_ bytes: [UInt8]) -> [JSONValue.Member]? {
        if case .object(let members)? = value(bytes) { members } else { nil }
    }

    /// The fields of a form; nil for another media type.
    ///
    /// - Parameter example: A value whose members have the types of the fields; others are texts.
    private static func form(_ bytes: [UInt8], _ type: String?, like example: JSONValue?) -> [JSONValue.Member]? {
        guard type.flatMap({ MediaType($0) })?.essence == "application/x-www-form-urlencoded" else { return nil }
        var members: [JSONValue.Member] = []
        for pair in ParameterPair.pairs(of: String(decoding: bytes, as: UTF8.self), plusIsSpace: true) {
            let text = pair.value ?? ""
            let value: JSONValue =
                switch example?[pair.name] {
                case .number? where JSONDecimal(parsing: text) != nil: .number(text)
                case .bool? where text == "true" || text == "false": .bool(text == "true")
                default: .string(text)
                }
            guard let index = members.firstIndex(where: { $0.key == pair.name }) else {
                members.append(.init(pair.name, value))
                continue
            }
            let known = if case .array(let items) = members[index].value { items } else { [members[index].value] }
            members[index] = .init(pair.name, .array(known + [value]))
        }
        return members
    }

    private static func value(_ bytes: some Sequence<UInt8>) -> JSONValue? {
        // What is no JSON is a body without resources.
        JSONValue(ifValid: Array(bytes))
    }

    private func reply(to endpoint: Endpoint, with example: EndpointExample, status: Int) -> Choice {
        var reply = LocalReply(status: status)
        let fields = example.response.headers.filter(\.isEnabled).map { HeaderField($0.name, $0.value) }.filter { $0.problem == nil }
        reply.headers = Self.sent(Headers(fields))
        if ![204, 304].contains(status), example.response.body != .none {
            do throws(Diagnostic) { reply.body = try endpoint.body(of: example, in: folder) } catch {
                return Choice(reply: Self.json(["error": .string(error.description)], status: 500), target: endpoint.target, source: "mock")
            }
            if let type = example.response.contentType, !reply.headers.contains(where: { $0.0.lowercased() == "content-type" }) {
                reply.headers.insert(("Content-Type", type), at: 0)
            }
        }
        return Choice(reply: reply, target: endpoint.target, source: "example \(example.name)", delay: example.delay)
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
                    reply: LocalReply(status: response.status, headers: Self.sent(response.headers), body: Data(body)), target: target,
                    source: "history")
            }
        } catch {
            program.errors.line("sortie: warning: the history is not used for \(target): \(error)")
        }
        return nil
    }

    /// The fields of an earlier response that the mock sends; those of the connection and of the body's length and coding are its own.
    private static func sent(_ headers: Headers) -> [(String, String)] {
        EndpointExample.Response.fields(of: headers).map { ($0.name, $0.value) }
    }

    private func expected(by endpoint: Endpoint) -> Choice {
        let example = MockExpectation(endpoint.expectation)
        var reply = Self.json(example.body, status: example.status)
        for (name, value) in example.headers {
            reply.headers.removeAll { $0.0.lowercased() == name.lowercased() }
            reply.headers.append((name, value))
        }
        if [204, 304].contains(example.status) { reply.body = Data() }
        return Choice(reply: reply, target: endpoint.target, source: endpoint.expectation == nil ? "empty" : "expect")
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

    static func json(_ value: JSONValue, status: Int, headers: [(String, String)] = []) -> LocalReply {
        LocalReply(status: status, headers: [("Content-Type", "application/json")] + headers, body: Data((value.text + "\n").utf8))
    }
}

extension LocalRequest {
    /// All fields.
    var headers: Headers { Headers(fields.map { HeaderField($0.name, $0.value) }) }
}

/// The choice among the examples of an endpoint.
struct MockExamples {
    private let examples: [EndpointExample]
    /// How many requests got each example, by name.
    private let served: [String: Int]

    init(_ examples: [EndpointExample], served: [String: Int] = [:]) {
        (self.examples, self.served) = (examples, served)
    }

    /// The example and its status: one of the preferred name, else the first one that the request matches, else the first one; nil where there is none
    /// with the preferred status.
    ///
    /// - Parameters:
    ///   - code: The `code` of the field `Prefer`.
    ///   - name: The `example` of the field `Prefer`.
    ///   - accept: The field `Accept`; nil accepts every type.
    func choice(code: Int?, name: String?, accept: String?, of request: EndpointExample.Candidate) -> (example: EndpointExample, status: Int)? {
        var candidates = code.map(self.examples(withStatus:)) ?? examples
        let named = candidates.filter { $0.name == name }
        if !named.isEmpty {
            candidates = named
        } else {
            let matching = candidates.filter { request.matches($0.request) }
            if !matching.isEmpty { candidates = matching }
            let left = candidates.filter { example in example.times.map { served[example.name] ?? 0 < $0 } ?? true }
            candidates = left.isEmpty ? candidates.suffix(1) : left
        }
        guard let first = candidates.first else { return nil }
        let accepted = candidates.filter { $0.response.statuses == first.response.statuses }
            .filter { example in example.response.contentType.map { Self.accepts(accept, $0) } ?? true }
        // A response in another type is better than none (RFC 9110 §12.5.1).
        let example = accepted.first ?? first
        return (example, code ?? example.response.statuses?.lowerBound ?? 200)
    }

    /// The examples of a status: those with exactly this one, else those with a range, else those for any.
    private func examples(withStatus code: Int) -> [EndpointExample] {
        let exact = examples.filter { $0.response.statuses == code...code }
        let ranged = exact.isEmpty ? examples.filter { $0.response.statuses?.contains(code) ?? false } : exact
        return ranged.isEmpty ? examples.filter { $0.response.statuses == nil } : ranged
    }

    /// Whether a field `Accept` permits a media type: by the most specific of its ranges that include the type (RFC 9110 §12.5.1).
    private static func accepts(_ field: String?, _ type: String) -> Bool {
        guard let field, !field.isEmpty, let type = MediaType(type)?.essence else { return true }
        let ranges = field.split(separator: ",").map { $0.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() } }
        let group = type.prefix { $0 != "/" } + "/*"
        for name in [type, String(group), "*/*"] {
            guard let range = ranges.first(where: { $0.first == name }) else { continue }
            return !range.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
        }
        return false
    }
}

/// A response built from `expect:` of an endpoint: its status, its fields with one value, and an object with the values of its JSON paths.
struct MockExpectation {
    let status: Int
    let headers: [(String, String)]
    let body: JSONValue

    init(_ expectation: Expectation?) {
        status = (expectation?.statuses ?? expectation?.accepted)?.first?.lowerBound ?? 200
        headers = (expectation?.headers ?? []).compactMap { row in
            guard row.isEnabled, case .equals(let text)? = Self.test(row.value), Template(text).isPlain else { return nil }
            return (row.name, text)
        }
        body = (expectation?.json ?? []).reduce(.object([])) { body, row in
            guard row.isEnabled, let value = Self.value(row.value) else { return body }
            // An invalid path is a problem that `sortie check` reports.
            guard case .success(let path) = Result(catching: { try JSONPath(row.name) }) else { return body }
            return Self.setting(value, at: path.steps[...], in: body) ?? body
        }
    }

    private static func test(_ text: String) -> Condition.Test? {
        guard case .success(let condition) = Result(catching: { () throws(ConditionError) in try Condition(text) }) else { return nil }
        return condition.test
    }

    /// A value that meets a condition; nil for a value that must be missing.
    private static func value(_ text: String) -> JSONValue? {
        switch test(text) {
        case nil, .missing: nil
        case .equals(let text):
            // As YAML wrote it: 200 and true are values, and what is not JSON is text.
            JSONValue(ifValid: text) ?? .string(text)
        case .compares(let comparison, let bound):
            switch (comparison, Int(bound)) {
            case (.less, let bound?) where bound > .min: .integer(bound - 1)
            case (.greater, let bound?) where bound < .max: .integer(bound + 1)
            default: .number(bound)
            }
        case .oneOf(let values): values.first.flatMap { value("= \($0)") }
        case .length(.atLeast, let count): .string(String(repeating: "x", count: min(count, mostItems)))
        case .differs, .exists, .matches, .length, .type(.string): .string("")
        case .type(.integer), .type(.number): .integer(0)
        case .type(.boolean): true
        case .type(.null): nil as JSONValue
        case .type(.array): .array([])
        case .type(.object): .object([])
        case .type(.date): "2027-01-31"
        }
    }

    /// The largest index of an array that is filled with null before it.
    private static let mostItems = 100

    /// The value with a part replaced; nil for a path that selects more than one value.
    private static func setting(_ value: JSONValue, at steps: ArraySlice<JSONPath.Step>, in whole: JSONValue?) -> JSONValue? {
        guard let step = steps.first else { return value }
        switch step.singular {
        case .name(let name)?:
            var members: [JSONValue.Member] = []
            if case .object(let known)? = whole { members = known }
            guard let part = setting(value, at: steps.dropFirst(), in: whole?[name]) else { return nil }
            members.removeAll { $0.key == name }
            return .object(members + [JSONValue.Member(name, part)])
        case .index(let index)? where (-1...mostItems).contains(index):
            var items: [JSONValue] = []
            if case .array(let known)? = whole { items = known }
            let place = index < 0 ? max(0, items.count - 1) : index
            while items.count <= place { items.append(.null) }
            guard let part = setting(value, at: steps.dropFirst(), in: items[place]) else { return nil }
            items[place] = part
            return .array(items)
        default: return nil
        }
    }
}

/// The line about one request of `sortie mock`.
struct MockLine {
    let request: LocalRequest
    let choice: MockResponder.Choice
    let hasFault: Bool
    let duration: Duration

    private var source: String { hasFault ? "fault" : choice.source }
    private var seconds: Double { duration / .seconds(1) }

    /// The method, the path, the status, the endpoint, the source of the response and the time.
    var text: String {
        let status = choice.reply.closesWithoutResponse ? "closed" : String(choice.reply.status)
        let target = choice.target ?? "-"
        return VisibleLine.of("\(request.method) \(request.path) \(status) \(target) \(source) \(Int((seconds * 1000).rounded())) ms")
    }

    /// The same as an object; `status` is null where the connection was closed.
    var record: JSONValue {
        [
            "method": .string(request.method), "path": .string(request.path),
            "status": choice.reply.closesWithoutResponse ? nil : .integer(choice.reply.status), "endpoint": .optional(choice.target),
            "source": .string(source), "duration": .seconds(seconds),
        ]
    }
}

/// The preferences of a `Prefer` field (RFC 7240 §2) that select a response.
struct MockPreferences {
    /// `code=N`; nil where it is missing or not a status of a final response.
    let status: Int?
    /// `example=NAME`; nil where it is missing.
    let example: String?

    /// - Parameter field: The field; nil where the request has none.
    init(_ field: String?) {
        let preferences = FieldParameters(list: field ?? "", separatedBy: ",")
        status = preferences["code"].flatMap { Int($0) }.flatMap { (200...599).contains($0) ? $0 : nil }
        example = preferences["example"]
    }
}
