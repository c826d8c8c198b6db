package import WorkspaceModel

/// What importing a file of another tool would change.
package struct ImportPreview: Hashable, Sendable {
    /// What happens to a file of the workspace, or to an item of the source.
    package enum Kind: String, Hashable, Sendable {
        case created, updated, unchanged, kept
        case imported, changed, omitted
    }

    /// A file or an item.
    package struct Line: Hashable, Sendable {
        /// What happens.
        package var kind: Kind
        /// The name, and the reason where there is one.
        package var text: String

        /// Creates a line.
        package init(_ kind: Kind, _ text: String) {
            (self.kind, self.text) = (kind, text)
        }
    }

    /// The result of reading the source.
    package enum Outcome: Hashable, Sendable {
        /// It can be imported.
        case done(ImportPreview)
        /// It cannot be imported. The text is the reason, with the place in the source.
        case failed(String)
    }

    /// The path of the source.
    package var source: String
    /// The title of its format.
    package var format: String
    /// The files of the workspace.
    package var files: [Line]
    /// The items of the source and their parts.
    package var report: [Line]
    /// The changes of the files.
    package var changes: FileChanges

    /// Creates a preview.
    package init(source: String, format: String, files: [Line], report: [Line], changes: FileChanges) {
        (self.source, self.format, self.files, self.report, self.changes) = (source, format, files, report, changes)
    }

    /// The numbers of the items with an outcome, such as `3 imported, 1 omitted`.
    package var counts: String {
        let kinds: [Kind] = [.imported, .unchanged, .changed, .omitted]
        let words = kinds.compactMap { kind in
            let count = report.count { $0.kind == kind }
            return count == 0 ? nil : "\(count) \(kind.rawValue)"
        }
        return words.isEmpty ? "nothing imported" : words.joined(separator: ", ")
    }
}

/// The result of reading pasted curl command lines.
package enum PastedCommands: Hashable, Sendable {
    /// The endpoints with complete URLs, whose targets have the name of a file only; and what was changed or omitted, with the reasons.
    case done([Endpoint], notes: [String])
    /// Nothing was read. The text is the reason.
    case failed(String)
}
