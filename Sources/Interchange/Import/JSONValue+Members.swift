internal import SortieBase

/// Reading and changing the parts of a document.
extension JSONValue {
    /// The members of an object; empty for another value.
    var members: [Member] { if case .object(let members) = self { members } else { [] } }

    /// The elements of an array; empty for another value.
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    /// The text of a string; nil for another value.
    var stringValue: String? { if case .string(let text) = self { text } else { nil } }

    /// The object with a member, in its place or at the end, or without it.
    func setting(_ name: String, to value: JSONValue?) -> JSONValue {
        guard case .object(var members) = self else { return self }
        let index = members.firstIndex { $0.key == name } ?? members.endIndex
        members.replaceSubrange(index..<min(index + 1, members.count), with: value.map { [Member(name, $0)] } ?? [])
        return .object(members)
    }
}
