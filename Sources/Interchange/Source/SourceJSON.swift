package import SortieBase

/// Reads JSON (RFC 8259) into nodes with places.
package struct SourceJSON {
    /// Reads a piece of a large document; empty at its end.
    package typealias PieceReader = @Sendable (_ offset: Int) throws(Diagnostic) -> [UInt8]

    /// How deep arrays and objects may nest.
    package static let maximumDepth = 512

    /// The least number of bytes that are read ahead where the source is read in pieces; longer than every escape and every usual number.
    private static let lookahead = 1 << 12

    /// The document, or the current part of it.
    var bytes: [UInt8]
    private let file: String
    private let skipped: Set<String>
    /// Reads the next piece at an offset; nil after the last one.
    var pieces: PieceReader?
    /// The number of bytes before ``bytes``.
    private var offset = 0
    var index = 0
    var line = 1
    /// The offset of the current line, and the bytes in it that continue a character.
    var lineStart = 0
    var continuations = 0
    private var document: SourceDocument.Builder

    /// The root of a document.
    ///
    /// - Parameters:
    ///   - bytes: The document in UTF-8, with or without a byte order mark.
    ///   - file: The name in diagnostics.
    ///   - skipped: The names of members whose values are checked and not kept, at any depth; such a value becomes null.
    ///   - pieces: Reads a document that is not in memory as a whole; `bytes` is its beginning.
    /// - Throws: A diagnostic with the place of the first error.
    package static func node(
        parsing bytes: [UInt8], file: String, skipping skipped: Set<String> = [], pieces: PieceReader? = nil
    ) throws(Diagnostic) -> SourceNode {
        let bytes = pieces == nil ? FileText.inUTF8(bytes) : bytes
        var reader = SourceJSON(bytes, file, skipping: skipped, pieces: pieces)
        if bytes.starts(with: TextEncoding.utf8.mark) { (reader.index, reader.lineStart) = (3, 3) }
        try reader.readValue(depth: 0)
        try reader.skipSpaces()
        guard reader.index == reader.bytes.count else { throw reader.problem("there is more after the end of the document") }
        return reader.document.root()
    }

    init(_ bytes: [UInt8], _ file: String, skipping skipped: Set<String> = [], pieces: PieceReader? = nil) {
        (self.bytes, self.file, self.skipped, self.pieces) = (bytes, file, skipped, pieces)
        document = SourceDocument.Builder(file: file, size: pieces == nil ? bytes.count : 0)
    }

    /// Reads on where the current part ends soon, and drops the bytes that have been read.
    mutating func fill() throws(Diagnostic) {
        while let pieces, bytes.count - index < Self.lookahead {
            let next = try pieces(offset + bytes.count)
            if next.isEmpty { self.pieces = nil }
            bytes = Array(bytes[index...]) + next
            offset += index
            lineStart -= index
            index = 0
        }
    }

    var column: Int { index - lineStart - continuations + 1 }

    func problem(_ message: String) -> Diagnostic {
        Diagnostic(SourceLocation(file: file, line: line, column: column), "this is not JSON: \(message)")
    }

    /// Passes white space; afterwards the bytes of a short token are in memory.
    mutating func skipSpaces() throws(Diagnostic) {
        while true {
            try fill()
            guard index < bytes.count else { return }
            switch bytes[index] {
            case 0x20, 0x09, 0x0d: index += 1
            case 0x0a:
                index += 1
                (line, lineStart, continuations) = (line + 1, index, 0)
            default: return
            }
        }
    }

    private mutating func readValue(depth: Int) throws(Diagnostic) {
        try skipSpaces()
        let (line, column) = (line, column)
        guard index < bytes.count else { throw problem("it ends too early") }
        guard depth <= Self.maximumDepth else { throw problem("it is nested deeper than \(Self.maximumDepth) levels") }
        guard document.hasRoom else { throw problem("it has more values or text than can be kept; split it") }
        switch bytes[index] {
        case UInt8(ascii: "{"): try readMembers(depth: depth, line, column)
        case UInt8(ascii: "["): try readItems(depth: depth, line, column)
        case UInt8(ascii: "\""):
            try readString()
            document.addString(line: line, column: column)
        case UInt8(ascii: "t"):
            try word("true")
            document.add(true, line: line, column: column)
        case UInt8(ascii: "f"):
            try word("false")
            document.add(false, line: line, column: column)
        case UInt8(ascii: "n"):
            try word("null")
            document.add(nil, line: line, column: column)
        default:
            let range = try number()
            document.add(bytes[range], isNumber: true, line: line, column: column)
        }
    }

    mutating func word(_ text: String) throws(Diagnostic) {
        guard bytes[index...].starts(with: text.utf8) else { throw problem("a value is expected") }
        index += text.utf8.count
    }

    private mutating func readMembers(depth: Int, _ line: Int, _ column: Int) throws(Diagnostic) {
        let object = document.begin(isObject: true, line: line, column: column)
        var count = 0
        index += 1
        try skipSpaces()
        if take("}") { return document.end(object, children: 0) }
        while true {
            try skipSpaces()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw problem("the name of a member is expected") }
            try readString()
            let isSkipped = !skipped.isEmpty && document.text.map(skipped.contains) ?? false
            document.addName()
            try skipSpaces()
            guard take(":") else { throw problem("“:” is expected") }
            if isSkipped {
                try skipSpaces()
                document.add(nil, line: self.line, column: self.column)
                try skipValue(depth: depth + 1)
            } else {
                try readValue(depth: depth + 1)
            }
            count += 1
            try skipSpaces()
            if take("}") { return document.end(object, children: count) }
            guard take(",") else { throw problem("“,” or “}” is expected") }
        }
    }

    private mutating func readItems(depth: Int, _ line: Int, _ column: Int) throws(Diagnostic) {
        let array = document.begin(isObject: false, line: line, column: column)
        var count = 0
        index += 1
        try skipSpaces()
        if take("]") { return document.end(array, children: 0) }
        while true {
            try readValue(depth: depth + 1)
            count += 1
            try skipSpaces()
            if take("]") { return document.end(array, children: count) }
            guard take(",") else { throw problem("“,” or “]” is expected") }
        }
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Passes a number.
    mutating func number() throws(Diagnostic) -> Range<Int> {
        let start = index
        func isDigit(_ index: Int) -> Bool { index < bytes.count && (0x30...0x39).contains(bytes[index]) }
        var end = index
        if end < bytes.count, bytes[end] == UInt8(ascii: "-") { end += 1 }
        guard isDigit(end) else { throw problem("a value is expected") }
        if bytes[end] == UInt8(ascii: "0") { end += 1 } else { while isDigit(end) { end += 1 } }
        if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
            end += 1
            guard isDigit(end) else { throw problem("the number is not complete") }
            while isDigit(end) { end += 1 }
        }
        if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
            end += 1
            if end < bytes.count, bytes[end] == UInt8(ascii: "+") || bytes[end] == UInt8(ascii: "-") { end += 1 }
            guard isDigit(end) else { throw problem("the number is not complete") }
            while isDigit(end) { end += 1 }
        }
        index = end
        return start..<end
    }

    /// A text, of which nothing is kept in the document.
    mutating func string() throws(Diagnostic) -> String {
        try readString()
        let text = document.text ?? ""
        document.dropText()
        return text
    }

    /// Adds the bytes of a text to the document, where they become a value or a name.
    private mutating func readString() throws(Diagnostic) {
        index += 1
        var isASCII = true
        while true {
            if pieces != nil, bytes.count - index < 16 { try fill() }
            let start = index
            while index < bytes.count, case let byte = bytes[index], byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                if byte >= 0x80 { isASCII = false }
                if byte & 0xc0 == 0x80 { continuations += 1 }
                index += 1
            }
            document.append(bytes[start..<index])
            guard index < bytes.count else {
                if pieces != nil { continue }
                throw problem("a text is not closed")
            }
            switch bytes[index] {
            case UInt8(ascii: "\""):
                guard isASCII || document.text != nil else { throw problem("the text is not UTF-8") }
                index += 1
                return
            case UInt8(ascii: "\\"):
                // The escape may be at the end of the current part.
                if pieces != nil, bytes.count - index < 16 { try fill() }
                document.append(try escape())
            default: throw problem("a control character must be escaped in a text")
            }
        }
    }

    mutating func escape() throws(Diagnostic) -> [UInt8] {
        guard index + 1 < bytes.count else { throw problem("a text is not closed") }
        if let value = JSONStringToken.character(ofEscape: bytes[index + 1]) {
            index += 2
            return [value]
        }
        // A lone surrogate is not a character.
        guard let (scalar, length) = bytes.withUnsafeBytes({ JSONStringToken.scalar($0, at: index) }) else {
            throw problem("this escape is not known")
        }
        index += length
        return Array(String(Character(scalar)).utf8)
    }
}

extension SourceJSON {
    /// The names of the members at the start of a document, with those of objects in them as `outer.inner`, as far as the text can be read.
    ///
    /// For the detection of formats: of an array, the first object counts, as `outer[].inner`.
    package static func outline(of bytes: some Collection<UInt8>) -> Set<String> {
        var reader = SourceJSON(Array(bytes), "")
        if reader.bytes.starts(with: [0xef, 0xbb, 0xbf]) { reader.index = 3 }
        var names: Set<String> = []
        do throws(Diagnostic) { try reader.outline(prefix: "", depth: 0, into: &names) } catch {
            // A text that is cut or damaged has the names before that place.
        }
        return names
    }

    private mutating func outline(prefix: String, depth: Int, into names: inout Set<String>) throws(Diagnostic) {
        try skipSpaces()
        guard index < bytes.count, depth < 3 else { return try skipValue(depth: depth) }
        let isObject = bytes[index] == UInt8(ascii: "{")
        guard isObject || bytes[index] == UInt8(ascii: "[") else { return try skipValue(depth: depth) }
        index += 1
        try skipSpaces()
        if take(isObject ? "}" : "]") { return }
        var isFirst = true
        while true {
            try skipSpaces()
            if isObject {
                guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw problem("the name of a member is expected") }
                let name = prefix + (try string())
                names.insert(name)
                try skipSpaces()
                guard take(":") else { throw problem("“:” is expected") }
                try outline(prefix: name + ".", depth: depth + 1, into: &names)
            } else if isFirst {
                try outline(prefix: String(prefix.dropLast()) + "[].", depth: depth + 1, into: &names)
            } else {
                try skipValue(depth: depth + 1)
            }
            isFirst = false
            try skipSpaces()
            if take(isObject ? "}" : "]") { return }
            guard take(",") else { throw problem("“,” is expected") }
        }
    }

    /// Checks a value and keeps nothing of it.
    mutating func skipValue(depth: Int) throws(Diagnostic) {
        try skipSpaces()
        guard index < bytes.count else { throw problem("it ends too early") }
        guard depth <= Self.maximumDepth else { throw problem("it is nested deeper than \(Self.maximumDepth) levels") }
        switch bytes[index] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let isObject = bytes[index] == UInt8(ascii: "{")
            index += 1
            try skipSpaces()
            if take(isObject ? "}" : "]") { return }
            while true {
                try skipSpaces()
                if isObject {
                    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw problem("the name of a member is expected") }
                    try skipString()
                    try skipSpaces()
                    guard take(":") else { throw problem("“:” is expected") }
                }
                try skipValue(depth: depth + 1)
                try skipSpaces()
                if take(isObject ? "}" : "]") { return }
                guard take(",") else { throw problem(isObject ? "“,” or “}” is expected" : "“,” or “]” is expected") }
            }
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: _ = try number()
        }
    }

    /// Passes a text; its bytes need not be UTF-8, because nothing of it is kept.
    private mutating func skipString() throws(Diagnostic) {
        index += 1
        while true {
            try fill()
            guard let end = passText() else {
                if pieces == nil { throw problem("a text is not closed") }
                continue
            }
            switch bytes[end] {
            case UInt8(ascii: "\""):
                index += 1
                return
            case UInt8(ascii: "\\"): _ = try escape()
            default: throw problem("a control character must be escaped in a text")
            }
        }
    }

    /// Passes characters of a text up to a quote, a backslash or a control character; nil at the end of the current part.
    private mutating func passText() -> Int? {
        let (start, more) = bytes.withUnsafeBufferPointer { buffer -> (Int, Int) in
            var (position, continuations) = (index, 0)
            while position < buffer.count {
                let byte = buffer[position]
                if byte == 0x22 || byte == 0x5c || byte < 0x20 { break }
                if byte & 0xc0 == 0x80 { continuations += 1 }
                position += 1
            }
            return (position, continuations)
        }
        (index, continuations) = (start, continuations + more)
        // Escapes need the bytes after them.
        return index < bytes.count && (pieces == nil || bytes.count - index >= 16) ? index : nil
    }
}

/// The places of strings in parts of JSON between which an exported text has values of variables.
enum JSONQuotes {
    /// Whether a position is inside a JSON string after a text.
    static func isInString(after text: String, from start: Bool) -> Bool {
        var isInString = start
        var isEscaped = false
        for byte in text.utf8 {
            if isEscaped {
                isEscaped = false
            } else if isInString, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            }
        }
        return isInString
    }
}
