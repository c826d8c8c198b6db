internal import SortieBase

/// Distinguishes tags from text in one row of XML or HTML.
///
/// It inspects each row separately, so a tag or comment that began on an earlier row counts as text: a visual aid, not a parser.
enum MarkupColouring {
    /// Calls `add` with every part of the row, in order and without gaps.
    static func pieces(_ bytes: UnsafeRawBufferPointer, _ row: Range<Int>, _ add: (Range<Int>, BodySpan.Kind) -> Void) {
        var offset = row.lowerBound
        while offset < row.upperBound {
            let open = bytes.firstIndex(of: UInt8(ascii: "<"), in: offset..<row.upperBound) ?? row.upperBound
            if open > offset { add(offset..<open, .text) }
            guard open < row.upperBound else { return }
            offset = tag(bytes, open..<row.upperBound, add)
        }
    }

    /// Colours a tag and returns its end.
    private static func tag(
        _ bytes: UnsafeRawBufferPointer, _ rest: Range<Int>, _ add: (Range<Int>, BodySpan.Kind) -> Void
    ) -> Int {
        if bytes[rest].starts(with: "<!--".utf8) {
            let end = commentEnd(bytes, rest)
            add(rest.lowerBound..<end, .comment)
            return end
        }
        var offset = rest.lowerBound + 1
        while offset < rest.upperBound, [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "!")].contains(bytes[offset]) {
            offset += 1
        }
        add(rest.lowerBound..<offset, .punctuation)
        offset = run(bytes, offset..<rest.upperBound, .tag, add)
        while offset < rest.upperBound {
            let byte = bytes[offset]
            if byte == UInt8(ascii: ">") {
                add(offset..<offset + 1, .punctuation)
                return offset + 1
            }
            if byte == UInt8(ascii: "<") { return offset }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                let end = bytes.firstIndex(of: byte, in: offset + 1..<rest.upperBound).map { $0 + 1 } ?? rest.upperBound
                add(offset..<end, .string)
                offset = end
            } else if isName(byte) {
                offset = run(bytes, offset..<rest.upperBound, .attribute, add)
            } else {
                let isBlank = byte == 0x20 || byte == 0x09
                add(offset..<offset + 1, isBlank ? .text : .punctuation)
                offset += 1
            }
        }
        return offset
    }

    private static func run(
        _ bytes: UnsafeRawBufferPointer, _ rest: Range<Int>, _ kind: BodySpan.Kind, _ add: (Range<Int>, BodySpan.Kind) -> Void
    ) -> Int {
        var end = rest.lowerBound
        while end < rest.upperBound, isName(bytes[end]) { end += 1 }
        if end > rest.lowerBound { add(rest.lowerBound..<end, kind) }
        return end
    }

    private static func commentEnd(_ bytes: UnsafeRawBufferPointer, _ rest: Range<Int>) -> Int {
        var offset = rest.lowerBound + 4
        while let close = bytes.firstIndex(of: UInt8(ascii: ">"), in: min(offset, rest.upperBound)..<rest.upperBound) {
            if close - 2 >= rest.lowerBound + 4, bytes[close - 1] == UInt8(ascii: "-"), bytes[close - 2] == UInt8(ascii: "-") {
                return close + 1
            }
            offset = close + 1
        }
        return rest.upperBound
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "/"), UInt8(ascii: "?"),
            UInt8(ascii: "\""), UInt8(ascii: "'"):
            false
        default: true
        }
    }
}
