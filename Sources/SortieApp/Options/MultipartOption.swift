internal import SortieBase

/// The value of `-F`, in the notation of curl: `NAME=VALUE`, `NAME=@FILE` or `NAME=<FILE`, then `;type=…` and `;filename=…`.
///
/// A value in double quotes is taken literally, with `\\` before a quote or a backslash. Any other value ends at the first `;` that a known
/// parameter follows, so that `note=a;b` is sent completely.
struct MultipartOption {
    /// The source of the part's bytes.
    enum Content: Hashable {
        /// The text itself.
        case text(String)
        /// A file that is sent under its name.
        case upload(String)
        /// A file whose bytes are the value of a plain field.
        case contents(String)
    }

    let name: String
    let content: Content
    private(set) var contentType: String?
    private(set) var fileName: String?

    init(_ text: String) throws {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw CommandFailure(.usage, "-F \(text) has no “=”", hint: "write -F name=value")
        }
        name = String(text[..<equals])
        var rest = text[text.index(after: equals)...]
        let mark = rest.first
        let isFile = mark == "@" || mark == "<"
        if isFile { rest = rest.dropFirst() }
        let value: String
        if let quoted = Self.quoted(rest) {
            value = quoted.text
            rest = quoted.rest
        } else {
            let end = Self.endOfValue(in: rest, isFile: isFile)
            value = String(rest[..<end])
            rest = rest[end...]
        }
        content = mark == "@" ? .upload(value) : mark == "<" ? .contents(value) : .text(value)
        try readOptions(rest.dropFirst(), of: text)
    }

    private static let words = ["type=", "filename=", "headers=", "encoder="]

    /// The end of an unquoted value: for a path the first `;`, for a text the first one that a known parameter follows.
    private static func endOfValue(in text: Substring, isFile: Bool) -> Substring.Index {
        var start = text.startIndex
        while let semicolon = text[start...].firstIndex(of: ";") {
            let next = text.index(after: semicolon)
            let word = text[next...].drop { $0 == " " }
            if isFile || words.contains(where: { word.hasPrefix($0) }) { return semicolon }
            start = next
        }
        return text.endIndex
    }

    /// The text in double quotes at the beginning, and the rest; nil where the rest is not an option.
    private static func quoted(_ text: Substring) -> (text: String, rest: Substring)? {
        guard text.first == "\"" else { return nil }
        var result = ""
        var index = text.index(after: text.startIndex)
        while index < text.endIndex {
            let character = text[index]
            let next = text.index(after: index)
            if character == "\\", next < text.endIndex, text[next] == "\"" || text[next] == "\\" {
                result.append(text[next])
                index = text.index(after: next)
            } else if character == "\"" {
                let rest = text[next...].drop { $0 == " " }
                return rest.isEmpty || rest.first == ";" ? (result, rest) : nil
            } else {
                result.append(character)
                index = next
            }
        }
        return nil
    }

    private mutating func readOptions(_ text: Substring, of option: String) throws {
        var rest = text
        while !rest.isEmpty {
            let start = rest.startIndex
            rest = rest.drop { $0 == " " }
            let end = rest.firstIndex { $0 == "=" || $0 == ";" } ?? rest.endIndex
            let word = rest[..<end]
            rest = rest[end...]
            var value: String?
            if rest.first == "=" {
                rest = rest.dropFirst()
                let stop = rest.firstIndex(of: ";") ?? rest.endIndex
                (value, rest) = Self.quoted(rest).map { ($0.text, $0.rest) } ?? (String(rest[..<stop]), rest[stop...])
            }
            let piece = text[start..<rest.startIndex]
            rest = rest.dropFirst()
            switch (word, value) {
            case ("type", let value?): contentType = value
            case ("filename", let value?): fileName = value
            case (_, .some) where contentType != nil && Self.isTypeParameter(word): contentType?.append(";\(piece)")
            default:
                throw CommandFailure(
                    .usage, "-F \(option): “;\(piece)” is neither ;type=… nor ;filename=…", hint: "put a text that contains “;” into double quotes")
            }
        }
    }

    /// Whether a word is the name of a parameter of the media type, such as `charset`, rather than a misspelt or unknown option.
    private static func isTypeParameter(_ word: Substring) -> Bool {
        !words.contains("\(word)=") && Suggestion.nearest(to: String(word), in: ["type", "filename"]) == nil
    }
}
