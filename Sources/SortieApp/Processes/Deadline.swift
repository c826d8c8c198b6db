/// Returns the result of an operation, or nil when it takes longer than `limit`.
///
/// An operation that takes longer is cancelled and waited for, so that its process has ended afterwards.
func withDeadline<Result: Sendable>(_ limit: Duration, _ operation: @escaping @Sendable () async -> Result) async -> Result? {
    await withTaskGroup(of: Result?.self) { group in
        group.addTask { await operation() }
        group.addTask {
            // A cancelled sleep ends the wait as well.
            do { try await Task.sleep(for: limit) } catch { return nil }
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
}
