import BodyViews
import SortieBase
import SortieTerminal
import Testing

@testable import SortieWorkbench

extension AppState {
    /// The workbench with the focus on a response with a body.
    static func showing(_ body: String, contentType: String = "application/json", size: Size = Size(width: 80, height: 24)) -> AppState {
        var state = sample(size: size)
        state.open("shop/orders/list")
        state.settle(state.answer(state.sendOpen(), body, contentType: contentType))
        state.focus(.response)
        return state
    }

    /// Performs the effects that read the body of a response until none is left: indexes, searches, filters and tables.
    mutating func settle(_ effects: [Effect]) {
        var waiting = effects
        while !waiting.isEmpty { waiting += settled(waiting.removeFirst()) }
    }

    private mutating func settled(_ effect: Effect) -> [Effect] {
        switch effect {
        case .index(let id, var view):
            view.advance(budget: 1 << 20)
            return update(.indexed(id, view))
        case .work:
            if let (id, job) = effect.started(IndexResultsJob.self) {
                var view = job.results
                view.advance(budget: 1 << 20)
                return end(IndexResultsJob.self, id, view)
            }
            if let (id, job) = effect.started(IndexTableJob.self) {
                var table = job.table
                table.advance(budget: 1 << 20)
                return end(IndexTableJob.self, id, table)
            }
            if let (id, job) = effect.started(SortTableJob.self) {
                guard let order = job.table.sorted(by: job.column, ascending: job.isAscending, isStopped: { _ in false }) else { return [] }
                return end(SortTableJob.self, id, .progress(0.5)) + end(SortTableJob.self, id, .done(order))
            }
            if let (id, job) = effect.started(FilterJob.self) {
                return end(FilterJob.self, id, Self.results(of: job.query, on: job.body, after: job.continuation))
            }
            if let (id, job) = effect.started(SearchJob.self) { return search(id, job) }
            if let (id, job) = effect.started(CountMatchesJob.self) {
                var count = MatchCount(job.search, in: job.body)
                var next: [Effect] = []
                while !count.isComplete {
                    count.advance(over: job.body, budget: 1 << 20)
                    next += end(CountMatchesJob.self, id, count)
                }
                return next
            }
            return []
        default: return []
        }
    }

    /// Searches a body.
    mutating func search(_ id: JobID, _ job: SearchJob) -> [Effect] {
        end(SearchJob.self, id, job.body.find(job.search, from: job.from, forward: job.forward))
    }

    /// The results of a filter of the messages that have arrived.
    private final class Results: Sendable {
        let (output, count, end): ([UInt8], Int, Int)

        init(_ output: [UInt8], count: Int, end: Int) { (self.output, self.count, self.end) = (output, count, end) }
    }

    private static func results(of query: JSONQuery, on view: BodyView, after continuation: FilterContinuation?) -> FilterUpdate {
        // Another body, as after a retry, is filtered from its start.
        let known = (continuation?.results as? Results).flatMap { $0.end <= view.filteredBytes.count ? $0 : nil }
        let earlier = known ?? Results([], count: 0, end: 0)
        var (output, count, end) = (earlier.output, earlier.count, earlier.end)
        var problem: String?
        let isComplete = view.isFinal || !view.hasManyValues
        view.filteredBytes.withUnsafeBytes { bytes in
            do throws(JSONEvaluationError) {
                end = try query.run(
                    on: bytes, hasManyValues: view.hasManyValues, from: end, isComplete: isComplete, isStopped: { false }
                ) { (piece, isEnd) throws(JSONEvaluationError) in
                    output += piece
                    if isEnd { count += 1 }
                }
            } catch {
                if case .failed(let sentence, _) = error { problem = sentence }
            }
        }
        let isFinal = isComplete || problem != nil
        return FilterUpdate(
            bytes: BodyBytes(output), count: count, isFinal: isFinal, problem: problem,
            continuation: isFinal ? nil : FilterContinuation(Results(output, count: count, end: end)))
    }

    /// The number of cells on the screen that have a role.
    func cells(_ role: Role) -> Int {
        let canvas = draw()
        return canvas.bounds.rows.reduce(0) { sum, row in
            sum + canvas.bounds.columns.count { canvas.style(at: Point(column: $0, row: row))?.role == role }
        }
    }
}
