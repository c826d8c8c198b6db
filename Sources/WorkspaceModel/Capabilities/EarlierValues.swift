/// The values that endpoints capture and others use outside of runs, by name.
package struct EarlierValues: Sendable {
    /// The names as templates have them: `login.token`, `shop/login.token`.
    package let names: Set<String>
    /// The endpoints that capture values.
    private let endpoints: [Endpoint]
    private let byTarget: [String: Endpoint]

    /// Reads the endpoints of a workspace.
    package init(_ workspace: Workspace) {
        names = workspace.earlierNames
        endpoints = workspace.endpoints.filter { !$0.captures.isEmpty }
        byTarget = Dictionary(endpoints.map { ($0.target, $0) }) { first, _ in first }
    }

    /// The endpoint of a value that another one uses; nil for another name, and for an ambiguous one, with which no request is sent.
    package func endpoint(of name: String, for user: Endpoint) -> Endpoint? {
        guard names.contains(name) else { return nil }
        do { return try EarlierValue(named: name, for: user, among: endpoints).flatMap { byTarget[$0.target] } } catch { return nil }
    }
}
