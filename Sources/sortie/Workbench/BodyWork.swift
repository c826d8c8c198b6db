internal import BodyViews
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import SortieWorkbench

/// Work on large bodies that would block the screen.
enum BodyWork {
    /// The number of bytes per step.
    private static let step = 4 << 20

    /// Returns the view with more of its body indexed.
    static func advanced(_ view: BodyView) -> BodyView {
        var view = view
        view.advance(budget: step)
        if view.bytes.count > step { view.bytes.releaseMemory() }
        return view
    }

    /// Searches until a match is found or the body ends; nil when cancelled.
    ///
    /// - Parameter progress: Called after each step with the offset that the search has reached.
    static func search(
        _ search: BodySearch, in view: BodyView, from start: Int, forward: Bool, _ cancellation: Cancellation, progress: (Int) -> Void
    ) -> SearchStep? {
        var view = view
        var position = start
        while prepare(&view, for: search, through: forward ? position + step : position, cancellation) {
            let found = view.find(search, from: position, forward: forward, budget: step) { cancellation.isCancelled }
            if view.bytes.count > step { view.bytes.releaseMemory() }
            guard !cancellation.isCancelled else { return nil }
            guard case .continueFrom(let next) = found else { return found }
            position = next
            progress(next)
        }
        return nil
    }

    /// Counts the matches of a search and reports the count after each step, until it is complete or cancelled.
    static func count(_ search: BodySearch, in view: BodyView, _ cancellation: Cancellation, progress: (MatchCount) -> Void) {
        var view = view
        var count = MatchCount(search, in: view)
        // The first step is short, so that a count is shown soon.
        var budget = step / 16
        while !count.isComplete, prepare(&view, for: search, through: count.position + budget, cancellation) {
            // Invalid JSON is shown raw from this point on, so the count restarts.
            if !count.isOf(search, in: view) { count = MatchCount(search, in: view) }
            count.advance(over: view, budget: budget) { cancellation.isCancelled }
            budget = min(2 * budget, step / 4)
            if view.bytes.count > step { view.bytes.releaseMemory() }
            if !cancellation.isCancelled { progress(count) }
        }
    }

    /// The maximum size of the results of a filter, in bytes; large ones are in a file without a name.
    private static let resultLimit: Int64 = 1 << 30
    /// The time between two reports of results, and before the first one.
    private static let (pause, firstPause) = (Duration.milliseconds(100), Duration.milliseconds(20))

    /// Filters a body and reports the results as they are found, until all are or the work is cancelled.
    static func filter(
        _ query: JSONQuery, in view: BodyView, spoolFolder: String, _ cancellation: Cancellation, progress: (FilterUpdate) -> Void
    ) {
        var results = BodyBuffer(folder: spoolFolder, limit: resultLimit)
        var count = 0
        var next = ContinuousClock.now + firstPause
        let bytes = view.filteredBytes
        var checks = 0
        /// Called about once for each MiB that is read, and after some thousand steps.
        func isStopped() -> Bool {
            checks += 1
            if checks % 16 == 0, bytes.count > step { bytes.releaseMemory() }
            return cancellation.isCancelled
        }
        func report(_ problem: String? = nil, isFinal: Bool) {
            if bytes.count > step { bytes.releaseMemory() }
            if !cancellation.isCancelled { progress(FilterUpdate(bytes: results.view, count: count, isFinal: isFinal, problem: problem)) }
        }
        let problem: String? = bytes.withUnsafeBytes { buffer in
            do throws(JSONEvaluationError) {
                try query.run(on: buffer, hasManyValues: view.hasManyValues, isStopped: { isStopped() }) {
                    (piece, isEnd) throws(JSONEvaluationError) in
                    if cancellation.isCancelled { throw .stopped }
                    do throws(NetworkError) {
                        // The results wait in memory until the disk has them.
                        if try results.append(piece, whenDrained: {}) { results.waitUntilWritten() }
                    } catch {
                        throw .failed(error.message, position: nil)
                    }
                    if isEnd { count += 1 }
                    guard isEnd, ContinuousClock.now >= next else { return }
                    next = ContinuousClock.now + pause
                    results.flush()
                    report(isFinal: false)
                }
                return nil
            } catch {
                guard case .failed(let sentence, let position) = error else { return nil }
                return position.map { "character \($0): \(sentence)" } ?? sentence
            }
        }
        results.flush()
        results.waitUntilWritten()
        report(problem, isFinal: true)
    }

    /// Continues the index as far as a step of a search needs it; false when cancelled.
    private static func prepare(_ view: inout BodyView, for search: BodySearch, through offset: Int, _ cancellation: Cancellation) -> Bool {
        while !cancellation.isCancelled {
            guard view.advanceIndex(for: search, through: offset, budget: step) else { return true }
        }
        return false
    }

    /// Writes a body to a file; an existing file is only replaced when `overwrites` is true.
    static func save(_ body: BodyBytes, to path: String, overwrites: Bool) -> JobOutcome {
        // `overwrites` is set after the user confirmed the path.
        if !overwrites, let protected = ProtectedLocation(path, .writing) { return .protected(protected.shortMessage) }
        do {
            guard try BodyFile.write(body, to: path, overwrites: overwrites) else { return .exists("\(path) already exists.") }
            return .done("\(path) (\(ByteCount(body.count).text))")
        } catch let failure as CommandFailure {
            return .failed(failure.message)
        } catch {
            return .failed("\(error)")
        }
    }
}
