import SortieBase

private let words = ["{", "}", "[", "]", "\"", ":", ",", "true", "false", "null", "-0", "1e9", "\\u00e9", "\\ud83d\\ude00", "\u{FEFF}"]

let jsonTargets: [FuzzTarget] = [
    FuzzTarget("json", corpora: ["json"], words: words) { input in
        let value = try? JSONValue(parsing: input.bytes)
        if let value {
            try requireEqual(JSONValue(parsing: value.text), value, "the value of its text")
            try requireEqual(JSONValue(parsing: value.compactText), value, "the value of its compact text")
        }
        guard String(validating: input.bytes, as: UTF8.self) != nil, let isValid = PlainJSON.isValid(Array(FileText.withoutMark(input.bytes))) else {
            return
        }
        try requireEqual(value != nil, isValid, "whether it is JSON")
        try requireEqual(JSONText.problem(in: BodyBytes(input.bytes)) == nil, isValid, "whether the tokenizer finds no problem")
        try requireEqual((try? SourceJSON.node(parsing: input.bytes, file: "f")) != nil, isValid, "whether it has nodes")
    },
    FuzzTarget("json-pieces", corpora: ["json"], words: words) { input in
        for allowsManyValues in [false, true] {
            let whole = tokenized([input.bytes.count], input.bytes, allowsManyValues)
            var end = 0
            let limits = FuzzInput.pieces(input.bytes).map { piece in
                end += piece.count
                return end
            }
            try requireEqual(tokenized(limits + [end], input.bytes, allowsManyValues), whole, "the end of the tokenizer")
        }
    },
    FuzzTarget("json-path", words: ["$", "..", "[*]", "[?", "@.", "==", "&&", "||", "length(", "match(@,", "[1:2:-1]", "'", "\"", "\n", "{\"a\":"]) {
        input in
        let (line, rest) = input.headed
        guard let path = try? JSONPath(line) else { return }
        try requireEqual(JSONPath(path.description).description, path.description, "the text of a path")
        guard let value = try? JSONValue(parsing: rest) else { return }
        let values = try? path.values(in: value, limit: 10_000)
        if path.isSingular, let values { try require(values.count <= 1, "a singular path has \(values.count) values") }
    },
    FuzzTarget("json-query", words: ["|", ".[]", "..", "select(", "map(", "sort_by(", "group_by(", "keys", "length", "to_entries", "\n", "{\"a\":"]) {
        input in
        let (line, rest) = input.headed
        guard let query = try? JSONQuery(line) else { return }
        var written = 0
        try rest.withUnsafeBytes { bytes in
            do throws(JSONEvaluationError) {
                try query.run(on: bytes, hasManyValues: true, memoryLimit: 1 << 20, isStopped: { written > 1 << 20 }) {
                    (piece, _) throws(JSONEvaluationError) in
                    written += piece.count
                    if written > 1 << 20 { throw .stopped }
                }
            } catch {}
            try require(written <= 1 << 21, "a result of \(written) bytes")
        }
    },
    FuzzTarget(
        "json-schema", corpora: ["json-schema"], words: ["\"$ref\"", "\"#/\"", "\"type\"", "\"pattern\"", "\"allOf\"", "\"not\"", "\"items\"", "\n"]
    ) { input in
        let (line, rest) = input.headed
        guard let schema = try? JSONSchema(parsing: line), let value = try? JSONValue(parsing: rest) else { return }
        guard let failures = try? schema.failures(in: value) else { return }
        try require(failures.count <= 20, "\(failures.count) failures")
        for failure in failures { _ = failure.description }
    },
    FuzzTarget("pattern", longest: 512, words: ["(?:", "(?i)", "[^", "]", "{2,3}", "*?", "\\b", "\\d", "\\p{L}", "|", "^", "$", "\n"]) { input in
        let (line, rest) = input.headed
        let text = String(decoding: rest, as: UTF8.self)
        var steps = 200_000
        if let pattern = try? TextPattern(line) {
            let isFound = try? pattern.isFound(in: text, steps: &steps)
            try requireEqual(try? pattern.isFound(in: text, steps: &steps), isFound, "the result of a second search")
        }
        steps = 10_000_000
        try require(TextPattern(TextPattern.escaped(text)).isFound(in: "<\(text)>", steps: &steps), "an escaped text is not found in itself")
    },
    FuzzTarget("condition", words: ["== ", "!= ", "< ", "matches ", "one of ", "is ", "contains ", "not ", "{{x}}", "\n"]) { input in
        let (line, rest) = input.headed
        guard let condition = try? Condition(line) else { return }
        try requireEqual(Condition(condition.text), condition, "the condition of its text")
        _ = try? condition.holds(for: JSONValue(parsing: rest))
    },
]

/// How the tokenizer ends when the body arrives up to each of some limits.
private func tokenized(_ limits: [Int], _ bytes: [UInt8], _ allowsManyValues: Bool) -> String {
    var tokenizer = JSONTokenizer(allowsManyValues: allowsManyValues, rowLimit: .max)
    var sink = JSONNullSink()
    return bytes.withUnsafeBytes { buffer in
        do throws(JSONFault) {
            for limit in limits { try tokenizer.advance(over: buffer, limit: limit, isEnd: limit == bytes.count, into: &sink) }
        } catch { return "\(error)" }
        return "\(tokenizer.phase), line \(tokenizer.line), depth \(tokenizer.stack.depth)"
    }
}

/// Decides whether bytes are JSON (RFC 8259) by recursive descent: slow, and simple enough to be compared with.
private struct PlainJSON {
    private var rest: ArraySlice<UInt8>
    private var isTooDeep = false

    /// Whether the bytes are JSON; nil for more levels than the recursion takes.
    static func isValid(_ bytes: [UInt8]) -> Bool? {
        var reader = PlainJSON(rest: bytes[...])
        let isValid = reader.value(depth: 0) && reader.rest.isEmpty
        return reader.isTooDeep ? nil : isValid
    }

    private mutating func skipBlanks() { rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }

    private mutating func take(_ text: StaticString) -> Bool {
        let word = text.withUTF8Buffer { Array($0) }
        guard rest.starts(with: word) else { return false }
        rest = rest.dropFirst(word.count)
        return true
    }

    private mutating func value(depth: Int) -> Bool {
        skipBlanks()
        defer { skipBlanks() }
        isTooDeep = isTooDeep || depth > 400
        switch rest.first {
        case _ where isTooDeep: return false
        case UInt8(ascii: "{"):
            return list("{", "}", depth) {
                $0.skipBlanks()
                guard $0.string() else { return false }
                $0.skipBlanks()
                return $0.take(":")
            }
        case UInt8(ascii: "["): return list("[", "]", depth) { _ in true }
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "t"): return take("true")
        case UInt8(ascii: "f"): return take("false")
        case UInt8(ascii: "n"): return take("null")
        default: return number()
        }
    }

    private mutating func list(_ open: StaticString, _ close: StaticString, _ depth: Int, _ name: (inout PlainJSON) -> Bool) -> Bool {
        guard take(open) else { return false }
        skipBlanks()
        if take(close) { return true }
        repeat {
            guard name(&self), value(depth: depth + 1) else { return false }
        } while take(",")
        return take(close)
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        while let byte = rest.popFirst(), byte >= 0x20 {
            if byte == UInt8(ascii: "\"") { return true }
            guard byte == UInt8(ascii: "\\") else { continue }
            switch rest.popFirst() {
            case UInt8(ascii: "u"):
                guard rest.prefix(4).count == 4, rest.prefix(4).allSatisfy({ ASCII.hexValue($0) != nil }) else { return false }
                rest = rest.dropFirst(4)
            case let escaped?: guard "\"\\/bfnrt".utf8.contains(escaped) else { return false }
            case nil: return false
            }
        }
        return false
    }

    private mutating func digits() -> Bool {
        let count = rest.prefix(while: ASCII.isDigit).count
        rest = rest.dropFirst(count)
        return count > 0
    }

    private mutating func number() -> Bool {
        _ = take("-")
        guard take("0") || digits() else { return false }
        if take("."), !digits() { return false }
        guard take("e") || take("E") else { return true }
        _ = take("+") || take("-")
        return digits()
    }
}
