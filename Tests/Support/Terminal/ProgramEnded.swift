/// A program ended before it showed what a test waited for.
public struct ProgramEnded: Error, CustomStringConvertible {
    /// What was waited for.
    public let what: String
    /// How the program ended.
    public let status: ExitStatus?
    /// The screen it left.
    public let screen: String

    /// What was waited for, how the program ended, and the screen it left.
    public var description: String {
        "waited for \(what), but the program ended with \(status.map(\.description) ?? "no status") and left:\n\(screen)"
    }
}
