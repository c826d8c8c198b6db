/// Reads JSON (RFC 8259) into nodes with places.
package enum SourceJSON {
    /// Reads a piece of a large document; empty at its end.
    package typealias PieceReader = @Sendable (_ offset: Int) throws(Diagnostic) -> [UInt8]

    /// The root of a document.
    ///
    /// - Parameters:
    ///   - bytes: The document in UTF-8, with or without a byte order mark.
    ///   - file: The name in diagnostics.
    ///   - skipped: The names of members whose values are checked and not kept, at any depth; such a value becomes null.
    ///   - pieces: Reads a document that is not in memory as a whole; `bytes` is its beginning.
    /// - Throws: A diagnostic with the place of the first error, or of the first container that is nested deeper than `JSONValue.depthLimit`.
    package static func node(
        parsing bytes: [UInt8], file: String, skipping skipped: Set<String> = [], pieces: PieceReader? = nil
    ) throws(Diagnostic) -> SourceNode {
        var bytes = pieces == nil ? FileText.inUTF8(bytes) : bytes
        // A byte order mark is no character.
        let start = bytes.starts(with: TextEncoding.utf8.mark) ? TextEncoding.utf8.mark.count : 0
        var builder = SourceJSONBuilder(file: file, skipping: skipped, size: pieces == nil ? bytes.count : 0, offset: start)
        // A long text arrives in parts, so that it need not be in memory as a whole.
        var tokenizer = JSONTokenizer(rowLimit: pieces == nil ? .max : 1 << 16)
        var count = bytes.count
        var isEnd = pieces == nil
        while true {
            if let problem = bytes.withUnsafeBytes({ builder.read($0, isEnd: isEnd, &tokenizer) }) { throw problem }
            guard !isEnd, let pieces else { return builder.root() }
            let next = try pieces(count)
            isEnd = next.isEmpty
            count += next.count
            let passed = tokenizer.firstNeeded
            tokenizer.subtract(passed)
            builder.subtract(passed, from: bytes)
            bytes = Array(bytes[passed...]) + next
        }
    }
}

/// Adds the tokens of JSON to a document.
private struct SourceJSONBuilder: JSONRowSink {
    /// A container whose children are being added.
    private struct Frame {
        let index: Int
        var children = 0
    }

    /// A text of which more parts may follow.
    private struct Text {
        let kind: BodySpan.Kind
        let isKept: Bool
        let line: Int
        let column: Int
        var hasEscapes = false
    }

    private let file: String
    private let skippedNames: Set<String>
    private var document: SourceDocument.Builder
    private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The open containers that are kept.
    private var frames: [Frame] = []
    /// The number of open containers.
    private var depth = 0
    /// The number of containers around the one that is skipped.
    private var skippedDepth: Int?
    /// Whether the next value is skipped because of its name.
    private var skipsNext = false
    private var text: Text?
    private var isContinuation = false
    /// Why the rest is not read.
    private var refusal: Diagnostic?
    /// An offset, which is not after the next token, and its place.
    private var offset: Int
    private var line = 1
    private var column = 1

    /// - Parameters:
    ///   - size: The number of bytes for which memory is reserved.
    ///   - offset: The offset of the first character.
    init(file: String, skipping skippedNames: Set<String>, size: Int, offset: Int) {
        (self.file, self.skippedNames, self.offset) = (file, skippedNames, offset)
        document = SourceDocument.Builder(file: file, size: size)
    }

    /// Reads the tokens of the next bytes; returns the error of a text that is not JSON.
    mutating func read(_ bytes: UnsafeRawBufferPointer, isEnd: Bool, _ tokenizer: inout JSONTokenizer) -> Diagnostic? {
        self.bytes = bytes
        while true {
            do throws(JSONFault) {
                try tokenizer.advance(over: bytes, limit: bytes.count, isEnd: isEnd, into: &self)
                return refusal
            } catch {
                // A text that is not kept need not be UTF-8.
                let isText = tokenizer.phase == .string || tokenizer.phase == .key
                if isSkipping, isText, tokenizer.offset < bytes.count, bytes[tokenizer.offset] >= 0x80 {
                    tokenizer.offset += 1
                    continue
                }
                guard case .invalid(let message, let place) = error else { return refusal }
                move(to: place)
                return problem(message)
            }
        }
    }

    /// Subtracts what is removed from the beginning of the bytes, which has been read.
    mutating func subtract(_ count: Int, from bytes: [UInt8]) {
        bytes.withUnsafeBytes {
            self.bytes = $0
            move(to: count)
        }
        offset -= count
    }

    /// The root of the document, after its end.
    consuming func root() -> SourceNode {
        endText()
        return document.root()
    }

    private var isSkipping: Bool { skipsNext || skippedDepth != nil || text?.isKept == false }

    private func problem(_ message: String) -> Diagnostic { Diagnostic(SourceLocation(file: file, line: line, column: column), message) }

    // MARK: Places

    /// Moves the place to an offset.
    private mutating func move(to end: Int) {
        while offset < end {
            if bytes[offset] == 0x0a {
                (line, column) = (line + 1, 1)
            } else if bytes[offset] & 0xc0 != 0x80 {
                column += 1
            }
            offset += 1
        }
    }

    /// Moves the place to the end of a token, which has no line breaks; returns whether there is a backslash in it.
    private mutating func pass(_ token: Range<Int>) -> Bool {
        var (characters, backslashes) = (0, 0)
        for index in token {
            characters &+= bytes[index] & 0xc0 == 0x80 ? 0 : 1
            backslashes &+= bytes[index] == UInt8(ascii: "\\") ? 1 : 0
        }
        column += characters
        offset = token.upperBound
        return backslashes > 0
    }

    // MARK: Tokens

    mutating func beginRow(at offset: Int, depth: Int, continues: Bool) -> JSONRowDecision {
        isContinuation = continues
        return refusal == nil ? .goOn : .stop
    }

    mutating func token(_ kind: BodySpan.Kind, _ range: Range<Int>) {
        let isFirst = !isContinuation
        isContinuation = false
        if isFirst {
            move(to: range.lowerBound)
            endText()
        }
        switch kind {
        case .punctuation:
            punctuation(bytes[range.lowerBound])
            _ = pass(range)
        case .key, .string, .number:
            if isFirst {
                let isKept = kind == .key ? skippedDepth == nil : beginsKeptValue()
                text = Text(kind: kind, isKept: isKept, line: line, column: column)
            }
            let hasEscapes = pass(range)
            guard text?.isKept == true else { return }
            if hasEscapes { text?.hasEscapes = true }
            document.append(UnsafeRawBufferPointer(rebasing: bytes[isFirst && kind != .number ? range.dropFirst() : range]))
        default:
            if beginsKeptValue() {
                let first = bytes[range.lowerBound]
                document.add(first == UInt8(ascii: "n") ? nil : first == UInt8(ascii: "t"), line: line, column: column)
            }
            _ = pass(range)
        }
    }

    /// Adds the text whose last part was read.
    private mutating func endText() {
        guard let text else { return }
        self.text = nil
        guard text.isKept else { return }
        if text.kind != .number { document.endString(hasEscapes: text.hasEscapes) }
        guard text.kind == .key else { return document.addText(isNumber: text.kind == .number, line: text.line, column: text.column) }
        skipsNext = !skippedNames.isEmpty && document.text.map(skippedNames.contains) == true
        document.addName()
    }

    /// Whether the value that begins here is kept; one that is skipped because of its name is null.
    private mutating func beginsKeptValue() -> Bool {
        guard skippedDepth == nil else { return false }
        if !document.hasRoom { refusal = refusal ?? problem("the document has more values or text than can be kept; split it") }
        if !frames.isEmpty { frames[frames.count - 1].children += 1 }
        guard skipsNext else { return true }
        skipsNext = false
        document.add(nil, line: line, column: column)
        return false
    }

    private mutating func punctuation(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if depth >= JSONValue.depthLimit {
                refusal = refusal ?? problem("JSON nested deeper than \(JSONValue.depthLimit) levels is not read")
            }
            if beginsKeptValue() {
                frames.append(Frame(index: document.begin(isObject: byte == UInt8(ascii: "{"), line: line, column: column)))
            } else if skippedDepth == nil {
                skippedDepth = depth
            }
            depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if let skippedDepth {
                if depth == skippedDepth { self.skippedDepth = nil }
            } else if let frame = frames.popLast() {
                document.end(frame.index, children: frame.children)
            }
        default: break
        }
    }
}
