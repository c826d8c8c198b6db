/// The types of a GraphQL server (GraphQL specification, October 2021, §3), as introspection describes them (§4).
package struct GraphQLSchema: Hashable, Sendable {
    /// A named type.
    package struct Named: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable {
            case scalar = "SCALAR"
            case object = "OBJECT"
            case interface = "INTERFACE"
            case union = "UNION"
            case enumeration = "ENUM"
            case input = "INPUT_OBJECT"
        }

        package var name: String
        package var kind: Kind
        package var summary = ""
        /// The fields of an object or an interface.
        package var fields: [Field] = []
        /// The fields of an input object.
        package var inputs: [Input] = []
        /// The values of an enumeration.
        package var values: [String] = []
        /// The objects of an interface or a union; empty where the server does not name them.
        package var possible: [String] = []

        /// Whether a field of the type needs a selection of fields.
        package var isComposite: Bool { [.object, .interface, .union].contains(kind) }
        /// Whether it can be the type of a variable or an argument.
        package var isInput: Bool { [.scalar, .enumeration, .input].contains(kind) }
    }

    /// A field of an object or an interface.
    package struct Field: Hashable, Sendable {
        package var name: String
        package var type: TypeReference
        package var arguments: [Input] = []
        package var summary = ""
        package var isDeprecated = false
    }

    /// An argument, or a field of an input object.
    package struct Input: Hashable, Sendable {
        package var name: String
        package var type: TypeReference
        package var summary = ""
        package var hasDefault = false

        /// Whether a value must be given.
        package var isRequired: Bool { type.isRequired && !hasDefault }
    }

    /// A type with its lists and exclamation marks, such as `[Order!]!`.
    package struct TypeReference: Hashable, Sendable, CustomStringConvertible {
        /// The notation of the specification.
        package var description: String
        /// The type without lists and exclamation marks.
        package var name: String { description.filter { !"[]!".contains($0) } }
        /// Whether null is not allowed.
        package var isRequired: Bool { description.hasSuffix("!") }
        /// The type with null.
        package var optional: TypeReference { isRequired ? TypeReference(description: String(description.dropLast())) : self }
        /// The type of the elements; nil where it is no list.
        package var element: TypeReference? {
            let inner = optional.description
            guard inner.hasPrefix("["), inner.hasSuffix("]") else { return nil }
            return TypeReference(description: String(inner.dropFirst().dropLast()))
        }
    }

    /// The types by name.
    package var types: [String: Named]
    /// The types of operations, by `query`, `mutation` and `subscription`.
    package var roots: [String: String]
    /// The directives of operations, with their arguments.
    package var directives: [String: [Input]]
}
