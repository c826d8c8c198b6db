internal import SortieHTTP
internal import Synchronization

/// Values that are read when the first call needs them: calls with the same key share what was read, and calls that need it at the same time read it once.
final class SharedReadings<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let task: Task<Result<Value, NetworkError>, Never>
        let readAt: UInt64
        /// The value, as soon as it is read.
        var value: Value?
    }

    private let entries = Mutex<[Key: Entry]>([:])
    /// How long a value is used, so that its source may change, in nanoseconds.
    private let lifetime: UInt64
    /// The number of values that are kept.
    private let limit = 64

    init(lifetime: Duration) { self.lifetime = lifetime.nanoseconds }

    /// The value of a key: a known one, or what `read` returns.
    ///
    /// - Parameter willWait: Called before a value is waited for that is not read yet.
    /// - Returns: The value, and whether it was read for this call.
    func value(
        _ key: Key, willWait: () -> Void = {}, read: @escaping @Sendable () async throws(NetworkError) -> Value
    ) async throws(NetworkError) -> (value: Value, isNew: Bool) {
        let now = MonotonicClock.now
        let (entry, isNew) = entries.withLock { entries in
            if let entry = entries[key], now &- entry.readAt < lifetime { return (entry, false) }
            if entries.count >= limit { entries.removeAll() }
            let task = Task { () async -> Result<Value, NetworkError> in
                do throws(NetworkError) { return .success(try await read()) } catch { return .failure(error) }
            }
            let entry = Entry(task: task, readAt: now)
            entries[key] = entry
            return (entry, true)
        }
        if let known = entry.value { return (known, false) }
        willWait()
        let result = await entry.task.valueUnlessCancelled() ?? .failure(.cancelledByCaller)
        entries.withLock { entries in
            guard entries[key]?.readAt == entry.readAt else { return }
            switch result {
            case .success(let value): entries[key]?.value = value
            // A failure is not kept, so that the next call tries again, also after a reading that does not end.
            case .failure: entries[key] = nil
            }
        }
        return (try result.get(), isNew)
    }
}
