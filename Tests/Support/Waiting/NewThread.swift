import Foundation

/// Runs work that blocks its thread on a new thread, so that it occupies none of the few threads that all tasks share.
public func onNewThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}
