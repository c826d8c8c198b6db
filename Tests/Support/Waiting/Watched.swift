import Glibc

/// A value under a lock, for whose changes threads and tasks can wait with a deadline.
///
/// There is no polling: a change wakes the waiters whose conditions it meets.
public final class Watched<Value: Sendable>: @unchecked Sendable {
    // `@unchecked Sendable`: `value` and `waiters` are only accessed while `mutex` is held; both pointers live as long as `self`.
    private var value: Value
    private var waiters: [Int: Waiter<Value>] = [:]
    private var nextWaiter = 0
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Creates the value.
    public init(_ value: Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // The wall clock can be set during a wait.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// A copy of the current value.
    public var current: Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return value
    }

    /// Changes the value, then wakes all waiters whose conditions it meets.
    @discardableResult
    public func change<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        defer { wake() }
        return try body(&value)
    }

    /// Blocks the calling thread until `condition` holds; false when `limit` expired first.
    ///
    /// Without a limit it waits forever.
    ///
    /// Only for dedicated threads; a task must use ``wait(_:within:describe:until:)``.
    @discardableResult
    public func block(within limit: Duration? = nil, until condition: (Value) -> Bool) -> Bool {
        var deadline = timespec()
        if let limit { deadline = Self.monotonicTime(in: limit) }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !condition(value) {
            if limit == nil {
                pthread_cond_wait(changed, mutex)
            } else if pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT {
                return condition(value)
            }
        }
        return true
    }

    /// Suspends until `condition` returns a value, and returns that.
    ///
    /// - Throws: ``DeadlineExceeded`` with the text of `describe` after `limit`; `CancellationError` when the task is cancelled.
    public func wait<Result: Sendable>(
        _ what: String, within limit: Duration, describe: @escaping @Sendable (Value) -> String = { "\($0)" },
        until condition: @escaping @Sendable (Value) -> Result?
    ) async throws -> Result {
        let id = newWaiterID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answers: @Sendable (Value) -> Bool = { value in
                    guard let result = condition(value) else { return false }
                    continuation.resume(returning: result)
                    return true
                }
                add(id, answers, fails: { continuation.resume(throwing: $0) }) {
                    Task { [weak self] in
                        try await Task.sleep(for: limit)
                        self?.fail(id) { DeadlineExceeded(what: what, limit: limit, state: describe($0)) }
                    }
                }
                // `onCancel` may have run before the waiter was added.
                if Task.isCancelled { fail(id) { _ in CancellationError() } }
            }
        } onCancel: {
            fail(id) { _ in CancellationError() }
        }
    }

    /// Wakes blocked threads to evaluate their conditions again without a change.
    func nudge() { change { _ in } }

    private func newWaiterID() -> Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        nextWaiter += 1
        return nextWaiter
    }

    /// Adds a waiter, unless its condition holds already.
    ///
    /// Its timer starts while the lock is held: it cannot expire before the waiter is added.
    private func add(
        _ id: Int, _ answers: @escaping @Sendable (Value) -> Bool, fails: @escaping @Sendable (any Error) -> Void,
        timer: () -> Task<Void, any Error>
    ) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !answers(value) else { return }
        waiters[id] = Waiter(answers: answers, fails: fails, timer: timer())
    }

    private func fail(_ id: Int, _ error: (Value) -> any Error) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard let waiter = waiters.removeValue(forKey: id) else { return }
        waiter.timer.cancel()
        waiter.fails(error(value))
    }

    /// Called with the lock held.
    private func wake() {
        pthread_cond_broadcast(changed)
        for (id, waiter) in waiters where waiter.answers(value) {
            waiter.timer.cancel()
            waiters[id] = nil
        }
    }

    private static func monotonicTime(in limit: Duration) -> timespec {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let (seconds, attoseconds) = limit.components
        let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000)
        return timespec(tv_sec: now.tv_sec + Int(seconds) + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    }
}

/// A task that waits for a ``Watched`` value to meet its condition.
private struct Waiter<Value: Sendable>: Sendable {
    /// Resumes the task and returns true when the value meets the condition.
    let answers: @Sendable (Value) -> Bool
    let fails: @Sendable (any Error) -> Void
    let timer: Task<Void, any Error>
}
