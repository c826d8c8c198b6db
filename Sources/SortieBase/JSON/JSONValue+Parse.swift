extension JSONValue {
    /// The maximum nesting depth of a value.
    ///
    /// Releasing and comparing a nested enumeration uses the stack; a body view, which does not, shows deeper nesting.
    public static let depthLimit = 512

    /// The maximum size, in bytes, of a body that is parsed into a value; a value takes many times the memory of its text.
    public static let bodyLimit = 16 << 20

    /// Parses JSON text (RFC 8259); keeps the order of keys, duplicate keys and the text of numbers.
    ///
    /// - Throws: A ``BodyProblem`` with line and column for text that is not JSON or is nested deeper than ``depthLimit``.
    public init(parsing text: String) throws(BodyProblem) {
        try self.init(parsing: Array(text.utf8))
    }

    /// Parses JSON bytes in UTF-8.
    ///
    /// - Throws: The errors of the initializer for text.
    public init(parsing bytes: some Sequence<UInt8>) throws(BodyProblem) {
        try self.init(parsing: BodyBytes(Array(bytes)))
    }

    /// Parses a body that is JSON in UTF-8.
    ///
    /// - Throws: The errors of the initializer for text.
    public init(parsing body: BodyBytes) throws(BodyProblem) {
        let result = body.withUnsafeBytes { JSONValueBuilder.value(of: $0) }
        self = try result.get()
    }

    /// Parses the elements of a JSON array, or a sequence of JSON values, each of which begins on a new line (NDJSON).
    ///
    /// - Parameters:
    ///   - isSequence: Whether the text is a sequence of values; otherwise it is an array.
    ///   - problem: Returns the reason why a value cannot be used, by its index.
    /// - Throws: A ``BodyProblem`` with line and column, also for the first value with a reason.
    package static func items(
        of text: String, isSequence: Bool, problem: (_ index: Int, JSONValue) -> String?
    ) throws(BodyProblem) -> [JSONValue] {
        let result = BodyBytes(Array(text.utf8)).withUnsafeBytes { JSONValueBuilder.items(of: $0, isSequence: isSequence, problem: problem) }
        return try result.get()
    }
}

/// Builds a value from tokens, with an explicit stack instead of recursion.
private struct JSONValueBuilder: JSONRowSink {
    /// An open container.
    private struct Frame {
        let isObject: Bool
        let start: Int
        var key = ""
        var items: [JSONValue] = []
        var members: [JSONValue.Member] = []
    }

    private let bytes: UnsafeRawBufferPointer
    private var frames: [Frame] = []
    private var root = JSONValue.null
    /// The nesting depth of the values that are kept in `items`; nil where none are.
    private let itemDepth: Int?
    private var items: [(value: JSONValue, start: Int)] = []
    /// The offset at which the nesting exceeds the limit.
    private var tooDeepAt: Int?

    private init(bytes: UnsafeRawBufferPointer, itemDepth: Int? = nil) {
        self.bytes = bytes
        self.itemDepth = itemDepth
    }

    static func value(of bytes: UnsafeRawBufferPointer) -> Result<JSONValue, BodyProblem> {
        var builder = JSONValueBuilder(bytes: bytes)
        if let problem = builder.build(JSONTokenizer(rowLimit: .max)) { return .failure(problem) }
        return .success(builder.root)
    }

    static func items(
        of bytes: UnsafeRawBufferPointer, isSequence: Bool, problem: (Int, JSONValue) -> String?
    ) -> Result<[JSONValue], BodyProblem> {
        var builder = JSONValueBuilder(bytes: bytes, itemDepth: isSequence ? 0 : 1)
        if let problem = builder.build(JSONTokenizer(allowsManyValues: isSequence, rowLimit: .max)) { return .failure(problem) }
        for (index, item) in builder.items.enumerated() {
            if let message = problem(index, item.value) { return .failure(builder.problem(message, at: item.start)) }
        }
        return .success(builder.items.map(\.value))
    }

    /// Builds the values; returns the error of a text that is not JSON.
    private mutating func build(_ tokenizer: JSONTokenizer) -> BodyProblem? {
        var tokenizer = tokenizer
        do throws(JSONFault) {
            try tokenizer.advance(over: bytes, limit: bytes.count, isEnd: true, into: &self)
        } catch {
            return depthProblem ?? BodyProblem(error, bytes, tokenizer)
        }
        return depthProblem
    }

    private var depthProblem: BodyProblem? {
        tooDeepAt.map { problem("JSON nested deeper than \(JSONValue.depthLimit) levels is shown but not evaluated", at: $0) }
    }

    private func problem(_ message: String, at offset: Int) -> BodyProblem {
        var problem = BodyProblem(message: message, line: 1, column: 1, byte: offset)
        for index in 0..<offset {
            switch bytes[index] {
            case 0x0A where index > 0 && bytes[index - 1] == 0x0D: break
            case 0x0A, 0x0D: (problem.line, problem.column) = (problem.line + 1, 1)
            case 0x80..<0xC0: break
            default: problem.column += 1
            }
        }
        return problem
    }

    // The tokenizer can be stopped only here; it calls this before each value and each name.
    mutating func beginRow(at offset: Int, depth: Int, continues: Bool) -> JSONRowDecision { tooDeepAt == nil ? .goOn : .stop }

    mutating func save(_ tokenizer: JSONTokenizer) {}

    mutating func token(_ kind: BodySpan.Kind, _ range: Range<Int>) {
        switch kind {
        case .punctuation: punctuation(bytes[range.lowerBound], at: range.lowerBound)
        case .key: frames[frames.count - 1].key = JSONStringToken.text(bytes, range)
        case .string: add(.string(JSONStringToken.text(bytes, range)), at: range.lowerBound)
        case .number: add(.number(String(decoding: bytes[range], as: UTF8.self)), at: range.lowerBound)
        default:
            switch bytes[range.lowerBound] {
            case UInt8(ascii: "t"): add(.bool(true), at: range.lowerBound)
            case UInt8(ascii: "f"): add(.bool(false), at: range.lowerBound)
            default: add(.null, at: range.lowerBound)
            }
        }
    }

    private mutating func punctuation(_ byte: UInt8, at offset: Int) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if frames.count >= JSONValue.depthLimit { tooDeepAt = tooDeepAt ?? offset }
            frames.append(Frame(isObject: byte == UInt8(ascii: "{"), start: offset))
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            guard let frame = frames.popLast() else { return }
            add(frame.isObject ? .object(frame.members) : .array(frame.items), at: frame.start)
        default: break
        }
    }

    private mutating func add(_ value: JSONValue, at start: Int) {
        if frames.count == itemDepth {
            // The container of the items is not needed.
            items.append((value, start))
            return
        }
        guard let last = frames.indices.last else {
            root = value
            return
        }
        if frames[last].isObject {
            frames[last].members.append(.init(frames[last].key, value))
        } else {
            frames[last].items.append(value)
        }
    }
}
