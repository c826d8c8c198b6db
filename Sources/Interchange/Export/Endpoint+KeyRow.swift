internal import SortieHTTP
internal import WorkspaceModel

extension Endpoint {
    /// Adds an API key as a row of the header fields or of the query, for a format without API keys; an enabled row of its name takes precedence.
    mutating func add(_ key: APIKey) {
        switch key.place {
        case .header:
            if !headers.contains(where: { $0.isEnabled && $0.name.lowercased() == key.name.lowercased() }) {
                headers.append(Parameter(key.name, key.value))
            }
        case .query: if !query.contains(where: { $0.isEnabled && $0.name == key.name }) { query.append(Parameter(key.name, key.value)) }
        }
    }
}
