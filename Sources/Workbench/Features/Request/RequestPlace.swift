internal import WorkspaceModel

/// A part of the request that the palette finds by name, so that its tab need not be known.
struct RequestPlace: Sendable {
    let command: Command
    let label: String
    let summary: String
    let property: EndpointProperty
    /// Other words that the palette finds.
    let words: [String]

    private init(_ command: String, _ label: String, _ summary: String, _ property: EndpointProperty, _ words: [String]) {
        (self.command, self.label, self.summary, self.property, self.words) = (.named(command), label, summary, property, words)
    }

    static let all = [
        RequestPlace(
            "editChecks", "Checks", "Edit what the response has to be: status, JSON values, header fields and time", .section(.expect),
            ["Check", "Expect", "Expectation", "Assertion", "Test", "Validate", "Add check"]),
        RequestPlace(
            "editCaptures", "Captures", "Edit the values that later steps of a run take from the response", .section(.capture),
            ["Extract", "Save value"]),
        RequestPlace("editParameters", "Parameters", "Edit the parameters of the query and of the path", .tab(.params), ["Query", "Params"]),
        RequestPlace("editHeaders", "Header fields", "Edit the header fields of the request", .tab(.headers), ["Headers", "Content-Type", "Accept"]),
        RequestPlace(
            "editRequestBody", "Request body", "Edit the body of the request", .tab(.body), ["Body", "JSON", "Form", "Multipart", "GraphQL"]),
        RequestPlace(
            "editAuth", "Auth", "Edit the authentication of the request", .tab(.auth),
            ["Authentication", "Authorization", "Bearer token", "Basic", "OAuth", "Login", "API key"]),
        RequestPlace("editDescription", "Description", "Edit the description of the endpoint", .section(.description), ["Notes", "Comment"]),
        RequestPlace(
            "editTimeout", "Time limits", "Edit the time limits of the endpoint", .option(.total),
            ["Timeout", "Timeouts", "Deadline", "Connect timeout", "Idle timeout"]),
        RequestPlace("editRedirects", "Redirects", "Edit how many redirects are followed", .option(.key(.redirects)), ["Redirect", "Follow"]),
        RequestPlace(
            "editRetries", "Retries", "Edit how often the request is sent again after a failure", .option(.key(.retryLimit)), ["Retry", "Backoff"]),
        RequestPlace(
            "editCompression", "Compression", "Edit whether compressed responses are requested", .option(.key(.compression)),
            ["gzip", "brotli", "zstd", "Decompress"]),
        RequestPlace("editVersion", "HTTP version", "Edit the version of HTTP", .option(.key(.http)), ["HTTP/2", "HTTP/3", "h2", "h3", "Protocol"]),
        RequestPlace(
            "editInterface", "Interface", "Edit the network interface or the local address of connections", .option(.key(.interface)),
            ["Network interface", "Local address", "Bind"]),
    ]

    static func of(_ command: Command) -> RequestPlace? { all.first { $0.command == command } }

    var binding: Binding {
        var binding = Binding(.request, [], command, label, summary, unless: \.noEndpointReason)
        binding.synonyms = words
        return binding
    }
}
