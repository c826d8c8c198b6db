internal import HistoryModel
internal import SortieBase
package import SortieHTTP
internal import SortieNetworking
package import WorkspaceModel

/// Compares the exchange of a single call with the file of its endpoint, and recognises an empty page; a run does the former for its steps.
package struct ResponseCheck: Sendable {
    private let expectation: Expectation
    private let captures: [Capture]
    /// The paging of the endpoint; nil where it has no path of items.
    private let paging: Paging?
    /// The envelope of the service.
    private let envelope: Envelope?
    /// The description with which the exchange is compared.
    private let contract: EndpointContract?
    /// The endpoint, with whose examples the exchange is compared.
    private let endpoint: Endpoint
    /// Reads the files of examples.
    private let scope: TemplateScope
    /// The conditions whose templates could not be resolved.
    private let problems: [StepFailure]

    /// Whether the expectation names the status, so that one of 400 or above can be the expected one.
    package var namesStatus: Bool { expectation.statuses != nil }

    /// Creates the check of an endpoint; nil where its file, and the envelope of its service, say nothing about requests and responses.
    ///
    /// A condition without a value fails the check and does not prevent the call, because only a run defines the names of its steps.
    ///
    /// - Parameters:
    ///   - rules: The rules for parameters.
    ///   - contract: The description with which the exchange is compared.
    ///   - hasReports: Whether the exchange may have checks of hooks.
    package init?(
        of endpoint: Endpoint, rules: [ParameterRule], in scope: TemplateScope, envelope: Envelope?, contract: EndpointContract? = nil,
        hasReports: Bool = false
    ) {
        (self.contract, self.endpoint, self.scope) = (contract, endpoint, scope)
        paging = endpoint.paging.flatMap { $0.items == nil ? nil : $0 }
        captures = endpoint.captures
        self.envelope = envelope
        (expectation, problems) = (endpoint.expectation ?? Expectation()).resolved(
            in: scope, file: endpoint.location?.file ?? endpoint.target)
        let hasConditions = endpoint.expectation.map { $0 != Expectation() } ?? false
        let hasChecks = hasReports || contract != nil || endpoint.body.isGraphQL || endpoint.grpc != nil || !endpoint.examples.isEmpty
        guard hasConditions || hasChecks || paging != nil || envelope != nil || !captures.isEmpty || !rules.isEmpty else {
            return nil
        }
    }

    /// The event with the result of the check, if it ends the call; else unchanged.
    ///
    /// Cancelling the task ends a comparison with a pattern.
    package func checked(_ event: CallEvent) async -> CallEvent {
        guard case .finished(let exchange) = event else { return event }
        return .finished(await checked(exchange))
    }

    /// The exchange with the result of the check.
    ///
    /// Cancelling the task ends a comparison with a pattern.
    package func checked(_ exchange: Exchange) async -> Exchange {
        // The body is parsed, and a pattern may take long.
        await BlockingExecutor.shared.run { compared(exchange) }
    }

    private func compared(_ exchange: Exchange) -> Exchange {
        var checked = exchange
        if checked.error == nil { checked.error = emptyPage(exchange) }
        checked.expectationResult = result(exchange)
        return checked
    }

    /// All checks of an exchange.
    private func result(_ exchange: Exchange) -> ExpectationResult {
        let step = PreparedStep(request: exchange.request, expectation: expectation, captures: captures)
        var result = StepEvaluation(exchange, step, envelope: envelope, contract: contract, requiresSuccess: false).result
        if exchange.response != nil {
            let place = result.checks.firstIndex { $0.key == .expect || $0.key == .capture } ?? result.checks.endIndex
            result.checks.insert(contentsOf: problems.map { ExchangeCheck(.expect, $0) }, at: place)
        }
        result.checks.insert(contentsOf: exampleChecks(of: exchange), at: result.checks.firstIndex { $0.key == .capture } ?? result.checks.endIndex)
        return result
    }

    /// The comparisons with the example that the request matches.
    private func exampleChecks(of exchange: Exchange) -> [ExchangeCheck] {
        guard !endpoint.examples.isEmpty, let response = exchange.response else { return [] }
        let candidate = EndpointExample.Candidate(exchange.request, sent: exchange.sentHeaders, of: endpoint)
        guard var example = endpoint.examples.example(for: candidate, status: response.status) else { return [] }
        let folder = FilePath.folder(of: endpoint.location?.file ?? endpoint.target)
        do throws(TemplateError) {
            if case .file(let path, _) = example.response.body { example = example.loaded(try scope.fileText(FilePath.joining(folder, path))) }
            // A body is not parsed where the example has no JSON, and a large one is not.
            let body = Result { () throws(BodyProblem) -> JSONValue in
                guard case .json = example.response.body else { return .null }
                guard response.body.count <= JSONValue.bodyLimit else {
                    throw BodyProblem(message: "the body is larger than \(ByteCount(JSONValue.bodyLimit).text)", line: 1, column: 1, byte: 0)
                }
                return try response.value(as: .json)
            }
            return example.checks(of: response, body: body)
        } catch {
            return [ExchangeCheck(.example, .unresolved, subject: example.name, expected: "a file", actual: error.message)]
        }
    }

    /// An exchange of the history with its checks, repeated with the endpoint, the values and the body that were recorded.
    ///
    /// A comparison whose data is masked or missing is skipped, with the reason. The checks of hooks are those that were recorded.
    ///
    /// - Parameter contract: The description with which the exchange is compared, as it is now.
    static func repeated(_ past: PastExchange, contract: EndpointContract? = nil) -> PastExchange {
        guard let origin = past.exchange.request.origin, past.exchange.response != nil else { return past }
        let endpoint = origin.endpoint
        let rules = endpoint.parameters?.rules ?? []
        let scope = TemplateScope(layers: [origin.variables])
        let hasReports = !past.exchange.reportedChecks.isEmpty
        guard let check = ResponseCheck(of: endpoint, rules: rules, in: scope, envelope: nil, contract: contract, hasReports: hasReports) else {
            return past
        }
        var exchange = past.exchange
        // A body that was not recorded is not compared.
        if contract != nil, let missing = past.missingBody { exchange.response?.truncation = missing }
        exchange.request.options.parameterRules = rules
        var unusable: String?
        do throws(TemplateError) { exchange.request.options.answer = try endpoint.expectation?.rules() ?? ResponseRules() } catch {
            unusable = error.message
        }
        var result = check.result(exchange)
        for index in result.checks.indices where result.checks[index].key != .hook {
            let check = result.checks[index]
            let reason: String? =
                if check.readsBody, let missing = past.missingBody {
                    missing
                } else if check.outcome != .passed, check.actual.contains(HeaderField.mask) {
                    "the value is masked in the history"
                } else if check.outcome == .unresolved {
                    "a value that was not recorded: \(check.actual)"
                } else { nil }
            guard let reason else { continue }
            result.checks[index].outcome = .skipped
            result.checks[index].actual = reason
        }
        if let unusable { result.checks.append(ExchangeCheck(.answer, .skipped, subject: "shape", actual: unusable)) }
        var repeated = past
        repeated.exchange.expectationResult = result
        return repeated
    }

    /// The error of a page without items: `noData` for the first page, `noMoreData` for a later one.
    private func emptyPage(_ exchange: Exchange) -> NetworkError? {
        guard let paging, let response = exchange.response, response.isSuccess, response.body.count <= Self.pageLimit else { return nil }
        // A body that is not JSON has no items and no statement about them.
        guard let body = JSONValue(ifValid: response.utf8Body) else { return nil }
        let items = PagedItems(paging, envelope: envelope, in: body)
        guard let items, items.summary(of: body)?.itemCount == 0 else { return nil }
        let (url, texts) = (exchange.request.url, exchange.request.options.texts)
        let page = paging.number.flatMap { url.queryValue($0) }.flatMap { Int($0) } ?? 1
        let hasCursor = paging.cursor.flatMap { url.queryValue($0) }.map { !$0.isEmpty } ?? false
        guard page <= 1, !hasCursor else {
            return .emptyPage(2, hint: "the page before was the last one", in: texts)
        }
        return .emptyPage(1, hint: "the first page has no items at \(items.path)", in: texts)
    }

    /// The largest body that is searched for items, in bytes.
    private static let pageLimit = 8 << 20
}

extension HTTPURL {
    /// The decoded value of the first query item with a name.
    fileprivate func queryValue(_ name: String) -> String? {
        let items = (query ?? "").split(separator: "&").map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }
        let item = items.first { PercentEncoding.decode($0[0], plusIsSpace: true) == name }
        return item.map { $0.count == 2 ? PercentEncoding.decode($0[1], plusIsSpace: true) : "" }
    }
}
