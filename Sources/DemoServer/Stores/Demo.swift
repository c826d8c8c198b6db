/// The options and stores that the routes share.
struct Demo: Sendable {
    let options: DemoOptions
    let tokens: TokenStore
    /// Separate from the access tokens, which they are not.
    let refreshTokens = TokenStore()
    let signIns = SignInStore()
    let nonces = NonceStore()
    let connections = AuthenticatedConnections()
    let log: RequestLog
    let failures = FailureCounters()
    let changing = ChangingFile()
    let cached = CachedResources()

    init(options: DemoOptions) {
        self.options = options
        tokens = TokenStore()
        log = RequestLog(capacity: options.logCapacity)
    }
}
