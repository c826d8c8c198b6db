package import SortieBase

/// What the description of an API has for the request of an operation: the names and values that complete a text while it is typed.
package struct DescribedRequest: Hashable, Sendable {
    /// A parameter, or a member of an object.
    package struct Member: Hashable, Sendable {
        package var name: String
        package var isRequired: Bool
        /// The description on one line; empty without one.
        package var summary: String
        /// The position of its value in ``DescribedRequest/values``; nil where nothing is known about it.
        package var value: Int?

        /// Creates a member.
        package init(_ name: String, isRequired: Bool = false, summary: String = "", value: Int? = nil) {
            (self.name, self.isRequired, self.summary, self.value) = (name, isRequired, summary, value)
        }
    }

    /// A value.
    package struct Value: Hashable, Sendable {
        /// The type for display, such as `array of string`; empty where any is possible.
        package var type: String
        /// The values that it may have; empty where they are not listed.
        package var choices: [JSONValue]
        /// The members of an object, in the order of the description.
        package var members: [Member]
        /// The position of the items of an array in ``DescribedRequest/values``.
        package var items: Int?

        /// Creates a value.
        package init(type: String = "", choices: [JSONValue] = [], members: [Member] = [], items: Int? = nil) {
            (self.type, self.choices, self.members, self.items) = (type, choices, members, items)
        }
    }

    /// The parameters of the query.
    package var query: [Member] = []
    /// The header fields.
    package var headers: [Member] = []
    /// The parameters of the path.
    package var path: [Member] = []
    /// The body as JSON, as a position in ``values``.
    package var body: Int?
    /// The body as a form, as a position in ``values``.
    package var form: Int?
    /// The values, which refer to each other by their positions, because a schema may contain itself.
    package var values: [Value] = []

    /// Creates a request of which nothing is known.
    package init() {}

    /// The value at a position.
    package func value(_ index: Int?) -> Value? { index.flatMap { values.indices.contains($0) ? values[$0] : nil } }

    /// The value at a place of the JSON body; nil where the description has none there.
    ///
    /// - Parameter path: The names of the members from the root; nil for an item of an array.
    package func value(at path: [String?]) -> Value? {
        path.reduce(value(body)) { value, step in
            guard let name = step else { return self.value(value?.items) }
            return self.value(value?.members.first { $0.name == name }?.value)
        }
    }

    /// The values that a parameter may have: those of its items, where it is a list.
    package func choices(of member: Member) -> [JSONValue] {
        guard let value = value(member.value) else { return [] }
        return value.choices.isEmpty ? self.value(value.items)?.choices ?? [] : value.choices
    }
}
