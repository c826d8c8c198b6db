/// Terms that make texts and objects, and that combine the results of two terms.
extension JSONTermEvaluation {
    func interpolate(_ parts: ArraySlice<JSONTerm>, _ text: String, _ input: Value, _ emit: Emit) throws(JSONEvaluationError) {
        guard let part = parts.first else { return try emit(.string(text)) }
        try run(part, input) { (value) throws(JSONEvaluationError) in
            let before = left
            defer { left = before }
            let text = text + (try value.plainText)
            try keep(.string(text))
            try interpolate(parts.dropFirst(), text, input, emit)
        }
    }

    func object(
        _ members: ArraySlice<JSONTerm.Member>, _ made: [Value.Member], _ input: Value, _ emit: Emit
    ) throws(JSONEvaluationError) {
        guard let member = members.first else {
            let before = left
            defer { left = before }
            try keep(.object(made))
            return try emit(.object(made))
        }
        func add(_ name: String) throws(JSONEvaluationError) {
            try run(member.value, input) { (value) throws(JSONEvaluationError) in
                var made = made
                if let index = made.firstIndex(where: { $0.name == name }) {
                    made[index].value = value
                } else {
                    made.append(.init(name: name, value: value))
                }
                try object(members.dropFirst(), made, input, emit)
            }
        }
        // Without a call for a literal, so that an object may have more members.
        if case .literal(.string(let name)) = member.name { return try add(name) }
        try run(member.name, input) { (name) throws(JSONEvaluationError) in try add(try name.plainText) }
    }

    func combine(
        _ first: JSONTerm, _ second: JSONTerm, _ input: Value, endsWith end: Bool, _ emit: Emit
    ) throws(JSONEvaluationError) {
        try run(first, input) { (value) throws(JSONEvaluationError) in
            if try value.isTrue == end { return try emit(.bool(end)) }
            try run(second, input) { (value) throws(JSONEvaluationError) in try emit(.bool(try value.isTrue)) }
        }
    }

    func forEachPair(
        _ first: JSONTerm, _ second: JSONTerm, _ input: Value, _ visit: (Value, Value) throws(JSONEvaluationError) -> Void
    ) throws(JSONEvaluationError) {
        try run(second, input) { (right) throws(JSONEvaluationError) in
            try run(first, input) { (left) throws(JSONEvaluationError) in try visit(left, right) }
        }
    }
}
