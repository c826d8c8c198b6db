internal import Model
internal import Storage
internal import Workbench

/// Steps over large bodies that would hold up the screen.
enum BodyWork {
    /// How many bytes one step looks at.
    private static let step = 4 << 20

    /// The same view with its index further on.
    static func advanced(_ view: BodyView) -> BodyView {
        var view = view
        view.advance(budget: step)
        if view.bytes.count > step { view.bytes.releaseMemory() }
        return view
    }

    /// Looks for a text until it is found or the body is over; nil when it was cancelled.
    static func search(
        _ search: BodySearch, in view: BodyView, from start: Int, forward: Bool, _ cancellation: JobCancellation
    ) -> SearchStep? {
        var view = view
        var position = start
        while prepare(&view, for: search, through: forward ? position + step : position, cancellation) {
            let found = view.find(search, from: position, forward: forward, budget: step)
            if view.bytes.count > step { view.bytes.releaseMemory() }
            guard case .continueFrom(let next) = found else { return found }
            position = next
        }
        return nil
    }

    /// Counts the matches of a search and shows how far it has come after each step, until all are counted or it is cancelled.
    static func count(_ search: BodySearch, in view: BodyView, _ cancellation: JobCancellation, progress: (MatchCount) -> Void) {
        var view = view
        var count = MatchCount(search, in: view)
        // The first number is shown soon.
        var budget = step / 16
        while !count.isComplete, prepare(&view, for: search, through: count.position + budget, cancellation) {
            // What is not JSON is displayed raw from then on.
            if !count.isOf(search, in: view) { count = MatchCount(search, in: view) }
            count.advance(over: view, budget: budget)
            budget = min(2 * budget, step / 4)
            if view.bytes.count > step { view.bytes.releaseMemory() }
            if !cancellation.isCancelled { progress(count) }
        }
    }

    /// Continues the index as far as a step of a search needs it; false when it was cancelled.
    private static func prepare(_ view: inout BodyView, for search: BodySearch, through offset: Int, _ cancellation: JobCancellation) -> Bool {
        while !cancellation.isCancelled {
            guard view.advanceIndex(for: search, through: offset, budget: step) else { return true }
        }
        return false
    }

    /// Writes a body to a file; one that is there is only replaced where `overwrites` is true.
    static func save(_ body: BodyBytes, to path: String, overwrites: Bool) -> JobOutcome {
        // `overwrites` is set after the user confirmed the path.
        if !overwrites, let protected = ProtectedLocation(path, .writing) { return .protected(protected.shortMessage) }
        do {
            guard try BodyFile.write(body, to: path, overwrites: overwrites) else { return .exists("\(path) is there already.") }
            return .done("\(path) (\(ByteCount(body.count).text))")
        } catch let failure as CommandFailure {
            return .failed(failure.message)
        } catch {
            return .failed("\(error)")
        }
    }
}
