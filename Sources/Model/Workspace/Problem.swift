/// Something wrong in a workspace, with its place.
public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// How bad it is.
    public enum Severity: Hashable, Sendable {
        /// The file still works without what is wrong (an unknown key).
        case warning
        /// What the file describes cannot be used.
        case error
    }

    /// Where.
    public var location: SourceLocation
    /// What is wrong, and the way out.
    public var message: String
    /// How bad.
    public var severity: Severity

    /// A problem at a place.
    public init(_ location: SourceLocation, _ message: String, severity: Severity = .error) {
        self.location = location
        self.message = message
        self.severity = severity
    }

    /// `FILE:LINE:COLUMN: message`.
    public var description: String { "\(location): \(message)" }
}
