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
    /// Why a value could not be fetched; nil for a mistake in a file.
    package var failure: ValueFailure?

    /// Creates a problem.
    package init(_ location: SourceLocation, _ message: String, severity: Severity = .error, failure: ValueFailure? = nil) {
        self.location = location
        self.message = message
        self.severity = severity
        self.failure = failure
    }

    /// `FILE:LINE:COLUMN: message`.
    package var description: String { location == .nowhere ? message : "\(location): \(message)" }

    /// `message (FILE:LINE:COLUMN)`.
    package var messageWithLocation: String { location == .nowhere ? message : "\(message) (\(location))" }
}
