internal import WorkspaceModel

/// A part of the request that the palette finds by name, so that its tab need not be known.
struct RequestPlace: Sendable {
    let command: Command
    let label: String
    let summary: String
    let property: EndpointProperty
    /// Other words that the palette finds.
    let words: [String]

    static let all = [
        RequestPlace(
            command: .named("editChecks"), label: "Checks",
            summary: "Edit what the response has to be: status, JSON values, header fields and time", property: .section(.expect),
            words: ["Check", "Expect", "Expectation", "Assertion", "Test", "Validate", "Add check"]),
        RequestPlace(
            command: .named("editCaptures"), label: "Captures", summary: "Edit the values that later steps of a run take from the response",
            property: .section(.capture), words: ["Extract", "Save value"]),
        RequestPlace(
            command: .named("editParameters"), label: "Parameters", summary: "Edit the parameters of the query and of the path",
            property: .tab(.params), words: ["Query", "Params"]),
        RequestPlace(
            command: .named("editHeaders"), label: "Header fields", summary: "Edit the header fields of the request", property: .tab(.headers),
            words: ["Headers", "Content-Type", "Accept"]),
        RequestPlace(
            command: .named("editRequestBody"), label: "Request body", summary: "Edit the body of the request", property: .tab(.body),
            words: ["Body", "JSON", "Form", "Multipart", "GraphQL"]),
        RequestPlace(
            command: .named("editAuth"), label: "Auth", summary: "Edit the authentication of the request", property: .tab(.auth),
            words: ["Authentication", "Authorization", "Bearer token", "Basic", "OAuth", "Login", "API key"]),
        RequestPlace(
            command: .named("editDescription"), label: "Description", summary: "Edit the description of the endpoint",
            property: .section(.description), words: ["Notes", "Comment"]),
        RequestPlace(
            command: .named("editTimeout"), label: "Time limits", summary: "Edit the time limits of the endpoint", property: .option(.total),
            words: ["Timeout", "Timeouts", "Deadline", "Connect timeout", "Idle timeout"]),
        RequestPlace(
            command: .named("editRedirects"), label: "Redirects", summary: "Edit how many redirects are followed", property: .option(.redirects),
            words: ["Redirect", "Follow"]),
        RequestPlace(
            command: .named("editRetries"), label: "Retries", summary: "Edit how often the request is sent again after a failure",
            property: .option(.retries), words: ["Retry", "Backoff"]),
        RequestPlace(
            command: .named("editCompression"), label: "Compression", summary: "Edit whether compressed responses are requested",
            property: .option(.compression), words: ["gzip", "brotli", "zstd", "Decompress"]),
        RequestPlace(
            command: .named("editVersion"), label: "HTTP version", summary: "Edit the version of HTTP", property: .option(.version),
            words: ["HTTP/2", "HTTP/3", "h2", "h3", "Protocol"]),
        RequestPlace(
            command: .named("editInterface"), label: "Interface", summary: "Edit the network interface or the local address of connections",
            property: .option(.interface), words: ["Network interface", "Local address", "Bind"]),
    ]

    static func of(_ command: Command) -> RequestPlace? { all.first { $0.command == command } }

    var binding: Binding {
        var binding = Binding(.request, [], command, label, summary, unless: \.noEndpointReason)
        binding.synonyms = words
        return binding
    }
}
