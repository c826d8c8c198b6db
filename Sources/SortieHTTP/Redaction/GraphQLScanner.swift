internal import SortieBase

/// Finds the values of secret arguments in the text of GraphQL requests (GraphQL specification, October 2021, §2.6, §2.9).
struct GraphQLScanner {
    private let bytes: UnsafeRawBufferPointer
    private let isSecret: (String) -> Bool
    private var offset = 0
    /// The number of open parentheses; names with values occur only between parentheses.
    private var parentheses = 0
    private var found: [Range<Int>] = []

    /// The ranges of the values, including their quotes or brackets; variables are excluded.
    static func secretRanges(in bytes: UnsafeRawBufferPointer, isSecret: (String) -> Bool) -> [Range<Int>] {
        guard bytes.firstIndex(of: UInt8(ascii: "("), in: 0..<bytes.count) != nil else { return [] }
        return withoutActuallyEscaping(isSecret) { isSecret in
            var scanner = GraphQLScanner(bytes: bytes, isSecret: isSecret)
            scanner.scan()
            return scanner.found
        }
    }

    private init(bytes: UnsafeRawBufferPointer, isSecret: @escaping (String) -> Bool) {
        (self.bytes, self.isSecret) = (bytes, isSecret)
    }

    private mutating func scan() {
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "("): parentheses += 1
            case UInt8(ascii: ")"): parentheses = max(0, parentheses - 1)
            case UInt8(ascii: "#"): offset = bytes.firstIndex(of: 0x0A, in: offset..<bytes.count) ?? bytes.count
            case UInt8(ascii: "\""):
                offset = end(ofStringAt: offset)
                continue
            case let byte where Self.isNameStart(byte):
                name()
                continue
            default: break
            }
            offset += 1
        }
    }

    /// Reads a name, and its value where the name is secret.
    private mutating func name() {
        let isVariable = offset > 0 && bytes[offset - 1] == UInt8(ascii: "$")
        let start = offset
        while offset < bytes.count, Self.isNameStart(bytes[offset]) || ASCII.isDigit(bytes[offset]) { offset += 1 }
        guard parentheses > 0, offset - start <= 64 else { return }
        let colon = passing(offset) { $0 <= 0x20 || $0 == UInt8(ascii: ",") }
        guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":"), isSecret(bytes[rebased: start..<offset].text) else { return }
        var place = passing(colon + 1) { $0 <= 0x20 }
        if isVariable {
            // The type of a variable; its default value follows `=`.
            place = passing(place) { Self.isNameStart($0) || ASCII.isDigit($0) || $0 <= 0x20 || "[]!".utf8.contains($0) }
            guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else {
                offset = place
                return
            }
            place = passing(place + 1) { $0 <= 0x20 }
        }
        offset = end(ofValueAt: place)
        let isReference = place < bytes.count && bytes[place] == UInt8(ascii: "$")
        if !isReference, offset > place { found.append(place..<offset) }
    }

    private func passing(_ start: Int, _ passes: (UInt8) -> Bool) -> Int {
        var index = start
        while index < bytes.count, passes(bytes[index]) { index += 1 }
        return index
    }

    private func end(ofValueAt place: Int) -> Int {
        guard place < bytes.count else { return bytes.count }
        switch bytes[place] {
        case UInt8(ascii: "\""): return end(ofStringAt: place)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return bytes.endOfContainer(at: place) { end(ofStringAt: $0) }
        default: return passing(place) { $0 > 0x20 && !",)}]".utf8.contains($0) }
        }
    }

    /// The end of a string or block string; the end of the text where the string is not terminated.
    private func end(ofStringAt place: Int) -> Int {
        let block = Array("\"\"\"".utf8)
        if bytes[place...].starts(with: block) {
            var index = place + 3
            while let quote = bytes.firstIndex(of: UInt8(ascii: "\""), in: min(index, bytes.count)..<bytes.count) {
                if bytes[quote...].starts(with: block), bytes[quote - 1] != UInt8(ascii: "\\") { return quote + 3 }
                index = quote + 1
            }
            return bytes.count
        }
        var index = place + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != 0x0A { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(bytes.count, index + 1)
    }

    private static func isNameStart(_ byte: UInt8) -> Bool { ASCII.isLetter(byte) || byte == UInt8(ascii: "_") }
}
