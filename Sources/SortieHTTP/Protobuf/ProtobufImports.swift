/// The names that a `.proto` file imports, read without a compiler.
package enum ProtobufImports {
    /// The names in the `import` statements of a file, with the notation of strings resolved as the compiler does.
    ///
    /// Of a damaged file more names may be returned than the compiler reads, never fewer.
    package static func names(in text: String) -> [String] {
        var names: [String] = []
        var tokens = Tokens(text)
        var isImport = false
        var name: String?
        while let token = tokens.next() {
            switch token {
            case .string(let text):
                // Strings that follow each other are one.
                if isImport { name = (name ?? "") + text }
            case .word(let word):
                if let found = name { names.append(found) }
                name = nil
                isImport = word == "import" || isImport && ["public", "weak", "option"].contains(word)
            case .other:
                if let found = name { names.append(found) }
                (name, isImport) = (nil, false)
            }
        }
        if let found = name { names.append(found) }
        return names
    }

    private enum Token {
        case word(String)
        case string(String)
        case other
    }

    /// The tokens of the language, without comments and spaces.
    private struct Tokens {
        private var rest: Substring.UnicodeScalarView

        init(_ text: String) { rest = text[...].unicodeScalars }

        mutating func next() -> Token? {
            skip()
            guard let first = rest.popFirst() else { return nil }
            if first == "\"" || first == "'" { return .string(string(until: first)) }
            guard Self.isWord(first) else { return .other }
            var word = String(first)
            while let scalar = rest.first, Self.isWord(scalar) {
                word.unicodeScalars.append(scalar)
                rest.removeFirst()
            }
            return .word(word)
        }

        private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
            scalar == "_" || scalar.isASCII && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar)
        }

        private mutating func skip() {
            while let first = rest.first {
                let second = rest.dropFirst().first
                if first == "/", second == "/" {
                    while let scalar = rest.popFirst(), scalar != "\n" {}
                } else if first == "/", second == "*" {
                    rest.removeFirst(2)
                    while let scalar = rest.popFirst(), scalar != "*" || rest.first != "/" {}
                    _ = rest.popFirst()
                } else if first.properties.isWhitespace || first.value < 0x20 || first == "\u{feff}" {
                    rest.removeFirst()
                } else {
                    return
                }
            }
        }

        private mutating func string(until quote: Unicode.Scalar) -> String {
            var bytes: [UInt8] = []
            while let scalar = rest.popFirst(), scalar != quote, scalar != "\n" {
                guard scalar == "\\", let escaped = rest.popFirst() else {
                    bytes += Array(String(scalar).utf8)
                    continue
                }
                switch escaped {
                case "x", "X": append(digits(2, radix: 16), to: &bytes)
                case "0"..."7": append(String(escaped) + digits(2, radix: 8), radix: 8, to: &bytes)
                case "u": appendScalar(digits(4, radix: 16), to: &bytes)
                case "U": appendScalar(digits(8, radix: 16), to: &bytes)
                default: bytes += Array(String(Self.escapes[escaped] ?? escaped).utf8)
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
            "a": "\u{7}", "b": "\u{8}", "f": "\u{c}", "n": "\n", "r": "\r", "t": "\t", "v": "\u{b}",
        ]

        private mutating func digits(_ count: Int, radix: Int) -> String {
            var digits = ""
            while digits.count < count, let scalar = rest.first, Int(String(scalar), radix: radix) != nil {
                digits.unicodeScalars.append(scalar)
                rest.removeFirst()
            }
            return digits
        }

        private func append(_ digits: String, radix: Int = 16, to bytes: inout [UInt8]) {
            if let value = Int(digits, radix: radix) { bytes.append(UInt8(truncatingIfNeeded: value)) }
        }

        private func appendScalar(_ digits: String, to bytes: inout [UInt8]) {
            guard let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else { return }
            bytes += Array(String(scalar).utf8)
        }
    }
}

/// Why a message, or a schema, of Protocol Buffers cannot be read or written.
package struct ProtobufError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place in the JSON of the message, such as `$.items[2].price`; empty for a schema and for the whole message.
    package private(set) var path: String
    /// What is wrong, without the place.
    package let message: String

    package init(_ message: String, at path: String = "") {
        (self.message, self.path) = (message, path)
    }

    /// The error with its place.
    package var description: String { path.isEmpty || path == "$" ? message : "\(path): \(message)" }

    /// The error of a value inside another one.
    func inside(_ outer: String) -> ProtobufError { ProtobufError(message, at: outer + path) }
}
