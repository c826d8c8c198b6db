package import BodyViews
package import SortieBase

/// The filter of the body of a response: a JSON path or a filter in the language of jq, and what it found.
struct BodyFilter: Hashable, Sendable {
    /// The text as it was typed.
    var text: String
    /// What was found, one value after the other; nil before the first results.
    var results: BodyView?
    /// The text of the filter that found the results.
    var resultsText: String?
    /// The number of results so far.
    var count = 0
    /// Whether results may follow.
    var isRunning = false
    /// What filters the next messages of a live body; nil while the filter reads, and for a complete body.
    var continuation: FilterContinuation?
    /// The position in the whole body, to which removing the filter returns; nil before the first results.
    var position: Position?
    /// Why the text is not a filter, or why the results are incomplete.
    var problem: String?

    /// A scroll position, a row with the cursor, and whether the end of a live body stays visible.
    struct Position: Hashable, Sendable {
        var top: Int
        var row: Int
        var isFollowing: Bool
    }

    init(_ text: String) { self.text = text }

    /// Whether a text is a filter.
    static func isValid(_ text: String) -> Bool {
        do throws(JSONQueryError) { _ = try JSONQuery(text) } catch { return false }
        return true
    }

    /// Whether the results are those of an earlier text.
    var isOutdated: Bool { results != nil && resultsText != text }

    /// The state after the text, such as `3 results`; empty where a failed filter found nothing.
    var status: String {
        if isOutdated { return isRunning ? "filtering" : "" }
        guard results != nil || isRunning, problem == nil || count > 0 else { return "" }
        return ItemCount.text(count, "result") + (isRunning ? " so far" : problem == nil ? "" : " before the error")
    }
}

/// Filtering a body of JSON, or what has arrived of it since an earlier filter; several live bodies are filtered at the same time.
package struct FilterJob: WorkJob {
    static let onlyReads = true

    let target: CallKey
    /// The body that is filtered.
    package let body: BodyView
    package let query: JSONQuery
    /// The results for the messages before; nil for those of another text.
    package let continuation: FilterContinuation?
    /// Whether results have arrived, which replaced those of the previous text.
    private var hasResults: Bool

    init(_ target: CallKey, _ body: BodyView, _ query: JSONQuery, after continuation: FilterContinuation?) {
        (self.target, self.body, self.query, self.continuation) = (target, body, query, continuation)
        hasResults = continuation != nil
    }

    /// Whether later messages of the body are filtered as well.
    var isLive: Bool { !body.isFinal && body.hasManyValues }

    static func isLast(_ update: FilterUpdate) -> Bool { update.isFinal || update.continuation != nil }

    mutating func finish(_ update: FilterUpdate, _ state: inout AppState) -> [Effect] {
        guard var filter = state.responses[target]?.filter else { return [] }
        // Fewer bytes than before are the results of another body, as after a retry, or have not been written yet.
        let isShorter = hasResults && update.bytes.count < filter.results?.bytes.count ?? 0
        let isFirst = !hasResults || isShorter
        guard !isShorter || Self.isLast(update) else { return [] }
        if filter.position == nil, let response = state.responses[target] {
            filter.position = .init(top: response.top, row: response.row, isFollowing: response.stream.isFollowing)
        }
        hasResults = true
        if !isFirst, var results = filter.results {
            results.grow(to: update.bytes, isFinal: update.isFinal)
            filter.results = results
        } else {
            filter.results = BodyView.make(bytes: update.bytes, contentType: "application/x-ndjson", isFinal: update.isFinal)
        }
        filter.resultsText = filter.text
        filter.count = update.count
        filter.isRunning = !update.isFinal
        filter.problem = update.problem
        filter.continuation = update.continuation
        state.responses[target]?.filter = filter
        if isFirst {
            let target = target
            state.stopJobs { ($0 as? IndexResultsJob)?.target == target }
            ResponseFeature.resetPosition(target, &state)
        }
        ResponseFeature.follow(target, &state)
        let current = state.calls[target]?.body
        let hasMore = update.continuation != nil && (current?.bytes != body.bytes || current?.isFinal == true)
        return ResponseFeature.indexResults(target, &state) + (hasMore ? ResponseFeature.filterArrived(target, &state) : [])
    }
}

/// Indexing the results of a filter.
package struct IndexResultsJob: WorkJob {
    static let onlyReads = true

    let target: CallKey
    package let results: BodyView

    /// The same view with more of its rows.
    func finish(_ view: BodyView, _ state: inout AppState) -> [Effect] {
        guard let current = state.responses[target]?.filter?.results else { return [] }
        // Results of another text have replaced those that were indexed.
        if let merged = ResponseFeature.merged(view, current) { state.responses[target]?.filter?.results = merged }
        ResponseFeature.follow(target, &state)
        return ResponseFeature.revealPending(target, &state) + ResponseFeature.indexResults(target, &state)
    }
}

extension Context {
    /// The filter of a body is being typed.
    static let bodyFilter = Context("Filter of a body")
}

/// The filter of a body.
extension ResponseFeature {
    /// Why the body cannot be filtered.
    static func noFilter(_ state: AppState) -> String? {
        if let reason = noBody(state) { return reason }
        guard state.openCall?.body?.canFilter == true else {
            return "Only JSON can be filtered, and this body is not JSON; \(state.key(.search)) searches it"
        }
        return nil
    }

    /// Opens the field of the filter.
    static func startFilter(_ state: inout AppState) {
        state.searchEntry = nil
        state.responses.filterField = TextField(state.responseState.filter?.text ?? "")
    }

    /// Changes the text of the filter, and filters.
    static func typeFilter(_ change: TextChange, _ state: inout AppState) -> [Effect] {
        guard var field = state.responses.filterField, let key = state.shownKey else { return [] }
        field.apply(change)
        state.responses.filterField = field
        guard field.text.contains(where: { !$0.isWhitespace }) else {
            removeFilter(key, &state)
            return []
        }
        var filter = state.responseState.filter ?? BodyFilter("")
        filter.text = field.text
        state.responseState.filter = filter
        return filterBody(key, &state)
    }

    /// Filters what has arrived of a body; a body that is not a sequence of messages is filtered again when it is complete.
    static func filterArrived(_ key: CallKey, _ state: inout AppState) -> [Effect] {
        guard let filter = state.responses[key]?.filter, let body = state.calls[key]?.body else { return [] }
        // Where an earlier part is being read, the rest follows when that ends.
        let isReading = state.jobs.values.contains { job in (job as? FilterJob).map { $0.target == key && $0.isLive } ?? false }
        guard !isReading, state.responses[key]?.stream.paused == nil else { return [] }
        if let continuation = filter.continuation { return filterBody(key, after: continuation, &state) }
        guard !body.isFinal else { return filterBody(key, &state) }
        // The filter of an earlier response, one that was cancelled, and one of a body that was no sequence yet.
        guard filter.problem == nil, BodyFilter.isValid(filter.text) else { return [] }
        var formatted = body
        formatted.show(.pretty)
        return formatted.hasManyValues ? filterBody(key, &state) : []
    }

    /// Starts to filter the body with the text of its filter.
    ///
    /// - Parameter continuation: The results for the messages before; nil for those of another text.
    static func filterBody(_ key: CallKey, after continuation: FilterContinuation? = nil, _ state: inout AppState) -> [Effect] {
        guard var filter = state.responses[key]?.filter, var body = state.calls[key]?.body else { return [] }
        defer { state.responses[key]?.filter = filter }
        state.stopJobs { ($0 as? FilterJob)?.target == key }
        filter.isRunning = false
        filter.continuation = nil
        let query: JSONQuery
        do throws(JSONQueryError) {
            query = try JSONQuery(filter.text)
        } catch {
            filter.problem = "\(error)"
            return []
        }
        filter.problem = nil
        body.show(.pretty)
        guard body.showsJSON else {
            // The results of a live body are right for the messages up to the one that is not JSON.
            if continuation == nil { filter.results = nil }
            filter.problem = body.notice ?? "the body is not JSON"
            return []
        }
        filter.isRunning = true
        return state.start(FilterJob(key, body, query, after: continuation))
    }

    /// Indexes more of the results, one step at a time.
    static func indexResults(_ key: CallKey, _ state: inout AppState) -> [Effect] {
        guard let results = state.responses[key]?.filter?.results, results.canAdvance,
            !state.pendingJobs(IndexResultsJob.self).values.contains(where: { $0.target == key })
        else { return [] }
        return state.start(IndexResultsJob(target: key, results: results))
    }

    /// Shows the whole body again.
    static func removeFilter(_ key: CallKey, _ state: inout AppState) {
        state.stopJobs { ($0 as? FilterJob)?.target == key || ($0 as? IndexResultsJob)?.target == key }
        guard state.responses[key]?.filter != nil else { return }
        let position = state.responses[key]?.filter?.position
        state.responses[key]?.filter = nil
        guard let position else { return }
        resetPosition(key, &state)
        state.responses[key]?.top = position.top
        state.responses[key]?.row = position.row
        state.responses[key]?.stream.isFollowing = position.isFollowing
        follow(key, &state)
    }

    /// Shows the start of another body; matches belong to the previous one.
    fileprivate static func resetPosition(_ key: CallKey, _ state: inout AppState) {
        stopSearching(&state)
        guard var response = state.responses[key] else { return }
        response.forgetMatch()
        response.pendingOffset = nil
        response.table = nil
        (response.top, response.row, response.left) = (0, 0, 0)
        state.responses[key] = response
    }
}
