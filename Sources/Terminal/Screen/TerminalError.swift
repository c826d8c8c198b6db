/// Why the terminal is not usable.
package struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The cause.
    package enum Code: Hashable, Sendable {
        /// Standard input or standard output is not a terminal.
        case notATerminal
        /// `TERM` is empty, unknown, or names a terminal that cannot place the cursor.
        case unsuitableTerminal
        /// The system knows no UTF-8 locale.
        case noUTF8
        /// Another ``Screen`` uses the terminal.
        case alreadyTaken
        /// A system call failed.
        case systemCall
    }

    /// The cause.
    package let code: Code
    /// The problem and its remedy, as text for the user.
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
