internal import SortieBase

extension Workspace {
    /// The endpoint and its captured value to which a name such as `login.token` or `shop/login.token` refers outside of runs; nil for another name.
    ///
    /// A name without a service means the endpoint of the same service where there is one.
    ///
    /// - Throws: An error that lists the endpoints, where a name without a service is that of several ones.
    package func earlierValue(named name: String, for user: Endpoint) throws(TemplateError) -> EarlierValue? {
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
            return EarlierValue(target: first.target, capture: capture)
        }
        return nil
    }

    /// Whether an endpoint captures the value of a name; also where several ones do.
    package func captures(_ name: String, for user: Endpoint) -> Bool {
        guard name.contains(".") else { return false }
        do { return try earlierValue(named: name, for: user) != nil } catch { return true }
    }

    /// The names of all values that endpoints capture, as other endpoints use them.
    package var earlierNames: Set<String> {
        var names: Set<String> = []
        for endpoint in endpoints {
            for capture in endpoint.captures {
                names.formUnion(["\(endpoint.target).\(capture.name)", "\(FilePath.name(of: endpoint.target)).\(capture.name)"])
            }
        }
        return names
    }
}
