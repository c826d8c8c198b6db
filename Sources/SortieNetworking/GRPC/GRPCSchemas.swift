internal import SortieHTTP
internal import Synchronization

/// The schemas of a client: calls of the same service share what was read, and calls that need it at the same time read it once.
final class GRPCSchemas: Sendable {
    /// Identifies the source of a schema.
    struct Key: Hashable {
        let source: GRPCCall.Schema
        /// The server and the service that it describes; empty for a file.
        let server: String
        let service: String
    }

    private struct Entry {
        let task: Task<Result<ProtobufSchema, NetworkError>, Never>
        let readAt: UInt64
    }

    private let entries = Mutex<[Key: Entry]>([:])

    /// How long a schema is used, so that a server may be replaced by another version, in nanoseconds.
    private static let lifetime: UInt64 = 60_000_000_000
    /// The number of schemas that are kept.
    private static let limit = 64

    /// The schema of a key: a known one, or what `read` returns.
    ///
    /// - Parameter isFresh: Whether a known schema that was read at a time (monotonic nanoseconds) still holds.
    /// - Returns: The schema, and whether it was read for this call.
    func schema(
        _ key: Key, read: @escaping @Sendable () async throws(NetworkError) -> ProtobufSchema
    ) async throws(NetworkError) -> (schema: ProtobufSchema, isNew: Bool) {
        let now = MonotonicClock.now
        let (task, isNew) = entries.withLock { entries in
            if let entry = entries[key], now &- entry.readAt < Self.lifetime { return (entry.task, false) }
            if entries.count >= Self.limit { entries.removeAll() }
            let task = Task { () async -> Result<ProtobufSchema, NetworkError> in
                do throws(NetworkError) { return .success(try await read()) } catch { return .failure(error) }
            }
            entries[key] = Entry(task: task, readAt: now)
            return (task, true)
        }
        let result = await task.valueUnlessCancelled() ?? .failure(.cancelledByCaller)
        // A failure is not kept, so that the next call tries again, also after a reading that does not end.
        if case .failure = result { entries.withLock { if $0[key]?.readAt == now || !isNew { $0[key] = nil } } }
        return (try result.get(), isNew)
    }
}
