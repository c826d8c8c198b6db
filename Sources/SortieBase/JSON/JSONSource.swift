/// JSON text in memory whose values are read where a query needs them.
///
/// The text is not validated: where a value cannot be read, the evaluation fails with its position. Of members with the same name, the first one is used,
/// because the last one is known only at the end of the text.
package final class JSONSourceText {
    package let bytes: UnsafeRawBufferPointer
    private let isStopped: () -> Bool
    /// The last value whose end was determined, which is usually needed again.
    private var known = (start: -1, end: -1)
    private var untilCheck = JSONSourceText.checkInterval

    /// The number of bytes that are skipped until the next check for a cancellation.
    private static let checkInterval = 1 << 20

    /// Creates a text that is valid as long as `bytes`.
    package init(_ bytes: UnsafeRawBufferPointer, isStopped: @escaping () -> Bool = { false }) {
        (self.bytes, self.isStopped) = (bytes, isStopped)
    }

    /// The offset of the next byte that is not white space; the end of the text where there is none.
    package func skippingBlanks(_ offset: Int) -> Int {
        var index = offset
        while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
        return index
    }

    func failure(at offset: Int) -> JSONEvaluationError {
        .failed("the body is not JSON at byte \(offset); the result is incomplete", position: nil)
    }

    /// The offset after a value.
    package func end(of start: Int) throws(JSONEvaluationError) -> Int {
        if known.start == start { return known.end }
        let end = try findEnd(of: start)
        untilCheck -= end - start
        if untilCheck <= 0 {
            untilCheck = Self.checkInterval
            try check()
        }
        known = (start, end)
        return end
    }

    /// Whether more text cannot change a value; a number or a word at the end of the text may continue.
    package func isWhole(at start: Int) throws(JSONEvaluationError) -> Bool {
        do { return try end(of: start) < bytes.count || !Self.isScalar(bytes[start]) } catch {
            guard case .failed = error else { throw error }
            return false
        }
    }

    func check() throws(JSONEvaluationError) {
        if isStopped() { throw .stopped }
    }

    private func findEnd(of start: Int) throws(JSONEvaluationError) -> Int {
        guard start < bytes.count else { throw failure(at: start) }
        switch bytes[start] {
        case UInt8(ascii: "\""): return try stringEnd(start)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return try containerEnd(start)
        default:
            var index = start
            while index < bytes.count, Self.isScalar(bytes[index]) { index += 1 }
            guard index > start else { throw failure(at: start) }
            return index
        }
    }

    private static func isScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// The offset after a container; brackets are counted without regard to their kind.
    private func containerEnd(_ start: Int) throws(JSONEvaluationError) -> Int {
        var depth = 0
        var index = start
        while index < bytes.count {
            let piece = min(bytes.count, index + Self.checkInterval)
            while index < piece {
                let byte = bytes[index]
                // [ and { differ in one bit, as do ] and }.
                if byte == UInt8(ascii: "\"") {
                    index = try stringEnd(index)
                    continue
                }
                index += 1
                if byte | 0x20 == UInt8(ascii: "{") {
                    depth += 1
                } else if byte | 0x20 == UInt8(ascii: "}") {
                    depth -= 1
                    if depth == 0 { return index }
                }
            }
            try check()
        }
        throw failure(at: bytes.count)
    }

    /// The offset after a string that begins with a quote.
    package func stringEnd(_ start: Int) throws(JSONEvaluationError) -> Int {
        var index = start + 1
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        while index < bytes.count {
            if index + 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let quote = word ^ (ones &* 0x22)
                let backslash = word ^ (ones &* 0x5C)
                // Sets a byte's high bit where it is '"' or '\'; only the lowest such bit is exact.
                let special = ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & highs
                guard special != 0 else {
                    index += 8
                    continue
                }
                index += special.trailingZeroBitCount / 8
            }
            switch bytes[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        throw failure(at: bytes.count)
    }
}

/// A value in a ``JSONSourceText``, by the offset at which it begins; the text must live as long as its values are used.
package struct JSONSource: JSONNode {
    // Every value of a query refers to the text, which the evaluation keeps; counting the references would take longer than the evaluation.
    unowned(unsafe) let text: JSONSourceText
    package let start: Int

    package init(_ text: JSONSourceText, at start: Int) {
        (self.text, self.start) = (text, start)
    }

    static var isStreamed: Bool { true }

    var kind: JSONKind {
        get throws(JSONEvaluationError) {
            guard start < text.bytes.count else { throw text.failure(at: start) }
            switch text.bytes[start] {
            case UInt8(ascii: "{"): return .object
            case UInt8(ascii: "["): return .array
            case UInt8(ascii: "\""): return .string
            case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
            case UInt8(ascii: "n"): return .null
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return .number
            default: throw text.failure(at: start)
            }
        }
    }

    /// The bytes of the value.
    var range: Range<Int> {
        get throws(JSONEvaluationError) { start..<(try text.end(of: start)) }
    }

    /// The greatest size in bytes of a value that is read into memory.
    static let valueLimit = 1 << 20

    var value: JSONValue {
        get throws(JSONEvaluationError) {
            let range = try range
            guard range.count <= Self.valueLimit else {
                throw .failed("a value of \(range.count) bytes is too large to be compared, sorted or changed", position: nil)
            }
            switch try kind {
            case .string: return .string(JSONStringToken.text(text.bytes, range))
            case .number:
                // The tokenizer finds only the end of a value, so its text need not be a number.
                guard JSONTokenizer.isNumber(text.bytes[range]) else { throw text.failure(at: range.lowerBound) }
                return .number(String(decoding: text.bytes[range], as: UTF8.self))
            default: break
            }
            do throws(BodyProblem) {
                return try JSONValue(parsing: text.bytes[range])
            } catch {
                throw .failed(error.message, position: nil)
            }
        }
    }

    package func member(_ name: String) throws(JSONEvaluationError) -> JSONSource? {
        guard try kind == .object else { return nil }
        var found: JSONSource?
        var name = name
        // The bytes are compared without creating texts.
        let result = name.withUTF8 { wanted in
            Result<Void, JSONEvaluationError> { () throws(JSONEvaluationError) in
                try forEachMember { (key, child) throws(JSONEvaluationError) in
                    if matches(key, wanted) { found = child }
                    return found == nil
                }
            }
        }
        try result.get()
        return found
    }

    private func matches(_ key: Range<Int>, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        let inner = UnsafeRawBufferPointer(rebasing: text.bytes[key.dropFirst().dropLast()])
        if inner.count == wanted.count, inner.elementsEqual(wanted) { return !inner.contains(UInt8(ascii: "\\")) }
        guard inner.count > wanted.count, inner.contains(UInt8(ascii: "\\")) else { return false }
        return JSONStringToken.text(text.bytes, key).utf8.elementsEqual(wanted)
    }

    func forEachChild(_ visit: (JSONChild<JSONSource>) throws(JSONEvaluationError) -> Bool) throws(JSONEvaluationError) {
        switch try kind {
        case .array: try forEachItem(visit)
        case .object:
            var index = -1
            try forEachMember { (key, node) throws(JSONEvaluationError) in
                index += 1
                let child = JSONChild(
                    index: index,
                    isNamed: { name in
                        var name = name
                        return name.withUTF8 { matches(key, $0) }
                    }, name: { JSONStringToken.text(text.bytes, key) }, node: node)
                return try visit(child)
            }
        default: return
        }
    }

    private func forEachItem(_ visit: (JSONChild<JSONSource>) throws(JSONEvaluationError) -> Bool) throws(JSONEvaluationError) {
        var offset = text.skippingBlanks(start + 1)
        guard offset < text.bytes.count else { throw text.failure(at: offset) }
        if text.bytes[offset] == UInt8(ascii: "]") { return }
        var index = 0
        while true {
            guard try visit(JSONChild(index: index, isNamed: { _ in false }, name: { "" }, node: JSONSource(text, at: offset))) else { return }
            guard let next = try next(after: offset, closing: UInt8(ascii: "]")) else { return }
            offset = next
            index += 1
        }
    }

    /// Calls `visit` with the name in quotes and the value of each member until it returns false; the value may begin at the end of the text.
    package func forEachMember(_ visit: (Range<Int>, JSONSource) throws(JSONEvaluationError) -> Bool) throws(JSONEvaluationError) {
        var offset = text.skippingBlanks(start + 1)
        guard offset < text.bytes.count else { throw text.failure(at: offset) }
        if text.bytes[offset] == UInt8(ascii: "}") { return }
        while true {
            guard text.bytes[offset] == UInt8(ascii: "\"") else { throw text.failure(at: offset) }
            let key = offset..<(try text.stringEnd(offset))
            let colon = text.skippingBlanks(key.upperBound)
            guard colon < text.bytes.count, text.bytes[colon] == UInt8(ascii: ":") else { throw text.failure(at: colon) }
            let value = text.skippingBlanks(colon + 1)
            guard try visit(key, JSONSource(text, at: value)) else { return }
            guard let next = try next(after: value, closing: UInt8(ascii: "}")) else { return }
            offset = next
        }
    }

    /// The offset of the child after the one at `offset`; nil at the end of the container.
    private func next(after offset: Int, closing: UInt8) throws(JSONEvaluationError) -> Int? {
        let place = text.skippingBlanks(try text.end(of: offset))
        guard place < text.bytes.count else { throw text.failure(at: place) }
        if text.bytes[place] == closing { return nil }
        guard text.bytes[place] == UInt8(ascii: ",") else { throw text.failure(at: place) }
        let next = text.skippingBlanks(place + 1)
        guard next < text.bytes.count else { throw text.failure(at: next) }
        return next
    }
}
