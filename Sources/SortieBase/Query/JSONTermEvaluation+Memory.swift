/// The values that are in memory at the same time.
extension JSONTermEvaluation {
    /// Counts a value that is kept.
    func keep(_ value: Value, _ more: Int = 0) throws(JSONEvaluationError) {
        left -= value.cost + more
        guard left >= 0 else {
            throw .failed(
                "more than \(ByteCount(memoryLimit).text) of values are needed at the same time; select fewer of them before they are collected",
                position: nil)
        }
    }

    /// Passes on a text that was made; the function that made it gives the memory back.
    func emitText(_ text: String, _ emit: Emit) throws(JSONEvaluationError) {
        try keep(.string(text))
        try emit(.string(text))
    }

    func collect(_ term: JSONTerm, _ input: Value) throws(JSONEvaluationError) -> [Value] {
        var values: [Value] = []
        try run(term, input) { (value) throws(JSONEvaluationError) in
            try keep(value)
            values.append(value)
        }
        return values
    }

    func children(of value: Value) throws(JSONEvaluationError) -> [Value] {
        if case .array(let items) = value { return items }
        var values: [Value] = []
        try value.forEachChild { (_, child) throws(JSONEvaluationError) in
            try keep(child)
            values.append(child)
            return true
        }
        return values
    }

    func members(of value: Value) throws(JSONEvaluationError) -> [Value.Member] {
        if case .object(let members) = value { return members }
        var members: [Value.Member] = []
        try value.forEachChild(named: true) { (name, child) throws(JSONEvaluationError) in
            let name = name ?? ""
            try keep(child, 32 + name.utf8.count)
            members.append(.init(name: name, value: child))
            return true
        }
        return members
    }
}
