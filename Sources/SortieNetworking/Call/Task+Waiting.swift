extension Task where Failure == Never {
    /// Waits for the value of a task for which others may wait, too; nil where the wait is cancelled before, after which the task continues.
    ///
    /// - Parameter cancelling: Receives what ends the wait, beside the cancellation of the waiting task.
    package func valueUnlessCancelled(_ cancelling: (@escaping @Sendable () -> Void) -> Void = { _ in }) async -> Success? {
        let (values, continuation) = AsyncStream<Success>.makeStream()
        Task<Void, Never> {
            continuation.yield(await value)
            continuation.finish()
        }
        cancelling { continuation.finish() }
        for await value in values { return value }
        return nil
    }
}
