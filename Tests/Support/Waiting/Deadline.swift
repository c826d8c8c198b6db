/// Runs `body`.
///
/// Cancels it and throws ``DeadlineExceeded`` when it has not ended after `limit`.
///
/// The body must respond to cancellation: one that blocks its thread cannot be interrupted.
public func withDeadline<Value: Sendable>(
    _ limit: Duration, _ what: String = "an operation to end", _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let value = first else {
            throw DeadlineExceeded(what: what, limit: limit)
        }
        return value
    }
}
