public import Model
internal import Synchronization

/// `Authorization: Bearer` with a token that is renewed once for all calls when it runs out or is refused (S0.26).
///
/// A request that says `Authorization` itself keeps what it says. A token is sent to the origin that the caller meant, never to where a redirect leads.
public final class TokenPlugin: Plugin {
    /// The name in decisions and errors.
    public let name = "token"
    private let store: CredentialStore
    private let sent = Mutex<[RequestID: Int]>([:])

    /// A plugin that takes its tokens from `store`.
    public init(_ store: CredentialStore) {
        self.store = store
    }

    /// The owner of the token.
    public func identity(in context: PluginContext) async throws -> String? { try await store.credential().token }

    /// Puts the token on the request.
    public func prepare(_ request: inout Request, in context: PluginContext) async throws {
        guard request.url.origin == context.origin, !request.headers.contains("Authorization") else { return }
        let credential = try await store.credential()
        sent.withLock { $0[context.id] = credential.version }
        request.headers.append("Authorization", "Bearer \(credential.token)")
    }

    /// Renews a refused token, once for each version, and has the request sent again.
    public func didReceive(_ response: Response, to request: Request, in context: PluginContext) async throws -> Recovery {
        guard response.status == 401, let version = sent.withLock({ $0[context.id] }) else { return .none }
        let credential = try await store.refresh(after: version)
        guard credential.version != version else { return .none }
        return .sendAgain("the token was refused and renewed")
    }

    /// Forgets the call.
    public func didFinish(_ exchange: Exchange, in context: PluginContext) {
        sent.withLock { $0[context.id] = nil }
    }
}
