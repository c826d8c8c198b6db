internal import SortieBase
internal import WorkspaceModel

/// The content of a Hurl file: its entries in order, with the places of their lines.
struct HurlFile {
    /// A name and a value as they are written, without comments.
    struct Pair {
        var name: String
        var value: String
        var place: SourceLocation
    }

    /// A body as it is written.
    enum Body {
        /// A JSON value; its templates are in and between its texts.
        case json(String)
        /// XML, or a text between quotation marks; escapes are not resolved.
        case text(String)
        /// A text with the name of its language after the marks.
        case lines(String, language: String)
        /// A text with braces that are no templates, with the name of its language.
        case plain(String, language: String)
        case base64(String), hex(String)
        case file(String)
    }

    /// What follows `HTTP`.
    struct Response {
        /// `1.1` of `HTTP/1.1`; nil for any version.
        var version: String?
        /// The status; nil for any.
        var status: Int?
        var headers: [Pair] = []
        var captures: [Pair] = []
        /// The lines of `[Asserts]`, whose names are empty.
        var asserts: [Pair] = []
        var body: (Body, SourceLocation)?
        var place: SourceLocation
    }

    /// A request with the expected response.
    struct Entry {
        var method: String
        var url: String
        var place: SourceLocation
        /// The comments before the request.
        var comments: [String] = []
        var headers: [Pair] = []
        /// The rows of the sections of the request, by the short name of the section.
        var sections: [String: [Pair]] = [:]
        var body: (Body, SourceLocation)?
        var response: Response?
    }

    var entries: [Entry] = []
    /// The sections that are not known.
    var problems: [(section: String, place: SourceLocation)] = []

    /// The present names of sections with earlier ones.
    static let sections = [
        "QueryStringParams": "Query", "FormParams": "Form", "MultipartFormData": "Multipart", "Query": "Query", "Form": "Form",
        "Multipart": "Multipart",
        "Cookies": "Cookies", "BasicAuth": "BasicAuth", "Options": "Options", "Captures": "Captures", "Asserts": "Asserts",
    ]
}

/// Text of Hurl files.
enum HurlText {
    /// A line up to its comment, which begins with a `#` that no backslash precedes.
    static func withoutComment(_ line: Substring) -> Substring {
        var isEscaped = false
        for index in line.indices {
            if line[index] == "#", !isEscaped { return line[..<index] }
            isEscaped = line[index] == "\\" && !isEscaped
        }
        return line
    }

    /// A text without its escapes: `\n`, `\u{1f600}`, `\#`.
    static func unescaped(_ text: some StringProtocol) -> String {
        guard text.contains("\\") else { return String(text) }
        var result = ""
        var rest = Substring(text)
        while let mark = rest.firstIndex(of: "\\") {
            result += rest[..<mark]
            rest = rest[rest.index(after: mark)...]
            guard let character = rest.popFirst() else { return result + "\\" }
            switch character {
            case "b": result += "\u{8}"
            case "f": result += "\u{c}"
            case "n": result += "\n"
            case "r": result += "\r"
            case "t": result += "\t"
            case "u" where rest.hasPrefix("{"):
                let digits = rest.dropFirst().prefix { $0 != "}" }
                if let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) { result.unicodeScalars.append(scalar) }
                rest = rest.dropFirst(digits.count + 2)
            default: result.append(character)
            }
        }
        return result + rest
    }

    /// A text in which the characters with a meaning in a value of Hurl are escaped.
    static func escaped(_ text: String, quoted: Bool = false) -> String {
        QuotedText.escaped(text, quote: quoted ? "\"" : "#") { scalar in
            scalar.value < 0x20 || scalar.value == 0x7f ? "\\u{\(HexDigits.text(of: scalar.value, digits: 2))}" : nil
        }
    }

    /// A text as the name of a row, which has letters, digits and some marks without an escape.
    static func escapedName(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "_-.@$".unicodeScalars.contains(scalar)
            return isPlain ? String(scalar) : "\\u{\(HexDigits.text(of: scalar.value, digits: 2))}"
        }.joined()
    }

    /// Whether a text is written as a number, a Boolean value or null of JSON.
    static func isLiteral(_ text: String) -> Bool { JSONDecimal(parsing: text) != nil || ["true", "false", "null"].contains(text) }
}

/// Translates the templates of a Hurl file.
struct HurlTemplates {
    /// The steps whose responses variables hold parts of, by the name of the variable.
    var captured: [String: String] = [:]
    /// The variables that are used.
    private(set) var used: Set<String> = []
    private var variables = ForeignVariables()

    /// What is not translated.
    var notes: [ForeignVariables.Note] { variables.notes }

    /// A text with the templates of Sortie; the text outside of them is without escapes where it has some.
    mutating func text(_ written: some StringProtocol, hasEscapes: Bool = true) -> String {
        func literal(_ text: Substring) -> String { Template.quoting(hasEscapes ? HurlText.unescaped(text) : String(text)) }
        var result = ""
        var rest = Substring(written)
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
            result += literal(rest[..<open.lowerBound]) + template(for: rest[open.upperBound..<close.lowerBound].trimmingBlanks)
            rest = rest[close.upperBound...]
        }
        return result + literal(rest)
    }

    private mutating func template(for name: String) -> String {
        switch name {
        case "newUuid": return "{{$uuid}}"
        case "newDate": return "{{$date}}"
        default:
            used.insert(name)
            if let step = captured[name] { return "{{\(step).\(name)}}" }
            return ForeignText.isVariable(name) ? "{{\(name)}}" : variables.prompt(for: name, because: "there is no such value in Sortie")
        }
    }
}
