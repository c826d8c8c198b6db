internal import SortieBase
public import SortieHTTP

/// The body of a response as chunks of bytes, for one consumer.
///
/// The server is slowed down to the rate of the consumer: about a quarter of a MiB waits in memory, and nothing is written to the disk. The idle time
/// limit does not run while the consumer has bytes to read. Cancelling the consuming task, ending the iteration before the end of the body, and releasing
/// the sequence with its iterators ends the transfer.
public struct ByteStream: AsyncSequence, Sendable {
    /// Ends the call when the last reference is released.
    final class Lifetime: Sendable {
        let pipe: ResponsePipe
        private let abort: @Sendable () -> Void

        init(_ pipe: ResponsePipe, abort: @escaping @Sendable () -> Void) {
            (self.pipe, self.abort) = (pipe, abort)
        }

        deinit { release() }

        func cancel() { abort() }

        /// Ends the call unless its whole body has arrived, because its plugins may still be at work then.
        func release() { if !pipe.hasEnded { abort() } }
    }

    /// Ends the call when the last copy of an iterator is released.
    final class Reading: Sendable {
        let lifetime: Lifetime

        init(_ lifetime: Lifetime) { self.lifetime = lifetime }

        deinit { lifetime.release() }
    }

    let lifetime: Lifetime

    /// Reads the body.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let reading: Reading

        /// The next bytes, at least one; nil at the end of the body.
        ///
        /// - Parameter actor: The actor to which the caller is isolated.
        /// - Throws: The error that ended the body early, such as `truncatedBody`; `cancelled` where the task or the call is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(NetworkError) -> [UInt8]? {
            let lifetime = reading.lifetime
            guard !Task.isCancelled else {
                lifetime.cancel()
                throw .cancelledByCaller
            }
            let result = await withTaskCancellationHandler {
                await lifetime.pipe.next()
            } onCancel: {
                lifetime.cancel()
            }
            return try result.get()
        }
    }

    /// Creates an iterator; all iterators of a body share its bytes, and the first one that is released ends the transfer.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reading: Reading(lifetime)) }

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

extension ByteStream {
    /// The lines of the body, without LF or CRLF; a last line without a line break is included where it is not empty.
    ///
    /// - Parameter limit: The largest length of a line in bytes.
    public func lines(limit: Int = 1 << 20) -> some AsyncSequence<[UInt8], NetworkError> & Sendable { ByteLines(bytes: self, limit: limit) }

    /// The JSON values of a body with one value on each line (NDJSON); empty lines are skipped.
    ///
    /// - Parameter limit: The largest length of a line in bytes.
    public func jsonLines(limit: Int = 1 << 20) -> some AsyncSequence<JSONValue, NetworkError> & Sendable {
        JSONLines(lines: ByteLines(bytes: self, limit: limit))
    }
}

/// The lines of a ``ByteStream``.
struct ByteLines: AsyncSequence, Sendable {
    let bytes: ByteStream
    let limit: Int

    /// Reads the lines.
    struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        private var bytes: ByteStream.AsyncIterator
        private let limit: Int
        private var rest: [UInt8] = []
        /// The offset of the first byte of `rest` that was not returned.
        private var start = 0
        /// The offset up to which `rest` has no line break.
        private var searched = 0
        private var isAtEnd = false

        init(_ lines: ByteLines) {
            bytes = lines.bytes.makeAsyncIterator()
            limit = lines.limit
        }

        /// The next line; nil at the end of the body.
        ///
        /// - Parameter actor: The actor to which the caller is isolated.
        /// - Throws: `bodyTooLarge` for a line above the limit, else the error of the body.
        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(NetworkError) -> [UInt8]? {
            while true {
                if let end = rest[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                    let line = rest[start..<end]
                    (start, searched) = (end + 1, end + 1)
                    try check(line.count)
                    return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
                }
                guard !isAtEnd else {
                    defer { (rest, start, searched) = ([], 0, 0) }
                    return start < rest.count ? Array(rest[start...]) : nil
                }
                try check(rest.count - start)
                rest.removeFirst(start)
                (start, searched) = (0, rest.count)
                if let chunk = try await bytes.next(isolation: actor) { rest += chunk } else { isAtEnd = true }
            }
        }

        private func check(_ count: Int) throws(NetworkError) {
            guard count > limit else { return }
            throw NetworkError(.bodyTooLarge, "a line is larger than \(ByteCount(limit).text), the limit")
        }
    }

    /// Creates an iterator.
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

/// The JSON values of a ``ByteStream`` with one value on each line.
struct JSONLines: AsyncSequence, Sendable {
    let lines: ByteLines

    /// Reads the values.
    struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        private var lines: ByteLines.AsyncIterator
        private var number = 0

        init(_ lines: ByteLines) {
            self.lines = lines.makeAsyncIterator()
        }

        /// The next value; nil at the end of the body.
        ///
        /// - Parameter actor: The actor to which the caller is isolated.
        /// - Throws: `badBody` with the number of a line that is not JSON, else the errors of ``ByteLines``.
        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(NetworkError) -> JSONValue? {
            while let line = try await lines.next(isolation: actor) {
                number += 1
                guard line.contains(where: { !$0.isSpaceOrTab }) else { continue }
                do { return try JSONValue(parsing: line) } catch {
                    throw NetworkError(.badBody, "line \(number) is not JSON: \(error)", underlying: "\(error)")
                }
            }
            return nil
        }
    }

    /// Creates an iterator.
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(lines) }
}
