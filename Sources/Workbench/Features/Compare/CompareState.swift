internal import Model
internal import Terminal

/// A comparison of two exchanges in a popup, with equal parts folded.
struct ComparePopup: Hashable, Sendable {
    /// A row of the comparison.
    enum Row: Hashable, Sendable {
        case heading(String)
        case fact(ExchangeComparison.Fact)
        case removed(String)
        case added(String)
        case same(String)
        case ignored(String)
        case folded(String)
        case note(String)
        case blank

        /// Whether n and N stop at this row, unless the previous row is a difference too.
        var isDifference: Bool {
            switch self {
            case .removed, .added: true
            case .fact(let fact): fact.isDifferent && fact.counts
            case .heading, .same, .ignored, .folded, .note, .blank: false
            }
        }
    }

    let comparison: ExchangeComparison
    let isUnfolded: Bool
    let rows: [Row]
    var top = 0
    /// The horizontal scroll position in cells.
    var left = 0

    init(_ comparison: ExchangeComparison, isUnfolded: Bool = false) {
        self.comparison = comparison
        self.isUnfolded = isUnfolded
        var rows = comparison.facts.map { Row.fact($0) }
        rows += Self.rows("Header", of: comparison.headers, isUnfolded)
        rows += Self.rows("Body", of: comparison.body)
        let request = comparison.request
        if request.isSame, !isUnfolded {
            rows += [.blank, .heading("Request"), .folded("the same was asked")]
        } else {
            rows += [.blank, .heading("Request")] + request.facts.filter { $0.isDifferent || isUnfolded }.map { .fact($0) }
            rows += Self.rows("Header of the request", of: request.headers, isUnfolded)
            if request.body.isDifferent || request.body.isUnknown || isUnfolded { rows += Self.rows("Body of the request", of: request.body) }
        }
        self.rows = rows
    }

    private static func rows(_ title: String, of headers: [HeaderDifference], _ isUnfolded: Bool) -> [Row] {
        let same = headers.count { !$0.isDifferent }
        var rows: [Row] = [.blank, .heading(title)]
        for header in headers where header.isDifferent || isUnfolded {
            if !header.isDifferent {
                rows += header.left.map { .same("\(header.name): \($0)") }
            } else if header.counts {
                rows += header.left.map { .removed("\(header.name): \($0)") } + header.right.map { .added("\(header.name): \($0)") }
            } else {
                rows.append(.ignored("\(header.name): \(header.left.joined(separator: ", ")) → \(header.right.joined(separator: ", "))"))
            }
        }
        if !isUnfolded, same > 0 { rows.append(.folded("\(NumberText.count(same, "field")) the same")) }
        return rows
    }

    private static func rows(_ title: String, of body: BodyComparison) -> [Row] {
        var heading = title
        if body.removedCount + body.addedCount > 0 {
            heading += "  −\(NumberText.grouped(body.removedCount)) +\(NumberText.grouped(body.addedCount))"
        }
        var rows: [Row] = [.blank, .heading(heading)]
        rows += body.notes.map { .note($0) }
        rows += body.lines.map { line in
            switch line.kind {
            case .same: .same(line.text)
            case .removed: .removed(line.text)
            case .added: .added(line.text)
            case .ignored: .ignored(line.text)
            case .folded(let count): .folded("\(NumberText.count(count, "line")) in both")
            }
        }
        if body.lines.isEmpty, body.notes.isEmpty { rows.append(.folded(body.isDifferent ? "they differ" : "the same")) }
        return rows
    }

    /// Scrolls to the next or previous block of different rows; false when there is none.
    mutating func goToDifference(forward: Bool) -> Bool {
        let starts = rows.indices.filter { rows[$0].isDifference && ($0 == 0 || !rows[$0 - 1].isDifference) }
        guard let start = forward ? starts.first(where: { $0 > top }) : starts.last(where: { $0 < top }) else { return false }
        top = start
        return true
    }

    /// The rows as text, in the style of a diff.
    func text(_ redaction: Redaction) -> String {
        rows.map { row in
            switch row {
            case .heading(let text): text
            case .fact(let fact): "\(fact.isDifferent ? "≠" : " ") \(fact.name): \(fact.left ?? "–") | \(fact.right ?? "–")"
            case .removed(let text): "- " + text
            case .added(let text): "+ " + text
            case .same(let text), .ignored(let text): "  " + text
            case .folded(let text): "  ⋯ " + text
            case .note(let text): text
            case .blank: ""
            }
        }.map { redaction.masked($0) }.joined(separator: "\n")
    }
}

extension AppState {
    var isComparing: Bool { if case .compare = popup { true } else { false } }

    var isComparisonUnfolded: Bool { if case .compare(let compare) = popup { compare.isUnfolded } else { false } }

    private var compareRect: Rect { readingRect }

    func drawComparison(_ popup: ComparePopup, on canvas: inout Canvas) {
        let rect = compareRect
        canvas.fill(rect, style: .overlay)
        let inner = rect.inset(columns: 2, rows: 1)
        let comparison = popup.comparison
        let rows = popup.rows
        let top = Window.limited(popup.top, count: rows.count, height: inner.height - 1)
        var trailing = [Span("Esc", .key), Span(" closes", .muted)]
        if rows.count > inner.height - 1 { trailing.append(Span("  \(min(rows.count, top + inner.height - 1))/\(rows.count)", .muted)) }
        let verdict =
            comparison.areEqual
            ? Span("  equal", .success) : Span(comparison.isUnknown ? "  cannot be told: a body is not there" : "  they differ", .warning)
        canvas.box(
            rect, title: [Span("Compare", .titleFocused), Span("  #\(comparison.left.number) with #\(comparison.right.number)", .muted), verdict],
            trailing: trailing, style: .borderFocused)
        guard inner.height > 1 else { return }
        canvas.write(factSpans(heading: comparison, width: inner.width), at: inner.origin, width: inner.width)
        for offset in 0..<(inner.height - 1) where top + offset < rows.count {
            let point = inner.origin.moved(rows: offset + 1)
            var part = Canvas(size: Size(width: inner.width, height: 1))
            part.fill(part.bounds, style: .overlay)
            let isFixed = if case .fact = rows[top + offset] { true } else { false }
            part.write(spans(of: rows[top + offset], width: inner.width), at: Point(column: isFixed ? 0 : -popup.left, row: 0))
            canvas.paste(part, at: point)
        }
    }

    private func factSpans(heading comparison: ExchangeComparison, width: Int) -> [Span] {
        let room = Self.factRoom(width)
        func words(_ item: HistoryItem) -> String {
            "#\(item.number)  \(history.moment?.long(item.startedAt) ?? "")  \(item.method) \(item.target ?? item.url)"
        }
        return [
            Span(String(repeating: " ", count: Self.factName)), Span(ColumnText.padded(words(comparison.left), to: room) + "  ", .strong),
            Span(CellWidth.truncated(words(comparison.right), to: room), .strong),
        ]
    }

    private static let factName = 18

    private static func factRoom(_ width: Int) -> Int { max(8, (width - factName - 2) / 2) }

    private func spans(of row: ComparePopup.Row, width: Int) -> [Span] {
        func plain(_ text: String) -> String {
            var column = 2
            return AppState.expandingTabs(redaction.masked(text), column: &column)
        }
        switch row {
        case .heading(let text): return [Span(text, .title)]
        case .fact(let fact):
            let room = Self.factRoom(width)
            // A difference that disappears by rounding is not shown as one.
            let isDifferent = fact.isDifferent && (fact.counts || fact.left != fact.right)
            let style: (Style, Style) = isDifferent ? (fact.counts ? (.error, .success) : (.info, .info)) : (.text, .text)
            return [
                Span(isDifferent ? "≠ " : "  ", fact.counts ? .warning : .muted),
                Span(ColumnText.padded(fact.name, to: Self.factName - 2), .muted),
                Span(ColumnText.padded(redaction.masked(fact.left ?? "–"), to: room) + "  ", style.0),
                Span(CellWidth.truncated(redaction.masked(fact.right ?? "–"), to: room), style.1),
            ]
        case .removed(let text): return [Span("- " + plain(text), .error)]
        case .added(let text): return [Span("+ " + plain(text), .success)]
        case .same(let text): return [Span("  " + plain(text))]
        case .ignored(let text): return [Span("  " + plain(text), .muted)]
        case .folded(let text): return [Span("  ⋯ " + text, .muted)]
        case .note(let text): return [Span(redaction.masked(text), .info)]
        case .blank: return []
        }
    }

    // MARK: Moving

    mutating func moveInComparison(_ movement: Movement) {
        guard case .compare(var compare) = popup else { return }
        let height = compareRect.height - 3
        let lastTop = max(0, compare.rows.count - height)
        compare.top = movement.target(from: min(compare.top, lastTop), count: lastTop + 1, page: height)
        popup = .compare(compare)
    }

    mutating func goToDifference(forward: Bool) {
        guard case .compare(var compare) = popup else { return }
        if !compare.goToDifference(forward: forward) { toast = Toast(forward ? "No difference below" : "No difference above", .warning) }
        popup = .compare(compare)
    }

    mutating func scrollComparison(_ direction: Int) {
        guard case .compare(var compare) = popup else { return }
        compare.left = (compare.left + direction * 8).clamped(to: 0...4096)
        popup = .compare(compare)
    }

    // MARK: Comparing

    /// Compares the two marked exchanges, or the marked one with the selected one (key c).
    mutating func compareRows() -> [Effect] {
        var numbers = history.marked.map(\.number)
        if numbers.count < 2, let item = selectedItem, !numbers.contains(item.number) { numbers.append(item.number) }
        guard numbers.count > 1 else {
            if history.marked.isEmpty { markRow(movesOn: false) }
            toast = Toast("c on a second row compares")
            return []
        }
        guard numbers.count == 2 else {
            toast = Toast("\(numbers.count) rows are marked; two can be compared, Space takes a mark away", .warning)
            return []
        }
        numbers.sort()
        let id = nextJob(.compare(numbers))
        toast = Toast("Comparing…", job: id)
        return [.history(id, .compare(numbers[0], numbers[1]))]
    }

    mutating func compared(_ comparison: ExchangeComparison, _ numbers: [Int64]) {
        guard mayOpen("The comparison") else { return }
        history.marked.removeAll { numbers.contains($0.number) }
        popup = .compare(ComparePopup(comparison))
    }

    /// Shows or hides the fields that are equal (key Enter); of bodies only the differences are available.
    mutating func foldComparison() {
        guard case .compare(let compare) = popup else { return }
        var folded = ComparePopup(compare.comparison, isUnfolded: !compare.isUnfolded)
        // The row at the top stays there.
        let first = compare.rows.indices.contains(compare.top) ? compare.rows[compare.top] : nil
        folded.top = folded.rows.firstIndex { $0 == first } ?? 0
        popup = .compare(folded)
    }
}
