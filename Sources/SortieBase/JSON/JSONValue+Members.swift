/// Reading and changing the parts of a document.
extension JSONValue {
    /// The members of an object; empty for another value.
    package var members: [Member] { if case .object(let members) = self { members } else { [] } }

    /// The elements of an array; empty for another value.
    package var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    /// The text of a string; nil for another value.
    package var stringValue: String? { if case .string(let text) = self { text } else { nil } }

    /// The integer of a number; nil for another value and for a number outside 64 bits.
    package var integerValue: Int64? { if case .number(let text) = self { Int64(text) } else { nil } }

    /// The text of an object's member that is a string.
    package func text(_ key: String) -> String? { self[key]?.stringValue }

    /// The integer of an object's member that is a number.
    package func integer(_ key: String) -> Int64? { self[key]?.integerValue }

    /// The value with other members, if it is an object, or with other elements, if it is an array.
    ///
    /// - Parameter change: Returns the value in place of another one, whose key in an object it receives.
    package func mapChildren(_ change: (_ key: String?, _ child: JSONValue) -> JSONValue) -> JSONValue {
        switch self {
        case .object(let members): .object(members.map { Member($0.key, change($0.key, $0.value)) })
        case .array(let items): .array(items.map { change(nil, $0) })
        case .null, .bool, .number, .string: self
        }
    }

    /// The object with a member, in its place or at the end, or without it.
    package func setting(_ name: String, to value: JSONValue?) -> JSONValue {
        guard case .object(var members) = self else { return self }
        let index = members.firstIndex { $0.key == name } ?? members.endIndex
        members.replaceSubrange(index..<min(index + 1, members.count), with: value.map { [Member(name, $0)] } ?? [])
        return .object(members)
    }
}
