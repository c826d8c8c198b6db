internal import SortieTerminal

/// A line of the log.
package struct LogEntry: Hashable, Sendable {
    /// The severity, the lowest first.
    package enum Level: String, Hashable, Sendable, CaseIterable, Comparable {
        /// Details for debugging.
        case debug
        /// Something began or ended as expected.
        case info
        /// A condition that the user should check.
        case warning
        /// A failure.
        case error

        /// Compares by severity.
        package static func < (left: Level, right: Level) -> Bool { left.weight < right.weight }

        private var weight: Int { Level.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The severity.
    package var level: Level
    /// The subject: a target or a file; empty for the program itself.
    package var source: String
    /// The message, without secrets.
    package var text: String
    /// Seconds since the program started; nil until the next tick sets it.
    package var time: Double?

    /// Creates a line.
    package init(_ level: Level, source: String = "", _ text: String, time: Double? = nil) {
        self.level = level
        self.source = source
        self.text = text
        self.time = time
    }
}

extension LogEntry.Level {
    /// The style of the text of a line.
    var style: Style {
        switch self {
        case .debug: .muted
        case .info: .text
        case .warning: .warning
        case .error: .error
        }
    }
}
