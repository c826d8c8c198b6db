/// Terms that calculate.
extension JSONTermEvaluation {
    func calculate(_ first: Value, _ sign: Character, _ second: Value, _ position: Int) throws(JSONEvaluationError) -> Value {
        let kinds = (try first.kind, try second.kind)
        if let left = try number(first), let right = try number(second) {
            switch sign {
            case "+": return .number(left + right)
            case "-": return .number(left - right)
            case "*": return .number(left * right)
            default:
                guard right != 0 else { throw .failed("a number is divided by 0; ? after it ignores that", position: position + 1) }
                return .number(sign == "/" ? left / right : left.rounded(.towardZero).truncatingRemainder(dividingBy: right.rounded(.towardZero)))
            }
        }
        switch (sign, kinds.0, kinds.1) {
        case ("+", .null, _): return second
        case ("+", _, .null): return first
        case ("+", .string, .string): return .string(try first.plainText + second.plainText)
        case ("+", .array, .array): return .array(try children(of: first) + children(of: second))
        case ("-", .array, .array):
            let removed = try second.json
            guard case .array(let values) = removed else { return first }
            var kept: [Value] = []
            for item in try children(of: first) {
                try step()
                let value = try item.json
                if !values.contains(where: { JSONOrder.areEqual($0, value) }) { kept.append(item) }
            }
            return .array(kept)
        case ("+", .object, .object), ("*", .object, .object):
            var members = try self.members(of: first)
            for member in try self.members(of: second) {
                try step()
                if let index = members.firstIndex(where: { $0.name == member.name }) { members[index] = member } else { members.append(member) }
            }
            return .object(members)
        default: throw mismatch("cannot calculate \(kinds.0.name) \(sign)", second, position)
        }
    }

    func number(_ value: Value) throws(JSONEvaluationError) -> Double? {
        guard try value.kind == .number, case .number(let text) = try value.json else { return nil }
        return Double(text)
    }

    func text(_ value: Value, _ position: Int) throws(JSONEvaluationError) -> String {
        guard case .string(let text) = try value.json else { throw mismatch("a text is needed, not", value, position) }
        return text
    }
}
