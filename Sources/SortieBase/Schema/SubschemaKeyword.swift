/// A keyword of JSON Schema 2020-12 whose value is a schema or has schemas, and `definitions`, its name for `$defs` before.
package enum SubschemaKeyword: String, Sendable, CaseIterable {
    case allOf, anyOf, oneOf, not, `if`, then, `else`, dependentSchemas
    case properties, patternProperties, additionalProperties, propertyNames, unevaluatedProperties
    case items, prefixItems, contains, unevaluatedItems
    case defs = "$defs"
    case definitions, contentSchema

    /// What the value of a keyword is.
    package enum Content: Sendable {
        case schema
        /// An array of schemas.
        case list
        /// An object whose members are schemas.
        case map
    }

    /// To what the schemas of a keyword apply.
    package enum Subject: Sendable {
        /// The value to which the schema with the keyword applies.
        case value
        /// The members and their names, or the items, of that value.
        case parts
        /// Nothing: other schemas refer to them, or they describe what is not evaluated.
        case none
    }

    package var content: Content {
        switch self {
        case .allOf, .anyOf, .oneOf, .prefixItems: .list
        case .properties, .patternProperties, .dependentSchemas, .defs, .definitions: .map
        case .not, .if, .then, .else, .additionalProperties, .propertyNames, .unevaluatedProperties, .items, .contains, .unevaluatedItems,
            .contentSchema:
            .schema
        }
    }

    package var subject: Subject {
        switch self {
        case .allOf, .anyOf, .oneOf, .not, .if, .then, .else, .dependentSchemas: .value
        case .properties, .patternProperties, .additionalProperties, .propertyNames, .unevaluatedProperties, .items, .prefixItems, .contains,
            .unevaluatedItems:
            .parts
        case .defs, .definitions, .contentSchema: .none
        }
    }
}
