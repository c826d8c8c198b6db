internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

extension ImportedService {
    /// Makes the most frequent server of the endpoints that of the service, and their paths relative to it.
    ///
    /// The path of every endpoint begins with its server, or with `/` where it has none. An endpoint on another server keeps its absolute path, and
    /// gets the credentials of the service where it inherits them. Where no endpoint names a server, it is the variable `baseUrl`.
    mutating func useCommonServer() {
        var counts: [String: Int] = [:]
        var order: [String] = []
        items.mapEndpoints { item in
            guard let base = Self.base(of: item.endpoint.path) else { return }
            if counts.updateValue((counts[base] ?? 0) + 1, forKey: base) == nil { order.append(base) }
        }
        if counts.isEmpty, !items.isEmpty { service.servers = [Self.everywhere: ["{{baseUrl}}"]] }
        guard let most = counts.values.max(), let common = order.first(where: { counts[$0] == most }) else { return }
        service.servers = [Self.everywhere: [common]]
        let auth = service.auth
        items.mapEndpoints { item in
            guard let base = Self.base(of: item.endpoint.path) else { return }
            if base == common {
                let path = item.endpoint.path.dropFirst(base.count)
                // The complete URL is in a variable.
                if !path.isEmpty { item.endpoint.path = String(path) }
            } else if item.endpoint.auth == .inherit, auth != .none {
                item.endpoint.auth = auth
            }
        }
    }

    private static func base(of path: String) -> String? { ImportedURL(path).base }
}
