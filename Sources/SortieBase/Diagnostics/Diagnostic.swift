/// An error or a warning about a workspace, with its location.
package struct Diagnostic: Error, Hashable, Sendable, CustomStringConvertible {
    /// The severity of a problem.
    package enum Severity: Hashable, Sendable {
        /// The rest of the file can be used, for example in spite of an unknown key.
        case warning
        /// The content of the file cannot be used.
        case error
    }

    /// The location.
    package var location: SourceLocation
    /// The description of the problem and its remedy.
    package var message: String
    /// The severity.
    package var severity: Severity

    /// Creates a problem.
    package init(_ location: SourceLocation, _ message: String, severity: Severity = .error) {
        self.location = location
        self.message = message
        self.severity = severity
    }

    /// `FILE:LINE:COLUMN: message`.
    package var description: String { "\(location): \(message)" }
}
