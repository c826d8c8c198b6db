internal import SortieBase
package import SortieHTTP
internal import SortieNetworking
package import WorkspaceModel

/// Compares the response of a single call with the expectation of its endpoint, and recognises an empty page; a run does the former for its steps.
package struct ResponseCheck: Sendable {
    private let expectation: Expectation?
    /// The paging of the endpoint, and the envelope of its service.
    private let paging: (paging: Paging, envelope: Envelope?)?
    /// The conditions whose templates could not be resolved.
    private let problems: [StepFailure]

    /// Creates the check of an endpoint; nil without an expectation and without `page: {items: …}`.
    ///
    /// A condition without a value fails the check and does not prevent the call, because only a run defines the names of its steps.
    package init?(of endpoint: Endpoint, in scope: TemplateScope, envelope: Envelope?) {
        paging = endpoint.paging.flatMap { $0.items == nil ? nil : ($0, envelope) }
        guard let expectation = endpoint.expectation, expectation != Expectation() else {
            guard paging != nil else { return nil }
            (self.expectation, problems) = (nil, [])
            return
        }
        let resolved = expectation.resolved(in: scope)
        (self.expectation, problems) = (resolved.0, resolved.1)
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
        guard exchange.response != nil else { return exchange }
        // The body is parsed, and a pattern may take long.
        return await BlockingExecutor.shared.run { compared(exchange) }
    }

    private func compared(_ exchange: Exchange) -> Exchange {
        var checked = exchange
        if checked.error == nil { checked.error = emptyPage(exchange) }
        guard let expectation else { return checked }
        let verdict = StepVerdict(exchange, PreparedStep(request: exchange.request, expectation: expectation), requiresSuccess: false)
        checked.expectationResult = ExpectationResult(failures: problems + verdict.unmet, coversRefusal: verdict.coversRefusal)
        return checked
    }

    /// The error of a page without items: `noData` for the first page, `noMoreData` for a later one (S1.32).
    private func emptyPage(_ exchange: Exchange) -> NetworkError? {
        guard let paging, let response = exchange.response, response.isSuccess, response.body.count <= Self.pageLimit else { return nil }
        let answer: JSONValue
        // A body that is not JSON has no items and no statement about them.
        do { answer = try JSONValue(parsing: response.utf8Body) } catch { return nil }
        let items = PagedItems(paging.paging, envelope: paging.envelope, in: answer)
        guard let items, items.summary(of: answer)?.itemCount == 0 else { return nil }
        let url = exchange.request.url
        let page = paging.paging.number.flatMap { url.queryValue($0) }.flatMap { Int($0) } ?? 1
        let hasCursor = paging.paging.cursor.flatMap { url.queryValue($0) }.map { !$0.isEmpty } ?? false
        guard page <= 1, !hasCursor else {
            return NetworkError(.noMoreData, "there are no further items", hint: "the page before was the last one")
        }
        return NetworkError(.noData, "the list is empty", hint: "the first page has no items at \(items.path)")
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
