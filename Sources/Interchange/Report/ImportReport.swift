package import SortieBase

/// What an import did with each item of the source.
package struct ImportReport: Hashable, Sendable {
    /// The result for an item or a part of it.
    package enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// The item is in the workspace.
        case imported
        /// The item is in the workspace as an earlier import wrote it, and was not written again.
        case unchanged
        /// A part was imported with another meaning or form.
        case changed
        /// A part is not in the workspace.
        case omitted
    }

    /// One line of the report.
    package struct Entry: Hashable, Sendable {
        /// The result.
        package var outcome: Outcome
        /// The name of the item in the source.
        package var item: String
        /// The reason, with what the user can do; empty for an imported item.
        package var reason: ImportReason
        /// The place in the source.
        package var place: SourceLocation?
        /// The target of the endpoint, the service or the run in the workspace; known after placing.
        package var target: String?
        /// The identity of the item, by which placing finds its target.
        var id: String?
        /// The script of which the entry says that it, or a statement of it, is not run; placing removes the entry where a hook runs it.
        var script: Script?

        /// When a script runs.
        enum Script { case beforeRequest, afterResponse }

        /// The item, where it is in the workspace, the reason and the place, without the outcome, for users of commands.
        package var text: String { text(reason.programText) }

        /// The same for users of the workbench.
        package var workbenchText: String { text(reason.workbenchText) }

        private func text(_ reason: String) -> String {
            let place = place.map { " (\($0))" } ?? ""
            let target = target.map { $0 == item ? "" : " → \($0)" } ?? ""
            return "\(item)\(target)\(reason.isEmpty ? "" : ": \(reason)")\(place)"
        }

        /// Creates an entry.
        init(_ outcome: Outcome, _ item: String, _ reason: ImportReason, place: SourceLocation? = nil, id: String? = nil) {
            (self.outcome, self.item, self.reason, self.place, self.id) = (outcome, item, reason, place, id)
        }

        /// Creates an entry without a remedy.
        init(_ outcome: Outcome, _ item: String, _ reason: String = "", place: SourceLocation? = nil, id: String? = nil) {
            self.init(outcome, item, ImportReason(reason), place: place, id: id)
        }
    }

    /// The entries in the order of the source.
    package var entries: [Entry] = []

    /// Creates an empty report.
    package init() {}

    /// The number of entries with an outcome.
    package func count(_ outcome: Outcome) -> Int { entries.count { $0.outcome == outcome } }

    /// Adds an entry.
    package mutating func add(_ outcome: Outcome, _ item: String, _ reason: ImportReason, place: SourceLocation? = nil, id: String? = nil) {
        entries.append(Entry(outcome, item, reason, place: place, id: id))
    }

    /// Adds an entry without a remedy.
    package mutating func add(_ outcome: Outcome, _ item: String, _ reason: String = "", place: SourceLocation? = nil, id: String? = nil) {
        entries.append(Entry(outcome, item, reason, place: place, id: id))
    }

    /// The error of a source of which nothing is imported: the first omission with a place.
    func nothingImported(from file: String) -> Diagnostic {
        let reason = entries.first { $0.outcome == .omitted && $0.place != nil }
        return Diagnostic(
            reason?.place ?? SourceLocation(file: file),
            "nothing can be imported: " + (reason.map { "\($0.item): \($0.reason.message)" } ?? "there is no request"),
            remedy: reason?.reason.remedy)
    }

    /// The report for a person, one entry a line, without a line break at the end of the last one.
    package var lines: [String] {
        entries.map { "\($0.outcome.rawValue): \($0.text)" }
    }

    /// The report for programs.
    package var record: JSONValue {
        .array(
            entries.map { entry in
                [
                    "outcome": .string(entry.outcome.rawValue), "item": .string(entry.item), "target": .optional(entry.target),
                    "reason": entry.reason.isEmpty ? .null : .string(entry.reason.programText), "file": .optional(entry.place?.file),
                    "line": entry.place.map { .integer($0.line) } ?? .null, "column": entry.place.map { .integer($0.column) } ?? .null,
                ]
            })
    }
}
