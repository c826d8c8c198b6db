package import SortieBase
internal import SortieHTTP

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
            (self.kind, self.text, self.path, self.leftNumber, self.rightNumber) = (kind, text, path, leftNumber, rightNumber)
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
            (self.path, self.left, self.right) = (path, left, right)
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
        (self.form, self.isDifferent, self.isUnknown, self.lines) = (form, isDifferent, isUnknown, lines)
        changes = []
        removedCount = 0
        addedCount = 0
        self.notes = notes
    }
}

extension BodyComparison {
    /// Compares two bodies: as JSON values where both are JSON, by lines where both are text, else by bytes.
    ///
    /// - Parameter paths: The JSON values to ignore.
    package init(_ left: ComparedBody, _ right: ComparedBody, ignoring paths: [JSONPath] = []) {
        guard left.missing == nil, right.missing == nil else {
            self = Self.bySize(left, right)
            return
        }
        let (leftBytes, rightBytes) = (left.bytes ?? .empty, right.bytes ?? .empty)
        let kinds = (BodyText(leftBytes, left.contentType), BodyText(rightBytes, right.contentType))
        if leftBytes.holdsSame(as: rightBytes) {
            self.init(kinds.0.form)
            return
        }
        guard kinds.0.isText, kinds.1.isText, let leftText = kinds.0.utf8, let rightText = kinds.1.utf8 else {
            self = Self.byBytes(leftBytes, rightBytes)
            return
        }
        var notes: [String] = []
        if kinds.0.mayBeJSON, kinds.1.mayBeJSON {
            do throws(ComparisonObstacle) {
                self = try Self.byValue(leftText, rightText, ignoring: paths)
                return
            } catch {
                notes = [error.description]
            }
        }
        self = Self.byLine(leftText, rightText)
        self.notes = notes + self.notes
    }

    // MARK: Methods

    /// Compares sizes only.
    ///
    /// Equal sizes prove equality only for empty bodies, and different sizes of JSON prove no difference of the values.
    private static func bySize(_ left: ComparedBody, _ right: ComparedBody) -> BodyComparison {
        var comparison = BodyComparison(.size)
        for (side, body) in [("left", left), ("right", right)] {
            if let why = body.missing { comparison.notes.append("The body on the \(side) is missing: \(why).") }
        }
        if let leftSize = left.size, let rightSize = right.size {
            let isEmpty = (leftSize == 0, rightSize == 0)
            let areJSON = left.isSaidToBeJSON && right.isSaidToBeJSON
            comparison.isUnknown = leftSize == rightSize ? !isEmpty.0 : areJSON && !isEmpty.0 && !isEmpty.1
            comparison.isDifferent = leftSize != rightSize && !comparison.isUnknown
            let sizes = leftSize == rightSize ? "both have \(leftSize) bytes" : "\(leftSize) bytes on the left, \(rightSize) on the right"
            comparison.notes.append("Only the sizes are compared: \(sizes).")
        } else {
            comparison.isUnknown = true
        }
        if comparison.isUnknown { comparison.notes.append("The result of the comparison is unknown.") }
        return comparison
    }

    private static func byValue(_ left: BodyBytes, _ right: BodyBytes, ignoring paths: [JSONPath]) throws(ComparisonObstacle) -> BodyComparison {
        let made = JSONComparison(try node(left, "left", paths), try node(right, "right", paths))
        var comparison = BodyComparison(.json, isDifferent: made.isDifferent)
        comparison.take(made.lines)
        comparison.changes = made.changes
        if !made.isDifferent { comparison.notes.append("The bytes differ; the values are equal, apart from ignored ones.") }
        return comparison
    }

    /// The value of a body; nil for an empty one.
    private static func node(_ bytes: BodyBytes, _ side: String, _ paths: [JSONPath]) throws(ComparisonObstacle) -> JSONCompareNode? {
        if bytes.isEmpty { return nil }
        guard bytes.count <= JSONComparison.sizeLimit else {
            let limit = ByteCount(JSONComparison.sizeLimit).text
            throw ComparisonObstacle("The body on the \(side) is larger than \(limit), so both are compared as text.")
        }
        do throws(BodyProblem) {
            return JSONCompareNode(try JSONValue(parsing: bytes), ignoring: paths)
        } catch {
            throw ComparisonObstacle("Compared as text, because of the body on the \(side): \(error).")
        }
    }

    private static func byLine(_ left: BodyBytes, _ right: BodyBytes) -> BodyComparison {
        var comparison = BodyComparison(.text, isDifferent: true)
        if left.holdsSame(as: right) {
            comparison.notes = ["The text is equal; the bytes differ."]
            return comparison
        }
        let made = left.withUnsafeBytes { leftBytes in right.withUnsafeBytes { TextComparison(leftBytes, $0) } }
        comparison.take(made.lines)
        comparison.notes = made.notes + comparison.notes
        left.releaseMemory()
        right.releaseMemory()
        return comparison
    }

    private static func byBytes(_ left: BodyBytes, _ right: BodyBytes) -> BodyComparison {
        var comparison = BodyComparison(.bytes, isDifferent: true)
        let shared = left.withUnsafeBytes { leftBytes in right.withUnsafeBytes { leftBytes.sharedPrefix(with: $0) } }
        let sizes = left.count == right.count ? "both have \(left.count) bytes" : "\(left.count) bytes on the left, \(right.count) on the right"
        comparison.notes = ["The first difference is at byte \(shared), counted from 0: \(sizes)."]
        var lines = ComparisonLines()
        let row = shared / HexLayout.bytesPerRow
        if row > 0 {
            lines.skip(row - 1)
            lines.same(.init(.same, hexRow(row - 1, of: left)))
        }
        if row * HexLayout.bytesPerRow < left.count { lines.differ(.init(.removed, hexRow(row, of: left))) }
        if row * HexLayout.bytesPerRow < right.count { lines.differ(.init(.added, hexRow(row, of: right))) }
        comparison.take(lines)
        left.releaseMemory()
        right.releaseMemory()
        return comparison
    }

    private static func hexRow(_ row: Int, of bytes: BodyBytes) -> String {
        var layout = HexLayout()
        layout.advance(over: bytes, budget: 0, isFinal: true)
        return layout.rows(row..<row + 1, of: bytes, marking: []).flatMap(\.spans).map(\.text).joined()
    }
}

/// Why two bodies cannot be compared as JSON, as a sentence.
private struct ComparisonObstacle: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A body with its kind and encoding.
private struct BodyText {
    private let bytes: BodyBytes
    private let kind: BodyKind
    private let encoding: TextEncoding

    init(_ bytes: BodyBytes, _ contentType: String?) {
        self.bytes = bytes
        (kind, encoding) = BodyKind.detect(ContentType(contentType), bytes, isFinal: true)
    }

    var isText: Bool { kind != .binary }

    /// Whether the body is JSON or empty.
    var mayBeJSON: Bool { kind == .json || kind == .empty }

    var form: BodyComparison.Form {
        switch kind {
        case .binary, .empty: .bytes
        case .json: .json
        case .xml, .html, .text: .text
        }
    }

    /// The text in UTF-8; nil for a text in another encoding that is too large to be converted.
    var utf8: BodyBytes? {
        if encoding == .utf8 { return bytes }
        guard bytes.count <= TextComparison.sizeLimit else { return nil }
        return BodyBytes(Array(bytes.withUnsafeBytes { encoding.decode($0) }.utf8))
    }
}

extension BodyBytes {
    /// Whether both contain equal bytes.
    fileprivate func holdsSame(as other: BodyBytes) -> Bool {
        guard count == other.count else { return false }
        if self == other { return true }
        return withUnsafeBytes { left in other.withUnsafeBytes { left.sharedPrefix(with: $0) } } == count
    }
}

/// One of the two bodies of a comparison.
package struct ComparedBody: Hashable, Sendable {
    /// The bytes; nil where they are missing.
    package var bytes: BodyBytes?
    /// The declared content type.
    package var contentType: String?
    /// The size in bytes; nil where it is unknown.
    package var size: Int64?
    /// Why the bytes are missing, in words; nil when they are present, and when there was no body.
    package var missing: String?

    /// Creates a body.
    package init(_ bytes: BodyBytes?, contentType: String? = nil, size: Int64? = nil, missing: String? = nil) {
        self.bytes = missing == nil ? bytes : nil
        self.contentType = contentType
        self.size = size ?? Int64(bytes?.count ?? 0)
        self.missing = missing
    }

    /// Whether the declared content type is JSON.
    var isSaidToBeJSON: Bool { ContentType(contentType).kind == .json }
}
