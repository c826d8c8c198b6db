package import BodyViews
internal import HistoryModel
internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Exchanges that the response pane shows instead of the open endpoint's response.
extension ResponseFeature {
    /// Shows a past exchange.
    ///
    /// - Parameter endpoint: Its endpoint, which is open; nil when the workspace does not have it.
    static func show(_ past: PastExchange, of endpoint: EndpointID?, _ moment: HistoryMoment, _ state: inout AppState) -> [Effect] {
        let item = past.item
        dismissPast(&state)
        let id = state.calls.show(item, past.exchange)
        state.responses[.call(id)] = ResponseState(tab: endpoint.flatMap { state.responses[.endpoint($0)]?.tab } ?? .body)
        state.responses.past = PastView(
            call: id, past: past, moment: moment.long(item.startedAt), fullMoment: moment.full(item.startedAt),
            name: endpoint == nil ? item.url : nil)
        state.focus(.response)
        return past.exchange.response.map { grow(id, to: $0.body, isFinal: true, &state) } ?? []
    }

    /// Shows a replay without an endpoint in the workspace.
    static func showReplay(_ call: Call, _ state: inout AppState) {
        dismissPast(&state)
        state.calls.show(call.id)
        if state.responses[.call(call.id)] == nil { state.responses[.call(call.id)] = ResponseState() }
        state.responses.past = PastView(call: call.id, name: call.name)
    }

    /// Shows the open endpoint's own response again.
    static func dismissPast(_ state: inout AppState) {
        guard let past = state.responses.past else { return }
        state.responses.past = nil
        forgetSearches(of: .call(past.call), &state)
        state.calls.show(nil)
        if state.calls[past.call] == nil { state.responses[.call(past.call)] = nil }
    }

    /// Cancels the searches of the previous response.
    static func forgetSearches(of target: CallKey, _ state: inout AppState) {
        state.stopJobs {
            ($0 as? SearchJob)?.target == target || ($0 as? CountMatchesJob)?.target == target || ($0 as? FilterJob)?.target == target
                || ($0 as? IndexResultsJob)?.target == target
        }
    }
}

/// Searching the body of a response until a match is found or none exists.
package struct SearchJob: WorkJob {
    static let isReplaced = true

    let target: CallKey
    package let body: BodyView
    package let search: BodySearch
    package let from: Int
    package let forward: Bool
    private var hasWrapped = false
    /// The part of the body that was searched, from 0 to 1; nil before the first report.
    private(set) var progress: Double?

    init(_ target: CallKey, _ body: BodyView, _ search: BodySearch, from: Int, forward: Bool) {
        (self.target, self.body, self.search, self.from, self.forward) = (target, body, search, from, forward)
    }

    static func isLast(_ step: SearchStep) -> Bool { if case .continueFrom = step { false } else { true } }

    mutating func finish(_ step: SearchStep, _ state: inout AppState) -> [Effect] {
        guard let body = state.shownBody(target) else { return [] }
        switch step {
        case .found(let range):
            state.responses[target, default: ResponseState()].match = range
            state.responses[target]?.ordinal = nil
            state.responses[target]?.pendingOffset = range.lowerBound
            state.responses[target]?.stream.isFollowing = false
            let indexing = ResponseFeature.revealPending(target, &state)
            if hasWrapped { state.toast = Toast(forward ? "Continued from the start" : "Continued from the end") }
            state.responses[target]?.noteOrdinal(in: body)
            return indexing + ResponseFeature.countMatches(of: search, in: body, target, &state)
        case .continueFrom(let offset):
            let count = body.bytes.count
            if count > 0 { progress = Double((forward ? offset - from : from - offset).clamped(to: 0...count)) / Double(count) }
            return []
        case .notFound:
            if !hasWrapped, forward ? from > 0 : from < BodyView.endOfBody {
                var rest = SearchJob(target, body, search, from: forward ? 0 : BodyView.endOfBody, forward: forward)
                rest.hasWrapped = true
                return ResponseFeature.look(rest, &state)
            }
            state.responses[target]?.forgetMatch()
            state.reportSearch(false, search.searchTerm)
            return []
        }
    }
}

/// Counting the matches of a search.
package struct CountMatchesJob: WorkJob {
    static let isReplaced = true

    let target: CallKey
    package let body: BodyView
    package let search: BodySearch

    static func isLast(_ count: MatchCount) -> Bool { count.isComplete }

    func finish(_ count: MatchCount, _ state: inout AppState) -> [Effect] {
        state.responses[target]?.count = count
        if let body = state.shownBody(target) { state.responses[target]?.noteOrdinal(in: body) }
        return []
    }
}

/// Search in a response.
extension ResponseFeature {
    func find(_ search: LineSearch, forward: Bool, includingHere: Bool, _ state: inout AppState) -> [Effect] {
        let shown = state.responseState
        guard shown.tab == .body else {
            let lines = ResponseLines(state).lines
            let found = state.find(search, in: lines.count, from: shown.line, forward: forward, includingHere: includingHere) { lines[$0].text }
            if let found { state.responseState.line = found }
            return []
        }
        guard let key = state.shownKey, let body = state.openBody else { return [] }
        var start = state.shownTable?.offset ?? shown.offset(in: body)
        if let match = shown.match, !includingHere { start = match.lowerBound + (forward ? 1 : 0) }
        guard let bodySearch = state.bodySearch(.response) else { return [] }
        return Self.look(SearchJob(key, body, bodySearch, from: start, forward: forward), &state)
    }

    func searchChanged(isEmpty: Bool, _ state: inout AppState) {
        if isEmpty { Self.stopSearching(&state) }
        state.responseState.forgetMatch()
    }

    fileprivate static func look(_ job: SearchJob, _ state: inout AppState) -> [Effect] {
        // The count belongs to another text or display mode, so it is cancelled.
        if state.responses[job.target]?.count?.isOf(job.search, in: job.body) != true {
            state.stopJobs(CountMatchesJob.self)
            state.responses[job.target]?.count = nil
        }
        return state.start(job)
    }

    /// How far the search of a body is, such as `searching 34 %`; nil while none runs.
    static func searchProgress(_ key: CallKey?, _ state: AppState) -> String? {
        guard let job = state.pendingJobs(SearchJob.self).values.first(where: { $0.target == key }), let progress = job.progress else { return nil }
        return "searching \(NumberText.percent(progress))"
    }

    /// Cancels the search and the count of a body.
    static func stopSearching(_ state: inout AppState) {
        state.stopJobs(SearchJob.self)
        state.stopJobs(CountMatchesJob.self)
    }

    /// Starts to count the matches, unless they are counted.
    fileprivate static func countMatches(of search: BodySearch, in body: BodyView, _ target: CallKey, _ state: inout AppState) -> [Effect] {
        guard state.responses[target]?.count?.isOf(search, in: body) != true else { return [] }
        state.responses[target]?.count = MatchCount(search, in: body)
        return state.start(CountMatchesJob(target: target, body: body, search: search))
    }

    /// Moves the cursor to the pending byte offset once its row is known, and unfolds what hides it.
    static func revealPending(_ target: CallKey, _ state: inout AppState) -> [Effect] {
        if revealInTable(target, &state) { return [] }
        guard var response = state.responses[target], let offset = response.pendingOffset, var body = state.shownBody(target) else { return [] }
        var effects: [Effect] = []
        if body.reveal(offset) {
            state.setShownBody(body, target)
            effects = continueShown(target, &state)
        }
        guard let row = body.row(containing: offset) else { return effects }
        defer { state.responses[target] = response }
        response.pendingOffset = nil
        let view = BodyTabView(state)
        let height = max(1, view.height)
        (response.row, response.piece) = (row, 0)
        if row < response.top || row >= response.top + height { response.top = max(0, row - height / 3) }
        guard let match = response.match, match.lowerBound == offset else { return effects }
        if target == state.shownKey, let wrapped = view.wrapped(body) {
            response.piece = wrapped.pieceOfMatch(inRow: row)
            let top = wrapped.moved(.init(row: row, piece: response.piece), by: -(height / 3))
            (response.top, response.topPiece) = (top.row, top.piece)
        } else if target == state.shownKey, let search = state.bodySearch(.response) {
            response.revealSideways(search, in: row, of: body, width: view.textWidth(body))
        }
        response.noteOrdinal(in: body)
        return effects
    }
}

extension ResponseState {
    /// The byte offset of the row with the cursor.
    func offset(in body: BodyView) -> Int { body.rows(row..<row + 1).first?.sourceRange.lowerBound ?? 0 }

    /// Determines the ordinal of the match once the count and the index have reached it.
    mutating func noteOrdinal(in body: BodyView) {
        if ordinal == nil, let match { ordinal = count?.ordinal(of: match, in: body) }
    }

    /// The position such as `3 of 20`, with `+` while there may be more; nil when no match is shown.
    func matchPosition(in body: BodyView) -> String? {
        guard match != nil, let count else { return nil }
        let isAll = count.isComplete && body.isFinal && count.size == body.bytes.count
        return "\(ordinal.map(String.init) ?? "…") of \(max(count.total, ordinal ?? 1))\(isAll ? "" : "+")"
    }

    /// Scrolls horizontally to the match in a row if it is not visible in `width` cells.
    fileprivate mutating func revealSideways(_ search: BodySearch, in row: Int, of body: BodyView, width: Int) {
        guard let spans = body.rows(row..<row + 1, marking: search, current: match).first?.spans else { return }
        var columns = (start: 0, end: 0)
        for span in spans {
            let start = columns.end
            _ = ColumnText.expandingTabs(span.text, column: &columns.end)
            guard span.isCurrent else { continue }
            columns.start = start
            break
        }
        if columns.start < left || columns.end > left + width { left = columns.end <= width ? 0 : max(0, columns.start - width / 3) }
    }
}
