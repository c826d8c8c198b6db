internal import SortieBase

/// Finds the values of credentials in a text of any format by the names before them: `name=value`, `"name": "value"`, `Name: value`, the arguments
/// `"name", "value"` of a script, and passwords in URLs.
struct CredentialSearch {
    /// A value of a credential.
    struct Finding: Hashable {
        /// The bytes of the value, without quotes.
        var range: Range<Int>
        /// What the value is.
        var name: String
        /// The line of the value, from 1.
        var line: Int
    }

    /// The findings in order.
    private(set) var findings: [Finding] = []

    private let bytes: [UInt8]
    /// Whether a line can be `Name: value`, as in a file of header fields or settings.
    private let hasLines: Bool
    /// Whether the text is a script, in which a value can be the argument after a name.
    private let hasArguments: Bool

    private static let quotes: Set<UInt8> = [UInt8(ascii: "\""), UInt8(ascii: "'")]

    /// Searches a text.
    ///
    /// - Parameters:
    ///   - hasLines: Whether a line can be `Name: value`, and a name can end in that of a credential (`DB_PASSWORD`), as in files of settings.
    ///   - hasArguments: Whether a value can be the argument after its name, as in scripts.
    init(_ text: String, hasLines: Bool, hasArguments: Bool = false) {
        bytes = Array(text.utf8)
        self.hasLines = hasLines
        self.hasArguments = hasArguments
        var position = 0
        var line = 1
        while position < bytes.count {
            switch bytes[position] {
            case 0x0a: line += 1
            case UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: ","):
                if let (range, name) = password(at: position) ?? value(after: position), range.lowerBound >= findings.last?.range.upperBound ?? 0 {
                    findings.append(Finding(range: range, name: name, line: line))
                }
            default: break
            }
            position += 1
        }
        if hasArguments { addTokens(of: text) }
        if hasLines, text.contains("PRIVATE KEY-----") { findings.append(Finding(range: 0..<bytes.count, name: "private key", line: 1)) }
    }

    /// The text with empty values; nil where nothing was found.
    var blanked: String? { findings.isEmpty ? nil : text(replacingValuesBy: "") }

    /// The text with a replacement of each value.
    func text(replacingValuesBy replacement: String) -> String {
        var result: [UInt8] = []
        var position = 0
        for finding in findings {
            result += bytes[position..<finding.range.lowerBound] + Array(replacement.utf8)
            position = finding.range.upperBound
        }
        return String(decoding: result + bytes[position...], as: UTF8.self)
    }

    // MARK: Places

    /// Adds the tokens that are known by their shape; scripts have them without a name.
    private mutating func addTokens(of text: String) {
        let named = findings
        for token in CredentialValues.findings(in: text) where !named.contains(where: { $0.range.overlaps(token.range) }) {
            let line = bytes[..<token.range.lowerBound].count { $0 == 0x0a } + 1
            findings.append(Finding(range: token.range, name: token.name, line: line))
        }
        findings.sort { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// The password of a URL whose scheme ends at a colon.
    private func password(at colon: Int) -> (Range<Int>, String)? {
        guard bytes[colon] == UInt8(ascii: ":"), bytes[(colon + 1)...].starts(with: "//".utf8) else { return nil }
        let start = colon + 3
        // Templates in the password can have spaces.
        let authority = bytes[start...].prefix { !"/?#\"'<>\\\n".utf8.contains($0) }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")), let separator = authority[..<at].firstIndex(of: UInt8(ascii: ":")) else {
            return nil
        }
        let range = separator + 1..<at
        return isLiteral(range) ? (range, "password of a URL") : nil
    }

    /// The value after `=` or `:` where the name before it is that of a credential.
    private func value(after separator: Int) -> (Range<Int>, String)? {
        let isPair = bytes[separator] == UInt8(ascii: "=")
        let isArgument = bytes[separator] == UInt8(ascii: ",")
        guard !isArgument || hasArguments && hasQuote(after: separator) else { return nil }
        var end = separator
        while end > 0, bytes[end - 1] == 0x20 { end -= 1 }
        let quote = end > 0 && Self.quotes.contains(bytes[end - 1]) ? bytes[end - 1] : nil
        if quote != nil { end -= 1 }
        var start = end
        while start > 0, Self.isNameByte(bytes[start - 1]) { start -= 1 }
        guard start < end else { return nil }
        if let quote {
            guard start > 0, bytes[start - 1] == quote else { return nil }
        } else if !isPair {
            let isMember = hasArguments && hasQuote(after: separator)
            guard !isArgument, isMember || hasLines && beginsLine(start) else { return nil }
        }
        let name = String(decoding: bytes[start..<end], as: UTF8.self)
        let isParameter = isPair && start > 0 && "?&".utf8.contains(bytes[start - 1])
        guard isCredential(name, isParameter: isParameter) else { return nil }
        let range = valueRange(from: separator + 1, isLine: !isPair && quote == nil)
        return isLiteral(range) ? (range, name) : nil
    }

    private func hasQuote(after separator: Int) -> Bool {
        bytes[(separator + 1)...].first { !$0.isSpaceOrTab }.map { Self.quotes.contains($0) } ?? false
    }

    private func valueRange(from separatorEnd: Int, isLine: Bool) -> Range<Int> {
        var start = separatorEnd
        while start < bytes.count, bytes[start].isSpaceOrTab { start += 1 }
        guard start < bytes.count else { return start..<start }
        let quote = bytes[start]
        if Self.quotes.contains(quote) {
            var end = start + 1
            while end < bytes.count, bytes[end] != quote { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
            return start + 1..<min(end, bytes.count)
        }
        let ends: Set<UInt8> = isLine ? [0x0a, 0x0d] : Set("&,;}])\"' \t\r\n".utf8)
        var end = start
        while end < bytes.count, !ends.contains(bytes[end]) {
            // A template can have spaces.
            if bytes[end...].starts(with: "{{".utf8) { return start..<start }
            end += 1
        }
        return start..<end
    }

    // MARK: Names and values

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || "-_.".utf8.contains(byte)
    }

    private func beginsLine(_ start: Int) -> Bool {
        let before = bytes[..<start].reversed().prefix { $0 != 0x0a }
        return before.allSatisfy { $0.isSpaceOrTab || $0 == UInt8(ascii: "-") }
    }

    private func isCredential(_ name: String, isParameter: Bool) -> Bool {
        if CredentialNames.contains(name) || isParameter && CredentialNames.parameters.contains(CredentialNames.plain(name)) { return true }
        return hasLines && CredentialNames.ends(name)
    }

    /// Whether a value is a text that is no template, no name of a variable, and no word of JSON.
    private func isLiteral(_ range: Range<Int>) -> Bool {
        let text = String(decoding: bytes[range], as: UTF8.self)
        guard !text.isEmpty, !text.contains("{{"), !["null", "true", "false"].contains(text), let first = text.first else { return false }
        return !"{[$<".contains(first)
    }
}
