internal import BodyViews
internal import SortieBase
internal import SortieTerminal

/// Search in a response.
extension AppState {

    mutating func findInResponse(_ search: LineSearch, forward: Bool, includingHere: Bool) -> [Effect] {
        guard responseState.tab == .body else {
            let lines = responseLines
            let found = search.next(in: lines.count, from: responseState.line, forward: forward, includingStart: includingHere) {
                lines[$0].text
            }
            if let found { responseState.line = found }
            reportSearch(found != nil, search.searchTerm)
            return []
        }
        guard let shownKey, let body = openCall?.body else { return [] }
        let state = responseState
        let rows = body.rows(state.top..<state.top + 1)
        let here = rows.first?.sourceRange.lowerBound ?? 0
        let start: Int
        if let match = state.match, !includingHere {
            start = forward ? match.lowerBound + 1 : match.lowerBound
        } else {
            start = here
        }
        return [look(for: BodySearch(search.searchTerm), in: body, of: shownKey, from: start, forward: forward, hasWrapped: false)]
    }

    private mutating func look(
        for search: BodySearch, in body: BodyView, of target: CallKey, from: Int, forward: Bool, hasWrapped: Bool
    ) -> Effect {
        // The count belongs to another text or display mode, so it is cancelled.
        if responses[target]?.count?.isOf(search, in: body) != true {
            stopJobs(CountMatchesJob.self)
            responses[target]?.count = nil
        }
        let id = nextJob(SearchJob(target: target, search: search, from: from, forward: forward, hasWrapped: hasWrapped))
        return .search(id, body, search, from: from, forward: forward)
    }

    mutating func searched(_ id: JobID, _ step: SearchStep) -> [Effect] {
        guard let job = finishJob(id, SearchJob.self) else { return [] }
        let (target, search, forward) = (job.target, job.search, job.forward)
        guard let body = calls[target]?.body else { return [] }
        switch step {
        case .found(let range):
            responses[target, default: ResponseState()].match = range
            responses[target]?.ordinal = nil
            responses[target]?.pendingOffset = range.lowerBound
            revealPending(target)
            if job.hasWrapped { toast = Toast(forward ? "Continued from the start" : "Continued from the end") }
            noteOrdinal(target)
            return countMatches(of: search, in: body, target)
        case .continueFrom(let offset):
            return [look(for: search, in: body, of: target, from: offset, forward: forward, hasWrapped: job.hasWrapped)]
        case .notFound:
            let hasRest = forward ? job.from > 0 : job.from < BodyView.endOfBody
            if !job.hasWrapped, hasRest {
                let start = forward ? 0 : BodyView.endOfBody
                return [look(for: search, in: body, of: target, from: start, forward: forward, hasWrapped: true)]
            }
            responses[target]?.forgetMatch()
            reportSearch(false, search.needle)
        }
        return []
    }

    /// Cancels the search and the count of a body.
    mutating func stopSearching() {
        stopJobs(SearchJob.self)
        stopJobs(CountMatchesJob.self)
    }

    /// Starts to count the matches, unless they are counted.
    private mutating func countMatches(of search: BodySearch, in body: BodyView, _ target: CallKey) -> [Effect] {
        guard responses[target]?.count?.isOf(search, in: body) != true else { return [] }
        responses[target]?.count = MatchCount(search, in: body)
        return [.countMatches(nextJob(CountMatchesJob(target: target)), body, search)]
    }

    mutating func counted(_ id: JobID, _ count: MatchCount) {
        guard let target = (jobs[id] as? CountMatchesJob)?.target else { return }
        if count.isComplete { jobs[id] = nil }
        responses[target]?.count = count
        noteOrdinal(target)
    }

    /// Determines the ordinal of the match once the count and the index have reached it.
    private mutating func noteOrdinal(_ target: CallKey) {
        guard let state = responses[target], state.ordinal == nil, let match = state.match, let body = calls[target]?.body else { return }
        responses[target]?.ordinal = state.count?.ordinal(of: match, in: body)
    }

    /// The position such as `3 of 20`, with `+` while there may be more; nil when no match is shown.
    func matchPosition(in body: BodyView) -> String? {
        guard responseState.match != nil, let count = responseState.count else { return nil }
        let isAll = count.isComplete && body.isFinal && count.size == body.bytes.count
        return "\(responseState.ordinal.map(String.init) ?? "…") of \(max(count.total, responseState.ordinal ?? 1))\(isAll ? "" : "+")"
    }

    /// Scrolls to the pending byte offset once its row is known.
    mutating func revealPending(_ target: CallKey) {
        guard let offset = responses[target]?.pendingOffset, let row = calls[target]?.body?.row(containing: offset) else {
            return
        }
        responses[target]?.pendingOffset = nil
        let height = max(1, responseBodyHeight)
        let top = responses[target]?.top ?? 0
        if row < top || row >= top + height { responses[target]?.top = max(0, row - height / 3) }
        guard let match = responses[target]?.match, match.lowerBound == offset else { return }
        revealSideways(match, in: row, target)
        noteOrdinal(target)
    }

    /// Scrolls horizontally to a match that is not visible.
    private mutating func revealSideways(_ match: Range<Int>, in row: Int, _ target: CallKey) {
        guard target == shownKey, let body = calls[target]?.body, let text = searchTerms[.response] else { return }
        guard let spans = body.rows(row..<row + 1, marking: BodySearch(text), current: match).first?.spans else { return }
        var columns = (start: 0, end: 0)
        for span in spans {
            let start = columns.end
            _ = ColumnText.expandingTabs(span.text, column: &columns.end)
            guard span.isCurrent else { continue }
            columns.start = start
            break
        }
        let width = max(1, responseListRect.width - (body.mode == .hex ? 0 : numberWidth(body.rowCount, responseListRect.width)))
        let left = responses[target]?.left ?? 0
        if columns.start < left || columns.end > left + width {
            responses[target]?.left = columns.end <= width ? 0 : max(0, columns.start - width / 3)
        }
    }

    /// Cancels the searches of the previous response.
    mutating func forgetSearches(of target: CallKey) {
        stopJobs { ($0 as? SearchJob)?.target == target || ($0 as? CountMatchesJob)?.target == target }
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
}

/// Counting the matches of a search.
struct CountMatchesJob: Job {
    static let isReplaced = true

    var target: CallKey
}
