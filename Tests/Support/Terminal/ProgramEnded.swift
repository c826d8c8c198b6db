/// The error for a program that ended before it showed the expected output.
public struct ProgramEnded: Error, CustomStringConvertible {
    /// The expected output.
    public let what: String
    /// The exit status of the program.
    public let status: ExitStatus?
    /// The last screen.
    public let screen: String

    /// The expected output, the exit status and the last screen.
    public var description: String {
        "waited for \(what), but the program ended with \(status.map(\.description) ?? "no status") and left:\n\(screen)"
    }
}
