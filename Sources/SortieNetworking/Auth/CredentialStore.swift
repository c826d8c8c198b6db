public import SortieHTTP
internal import Synchronization

/// A token shared by many requests, with a single refresh for all of them.
///
/// - A request calls ``credential()`` before it is sent, which waits only while the token is being refreshed or has expired.
/// - A request that was rejected (401) calls ``refresh(after:)`` with the version it had used. It gets a newer version at once where one exists;
///   otherwise exactly one refresh runs and all callers wait for it.
/// - A failed refresh is remembered for five seconds, so that pending requests do not repeat it.
/// - At most five refreshes start within 30 seconds.
///
/// A waiting task that is cancelled returns at once, and the refresh continues for the others. The type is thread-safe.
public final class CredentialStore: Sendable {
    /// Obtains a new token from the current one, which is nil where there is none yet.
    private typealias Refresh = @Sendable (Credential?) async throws -> Credential.Token

    /// How long a failed refresh is remembered; later requests may try again, because the server or the password may have changed.
    static let failureLatch = Duration.seconds(5)

    private let state: Mutex<CredentialState>
    private let now: @Sendable () -> ContinuousClock.Instant
    private let renew: Refresh
    private let authExpired: @Sendable (NetworkError) -> Void
    /// Whether a refresh ends when no request waits for it any more.
    private let endsWithoutWaiters: Bool

    /// The stores whose refresh the current task performs; a refresh that waits for its own store would never end.
    @TaskLocal private static var refreshing: Set<ObjectIdentifier> = []

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - token: The initial token; nil makes the first request refresh.
    ///   - now: The monotonic clock. The default includes the time that the machine is suspended, as the server's clock does.
    ///   - authExpired: Called once for each credential that cannot be refreshed; never called under a lock.
    ///   - refresh: Obtains a token. It must not send its request through this store.
    public convenience init(
        token: Credential.Token? = nil, now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
        authExpired: @escaping @Sendable (NetworkError) -> Void = { _ in },
        refresh: @escaping @Sendable (Credential?) async throws -> Credential.Token
    ) {
        self.init(token: token, now: now, endsWithoutWaiters: false, authExpired: authExpired, refresh: refresh)
    }

    init(
        token: Credential.Token? = nil, now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
        endsWithoutWaiters: Bool, authExpired: @escaping @Sendable (NetworkError) -> Void = { _ in },
        refresh: @escaping @Sendable (Credential?) async throws -> Credential.Token
    ) {
        self.endsWithoutWaiters = endsWithoutWaiters
        state = Mutex(CredentialState(token: token, now: now()))
        self.now = now
        self.renew = refresh
        self.authExpired = authExpired
    }

    /// The credential to send; refreshes first where there is none or it has expired.
    ///
    /// - Throws: The error of a failed refresh, or `cancelled` when the task was cancelled.
    public func credential() async throws(NetworkError) -> Credential {
        try await wait(after: nil)
    }

    /// The credential for a repeated request, after the one of `version` was rejected.
    ///
    /// - Throws: The error of a failed refresh, `status` after too many refreshes, or `cancelled` when the task was cancelled.
    public func refresh(after version: Int) async throws(NetworkError) -> Credential {
        try await wait(after: version)
    }

    /// Stores a token from another source, for example a sign-in by the user; all waiting requests get it.
    public func replace(with token: Credential.Token) {
        let moment = now()
        let (waiters, credential) = state.withLock { state in
            state.flight?.task?.cancel()
            let credential = state.install(token, now: moment)
            return (state.takeWaiters(), credential)
        }
        for waiter in waiters { waiter.resume(returning: .success(credential)) }
    }

    /// Removes the credential at sign-out: the next request refreshes, and the result of a running refresh is ignored.
    public func invalidate() { end(with: .credentialInvalidated) }

    /// Lets the next request refresh although the last refresh failed or many were made: for a request that a person sends.
    package func forgetFailure() { state.withLock { $0.forgetFailure() } }

    /// Removes the credential, ends a running refresh, and fails the requests that wait for it.
    func end(with error: NetworkError) {
        let waiters = state.withLock { state in
            state.flight?.task?.cancel()
            state.drop()
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume(returning: .failure(error)) }
    }

    /// The current credential, and whether the next request would renew it; never starts a refresh.
    var present: (credential: Credential, isDue: Bool)? {
        let moment = now()
        return state.withLock { state in state.credential.map { (credential: $0, isDue: state.isDue(at: moment)) } }
    }

    /// The number of requests that wait for a refresh.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    // MARK: Waiting

    private func wait(after version: Int?) async throws(NetworkError) -> Credential {
        guard !Self.refreshing.contains(ObjectIdentifier(self)) else { throw .refreshAsksForCredential }
        if Task.isCancelled { throw .waitCancelled }
        let moment = now()
        let id = state.withLock { $0.newWaiterID() }
        let result: Result<Credential, NetworkError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                ask(after: version, at: moment, id, continuation)
                // `onCancel` may have run before the waiter was registered.
                if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
        return try result.get()
    }

    private func ask(after version: Int?, at moment: ContinuousClock.Instant, _ id: Int, _ continuation: CredentialState.Waiter) {
        var expired: NetworkError?
        let result: Result<Credential, NetworkError>? = state.withLock { state in
            switch state.demand(after: version, at: moment) {
            case .use(let credential):
                return .success(credential)
            case .fail(let error, let isUnreported):
                if isUnreported { expired = error }
                return .failure(error)
            case .wait:
                state.waiters[id] = continuation
            case .refresh(let flight):
                state.waiters[id] = continuation
                // Created under the lock, so that a concurrent removal finds the task to cancel. The end of the task takes the lock again.
                let task = start(flight, from: state.credential)
                state.flight?.task = task
            }
            return nil
        }
        if let expired { authExpired(expired) }
        if let result { continuation.resume(returning: result) }
    }

    private func leave(_ id: Int) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: id)
            if endsWithoutWaiters, waiter != nil, state.waiters.isEmpty, let flight = state.flight {
                flight.task?.cancel()
                state.drop()
            }
            return waiter
        }
        waiter?.resume(returning: .failure(.waitCancelled))
    }

    // MARK: Refreshing

    /// Runs the refresh in its own task, so that cancelling the request that started it does not affect the others.
    private func start(_ flight: Int, from credential: Credential?) -> Task<Void, Never> {
        let mark = Self.refreshing.union([ObjectIdentifier(self)])
        return Task {
            await Self.$refreshing.withValue(mark) {
                do {
                    finish(flight, .success(try await renew(credential)))
                } catch {
                    finish(flight, .failure(.refreshFailed(error, hiding: credential?.token)))
                }
            }
        }
    }

    private func finish(_ flight: Int, _ outcome: Result<Credential.Token, NetworkError>) {
        let moment = now()
        var expired: NetworkError?
        let (waiters, result): ([CredentialState.Waiter], Result<Credential, NetworkError>) = state.withLock { state in
            // The credential was removed or replaced meanwhile, which has resumed all waiters.
            guard state.flight?.id == flight else { return ([], .failure(.credentialInvalidated)) }
            switch outcome {
            case .success(let token):
                return (state.takeWaiters(), .success(state.install(token, now: moment)))
            case .failure(let error):
                if state.latch(error, at: moment) { expired = error }
                return (state.takeWaiters(), .failure(error))
            }
        }
        if let expired { authExpired(expired) }
        for waiter in waiters { waiter.resume(returning: result) }
    }
}

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
        /// Fail; `isUnreported` when the expiry of this credential has not been reported yet.
        case fail(NetworkError, isUnreported: Bool)
        /// Wait for the running refresh.
        case wait
        /// Start the refresh of this number, and wait for it.
        case refresh(Int)
    }

    private struct LatchedFailure: Sendable {
        let error: NetworkError
        /// The time until which the failure applies.
        let until: ContinuousClock.Instant
    }

    private(set) var credential: Credential?
    /// The version of `credential`, or of its absence.
    private var version = 0
    private var renewAt: ContinuousClock.Instant?
    private var failure: LatchedFailure?
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
            if now < failure.until { return .fail(failure.error, isUnreported: false) }
            self.failure = nil
        }
        if let wait = history.admit(at: now) { return .fail(.excessiveRefresh(wait: wait), isUnreported: markReported()) }
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

    /// Keeps the failure of the refresh for the requests that follow; returns whether it has to be reported.
    mutating func latch(_ error: NetworkError, at now: ContinuousClock.Instant) -> Bool {
        flight = nil
        failure = LatchedFailure(error: error, until: now + CredentialStore.failureLatch)
        // A server that was not reached has not rejected the credential.
        return error.errorClass != .transport && markReported()
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

    private mutating func markReported() -> Bool {
        defer { toldVersion = version }
        return toldVersion != version
    }
}
