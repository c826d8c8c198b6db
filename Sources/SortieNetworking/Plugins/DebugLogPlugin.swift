public import SortieHTTP

/// Hands out the blocks of the debug log: one before each attempt is sent, one after its end (S0.33–S0.35).
///
/// It takes part in no stage: wherever it stands in the list, its blocks show what went out. Who iterates ``Client/events(_:id:)`` gets the same blocks as
/// ``CallEvent/logged(_:)`` without it.
public struct DebugLogPlugin: Plugin {
    /// The name in decisions and errors.
    public let name = "debugLog"
    private let redaction: @Sendable () -> Redaction
    private let sink: @Sendable (String) -> Void

    /// A plugin that gives each block to `sink`, on the task of its call.
    ///
    /// - Parameters:
    ///   - redaction: what is masked; ``Redaction/none`` shows everything.
    ///   - sink: takes a whole block, which ends with a line break.
    public init(redaction: Redaction = .standard, sink: @escaping @Sendable (String) -> Void) {
        self.init(masking: { redaction }, sink: sink)
    }

    /// A plugin whose redaction is asked for at every block, because secrets become known while calls run.
    public init(masking redaction: @escaping @Sendable () -> Redaction, sink: @escaping @Sendable (String) -> Void) {
        self.redaction = redaction
        self.sink = sink
    }

    func log(_ record: DebugLogRecord) {
        sink(record.text(redaction: redaction()))
    }
}
