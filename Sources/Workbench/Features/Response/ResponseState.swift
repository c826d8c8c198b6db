internal import BodyViews
internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
package import WorkspaceModel

/// The state of the response pane for an endpoint.
struct ResponseState: Hashable, Sendable {
    var tab = ResponseTab.body
    /// The first visible row of the body.
    var top = 0
    /// The row of the body with the cursor.
    var row = 0
    /// The filter of the body; nil when the whole body is shown.
    var filter: BodyFilter?
    /// The horizontal scroll position in cells.
    var left = 0
    /// The selected line of each list tab.
    var lines: [ResponseTab: Int] = [:]
    /// The display mode that the user chose for bodies of this endpoint.
    var mode: BodyView.Mode?
    /// The last match, in bytes of the body.
    var match: Range<Int>?
    /// The number of matches, as far as they are counted.
    var count: MatchCount?
    /// The ordinal of the match, from 1; nil while it is unknown.
    var ordinal: Int?
    /// The byte offset to show once it is indexed.
    var pendingOffset: Int?
    /// The last row that was known when the cursor was moved to the end of an incomplete body.
    ///
    /// The cursor follows the end of the body while it is in this row.
    var followedRow: Int?
    /// The display of arriving messages.
    var stream = LiveStream()
    /// Whether arrays of objects are shown as a table, and the table of the shown body.
    var showsTable = false
    var table: BodyTableState?
    /// Whether long lines are wrapped; then the lines of the cursor and of the top in their rows.
    var wraps = false
    var piece = 0
    var topPiece = 0
    /// The drawn image; nil before it was decoded for the first time.
    var picture: BodyPicture?

    var line: Int {
        get { lines[tab] ?? 0 }
        set { lines[tab] = newValue }
    }

    /// Resets the match and the counts.
    mutating func forgetMatch() {
        (match, count, ordinal) = (nil, nil, nil)
    }

    /// Resets the state for a new response, keeping the tab, the mode and the text of the filter.
    mutating func startOver() {
        self = ResponseState(tab: tab, filter: filter.map { BodyFilter($0.text) }, mode: mode, showsTable: showsTable, wraps: wraps)
    }

    /// Moves the cursor to a row, and scrolls where it would not be visible in `height` rows.
    mutating func moveCursor(to row: Int, height: Int) {
        self.row = row
        piece = 0
        if row < top { (top, topPiece) = (row, 0) }
        if row >= top + height { top = row - height + 1 }
    }
}

/// The states of the response pane.
struct ResponsesState: FeatureState {
    /// The states by endpoint, and by ``PastView/call``.
    private var byKey: [CallKey: ResponseState] = [:]
    /// The past exchange that the pane shows instead of the open endpoint's response; nil when there is none.
    var past: PastView?
    /// Paged lists with further pages, by endpoint.
    var pages: [EndpointID: PagedList] = [:]
    /// The filter that is being typed.
    var filterField: TextField?

    subscript(key: CallKey) -> ResponseState? {
        get { byKey[key] }
        _modify { yield &byKey[key] }
    }

    subscript(key: CallKey, default initial: @autoclosure () -> ResponseState) -> ResponseState {
        get { byKey[key, default: initial()] }
        _modify { yield &byKey[key, default: initial()] }
    }
}

extension AppState {
    /// The states of the response pane.
    var responses: ResponsesState {
        get { states[ResponsesState.self] }
        _modify { yield &states[ResponsesState.self] }
    }

    /// The key of the exchange that the response pane shows.
    var shownKey: CallKey? { responses.past.map { .call($0.call) } ?? openTarget.map { .endpoint($0) } }

    /// The body that the pane shows for an exchange: what its filter found, or the body of the response, as it was when it was paused.
    func shownBody(_ key: CallKey) -> BodyView? { responses[key]?.filter?.results ?? responses[key]?.stream.paused ?? calls[key]?.body }

    /// Replaces the body that the pane shows.
    mutating func setShownBody(_ body: BodyView, _ key: CallKey) {
        if responses[key]?.filter?.results != nil {
            responses[key]?.filter?.results = body
        } else if responses[key]?.stream.paused != nil {
            responses[key]?.stream.paused = body
        } else {
            calls[key]?.body = body
        }
    }

    /// The body that the pane shows.
    var openBody: BodyView? { shownKey.flatMap { shownBody($0) } }

    /// The call that the pane shows.
    var openCall: Call? { shownKey.flatMap { calls[$0] } }

    /// The state of the response pane for the shown exchange.
    var responseState: ResponseState {
        get { shownKey.flatMap { responses[$0] } ?? ResponseState() }
        set { if let shownKey { responses[shownKey] = newValue } }
    }
}

/// The display of a body whose messages arrive one after the other.
struct LiveStream: Hashable, Sendable {
    /// Whether the body arrived in this session, in parts of unknown number.
    var isLive = false
    /// Whether the last message stays visible.
    var isFollowing = true
    /// The body as it was when the display was paused; nil while it is not.
    var paused: BodyView?
}

extension Command {
    static let pauseDisplay = Command.named("pauseDisplay")
}

/// Streams of messages: NDJSON and server-sent events.
extension ResponseFeature {
    static let streamBindings: [Binding] = [
        Binding(
            .response, [.space, .character("p")], .pauseDisplay, "Pause display",
            "Pause the display of arriving messages, or resume it; the transfer continues",
            hint: 2, unless: noStream
        )
        .alsoKnownAs("Freeze", "Hold", "Follow", "Live")
    ]

    /// Why the display cannot be paused.
    private static func noStream(_ state: AppState) -> String? {
        if state.responseState.stream.paused != nil { return nil }
        guard state.openCall?.body?.showsMessages == true else { return "The response is no stream of messages" }
        return state.openCall?.isInFlight == true ? nil : "The stream has ended"
    }

    /// Shows more of an arriving body; of a stream of unknown length, the last message.
    static func arrived(_ id: CallID, _ bytes: BodyBytes, isFinal: Bool, _ state: inout AppState) -> [Effect] {
        let effects = grow(id, to: bytes, isFinal: isFinal, &state)
        guard state.calls.isViewable(id), let call = state.calls[id]?.call, !call.isFile, call.body?.showsMessages == true else {
            return effects
        }
        let key = state.calls.key(of: id)
        // A body of known length is a file, which is read from its start.
        if call.knownResponse?.announcedBytes == nil { state.responses[key, default: ResponseState()].stream.isLive = true }
        follow(key, &state)
        return effects
    }

    /// Moves the cursor to the last row of a stream that is followed.
    static func follow(_ key: CallKey, _ state: inout AppState) {
        guard let stream = state.responses[key]?.stream, stream.isLive, stream.isFollowing, stream.paused == nil,
            let call = state.calls[key], let whole = call.body, whole.showsMessages
        else { return }
        let results = state.responses[key]?.filter?.results
        guard results == nil || call.isInFlight else { return }
        let body = results ?? whole
        let height = max(1, BodyTabView(state).height)
        state.responses[key]?.row = max(0, body.rowCount - 1)
        state.responses[key]?.top = max(0, body.rowCount - height)
    }

    /// Ends following when the cursor leaves the last row, and follows again when it returns.
    static func noteMovement(_ state: inout AppState) {
        guard state.responseState.stream.isLive, let body = state.openBody else { return }
        let last = max(0, body.rowCount - BodyTabView(state).height)
        state.responseState.stream.isFollowing =
            state.focus == .response ? state.responseState.row >= body.rowCount - 1 : state.responseState.top >= last
    }

    /// Pauses the display, or shows what has arrived since.
    static func pauseDisplay(_ state: inout AppState) -> [Effect] {
        guard let key = state.shownKey, let call = state.calls[key], let current = call.body else { return [] }
        guard endPause(of: key, &state) else {
            state.responseState.stream.paused = current
            return []
        }
        state.responseState.stream.isFollowing = true
        follow(key, &state)
        return continueIndex(key, &state) + filterArrived(key, &state)
    }

    /// Shows what has arrived during a pause, with the folding and the mode of the paused body; returns false where the display is not paused.
    private static func endPause(of key: CallKey, _ state: inout AppState) -> Bool {
        guard var body = state.responses[key]?.stream.paused, let current = state.calls[key]?.body else { return false }
        body.grow(to: current.bytes, isFinal: current.isFinal)
        state.calls[key]?.body = body
        state.responses[key]?.stream.paused = nil
        return true
    }

    /// Ends a pause before the mode of the shown body changes, because only the body of the call is indexed further; returns the body to change.
    ///
    /// The stream is not followed then, so that the same messages stay visible.
    static func bodyWithoutPause(_ shown: BodyView, _ key: CallKey, _ state: inout AppState) -> BodyView {
        guard state.responses[key]?.filter?.results == nil, endPause(of: key, &state) else { return shown }
        state.responses[key]?.stream.isFollowing = false
        return state.calls[key]?.body ?? shown
    }

    /// What the successful response to an endpoint of the kind `events` is instead of a stream; nil for other endpoints and responses.
    private static func noStream(_ call: Call) -> [Span]? {
        guard call.kind == .events, let response = call.knownResponse, (200..<300).contains(response.status), let type = response.contentType,
            ContentType(type).mediaType != "text/event-stream"
        else { return nil }
        return [Span("no stream of events: its type is \(VisibleText.of(type)), not text/event-stream", .warning)]
    }

    /// The number of messages and the state of a stream, such as `1,284 messages · live`; nil for another body.
    static func streamStatus(_ call: Call, _ state: AppState) -> [Span]? {
        let place = state.focus == .response ? "" : " in Response"
        let writes = call.isOpenWebSocket ? " · \(state.key(.composeMessage))\(place) writes" : ""
        if call.isOpenWebSocket, call.body?.bytes.isEmpty ?? true { return [Span("connected", .success), Span("\(writes) a message", .muted)] }
        guard let body = call.body, let count = body.messageCount, body.showsMessages || state.responseState.stream.paused != nil else {
            return call.isInFlight ? nil : noStream(call)
        }
        let stream = state.responseState.stream
        func messages(_ number: Int) -> String { "\(NumberText.grouped(number)) message\(number == 1 ? "" : "s")" }
        // The bytes of a WebSocket connection are a record of its messages; the head has the size of the messages.
        let size = call.isOpenWebSocket ? "" : " · \(ByteText.amount(Int64(body.bytes.count)))"
        if let paused = stream.paused {
            let new = count - (paused.messageCount ?? 0)
            return [
                Span("paused · \(NumberText.grouped(new)) new", .warning),
                Span(" · \(messages(count))\(size) · \(state.key(.pauseDisplay))\(place) resumes", .muted),
            ]
        }
        guard call.isInFlight else { return [Span(messages(count) + (body.isComplete ? "" : " so far"), .muted)] }
        let hint = stream.isFollowing ? "" : " · \(state.key(.move(.last)))\(place) follows"
        return [Span("\(messages(count)) · live", .success), Span("\(size)\(hint)\(writes)", .muted)]
    }
}

/// A paged list: the first response with the items of further pages appended.
struct PagedList: Sendable {
    /// The call whose response started the list; a newer call starts another list.
    let call: CallID
    let items: PagedItems
    var record: PageRecord
    /// The response with all items so far.
    var body: JSONValue
    var count: Int
}

/// Loading a further page of a list.
package struct LoadMoreJob: WorkJob {
    package static let mayRunHooks = true

    let target: EndpointID
    let call: CallID
    let ticket: PageRecord.Ticket
    /// The endpoint with the parameters of the page.
    package let endpoint: Endpoint
    package let environment: String?

    var sent: [SentByEffect] { [.endpoint(endpoint, environment: environment)] }

    func refused(_ problem: Diagnostic) -> Result<Exchange, Diagnostic>? { .failure(problem) }

    /// The exchange of the page; a problem where it was not requested, because a template or a file is invalid.
    func finish(_ outcome: Result<Exchange, Diagnostic>, _ state: inout AppState) -> [Effect] {
        switch outcome {
        case .success(let exchange): return ResponseFeature.loaded(exchange, self, &state)
        case .failure(let problem):
            guard var list = state.responses.pages[target] else { return [] }
            _ = ResponseFeature.failed(&list, self, problem.workbenchSentence, &state)
            state.responses.pages[target] = list
            return []
        }
    }
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
        let page = endpoint.asking(for: ticket.key, paging)
        let job = LoadMoreJob(target: endpoint.id, call: call.id, ticket: ticket, endpoint: page, environment: state.environment)
        return state.start(job, showing: "Loading more…")
    }

    private static func newList(of endpoint: Endpoint, _ paging: Paging, _ call: Call, _ workspace: Workspace) -> PagedList? {
        guard let response = call.exchange?.response, response.body.count <= pagedLimit, let body = JSONValue(ifValid: response.utf8Body),
            let items = PagedItems(paging, envelope: workspace.service(endpoint.serviceName)?.envelope, in: body),
            let summary = items.summary(of: body)
        else { return nil }
        func number(_ name: String?) -> Int? {
            endpoint.query.first { $0.isEnabled && $0.name == name }.flatMap { Int($0.value) }
        }
        let page = number(paging.number) ?? 1
        var record = PageRecord(
            pageSize: number(paging.size) ?? max(1, summary.itemCount), firstPage: min(1, page), usesCursor: paging.cursor != nil)
        let ticket = record.fetch(page)
        _ = record.take(summary, for: ticket)
        return PagedList(call: call.id, items: items, record: record, body: body, count: summary.itemCount)
    }

    /// Appends the items of a page, unless the list was started again meanwhile.
    fileprivate static func loaded(_ exchange: Exchange, _ job: LoadMoreJob, _ state: inout AppState) -> [Effect] {
        let target = job.target
        guard var list = state.responses.pages[target], list.call == job.call, state.calls[target]?.id == job.call else { return [] }
        defer { state.responses.pages[target] = list }
        if let error = exchange.error { return failed(&list, job, error.workbenchSentence, &state) }
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
            list.body = list.items.appending(items, to: list.body)
            list.count += items.count
            let total = list.record.itemCount.map { " of \($0)" } ?? ""
            state.notify("\(items.count) more: \(list.count)\(total) items are shown", source: target)
            return show(list.body, of: target, &state)
        }
    }

    fileprivate static func failed(_ list: inout PagedList, _ job: LoadMoreJob, _ sentence: String, _ state: inout AppState) -> [Effect] {
        if list.record.fail(job.ticket) { state.notify("The next page was not loaded: \(sentence)", .error, source: job.target) }
        return []
    }

    /// Shows the response with all items, keeping the scroll position.
    private static func show(_ body: JSONValue, of target: EndpointID, _ state: inout AppState) -> [Effect] {
        var view = BodyView.make(bytes: BodyBytes(Array(body.text.utf8)), contentType: "application/json", isFinal: true)
        if let mode = state.responses[.endpoint(target)]?.mode { view.show(mode) }
        state.calls[.endpoint(target)]?.body = view
        forgetTable(of: .endpoint(target), &state)
        return continueIndex(.endpoint(target), &state)
    }
}

extension Endpoint {
    /// The endpoint with the parameters of a page.
    fileprivate func asking(for key: PageKey, _ paging: Paging) -> Endpoint {
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
