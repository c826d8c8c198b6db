/// A key of an endpoint's file that is edited as a text: a nested value in YAML, or the description as it is.
package enum EndpointSection: String, Hashable, Sendable, CaseIterable {
    case description, expect, capture, reform, page, parameters, variables, cache, retry, download, plugins, hooks, grpc, messages, examples
}
