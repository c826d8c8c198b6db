internal import WorkspaceModel

/// The limits of a YAML document against hostile files.
struct YAMLLimits {
    /// The limits of a workspace's files.
    static let workspace = YAMLLimits(
        bytes: WorkspaceLimits.fileBytes, depth: WorkspaceLimits.yamlDepth, values: WorkspaceLimits.yamlValues,
        advice: "put a large body into a separate file")
    /// The limits of a document of another tool, such as the description of a large API.
    static let source = YAMLLimits(bytes: 64 << 20, depth: 256, values: 5_000_000, advice: "import it as JSON")

    /// The maximum size in bytes.
    let bytes: Int
    /// The maximum depth of nested collections.
    let depth: Int
    /// The maximum number of values after aliases are followed.
    let values: Int
    /// The remedy for a document that is too large.
    let advice: String
}
