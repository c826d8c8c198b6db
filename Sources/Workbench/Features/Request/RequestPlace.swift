internal import SortieGuide
internal import WorkspaceModel

/// A part of the request that the palette finds by name, so that its tab need not be known.
struct RequestPlace: Sendable {
    let command: Command
    let label: String
    let summary: String
    let property: EndpointProperty
    /// Other words that the palette finds, most of which `sortie guide` finds as well.
    let words: [String]

    private init(_ command: String, _ label: String, _ summary: String, _ property: EndpointProperty, _ words: [String]) {
        (self.command, self.label, self.summary, self.property, self.words) = (.named(command), label, summary, property, words)
    }

    static let all = [
        RequestPlace(
            "editChecks", "Checks", "Edit what the response has to be: status, JSON values, header fields and time", .section(.expect),
            GuidePlace.words(of: "runs", "Expectations")),
        RequestPlace(
            "editCaptures", "Captures", "Edit the values that later steps of a run take from the response", .section(.capture),
            GuidePlace.words(of: "runs", "Captures")),
        RequestPlace(
            "editParameters", "Parameters", "Edit the parameters of the query and of the path", .tab(.params),
            GuidePlace.words(of: "requests", "Query") + ["Query"]),
        RequestPlace(
            "editHeaders", "Header fields", "Edit the header fields of the request", .tab(.headers),
            GuidePlace.words(of: "requests", "Headers") + ["Headers"]),
        RequestPlace(
            "editRequestBody", "Request body", "Edit the body of the request", .tab(.body), GuidePlace.words(of: "bodies", "Bodies") + ["GraphQL"]),
        RequestPlace(
            "editAuth", "Auth", "Edit the authentication of the request", .tab(.auth),
            GuidePlace.words(of: "authentication") + ["Authentication"]),
        RequestPlace("editDescription", "Description", "Edit the description of the endpoint", .section(.description), ["Notes", "Comment"]),
        RequestPlace(
            "editTimeout", "Time limits", "Edit the time limits of the endpoint", .option(.total),
            GuidePlace.words(of: "sending", "Time limits")),
        RequestPlace(
            "editRedirects", "Redirects", "Edit how many redirects are followed", .option(.key(.redirects)),
            GuidePlace.words(of: "sending", "Redirects")),
        RequestPlace(
            "editRetries", "Retries", "Edit how often the request is sent again after a failure", .option(.key(.retryLimit)),
            GuidePlace.words(of: "sending", "Retries")),
        RequestPlace(
            "editCompression", "Compression", "Edit whether compressed responses are requested", .option(.key(.compression)),
            GuidePlace.words(of: "responses", "Charsets and codings")),
        RequestPlace(
            "editVersion", "HTTP version", "Edit the version of HTTP", .option(.key(.http)), GuidePlace.words(of: "sending", "Options")),
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
