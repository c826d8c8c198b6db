internal import SortieBase
package import SortieHTTP

extension RequestBuilder {
    /// The servers of a service in the environment, without those whose templates need a secret or an earlier response.
    package func serverURLs(of service: String) -> [HTTPURL] {
        guard let environment, let servers = workspace.service(service)?.servers[environment] else { return [] }
        let scope = scope(of: Endpoint(target: "\(service)/x", name: "", path: "/")) { _, _ in nil }
        return servers.compactMap { server in
            do { return try HTTPURL(parsing: scope.resolve(server, as: .url)) } catch { return nil }
        }
    }
}

extension RequestBuilder {
    /// Gives an endpoint with a complete URL a place in the workspace: the service of its server, where the URL becomes a path, else `home`.
    ///
    /// A request to another server does not inherit the fields and the credentials of the service.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint; the last part of its target is the name of the new file.
    ///   - isTaken: Whether a target has a file or an unsaved endpoint.
    package func placed(_ endpoint: Endpoint, home: String, isTaken: (String) -> Bool) -> Endpoint {
        var placed = endpoint
        let others = workspace.services.map(\.folder).filter { $0 != home }
        let service = ([home] + others).first { folder in
            placed.removeServer(of: serverURLs(of: folder))
            return placed.path != endpoint.path
        }
        if service == nil { placed.inherits = false }
        let target = "\(service ?? home)/\(FilePath.name(of: endpoint.target))"
        let targets = [target] + (2...999).map { "\(target)-\($0)" }
        placed.target = targets.first { !isTaken($0) } ?? target
        placed.location = nil
        return placed
    }
}

extension Endpoint {
    /// The name of a file for a request: the last component of its path in ASCII letters, digits, hyphens and underscores; `request` where it has none,
    /// and for `service`.
    package static func fileName(ofPath path: String) -> String {
        let last = FilePath.components(of: path).last?.lowercased() ?? ""
        let name = String(last.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") ? $0 : "-" }.prefix(60))
        // `service.yaml` is the file of the service.
        return name.contains { $0 != "-" } && name != "service" ? name : "request"
    }

    /// Makes an absolute URL on one of these servers a path.
    package mutating func removeServer(of servers: [HTTPURL]) {
        for server in servers {
            var base = server.description
            while base.hasSuffix("/") { base.removeLast() }
            guard path.hasPrefix(base) else { continue }
            let rest = path.dropFirst(base.count)
            guard rest.isEmpty || "/?#".contains(rest.first ?? "/") else { continue }
            path = rest.hasPrefix("/") ? String(rest) : "/" + rest
            return
        }
    }
}
