internal import BodyViews
internal import HistoryModel
internal import SortieHTTP

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
