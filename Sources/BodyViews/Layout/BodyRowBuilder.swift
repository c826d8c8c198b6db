internal import SortieBase

/// Builds the spans of one row from ranges of source bytes, split at the bounds of search matches.
///
/// Tabs become spaces up to the next multiple of four characters. Other control characters are kept.
struct BodyRowBuilder {
    static let tabWidth = 4

    private let bytes: UnsafeRawBufferPointer
    private let encoding: TextEncoding
    private let marks: [BodyMark]
    private var column = 0
    private(set) var spans: [BodySpan] = []

    init(_ bytes: UnsafeRawBufferPointer, encoding: TextEncoding, marks: [BodyMark]) {
        self.bytes = bytes
        self.encoding = encoding
        self.marks = marks
    }

    /// Adds text that is not in the source.
    mutating func add(_ text: String, _ kind: BodySpan.Kind) {
        guard !text.isEmpty else { return }
        column += text.count
        spans.add(text, kind)
    }

    /// Adds a space that is not in the source, after the byte before `offset`; marked where a match continues after it.
    mutating func addBlank(_ kind: BodySpan.Kind, behind offset: Int) {
        column += 1
        let mark = marks.isEmpty ? nil : marks[firstMark(endingAfter: offset)...].first { $0.range.lowerBound < offset }
        spans.add(" ", kind, mark)
    }

    /// Adds the text of a range of source bytes.
    mutating func add(_ range: Range<Int>, _ kind: BodySpan.Kind) {
        var offset = range.lowerBound
        var index = marks.isEmpty ? 0 : firstMark(endingAfter: offset)
        while offset < range.upperBound {
            guard index < marks.count, marks[index].range.lowerBound < range.upperBound else {
                piece(offset..<range.upperBound, kind, nil)
                return
            }
            let mark = marks[index].range.clamped(to: offset..<range.upperBound)
            if mark.lowerBound > offset { piece(offset..<mark.lowerBound, kind, nil) }
            if !mark.isEmpty { piece(mark, kind, marks[index]) }
            offset = mark.upperBound
            index += 1
        }
    }

    private func firstMark(endingAfter offset: Int) -> Int {
        var low = 0
        var high = marks.count
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func piece(_ range: Range<Int>, _ kind: BodySpan.Kind, _ mark: BodyMark?) {
        let text = encoding.decode(UnsafeRawBufferPointer(rebasing: bytes[range]))
        spans.add(bytes.firstIndex(of: 0x09, in: range) == nil ? text : expandingTabs(text), kind, mark)
        column += text.count
    }

    private mutating func expandingTabs(_ text: String) -> String {
        var expanded = ""
        var position = column
        for character in text {
            if character == "\t" {
                let width = Self.tabWidth - position % Self.tabWidth
                expanded.append(String(repeating: " ", count: width))
                position += width
            } else {
                expanded.append(character)
                position += 1
            }
        }
        column = position - text.count
        return expanded
    }
}
