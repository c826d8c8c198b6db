internal import BodyViews
internal import HistoryModel
internal import SortieBase

/// The differences between the responses of a run and earlier ones as lines: `-` for the earlier response, `+` for the new one.
///
/// Each step is printed when it was compared, so that no other comparison is in memory.
///
/// `history diff`, which the lines name, prints each difference completely.
struct RunComparisonReport {
    private let label: String

    /// The maximum number of lines about the body of one step, and of names in the line about steps without an earlier response.
    private static let lineLimit = 20
    private static let nameLimit = 5

    /// - Parameter environment: The environment, where the run is carried out in several.
    init(environment: String? = nil) {
        label = environment.map { "\($0): " } ?? ""
    }

    /// The lines about one step, each with a line break; empty where its response is equal, or has no earlier one.
    func text(of comparison: StepComparison) -> String {
        let step = comparison.step
        let difference = comparison.difference
        let lines: [String]
        switch (step.result, difference) {
        case (.different, let difference?):
            let head = "\(step.name) differs from \(HistoryTime.full(difference.left.startedAt)):"
            lines = [head] + Self.lines(of: difference).map { "    " + $0 }
        case (.noResponse, let difference?):
            let status = difference.left.status.map { "\($0)" } ?? difference.left.outcome.rawValue
            lines = ["\(step.name) has no response now; on \(HistoryTime.full(difference.left.startedAt)) it had \(status)"]
        case (.unknown, _):
            let notes = difference?.body.notes.joined(separator: " ") ?? "the history does not have its response"
            lines = ["\(step.name) cannot be compared: \(notes)"]
        case (.equal, _), (.new, _), (.different, nil), (.noResponse, nil): return ""
        }
        return Self.text([label + lines[0]] + lines.dropFirst())
    }

    /// The lines about the whole run, each with a line break.
    func text(of comparison: RunComparison) -> String {
        let new = comparison.steps(.new).map(\.name)
        let isNamed = !new.isEmpty && !comparison.hasNoBaseline
        let further = new.count > Self.nameLimit ? " and \(new.count - Self.nameLimit) more" : ""
        let names = new.prefix(Self.nameLimit).joined(separator: ", ") + further
        return Self.text((isNamed ? ["\(label)without an earlier response: \(names)"] : []) + [label + comparison.summary])
    }

    private static func text(_ lines: [String]) -> String { lines.map { VisibleLine.of($0) + "\n" }.joined() }

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
