package import SortieBase

/// Divides the lines of a text into parts with a meaning, for their colours.
///
/// The text may be incomplete or invalid, as it is while it is typed: an unknown part is `text`, and each line of JSON is read alone, because no token has a
/// line break. The kinds are those of `BodyLayout`.
package struct LineColours: Sendable {
    /// A part of a line.
    package struct Part: Hashable, Sendable {
        /// The characters of the line.
        package var range: Range<Int>
        package var kind: BodySpan.Kind
    }

    /// The construct that is open at the end of a line.
    enum State: Hashable, Sendable {
        case none
        /// A comment, a section, an instruction or a block string, up to its end.
        case until(String, BodySpan.Kind)
        /// Inside a tag, after its name.
        case tag
        /// Inside the value of an attribute, up to its quote.
        case value(Character)
    }

    /// The number of lines before a visible one that are read for the construct that it begins in.
    package static let lookBehind = 200

    private let language: TextLanguage
    private var state = State.none
    private var line: [Character] = []
    private var index = 0
    private var parts: [Part] = []

    /// Creates the colours of a text that begins with the next line.
    package init(_ language: TextLanguage) { self.language = language }

    /// The colours for the line at `row`, after reading at most ``lookBehind`` lines before it.
    package init(_ language: TextLanguage, before row: Int, line: (Int) -> [Character]) {
        self.init(language)
        guard language.spansLines else { return }
        for earlier in max(0, row - Self.lookBehind)..<row { _ = parts(of: line(earlier)) }
    }

    /// The parts of the next line, in order and without gaps.
    package mutating func parts(of line: [Character]) -> [Part] {
        (self.line, index, parts) = (line, 0, [])
        switch language {
        case .plain, .yaml: add(.text, to: line.count)
        case .json: while index < line.count { json() }
        case .graphQL: while index < line.count { graphQL() }
        case .xml, .html: while index < line.count { markup() }
        case .form: while index < line.count { form() }
        }
        markTemplates()
        return parts
    }

    private mutating func add(_ kind: BodySpan.Kind, to end: Int) {
        let end = min(end, line.count)
        guard end > index else { return }
        if let last = parts.last, last.kind == kind {
            parts[parts.count - 1].range = last.range.lowerBound..<end
        } else {
            parts.append(Part(range: index..<end, kind: kind))
        }
        index = end
    }

    private func end(while isPart: (Character) -> Bool, from start: Int? = nil) -> Int {
        var end = start ?? index
        while end < line.count, isPart(line[end]) { end += 1 }
        return end
    }

    /// The end of a string in quotes that begins at the index; the end of the line where it is not closed.
    private var stringEnd: Int {
        var end = index + 1
        while end < line.count, line[end] != "\"" { end += line[end] == "\\" ? 2 : 1 }
        return min(line.count, end + 1)
    }

    private func starts(with text: String) -> Bool { line[index...].starts(with: text) }

    // MARK: Languages

    private mutating func json() {
        switch line[index] {
        case "\"":
            let end = stringEnd
            let next = self.end(while: \.isWhitespace, from: end)
            add(next < line.count && line[next] == ":" ? .key : .string, to: end)
        case "{", "}", "[", "]", ":", ",": add(.punctuation, to: index + 1)
        case "-", "0"..."9": add(.number, to: end { $0.isNumber || "+-.eE".contains($0) })
        case _ where line[index].isLetter: addWord(literals: ["true", "false", "null"], other: .text)
        default: add(.text, to: index + 1)
        }
    }

    private mutating func addWord(literals: Set<String>, other: BodySpan.Kind) {
        let end = end(while: \.isWordPart)
        add(literals.contains(String(line[index..<end])) ? .literal : other, to: end)
    }

    private static let graphQLWords: Set<String> = [
        "query", "mutation", "subscription", "fragment", "on", "true", "false", "null",
    ]

    private mutating func graphQL() {
        if continueConstruct() { return }
        switch line[index] {
        case "#": add(.comment, to: line.count)
        case "\"":
            if starts(with: "\"\"\"") { return begin("\"\"\"", .string, length: 3) }
            add(.string, to: stringEnd)
        case "$": add(.attribute, to: end(while: \.isWordPart, from: index + 1))
        case "@": add(.tag, to: end(while: \.isWordPart, from: index + 1))
        case "{", "}", "(", ")", "[", "]", ":", "!", "=", "|", "&", ",", ".": add(.punctuation, to: index + 1)
        case "-", "0"..."9": add(.number, to: end { $0.isNumber || "+-.eE".contains($0) })
        case _ where line[index].isWordPart:
            let next = end(while: \.isWhitespace, from: end(while: \.isWordPart))
            addWord(literals: Self.graphQLWords, other: next < line.count && line[next] == ":" ? .key : .text)
        default: add(.text, to: index + 1)
        }
    }

    private mutating func markup() {
        if continueConstruct() { return }
        switch state {
        case .value(let quote):
            let end = end { $0 != quote }
            if end < line.count { state = .tag }
            add(.string, to: end + 1)
        case .tag: tag()
        case .none, .until:
            if starts(with: "<!--") {
                begin("-->", .comment, length: 4)
            } else if starts(with: "<![CDATA[") {
                begin("]]>", .comment, length: 9)
            } else if starts(with: "<?") {
                begin("?>", .comment, length: 2)
            } else if starts(with: "<!") {
                begin(">", .comment, length: 2)
            } else if line[index] == "<" {
                add(.punctuation, to: index + (starts(with: "</") ? 2 : 1))
                add(.tag, to: end(while: \.isNamePart))
                state = .tag
            } else {
                add(.text, to: end(while: { $0 != "<" }, from: index + 1))
            }
        }
    }

    private mutating func tag() {
        switch line[index] {
        case "\"", "'":
            state = .value(line[index])
            add(.string, to: index + 1)
        case ">", "/", "=":
            if line[index] == ">" { state = .none }
            add(.punctuation, to: index + 1)
        // The tag before was not closed.
        case "<": state = .none
        case _ where line[index].isNamePart: add(.attribute, to: end(while: \.isNamePart))
        default: add(.text, to: index + 1)
        }
    }

    private mutating func form() {
        switch line[index] {
        case "&", "=": add(.punctuation, to: index + 1)
        default:
            let isValue = parts.last?.kind == .punctuation && index > 0 && line[index - 1] == "="
            add(isValue ? .string : .key, to: end { $0 != "&" && (isValue || $0 != "=") })
        }
    }

    // MARK: Constructs

    private mutating func begin(_ end: String, _ kind: BodySpan.Kind, length: Int) {
        add(kind, to: index + length)
        state = .until(end, kind)
        if index < line.count { _ = continueConstruct() }
    }

    /// Continues what an earlier part or line began; false where nothing is open.
    private mutating func continueConstruct() -> Bool {
        guard case .until(let mark, let kind) = state else { return false }
        let length = mark.count
        var end = index
        while end < line.count, !line[end...].starts(with: mark) { end += 1 }
        if end < line.count { state = .none }
        add(kind, to: end + length)
        return true
    }

    /// The places of `{{templates}}`.
    private var templates: [Range<Int>] {
        var found: [Range<Int>] = []
        var start = 0
        while start + 3 < line.count {
            guard line[start] == "{", line[start + 1] == "{" else {
                start += 1
                continue
            }
            var end = start + 2
            while end + 1 < line.count, line[end] != "}" || line[end + 1] != "}" { end += 1 }
            guard end + 1 < line.count else { break }
            found.append(start..<end + 2)
            start = end + 2
        }
        return found
    }

    /// Marks `{{templates}}` in parts of every kind.
    private mutating func markTemplates() {
        var rest = templates[...]
        guard !rest.isEmpty else { return }
        var marked: [Part] = []
        for part in parts {
            var start = part.range.lowerBound
            while let range = rest.first, range.lowerBound < part.range.upperBound {
                if start < range.lowerBound { marked.append(Part(range: start..<range.lowerBound, kind: part.kind)) }
                // A template belongs to the part in which it begins.
                if part.range.contains(range.lowerBound) { marked.append(Part(range: range, kind: .tag)) }
                start = range.upperBound
                if start > part.range.upperBound { break }
                rest.removeFirst()
            }
            if start < part.range.upperBound { marked.append(Part(range: start..<part.range.upperBound, kind: part.kind)) }
        }
        parts = marked
    }
}

extension TextLanguage {
    /// Whether a part can continue on the next line.
    var spansLines: Bool {
        switch self {
        case .xml, .html, .graphQL: true
        case .plain, .json, .form, .yaml: false
        }
    }
}

extension Character {
    /// Whether the character is part of a word of a language.
    fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }

    /// Whether the character is part of the name of an element or an attribute.
    fileprivate var isNamePart: Bool { isWordPart || self == "-" || self == ":" || self == "." }
}
