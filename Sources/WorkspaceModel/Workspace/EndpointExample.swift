package import SortieBase
package import SortieHTTP

/// A named request of an endpoint with the response that it expects (`examples:`).
///
/// `sortie mock` serves the responses, Response compares with them, descriptions and collections have them. The texts of a response are literal; a value
/// of a request with a template stands for any value.
package struct EndpointExample: Hashable, Sendable {
    /// The part of a request that distinguishes the example.
    package struct Request: Hashable, Sendable {
        /// The values of parameters of the path.
        package var path: [Parameter] = []
        /// Parameters of the query that the request has.
        package var query: [Parameter] = []
        /// Header fields that the request has.
        package var headers: [Parameter] = []
        /// The body.
        package var body = BodyTemplate.none

        /// Creates a request that every request of the endpoint matches.
        package init() {}
    }

    /// The expected response.
    package struct Response: Hashable, Sendable {
        /// The statuses; nil for any, of which `sortie mock` sends 200.
        package var statuses: ClosedRange<Int>?
        /// Header fields.
        package var headers: [Parameter]
        /// The body: JSON, text or a file.
        package var body: BodyTemplate

        /// Creates a response.
        package init(statuses: ClosedRange<Int>? = nil, headers: [Parameter] = [], body: BodyTemplate = .none) {
            (self.statuses, self.headers, self.body) = (statuses, headers, body)
        }

        /// The media type; nil without a body.
        package var contentType: String? { headers.last { $0.isEnabled && $0.name.lowercased() == "content-type" }?.value ?? body.contentType }
    }

    /// The name.
    package var name: String
    /// The request.
    package var request = Request()
    /// The response.
    package var response: Response
    /// How many requests `sortie mock` responds to with the example before the next one that matches; nil for all.
    package var times: Int?
    /// The time before `sortie mock` responds; nil for that of its option.
    package var delay: Duration?

    /// Creates an example.
    package init(_ name: String, response: Response = Response()) {
        (self.name, self.response) = (name, response)
    }

    /// The valid values of ``times``.
    package static let timesRange = 1...1_000_000
}

extension EndpointExample {
    /// A request that was sent or received, as far as it is compared with examples.
    package struct Candidate: Sendable {
        private let path: [String: String]
        private let query: [(name: String, value: String)]
        private let headers: Headers
        private let body: [UInt8]

        /// - Parameters:
        ///   - path: The values of the parameters of the path.
        ///   - query: The query of the URL, as it is written.
        ///   - body: The body; empty for none.
        package init(path: [String: String], query: String, headers: Headers, body: [UInt8]) {
            (self.path, self.headers, self.body) = (path, headers, body)
            self.query = Self.pairs(query)
        }

        /// Creates the candidate of a request of an endpoint.
        package init(_ request: SortieHTTP.Request, sent: Headers, of endpoint: Endpoint) {
            var bytes: [UInt8] = []
            if case .bytes(let sent, _) = request.body { bytes = sent }
            self.init(path: endpoint.pathValues(in: request.url), query: request.url.query ?? "", headers: sent, body: bytes)
        }

        private static func pairs(_ text: String) -> [(name: String, value: String)] {
            text.split(separator: "&").map { pair in
                let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    .map { PercentEncoding.decode($0, plusIsSpace: true) }
                return (sides[0], sides.count == 2 ? sides[1] : "")
            }
        }

        /// Whether the request has what an example of its endpoint says about it.
        package func matches(_ example: Request) -> Bool {
            example.path.allSatisfy { row in Self.agrees(path[row.name], with: row) }
                && example.query.allSatisfy { row in Self.agrees(query.filter { $0.name == row.name }.map(\.value), with: row) }
                && example.headers.allSatisfy { row in Self.agrees(headers.values(of: row.name), with: row) } && matches(example.body)
        }

        private static func agrees(_ value: String?, with row: Parameter) -> Bool { agrees(value.map { [$0] } ?? [], with: row) }

        private static func agrees(_ values: [String], with row: Parameter) -> Bool {
            !row.isEnabled || (Template(row.value).isPlain ? values.contains(row.value) : !values.isEmpty)
        }

        private func matches(_ expected: BodyTemplate) -> Bool {
            var text: String { String(decoding: body, as: UTF8.self) }
            switch expected {
            // The content of files and of parts is not compared.
            case .none, .file, .multipart: return true
            case .form(let rows):
                let pairs = Self.pairs(text)
                return rows.allSatisfy { row in Self.agrees(pairs.filter { $0.name == row.name }.map(\.value), with: row) }
            case .json(let expected): return Self.isSame(text, expected)
            case .graphQL(let request):
                guard let sent = GraphQLTemplate(json: text) else { return false }
                return sent.query == request.query && sent.operation == request.operation
                    && (!request.hasVariables || Self.isSame(sent.variables, request.variables))
            case .text(let expected, _), .plist(let expected):
                return !Template(expected).isPlain || body.elementsEqual(expected.utf8) || Self.isSame(text, expected)
            }
        }

        /// Whether two texts are the same JSON; a template makes the second one that of any value.
        private static func isSame(_ text: String, _ expected: String) -> Bool {
            guard Template(expected).isPlain else { return true }
            // As a schema, because members have any order and numbers several notations. Text that is not JSON differs.
            do {
                return try JSONSchema(["const": JSONValue(parsing: expected)]).failures(in: JSONValue(parsing: text), limit: 1).isEmpty
            } catch { return false }
        }
    }
}

extension EndpointExample {
    /// The example with the text of the file of its response.
    package func loaded(_ text: String) -> EndpointExample {
        var loaded = self
        let type = response.contentType
        loaded.response.body = type.flatMap { MediaType($0) }?.isJSON == true ? .json(text) : .text(text, contentType: type)
        return loaded
    }

    /// The comparisons of a response with the example: its status, the names of its header fields, and the members and types of a JSON body.
    ///
    /// Values differ between two responses, so they are not compared. What differs is a warning.
    ///
    /// - Parameter body: The body of the response as JSON.
    package func checks(of response: SortieHTTP.Response, body: Result<JSONValue, BodyProblem>) -> [ExchangeCheck] {
        func check(_ subject: String, _ isMet: Bool, _ expected: String, _ actual: String) -> ExchangeCheck {
            ExchangeCheck(.example, isMet ? .passed : .warned, subject: "\(name): \(subject)", expected: expected, actual: actual)
        }
        var checks: [ExchangeCheck] = []
        if let statuses = self.response.statuses {
            checks.append(check("status", statuses.contains(response.status), StatusRange.text(statuses), String(response.status)))
        }
        for row in self.response.headers where row.isEnabled {
            let hasField = !response.headers.values(of: row.name).isEmpty
            checks.append(check("header \(row.name)", hasField, "a value", hasField ? "a value" : "nothing"))
        }
        guard case .json(let text) = self.response.body else { return checks }
        var steps = WorkspaceLimits.patternSteps
        let subject = "\(name): body"
        do {
            let schema = try JSONSchema(Self.schema(of: JSONValue(parsing: text)))
            for var check in schema.checks(.example, subject, named: "the example", of: body, &steps) {
                if check.outcome == .failed { check.outcome = .warned }
                checks.append(check)
            }
        } catch {
            checks.append(ExchangeCheck(.example, .unresolved, subject: subject, expected: "JSON", actual: "\(error)", readsBody: true))
        }
        return checks
    }

    /// The schema of values with the same members and types; null, and the items of an empty list, stand for any value.
    private static func schema(of value: JSONValue) -> JSONValue {
        switch value {
        case .null: [:]
        case .bool: ["type": "boolean"]
        case .number: ["type": "number"]
        case .string: ["type": "string"]
        case .array(let items): ["type": "array", "items": items.first.map(schema) ?? [:]]
        case .object(let members):
            [
                "type": "object", "required": .array(members.map { .string($0.key) }),
                "properties": .object(members.map { .init($0.key, schema(of: $0.value)) }),
            ]
        }
    }
}

extension EndpointExample {
    /// The endpoint with the request of the example.
    package func endpoint(of endpoint: Endpoint) -> Endpoint {
        func replaced(_ rows: [Parameter], by own: [Parameter], _ plain: (String) -> String = { $0 }) -> [Parameter] {
            rows.filter { row in !own.contains { plain($0.name) == plain(row.name) } } + own
        }
        var result = endpoint
        result.query = replaced(endpoint.query, by: request.query)
        result.headers = replaced(endpoint.headers, by: request.headers) { $0.lowercased() }
        for row in request.path { result.variables[row.name] = row.value }
        if request.body != .none { result.body = request.body }
        return result
    }
}

extension EndpointExample.Response {
    /// The fields of a response that an example keeps: without those of its connection (RFC 9110 §7.6.1), and without those of the body's length and
    /// coding, because a recorded body is decoded; a field with a masked value is of no use.
    package static func fields(of headers: Headers) -> [Parameter] {
        let dropped = Set(
            [
                "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "te", "trailer", "transfer-encoding", "upgrade",
                "content-length", "content-encoding", "content-md5", "content-digest", "date", "server", "alt-svc", "strict-transport-security",
            ] + headers.tokens(of: "Connection"))
        return headers.fields.filter { !dropped.contains($0.name.lowercased()) && !$0.value.contains(HeaderField.mask) }
            .map { Parameter($0.name, $0.value) }
    }
}

extension BodyTemplate {
    /// The text of a body as it is written; nil for a file and for parts.
    package var literal: String? {
        switch self {
        case .json(let text), .text(let text, _), .plist(let text): text
        case .none, .form, .file, .multipart, .graphQL: nil
        }
    }
}

extension [EndpointExample] {
    /// The examples with those that say something about the request first, then those with a successful status, because the first one that matches a
    /// request is chosen.
    package var inOrderOfChoice: [EndpointExample] {
        func rank(_ example: EndpointExample) -> Int {
            let status = example.response.statuses?.lowerBound
            return (example.request == EndpointExample.Request() ? 3 : 0) + (status.map { (200...299).contains($0) ? 0 : 2 } ?? 1)
        }
        return enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(\.element)
    }

    /// The example with which the response to a request is compared: the first one that the request matches, with the status of the response where
    /// there is one; nil where the request matches none.
    package func example(for request: EndpointExample.Candidate, status: Int) -> EndpointExample? {
        let matching = filter { request.matches($0.request) }
        return matching.first { $0.response.statuses?.contains(status) ?? true } ?? matching.first
    }
}
