internal import SortieBase

/// A part of a capture or an assert: a word, or a value.
enum HurlToken: Hashable {
    case word(String)
    /// A text between quotation marks as it is written; `isRaw` for one between backquotes, which has no escapes.
    case string(String, isRaw: Bool)
    case pattern(String)
    case number(String)
    /// `{{name}}`.
    case template(String)
    /// `hex,…;`, `base64,…;` or `file,…;`.
    case bytes(String)

    /// The tokens of a line; nil where a text does not end.
    static func tokens(_ line: String) -> [HurlToken]? {
        var result: [HurlToken] = []
        var rest = line[...]
        while let first = rest.first {
            switch first {
            case _ where first.isWhitespace: rest.removeFirst()
            case "#": return result
            case "`":
                let mark = rest.hasPrefix("```") ? "```" : "`"
                rest = rest.dropFirst(mark.count)
                guard let end = rest.firstRange(of: mark) else { return nil }
                var text = rest[..<end.lowerBound]
                // A text of several lines begins after the line with its marks.
                if let line = text.firstIndex(where: \.isNewline), text[..<line].allSatisfy({ $0.isLetter || $0.isWhitespace }) {
                    text = text[text.index(after: line)...]
                }
                result.append(.string(String(text), isRaw: true))
                rest = rest[end.upperBound...]
            case "\"", "/":
                guard let end = Self.end(of: rest, at: first) else { return nil }
                let text = String(rest[rest.index(after: rest.startIndex)..<end])
                result.append(first == "/" ? .pattern(text.replacing("\\/", with: "/")) : .string(text, isRaw: false))
                rest = rest[rest.index(after: end)...]
            case "{":
                guard rest.hasPrefix("{{"), let end = rest.firstRange(of: "}}") else { return nil }
                result.append(.template(rest[..<end.lowerBound].dropFirst(2).trimmingBlanks))
                rest = rest[end.upperBound...]
            default:
                let word = rest.prefix { !$0.isWhitespace && $0 != "#" }
                if ["hex,", "base64,", "file,"].contains(where: word.hasPrefix) {
                    guard let end = rest.firstIndex(of: ";") else { return nil }
                    result.append(.bytes(String(rest[..<end])))
                    rest = rest[rest.index(after: end)...]
                    continue
                }
                result.append(JSONDecimal(parsing: String(word)) == nil ? .word(String(word)) : .number(String(word)))
                rest = rest.dropFirst(word.count)
            }
        }
        return result
    }

    /// The end of a text that a mark begins, before which a backslash escapes a character.
    private static func end(of text: Substring, at mark: Character) -> Substring.Index? {
        var isEscaped = false
        for index in text.indices.dropFirst() {
            if text[index] == mark, !isEscaped { return index }
            isEscaped = text[index] == "\\" && !isEscaped
        }
        return nil
    }
}

/// The value that a capture or an assert takes from a response, as far as Sortie can take it.
struct HurlQuery {
    /// What the value is taken from.
    enum Subject: Hashable {
        case status, duration, size, text
        case header(String)
        case json(JSONPath)
        case cookie(String, attribute: String?)
    }

    /// Why a query has no counterpart.
    struct Refusal: Error {
        var reason: String

        init(_ reason: String) { self.reason = reason }
    }

    private(set) var subject: Subject
    /// Whether the number of values is compared instead of the value.
    private(set) var isCount = false
    /// Whether the value is converted, so that its type is not compared.
    private(set) var isConverted = false

    private static let filters: Set<String> = [
        "base64Decode", "base64Encode", "base64UrlSafeDecode", "base64UrlSafeEncode", "charsetDecode", "count", "dateFormat", "daysAfterNow",
        "daysBeforeNow", "decode", "first", "format", "htmlEscape", "htmlUnescape", "jsonpath", "last", "location", "nth", "regex", "replace",
        "replaceRegex", "split", "toDate", "toFloat", "toHex", "toInt", "toString", "urlDecode", "urlEncode", "urlQueryParam", "utf8Decode",
        "utf8Encode", "xpath",
    ]

    /// Reads a query and its filters from the beginning of a line's tokens, which are removed.
    init(_ tokens: inout ArraySlice<HurlToken>) throws(Refusal) {
        guard case .word(let word)? = tokens.popFirst() else { throw Refusal("it begins with no query") }
        func argument() throws(Refusal) -> String {
            switch tokens.popFirst() {
            case .string(let text, isRaw: true)?, .pattern(let text)?: return text
            case .string(let text, isRaw: false)?: return HurlText.unescaped(text)
            default: throw Refusal("\(word) has no text after it")
            }
        }
        switch word {
        case "status": subject = .status
        case "duration": subject = .duration
        case "bytes": subject = .size
        case "body": subject = .text
        case "header": subject = .header(try argument())
        case "cookie":
            let name = try argument()
            let parts = name.split(separator: "[", maxSplits: 1)
            let attribute = parts.count == 2 ? parts[1].prefix { $0 != "]" }.trimmingBlanks : nil
            subject = .cookie(parts.first.map(String.init) ?? "", attribute: attribute == "Value" ? nil : attribute)
        case "jsonpath":
            let text = try argument()
            if text.contains("{{") { throw Refusal("a JSON path with a variable cannot be resolved") }
            do { subject = .json(try JSONPath(text)) } catch { throw Refusal("\(error)") }
        default: throw Refusal("\(word) has no counterpart")
        }
        while case .word(let filter)? = tokens.first, Self.filters.contains(filter) {
            tokens.removeFirst()
            switch (filter, subject) {
            case ("count", .json), ("count", .size): isCount = true
            case ("toInt", _), ("toFloat", _), ("toString", _): isConverted = true
            case ("nth", .json(let path)), ("first", .json(let path)), ("last", .json(let path)):
                var index = filter == "last" ? -1 : 0
                if filter == "nth" {
                    guard case .number(let text)? = tokens.popFirst(), let number = Int(text) else { throw Refusal("nth has no number after it") }
                    index = number
                }
                guard path.isSingular else { throw Refusal("\(filter) of a path that selects several values has no counterpart") }
                subject = .json(path.appending(.index(index)))
            default: throw Refusal("the filter \(filter) has no counterpart")
            }
        }
    }
}
