/// The versions and the numbers of full responses of `/cache/{name}`.
actor CachedResources {
    /// A resource.
    struct Resource {
        var version = 1
        var served = 0
    }

    private var resources: [String: Resource] = [:]

    /// The resource without counting a response.
    func current(_ name: String) -> Resource { resources[name] ?? Resource() }

    /// Counts a full response.
    func serve(_ name: String) -> Resource {
        if resources.count > 10_000 { resources = [:] }
        resources[name, default: Resource()].served += 1
        return current(name)
    }

    /// Creates a new version.
    func change(_ name: String) -> Resource {
        resources[name, default: Resource()].version += 1
        return current(name)
    }
}
