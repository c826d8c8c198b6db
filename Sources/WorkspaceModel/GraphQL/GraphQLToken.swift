/// A token of a GraphQL document (GraphQL specification, October 2021, §2.1.5), or a template in its place.
struct GraphQLToken: Hashable {
    enum Kind: Hashable {
        case name, punctuator, number, string
        /// `{{…}}`, which may stand for any text.
        case template
        case end
    }

    var kind: Kind
    var text: String
    /// The offset of the first character.
    var start: Int
    /// The offset after the last character.
    var end: Int

    /// The tokens of a text, without comments; the last one is ``Kind/end``.
    static func tokens(of text: [Character]) -> [GraphQLToken] {
        var tokens: [GraphQLToken] = []
        var offset = 0
        func add(_ kind: Kind, to end: Int) {
            tokens.append(GraphQLToken(kind: kind, text: String(text[offset..<end]), start: offset, end: end))
            offset = end
        }
        func has(_ word: String, at place: Int) -> Bool { text[min(place, text.count)...].starts(with: word) }
        while offset < text.count {
            let character = text[offset]
            if character.isWhitespace || character == "," || character == "\u{FEFF}" {
                offset += 1
            } else if character == "#" {
                offset = text[offset...].firstIndex(where: \.isNewline) ?? text.count
            } else if has("{{", at: offset) {
                var end = offset + 2
                while end < text.count, !has("}}", at: end) { end += 1 }
                add(.template, to: min(end + 2, text.count))
            } else if has("...", at: offset) {
                add(.punctuator, to: offset + 3)
            } else if has("\"\"\"", at: offset) {
                var end = offset + 3
                while end < text.count, !has("\"\"\"", at: end) { end += has("\\\"\"\"", at: end) ? 4 : 1 }
                add(.string, to: min(end + 3, text.count))
            } else if character == "\"" {
                var end = offset + 1
                while end < text.count, text[end] != "\"", !text[end].isNewline { end += text[end] == "\\" ? 2 : 1 }
                add(.string, to: min(end + 1, text.count))
            } else if isNamePart(character), !character.isNumber {
                add(.name, to: text[offset...].firstIndex { !isNamePart($0) } ?? text.count)
            } else if character.isNumber || character == "-" {
                add(.number, to: text[(offset + 1)...].firstIndex { !(isNamePart($0) || ".+-".contains($0)) } ?? text.count)
            } else {
                add(.punctuator, to: offset + 1)
            }
        }
        tokens.append(GraphQLToken(kind: .end, text: "", start: text.count, end: text.count))
        return tokens
    }

    /// Whether a character may be in a name.
    static func isNamePart(_ character: Character) -> Bool { character == "_" || character.isASCII && (character.isLetter || character.isNumber) }
}
