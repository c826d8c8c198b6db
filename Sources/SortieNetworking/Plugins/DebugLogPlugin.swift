package import SortieHTTP

/// Writes the debug log: one record before each attempt, one after it.
///
/// It has no stages: at any position in the list its records show what was sent. ``Client/events(_:id:parked:)`` delivers the same records as
/// `CallEvent.reported(_:)` without it.
public struct DebugLogPlugin: Plugin {
    /// The name in decisions and errors.
    public let name = "debugLog"
    private let redaction: @Sendable () -> Redaction
    private let sink: @Sendable (String) -> Void

    /// Creates a plugin that passes each record to `sink`, on the task of its call; secrets are masked.
    ///
    /// - Parameter sink: Receives a complete record, which ends with a line break.
    public init(sink: @escaping @Sendable (String) -> Void) {
        self.init(redaction: .standard, sink: sink)
    }

    /// Creates a plugin that masks what `redaction` says.
    package init(redaction: Redaction, sink: @escaping @Sendable (String) -> Void) {
        self.init(masking: { redaction }, sink: sink)
    }

    /// Creates a plugin that evaluates its redaction for every record, because secrets become known while calls run.
    package init(masking redaction: @escaping @Sendable () -> Redaction, sink: @escaping @Sendable (String) -> Void) {
        (self.redaction, self.sink) = (redaction, sink)
    }

    func log(_ record: DebugLogRecord) {
        sink(record.text(redaction: redaction()))
    }
}

/// Adds further lines to the blocks of the debug log, such as the number of an order.
///
/// In the plugins of a client or a service it applies to all their calls, and in those of an endpoint or a call to them only. Like the block itself,
/// the lines are masked: those with the name of a credential, and all secret values of the request.
package struct DebugLogLinesPlugin: Plugin {
    /// Returns the lines of a block, in order.
    ///
    /// The request is that of the attempt; the response is nil in the block before sending, and where there is none.
    package typealias Lines = @Sendable (_ request: Request, _ response: Response?) async -> [(name: String, value: String)]

    /// The name in decisions and errors.
    package let name = "debugLogLines"
    private let lines: Lines

    /// Creates a plugin that calls `lines` for every block that is written or observed.
    package init(_ lines: @escaping Lines) {
        self.lines = lines
    }

    func pairs(of request: Request, _ response: Response?) async -> [ParameterPair] {
        await lines(request, response).map { ParameterPair($0.name, $0.value) }
    }
}
