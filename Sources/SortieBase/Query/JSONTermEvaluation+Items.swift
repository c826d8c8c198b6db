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

/// Functions of terms and of any value.
extension JSONTermEvaluation {
    /// Passes on the results of a function; the memory of the values that it made is free afterwards.
    func call(
        _ function: JSONFunction, _ arguments: [JSONTerm], _ input: Value, _ position: Int, _ emit: Emit
    ) throws(JSONEvaluationError) {
        let before = left
        defer { left = before }
        let kind = try input.kind
        if try callOnTerms(function, arguments, input, kind, position, emit) { return }
        if try emitIfKind(function, input, kind, emit) { return }
        if try callOnItems(function, arguments, input, kind, position, emit) { return }
        if try callOnOrder(function, arguments, input, kind, position, emit) { return }
        try callOnText(function, arguments, input, kind, position, emit)
    }

    /// Functions that evaluate terms for an input or its values; false for another function.
    func callOnTerms(
        _ function: JSONFunction, _ arguments: [JSONTerm], _ input: Value, _ kind: JSONKind, _ position: Int, _ emit: Emit
    ) throws(JSONEvaluationError) -> Bool {
        let first = arguments.first ?? .identity
        switch function {
        case .empty: break
        case .select:
            try run(first, input) { (value) throws(JSONEvaluationError) in if try value.isTrue { try emit(input) } }
        case .map:
            try require(kind, of: input, for: function, position, .array, .object)
            var values: [Value] = []
            try input.forEachChild { (_, child) throws(JSONEvaluationError) in
                try run(first, child) { (value) throws(JSONEvaluationError) in
                    try keep(value)
                    values.append(value)
                }
                return true
            }
            try emit(.array(values))
        case .map_values:
            try require(kind, of: input, for: function, position, .array, .object)
            var members: [Value.Member] = []
            try input.forEachChild(named: true) { (name, child) throws(JSONEvaluationError) in
                try take(1, of: first, child) { (value) throws(JSONEvaluationError) in
                    let name = name ?? ""
                    try keep(value, 32 + name.utf8.count)
                    members.append(.init(name: name, value: value))
                }
                return true
            }
            try emit(kind == .array ? .array(members.map(\.value)) : .object(members))
        case .recurse: try descend(input, emit)
        case .not: try emit(.bool(try !input.isTrue))
        case .any, .all:
            let end = function == .any
            var isEnded = false
            try require(kind, of: input, for: function, position, .array, .object)
            try input.forEachChild { (_, child) throws(JSONEvaluationError) in
                try run(first, child) { (value) throws(JSONEvaluationError) in if try value.isTrue == end { isEnded = true } }
                return !isEnded
            }
            try emit(.bool(isEnded == end))
        case .first:
            if arguments.isEmpty {
                try emit(try item(0, of: input, position))
                return true
            }
            try take(1, of: first, input, emit)
        case .last:
            if arguments.isEmpty {
                try emit(try item(-1, of: input, position))
                return true
            }
            var last: Value?
            try run(first, input) { (value) throws(JSONEvaluationError) in last = value }
            if let last { try emit(last) }
        case .limit:
            try run(first, input) { (count) throws(JSONEvaluationError) in
                guard let number = try number(count), number.isFinite else { throw mismatch("limit needs a number, not", count, position) }
                try take(Int(min(max(number, 0), 1e15)), of: arguments[1], input, emit)
            }
        case .range:
            let low: JSONTerm = arguments.count == 2 ? first : .literal(.number("0"))
            try forEachPair(low, arguments.last ?? first, input) { (low, high) throws(JSONEvaluationError) in
                guard let start = try number(low), let end = try number(high), start.isFinite, end.isFinite else {
                    throw mismatch("range needs numbers, not", low, position)
                }
                // By their count, because 1 is lost when it is added to a number beyond 2^53.
                for index in 0..<Int(min(max((end - start).rounded(.up), 0), 1e15)) {
                    try step()
                    try emit(.number(start + Double(index)))
                }
            }
        default: return false
        }
        return true
    }

    /// Functions of the kind of a value; false for another function.
    func emitIfKind(
        _ function: JSONFunction, _ input: Value, _ kind: JSONKind, _ emit: Emit
    ) throws(JSONEvaluationError) -> Bool {
        switch function {
        case .values: if kind != .null { try emit(input) }
        case .nulls: if kind == .null { try emit(input) }
        case .booleans: if kind == .bool { try emit(input) }
        case .numbers: if kind == .number { try emit(input) }
        case .strings: if kind == .string { try emit(input) }
        case .arrays: if kind == .array { try emit(input) }
        case .objects: if kind == .object { try emit(input) }
        case .iterables: if kind == .array || kind == .object { try emit(input) }
        case .scalars: if kind != .array, kind != .object { try emit(input) }
        case .type: try emit(.string(kind.word))
        default: return false
        }
        return true
    }

    /// Refuses an input of another kind than these.
    func require(
        _ kind: JSONKind, of input: Value, for function: JSONFunction, _ position: Int, _ kinds: JSONKind...
    ) throws(JSONEvaluationError) {
        guard kinds.contains(kind) else { throw mismatch("\(function.rawValue) cannot use", input, position) }
    }

    /// The first results of a term.
    func take(_ count: Int, of term: JSONTerm, _ input: Value, _ emit: Emit) throws(JSONEvaluationError) {
        guard count > 0 else { return }
        var taken = 0
        do throws(JSONEvaluationError) {
            try run(term, input) { (value) throws(JSONEvaluationError) in
                try emit(value)
                taken += 1
                if taken == count { throw .stopped }
            }
        } catch {
            guard taken == count, error == .stopped else { throw error }
        }
    }
}

/// Functions of texts and numbers.
extension JSONTermEvaluation {
    /// Functions of texts and numbers.
    func callOnText(
        _ function: JSONFunction, _ arguments: [JSONTerm], _ input: Value, _ kind: JSONKind, _ position: Int, _ emit: Emit
    ) throws(JSONEvaluationError) {
        switch function {
        case .tostring: return try emitText(try input.plainText, emit)
        case .tojson: return try emitText(try input.json.text, emit)
        case .tonumber:
            if kind == .number { return try emit(input) }
            guard let number = Double(try text(input, position)) else { throw mismatch("no number is in", input, position) }
            return try emit(.number(number))
        case .floor, .ceil, .round:
            guard let number = try number(input) else { throw mismatch("\(function.rawValue) needs a number, not", input, position) }
            return try emit(.number(function == .floor ? number.rounded(.down) : function == .ceil ? number.rounded(.up) : number.rounded()))
        case .join:
            let separator = try string(arguments[0], input, position)
            var texts: [String] = []
            for child in try children(of: input) {
                let isNull = try child.kind == .null
                let text = isNull ? "" : try child.plainText
                // Before the texts are joined, because the separator may be long.
                try keep(.string(text), separator.utf8.count)
                texts.append(text)
            }
            return try emitText(texts.joined(separator: separator), emit)
        default: break
        }
        let whole = try text(input, position)
        if function == .fromjson {
            let value: JSONValue
            do { value = try JSONValue(parsing: whole) } catch { throw mismatch("no JSON is in", input, position) }
            try keep(Value(value))
            return try emit(Value(value))
        }
        guard let argument = arguments.first else {
            switch function {
            case .ascii_downcase:
                return try emit(.string(String(decoding: whole.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)))
            case .ascii_upcase:
                return try emit(.string(String(decoding: whole.utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }, as: UTF8.self)))
            default:
                return try emit(.string(whole.trimmingBlanks))
            }
        }
        let other = try string(argument, input, position)
        switch function {
        case .startswith: try emit(.bool(whole.utf8.starts(with: other.utf8)))
        case .endswith: try emit(.bool(whole.utf8.reversed().starts(with: other.utf8.reversed())))
        case .ltrimstr: try emit(.string(whole.hasPrefix(other) ? String(whole.dropFirst(other.count)) : whole))
        case .rtrimstr: try emit(.string(whole.hasSuffix(other) && !other.isEmpty ? String(whole.dropLast(other.count)) : whole))
        case .split:
            let parts = other.isEmpty ? whole.map(String.init) : Self.parts(of: whole, separatedBy: other)
            for part in parts { try keep(.string(part)) }
            try emit(.array(parts.map { .string($0) }))
        default:
            let flags = arguments.count > 1 ? try string(arguments[1], input, position) : ""
            try emit(.bool(try isFound(flags.contains("i") ? "(?i)\(other)" : other, in: whole, position)))
        }
    }

    func isFound(_ pattern: String, in text: String, _ position: Int) throws(JSONEvaluationError) -> Bool {
        do throws(PatternError) {
            return try patterns.isFound(pattern, in: text)
        } catch {
            throw .failed("\(error)", position: position + 1)
        }
    }

    func string(_ term: JSONTerm, _ input: Value, _ position: Int) throws(JSONEvaluationError) -> String {
        var found: Value?
        try run(term, input) { (value) throws(JSONEvaluationError) in found = value }
        return try text(found ?? .null, position)
    }

    static func parts(of text: String, separatedBy separator: String) -> [String] {
        var parts: [String] = []
        var rest = Array(text.unicodeScalars)[...]
        let wanted = Array(separator.unicodeScalars)
        var part = String.UnicodeScalarView()
        while let scalar = rest.first {
            if rest.starts(with: wanted) {
                parts.append(String(part))
                part = String.UnicodeScalarView()
                rest = rest.dropFirst(wanted.count)
            } else {
                part.append(scalar)
                rest = rest.dropFirst()
            }
        }
        return parts + [String(part)]
    }
}
