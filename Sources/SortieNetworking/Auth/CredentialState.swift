internal import SortieHTTP

/// The state machine of a ``CredentialStore``: decides what a request must do, and performs nothing.
struct CredentialState: Sendable {
    typealias Waiter = CheckedContinuation<Result<Credential, NetworkError>, Never>

    /// A running refresh.
    struct Flight: Sendable {
        let id: Int
        var task: Task<Void, Never>?
    }

    /// What a request must do.
    enum Demand: Sendable {
        case use(Credential)
        /// Fail; `isNews` when the expiry of this credential has not been reported yet.
        case fail(NetworkError, isNews: Bool)
        /// Wait for the running refresh.
        case wait
        /// Start the refresh of this number, and wait for it.
        case refresh(Int)
    }

    private struct Latch: Sendable {
        let error: NetworkError
        /// The time until which the failure applies.
        let until: ContinuousClock.Instant
    }

    private(set) var credential: Credential?
    /// The version of `credential`, or of its absence.
    private var version = 0
    private var renewAt: ContinuousClock.Instant?
    private var failure: Latch?
    private var toldVersion: Int?
    private var history = RefreshHistory()
    private var counter = 0
    var flight: Flight?
    var waiters: [Int: Waiter] = [:]

    init(token: Credential.Token?, now: ContinuousClock.Instant) {
        if let token { _ = install(token, now: now) }
    }

    /// Whether the credential must be renewed before it is used again.
    func isDue(at now: ContinuousClock.Instant) -> Bool { flight != nil || !(renewAt.map { now < $0 } ?? true) }

    /// A unique number for a waiter.
    mutating func newWaiterID() -> Int {
        counter += 1
        return counter
    }

    /// Decides what a request must do that used the version `used`, or that used none yet.
    mutating func demand(after used: Int?, at now: ContinuousClock.Instant) -> Demand {
        if flight != nil { return .wait }
        let isUsable = credential != nil && renewAt.map { now < $0 } ?? true
        if let credential, isUsable, used != version { return .use(credential) }
        if let failure {
            if now < failure.until { return .fail(failure.error, isNews: false) }
            self.failure = nil
        }
        if let wait = history.admit(at: now) { return .fail(.excessiveRefresh(wait: wait), isNews: tell()) }
        counter += 1
        flight = Flight(id: counter)
        return .refresh(counter)
    }

    /// Stores a token as the next version.
    mutating func install(_ token: Credential.Token, now: ContinuousClock.Instant) -> Credential {
        drop()
        let installed = Credential(token: token.token, version: version, expiresAt: token.expiresIn.map { now + $0 })
        credential = installed
        // Renewed shortly before the expiry, so that it does not expire in transit; at most a tenth of a short lifetime before.
        renewAt = token.expiresIn.map { now + $0 - min(.seconds(5), $0 / 10) }
        return installed
    }

    /// Removes the credential.
    mutating func drop() {
        version += 1
        credential = nil
        renewAt = nil
        failure = nil
        flight = nil
    }

    /// Remembers the failure of the refresh; returns whether it has to be reported.
    mutating func latch(_ error: NetworkError, at now: ContinuousClock.Instant) -> Bool {
        flight = nil
        failure = Latch(error: error, until: now + CredentialStore.failureLatch)
        // A server that was not reached has not rejected the credential.
        return error.errorClass != .transport && tell()
    }

    /// Lets the next request refresh, whatever failed before.
    mutating func forgetFailure() {
        failure = nil
        history = RefreshHistory()
    }

    /// Removes and returns all waiters.
    mutating func takeWaiters() -> [Waiter] {
        defer { waiters = [:] }
        return Array(waiters.values)
    }

    private mutating func tell() -> Bool {
        defer { toldVersion = version }
        return toldVersion != version
    }
}
