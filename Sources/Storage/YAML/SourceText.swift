/// The bytes of a file with its lines, counted as libyaml counts them.
struct SourceText {
    /// The bytes without a byte order mark.
    var bytes: [UInt8]
    /// Whether a byte order mark stood before them.
    var hasByteOrderMark: Bool
    /// The offset of the first byte of each line.
    private(set) var lineStarts: [Int]
    /// The place that was asked for last: places come in order, and walking from there keeps long lines linear.
    private var last = (line: 0, column: 1, offset: 0)

    init(bytes: [UInt8]) {
        hasByteOrderMark = bytes.starts(with: [0xef, 0xbb, 0xbf])
        let bytes = hasByteOrderMark ? Array(bytes.dropFirst(3)) : bytes
        self.bytes = bytes
        lineStarts = SourceText.lineStarts(of: bytes)
    }

    /// The offset of a place that is given by line and column from 1; a place behind the line's end is its end.
    mutating func offset(line: Int, column: Int) -> Int {
        guard line >= 1, line <= lineStarts.count else { return bytes.count }
        let end = line < lineStarts.count ? lineStarts[line] : bytes.count
        if last.line != line || last.column > column { last = (line, 1, lineStarts[line - 1]) }
        while last.column < column, last.offset < end {
            last.offset += 1
            while last.offset < end, bytes[last.offset] & 0xc0 == 0x80 { last.offset += 1 }
            last.column += 1
        }
        return last.offset
    }

    /// The index of the line that has the byte at `offset`, from 0.
    func lineIndex(at offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// Where the line after the one with the byte at `offset` begins, or the end of the text.
    func nextLineStart(after offset: Int) -> Int {
        let index = lineIndex(at: offset) + 1
        return index < lineStarts.count ? lineStarts[index] : bytes.count
    }

    /// Where the line with the byte at `offset` begins.
    func lineStart(at offset: Int) -> Int { lineStarts[lineIndex(at: offset)] }

    /// What ends a line of this file.
    var lineBreak: String {
        guard let newline = bytes.firstIndex(of: 0x0a), newline > 0, bytes[newline - 1] == 0x0d else { return "\n" }
        return "\r\n"
    }

    private static func lineStarts(of bytes: [UInt8]) -> [Int] {
        var starts = [0]
        var index = 0
        while index < bytes.count {
            let length = lineBreakLength(in: bytes, at: index)
            index += max(1, length)
            if length > 0 { starts.append(index) }
        }
        return starts
    }

    /// How long the line break at `index` is, 0 where there is none: CR, LF, CR LF, and U+0085, U+2028, U+2029 as in YAML 1.1.
    static func lineBreakLength(in bytes: [UInt8], at index: Int) -> Int {
        switch bytes[index] {
        case 0x0a: 1
        case 0x0d: index + 1 < bytes.count && bytes[index + 1] == 0x0a ? 2 : 1
        case 0xc2: index + 1 < bytes.count && bytes[index + 1] == 0x85 ? 2 : 0
        case 0xe2:
            index + 2 < bytes.count && bytes[index + 1] == 0x80 && (bytes[index + 2] == 0xa8 || bytes[index + 2] == 0xa9) ? 3 : 0
        default: 0
        }
    }
}
