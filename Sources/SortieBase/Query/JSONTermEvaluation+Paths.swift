/// Terms that read parts of the input.
extension JSONTermEvaluation {
    func follow(_ path: JSONPath, _ input: Value, _ emit: Emit) throws(JSONEvaluationError) {
        // The limit of values is for those in memory; the text of a body may be large.
        let isSource = if case .source = input { true } else { false }
        let budget = JSONPathBudget(path, limit: isSource ? nil : JSONPath.maximumValues, patterns: patterns) {
            () throws(JSONEvaluationError) in try self.step()
        }
        if case .source(let source) = input {
            try JSONPathEvaluation(path, root: source, budget: budget).run { (node) throws(JSONEvaluationError) in try emit(.source(node)) }
        } else {
            let evaluation = JSONPathEvaluation(path, root: try input.json, budget: budget)
            try evaluation.run { (value) throws(JSONEvaluationError) in try emit(Value(value)) }
        }
    }

    func field(_ name: String, of input: Value, _ position: Int) throws(JSONEvaluationError) -> Value {
        switch try input.kind {
        case .object:
            let member = try input.member(name)
            return member ?? .null
        case .null: return .null
        default: throw mismatch("cannot read .\(name) of", input, position)
        }
    }

    func item(_ index: Int, of input: Value, _ position: Int) throws(JSONEvaluationError) -> Value {
        switch (try input.kind, input) {
        case (.null, _): return .null
        case (.array, .source(let source)): return try source.item(index).map { .source($0) } ?? .null
        case (.array, .array(let items)):
            let place = index < 0 ? items.count + index : index
            return items.indices.contains(place) ? items[place] : .null
        default: throw mismatch("cannot read [\(index)] of", input, position)
        }
    }

    func slice(_ slice: JSONPathSlice, of input: Value, _ position: Int) throws(JSONEvaluationError) -> Value {
        switch try input.kind {
        case .null: return .null
        case .string:
            let scalars = Array(try text(input, position).unicodeScalars)
            var part = String.UnicodeScalarView()
            for index in slice.indices(of: scalars.count) { part.append(scalars[index]) }
            return .string(String(part))
        case .array:
            let items = try children(of: input)
            return .array(slice.indices(of: items.count).map { items[$0] })
        default: throw mismatch("cannot read a range of", input, position)
        }
    }

    func descend(_ value: Value, _ emit: Emit) throws(JSONEvaluationError) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= JSONValue.depthLimit else {
            throw .failed("JSON nested deeper than \(JSONValue.depthLimit) levels is shown but not evaluated", position: nil)
        }
        try emit(value)
        try value.forEachChild { (_, child) throws(JSONEvaluationError) in
            try descend(child, emit)
            return true
        }
    }
}
