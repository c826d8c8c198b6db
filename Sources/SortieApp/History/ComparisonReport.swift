internal import BodyViews
internal import Foundation
internal import HistoryModel
internal import SortieBase

/// Prints a comparison as lines of text: `-` for what only the left exchange has, `+` for what only the right one has.
struct ComparisonReport {
    private let output: StandardOutput
    let comparison: ExchangeComparison
    let hasColours: Bool

    private enum Colour: String {
        case removed = "31"
        case added = "32"
        case aside = "36"
    }

    init(comparison: ExchangeComparison, in program: ProgramContext, hasColours: Bool) {
        (self.comparison, output) = (comparison, program.output)
        self.hasColours = hasColours && (program.environment["NO_COLOR"] ?? "").isEmpty
    }

    func print() {
        line("--- \(title(comparison.left))", .removed)
        line("+++ \(title(comparison.right))", .added)
        for fact in comparison.request.facts where fact.isDifferent && fact.name != "Method" && fact.name != "URL" { write(fact) }
        for fact in comparison.facts { write(fact) }
        for header in comparison.headers where header.isDifferent { write(header) }
        write(comparison.body, "body")
        let sent = comparison.request
        if sent.headers.contains(where: \.isDifferent) || sent.body.isDifferent || sent.body.isUnknown { writeRequest() }
        // An unknown result is an error on stderr.
        if !comparison.isUnknown { line(comparison.areEqual ? "The responses are equal." : "The responses differ.") }
    }

    private func title(_ item: HistoryItem) -> String { "\(item.number)  \(HistoryTime.full(item.startedAt))  \(item.shownMethod) \(item.url)" }

    private func write(_ fact: ExchangeComparison.Fact) {
        guard fact.isDifferent else { return line("  \(fact.name): \(fact.left ?? "–")") }
        guard fact.counts else { return line("  \(fact.name): \(fact.left ?? "–") → \(fact.right ?? "–")") }
        line("- \(fact.name): \(fact.left ?? "–")", .removed)
        line("+ \(fact.name): \(fact.right ?? "–")", .added)
    }

    private func write(_ header: HeaderDifference) {
        let mark = header.counts ? "" : " (not counted)"
        for value in header.left { line("- \(header.name): \(value)\(mark)", .removed) }
        for value in header.right { line("+ \(header.name): \(value)\(mark)", .added) }
    }

    private func write(_ body: BodyComparison, _ name: String) {
        let form = body.form == .json ? "JSON" : body.form.rawValue
        if body.isDifferent { line("@@ \(name) (\(form)): \(body.removedCount) removed, \(body.addedCount) added @@", .aside) }
        for row in body.lines {
            switch row.kind {
            case .same: line("  \(row.text)")
            case .removed: line("- \(row.text)", .removed)
            case .added: line("+ \(row.text)", .added)
            case .ignored: line("~ \(row.text)", .aside)
            case .folded(let count): line("@@ \(count) more lines @@", .aside)
            }
        }
        for note in body.notes { line("\(name == "body" ? "" : "\(name): ")\(note)", .aside) }
    }

    /// Prints the differences of the requests, which explain much but do not count.
    private func writeRequest() {
        line("@@ request (not counted) @@", .aside)
        for header in comparison.request.headers where header.isDifferent {
            for value in header.left { line("- \(header.name): \(value)", .removed) }
            for value in header.right { line("+ \(header.name): \(value)", .added) }
        }
        write(comparison.request.body, "request body")
    }

    /// Writes a line with control characters and line breaks made visible.
    private func line(_ text: String, _ colour: Colour? = nil) {
        let text = VisibleLine.of(text)
        output.write(hasColours ? colour.map { "\u{1b}[\($0.rawValue)m\(text)\u{1b}[0m\n" } ?? text + "\n" : text + "\n")
    }
}

extension ExchangeComparison {
    /// The comparison as JSON, for `history diff --json`.
    var record: JSONValue {
        [
            // The result is unknown when a body is missing.
            "equal": isUnknown ? .null : .bool(areEqual), "left": left.record, "right": right.record, "facts": .array(facts.map(\.record)),
            "headers": .array(headers.map(\.record)), "body": body.record,
            "request": [
                "same": .bool(request.isSame), "facts": .array(request.facts.map(\.record)), "headers": .array(request.headers.map(\.record)),
                "body": request.body.record,
            ],
        ]
    }
}

extension ExchangeComparison.Fact {
    fileprivate var record: JSONValue {
        [
            "name": .string(name), "left": .optional(left), "right": .optional(right), "different": .bool(isDifferent), "counts": .bool(counts),
        ]
    }
}

extension HeaderDifference {
    fileprivate var record: JSONValue {
        [
            "name": .string(name), "change": .string(change.rawValue), "left": .array(left.map { .string($0) }),
            "right": .array(right.map { .string($0) }), "counts": .bool(counts),
        ]
    }
}

extension BodyComparison {
    fileprivate var record: JSONValue {
        [
            "form": .string(form.rawValue), "different": isUnknown ? .null : .bool(isDifferent), "changes": .array(changes.map(\.record)),
            "removedLines": .integer(removedCount), "addedLines": .integer(addedCount), "lines": .array(lines.map(\.record)),
            "notes": .array(notes.map { .string($0) }),
        ]
    }
}

extension BodyComparison.Change {
    /// The change without the key of a missing side, because the value of an existing one may be null.
    fileprivate var record: JSONValue {
        var members = [JSONValue.Member("path", .string(path.description))]
        if let left { members.append(.init("left", left)) }
        if let right { members.append(.init("right", right)) }
        return .object(members)
    }
}

extension BodyComparison.Line {
    fileprivate var record: JSONValue {
        switch kind {
        case .folded(let count): ["kind": "folded", "count": .integer(count)]
        case .same: record("same")
        case .removed: record("removed")
        case .added: record("added")
        case .ignored: record("ignored")
        }
    }

    private func record(_ kind: String) -> JSONValue {
        var members: [JSONValue.Member] = [.init("kind", .string(kind)), .init("text", .string(text))]
        if let path { members.append(.init("path", .string(path.description))) }
        if let leftNumber { members.append(.init("leftLine", .integer(leftNumber))) }
        if let rightNumber { members.append(.init("rightLine", .integer(rightNumber))) }
        return .object(members)
    }
}
