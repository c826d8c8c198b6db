extension JSONSchemaValidation {
    /// Validates a value by a rule that has no schemas.
    mutating func validate(
        _ value: JSONValue, byPlain rule: SchemaRule, _ failures: inout [JSONSchemaFailure], _ limit: Int
    ) throws(PatternError) {
        switch rule {
        case .forbidden(let keyword): fail(keyword, "no value", value, &failures)
        case .types(let types):
            if !types.contain(value) { fail("type", types.expected, value, &failures) }
        case .values(let values):
            if !values.isKnown(value), !values.contains(canonical: try canonicalText(of: value)) {
                fail(values.keyword, values.description, value, &failures)
            }
        case .bound(let bound):
            if case .number(let text) = value, !bound.holds(forNumber: text) {
                fail(bound.keyword.rawValue, bound.expected, value, &failures)
            }
        case .multipleOf(let divisor, let text):
            if case .number(let number) = value, !JSONDecimal(number).isMultiple(of: divisor) {
                fail("multipleOf", "a multiple of \(text)", value, &failures)
            }
        case .count(let count):
            if !count.certainlyHolds(for: value), let actual = count.count(of: value), !count.holds(for: actual) {
                failures.append(failure(count.keyword.rawValue, count.expected, "\(actual)"))
            }
        case .pattern(let pattern, let text):
            if case .string(let string) = value, try !pattern.isFound(in: string, steps: &patternSteps) {
                fail("pattern", "a match of \(text)", value, &failures)
            }
        case .format(let format):
            if !format.accepts(value) { fail("format", format.rawValue, value, &failures) }
        case .uniqueItems: try validate(uniqueItemsOf: value, &failures)
        case .required(let names):
            if case .object(let members) = value {
                for name in Self.missing(names, in: members) where failures.count < limit {
                    path.append(.name(name))
                    failures.append(failure("required", "a value", "nothing"))
                    path.removeLast()
                }
            }
        case .dependentRequired(let name, let names, let keyword):
            if case .object(let members) = value {
                guard members.contains(where: { $0.key == name }) else { return }
                for other in Self.missing(names, in: members) where failures.count < limit {
                    path.append(.name(other))
                    failures.append(failure(keyword, "a value, because there is \(name)", "nothing"))
                    path.removeLast()
                }
            }
        default: break
        }
    }

    /// The names that no member has.
    private static func missing(_ names: [String], in members: [JSONValue.Member]) -> [String] {
        // The order of the names is often that of the members.
        var next = 0
        func isPresent(_ name: String) -> Bool {
            for offset in 0..<members.count {
                let index = next + offset < members.count ? next + offset : next + offset - members.count
                guard members[index].key == name else { continue }
                next = index
                return true
            }
            return false
        }
        guard names.count > 64, members.count > 64 else { return names.filter { !isPresent($0) } }
        let present = Set(members.map(\.key))
        return names.filter { !present.contains($0) }
    }

    private mutating func validate(uniqueItemsOf value: JSONValue, _ failures: inout [JSONSchemaFailure]) throws(PatternError) {
        guard case .array(let items) = value else { return }
        var places: [String: Int] = [:]
        for (index, item) in items.enumerated() {
            guard let first = places.updateValue(index, forKey: try canonicalText(of: item)) else { continue }
            return failures.append(failure("uniqueItems", "items that differ", "item \(index) equal to item \(first)"))
        }
    }
}
