package import SortieHTTP

/// What the file of an endpoint says itself, where the endpoint extends another one.
package struct EndpointExtension: Hashable, Sendable {
    /// The keys of the file.
    package var keys: Set<String>
    /// The keys among `query` and `headers` whose rows replace those of the base; other rows are added by name.
    package var replaced: Set<String>

    /// The largest number of endpoints that extend each other.
    package static let longestChain = 32

    /// Creates a description of a file.
    package init(keys: Set<String> = [], replaced: Set<String> = []) {
        (self.keys, self.replaced) = (keys, replaced)
    }
}

extension Endpoint {
    /// The endpoint with what its file leaves out taken from another one.
    ///
    /// The name is that of the file, and rows of `query`, `headers` and `variables` are added by name, unless a list of rows replaces them.
    ///
    /// - Parameters:
    ///   - base: The complete endpoint that is extended, whose relative paths begin at the folder of this one.
    ///   - own: What the file says itself.
    package func extending(_ base: Endpoint, _ own: EndpointExtension) -> Endpoint {
        var result = self
        for key in EndpointKey.all where !own.keys.contains(key.name) && !Self.addedKeys.contains(key.name) { key.copy(base, &result) }
        // The conditions of acceptance may be under `expect`, and `expect: null` leaves out those of the base.
        if acceptance != nil || own.keys.contains("expect") && expectation == nil && base.expectation?.usesAnswerKey == false {
            result.acceptance = acceptance
        }
        if !own.keys.contains("method") { result.method = result.inheritedMethod(from: base) }
        result.variables = base.variables.merging(variables) { $1 }
        if !own.replaced.contains("query") { result.query = Self.rows(query, over: base.query) { $0 } }
        if !own.replaced.contains("headers") {
            let removed = Set((removedHeaders ?? []).map { $0.lowercased() })
            result.headers = Self.rows(headers, over: base.headers.filter { !removed.contains($0.name.lowercased()) }) { $0.lowercased() }
            let given = Set(headers.map { $0.name.lowercased() })
            let all =
                (base.removedHeaders ?? []).filter { !given.contains($0.lowercased()) && !removed.contains($0.lowercased()) } + (removedHeaders ?? [])
            result.removedHeaders = all.isEmpty ? nil : all
        }
        return result
    }

    /// The keys that an endpoint does not simply have from the one that it extends.
    private static let addedKeys: Set = ["name", "extends", "method", "query", "headers", "variables"]

    /// The method where the file has none: that of a base, and that of a GraphQL body or of gRPC in place of the default.
    package func inheritedMethod(from base: Endpoint) -> HTTPMethod {
        base.method == .get && base.defaultMethod == .get ? defaultMethod : base.method
    }

    /// The rows of a base with other ones: rows of a name take the place of those that the base has, and further ones follow.
    private static func rows(_ own: [Parameter], over base: [Parameter], _ plain: (String) -> String) -> [Parameter] {
        let others = Dictionary(grouping: own) { plain($0.name) }
        var replaced: Set<String> = []
        var result: [Parameter] = []
        for row in base {
            let name = plain(row.name)
            guard let rows = others[name] else {
                result.append(row)
                continue
            }
            if replaced.insert(name).inserted { result += rows }
        }
        return result + own.filter { !replaced.contains(plain($0.name)) }
    }
}
