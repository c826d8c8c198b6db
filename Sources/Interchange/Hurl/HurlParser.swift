internal import SortieBase
internal import SortieHTTP

/// Reads Hurl files (https://hurl.dev/docs/grammar.html).
struct HurlParser {
    private let file: String
    private let lines: [Substring]
    private var index = 0
    private var comments: [String] = []
    private var result = HurlFile()

    /// The content of a file.
    ///
    /// - Throws: A diagnostic with the place of the first line that is not understood.
    static func file(_ text: String, named file: String) throws(Diagnostic) -> HurlFile {
        var parser = HurlParser(text, file)
        while let line = parser.next() {
            guard let request = requestLine(line) else {
                throw Diagnostic(parser.place(), "this is no request; write a method and a URL, such as GET https://example.org")
            }
            try parser.readEntry(request)
        }
        return parser.result
    }

    private init(_ text: String, _ file: String) {
        self.file = file
        lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }

    private func place() -> SourceLocation { SourceLocation(file: file, line: index + 1) }

    /// The next line with content, which is the current one then, without blanks around it; comments before it are kept.
    private mutating func next() -> Substring? {
        while index < lines.count {
            let line = lines[index].drop(while: \.isSpaceOrTab)
            if line.hasPrefix("#") {
                comments.append(line.drop { $0 == "#" }.trimmingBlanks)
            } else if !line.allSatisfy(\.isWhitespace) {
                return Substring(line.trimmingBlanks)
            } else {
                comments = []
            }
            index += 1
        }
        return nil
    }

    /// The method and the URL of a line; nil for another line.
    private static func requestLine(_ line: Substring) -> (method: String, url: String)? {
        let method = line.prefix { $0.isASCII && $0.isUppercase }
        let rest = line[method.endIndex...]
        guard !method.isEmpty, rest.first?.isSpaceOrTab == true, responseLine(line) == nil else { return nil }
        let url = HurlText.withoutComment(rest).trimmingBlanks
        // A response with another status than a number, which Hurl refuses.
        if method == "HTTP", !rest.contains("/"), !rest.contains("{") { return nil }
        // A field such as `A : b` has its colon after the name.
        return url.isEmpty || url.hasPrefix(":") ? nil : (String(method), url)
    }

    /// The version and the status of a line; nil for another line.
    private static func responseLine(_ line: Substring) -> (version: String?, status: Int?)? {
        let words = HurlText.withoutComment(line).split(whereSeparator: \.isWhitespace)
        guard words.count >= 2, words[0] == "HTTP" || words[0].hasPrefix("HTTP/"), words[1] == "*" || Int(words[1]) != nil else { return nil }
        let version = words[0].dropFirst("HTTP/".count)
        return (version.isEmpty || version == "*" ? nil : String(version), Int(words[1]))
    }

    /// The name in a line `[Name]`; nil for another line.
    private static func section(_ line: Substring) -> String? {
        let text = HurlText.withoutComment(line).trimmingBlanks
        guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
        let name = text.dropFirst().dropLast()
        return name.first?.isUppercase == true && name.allSatisfy(\.isLetter) ? String(name) : nil
    }

    private func beginsEntry(_ line: Substring) -> Bool { Self.requestLine(line) != nil || Self.responseLine(line) != nil }

    // MARK: Entries

    private mutating func readEntry(_ request: (method: String, url: String)) throws(Diagnostic) {
        var entry = HurlFile.Entry(method: request.method, url: request.url, place: place(), comments: comments)
        index += 1
        comments = []
        entry.headers = rows()
        entry.body = try readSections { section, rows in entry.sections[section, default: []] += rows }
        if let line = next(), let (version, status) = Self.responseLine(line) {
            var response = HurlFile.Response(version: version, status: status, place: place())
            index += 1
            comments = []
            response.headers = rows()
            response.body = try readSections { section, rows in
                if section == "Captures" { response.captures += rows } else { response.asserts += rows }
            }
            entry.response = response
        }
        result.entries.append(entry)
    }

    /// Reads sections, and the body after them.
    private mutating func readSections(_ add: (String, [HurlFile.Pair]) -> Void) throws(Diagnostic) -> (HurlFile.Body, SourceLocation)? {
        while let line = next(), !beginsEntry(line) {
            let here = place()
            guard let section = Self.section(line) else { return (try body(line), here) }
            index += 1
            guard let name = HurlFile.sections[section] else {
                result.problems.append((section, here))
                _ = rows()
                continue
            }
            add(name, name == "Asserts" ? try assertions() : rows())
        }
        return nil
    }

    /// The rows `name: value` from here on.
    private mutating func rows() -> [HurlFile.Pair] {
        var rows: [HurlFile.Pair] = []
        while let line = next(), !beginsEntry(line), Self.section(line) == nil, let row = row(line) {
            rows.append(row)
            index += 1
        }
        return rows
    }

    /// The row of a line, `name: value`, or `name;` for an empty field; nil for another line.
    private func row(_ line: Substring) -> HurlFile.Pair? {
        let plain = HurlText.withoutComment(line).trimmingBlanks
        if plain.hasSuffix(";"), Token.isValid(String(plain.dropLast())) { return .init(name: String(plain.dropLast()), value: "", place: place()) }
        guard let colon = Self.colon(in: line) else { return nil }
        let value = HurlText.withoutComment(line[line.index(after: colon)...]).trimmingBlanks
        return .init(name: line[..<colon].trimmingBlanks, value: value, place: place())
    }

    /// The colon after the name of a row; nil for a line that is none.
    private static func colon(in line: Substring) -> Substring.Index? {
        if ["`", "\"", "["].contains(line.first) || line.hasPrefix("<") || line.hasPrefix("{") && !line.hasPrefix("{{") { return nil }
        var rest = line
        while let first = rest.first {
            if rest.hasPrefix("{{"), let end = rest.firstRange(of: "}}") {
                rest = rest[end.upperBound...]
                continue
            }
            switch first {
            case ":": return rest.startIndex
            // Blanks are permitted between the name and its colon only.
            case " ", "\t": return rest.drop(while: \.isSpaceOrTab).first == ":" ? rest.firstIndex(of: ":") : nil
            case ",", ";": return nil
            case "\\": rest = rest.dropFirst(2)
            default: rest = rest.dropFirst()
            }
        }
        return nil
    }

    /// The lines of `[Asserts]`; a value between three backquotes has several.
    private mutating func assertions() throws(Diagnostic) -> [HurlFile.Pair] {
        var rows: [HurlFile.Pair] = []
        while let line = next(), !beginsEntry(line), Self.section(line) == nil, line.first?.isLowercase == true {
            let here = place()
            var text = String(line)
            if let mark = text.firstRange(of: "```"), text[mark.upperBound...].firstRange(of: "```") == nil {
                repeat {
                    index += 1
                    guard index < lines.count else { throw Diagnostic(here, "the text does not end; write ``` after it") }
                    text += "\n" + lines[index]
                } while !lines[index].contains("```")
            }
            rows.append(.init(name: "", value: text, place: here))
            index += 1
        }
        return rows
    }

    // MARK: Bodies

    private mutating func body(_ line: Substring) throws(Diagnostic) -> HurlFile.Body {
        let here = place()
        if line.hasPrefix("```") { return try multiline(line, here) }
        if line.hasPrefix("`") {
            guard let end = line.dropFirst().lastIndex(of: "`") else { throw Diagnostic(here, "the text does not end; write ` after it") }
            index += 1
            return .text(String(line[line.index(after: line.startIndex)..<end]))
        }
        for (word, make) in [("base64,", HurlFile.Body.base64), ("hex,", HurlFile.Body.hex), ("file,", HurlFile.Body.file)] where line.hasPrefix(word)
        {
            var text = String(line.dropFirst(word.count))
            while !text.contains(";") {
                index += 1
                guard index < lines.count else { throw Diagnostic(here, "\(word) has no end; write ; after it") }
                text += lines[index]
            }
            index += 1
            return make(text.prefix { $0 != ";" }.trimmingBlanks)
        }
        if line.hasPrefix("<") { return .text(document()) }
        guard let first = line.first, "{[\"".contains(first) || ImportedBody.isJSON(HurlText.withoutComment(line).trimmingBlanks) else {
            throw Diagnostic(here, "this is neither a row nor a body; write NAME: value, or a text between ``` and ```")
        }
        return .json(try json(here))
    }

    private mutating func multiline(_ line: Substring, _ here: SourceLocation) throws(Diagnostic) -> HurlFile.Body {
        let first = line.dropFirst(3)
        if let end = first.firstRange(of: "```") {
            index += 1
            return .text(String(first[..<end.lowerBound]))
        }
        var text = ""
        while true {
            index += 1
            guard index < lines.count else { throw Diagnostic(here, "the text does not end; write ``` after it") }
            if let end = lines[index].firstRange(of: "```") {
                text += lines[index][..<end.lowerBound]
                index += 1
                return Self.body(of: text, words: first.split(separator: ",").map(\.trimmingBlanks))
            }
            text += lines[index] + "\n"
        }
    }

    /// The body of a text between marks.
    ///
    /// - Parameter words: The language and the attributes after the first mark.
    private static func body(of text: String, words: [String]) -> HurlFile.Body {
        let language = words.first { !["escape", "novariable"].contains($0) } ?? ""
        let text = words.contains("escape") ? HurlText.unescaped(text) : text
        return words.contains("novariable") && text.contains("{{") ? .plain(text, language: language) : .lines(text, language: language)
    }

    /// XML up to the next entry.
    private mutating func document() -> String {
        var text: [Substring] = []
        while index < lines.count, !beginsEntry(Substring(lines[index].trimmingBlanks)) {
            text.append(lines[index])
            index += 1
        }
        while let last = text.last, last.allSatisfy(\.isWhitespace) || last.hasPrefix("#") { text.removeLast() }
        return text.joined(separator: "\n")
    }

    /// A JSON value up to its end.
    private mutating func json(_ here: SourceLocation) throws(Diagnostic) -> String {
        var (text, depth, isText, isEscaped) = ("", 0, false, false)
        while index < lines.count {
            for character in lines[index] {
                switch character {
                case "\"" where !isEscaped: isText.toggle()
                case "{", "[": if !isText { depth += 1 }
                case "}", "]": if !isText { depth -= 1 }
                default: break
                }
                isEscaped = isText && character == "\\" && !isEscaped
            }
            text += (text.isEmpty ? "" : "\n") + lines[index]
            index += 1
            if depth <= 0, !isText { return text.trimmingBlanks }
        }
        throw Diagnostic(here, "the JSON value does not end")
    }
}
