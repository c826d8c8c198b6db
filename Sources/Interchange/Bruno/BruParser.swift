internal import SortieBase

/// Reads the language of Bruno: blocks `name { … }` and lists `name [ … ]`.
struct BruParser {
    private static let texts: Set<String> = ["body", "tests", "docs", "script", "example"]

    private let file: String
    private let lines: [Substring]
    private var index = 0

    /// The blocks of a file.
    ///
    /// - Throws: A diagnostic with the place of the first error.
    static func blocks(_ text: String, file: String) throws(Diagnostic) -> [BruBlock] {
        var parser = BruParser(text, file)
        return try parser.read()
    }

    private init(_ text: String, _ file: String) {
        self.file = file
        lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }

    private func problem(_ message: String, line: Int? = nil, column: Int = 1) -> Diagnostic {
        Diagnostic(SourceLocation(file: file, line: (line ?? index) + 1, column: column), message)
    }

    private mutating func read() throws(Diagnostic) -> [BruBlock] {
        var blocks: [BruBlock] = []
        while index < lines.count {
            let line = lines[index].trimmingBlanks
            // The color of an environment is no block, and has no meaning here.
            guard !line.isEmpty, !Self.isComment(line), !line.hasPrefix("color:") else {
                index += 1
                continue
            }
            guard let open = line.last, open == "{" || open == "[" || line.hasSuffix("{}") || line.hasSuffix("[]") else {
                throw problem("a block is expected, such as get {")
            }
            let isEmpty = line.hasSuffix("{}") || line.hasSuffix("[]")
            let name = line.dropLast(isEmpty ? 2 : 1).trimmingBlanks
            let isName = !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ":-_.".contains($0)) }
            guard isName else { throw problem("“\(ForeignText.short(name))” is not the name of a block") }
            let start = index
            index += 1
            let place = SourceLocation(file: file, line: start + 1)
            let content: BruBlock.Content
            if isEmpty {
                content = open == "}" ? .pairs([]) : .list([])
            } else if open == "[" {
                content = .list(try list(from: start))
            } else if Self.isText(name) {
                content = .text(try text(from: start))
            } else {
                content = .pairs(try pairs(from: start))
            }
            blocks.append(BruBlock(name: name, content: content, place: place, lines: start + 1..<index + 1))
        }
        return blocks
    }

    /// The rows of lines; none where one is malformed.
    static func rows(_ lines: [Substring]) -> [BruBlock.Pair] {
        var parser = BruParser((lines + ["}"]).joined(separator: "\n"), "")
        do { return try parser.pairs(from: 0) } catch { return [] }
    }

    private static func isText(_ name: String) -> Bool {
        if ["body:form-urlencoded", "body:multipart-form", "body:file", "body:ws", "body:grpc"].contains(name) { return false }
        return texts.contains(name) || name.hasPrefix("body:") || name.hasPrefix("script:")
    }

    /// The lines up to a closing brace at the start of a line, without their indentation.
    private mutating func text(from start: Int) throws(Diagnostic) -> String {
        var result: [Substring] = []
        while index < lines.count {
            let line = lines[index]
            index += 1
            if line.first == "}", line.trimmingBlanks == "}" { return result.joined(separator: "\n") }
            result.append(line.hasPrefix("  ") ? line.dropFirst(2) : line)
        }
        throw problem("this block does not end; write } at the start of a line", line: start)
    }

    private mutating func list(from start: Int) throws(Diagnostic) -> [String] {
        var result: [String] = []
        while index < lines.count {
            let line = lines[index].trimmingBlanks
            index += 1
            if line == "]" { return result }
            if Self.isComment(line) { continue }
            result += line.split(separator: ",").map(\.trimmingBlanks).filter { !$0.isEmpty }
        }
        throw problem("this list does not end; write ]", line: start)
    }

    private mutating func pairs(from start: Int) throws(Diagnostic) -> [BruBlock.Pair] {
        var result: [BruBlock.Pair] = []
        var (summary, first) = (String?.none, Int?.none)
        while index < lines.count {
            let raw = lines[index]
            var line = raw.trimmingBlanks[...]
            if line == "}" {
                index += 1
                return result
            }
            let column = (raw.firstIndex { !$0.isWhitespace }.map { raw.distance(from: raw.startIndex, to: $0) } ?? 0) + 1
            let place = SourceLocation(file: file, line: index + 1, column: column)
            if line.isEmpty || Self.isComment(line) {
                index += 1
                continue
            }
            if Self.isAnnotation(line) {
                first = first ?? index + 1
                summary = try annotation() ?? summary
                continue
            }
            let isEnabled = !line.hasPrefix("~")
            if !isEnabled { line = line.dropFirst() }
            if line.hasPrefix("@") { line = line.dropFirst() }
            guard let (name, written) = Self.row(line) else {
                throw problem("“:” is expected after the name of the row", column: column)
            }
            index += 1
            var value = written
            if value == "[" {
                value = try list(from: index - 1).joined(separator: ",")
            } else if value.hasPrefix("'''") {
                value = try longText(value, from: index - 1)
            } else if let mark = value.ranges(of: Self.description).last, let text = try description(value[mark.upperBound...], from: index - 1) {
                (value, summary) = (value[..<mark.lowerBound].trimmingBlanks, text)
            }
            if summary?.isEmpty == true { summary = nil }
            result.append(
                .init(name: name, value: value, isEnabled: isEnabled, summary: summary, place: place, lines: (first ?? place.line)..<index + 1))
            (summary, first) = (nil, nil)
        }
        throw problem("this block does not end; write }", line: start)
    }

    /// Whether a line outside of texts is a comment.
    static func isComment(_ line: some StringProtocol) -> Bool { line.hasPrefix("#") || line.hasPrefix("//") }

    /// Whether a line begins an annotation such as `@description('a: b')`, which belongs to the row after it.
    ///
    /// `@name: value` is a row.
    private static func isAnnotation(_ line: Substring) -> Bool {
        guard line.hasPrefix("@") else { return false }
        let rest = line.dropFirst().drop { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        return rest.first == "(" || !line.contains(":")
    }

    private static let description = "@description("

    /// Moves behind an annotation, whose text in `'''` may have several lines; the text of a description.
    private mutating func annotation() throws(Diagnostic) -> String? {
        let start = index
        let line = lines[index].trimmingBlanks
        let argument = line.drop { $0 != "(" }.dropFirst()
        index += 1
        let text = try description(argument, from: start)
        return line.hasPrefix(Self.description) ? text : nil
    }

    /// The text of `'''text''')`, `"text")` or `'text')`; nil where the argument is not in quotes, or more follows.
    private mutating func description(_ argument: Substring, from start: Int) throws(Diagnostic) -> String? {
        let argument = argument.trimmingBlanks
        // In other quotes, `'''` is text.
        if argument.hasPrefix("'''") { return try longText(argument, from: start).trimmingBlanks }
        guard let quote = argument.first, quote == "\"" || quote == "'" else { return nil }
        var text = ""
        var rest = argument.dropFirst()
        while let character = rest.popFirst() {
            if character == quote { return rest.trimmingBlanks == ")" ? text : nil }
            if character == "\\", quote == "\"", let next = rest.popFirst() {
                text.append(["n": "\n", "r": "\r", "t": "\t"][next] ?? next)
            } else {
                text.append(character)
            }
        }
        return nil
    }

    /// The name, which may be in quotes, and the text after the colon.
    private static func row(_ line: Substring) -> (name: String, value: String)? {
        if line.hasPrefix("\"") {
            var name = ""
            var rest = line.dropFirst()
            while let character = rest.popFirst() {
                if character == "\\", let next = rest.popFirst() {
                    name.append(next)
                } else if character == "\"" {
                    let tail = rest.drop(while: \.isWhitespace)
                    guard tail.first == ":" else { return nil }
                    return (name, tail.dropFirst().trimmingBlanks)
                } else {
                    name.append(character)
                }
            }
            return nil
        }
        guard let colon = line.firstIndex(of: ":") else { return nil }
        return (line[..<colon].trimmingBlanks, line[line.index(after: colon)...].trimmingBlanks)
    }

    /// A value in `'''`, over several lines.
    private mutating func longText(_ first: String, from start: Int) throws(Diagnostic) -> String {
        let head = first.dropFirst(3)
        if let end = head.firstRange(of: "'''") { return String(head[..<end.lowerBound]) }
        var result = head.isEmpty ? [] : [head]
        while index < lines.count {
            let line = lines[index]
            index += 1
            if let end = line.firstRange(of: "'''") {
                let last = line[..<end.lowerBound]
                if !last.allSatisfy(\.isWhitespace) { result.append(last) }
                let indentation = result.dropFirst(head.isEmpty ? 0 : 1).filter { !$0.allSatisfy(\.isWhitespace) }.map {
                    $0.prefix { $0 == " " }.count
                }.min()
                return result.enumerated().map { index, line in
                    index == 0 && !head.isEmpty ? String(line) : String(line.dropFirst(min(indentation ?? 0, line.count)))
                }.joined(separator: "\n")
            }
            result.append(line)
        }
        throw problem("this text does not end; write '''", line: start)
    }
}

/// A block of a `.bru` file.
struct BruBlock {
    /// A row `name: value`; `~` before the name switches it off.
    struct Pair: Hashable {
        var name: String
        var value: String
        var isEnabled: Bool
        /// The text of `@description(…)`.
        var summary: String?
        var place: SourceLocation
        /// The numbers of its lines, with its annotations; empty for a row that is none of a `.bru` file.
        var lines = 0..<0
    }

    /// What a block contains.
    enum Content {
        case pairs([Pair])
        case list([String])
        case text(String)
    }

    var name: String
    var content: Content
    var place: SourceLocation
    /// The numbers of its lines; empty for a block that is none of a `.bru` file.
    var lines = 0..<0

    /// The rows; none for other content.
    var pairs: [Pair] { if case .pairs(let pairs) = content { pairs } else { [] } }
    /// The text; empty for other content.
    var text: String { if case .text(let text) = content { text } else { "" } }
    /// The items of a list; none for other content.
    var items: [String] { if case .list(let items) = content { items } else { [] } }

    /// The value of the last enabled row with a name.
    subscript(name: String) -> String? { pairs.last { $0.name == name && $0.isEnabled }?.value }
}

extension [BruBlock] {
    /// The first block with a name.
    subscript(name: String) -> BruBlock? { first { $0.name == name } }
}
