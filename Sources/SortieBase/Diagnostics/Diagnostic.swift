/// An error or a warning about a workspace, with its location.
public struct Diagnostic: Error, Hashable, Sendable, CustomStringConvertible {
    /// The severity of a problem.
    public enum Severity: Hashable, Sendable {
        /// The rest of the file can be used, for example in spite of an unknown key.
        case warning
        /// The content of the file cannot be used.
        case error
    }

    /// The location.
    public var location: SourceLocation
    /// The description of the problem and its remedy.
    public var message: String
    /// The severity.
    public var severity: Severity

    /// Creates a problem.
    public init(_ location: SourceLocation, _ message: String, severity: Severity = .error) {
        self.location = location
        self.message = message
        self.severity = severity
    }

    /// `FILE:LINE:COLUMN: message`.
    public var description: String { "\(location): \(message)" }
}
