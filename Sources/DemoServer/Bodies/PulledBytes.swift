import FlyingSocks
import Foundation

/// A body that is made chunk by chunk while it is sent.
///
/// The next chunk is asked for when the socket has taken the last one, so a slow reader slows the maker down and a
/// client that goes away ends it. An error cuts the connection.
struct PulledBytes<State: Sendable>: AsyncBufferedSequence {
    typealias Element = UInt8

    let state: State
    /// Returns the next chunk, or nil at the end.
    ///
    /// A chunk is never empty: in a chunked body that would mean the end.
    let next: @Sendable (inout State) async throws -> Data?

    init(state: State, next: @escaping @Sendable (inout State) async throws -> Data?) {
        self.state = state
        self.next = next
    }

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

        /// Byte by byte is never asked for by FlyingFox; one chunk of one byte keeps the protocol's promise.
        mutating func next() async throws -> UInt8? {
            throw SocketError.disconnected
        }
    }
}
