package import HistoryModel
internal import SortieBase
import SortieHTTP
package import WorkspaceModel

package import struct FoundationEssentials.Date

/// A request to the history.
package enum HistoryRequest: Hashable, Sendable {
    /// A page of the list.
    case page(HistoryQuery)
    /// The number of exchanges that match a filter, counted up to a limit.
    case count(HistoryFilter, upTo: Int)
    /// A complete exchange.
    case past(Int64)
    /// The last exchange of an endpoint, as it is now, in a workspace.
    case last(Endpoint, workspace: String)
    /// A comparison of two exchanges, the older one first.
    case compare(Int64, Int64)
    /// A comparison of a step with the same step of the previous run in the same environment.
    case compareStep(PastStep)
    /// A comparison of all steps of a run with the previous run in the same environment.
    case compareRun(PastRun)
    /// Pins or unpins exchanges.
    case pin([Int64], Bool)
    /// Replaces the tags of exchanges.
    case tag([Int64], [String])
    /// Replaces the note of an exchange.
    case note(Int64, String)
    /// Deletes exchanges.
    case delete([Int64])
}

/// The result of a ``HistoryRequest``.
package enum HistoryResult: Sendable {
    /// A page of the list, and the time of reading.
    case page(HistoryPage, HistoryMoment)
    /// The number of matches, at most the limit.
    case count(Int)
    /// An exchange, nil when it does not exist any more, and the time of reading.
    case past(PastExchange?, HistoryMoment)
    /// The differences of two exchanges.
    case compared(ExchangeComparison)
    /// The differences of a run.
    case comparedRun(RunComparison)
    /// The change was made.
    case done
    /// The request failed. The text is the reason.
    case failed(String)
}

/// The wall-clock time of reading the history, relative to which times of rows are formatted.
package struct HistoryMoment: Hashable, Sendable {
    /// A period with a constant offset from UTC.
    package struct Offset: Hashable, Sendable {
        /// The start of the period.
        package var since: Date
        /// The offset from UTC in seconds, positive to the east.
        package var seconds: Int

        /// Creates a period.
        package init(since: Date, seconds: Int) {
            self.since = since
            self.seconds = seconds
        }
    }

    /// The time of reading.
    package var now: Date
    /// The offsets from UTC, the newest first; the last also applies to all earlier times.
    package var offsets: [Offset]

    /// The moment before one is known.
    package static let unknown = HistoryMoment(now: Date(timeIntervalSince1970: 0))

    /// Creates a moment; without offsets, times are in UTC.
    package init(now: Date, offsets: [Offset] = []) {
        self.now = now
        self.offsets = offsets
    }

    /// The offset from UTC at `now`, in seconds.
    var utcOffset: Int { offset(at: now) }

    private func offset(at date: Date) -> Int { (offsets.first { $0.since <= date } ?? offsets.last)?.seconds ?? 0 }

    private func local(_ date: Date) -> CalendarTime {
        CalendarTime(secondsSince1970: date.timeIntervalSince1970, utcOffset: offset(at: date))
    }

    private func isToday(_ time: CalendarTime) -> Bool {
        let today = local(now)
        return (time.year, time.month, time.day) == (today.year, today.month, today.day)
    }

    /// `14:03:12` on the current day, `11-20 14:03` on another day of the year, `2025-11-20` in another year.
    func short(_ date: Date) -> String {
        let time = local(date)
        if isToday(time) { return time.clock }
        return time.year == local(now).year ? time.date.dropFirst(5) + " " + time.clock.prefix(5) : time.date
    }

    /// `14:03:12` on the current day, `2026-11-20 14:03:12` on another day.
    func long(_ date: Date) -> String {
        let time = local(date)
        return isToday(time) ? time.clock : "\(time.date) \(time.clock)"
    }

    /// `14:03:12`, the time of day some seconds later.
    func clock(after seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e9 else { return "–" }
        return local(now.addingTimeInterval(seconds)).clock
    }

    /// `2026-11-20 14:03:12`.
    func full(_ date: Date) -> String {
        let time = local(date)
        return "\(time.date) \(time.clock)"
    }
}

/// A summary of what a replay of an exchange would do.
package struct ReplaySummary: Hashable, Sendable {
    /// The number of the exchange.
    package var number: Int64
    /// The method and URL, such as `POST http://127.0.0.1:8080/orders`.
    package var title: String
    /// What is created anew instead of being sent as before: `signature`, `token`, `cookies`.
    package var fresh: [String]
    /// The files that changed since they were sent.
    package var changed: [String]
    /// The missing secrets, each with its remedy; the exchange cannot be replayed without them.
    package var missing: [String]
    /// What the user is asked for before the exchange can be sent.
    package var prompts: [PromptQuestion] = []
    /// The endpoint of the exchange.
    package var target: String?
    /// The kind of its endpoint.
    package var kind: Endpoint.Kind
    /// The download to be queued; nil for other kinds.
    package var download: QueuedTransfer?

    /// Creates a summary.
    package init(
        number: Int64, title: String, fresh: [String] = [], changed: [String] = [], missing: [String] = [], target: String? = nil,
        kind: Endpoint.Kind = .data, download: QueuedTransfer? = nil
    ) {
        self.number = number
        self.title = title
        self.fresh = fresh
        self.changed = changed
        self.missing = missing
        self.target = target
        self.kind = kind
        self.download = download
    }
}

/// The timing of a replay of several exchanges.
package enum ReplayPace: Hashable, Sendable {
    /// Sends each exchange when the previous one has ended.
    case inOrder
    /// Sends each exchange with the original delay after the first.
    case original
}
