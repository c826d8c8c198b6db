internal import SortieBase

/// One keyword of a schema, or keywords that are evaluated together; schemas are indexes of ``JSONSchema/nodes``.
enum SchemaRule: Sendable {
    /// The schema `false`.
    case nothing
    case reference(Int)
    case types([SchemaType])
    /// `enum` and `const`: the canonical texts of the permitted values, and their description.
    case values(Set<String>, keyword: String, description: String)
    /// `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`.
    case bound(SchemaBound)
    case multipleOf(JSONDecimal, text: String)
    /// `minLength` and the other limits of a number of parts.
    case count(SchemaCount)
    case pattern(TextPattern, text: String)
    case uniqueItems
    case required([String])
    case members(SchemaMembers)
    case propertyNames(Int)
    /// Names that the presence of a member requires; `keyword` is `dependentRequired` or `dependencies`.
    case dependentRequired(String, [String], keyword: String)
    case dependentSchema(String, Int)
    case items(prefix: [Int], rest: Int?)
    case contains(Int, minimum: Int, maximum: Int?)
    case allOf([Int])
    case anyOf([Int])
    case oneOf([Int])
    case not(Int)
    case conditional(Int, then: Int?, otherwise: Int?)
}
