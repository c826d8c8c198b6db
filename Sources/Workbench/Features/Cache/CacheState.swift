internal import SortieBase
package import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

package import struct FoundationEssentials.Date

/// The cached responses in a popup, the most recently stored one first.
///
/// The runner owns the cache; the popup shows the last listing.
struct CachePopup: Sendable {
    private(set) var entries: [CacheEntry] = []
    /// The time of reading, relative to which ages are shown.
    private(set) var readAt = Date(timeIntervalSince1970: 0)
    /// Whether the cache was read.
    private(set) var isRead = false
    /// The index of the selected entry.
    var selected = 0

    var chosen: CacheEntry? { entries.indices.contains(selected) ? entries[selected] : nil }

    /// The size of all entries in bytes.
    var size: Int { entries.reduce(0) { $0 + $1.size } }

    /// Updates the entries; the selected one stays selected if it still exists.
    mutating func take(_ listing: CacheListing) {
        let id = chosen?.id
        entries = listing.entries
        readAt = listing.readAt
        isRead = true
        selected = (id.flatMap { id in entries.firstIndex { $0.id == id } } ?? selected).clamped(to: 0...max(0, entries.count - 1))
    }
}

extension Context {
    /// The cache popup.
    static let cache = Context("Cache")
}

extension Command {
    static let cache = Command.named("cache")
    static let removeServiceFromCache = Command.named("removeServiceFromCache", isInPalette: false)
    static let clearCache = Command.named("clearCache", isInPalette: false)
}

extension CacheFeature {
    /// The reason why no entry is selected.
    private static func noEntry(_ state: AppState) -> String? {
        guard let popup = state.popup as? CachePopup else { return "The cache is not open; \(state.key(.cache)) shows it" }
        return popup.chosen == nil ? "No cached response is selected" : nil
    }

    var bindings: [Binding] {
        Binding.movements(.cache, "entry") + [
            Binding(.cache, [.enter], .open, "Content", "Show the stored response", hint: 1, unless: Self.noEntry),
            Binding(.cache, [.character("d"), .delete], .deleteRow, "Remove", "Remove the entry", hint: 2, unless: Self.noEntry),
            Binding(
                .cache, [.character("D")], .removeServiceFromCache, "Service", "Remove all entries of the service", hint: 3, unless: Self.noEntry),
            Binding(.cache, [.character("X")], .clearCache, "All", "Remove all entries", hint: 4, unless: Self.noEntry),
            Binding(.cache, [.character("y")], .copy, "Copy", "Copy the URL", unless: Self.noEntry),
            Binding(.cache, [.character("S")], .toggleSecrets, "Secrets", "Show secrets, or mask them again"),
            Binding(.cache, [.escape, .control("c"), .character("q")], .close, "Close", "Close the cache", hint: 5),
            Binding(.panes, [.character("V")], .cache, "Cache", "Show and remove cached responses"),
        ]
    }
}

/// A request to the cache.
package struct CacheJob: WorkJob {
    package let request: CacheRequest

    /// Handles a listing; if the popup is closed, only what was removed is shown.
    func finish(_ listing: CacheListing, _ state: inout AppState) -> [Effect] {
        state.popups.change(CachePopup.self) { $0.take(listing) }
        if let removed = listing.removed { state.notify("\(ItemCount.text(removed, "cached response")) removed") }
        for problem in listing.problems { state.notify(problem, .warning) }
        return []
    }
}

/// The cached responses: their content, and removing them.
struct CacheFeature: Feature {
    let stacks: [[Context]] = [[.cache]]

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .cache else { return nil }
        state.stopEditing()
        state.popups.show(CachePopup())
        return CachePopup.ask(.list, &state)
    }
}

extension CachePopup: TablePopup {
    var contexts: [Context] { [.cache] }
    var count: Int { entries.count }

    static func ask(_ request: CacheRequest, _ state: inout AppState) -> [Effect] { state.start(CacheJob(request: request)) }

    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): move(movement, state)
        case .open: return chooseSelected(&state)
        case .deleteRow: return chosen.map { Self.ask(.remove([$0.id]), &state) } ?? []
        case .removeServiceFromCache: return chosen.map { Self.ask(.removeService($0.service), &state) } ?? []
        case .clearCache: return Self.ask(.clear, &state)
        case .copy: return chosen.map { state.copy(state.redaction.maskedURL($0.url.description), "the URL") } ?? []
        case .close: state.popups.pop()
        default: return nil
        }
        return []
    }

    /// Shows the stored response.
    func chooseSelected(_ state: inout AppState) -> [Effect] {
        if let chosen { state.popups.push(CachedResponsePopup(entry: chosen, readAt: readAt)) }
        return []
    }
}

/// Draws the cached responses.
extension CachePopup {
    func draw(on canvas: inout Canvas, _ state: AppState) {
        let frame = frame(in: state.popupArea)
        let content = isRead ? "\(ItemCount.text(entries.count, "response")) · \(ByteText.amount(Int64(size)))" + limit(state) : "reading…"
        let inner = canvas.popup(frame, title: [Span("Cache", .titleFocused), Span("  \(content)", .muted)], trailing: state.closingHint)
        let window = window(state)
        if isRead, entries.isEmpty {
            canvas.writeHint(["No response is cached. An endpoint with cache: keeps its responses."], in: window.rect)
        } else {
            canvas.write([Span(Self.columns("method", "status", "size", "age", "state", "on") + "URL", .muted)], at: inner.origin, width: inner.width)
        }
        for index in window.indices {
            let line = window.line(of: index)
            canvas.write(spans(of: entries[index], state), at: line.origin, width: line.width)
            if index == selected { canvas.select(row: line.row, in: line, isFocused: true) }
        }
        drawFoot(on: &canvas, in: inner.split(bottomHeight: 3).bottom, state)
    }

    /// The limit of the cache, where the workspace sets one.
    private func limit(_ state: AppState) -> String {
        state.workspace.cacheLimit.map { " of \(ByteText.amount(Int64($0))), on disk and in memory each" } ?? ""
    }

    private static func columns(_ method: String, _ status: String, _ size: String, _ age: String, _ state: String, _ place: String) -> String {
        ColumnText.padded(method, to: 7) + ColumnText.padded(status, to: 7) + ColumnText.right(size, to: 7) + " " + ColumnText.right(age, to: 11)
            + "  " + ColumnText.padded(state, to: 8) + ColumnText.padded(place, to: 7)
    }

    private func spans(of entry: CacheEntry, _ state: AppState) -> [Span] {
        let text = Self.columns(
            StatusText.short(entry.method), String(entry.response.status), ByteText.amount(Int64(entry.response.body.count)),
            NumberText.seconds(entry.age(at: readAt).rounded(.down)), entry.isFresh(at: readAt) ? "fresh" : "expired",
            entry.isOnDisk ? "disk" : "memory")
        return [Span(text, .muted), Span(state.redaction.maskedURL(entry.url.description), entry.isFresh(at: readAt) ? .text : .muted)]
    }

    /// The full URL and the facts of the selected entry.
    private func drawFoot(on canvas: inout Canvas, in foot: Rect, _ state: AppState) {
        guard let chosen else { return }
        let url = ColumnText.pieces(state.redaction.maskedURL(chosen.url.description), width: max(10, foot.width)).prefix(2)
        canvas.write(lines: url, at: foot.origin, style: .muted, width: foot.width)
        canvas.write(CachedResponsePopup.facts(of: chosen), at: foot.origin.moved(rows: 2), style: .muted, width: foot.width)
    }
}

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

/// A request to the cache of the workspace.
package enum CacheRequest: Hashable, Sendable {
    /// List the entries.
    case list
    /// Remove entries.
    case remove([CacheEntry.ID])
    /// Remove the entries of a service; nil for those of requests without a service.
    case removeService(String?)
    /// Remove all entries.
    case clear
}

/// The entries of the cache after a ``CacheRequest``.
package struct CacheListing: Hashable, Sendable {
    /// The entries, the most recently stored one first.
    package var entries: [CacheEntry]
    /// The time of reading.
    package var readAt: Date
    /// The number of removed entries; nil for a request that removes none.
    package var removed: Int?
    /// A sentence for each damaged file, which was removed.
    package var problems: [String]

    /// Creates a listing.
    package init(_ entries: [CacheEntry], readAt: Date, removed: Int? = nil, problems: [String] = []) {
        self.entries = entries
        self.readAt = readAt
        self.removed = removed
        self.problems = problems
    }
}
