public import Model
internal import Synchronization

/// `Authorization: Bearer` with a token that is renewed once for all calls when it runs out or is refused (S0.26).
///
/// A request that says `Authorization` itself keeps what it says, and one that is anonymous gets none. A token is sent to the origin that the caller
/// meant, never to where a redirect leads.
public final class TokenPlugin: Plugin {
    /// Where the token of a call comes from.
    public enum Source: Sendable {
        /// It is always the same; a refusal stands.
        case fixed(String)
        /// A store that renews it.
        case store(CredentialStore)
    }

    /// The name in decisions and errors.
    public let name = "token"
    private let scheme: String
    private let source: @Sendable (PluginContext) async throws -> Source?
    private let sent = Mutex<[RequestID: Int]>([:])

    /// A plugin that takes its tokens from `store`.
    public convenience init(_ store: CredentialStore, scheme: String = "Bearer") {
        self.init(scheme: scheme) { _ in .store(store) }
    }

    /// A plugin that asks at every attempt where the token of a call comes from, nil for a call that has none.
    public init(scheme: String = "Bearer", source: @escaping @Sendable (PluginContext) async throws -> Source?) {
        self.scheme = scheme
        self.source = source
    }

    /// The owner of the token.
    public func identity(in context: PluginContext) async throws -> String? {
        guard takesPart(in: context.request) else { return nil }
        switch try await source(context) {
        case nil: return nil
        case .fixed(let token): return token
        case .store(let store): return try await context.isDryRun ? store.present?.credential.token : store.credential().token
        }
    }

    /// Puts the token on the request.
    public func prepare(_ request: inout Request, in context: PluginContext) async throws {
        guard context.isAtConfiguredOrigin, takesPart(in: request) else { return }
        switch try await source(context) {
        case nil: break
        case .fixed(let token): request.headers.append("Authorization", "\(scheme) \(token)")
        case .store(let store) where context.isDryRun:
            let present = store.present
            if present?.isDue ?? true {
                context.decided(
                    .auth, "\(present == nil ? "a token would be fetched" : "the token would be renewed") first and inserted into Authorization"
                )
            }
            if let present { request.headers.append("Authorization", "\(scheme) \(present.credential.token)") }
        case .store(let store):
            let credential = try await store.credential()
            sent.withLock { $0[context.id] = credential.version }
            request.headers.append("Authorization", "\(scheme) \(credential.token)")
        }
    }

    /// Renews a refused token, once for each version, and has the request sent again.
    public func didReceive(_ response: Response, to request: Request, in context: PluginContext) async throws -> Recovery {
        // Another origin refuses what it was not sent.
        guard response.status == 401, context.isAtConfiguredOrigin, let version = sent.withLock({ $0[context.id] }),
            case .store(let store)? = try await source(context)
        else {
            return .none
        }
        let credential = try await store.refresh(after: version)
        guard credential.version != version else { return .none }
        return .sendAgain("the token was rejected and renewed")
    }

    /// Forgets the call.
    public func didFinish(_ exchange: Exchange, in context: PluginContext) {
        sent.withLock { $0[context.id] = nil }
    }

    private func takesPart(in request: Request) -> Bool {
        !request.options.isAnonymous && request.options.digest == nil && !request.headers.contains("Authorization")
    }
}
