/// Why a hook's program returned no output.
struct HookFailure: Error, Hashable, Sendable {
    /// The reason, as a clause after the name of the hook.
    var reason: String
    /// The end of its standard error; empty for none.
    var standardError: String

    init(_ reason: String, standardError: String = "") {
        self.reason = reason
        self.standardError = standardError
    }

    /// The last line of standard error, where an exception of most languages is named.
    var lastLine: String? {
        standardError.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
            .map { String($0.drop(while: \.isWhitespace).prefix(300)) }
    }
}
