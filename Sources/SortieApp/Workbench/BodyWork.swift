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

    /// Searches until a match is found or the body ends, and reports each step, unless it is cancelled.
    static func search(
        _ search: BodySearch, in view: BodyView, from start: Int, forward: Bool, _ cancellation: Cancellation, report: (SearchStep) -> Void
    ) {
        var view = view
        var position = start
        while prepare(&view, for: search, through: forward ? position + step : position, cancellation) {
            let found = view.find(search, from: position, forward: forward, budget: step) { cancellation.isCancelled }
            if view.bytes.count > step { view.bytes.releaseMemory() }
            guard !cancellation.isCancelled else { return }
            report(found)
            guard case .continueFrom(let next) = found else { return }
            position = next
        }
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

    /// The time between two reports of results, and before the first one.
    private static let (pause, firstPause) = (Duration.milliseconds(100), Duration.milliseconds(20))

    /// Filters a body and reports the results as they are found, until all are, more of a sequence of values must arrive, or the work is cancelled.
    ///
    /// - Parameter earlier: The results of the values before, to which the others are added; nil for none, and unused for another body.
    static func filter(
        _ query: JSONQuery, in view: BodyView, after earlier: FilterResults?, spoolFolder: String, _ cancellation: Cancellation,
        progress: (FilterUpdate) -> Void
    ) {
        let bytes = view.filteredBytes
        let first = earlier.flatMap { $0.areOf(bytes) ? $0 : nil } ?? FilterResults(folder: spoolFolder)
        var (results, count, end) = (first.buffer, first.count, first.end)
        var next = ContinuousClock.now + firstPause
        let isComplete = view.isFinal || !view.hasManyValues
        var checks = 0
        /// Called about once for each MiB that is read, and after some thousand steps.
        func isStopped() -> Bool {
            checks += 1
            if checks % 16 == 0, bytes.count > step { bytes.releaseMemory() }
            return cancellation.isCancelled
        }
        func report(_ problem: String? = nil, isFinal: Bool, _ continuation: FilterContinuation? = nil) {
            if bytes.count > step { bytes.releaseMemory() }
            guard !cancellation.isCancelled else { return }
            progress(FilterUpdate(bytes: results.view, count: count, isFinal: isFinal, problem: problem, continuation: continuation))
        }
        let problem: String? = bytes.withUnsafeBytes { buffer in
            do throws(JSONEvaluationError) {
                end = try query.run(
                    on: buffer, hasManyValues: view.hasManyValues, from: end, isComplete: isComplete, isStopped: { isStopped() }
                ) { (piece, isEnd) throws(JSONEvaluationError) in
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
        let isFinal = isComplete || problem != nil
        report(problem, isFinal: isFinal, isFinal ? nil : FilterContinuation(FilterResults(results, count: count, end: end, of: bytes)))
    }

    /// Continues the index as far as a step of a search needs it; false when cancelled.
    private static func prepare(_ view: inout BodyView, for search: BodySearch, through offset: Int, _ cancellation: Cancellation) -> Bool {
        while !cancellation.isCancelled {
            guard view.advanceIndex(for: search, through: offset, budget: step) else { return true }
        }
        return false
    }

    /// Writes a body to a file; an existing file is only replaced when `overwrites` is true.
    ///
    /// A pipe without a reader is refused, because the workbench does not show the wait.
    static func save(
        _ body: BodyBytes, to path: String, overwrites: Bool, in program: ProgramContext, _ cancellation: Cancellation
    ) -> JobOutcome {
        // `overwrites` is set after the user confirmed the path.
        if !overwrites, let protected = ProtectedLocation(path, .writing, program.folders) { return .protected(protected.shortMessage) }
        do {
            let isWritten = try OutputFile.write(
                body, to: path, program.folders, program.outputWaits, overwrites: overwrites, waitsForReader: false,
                until: { cancellation.isCancelled })
            guard isWritten else { return .exists("\(path) already exists.") }
            return .done("\(path) (\(ByteCount(body.count).text))")
        } catch let failure as CommandFailure {
            return .failed(failure.message)
        } catch {
            return .failed("\(error)")
        }
    }
}

/// The results of a filter of the messages that have arrived, to which those of later messages are added.
final class FilterResults: Sendable {
    /// The maximum size, in bytes; large results are in a file without a name.
    private static let limit: Int64 = 1 << 30

    let buffer: BodyBuffer
    /// The number of results.
    let count: Int
    /// The offset after the messages that were filtered.
    let end: Int
    /// The last bytes before ``end``, by which another body is recognized, as after a retry.
    private let tail: [UInt8]

    /// Creates results; the ones that they continue are not continued again, because both may share a file.
    init(_ buffer: BodyBuffer, count: Int, end: Int, of body: BodyBytes) {
        (self.buffer, self.count, self.end) = (buffer, count, end)
        tail = Self.tail(of: body, before: end)
    }

    /// No results, before the first message; large ones are stored in a file of a folder.
    convenience init(folder: String) { self.init(BodyBuffer(folder: folder, limit: Self.limit), count: 0, end: 0, of: .empty) }

    private static func tail(of body: BodyBytes, before end: Int) -> [UInt8] { body.bytes(in: max(0, end - 256)..<end) }

    /// Whether a body begins with the messages that were filtered.
    func areOf(_ body: BodyBytes) -> Bool { body.count >= end && Self.tail(of: body, before: end) == tail }
}

/// Work on large tables that would block the screen.
enum TableWork {
    /// The number of bytes per step.
    private static let step = 4 << 20
    /// The time between two reports of a sort.
    private static let pause = Duration.milliseconds(100)

    /// Returns the table with more of its rows indexed.
    static func advanced(_ table: BodyTable) -> BodyTable {
        var table = table
        table.advance(budget: step)
        if table.bytes.count > step { table.bytes.releaseMemory() }
        return table
    }

    /// Sorts the rows of a table by a column and reports the progress, until they are sorted or the work is cancelled.
    static func sort(_ table: BodyTable, _ column: Int, ascending: Bool, _ cancellation: Cancellation, report: (TableSortUpdate) -> Void) {
        var next = ContinuousClock.now + pause
        var checks = 0
        let order = table.sorted(by: column, ascending: ascending) { part in
            checks += 1
            // Each check is after 256 KiB, or after many comparisons.
            if checks % 16 == 0, table.bytes.count > step { table.bytes.releaseMemory() }
            if ContinuousClock.now >= next {
                next = ContinuousClock.now + pause
                if !cancellation.isCancelled { report(.progress(part)) }
            }
            return cancellation.isCancelled
        }
        if table.bytes.count > step { table.bytes.releaseMemory() }
        if let order, !cancellation.isCancelled { report(.done(order)) }
    }
}

extension SearchJob: ReportingWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation, report: (SearchStep) -> Void) {
        BodyWork.search(search, in: body, from: from, forward: forward, cancellation, report: report)
    }
}

extension CountMatchesJob: ReportingWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation, report: (MatchCount) -> Void) {
        BodyWork.count(search, in: body, cancellation, progress: report)
    }
}

extension FilterJob: ReportingWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation, report: (FilterUpdate) -> Void) {
        let earlier = continuation?.results as? FilterResults
        BodyWork.filter(query, in: body, after: earlier, spoolFolder: runner.program.spoolFolder, cancellation, progress: report)
    }
}

extension SortTableJob: ReportingWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation, report: (TableSortUpdate) -> Void) {
        TableWork.sort(table, column, ascending: isAscending, cancellation, report: report)
    }
}

extension PreparePagerJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> JobOutcome? {
        do { return try runner.opened.writeRows(of: body, cancellation).map { .done($0) } } catch {
            return .failed("its file cannot be written: \(error)")
        }
    }
}

extension ListFolderJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> FolderListing? {
        FolderReader.list(folder, in: runner.program)
    }
}

extension IndexResultsJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> BodyView? { BodyWork.advanced(results) }
}

extension IndexTableJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> BodyTable? { TableWork.advanced(table) }
}

extension DecodeImageJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> PictureOutcome? {
        await ImageDecoder(environment: runner.program.environment).decode(bytes, width: width, height: height)
    }
}

extension SaveFileJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> JobOutcome? {
        let bytes =
            switch content {
            case .body(let bytes): bytes
            case .log(let log): BodyBytes(Array(log.text.utf8))
            }
        return BodyWork.save(bytes, to: path, overwrites: overwrites, in: runner.program, cancellation)
    }
}
