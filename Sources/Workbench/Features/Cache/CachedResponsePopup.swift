internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal

internal import struct FoundationEssentials.Date

/// A cached response with its header fields and the beginning of its body, in a popup.
struct CachedResponsePopup: ReadingPopup {
    var entry: CacheEntry
    /// The time of reading, relative to which the age is shown.
    var readAt: Date
    var position = ReadingPosition()

    var name: String { "the cached response" }

    /// The number of body bytes that are shown.
    private static let shownBytes = 64 << 10

    /// The service, the media type and the lifetime of an entry.
    static func facts(of entry: CacheEntry) -> String {
        [entry.service, entry.response.contentType, "fresh for \(NumberText.duration(entry.lifetime))", entry.id].compactMap { $0 }
            .joined(separator: " · ")
    }

    private func rows(_ redaction: Redaction) -> [(text: String, style: Style)] {
        let response = entry.response
        var rows: [(String, Style)] = [(redaction.masked(Self.facts(of: entry)), .muted)]
        rows.append((StatusText.line(response), StatusText.style(of: response)))
        rows += redaction.masked(response.headers).fields.map { ("\($0.name): \($0.value)", Style.headerValue) }
        rows.append(("", .text))
        let bytes = redaction.maskedStart(of: response.body, count: Self.shownBytes, contentType: response.contentType)
        if bytes.contains(0) {
            rows.append(("\(ByteText.amount(Int64(response.body.count))) that are not text", .muted))
        } else {
            rows += String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map { (String($0), Style.text) }
        }
        if response.body.count > Self.shownBytes {
            rows.append(("… \(ByteText.amount(Int64(response.body.count - Self.shownBytes))) more", .muted))
        }
        return rows
    }

    func text(width: Int, _ state: AppState) -> ReadingText {
        let age = NumberText.seconds(entry.age(at: readAt).rounded(.down))
        return ReadingText(
            title: "\(entry.method) \(state.redaction.maskedURL(entry.url.description))", subtitle: "\(age) old", lines: lines(width, state.redaction)
        )
    }

    private func lines(_ width: Int, _ redaction: Redaction) -> [[Span]] {
        rows(redaction).flatMap { row in
            var column = 0
            let text = ColumnText.expandingTabs(row.text, column: &column)
            return text.isEmpty ? [[Span("")]] : ColumnText.pieces(text, width: max(10, width)).map { [Span($0, row.style)] }
        }
    }

    func plainText(_ state: AppState) -> String { rows(state.redaction).map(\.text).joined(separator: "\n") }
}
