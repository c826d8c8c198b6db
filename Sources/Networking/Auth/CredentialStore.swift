public import Model
internal import Synchronization

/// One token for many requests, refreshed by one of them for all.
///
/// - A request takes ``credential()`` before it is sent; that waits only while the token is being refreshed, or has run out.
/// - A request that was refused (401) calls ``refresh(after:)`` with the version it had used. Where a newer one exists it gets that at once; else
///   exactly one refresh runs and everybody waits for it.
/// - A refused refresh is remembered for its version, so that the requests still on their way do not each try again.
/// - At most five refreshes begin within 30 seconds.
///
/// A waiter that is cancelled leaves at once and the refresh goes on for the others. It may be used from any thread.
public final class CredentialStore: Sendable {
    /// Makes a new token out of the present one, nil where there is none yet.
    public typealias Refresh = @Sendable (Credential?) async throws -> Credential.Token

    /// How long a refresh that did not reach the server is remembered; later requests may try again.
    static let transportLatch = Duration.seconds(5)

    private let state: Mutex<CredentialState>
    private let now: @Sendable () -> ContinuousClock.Instant
    private let renew: Refresh
    private let authExpired: @Sendable (NetworkError) -> Void

    /// The stores whose refresh the current task is part of: one that asked its own store would wait for ever.
    @TaskLocal private static var refreshing: Set<ObjectIdentifier> = []

    /// A store.
    ///
    /// - Parameters:
    ///   - token: what to begin with; nil makes the first request refresh.
    ///   - now: the clock, monotonic. The default counts the time that the machine is suspended too, as the server does.
    ///   - authExpired: told once for each credential that cannot be refreshed (S0.27); never called under a lock.
    ///   - refresh: makes a token. It must not send its request through this store.
    public init(
        token: Credential.Token? = nil, now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
        authExpired: @escaping @Sendable (NetworkError) -> Void = { _ in }, refresh: @escaping Refresh
    ) {
        state = Mutex(CredentialState(token: token, now: now()))
        self.now = now
        self.renew = refresh
        self.authExpired = authExpired
    }

    /// The credential to send with; refreshes first where there is none or it has run out.
    ///
    /// - Throws: why there is none: a failed refresh, `cancelled` when the task was.
    public func credential() async throws(NetworkError) -> Credential {
        try await wait(after: nil)
    }

    /// The credential to send again with, after the one of `version` was refused.
    ///
    /// - Throws: why there is none: a failed refresh, too many of them, `cancelled` when the task was.
    public func refresh(after version: Int) async throws(NetworkError) -> Credential {
        try await wait(after: version)
    }

    /// Takes a token that came from elsewhere, a person's sign-in for example; everybody who waits gets it.
    public func replace(with token: Credential.Token) {
        let moment = now()
        let (waiters, credential) = state.withLock { state in
            state.flight?.task?.cancel()
            let credential = state.install(token, now: moment)
            return (state.takeWaiters(), credential)
        }
        for waiter in waiters { waiter.resume(returning: .success(credential)) }
    }

    /// Drops the credential, for a sign-out: the next request refreshes, and a refresh that is running counts for nothing.
    public func invalidate() {
        let waiters = state.withLock { state in
            state.flight?.task?.cancel()
            state.drop()
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume(returning: .failure(.credentialInvalidated)) }
    }

    /// What there is now, and whether the next request would renew it; asks nobody.
    var present: (credential: Credential, isDue: Bool)? {
        let moment = now()
        return state.withLock { state in state.credential.map { (credential: $0, isDue: state.isDue(at: moment)) } }
    }

    /// How many requests wait for a refresh.
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
                // `onCancel` may have run before there was anybody to send away.
                if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
        return try result.get()
    }

    private func ask(after version: Int?, at moment: ContinuousClock.Instant, _ id: Int, _ continuation: CredentialState.Waiter) {
        var expired: NetworkError?
        let answer: Result<Credential, NetworkError>? = state.withLock { state in
            switch state.demand(after: version, at: moment) {
            case .use(let credential):
                return .success(credential)
            case .fail(let error, let isNews):
                if isNews { expired = error }
                return .failure(error)
            case .wait:
                state.waiters[id] = continuation
            case .refresh(let flight):
                state.waiters[id] = continuation
                // Made under the lock, so that whoever drops the credential finds the task to cancel. The task's end takes the lock again.
                let task = start(flight, from: state.credential)
                state.flight?.task = task
            }
            return nil
        }
        if let expired { authExpired(expired) }
        if let answer { continuation.resume(returning: answer) }
    }

    private func leave(_ id: Int) {
        state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: .failure(.waitCancelled))
    }

    // MARK: Refreshing

    /// Runs the refresh on a task of its own: it belongs to everybody who waits, not to the one who came first.
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
            // Dropped or replaced meanwhile: nobody waits for this one any more.
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
