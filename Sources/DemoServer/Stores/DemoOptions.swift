/// The configuration: credentials, secrets and limits.
package struct DemoOptions: Sendable {
    /// The user name that `/login`, `/basic` and `/digest` accept.
    package var username = "demo"
    /// The password that `/login`, `/basic` and `/digest` accept.
    package var password = "sortie"
    /// The secret that `/gateway` uses for signatures.
    package var gatewaySecret = "eiifs9wesdfsjes"
    /// The secret of the JSON Web Tokens that `/jwt` accepts; at least as long as the hash (RFC 7518 §3.2).
    package var jwtKey = "sortie-demo-key-for-json-web-tokens"
    /// The domain in the challenges of `/ntlm`.
    package var ntlmDomain = "DEMO"
    /// The MD4 of ``password`` in UTF-16, which servers of NTLM store in place of the password (MS-NLMP 3.3.1).
    package var ntlmHash: [UInt8] = [0x4c, 0xdf, 0x76, 0x43, 0x4d, 0x7e, 0xb3, 0xb3, 0xce, 0x40, 0x5c, 0xb5, 0x77, 0xc6, 0x45, 0x9d]
    /// The AES key of `/vault`: 16, 24 or 32 bytes.
    package var vaultKey: [UInt8] = Array(0..<32)
    /// The lifetime in seconds of a token from `/login` when the request gives no `ttl`.
    package var tokenLifetime: Double = 3600
    /// The number of received requests that `/log` retains.
    package var logCapacity = 2000

    /// Creates the options of the shipped demo.
    package init() {}
}
