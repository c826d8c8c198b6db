/// A merge of an edited service with changes in its file, by key; header fields and servers are merged individually.
package struct ServiceMerge: Sendable {
    /// The service with the changes of both sides; `ours` takes precedence where they overlap.
    ///
    /// Its endpoints and its location are those of the file.
    package private(set) var service: Service
    /// The keys of the file that both sides changed in different ways.
    package private(set) var conflicts: [String] = []

    /// A property of a service, and the key of the file that has it.
    private struct Property: Sendable {
        let key: String
        let copy: @Sendable (Service, inout Service) -> Void
        let isSame: @Sendable (Service, Service) -> Bool

        init<Value: Equatable & Sendable>(_ key: String, _ path: any WritableKeyPath<Service, Value> & Sendable) {
            self.key = key
            copy = { $1[keyPath: path] = $0[keyPath: path] }
            isSame = { $0[keyPath: path] == $1[keyPath: path] }
        }
    }

    /// The properties that are merged as a whole.
    private static let properties = [
        Property("name", \.name), Property("description", \.summary), Property("tags", \.tags), Property("order", \.order),
        Property("headers", \.removedHeaders), Property("auth", \.auth), Property("limits", \.limits), Property("https", \.requiresTLS),
        Property("https", \.tlsPorts), Property("trust", \.$trust), Property("timeout", \.timeouts), Property("addresses", \.addresses),
        Property("validateStatus", \.validatesStatus), Property("switchServers", \.serverSwitch), Property("proxy", \.proxy),
        Property("tunnel", \.tunnel), Property("texts", \.texts), Property("contract", \.contract), Property("envelope", \.envelope),
        Property("plugins", \.plugins), Property("hooks", \.hooks), Property("parameters", \.parameters),
        Property("publicParameters", \.publicParameters),
    ]

    /// The number of properties that are merged; all apart from the folder, the endpoints and the location.
    static var count: Int { properties.count + 2 }

    /// - Parameters:
    ///   - base: The common version of both sides.
    ///   - ours: The version edited in this program.
    ///   - theirs: The current version of the file.
    package init(base: Service, ours: Service, theirs: Service) {
        service = theirs
        var conflicts: Set<String> = []
        let headers = RowMerge(base: base.headers, ours: ours.headers, theirs: theirs.headers, name: \.name)
        service.headers = headers.merged
        if headers.hasConflict { conflicts.insert("headers") }
        for name in Set(base.servers.keys).union(ours.servers.keys).union(theirs.servers.keys) {
            let merge = ThreeWayMerge(base: base.servers[name] ?? [], ours: ours.servers[name] ?? [], theirs: theirs.servers[name] ?? [])
            if service.servers[name] ?? [] != merge.merged { service.servers[name] = merge.merged.isEmpty ? nil : merge.merged }
            if merge.hasConflict { conflicts.insert("servers") }
        }
        for property in Self.properties where !property.isSame(ours, base) {
            if !property.isSame(theirs, base), !property.isSame(theirs, ours) { conflicts.insert(property.key) }
            property.copy(ours, &service)
        }
        self.conflicts = conflicts.sorted()
    }

    /// Whether two versions of a service have the same settings; an environment without servers is equal to one that is not named.
    package static func isSame(_ first: Service, _ second: Service) -> Bool {
        first.headers == second.headers && first.servers.filter { !$0.value.isEmpty } == second.servers.filter { !$0.value.isEmpty }
            && properties.allSatisfy { $0.isSame(first, second) }
    }
}
