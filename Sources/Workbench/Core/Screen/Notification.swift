internal import SortieTerminal

/// The notification above the footer: one row is drawn over the lowest border, several rows have their own place below the panes.
extension AppState {
    /// The maximum number of rows of a notification.
    private static let notificationRows = 3

    /// The number of rows between the panes and the footer that a notification needs.
    var messageRows: Int {
        guard let toast, toast.text.utf8.count > size.width - 8 || toast.text.contains(where: \.isNewline) else { return 0 }
        let count = notificationLines(toast).count
        return count > 1 ? count : 0
    }

    private func notificationLines(_ toast: Toast) -> [String] {
        let width = max(10, size.width - 8)
        var lines = WrappedText.lines(toast.text, width: width)
        if lines.count > AppState.notificationRows {
            lines.removeLast(lines.count - AppState.notificationRows)
            let more = popups.isEmpty ? "… \(key(.messages)) shows all" : "…"
            lines[lines.count - 1] = CellWidth.prefix(of: lines[lines.count - 1], fitting: max(0, width - CellWidth.width(of: more))) + more
        }
        return lines
    }

    func drawNotification(on canvas: inout Canvas, above footer: Rect) {
        guard let toast else { return }
        let lines = notificationLines(toast)
        let top = footer.row - lines.count
        let longest = lines.reduce(0) { max($0, CellWidth.width(of: $1)) }
        for (index, line) in lines.enumerated() {
            let place = Point(column: 1, row: top + index)
            // Over the tabs of a bottom pane without rows, and in its own place, the whole row is blank, so that no part of a name is left.
            let isWhole = lines.count > 1 || place.row == layout.bottom.row && layout.bottom.height == 1
            canvas.fill(Rect(column: place.column, row: place.row, width: isWhole ? size.width - 1 : longest + 4, height: 1), style: .overlay)
            let mark = toast.mark
            canvas.write([Span(" "), index == 0 ? mark : Span(" "), Span(" "), Span(line, mark.style)], at: place)
        }
    }
}

extension Toast {
    /// The mark before the message, in the style of its level.
    var mark: Span {
        switch level {
        case .debug, .info: Span("•", .info)
        case .warning: Span("!", .warning)
        case .error: Span("✗", .error)
        }
    }
}

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

/// A message that is shown for a few seconds above the footer.
///
/// It disappears when its time is over, on a key press after it could be read, or when its job ends.
struct Toast: Hashable, Sendable {
    /// The time in seconds that a message stays at least when keys are pressed, unless a key caused it.
    static let readingTime = 1.0

    var text: String
    var level: LogEntry.Level
    /// The job in progress that the message announces; the message disappears with it.
    var job: JobID?
    /// The part of the guide that F1 opens while the message is displayed; nil for that about what has the focus.
    var guideAddress: String?
    /// The time of the first tick after the message came; nil before.
    var shownAt: Double?
    /// Whether the last input caused the message, so that the next input dismisses it.
    var isReply = false

    init(_ text: String, _ level: LogEntry.Level = .info, job: JobID? = nil) {
        self.text = text
        self.level = level
        self.job = job
    }

    /// The time in seconds that the message stays without input; errors and offers stay longer.
    var lifetime: Double { guideAddress != nil ? 10 : level == .error ? 8 : 4 }

    /// Whether its time is over at `now`.
    ///
    /// The message of a job stays as long as the job.
    func isExpired(at now: Double) -> Bool {
        guard job == nil, let shownAt else { return false }
        return now >= shownAt + lifetime
    }

    /// Whether input at `now` dismisses it.
    func isDismissed(at now: Double) -> Bool {
        guard job == nil else { return false }
        return isReply || shownAt.map { now >= $0 + Toast.readingTime } ?? false
    }
}
