/// Why a text is not a regular expression that can be used, or why its comparison ended early.
package struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The description of the problem and its remedy.
    package var message: String

    /// An error with its sentence.
    package init(_ message: String) {
        self.message = message
    }

    /// The message.
    package var description: String { message }
}

extension PatternError {
    /// The steps of ``TextPattern/maximumSteps`` are used up.
    package static var exhausted: PatternError {
        PatternError("the comparison took more than \(TextPattern.maximumSteps) steps; use a simpler pattern, or a path to a shorter value")
    }
}
