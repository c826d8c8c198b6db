internal import SortieBase
internal import Yams

/// A YAML file, parsed with limits against hostile files.
struct YAMLDocument {
    /// The file's bytes.
    var source: SourceText
    /// The root value; nil for a file that has only comments.
    var root: YAMLNode?

    /// Parses `bytes`; `file` is the name in diagnostics.
    ///
    /// - Throws: When the bytes are not UTF-8 or not YAML, or exceed a limit.
    init(bytes: [UInt8], file: String, limits: YAMLLimits = .workspace) throws(Diagnostic) {
        guard bytes.count <= limits.bytes else {
            throw Diagnostic(SourceLocation(file: file), "the file has more than \(limits.bytes >> 20) MiB; \(limits.advice)")
        }
        try self.init(SourceText(bytes: bytes), file: file, limits: limits) { text throws(Diagnostic) in
            try YAMLDocument.refuseHashedAliases(in: text.bytes, file: file)
        }
    }

    /// Parses a text that Sortie wrote: it may be long, and `*` and `&` in it are no aliases and anchors.
    init(stored text: String, name: String) throws(Diagnostic) {
        try self.init(SourceText(bytes: Array(text.utf8)), file: name, limits: .workspace) { _ in }
    }

    private init(
        _ text: SourceText, file: String, limits: YAMLLimits, check: (SourceText) throws(Diagnostic) -> Void
    ) throws(Diagnostic) {
        source = text
        guard let text = String(validating: source.bytes, as: UTF8.self) else {
            let place = source.place(of: YAMLDocument.firstInvalidByte(source.bytes), file: file)
            throw Diagnostic(place, "invalid UTF-8; save the file in UTF-8")
        }
        try YAMLDocument.refuseControlCharacters(in: text, file: file)
        try check(source)

        let composed: Node?
        do { composed = try YAMLDocument.compose(text, file: file, limits: limits) } catch {
            // An error at the end of the file can have a position after its last line.
            let offset = source.offset(line: error.location.line, column: error.location.column)
            var inside = error
            inside.location = source.place(of: offset, file: file)
            throw inside
        }
        guard let composed else { return }
        var converter = YAMLConverter(source: source, file: file, limits: limits)
        root = try converter.node(composed, depth: 0)
    }

    /// A parser with the encoding, which Yams otherwise takes from the environment of the process each time.
    private static func parser(_ text: String) throws -> Parser { try Parser(yaml: text, resolver: .basic, encoding: .utf8) }

    private static func compose(_ text: String, file: String, limits: YAMLLimits) throws(Diagnostic) -> Node? {
        do {
            // Yams keeps a pointer into the string's storage. A string of up to 15 bytes is stored inline, where the pointer does
            // not stay valid; one with a greater capacity is not.
            guard text.utf8.count < 16 else { return try parser(text).singleRoot() }
            var outside = ""
            outside.reserveCapacity(64)
            outside += text
            return try parser(outside).singleRoot()
        } catch let error as YamlError {
            var problem = error.problem(file: file, limits: limits)
            if problem.message.contains("mapping values are not allowed") { problem.location = startOfText(in: text, before: problem.location) }
            throw problem
        } catch {
            throw Diagnostic(SourceLocation(file: file), "the file cannot be read: \(error)")
        }
    }

    /// The place of the first line of a text that the parser continued onto the line of `place`, because a line has no colon.
    private static func startOfText(in text: String, before place: SourceLocation) -> SourceLocation {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = place.line
        guard lines.indices.contains(line - 1) else { return place }
        func indent(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }
        var first = line - 1
        while first > 0, case let previous = lines[first - 1], !previous.allSatisfy(\.isWhitespace), !previous.contains(":"), !previous.contains("#"),
            !previous.hasPrefix("-"), indent(previous) == indent(lines[line - 1])
        {
            first -= 1
        }
        guard first < line - 1 else { return place }
        return SourceLocation(file: place.file, line: first + 1, column: indent(lines[first]) + 1)
    }

    private static func firstInvalidByte(_ bytes: [UInt8]) -> Int {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var offset = 0
        while case .scalarValue(let scalar) = decoder.decode(&iterator) { offset += UTF8.width(scalar) }
        return min(offset, max(0, bytes.count - 1))
    }

    /// Whether bytes are UTF-8 without characters that YAML forbids.
    static func hasPermittedCharacters(_ bytes: [UInt8], file: String) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        do throws(Diagnostic) { try refuseControlCharacters(in: text, file: file) } catch { return false }
        return true
    }

    /// YAML 1.2 §5.1 forbids these characters; the message of Yams has no position.
    private static func refuseControlCharacters(in text: String, file: String) throws(Diagnostic) {
        var line = 1
        var column = 1
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0a:
                line += 1
                column = 0
            case 0x00...0x08, 0x0b, 0x0c, 0x0e...0x1f, 0x7f...0x84, 0x86...0x9f, 0xfeff, 0xfffe, 0xffff:
                let name = "U+" + HexDigits.text(of: scalar.value, digits: 4).uppercased()
                throw Diagnostic(
                    SourceLocation(file: file, line: line, column: column),
                    "the character \(name) is not allowed in YAML; escape it in double quotes"
                )
            default: break
            }
            column += 1
        }
    }

    /// Yams hashes keys with their aliases expanded, which does not end in practical time for a few nested aliases.
    ///
    /// Such keys have no meaning here.
    private static func refuseHashedAliases(in bytes: [UInt8], file: String) throws(Diagnostic) {
        // The search of the standard library is fast also in a debug build, and few files have an anchor.
        guard bytes.contains(UInt8(ascii: "&")) else { return }
        func count(_ mark: UInt8) -> Int {
            bytes.indices.count { index in
                bytes[index] == mark && index + 1 < bytes.count && bytes[index + 1] > 0x20
                    && (index == 0 || " \t\n\r[{,:?-".utf8.contains(bytes[index - 1]))
            }
        }
        let aliases = count(UInt8(ascii: "*"))
        let anchors = count(UInt8(ascii: "&"))
        var growth = 1
        for _ in 0..<min(anchors, 32) where growth < 1_000_000 { growth *= aliases + 1 }
        guard anchors > 0, growth >= 1_000_000 else { return }
        guard !hasUnusualKey(bytes) else {
            throw Diagnostic(
                SourceLocation(file: file), "the file has too many aliases and keys that are not plain text; write keys as text")
        }
    }
}

extension YAMLDocument {
    /// Whether a key may be an alias or a collection: a `:` after a closing bracket or after a word that begins with `*`, or a `?`.
    private static func hasUnusualKey(_ bytes: [UInt8]) -> Bool {
        var wordStart: UInt8 = 0
        var lastSignificant: UInt8 = 0
        var isInWord = false
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: ":"), "]}".utf8.contains(lastSignificant) || wordStart == UInt8(ascii: "*") { return true }
            if byte <= 0x20 || ",[]{}".utf8.contains(byte) {
                isInWord = false
            } else if !isInWord {
                isInWord = true
                wordStart = byte
                if byte == UInt8(ascii: "?"), index + 1 < bytes.count, bytes[index + 1] <= 0x20 { return true }
            }
            if byte > 0x20 { lastSignificant = byte }
        }
        return false
    }
}

extension SourceText {
    /// The line and column of the byte at `offset`.
    func place(of offset: Int, file: String) -> SourceLocation {
        let index = lineIndex(at: offset)
        let column = bytes[lineStarts[index]..<max(lineStarts[index], offset)].count { $0 & 0xc0 != 0x80 } + 1
        return SourceLocation(file: file, line: index + 1, column: column)
    }
}

extension YamlError {
    /// The diagnostic for the user: the position, and the parser's message, which contains the expected token.
    func problem(file: String, limits: YAMLLimits) -> Diagnostic {
        let depth = "collections are nested deeper than \(limits.depth) levels"
        func problem(_ mark: Mark, _ context: Context?, _ words: String) -> Diagnostic {
            let during = context.map { " \($0.text)" } ?? ""
            // The parser notices an open quote, bracket or key only at a later line, often the last one.
            let begin = context.flatMap { context in
                ["quoted scalar", "flow", "simple key"].contains { context.text.contains($0) } ? context.mark : nil
            }
            let place = begin ?? mark
            let location = SourceLocation(file: file, line: max(1, place.line), column: max(1, place.column))
            // The limit of the parser is above this one, and its words name a function.
            if words.hasPrefix("Maximum nesting level") { return Diagnostic(location, depth) }
            if words.contains("found another document") {
                return Diagnostic(location, "a second document begins here, and a file has one; move what follows “---” into a file for itself")
            }
            return Diagnostic(location, "this is not YAML: \(words)\(during)")
        }
        switch self {
        case .scanner(let context, let words, let mark, _), .parser(let context, let words, let mark, _),
            .composer(let context, let words, let mark, _):
            return problem(mark, context, words)
        case .duplicatedKeysInMapping(let names, let context):
            let name = names.first ?? ""
            return Diagnostic(
                SourceLocation(file: file, line: max(1, context.mark.line), column: max(1, context.mark.column)),
                "the key “\(name.shortened)” occurs twice in one mapping; remove one of them")
        case .memory:
            return Diagnostic(SourceLocation(file: file), depth)
        default:
            return Diagnostic(SourceLocation(file: file), "this is not YAML: \(self)".shortened)
        }
    }
}

/// Converts nodes of Yams to `YAMLNode`, and expands aliases within limits.
struct YAMLConverter {
    private var source: SourceText
    private let file: String
    private let limits: YAMLLimits
    private var valueCount = 0
    /// The position and kind of the last node that is no alias.
    private var last = (line: 0, column: 0, kind: 0)

    init(source: SourceText, file: String, limits: YAMLLimits) {
        self.source = source
        self.file = file
        self.limits = limits
    }

    mutating func node(_ node: Node, depth: Int, insideAlias: Bool = false) throws(Diagnostic) -> YAMLNode {
        let line = node.mark?.line ?? 1
        let column = node.mark?.column ?? 1
        valueCount += 1
        guard depth <= limits.depth else {
            throw Diagnostic(
                SourceLocation(file: file, line: line, column: column),
                "collections are nested deeper than \(limits.depth) levels")
        }
        guard valueCount <= limits.values else {
            throw Diagnostic(
                SourceLocation(file: file, line: line, column: column),
                "the file has more than \(limits.values) values once its aliases are followed")
        }
        // A node that does not follow the last node in the file was reached through an alias. Only a collection shares its position
        // with its first child.
        let kind = YAMLConverter.kind(of: node)
        let isAlias = insideAlias || (line, column) < (last.line, last.column) || (line, column, kind) == last
        if !isAlias { last = (line, column, kind) }

        var result = YAMLNode(
            content: .sequence([]), line: line, column: column, start: source.offset(line: line, column: column), isAlias: isAlias
        )
        switch node {
        case .scalar(let scalar):
            result.content = .scalar(
                YAMLScalar(text: byteOrderMark(at: result.start) + scalar.string, style: .init(scalar.style), tag: tag(at: result.start)))
        case .mapping(let mapping):
            var entries: [YAMLNode.Entry] = []
            for (key, value) in mapping {
                let key = try self.node(key, depth: depth + 1, insideAlias: isAlias)
                entries.append(.init(key: key, value: try self.node(value, depth: depth + 1, insideAlias: isAlias)))
            }
            result.content = .mapping(entries)
        case .sequence(let sequence):
            var items: [YAMLNode] = []
            for item in sequence { items.append(try self.node(item, depth: depth + 1, insideAlias: isAlias)) }
            result.content = .sequence(items)
        case .alias:
            throw Diagnostic(SourceLocation(file: file, line: line, column: column), "this alias has no anchor")
        }
        return result
    }

    /// The byte order mark with which a quoted text begins, which Yams drops; empty for other texts.
    private func byteOrderMark(at offset: Int) -> String {
        let start = source.bytes.dropFirst(offset).prefix(7)
        guard start.starts(with: "\"\\u".utf8) else { return "" }
        return String(decoding: start.dropFirst(3), as: UTF8.self).lowercased() == "feff" ? "\u{feff}" : ""
    }

    private static func kind(of node: Node) -> Int {
        switch node {
        case .scalar: 1
        case .mapping: 2
        case .sequence: 3
        case .alias: 4
        }
    }

    /// The tag at `offset`, before or after an anchor.
    private func tag(at offset: Int) -> String? {
        var index = offset
        while index < source.bytes.count, source.bytes[index] == UInt8(ascii: "!") || source.bytes[index] == UInt8(ascii: "&") {
            let word = source.bytes[index...].prefix { $0 > 0x20 }
            if word.first == UInt8(ascii: "!") { return String(decoding: word, as: UTF8.self) }
            index += word.count
            while index < source.bytes.count, source.bytes[index] == 0x20 { index += 1 }
        }
        return nil
    }
}

extension YAMLScalar.Style {
    init(_ style: Node.Scalar.Style) {
        switch style {
        case .doubleQuoted: self = .doubleQuoted
        case .singleQuoted: self = .singleQuoted
        case .literal: self = .literal
        case .folded: self = .folded
        default: self = .plain
        }
    }
}
