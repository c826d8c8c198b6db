import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// The body of one request.
///
/// It is read at most once and is kept in memory only when a route requests it.
final class RequestBody: Sendable {
    private enum State { case unread, reading, finished }

    /// The largest number of unread bytes that are skipped to keep a connection open.
    static let patience = 64 << 20

    private let sequence: HTTPBodySequence
    private let state = Mutex(State.unread)

    init(_ sequence: HTTPBodySequence) {
        self.sequence = sequence
    }

    /// The length that the client declared; nil for a chunked body.
    var announcedBytes: Int? { sequence.count }

    /// Passes every chunk to `take` in order, until the body ends.
    func read(_ take: (Data) async throws -> Void) async throws {
        let isFirst = state.withLock { state in
            defer { state = .reading }
            return state == .unread
        }
        guard isFirst else { throw Problem(500, "The demo server read a request body twice; this is an error in the server.") }
        for try await chunk in sequence { try await take(chunk) }
        state.withLock { $0 = .finished }
    }

    /// The whole body.
    ///
    /// - Throws: A 413 when the body is longer than `limit` bytes.
    func collect(limit: Int = 4 << 20) async throws -> Data {
        var data = Data()
        var total = 0
        try await read { chunk in
            total += chunk.count
            // Reading continues for a while, because a client that is still sending would lose the response if the
            // connection were closed.
            guard total <= Self.patience else { throw Self.tooLong(limit) }
            if total <= limit { data.append(chunk) }
        }
        guard total <= limit else { throw Self.tooLong(limit) }
        return data
    }

    private static func tooLong(_ limit: Int) -> Problem {
        Problem(413, "This route accepts a body of at most \(limit) bytes; send a longer one to /upload.")
    }

    /// Skips a body that no route has read, so that the next request on the connection starts at its first byte.
    ///
    /// - Returns: False when the connection cannot be reused, because the body is too long or was read in part.
    func finish(limit: Int = patience) async -> Bool {
        switch state.withLock({ $0 }) {
        case .finished: return true
        case .reading: return false
        case .unread:
            if let announced = sequence.count, announced > limit { return false }
            var skipped = 0
            do {
                try await read { chunk in
                    skipped += chunk.count
                    guard skipped <= limit else { throw CancellationError() }
                }
                return true
            } catch {
                // The body is too long or the client disconnected; the connection is closed after this response.
                return false
            }
        }
    }
}

/// A body that is generated chunk by chunk while it is sent.
///
/// The next chunk is requested when the socket has accepted the last one, so a slow client slows the generator and a
/// disconnected client ends it. An error closes the connection.
struct PulledBytes<State: Sendable>: AsyncBufferedSequence {
    typealias Element = UInt8

    let state: State
    /// Returns the next chunk, or nil at the end.
    ///
    /// A chunk is never empty, because an empty chunk would end a chunked body.
    let next: @Sendable (inout State) async throws -> Data?

    func makeAsyncIterator() -> Iterator {
        Iterator(state: state, pull: next)
    }

    struct Iterator: AsyncBufferedIteratorProtocol {
        var state: State
        let pull: @Sendable (inout State) async throws -> Data?

        mutating func nextBuffer(suggested count: Int) async throws -> Data? {
            try Task.checkCancellation()
            return try await pull(&state)
        }

        /// Required by the protocol.
        ///
        /// FlyingFox does not read single bytes, so this method only throws.
        mutating func next() async throws -> UInt8? {
            throw SocketError.disconnected
        }
    }
}
