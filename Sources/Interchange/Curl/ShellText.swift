internal import SortieBase
internal import WorkspaceModel

/// Text of a shell word: bytes, and references to variables whose values are unknown.
///
/// The text is a string so that options can split it. A reference is the name between two private characters (U+F0001, U+F0002), and a byte that is not
/// UTF-8 is the private character U+F0100 + byte. The lexer turns these characters in the input into bytes, so that they are not ambiguous.
enum ShellText {
    /// A part of a word.
    enum Piece: Hashable {
        case byte(UInt8)
        /// A variable by its name, a substitution: a `$` and its words, or a template: a `{` and its bytes in hexadecimal digits.
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
        joined(text, literal: { isRaw ? Template.quoting($0).replacing("{{$braces}}", with: "{{$braces|raw}}") : Template.quoting($0) }) {
            if let name = encodedName($0) { return "{{$env.\(name)}}" }
            if let template = templateText($0) { return template }
            let template = isName($0) ? "{{$env.\($0)}}" : ForeignText.prompt(String($0.dropFirst()))
            return isRaw ? template.replacing("}}", with: "|raw}}") : template
        }
    }

    /// The text for messages.
    static func display(_ text: String) -> String {
        joined(text, literal: { $0 }) {
            templateText($0) ?? (isName($0) ? "$\(encodedName($0) ?? $0)" : "$(\($0.dropFirst().trimmingBlanks))")
        } ?? "(not UTF-8)"
    }

    /// Whether the text of a reference is the name of a variable, not a substitution.
    private static func isName(_ text: String) -> Bool { text.first != "$" }

    /// The reference for a substitution as it is written, such as `$(date)`; it has no characters that divide URLs and options.
    static func substitution(_ text: String) -> Piece {
        .variable("$" + String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : " " }))
    }

    /// The reference for the value of a variable that the shell percent-encodes for a URL.
    static func encoded(_ name: String) -> Piece { .variable("~" + name) }

    /// The reference to a template of the file that contains the command.
    static func reference(to text: String) -> Piece { .variable("{" + HexDigits.text(text.utf8)) }

    /// The template of a reference; nil for other references.
    private static func templateText(_ text: String) -> String? {
        text.first == "{" ? HexDigits.bytes(text.dropFirst()).map { String(decoding: $0, as: UTF8.self) } : nil
    }

    /// The name of a variable whose value the shell percent-encodes; nil for other references.
    private static func encodedName(_ text: String) -> String? { text.first == "~" ? String(text.dropFirst()) : nil }

    /// Whether the text has neither variables nor bytes that are not UTF-8.
    static func isPlain(_ text: String) -> Bool { !text.unicodeScalars.contains { reserved.contains($0.value) } }

    /// Whether the text has references to variables or substitutions; templates, whose values are encoded for their places, are none.
    static func hasVariables(_ text: String) -> Bool {
        !isPlain(text) && pieces(of: text).contains { if case .variable(let name) = $0 { templateText(name) == nil } else { false } }
    }

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

    /// The words of a text that the shell splits at blanks.
    static func fields(of text: String) -> [String] {
        pieces(of: text).split { [.byte(0x20), .byte(0x09), .byte(0x0a)].contains($0) }.map { self.text(of: Array($0)) }
    }

    /// The text with the values of known variables.
    ///
    /// - Parameter budget: The bytes that values may still have, because each variable can have the one before it twice; negative from the first value on
    ///   that has more, whose reference stays.
    static func substituting(_ values: [String: String], in text: String, budget: inout Int) -> String {
        guard !values.isEmpty, !isPlain(text) else { return text }
        return self.text(
            of: pieces(of: text).flatMap { piece in
                guard case .variable(let name) = piece, let value = values[encodedName(name) ?? name] else { return [piece] }
                guard spend(value.utf8.count, of: &budget) else { return [piece] }
                guard encodedName(name) != nil else { return pieces(of: value) }
                guard let known = self.bytes(of: value) else { return [piece] }
                return PercentEncoding.encode(bytes: known, allowed: .unreserved).utf8.map(Piece.byte)
            })
    }

    /// Subtracts a size from a budget; false where it is larger, and from then on.
    static func spend(_ size: Int, of budget: inout Int) -> Bool {
        budget = size <= budget ? budget - size : -1
        return budget >= 0
    }
}

/// The output of `printf` (POSIX.1-2017, printf), as far as it needs no numbers.
enum PrintfText {
    /// The output; nil for a format with other conversions than `%s`, `%b` and `%%`.
    static func text(_ format: String, arguments: [String]) -> String? {
        var result: [ShellText.Piece] = []
        var rest = arguments[...]
        let pieces = ShellText.pieces(of: format)
        var index = 0
        while index < pieces.count {
            guard case .byte(let byte) = pieces[index] else {
                result.append(pieces[index])
                index += 1
                continue
            }
            index += 1
            if byte == UInt8(ascii: "\\") {
                // `\u` of bash depends on the charset, and `\c` ends the output.
                if index < pieces.count, [0x75, 0x55, 0x63].map(ShellText.Piece.byte).contains(pieces[index]) { return nil }
                result.append(.byte(escape(pieces, &index)))
            } else if byte == UInt8(ascii: "%") {
                guard index < pieces.count, case .byte(let kind) = pieces[index] else { return nil }
                index += 1
                switch kind {
                case UInt8(ascii: "%"): result.append(.byte(kind))
                case UInt8(ascii: "s"): result += ShellText.pieces(of: rest.popFirst() ?? "")
                case UInt8(ascii: "b"):
                    guard let text = text((rest.popFirst() ?? "").replacing("%", with: "%%"), arguments: []) else { return nil }
                    result += ShellText.pieces(of: text)
                default: return nil
                }
            } else {
                result.append(.byte(byte))
            }
        }
        // A format is repeated for further arguments, which a request does not need.
        return rest.isEmpty ? ShellText.text(of: result) : nil
    }

    private static func escape(_ pieces: [ShellText.Piece], _ index: inout Int) -> UInt8 {
        guard index < pieces.count, case .byte(let next) = pieces[index] else { return UInt8(ascii: "\\") }
        let known: [UInt8: UInt8] = [
            0x6e: 0x0a, 0x74: 0x09, 0x72: 0x0d, 0x61: 0x07, 0x62: 0x08, 0x66: 0x0c, 0x76: 0x0b, 0x5c: 0x5c, 0x22: 0x22, 0x27: 0x27,
        ]
        if let value = known[next] {
            index += 1
            return value
        }
        if next == UInt8(ascii: "x") {
            var digits = ""
            while digits.count < 2, index + 1 < pieces.count, case .byte(let digit) = pieces[index + 1], Character(Unicode.Scalar(digit)).isHexDigit {
                digits.unicodeScalars.append(Unicode.Scalar(digit))
                index += 1
            }
            if let value = UInt8(digits, radix: 16) {
                index += 1
                return value
            }
        }
        var value = 0
        var count = 0
        while count < 3, index < pieces.count, case .byte(let digit) = pieces[index], (0x30...0x37).contains(digit) {
            value = value * 8 + Int(digit - 0x30)
            index += 1
            count += 1
        }
        return count == 0 ? UInt8(ascii: "\\") : UInt8(truncatingIfNeeded: value)
    }
}

/// How the value of a shell variable is written at its place in a request; the raw value is the name of a function of the script.
///
/// curl has no option that sends the bytes of Sortie: `--data-urlencode` and `--url-query` write a space as `+`, and encode no part of a path.
enum ShellEncoding: String, CaseIterable {
    /// Unchanged.
    case plain
    /// Percent-encoded, in a URL.
    case url = "urlencode"
    /// In a form.
    case form = "formencode"
    /// In a string of JSON.
    case json = "jsonescape"
    /// In XML.
    case xml = "xmlescape"
    /// Between the double quotes of `-F`.
    case part = "partescape"

    /// The expansion of a variable as a part of a word.
    func expansion(of variable: String) -> String { self == .plain ? "\"$\(variable)\"" : "\"$(\(rawValue) \"$\(variable)\")\"" }

    /// The definition of the function; nil for values that are not changed.
    ///
    /// In the C locale, awk reads bytes.
    var definition: String? {
        rule.map { rule in
            #"\#(rawValue)() { LC_ALL=C awk 'BEGIN { for (n = 1; n < 256; n++) { c = sprintf("%c", n); to[c] = \#(rule) } "#
                + #"for (n = 1; n <= length(ARGV[1]); n++) printf "%s", to[substr(ARGV[1], n, 1)] }' "$1"; }"#
        }
    }

    /// An expression of awk for the text in place of the byte `n`, the character `c`.
    private var rule: String? {
        switch self {
        case .plain: nil
        case .url: #"c ~ /[0-9A-Za-z._~-]/ ? c : sprintf("%%%02X", n)"#
        case .form: #"n == 32 ? "+" : c ~ /[0-9A-Za-z._*-]/ ? c : sprintf("%%%02X", n)"#
        case .json:
            #"n == 9 ? "\\t" : n == 10 ? "\\n" : n == 13 ? "\\r" : n < 32 ? sprintf("\\u%04x", n) : n == 34 || n == 92 ? "\\" c : c"#
        case .xml:
            ##"n == 13 ? "&#13;" : n == 34 ? "&quot;" : n == 38 ? "&amp;" : n == 39 ? "&apos;" : n == 60 ? "&lt;" : n == 62 ? "&gt;" : c"##
        case .part: #"n == 34 || n == 92 ? "\\" c : c"#
        }
    }

    /// The encoding of each piece of a text that has this notation; a value outside the quotes of JSON is not changed.
    ///
    /// - Parameter raw: The names of variables that are not changed.
    func encodings(of pieces: [ExportPlaceholder.Piece], raw: Set<String> = []) -> [ShellEncoding] {
        var position = JSONStringPosition()
        return pieces.map { piece in
            switch piece {
            case .text(let text):
                if self == .json { position.read(text) }
                return .plain
            case .variable(let name) where raw.contains(name): return .plain
            case .variable, .captured, .generated: return self == .json && !position.isInString ? .plain : self
            }
        }
    }
}
