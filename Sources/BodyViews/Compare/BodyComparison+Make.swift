package import SortieBase
internal import SortieHTTP

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
