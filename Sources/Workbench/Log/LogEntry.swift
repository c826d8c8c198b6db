/// One line of the log.
public struct LogEntry: Hashable, Sendable {
    /// How much it matters, the least first.
    public enum Level: String, Hashable, Sendable, CaseIterable, Comparable {
        /// Only for who looks for a fault.
        case debug
        /// Something began or ended as it should.
        case info
        /// Something needs a look.
        case warning
        /// Something failed.
        case error

        /// The order of weight.
        public static func < (left: Level, right: Level) -> Bool { left.weight < right.weight }

        private var weight: Int { Level.allCases.firstIndex(of: self) ?? 0 }
    }

    /// How much it matters.
    public var level: Level
    /// What it is about: a target, a file; empty for the program itself.
    public var source: String
    /// What happened, in a sentence without secrets.
    public var text: String
    /// Seconds since the program started; filled in by the next tick when nil.
    public var time: Double?

    /// A line of the log.
    public init(_ level: Level, source: String = "", _ text: String, time: Double? = nil) {
        self.level = level
        self.source = source
        self.text = text
        self.time = time
    }
}
