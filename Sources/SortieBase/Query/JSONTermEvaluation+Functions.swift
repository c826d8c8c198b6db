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
