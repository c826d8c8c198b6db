internal import WorkspaceModel

/// Text of a shell word: bytes, and references to variables whose values are unknown.
///
/// The text is a string so that options can split it. A reference is the name between two private characters (U+F0001, U+F0002), and a byte that is not
/// UTF-8 is the private character U+F0100 + byte. The lexer turns these characters in the input into bytes, so that they are not ambiguous.
enum ShellText {
    /// A part of a word.
    enum Piece: Hashable {
        case byte(UInt8)
        /// A variable by its name, or a substitution: a `$` and its words.
        case variable(String)
    }

    private static let open: Unicode.Scalar = "\u{F0001}"
    private static let close: Unicode.Scalar = "\u{F0002}"
    private static let firstByte: UInt32 = 0xf0100
    private static let reserved: ClosedRange<UInt32> = 0xf0000...0xf01ff

    /// The text of pieces.
    static func text(of pieces: [Piece]) -> String {
        var result = String.UnicodeScalarView()
        var bytes: [UInt8] = []
        func flush() {
            append(bytes, to: &result)
            bytes = []
        }
        for piece in pieces {
            switch piece {
            case .byte(let byte): bytes.append(byte)
            case .variable(let name):
                flush()
                result.append(open)
                result.append(contentsOf: name.unicodeScalars)
                result.append(close)
            }
        }
        flush()
        return String(result)
    }

    private static func append(_ bytes: [UInt8], to result: inout String.UnicodeScalarView) {
        var rest = bytes[...]
        while let first = rest.first {
            let length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
            let piece = rest.prefix(length)
            if let text = String(validating: piece, as: UTF8.self), let scalar = text.unicodeScalars.first, !reserved.contains(scalar.value) {
                result.append(scalar)
                rest = rest.dropFirst(length)
            } else {
                if let scalar = Unicode.Scalar(firstByte + UInt32(first)) { result.append(scalar) }
                rest = rest.dropFirst()
            }
        }
    }

    /// The pieces of a text.
    static func pieces(of text: String) -> [Piece] {
        var result: [Piece] = []
        var name: String?
        for scalar in text.unicodeScalars {
            switch scalar {
            case open: name = ""
            case close:
                if let name { result.append(.variable(name)) }
                name = nil
            case _ where name != nil: name?.unicodeScalars.append(scalar)
            case _ where scalar.value >= firstByte && reserved.contains(scalar.value):
                result.append(.byte(UInt8(truncatingIfNeeded: scalar.value - firstByte)))
            default: result += String(scalar).utf8.map(Piece.byte)
            }
        }
        return result
    }

    /// The bytes; nil where a variable is unknown.
    static func bytes(of text: String) -> [UInt8]? {
        var result: [UInt8] = []
        for piece in pieces(of: text) {
            guard case .byte(let byte) = piece else { return nil }
            result.append(byte)
        }
        return result
    }

    /// The text as a template, in which variables are those of the environment, and other substitutions are asked for; nil where it is not UTF-8.
    ///
    /// - Parameter isRaw: Whether a value in a URL is not encoded; a shell inserts it before curl reads the URL.
    static func template(_ text: String, isRaw: Bool = false) -> String? {
        joined(text, literal: Template.quoting) {
            let template = isName($0) ? "{{$env.\($0)}}" : ForeignText.question(String($0.dropFirst()))
            return isRaw ? template.replacing("}}", with: "|raw}}") : template
        }
    }

    /// The text for messages.
    static func display(_ text: String) -> String {
        joined(text, literal: { $0 }, variable: { isName($0) ? "$\($0)" : "$(\(ForeignText.trimmed($0.dropFirst())))" }) ?? "(not UTF-8)"
    }

    /// Whether the text of a reference is the name of a variable, not a substitution.
    private static func isName(_ text: String) -> Bool { text.first != "$" }

    /// The reference for a substitution as it is written, such as `$(date)`; it has no characters that divide URLs and options.
    static func substitution(_ text: String) -> Piece {
        .variable("$" + String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : " " }))
    }

    /// Whether the text has neither variables nor bytes that are not UTF-8.
    static func isPlain(_ text: String) -> Bool { !text.unicodeScalars.contains { reserved.contains($0.value) } }

    private static func joined(_ text: String, literal: (String) -> String, variable: (String) -> String) -> String? {
        guard !isPlain(text) else { return literal(text) }
        var result = ""
        var bytes: [UInt8] = []
        for piece in pieces(of: text) {
            switch piece {
            case .byte(let byte): bytes.append(byte)
            case .variable(let name):
                guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
                result += literal(text) + variable(name)
                bytes = []
            }
        }
        guard let rest = String(validating: bytes, as: UTF8.self) else { return nil }
        return result + literal(rest)
    }

    /// The text with the values of known variables.
    static func substituting(_ values: [String: String], in text: String) -> String {
        guard !values.isEmpty, !isPlain(text) else { return text }
        return self.text(
            of: pieces(of: text).flatMap { piece in
                guard case .variable(let name) = piece, let value = values[name] else { return [piece] }
                return pieces(of: value)
            })
    }
}
