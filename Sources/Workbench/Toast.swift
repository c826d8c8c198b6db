/// A sentence that stands in the footer for a few seconds.
///
/// Nothing is said only here: the log has it too.
struct Toast: Hashable, Sendable {
    /// How long it stays, in seconds.
    static let lifetime = 4.0

    var text: String
    var level: LogEntry.Level
    /// When it goes; set by the first tick after it came.
    var expiresAt: Double?

    init(_ text: String, _ level: LogEntry.Level = .info) {
        self.text = text
        self.level = level
    }
}
