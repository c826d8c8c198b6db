internal import SortieHTTP

extension Call {
    /// The encryptor of a request; an abort ends the wait for its key.
    func encryptor(_ encryption: @escaping ServiceConfiguration.Encryption, of request: Request) async throws(NetworkError) -> any BodyEncryptor {
        do { return try await stage { try await encryption(request) } } catch {
            throw error as? NetworkError ?? .cancelledByCaller
        }
    }
}
