internal import Model
internal import Workbench

/// Steps over large bodies that would hold up the screen.
enum BodyWork {
    /// How many bytes one step looks at.
    private static let step = 8 << 20

    /// The same view with its index further on.
    static func advanced(_ view: BodyView) -> BodyView {
        var view = view
        view.advance(budget: step)
        if view.bytes.count > step { view.bytes.releaseMemory() }
        return view
    }

    /// Looks for a text until it is found or the body is over.
    static func search(_ search: BodySearch, in view: BodyView, from start: Int, forward: Bool) -> SearchStep {
        var position = start
        while !Task.isCancelled {
            let found = view.find(search, from: position, forward: forward, budget: step)
            if view.bytes.count > step { view.bytes.releaseMemory() }
            guard case .continueFrom(let next) = found else { return found }
            position = next
        }
        return .notFound
    }

    /// Writes a body to a file; one that is there is only replaced where `overwrites` is true.
    static func save(_ body: BodyBytes, to path: String, overwrites: Bool) -> JobOutcome {
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
