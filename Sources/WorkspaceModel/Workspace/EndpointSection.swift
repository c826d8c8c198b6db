/// A key of an endpoint's file with a nested value, which is edited as a YAML text.
package enum EndpointSection: String, Hashable, Sendable, CaseIterable {
    case expect, answer, capture, reform, page, parameters, variables, cache, retry, download, plugins
}
