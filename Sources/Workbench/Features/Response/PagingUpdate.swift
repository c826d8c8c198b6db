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

/// Loading further pages of a list.
extension ResponseFeature {
    /// The maximum size in bytes of a body that pages are appended to.
    private static let pagedLimit = 8 << 20

    static func cannotLoadMore(_ state: AppState) -> String? {
        guard let endpoint = state.openEndpoint, let paging = endpoint.paging else { return "The endpoint's file has no page:" }
        guard paging.items != nil else { return "page: has no items" }
        let isStored = state.responses.past != nil || state.openCall.map { state.lastResponse($0) != nil } ?? false
        guard !isStored else { return "This response is from the history; send the endpoint first to load more pages" }
        guard let call = state.openCall, call.exchange?.response != nil, state.requestChange(since: call)?.isOtherRequest != true else {
            return "Send the endpoint first to load more pages"
        }
        if let list = state.responses.pages[endpoint.id], list.call == call.id {
            if list.record.pending != nil { return "The next page is already being loaded" }
            if !list.record.hasMore { return "There are no further items" }
        }
        return nil
    }

    /// Requests the next page of the open endpoint, with the values that were entered for the page before.
    static func loadMore(_ state: inout AppState) -> [Effect] {
        guard var endpoint = state.openEndpoint, let call = state.openCall else { return [] }
        endpoint.promptValues = call.promptValues
        // A replay has no values, and a prompt may be newer than the call.
        return Prompts.ask(for: endpoint, &state) { endpoint, state in
            state.calls.change(call.id) { $0.call.promptValues = endpoint.promptValues }
            return loadMore(of: endpoint, call.id, &state)
        }
    }

    private static func loadMore(of endpoint: Endpoint, _ id: CallID, _ state: inout AppState) -> [Effect] {
        guard let paging = endpoint.paging, let call = state.calls[endpoint.id], call.id == id else { return [] }
        if state.responses.pages[endpoint.id]?.call != call.id {
            guard let list = newList(of: endpoint, paging, call, state.workspace) else {
                state.toast = Toast("The response has no items at the path of page:", .warning)
                return []
            }
            state.responses.pages[endpoint.id] = list
        }
        guard let ticket = state.responses.pages[endpoint.id]?.record.loadMore() else {
            state.toast = Toast("There are no further items")
            return []
        }
        let id = state.nextJob(LoadMoreJob(target: endpoint.id, call: call.id, ticket: ticket))
        state.toast = Toast("Loading more…", job: id)
        return [.loadPage(id, endpoint.asking(for: ticket.key, paging), environment: state.environment)]
    }

    private static func newList(of endpoint: Endpoint, _ paging: Paging, _ call: Call, _ workspace: Workspace) -> PagedList? {
        guard let response = call.exchange?.response, response.body.count <= pagedLimit else { return nil }
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
    static func loaded(_ id: JobID, _ exchange: Exchange, _ state: inout AppState) -> [Effect] {
        guard let job = state.finishJob(id, LoadMoreJob.self) else { return [] }
        let target = job.target
        guard var list = state.responses.pages[target], list.call == job.call, state.calls[target]?.id == job.call else { return [] }
        defer { state.responses.pages[target] = list }
        if let error = exchange.error { return failed(&list, job, error.message, &state) }
        guard let response = exchange.response, response.body.count <= pagedLimit else {
            return failed(&list, job, "the page is too large", &state)
        }
        let page: JSONValue
        do { page = try JSONValue(parsing: response.utf8Body) } catch { return failed(&list, job, "\(error)", &state) }
        guard let summary = list.items.summary(of: page), let items = list.items.items(in: page) else {
            return failed(&list, job, "status \(response.status), and no items at the path of page:", &state)
        }
        switch list.record.take(summary, for: job.ticket) {
        case .stale: return []
        case .noData, .noMoreData:
            state.notify("There are no further items", source: target)
            return []
        case .replaces, .appends:
            list.answer = list.items.appending(items, to: list.answer)
            list.count += items.count
            let total = list.record.itemCount.map { " of \($0)" } ?? ""
            state.notify("\(items.count) more: \(list.count)\(total) items are shown", source: target)
            return show(list.answer, of: target, &state)
        }
    }

    /// Handles a page that could not be requested.
    static func pageFailed(_ id: JobID, _ problem: Diagnostic, _ state: inout AppState) {
        guard let job = state.finishJob(id, LoadMoreJob.self), var list = state.responses.pages[job.target] else { return }
        _ = failed(&list, job, problem.message, &state)
        state.responses.pages[job.target] = list
    }

    private static func failed(_ list: inout PagedList, _ job: LoadMoreJob, _ sentence: String, _ state: inout AppState) -> [Effect] {
        if list.record.fail(job.ticket) { state.notify("The next page was not loaded: \(sentence)", .error, source: job.target) }
        return []
    }

    /// Shows the response with all items, keeping the scroll position.
    private static func show(_ answer: JSONValue, of target: EndpointID, _ state: inout AppState) -> [Effect] {
        var view = BodyView.make(bytes: BodyBytes(Array(answer.text.utf8)), contentType: "application/json", isFinal: true)
        if let mode = state.responses[.endpoint(target)]?.mode { view.show(mode) }
        state.calls[.endpoint(target)]?.body = view
        forgetTable(of: .endpoint(target), &state)
        return continueIndex(.endpoint(target), &state)
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
