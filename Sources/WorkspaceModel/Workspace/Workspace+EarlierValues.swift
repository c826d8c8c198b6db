internal import SortieBase

extension Workspace {
    /// The endpoint and its captured value to which a name such as `login.token` or `shop/login.token` refers outside of runs; nil for another name.
    ///
    /// A name without a service means the endpoint of the same service where there is one.
    ///
    /// - Throws: An error that lists the endpoints, where a name without a service is that of several ones.
    package func earlierValue(named name: String, for user: Endpoint) throws(TemplateError) -> EarlierValue? {
        try EarlierValue(named: name, for: user, among: endpoints)
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
