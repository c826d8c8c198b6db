/// A merge of an edited endpoint with changes in its file, by key; rows, variables and lines of a body are merged individually.
package struct EndpointMerge: Hashable, Sendable {
    /// The endpoint with the changes of both sides; `ours` takes precedence where they overlap.
    package private(set) var endpoint: Endpoint
    /// The keys of the file that both sides changed in different ways.
    package private(set) var conflicts: [String] = []

    /// - Parameters:
    ///   - base: The common version of both sides.
    ///   - ours: The version edited in this program.
    ///   - theirs: The current version of the file.
    package init(base: Endpoint, ours: Endpoint, theirs: Endpoint) {
        endpoint = theirs
        func take<Value: Equatable>(_ key: WritableKeyPath<Endpoint, Value>, _ name: String) {
            let (old, our, their) = (base[keyPath: key], ours[keyPath: key], theirs[keyPath: key])
            guard our != old else { return }
            if their != old, their != our { conflicts.append(name) }
            endpoint[keyPath: key] = our
        }
        take(\.target, "target")
        take(\.name, "name")
        take(\.summary, "description")
        take(\.tags, "tags")
        take(\.extends, "extends")
        take(\.method, "method")
        take(\.path, "path")
        for (key, name) in [(\Endpoint.query, "query"), (\Endpoint.headers, "headers")] {
            let merge = RowMerge(base: base[keyPath: key], ours: ours[keyPath: key], theirs: theirs[keyPath: key], name: \.name)
            endpoint[keyPath: key] = merge.merged
            if merge.hasConflict { conflicts.append(name) }
        }
        take(\.removedHeaders, "removed headers")
        take(\.auth, "auth")
        let body = Self.body(base.body, ours.body, theirs.body)
        endpoint.body = body.merged
        if body.hasConflict { conflicts.append("body") }
        take(\.bodyFileEdit, "body")
        for name in Set(base.variables.keys).union(ours.variables.keys).union(theirs.variables.keys).sorted() {
            take(\.variables[name], "variables.\(name)")
        }
        take(\.kind, "kind")
        take(\.grpc, "grpc")
        take(\.messages, "messages")
        take(\.download, "download")
        take(\.requiresTLS, "https")
        take(\.inherits, "inherit")
        take(\.timeouts, "timeout")
        take(\.cache, "cache")
        take(\.retry, "retry")
        take(\.priority, "priority")
        take(\.traffic, "traffic")
        take(\.serviceType, "serviceType")
        take(\.uploadRate, "uploadRate")
        take(\.version, "http")
        take(\.redirects, "redirects")
        take(\.compression, "compression")
        take(\.cookies, "cookies")
        take(\.interface, "interface")
        take(\.excludedNetworks, "excludeNetworks")
        take(\.paging, "page")
        take(\.expectation, "expect")
        take(\.captures, "capture")
        take(\.parameters, "parameters")
        take(\.answer, "answer")
        take(\.reform, "reform")
        take(\.pluginUse, "plugins")
        take(\.hooks, "hooks")
        for section in EndpointSection.allCases { take(\.unreadableSections[section], section.rawValue) }
    }

    private static func body(
        _ base: BodyTemplate, _ ours: BodyTemplate, _ theirs: BodyTemplate
    ) -> (merged: BodyTemplate, hasConflict: Bool) {
        switch (base, ours, theirs) {
        case (.json(let old), .json(let our), .json(let their)):
            let merge = text(old, our, their)
            return (.json(merge.merged), merge.hasConflict)
        case (.plist(let old), .plist(let our), .plist(let their)):
            let merge = text(old, our, their)
            return (.plist(merge.merged), merge.hasConflict)
        case (.text(let old, let type), .text(let our, let ourType), .text(let their, let theirType)) where type == ourType && type == theirType:
            let merge = text(old, our, their)
            return (.text(merge.merged, contentType: type), merge.hasConflict)
        case (.graphQL(let old), .graphQL(let our), .graphQL(let their)):
            let (query, variables) = (text(old.query, our.query, their.query), text(old.variables, our.variables, their.variables))
            let operation = our.operation == old.operation ? their.operation : our.operation
            let hasConflict = operation != their.operation && their.operation != old.operation
            return (
                .graphQL(GraphQLTemplate(query: query.merged, variables: variables.merged, operation: operation)),
                query.hasConflict || variables.hasConflict || hasConflict
            )
        case (.form(let old), .form(let our), .form(let their)):
            let merge = RowMerge(base: old, ours: our, theirs: their, name: \.name)
            return (.form(merge.merged), merge.hasConflict)
        case (.multipart(let old), .multipart(let our), .multipart(let their)):
            let merge = RowMerge(base: old, ours: our, theirs: their, name: \.name)
            return (.multipart(merge.merged), merge.hasConflict)
        default:
            if ours == base { return (theirs, false) }
            return (ours, theirs != base && theirs != ours)
        }
    }

    /// Merges a text by lines.
    private static func text(_ base: String, _ ours: String, _ theirs: String) -> (merged: String, hasConflict: Bool) {
        func lines(_ text: String) -> [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
        let merge = ThreeWayMerge(base: lines(base), ours: lines(ours), theirs: lines(theirs))
        return (merge.merged.joined(separator: "\n"), merge.hasConflict)
    }
}
