public import SortieHTTP

/// The body of a response as chunks of bytes, for one consumer.
///
/// The server is slowed down to the rate of the consumer: about a quarter of a MiB waits in memory, and nothing is written to the disk. The idle time
/// limit does not run while the consumer has bytes to read. Cancelling the consuming task, and releasing the sequence with its iterators, ends the
/// transfer.
public struct ByteStream: AsyncSequence, Sendable {
    /// The type of the elements.
    public typealias Element = [UInt8]
    /// The type of the errors.
    public typealias Failure = NetworkError

    /// Ends the call when the last reference is released.
    final class Lifetime: Sendable {
        let pipe: ResponsePipe
        private let abort: @Sendable () -> Void

        init(_ pipe: ResponsePipe, abort: @escaping @Sendable () -> Void) {
            self.pipe = pipe
            self.abort = abort
        }

        deinit { abort() }

        func cancel() { abort() }
    }

    let lifetime: Lifetime

    /// Reads the body.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let lifetime: Lifetime

        /// The next bytes, at least one; nil at the end of the body.
        ///
        /// - Parameter actor: The actor to which the caller is isolated.
        /// - Throws: The error that ended the body early, such as `truncatedBody`; `cancelled` where the task or the call is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(NetworkError) -> [UInt8]? {
            guard !Task.isCancelled else {
                lifetime.cancel()
                throw .cancelledByCaller
            }
            let lifetime = lifetime
            let result = await withTaskCancellationHandler {
                await lifetime.pipe.next()
            } onCancel: {
                lifetime.cancel()
            }
            return try result.get()
        }
    }

    /// Creates an iterator; all iterators of a body share its bytes.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(lifetime: lifetime) }

    /// Reads the rest of the body into memory.
    ///
    /// - Parameter limit: The largest number of bytes.
    /// - Throws: `bodyTooLarge` beyond the limit, else the error of the body.
    public func collect(upTo limit: Int) async throws(NetworkError) -> [UInt8] {
        var bytes: [UInt8] = []
        var iterator = makeAsyncIterator()
        while let chunk = try await iterator.next() {
            bytes += chunk
            guard bytes.count <= limit else {
                lifetime.cancel()
                throw NetworkError(.bodyTooLarge, "the body is larger than \(ByteCount(limit).text), the limit")
            }
        }
        return bytes
    }
}
