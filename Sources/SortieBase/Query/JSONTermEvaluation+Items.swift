/// Functions of arrays and objects.
extension JSONTermEvaluation {
    /// Functions of the items of an array and the members of an object; false for another function.
    func callOnItems(
        _ function: JSONFunction, _ arguments: [JSONTerm], _ input: Value, _ kind: JSONKind, _ position: Int, _ emit: Emit
    ) throws(JSONEvaluationError) -> Bool {
        let first = arguments.first ?? .identity
        switch function {
        case .length: try emit(try length(input, kind, position))
        case .keys, .keys_unsorted:
            try require(kind, of: input, for: function, position, .array, .object)
            var names: [String] = []
            var count = 0
            try input.forEachChild(named: true) { (name, _) throws(JSONEvaluationError) in
                count += 1
                guard let name else { return true }
                try keep(.string(name))
                names.append(name)
                return true
            }
            if function == .keys { names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
            try emit(.array(kind == .array ? (0..<count).map { .number(Double($0)) } : names.map { .string($0) }))
        case .has:
            try run(first, input) { (key) throws(JSONEvaluationError) in
                switch (kind, try key.json) {
                case (.object, .string(let name)): try emit(.bool(try input.member(name) != nil))
                case (.array, .number(let text)):
                    let count = try children(of: input).count
                    try emit(.bool(Int(text).map { (0..<count).contains($0) } ?? false))
                default: throw mismatch("has() cannot use", input, position)
                }
            }
        case .add:
            try require(kind, of: input, for: function, position, .array, .object, .null)
            var sum = Value.null
            var texts: [String] = []
            try input.forEachChild { (_, child) throws(JSONEvaluationError) in
                // Texts are joined at the end, because joining each of them takes a quadratic time.
                let kinds = (try sum.kind, try child.kind)
                if case (.null, .string) = kinds, case .string(let text) = try child.json {
                    try keep(.string(text))
                    texts.append(text)
                } else if kinds.1 != .null {
                    if !texts.isEmpty { sum = .string(texts.joined()) }
                    texts = []
                    try keep(child)
                    sum = try calculate(sum, "+", child, position)
                }
                return true
            }
            try emit(texts.isEmpty ? sum : .string(texts.joined()))
        case .reverse:
            if kind == .string {
                try emitText(String(String.UnicodeScalarView(try text(input, position).unicodeScalars.reversed())), emit)
                return true
            }
            try require(kind, of: input, for: function, position, .array, .null)
            try emit(.array(try children(of: input).reversed()))
        case .flatten:
            try require(kind, of: input, for: function, position, .array)
            var depth = Double.infinity
            if !arguments.isEmpty {
                try run(first, input) { (value) throws(JSONEvaluationError) in depth = try number(value) ?? 0 }
            }
            var flat: [Value] = []
            try flatten(input, depth, level: 1, &flat)
            try emit(.array(flat))
        case .to_entries: try emit(.array(try entries(of: input, position)))
        case .from_entries: try emit(try object(fromEntries: input, position))
        case .with_entries:
            var changed: [Value] = []
            for entry in try entries(of: input, position) {
                try run(first, entry) { (value) throws(JSONEvaluationError) in
                    try keep(value)
                    changed.append(value)
                }
            }
            try emit(try object(fromEntries: .array(changed), position))
        case .contains:
            try run(first, input) { (other) throws(JSONEvaluationError) in try emit(.bool(Self.contains(try input.json, try other.json))) }
        default: return false
        }
        return true
    }

    func length(_ input: Value, _ kind: JSONKind, _ position: Int) throws(JSONEvaluationError) -> Value {
        switch kind {
        case .null: return .number(0)
        case .bool: throw mismatch("length cannot use", input, position)
        case .number: return .number(abs(try number(input) ?? 0))
        case .string: return .number(Double(try text(input, position).unicodeScalars.count))
        case .array, .object:
            var count = 0
            try input.forEachChild { (_, _) throws(JSONEvaluationError) in
                count += 1
                return true
            }
            return .number(Double(count))
        }
    }

    func flatten(_ value: Value, _ depth: Double, level: Int, _ flat: inout [Value]) throws(JSONEvaluationError) {
        guard level <= JSONValue.depthLimit else {
            throw .failed("JSON nested deeper than \(JSONValue.depthLimit) levels is shown but not evaluated", position: nil)
        }
        var flattened: [Value] = []
        try value.forEachChild { (_, child) throws(JSONEvaluationError) in
            let kind = try child.kind
            if depth > 0, kind == .array {
                try flatten(child, depth - 1, level: level + 1, &flattened)
            } else {
                try keep(child)
                flattened.append(child)
            }
            return true
        }
        flat += flattened
    }

    func entries(of input: Value, _ position: Int) throws(JSONEvaluationError) -> [Value] {
        guard try input.kind == .object else { throw mismatch("to_entries needs an object, not", input, position) }
        var entries: [Value] = []
        for member in try members(of: input) {
            try keep(member.value, 128 + member.name.utf8.count)
            entries.append(.object([.init(name: "key", value: .string(member.name)), .init(name: "value", value: member.value)]))
        }
        return entries
    }

    func object(fromEntries input: Value, _ position: Int) throws(JSONEvaluationError) -> Value {
        guard try input.kind == .array else { throw mismatch("from_entries needs an array, not", input, position) }
        var members: [Value.Member] = []
        for entry in try children(of: input) {
            var name = try entry.member("key")
            if name == nil { name = try entry.member("name") }
            guard let name else { throw mismatch("from_entries needs objects with key and value, not", entry, position) }
            try keep(name, 64)
            members.append(.init(name: try name.plainText, value: try entry.member("value") ?? .null))
        }
        return .object(members)
    }

    /// Whether a value has everything of another one.
    static func contains(_ value: JSONValue, _ other: JSONValue) -> Bool {
        switch (value, other) {
        case (.string(let text), .string(let part)): part.isEmpty || Self.parts(of: text, separatedBy: part).count > 1
        case (.array(let items), .array(let others)): others.allSatisfy { other in items.contains { contains($0, other) } }
        case (.object, .object(let members)): members.allSatisfy { member in value.member(member.key).map { contains($0, member.value) } ?? false }
        default: JSONOrder.areEqual(value, other)
        }
    }
}
