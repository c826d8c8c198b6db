internal import SortieBase

/// The schemas of the members of an object: `properties`, `patternProperties` and `additionalProperties`.
struct SchemaMembers: Sendable {
    /// The schemas by name.
    var properties: [String: Int] = [:]
    /// The schemas of names that match a pattern.
    var patterns: [(pattern: TextPattern, schema: Int)] = []
    /// The schema of other members.
    var additional: Int?
}
