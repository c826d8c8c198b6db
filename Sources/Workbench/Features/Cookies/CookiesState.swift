internal import Model
internal import Terminal

internal import struct FoundationEssentials.Date

/// The cookie jar of an environment in a popup, sorted by domain (S3.11).
///
/// The runner owns the jar; the popup shows the last listing.
struct CookiesPopup: Hashable, Sendable {
    let environment: String?
    private(set) var cookies: [Cookie] = []
    /// The time of reading, relative to which expiry times are shown.
    private(set) var readAt = Date(timeIntervalSince1970: 0)
    /// Whether the jar was read.
    private(set) var isRead = false
    /// A text that the name, domain or path of a cookie must contain.
    private(set) var filter: TextField?
    var isFiltering = false
    /// The index of the selected cookie in ``shown``.
    private(set) var selected = 0
    /// The cookies that were removed last, for `u`.
    var removed: [Cookie] = []

    init(environment: String?) {
        self.environment = environment
    }

    /// The matching cookies, sorted by domain, name and path.
    private(set) var shown: [Cookie] = []

    var chosen: Cookie? { shown.indices.contains(selected) ? shown[selected] : nil }

    /// Updates the cookies; the selected one stays selected if it still exists.
    mutating func take(_ listing: CookieListing) {
        cookies = listing.cookies.sorted { ($0.domain, $0.name, $0.path) < ($1.domain, $1.name, $1.path) }
        readAt = listing.readAt
        isRead = true
        match()
    }

    mutating func changeFilter(_ work: (inout TextField) -> Void) {
        var field = filter ?? TextField()
        work(&field)
        filter = field
        match()
    }

    mutating func clearFilter() {
        filter = nil
        match()
    }

    private mutating func match() {
        let identity = chosen?.identity
        let needle = filter?.text.lowercased() ?? ""
        shown =
            needle.isEmpty
            ? cookies
            : cookies.filter { cookie in [cookie.name, cookie.domain, cookie.path].contains { $0.lowercased().contains(needle) } }
        selected = (identity.flatMap { wanted in shown.firstIndex { $0.identity == wanted } } ?? selected).clamped(to: 0...max(0, shown.count - 1))
    }

    mutating func select(_ identity: Cookie.Identity) {
        selected = shown.firstIndex { $0.identity == identity } ?? selected
    }

    mutating func select(index: Int) { if shown.indices.contains(index) { selected = index } }

    mutating func move(_ movement: Movement, page: Int) {
        selected = movement.target(from: selected, count: shown.count, page: page)
    }

    /// A line of the list: the heading of a domain, or a cookie by its index in ``shown``.
    enum Line: Hashable {
        case domain(String, Int)
        case cookie(Int)
    }

    var lines: [Line] {
        var lines: [Line] = []
        var start = 0
        while start < shown.count {
            let domain = shown[start].domain
            let end = shown[start...].firstIndex { $0.domain != domain } ?? shown.count
            lines.append(.domain(domain, end - start))
            lines += (start..<end).map { .cookie($0) }
            start = end
        }
        return lines
    }
}

/// The widths of the columns; a narrow list has no column for the domain.
private struct CookieColumns {
    let name: Int
    let value: Int
    let domain: Int
    let path: Int
    let end: Int
    let flags: Int

    init(width: Int) {
        let isWide = width >= 110
        (domain, path, end, flags) = isWide ? (26, 18, 16, 24) : (0, 10, 12, 7)
        let left = max(10, width - path - end - flags - (isWide ? domain + 10 : 8))
        name = left / 2
        value = left - name
    }

    func spans(of cookie: Cookie, at now: Date, isMasked: Bool) -> [Span] {
        let shownValue = isMasked && !cookie.value.isEmpty ? HeaderField.mask : cookie.value
        var spans = [
            Span(ColumnText.padded(cookie.name, to: name), .headerName), Span("  "), Span(ColumnText.padded(shownValue, to: value), .headerValue),
            Span("  "),
        ]
        if domain > 0 {
            spans += [Span(ColumnText.padded((cookie.isHostOnly ? "" : ".") + cookie.domain, to: domain)), Span("  ")]
        }
        spans += [
            Span(ColumnText.padded(cookie.path, to: path)), Span("  "),
            Span(ColumnText.padded(CookieWords.end(of: cookie, at: now, isShort: true), to: end), .muted),
            Span("  "), Span(CellWidth.truncated(flags(of: cookie), to: flags), .muted),
        ]
        return spans
    }

    var heading: [Span] {
        var spans = [ColumnText.padded("name", to: name), ColumnText.padded("value", to: value)]
        if domain > 0 { spans.append(ColumnText.padded("domain", to: domain)) }
        spans += [ColumnText.padded("path", to: path), ColumnText.padded("expires", to: end), "flags"]
        return spans.map { Span($0 + "  ", .muted) }
    }

    private func flags(of cookie: Cookie) -> String {
        guard domain == 0 else { return CookieWords.flags(of: cookie).map { $0.replacing("SameSite=", with: "") }.joined(separator: " ") }
        var letters: [String] = []
        if cookie.isSecure { letters.append("S") }
        if cookie.isHTTPOnly { letters.append("H") }
        if let sameSite = cookie.sameSite { letters.append(String(sameSite.rawValue.prefix(3))) }
        return letters.joined(separator: " ")
    }
}

extension AppState {
    private var cookiesRect: Rect {
        let whole = Rect(origin: .zero, size: size).split(bottomHeight: 1).top
        return whole.width < 110 ? whole : whole.inset(columns: 4, rows: min(2, whole.height / 12))
    }

    /// The area of the cookies, below the heading and above the details of the selected one.
    private var cookieRows: Rect { cookiesRect.inset(columns: 2, rows: 1).split(topHeight: 1).bottom.split(bottomHeight: 3).top }

    private func cookieTop(_ list: CookiesPopup, _ lines: [CookiesPopup.Line]) -> Int {
        let line = lines.firstIndex(of: .cookie(list.selected)) ?? 0
        return Window.limited(line - cookieRows.height * 2 / 3, count: lines.count, height: cookieRows.height)
    }

    func drawCookies(_ list: CookiesPopup, on canvas: inout Canvas) {
        let rect = cookiesRect
        canvas.fill(rect, style: .overlay)
        let count =
            list.shown.count == list.cookies.count ? NumberText.count(list.cookies.count, "cookie") : "\(list.shown.count) of \(list.cookies.count)"
        canvas.box(
            rect,
            title: [Span("Cookies", .titleFocused), Span("  \(list.environment ?? "no environment") · \(list.isRead ? count : "reading…")", .muted)],
            trailing: [Span("Esc closes", .muted)], style: .borderFocused)
        let inner = rect.inset(columns: 2, rows: 1)
        let columns = CookieColumns(width: inner.width)
        let rows = cookieRows
        if !list.shown.isEmpty { canvas.write(columns.heading, at: inner.origin, width: inner.width) }
        if list.isRead, list.shown.isEmpty {
            canvas.writeHint(
                list.cookies.isEmpty
                    ? ["There are no cookies in this jar. Servers set them; a adds one, i takes those of a file."] : ["No cookie holds that text."],
                in: rows)
        }
        let lines = list.lines
        let top = cookieTop(list, lines)
        for offset in 0..<max(0, rows.height) where top + offset < lines.count {
            let point = Point(column: rows.column, row: rows.row + offset)
            switch lines[top + offset] {
            case .domain(let domain, let count):
                canvas.write([Span(domain, .title), Span("  \(count)", .muted)], at: point, width: rows.width)
            case .cookie(let index):
                canvas.write(columns.spans(of: list.shown[index], at: list.readAt, isMasked: !showsSecrets), at: point, width: rows.width)
                if index == list.selected { canvas.select(row: point.row, in: rows, isFocused: true) }
            }
        }
        drawCookieFoot(list, on: &canvas, in: inner.split(bottomHeight: 3).bottom)
    }

    private func drawCookieFoot(_ list: CookiesPopup, on canvas: inout Canvas, in foot: Rect) {
        if let cookie = list.chosen {
            let words = WrappedText.lines(CookieWords.text(of: cookie, at: list.readAt), width: foot.width).prefix(2)
            for (offset, line) in words.enumerated() { canvas.write(line, at: foot.origin.moved(rows: offset), style: .muted, width: foot.width) }
        }
        let last = foot.origin.moved(rows: 2)
        if list.isFiltering {
            canvas.write("/", at: last, style: .key)
            (list.filter ?? TextField()).draw(
                on: &canvas, at: last.moved(columns: 1), width: foot.width - 1, placeholder: "a piece of a name, domain or path")
        } else if let filter = list.filter, !filter.isEmpty {
            canvas.write([Span("/", .key), Span(filter.text, .muted)], at: last, width: foot.width)
        } else {
            // The footer has no room for these keys.
            let keys = [
                ("D", "domain"), ("X", "all"), ("u", "undo"), ("i", "import"), ("x", "export"), ("]", "next jar"), ("S", "values"), ("y", "copy"),
            ]
            canvas.write(keys.flatMap { [Span($0.0, .key), Span(" \($0.1)  ", .muted)] }, at: last, width: foot.width)
        }
    }

    /// Handles the mouse: the wheel moves the selection, a click selects, a double click edits.
    mutating func used(_ mouse: Mouse, on list: CookiesPopup) {
        var list = list
        switch mouse.kind {
        case .scrollUp, .scrollDown: list.move(mouse.kind == .scrollUp ? .up : .down, page: 1)
        case .press where !cookiesRect.contains(mouse.position):
            popup = nil
            return
        case .press:
            let lines = list.lines
            let index = mouse.position.row - cookieRows.row + cookieTop(list, lines)
            guard cookieRows.contains(mouse.position), lines.indices.contains(index), case .cookie(let cookie) = lines[index] else { return }
            list.select(index: cookie)
        case .doubleClick:
            editCookie(isNew: false)
            return
        case .release, .drag: return
        }
        popup = .cookies(list)
    }

    mutating func moveInCookies(_ list: CookiesPopup, _ movement: Movement) {
        var list = list
        list.move(movement, page: cookieRows.height)
        popup = .cookies(list)
    }
}
