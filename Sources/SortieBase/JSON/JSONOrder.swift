/// Equality and order of JSON values.
package enum JSONOrder {
    /// Whether values are equal (RFC 9535 §2.3.5.2.2): numbers by value, texts by characters, objects without regard to the order of members.
    package static func areEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.number(let left), .number(let right)): return left == right || compare(numbers: left, right) == 0
        case (.string(let left), .string(let right)): return left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): return left.count == right.count && zip(left, right).allSatisfy { areEqual($0, $1) }
        case (.object(let left), .object(let right)):
            guard left.count == right.count else { return false }
            let others = JSONValue.object(right)
            return left.allSatisfy { member in others.member(member.key).map { areEqual(member.value, $0) } ?? false }
        default: return false
        }
    }

    /// Whether a value is less than another of the same kind; only numbers and texts have an order (RFC 9535 §2.3.5.2.2).
    static func isLess(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): compare(numbers: left, right) < 0
        case (.string(let left), .string(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        default: false
        }
    }

    /// The order of any two values for sorting: null, false, true, numbers, texts, arrays, objects; negative when the first one is less.
    package static func compare(_ left: JSONValue, _ right: JSONValue) -> Int {
        switch (left, right) {
        case (.bool(let left), .bool(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
        case (.number(let left), .number(let right)): return compare(numbers: left, right)
        case (.string(let left), .string(let right)):
            if left.utf8.elementsEqual(right.utf8) { return 0 }
            return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
        case (.array(let left), .array(let right)):
            for (left, right) in zip(left, right) {
                let order = compare(left, right)
                if order != 0 { return order }
            }
            return left.count - right.count
        case (.object(let left), .object(let right)):
            let (left, right) = (sorted(left), sorted(right))
            let names = compare(.array(left.map { .string($0.key) }), .array(right.map { .string($0.key) }))
            return names != 0 ? names : compare(.array(left.map(\.value)), .array(right.map(\.value)))
        default: return left.kind.rawValue - right.kind.rawValue
        }
    }

    /// Members in the order of their names.
    static func sorted(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
        members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    private static func compare(numbers left: String, _ right: String) -> Int {
        if let left = Int(left), let right = Int(right) { return left < right ? -1 : left > right ? 1 : 0 }
        guard let left = Double(left), let right = Double(right) else { return 0 }
        return left < right ? -1 : left > right ? 1 : 0
    }
}
