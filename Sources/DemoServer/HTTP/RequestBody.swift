import FlyingFox
import Foundation
import Synchronization

/// The body of one request, read at most once and never held whole unless a route asks for that.
final class RequestBody: Sendable {
    private enum State { case unread, reading, finished }

    /// How many bytes nobody wants are read to keep a connection.
    static let patience = 64 << 20

    private let sequence: HTTPBodySequence
    private let state = Mutex(State.unread)

    init(_ sequence: HTTPBodySequence) {
        self.sequence = sequence
    }

    /// The length the client announced; nil for a chunked body.
    var announcedBytes: Int? { sequence.count }

    /// Hands over every chunk in order, until the body ends.
    func read(_ take: (Data) async throws -> Void) async throws {
        let isFirst = state.withLock { state in
            defer { state = .reading }
            return state == .unread
        }
        guard isFirst else { throw Problem(500, "The demo server read a request body twice; this is a fault of the server.") }
        for try await chunk in sequence { try await take(chunk) }
        state.withLock { $0 = .finished }
    }

    /// The whole body.
    ///
    /// - Throws: A 413 when it is longer than `limit` bytes.
    func collect(limit: Int = 4 << 20) async throws -> Data {
        var data = Data()
        var total = 0
        try await read { chunk in
            total += chunk.count
            // Read on for a while: a client that is still sending would lose the answer if the connection were cut.
            guard total <= Self.patience else { throw Self.tooLong(limit) }
            if total <= limit { data.append(chunk) }
        }
        guard total <= limit else { throw Self.tooLong(limit) }
        return data
    }

    private static func tooLong(_ limit: Int) -> Problem {
        Problem(413, "This route takes a body of at most \(limit) bytes; send a longer one to /upload.")
    }

    /// Reads what no route has read, so that the next request on the connection starts at its first byte.
    ///
    /// - Returns: False when the connection is of no further use: the body is too long to wait for, or was left half read.
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
                // Too long, or the client went away: either way the connection ends with this answer.
                return false
            }
        }
    }
}
