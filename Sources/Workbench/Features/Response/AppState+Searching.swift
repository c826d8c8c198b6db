internal import Model
internal import Terminal

/// Search (keys `/`, `n` and `N`).
extension AppState {
    mutating func startSearch() {
        if focus == .services {
            services.isFiltering = true
            services.filter = TextField()
            services.rebuild(workspace)
            return
        }
        if isHistoryFocused { return startHistoryFilter() }
        guard let place = searchPlace else {
            toast = Toast("There is nothing to search here", .warning)
            return
        }
        searchEntry = SearchEntry(place: place, previous: needles[place])
    }

    /// Searches from the current position while the text is typed.
    mutating func searchTextChanged() -> [Effect] {
        guard let entry = searchEntry else { return [] }
        needles[entry.place] = entry.field.isEmpty ? nil : entry.field.text
        if entry.place == .response {
            if entry.field.isEmpty { stopSearching() }
            responseState.forgetMatch()
        }
        return find(forward: true, includingHere: true)
    }

    mutating func acceptSearch() -> [Effect] {
        guard let entry = searchEntry else { return [] }
        searchEntry = nil
        // Enter with an empty text repeats the previous search.
        if entry.field.isEmpty { needles[entry.place] = entry.previous }
        return []
    }

    mutating func leaveSearch() {
        guard let entry = searchEntry else { return }
        searchEntry = nil
        needles[entry.place] = entry.previous
        if entry.place == .response {
            stopSearching()
            responseState.forgetMatch()
        }
    }

    mutating func nextMatch(forward: Bool) -> [Effect] {
        if services.isFiltering {
            moveInServices(forward ? .down : .up)
            return []
        }
        return find(forward: forward, includingHere: false)
    }

    private mutating func find(forward: Bool, includingHere: Bool) -> [Effect] {
        guard let place = searchEntry?.place ?? searchPlace, let needle = needles[place] else { return [] }
        let search = LineSearch(needle: needle)
        switch place {
        case .request:
            let rows = requestRows
            let found = search.next(
                in: rows.count, from: max(0, requestState.row), forward: forward, includingStart: includingHere
            ) {
                rows[$0].name + " " + rows[$0].value + " " + rows[$0].summary
            }
            if let found { requestState.row = found }
            report(found != nil, needle)
        case .transfers:
            let rows = transferRows
            let found = search.next(in: rows.count, from: transferIndex(in: rows), forward: forward, includingStart: includingHere) {
                rows[$0].name + " " + rows[$0].target
            }
            if let found { selectTransfer(found) }
            report(found != nil, needle)
        case .log:
            // The newest lines are at the end, so a new search goes upwards.
            report(findInLog(search, forward: forward && !includingHere, includingHere: includingHere), needle)
        case .response:
            return findInResponse(search, forward: forward, includingHere: includingHere)
        }
        return []
    }

    private mutating func findInResponse(_ search: LineSearch, forward: Bool, includingHere: Bool) -> [Effect] {
        guard responseState.tab == .body else {
            let lines = responseLines
            let found = search.next(in: lines.count, from: responseState.line, forward: forward, includingStart: includingHere) {
                lines[$0].text
            }
            if let found { responseState.line = found }
            report(found != nil, search.needle)
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
        return [look(for: BodySearch(search.needle), in: body, of: shownKey, from: start, forward: forward, hasWrapped: false)]
    }

    private mutating func look(
        for search: BodySearch, in body: BodyView, of target: String, from: Int, forward: Bool, hasWrapped: Bool
    ) -> Effect {
        // The count belongs to another text or display mode, so it is cancelled.
        if responses[target]?.count?.isOf(search, in: body) != true {
            stopJobs { $0.kind == .matchCount }
            responses[target]?.count = nil
        }
        let id = nextJob(.search(target: target, search, from: from, forward: forward, hasWrapped: hasWrapped))
        return .search(id, body, search, from: from, forward: forward)
    }

    mutating func searched(_ id: JobID, _ step: SearchStep) -> [Effect] {
        guard case .search(let target, let search, let from, let forward, let hasWrapped) = jobs.removeValue(forKey: id) else {
            return []
        }
        guard let body = calls[target]?.body else { return [] }
        switch step {
        case .found(let range):
            responses[target, default: ResponseState()].match = range
            responses[target]?.ordinal = nil
            responses[target]?.pendingOffset = range.lowerBound
            revealPending(target)
            if hasWrapped { toast = Toast(forward ? "Went on from the start" : "Went on from the end") }
            noteOrdinal(target)
            return countMatches(of: search, in: body, target)
        case .continueFrom(let offset):
            return [look(for: search, in: body, of: target, from: offset, forward: forward, hasWrapped: hasWrapped)]
        case .notFound:
            let hasRest = forward ? from > 0 : from < BodyView.endOfBody
            if !hasWrapped, hasRest {
                let start = forward ? 0 : BodyView.endOfBody
                return [look(for: search, in: body, of: target, from: start, forward: forward, hasWrapped: true)]
            }
            responses[target]?.forgetMatch()
            report(false, search.needle)
        }
        return []
    }

    /// Clears the search of a place and its marks.
    mutating func clearSearch(_ place: SearchPlace) {
        needles[place] = nil
        guard place == .response else { return }
        stopSearching()
        responseState.forgetMatch()
    }

    /// Cancels the search and the count of a body.
    private mutating func stopSearching() {
        stopJobs { $0.kind == .search || $0.kind == .matchCount }
    }

    /// Starts to count the matches, unless they are counted.
    private mutating func countMatches(of search: BodySearch, in body: BodyView, _ target: String) -> [Effect] {
        guard responses[target]?.count?.isOf(search, in: body) != true else { return [] }
        responses[target]?.count = MatchCount(search, in: body)
        return [.countMatches(nextJob(.countMatches(target: target)), body, search)]
    }

    mutating func counted(_ id: JobID, _ count: MatchCount) {
        guard case .countMatches(let target) = jobs[id] else { return }
        if count.isComplete { jobs[id] = nil }
        responses[target]?.count = count
        noteOrdinal(target)
    }

    /// Determines the ordinal of the match once the count and the index have reached it.
    private mutating func noteOrdinal(_ target: String) {
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
    mutating func revealPending(_ target: String) {
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
    private mutating func revealSideways(_ match: Range<Int>, in row: Int, _ target: String) {
        guard target == shownKey, let body = calls[target]?.body, let needle = needles[.response] else { return }
        guard let spans = body.rows(row..<row + 1, marking: BodySearch(needle), current: match).first?.spans else { return }
        var columns = (start: 0, end: 0)
        for span in spans {
            let start = columns.end
            _ = AppState.expandingTabs(span.text, column: &columns.end)
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
    mutating func forgetSearches(of target: String) {
        stopJobs {
            switch $0 {
            case .search(target: target, _, _, _, _), .countMatches(target: target): true
            default: false
            }
        }
    }

    private mutating func report(_ isFound: Bool, _ needle: String) {
        if !isFound { toast = Toast("“\(needle)” is not here", .warning) }
    }
}
