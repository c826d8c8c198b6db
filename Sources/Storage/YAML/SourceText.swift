/// The bytes of a file and its lines, counted as libyaml counts them.
struct SourceText {
    /// The bytes without a byte order mark.
    var bytes: [UInt8]
    /// Whether the file has a byte order mark.
    var hasByteOrderMark: Bool
    /// The offset of the first byte of each line.
    private(set) var lineStarts: [Int]
    /// The last requested position.
    ///
    /// Positions are requested in order, and continuing from the last one keeps long lines linear.
    private var last = (line: 0, column: 1, offset: 0)

    init(bytes: [UInt8]) {
        hasByteOrderMark = bytes.starts(with: [0xef, 0xbb, 0xbf])
        let bytes = hasByteOrderMark ? Array(bytes.dropFirst(3)) : bytes
        self.bytes = bytes
        lineStarts = SourceText.lineStarts(of: bytes)
    }

    /// The offset of a line and column, both from 1.
    ///
    /// A column beyond the line's end gives the end of the line.
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

    /// The start of the line after the one that has the byte at `offset`, or the end of the text.
    func nextLineStart(after offset: Int) -> Int {
        let index = lineIndex(at: offset) + 1
        return index < lineStarts.count ? lineStarts[index] : bytes.count
    }

    /// The start of the line that has the byte at `offset`.
    func lineStart(at offset: Int) -> Int { lineStarts[lineIndex(at: offset)] }

    /// The line break of this file, taken from its first line.
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

    /// The length of the line break at `index`, 0 when there is none: CR, LF, CR LF, and U+0085, U+2028, U+2029 as in YAML 1.1.
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
