internal import SortieBase

/// The names of members of descriptions whose values are no objects of OpenAPI themselves.
enum OpenAPIMembers {
    /// Those whose members have any name.
    static let maps = Set(SubschemaKeyword.allCases.filter { $0.content == .map }.map(\.rawValue)).union([
        "schemas", "paths", "responses", "content", "headers", "callbacks", "parameters", "requestBodies", "pathItems", "webhooks", "links",
        "encoding", "variables", "securitySchemes", "mediaTypes",
    ])

    /// Those whose values are data.
    static let data: Set<String> = ["example", "examples", "default", "enum", "const", "value"]
}
