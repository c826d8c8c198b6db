internal import Foundation
internal import HistoryModel
internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal

/// Exchanges as lines: in columns that fit the terminal, or with full texts separated by tabs when the output is no terminal.
struct HistoryTable {
    let items: [HistoryItem]

    /// The width limits of the columns that can be truncated: the endpoint and the URL.
    private static let targetWidth = 12...28
    private static let leastURL = 16

    /// The lines for an output.
    func text(for output: StandardOutput, now: Date) -> String {
        let rows = items.map { Self.cells($0, now: now) }
        guard output.isTerminal else {
            return rows.map { $0.map { VisibleLine.of($0.replacing("\t", with: " ")) }.joined(separator: "\t") + "\n" }.joined()
        }
        return Self.aligned(rows.map { $0.map { VisibleLine.of($0) } }, paths: items.map { VisibleLine.of($0.urlPathFirst) }, columns: output.columns)
    }

    /// Number, time, endpoint, method, URL, status, duration, size, environment, tags.
    private static func cells(_ item: HistoryItem, now: Date) -> [String] {
        [
            String(item.number), HistoryTime.short(item.startedAt, now: now), item.target ?? item.service ?? "–", item.shownMethod.rawValue, item.url,
            status(item),
            TimeSpan(item.duration).text, size(item), item.environment ?? "–",
            ((item.isPinned ? ["★"] : []) + item.tags).joined(separator: " "),
        ]
    }

    /// The size of the body; of one that did not arrive completely, with its announced size.
    private static func size(_ item: HistoryItem) -> String {
        ByteCount(item.receivedBytes).text + (item.announcedBytes.map { " of \(ByteCount($0).text)" } ?? "")
    }

    /// The status code, or the reason why there is none.
    static func status(_ item: HistoryItem) -> String {
        switch item.outcome {
        case .answered: item.statusText ?? "–"
        case .failed: item.error ?? "failed"
        case .cancelled, .superseded: item.outcome.rawValue
        }
    }

    /// Lines no wider than the terminal: the URL and the endpoint are truncated first, then the end of the line.
    ///
    /// - Parameter paths: The URLs with their paths first, which distinguish the rows where the URLs are truncated.
    static func aligned(_ rows: [[String]], paths: [String], columns: Int) -> String {
        guard let first = rows.first else { return "" }
        var widths = first.indices.map { column in rows.map { CellWidth.width(of: $0[column]) }.max() ?? 0 }
        widths[2] = min(widths[2], targetWidth.upperBound)
        let gaps = 2 * (widths.count - 1)
        func excess() -> Int { widths.reduce(gaps, +) - columns }
        widths[4] = max(min(widths[4], leastURL), widths[4] - max(0, excess()))
        widths[2] = max(min(widths[2], targetWidth.lowerBound), widths[2] - max(0, excess()))
        let isCut = rows.contains { CellWidth.width(of: $0[4]) > widths[4] }
        return zip(rows, paths).map { row, path in
            let cells = row.indices.map { column -> String in
                let cell = CellWidth.truncated(column == 4 && isCut ? path : row[column], to: widths[column])
                let blanks = String(repeating: " ", count: max(0, widths[column] - CellWidth.width(of: cell)))
                return [0, 6, 7].contains(column) ? blanks + cell : cell + blanks
            }
            let line = CellWidth.truncated(cells.joined(separator: "  "), to: columns)
            return line.trimmingEnd + "\n"
        }.joined()
    }
}

/// Formatting of times in the history commands.
enum HistoryTime {
    /// `14:03:12` on the current day, `2026-11-20` on another day, in local time.
    static func short(_ date: Date, now: Date) -> String {
        let time = local(date)
        let today = local(now)
        return (time.year, time.month, time.day) == (today.year, today.month, today.day) ? time.clock : time.date
    }

    /// `2026-11-20 14:03:12`, in local time.
    static func full(_ date: Date) -> String {
        let time = local(date)
        return "\(time.date) \(time.clock)"
    }

    /// `2026-11-20T14:03:12.345Z` (RFC 3339).
    static func iso8601(_ date: Date) -> String {
        CalendarTime.iso8601(millisecondsOf: (date.timeIntervalSince1970 * 1000).rounded(.down) / 1000)
    }

    private static func local(_ date: Date) -> CalendarTime {
        CalendarTime(secondsSince1970: date.timeIntervalSince1970, utcOffset: TimeZone.current.secondsFromGMT(for: date))
    }
}
