extension JSONTokenizer {
    /// Continues a number; returns false when more bytes are needed.
    @inline(__always)
    @inlinable package mutating func number(
        _ bytes: UnsafeRawBufferPointer, limit: Int, isEnd: Bool, _ sink: inout some JSONRowSink
    ) throws(JSONFault) -> Bool {
        var state = numberState
        var cutLimit = rowLimit == .max ? .max : partStart + room
        while true {
            if state == .integer || state == .fraction || state == .exponent {
                // Further digits do not change the state, so the common case needs no state transition.
                let stop = min(limit, cutLimit)
                while offset < stop, bytes[offset] &- UInt8(ascii: "0") < 10 { offset += 1 }
            }
            guard offset < limit else {
                numberState = state
                guard isEnd else { return false }
                try Self.requireWhole(state, offset)
                break
            }
            guard let next = try Self.next(state, bytes[offset], offset) else { break }
            if offset >= cutLimit {
                sink.token(.number, partStart..<offset)
                partStart = offset
                numberState = state
                try beginRow(depth: stack.depth, continues: true, &sink)
                cutLimit = partStart + room
            }
            state = next
            offset += 1
        }
        sink.token(.number, partStart..<offset)
        used += offset - partStart
        endValue()
        return true
    }

    /// The state after one more byte; nil when the number ends before it.
    @inline(__always)
    @inlinable static func next(_ state: NumberState, _ byte: UInt8, _ offset: Int) throws(JSONFault) -> NumberState? {
        let isDigit = byte &- UInt8(ascii: "0") < 10
        switch state {
        case .integer, .zero:
            if isDigit, state == .integer { return .integer }
            if byte == UInt8(ascii: ".") { return .dot }
            if byte | 0x20 == UInt8(ascii: "e") { return .exponentMark }
            if isDigit { throw .invalid("not JSON: a number must not begin with a leading 0", offset: offset) }
            return nil
        case .fraction:
            if isDigit { return .fraction }
            return byte | 0x20 == UInt8(ascii: "e") ? .exponentMark : nil
        case .exponent:
            return isDigit ? .exponent : nil
        case .minus:
            guard isDigit else { throw .unexpected(byte, "a digit", offset: offset) }
            return byte == UInt8(ascii: "0") ? .zero : .integer
        case .dot:
            guard isDigit else { throw .unexpected(byte, "a digit", offset: offset) }
            return .fraction
        case .exponentMark:
            if isDigit { return .exponent }
            guard byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") else {
                throw .unexpected(byte, "a digit", offset: offset)
            }
            return .exponentSign
        case .exponentSign:
            guard isDigit else { throw .unexpected(byte, "a digit", offset: offset) }
            return .exponent
        }
    }

    @usableFromInline static func requireWhole(_ state: NumberState, _ offset: Int) throws(JSONFault) {
        switch state {
        case .zero, .integer, .fraction, .exponent: return
        case .minus, .dot, .exponentMark, .exponentSign: throw .invalid("not JSON: the body ends inside a number", offset: offset)
        }
    }
}
