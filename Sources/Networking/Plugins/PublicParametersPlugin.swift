public import Model

/// Parameters that every request of a service carries in its URL, before its own (S0.29).
///
/// They are sorted by name and come anew at every attempt, because one of them may be the time.
public struct PublicParametersPlugin: Plugin {
    /// The name in decisions and errors.
    public let name = "publicParameters"
    private let values: @Sendable () -> [(name: String, value: String)]

    /// Parameters that are asked for at every attempt.
    public init(_ values: @escaping @Sendable () -> [(name: String, value: String)]) {
        self.values = values
    }

    /// Puts the parameters before those of the request; one that the request sets itself is left out.
    public func prepare(_ request: inout Request, in context: PluginContext) {
        guard request.url.origin == context.origin else { return }
        let own = Set((request.url.query ?? "").split(separator: "&").map { $0.prefix { $0 != "=" } }.map { PercentEncoding.decode($0) })
        let added = values().filter { !own.contains($0.name) }.sorted { $0.name < $1.name }
        guard !added.isEmpty else { return }
        var before = request.url
        before.query = nil
        before = before.appending(query: added)
        request.url.query = [before.query, request.url.query].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "&")
    }
}
