public import SortieHTTP
internal import Synchronization

/// Adds `Authorization: Bearer` with a token that is renewed once for all calls when it expires or is rejected.
///
/// A request with an `Authorization` field, or whose `RequestOptions.credential` is not `inherit`, is not changed. A token is sent to the origin that
/// the caller configured, never to the target of a redirect to another origin.
public final class TokenPlugin: Plugin {
    /// The source of a token.
    package enum Source: Sendable {
        /// A constant token, which is not renewed.
        case fixed(String)
        /// A store that renews the token.
        case store(CredentialStore)
    }

    /// The name in decisions and errors.
    public let name = "token"
    /// True: the setting of the service or the call applies.
    public var isReplaceable: Bool { true }
    private let scheme: String
    private let source: @Sendable (PluginContext) async throws -> Source?
    private let sent = Mutex<[RequestID: Int]>([:])

    /// Creates a plugin with the tokens of `store`.
    public convenience init(_ store: CredentialStore, scheme: String = "Bearer") {
        self.init(scheme: scheme) { _ in .store(store) }
    }

    /// Creates a plugin that evaluates the source of the token for every attempt; nil for a call without a token.
    package init(scheme: String = "Bearer", source: @escaping @Sendable (PluginContext) async throws -> Source?) {
        (self.scheme, self.source) = (scheme, source)
    }

    /// Identifies the owner of the token.
    public func identity(in context: PluginContext) async throws -> String? {
        guard takesPart(in: context.request) else { return nil }
        switch try await source(context) {
        case nil: return nil
        case .fixed(let token): return token
        case .store(let store): return try await context.isDryRun ? store.present?.credential.token : store.credential().token
        }
    }

    /// Adds the token to the request.
    ///
    /// - Throws: The error of the function that gives or renews the token; nothing is sent then.
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

    /// Renews a rejected token, once for each version, and repeats the request.
    ///
    /// - Throws: The error of the function that renews the token.
    public func didReceive(_ response: Response, to request: Request, in context: PluginContext) async throws -> Recovery {
        // Another origin did not receive the token.
        guard response.status == 401, context.isAtConfiguredOrigin, let version = sent.withLock({ $0[context.id] }),
            case .store(let store)? = try await source(context)
        else {
            return .none
        }
        let credential = try await store.refresh(after: version)
        guard credential.version != version else { return .none }
        return .sendAgain("the token was rejected and renewed")
    }

    /// Removes the state of the call.
    public func didFinish(_ exchange: Exchange, in context: PluginContext) {
        sent.withLock { $0[context.id] = nil }
    }

    private func takesPart(in request: Request) -> Bool {
        request.options.credential == .inherit && !request.headers.contains("Authorization")
    }
}
