internal import Model

/// The rules of a ``CredentialStore``: what to do for a request, without doing it.
struct CredentialState: Sendable {
    typealias Waiter = CheckedContinuation<Result<Credential, NetworkError>, Never>

    /// A refresh that runs.
    struct Flight: Sendable {
        let id: Int
        var task: Task<Void, Never>?
    }

    /// What a request must do.
    enum Demand: Sendable {
        case use(Credential)
        /// Fail; `isNews` when nobody was told yet that this credential has ended.
        case fail(NetworkError, isNews: Bool)
        /// Wait for the refresh that runs.
        case wait
        /// Begin the refresh of this number, and wait for it.
        case refresh(Int)
    }

    private struct Latch: Sendable {
        let error: NetworkError
        /// When it ends; nil for never, as long as the version stays.
        let until: ContinuousClock.Instant?
    }

    private(set) var credential: Credential?
    /// The version of `credential`, or of having none.
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

    /// Whether the credential is to be renewed before it is used again.
    func isDue(at now: ContinuousClock.Instant) -> Bool { flight != nil || !(renewAt.map { now < $0 } ?? true) }

    /// A number that nobody else has.
    mutating func newWaiterID() -> Int {
        counter += 1
        return counter
    }

    /// What a request does that used `used`, or none yet.
    mutating func demand(after used: Int?, at now: ContinuousClock.Instant) -> Demand {
        if flight != nil { return .wait }
        let isUsable = credential != nil && renewAt.map { now < $0 } ?? true
        if let credential, isUsable, used != version { return .use(credential) }
        if let failure {
            if failure.until.map({ now < $0 }) ?? true { return .fail(failure.error, isNews: false) }
            self.failure = nil
        }
        if let wait = history.admit(at: now) { return .fail(.excessiveRefresh(wait: wait), isNews: tell()) }
        counter += 1
        flight = Flight(id: counter)
        return .refresh(counter)
    }

    /// Takes a token as the next version.
    mutating func install(_ token: Credential.Token, now: ContinuousClock.Instant) -> Credential {
        drop()
        let installed = Credential(token: token.token, version: version, expiresAt: token.expiresIn.map { now + $0 })
        credential = installed
        // A little before its end, so that it does not run out on the way; never so early that a short-lived token is renewed all the time.
        renewAt = token.expiresIn.map { now + $0 - min(.seconds(5), $0 / 10) }
        return installed
    }

    /// Is without credential from now on.
    mutating func drop() {
        version += 1
        credential = nil
        renewAt = nil
        failure = nil
        flight = nil
    }

    /// Remembers that the refresh failed; returns whether that is news.
    mutating func latch(_ error: NetworkError, at now: ContinuousClock.Instant) -> Bool {
        flight = nil
        // A server that was not reached has refused nothing.
        let isRefusal = error.errorClass != .transport
        failure = Latch(error: error, until: isRefusal ? nil : now + CredentialStore.transportLatch)
        return isRefusal && tell()
    }

    /// Everybody who waits, who is then no longer waiting.
    mutating func takeWaiters() -> [Waiter] {
        defer { waiters = [:] }
        return Array(waiters.values)
    }

    private mutating func tell() -> Bool {
        defer { toldVersion = version }
        return toldVersion != version
    }
}
