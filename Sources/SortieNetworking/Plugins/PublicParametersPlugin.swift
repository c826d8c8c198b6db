public import SortieHTTP

/// Parameters that every request of a service carries in its URL, before its own (S0.29).
///
/// They are sorted by name and come anew at every attempt, because one of them may be the time.
public struct PublicParametersPlugin: Plugin {
    /// The parameters of a call, asked for at every attempt.
    public typealias Values = @Sendable (PluginContext) async throws -> [(name: String, value: String)]

    /// The name in decisions and errors.
    public let name = "publicParameters"
    private let values: Values
    private let sortsOthers: Bool

    /// Parameters that are asked for at every attempt.
    ///
    /// - Parameter sortsOthers: whether the parameters of the request itself are sorted, too, in its query or its form: servers that take the first
    ///   signature scheme expect it (S0.29).
    public init(sortsOthers: Bool = false, _ values: @escaping Values) {
        self.sortsOthers = sortsOthers
        self.values = values
    }

    /// Puts the parameters before those of the request; one that the request sets itself is left out.
    public func prepare(_ request: inout Request, in context: PluginContext) async throws {
        guard context.isAtConfiguredOrigin else { return }
        if sortsOthers { sortOthers(of: &request) }
        let own = Set((request.url.query ?? "").split(separator: "&").map { $0.prefix { $0 != "=" } }.map { PercentEncoding.decode($0) })
        let added = try await values(context).filter { !own.contains($0.name) }.sorted { ParameterPair.precedes($0.name, $1.name) }
        guard !added.isEmpty else { return }
        var before = request.url
        before.query = nil
        before = before.appending(query: added)
        request.url.query = [before.query, request.url.query].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "&")
    }

    private func sortOthers(of request: inout Request) {
        if let query = request.url.query { request.url.query = FullRequestOrder.sorted(query) }
        guard case .bytes(let bytes, let contentType) = request.body, let type = contentType.flatMap(MediaType.init),
            type.essence == "application/x-www-form-urlencoded", let form = String(validating: bytes, as: UTF8.self)
        else { return }
        request.body = .text(FullRequestOrder.sorted(form, plusIsSpace: true), contentType: contentType)
    }
}
