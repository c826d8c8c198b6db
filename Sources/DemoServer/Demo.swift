/// What the routes share: the options and the stores behind them.
struct Demo: Sendable {
    let options: DemoServer.Options
    let tokens: TokenStore
    let nonces = NonceStore()
    let log: RequestLog
    let failures = FailureCounters()
    let changing = ChangingFile()

    init(options: DemoServer.Options) {
        self.options = options
        tokens = TokenStore()
        log = RequestLog(capacity: options.logCapacity)
    }
}
