package import SortieBase

extension BodyProblem {
    /// The problem of a text that should be JSON, such as `not JSON: unexpected '}' at line 1, column 7 of the body`.
    package func ofJSON(in text: String = "the body") -> String {
        let problem = message.hasPrefix("not JSON") ? message : "not JSON: \(message)"
        return "\(problem) at line \(line), column \(column) of \(text)"
    }
}
