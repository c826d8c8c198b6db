internal import SortieBase

/// The notation of a text that contains templates, which determines how their values are written.
///
/// The author determines the structure of a text. A value fills only its own place and cannot add a member, an element, a path segment or a
/// parameter. `{{name|raw}}` writes a value unchanged.
package enum TemplateNotation: Hashable, Sendable {
    /// Values are written unchanged.
    case text
    /// An absolute URL, or the path of a server with its query (RFC 3986). Values are percent-encoded in user information, path and query, and
    /// validated in scheme and host. A first value that is an absolute URL is the base of the following text.
    case url
    /// The URL of a proxy: like ``url``, but a text without a scheme begins with the user information or the host.
    case proxy
    /// JSON (RFC 8259). Values are escaped inside quotes and must be one JSON value outside. `"{{name|raw}}"` is replaced including its quotes.
    case json
    /// A GraphQL document. Values are escaped inside quotes and must be a name or one value outside.
    case graphQL
    /// An XML property list. Values are escaped as required by XML 1.0.
    case propertyList
    /// The path of a file. A value that does not begin the path cannot lead out of its folder.
    case filePath
    /// A regular expression. The characters of values match literally.
    case pattern

    func text(of pieces: [TemplatePiece]) throws(TemplateError) -> String {
        switch self {
        case .text: TemplateNotation.plain(pieces)
        case .url: try URLTemplateText.text(of: pieces, beginsWithAuthority: false)
        case .proxy: try URLTemplateText.text(of: pieces, beginsWithAuthority: true)
        case .json: try JSONTemplateText.text(of: pieces)
        case .graphQL: try GraphQLTemplateText.text(of: pieces)
        case .propertyList: try PropertyListTemplateText.text(of: pieces)
        case .filePath: try FilePathTemplateText.text(of: pieces)
        case .pattern: TemplateNotation.pattern(pieces)
        }
    }

    private static func plain(_ pieces: [TemplatePiece]) -> String {
        var result = ""
        for piece in pieces {
            switch piece {
            case .text(let text), .value(let text, _, _): result += text
            }
        }
        return result
    }

    private static func pattern(_ pieces: [TemplatePiece]) -> String {
        var result = ""
        for piece in pieces {
            switch piece {
            case .text(let text), .value(let text, _, isRaw: true): result += text
            case .value(let text, _, isRaw: false): result += TextPattern.escaped(text)
            }
        }
        return result
    }
}

/// Writes the values of templates into the path of a file.
enum FilePathTemplateText {
    /// - Throws: A ``TemplateError`` for a value that adds `..` after a folder of the text, and for NUL, which ends a path.
    package static func text(of pieces: [TemplatePiece]) throws(TemplateError) -> String {
        var output = ""
        var values: [(range: Range<Int>, template: Template.Segment)] = []
        for piece in pieces {
            switch piece {
            case .text(let text), .value(let text, _, isRaw: true): output += text
            case .value(let value, let template, isRaw: false):
                guard !value.utf8.contains(0) else {
                    throw TemplateError("the value of \(template) contains a NUL character, which is not allowed in a path", of: template)
                }
                let start = output.utf8.count
                output += value
                if start > 0 { values.append((start..<output.utf8.count, template)) }
            }
        }
        guard !values.isEmpty else { return output }
        var start = 0
        var following = values[...]
        for segment in output.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            let end = start + segment.count
            following = following.drop { $0.range.upperBound < start }
            if segment.elementsEqual("..".utf8), let value = following.first, value.range.lowerBound <= end {
                throw TemplateError(
                    "the value of \(value.template) leads out of the folder; write \(value.template.raw) if this is intended", of: value.template)
            }
            start = end + 1
        }
        return output
    }
}

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
                guard !lexer.isInEscape else {
                    throw TemplateError("the backslash before \(template) would change its value; remove it", of: template)
                }
                switch lexer.place {
                case .string: output += JSONText.escaped(value)
                case .blockString:
                    guard !value.contains("\"\"\""), !value.hasSuffix("\""), !value.hasSuffix("\\") else {
                        throw TemplateError("the value of \(template) would end the block string; use a variable of the query", of: template)
                    }
                    output += value
                case .comment:
                    guard !value.contains(where: \.isLineBreak) else {
                        throw TemplateError("the value of \(template) would end the comment", of: template)
                    }
                    output += value
                case .document:
                    guard isWhole || isNameOrValue(value) else {
                        throw TemplateError(
                            "\(template) is outside quotes, but its value is neither a name nor one value; use a variable of the query, or write "
                                + "\(template.raw) to insert it as it is", of: template)
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

/// Writes the values of templates into JSON text (RFC 8259).
///
/// The author's text is preserved byte for byte.
enum JSONTemplateText {
    /// - Throws: A ``TemplateError`` for a value outside quotes that is not one JSON value, and for a template that continues an escape.
    package static func text(of pieces: [TemplatePiece]) throws(TemplateError) -> String {
        let isWhole = pieces.count == 1
        var output = ""
        var position = JSONStringPosition()
        /// The number of characters of the next text that are already written.
        var skipped = 0
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .text(let text):
                let rest = text.dropFirst(skipped)
                skipped = 0
                position.read(rest)
                output += rest
            case .value(let value, _, isRaw: true):
                if position.isAtStringStart, index + 1 < pieces.count, case .text(let next) = pieces[index + 1], next.hasPrefix("\"") {
                    output.removeLast()
                    skipped = 1
                    position = JSONStringPosition()
                }
                position.passValue()
                output += value
            case .value(let value, let template, isRaw: false):
                guard !position.isInEscape else {
                    throw TemplateError("the backslash before \(template) would change its value; remove it", of: template)
                }
                if position.isInString {
                    output += JSONText.escaped(value)
                    position.passValue()
                } else if isWhole && value.isEmpty || JSONText.problem(in: value) == nil {
                    output += value
                } else {
                    throw TemplateError(
                        "\(template) is outside quotes, but its value is not one JSON value; put quotes around it for a text, or write "
                            + "\(template.raw) to insert it as it is", of: template)
                }
            }
        }
        return output
    }
}

/// Writes the values of templates into the XML text of a property list.
enum PropertyListTemplateText {
    /// - Throws: A ``TemplateError`` for a value with a character that XML 1.0 §2.2 excludes.
    package static func text(of pieces: [TemplatePiece]) throws(TemplateError) -> String {
        var output = ""
        var place = Place()
        func write(_ text: String) {
            place.read(text)
            output += text
        }
        for piece in pieces {
            switch piece {
            case .text(let text), .value(let text, _, isRaw: true): write(text)
            case .value(let value, let template, isRaw: false):
                do throws(XMLText.ForbiddenCharacter) {
                    write(place.isInCDATA ? try XMLText.cdata(value) : try XMLText.escaped(value, quotes: true))
                } catch {
                    throw TemplateError("the value of \(template) contains the character \(error), which XML 1.0 forbids", of: template)
                }
            }
        }
        return output
    }

    /// Tracks whether the end of the text is in a CDATA section (XML 1.0 §2.7), in one pass.
    private struct Place {
        private(set) var isInCDATA = false
        /// The number of bytes of the current state's end delimiter that were matched last.
        private var matched = 0
        private static let start = Array("<![CDATA[".utf8)

        package mutating func read(_ text: String) {
            for byte in text.utf8 {
                if isInCDATA {
                    if byte == UInt8(ascii: "]") {
                        matched += 1
                    } else {
                        if byte == UInt8(ascii: ">"), matched >= 2 { isInCDATA = false }
                        matched = 0
                    }
                } else {
                    matched = byte == Self.start[matched] ? matched + 1 : byte == Self.start[0] ? 1 : 0
                    if matched == Self.start.count { (isInCDATA, matched) = (true, 0) }
                }
            }
        }
    }
}
