/// A strict JSON tokenizer (RFC 8259) that can stop at any byte and continue later, and that determines where formatted rows begin.
///
/// A row begins at a top-level value, after `{`, `[` and `,`, and before the end of a container that is not empty.
/// The state is a small value without recursion, so a copy of it is a checkpoint.
package struct JSONTokenizer: Sendable {
    /// The next expected element.
    package enum Phase: UInt8, Sendable {
        case start, topValue, firstKey, nextKey, colon, memberValue, firstElement, nextElement, afterValue, done
        /// Inside a token; `offset` is between two of its characters.
        case key, string, number
    }

    /// The kind of the last byte of a number.
    package enum NumberState: UInt8, Sendable {
        case minus, zero, integer, dot, fraction, exponentMark, exponentSign, exponent

        /// Whether the number may end here.
        @usableFromInline var isWhole: Bool {
            switch self {
            case .zero, .integer, .fraction, .exponent: true
            case .minus, .dot, .exponentMark, .exponentSign: false
            }
        }
    }

    package var phase = Phase.start
    package var numberState = NumberState.minus
    /// The offset of the next byte to read.
    package var offset = 0
    package var stack = JSONContainerStack()
    /// The offset at which the token's part on this row begins.
    package var partStart = 0
    /// The number of source bytes of earlier tokens on this row.
    @usableFromInline var used = 0
    /// The number of line breaks so far and the start of the current line, for error messages and to separate values.
    package var line = 0
    package var lineStart = 0
    @usableFromInline var lineOfLastValue = 0

    package let allowsManyValues: Bool
    package let rowLimit: Int

    /// - Parameter rowLimit: The number of source bytes after which a token continues on another row.
    package init(allowsManyValues: Bool = false, rowLimit: Int = BodyRow.byteLimit) {
        (self.allowsManyValues, self.rowLimit) = (allowsManyValues, rowLimit)
    }

    /// Creates a tokenizer that starts with the value at `offset`, in a sequence of values on separate lines.
    package init(linesAt offset: Int) {
        self.init(allowsManyValues: true, rowLimit: .max)
        self.offset = offset
        phase = .topValue
    }

    /// Whether the state is inside a token.
    @inlinable package var isInToken: Bool { phase.rawValue >= Phase.key.rawValue }

    /// The offset of the first byte that is needed again: that of the current token, or of its part on this row.
    package var firstNeeded: Int { isInToken ? partStart : offset }

    /// Subtracts from all offsets what was removed before ``firstNeeded`` from the bytes.
    package mutating func subtract(_ count: Int) {
        offset -= count
        partStart -= count
        lineStart -= count
    }

    /// Tokenizes up to `limit`; `isEnd` states that the body ends there.
    @inlinable package mutating func advance(
        over bytes: UnsafeRawBufferPointer, limit: Int, isEnd: Bool, into sink: inout some JSONRowSink
    ) throws(JSONFault) {
        if phase == .start, !passByteOrderMark(bytes, limit: limit, isEnd: isEnd) { return }
        while true {
            switch phase {
            case .key, .string:
                guard try string(bytes, limit: limit, isEnd: isEnd, &sink) else { return }
            case .number:
                guard try number(bytes, limit: limit, isEnd: isEnd, &sink) else { return }
            default:
                skipBlanks(bytes, limit: limit)
                guard offset < limit else {
                    if isEnd { try end(at: limit) }
                    return
                }
                guard try structure(bytes, bytes[offset], limit: limit, isEnd: isEnd, &sink) else { return }
            }
        }
    }

    /// Processes a byte between tokens; returns false when more bytes are needed.
    @inline(__always)
    @inlinable mutating func structure(
        _ bytes: UnsafeRawBufferPointer, _ byte: UInt8, limit: Int, isEnd: Bool, _ sink: inout some JSONRowSink
    ) throws(JSONFault) -> Bool {
        switch phase {
        case .afterValue:
            if byte == UInt8(ascii: ",") {
                punctuation(&sink)
                phase = stack.isInObject ? .nextKey : .nextElement
            } else if byte == (stack.isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                try beginRow(depth: stack.depth - 1, &sink)
                close(&sink)
            } else {
                throw .unexpected(byte, stack.isInObject ? "',' or '}'" : "',' or ']'", offset: offset)
            }
        case .firstKey, .nextKey:
            if byte == UInt8(ascii: "\"") {
                try beginRow(depth: stack.depth, &sink)
                beginToken(.key)
            } else if byte == UInt8(ascii: "}"), phase == .firstKey {
                close(&sink)
            } else {
                throw .unexpected(byte, phase == .firstKey ? "a name in quotes or '}'" : "a name in quotes", offset: offset)
            }
        case .colon:
            guard byte == UInt8(ascii: ":") else { throw .unexpected(byte, "':'", offset: offset) }
            punctuation(&sink)
            phase = .memberValue
        case .memberValue:
            return try value(bytes, byte, beginsRow: false, limit: limit, isEnd: isEnd, &sink)
        case .firstElement where byte == UInt8(ascii: "]"):
            close(&sink)
        case .firstElement, .nextElement, .topValue:
            return try value(bytes, byte, beginsRow: true, limit: limit, isEnd: isEnd, &sink)
        case .done:
            guard allowsManyValues, line > lineOfLastValue else {
                throw .unexpected(
                    byte, allowsManyValues ? "a new line before the next value" : "the end of the text", offset: offset)
            }
            phase = .topValue
        case .start, .key, .string, .number:
            break
        }
        return true
    }

    @inline(__always)
    @inlinable mutating func value(
        _ bytes: UnsafeRawBufferPointer, _ byte: UInt8, beginsRow: Bool, limit: Int, isEnd: Bool, _ sink: inout some JSONRowSink
    ) throws(JSONFault) -> Bool {
        switch byte {
        case UInt8(ascii: "\""):
            if beginsRow { try beginRow(depth: stack.depth, &sink) }
            beginToken(.string)
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            if beginsRow { try beginRow(depth: stack.depth, &sink) }
            numberState = byte == UInt8(ascii: "-") ? .minus : byte == UInt8(ascii: "0") ? .zero : .integer
            beginToken(.number)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard stack.depth < JSONContainerStack.depthLimit else {
                let limit = JSONContainerStack.depthLimit
                throw .invalid("JSON nested deeper than \(limit) levels is not formatted", offset: offset)
            }
            if beginsRow { try beginRow(depth: stack.depth, &sink) }
            let isObject = byte == UInt8(ascii: "{")
            punctuation(&sink)
            stack.push(isObject: isObject)
            phase = isObject ? .firstKey : .firstElement
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            let length = try literalLength(bytes, byte, limit: limit, isEnd: isEnd)
            guard length > 0 else { return false }
            if beginsRow { try beginRow(depth: stack.depth, &sink) }
            sink.token(.literal, offset..<offset + length)
            offset += length
            used += length
            endValue()
        default:
            throw .unexpected(byte, "a value", offset: offset)
        }
        return true
    }

    @inline(__always)
    @inlinable mutating func beginToken(_ newPhase: Phase) {
        phase = newPhase
        partStart = offset
        offset += 1
    }

    @inline(__always)
    @inlinable mutating func punctuation(_ sink: inout some JSONRowSink) {
        sink.token(.punctuation, offset..<offset + 1)
        offset += 1
        used += 1
    }

    @inline(__always)
    @inlinable mutating func close(_ sink: inout some JSONRowSink) {
        punctuation(&sink)
        stack.pop()
        endValue()
    }

    @inline(__always)
    @inlinable mutating func endValue() {
        if stack.isEmpty {
            phase = .done
            lineOfLastValue = line
        } else {
            phase = .afterValue
        }
    }

    @inline(__always)
    @inlinable package mutating func beginRow(depth: Int, continues: Bool = false, _ sink: inout some JSONRowSink) throws(JSONFault) {
        used = 0
        switch sink.beginRow(at: offset, depth: depth, continues: continues) {
        case .goOn: break
        case .save: sink.save(self)
        case .stop: throw .stopped
        }
    }

    /// Checks that the body may end here.
    @usableFromInline func end(at offset: Int) throws(JSONFault) {
        switch phase {
        case .done: return
        case .topValue where allowsManyValues: return
        case .topValue, .start: throw .invalid("not JSON: the text contains no value", offset: offset)
        default:
            let container = stack.isInObject ? "an object" : "an array"
            throw .invalid("not JSON: the text ends inside \(container)", offset: offset)
        }
    }

    @usableFromInline mutating func passByteOrderMark(_ bytes: UnsafeRawBufferPointer, limit: Int, isEnd: Bool) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if limit < 3, !isEnd, limit == 0 || bytes[..<limit].elementsEqual(mark[..<limit]) { return false }
        if limit >= 3, bytes[..<3].elementsEqual(mark) { offset = 3 }
        lineStart = offset
        phase = .topValue
        return true
    }

    @inline(__always)
    @inlinable mutating func skipBlanks(_ bytes: UnsafeRawBufferPointer, limit: Int) {
        var index = offset
        while index < limit {
            let byte = bytes[index]
            if byte > 0x20 { break }
            if byte == 0x0A || byte == 0x0D {
                // CR LF is one line break.
                if byte == 0x0D || index == 0 || bytes[index - 1] != 0x0D { line += 1 }
                lineStart = index + 1
            } else if byte != 0x20, byte != 0x09 {
                break
            }
            index += 1
        }
        offset = index
    }

    /// The length of `true`, `false` or `null`; 0 when more bytes are needed.
    @usableFromInline func literalLength(_ bytes: UnsafeRawBufferPointer, _ byte: UInt8, limit: Int, isEnd: Bool) throws(JSONFault) -> Int {
        let word: StaticString = byte == UInt8(ascii: "t") ? "true" : byte == UInt8(ascii: "f") ? "false" : "null"
        for index in 1..<word.utf8CodeUnitCount {
            guard offset + index < limit else {
                if isEnd { throw .invalid("not JSON: the text ends inside '\(word)'", offset: limit) }
                return 0
            }
            guard bytes[offset + index] == word.utf8Start[index] else {
                throw .unexpected(bytes[offset + index], "'\(word)'", offset: offset + index)
            }
        }
        return word.utf8CodeUnitCount
    }
}

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
                guard state.isWhole else { throw .invalid("not JSON: the text ends inside a number", offset: offset) }
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

    /// Whether a text is a number (RFC 8259 §6).
    static func isNumber(_ text: some Sequence<UInt8>) -> Bool {
        var last: NumberState?
        for byte in text {
            guard let state = last else {
                guard byte == UInt8(ascii: "-") || ASCII.isDigit(byte) else { return false }
                last = byte == UInt8(ascii: "-") ? .minus : byte == UInt8(ascii: "0") ? .zero : .integer
                continue
            }
            do throws(JSONFault) { last = try next(state, byte, 0) } catch { return false }
            if last == nil { return false }
        }
        return last?.isWhole == true
    }
}
