internal import SortieBase
package import WorkspaceModel

/// Text in a resolved request that stands for a value which an export does not contain: the name of an environment variable.
///
/// A placeholder has only lower-case letters and digits, so that no notation of a request changes it: URLs, JSON, header fields. It starts with a mark
/// that is random for each export, so that no text of a workspace or the history can contain a placeholder.
package struct ExportPlaceholder: Sendable {
    /// A piece of a text.
    package enum Piece: Hashable, Sendable {
        case text(String)
        case variable(String)
        /// The value that an earlier step of a run captures, or a column of its data.
        case captured(String)
        /// A value that is different for each request, such as `uuid`.
        case generated(String)
    }

    private static let end = "v7qx"
    private let start: String
    /// The start of a placeholder that consists of digits.
    private let digits: String
    /// Whether placeholders are numbers, which JSON also permits outside quotes, and not words, which are also permitted as hosts.
    private var isNumber = false

    /// Creates placeholders with a mark.
    ///
    /// - Parameter mark: Lower-case letters and digits that occur in no text of the export.
    package init(mark: String) {
        start = "xq" + mark
        digits = "8" + Self.digits(of: mark.utf8)
    }

    /// The same placeholders as numbers.
    var numbers: ExportPlaceholder {
        var copy = self
        copy.isNumber = true
        return copy
    }

    /// Placeholders with a random mark of 64 bits.
    package static func random() -> ExportPlaceholder {
        ExportPlaceholder(mark: HexDigits.text(of: UInt64.random(in: .min ... .max), digits: 16))
    }

    /// The placeholder for an environment variable.
    package func text(_ variable: String) -> String { text(.variable(variable)) }

    /// The placeholder for a value.
    func text(_ piece: Piece) -> String {
        switch piece {
        case .text(let text): text
        case .variable(let name): encoded(name)
        case .captured(let name): encoded("=" + name)
        case .generated(let name): encoded("$" + name)
        }
    }

    private func encoded(_ name: String) -> String {
        if isNumber { return digits + Self.digits(of: [UInt8](Self.three(name.utf8.count).utf8)) + Self.digits(of: name.utf8) }
        return start + HexDigits.text(name.utf8) + Self.end
    }

    /// The text and the variables in a text, in order.
    package func pieces(of text: String) -> [Piece] {
        var result: [Piece] = []
        var rest = text[...]
        while let (range, piece) = next(in: rest) {
            if range.lowerBound > rest.startIndex { result.append(.text(String(rest[..<range.lowerBound]))) }
            result.append(piece)
            rest = rest[range.upperBound...]
        }
        if !rest.isEmpty { result.append(.text(String(rest))) }
        return result
    }

    private func next(in text: Substring) -> (Range<Substring.Index>, Piece)? {
        // A number is searched only before a word, so that a text with many words takes linear time.
        guard let word = word(in: text) else { return number(in: text) }
        return number(in: text[..<word.0.lowerBound]) ?? word
    }

    private func word(in text: Substring) -> (Range<Substring.Index>, Piece)? {
        guard let open = text.firstRange(of: start), let close = text[open.upperBound...].firstRange(of: Self.end),
            let piece = Self.decoded(text[open.upperBound..<close.lowerBound], digits: 2, radix: 16)
        else { return nil }
        return (open.lowerBound..<close.upperBound, piece)
    }

    private func number(in text: Substring) -> (Range<Substring.Index>, Piece)? {
        guard let open = text.firstRange(of: digits) else { return nil }
        let rest = text[open.upperBound...]
        guard let length = Self.bytes(rest.prefix(9), digits: 3, radix: 10).flatMap({ Int(String(decoding: $0, as: UTF8.self)) }),
            let piece = Self.decoded(rest.dropFirst(9).prefix(3 * length), digits: 3, radix: 10)
        else { return nil }
        return (open.lowerBound..<text.index(open.upperBound, offsetBy: 9 + 3 * length), piece)
    }

    /// Bytes as decimal numbers of three digits.
    private static func digits(of bytes: some Sequence<UInt8>) -> String { bytes.map { three(Int($0)) }.joined() }

    private static func three(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 3 - text.count)) + text
    }

    private static func bytes(_ text: Substring, digits: Int, radix: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text
        while !rest.isEmpty {
            guard rest.count >= digits, let byte = UInt8(rest.prefix(digits), radix: radix) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(digits)
        }
        return bytes
    }

    private static func decoded(_ text: Substring, digits: Int, radix: Int) -> Piece? {
        guard let bytes = bytes(text, digits: digits, radix: radix), let name = String(validating: bytes, as: UTF8.self), let first = name.first
        else { return nil }
        switch first {
        case "=": return .captured(String(name.dropFirst()))
        case "$": return .generated(String(name.dropFirst()))
        default: return EnvironmentFile.isVariableName(name) ? .variable(name) : nil
        }
    }
}

extension Expectation {
    /// The names of the parts beside the statuses, the fields and the JSON values.
    var partsBesideStatusAndRows: [String] {
        [
            body.isEmpty ? nil : "body", under == nil ? nil : "under", size == nil ? nil : "size", schema == nil ? nil : "schema",
            snapshot == nil ? nil : "snapshot",
        ].compactMap(\.self)
    }
}

extension RunDefinition.Step {
    /// The variable and the items of a list in the file, for which an exported program has a loop; nil for other loops, and for a variable with the
    /// name of a credential, whose values are not written.
    package var exportedLoop: (variable: String, items: [String])? {
        guard case .forEach(let variable, .list(let items)) = loop, !CredentialNames.contains(variable) else { return nil }
        return (variable, items)
    }
}
