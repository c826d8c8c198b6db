/// Functions that sort and group items.
extension JSONTermEvaluation {
    /// Functions of the order of items; false for another function.
    func callOnOrder(
        _ function: JSONFunction, _ arguments: [JSONTerm], _ input: Value, _ kind: JSONKind, _ position: Int, _ emit: Emit
    ) throws(JSONEvaluationError) -> Bool {
        let first = arguments.first ?? .identity
        switch function {
        case .sort: try emit(.array(try sorted(input, by: .identity, "sort", position).map(\.value)))
        case .sort_by: try emit(.array(try sorted(input, by: first, "sort_by", position).map(\.value)))
        case .group_by:
            try emit(.array(groups(of: try sorted(input, by: first, "group_by", position)).map { .array($0.map(\.value)) }))
        case .unique, .unique_by:
            let pairs = try sorted(input, by: first, function.rawValue, position)
            try emit(.array(groups(of: pairs).compactMap { $0.first?.value }))
        case .min, .min_by, .max, .max_by:
            let pairs = try sorted(input, by: first, function.rawValue, position)
            try emit((function == .min || function == .min_by ? pairs.first : pairs.last)?.value ?? .null)
        default: return false
        }
        return true
    }

    /// The items of an array in the order of a key.
    func sorted(
        _ input: Value, by term: JSONTerm, _ name: String, _ position: Int
    ) throws(JSONEvaluationError) -> [(key: JSONValue, value: Value)] {
        guard try input.kind == .array else { throw mismatch("\(name) needs an array, not", input, position) }
        var pairs: [(key: JSONValue, value: Value)] = []
        for item in try children(of: input) {
            var keys: [JSONValue] = []
            try run(term, item) { (key) throws(JSONEvaluationError) in keys.append(try key.json) }
            let key = keys.count == 1 ? keys[0] : .array(keys)
            try keep(.scalar(.null), Value(key).cost)
            pairs.append((key, item))
        }
        return pairs.enumerated().sorted { left, right in
            let order = JSONOrder.compare(left.element.key, right.element.key)
            return order == 0 ? left.offset < right.offset : order < 0
        }.map(\.element)
    }

    func groups(of pairs: [(key: JSONValue, value: Value)]) -> [[(key: JSONValue, value: Value)]] {
        var groups: [[(key: JSONValue, value: Value)]] = []
        for pair in pairs {
            if let last = groups.last?.first, JSONOrder.compare(last.key, pair.key) == 0 {
                groups[groups.count - 1].append(pair)
            } else {
                groups.append([pair])
            }
        }
        return groups
    }
}
