public import SortieHTTP

/// Writes the debug log: one record before each attempt, one after it (S0.33–S0.35).
///
/// It has no stages: at any position in the list its records show what was sent. ``Client/events(_:id:parked:)`` delivers the same records as
/// `CallEvent.logged(_:)` without it.
public struct DebugLogPlugin: Plugin {
    /// The name in decisions and errors.
    public let name = "debugLog"
    private let redaction: @Sendable () -> Redaction
    private let sink: @Sendable (String) -> Void

    /// Creates a plugin that passes each record to `sink`, on the task of its call.
    ///
    /// - Parameters:
    ///   - redaction: The secrets to mask; `Redaction.none` shows everything.
    ///   - sink: Receives a complete record, which ends with a line break.
    public init(redaction: Redaction = .standard, sink: @escaping @Sendable (String) -> Void) {
        self.init(masking: { redaction }, sink: sink)
    }

    /// Creates a plugin that evaluates its redaction for every record, because secrets become known while calls run.
    public init(masking redaction: @escaping @Sendable () -> Redaction, sink: @escaping @Sendable (String) -> Void) {
        self.redaction = redaction
        self.sink = sink
    }

    func log(_ record: DebugLogRecord) {
        sink(record.text(redaction: redaction()))
    }
}
