/// Runs `round` with `limit`, four times `limit`, and so on, until it returns a value; returns that.
///
/// For tests of a short time limit, before whose end something else must have happened, such as the receipt of a request by the server. On a busy
/// machine that may take longer than the limit. A round returns nil when it did, and must then not have verified anything that depends on it.
///
/// - Throws: the error of a round; ``DeadlineExceeded`` when six rounds returned nil.
public func growing<Value>(from limit: Duration, _ round: (Duration) async throws -> Value?) async throws -> Value {
    var limit = limit
    for _ in 0..<5 {
        if let value = try await round(limit) { return value }
        limit = limit * 4
    }
    if let value = try await round(limit) { return value }
    throw DeadlineExceeded(what: "a round in which the time limit was long enough", limit: limit)
}
