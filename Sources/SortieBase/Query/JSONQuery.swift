/// A query for the values of a JSON text: a filter in a small subset of the language of jq, in which a part that begins with `$` is a JSON path
/// (RFC 9535).
///
/// ```
/// $.items[?@.price > 10].title
/// .items[] | select(.price > 10) | {id, title}
/// $..items[?@.price > 10] | {id, title}
/// ```
package struct JSONQuery: Hashable, Sendable {
    /// The query as it was written.
    package let text: String
    private let term: JSONTerm

    /// Parses a query; white space around it is ignored.
    ///
    /// - Throws: A ``JSONQueryError`` with the position of the error.
    package init(_ text: String) throws(JSONQueryError) {
        self.text = text
        var parser = JSONTermParser(text)
        term = try parser.query()
    }

    /// Takes a piece of a result, and whether the result ends with it; throws to end the evaluation.
    package typealias Write = (UnsafeRawBufferPointer, Bool) throws(JSONEvaluationError) -> Void

    /// The maximum memory, in bytes, for values that an operation such as `sort_by` needs at the same time.
    package static let memoryLimit = 48 << 20

    /// The maximum number of steps of all comparisons with patterns; large, because a body may be large, and because the evaluation can be cancelled.
    private static let patternSteps = 100 * TextPattern.maximumSteps

    /// Evaluates the query and passes on each result as JSON text, in pieces, followed by a line feed.
    ///
    /// The text is not validated; what is read of it must be JSON. Of members with the same name, the first one is used, and descendants (`..`) are found in
    /// the order of the text, so that results are known before all of it is read.
    ///
    /// - Parameters:
    ///   - hasManyValues: Whether the text is a sequence of values, for each of which the query is evaluated.
    ///   - start: The offset of the first value, which an earlier call returned.
    ///   - isComplete: Whether no more text follows; otherwise the evaluation ends before a last value that may not be whole.
    ///   - isStopped: Whether the work was cancelled; called now and then.
    ///   - write: Takes the results.
    /// - Returns: The offset after the values for which the query was evaluated.
    /// - Throws: A ``JSONEvaluationError`` when the evaluation ended early; the results up to then are complete.
    @discardableResult
    package func run(
        on bytes: UnsafeRawBufferPointer, hasManyValues: Bool, from start: Int = 0, isComplete: Bool = true, memoryLimit: Int = memoryLimit,
        isStopped: @escaping () -> Bool, _ write: Write
    ) throws(JSONEvaluationError) -> Int {
        let text = JSONSourceText(bytes, isStopped: isStopped)
        var offset = start == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : start
        offset = text.skippingBlanks(offset)
        guard offset < bytes.count || start > 0 || !isComplete else { throw .failed("there is no value", position: nil) }
        // The values of the evaluation refer to the text without counting.
        defer { withExtendedLifetime(text) {} }
        let patterns = JSONPatternBudget(steps: Self.patternSteps)
        while offset < bytes.count {
            if !isComplete, !(try text.isWhole(at: offset)) { return offset }
            let evaluation = JSONTermEvaluation(memoryLimit: memoryLimit, patterns: patterns, isStopped: isStopped)
            try evaluation.run(term, .source(JSONSource(text, at: offset))) { (value) throws(JSONEvaluationError) in try value.write(write) }
            guard hasManyValues else { return bytes.count }
            offset = text.skippingBlanks(try text.end(of: offset))
        }
        return offset
    }
}

/// The error for a text that is not a query.
package struct JSONQueryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The description of the problem and its remedy.
    package var message: String
    /// The position of the character in the text, from 1.
    package var position: Int

    package var description: String { "character \(position): \(message)" }
}
