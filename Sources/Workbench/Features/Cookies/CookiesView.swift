internal import SortieBase
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
    func draw(on canvas: inout Canvas, _ state: AppState) {
        let frame = frame(in: state.popupArea)
        let count = shown.count == cookies.count ? ItemCount.text(cookies.count, "cookie") : "\(shown.count) of \(cookies.count)"
        let subtitle = Span("  \(environment ?? "no environment") · \(isRead ? count : "reading…")", .muted)
        let inner = canvas.popup(frame, title: [Span("Cookies", .titleFocused), subtitle], trailing: state.closingHint)
        let columns = CookieColumns(width: inner.width)
        let window = window(state)
        if !shown.isEmpty { canvas.write(columns.heading, at: inner.origin, width: inner.width) }
        if isRead, shown.isEmpty { canvas.writeHint([emptyHint(state)], in: window.rect) }
        for index in window.indices {
            let line = window.line(of: index)
            switch lines[index] {
            case .domain(let domain, let count):
                canvas.write([Span(domain, .title), Span("  \(count)", .muted)], at: line.origin, width: line.width)
            case .cookie(let index):
                canvas.write(columns.spans(of: shown[index], at: readAt, isMasked: !state.showsSecrets), at: line.origin, width: line.width)
                if index == selected { canvas.select(row: line.row, in: line, isFocused: true) }
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
            canvas.write(lines: words, at: foot.origin, style: .muted, width: foot.width)
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
