internal import SortieBase

/// Literals and expressions of Python.
enum PythonText {
    /// A string literal in double quotes.
    static func string(_ text: String) -> String {
        let content = QuotedText.escaped(text) { scalar in
            guard ShellQuote.isHidden(scalar) else { return nil }
            let (letter, digits) = scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x10000 ? ("u", 4) : ("U", 8)
            return "\\" + letter + HexDigits.text(of: scalar.value, digits: digits)
        }
        return "\"\(content)\""
    }

    /// An expression of bytes.
    static func bytes(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !text.utf8.allSatisfy({ $0 < 0x80 }) { return "\(string(text)).encode()" }
        var result = "b\""
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""): result += "\\\""
            case UInt8(ascii: "\\"): result += "\\\\"
            case 0x0a: result += "\\n"
            case 0x20...0x7e: result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "\\x" + HexDigits.text(of: byte, digits: 2)
            }
        }
        return result + "\""
    }

    /// An expression of a string in which placeholders are values that are known when the program runs.
    static func expression(_ text: String, _ placeholders: ExportPlaceholder, as notation: CodeNotation = .plain) -> String {
        let pieces = placeholders.pieces(of: text)
        guard !pieces.isEmpty else { return "\"\"" }
        var position = JSONStringPosition()
        return pieces.map { piece in
            if case .text(let text) = piece {
                if notation == .json { position.read(text) }
                return string(text)
            }
            let value = value(piece)
            return switch notation {
            case .plain: value
            case .url: "quote(\(value), safe=\"\")"
            case .form: "quote_plus(\(value))"
            case .json: position.isInString ? "json.dumps(\(value))[1:-1]" : value
            case .xml: "escape(\(value))"
            }
        }.joined(separator: " + ")
    }

    /// An expression of the bytes of a text in UTF-8.
    static func encoded(_ text: String, _ placeholders: ExportPlaceholder, as notation: CodeNotation = .plain) -> String {
        let pieces = placeholders.pieces(of: text)
        if pieces.allSatisfy({ if case .text = $0 { true } else { false } }) { return bytes(Array(text.utf8)) }
        let expression = expression(text, placeholders, as: notation)
        return pieces.count == 1 && !expression.contains(" ") ? "\(expression).encode()" : "(\(expression)).encode()"
    }

    private static func value(_ piece: ExportPlaceholder.Piece) -> String {
        switch piece {
        case .text(let text): return string(text)
        case .variable(let name): return "env(\(string(name)))"
        case .captured(let name): return "values[\(string(name))]"
        case .generated(let name):
            if name == "uuid" { return "str(uuid.uuid4())" }
            if name == "timestamp" { return "str(int(time.time()))" }
            return "str(random.randrange(\(max(1, Int(name.dropFirst("random ".count)) ?? 1_000_000))))"
        }
    }

    /// Identifiers that exported code must not define.
    static let reserved: Set<String> = [
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
        "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
        "with", "yield", "match", "case", "type", "print", "str", "int", "float", "bool", "list", "dict", "set", "bytes", "tuple", "len", "map",
        "next", "iter", "open", "any", "all", "max", "min", "isinstance", "getattr", "range", "env", "main", "values", "json", "os", "sys", "re",
        "ssl", "csv", "time", "uuid", "random", "quote", "quote_plus", "escape", "httpx", "contextlib", "Number", "parsed", "find", "holds",
        "failures", "captured", "read", "row", "response", "client", "stack", "tls", "self", "host", "wait_time", "environment", "task", "tasks",
        "HttpUser", "constant", "weight", "fixed_count", "abstract", "on_start", "on_stop", "run", "start", "stop", "wait", "send", "context",
        "get", "user", "slice", "descendants", "children", "equal", "single", "length", "same", "compares", "matches", "item", "root", "json_text",
        "plain_text", "chain", "steps", "requests", "group", "greenlet",
        "trigger", "full_name", "require", "load", "items", "super", "object", "Steps", "logger", "base_url", "pool_manager", "proxy_url",
    ]
}
