internal import HistoryModel
internal import SortieHTTP
internal import SortieTerminal

/// Lays out rows of the history in columns.
///
/// Columns that do not fit are left out, the least important ones first.
struct HistoryColumns {
    enum Column: String, Sendable, CaseIterable {
        case time, service, method, target, status, took, size, environment, tags
    }

    /// The width before the columns, which the marks use.
    static let marksWidth = 3

    private let texts: [[Column: Span]]
    private let marks: [[Span]]
    /// The URLs that are shown after the targets when there is room.
    private let urls: [String]
    private var widths: [Column: Int] = [:]

    /// The columns in the order in which they are left out.
    private static let order: [Column] = [.tags, .environment, .service, .size, .took, .time]
    private static let leastTarget = 22
    /// The width that a target gets before the lesser columns are shown.
    private static let goodTarget = 48
    private static let lesser: [Column] = [.tags, .environment, .service]

    /// - Parameters:
    ///   - items: The visible rows.
    ///   - marked: The numbers of the rows that the user marked.
    init(_ items: [HistoryItem], marked: Set<Int64>, moment: HistoryMoment, width: Int) {
        let lines = items.map { Self.texts(of: $0, moment) }
        marks = items.map { Self.marks(of: $0, isMarked: marked.contains($0.number)) }
        for column in Column.allCases where column != .target {
            let longest = lines.reduce(CellWidth.width(of: column.rawValue)) { max($0, CellWidth.width(of: $1[column]?.text ?? "")) }
            widths[column] = min(longest, column == .tags ? 24 : column == .status ? 16 : 20)
        }
        let room = width - Self.marksWidth
        let longestTarget = lines.reduce(Self.leastTarget) { max($0, CellWidth.width(of: $1[.target]?.text ?? "")) }
        for column in Self.lesser where Self.used(widths) + min(longestTarget, Self.goodTarget) > room { widths[column] = nil }
        for column in Self.order where Self.used(widths) + Self.leastTarget > room { widths[column] = nil }
        widths[.target] = max(1, room - Self.used(widths))
        // The target omits the service's folder when the service has a column.
        let hasService = widths[.service] != nil
        texts = zip(items, lines).map { item, texts in
            guard hasService, let service = item.service, let target = item.target, target.hasPrefix(service + "/") else { return texts }
            var texts = texts
            texts[.target]?.text = String(target.dropFirst(service.count + 1))
            return texts
        }
        urls = items.map { $0.target == nil ? "" : $0.url }
    }

    private static func used(_ widths: [Column: Int]) -> Int {
        widths.filter { $0.key != .target }.values.reduce(0) { $0 + $1 + 2 }
    }

    /// The titles of the columns.
    var heading: [Span] {
        var spans = [Span(String(repeating: " ", count: Self.marksWidth))]
        for column in Column.allCases {
            guard let width = widths[column] else { continue }
            spans.append(Span(Self.placed(column.rawValue, column, width) + "  ", .muted))
        }
        return spans
    }

    /// The spans of a row.
    func spans(_ index: Int) -> [Span] {
        var spans = marks[index]
        for column in Column.allCases {
            guard let width = widths[column] else { continue }
            let span = texts[index][column] ?? Span("")
            let spare = width - CellWidth.width(of: span.text)
            if column == .target, spare >= 24, !urls[index].isEmpty {
                spans += [span, Span("  " + ColumnText.padded(urls[index], to: spare - 2), .muted), Span("  ")]
            } else {
                spans += [Span(Self.placed(span.text, column, width), span.style), Span("  ")]
            }
        }
        return spans
    }

    private static func placed(_ text: String, _ column: Column, _ width: Int) -> String {
        let isNumber = column == .took || column == .size
        return isNumber ? ColumnText.right(CellWidth.truncated(text, to: width), to: width) : ColumnText.padded(text, to: width)
    }

    private static func marks(of item: HistoryItem, isMarked: Bool) -> [Span] {
        [
            Span(isMarked ? "●" : " ", .accent),
            item.isPinned ? Span("◆", .warning) : item.note.isEmpty ? Span(item.run == nil ? " " : "»", .muted) : Span("✎", .info), Span(" "),
        ]
    }

    private static func texts(of item: HistoryItem, _ moment: HistoryMoment) -> [Column: Span] {
        var tags = item.tags.map { "#" + $0 }.joined(separator: " ")
        if !item.note.isEmpty { tags += (tags.isEmpty ? "" : " ") + "“\(item.note)”" }
        return [
            .time: Span(moment.short(item.startedAt), .muted), .service: Span(item.service ?? ""),
            .method: Span(StatusText.short(item.shownMethod), StatusText.style(of: item.shownMethod)), .target: Span(item.target ?? item.url),
            .status: status(of: item), .took: Span(NumberText.seconds(item.duration)),
            .size: Span(
                item.announcedBytes.map { ByteText.share(item.receivedBytes, of: $0) }
                    ?? ByteText.amount(item.kind == .upload ? item.sentBytes : item.receivedBytes)),
            .environment: Span(item.environment ?? "", .muted), .tags: Span(tags, .info),
        ]
    }

    /// The status code, or the word for the outcome.
    static func status(of item: HistoryItem) -> Span {
        switch item.outcome {
        case .answered: item.status.map { Span(String($0), StatusText.style(ofStatus: $0)) } ?? Span("answered", .success)
        case .failed:
            Span(
                [item.status.map(String.init), item.error.map { StatusText.word(ofCode: $0) } ?? "failed"].compactMap { $0 }.joined(separator: " "),
                .error)
        case .cancelled: Span("cancelled", .muted)
        case .superseded: Span("superseded", .muted)
        }
    }
}
