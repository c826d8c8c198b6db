/// A JSON value that preserves the order of keys and the text of numbers.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number, in its original text.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// One member of an object.
    public struct Member: Hashable, Sendable {
        /// The key.
        public var key: String
        /// The value.
        public var value: JSONValue

        /// Creates a member.
        public init(_ key: String, _ value: JSONValue) {
            (self.key, self.value) = (key, value)
        }
    }

    /// An integer.
    public static func integer(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }

    /// Seconds, rounded to microseconds; 0 for a value that is not finite.
    package static func seconds(_ value: Double) -> JSONValue {
        .number(value.isFinite ? String((value * 1_000_000).rounded() / 1_000_000) : "0.0")
    }

    /// A string, or null for nil.
    package static func optional(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }

    /// The value of an object's member, the last one of duplicates; nil where there is none.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }
}

extension JSONValue: Decodable {
    /// Decodes any value.
    ///
    /// A decoder keeps neither the order of the members nor the text of numbers; parsing the text does.
    public init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: MemberKey.self) {
            self = .object(try members.allKeys.map { Member($0.stringValue, try members.decode(JSONValue.self, forKey: $0)) })
        } else if var elements = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !elements.isAtEnd { values.append(try elements.decode(JSONValue.self)) }
            self = .array(values)
        } else {
            self = try JSONValue(try decoder.singleValueContainer())
        }
    }

    private init(_ container: any SingleValueDecodingContainer) throws {
        // A container does not expose the type of its value, so each type is tried; the last attempt throws the error of a value of another type.
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self), value.isFinite {
            self = .number(String(value))
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    private struct MemberKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Creates an object from a literal.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral {
    /// Creates a string from a literal.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a boolean from a literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates null from a literal.
    public init(nilLiteral: ()) { self = .null }
}

extension JSONValue {
    /// The element of an array, from 0; nil for another value and outside the array.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}

extension JSONValue {
    /// The maximum nesting depth of a value.
    ///
    /// Releasing and comparing a nested enumeration uses the stack; a body view, which does not, shows deeper nesting.
    package static let depthLimit = 512

    /// The maximum size, in bytes, of a body that is parsed into a value; a value takes many times the memory of its text.
    package static let bodyLimit = 16 << 20

    /// Parses JSON text (RFC 8259); keeps the order of keys, duplicate keys and the text of numbers.
    ///
    /// - Throws: A ``BodyProblem`` with line and column for text that is not JSON or is nested deeper than 512 levels.
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

    /// Parses a body; nil for one that is not JSON in UTF-8.
    package init?(ifValid body: BodyBytes) {
        do throws(BodyProblem) { try self.init(parsing: body) } catch { return nil }
    }

    /// Parses JSON bytes in UTF-8; nil for others.
    package init?(ifValid bytes: [UInt8]) { self.init(ifValid: BodyBytes(bytes)) }

    /// Parses JSON text; nil for another text.
    package init?(ifValid text: String) { self.init(ifValid: Array(text.utf8)) }

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
        (self.bytes, self.itemDepth) = (bytes, itemDepth)
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

extension JSONValue {
    /// The value as JSON text on one line (RFC 8259).
    public var text: String {
        var output: [UInt8] = []
        write(to: &output, space: " ")
        return String(decoding: output, as: UTF8.self)
    }

    /// The value as JSON text without any space between its tokens (RFC 8259).
    public var compactText: String {
        var output: [UInt8] = []
        write(to: &output, space: "")
        return String(decoding: output, as: UTF8.self)
    }

    private func write(to output: inout [UInt8], space: String) {
        switch self {
        case .null: output += "null".utf8
        case .bool(let value): output += (value ? "true" : "false").utf8
        case .number(let text): output += text.utf8
        case .string(let text): JSONValue.write(text, to: &output)
        case .array(let items):
            output.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { output += ",\(space)".utf8 }
                item.write(to: &output, space: space)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output += ",\(space)".utf8 }
                JSONValue.write(member.key, to: &output)
                output += ":\(space)".utf8
                member.value.write(to: &output, space: space)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        output += JSONText.escaped(text, escapesControls: true).utf8
        output.append(UInt8(ascii: "\""))
    }
}
