/// What an evaluation of a path may still use, which the paths inside its filters share.
final class JSONPathBudget {
    private let path: JSONPath
    /// How many values may be visited; nil for no limit.
    private let limit: Int?
    private var visited = 0
    private let patterns: JSONPatternBudget
    /// Called for each visited value; throws when the work was cancelled.
    private let step: () throws(JSONEvaluationError) -> Void

    init(
        _ path: JSONPath, limit: Int?, patterns: JSONPatternBudget = .init(), step: @escaping () throws(JSONEvaluationError) -> Void = {}
    ) {
        self.path = path
        self.limit = limit
        self.patterns = patterns
        self.step = step
    }

    /// Counts a visited value, whether a filter then selects it or not.
    func count() throws(JSONEvaluationError) {
        try step()
        guard let limit else { return }
        guard visited < limit else { throw .failed("\(JSONPathLimit(path: path.description, limit: limit))", position: nil) }
        visited += 1
    }

    /// Whether a text contains a match; false for a pattern that is not one (RFC 9535 §2.4.6).
    func isFound(_ pattern: String, in text: String) throws(JSONEvaluationError) -> Bool {
        do throws(PatternError) {
            return try patterns.isFound(pattern, in: text)
        } catch {
            guard patterns.isExhausted else { return false }
            throw .failed(error.message, position: nil)
        }
    }
}
