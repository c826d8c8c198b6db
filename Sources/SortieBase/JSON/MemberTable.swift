/// Values by the names of members, which are found fast where the members of an object have the order of the table.
package struct MemberTable<Value> {
    private let names: [String]
    private let values: [Value]
    private let positions: [String: Int]

    /// - Parameter members: The values by name, each name once.
    package init(_ members: [(name: String, value: Value)]) {
        (names, values) = (members.map(\.name), members.map(\.value))
        positions = Dictionary(members.indices.map { (members[$0].name, $0) }) { $1 }
    }

    package var isEmpty: Bool { names.isEmpty }

    /// The value of a member; nil for a name that is not in the table.
    ///
    /// - Parameter next: The position of the name that is likely, from 0, which becomes that of the next one.
    package func value(of name: String, next: inout Int) -> Value? {
        if next >= names.count || names[next] != name {
            guard let position = positions[name] else { return nil }
            next = position
        }
        defer { next += 1 }
        return values[next]
    }
}

extension MemberTable: Sendable where Value: Sendable {}
