package import BodyViews
internal import SortieBase
internal import SortieHTTP
package import WorkspaceModel

/// The difference between two exchanges of the history, in a form for display.
///
/// Two exchanges are equal when their responses have equal status, header fields and body. Times, sizes and requests are shown but do not count.
/// Masked secrets are equal to each other, because the original values are unknown.
package struct ExchangeComparison: Hashable, Sendable {
    /// One property of both exchanges.
    package struct Fact: Hashable, Sendable {
        /// The name of the property, such as "Status" or "Total".
        package var name: String
        /// The value on the left; nil where there is none.
        package var left: String?
        /// The value on the right; nil where there is none.
        package var right: String?
        /// Whether the values differ; for times and sizes, the exact values and not the rounded texts are compared.
        package var isDifferent: Bool
        /// Whether a difference makes the responses differ.
        package var counts: Bool

        /// Creates a property; by default the values differ where their texts do.
        package init(_ name: String, _ left: String?, _ right: String?, isDifferent: Bool? = nil, counts: Bool = false) {
            (self.name, self.left, self.right) = (name, left, right)
            self.isDifferent = isDifferent ?? (left != right)
            self.counts = counts
        }
    }

    /// The comparison of the requests.
    package struct RequestPart: Hashable, Sendable {
        /// Method, URL and environment.
        package var facts: [Fact]
        /// The request header fields.
        package var headers: [HeaderDifference]
        /// The request bodies.
        package var body: BodyComparison

        /// Whether the requests are known to be equal.
        package var isSame: Bool {
            facts.allSatisfy { !$0.isDifferent } && headers.allSatisfy { !$0.isDifferent } && !body.isDifferent && !body.isUnknown
        }
    }

    /// The exchange to compare with.
    package var left: HistoryItem
    /// The exchange that may have changed.
    package var right: HistoryItem
    /// Status, times, sizes and origin.
    package var facts: [Fact]
    /// The response header fields: those of the left in order, then those that only the right has.
    package var headers: [HeaderDifference]
    /// The response bodies.
    package var body: BodyComparison
    /// The requests.
    package var request: RequestPart

    /// Whether the responses are equal, apart from ignored differences; false where that is unknown.
    package var areEqual: Bool { !areDifferent && !body.isUnknown }

    /// Whether equality is unknown: a body is missing, and everything else is equal.
    package var isUnknown: Bool { !areDifferent && body.isUnknown }

    /// Whether the responses are known to differ.
    private var areDifferent: Bool {
        body.isDifferent || facts.contains { $0.isDifferent && $0.counts } || headers.contains { $0.isDifferent && $0.counts }
    }
}

extension ComparedBody {
    /// Creates a value with the body of a response.
    init(answerOf past: PastExchange) {
        let response = past.exchange.response
        // The size on arrival, because masking secrets changes the size of the stored body.
        self.init(response?.body ?? .empty, contentType: response?.contentType, size: past.item.receivedBytes, missing: past.missingBody)
        // The size of a body that was not stored under load was not counted.
        if missing != nil, size == 0, let response, response.wireBytes > 0 || response.isFromCache { size = nil }
    }

    /// Creates a value with the body of a request; for files and forms, with a description of their parts.
    init(requestOf past: PastExchange) {
        let request = past.exchange.request
        let type = past.exchange.sentHeaders["Content-Type"] ?? request.body.contentType
        switch request.body {
        case .none: self.init(.empty, contentType: type)
        case .bytes(let bytes, _): self.init(BodyBytes(bytes), contentType: type)
        case .file(let path, _): self.init(BodyBytes(Array("the file \(path)\n".utf8)), contentType: "text/plain")
        case .multipart(let parts): self.init(BodyBytes(Array(parts.map(Self.text).joined().utf8)), contentType: "text/plain")
        }
        if let why = past.missingRequestBody { self.init(nil, contentType: type, size: past.item.sentBytes, missing: why) }
    }

    private static func text(of part: RequestBody.Part) -> String {
        let type = part.contentType.map { " (\($0))" } ?? ""
        switch part.content {
        case .file(let path): return "\(part.name)\(type): the file \(path)\(part.fileName.map { " as \($0)" } ?? "")\n"
        case .bytes(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else { return "\(part.name)\(type): \(bytes.count) bytes\n" }
            return "\(part.name)\(type): \(text)\n"
        }
    }
}

extension ExchangeComparison {
    /// Compares two exchanges.
    ///
    /// The time is bounded, but large bodies are read, so do not call this on the drawing thread.
    package init(left: PastExchange, right: PastExchange, ignoring rules: CompareRules = .standard) {
        self.left = left.item
        self.right = right.item
        facts = Self.facts(left, right, rules)
        body = BodyComparison(ComparedBody(answerOf: left), ComparedBody(answerOf: right), ignoring: rules.paths)
        // Where the bodies are compared, their length adds nothing. Where no body arrived (HEAD), it is the only information.
        let areBodiesCompared = [left, right].allSatisfy { $0.missingBody != nil || $0.exchange.response?.body.isEmpty == false }
        headers = HeaderDifference.all(left.exchange.response?.headers ?? [], right.exchange.response?.headers ?? []) { name in
            rules.counts(header: name) && !(areBodiesCompared && HeaderField(name, "").isNamed("Content-Length"))
        }
        request = RequestPart(
            facts: [
                Fact("Method", left.item.method.rawValue, right.item.method.rawValue), Fact("URL", left.item.url, right.item.url),
                Fact("Environment", left.item.environment, right.item.environment),
            ],
            headers: HeaderDifference.all(left.exchange.sentHeaders, right.exchange.sentHeaders) { _ in false },
            body: BodyComparison(ComparedBody(requestOf: left), ComparedBody(requestOf: right)))
    }

    private static func facts(_ left: PastExchange, _ right: PastExchange, _ rules: CompareRules) -> [Fact] {
        var facts = [Fact("Status", status(left), status(right), isDifferent: outcome(left) != outcome(right), counts: rules.comparesStatus)]
        facts.append(time("Time", left.exchange.duration, right.exchange.duration))
        facts += times(left.exchange.timing, right.exchange.timing)
        facts.append(Fact("Attempts", String(left.item.attempts), String(right.item.attempts)))
        facts.append(size("Body", left.item.receivedBytes, right.item.receivedBytes))
        facts.append(size("On the wire", left.exchange.response?.wireBytes, right.exchange.response?.wireBytes))
        facts.append(Fact("Address", left.exchange.response?.remoteAddress, right.exchange.response?.remoteAddress))
        facts.append(Fact("HTTP version", left.exchange.response?.httpVersion, right.exchange.response?.httpVersion))
        facts.append(Fact("From the cache", left.exchange.response.map(isFromCache), right.exchange.response.map(isFromCache)))
        facts += checks(left.exchange.reportedChecks, right.exchange.reportedChecks)
        return facts.filter { $0.left != nil || $0.right != nil }
    }

    /// The status for display, such as `200 OK`, or the error.
    private static func status(_ past: PastExchange) -> String {
        let failure = past.item.error.map { "\(past.item.outcome.rawValue): \($0)" } ?? past.item.outcome.rawValue
        guard let response = past.exchange.response else { return failure }
        let status = response.grpcStatus.map { "gRPC \($0.name)" } ?? "\(response.status) \(response.reason)".trimmingEnd
        return past.item.outcome == .answered ? status : "\(status), \(failure)"
    }

    /// The values that are compared; the reason phrase is excluded, because it has no meaning (RFC 9112 §4).
    private static func outcome(_ past: PastExchange) -> [String] {
        [past.item.outcome.rawValue, past.item.statusText ?? "", past.item.error ?? ""]
    }

    /// The checks that hooks reported for either exchange, by their names in order.
    ///
    /// Checks of one name are compared in their order.
    private static func checks(_ left: [ExchangeCheck], _ right: [ExchangeCheck]) -> [Fact] {
        var names: [String] = []
        for check in left + right where !names.contains(check.subject) { names.append(check.subject) }
        return names.prefix(checkLimit).flatMap { name in
            let (left, right) = (left.filter { $0.subject == name }, right.filter { $0.subject == name })
            return (0..<max(left.count, right.count)).map { index in
                Fact("Check \(name)", index < left.count ? text(left[index]) : nil, index < right.count ? text(right[index]) : nil)
            }
        }
    }

    /// The most names of checks that are compared.
    private static let checkLimit = 50

    /// The outcome of a check, with the values where it failed.
    private static func text(_ check: ExchangeCheck) -> String {
        guard check.outcome != .passed, check.actual != check.outcome.rawValue else { return check.outcome.rawValue }
        return "\(check.outcome.rawValue): \(check.expected.map { "expected \($0), got " } ?? "")\(check.actual)"
    }

    private static func isFromCache(_ response: Response) -> String { response.isFromCache ? "yes" : "no" }

    /// The steps that took place on either side, in order, with their durations.
    private static func times(_ left: Timing, _ right: Timing) -> [Fact] {
        let (leftPhases, rightPhases) = (left.phases, right.phases)
        let steps = Timing.Phase.Step.allCases.filter { step in (leftPhases + rightPhases).contains { $0.step == step } }
        return steps.map { step in
            time(step.rawValue, leftPhases.first { $0.step == step }?.duration, rightPhases.first { $0.step == step }?.duration)
        }
    }

    private static func time(_ name: String, _ left: Double?, _ right: Double?) -> Fact {
        Fact(name, left.map { TimeSpan($0).text }, right.map { TimeSpan($0).text }, isDifferent: left != right)
    }

    private static func size(_ name: String, _ left: Int64?, _ right: Int64?) -> Fact {
        let texts = (left.map { ByteCount($0).text }, right.map { ByteCount($0).text })
        // Two different sizes with the same rounded text are shown in bytes.
        guard texts.0 == texts.1, let left, let right, left != right else { return Fact(name, texts.0, texts.1, isDifferent: left != right) }
        return Fact(name, "\(left) B", "\(right) B")
    }
}
