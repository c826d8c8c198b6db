/// The values outside the workspace to which the templates of a text refer, through any number of variables.
struct TemplateReferences: Hashable, Sendable {
    /// The names of the workspace's secrets.
    package var secrets: Set<String> = []
    /// The names of environment variables (`{{$env.NAME}}`).
    package var environment: Set<String> = []
    /// The paths of files (`{{$file PATH}}`).
    package var files: Set<String> = []
    /// The names with a dot, which may be those of captured values (`login.token`).
    var dotted: Set<String> = []
    /// Whether the user is asked for a secret (`{{$promptSecret LABEL}}`).
    var asksForSecret = false

    /// Whether the text refers to no value outside the workspace.
    package var isEmpty: Bool { secrets.isEmpty && environment.isEmpty && files.isEmpty }

    package mutating func formUnion(_ other: TemplateReferences) {
        secrets.formUnion(other.secrets)
        environment.formUnion(other.environment)
        files.formUnion(other.files)
        dotted.formUnion(other.dotted)
        asksForSecret = asksForSecret || other.asksForSecret
    }

    /// The names of the values in a list, in the notation of templates.
    package var names: [String] {
        (Array(secrets) + environment.map { "$env.\($0)" } + files.map { "$file \($0)" }).sorted()
    }
}
