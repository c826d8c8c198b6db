internal import BodyViews
internal import SortieHTTP
internal import WorkspaceModel

/// A paged list: the first response with the items of further pages appended.
struct PagedList: Sendable {
    /// The call whose response started the list; a newer call starts another list.
    let call: CallID
    let items: PagedItems
    var record: PageRecord
    /// The response with all items so far.
    var answer: JSONValue
    var count: Int
}

/// Loading a further page of a list.
struct LoadMoreJob: Job {
    var target: EndpointID
    var call: CallID
    var ticket: PageRecord.Ticket
}

/// Loading further pages of a list (S1.39).
extension AppState {
    /// The maximum size in bytes of a body that pages are appended to.
    static let pagedLimit = 8 << 20

    var cannotLoadMoreReason: String? {
        guard let endpoint = openEndpoint, let paging = endpoint.paging else { return "The endpoint's file has no page:" }
        guard paging.items != nil else { return "page: has no items" }
        guard past == nil else { return "This response is from the history; send the endpoint first to load more pages" }
        guard let call = openCall, call.exchange?.response != nil else { return "Send the endpoint first to load more pages" }
        if let list = pages[endpoint.id], list.call == call.id {
            if list.record.pending != nil { return "The next page is already being loaded" }
            if !list.record.hasMore { return "There are no further items" }
        }
        return nil
    }

    /// Requests the next page of the open endpoint.
    mutating func loadMore() -> [Effect] {
        guard let endpoint = openEndpoint, let paging = endpoint.paging, let call = openCall else { return [] }
        if pages[endpoint.id]?.call != call.id {
            guard let list = newList(of: endpoint, paging, call) else {
                toast = Toast("The response has no items at the path of page:", .warning)
                return []
            }
            pages[endpoint.id] = list
        }
        guard let ticket = pages[endpoint.id]?.record.loadMore() else {
            toast = Toast("There are no further items")
            return []
        }
        let id = nextJob(LoadMoreJob(target: endpoint.id, call: call.id, ticket: ticket))
        toast = Toast("Loading more…", job: id)
        return [.loadPage(id, endpoint.asking(for: ticket.key, paging), environment: environment)]
    }

    private func newList(of endpoint: Endpoint, _ paging: Paging, _ call: Call) -> PagedList? {
        guard let response = call.exchange?.response, response.body.count <= AppState.pagedLimit else { return nil }
        let answer: JSONValue
        do { answer = try JSONValue(parsing: response.utf8Body) } catch { return nil }
        guard let items = PagedItems(paging, envelope: workspace.service(endpoint.serviceName)?.envelope, in: answer),
            let summary = items.summary(of: answer)
        else { return nil }
        func number(_ name: String?) -> Int? {
            endpoint.query.first { $0.isEnabled && $0.name == name }.flatMap { Int($0.value) }
        }
        let page = number(paging.number) ?? 1
        var record = PageRecord(
            pageSize: number(paging.size) ?? max(1, summary.itemCount), firstPage: min(1, page), usesCursor: paging.cursor != nil)
        let ticket = record.fetch(page)
        _ = record.take(summary, for: ticket)
        return PagedList(call: call.id, items: items, record: record, answer: answer, count: summary.itemCount)
    }

    /// Appends the items of a page, unless the list was started again meanwhile.
    mutating func loaded(_ id: JobID, _ exchange: Exchange) -> [Effect] {
        guard let job = finishJob(id, LoadMoreJob.self) else { return [] }
        let (target, call, ticket) = (job.target, job.call, job.ticket)
        guard var list = pages[target], list.call == call, calls[target]?.id == call else { return [] }
        defer { pages[target] = list }
        if let error = exchange.error { return failed(&list, ticket, target, error.message) }
        guard let response = exchange.response, response.body.count <= AppState.pagedLimit else {
            return failed(&list, ticket, target, "the page is too large")
        }
        let page: JSONValue
        do { page = try JSONValue(parsing: response.utf8Body) } catch { return failed(&list, ticket, target, "\(error)") }
        guard let summary = list.items.summary(of: page), let items = list.items.items(in: page) else {
            return failed(&list, ticket, target, "status \(response.status), and no items at the path of page:")
        }
        switch list.record.take(summary, for: ticket) {
        case .stale: return []
        case .noData, .noMoreData:
            notify("There are no further items", source: target)
            return []
        case .replaces, .appends:
            list.answer = list.items.appending(items, to: list.answer)
            list.count += items.count
            let total = list.record.itemCount.map { " of \($0)" } ?? ""
            notify("\(items.count) more: \(list.count)\(total) items are shown", source: target)
            return show(list.answer, of: target)
        }
    }

    /// Handles a page that could not be requested.
    mutating func pageFailed(_ id: JobID, _ problem: Diagnostic) {
        guard let job = finishJob(id, LoadMoreJob.self), var list = pages[job.target] else { return }
        _ = failed(&list, job.ticket, job.target, problem.message)
        pages[job.target] = list
    }

    private mutating func failed(_ list: inout PagedList, _ ticket: PageRecord.Ticket, _ target: EndpointID, _ sentence: String) -> [Effect] {
        if list.record.fail(ticket) { notify("The next page was not loaded: \(sentence)", .error, source: target) }
        return []
    }

    /// Shows the response with all items, keeping the scroll position.
    private mutating func show(_ answer: JSONValue, of target: EndpointID) -> [Effect] {
        var view = BodyView.make(bytes: BodyBytes(Array(answer.text.utf8)), contentType: "application/json", isFinal: true)
        if let mode = responses[.endpoint(target)]?.mode { view.show(mode) }
        calls[.endpoint(target)]?.body = view
        return SendingFeature.continueIndex(.endpoint(target), &self)
    }
}

extension Endpoint {
    /// The endpoint with the parameters of a page.
    fileprivate func asking(for key: PageRecord.Key, _ paging: Paging) -> Endpoint {
        let (name, value): (String?, String?) =
            switch key {
            case .number(let page): (paging.number, String(page))
            case .cursor(let cursor): (paging.cursor, cursor)
            }
        guard let name, let value else { return self }
        var endpoint = self
        if let index = query.firstIndex(where: { $0.name == name && $0.isEnabled }) ?? query.firstIndex(where: { $0.name == name }) {
            endpoint.query[index].value = value
            endpoint.query[index].isEnabled = true
        } else {
            endpoint.query.append(Parameter(name, value))
        }
        return endpoint
    }
}
