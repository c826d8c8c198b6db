/// One line of the log.
public struct LogEntry: Hashable, Sendable {
    /// How much it matters.
    public enum Level: String, Hashable, Sendable, CaseIterable {
        /// A decision on the way.
        case detail
        /// Something began or ended as it should.
        case info
        /// Something needs a look.
        case warning
        /// Something failed.
        case error
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

/// The last entries, oldest first.
struct Log: Hashable, Sendable {
    /// How many entries are kept.
    static let capacity = 5000

    private(set) var entries: [LogEntry] = []
    private var unstamped = 0

    /// Adds an entry; far beyond the capacity the oldest go, many at once so that adding stays cheap.
    mutating func append(_ entry: LogEntry) {
        entries.append(entry)
        unstamped = entry.time == nil ? unstamped + 1 : unstamped
        if entries.count > Log.capacity + Log.capacity / 4 {
            entries.removeFirst(entries.count - Log.capacity)
            unstamped = min(unstamped, entries.count)
        }
    }

    /// Gives the entries that came since the last tick their time.
    mutating func stamp(_ now: Double) {
        guard unstamped > 0 else { return }
        var left = unstamped
        for index in entries.indices.reversed() where entries[index].time == nil {
            entries[index].time = now
            left -= 1
            if left == 0 { break }
        }
        unstamped = 0
    }
}
