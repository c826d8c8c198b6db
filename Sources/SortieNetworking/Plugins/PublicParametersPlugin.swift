package import SortieHTTP

/// Adds the public parameters of a service to the URL of every request, before the parameters of the request.
///
/// They are sorted by name and evaluated for every attempt, because one of them may be the time.
package struct PublicParametersPlugin: Plugin {
    /// Returns the parameters of a call; called for every attempt.
    package typealias Values = @Sendable (PluginContext) async throws -> [(name: String, value: String)]

    /// The name in decisions and errors.
    package let name = "publicParameters"
    private let values: Values
    private let sortsOthers: Bool

    /// Creates a plugin that evaluates its parameters for every attempt.
    ///
    /// - Parameters:
    ///   - sortsOthers: Whether the parameters of the request are sorted, too, in its query or its form, as the first signature scheme requires.
    ///   - values: Returns the parameters of a call.
    package init(sortsOthers: Bool = false, _ values: @escaping Values) {
        (self.sortsOthers, self.values) = (sortsOthers, values)
    }

    /// Inserts the parameters before those of the request; omits those that the request sets.
    package func prepare(_ request: inout Request, in context: PluginContext) async throws {
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
        if let query = request.url.query { request.url.query = SignedParameterOrder.sorted(query) }
        guard case .bytes(let bytes, let contentType) = request.body, let type = contentType.flatMap(MediaType.init),
            type.essence == "application/x-www-form-urlencoded", let form = String(validating: bytes, as: UTF8.self)
        else { return }
        request.body = .text(SignedParameterOrder.sorted(form, plusIsSpace: true), contentType: contentType)
    }
}
