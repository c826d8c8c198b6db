package import SortieBase

/// Reads YAML documents of other tools into nodes with places, for importers.
package enum YAMLSource {
    /// The root of a document; null for a document without content.
    ///
    /// Aliases and merge keys (`<<`) are followed. Scalars have the types of the core schema (YAML 1.2 §10.3.2); names of members are texts.
    ///
    /// - Parameters:
    ///   - bytes: The document in UTF-8.
    ///   - file: The name in diagnostics.
    /// - Throws: A diagnostic with the place where the document is not YAML, exceeds a limit, or has a key that is no scalar.
    package static func node(parsing bytes: [UInt8], file: String) throws(Diagnostic) -> SourceNode {
        try node(parsing: bytes, file: file, inPiecesOf: 1 << 17)
    }

    /// A text whose document gets another value, in which equal parts keep their bytes; nil where the text does not permit the change.
    package static func text(_ text: String, changing change: (SourceNode) -> JSONValue?) -> String? {
        let bytes = Array(text.utf8)
        do {
            let node = try node(parsing: bytes, file: "")
            let document = try YAMLDocument(bytes: bytes, file: "", limits: .source)
            guard let root = document.root, let new = change(node) else { return nil }
            var patch = YAMLPatch(source: document.source)
            try patch.change(root, from: YAMLValue(node.json), to: YAMLValue(new), indentation: 0, inFlow: false)
            return String(validating: try patch.applied(), as: UTF8.self)
        } catch {
            // The caller says that the change is refused.
            return nil
        }
    }

    /// The root of a document, which is read in parts where it is longer than `size` bytes and its form permits it.
    static func node(parsing bytes: [UInt8], file: String, inPiecesOf size: Int) throws(Diagnostic) -> SourceNode {
        let limits = YAMLLimits.source
        if bytes.count > size, bytes.count <= limits.bytes,
            let node = YAMLPieces.node(parsing: bytes, file: file, limits: limits, longest: size)
        {
            return node
        }
        var document = SourceDocument.Builder(file: file, size: bytes.count)
        if let root = try YAMLDocument(bytes: bytes, file: file, limits: limits).root { try document.add(root, file: file) }
        return document.root()
    }
}

extension SourceDocument.Builder {
    /// Adds a value, of which merge keys are followed.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - file: The name in diagnostics.
    ///   - lines: The number of lines before the parsed text.
    /// - Throws: A diagnostic for a key that is no scalar.
    mutating func add(_ value: YAMLNode, file: String, after lines: Int = 0) throws(Diagnostic) {
        let (line, column) = (value.line + lines, value.column)
        switch value.content {
        case .scalar(let scalar): add(scalar, line: line, column: column)
        case .sequence(let items):
            let list = begin(isObject: false, line: line, column: column)
            for item in items { try add(item, file: file, after: lines) }
            end(list, children: items.count)
        case .mapping:
            let mapping = begin(isObject: true, line: line, column: column)
            let entries = value.entries ?? []
            for entry in entries {
                guard let name = entry.key.text else {
                    let place = SourceLocation(file: file, line: entry.key.line + lines, column: entry.key.column)
                    throw Diagnostic(place, "a key must be a text, not a collection")
                }
                add(name: name.utf8)
                try add(entry.value, file: file, after: lines)
            }
            end(mapping, children: entries.count)
        }
    }

    private mutating func add(_ scalar: YAMLScalar, line: Int, column: Int) {
        switch scalar.type {
        case .null: add(nil, line: line, column: column)
        case .bool: add(scalar.text.lowercased() == "true", line: line, column: column)
        case .integer, .float: add(scalar.text.utf8, isNumber: true, line: line, column: column)
        case .string: add(scalar.text.utf8, line: line, column: column)
        }
    }
}

/// Reads a long document in parts, so that the nodes of Yams, which need twenty times the memory of their text, exist for one part at a time.
///
/// A part is a number of entries of a mapping, or of items of a list, in block style, and is parsed alone. That gives the same values, because the parser
/// has the same state at its beginning: a text or a flow collection that is open at the end of a part is an error there, and so is an alias of an
/// anchor in another part. After an error, and in every other form, the document is read as a whole, which also gives the place of the error.
struct YAMLPieces {
    /// The form of the document does not permit parts, or it has an error.
    private struct Inseparable: Error {}

    /// The lines of a block collection.
    private struct Block {
        var indentation: Int
        var isList: Bool
        /// The first line of each entry or item.
        var starts: [Int]
        /// The line after the last one.
        var end: Int
    }

    private let source: SourceText
    private let file: String
    private let limits: YAMLLimits
    /// The number of bytes up to which entries are parsed together.
    private let longest: Int
    private var document: SourceDocument.Builder

    /// The root of a document; nil where it must be read as a whole.
    static func node(parsing bytes: [UInt8], file: String, limits: YAMLLimits, longest: Int) -> SourceNode? {
        var pieces = YAMLPieces(SourceText(bytes: bytes), file, limits, longest)
        // Comments between parts are not parsed, so their characters are checked here.
        guard YAMLDocument.hasPermittedCharacters(pieces.source.bytes, file: file) else { return nil }
        var lines = 0..<pieces.source.lineStarts.count
        if let first = lines.first(where: { pieces.content(of: $0) != nil }), let (indentation, text) = pieces.content(of: first),
            indentation == 0, text.elementsEqual("---".utf8)
        {
            lines = first + 1..<lines.upperBound
        }
        guard let block = pieces.block(in: lines) else { return nil }
        do { try pieces.read(block, depth: 0) } catch {
            // Reading the whole document reports the error, or shows that there is none.
            return nil
        }
        return pieces.document.root()
    }

    private init(_ source: SourceText, _ file: String, _ limits: YAMLLimits, _ longest: Int) {
        (self.source, self.file, self.limits, self.longest) = (source, file, limits, longest)
        document = SourceDocument.Builder(file: file, size: source.bytes.count)
    }

    // MARK: Lines

    /// The indentation and the text of a line; nil for an empty line and a comment.
    private func content(of line: Int) -> (indentation: Int, text: ArraySlice<UInt8>)? {
        let bytes = source.bytes[source.lineStarts[line]..<source.lineEnd(line)]
        guard let start = bytes.firstIndex(where: { $0 != 0x20 }), bytes[start] != UInt8(ascii: "#") else { return nil }
        // A break of YAML 1.1, such as U+2028, is part of its line.
        guard SourceText.lineBreakLength(in: source.bytes, at: start) == 0 else { return nil }
        return (start - bytes.startIndex, bytes[start...])
    }

    /// Whether a text begins with an indicator that white space follows.
    private static func begins(_ text: ArraySlice<UInt8>, with indicator: Unicode.Scalar) -> Bool {
        guard text.first == UInt8(ascii: indicator) else { return false }
        let next = text.dropFirst().first
        return next == nil || next?.isSpaceOrTab == true
    }

    /// The block mapping or list of some lines; nil where there is another value.
    private func block(in lines: Range<Int>) -> Block? {
        guard let first = lines.first(where: { content(of: $0) != nil }), let (indentation, text) = content(of: first) else { return nil }
        var block = Block(indentation: indentation, isList: Self.begins(text, with: "-"), starts: [], end: lines.upperBound)
        for line in first..<lines.upperBound {
            guard let (own, text) = content(of: line), own <= indentation else { continue }
            guard own == indentation else { return nil }
            if Self.begins(text, with: "-") {
                // The items of a list may have the indentation of its key.
                if block.isList { block.starts.append(line) }
                continue
            }
            // The end of a flow collection belongs to the entry before it.
            if text.first == UInt8(ascii: "}") || text.first == UInt8(ascii: "]") { continue }
            let isMarker = indentation == 0 && (text.starts(with: "---".utf8) || text.starts(with: "...".utf8) || text.first == UInt8(ascii: "%"))
            // A byte order mark is an error in a document, and not at the beginning of one; a flow collection is no entry.
            let isOther = text.starts(with: TextEncoding.utf8.mark) || text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[")
            guard !block.isList, !isMarker, !isOther, !Self.begins(text, with: "?"), !Self.begins(text, with: ":") else { return nil }
            block.starts.append(line)
        }
        return block.starts.first == first ? block : nil
    }

    /// The number of bytes of some lines.
    private func size(of lines: Range<Int>) -> Int { offset(of: lines.upperBound) - offset(of: lines.lowerBound) }

    private func offset(of line: Int) -> Int { line < source.lineStarts.count ? source.lineStarts[line] : source.bytes.count }

    // MARK: Values

    private mutating func read(_ block: Block, depth: Int) throws {
        guard let first = block.starts.first else { throw Inseparable() }
        let collection = document.begin(isObject: !block.isList, line: first + 1, column: block.indentation + 1)
        var names: Set<String> = []
        var count = 0
        var index = 0
        while index < block.starts.count {
            func end(_ entry: Int) -> Int { entry + 1 < block.starts.count ? block.starts[entry + 1] : block.end }
            let start = block.starts[index]
            var last = index
            while last + 1 < block.starts.count, size(of: start..<end(last + 1)) <= longest { last += 1 }
            let lines = start..<end(last)
            if last == index, size(of: lines) > longest, let (name, value) = entry(in: lines, of: block) {
                guard names.insert(name).inserted, name != "<<" else { throw Inseparable() }
                document.add(name: name.utf8)
                try read(value, depth: depth + 1)
                count += 1
            } else {
                count += try parse(lines, of: block, depth: depth, &names)
            }
            guard document.count <= limits.values, document.hasRoom else { throw Inseparable() }
            index = last + 1
        }
        document.end(collection, children: count)
    }

    /// The name and the lines of the value of an entry `name:` with a block collection in the lines after it; nil for another entry.
    private func entry(in lines: Range<Int>, of block: Block) -> (name: String, value: Block)? {
        guard !block.isList, var line = content(of: lines.lowerBound)?.text else { return nil }
        while line.last?.isSpaceOrTab == true { line.removeLast() }
        guard line.last == UInt8(ascii: ":") else { return nil }
        guard let value = self.block(in: lines.dropFirst()), value.indentation > block.indentation || value.isList else { return nil }
        guard value.indentation >= block.indentation else { return nil }
        do throws(Diagnostic) {
            let root = try YAMLDocument(bytes: Array(line), file: file, limits: limits).root
            guard case .mapping(let entries)? = root?.content, entries.count == 1, let name = entries[0].key.text else { return nil }
            guard case .scalar(let empty) = entries[0].value.content, empty.text.isEmpty, empty.style == .plain, empty.tag == nil else { return nil }
            return (name, value)
        } catch {
            // The entry is parsed with its value.
            return nil
        }
    }

    /// The limits of a part at a depth.
    private func limits(at depth: Int) -> YAMLLimits {
        YAMLLimits(bytes: limits.bytes, depth: limits.depth - depth, values: limits.values, advice: limits.advice)
    }

    /// Adds the entries or the items in some lines, and returns their number.
    private mutating func parse(_ lines: Range<Int>, of block: Block, depth: Int, _ names: inout Set<String>) throws -> Int {
        let bytes = Array(source.bytes[offset(of: lines.lowerBound)..<offset(of: lines.upperBound)])
        guard let root = try YAMLDocument(bytes: bytes, file: file, limits: limits(at: depth)).root, root.column == block.indentation + 1 else {
            throw Inseparable()
        }
        switch root.content {
        case .mapping(let entries) where !block.isList:
            for entry in entries {
                guard let name = entry.key.text, name != "<<", names.insert(name).inserted else { throw Inseparable() }
                document.add(name: name.utf8)
                try document.add(entry.value, file: file, after: lines.lowerBound)
            }
            return entries.count
        case .sequence(let items) where block.isList:
            for item in items { try document.add(item, file: file, after: lines.lowerBound) }
            return items.count
        case .scalar, .mapping, .sequence: throw Inseparable()
        }
    }
}
