package import SortieBase

/// A layout with sixteen bytes per row, or fewer in narrow panes: the offset, hexadecimal digits in groups of eight, and characters.
///
/// It needs no index.
package struct HexLayout: BodyLayout {
    /// The number of bytes in a row of a wide pane.
    package static let bytesPerRow = 16

    /// The number of bytes in a row.
    package let width: Int

    /// The number of known bytes.
    package private(set) var examined = 0
    /// Whether the length is final.
    package private(set) var isComplete = false

    /// Creates a layout without bytes.
    package init(width: Int = HexLayout.bytesPerRow) { self.width = max(1, width) }

    /// The largest number of bytes, 16, 8 or 4, whose row fits into a number of cells.
    package static func width(fitting cells: Int) -> Int { [16, 8].first { columns(of: $0) <= cells } ?? 4 }

    /// The cells of a row with an offset of eight digits.
    private static func columns(of width: Int) -> Int { 10 + 3 * width - 1 + (width > 8 ? 1 : 0) + 2 + width }

    /// The number of known rows.
    package var rowCount: Int { (examined + width - 1) / width }
    /// Always nil, because any bytes can be shown.
    package var problem: BodyProblem? { nil }
    /// Always 0, because there is no index.
    package var memoryUse: Int { 0 }

    /// Records the number of bytes; ignores the budget.
    package mutating func advance(over bytes: BodyBytes, budget: Int, isFinal: Bool) {
        examined = bytes.count
        isComplete = isFinal
    }

    /// The row that shows a byte.
    package func row(containing offset: Int, of bytes: BodyBytes) -> Int? {
        offset >= 0 && offset < examined ? offset / width : nil
    }

    /// The rows of a range.
    package func rows(_ range: Range<Int>, of bytes: BodyBytes, marking marks: [BodyMark]) -> [BodyRow] {
        let digits = max(8, String(max(0, examined - 1), radix: 16).count)
        return range.clamped(to: 0..<rowCount).map { row in
            let start = row * width
            let source = start..<min(start + width, min(examined, bytes.count))
            return self.row(bytes.bytes(in: source), at: source, digits: digits, number: row + 1, marks: marks)
        }
    }

    private func row(
        _ bytes: [UInt8], at source: Range<Int>, digits: Int, number: Int, marks: [BodyMark]
    ) -> BodyRow {
        var spans = [BodySpan(HexDigits.text(of: source.lowerBound, digits: digits) + "  ", .hexOffset)]
        var characters: [BodySpan] = []
        for (index, byte) in bytes.enumerated() {
            let offset = source.lowerBound + index
            let mark = marks.first { $0.range.contains(offset) }
            let gapMark = mark.flatMap { $0.range.contains(offset + 1) ? $0 : nil }
            spans.add(HexDigits.text(of: byte, digits: 2), .hexByte, mark)
            if index + 1 < bytes.count { spans.add(index == 7 ? "  " : " ", .hexByte, gapMark) }
            characters.add(byte >= 0x20 && byte < 0x7F ? String(UnicodeScalar(byte)) : ".", .hexASCII, mark)
        }
        let missing = width - bytes.count
        spans.add(String(repeating: " ", count: missing * 3 + (width > 8 && bytes.count <= 8 ? 1 : 0) + 2), .hexByte)
        return BodyRow(spans: spans + characters, sourceRange: source, number: number)
    }
}

extension [BodySpan] {
    /// Adds text to the last span when that has the same meaning, else as a new span.
    mutating func add(_ text: String, _ kind: BodySpan.Kind, _ mark: BodyMark? = nil) {
        let span = BodySpan(text, kind, isMatch: mark != nil, isCurrent: mark?.isCurrent == true)
        if let last, last.kind == kind, last.isMatch == span.isMatch, last.isCurrent == span.isCurrent {
            self[count - 1].text += text
        } else {
            append(span)
        }
    }
}
