internal import SortieBase

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
