internal import SortieBase

/// Iterates over the rows of raw text: lines that end with LF, CRLF or CR, and that are cut when too long for one row.
struct LineScanner: Sendable {
    /// A row: its bytes without the line ending, and the start of the next row.
    struct Row {
        var source: Range<Int>
        var next: Int
        /// The line number, from 1; nil for a continuation.
        var number: Int?
        /// Whether the end of the row is final.
        var isClosed: Bool
    }

    let encoding: TextEncoding
    /// The start of the next row.
    var offset = 0
    /// The number of lines that begin before `offset`.
    var lines = 0
    /// Whether the next row continues a line.
    var continues = false

    /// The next row before `limit`, or nil at the limit; a row that is not closed is returned without advancing.
    @inline(__always)
    mutating func next(_ bytes: UnsafeRawBufferPointer, limit: Int, isEnd: Bool) -> Row? {
        guard offset < limit else { return nil }
        let window = min(limit, offset + BodyRow.byteLimit + RowCut.lookahead)
        guard let (end, next) = lineEnd(bytes, window: window, limit: limit, isEnd: isEnd) else {
            return Row(source: offset..<limit, next: limit, number: continues ? nil : lines + 1, isClosed: false)
        }
        let start = offset
        let number = continues ? nil : lines + 1
        if !continues { lines += 1 }
        if end - start > BodyRow.byteLimit {
            let wanted = start + BodyRow.byteLimit
            offset = RowCut.boundary(bytes, from: start, wanted: wanted, end: end, encoding: encoding)
            continues = true
            return Row(source: start..<offset, next: offset, number: number, isClosed: true)
        }
        offset = next
        continues = false
        return Row(source: start..<end, next: next, number: number, isClosed: true)
    }

    /// The end of the line and the start of the next one, or the end of the window for a longer line; nil when it is not known yet.
    @inline(__always)
    private func lineEnd(_ bytes: UnsafeRawBufferPointer, window: Int, limit: Int, isEnd: Bool) -> (end: Int, next: Int)? {
        if encoding.isUTF16 { return lineEnd16(bytes, window: window, limit: limit, isEnd: isEnd) }
        let feed = bytes.firstIndex(of: 0x0A, in: offset..<window)
        if let end = bytes.firstIndex(of: 0x0D, in: offset..<(feed ?? window)) {
            if end + 1 < limit { return (end, bytes[end + 1] == 0x0A ? end + 2 : end + 1) }
            return isEnd ? (end, end + 1) : nil
        }
        if let feed { return (feed, feed + 1) }
        if window == offset + BodyRow.byteLimit + RowCut.lookahead { return (window, window) }
        return isEnd ? (limit, limit) : nil
    }

    private func lineEnd16(_ bytes: UnsafeRawBufferPointer, window: Int, limit: Int, isEnd: Bool) -> (end: Int, next: Int)? {
        var index = offset
        while index + 1 < window {
            let unit = encoding.unit(bytes[index], bytes[index + 1])
            if unit == 0x0A { return (index, index + 2) }
            if unit == 0x0D {
                if index + 3 < limit {
                    return (index, encoding.unit(bytes[index + 2], bytes[index + 3]) == 0x0A ? index + 4 : index + 2)
                }
                return isEnd ? (index, min(index + 2, limit)) : nil
            }
            index += 2
        }
        if window == offset + BodyRow.byteLimit + RowCut.lookahead { return (window, window) }
        return isEnd ? (limit, limit) : nil
    }
}
