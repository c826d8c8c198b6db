internal import BodyViews
internal import HistoryModel
internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal

/// A comparison of two exchanges in a popup, with equal parts folded.
struct ComparePopup: Sendable {
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
    /// The time relative to which times are formatted; nil when it is unknown.
    let moment: HistoryMoment?
    let rows: [Row]
    var top = 0
    /// The horizontal scroll position in cells.
    var left = 0

    init(_ comparison: ExchangeComparison, isUnfolded: Bool = false, moment: HistoryMoment? = nil) {
        self.comparison = comparison
        self.isUnfolded = isUnfolded
        self.moment = moment
        var rows = comparison.facts.map { Row.fact($0) }
        rows += Self.rows("Header", of: comparison.headers, isUnfolded)
        rows += Self.rows("Body", of: comparison.body)
        let request = comparison.request
        if request.isSame, !isUnfolded {
            rows += [.blank, .heading("Request"), .folded("the requests are equal")]
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
        if !isUnfolded, same > 0 { rows.append(.folded("\(ItemCount.text(same, "field")) the same")) }
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
            case .folded(let count): .folded("\(ItemCount.text(count, "line")) in both")
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

extension Context {
    /// The comparison of two exchanges.
    static let comparing = Context("Comparing")
}

extension CompareFeature {
    var bindings: [Binding] {
        [
            Binding(.comparing, [.up, .character("k")], .move(.up), "Up", "Scroll up"),
            Binding(.comparing, [.down, .character("j")], .move(.down), "Down", "Scroll down"),
            Binding(.comparing, [.pageUp], .move(.pageUp), "Page up", "Scroll up by a page"),
            Binding(.comparing, [.pageDown, .space], .move(.pageDown), "Page down", "Scroll down by a page"),
            Binding(.comparing, [.home, .character("g")], .move(.first), "Start", "Go to the start"),
            Binding(.comparing, [.end, .character("G")], .move(.last), "End", "Go to the end"),
            Binding(.comparing, [.left, .character("h")], .fold, "Left", "Scroll left"),
            Binding(.comparing, [.right, .character("l")], .unfold, "Right", "Scroll right"),
            Binding(.comparing, [.character("n")], .nextMatch, "Next", "Go to the next difference", hint: 1),
            Binding(.comparing, [.character("N")], .previousMatch, "Previous", "Go to the previous difference", hint: 2),
            Binding(
                .comparing, [.enter], .open, "Same fields", "Show or hide equal fields; bodies show only differences",
                hint: 3),
            Binding(.comparing, [.character("y")], .copy, "Copy", "Copy the comparison as text", hint: 4),
            Binding(.comparing, [.escape, .control("c"), .character("q")], .close, "Close", "Close the comparison", hint: 5),
        ]
    }
}

/// A comparison of two exchanges of the history.
struct CompareJob: Job {
    static let isReplaced = true
    static let opensPopup = true

    /// The numbers of the exchanges.
    var numbers: [Int64]
}

/// A comparison of a run with the previous one.
struct CompareRunJob: Job {
    static let isReplaced = true
    static let opensPopup = true

    /// The start of the run.
    var run: RunID
}

/// Comparing two exchanges.
struct CompareFeature: Feature {
    let stacks: [[Context]] = [[.comparing]]
}

extension ComparePopup: Popup {
    var guideAddress: String? { "history#comparison" }
    var contexts: [Context] { [.comparing] }

    func label(of command: Command) -> String? {
        guard command == .open else { return nil }
        return isUnfolded ? "Only differences" : "Same fields"
    }

    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): scroll(movement, state)
        case .fold: left = (left - 8).clamped(to: 0...4096)
        case .unfold: left = (left + 8).clamped(to: 0...4096)
        case .nextMatch: if !goToDifference(forward: true) { state.toast = Toast("No difference below", .warning) }
        case .previousMatch: if !goToDifference(forward: false) { state.toast = Toast("No difference above", .warning) }
        case .open: toggleSameFields()
        case .copy: return state.copy(text(state.redaction), "the comparison")
        case .close: state.popups.pop()
        default: return nil
        }
        return []
    }

    mutating func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect] {
        guard mouse.kind == .scrollUp || mouse.kind == .scrollDown else { return [] }
        for _ in 0..<3 { scroll(mouse.kind == .scrollUp ? .up : .down, state) }
        return []
    }

    func area(_ state: AppState) -> Rect { state.readingRect }

    private mutating func scroll(_ movement: Movement, _ state: AppState) {
        let height = state.readingRect.height - 3
        let lastTop = max(0, rows.count - height)
        top = movement.target(from: min(top, lastTop), count: lastTop + 1, page: height)
    }

    /// Shows or hides the fields that are equal; of bodies only the differences are available.
    private mutating func toggleSameFields() {
        var other = ComparePopup(comparison, isUnfolded: !isUnfolded, moment: moment)
        // The row at the top stays there.
        let first = rows.indices.contains(top) ? rows[top] : nil
        other.top = other.rows.firstIndex { $0 == first } ?? 0
        self = other
    }
}
