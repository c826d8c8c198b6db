/// Why the terminal could not be taken over.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was wrong.
    public enum Code: Hashable, Sendable {
        /// Standard input or standard output is not a terminal.
        case notATerminal
        /// `TERM` is empty, unknown, or names a terminal that cannot place the cursor.
        case unsuitableTerminal
        /// The system knows no UTF-8 locale.
        case noUTF8
        /// Another ``Screen`` has the terminal.
        case alreadyTaken
        /// A system call failed.
        case systemCall
    }

    /// What was wrong.
    public let code: Code
    /// A sentence that says what is wrong and the way out.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
