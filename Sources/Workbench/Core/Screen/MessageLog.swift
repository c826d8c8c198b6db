/// The messages that were shown above the footer in this session.
struct MessageLog: Sendable {
    /// A message, with how often it was shown in succession.
    struct Entry: Sendable {
        var toast: Toast
        /// Seconds since the program started; nil until the next tick.
        var time: Double?
        var count = 1
    }

    /// The maximum number of messages.
    static let capacity = 500

    /// The messages, the oldest first.
    private(set) var entries: [Entry] = []
    private var unstamped = 0

    /// Adds a message; the same message in succession is counted.
    mutating func append(_ toast: Toast) {
        if let last = entries.last, last.toast.text == toast.text, last.toast.level == toast.level {
            entries[entries.count - 1].count += 1
            entries[entries.count - 1].time = nil
            unstamped = max(1, unstamped)
            return
        }
        entries.append(Entry(toast: toast))
        unstamped = min(unstamped + 1, Self.capacity)
        if entries.count > Self.capacity { entries.removeFirst() }
    }

    /// Sets the time of the messages that were added since the last tick.
    mutating func stamp(_ now: Double) {
        for index in entries.indices.suffix(unstamped) where entries[index].time == nil { entries[index].time = now }
        unstamped = 0
    }
}
