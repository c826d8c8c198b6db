internal import SortieBase
internal import SortieHTTP

extension LineLayout: DisplayedTextLayout {
    func text(from start: Int, to end: Int, longest: Int, of bytes: BodyBytes) -> DisplayedText {
        let checkpoint = checkpoints.last { $0.scanner.offset <= start }
        return bytes.withUnsafeBytes { buffer in
            var text = DisplayedText(end: end, longest: longest)
            walk(buffer, from: checkpoint) { _, row in
                guard text.beginRow(at: row.source.lowerBound, continues: row.number == nil) else { return false }
                Self.add(row.source, of: buffer, to: &text)
                return true
            }
            return text
        }
    }

    /// Tabs are shown as spaces.
    static func mayAdd(_ character: Unicode.Scalar) -> Bool { character == " " || character == "\t" }

    private static func add(_ range: Range<Int>, of buffer: UnsafeRawBufferPointer, to text: inout DisplayedText) {
        var column = 0
        var start = range.lowerBound
        while let tab = buffer.firstIndex(of: 0x09, in: start..<range.upperBound) {
            text.add(start..<tab, of: buffer)
            column += String(decoding: buffer[start..<tab], as: UTF8.self).count
            let width = BodyRowBuilder.tabWidth - column % BodyRowBuilder.tabWidth
            text.addBlanks(width, for: tab)
            column += width
            start = tab + 1
        }
        text.add(start..<range.upperBound, of: buffer)
    }
}
