/// A query for the values of a JSON text: a filter in a small subset of the language of jq, in which a part that begins with `$` is a JSON path
/// (RFC 9535).
///
/// ```
/// $.items[?@.price > 10].title
/// .items[] | select(.price > 10) | {id, title}
/// $..items[?@.price > 10] | {id, title}
/// ```
package struct JSONQuery: Hashable, Sendable {
    private let term: JSONTerm

    /// Parses a query; white space around it is ignored.
    ///
    /// - Throws: A ``JSONQueryError`` with the position of the error.
    package init(_ text: String) throws(JSONQueryError) {
        var parser = JSONTermParser(text)
        term = try parser.query()
    }

    /// Takes a piece of a result, and whether the result ends with it; throws to end the evaluation.
    package typealias Write = (UnsafeRawBufferPointer, Bool) throws(JSONEvaluationError) -> Void

    /// The maximum memory, in bytes, for values that an operation such as `sort_by` needs at the same time.
    package static let memoryLimit = 48 << 20

    /// The maximum number of steps of all comparisons with patterns; large, because a body may be large, and because the evaluation can be cancelled.
    private static let patternSteps = 100 * TextPattern.maximumSteps

    /// Evaluates the query and passes on each result as JSON text, in pieces, followed by a line feed.
    ///
    /// The text is not validated; what is read of it must be JSON. Of members with the same name, the first one is used, and descendants (`..`) are found in
    /// the order of the text, so that results are known before all of it is read.
    ///
    /// - Parameters:
    ///   - hasManyValues: Whether the text is a sequence of values, for each of which the query is evaluated.
    ///   - start: The offset of the first value, which an earlier call returned.
    ///   - isComplete: Whether no more text follows; otherwise the evaluation ends before a last value that may not be whole.
    ///   - isStopped: Whether the work was cancelled; called now and then.
    ///   - write: Takes the results.
    /// - Returns: The offset after the values for which the query was evaluated.
    /// - Throws: A ``JSONEvaluationError`` when the evaluation ended early; the results up to then are complete.
    @discardableResult
    package func run(
        on bytes: UnsafeRawBufferPointer, hasManyValues: Bool, from start: Int = 0, isComplete: Bool = true, memoryLimit: Int = memoryLimit,
        isStopped: @escaping () -> Bool, _ write: Write
    ) throws(JSONEvaluationError) -> Int {
        let text = JSONSourceText(bytes, isStopped: isStopped)
        var offset = start == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : start
        offset = text.skippingBlanks(offset)
        guard offset < bytes.count || start > 0 || !isComplete else { throw .failed("there is no value", position: nil) }
        // The values of the evaluation refer to the text without counting.
        defer { withExtendedLifetime(text) {} }
        let patterns = JSONPatternBudget(steps: Self.patternSteps)
        while offset < bytes.count {
            if !isComplete, !(try text.isWhole(at: offset)) { return offset }
            let evaluation = JSONTermEvaluation(memoryLimit: memoryLimit, patterns: patterns, isStopped: isStopped)
            try evaluation.run(term, .source(JSONSource(text, at: offset))) { (value) throws(JSONEvaluationError) in try value.write(write) }
            guard hasManyValues else { return bytes.count }
            offset = text.skippingBlanks(try text.end(of: offset))
        }
        return offset
    }
}

/// The error for a text that is not a query.
package struct JSONQueryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The description of the problem and its remedy.
    package var message: String
    /// The position of the character in the text, from 1.
    package var position: Int

    package var description: String { "character \(position): \(message)" }
}

/// The names of kinds of values.
extension JSONKind {
    /// The name that `type` gives.
    var word: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// The name for messages.
    var name: String {
        switch self {
        case .null: "null"
        case .array, .object: "an \(word)"
        default: "a \(word)"
        }
    }
}

extension JSONQueryValue {
    /// The text of a string, or the JSON text of another value.
    var plainText: String {
        get throws(JSONEvaluationError) {
            let value = try json
            if case .string(let text) = value { return text }
            return value.text
        }
    }
}

/// A value of a filter: one of the text, or one that the filter made.
enum JSONQueryValue {
    case source(JSONSource)
    /// A scalar that is not in the text.
    case scalar(JSONValue)
    case array([JSONQueryValue])
    case object([Member])

    struct Member {
        var name: String
        var value: JSONQueryValue
    }

    static var null: JSONQueryValue { .scalar(.null) }

    static func bool(_ value: Bool) -> JSONQueryValue { .scalar(.bool(value)) }
    static func string(_ value: String) -> JSONQueryValue { .scalar(.string(value)) }

    /// A number, as an integer where it has no fraction.
    static func number(_ value: Double) -> JSONQueryValue {
        guard value.isFinite else { return .null }
        return .scalar(.number(value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)))
    }

    /// A value in memory.
    init(_ value: JSONValue) {
        switch value {
        case .array(let items): self = .array(items.map { JSONQueryValue($0) })
        case .object(let members): self = .object(members.map { Member(name: $0.key, value: JSONQueryValue($0.value)) })
        default: self = .scalar(value)
        }
    }

    var kind: JSONKind {
        get throws(JSONEvaluationError) {
            switch self {
            case .source(let source): try source.kind
            case .scalar(let value): value.kind
            case .array: .array
            case .object: .object
            }
        }
    }

    /// The value in memory.
    var json: JSONValue {
        get throws(JSONEvaluationError) {
            switch self {
            case .source(let source): return try source.value
            case .scalar(let value): return value
            case .array(let items):
                var values: [JSONValue] = []
                for item in items { values.append(try item.json) }
                return .array(values)
            case .object(let members):
                var values: [JSONValue.Member] = []
                for member in members { values.append(.init(member.name, try member.value.json)) }
                return .object(values)
            }
        }
    }

    /// Whether the value counts as true: anything but `false` and `null`.
    var isTrue: Bool {
        get throws(JSONEvaluationError) {
            switch try kind {
            case .null: false
            case .bool: try json == .bool(true)
            default: true
            }
        }
    }

    /// The member of an object; nil where there is none.
    func member(_ name: String) throws(JSONEvaluationError) -> JSONQueryValue? {
        switch self {
        case .source(let source): return try source.member(name).map { .source($0) }
        case .object(let members): return members.last { $0.name.utf8.elementsEqual(name.utf8) }?.value
        default: return nil
        }
    }

    /// Calls `visit` with the items of an array and the members of an object.
    ///
    /// - Parameter visit: Gets the name of a member, nil for an item; returns false to end.
    func forEachChild(
        named: Bool = false, _ visit: (String?, JSONQueryValue) throws(JSONEvaluationError) -> Bool
    ) throws(JSONEvaluationError) {
        switch self {
        case .source(let source):
            let kind = try source.kind
            let isNamed = named && kind == .object
            try source.forEachChild { (child) throws(JSONEvaluationError) in try visit(isNamed ? child.name() : nil, .source(child.node)) }
        case .array(let items): for item in items { guard try visit(nil, item) else { return } }
        case .object(let members): for member in members { guard try visit(member.name, member.value) else { return } }
        case .scalar: return
        }
    }

    /// The approximate memory of the value, in bytes.
    var cost: Int {
        switch self {
        case .source: MemoryLayout<JSONQueryValue>.stride
        case .scalar(.string(let text)), .scalar(.number(let text)):
            MemoryLayout<JSONQueryValue>.stride + (text.utf8.count > 15 ? text.utf8.count + 32 : 0)
        case .scalar: MemoryLayout<JSONQueryValue>.stride
        case .array(let items): items.reduce(64) { $0 + $1.cost }
        case .object(let members): members.reduce(64) { $0 + 32 + $1.name.utf8.count + $1.value.cost }
        }
    }

    // MARK: Writing

    /// The number of bytes that are passed on at once.
    private static let piece = 1 << 20

    /// Writes the value as JSON text and a line feed.
    func write(_ write: JSONQuery.Write) throws(JSONEvaluationError) {
        if case .source(let source) = self {
            _ = try source.kind
            let range = try source.range
            for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.piece) {
                let end = min(start + Self.piece, range.upperBound)
                try write(UnsafeRawBufferPointer(rebasing: source.text.bytes[start..<end]), false)
            }
            try Self.write([0x0A], write)
            return
        }
        var output: [UInt8] = []
        try append(to: &output)
        output.append(0x0A)
        try Self.write(output, write)
    }

    private static func write(
        _ bytes: [UInt8], _ write: JSONQuery.Write
    ) throws(JSONEvaluationError) {
        let result = bytes.withUnsafeBytes { buffer in
            Result<Void, JSONEvaluationError> { () throws(JSONEvaluationError) in try write(buffer, true) }
        }
        try result.get()
    }

    private func append(to output: inout [UInt8]) throws(JSONEvaluationError) {
        switch self {
        case .source(let source):
            _ = try source.kind
            output += source.text.bytes[try source.range]
        case .scalar(let value): output += value.text.utf8
        case .array(let items):
            output.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { output += ", ".utf8 }
                try item.append(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output += ", ".utf8 }
                output += "\(JSONValue.string(member.name).text): ".utf8
                try member.value.append(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }
}

/// A part of a filter.
indirect enum JSONTerm: Hashable, Sendable {
    /// `.`
    case identity
    /// `$.items[*]`
    case path(JSONPath)
    /// `..`
    case descendants
    case field(String, position: Int)
    case index(Int, position: Int)
    case slice(JSONPathSlice, position: Int)
    /// `.[]`
    case iterate(position: Int)
    case literal(JSONValue)
    /// A text with `\(…)`.
    case interpolation([JSONTerm])
    case array(JSONTerm?)
    case object([Member])
    case pipe(JSONTerm, JSONTerm)
    case comma(JSONTerm, JSONTerm)
    case alternative(JSONTerm, JSONTerm)
    case or(JSONTerm, JSONTerm)
    case and(JSONTerm, JSONTerm)
    case compare(JSONTerm, JSONPathFilter.ComparisonOperator, JSONTerm)
    case calculate(JSONTerm, Character, JSONTerm, position: Int)
    case negative(JSONTerm, position: Int)
    case conditional(JSONTerm, then: JSONTerm, otherwise: JSONTerm)
    /// `f?`: errors end the results of `f`.
    case attempt(JSONTerm)
    case call(JSONFunction, [JSONTerm], position: Int)

    /// A member of an object that is made.
    struct Member: Hashable, Sendable {
        var name: JSONTerm
        var value: JSONTerm
    }
}

/// The functions of filters.
enum JSONFunction: String, Hashable, Sendable, CaseIterable {
    case add, all, any, arrays, ascii_downcase, ascii_upcase, booleans, ceil, contains, empty, endswith, first, flatten, floor, from_entries, fromjson
    case group_by, has, iterables, join, keys, keys_unsorted, last, length, limit, ltrimstr, map, map_values, max, max_by, min, min_by, not, nulls,
        numbers
    case objects, range, recurse, reverse, round, rtrimstr, scalars, select, sort, sort_by, split, startswith, strings, test, to_entries, tojson
    case tonumber, tostring, trim, type, unique, unique_by, values, with_entries

    /// The permitted numbers of arguments.
    var arguments: ClosedRange<Int> {
        switch self {
        case .all, .any, .first, .flatten, .last: 0...1
        case .contains, .endswith, .group_by, .has, .join, .ltrimstr, .map, .map_values, .max_by, .min_by, .rtrimstr, .select, .sort_by, .split,
            .startswith, .unique_by, .with_entries:
            1...1
        case .limit: 2...2
        case .range, .test: 1...2
        default: 0...0
        }
    }
}
