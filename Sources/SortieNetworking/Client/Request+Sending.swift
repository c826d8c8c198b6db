public import SortieHTTP

extension Request {
    /// Sends the request and waits for its whole response; see ``Client/send(_:plugins:)``.
    ///
    /// - Parameter client: The client; the shared one where none is chosen.
    /// - Throws: The errors of ``Client/send(_:plugins:)``.
    public func send(with client: Client = .shared) async throws(NetworkError) -> Response {
        try await client.send(self)
    }
}
