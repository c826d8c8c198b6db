/// What the templates of a text refer to outside the workspace, through any number of variables.
struct TemplateReferences: Hashable, Sendable {
    /// Names of the workspace's secrets.
    package var secrets: Set<String> = []
    /// Names of environment variables (`{{$env.NAME}}`).
    package var environment: Set<String> = []
    /// Paths of files (`{{$file PATH}}`).
    package var files: Set<String> = []

    /// Whether a value in it is one that only this machine knows.
    package var isEmpty: Bool { secrets.isEmpty && environment.isEmpty && files.isEmpty }

    package mutating func formUnion(_ other: TemplateReferences) {
        secrets.formUnion(other.secrets)
        environment.formUnion(other.environment)
        files.formUnion(other.files)
    }

    /// The names by which a list calls the values, as templates write them.
    package var names: [String] {
        (Array(secrets) + environment.map { "$env.\($0)" } + files.map { "$file \($0)" }).sorted()
    }
}
