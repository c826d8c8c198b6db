extension JSONTokenizer {
    /// The number of source bytes that the token may still add to this row; at least one, so that an opening quote is not taken for a closing one.
    @inlinable package var room: Int { max(1, rowLimit - used) }

    /// Continues a string or key; returns false when more bytes are needed.
    @inline(__always)
    @inlinable package mutating func string(
        _ bytes: UnsafeRawBufferPointer, limit: Int, isEnd: Bool, _ sink: inout some JSONRowSink
    ) throws(JSONFault) -> Bool {
        let kind: BodySpan.Kind = phase == .key ? .key : .string
        while true {
            // The look-ahead makes the cut independent of how the scan is split into steps.
            let cutLimit = rowLimit == .max ? .max : partStart + room + RowCut.lookahead
            offset = Self.plain(bytes, from: offset, to: min(limit, cutLimit))
            if offset >= cutLimit {
                try cut(bytes, end: offset, kind, &sink)
                continue
            }
            guard offset < limit else {
                if isEnd { throw .invalid("not JSON: the text ends inside a string", offset: limit) }
                return false
            }
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") {
                offset += 1
                try endString(bytes, kind, &sink)
                if kind == .key { phase = .colon } else { endValue() }
                return true
            }
            let length =
                byte == UInt8(ascii: "\\")
                ? try Self.escape(bytes, offset, limit: limit) : try Self.scalar(bytes, offset, limit: limit)
            guard length > 0 else {
                if isEnd { throw .invalid("not JSON: the text ends inside a string", offset: limit) }
                return false
            }
            offset += length
        }
    }

    /// Ends the row at the last suitable position in the string and begins another that continues it.
    @inlinable mutating func cut(
        _ bytes: UnsafeRawBufferPointer, end: Int, _ kind: BodySpan.Kind, _ sink: inout some JSONRowSink
    ) throws(JSONFault) {
        let wanted = partStart + room
        let place = RowCut.boundary(bytes, from: partStart, wanted: wanted, end: end, encoding: .utf8, escapes: true)
        sink.token(kind, partStart..<place)
        partStart = place
        // A checkpoint must continue at the cut, not at the scan position.
        let scanned = offset
        offset = place
        try beginRow(depth: stack.depth, continues: true, &sink)
        offset = scanned
    }

    /// Ends a string at `offset`: splits it where it is too long for the row, and passes the rest to the sink.
    @inline(__always)
    @inlinable mutating func endString(
        _ bytes: UnsafeRawBufferPointer, _ kind: BodySpan.Kind, _ sink: inout some JSONRowSink
    ) throws(JSONFault) {
        while offset - partStart > room { try cut(bytes, end: offset, kind, &sink) }
        sink.token(kind, partStart..<offset)
        used += offset - partStart
    }

    /// The index of the first byte that is not plain ASCII in a string, or `limit`.
    @inline(__always)
    @inlinable static func plain(_ bytes: UnsafeRawBufferPointer, from start: Int, to limit: Int) -> Int {
        var index = start
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        while index + 8 <= limit {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            // Sets a byte's high bit where it is below 0x20, '"', '\' or non-ASCII; only the lowest such bit is exact.
            let special =
                ((word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash | word) & highs
            if special != 0 { return index + special.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < limit {
            let byte = bytes[index]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte >= 0x80 { break }
            index += 1
        }
        return index
    }

    /// The length of an escape; 0 when more bytes are needed.
    @usableFromInline static func escape(_ bytes: UnsafeRawBufferPointer, _ offset: Int, limit: Int) throws(JSONFault) -> Int {
        guard offset + 1 < limit else { return 0 }
        switch bytes[offset + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            return 2
        case UInt8(ascii: "u"):
            for index in offset + 2..<offset + 6 {
                guard index < limit else { return 0 }
                let byte = bytes[index]
                guard byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6 else {
                    throw .unexpected(byte, "four hexadecimal digits after \\u", offset: index)
                }
            }
            return 6
        default:
            throw .unexpected(bytes[offset + 1], "one of \"\\/bfnrtu after a backslash", offset: offset + 1)
        }
    }

    /// The length of a non-ASCII scalar in UTF-8 (RFC 3629 §4); 0 when more bytes are needed.
    @inline(__always)
    @inlinable static func scalar(_ bytes: UnsafeRawBufferPointer, _ offset: Int, limit: Int) throws(JSONFault) -> Int {
        let first = bytes[offset]
        if first < 0x20 {
            throw .invalid("not JSON: a control character in a string must be written as an escape", offset: offset)
        }
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: throw .invalid("not JSON: a string is not valid UTF-8", offset: offset)
        }
        for index in 1..<length {
            guard offset + index < limit else { return 0 }
            let byte = bytes[offset + index]
            guard index == 1 ? second.contains(byte) : byte & 0xC0 == 0x80 else {
                throw .invalid("not JSON: a string is not valid UTF-8", offset: offset + index)
            }
        }
        return length
    }
}
