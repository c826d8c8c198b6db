/// Functions of texts and numbers.
extension JSONTermEvaluation {
    /// Functions of texts and numbers.
    func callOnText(
        _ function: JSONFunction, _ arguments: [JSONTerm], _ input: Value, _ kind: JSONKind, _ position: Int, _ emit: Emit
    ) throws(JSONEvaluationError) {
        switch function {
        case .tostring: return try emitText(try input.plainText, emit)
        case .tojson: return try emitText(try input.json.text, emit)
        case .tonumber:
            if kind == .number { return try emit(input) }
            guard let number = Double(try text(input, position)) else { throw mismatch("no number is in", input, position) }
            return try emit(.number(number))
        case .floor, .ceil, .round:
            guard let number = try number(input) else { throw mismatch("\(function.rawValue) needs a number, not", input, position) }
            return try emit(.number(function == .floor ? number.rounded(.down) : function == .ceil ? number.rounded(.up) : number.rounded()))
        case .join:
            let separator = try string(arguments[0], input, position)
            var texts: [String] = []
            for child in try children(of: input) {
                let isNull = try child.kind == .null
                let text = isNull ? "" : try child.plainText
                // Before the texts are joined, because the separator may be long.
                try keep(.string(text), separator.utf8.count)
                texts.append(text)
            }
            return try emitText(texts.joined(separator: separator), emit)
        default: break
        }
        let whole = try text(input, position)
        if function == .fromjson {
            let value: JSONValue
            do { value = try JSONValue(parsing: whole) } catch { throw mismatch("no JSON is in", input, position) }
            try keep(Value(value))
            return try emit(Value(value))
        }
        guard let argument = arguments.first else {
            switch function {
            case .ascii_downcase:
                return try emit(.string(String(decoding: whole.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)))
            case .ascii_upcase:
                return try emit(.string(String(decoding: whole.utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }, as: UTF8.self)))
            default:
                var trimmed = whole[...]
                while trimmed.first?.isWhitespace == true { trimmed.removeFirst() }
                while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
                return try emit(.string(String(trimmed)))
            }
        }
        let other = try string(argument, input, position)
        switch function {
        case .startswith: try emit(.bool(whole.utf8.starts(with: other.utf8)))
        case .endswith: try emit(.bool(whole.utf8.reversed().starts(with: other.utf8.reversed())))
        case .ltrimstr: try emit(.string(whole.hasPrefix(other) ? String(whole.dropFirst(other.count)) : whole))
        case .rtrimstr: try emit(.string(whole.hasSuffix(other) && !other.isEmpty ? String(whole.dropLast(other.count)) : whole))
        case .split:
            let parts = other.isEmpty ? whole.map(String.init) : Self.parts(of: whole, separatedBy: other)
            for part in parts { try keep(.string(part)) }
            try emit(.array(parts.map { .string($0) }))
        default:
            let flags = arguments.count > 1 ? try string(arguments[1], input, position) : ""
            try emit(.bool(try isFound(flags.contains("i") ? "(?i)\(other)" : other, in: whole, position)))
        }
    }

    func isFound(_ pattern: String, in text: String, _ position: Int) throws(JSONEvaluationError) -> Bool {
        do throws(PatternError) {
            return try patterns.isFound(pattern, in: text)
        } catch {
            throw .failed("\(error)", position: position + 1)
        }
    }

    func string(_ term: JSONTerm, _ input: Value, _ position: Int) throws(JSONEvaluationError) -> String {
        var found: Value?
        try run(term, input) { (value) throws(JSONEvaluationError) in found = value }
        return try text(found ?? .null, position)
    }

    static func parts(of text: String, separatedBy separator: String) -> [String] {
        var parts: [String] = []
        var rest = Array(text.unicodeScalars)[...]
        let wanted = Array(separator.unicodeScalars)
        var part = String.UnicodeScalarView()
        while let scalar = rest.first {
            if rest.starts(with: wanted) {
                parts.append(String(part))
                part = String.UnicodeScalarView()
                rest = rest.dropFirst(wanted.count)
            } else {
                part.append(scalar)
                rest = rest.dropFirst()
            }
        }
        return parts + [String(part)]
    }
}
