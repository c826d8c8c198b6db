import FlyingSocks
import Foundation

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

        /// Required by the protocol.
        ///
        /// FlyingFox does not read single bytes, so this method only throws.
        mutating func next() async throws -> UInt8? {
            throw SocketError.disconnected
        }
    }
}
