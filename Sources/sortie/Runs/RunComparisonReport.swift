internal import BodyViews
internal import HistoryModel
internal import SortieBase

/// The differences between the responses of a run and earlier ones as lines: `-` for the earlier response, `+` for the new one.
///
/// `history diff`, which the lines name, prints each difference completely.
struct RunComparisonReport {
    private let comparison: RunComparison
    private let label: String

    /// The maximum number of lines about the body of one step.
    private static let lineLimit = 20

    /// - Parameter environment: The environment, where the run is carried out in several.
    init(_ comparison: RunComparison, environment: String? = nil) {
        self.comparison = comparison
        label = environment.map { "\($0): " } ?? ""
    }

    /// The lines, each with a line break.
    var text: String {
        var lines: [String] = []
        for step in comparison.differing {
            guard let difference = step.comparison else { continue }
            lines.append("\(label)\(step.name) differs from \(HistoryTime.full(difference.left.startedAt)):")
            lines += Self.lines(of: difference).map { "    " + $0 }
        }
        for step in comparison.unknown {
            lines.append("\(label)\(step.name) cannot be compared: \(step.comparison?.body.notes.joined(separator: " ") ?? "")")
        }
        let new = comparison.steps.filter { $0.comparison == nil }
        if comparison.hasNoBaseline {
            lines.append("\(label)no earlier run to compare with")
        } else {
            if !new.isEmpty { lines.append("\(label)without an earlier response: \(new.map(\.name).joined(separator: ", "))") }
            let count = comparison.differing.count
            let compared = comparison.steps.count - new.count
            lines.append("\(label)\(count) of \(compared) \(compared == 1 ? "response differs" : "responses differ") from the previous run")
        }
        return lines.map { VisibleLine.of($0) + "\n" }.joined()
    }

    private static func lines(of difference: ExchangeComparison) -> [String] {
        var lines: [String] = []
        for fact in difference.facts where fact.isDifferent && fact.counts {
            lines += ["- \(fact.name): \(fact.left ?? "–")", "+ \(fact.name): \(fact.right ?? "–")"]
        }
        for header in difference.headers where header.isDifferent && header.counts {
            lines += header.left.map { "- \(header.name): \($0)" } + header.right.map { "+ \(header.name): \($0)" }
        }
        let body = Self.lines(of: difference.body)
        lines += body.prefix(lineLimit)
        if body.count > lineLimit {
            lines.append("… \(body.count - lineLimit) more lines: sortie history diff \(difference.left.number) \(difference.right.number)")
        }
        return lines
    }

    private static func lines(of body: BodyComparison) -> [String] {
        guard body.isDifferent else { return [] }
        if body.form == .json, !body.changes.isEmpty {
            return body.changes.flatMap { change in
                [
                    change.left.map { "- \(change.path): \(shortened($0.text))" }, change.right.map { "+ \(change.path): \(shortened($0.text))" },
                ].compactMap(\.self)
            }
        }
        let lines = body.lines.compactMap { line -> String? in
            switch line.kind {
            case .removed: "- \(shortened(line.text))"
            case .added: "+ \(shortened(line.text))"
            case .same, .ignored, .folded: nil
            }
        }
        return lines.isEmpty ? body.notes : lines
    }

    private static func shortened(_ text: String) -> String { text.count > 160 ? text.prefix(159) + "…" : text }
}
