internal import SortieBase

/// A value of the response of another endpoint, which a template uses outside of runs.
package struct EarlierValue: Hashable, Sendable {
    /// The endpoint that captures it.
    package var target: String
    /// The name under `capture:`.
    package var capture: String

    /// Creates a reference.
    package init(target: String, capture: String) {
        self.target = target
        self.capture = capture
    }

    /// The value to which a name such as `login.token` or `shop/login.token` refers; nil for another name.
    ///
    /// - Throws: An error that lists the endpoints, where a name without a service is that of several ones.
    init?(named name: String, for user: Endpoint, among endpoints: [Endpoint]) throws(TemplateError) {
        for dot in name.indices where name[dot] == "." {
            let (step, capture) = (String(name[..<dot]), String(name[name.index(after: dot)...]))
            let matching = endpoints.filter { endpoint in
                (endpoint.target == step || FilePath.name(of: endpoint.target) == step) && endpoint.captures.contains { $0.name == capture }
            }
            let near = matching.filter { $0.serviceName == user.serviceName }
            let chosen = matching.filter { $0.target == step } + (near.isEmpty ? matching : near)
            guard let first = chosen.first else { continue }
            if first.target != step, let other = chosen.dropFirst().first {
                throw TemplateError(
                    "{{\(name)}} is captured by \(first.target) and by \(other.target); write {{\(first.target).\(capture)}} or {{\(other.target).\(capture)}}"
                )
            }
            self.init(target: first.target, capture: capture)
            return
        }
        return nil
    }
}
