/// The configuration: credentials, secrets and limits.
package struct DemoOptions: Sendable {
    /// The user name that `/login`, `/basic` and `/digest` accept.
    package var username = "demo"
    /// The password that `/login`, `/basic` and `/digest` accept.
    package var password = "sortie"
    /// The secret that `/gateway` uses for signatures (S0.30).
    package var gatewaySecret = "eiifs9wesdfsjes"
    /// The AES key of `/vault`: 16, 24 or 32 bytes.
    package var vaultKey: [UInt8] = Array(0..<32)
    /// The lifetime in seconds of a token from `/login` when the request gives no `ttl`.
    package var tokenLifetime: Double = 3600
    /// The number of received requests that `/log` retains.
    package var logCapacity = 2000

    /// Creates the options of the shipped demo.
    package init() {}
}
