internal import SortieBase

/// Reads the language of Bruno: blocks `name { … }` and lists `name [ … ]`.
struct BruParser {
    private static let texts: Set<String> = ["body", "tests", "docs", "script"]

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
            guard !line.isEmpty else {
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
            if isEmpty {
                blocks.append(BruBlock(name: name, content: open == "}" ? .pairs([]) : .list([]), place: place))
            } else if open == "[" {
                blocks.append(BruBlock(name: name, content: .list(try list(from: start)), place: place))
            } else if Self.isText(name) {
                blocks.append(BruBlock(name: name, content: .text(try text(from: start)), place: place))
            } else {
                blocks.append(BruBlock(name: name, content: .pairs(try pairs(from: start)), place: place))
            }
        }
        return blocks
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
            result += line.split(separator: ",").map(\.trimmingBlanks).filter { !$0.isEmpty }
        }
        throw problem("this list does not end; write ]", line: start)
    }

    private mutating func pairs(from start: Int) throws(Diagnostic) -> [BruBlock.Pair] {
        var result: [BruBlock.Pair] = []
        while index < lines.count {
            let raw = lines[index]
            var line = raw.trimmingBlanks[...]
            if line == "}" {
                index += 1
                return result
            }
            let column = (raw.firstIndex { !$0.isWhitespace }.map { raw.distance(from: raw.startIndex, to: $0) } ?? 0) + 1
            let place = SourceLocation(file: file, line: index + 1, column: column)
            if line.isEmpty {
                index += 1
                continue
            }
            if Self.isAnnotation(line) {
                try skipAnnotation()
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
            }
            result.append(.init(name: name, value: value, isEnabled: isEnabled, place: place))
        }
        throw problem("this block does not end; write }", line: start)
    }

    /// Whether a line begins an annotation such as `@description('a: b')`, which belongs to the row after it and has no meaning here.
    ///
    /// `@name: value` is a row.
    private static func isAnnotation(_ line: Substring) -> Bool {
        guard line.hasPrefix("@") else { return false }
        let rest = line.dropFirst().drop { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        return rest.first == "(" || !line.contains(":")
    }

    /// Moves behind an annotation, whose text in `'''` may have several lines.
    private mutating func skipAnnotation() throws(Diagnostic) {
        let start = index
        let argument = lines[index].drop { $0 != "(" }.dropFirst().trimmingBlanks
        index += 1
        // In other quotes, `'''` is text.
        if argument.hasPrefix("'''") { _ = try longText(argument, from: start) }
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
        var place: SourceLocation
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
