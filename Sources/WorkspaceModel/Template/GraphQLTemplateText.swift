internal import SortieBase

/// Writes the values of templates into the text of a GraphQL document (GraphQL specification, October 2021, §2).
///
/// The author's text is preserved byte for byte.
enum GraphQLTemplateText {
    /// - Throws: A ``TemplateError`` for a value that would end its string or comment, and outside of them for one that is neither a name nor a value.
    static func text(of pieces: [TemplatePiece]) throws(TemplateError) -> String {
        // A template may be the whole document, such as {{$file query.graphql}}.
        let isWhole = pieces.allSatisfy { if case .text(let text) = $0 { text.allSatisfy(\.isWhitespace) } else { true } }
        var output = ""
        var lexer = Lexer()
        for piece in pieces {
            switch piece {
            case .text(let text):
                lexer.read(text)
                output += text
            case .value(let value, _, isRaw: true): output += value
            case .value(let value, let template, isRaw: false):
                guard !lexer.isInEscape else { throw TemplateError("the backslash before \(template) would change its value; remove it") }
                switch lexer.place {
                case .string: output += JSONText.escaped(value)
                case .blockString:
                    guard !value.contains("\"\"\""), !value.hasSuffix("\""), !value.hasSuffix("\\") else {
                        throw TemplateError("the value of \(template) would end the block string; use a variable of the query")
                    }
                    output += value
                case .comment:
                    guard !value.contains(where: \.isNewline) else { throw TemplateError("the value of \(template) would end the comment") }
                    output += value
                case .document:
                    guard isWhole || isNameOrValue(value) else {
                        throw TemplateError(
                            "\(template) is outside quotes, but its value is neither a name nor one value; use a variable of the query, or write "
                                + "\(template.raw) to insert it as it is")
                    }
                    output += value
                }
            }
        }
        return output
    }

    /// Whether a text is one name, number, string or list of these, without the braces and parentheses that have a meaning in a document.
    private static func isNameOrValue(_ text: String) -> Bool {
        let isName = text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") }
        if isName { return !text.isEmpty }
        do {
            switch try JSONValue(parsing: text) {
            case .null, .bool, .number, .string, .array: return !text.contains("{")
            case .object: return false
            }
        } catch {
            // Not an error: the text is not a value.
            return false
        }
    }

    /// Tracks whether a position of a document is inside a string or a comment.
    private struct Lexer {
        enum Place { case document, comment, string, blockString }

        private(set) var place = Place.document
        /// Whether the last character began an escape of a string.
        private(set) var isInEscape = false

        mutating func read(_ text: String) {
            let bytes = Array(text.utf8)
            let quote = UInt8(ascii: "\"")
            func isTriple(_ index: Int) -> Bool { index + 2 < bytes.count && bytes[index..<index + 3].allSatisfy { $0 == quote } }
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                switch place {
                case .document where byte == UInt8(ascii: "#"): place = .comment
                case .document where byte == quote:
                    place = isTriple(index) ? .blockString : .string
                    if place == .blockString { index += 2 }
                case .comment where byte == 0x0A || byte == 0x0D: place = .document
                case .string where isInEscape: isInEscape = false
                case .string where byte == UInt8(ascii: "\\"): isInEscape = true
                case .string where byte == quote || byte == 0x0A || byte == 0x0D: place = .document
                case .blockString where byte == UInt8(ascii: "\\") && isTriple(index + 1): index += 3
                case .blockString where isTriple(index):
                    place = .document
                    index += 2
                case .document, .comment, .string, .blockString: break
                }
                index += 1
            }
        }
    }
}
