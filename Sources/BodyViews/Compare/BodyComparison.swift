package import SortieBase

/// The difference between two bodies: lines in the order of a unified diff, with unchanged ranges folded.
package struct BodyComparison: Hashable, Sendable {
    /// The method of comparison.
    package enum Form: String, Hashable, Sendable, CaseIterable {
        /// As JSON values: the order of keys, whitespace, and the spelling of numbers and strings make no difference.
        case json
        /// By lines; the notes mention different line endings.
        case text
        /// By bytes.
        case bytes
        /// By size, because one of the bodies is missing.
        case size
    }

    /// One line.
    package struct Line: Hashable, Sendable {
        /// The difference that a line shows.
        package enum Change: Hashable, Sendable {
            /// The line is in both bodies.
            case same
            /// The line is in the left body only.
            case removed
            /// The line is in the right body only.
            case added
            /// The line is ignored because of a rule; it is in one body or in both.
            case ignored
            /// The given number of lines are in both bodies and not shown.
            case folded(Int)
        }

        /// The kind of the line.
        package var kind: Change
        /// The text with its indentation, which may contain control characters of the body; empty for a folded range.
        package var text: String
        /// The path in the JSON value; for an array item at different indices, the path on its own side.
        package var path: JSONPath?
        /// The line number on the left, from 1; nil for JSON, and for a line that is missing there.
        package var leftNumber: Int?
        /// The line number on the right, from 1; nil for JSON, and for a line that is missing there.
        package var rightNumber: Int?

        /// Creates a line.
        package init(_ kind: Change, _ text: String = "", path: JSONPath? = nil, leftNumber: Int? = nil, rightNumber: Int? = nil) {
            self.kind = kind
            self.text = text
            self.path = path
            self.leftNumber = leftNumber
            self.rightNumber = rightNumber
        }
    }

    /// One difference of a JSON value.
    package struct Change: Hashable, Sendable {
        /// The path of the value on the left, or on the right when it is only there.
        package var path: JSONPath
        /// The value on the left; nil where there is none.
        package var left: JSONValue?
        /// The value on the right; nil where there is none.
        package var right: JSONValue?

        /// Creates a difference.
        package init(path: JSONPath, left: JSONValue?, right: JSONValue?) {
            self.path = path
            self.left = left
            self.right = right
        }
    }

    /// The method of comparison.
    package var form: Form
    /// Whether the bodies differ, apart from ignored values.
    package var isDifferent: Bool
    /// Whether a difference cannot be determined because one of the bodies is missing.
    package var isUnknown: Bool
    /// The lines of the diff; empty without a difference, and where the notes are complete.
    package var lines: [Line]
    /// The differences in the order of the left value; only for JSON, and at most ``changeLimit``.
    package var changes: [Change]
    /// The number of removed lines.
    package var removedCount: Int
    /// The number of added lines.
    package var addedCount: Int
    /// Notes for the user, as sentences: a body that was not stored, different line endings, where to find the rest.
    package var notes: [String]

    /// The maximum number of differences in ``changes``.
    package static let changeLimit = 1000
    /// The maximum number of lines of a diff; further differences are only counted.
    package static let lineLimit = 20_000
    /// The number of unchanged lines shown before and after a difference.
    package static let context = 3

    /// Creates a comparison, by default one without a difference.
    package init(_ form: Form, isDifferent: Bool = false, isUnknown: Bool = false, lines: [Line] = [], notes: [String] = []) {
        self.form = form
        self.isDifferent = isDifferent
        self.isUnknown = isUnknown
        self.lines = lines
        changes = []
        removedCount = 0
        addedCount = 0
        self.notes = notes
    }
}
