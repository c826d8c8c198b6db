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

    /// The children.
    var children: [JSONQueryValue] {
        get throws(JSONEvaluationError) {
            if case .array(let items) = self { return items }
            var found: [JSONQueryValue] = []
            try forEachChild { (_, child) throws(JSONEvaluationError) in
                found.append(child)
                return true
            }
            return found
        }
    }

    /// The members of an object.
    var members: [Member] {
        get throws(JSONEvaluationError) {
            if case .object(let members) = self { return members }
            var found: [Member] = []
            try forEachChild(named: true) { (name, child) throws(JSONEvaluationError) in
                found.append(Member(name: name ?? "", value: child))
                return true
            }
            return found
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
