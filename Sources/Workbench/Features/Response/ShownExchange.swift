internal import BodyViews
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

/// Searching the body of a response.
struct SearchJob: Job {
    static let isReplaced = true

    var target: CallKey
    var search: BodySearch
    var from: Int
    var forward: Bool
    var hasWrapped: Bool
    /// The part of the body that was searched, from 0 to 1; nil before the first report.
    var progress: Double?
}

/// Counting the matches of a search.
struct CountMatchesJob: Job {
    static let isReplaced = true

    var target: CallKey
}

/// Search in a response.
extension ResponseFeature {
    func find(_ search: LineSearch, forward: Bool, includingHere: Bool, _ state: inout AppState) -> [Effect] {
        let shown = state.responseState
        guard shown.tab == .body else {
            let lines = ResponseLines(state).lines
            let found = search.next(in: lines.count, from: shown.line, forward: forward, includingStart: includingHere) { lines[$0].text }
            if let found { state.responseState.line = found }
            state.reportSearch(found != nil, search.searchTerm)
            return []
        }
        guard let key = state.shownKey, let body = state.openBody else { return [] }
        var start = state.shownTable?.offset ?? shown.offset(in: body)
        if let match = shown.match, !includingHere { start = match.lowerBound + (forward ? 1 : 0) }
        guard let bodySearch = state.bodySearch(.response) else { return [] }
        let job = SearchJob(target: key, search: bodySearch, from: start, forward: forward, hasWrapped: false)
        return [Self.look(job, body, &state)]
    }

    func searchChanged(isEmpty: Bool, _ state: inout AppState) {
        if isEmpty { Self.stopSearching(&state) }
        state.responseState.forgetMatch()
    }

    private static func look(_ job: SearchJob, _ body: BodyView, _ state: inout AppState) -> Effect {
        // The count belongs to another text or display mode, so it is cancelled.
        if state.responses[job.target]?.count?.isOf(job.search, in: body) != true {
            state.stopJobs(CountMatchesJob.self)
            state.responses[job.target]?.count = nil
        }
        return .search(state.nextJob(job), body, job.search, from: job.from, forward: job.forward)
    }

    static func searched(_ id: JobID, _ step: SearchStep, _ state: inout AppState) -> [Effect] {
        guard var job = state.finishJob(id, SearchJob.self), let body = state.shownBody(job.target) else { return [] }
        switch step {
        case .found(let range):
            state.responses[job.target, default: ResponseState()].match = range
            state.responses[job.target]?.ordinal = nil
            state.responses[job.target]?.pendingOffset = range.lowerBound
            state.responses[job.target]?.stream.isFollowing = false
            let indexing = revealPending(job.target, &state)
            if job.hasWrapped { state.toast = Toast(job.forward ? "Continued from the start" : "Continued from the end") }
            state.responses[job.target]?.noteOrdinal(in: body)
            return indexing + countMatches(of: job.search, in: body, job.target, &state)
        case .continueFrom(let offset):
            job.from = offset
            return [look(job, body, &state)]
        case .notFound:
            if !job.hasWrapped, job.forward ? job.from > 0 : job.from < BodyView.endOfBody {
                job.from = job.forward ? 0 : BodyView.endOfBody
                job.hasWrapped = true
                return [look(job, body, &state)]
            }
            state.responses[job.target]?.forgetMatch()
            state.reportSearch(false, job.search.needle)
            return []
        }
    }

    /// Records how far a search of a large body is.
    static func searching(_ id: JobID, _ offset: Int, _ state: inout AppState) {
        guard var job = state.jobs[id] as? SearchJob, let count = state.shownBody(job.target)?.bytes.count, count > 0 else { return }
        job.progress = Double((job.forward ? offset - job.from : job.from - offset).clamped(to: 0...count)) / Double(count)
        state.jobs[id] = job
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
    private static func countMatches(of search: BodySearch, in body: BodyView, _ target: CallKey, _ state: inout AppState) -> [Effect] {
        guard state.responses[target]?.count?.isOf(search, in: body) != true else { return [] }
        state.responses[target]?.count = MatchCount(search, in: body)
        return [.countMatches(state.nextJob(CountMatchesJob(target: target)), body, search)]
    }

    static func counted(_ id: JobID, _ count: MatchCount, _ state: inout AppState) {
        guard let target = (state.jobs[id] as? CountMatchesJob)?.target else { return }
        if count.isComplete { state.jobs[id] = nil }
        state.responses[target]?.count = count
        if let body = state.shownBody(target) { state.responses[target]?.noteOrdinal(in: body) }
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
