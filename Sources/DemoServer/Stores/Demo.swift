import Foundation
import SortieBase

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

/// The content version of `/files/changing.bin`: a number that grows with every change.
actor ChangingFile {
    private(set) var generation = 0
    private var freshRequests = 0

    /// Counts a request for the whole file.
    ///
    /// After every `limit` such requests the file changes before the next one.
    func freshRequest(changingEvery limit: Int) -> Int {
        if limit > 0, freshRequests > 0, freshRequests % limit == 0 { generation += 1 }
        freshRequests += 1
        return generation
    }

    func change() -> Int {
        generation += 1
        freshRequests = 0
        return generation
    }
}

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

/// The number of requests per key of `/flaky`.
actor FailureCounters {
    private var failures: [String: Int] = [:]

    /// Counts one request.
    ///
    /// - Returns: The number of the request, from 1, and whether it must fail.
    func next(_ key: String, failing limit: Int) -> (number: Int, fails: Bool) {
        if failures.count > 10_000 { failures = [:] }
        let number = (failures[key] ?? 0) + 1
        failures[key] = number
        return (number, number <= limit)
    }

    func reset() {
        failures = [:]
    }
}

/// The nonces of Digest authentication with the last used count of each, so that credentials cannot be replayed.
actor NonceStore {
    private var lastCount: [String: Int] = [:]
    private var order: [String] = []
    nonisolated let opaque = HexDigits.text((0..<8).map { _ in UInt8.random(in: 0...255) })

    func issue() -> String {
        let nonce = HexDigits.text((0..<16).map { _ in UInt8.random(in: 0...255) })
        lastCount[nonce] = 0
        order.append(nonce)
        if order.count > 1000 { lastCount[order.removeFirst()] = nil }
        return nonce
    }

    /// Records a use of a nonce.
    ///
    /// Returns false when the nonce is unknown or the count was used before (RFC 7616 §3.3, `stale`).
    func use(_ nonce: String, count: Int) -> Bool {
        guard let last = lastCount[nonce], count > last else { return false }
        lastCount[nonce] = count
        return true
    }
}

/// The most recent requests, oldest first, with which tests prove that no request was sent twice.
actor RequestLog {
    struct Entry: Sendable {
        let id: Int
        let method: String
        let path: String
        let query: String
        let time: String
        let trace: String?
    }

    private let capacity: Int
    private var nextID = 1
    private var entries: [Entry] = []

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    func add(_ call: Call) {
        let now = CalendarTime(secondsSince1970: Date().timeIntervalSince1970)
        entries.append(
            Entry(
                id: nextID, method: call.method, path: call.rawPath, query: call.rawQuery, time: now.iso8601,
                trace: call.header("X-Trace") ?? call.header("Idempotency-Key")))
        nextID += 1
        if entries.count > capacity { entries.removeFirst(entries.count - capacity) }
    }

    func recent(path: String?) -> [Entry] {
        guard let path else { return entries }
        return entries.filter { $0.path == path }
    }

    func clear() {
        entries = []
    }
}
