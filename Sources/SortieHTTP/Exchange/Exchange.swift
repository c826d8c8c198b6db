public import FoundationEssentials
package import SortieBase

/// A request with its outcome, which panes, history and `--json` show.
public struct Exchange: Hashable, Sendable, Identifiable {
    /// The identity of the call.
    public var id: RequestID
    /// The request as the caller made it, with the URL of the server that was used last; redirects do not change it.
    public var request: Request
    /// The time at which the call started.
    public var startedAt: Date
    /// The response, including an incomplete one of a call that failed later; nil when none arrived.
    public var response: Response?
    /// The duration of the call from start to end, in seconds, for every outcome.
    ///
    /// It includes all attempts, the waits between them, and the time in queues.
    public var duration = 0.0
    /// All attempts in order.
    ///
    /// Of a call that waited long for the network, the oldest are left out.
    public var attempts: [Attempt] = []
    /// The time in request queues that is not part of ``attempts``, in seconds: the last wait of a cancelled call, and waits of attempts that
    /// were left out.
    package var otherQueued = 0.0
    /// The value that the envelope or a plugin extracted from the body.
    public var value: JSONValue?
    /// The error of the call; nil without one.
    public var error: NetworkError?
    /// The parts withheld from another origin, one sentence each, for the user: a redirect that was not followed, header fields that were not
    /// sent.
    public var notices: [String] = []
    /// The checks that plugins reported.
    package var reportedChecks: [ExchangeCheck] = []
    /// The values that plugins captured for later steps of a run, by name.
    package var reportedValues: [String: String] = [:]
    /// How the response compares with what its endpoint expects; nil where nothing is expected.
    package var expectationResult: ExpectationResult?

    /// Creates an exchange without a response.
    package init(id: RequestID, request: Request, startedAt: Date) {
        (self.id, self.request, self.startedAt) = (id, request, startedAt)
    }

    /// The header fields of the last attempt, including those of the engine; those of the request when nothing was sent.
    public var sentHeaders: Headers { attempts.last?.sentHeaders ?? request.headers }

    /// The number of body bytes that the last attempt sent.
    public var sentBodyBytes: Int64 { attempts.last?.sentBodyBytes ?? 0 }

    /// The timing of the last attempt; ``Timing/queued`` applies to the whole call.
    ///
    /// For a call without an attempt, only the total is known.
    public var timing: Timing {
        var timing = attempts.last?.timing ?? Timing()
        timing.queued = attempts.reduce(otherQueued) { $0 + $1.timing.queued }
        if attempts.isEmpty { timing.total = max(0, duration - timing.queued) }
        return timing
    }

    /// Whether a response came over a TLS connection whose certificate was not verified.
    public var isInsecure: Bool { attempts.contains { $0.isUnverified && $0.status != nil } }
}

extension Exchange {
    /// The origins to which the values of the response may be sent without a further permission: those from which they come.
    ///
    /// That is the origin of the response, which is another one than that of the request after a redirect. The servers of a service are one source,
    /// as far as they may receive all secrets of the request, and so is a host that redirects from `http` to `https`.
    package var captureOrigins: Set<String> {
        let servers = [request.url] + request.otherServers
        let source = attempts.last?.url ?? request.url
        guard servers.contains(where: { $0.origin == source.origin || $0.isUpgraded(by: source) }) else { return [source.origin] }
        let permitted = servers.filter { server in request.secrets.restricted.allSatisfy { $0.permits(server.hostForLookup) } }
        return Set(permitted.map(\.origin)).union([source.origin])
    }
}

extension HTTPURL {
    /// Whether another URL is the same host with TLS, both at the usual port.
    fileprivate func isUpgraded(by other: HTTPURL) -> Bool {
        scheme == .http && other.scheme == .https && host == other.host && port == 80 && other.port == 443
    }
}

extension Exchange {
    /// The comparison of each parameter with its rule; one check per rule.
    package var parameterChecks: [ExchangeCheck] {
        let values = request.parameterValues
        return request.options.parameterRules.map { rule in
            let given = values[rule.name] ?? []
            let problem = (given.isEmpty ? [nil] : given.map(Optional.some)).lazy.compactMap { rule.problem(of: $0) }.first
            return ExchangeCheck(
                .parameters, problem == nil ? .passed : .failed, subject: rule.name, expected: problem,
                actual: given.isEmpty ? "not sent" : given.joined(separator: ", "))
        }
    }

    /// The comparison of the response with the conditions of acceptance of its endpoint.
    ///
    /// The rules of the response are those that decide about the error of the call. Each is compared, also after one that failed.
    ///
    /// - Parameter body: The body, read in the format of the endpoint, or the reason why it cannot be read.
    package func answerChecks(body: () -> Result<JSONValue, BodyProblem>) -> [ExchangeCheck] {
        guard let response else { return [] }
        let rules = request.options.answer
        var checks: [ExchangeCheck] = []
        if let statuses = rules.statuses, let isAccepted = rules.accepts(status: response.status) {
            let (outcome, expected) = (isAccepted ? ExchangeCheck.Outcome.passed : .failed, StatusRange.text(statuses))
            checks.append(ExchangeCheck(.answer, outcome, subject: "accept", expected: expected, actual: String(response.status)))
        }
        if let types = rules.contentTypes {
            // An empty body has no type that could be wrong.
            let isAccepted = response.body.isEmpty || rules.problem(ofContentType: response.contentType) == nil
            checks.append(
                ExchangeCheck(
                    .answer, isAccepted ? .passed : .failed, subject: "types", expected: types.joined(separator: " or "),
                    actual: response.body.isEmpty ? "no body" : response.contentType ?? "no type"))
        }
        guard rules.format != nil || rules.schema != nil else { return checks }
        let body = body()
        if let format = rules.format {
            let (outcome, actual): (ExchangeCheck.Outcome, String) =
                switch body {
                case .success: (.passed, format.rawValue)
                case .failure(let problem): (.failed, "the body is \(problem)")
                }
            checks.append(ExchangeCheck(.answer, outcome, subject: "format", expected: format.rawValue, actual: actual, readsBody: true))
        }
        if let schema = rules.schema {
            var steps = TextPattern.maximumSteps
            checks += schema.checks(.answer, ExchangeCheck.shapeSubject, named: "the names and types of the example", of: body, &steps)
        }
        return checks
    }
}

extension Exchange {
    /// The check of the status of a gRPC call; nil for another exchange, and where there is no response.
    ///
    /// A response without a status did not come from a gRPC server, for example from a proxy.
    package var grpcCheck: ExchangeCheck? {
        guard request.kind == .grpc || request.options.grpc != nil, let response else { return nil }
        let status = response.grpcStatus
        let actual = status?.text ?? "no status of gRPC; the HTTP status is \(response.status)"
        return ExchangeCheck(.grpc, status?.isOK == true ? .passed : .failed, subject: "grpc-status", expected: "OK", actual: actual)
    }
}

extension Exchange {
    /// The checks of the response to a GraphQL request: one for each of its `errors`, or one that passed.
    ///
    /// A response with errors fails also where it has data (GraphQL specification, October 2021, §7.1.2). A status of 400 or above without a GraphQL
    /// response is a response of an intermediary or of the server's authentication, whose body is not compared. The messages of a subscription have
    /// errors of their own.
    ///
    /// - Parameter body: The body as JSON, or why it cannot be read.
    package func graphQLChecks(body: Result<JSONValue, BodyProblem>) -> [ExchangeCheck] {
        guard let response else { return [] }
        if let errors = subscriptionErrors(in: response) { return Self.checks(ofErrors: errors, in: "errors") }
        func check(_ outcome: ExchangeCheck.Outcome, _ actual: String) -> ExchangeCheck {
            ExchangeCheck(.graphql, outcome, subject: "response", expected: "data or errors", actual: actual, readsBody: true)
        }
        let isLarge = response.body.count > JSONValue.bodyLimit
        let foreign: ExchangeCheck.Outcome = response.status >= 400 || isLarge ? .skipped : .failed
        let value: JSONValue
        switch body {
        case .success(let read): value = read
        case .failure(let problem): return [check(foreign, "the body is \(problem)")]
        }
        guard case .object(let members) = value, members.contains(where: { $0.key == "data" || $0.key == "errors" }) else {
            return [check(foreign, "neither of them")]
        }
        switch value["errors"] {
        case nil, .null?: return Self.checks(ofErrors: [], in: "$.errors")
        case .array(let errors)?: return Self.checks(ofErrors: errors, in: "$.errors")
        case .bool?, .number?, .string?, .object?: return [check(.failed, "errors, which is not a list")]
        }
    }

    /// A check for each error, or one that passed where there are none.
    private static func checks(ofErrors errors: [JSONValue], in list: String) -> [ExchangeCheck] {
        guard !errors.isEmpty else {
            return [ExchangeCheck(.graphql, .passed, subject: "errors", expected: "none", actual: "none", readsBody: true)]
        }
        var checks = errors.prefix(shownErrors).enumerated().map { index, error in
            ExchangeCheck(.graphql, .failed, subject: "\(list)[\(index)]", actual: text(ofError: error), readsBody: true)
        }
        if errors.count > shownErrors {
            let more = "\(errors.count - shownErrors) more errors"
            checks.append(ExchangeCheck(.graphql, .failed, subject: "errors", actual: more, readsBody: true))
        }
        return checks
    }

    /// The errors in the messages of a subscription (graphql-transport-ws, GraphQL over server-sent events); nil for a response that is no stream.
    private func subscriptionErrors(in response: Response) -> [JSONValue]? {
        let isWebSocket = response.status == 101
        guard isWebSocket || response.contentType.flatMap(MediaType.init)?.essence == "text/event-stream" else { return nil }
        guard response.body.count <= JSONValue.bodyLimit else { return [] }
        let bytes = response.body.bytes(in: 0..<response.body.count)
        let lists: [JSONValue?]
        if isWebSocket {
            lists = bytes.split(separator: UInt8(ascii: "\n")).map { line in
                guard let entry = JSONValue(ifValid: Array(line)), entry["received"] != nil, let message = entry["data"] else { return nil }
                return message["type"] == "error" ? message["payload"] : message["payload"]?["errors"]
            }
        } else {
            var parser = EventStreamParser()
            lists = (parser.take(bytes) ?? []).map { JSONValue(ifValid: $0.data)?["errors"] }
        }
        return lists.flatMap { list -> [JSONValue] in
            guard case .array(let errors)? = list else { return [] }
            return errors
        }
    }

    /// The largest number of errors with a check of their own.
    private static let shownErrors = 20
    /// The largest number of characters of a message, after which its place is visible.
    private static let messageLength = 120

    /// A text without its quotes.
    private static func plain(_ value: JSONValue) -> String { if case .string(let text) = value { text } else { value.text } }

    /// The message of an error, and its path, places in the query and code (GraphQL specification §7.1.2).
    private static func text(ofError error: JSONValue) -> String {
        guard case .string(let message)? = error["message"] else { return error.text }
        var parts = [message.count > messageLength ? message.prefix(messageLength) + "…" : message]
        if case .array(let steps)? = error["path"], !steps.isEmpty {
            let path = steps.map { step in
                if case .number(let index) = step { return "[\(index)]" }
                return ".\(plain(step))"
            }.joined()
            parts.append("at \(path.hasPrefix(".") ? path.dropFirst() : path[...])")
        }
        if case .array(let places)? = error["locations"] {
            for place in places.prefix(3) {
                guard let line = place["line"], let column = place["column"] else { continue }
                parts.append("line \(plain(line)), column \(plain(column)) of the query")
            }
        }
        if let code = error["extensions"]?["code"] { parts.append("code \(plain(code))") }
        return parts.joined(separator: "; ")
    }
}

extension Exchange {
    /// The record for `--json`.
    ///
    /// - Parameters:
    ///   - redaction: The secrets to mask, also in bodies.
    ///   - bodyFile: The file that contains the response body; nil where the record contains it.
    ///   - includesBody: Whether the record contains the response body when `bodyFile` is nil.
    package func record(redaction: Redaction, bodyFile: String? = nil, includesBody: Bool = true) -> JSONValue {
        record(redaction: redaction, bodyFile: bodyFile, includesBody: includesBody, bodyBytes: nil)
    }

    /// The record for `--json` of an exchange that may have a masked body.
    ///
    /// - Parameter bodyBytes: The length of the response body as it arrived; nil for that of the body.
    package func record(redaction: Redaction, bodyFile: String?, includesBody: Bool = true, bodyBytes: Int64?) -> JSONValue {
        let redaction = redaction.learning(from: self)
        let record: JSONValue = [
            "id": .string(id.description), "endpoint": .optional(request.target), "environment": .optional(request.environment),
            "request": requestRecord(redaction),
            "response": response.map {
                responseRecord($0, redaction, bodyFile, includesBody: includesBody && bodyFile == nil, bodyBytes: bodyBytes ?? Int64($0.body.count))
            } ?? .null,
            "timing": [
                "nameLookup": .seconds(timing.nameLookup), "connect": .seconds(timing.connect), "tls": .seconds(timing.tls),
                "firstByte": .seconds(timing.firstByte), "total": .seconds(timing.total), "queued": .seconds(timing.queued),
            ],
            "duration": .seconds(duration),
            "attempts": .array(attempts.map { attemptRecord($0, redaction) }), "value": value.map { redaction.masked($0) } ?? .null,
            "error": error.map { redaction.masked($0).record } ?? .null,
        ]
        guard case .object(let members) = record else { return record }
        let warnings = checkWarnings(masked: redaction)
        // They are there only where there is something to report.
        let more: [JSONValue.Member?] = [
            notices.isEmpty ? nil : .init("notices", .array(notices.map { .string(redaction.masked($0)) })),
            warnings.isEmpty ? nil : .init("warnings", .array(warnings.map(JSONValue.string))),
            isInsecure ? .init("insecure", .bool(true)) : nil,
        ]
        return .object(members + more.compactMap(\.self))
    }

    /// What differs from the description of the service, or from an example, without being an error, as lines.
    package func checkWarnings(masked redaction: Redaction) -> [String] {
        (expectationResult?.warnings ?? []).map { check in
            let check = check.masked(by: redaction)
            let text = "\(check.key.rawValue): \(check.subject): " + (check.expected.map { "expected \($0), got " } ?? "") + check.actual
            return check.remedy?.program(after: text) ?? text
        }
    }

    private func requestRecord(_ redaction: Redaction) -> JSONValue {
        var body = JSONValue.null
        if case .bytes(let bytes, let contentType) = request.body {
            let type = sentHeaders["Content-Type"] ?? contentType
            if let (text, _) = Self.text(of: BodyBytes(bytes), type) { body = .string(redaction.maskedBody(text, contentType: type)) }
        }
        return [
            "method": .string(request.method.rawValue), "url": .string(redaction.maskedURL(request.url.description)),
            "headers": redaction.masked(sentHeaders).record, "bodyBytes": .integer(sentBodyBytes), "body": body,
        ]
    }

    private func responseRecord(
        _ response: Response, _ redaction: Redaction, _ bodyFile: String?, includesBody: Bool, bodyBytes: Int64
    ) -> JSONValue {
        var body = JSONValue.null
        var encoding = "utf8"
        var charset: String?
        if includesBody {
            if let (text, name) = Self.text(of: response.body, response.contentType) {
                body = .string(redaction.maskedBody(text, contentType: response.contentType))
                charset = name
            } else {
                encoding = "base64"
                let bytes = redaction.maskedBody(response.body.bytes(in: 0..<response.body.count), contentType: response.contentType)
                body = .string(Data(bytes).base64EncodedString())
            }
        }
        let record: JSONValue = [
            "status": .integer(response.status), "reason": .string(redaction.masked(response.reason)), "httpVersion": .string(response.httpVersion),
            "headers": redaction.masked(response.headers).record, "bodyBytes": .integer(bodyBytes),
            "body": body,
            "bodyEncoding": .string(encoding), "charset": .optional(charset), "remoteAddress": .optional(response.remoteAddress),
            "fromCache": .bool(response.isFromCache),
        ]
        guard case .object(let members) = record else { return record }
        // These members are present only when they have a value.
        let more = [
            response.informational.isEmpty
                ? nil : JSONValue.Member("informational", .array(response.informational.map { redaction.masked($0).record })),
            response.trailers.fields.isEmpty ? nil : .init("trailers", redaction.masked(response.trailers).record),
            bodyFile.map { .init("bodyFile", .string($0)) }, undecodedNotice.map { .init("notice", .string(redaction.masked($0))) },
        ]
        return .object(members + more.compactMap(\.self))
    }

    /// A body as text with the name of its encoding; nil where decoding would lose bytes, so that the record needs Base64.
    private static func text(of body: BodyBytes, _ contentType: String?) -> (text: String, charset: String)? {
        if let decoded = DecodedBody(body, contentType: contentType), decoded.charset != TextEncoding.utf8.name {
            return decoded.invalidSequences == 0 ? (decoded.text, decoded.charset) : nil
        }
        return body.withUnsafeBytes { String(validating: $0, as: UTF8.self) }.map { ($0, TextEncoding.utf8.name) }
    }

    private func attemptRecord(_ attempt: Attempt, _ redaction: Redaction) -> JSONValue {
        [
            "address": .optional(attempt.address), "addressChoice": attempt.addressChoice?.record ?? .null,
            "server": .string(redaction.masked(attempt.url.origin)), "connectionReused": .bool(attempt.isConnectionReused),
            "startedAt": .string(CalendarTime.iso8601(millisecondsOf: attempt.startedAt.timeIntervalSince1970)),
            "status": attempt.status.map { .integer($0) } ?? .null,
            "error": attempt.error.map { .string($0.code.rawValue) } ?? .null, "delay": .seconds(attempt.delay),
            "queued": .seconds(attempt.timing.queued), "total": .seconds(attempt.timing.total),
            "certificates": .array(attempt.certificates.map(\.record)),
        ]
    }
}

extension Redaction {
    /// A copy of an informational response with masked fields.
    package func masked(_ response: InformationalResponse) -> InformationalResponse {
        InformationalResponse(status: response.status, reason: masked(response.reason), headers: masked(response.headers))
    }
}

extension InformationalResponse {
    /// The response as a record for `--json`.
    fileprivate var record: JSONValue { ["status": .integer(status), "headers": headers.record] }
}

extension NetworkError {
    /// The error as a record for `--json`.
    package var record: JSONValue {
        [
            "class": .string(errorClass.rawValue), "code": .string(code.rawValue), "legacyCode": .integer(documentNumber),
            "message": .string(message), "underlying": .optional(underlying),
        ]
    }
}
