internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The log, oldest item first: messages of the program, and calls with their details.
struct Log: Hashable, Sendable {
    /// A line of the log with its details.
    enum Item: Hashable, Sendable {
        case entry(LogEntry)
        case call(LoggedCall)
    }

    /// The maximum number of items.
    static let capacity = 5000
    /// The maximum size of all items in bytes; bodies in blocks take most of it.
    static let byteLimit = 16 << 20

    private(set) var items: [Item] = []
    /// The number of the first item.
    ///
    /// Numbers are not reused when the oldest items are removed.
    private(set) var first = 0
    private var cost = 0
    private var unstamped = 0

    /// The number of items that were removed.
    var dropped: Int { first }
    /// The numbers of the items.
    var numbers: Range<Int> { first..<first + items.count }

    subscript(number: Int) -> Item { items[number - first] }

    /// Adds a message.
    mutating func append(_ entry: LogEntry) {
        add(.entry(entry), cost: 100 + entry.text.utf8.count)
        if entry.time == nil { unstamped += 1 }
    }

    /// Adds a call and returns the number of its item.
    mutating func begin(_ call: LoggedCall) -> Int {
        add(.call(call), cost: call.cost)
        unstamped += 1
        return numbers.upperBound - 1
    }

    /// Adds a part to a call, unless its item was removed.
    mutating func append(_ part: LoggedCall.Part, to number: Int) {
        var added = 0
        change(number) { if $0.append(part) { added = part.cost } }
        cost += added
        makeRoom()
    }

    /// Ends a call, unless its item was removed.
    mutating func end(_ number: Int, _ state: LoggedCall.State, duration: Double) {
        change(number) {
            $0.state = state
            $0.duration = duration
        }
    }

    /// Whether items have no time, which the next tick sets.
    var needsTime: Bool { unstamped > 0 }

    /// Sets the time of the items that were added since the last tick.
    mutating func stamp(_ now: Double) {
        guard unstamped > 0 else { return }
        var left = unstamped
        for index in items.indices.reversed() {
            if items[index].stamp(now) { left -= 1 }
            if left <= 0 { break }
        }
        unstamped = 0
    }

    /// Each item as one line.
    var entries: [LogEntry] { items.map(\.entry) }

    private mutating func change(_ number: Int, _ work: (inout LoggedCall) -> Void) {
        guard numbers.contains(number), case .call(var call) = self[number] else { return }
        // Replaced while it changes, so that its parts are not copied.
        items[number - first] = .entry(LogEntry(.debug, ""))
        work(&call)
        items[number - first] = .call(call)
    }

    private mutating func add(_ item: Item, cost: Int) {
        items.append(item)
        self.cost += cost
        makeRoom()
    }

    /// Removes the oldest items well beyond the limits, many at once so that adding stays cheap.
    ///
    /// The newest item always stays.
    private mutating func makeRoom() {
        let isOver = items.count > Log.capacity + Log.capacity / 4 || cost > Log.byteLimit + Log.byteLimit / 4
        guard isOver, items.count > 1 else { return }
        var count = 0
        while count < items.count - 1, items.count - count > Log.capacity || cost > Log.byteLimit {
            cost -= items[count].cost
            count += 1
        }
        items.removeFirst(count)
        first += count
        unstamped = min(unstamped, items.count)
        if items.count == 1 { cost = items[0].cost }
    }
}

extension Log.Item {
    var level: LogEntry.Level {
        switch self {
        case .entry(let entry): entry.level
        case .call(let call): call.level
        }
    }

    /// The subject up to the first slash: a service's folder or a file; empty for the program itself.
    var service: String {
        switch self {
        case .entry(let entry): Endpoint.serviceName(of: entry.source)
        case .call(let call): call.service
        }
    }

    /// The item as one line.
    var entry: LogEntry {
        switch self {
        case .entry(let entry): entry
        case .call(let call):
            LogEntry(call.level, source: call.target, "\(call.method) \(call.outcome)", time: call.time)
        }
    }

    var call: LoggedCall? { if case .call(let call) = self { call } else { nil } }

    fileprivate var cost: Int {
        switch self {
        case .entry(let entry): 100 + entry.text.utf8.count
        case .call(let call): call.cost
        }
    }

    /// Sets the time if there is none; returns whether it did.
    fileprivate mutating func stamp(_ now: Double) -> Bool {
        switch self {
        case .entry(var entry):
            guard entry.time == nil else { return false }
            entry.time = now
            self = .entry(entry)
        case .call(var call):
            guard call.time == nil else { return false }
            call.time = now
            self = .call(call)
        }
        return true
    }
}

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

/// The log, or part of it, as text for a file or the clipboard.
///
/// The text is built on demand, because it can be long.
package struct LogText: Hashable, Sendable {
    var items: [Log.Item]
    var redaction: Redaction
    /// The start of the program, to which the times of the items refer.
    var start: HistoryMoment
    var dropped = 0

    /// The text, with one line for each item and all parts of calls.
    package var text: String {
        var text = dropped > 0 ? "(\(ItemCount.text(dropped, "older line")) removed)\n" : ""
        for item in items {
            let entry = item.entry
            let time = entry.time.map(start.clock) ?? ""
            text += "\(ColumnText.right(time, to: 9))  \(ColumnText.padded(entry.level.rawValue, to: 8))"
            text += redaction.masked([entry.source, entry.text].filter { !$0.isEmpty }.joined(separator: "  ")) + "\n"
            for part in item.call?.parts ?? [] { text += LogText.text(of: part, redaction) }
        }
        return text
    }

    static func text(of part: LoggedCall.Part, _ redaction: Redaction) -> String {
        switch part {
        case .decision(let decision):
            "\(ColumnText.right(NumberText.seconds(decision.time), to: 19))  \(decision.subject.rawValue): \(redaction.masked(decision.text))\n"
        case .failure(let error):
            "\(ColumnText.right("", to: 19))  \(redaction.masked(error).description)\n"
        case .problem(let problem): "\(ColumnText.right("", to: 19))  \(redaction.masked(problem))\n"
        case .block(let record): record.text(redaction: redaction)
        }
    }
}
