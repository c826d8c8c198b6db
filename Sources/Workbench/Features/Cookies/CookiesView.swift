internal import SortieHTTP
internal import SortieTerminal

internal import struct FoundationEssentials.Date

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

/// Draws the cookies.
extension CookiesPopup {
    private static func frame(in whole: Rect) -> Rect {
        whole.width < 110 ? whole : whole.inset(columns: 4, rows: min(2, whole.height / 12))
    }

    /// The area of the cookies, below the heading and above the details of the selected one.
    private static func rows(in frame: Rect) -> Rect { frame.inset(columns: 2, rows: 1).split(topHeight: 1).bottom.split(bottomHeight: 3).top }

    /// The number of visible cookies.
    static func page(_ state: AppState) -> Int { rows(in: frame(in: state.popupArea)).height }

    private func top(_ lines: [Line], height: Int) -> Int {
        let line = lines.firstIndex(of: .cookie(selected)) ?? 0
        return Window.limited(line - height * 2 / 3, count: lines.count, height: height)
    }

    /// The index of the cookie at a point; nil outside the popup and on other lines.
    func index(at point: Point, _ state: AppState) -> Int? {
        let rows = Self.rows(in: Self.frame(in: state.popupArea))
        let lines = lines
        let index = point.row - rows.row + top(lines, height: rows.height)
        guard rows.contains(point), lines.indices.contains(index), case .cookie(let cookie) = lines[index] else { return nil }
        return cookie
    }

    static func contains(_ point: Point, _ state: AppState) -> Bool { frame(in: state.popupArea).contains(point) }

    func draw(on canvas: inout Canvas, _ state: AppState) {
        let frame = Self.frame(in: state.popupArea)
        canvas.fill(frame, style: .overlay)
        let count = shown.count == cookies.count ? NumberText.count(cookies.count, "cookie") : "\(shown.count) of \(cookies.count)"
        canvas.box(
            frame, title: [Span("Cookies", .titleFocused), Span("  \(environment ?? "no environment") · \(isRead ? count : "reading…")", .muted)],
            trailing: state.closingHint, style: .borderFocused)
        let inner = frame.inset(columns: 2, rows: 1)
        let columns = CookieColumns(width: inner.width)
        let rows = Self.rows(in: frame)
        if !shown.isEmpty { canvas.write(columns.heading, at: inner.origin, width: inner.width) }
        if isRead, shown.isEmpty { canvas.writeHint([emptyHint(state)], in: rows) }
        let lines = lines
        let top = top(lines, height: rows.height)
        for offset in 0..<max(0, rows.height) where top + offset < lines.count {
            let point = Point(column: rows.column, row: rows.row + offset)
            switch lines[top + offset] {
            case .domain(let domain, let count):
                canvas.write([Span(domain, .title), Span("  \(count)", .muted)], at: point, width: rows.width)
            case .cookie(let index):
                canvas.write(columns.spans(of: shown[index], at: readAt, isMasked: !state.showsSecrets), at: point, width: rows.width)
                if index == selected { canvas.select(row: point.row, in: rows, isFocused: true) }
            }
        }
        drawFoot(on: &canvas, in: inner.split(bottomHeight: 3).bottom, state)
    }

    private func emptyHint(_ state: AppState) -> String {
        guard cookies.isEmpty else { return "No cookie contains that text." }
        let (add, take) = (state.key(.addRow, in: .cookies), state.key(.importCookies))
        return "There are no cookies in this jar. Servers set them; \(add) adds one, \(take) takes those of a file."
    }

    private func drawFoot(on canvas: inout Canvas, in foot: Rect, _ state: AppState) {
        if let chosen {
            let words = WrappedText.lines(CookieWords.text(of: chosen, at: readAt), width: foot.width).prefix(2)
            for (offset, line) in words.enumerated() { canvas.write(line, at: foot.origin.moved(rows: offset), style: .muted, width: foot.width) }
        }
        let last = foot.origin.moved(rows: 2)
        if isFiltering {
            canvas.write("/", at: last, style: .key)
            (filter ?? TextField()).draw(
                on: &canvas, at: last.moved(columns: 1), width: foot.width - 1, placeholder: "part of a name, domain or path")
        } else if let filter, !filter.isEmpty {
            canvas.write([Span("/", .key), Span(filter.text, .muted)], at: last, width: foot.width)
        } else {
            // The footer has no room for these keys.
            let commands: [(Command, String)] = [
                (.deleteDomain, "domain"), (.clearCookies, "all"), (.undo, "undo"), (.importCookies, "import"), (.exportCookies, "export"),
                (.nextTab, "next jar"), (.toggleSecrets, "values"), (.copy, "copy"),
            ]
            let spans = commands.flatMap { [Span(state.key($0.0, in: .cookies), .key), Span(" \($0.1)  ", .muted)] }
            canvas.write(spans, at: last, width: foot.width)
        }
    }
}
